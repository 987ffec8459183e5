//! Properties of SAN, PGN and UCI on random games and random text.

use std::sync::Arc;

use assay_rules::def::{BUILTIN_NAMES, builtin_variant};
use assay_rules::pgn::{PgnGame, PgnReader, Variation};
use assay_rules::san;
use assay_rules::{GameDef, Move, Points, Position, uci};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The built-in games with rulesets come first, then these: with drops, and with promotion of
/// pieces.
const OTHERS: [&str; 3] = ["crazyhouse", "shogi", "kyotoshogi"];
const GAMES: usize = BUILTIN_NAMES.len() + OTHERS.len();

fn game(index: usize) -> Arc<GameDef> {
    let names: Vec<&str> = BUILTIN_NAMES.into_iter().chain(OTHERS).collect();
    builtin_variant(names[index]).expect("a known game")
}

fn chess() -> Arc<GameDef> {
    game(0)
}

/// A random start position, including two-move handicaps.
fn any_start(game: &Arc<GameDef>, rng: &mut Xoshiro256PlusPlus) -> Position {
    let fen = &game.starts[rng.random_range(0..game.starts.len())].fen;
    let turns: &[&str] = if game.mechanisms.handicaps.is_some() { &[" w ", " ww ", " wbqbq "] } else { &[" w "] };
    let turn = turns[rng.random_range(0..turns.len())];
    Position::from_fen(game, &fen.replacen(" w ", turn, 1)).expect("starts are positions")
}

/// A random game that prefers captures and special moves.
fn walk(start: Position, plies: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<(Position, Move)> {
    let mut position = start;
    let mut steps = Vec::new();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let special = |mv: &&Move| match **mv {
            Move::Normal { to, promotion, gate, .. } => {
                promotion.is_some() || gate.is_some() || position.piece_at(to).is_some()
            }
            _ => true,
        };
        let specials: Vec<Move> = moves.iter().filter(special).copied().collect();
        let pool = if specials.is_empty() || rng.random_range(0..3) > 0 { &moves } else { &specials };
        let mv = pool[rng.random_range(0..pool.len())];
        let next = position.play(mv);
        steps.push((std::mem::replace(&mut position, next), mv));
    }
    steps
}

fn read_all(text: &str) -> Vec<Result<PgnGame, assay_rules::pgn::PgnError>> {
    PgnReader::new(text, &chess(), builtin_variant).collect()
}

fn pgn_game(start: Position, plies: usize, rng: &mut Xoshiro256PlusPlus, comments: &[String]) -> PgnGame {
    let mut pgn = PgnGame::new(start.clone());
    for (index, (_, mv)) in walk(start, plies, rng).into_iter().enumerate() {
        if let Some(comment) = comments.get(index) {
            pgn.add_comment(comment);
        }
        pgn.push(mv);
    }
    pgn
}

