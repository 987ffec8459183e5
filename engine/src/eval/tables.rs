//! What the evaluation needs to know of a game's board and pieces, whatever the weights are.

use std::sync::Arc;

use assay_rules::movement::Delta;
use assay_rules::piece::Kind;
use assay_rules::{Board, Color, GameDef, Position, Square};

use super::mobility::AverageMobility;
use super::terms::{Term, Terms};
use super::weights::computed_value;
use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::position::CompiledPosition;
use crate::position::Position as EnginePosition;

/// All pieces on the board, in the units of `EvalTables::phase`.
pub const MAX_PHASE: i32 = 256;

/// The masks of one square for one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks<W: BitboardWord> {
    /// The squares next to it, and those in front of these.
    pub(crate) zone: Bitboard<W>,
    /// The squares ahead on its own and the neighbouring files.
    pub(crate) front: Bitboard<W>,
    /// The squares ahead on its own file.
    pub(crate) ahead: Bitboard<W>,
}

/// Masks and facts of a game.
#[derive(Clone, Debug)]
pub(crate) struct EvalTables<W: BitboardWord> {
    pub(crate) terms: Arc<Terms>,
    pub(crate) pawn: Kind,
    pub(crate) king: Kind,
    /// All kinds but king and pawn.
    pub(crate) roaming: Vec<Kind>,
    /// Kinds that may wait in a pocket, with the last move numbers at which each side may drop them.
    pub(crate) pockets: Vec<(Kind, [u32; 2])>,
    /// By colour, then square.
    masks: [Vec<Masks<W>>; 2],
    /// By square: the files next to it.
    neighbors: Vec<Bitboard<W>>,
    /// By colour, then square: the rank as its owner counts, the lowest place 0.
    ranks: [Vec<u8>; 2],
    /// By square: files from the nearer edge.
    files: Vec<u8>,
    /// By kind: squares that it can go to on average.
    pub(crate) usual_mobility: Vec<i32>,
    /// The squares of one colour.
    pub(crate) dark: Bitboard<W>,
    /// How many pieces other than kings and pawns a game begins with.
    full: u32,
    /// By kind: a computed value, in centipawns; nothing for king and pawn.
    values: Vec<i32>,
    /// A computed value that half of the kinds do not exceed.
    light: i32,
}

