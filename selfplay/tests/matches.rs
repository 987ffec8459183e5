//! Matches played by the command line.

use std::fs;
use std::path::Path;

use crate::common::{assay_selfplay, printed};
use assay_rules::GameDef;
use assay_rules::def::builtin_variant;
use assay_rules::pgn::PgnReader;
use assay_selfplay::GameRecord;
use serde_json::Value;
use tempfile::TempDir;

pub(crate) fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// The games without their times.
pub(crate) fn games(path: &Path) -> Vec<GameRecord> {
    let mut games = crate::common::games(path);
    for game in &mut games {
        game.ended = None;
        game.moves.iter_mut().for_each(|played| played.time_ms = None);
    }
    games
}

/// Both have enough nodes to report a score in a simple endgame.
const PATIENT: &str = "-engine builtin name=deep nodes=600 -engine builtin name=flat nodes=200 -each option.Hash=1";
const UNEQUAL: &str = "-engine builtin name=deep nodes=600 -engine builtin name=flat nodes=20 -each option.Hash=1";

/// As in fastchess's files, games begin with the moves of the book.
#[test]
fn pgn_has_the_moves_of_the_book() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("book.pgn"), "1. e4 c5 2. Nf3 *\n").unwrap();
    let play = format!("match chess {UNEQUAL} -rounds 1 -maxmoves 4 -openings file=book.pgn plies=3 -pgnout a.pgn");
    printed(&words(&format!("{play} -data m.db")), folder.path());
    let text = fs::read_to_string(folder.path().join("a.pgn")).unwrap();
    assert!(text.contains("1. e4 {book} 1... c5 {book} 2. Nf3 {book}"), "{text}");
    assert!(!text.contains("[FEN ") && text.contains("[OpeningSource \"game 1\"]"), "{text}");
    printed(&words("export m.db --pgn b.pgn"), folder.path());
    assert_eq!(fs::read_to_string(folder.path().join("b.pgn")).unwrap(), text);
    // A move that was not searched is no move of a player.
    printed(&words("import a.pgn --data i.db"), folder.path());
    assert!(printed(&words("info i.db"), folder.path()).contains("Games: 2"), "{text}");
}

#[test]
fn the_same_seed_gives_the_same_games_at_any_concurrency() {
    let folder = TempDir::new().unwrap();
    for game in ["gamma2", "apothecary2"] {
        let play = |db: &str, concurrency: usize, seed: u64| {
            let command =
                format!("match {game} {UNEQUAL} -rounds 3 -concurrency {concurrency} -seed {seed} -data {db} --json");
            let mut json: Value = serde_json::from_str(&printed(&words(&command), folder.path())).unwrap();
            for searches in json["searches"].as_array_mut().unwrap() {
                // Speeds vary.
                searches["nodes_per_second"].take();
                searches["seconds_per_move"].take();
            }
            (json, games(&folder.path().join(db)))
        };
        let one = play(&format!("{game}-1.db"), 1, 4);
        assert_eq!(one, play(&format!("{game}-3.db"), 3, 4), "{game}");
        let other = play(&format!("{game}-o.db"), 2, 5);
        assert_ne!(one.1[0].start_fen, other.1[0].start_fen, "{game}");
        assert_eq!(one.1.len(), 6);
        for pair in one.1.chunks(2) {
            assert_eq!((pair[0].white, pair[1].white, &pair[0].start_fen), (0, 1, &pair[1].start_fen));
        }
        let pairs = one.0["pairs"].as_array().unwrap().len();
        assert_eq!(pairs, if game == "apothecary2" { 9 } else { 5 });
        let text = printed(&["info", &format!("{game}-1.db"), "--replay"], folder.path());
        assert!(text.contains("intact, and every game follows the rules"), "{text}");
    }
}

#[test]
fn sprt_stops_the_match_and_sets_the_exit_status() {
    let folder = TempDir::new().unwrap();
    let run = |engines: &str, bounds: &str| {
        let command =
            format!("match chess {engines} -each option.Hash=1 -sprt {bounds} -exit-verdict -concurrency 2 -json");
        let output = assay_selfplay(&words(&command), folder.path());
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), json)
    };
    let (deep, flat) = ("builtin name=deep nodes=600", "builtin name=flat nodes=20");
    let (status, json) = run(&format!("-engine {deep} -engine {flat}"), "elo0=0 elo1=200");
    assert_eq!((status, &json["sprt"]["decision"]), (Some(0), &"H1".into()), "{json}");
    assert!(json["sprt"]["llr"].as_f64().unwrap() >= 2.94);
    let (status, json) = run(&format!("-engine {flat} -engine {deep}"), "elo0=0 elo1=200 model=logistic");
    assert_eq!((status, &json["sprt"]["decision"]), (Some(1), &"H0".into()), "{json}");
    let few = format!("-engine {deep} -engine {flat} -rounds 1");
    let (status, json) = run(&few, "elo0=0 elo1=2");
    assert_eq!((status, &json["sprt"]["decision"]), (Some(3), &"undecided".into()), "{json}");
}

