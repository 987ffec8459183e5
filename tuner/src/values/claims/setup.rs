//! Claims about the start positions, decided by counting: exactly and without games.

use std::collections::BTreeSet;
use std::sync::Arc;

use assay_rules::{Color, GameDef, Kind, Move, Piece, Position, Square, Turn};
use serde::Deserialize;

use super::run_cache::RunCache;
use super::{Claimed, ExactNumber, ExactResult, TestResult};

/// A number of a start position, counted for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetupMeasure {
    /// Pieces of the side on the board and in its pocket, king and pawns included.
    Pieces,
    /// Kinds of these pieces.
    Kinds,
    /// Twice these pieces, divided by the squares of the board. Squares that can only be left, such as those behind the back rank of Apothecary
    /// Chess 2, are no part of it.
    Density,
    /// Pawns on whose square no piece of the side could recapture.
    UnprotectedPawns,
}

impl SetupMeasure {
    const fn unit(self) -> &'static str {
        match self {
            SetupMeasure::Pieces => "pieces of a side at the start",
            SetupMeasure::Kinds => "kinds of pieces of a side at the start",
            SetupMeasure::Density => "pieces of both sides at the start, divided by the squares of the board",
            SetupMeasure::UnprotectedPawns => "pawns of a side at the start on whose square nothing could recapture",
        }
    }

    fn of(self, position: &Position, color: Color) -> Result<f64, String> {
        let pieces = || {
            let placed = position.pieces().filter(|(_, piece)| piece.color == color);
            let placed = placed.map(|(_, piece)| piece.kind);
            placed.chain(position.pocket(color).iter().copied())
        };
        Ok(match self {
            SetupMeasure::Pieces => pieces().count() as f64,
            SetupMeasure::Kinds => pieces().collect::<BTreeSet<Kind>>().len() as f64,
            SetupMeasure::Density => {
                let board = &position.game().board;
                let squares = board.squares().filter(|&square| !board.hanging().contains(square));
                2.0 * pieces().count() as f64 / squares.count() as f64
            }
            SetupMeasure::UnprotectedPawns => {
                let pawn = Piece {
                    kind: position.game().pawn,
                    color,
                };
                let pawns = position.pieces().filter(|&(_, piece)| piece == pawn);
                let protected = pawns.map(|(square, _)| is_protected(position, square, color));
                let protected: Vec<bool> = protected.collect::<Result<_, String>>()?;
                protected.iter().filter(|&&is_protected| !is_protected).count() as f64
            }
        })
    }
}

/// Returns true if the side could capture an enemy pawn that stands on the square of its own.
fn is_protected(position: &Position, square: Square, color: Color) -> Result<bool, String> {
    let game = position.game();
    let mut setup = position.to_setup();
    setup.pieces[square.index()] = Some(Piece {
        kind: game.pawn,
        color: !color,
    });
    setup.turn = Turn::Single(color);
    let (captured, _) = Position::from_setup(game, &setup).map_err(|errors| errors.to_string())?;
    let recaptures =
        |mv: &Move| matches!(mv, Move::Normal { to, .. } | Move::Cannon { target: to, .. } if *to == square);
    Ok(captured.legal_moves().iter().any(recaptures))
}

/// Tests a number of all start positions and both sides.
pub fn exact(game: &str, measure: SetupMeasure, claimed: f64, claim: &str, cache: &RunCache) -> TestResult {
    let numbers = cache
        .source(game)
        .ok_or_else(|| format!("{game} is not known"))
        .and_then(|source| numbers(&source.game, measure));
    // The claim is about every start and side, so the number that is farthest from it decides.
    let farthest = numbers.and_then(|numbers| {
        let distance = |number: &f64| (number - claimed).abs();
        let value = numbers
            .iter()
            .copied()
            .max_by(|one, other| distance(one).total_cmp(&distance(other)));
        Ok(ExactNumber {
            value: value.ok_or_else(|| format!("{game} has no start position"))?,
            positions: numbers.len() as u64 / 2,
        })
    });
    TestResult::Exact(ExactResult {
        claim: claim.to_owned(),
        unit: measure.unit().to_owned(),
        claimed: Claimed::Equal {
            value: claimed,
            max_width: 0.0,
        },
        number: farthest,
        note: "of all start positions and both sides, the number farthest from the claim".to_owned(),
    })
}

fn numbers(game: &Arc<GameDef>, measure: SetupMeasure) -> Result<Vec<f64>, String> {
    let mut numbers = Vec::new();
    for start in &game.starts {
        let position = Position::from_start(game, &start.id).map_err(|error| error.to_string())?;
        for color in [Color::White, Color::Black] {
            numbers.push(measure.of(&position, color)?);
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_positions_are_counted() {
        let cases = [
            ("chess", SetupMeasure::Pieces, 16.0),
            ("chess", SetupMeasure::Kinds, 6.0),
            ("chess", SetupMeasure::Density, 0.5),
            ("chess", SetupMeasure::UnprotectedPawns, 0.0),
            ("apothecary2", SetupMeasure::Pieces, 25.0),
            ("apothecary2", SetupMeasure::Kinds, 12.0),
            ("apothecary2", SetupMeasure::Density, 0.5),
        ];
        for (name, measure, expected) in cases {
            let game = GameDef::builtin(name).unwrap();
            let found = numbers(&game, measure).unwrap();
            assert_eq!(found.len(), 2 * game.starts.len());
            assert!(
                found.iter().all(|&number| (number - expected).abs() < 1e-12),
                "{name} {measure:?}: {found:?}"
            );
        }
    }

    #[test]
    fn pawns_without_a_protector_are_counted() {
        let text = "name = 'x'\ntitle = 'x'\nbase = 'chess'\n[[starts]]\nid = '1'\ntitle = 'x'\n\
                    fen = '4k3/p6p/8/8/8/8/PP5P/R3K3 w - - 0 1'\n";
        let game = assay_selfplay::settings::GameSource::from_text(text.to_owned(), "x")
            .unwrap()
            .game;
        // The rook protects one of White's three pawns; the other two, and both of Black's, have no protector.
        assert_eq!(numbers(&game, SetupMeasure::UnprotectedPawns).unwrap(), [2.0, 2.0]);
    }
}
