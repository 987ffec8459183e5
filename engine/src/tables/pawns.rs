//! Tables of set-wise pawn moves: each leap is a shift of the bitboard.

use std::cmp::Reverse;

use assay_rules::movement::{Delta, Path, PathKind};
use assay_rules::piece::Kind;
use assay_rules::{Color, GameDef, Square};

use super::sliders::ray;
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::{Move, MoveKind};

/// A leap of pawns as a shift.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PawnShift<W: BitboardWord> {
    /// Difference of the square numbers of target and origin.
    pub(crate) offset: i32,
    /// Squares from which the leap stays on the board.
    pub(crate) origins: Bitboard<W>,
}

/// A double step as two shifts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubleStep<W: BitboardWord> {
    /// From the origin to the square passed over.
    pub(crate) over: i32,
    /// From the origin to the target.
    pub(crate) offset: i32,
    /// Squares from which pawns may make the step and stay on the board.
    pub(crate) origins: Bitboard<W>,
    /// True if some of these steps end where pawns promote.
    pub(crate) promotes: bool,
}

/// The way ahead of the pawns of one color: the step to the next square as a shift, and its
/// repetition for a fill.
#[derive(Clone, Debug)]
pub(crate) struct Forward<W: BitboardWord> {
    /// All squares straight ahead of a square.
    pub(crate) ahead: W::PerSquare<Bitboard<W>>,
    /// Difference of the square numbers of target and origin.
    pub(crate) offset: i32,
    /// Squares with a square ahead.
    pub(crate) has_ahead: Bitboard<W>,
    /// Squares with a square behind.
    pub(crate) has_behind: Bitboard<W>,
    /// Steps of a Kogge-Stone fill across the board.
    pub(crate) fill_steps: u32,
}

/// Promotion on one rank.
#[derive(Clone, Debug)]
pub(crate) struct Promotion {
    /// True if pawns may stay pawns.
    pub(crate) is_optional: bool,
    pub(crate) kinds: Box<[Kind]>,
}

impl Promotion {
    /// The moves of a pawn from `from` to `to`: promotions, and if it `may_stay` a pawn, the plain
    /// move.
    #[inline(always)]
    pub(crate) fn moves(&self, from: Square, to: Square, may_stay: bool) -> impl Iterator<Item = Move> {
        let step = Move::new(MoveKind::Normal, from, to);
        let stays = (may_stay && self.is_optional).then_some(step);
        self.kinds.iter().map(move |&kind| step.promoting(kind)).chain(stays)
    }
}

/// Tables of one kind of pawns of one color.
#[derive(Clone, Debug)]
pub(crate) struct PawnTables<W: BitboardWord> {
    pub(crate) kind: Kind,
    pub(crate) pushes: Box<[PawnShift<W>]>,
    pub(crate) captures: Box<[PawnShift<W>]>,
    /// Double steps that allow an en passant capture.
    pub(crate) double_steps: Box<[DoubleStep<W>]>,
    /// The same steps from the first rank, which allow none.
    pub(crate) first_rank_steps: Box<[DoubleStep<W>]>,
    /// Squares on which pawns have their initial moves.
    pub(crate) home: Bitboard<W>,
    /// Promotion squares.
    pub(crate) promoting: Bitboard<W>,
    /// Promotion squares on which pawns cannot stay pawns.
    pub(crate) must_promote: Bitboard<W>,
    /// Index into `promotions`, by promotion square.
    promotion_at: W::PerSquare<u8>,
    promotions: Box<[Promotion]>,
}

/// The index in `promotions` of each square on which pawns promote, the squares where they may
/// promote, and the squares where they must.
fn promotion_squares<W: BitboardWord>(game: &GameDef, color: Color) -> (W::PerSquare<u8>, Bitboard<W>, Bitboard<W>) {
    let board = &game.board;
    let mut promotion_at = W::per_square(0);
    let (mut promoting, mut must_promote) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for square in board.squares() {
        if let Some(rule) = game.promotion_on(color, square) {
            let earlier = game.pawns.promotion.iter().take_while(|earlier| earlier.rank < rule.rank);
            promotion_at[square.index()] = earlier.count() as u8;
            promoting |= Bitboard::of(square);
            if !rule.optional {
                must_promote |= Bitboard::of(square);
            }
        }
    }
    (promotion_at, promoting, must_promote)
}