#[test]
fn resume_plays_the_missing_games_and_extends_the_match() {
    let folder = TempDir::new().unwrap();
    let begin = format!("match chess {UNEQUAL} -rounds 2 -data m.db -json");
    printed(&words(&begin), folder.path());
    // Nothing is overwritten, and nothing is mixed.
    let again = assay_selfplay(&words(&begin), folder.path());
    assert_eq!(again.status.code(), Some(2));
    let other = begin.replace("nodes=600", "nodes=601") + " -resume";
    let stderr = String::from_utf8(assay_selfplay(&words(&other), folder.path()).stderr).unwrap();
    assert!(stderr.contains("found a run with player 1 limits nodes 600, expected 601;"), "{stderr}");
    let other = format!("{begin} -resume -event other");
    let stderr = String::from_utf8(assay_selfplay(&words(&other), folder.path()).stderr).unwrap();
    assert!(stderr.contains("m.db: found a run with event Assay match, expected other;"), "{stderr}");
    // Half of a pair is missing, as after a kill.
    let database = rusqlite::Connection::open(folder.path().join("m.db")).unwrap();
    let before = games(&folder.path().join("m.db"));
    database.execute("DELETE FROM games WHERE idx = 1", []).unwrap();
    drop(database);
    let resume = begin.replace("-rounds 2", "-rounds 4") + " -resume";
    let json: Value = serde_json::from_str(&printed(&words(&resume), folder.path())).unwrap();
    assert_eq!(json["games"], 8);
    let after = games(&folder.path().join("m.db"));
    assert_eq!((&after[..4], after.len()), (&before[..], 8));
}

#[test]
fn a_match_is_resumed_only_with_the_same_option_files() {
    let folder = TempDir::new().unwrap();
    let network = folder.path().join("my.network");
    fs::write(&network, "one").unwrap();
    let fake = crate::common::fake::fake_engine().display();
    let play = format!(
        "match chess -engine cmd={fake} name=fake option.EvalFile=my.network -engine builtin -each nodes=20 -rounds 1 -maxmoves 5 -data m.db"
    );
    let hash = |text: &str| blake3::hash(text.as_bytes()).to_hex()[..12].to_owned();
    let text = printed(&words(&play), folder.path());
    assert!(text.contains(&format!(", EvalFile {}), cmd=", hash("one"))), "{text}");
    let resume = format!("{play} -resume");
    printed(&words(&resume), folder.path());
    fs::write(&network, "two").unwrap();
    let output = assay_selfplay(&words(&resume), folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("m.db: found a run with player 1 identity Fake ("), "{stderr}");
    assert!(stderr.contains(&format!("EvalFile {}), expected Fake (", hash("one"))), "{stderr}");
    assert!(stderr.contains(&format!("EvalFile {});", hash("two"))), "{stderr}");
}

