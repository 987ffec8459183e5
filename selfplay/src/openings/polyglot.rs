//! Polyglot opening books of chess (`.bin`): for positions, by their keys, moves with weights.

use std::collections::HashSet;
use std::sync::Arc;

use assay_cli::format::count;
use assay_rules::piece::Piece;
use assay_rules::{Game, GameDef, Move, Position, Square, uci};
use polyglot_book_rs::polyglot_hash_from_fen;

use super::book_moves::with_moves;
use crate::seed::Stream;

/// Bytes of an entry: key, move, weight and a number for learning, with the high byte first.
const ENTRY_BYTES: usize = 16;

/// The longest opening if no length is given: moves of a book may go in circles.
const MAX_PLIES: usize = 200;

/// A book whose moves are legal in all positions that openings can reach.
#[derive(Debug)]
pub(super) struct PolyglotBook {
    /// Sorted by key.
    entries: Vec<Entry>,
    start: Position,
    /// Longest opening, in plies.
    plies: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
    /// The number in the file, from 1.
    number: usize,
}

impl PolyglotBook {
    /// Reads a book, and checks all of its moves that openings of `plies` can have.
    ///
    /// # Errors
    /// If it is no book of chess, has no move at the start, or an illegal move; in words.
    pub(super) fn read(bytes: &[u8], game: &Arc<GameDef>, plies: Option<usize>) -> Result<PolyglotBook, String> {
        if game.name != "chess" {
            return Err(format!("found the game {}, expected chess: the keys of Polyglot are of chess", game.name));
        }
        if !bytes.len().is_multiple_of(ENTRY_BYTES) {
            let length = bytes.len();
            return Err(format!("found {length} bytes, expected entries of {ENTRY_BYTES} bytes"));
        }
        let entry = |(bytes, number): (&[u8], usize)| Entry {
            key: bytes[..8].iter().fold(0, |key, &byte| key << 8 | u64::from(byte)),
            mv: u16::from_be_bytes([bytes[8], bytes[9]]),
            weight: u16::from_be_bytes([bytes[10], bytes[11]]),
            number,
        };
        let mut entries: Vec<Entry> = bytes.chunks_exact(ENTRY_BYTES).zip(1..).map(entry).collect();
        entries.sort_by_key(|entry| entry.key);
        let start = Position::start(game);
        let plies = plies.unwrap_or(MAX_PLIES);
        let book = PolyglotBook { entries, start, plies };
        book.check()?;
        Ok(book)
    }

    /// A random opening: each move with a probability proportional to its weight, up to a position
    /// that the book does not have. With the number of its plies in words.
    pub(super) fn opening(&self, random: &mut Stream) -> (Position, String) {
        let (position, moves) = self.draw(random);
        let place = count(moves.len(), "book ply", "book plies");
        (position, with_moves(place, self.start.game(), &moves))
    }

    fn draw(&self, random: &mut Stream) -> (Position, Vec<Move>) {
        let (mut position, mut key) = (self.start.clone(), key(&self.start, None));
        let mut played = Vec::new();
        for _ in 0..self.plies {
            let moves = self.moves(&position, key).expect("the moves have been checked");
            let total: usize = moves.iter().map(|&(_, weight)| weight).sum();
            if total == 0 {
                break;
            }
            let mut at = random.below(total);
            let chosen = moves.iter().find(|&&(_, weight)| {
                let is_chosen = at < weight;
                at = at.saturating_sub(weight);
                is_chosen
            });
            let &(mv, _) = chosen.expect("the number is below the sum of the weights");
            position = position.play(mv);
            key = key_after(&position, mv);
            played.push(mv);
        }
        (position, played)
    }

    /// Checks every move that an opening can have, and that no opening ends the game.
    fn check(&self) -> Result<(), String> {
        if self.plies > 0 && self.moves(&self.start, key(&self.start, None))?.is_empty() {
            let count = self.entries.len();
            return Err(format!("found {count} entries, none of them a move with a weight at the start of the game"));
        }
        let mut seen = HashSet::new();
        let mut positions = vec![(self.start.clone(), key(&self.start, None))];
        for _ in 0..self.plies {
            let mut next = Vec::new();
            for (position, key) in &positions {
                for (mv, _) in self.moves(position, *key)? {
                    let after = position.play(mv);
                    let key = key_after(&after, mv);
                    if !seen.insert(key) {
                        continue;
                    }
                    if let Some(outcome) = Game::new(after.clone()).outcome() {
                        let (fen, end) = (after.fen(), outcome.termination);
                        return Err(format!("an opening ends the game ({end}) in {fen}; expected smaller plies="));
                    }
                    next.push((after, key));
                }
            }
            if next.is_empty() {
                break;
            }
            positions = next;
        }
        Ok(())
    }

