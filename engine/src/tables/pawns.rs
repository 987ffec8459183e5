//! Pawns moved all at once: each of their leaps is one shift.

use assay_rules::def::GameDef;
use assay_rules::movement::{Delta, Path, PathKind};
use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::sliders::ray;
use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;

/// A leap of pawns as a shift of square numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PawnShift<W: BitboardWord> {
    /// What is added to the square number.
    pub(crate) offset: i32,
    /// The squares from which the leap stays on the board.
    pub(crate) origins: Bitboard<W>,
}

/// A double step as two shifts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubleStep<W: BitboardWord> {
    /// From the origin to the square passed over.
    pub(crate) over: i32,
    /// From the origin to the target.
    pub(crate) offset: i32,
    /// The squares of the home rank from which it stays on the board.
    pub(crate) origins: Bitboard<W>,
}

/// One square orthogonal ahead as a shift.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForwardStep<W: BitboardWord> {
    /// What is added to the square number.
    pub(crate) offset: i32,
    /// Squares with a square ahead.
    pub(crate) has_ahead: Bitboard<W>,
    /// Squares with a square behind.
    pub(crate) has_behind: Bitboard<W>,
    /// How often a single step must be doubled to masks the board.
    pub(crate) fill_steps: u32,
}

/// What pawns may become on one rank.
#[derive(Clone, Debug)]
pub(crate) struct Promotion {
    /// May they stay pawns?
    pub(crate) is_optional: bool,
    /// What they may become.
    pub(crate) kinds: Box<[Kind]>,
}

/// The pawns of one side.
#[derive(Clone, Debug)]
pub(crate) struct Pawns<W: BitboardWord> {
    /// Leaps to empty squares.
    pub(crate) pushes: Box<[PawnShift<W>]>,
    /// Leaps that capture.
    pub(crate) captures: Box<[PawnShift<W>]>,
    /// Double steps that can be answered by an en passant capture.
    pub(crate) double_steps: Box<[DoubleStep<W>]>,
    /// The squares of the home rank.
    pub(crate) home: Bitboard<W>,
    /// Squares on which they promote.
    pub(crate) promoting: Bitboard<W>,
    /// The promotion of each such square, as an index into `promotions`.
    promotion_at: W::PerSquare<u8>,
    promotions: Box<[Promotion]>,
    /// The squares orthogonal ahead, for the cannon.
    pub(crate) ahead: W::PerSquare<Bitboard<W>>,
    /// The way orthogonal ahead for all pawns at once.
    pub(crate) file: ForwardStep<W>,
}

impl<W: BitboardWord> Pawns<W> {
    pub(crate) fn new(game: &GameDef, color: Color) -> Self {
        let board = &game.board;
        let paths = &game.kind(game.pawn).movement.paths;
        let offset = |delta: Delta| {
            let forward = i32::from(delta.rank) * if color == Color::White { 1 } else { -1 };
            forward * i32::from(board.files()) + i32::from(delta.file)
        };
        let shift = |path: &Path| PawnShift {
            offset: offset(path.delta),
            origins: board
                .squares()
                .filter(|&from| board.step(from, path.delta, color).is_some())
                .collect(),
        };
        let leaps = |wanted: fn(&Path) -> bool| {
            let leaps = paths
                .iter()
                .filter(|path| !path.initial && path.kind == PathKind::Leap && wanted(path));
            leaps.map(shift).collect()
        };
        let home: Bitboard<W> = board
            .squares()
            .filter(|&square| board.relative_rank(color, square) == game.pawn_home_rank)
            .collect();
        let double_steps = paths.iter().filter(|_| game.has_en_passant()).filter_map(|path| {
            let PawnShift { offset: to, origins } = shift(path);
            // Where the passed square is none, as beyond a corner cut off, the step is not possible either.
            let passed = path.passed_offset()?;
            let whole: Bitboard<W> = board
                .squares()
                .filter(|&from| board.step(from, passed, color).is_some())
                .collect();
            Some(DoubleStep {
                over: offset(passed),
                offset: to,
                origins: origins & whole & home,
            })
        });
        let beside = |delta: Delta| {
            board
                .squares()
                .filter(|&from| board.step(from, delta, color).is_some())
                .collect()
        };
        let mut promotion_at = W::per_square(0);
        let mut promoting = Bitboard::EMPTY;
        for square in board.squares() {
            let rank = board.relative_rank(color, square);
            if let Some(index) = game.promotion.iter().position(|promotion| promotion.rank == rank) {
                promotion_at[square.index()] = index as u8;
                promoting |= Bitboard::of(square);
            }
        }
        let mut ahead = W::per_square(Bitboard::EMPTY);
        for square in board.squares() {
            ahead[square.index()] = ray(
                board,
                square,
                (0, if color == Color::White { 1 } else { -1 }),
                Bitboard::EMPTY,
            );
        }
        Pawns {
            pushes: leaps(|path| path.modality.moves),
            captures: leaps(|path| path.modality.captures),
            double_steps: double_steps.collect(),
            home,
            promoting,
            promotion_at,
            promotions: game
                .promotion
                .iter()
                .map(|rank| Promotion {
                    is_optional: rank.optional,
                    kinds: rank.kinds.clone().into(),
                })
                .collect(),
            ahead,
            file: ForwardStep {
                offset: offset(Delta::new(0, 1)),
                has_ahead: beside(Delta::new(0, 1)),
                has_behind: beside(Delta::new(0, -1)),
                fill_steps: u8::BITS - (board.ranks() - 1).leading_zeros(),
            },
        }
    }

    /// What a pawn may become on a square of `promoting`.
    #[inline(always)]
    pub(crate) fn promotion(&self, square: Square) -> &Promotion {
        &self.promotions[usize::from(W::at(&self.promotion_at, square))]
    }
}