#[test]
fn writes_pgn_and_html() {
    let folder = TempDir::new().unwrap();
    let play = format!(
        "match apothecary2 {UNEQUAL} -rounds 2 -data m.db -pgnout file=m.pgn -html file=m.html -sprt elo0=0 elo1=5"
    );
    let text = printed(&words(&play), folder.path());
    assert!(text.contains("Results of deep vs flat (600 nodes vs 20 nodes, apothecary2, random plies=8"), "{text}");
    assert!(
        text.contains("Pairs(0-2 by 0.25): [") && text.contains("LLR: ") && text.contains("Faults: none"),
        "{text}"
    );
    let pgn = fs::read_to_string(folder.path().join("m.pgn")).unwrap();
    let epd = printed(&words("export m.db --epd -"), folder.path());
    let positions: usize = games(&folder.path().join("m.db")).iter().map(|game| game.moves.len() + 1).sum();
    assert_eq!(epd.lines().count(), positions, "positions of a match are exported like any other");
    assert_eq!(pgn, printed(&words("export m.db --pgn -"), folder.path()));
    let game = GameDef::builtin("apothecary2").unwrap();
    let read: Vec<_> = PgnReader::new(&pgn, &game, builtin_variant).collect::<Result<_, _>>().unwrap();
    let stored = games(&folder.path().join("m.db"));
    assert_eq!(read.len(), 4);
    for (read, stored) in read.iter().zip(&stored) {
        assert_eq!(read.result(), Some(stored.result));
        assert_eq!(read.moves().len(), stored.moves.len());
        assert_eq!(read.tag("White"), Some(if stored.white == 0 { "deep" } else { "flat" }));
        assert_eq!(read.tag("Termination"), Some("normal"));
        assert_eq!(read.tag("WhiteTimeControl"), Some("-"));
        let limits = if stored.white == 0 { "nodes=600 margin=20ms" } else { "nodes=20 margin=20ms" };
        assert_eq!(read.tag("WhiteAssayLimits"), Some(limits));
    }
    let page = fs::read_to_string(folder.path().join("m.html")).unwrap();
    assert!(page.contains(".plot > svg"), "the style sheet is not escaped");
    for expected in ["<svg", "Elo over time", "Sequential test (SPRT)", "Openings", "random 2", "deep"] {
        assert!(page.contains(expected), "{expected}");
    }
    assert!(!page.contains("http"), "the page needs no network");
}

#[test]
fn repeated_pairs_are_stored_but_not_counted() {
    let folder = TempDir::new().unwrap();
    let play = |more: &str| {
        let command = format!("match chess {UNEQUAL} -openings none -maxmoves 30 {more}");
        let output = assay_selfplay(&words(&command), folder.path());
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    // One pair is no evidence, however often it is played.
    let test = "-rounds 40 -sprt elo0=0 elo1=5 -exit-verdict -concurrency 2";
    let (status, stdout, stderr) = play(&format!("{test} -json"));
    let json: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((status, &json["sprt"]["observations"]), (Some(3), &1.into()), "{json}");
    assert_eq!((&json["games"], &json["counted"]), (&80.into(), &2.into()), "{json}");
    assert_eq!(json["repeated_pairs"], 39, "{json}");
    assert_eq!(stderr.matches("warning: the games of a pair equal those").count(), 1, "{stderr}");
    let line = "1 of 2 pairs repeats an earlier pair and is not counted\n";
    let (_, stdout, _) = play("-rounds 2 -data m.db");
    assert!(stdout.contains(line) && !stdout.contains("Not counted"), "{stdout}");
    assert_eq!(games(&folder.path().join("m.db")).len(), 4);
    assert!(printed(&words("info m.db"), folder.path()).contains(line));
    let (_, stdout, stderr) = play("-rounds 3 -data m.db -resume -json");
    let json: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&json["counted"], &json["repeated_pairs"]), (&2.into(), &2.into()), "{json}");
    assert!(stderr.contains("warning: the games of a pair equal those"), "{stderr}");
}

#[test]
fn a_resumed_match_overwrites_only_with_force() {
    let folder = TempDir::new().unwrap();
    let play = format!("match chess {UNEQUAL} -rounds 1 -maxmoves 3 -data m.db -pgnout file=m.pgn");
    printed(&words(&play), folder.path());
    let before = fs::read_to_string(folder.path().join("m.pgn")).unwrap();
    fs::write(folder.path().join("m.pgn"), "precious").unwrap();
    let output = assay_selfplay(&words(&format!("{play} -resume")), folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("--pgnout m.pgn: the file exists; --force overwrites it"), "{stderr}");
    assert_eq!(fs::read_to_string(folder.path().join("m.pgn")).unwrap(), "precious");
    printed(&words(&format!("{play} -resume -force")), folder.path());
    assert_eq!(fs::read_to_string(folder.path().join("m.pgn")).unwrap(), before);
}

