//! The module plays the same games as the commands, and says the same of them.

use assay_playground::check::Checker;
use assay_playground::definition::{Definition, edit, keys, weighing};
use assay_playground::engine::Engine;
use assay_playground::play::Play;
use assay_playground::weigh::{Pairs, Weighing};
use assay_selfplay::settings::{GameSource, Material, RunOptions, SelfPlay};
use assay_selfplay::{Store, generate};
use assay_tuner::report;
use assay_tuner::values::analysis::{AnalysisOptions, analyze};
use assay_tuner::values::data::Dataset;
use serde_json::Value;

/// What a run of the commands has, and what the module makes of the same settings.
fn compare(source: GameSource, definition: &Definition, games: u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.db");
    let choices = SelfPlay { seed: 7, nodes: 60, material: Material::Values, ..SelfPlay::default() };
    let settings = choices.settings(source).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    generate(&settings, &RunOptions::self_play(games, 2), &path, |_| {}, &stop).unwrap();
    let store = Store::open_read(&path).unwrap();

    let run = r#"{"seed":7,"nodes":60}"#;
    let mut workers = [Pairs::new(definition, run).unwrap(), Pairs::new(definition, run).unwrap()];
    let mut weighing = Weighing::new(definition, run).unwrap();
    // In another order than in the run, and one pair twice.
    for pair in (0..games as u32 / 2).rev().chain([0]) {
        let played = workers[pair as usize % 2].play(pair).unwrap();
        weighing.add(&played).unwrap();
    }
    assert_eq!(weighing.games() as u64, games);
    assert_eq!(weighing.id(), store.header().id());

    let data = Dataset::read(&[&store]).unwrap();
    let measured = analyze(&data, &AnalysisOptions { resamples: 0, ..AnalysisOptions::default() }).unwrap();
    assert_eq!(weighing.report().unwrap(), report::summary(&measured, &[]));
    let table: Value = serde_json::from_str(&weighing.table().unwrap()).unwrap();
    assert_eq!(table["games"], games);
    assert!(weighing.pgn().unwrap().contains("[Round \"1.2\"]"));
    assert!(weighing.page().unwrap().starts_with("<!DOCTYPE html>"));
    assert!(weighing.add(b"\x05garbage").is_err());
}

#[test]
fn weighs_a_built_in_game_as_the_command_does() {
    compare(GameSource::builtin("chess").unwrap(), &Definition::builtin("chess").unwrap(), 240);
}