    /// The moves that the book has in a position, with their weights, which are not 0.
    fn moves(&self, position: &Position, key: u64) -> Result<Vec<(Move, usize)>, String> {
        let first = self.entries.partition_point(|entry| entry.key < key);
        let found = self.entries[first..].iter().take_while(|entry| entry.key == key);
        let weighted = found.filter(|entry| entry.weight > 0);
        weighted
            .map(|entry| {
                let text = move_text(position, entry.mv);
                let mv = uci::parse(position, &text);
                let mv = mv.map_err(|error| format!("entry {}: {error}, in {}", entry.number, position.fen()))?;
                Ok((mv, usize::from(entry.weight)))
            })
            .collect()
    }
}

/// The key of the position that a move has led to.
fn key_after(position: &Position, mv: Move) -> u64 {
    let passed = match mv {
        Move::DoubleStep { passed, to, .. } => Some((passed, to)),
        _ => None,
    };
    key(position, passed)
}

/// The key of a position, with the square that the last move has passed over and the pawn's. An en
/// passant square counts if a pawn of the side to move stands beside the pawn, even a pinned one.
fn key(position: &Position, passed: Option<(Square, Square)>) -> u64 {
    let game = position.game();
    let pawn = Piece { color: position.side_to_move(), kind: game.first_pawn() };
    let is_counted = |&(_, victim): &(Square, Square)| {
        let beside = [-1, 1].map(|step| i16::from(game.board.file(victim)) + step);
        let mut beside =
            beside.into_iter().filter_map(|file| game.board.square_at(file, game.board.rank(victim).into()));
        beside.any(|square| position.piece_at(square) == Some(pawn))
    };
    let fen = position.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let name = passed.filter(is_counted).map(|(passed, _)| game.board.square_name(passed));
    fields[3] = name.as_deref().unwrap_or(fields[3]);
    polyglot_hash_from_fen(&fields.join(" ")).expect("a FEN of chess has a key")
}