#[test]
fn info_lists_all_damaged_games_of_a_match() {
    let folder = TempDir::new().unwrap();
    printed(&words(&format!("match chess {UNEQUAL} -rounds 3 -maxmoves 3 -data m.db")), folder.path());
    let database = rusqlite::Connection::open(folder.path().join("m.db")).unwrap();
    let falsify = "UPDATE games SET result = (result + 1) % 5 WHERE idx IN (4, 5)";
    database.execute_batch(falsify).unwrap();
    drop(database);
    let info = |more: &str| {
        let output = assay_selfplay(&words(&format!("info m.db {more}")), folder.path());
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for more in ["", "--replay"] {
        let text = info(more);
        assert!(text.contains("Games: 4, "), "{text}");
        assert!(text.contains("check          damaged:\n  "), "{text}");
        for game in [4, 5] {
            assert!(text.contains(&format!("game {game}: the record has changed since it was written")), "{text}");
        }
    }
    let json: Value = serde_json::from_str(&info("--json")).unwrap();
    assert_eq!((&json["match"]["games"], json["problems"].as_array().unwrap().len()), (&4.into(), 2), "{json}");
}

#[test]
fn openings_come_from_a_file() {
    let folder = TempDir::new().unwrap();
    let lines = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nrnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n";
    fs::write(folder.path().join("book.epd"), lines).unwrap();
    let play = format!(
        "match chess {UNEQUAL} -rounds 3 -openings file=book.epd order=sequential start=2 -data m.db -maxmoves 5"
    );
    printed(&words(&play), folder.path());
    let openings: Vec<String> = games(&folder.path().join("m.db")).into_iter().map(|game| game.opening).collect();
    assert_eq!(openings, ["line 2", "line 2", "line 1", "line 1", "line 2", "line 2"]);
}

#[test]
fn match_help_has_examples() {
    let folder = TempDir::new().unwrap();
    let text = printed(&["match", "--help"], folder.path());
    for expected in ["--engine <KEY=VALUE>", "elo0=E elo1=E", "Examples", "--resume"] {
        assert!(text.contains(expected), "{expected}");
    }
    assert_eq!(text, printed(&["match"], folder.path()));
}

#[test]
fn sprt_command_reproduces_published_figures() {
    let folder = TempDir::new().unwrap();
    let text = printed(&words("sprt --counts 758,38802,84253,39511,772 --elo0 0 --elo1 2"), folder.path());
    assert!(text.contains("LLR: 2.9268 (-2.94, 2.94) [0.00, 2.00] normalized"), "{text}");
    let json: Value =
        serde_json::from_str(&printed(&words("sprt --counts 13,37,50,25,3 --elo0 0 --elo1 4 --json"), folder.path()))
            .unwrap();
    assert!((json["llr"].as_f64().unwrap() + 0.54912).abs() < 5e-6, "{json}");
    assert!((json["normalized_elo"]["value"].as_f64().unwrap() + 63.97).abs() < 5e-3, "{json}");
    let elo_line = |command: &str| printed(&words(command), folder.path()).lines().nth(1).unwrap().to_owned();
    assert_eq!(elo_line("sprt --counts 0,0,0,0,50"), "Elo: >= 483.76, nElo: >= 463.82");
    assert_eq!(elo_line("sprt --counts 0,0,5,0,0"), "Elo: 0.00 +/- 168.72, nElo: 0.00 +/- 222.54");
    let drawn: Value = serde_json::from_str(&printed(&words("sprt --counts 0,0,5,0,0 --json"), folder.path())).unwrap();
    let interval = [0, 1].map(|end| drawn["elo"]["interval"][end].as_f64().unwrap().round() as i64);
    assert_eq!((&drawn["elo"]["value"], interval), (&0.0.into(), [-169, 169]));
    let one_sided = printed(&words("sprt --counts 0,2,500 --model bayesian"), folder.path());
    assert!(one_sided.ends_with("H1 accepted\n"), "{one_sided}");
}

/// Flags as users of fastchess and cutechess type them.
#[test]
fn flags_of_other_match_programs() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("book.epd"),
        "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; fmvn 9;\n4k3/4p3/8/8/8/8/8/4K3 b - - 0 20\n",
    )
    .unwrap();
    let command = format!(
        "match -variant standard -engine builtin tc=inf nodes=30 -engine cmd={} name=fake args=fine -each tc=10+0.1s \
         -rounds 1 -openings file=book.epd start=4 -maxmoves 3 -pgnout file=a.pgn nodes=true seldepth=true nps=true \
         notation=san -event Test",
        crate::common::fake::fake_engine().display()
    );
    let output = assay_selfplay(&words(&command), folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let warning = "found 2 openings, expected at least start=4; the first one is number 2";
    assert!(stderr.contains(warning), "{stderr}");
    let pgn = fs::read_to_string(folder.path().join("a.pgn")).unwrap();
    assert!(pgn.contains("[WhiteTimeControl \"-\"]\n[BlackTimeControl \"10+0.1\"]"), "{pgn}");
    assert!(pgn.contains("\n20... ") && pgn.contains(", n="), "{pgn}");
}

