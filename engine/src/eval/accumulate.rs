//! Enumeration of the evaluation terms of a position.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::tables::EvalTables;
use super::terms::Term;
use crate::bitboard::Bitboard;
use crate::position::{CompiledPosition, Position};
use crate::ruleset::Mechanics;

/// Divisor of the evaluation in drawish endings.
pub(crate) const DRAWISH_DIVISOR: i32 = 4;

/// Receives the terms of a position.
pub(crate) trait EvalSink {
    /// Adds the material, rank and file terms of a piece.
    fn piece(&mut self, color: Color, kind: Kind, square: Square);
    /// Adds a term `count` times for a side; `count` may be negative.
    fn term(&mut self, color: Color, term: Term, count: i32);
}

/// Passes all terms of a position to the sink. Returns the game phase, 0 to
/// [`MAX_PHASE`](super::MAX_PHASE).
#[inline]
pub(crate) fn evaluate_terms<R: CompiledPosition, S: EvalSink>(
    tables: &EvalTables<R::Word>,
    position: &Position<R>,
    sink: &mut S,
) -> i32 {
    sink.term(position.side_to_move(), tables.terms.general.tempo, 1);
    let mut count = 0;
    for color in Color::ALL {
        if let Some(king) = tables.king.filter(|_| position.has_king(color)) {
            sink.piece(color, king, position.king(color));
        }
        count += pieces(tables, position, color, sink);
        pawns(tables, position, color, sink);
        if R::MECHANICS.contains(Mechanics::GATING) || R::MECHANICS.contains(Mechanics::DROPS) {
            count += pockets(tables, position, color, sink);
        }
    }
    tables.phase(count)
}

/// Terms of a side's pieces other than king and pawns. Returns their number.
#[inline]
fn pieces<R: CompiledPosition, S: EvalSink>(
    tables: &EvalTables<R::Word>,
    position: &Position<R>,
    color: Color,
    sink: &mut S,
) -> u32 {
    let king_zone = tables.king_zone(position, !color);
    let mut count = 0;
    for &kind in &tables.piece_kinds {
        let pieces = position.pieces(color, kind);
        if pieces.is_empty() {
            continue;
        }
        count += pieces.count();
        let terms = &tables.terms.kinds[kind.index()];
        if let Some(pair) = terms.pair
            && (pieces & tables.dark_squares).any()
            && (pieces & !tables.dark_squares).any()
        {
            sink.term(color, pair, 1);
        }
        let average = tables.average_mobility[kind.index()];
        let (mut mobility, mut king_attack) = (0, 0);
        for square in pieces {
            sink.piece(color, kind, square);
            let targets = position.pseudo_legal_targets(square);
            mobility += targets.count() as i32 - average;
            king_attack += (targets & king_zone).count() as i32;
        }
        if let Some(term) = terms.mobility {
            sink.term(color, term, mobility);
        }
        if let Some(term) = terms.king_attack {
            sink.term(color, term, king_attack);
        }
    }
    count
}

/// Terms of a side's pawns.
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
    let targets =
        position.by_color(!color) & !enemy & !tables.king.map_or(Bitboard::EMPTY, |king| position.pieces(!color, king));
    let (mut isolated, mut doubled, mut protected, mut pawn_threat) = (0, 0, 0, 0);
    for square in own {
        sink.piece(color, tables.pawn, square);
        let masks = tables.masks(color, square);
        let is_doubled = (own & masks.ahead).any();
        doubled += i32::from(is_doubled);
        isolated += i32::from((own & tables.adjacent_files(square)).is_empty());
        if (enemy & masks.passed).is_empty() && !is_doubled {
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
    let king_zone = tables.king_zone(position, color);
    sink.term(color, general.pawn_shield, (king_zone & own).count() as i32);
}

/// Terms of the pieces in a side's pocket that can still be dropped. Returns their number, pawns
/// apart.
#[inline]
fn pockets<R: CompiledPosition, S: EvalSink>(
    tables: &EvalTables<R::Word>,
    position: &Position<R>,
    color: Color,
    sink: &mut S,
) -> u32 {
    let mut count = 0;
    for &(kind, last_move) in &tables.pockets {
        let pieces = position.in_pocket(color, kind);
        if pieces > 0
            && position.fullmove_number() <= last_move[color.index()]
            && let Some(term) = tables.terms.kinds[kind.index()].pocket
        {
            sink.term(color, term, pieces as i32);
            count += if kind == tables.pawn { 0 } else { pieces };
        }
    }
    count
}