impl<W: BitboardWord> PawnTables<W> {
    pub(crate) fn new(game: &GameDef, kind: Kind, color: Color) -> Self {
        let board = &game.board;
        // The same order for both colors, whose movements are turned by 180 degrees: the middle,
        // then right before left.
        let mut paths: Vec<&Path> = game.kind(kind).movement.paths.iter().collect();
        let on_board = |path: &Path| path.delta.for_color(color).file;
        paths.sort_by_key(|path| (on_board(path).unsigned_abs(), Reverse(on_board(path))));
        let zone: Bitboard<W> = super::leaps::zone(game, kind, color);
        let offset = |delta: Delta| offset(game, delta, color);
        let shift = |path: &Path| PawnShift {
            offset: offset(path.delta),
            origins: board
                .squares()
                .filter(|&from| board.step(from, path.delta, color).is_some_and(|to| zone.contains(to)))
                .collect(),
        };
        let leaps = |filter: fn(&Path) -> bool| {
            let leaps = paths.iter().filter(|path| !path.initial && path.kind == PathKind::Leap && filter(path));
            leaps.map(|path| shift(path)).collect()
        };
        let has_initial = |square: &Square| game.pawns.has_initial_moves(board, color, *square);
        let home: Bitboard<W> = board.squares().filter(has_initial).collect();
        let stepping: Bitboard<W> = game.pawns.home[color].iter().collect();
        let (promotion_at, promoting, must_promote) = promotion_squares(game, color);
        let double_step = |path: &Path, home: Bitboard<W>| {
            let PawnShift { offset: to, origins } = shift(path);
            // Without a square to pass over, as beyond a cut corner, there is no double step.
            let passed = path.passed_offset()?;
            let whole: Bitboard<W> = squares_before(game, passed, color);
            let origins = origins & whole & if path.initial { home } else { !Bitboard::EMPTY };
            Some(DoubleStep {
                over: offset(passed),
                offset: to,
                promotes: (origins.shifted(to) & promoting).any(),
                origins,
            })
        };
        let double_steps = || paths.iter().filter(|path| game.is_double_step(kind, path));
        let initial = double_steps().filter(|path| path.initial && game.pawns.first_rank_steps);
        let becomes =
            |choice: &Kind| game.kinds.may_own(color, *choice) && game.pawns.may_become(&game.kinds, kind, *choice);
        PawnTables {
            kind,
            pushes: leaps(|path| path.modality.moves),
            captures: leaps(|path| path.modality.captures),
            double_steps: double_steps().filter_map(|path| double_step(path, stepping)).collect(),
            first_rank_steps: initial.filter_map(|path| double_step(path, home & !stepping)).collect(),
            home,
            promoting,
            must_promote,
            promotion_at,
            promotions: game
                .pawns
                .promotion
                .iter()
                .map(|rank| Promotion {
                    is_optional: rank.optional,
                    kinds: rank.kinds.iter().copied().filter(becomes).collect(),
                })
                .collect(),
        }
    }

    /// Promotion on a square of `promoting`.
    #[inline(always)]
    pub(crate) fn promotion(&self, square: Square) -> &Promotion {
        &self.promotions[usize::from(W::at(&self.promotion_at, square))]
    }
}

impl<W: BitboardWord> Forward<W> {
    pub(crate) fn new(game: &GameDef, color: Color) -> Self {
        let board = &game.board;
        let mut ahead = W::per_square(Bitboard::EMPTY);
        for square in board.squares() {
            ahead[square.index()] =
                ray(board, square, (0, if color == Color::White { 1 } else { -1 }), Bitboard::EMPTY);
        }
        Forward {
            ahead,
            offset: offset(game, Delta::new(0, 1), color),
            has_ahead: squares_before(game, Delta::new(0, 1), color),
            has_behind: squares_before(game, Delta::new(0, -1), color),
            fill_steps: u8::BITS - (board.ranks() - 1).leading_zeros(),
        }
    }
}

/// Difference of the square numbers of the target and the origin of a leap.
fn offset(game: &GameDef, delta: Delta, color: Color) -> i32 {
    let delta = delta.for_color(color);
    i32::from(delta.rank) * i32::from(game.board.files()) + i32::from(delta.file)
}

/// Squares from which a leap stays on the board.
fn squares_before<W: BitboardWord>(game: &GameDef, delta: Delta, color: Color) -> Bitboard<W> {
    game.board.squares().filter(|&from| game.board.step(from, delta, color).is_some()).collect()
}
