//! Arrays of new games.

use assay_rules::Color;
use assay_rules::def::keys::GameKeys;
use rand::RngExt;

use super::pieces::{Context, piece_name};
use crate::random::{Rng, pick};

/// A FEN without rights: pieces behind a row of pawns.
pub(super) fn random_array(rng: &mut Rng, context: &Context, keys: &GameKeys) -> String {
    let &Context { files, ranks, home, king_file, turned, .. } = context;
    let mut letters = vec![vec![None; usize::from(files)]; usize::from(ranks)];
    let density = rng.random_range(0.6..=1.0);
    let pawns: &[char] = if keys.pieces.contains_key(&piece_name('O')) { &['P', 'O'] } else { &['P'] };
    let has_joker = keys.pieces.contains_key(&piece_name('J'));
    for file in 0..files {
        let back = match file {
            _ if file == king_file => Some('K'),
            // Rooks in the corners for castling.
            _ if file == 0 || file == files - 1 => Some('R'),
            _ if has_joker && keys.gating.is_none() && rng.random_bool(0.15) => Some('J'),
            _ => rng.random_bool(density).then(|| pick(rng, &context.letters)),
        };
        let pawn = rng.random_bool(density).then(|| pick(rng, pawns));
        for (rank, letter) in [(0, back), (home, pawn)].into_iter().filter(|(_, letter)| letter.is_some()) {
            letters[usize::from(rank)][usize::from(file)] = letter;
            let opposite = if turned { files - 1 - file } else { file };
            letters[usize::from(ranks - 1 - rank)][usize::from(opposite)] =
                letter.map(|letter| Color::Black.case(letter));
        }
    }
    let board = keys.board.as_ref().expect("new games have a board");
    let names = |list: &Option<String>| list.iter().flat_map(|names| names.split(' ')).map(str::to_owned).collect();
    let (holes, hanging): (Vec<String>, Vec<String>) = (names(&board.holes), names(&board.hanging));
    let wall = (keys.walls.is_some() && rng.random_bool(0.5)).then(|| (rng.random_range(0..files), ranks / 2));
    for (rank, row) in (0..).zip(&mut letters) {
        for (file, letter) in (0..).zip(row) {
            let name = context.square(file, rank);
            if hanging.contains(&name) {
                *letter = letter.filter(|letter| !letter.eq_ignore_ascii_case(&'P') && rng.random_bool(0.7));
                let color = if rank < ranks / 2 { Color::White } else { Color::Black };
                let other = rng.random_bool(0.3).then(|| color.case(pick(rng, &context.letters)));
                *letter = letter.or(other);
            }
            *letter = letter.filter(|&letter| may_own(keys, letter));
            if holes.contains(&name) || (letter.is_none() && wall == Some((file, rank))) {
                *letter = Some('*');
            }
        }
    }
    let board: Vec<String> = letters.iter().rev().map(|row| row_text(row)).collect();
    format!("{}{} w - - 0 1", board.join("/"), bracket(rng, context, keys))
}

/// Returns true if the side of a piece's letter can have it.
fn may_own(keys: &GameKeys, letter: char) -> bool {
    let side = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    keys.pieces.get(&piece_name(letter)).and_then(|piece| piece.side).is_none_or(|owner| owner == side)
}

/// The pockets of both sides, and the pieces that a joker imitates.
fn bracket(rng: &mut Rng, context: &Context, keys: &GameKeys) -> String {
    let mut pocket = keys.gating.as_ref().and_then(|gating| gating.pocket.clone()).unwrap_or_default();
    if let Some(drops) = &keys.drops {
        let all = || context.letters.iter().chain(&['P']).collect();
        let dropped: Vec<char> = drops.kinds.clone().unwrap_or_else(all).chars().collect();
        pocket = (0..rng.random_range(0..=3)).map(|_| pick(rng, &dropped)).collect();
    }
    let last_moved = if keys.pieces.contains_key(&piece_name('J')) { ":--" } else { "" };
    let text = format!("[{pocket}{}{last_moved}]", pocket.to_ascii_lowercase());
    if text == "[]" { String::new() } else { text }
}

/// A rank of a FEN.
fn row_text(letters: &[Option<char>]) -> String {
    let runs = letters.chunk_by(|left, right| left.is_none() && right.is_none());
    runs.map(|run| run[0].map_or_else(|| run.len().to_string(), String::from)).collect()
}
