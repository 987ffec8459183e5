//! Numbers that are known exactly, without games: counts of start positions, and endgames that are solved.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_cli::format::{count, grouped};
use assay_engine::endgame::{self, EndgameError, EndgameProgress, EndgameTally};
use assay_rules::{Color, GameDef, Kind, Move, Piece, Position, Square, Turn};

/// A start position and a side.
pub(super) type Place = (usize, Color);

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

/// One of [`SETUP`](super::terms::SETUP) of a side at a start.
pub(super) fn setup(game: &Arc<GameDef>, name: &str, (start, color): Place) -> Result<f64, String> {
    let start = game
        .starts
        .get(start)
        .ok_or_else(|| format!("{} has fewer start positions", game.name))?;
    let position = Position::from_start(game, &start.id).map_err(|error| error.to_string())?;
    let placed = position.pieces().filter(|(_, piece)| piece.color == color);
    let kinds: Vec<Kind> = placed
        .map(|(_, piece)| piece.kind)
        .chain(position.pocket(color).iter().copied())
        .collect();
    Ok(match name {
        "pieces" => kinds.len() as f64,
        "kinds" => kinds.into_iter().collect::<BTreeSet<Kind>>().len() as f64,
        "density" => {
            let squares = game
                .board
                .squares()
                .filter(|&square| !game.board.hanging().contains(square));
            2.0 * kinds.len() as f64 / squares.count() as f64
        }
        _ => {
            let kind = game.pawn;
            let pawns = position.pieces().filter(|&(_, piece)| piece == Piece { kind, color });
            let protected = pawns.map(|(square, _)| is_protected(&position, square, color));
            let protected: Vec<bool> = protected.collect::<Result<_, String>>()?;
            protected.iter().filter(|&&is_protected| !is_protected).count() as f64
        }
    })
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
        format!(
            "{name} to move, mate can be forced in {} of {positions}",
            grouped(tally.won())
        )
    };
    let by_moves = attacker
        .mates
        .iter()
        .enumerate()
        .filter(|(_, positions)| **positions > 0);
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
    Ok(SolvedEndgame {
        won: attacker.won() as f64 / attacker.legal.max(1) as f64,
        positions: attacker.legal,
        note,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(game: &Arc<GameDef>, name: &str) -> Vec<f64> {
        let places = (0..game.starts.len()).flat_map(|start| [(start, Color::White), (start, Color::Black)]);
        places.map(|place| setup(game, name, place).unwrap()).collect()
    }

    #[test]
    fn start_positions_are_counted() {
        for (name, measure, expected) in [
            ("chess", "pieces", 16.0),
            ("chess", "kinds", 6.0),
            ("chess", "density", 0.5),
            ("chess", "unprotected_pawns", 0.0),
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

    #[test]
    fn pawns_without_a_protector_are_counted() {
        let text = "name = 'x'\ntitle = 'x'\nbase = 'chess'\n[[starts]]\nid = '1'\ntitle = 'x'\n\
                    fen = '4k3/p6p/8/8/8/8/PP5P/R3K3 w - - 0 1'\n";
        let game = Arc::new(GameDef::from_toml(text, "x").unwrap());
        // The rook protects one of White's three pawns; the other two, and both of Black's, have no protector.
        assert_eq!(counted(&game, "unprotected_pawns"), [2.0, 2.0]);
    }
}
