//! Tournaments played by the command line.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::common::{assay_selfplay, printed};
use assay_rules::GameDef;
use assay_rules::def::builtin_variant;
use assay_rules::pgn::PgnReader;
use serde_json::Value;
use tempfile::TempDir;

use crate::matches::{games, words};

const ENGINES: &str = "-engine builtin name=deep nodes=300 -engine builtin name=mid nodes=80 -engine builtin name=flat nodes=20 \
                       -engine builtin name=flat nodes=21 -each option.Hash=1";

/// Plays a tournament; returns its JSON without times.
fn play(command: &str, folder: &Path) -> Value {
    let mut json: Value = serde_json::from_str(&printed(&words(command), folder)).unwrap();
    for engine in json["engines"].as_array_mut().unwrap() {
        engine["searches"]["nodes_per_second"].take();
        engine["searches"]["seconds_per_move"].take();
    }
    json
}

fn sql<T: rusqlite::types::FromSql>(file: &Path, query: &str) -> Vec<T> {
    let database = rusqlite::Connection::open(file).unwrap();
    let mut statement = database.prepare(query).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

#[test]
fn games_do_not_depend_on_concurrency_and_rounds_share_openings() {
    let folder = TempDir::new().unwrap();
    let path = |db: &str| folder.path().join(db);
    let command = |db: &str, more: &str| format!("tournament gamma2 {ENGINES} -rounds 2 -data {db} -json {more}");
    let json = play(&command("1.db", "-concurrency 1 -pgnout 1.pgn -html 1.html"), folder.path());
    assert_eq!(json, play(&command("3.db", "-concurrency 3"), folder.path()));
    let played = games(&path("1.db"));
    assert_eq!(played, games(&path("3.db")));
    assert_eq!((played.len(), &json["games"]), (24, &24.into()));
    for round in played.chunks(12) {
        assert!(round.iter().all(|game| game.start_fen == round[0].start_fen));
    }
    assert_ne!(played[0].start_fen, played[12].start_fen);

    // Every engine has each color twice against each other one in two rounds, with the names of the
    // report, the file and the PGN.
    let rows: Vec<String> = sql(&path("1.db"), "SELECT white || ' ' || black || ' ' || points FROM game_list");
    let mut points: HashMap<&str, f64> = HashMap::new();
    let mut colors: HashMap<(&str, &str), u32> = HashMap::new();
    for row in &rows {
        let [white, black, score] = words(row)[..] else { panic!("{row}") };
        let score: f64 = score.parse().unwrap();
        *points.entry(white).or_default() += score;
        *points.entry(black).or_default() += 1.0 - score;
        *colors.entry((white, black)).or_default() += 1;
    }
    assert!(colors.len() == 12 && colors.values().all(|&games| games == 2), "{colors:?}");
    let engines = json["engines"].as_array().unwrap();
    for engine in engines {
        let name = engine["name"].as_str().unwrap();
        assert_eq!(engine["points"].as_f64(), points.get(name).copied(), "{name}");
        assert_eq!((engine["games"].as_u64(), name.starts_with("flat-2")), (Some(12), name == "flat-2"));
    }
    let pgn = fs::read_to_string(path("1.pgn")).unwrap();
    let game = GameDef::builtin("gamma2").unwrap();
    let tags: Vec<[String; 3]> = PgnReader::new(&pgn, &game, builtin_variant)
        .map(|game| {
            let game = game.unwrap();
            ["Round", "White", "Black"].map(|tag| game.tag(tag).unwrap().to_owned())
        })
        .collect();
    let names: Vec<String> = tags.iter().map(|[_, white, black]| format!("{white} {black}")).collect();
    let of_rows: Vec<String> = rows.iter().map(|row| words(row)[..2].join(" ")).collect();
    assert_eq!(names, of_rows);
    let rounds: Vec<&str> = tags.iter().map(|[round, ..]| round.as_str()).collect();
    assert_eq!((rounds[0], rounds[3], rounds[23]), ("1.1.1", "1.2.2", "2.6.2"));
    let page = fs::read_to_string(path("1.html")).unwrap();
    for part in ["Cross table", "Likelihood of superiority", "flat-2", "Endings"] {
        assert!(page.contains(part), "{part}");
    }
    let text = printed(&["info", "1.db", "--replay", "--crosstable"], folder.path());
    assert!(text.contains("intact, and every game follows the rules"), "{text}");
    assert!(text.contains("tournament     roundrobin") && text.contains("Cross table"), "{text}");
    let info: Value = serde_json::from_str(&printed(&["info", "1.db", "--json"], folder.path())).unwrap();
    // The pairings of a round share its opening.
    assert_eq!([&info["pairs"], &info["openings"], &info["white"]["clusters"]], [12, 2, 2]);
}

#[test]
fn missing_games_are_played_and_the_tournament_is_extended() {
    let folder = TempDir::new().unwrap();
    let begin = format!("match gamma2 {ENGINES} -tournament gauntlet -rounds 2 -data t.db -json");
    let json = play(&begin, folder.path());
    assert_eq!((&json["format"], &json["games"]), (&"gauntlet seeds=1".into(), &12.into()));
    assert!(json["pairings"].as_array().unwrap().iter().all(|pairing| pairing["engines"][0] == "deep"));
    assert!(json["los"].as_array().unwrap().len() == 4);
    let file = folder.path().join("t.db");
    let before = games(&file);
    let database = rusqlite::Connection::open(&file).unwrap();
    database.execute("DELETE FROM games WHERE idx IN (1, 6, 7)", []).unwrap();
    drop(database);
    for (other, expected) in [
        (begin.replace("gauntlet", "roundrobin"), "found a run with tournament format gauntlet, expected roundrobin;"),
        (begin.clone() + " -seeds 2", "found a run with tournament seeds 1, expected 2;"),
        (begin.replace("nodes=21", "nodes=22"), "found a run with player 4 limits nodes 21, expected 22;"),
    ] {
        let stderr = String::from_utf8(assay_selfplay(&words(&(other + " -resume")), folder.path()).stderr).unwrap();
        assert!(stderr.contains(expected), "{stderr}");
    }
    let longer = begin.replace("-rounds 2", "-rounds 3") + " -resume -concurrency 2";
    assert_eq!(play(&longer, folder.path())["games"], 18);
    let after = games(&file);
    assert_eq!((&after[..12], after.len()), (&before[..], 18));
}

#[test]
fn an_anchor_has_its_rating() {
    let folder = TempDir::new().unwrap();
    let command = format!("match chess {ENGINES} -rounds 3 -games 1 -data t.db -json -anchor mid=2800");
    let json = play(&command, folder.path());
    let anchored = json["engines"].as_array().unwrap().iter().find(|engine| engine["name"] == "mid").unwrap();
    let elo = serde_json::json!({"value": 2800.0, "interval": [2800.0, 2800.0]});
    assert_eq!((&anchored["elo"], &json["anchor"]), (&elo, &"mid".into()));
    let other: Value =
        serde_json::from_str(&printed(&["info", "t.db", "--anchor", "mid=2800", "--json"], folder.path())).unwrap();
    assert_eq!(other["tournament"]["engines"][0]["elo"], json["engines"][0]["elo"]);
    // Colors change from round to round.
    let white: Vec<i64> = sql(&folder.path().join("t.db"), "SELECT white FROM games WHERE pair % 6 = 2 ORDER BY idx");
    assert_eq!(white, [0, 1, 0]);
}

#[test]
fn a_file_with_other_pairings_is_refused() {
    let folder = TempDir::new().unwrap();
    play(&format!("match chess {ENGINES} -rounds 1 -data t.db -json"), folder.path());
    let database = rusqlite::Connection::open(folder.path().join("t.db")).unwrap();
    database.execute("UPDATE pairings SET first = 1, second = 0 WHERE pairing = 0", []).unwrap();
    drop(database);
    let output = assay_selfplay(&["info", "t.db"], folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("setting pairings: expected those of a roundrobin"), "{stderr}");
    assert_eq!(output.status.code(), Some(2));
}
