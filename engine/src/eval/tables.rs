//! Masks and facts about a game's board and pieces that the evaluation uses, independent of the
//! weights.

use std::sync::Arc;

use assay_rules::movement::Delta;
use assay_rules::piece::Kind;
use assay_rules::{Board, Color, GameDef, Position, Square};

use super::bare_king::BareKing;
use super::mobility::{AverageMobility, joker_mean, piece_value};
use super::terms::{Term, Terms};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::position::{CompiledPosition, Position as EnginePosition};

/// Game phase with all pieces on the board; with kings and pawns alone it is 0.
pub const MAX_PHASE: i32 = 256;

/// Masks of a square for one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks<W: BitboardWord> {
    /// King zone: the adjacent squares and the three squares beyond those in front.
    pub(crate) king_zone: Bitboard<W>,
    /// Passed-pawn mask: the squares ahead on the same and the adjacent files.
    pub(crate) passed: Bitboard<W>,
    /// The squares ahead on the same file.
    pub(crate) ahead: Bitboard<W>,
}

/// Evaluation tables of a game.
#[derive(Clone, Debug)]
pub(crate) struct EvalTables<W: BitboardWord> {
    pub(crate) terms: Arc<Terms>,
    pub(crate) pawn: Kind,
    pub(crate) king: Option<Kind>,
    /// True if only mate and the like decide the game, so that material that cannot mate is worth
    /// little.
    must_mate: bool,
    /// All kinds except king and pawn.
    pub(crate) piece_kinds: Vec<Kind>,
    /// Kinds that may be in a pocket, with the last move number at which each side may drop them.
    pub(crate) pockets: Vec<(Kind, [u32; 2])>,
    /// By color and square.
    masks: [Vec<Masks<W>>; 2],
    /// By square: the adjacent files.
    adjacent_files: Vec<Bitboard<W>>,
    /// By color and square: rank from the owner's point of view, from 0.
    ranks: [Vec<u8>; 2],
    /// By square: distance to the nearer edge in files.
    files: Vec<u8>,
    /// By kind: expected number of moves.
    pub(crate) average_mobility: Vec<i32>,
    pub(crate) dark_squares: Bitboard<W>,
    /// Number of pieces other than kings and pawns at the start, including pockets.
    start_pieces: u32,
    /// By kind: computed value in centipawns; 0 for king and pawn.
    piece_values: Vec<i32>,
    /// Median of the computed values: the value of a minor piece.
    minor_value: i32,
    bare_king: BareKing,
    /// Kinds that cannot leave the squares of one color.
    color_bound: Vec<Kind>,
}

