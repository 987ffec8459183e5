//! Arrays of new games.

use assay_rules::Color;
use assay_rules::def::keys::GameKeys;
use rand::RngExt;

use super::pieces::{Context, piece_name};
use crate::random::{Rng, pick};

/// A FEN without rights: pieces behind a row of pawns, the kings in the pockets now and then. Gives
/// castling its home squares where kings or partners are dropped.
pub(super) fn random_array(rng: &mut Rng, context: &Context, keys: &mut GameKeys) -> String {
    let &Context { files, ranks, home, king_file, rotated, .. } = context;
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
            let opposite = if rotated { files - 1 - file } else { file };
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
    let mut has_kings = true;
    if let Some(drops) = &keys.drops {
        let drops_kings = drops.kinds.as_ref().is_some_and(|kinds| kinds.contains('K'));
        let castling = keys.castling.as_mut().filter(|castling| castling.from_any_file.is_none());
        if let Some(castling) = castling.filter(|_| drops_kings || rng.random_bool(0.3)) {
            castling.array.get_or_insert_with(|| board_text(&letters));
        }
        has_kings = !drops_kings || rng.random_bool(0.3);
        let squares = letters.iter_mut().flatten();
        squares.for_each(|letter| *letter = letter.filter(|letter| has_kings || !letter.eq_ignore_ascii_case(&'K')));
    }
    let kings = if has_kings { "" } else { "K" };
    format!("{}{} w - - 0 1", board_text(&letters), bracket(rng, context, keys, kings))
}

/// The board field of a FEN.
fn board_text(letters: &[Vec<Option<char>>]) -> String {
    letters.iter().rev().map(|row| row_text(row)).collect::<Vec<String>>().join("/")
}

/// Returns true if the side of a piece's letter can have it.
fn may_own(keys: &GameKeys, letter: char) -> bool {
    let side = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    keys.pieces.get(&piece_name(letter)).and_then(|piece| piece.side).is_none_or(|owner| owner == side)
}

/// The pockets of both sides, with `kings` in them, and the pieces that a joker imitates.
fn bracket(rng: &mut Rng, context: &Context, keys: &GameKeys, kings: &str) -> String {
    let mut pocket = keys.gating.as_ref().and_then(|gating| gating.pocket.clone()).unwrap_or_default();
    if let Some(drops) = &keys.drops {
        let all = || context.letters.iter().chain(&['P']).collect();
        let dropped: Vec<char> = drops.kinds.clone().unwrap_or_else(all).replace('K', "").chars().collect();
        pocket = (0..rng.random_range(0..=3)).map(|_| pick(rng, &dropped)).collect();
        pocket.push_str(kings);
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
