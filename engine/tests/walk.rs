//! Random walks: engine and reference generator must agree on everything at every position.

use std::collections::HashMap;
use std::sync::Arc;

use assay_engine::CompiledRuleset;
use assay_engine::{Move, MoveList, Position, Tables, Visitor, dispatch, dispatch_general, load_game};
use assay_rules::position::RepetitionKey;
use assay_rules::{Color, Game, GameDef, Square, Turn};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const GAMES: [&str; 6] = ["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2"];

/// Plays random games from all starts of a game and checks every position.
struct Walk {
    seed: u64,
    games: usize,
    plies: usize,
}

impl Visitor for Walk {
    type Output = ();

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) {
        let game = Arc::clone(tables.game());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        for _ in 0..self.games {
            let mut fen = game.starts[random.random_range(0..game.starts.len())].fen.clone();
            if game.mechanisms.handicaps.is_some() && random.random_range(0..3) == 0 {
                fen = fen.replace(" w ", [" ww ", " wbqbq "][random.random_range(0..2)]);
            }
            let start = assay_rules::Position::from_fen(&game, &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            walk(&tables, start, &mut random, self.plies);
        }
    }
}

fn walk<R: CompiledRuleset>(
    tables: &Arc<Tables<R>>,
    start: assay_rules::Position,
    random: &mut Xoshiro256PlusPlus,
    plies: usize,
) {
    let mut position = Position::new(tables, &start);
    let mut earlier = [MoveList::new(), MoveList::new()];
    let mut game = Game::new(start);
    let mut keys: HashMap<RepetitionKey, u64> = HashMap::new();
    let mut hashes: HashMap<u64, RepetitionKey> = HashMap::new();
    for _ in 0..plies {
        check(&mut position, &game);
        let key = game.position().repetition_key();
        let known = keys.entry(key.clone()).or_insert(position.hash());
        assert_eq!(*known, position.hash(), "equal keys, other hash: {}", fen(&game));
        let known = hashes.entry(position.hash()).or_insert(key.clone());
        assert_eq!(*known, key, "equal hashes, other key: {}", fen(&game));
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        for mv in earlier.iter().flatten() {
            assert_eq!(position.is_legal(mv), list.contains(&mv), "{} {mv:?}", fen(&game));
        }
        earlier.swap(0, 1);
        earlier[0].clone_from(&list);
        if list.is_empty() {
            break;
        }
        // Half of the time without captures, which would empty the board too soon.
        let mut mv = list[random.random_range(0..list.len())];
        if position.is_capture(mv) && random.random_range(0..2) == 0 {
            mv = list[random.random_range(0..list.len())];
        }
        game.play(position.to_rules_move(mv));
        position.make(mv);
    }
    while position.ply() > 0 {
        position.unmake();
        game.undo();
        assert!(position.to_rules() == *game.position(), "unmake: {}", fen(&game));
        assert_eq!(position.hash(), position.hash_from_scratch(), "unmake: {}", fen(&game));
    }
}

fn fen(game: &Game) -> String {
    game.position().fen()
}