/// Random variations on the moves of a line, and on their own moves.
fn variations(steps: &[(Position, Move)], depth: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<Variation> {
    let mut all = Vec::new();
    for (ply, (position, _)) in steps.iter().enumerate().filter(|_| depth > 0) {
        while rng.random_range(0..4) == 0 {
            let length = rng.random_range(1..6);
            let line = walk(position.clone(), length, rng);
            let moves = line.iter().map(|&(_, mv)| mv).collect();
            all.push(Variation { ply, moves, variations: variations(&line, depth - 1, rng) });
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Every move of a random game round-trips as SAN and UCI. In the last position all legal moves
    /// do, with distinct texts.
    #[test]
    fn moves_round_trip(index in 0..GAMES, seed: u64, plies in 1..160_usize) {
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let start = any_start(&game(index), rng);
        let steps = walk(start, plies, rng);
        for (position, mv) in &steps {
            let san = san::format(position, *mv);
            prop_assert_eq!(san::parse(position, &san), Ok(*mv), "{} in {}", san, position.fen());
            let text = uci::format(position.game(), *mv);
            prop_assert_eq!(uci::parse(position, &text), Ok(*mv), "{} in {}", text, position.fen());
        }
        if let Some((position, _)) = steps.last() {
            let mut texts = Vec::new();
            for mv in position.legal_moves() {
                let san = san::format(position, mv);
                prop_assert_eq!(san::parse(position, &san), Ok(mv), "{} in {}", san, position.fen());
                texts.push(san);
            }
            texts.sort();
            let count = texts.len();
            texts.dedup();
            prop_assert_eq!(texts.len(), count, "two moves share a text in {}", position.fen());
        }
    }

    /// Games with arbitrary tags, comments, variations and results round-trip. Variations are
    /// skipped if they are not asked for.
    #[test]
    fn games_round_trip(
        index in 0..GAMES,
        seed: u64,
        plies in 0..60_usize,
        comments in prop::collection::vec("\\PC{0,12}|(%|;|\\{|\\}|\\[Event \"a\"\\]|[a-z\n ]){0,60}", 0..8),
        tags in prop::collection::vec(("[A-Za-z0-9_]{1,9}", "\\PC{0,20}|[\"\\\\\\]\n a]{0,9}"), 0..5),
        quarters in prop::option::of(0..=4_u8),
    ) {
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let start = any_start(&game(index), rng);
        let mut pgn = pgn_game(start, plies, rng, &comments);
        for (name, value) in &tags {
            // Derived tags are rejected.
            let _ = pgn.set_tag(name, value);
        }
        pgn.set_result(quarters.and_then(Points::from_quarters));
        let text = pgn.to_string();
        prop_assert_eq!(&read_all(&text), &[Ok(pgn.clone())], "{}", text);
        let mut position = pgn.start().clone();
        let steps: Vec<_> = pgn.moves().iter().map(|&mv| {
            let next = position.play(mv);
            (std::mem::replace(&mut position, next), mv)
        }).collect();
        let mut with_variations = pgn.clone();
        with_variations.set_variations(variations(&steps, 2, rng));
        let text = with_variations.to_string();
        prop_assert_eq!(&read_all(&text), &[Ok(pgn)], "{}", text);
        let read: Vec<_> = PgnReader::new(&text, &chess(), builtin_variant).with_variations().collect();
        prop_assert_eq!(&read, &[Ok(with_variations)], "{}", text);
    }

    /// A file truncated inside a game and then appended to loses only that game.
    #[test]
    fn truncated_files_lose_one_game(index in 0..GAMES, seed: u64, cut in 0.0..1.0_f64) {
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let comments = ["a comment".to_owned(), "0.31/9 {".to_owned(), "(; $".to_owned()];
        let games: Vec<PgnGame> = (0..3)
            .map(|_| {
                let start = any_start(&game(index), rng);
                let mut pgn = pgn_game(start, 12, rng, &comments);
                pgn.set_result(Points::from_quarters(rng.random_range(0..=4)));
                pgn
            })
            .collect();
        let truncated_text = games[1].to_string();
        let at = (0..=truncated_text.len() - 2).filter(|&at| truncated_text.is_char_boundary(at));
        let at = at.clone().nth((cut * at.count() as f64) as usize).expect("the cut is inside");
        let read = read_all(&format!("{}{}\n{}", games[0], &truncated_text[..at], games[2]));
        prop_assert_eq!(read.first(), Some(&Ok(games[0].clone())));
        prop_assert_eq!(read.last(), Some(&Ok(games[2].clone())));
        let truncated: Vec<_> = read[1..read.len() - 1].iter().collect();
        match truncated.as_slice() {
            // Truncated before its first character.
            [] => prop_assert!(at == 0),
            // The last move may be another one: `Qh4` is left of `Qh4e1`.
            [Ok(part)] => {
                let certain = part.moves().len().saturating_sub(1);
                prop_assert!(games[1].moves().starts_with(&part.moves()[..certain]), "{}", part);
            }
            [Err(_)] => {}
            more => prop_assert!(false, "a truncated game is read as {} games", more.len()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// No text makes the SAN parser panic, and every accepted move is legal.
    #[test]
    fn any_text_is_legal_san_or_rejected(
        index in 0..GAMES,
        text in "\\PC{0,8}|[KQRBNSAJZLECPabcdefghijx0-9=/@+#!? O.-]{0,10}|[KQRBNSP]?[a-j]?[0-9]{0,2}x?[a-j][0-9]{1,2}(=?[QN])?(/J)?",
    ) {
        let position = Position::start(&game(index));
        if let Ok(mv) = san::parse(&position, &text) {
            prop_assert!(position.is_legal(mv));
        }
    }

    /// No text makes the PGN reader panic or loop, and error positions are inside the text.
    #[test]
    fn any_text_is_pgn_or_rejected(
        text in "\\PC{0,40}|([\\[\\]{}();%$*\"\\\\\r\n .]|1-0|0-1|1\\.|e4|e5|Nf3|O-O|\\[Event \"x\"\\]\n|FEN|SetUp|Result|Variant){0,40}",
    ) {
        for error in read_all(&text).into_iter().filter_map(Result::err) {
            let line = text.split('\n').nth(error.line - 1);
            let length = line.map(|line| line.chars().count());
            prop_assert!(length.is_some_and(|length| error.column <= length + 1), "{} in {:?}", error, text);
        }
    }

    /// The same for a valid text with a few characters changed.
    #[test]
    fn damaged_pgn_is_read_or_rejected(
        seed: u64,
        damage in prop::collection::vec((any::<prop::sample::Index>(), "[\\[\\]{}();%$*\"\\\\\n .a-h1-8xNO+-]{0,2}"), 1..4),
    ) {
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let pgn = pgn_game(Position::start(&chess()), 8, rng, &["one".to_owned(), "two".to_owned()]);
        let mut text: Vec<char> = format!("{pgn}{pgn}").chars().collect();
        for (place, new) in damage {
            let at = place.index(text.len());
            text.splice(at..=at, new.chars());
        }
        let text: String = text.into_iter().collect();
        let read = read_all(&text);
        prop_assert!(read.len() <= 6, "{} games in {}", read.len(), text);
    }
}