impl<W: BitboardWord> EvalTables<W> {
    pub(crate) fn new(game: &Arc<GameDef>, terms: Arc<Terms>) -> EvalTables<W> {
        let board = &game.board;
        let places = (0..board.box_size() as u8).map(Square);
        let start = Position::start(game);
        let roams = |kind: Kind| kind != game.king && kind != game.pawn;
        let waiting: usize = Color::ALL.into_iter().map(|color| start.pocket(color).len()).sum();
        let full = start.pieces().filter(|(_, piece)| roams(piece.kind)).count() + waiting;
        let values: Vec<i32> = game
            .all_kinds()
            .map(|kind| {
                if roams(kind) {
                    computed_value(game, kind) as i32
                } else {
                    0
                }
            })
            .collect();
        let mut sorted: Vec<i32> = values.iter().copied().filter(|&value| value > 0).collect();
        sorted.sort_unstable();
        let light = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0);
        let pockets = game.gating.as_ref().map_or_else(Vec::new, |gating| {
            gating.pocket.iter().map(|&kind| (kind, gating.last_move.0)).collect()
        });
        EvalTables {
            terms,
            pawn: game.pawn,
            king: game.king,
            roaming: game.all_kinds().filter(|&kind| roams(kind)).collect(),
            pockets,
            masks: Color::ALL.map(|color| places.clone().map(|square| masks(board, color, square)).collect()),
            neighbors: places.clone().map(|square| neighbors(board, square)).collect(),
            ranks: Color::ALL.map(|color| {
                let rank = |square| board.relative_rank(color, square) - board.first_rank();
                places.clone().map(rank).collect()
            }),
            files: places
                .map(|square| board.file(square).min(board.files() - 1 - board.file(square)))
                .collect(),
            usual_mobility: game.all_kinds().map(|kind| usual_mobility(game, kind)).collect(),
            dark: board
                .squares()
                .filter(|&square| (board.file(square) + board.rank(square)).is_multiple_of(2))
                .collect(),
            full: full.max(1) as u32,
            values,
            light,
        }
    }

    /// How much of a game's first force is still there, by the number of pieces other than kings and pawns: 0 (none) to
    /// [`MAX_PHASE`].
    #[inline]
    pub(crate) fn phase(&self, pieces: u32) -> i32 {
        (pieces.min(self.full) * MAX_PHASE as u32 / self.full) as i32
    }

    /// Is a lead of `strong` hard to win, because it has no pawns and not much more than the other side?
    pub(crate) fn is_drawish<R: CompiledPosition<Word = W>>(
        &self,
        position: &EnginePosition<R>,
        strong: Color,
    ) -> bool {
        if position.pieces(strong, self.pawn).any() {
            return false;
        }
        let value = |color| -> i32 {
            self.roaming
                .iter()
                .map(|&kind| self.values[kind.index()] * position.pieces(color, kind).count() as i32)
                .sum()
        };
        value(strong) - value(!strong) <= self.light
    }

    #[inline]
    pub(crate) fn masks(&self, color: Color, square: Square) -> &Masks<W> {
        &self.masks[color.index()][square.index()]
    }

    #[inline]
    pub(crate) fn neighbors(&self, square: Square) -> Bitboard<W> {
        self.neighbors[square.index()]
    }

    /// The terms of a piece on its square: material (not the king's), rank, file.
    pub(crate) fn piece_terms(&self, color: Color, kind: Kind, square: Square) -> impl Iterator<Item = Term> + use<W> {
        let terms = &self.terms.kinds[kind.index()];
        let place = [
            terms.ranks.plus(self.rank(color, square)),
            terms.files.plus(self.file(square)),
        ];
        terms.material.into_iter().chain(place)
    }

    /// The rank as the owner counts, the board's lowest place 0.
    #[inline]
    pub(crate) fn rank(&self, color: Color, square: Square) -> u8 {
        self.ranks[color.index()][square.index()]
    }

    /// Files from the nearer edge.
    #[inline]
    pub(crate) fn file(&self, square: Square) -> u8 {
        self.files[square.index()]
    }
}

fn masks<W: BitboardWord>(board: &Board, color: Color, from: Square) -> Masks<W> {
    if board.holes().contains(from) {
        return Masks {
            zone: Bitboard::EMPTY,
            front: Bitboard::EMPTY,
            ahead: Bitboard::EMPTY,
        };
    }
    let near = |file: i8, ranks: std::ops::RangeInclusive<i8>| {
        ranks
            .filter_map(move |rank| board.step(from, Delta::new(file, rank), color))
            .collect::<Bitboard<W>>()
    };
    let far = board.ranks() as i8;
    let zone = (-1..=1).fold(Bitboard::EMPTY, |zone, file| zone | near(file, -1..=2));
    Masks {
        zone: zone & !Bitboard::of(from),
        front: (-1..=1).fold(Bitboard::EMPTY, |front, file| front | near(file, 1..=far)),
        ahead: near(0, 1..=far),
    }
}

fn neighbors<W: BitboardWord>(board: &Board, square: Square) -> Bitboard<W> {
    board
        .squares()
        .filter(|&other| board.file(other).abs_diff(board.file(square)) == 1)
        .collect()
}

/// The joker moves as anybody: its average is the average of the others.
fn usual_mobility(game: &GameDef, kind: Kind) -> i32 {
    let reach = |kind| AverageMobility::of(game, kind).mobility();
    let mobility = if Some(kind) == game.joker {
        let others: Vec<f64> = game.all_kinds().filter(|&other| other != kind).map(reach).collect();
        others.iter().sum::<f64>() / others.len().max(1) as f64
    } else {
        reach(kind)
    };
    mobility.round() as i32
}