fn check<R: CompiledRuleset>(position: &mut Position<R>, game: &Game) {
    let rules = game.position();
    let fen = fen(game);
    assert_eq!(position.to_rules().fen(), fen);
    assert!(position.to_rules() == *rules, "{fen}");
    assert_eq!(position.hash(), position.hash_from_scratch(), "{fen}");
    assert_eq!(position.hash(), Position::new(position.tables(), rules).hash(), "{fen}");
    assert_eq!(position.in_check(), rules.in_check(), "{fen}");
    assert_eq!(position.checkers().into_iter().collect::<Vec<Square>>(), rules.checkers(rules.side_to_move()), "{fen}");
    assert_eq!(position.outcome(), game.outcome(), "{fen}");
    assert_eq!(position.repetitions() + 1, game.occurrences(), "{fen}");
    assert_eq!(position.has_insufficient_material(), rules.has_insufficient_material(), "{fen}");
    for color in Color::ALL {
        assert_eq!(position.material_points(color), rules.material_points(color), "{fen}");
        assert!(rules.king(color).is_none_or(|king| position.king(color) == king), "{fen}");
    }
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    let mut moves: Vec<assay_rules::Move> = list.into_iter().map(|mv| position.to_rules_move(mv)).collect();
    moves.sort_unstable();
    assert_eq!(moves, rules.legal_moves(), "{fen}");
    assert_eq!(position.count_moves(), moves.len(), "{fen}");
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "{fen}");
    let mut captures = MoveList::new();
    position.legal_captures(&mut captures);
    let mut captures: Vec<Move> = captures.into_iter().collect();
    captures.sort_unstable();
    let mut expected: Vec<Move> = list.into_iter().filter(|&mv| position.is_tactical(mv)).collect();
    expected.sort_unstable();
    assert_eq!(captures, expected, "captures and promotions: {fen}");
    let hash = position.hash();
    let check_squares = position.check_squares();
    let mut checks = MoveList::new();
    position.legal_checks(&check_squares, &mut checks);
    for mv in &list {
        assert!(position.is_legal(mv), "{fen} {mv:?}");
        assert_eq!(position.from_rules_move(position.to_rules_move(mv)), mv, "{fen}");
        let successor = rules.play(position.to_rules_move(mv));
        let gives_check = position.gives_check(&check_squares, mv);
        position.make(mv);
        assert_eq!(position.to_rules().fen(), successor.fen(), "{fen} {mv:?}");
        assert_eq!(position.in_check(), successor.in_check(), "{fen} {mv:?}");
        assert_eq!(position.in_check(), gives_check, "{fen} {mv:?}");
        assert_eq!(checks.contains(&mv), gives_check, "{fen} {mv:?}");
        position.unmake();
        assert_eq!(position.hash(), hash, "{fen} {mv:?}");
    }
    if rules.turn() == Turn::Single(rules.side_to_move()) && !position.in_check() {
        position.make_null();
        assert_eq!(position.side_to_move(), !rules.side_to_move(), "{fen}");
        assert_eq!(position.hash(), position.hash_from_scratch(), "{fen}");
        position.unmake_null();
        assert_eq!(position.hash(), hash, "{fen}");
    }
}

#[test]
fn built_in_rulesets_agree_with_the_rules() {
    for (seed, name) in (1..).zip(GAMES) {
        let games = if name == "apothecary2" { 3 } else { 6 };
        dispatch(&GameDef::builtin(name).unwrap(), Walk { seed, games, plies: 150 });
    }
}

#[test]
fn general_rulesets_agree_with_the_rules() {
    for (seed, name) in (101..).zip(GAMES) {
        dispatch_general(&GameDef::builtin(name).unwrap(), Walk { seed, games: 2, plies: 120 });
    }
}

#[test]
fn data_games_agree_with_the_rules() {
    for (seed, name) in (301..).zip(assay_rules::def::DATA_NAMES) {
        dispatch(&GameDef::builtin(name).unwrap(), Walk { seed, games: 3, plies: 100 });
    }
}

/// User-defined games of the tests and of the shared test data, with mechanics that no built-in
/// game has.
#[test]
fn user_games_agree_with_the_rules() {
    let folders = ["tests/games", "../testdata/games", "../perft/suites"]
        .map(|folder| format!("{}/{folder}", env!("CARGO_MANIFEST_DIR")));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder}: {e}")));
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    for (seed, path) in (201..).zip(paths.iter().filter(|path| path.extension().is_some_and(|end| end == "toml"))) {
        let game = load_game(&path.to_string_lossy()).unwrap_or_else(|error| panic!("{error}"));
        dispatch(&game, Walk { seed, games: 8, plies: 150 });
    }
}
