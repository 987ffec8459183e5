//! Average mobility of a piece kind on a half-empty board, from which computed piece values are
//! derived.

use assay_rules::GameDef;
use assay_rules::color::Color;
use assay_rules::movement::{Delta, Path, PathKind};
use assay_rules::piece::Kind;
use assay_rules::square::Square;

/// Share of squares that are empty, a compromise between the opening and the endgame.
pub const EMPTY: f64 = 0.7;
/// Piece values grow slightly faster than strength:
/// `VALUE_LINEAR * strength + VALUE_SQUARE * strength²` centipawns gives 310, 353, 499 and 945 for
/// knight, bishop, rook and queen of orthodox chess.
const VALUE_LINEAR: f64 = 54.0;
const VALUE_SQUARE: f64 = 0.95;
/// Value of a joker as a share of the average piece. It moves as the opponent's last piece, which
/// is often a pawn.
const JOKER_SHARE: f64 = 0.65;
/// Weight of moves to empty squares; captures have the rest.
const MOVE_SHARE: f64 = 0.4;

/// Average number of squares that a piece reaches, over all squares of the board or of its zone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AverageMobility {
    /// Squares that it can move to if they are empty.
    pub moves: f64,
    /// Squares on which it can capture if an enemy is there.
    pub captures: f64,
}

impl AverageMobility {
    /// Average mobility of a kind on a half-empty board, without the moves of unmoved pieces.
    pub fn new(game: &GameDef, kind: Kind) -> AverageMobility {
        AverageMobility::of_paths(game, kind, EMPTY, |_| true)
    }

    /// Average mobility by some of a kind's paths if `empty` is the share of squares that are
    /// empty, 0 to 1. A path of unmoved pieces never counts.
    pub fn of_paths(game: &GameDef, kind: Kind, empty: f64, counts: impl Fn(&Path) -> bool) -> AverageMobility {
        let squares: Vec<Square> = game
            .board
            .squares()
            .filter(|&square| {
                !game.board.hanging().contains(square) && game.kinds.may_enter(kind, Color::White, square)
            })
            .collect();
        let mut sum = AverageMobility::default();
        let paths = &game.kind(kind).movement.paths;
        for path in paths.iter().filter(|path| !path.initial && counts(path)) {
            let reached: f64 = squares.iter().map(|&square| reached(game, kind, path, square, empty)).sum();
            if path.modality.moves {
                sum.moves += reached;
            }
            if path.modality.captures {
                sum.captures += reached;
            }
        }
        let count = squares.len().max(1) as f64;
        AverageMobility { moves: sum.moves / count, captures: sum.captures / count }
    }

    /// Weighted mean of moves and captures.
    pub(crate) fn strength(self) -> f64 {
        MOVE_SHARE * self.moves + (1.0 - MOVE_SHARE) * self.captures
    }

    /// Expected number of moves and captures in the middlegame, where half of the pieces on the
    /// board are its own.
    pub(crate) fn mobility(self) -> f64 {
        EMPTY * self.moves + (1.0 - EMPTY) / 2.0 * self.captures
    }
}

/// Expected number of squares that a white piece reaches by `path` from `from`, weighted by the
/// probability that the way is free if the share `empty` of all squares is.
fn reached(game: &GameDef, kind: Kind, path: &Path, from: Square, empty: f64) -> f64 {
    let on_board = |delta: Delta| {
        let square = game.board.step(from, delta, Color::White)?;
        // A hanging square can be entered only by capturing.
        let may_enter = !game.board.hanging().contains(square) && game.kinds.may_enter(kind, Color::White, square);
        may_enter.then_some(square)
    };
    let steps = |range: &Option<std::num::NonZeroU8>, chance: &dyn Fn(i32) -> f64| {
        let longest = range.map_or(i8::MAX, |range| range.get() as i8);
        let reached = (1..=longest).take_while(|&step| {
            let far = |coordinate: i8| i16::from(coordinate) * i16::from(step);
            far(path.delta.file).abs() < 128
                && far(path.delta.rank).abs() < 128
                && on_board(path.delta.times(step)).is_some()
        });
        reached.map(|step| chance(i32::from(step))).sum()
    };
    match &path.kind {
        PathKind::Ride { range } => steps(range, &|step| empty.powi(step - 1)),
        // Exactly one square on the way holds a screen.
        PathKind::HopRide { range } => steps(range, &|step| f64::from(step - 1) * (1.0 - empty) * empty.powi(step - 2)),
        // The screen may stand on any square but the last.
        PathKind::Grasshop => steps(&None, &|step| {
            if step > 1 { (1.0 - empty) * empty.powi(step - 2) } else { 0.0 }
        }),
        _ if on_board(path.delta).is_none() => 0.0,
        PathKind::Leap => 1.0,
        PathKind::LameLeap { via } => empty.powi(via.len() as i32),
        PathKind::HopLeap { .. } => 1.0 - empty,
    }
}

/// Mean of `number` over the kinds whose moves a joker imitates.
pub(super) fn joker_mean(game: &GameDef, kinds: impl Iterator<Item = Kind>, number: impl Fn(Kind) -> f64) -> f64 {
    let numbers: Vec<f64> = kinds.filter(|&kind| Some(kind) != game.kinds.joker()).map(number).collect();
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// Value of a piece kind other than king and pawn, in centipawns of the orthodox pawn.
pub(super) fn piece_value(game: &GameDef, kind: Kind) -> f64 {
    let value = |kind| {
        let strength = AverageMobility::new(game, kind).strength();
        VALUE_LINEAR * strength + VALUE_SQUARE * strength * strength
    };
    if Some(kind) == game.kinds.joker() {
        let pieces = game.kinds.all().filter(|&other| Some(other) != game.kinds.king() && !game.pawns.contains(other));
        JOKER_SHARE * joker_mean(game, pieces, value)
    } else {
        value(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_moves_on_the_empty_board() {
        let game = GameDef::builtin("chess").unwrap();
        let reach = |letter| AverageMobility::new(&game, game.kinds.by_letter(letter).unwrap());
        // A knight has 336 moves on the empty board, a king 420.
        assert!((reach('N').moves - 336.0 / 64.0).abs() < 1e-9);
        assert!((reach('K').captures - 420.0 / 64.0).abs() < 1e-9);
        assert!((reach('Q').moves - reach('R').moves - reach('B').moves).abs() < 1e-9);
        assert!(reach('R').strength() > reach('B').strength());
    }

    #[test]
    fn hoppers_need_a_screen() {
        let game = GameDef::builtin("gamma2").unwrap();
        let ship = AverageMobility::new(&game, game.kinds.by_letter('S').unwrap());
        assert!(ship.captures < ship.moves);
        assert!(ship.captures > 3.0);
    }
}