/// The draw rule counts the game's own moves.
#[test]
fn draws_are_adjudicated_by_the_move_number_of_the_game() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("book.epd"), "4k3/8/8/8/8/8/8/4K2R w - - 4 40\n").unwrap();
    let command = format!(
        "match chess {PATIENT} -rounds 1 -openings file=book.epd -draw movenumber=42 movecount=1 score=30000 -data m.db"
    );
    printed(&words(&command), folder.path());
    for game in games(&folder.path().join("m.db")) {
        assert_eq!(game.moves.len(), 6, "{game:?}");
    }
}

const QUICK: &str =
    "-engine builtin name=a nodes=9 -engine builtin name=b nodes=20 -each option.Hash=1 -openings none -maxmoves 2";

#[test]
fn without_a_run_file_finished_games_are_added_to_the_pgn() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.pgn");
    let play = format!("match {QUICK} -rounds 1 -pgnout a.pgn fi -log l.txt");
    let games = || fs::read_to_string(&path).unwrap().matches("[Event ").count();
    for expected in [2, 4] {
        let output = assay_selfplay(&words(&play), folder.path());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{stderr}");
        for line in [
            "without -data FILE, a kill loses the games that are not in the PGN file yet; the match cannot be resumed\n",
            "Started game 1 of 2 (a vs b)\n",
            "Finished game 2 (b vs a): 1/2-1/2 {Draw by adjudication}\n",
        ] {
            assert!(stderr.contains(line), "{stderr}");
        }
        assert_eq!(games(), expected);
    }
    let refused = format!("match {QUICK} -rounds 1 -pgnout a.pgn append=false");
    assert_eq!(assay_selfplay(&words(&refused), folder.path()).status.code(), Some(2));
    // A start that fails overwrites nothing.
    let before = fs::read(folder.path().join("a.pgn")).unwrap();
    let failing =
        "match chess -engine cmd=./missing nodes=1 -engine builtin nodes=1 -rounds 1 -pgnout a.pgn append=false -force";
    assert_ne!(assay_selfplay(&words(failing), folder.path()).status.code(), Some(0));
    assert_eq!(fs::read(folder.path().join("a.pgn")).unwrap(), before);
    // The flag may be meant for the page.
    let mut log = fs::metadata(folder.path().join("l.txt")).unwrap().len();
    for (append, expected) in [("", 6), ("append=true", 8), ("append=false", 2)] {
        let page = "-html a.html -force";
        let play = format!("match {QUICK} -rounds 1 {page} -pgnout a.pgn {append} -log l.txt {append}");
        printed(&words(&play), folder.path());
        assert_eq!(games(), expected, "{append}");
        let before = std::mem::replace(&mut log, fs::metadata(folder.path().join("l.txt")).unwrap().len());
        assert_eq!(log > before, append != "append=false", "{append}");
    }
}

#[test]
fn names_of_run_files_are_plain() {
    let folder = TempDir::new().unwrap();
    for name in [":memory:", "file:q.db?mode=memory", "file:plain.db"] {
        printed(&words(&format!("match {QUICK} -rounds 1 -data {name}")), folder.path());
        assert!(folder.path().join(name).is_file(), "{name}");
        let text = printed(&["info", name], folder.path());
        assert!(text.contains("Games: "), "{text}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn the_import_of_a_match_has_its_results() {
    let folder = TempDir::new().unwrap();
    let more = "-engine builtin name=c nodes=5";
    for (engines, name) in [("", "two"), (more, "three")] {
        let (db, pgn, import) = (format!("{name}.db"), format!("{name}.pgn"), format!("{name}-import.db"));
        printed(
            &words(&format!("match chess {PATIENT} {engines} -rounds 3 -maxmoves 40 -data {db} -pgnout {pgn}")),
            folder.path(),
        );
        printed(&["import", &pgn, "--data", &import], folder.path());
        let results = |file: &str| {
            let text = printed(&["info", file], folder.path());
            let is_result = |line: &&str| {
                ["Elo:", "Games:", "Ptnml(0-2):", "LOS:"].iter().any(|start| line.starts_with(start))
                    || line.split_whitespace().next().is_some_and(|word| word.parse::<u32>().is_ok())
                        && line.split_whitespace().nth(1).is_some_and(|word| ["deep", "flat", "c"].contains(&word))
            };
            text.lines().filter(is_result).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(results(&import), results(&db));
        assert!(results(&db).len() >= 3, "{:?}", results(&db));
    }
    let text = printed(&["info", "three-import.db", "--crosstable", "--anchor", "flat=2000"], folder.path());
    assert!(text.contains("2000"), "{text}");
}
