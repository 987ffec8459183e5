//! Counts of moves, `countingRule`: three rules that Fairy-Stockfish has by name.

use std::collections::BTreeMap;

use crate::types::color::Color;
use crate::types::definition::{BoardCount, CountingRule, GameDef};

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

/// Returns true if there is a rule of this name.
pub(super) fn is_known(name: &str) -> bool {
    RULES.iter().any(|rule| rule.name == name)
}

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

/// The table of a definition. `letter` gives the letter of the piece with a movement.
pub(super) fn table(name: &str, letter: impl Fn(&str) -> Option<char>) -> String {
    let Some(rule) = RULES.iter().find(|rule| rule.name == name) else {
        return String::new();
    };
    let mut text = format!("\n[endings.counting]\nfrom-pieces = {}\n", rule.from_pieces);
    if let Some((moves, most_pieces)) = rule.board {
        text += &format!("moves = {moves}\n");
        text.extend(most_pieces.map(|most| format!("most-pieces = {most}\n")));
    }
    let armies = armies(rule, letter).into_iter().map(|(army, moves)| format!("{army:?} = {moves}"));
    text += &format!("armies = {{ {} }}\n", armies.collect::<Vec<_>>().join(", "));
    text
}

/// The name of a game's rule; `None` if it is none of those above.
pub(super) fn name_of(game: &GameDef, rule: &CountingRule) -> Option<&'static str> {
    let CountingRule { board, armies: own, from_pieces } = rule;
    let letter = |movement: &str| {
        let kind = game.all_kinds().find(|&kind| game.kind(kind).betza == movement)?;
        Some(game.letter(kind, Color::White))
    };
    let own: BTreeMap<String, u32> = own
        .iter()
        .map(|(army, plies)| {
            let letters = army.iter().map(|&kind| game.letter(kind, Color::White));
            (letters.collect(), plies / 2)
        })
        .collect();
    let board = board.map(|BoardCount { plies, most_pieces }| (plies / 2, most_pieces));
    let named = RULES
        .iter()
        .find(|named| named.board == board && named.from_pieces == *from_pieces && armies(named, letter) == own);
    named.map(|named| named.name)
}