impl<W: BitboardWord> EvalTables<W> {
    pub(crate) fn new(game: &Arc<GameDef>, terms: Arc<Terms>) -> EvalTables<W> {
        let board = &game.board;
        let box_size = (0..board.box_size() as u8).map(Square);
        let start = Position::start(game);
        let is_piece = |kind: Kind| Some(kind) != game.kinds.king() && !game.pawns.contains(kind);
        let in_pockets = Color::ALL.into_iter().flat_map(|color| start.pocket(color).iter().copied());
        let on_board = start.pieces().map(|(_, piece)| piece.kind);
        let start_pieces = on_board.chain(in_pockets).filter(|&kind| is_piece(kind)).count();
        let piece_values: Vec<i32> =
            game.kinds.all().map(|kind| if is_piece(kind) { piece_value(game, kind) as i32 } else { 0 }).collect();
        let mut sorted: Vec<i32> = piece_values.iter().copied().filter(|&value| value > 0).collect();
        sorted.sort_unstable();
        let minor_value = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0);
        let last_move = game.mechanisms.gating.as_ref().map_or([u32::MAX; 2], |gating| gating.last_move.0);
        let pockets = game.pocket_kinds().iter().map(|&kind| (kind, last_move)).collect();
        let dark_squares: Bitboard<W> = board.squares().filter(|&square| board.is_dark(square)).collect();
        EvalTables {
            terms,
            pawn: game.first_pawn(),
            king: game.kinds.king(),
            must_mate: Color::ALL.into_iter().all(|color| game.kinds.has_king(color))
                && game.mechanisms.extinction.is_none()
                && game.endings.has_usual_results(),
            piece_kinds: game.kinds.all().filter(|&kind| is_piece(kind)).collect(),
            pockets,
            masks: Color::ALL.map(|color| box_size.clone().map(|square| masks(board, color, square)).collect()),
            adjacent_files: box_size.clone().map(|square| adjacent_files(board, square)).collect(),
            ranks: Color::ALL.map(|color| {
                let rank = |square| board.relative_rank(color, square) - board.first_rank();
                box_size.clone().map(rank).collect()
            }),
            files: box_size.map(|square| board.file(square).min(board.files() - 1 - board.file(square))).collect(),
            average_mobility: game.kinds.all().map(|kind| average_mobility(game, kind)).collect(),
            dark_squares,
            start_pieces: start_pieces.max(1) as u32,
            piece_values,
            minor_value,
            bare_king: BareKing::new(board, dark_squares),
            color_bound: game.kinds.all().filter(|&kind| is_piece(kind) && game.kinds.is_color_bound(kind)).collect(),
        }
    }

    /// Game phase for a number of pieces other than kings and pawns: 0 (none) to [`MAX_PHASE`]
    /// (all).
    #[inline]
    pub(crate) fn phase(&self, pieces: u32) -> i32 {
        (pieces.min(self.start_pieces) * MAX_PHASE as u32 / self.start_pieces) as i32
    }

    /// Returns true if `strong` can hardly win, because it has no pawns and is ahead by at most a
    /// minor piece.
    pub(crate) fn is_drawish<R: CompiledPosition<Word = W>>(
        &self,
        position: &EnginePosition<R>,
        strong: Color,
    ) -> bool {
        if !self.must_mate || position.pieces(strong, self.pawn).any() || position.game().captures_return() {
            return false;
        }
        self.value_of_pieces(position, strong) - self.value_of_pieces(position, !strong) <= self.minor_value
    }

    /// Centipawns of a side's pieces on the board, without pawns.
    fn value_of_pieces<R: CompiledPosition<Word = W>>(&self, position: &EnginePosition<R>, color: Color) -> i32 {
        let value = |&kind: &Kind| self.piece_values[kind.index()] * position.pieces(color, kind).count() as i32;
        self.piece_kinds.iter().map(value).sum()
    }

    /// Centipawns from White's point of view for driving a bare king to where it can be mated; 0 in
    /// other positions.
    ///
    /// With pawns beside the pieces it is the most that pieces alone can get, so that a pawn is
    /// never worth giving up for it. Pawns alone get nothing, nor does material that can hardly
    /// win: many of their endings are drawn.
    #[inline]
    pub(crate) fn bare_king_score<R: CompiledPosition<Word = W>>(&self, position: &EnginePosition<R>) -> i32 {
        let Some(bare) = self.bare_side(position) else {
            return 0;
        };
        let pawns = position.pieces(!bare, self.pawn);
        let score = if (position.by_color(!bare) & !pawns).is_single() || self.is_drawish(position, !bare) {
            0
        } else if pawns.any() {
            self.bare_king.most()
        } else {
            let board = &position.game().board;
            let [bare_king, other_king] = [bare, !bare].map(|color| position.king(color));
            self.bare_king.score(board, bare_king, other_king, self.corner_color(position, !bare))
        };
        if bare == Color::White { -score } else { score }
    }

    /// The side that has nothing but a king, if it can be mated.
    #[inline]
    fn bare_side<R: CompiledPosition<Word = W>>(&self, position: &EnginePosition<R>) -> Option<Color> {
        let is_bare = |&color: &Color| {
            let mut pockets = self.pockets.iter();
            position.by_color(color).is_single() && !pockets.any(|&(kind, _)| position.in_pocket(color, kind) > 0)
        };
        Color::ALL.into_iter().find(is_bare).filter(|&bare| self.must_mate && position.has_king(!bare))
    }

    /// Centipawns of the pieces, from White's point of view, if one side has nothing but a king,
    /// and the other minor pieces that can mate it only in corners of one color.
    #[inline]
    pub(super) fn against_bare_king<R: CompiledPosition<Word = W>>(&self, position: &EnginePosition<R>) -> Option<i32> {
        let bare = self.bare_side(position)?;
        self.corner_color(position, !bare)?;
        let has_pawns = position.pieces(!bare, self.pawn).any();
        let value = |color| self.value_of_pieces(position, color);
        (!has_pawns).then(|| value(Color::White) - value(Color::Black))
    }

    /// The color of the corners in which a side's pieces can mate (`true`: dark), if its
    /// color-bound pieces stand on one color and all others are minor; `None` if any corner will
    /// do.
    fn corner_color<R: CompiledPosition<Word = W>>(&self, position: &EnginePosition<R>, strong: Color) -> Option<bool> {
        let mut colors = [false; 2];
        for &kind in &self.piece_kinds {
            let pieces = position.pieces(strong, kind);
            if self.color_bound.contains(&kind) {
                colors[0] |= (pieces & !self.dark_squares).any();
                colors[1] |= (pieces & self.dark_squares).any();
            } else if pieces.any() && self.piece_values[kind.index()] > self.minor_value {
                return None;
            }
        }
        (colors[0] != colors[1]).then_some(colors[1])
    }

    #[inline]
    pub(crate) fn masks(&self, color: Color, square: Square) -> &Masks<W> {
        &self.masks[color.index()][square.index()]
    }

    /// The king zone of a side; empty in a game without a king.
    #[inline]
    pub(crate) fn king_zone<R: CompiledPosition<Word = W>>(
        &self,
        position: &EnginePosition<R>,
        color: Color,
    ) -> Bitboard<W> {
        match self.king {
            Some(_) if position.has_king(color) => self.masks(color, position.king(color)).king_zone,
            _ => Bitboard::EMPTY,
        }
    }

    #[inline]
    pub(crate) fn adjacent_files(&self, square: Square) -> Bitboard<W> {
        self.adjacent_files[square.index()]
    }

    /// The terms of a piece on its square: material (except for the king), rank and file.
    pub(crate) fn piece_terms(&self, color: Color, kind: Kind, square: Square) -> impl Iterator<Item = Term> + use<W> {
        let terms = &self.terms.kinds[kind.index()];
        let piece_square = [terms.ranks.plus(self.rank(color, square)), terms.files.plus(self.file(square))];
        terms.material.into_iter().chain(piece_square)
    }

    /// Rank from the owner's point of view, from 0.
    #[inline]
    pub(crate) fn rank(&self, color: Color, square: Square) -> u8 {
        self.ranks[color.index()][square.index()]
    }

    /// Distance to the nearer edge in files.
    #[inline]
    pub(crate) fn file(&self, square: Square) -> u8 {
        self.files[square.index()]
    }
}

