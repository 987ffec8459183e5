//! Endgames against a bare king: what of a solved endgame the tests need.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_cli::text::enumeration;
use assay_engine::endgame::{self, EndgameError, EndgameProgress, EndgameTally, SolvedEndgame};
use assay_rules::{GameDef, Kind};

/// The numbers of an endgame that a report shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndgameCounts {
    /// Positions with the stronger side to move.
    pub attacker_to_move: EndgameTally,
    /// Positions with the bare king to move.
    pub defender_to_move: EndgameTally,
    /// FEN of a position with the longest mate.
    pub longest_mate: Option<String>,
}

impl EndgameCounts {
    fn of(solved: &SolvedEndgame) -> EndgameCounts {
        EndgameCounts {
            attacker_to_move: solved.attacker_to_move(),
            defender_to_move: solved.defender_to_move(),
            longest_mate: solved.longest_mate().map(str::to_owned),
        }
    }
}

/// The kinds with these names. Names that the game does not have are left out, which the claims file excludes.
fn kinds(game: &GameDef, names: &[String]) -> Vec<Kind> {
    let kind = |name: &String| game.all_kinds().find(|&kind| game.kind(kind).name == *name);
    names.iter().filter_map(kind).collect()
}

/// Checks that the endgame of king and pieces against a bare king can be solved.
pub(super) fn check(game: &GameDef, names: &[String]) -> Result<(), EndgameError> {
    endgame::check(game, &kinds(game, names))
}

/// Solves an endgame.
pub(super) fn solve(
    game: &Arc<GameDef>,
    names: &[String],
    stop: &AtomicBool,
    report: &mut dyn FnMut(EndgameProgress),
) -> Result<EndgameCounts, EndgameError> {
    endgame::solve(game, &kinds(game, names), stop, report).map(|solved| EndgameCounts::of(&solved))
}

/// `king, knight and knight`.
pub fn name(pieces: &[String]) -> String {
    let king = std::iter::once("king");
    let names: Vec<&str> = king.chain(pieces.iter().map(String::as_str)).collect();
    enumeration(&names)
}