#[test]
fn weighs_a_piece_as_the_command_does() {
    let text = weighing(r#"["NmG"]"#, "8x8").unwrap();
    let definition = Definition::read(text.clone(), "toml", None).unwrap();
    compare(GameSource::from_text(text, "test").unwrap(), &definition, 240);
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn errors_have_places() {
    let error = |text: &str, kind| parsed(&Definition::read(text.to_owned(), kind, None).err().unwrap());
    let text = "name = \"a\"\ntitle = \"A\"\nbase = \"chess\"\npieces.knight.move = \"N?\"\n";
    let found = error(text, "toml");
    assert_eq!((&found["line"], &found["column"]), (&4.into(), &22.into()), "{found}");
    assert!(found["message"].as_str().unwrap().starts_with("pieces.knight.move: "), "{found}");
    assert_eq!(error("[a:chess]\nmaxRank = x\n", "ini")["line"], 2);
    let far = Definition::builtin("chess").unwrap().marks("N", 64, &[], &[]);
    assert!(far.is_err());
}

#[test]
fn edits_keep_the_rest_of_the_text() {
    let text = "# mine\nname = \"a\"\ntitle = \"A\" # the title\nbase = \"chess\"\n\n[pieces.knight]\nmove = \"N\"\n";
    let edited = edit(text, r#"["pieces","knight","move"]"#, r#""NmG""#).unwrap();
    assert_eq!(edited, text.replace("\"N\"", "\"NmG\""));
    let edited = edit(text, r#"["pieces","bishop","move"]"#, r#""BW""#).unwrap();
    let whole = parsed(&keys(&edited).unwrap());
    assert_eq!(whole["pieces"]["bishop"]["move"], "BW");
    assert_eq!(whole["pieces"]["rook"]["move"], "R");
    assert_eq!(edit(&edited, r#"["pieces","bishop"]"#, "").unwrap().trim_end(), text.trim_end());
    let starts = r#"[{"id":"1","title":"t","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}]"#;
    let edited = edit(text, r#"["starts"]"#, starts).unwrap();
    Definition::read(edited.clone(), "toml", None).unwrap_or_else(|error| panic!("{error}\n{edited}"));
    assert!(edit(text, r#"["title","b"]"#, "1").is_err());
}

#[test]
fn every_game_can_be_shown_and_played() {
    for game in parsed(&assay_playground::definition::games()).as_array().unwrap() {
        let definition = Definition::builtin(game["name"].as_str().unwrap()).unwrap();
        let info = parsed(&definition.info());
        assert_eq!(
            info["corners"].as_array().unwrap().len(),
            usize::from(info["files"].as_u64().unwrap() as u8) * info["ranks"].as_u64().unwrap() as usize
        );
        let mut play = Play::new(&definition, "").unwrap();
        for _ in 0..6 {
            let state = parsed(&play.state());
            let legal = state["legal"].as_array().unwrap();
            let mv = legal[legal.len() / 2]["uci"].as_str().unwrap().to_owned();
            play.make(&mv).unwrap();
        }
        let pgn = play.to_pgn("one", "other");
        let mut read = Play::pgn(&definition, &pgn).unwrap();
        assert_eq!(play.state(), read.state(), "{pgn}");
        read.go(2);
        read.undo();
        assert_eq!(parsed(&read.state())["moves"].as_array().unwrap().len(), 1);
        // The whole definition, without a base, is the same game.
        let whole = Definition::read(definition.toml().unwrap(), "toml", None).unwrap();
        assert_eq!(parsed(&whole.info())["rules"], info["rules"]);
    }
}

#[test]
fn finds_mate_and_tells_it_from_white() {
    let chess = Definition::builtin("chess").unwrap();
    let mut engine = Engine::new(&chess, 1).unwrap();
    let mut infos = Vec::new();
    let mut search = |start, moves| {
        infos.clear();
        let best = engine.search_reporting(start, moves, r#"{"depth":5}"#, &mut |info| infos.push(info)).unwrap();
        (best, infos.last().unwrap().clone())
    };
    let (best, info) = search("6k1/5ppp/8/8/8/8/8/K2R4 b - - 0 1", "h7h6 d1d8");
    assert_eq!(best, r#"{"uci":"g8h7","san":"Kh7"}"#);
    assert!(info.contains(r#""line":1"#), "{info}");
    let (best, info) = search("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "");
    assert_eq!(best, r#"{"uci":"d1d8","san":"Rd8#"}"#);
    assert!(info.contains(r#""mate":1"#), "{info}");
    let (_, info) = search("k2r4/8/8/8/8/8/5PPP/6K1 b - - 0 1", "");
    assert!(info.contains(r#""mate":-1"#) && info.contains(r#""score":null"#), "{info}");
}

#[test]
fn counts_and_walks_as_the_command_does() {
    let mut checker = Checker::new(&Definition::builtin("chess").unwrap(), 1);
    assert_eq!([1, 2, 3].map(|depth| checker.perft(depth) as u64), [20, 400, 8_902]);
    checker.walk(1);
    let walk = checker.walk(2);
    assert!(walk.starts_with(r#"{"games":3,"agree":true"#) || walk.contains("all agree: 3 games"), "{walk}");
}

#[test]
fn variations_are_read_written_and_exchanged() {
    let chess = Definition::builtin("chess").unwrap();
    let moves = |play: &Play| parsed(&play.state())["text"].as_str().unwrap().to_owned();
    let mut play = Play::pgn(&chess, "1. e4 (1. d4 d5 (1... Nf6)) e5 *").unwrap();
    let text = "e2e4 ( d2d4 d7d5 ( g8f6 ) ) e7e5";
    assert_eq!(moves(&play), text);
    // The same game from its own text, at each of its positions.
    for at in 0..=5 {
        let mut read = Play::new(&chess, "").unwrap();
        read.read(text, Some(at)).unwrap();
        let state = parsed(&read.state());
        // No number stands for the end of the main line.
        assert_eq!((&state["text"], &state["at"]), (&text.into(), &(at < 5).then_some(at).into()));
    }
    play.show(3);
    assert_eq!(parsed(&play.state())["moves"], serde_json::json!(["d4", "d5"]));
    play.make("c2c4").unwrap();
    play.go(1);
    play.make("g8f6").unwrap();
    play.promote().unwrap();
    assert_eq!(moves(&play), "e2e4 ( d2d4 g8f6 ( d7d5 c2c4 ) ) e7e5");
    play.promote().unwrap();
    assert_eq!(moves(&play), "d2d4 ( e2e4 e7e5 ) g8f6 ( d7d5 c2c4 )");
    play.undo();
    assert_eq!(moves(&play), "d2d4 ( e2e4 e7e5 ) d7d5 c2c4");
    let nested = |depth| format!("e2e4{}", " ( d2d4".repeat(depth));
    let read = |text: &str| Play::new(&chess, "").unwrap().read(text, None);
    assert!(read(&nested(64)).is_ok());
    assert!(read(&nested(65)).unwrap_err().contains("at most 64"));
    assert!(read("e2e4 ) d2d4").unwrap_err().contains("no variation is open"));
}
