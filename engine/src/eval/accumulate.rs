//! The walk over a position that hands every term of the evaluation to a sink.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::tables::EvalTables;
use super::terms::Term;
use crate::position::CompiledPosition;
use crate::position::Position;

/// What is left of a lead that is hard to win: one part in so many.
pub(crate) const DRAWISH_DIVISOR: i32 = 4;

/// Takes the terms of a position as the walk meets them.
pub(crate) trait EvalSink {
    /// A piece stands on a square: its material, rank and file terms, each once.
    fn piece(&mut self, color: Color, kind: Kind, square: Square);
    /// `color` has a term that many times (or, when negative, lacks it).
    fn term(&mut self, color: Color, term: Term, times: i32);
}

/// Walks over the position and hands every term to the sink. Gives the game's phase, 0 to [`super::MAX_PHASE`].
#[inline]
pub(crate) fn evaluate_terms<R: CompiledPosition, S: EvalSink>(
    tables: &EvalTables<R::Word>,
    position: &Position<R>,
    sink: &mut S,
) -> i32 {
    sink.term(position.side_to_move(), tables.terms.general.tempo, 1);
    let mut roaming = 0;
    for color in Color::ALL {
        sink.piece(color, tables.king, position.king(color));
        roaming += pieces(tables, position, color, sink);
        pawns(tables, position, color, sink);
        if R::MECHANICS.gating {
            roaming += pockets(tables, position, color, sink);
        }
    }
    tables.phase(roaming)
}

/// Everything about a side's pieces other than king and pawns. Gives their number.
#[inline]
fn pieces<R: CompiledPosition, S: EvalSink>(
    tables: &EvalTables<R::Word>,
    position: &Position<R>,
    color: Color,
    sink: &mut S,
) -> u32 {
    let zone = tables.masks(!color, position.king(!color)).zone;
    let mut roaming = 0;
    for &kind in &tables.roaming {
        let pieces = position.pieces(color, kind);
        if pieces.is_empty() {
            continue;
        }
        roaming += pieces.count();
        let terms = &tables.terms.kinds[kind.index()];
        if let Some(pair) = terms.pair
            && (pieces & tables.dark).any()
            && (pieces & !tables.dark).any()
        {
            sink.term(color, pair, 1);
        }
        let usual = tables.usual_mobility[kind.index()];
        let (mut mobility, mut king_attack) = (0, 0);
        for square in pieces {
            sink.piece(color, kind, square);
            let reached = position.pseudo_legal_targets(square);
            mobility += reached.count() as i32 - usual;
            king_attack += (reached & zone).count() as i32;
        }
        if let Some(term) = terms.mobility {
            sink.term(color, term, mobility);
        }
        if let Some(term) = terms.king_attack {
            sink.term(color, term, king_attack);
        }
    }
    roaming
}

/// Everything about a side's pawns.
#[inline]
fn pawns<R: CompiledPosition, S: EvalSink>(
    tables: &EvalTables<R::Word>,
    position: &Position<R>,
    color: Color,
    sink: &mut S,
) {
    let general = &tables.terms.general;
    let own = position.pieces(color, tables.pawn);
    let enemy = position.pieces(!color, tables.pawn);
    let targets = position.by_color(!color) & !enemy & !position.pieces(!color, tables.king);
    let (mut isolated, mut doubled, mut protected, mut pawn_threat) = (0, 0, 0, 0);
    for square in own {
        sink.piece(color, tables.pawn, square);
        let masks = tables.masks(color, square);
        let behind_a_friend = (own & masks.ahead).any();
        doubled += i32::from(behind_a_friend);
        isolated += i32::from((own & tables.neighbors(square)).is_empty());
        if (enemy & masks.front).is_empty() && !behind_a_friend {
            sink.term(color, general.passed.plus(tables.rank(color, square)), 1);
        }
        let attacked = position.attacks_from(square);
        protected += (attacked & own).count() as i32;
        pawn_threat += (attacked & targets).count() as i32;
    }
    sink.term(color, general.isolated, isolated);
    sink.term(color, general.doubled, doubled);
    sink.term(color, general.protected, protected);
    sink.term(color, general.pawn_threat, pawn_threat);
    let zone = tables.masks(color, position.king(color)).zone;
    sink.term(color, general.pawn_shield, (zone & own).count() as i32);
}

/// The pieces waiting in a side's pocket that can still be dropped. Gives their number.
#[inline]
fn pockets<R: CompiledPosition, S: EvalSink>(
    tables: &EvalTables<R::Word>,
    position: &Position<R>,
    color: Color,
    sink: &mut S,
) -> u32 {
    let mut waiting = 0;
    for &(kind, last_move) in &tables.pockets {
        if position.in_pocket(color, kind)
            && position.fullmove_number() <= last_move[color.index()]
            && let Some(term) = tables.terms.kinds[kind.index()].pocket
        {
            sink.term(color, term, 1);
            waiting += 1;
        }
    }
    waiting
}
