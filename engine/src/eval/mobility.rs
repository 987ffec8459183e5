//! How many squares a kind reaches on a board as crowded as in a middle game: the measure behind computed values.

use assay_rules::GameDef;
use assay_rules::color::Color;
use assay_rules::movement::{Delta, Path, PathKind};
use assay_rules::piece::Kind;
use assay_rules::square::Square;

/// The part of the board that is empty, between the full board of the opening and the empty one of the ending.
const EMPTY: f64 = 0.7;
/// How much of a move's use is going to an empty square; the rest is capturing.
const MOVE_SHARE: f64 = 0.4;

/// Squares that a piece reaches on average over the board.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AverageMobility {
    /// Squares that it can go to, were they empty.
    pub(crate) moves: f64,
    /// Squares that it can capture on, were an enemy there.
    pub(crate) captures: f64,
}

impl AverageMobility {
    /// The average of a kind's ordinary movement over all squares.
    pub(crate) fn of(game: &GameDef, kind: Kind) -> AverageMobility {
        let squares: Vec<Square> = game
            .board
            .squares()
            .filter(|&square| !game.board.hanging().contains(square))
            .collect();
        let mut sum = AverageMobility::default();
        for path in game.kind(kind).movement.paths.iter().filter(|path| !path.initial) {
            let reached: f64 = squares.iter().map(|&square| reached(game, path, square)).sum();
            if path.modality.moves {
                sum.moves += reached;
            }
            if path.modality.captures {
                sum.captures += reached;
            }
        }
        let count = squares.len().max(1) as f64;
        AverageMobility {
            moves: sum.moves / count,
            captures: sum.captures / count,
        }
    }

    /// One number for both.
    pub(crate) fn strength(self) -> f64 {
        MOVE_SHARE * self.moves + (1.0 - MOVE_SHARE) * self.captures
    }

    /// Squares that it can go to or capture on in a middle game, when half of the pieces on the board are its own.
    pub(crate) fn mobility(self) -> f64 {
        EMPTY * self.moves + (1.0 - EMPTY) / 2.0 * self.captures
    }
}

/// How many squares a White piece reaches by `path` from `from`, each counted by the chance that nothing is in the way.
fn reached(game: &GameDef, path: &Path, from: Square) -> f64 {
    let on_board = |delta: Delta| {
        let square = game.board.step(from, delta, Color::White)?;
        // A hanging square is nowhere to go to: only what stands there can be taken.
        (!game.board.hanging().contains(square)).then_some(square)
    };
    let steps = |range: &Option<std::num::NonZeroU8>, chance: fn(i32) -> f64| {
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
        PathKind::Ride { range } => steps(range, |step| EMPTY.powi(step - 1)),
        // Exactly one of the pieces on the way is the screen.
        PathKind::HopRide { range } => steps(range, |step| f64::from(step - 1) * (1.0 - EMPTY) * EMPTY.powi(step - 2)),
        _ if on_board(path.delta).is_none() => 0.0,
        PathKind::Leap => 1.0,
        PathKind::LameLeap { via } => EMPTY.powi(via.len() as i32),
        PathKind::HopLeap { .. } => 1.0 - EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess_pieces_reach_what_everybody_counts() {
        let game = GameDef::builtin("chess").unwrap();
        let reach = |letter| AverageMobility::of(&game, game.kind_by_letter(letter).unwrap());
        // A knight has 336 moves on the empty board, a king 420.
        assert!((reach('N').moves - 336.0 / 64.0).abs() < 1e-9);
        assert!((reach('K').captures - 420.0 / 64.0).abs() < 1e-9);
        assert!((reach('Q').moves - reach('R').moves - reach('B').moves).abs() < 1e-9);
        assert!(reach('R').strength() > reach('B').strength());
    }

    #[test]
    fn a_hopper_needs_a_screen() {
        let game = GameDef::builtin("gamma2").unwrap();
        let ship = AverageMobility::of(&game, game.kind_by_letter('S').unwrap());
        assert!(ship.captures < ship.moves);
        assert!(ship.captures > 3.0);
    }
}
