//! Counts of moves, `countingRule`: three rules that Fairy-Stockfish has by name.

use std::collections::BTreeMap;

use super::super::super::error::DefError;
use super::super::super::keys::CountingKeys;
use super::super::kinds::FairyKinds;
use super::super::parse::Entry;
use super::key::{Setting, one_of, words};
use crate::types::color::Color;
use crate::variant::GameDef;
use crate::variant::mechanism::counting::{BoardCount, CountingRule};

/// A rule, with the pieces of its armies by the first letters of their movements: rook, silver and
/// knight.
struct NamedRule {
    name: &'static str,
    /// Moves, and the largest number of pieces, of the count against more than a bare king.
    board: Option<(u32, Option<u32>)>,
    armies: &'static [(&'static str, u32)],
    from_pieces: bool,
}

const RULES: [NamedRule; 3] = [
    NamedRule {
        name: "makruk",
        board: Some((64, None)),
        armies: &[("RR", 8), ("R", 16), ("SS", 22), ("NN", 32), ("S", 44), ("", 64)],
        from_pieces: true,
    },
    NamedRule {
        name: "cambodian",
        board: Some((63, Some(3))),
        armies: &[("RR", 7), ("R", 15), ("SS", 21), ("NN", 31), ("S", 43), ("", 63)],
        from_pieces: true,
    },
    NamedRule { name: "asean", board: None, armies: &[("R", 16), ("S", 44), ("N", 64)], from_pieces: false },
];

/// The name of a rule; `None` for no rule.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct CountingName(pub(super) Option<&'static str>);

words!(CountingName:
    "makruk" = CountingName(Some("makruk")),
    "cambodian" = CountingName(Some("cambodian")),
    "asean" = CountingName(Some("asean")),
    "none" = CountingName(None)
);

/// The armies of a rule with the letters of a game, without armies of pieces that the game does not
/// have.
fn armies(rule: &NamedRule, letter: impl Fn(&str) -> Option<char>) -> BTreeMap<String, u32> {
    let movement = |piece: char| match piece {
        'R' => "R",
        'S' => "FfW",
        _ => "N",
    };
    let known = rule.armies.iter().filter_map(|&(army, moves)| {
        let army: Option<String> = army.chars().map(|piece| letter(movement(piece))).collect();
        Some((army?, moves))
    });
    known.collect()
}

/// The keys of a definition. `letter` gives the letter of the piece with a movement.
pub(super) fn keys(name: CountingName, letter: impl Fn(&str) -> Option<char>) -> Option<CountingKeys> {
    let rule = RULES.iter().find(|rule| Some(rule.name) == name.0)?;
    let (moves, most_pieces) = rule.board.unzip();
    let armies = armies(rule, letter);
    Some(CountingKeys { moves, most_pieces: most_pieces.flatten(), armies, from_pieces: Some(rule.from_pieces) })
}

/// The name of a game's rule; `None` if it is none of those above.
pub(super) fn name_of(game: &GameDef, rule: &CountingRule) -> Option<CountingName> {
    let CountingRule { board, armies: own, from_pieces } = rule;
    let letter = |movement: &str| {
        let kind = game.kinds.all().find(|&kind| game.kind(kind).betza == movement)?;
        Some(game.kinds.letter(kind, Color::White))
    };
    let own: BTreeMap<String, u32> = own
        .iter()
        .map(|(army, plies)| {
            let letters = army.iter().map(|&kind| game.kinds.letter(kind, Color::White));
            (letters.collect(), plies / 2)
        })
        .collect();
    let board = board.map(|BoardCount { plies, most_pieces }| (plies / 2, most_pieces));
    let named = RULES
        .iter()
        .find(|named| named.board == board && named.from_pieces == *from_pieces && armies(named, letter) == own);
    named.map(|named| CountingName(Some(named.name)))
}
