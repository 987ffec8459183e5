//! Numbers that are known exactly, without games: counts of start positions, and endgames that are
//! solved.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_cli::format::{count, grouped};
use assay_engine::endgame::{self, EndgameError, EndgameProgress, EndgameTally};
use assay_rules::{Color, GameDef, Kind, Position};

use super::terms::SETUP;

/// Start positions and a side, whose pieces are counted.
pub(super) struct Place {
    /// The index of a start position of each game, by the name of the game.
    pub(super) starts: BTreeMap<String, usize>,
    pub(super) color: Color,
}

/// A solved endgame of pieces against a bare king.
#[derive(Clone, Debug)]
pub(super) struct SolvedEndgame {
    /// Share of the legal positions with the stronger side to move in which it can force mate.
    pub(super) won: f64,
    /// Number of these positions.
    pub(super) positions: u64,
    /// The exact counts in words.
    pub(super) note: String,
}

/// The index of the first start for each combination of counts.
pub(super) fn different_starts(game: &Arc<GameDef>) -> Vec<usize> {
    let counts = |start| Color::ALL.map(|color| SETUP.map(|name| setup(game, name, start, color).map(f64::to_bits)));
    let mut seen = BTreeSet::new();
    (0..game.starts.len()).filter(|&start| seen.insert(counts(start))).collect()
}

/// One of [`SETUP`] of a side at a start.
pub(super) fn setup(game: &Arc<GameDef>, name: &str, start: usize, color: Color) -> Result<f64, String> {
    let start = game.starts.get(start).ok_or_else(|| format!("{} has fewer start positions", game.name))?;
    let position = Position::from_start(game, &start.id).map_err(|error| error.to_string())?;
    let placed = position.pieces().filter(|(_, piece)| piece.color == color);
    let kinds: Vec<Kind> = placed.map(|(_, piece)| piece.kind).chain(position.pocket(color).iter().copied()).collect();
    Ok(match name {
        "pieces" => kinds.len() as f64,
        "kinds" => kinds.into_iter().collect::<BTreeSet<Kind>>().len() as f64,
        _ => {
            let squares = game.board.squares().filter(|&square| !game.board.hanging().contains(square));
            2.0 * kinds.len() as f64 / squares.count() as f64
        }
    })
}

pub(super) fn solve(
    game: &Arc<GameDef>,
    pieces: &[Kind],
    stop: &AtomicBool,
    report: &mut dyn FnMut(EndgameProgress),
) -> Result<SolvedEndgame, EndgameError> {
    let solved = endgame::solve(game, pieces, stop, report)?;
    let (attacker, defender) = (solved.attacker_to_move(), solved.defender_to_move());
    let side = |tally: &EndgameTally, name: &str| {
        let positions = count(tally.legal, "position", "positions");
        format!("{name} to move, mate can be forced in {} of {positions}", grouped(tally.won()))
    };
    let by_moves = attacker.mates.iter().enumerate().filter(|(_, positions)| **positions > 0);
    let by_moves = by_moves
        .map(|(moves, &positions)| format!("{} in {}", grouped(positions), count(moves as u64, "move", "moves")));
    let by_moves: Vec<String> = by_moves.collect();
    let mut note = side(&attacker, "the stronger side");
    if !by_moves.is_empty() {
        note += &format!(" ({})", by_moves.join(", "));
    }
    note += &format!("; {}", side(&defender, "the bare king"));
    if let Some(checkmates) = defender.mates.first() {
        note += &format!(", {} of them checkmate already", grouped(*checkmates));
    }
    if let Some(fen) = solved.longest_mate() {
        note += &format!("; a longest mate: {fen}");
    }
    Ok(SolvedEndgame { won: attacker.won() as f64 / attacker.legal.max(1) as f64, positions: attacker.legal, note })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(game: &Arc<GameDef>, name: &str) -> Vec<f64> {
        let places = (0..game.starts.len()).flat_map(|start| Color::ALL.map(|color| (start, color)));
        places.map(|(start, color)| setup(game, name, start, color).unwrap()).collect()
    }

    #[test]
    fn start_positions_are_counted() {
        for (name, measure, expected) in [
            ("chess", "pieces", 16.0),
            ("chess", "kinds", 6.0),
            ("chess", "density", 0.5),
            ("apothecary2", "pieces", 25.0),
            ("apothecary2", "kinds", 12.0),
            ("apothecary2", "density", 0.5),
        ] {
            let game = GameDef::builtin(name).unwrap();
            let found = counted(&game, measure);
            let is_expected = |number: &f64| (number - expected).abs() < 1e-12;
            assert!(found.iter().all(is_expected), "{name} {measure}: {found:?}");
        }
    }
}
