//! The walk over a position that hands every term of the evaluation to a sink.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::terms::Term;
use super::terrain::Terrain;
use crate::position::Position;
use crate::ruleset::Ruleset;

/// What is left of a lead that is hard to win: one part in so many.
pub(crate) const DRAWISH_DIVISOR: i32 = 4;

/// Takes the terms of a position as the walk meets them.
pub(crate) trait Sink {
    /// A piece stands on a square: its material, rank and file terms, each once.
    fn piece(&mut self, color: Color, kind: Kind, square: Square);
    /// `color` has a term that many times (or, when negative, lacks it).
    fn term(&mut self, color: Color, term: Term, times: i32);
}

/// Walks over the position and hands every term to the sink. Gives the game's phase, 0 to [`super::FULL_PHASE`].
#[inline]
pub(crate) fn evaluate_terms<R: Ruleset, S: Sink>(
    terrain: &Terrain<R::Word>,
    position: &Position<R>,
    sink: &mut S,
) -> i32 {
    sink.term(position.side(), terrain.terms.general.tempo, 1);
    let mut roaming = 0;
    for color in Color::ALL {
        sink.piece(color, terrain.king, position.king(color));
        roaming += pieces(terrain, position, color, sink);
        pawns(terrain, position, color, sink);
        if R::MECHANICS.gating {
            roaming += pockets(terrain, position, color, sink);
        }
    }
    terrain.phase(roaming)
}

/// Everything about a side's pieces other than king and pawns. Gives their number.
#[inline]
fn pieces<R: Ruleset, S: Sink>(terrain: &Terrain<R::Word>, position: &Position<R>, color: Color, sink: &mut S) -> u32 {
    let zone = terrain.masks(!color, position.king(!color)).zone;
    let mut roaming = 0;
    for &kind in &terrain.roaming {
        let pieces = position.pieces(color, kind);
        if pieces.is_empty() {
            continue;
        }
        roaming += pieces.count();
        let terms = &terrain.terms.kinds[kind.index()];
        if let Some(pair) = terms.pair
            && (pieces & terrain.dark).any()
            && (pieces & !terrain.dark).any()
        {
            sink.term(color, pair, 1);
        }
        let usual = terrain.usual_mobility[kind.index()];
        let (mut mobility, mut pressure) = (0, 0);
        for square in pieces {
            sink.piece(color, kind, square);
            let reached = position.moves_from(square);
            mobility += reached.count() as i32 - usual;
            pressure += (reached & zone).count() as i32;
        }
        if let Some(term) = terms.mobility {
            sink.term(color, term, mobility);
        }
        if let Some(term) = terms.pressure {
            sink.term(color, term, pressure);
        }
    }
    roaming
}

/// Everything about a side's pawns.
#[inline]
fn pawns<R: Ruleset, S: Sink>(terrain: &Terrain<R::Word>, position: &Position<R>, color: Color, sink: &mut S) {
    let general = &terrain.terms.general;
    let own = position.pieces(color, terrain.pawn);
    let enemy = position.pieces(!color, terrain.pawn);
    let targets = position.by_color(!color) & !enemy & !position.pieces(!color, terrain.king);
    let (mut isolated, mut doubled, mut chain, mut threat) = (0, 0, 0, 0);
    for square in own {
        sink.piece(color, terrain.pawn, square);
        let masks = terrain.masks(color, square);
        let behind_a_friend = (own & masks.ahead).any();
        doubled += i32::from(behind_a_friend);
        isolated += i32::from((own & terrain.neighbors(square)).is_empty());
        if (enemy & masks.front).is_empty() && !behind_a_friend {
            sink.term(color, general.passed.plus(terrain.rank(color, square)), 1);
        }
        let attacked = position.attacks_from(square);
        chain += (attacked & own).count() as i32;
        threat += (attacked & targets).count() as i32;
    }
    sink.term(color, general.isolated, isolated);
    sink.term(color, general.doubled, doubled);
    sink.term(color, general.chain, chain);
    sink.term(color, general.threat, threat);
    let zone = terrain.masks(color, position.king(color)).zone;
    sink.term(color, general.shelter, (zone & own).count() as i32);
}

/// The pieces waiting in a side's pocket that can still be dropped. Gives their number.
#[inline]
fn pockets<R: Ruleset, S: Sink>(terrain: &Terrain<R::Word>, position: &Position<R>, color: Color, sink: &mut S) -> u32 {
    let mut waiting = 0;
    for &(kind, last_move) in &terrain.pockets {
        if position.in_pocket(color, kind)
            && position.number() <= last_move[color.index()]
            && let Some(term) = terrain.terms.kinds[kind.index()].pocket
        {
            sink.term(color, term, 1);
            waiting += 1;
        }
    }
    waiting
}