fn masks<W: BitboardWord>(board: &Board, color: Color, from: Square) -> Masks<W> {
    if board.holes().contains(from) {
        return Masks { king_zone: Bitboard::EMPTY, passed: Bitboard::EMPTY, ahead: Bitboard::EMPTY };
    }
    let squares = |file: i8, ranks: std::ops::RangeInclusive<i8>| {
        ranks.filter_map(move |rank| board.step(from, Delta::new(file, rank), color)).collect::<Bitboard<W>>()
    };
    let far = board.ranks() as i8;
    let zone = (-1..=1).fold(Bitboard::EMPTY, |zone, file| zone | squares(file, -1..=2));
    Masks {
        king_zone: zone & !Bitboard::of(from),
        passed: (-1..=1).fold(Bitboard::EMPTY, |mask, file| mask | squares(file, 1..=far)),
        ahead: squares(0, 1..=far),
    }
}

fn adjacent_files<W: BitboardWord>(board: &Board, square: Square) -> Bitboard<W> {
    board.squares().filter(|&other| board.file(other).abs_diff(board.file(square)) == 1).collect()
}

/// Expected number of moves of a kind in the middlegame; for the joker the mean of the other kinds.
fn average_mobility(game: &GameDef, kind: Kind) -> i32 {
    let mobility = |kind| AverageMobility::new(game, kind).mobility();
    let mobility =
        if Some(kind) == game.kinds.joker() { joker_mean(game, game.kinds.all(), mobility) } else { mobility(kind) };
    mobility.round() as i32
}