/// A move in UCI notation. Polyglot writes castling as the king's move to its rook.
fn move_text(position: &Position, mv: u16) -> String {
    let letter = |shift: u16, first: u8| char::from(first + (mv >> shift & 7) as u8);
    let [to_file, to_rank, from_file, from_rank] =
        [(0, b'a'), (3, b'1'), (6, b'a'), (9, b'1')].map(|(shift, first)| letter(shift, first));
    let promotion = ["", "n", "b", "r", "q", "?", "?", "?"][usize::from(mv >> 12 & 7)];
    let text = format!("{from_file}{from_rank}{to_file}{to_rank}{promotion}");
    let game = position.game();
    let king = game.board.parse_square(&text[..2]).and_then(|from| position.piece_at(from));
    if king.is_none_or(|piece| Some(piece.kind) != game.kinds.king()) {
        return text;
    }
    match text.as_str() {
        "e1h1" => "e1g1".to_owned(),
        "e1a1" => "e1c1".to_owned(),
        "e8h8" => "e8g8".to_owned(),
        "e8a8" => "e8c8".to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Purpose;

    fn chess() -> Arc<GameDef> {
        GameDef::builtin("chess").unwrap()
    }

    /// The examples of the format's description.
    #[test]
    fn keys_are_those_of_the_format() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(after(moves).1, expected, "{moves}");
        }
    }

    #[test]
    fn keys_are_those_of_python_chess() {
        let lines = include_str!("../../../testdata/polyglot.txt").lines();
        for line in lines.filter(|line| !line.starts_with('#')) {
            let (moves, expected) = line.split_once(" | ").unwrap();
            assert_eq!(format!("{:016x}", after(moves).1), expected, "{moves}");
        }
    }

    #[test]
    fn a_book_goes_on_behind_an_en_passant_that_a_pin_forbids() {
        let moves = "e2e4 e7e5 f2f4 e5f4 e4e5 d8e7 b1c3 d7d5 g1f3 c8g4";
        let words: Vec<&str> = moves.split(' ').collect();
        let bytes: Vec<u8> = (0..words.len()).flat_map(|ply| entry(&words[..ply].join(" "), words[ply], 1)).collect();
        let book = PolyglotBook::read(&bytes, &chess(), None).unwrap();
        let (_, place) = book.opening(&mut Stream::new(Purpose::Book, 1, 0));
        assert_eq!(place, format!("10 book plies: {moves}"));
    }

    /// The position after some moves, and its key.
    fn after(moves: &str) -> (Position, u64) {
        let start = Position::start(&chess());
        let first = key(&start, None);
        moves.split_whitespace().fold((start, first), |(position, _), text| {
            let mv = uci::parse(&position, text).unwrap();
            let next = position.play(mv);
            let key = key_after(&next, mv);
            (next, key)
        })
    }

    fn entry(moves: &str, from_to: &str, weight: u16) -> Vec<u8> {
        let square = |text: &[u8]| u16::from(text[0] - b'a') | u16::from(text[1] - b'1') << 3;
        let text = from_to.as_bytes();
        let mv = square(&text[2..4]) | square(&text[..2]) << 6;
        let parts: [&[u8]; 4] = [&after(moves).1.to_be_bytes(), &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]];
        parts.concat()
    }

    #[test]
    fn weights_are_probabilities() {
        let bytes =
            [entry("", "e2e4", 3), entry("", "d2d4", 1), entry("", "a2a3", 0), entry("e2e4", "e7e5", 1)].concat();
        let book = PolyglotBook::read(&bytes, &chess(), Some(2)).unwrap();
        let openings: Vec<(Position, Vec<Move>)> =
            (0..4_000).map(|pair| book.draw(&mut Stream::new(Purpose::Book, 1, pair))).collect();
        let long = openings.iter().filter(|(_, moves)| moves.len() == 2).count();
        assert!((2_850..3_150).contains(&long), "{long}");
        assert!(openings.iter().all(|(_, moves)| !moves.is_empty()));
        assert_eq!(book.draw(&mut Stream::new(Purpose::Book, 1, 7)).0, openings[7].0);
    }

    #[test]
    fn castling_is_written_as_the_kings_move_to_its_rook() {
        let moves = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5";
        let mut position = Position::start(&chess());
        for mv in moves.split_whitespace() {
            position = position.play(uci::parse(&position, mv).unwrap());
        }
        let bytes = entry(moves, "e1h1", 1);
        let mv = u16::from_be_bytes([bytes[8], bytes[9]]);
        assert_eq!(move_text(&position, mv), "e1g1");
    }

    #[test]
    fn what_is_no_book_of_chess_is_rejected() {
        let error = |bytes: &[u8], name: &str| {
            PolyglotBook::read(bytes, &GameDef::builtin(name).unwrap(), Some(4)).unwrap_err()
        };
        assert!(error(&[0; 17], "chess").contains("found 17 bytes, expected entries of 16 bytes"));
        assert!(error(&[0; 16], "gamma2").contains("found the game gamma2, expected chess"));
        assert!(error(&[], "chess").contains("found 0 entries"));
        assert!(error(&entry("", "e2e4", 0), "chess").contains("found 1 entries, none of them a move with a weight"));
        let illegal = [entry("", "e2e4", 1), entry("e2e4", "e7e4", 9)].concat();
        let text = error(&illegal, "chess");
        assert!(text.starts_with("entry 2: illegal move `e7e4`: "), "{text}");
        assert!(text.ends_with(", in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"), "{text}");
        let mate = [("", "f2f3"), ("f2f3", "e7e5"), ("f2f3 e7e5", "g2g4"), ("f2f3 e7e5 g2g4", "d8h4")];
        let mate: Vec<u8> = mate.iter().flat_map(|(moves, mv)| entry(moves, mv, 1)).collect();
        assert!(error(&mate, "chess").starts_with("an opening ends the game (checkmate) in "));
    }
}
