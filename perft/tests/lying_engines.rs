//! `compare` finds every kind of lie of another engine, and accuses no honest one. This test
//! program is also the engine.

use std::io::{self, BufRead};

use std::time::Duration;

use crate::common::{json, run};
use crate::mutants::{self, Mutant, State};
use assay_rules::def::{BUILTIN_NAMES, Rights};
use assay_rules::{Color, GameDef, Move, Position, perft, uci};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ROOKS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

/// The engine: reads UCI commands and answers `go perft` as the lie in the environment says.
#[test]
#[ignore = "this is the engine that the other tests start"]
fn engine() {
    let Ok(lie) = std::env::var("LIE") else { return };
    let mut engine = Engine {
        lie: Box::leak(lie.into_boxed_str()),
        start: Position::start(&GameDef::builtin("chess").unwrap()),
        fen: Position::start(&GameDef::builtin("chess").unwrap()).fen(),
        path: Vec::new(),
        answers: 0,
    };
    // The test harness leaves an unfinished line.
    println!();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["uci"] => {
                let games: Vec<String> = BUILTIN_NAMES.iter().map(|name| format!("var {name}")).collect();
                println!("option name UCI_Variant type combo default chess {}\nuciok", games.join(" "));
            }
            ["isready"] => println!("readyok"),
            ["setoption", "name", "UCI_Variant", "value", name] => {
                engine.start = Position::start(&GameDef::builtin(name).unwrap());
            }
            ["position", "fen", rest @ ..] => {
                engine.fen = rest[..6].join(" ");
                engine.start = Position::from_fen(engine.start.game(), &engine.fen).unwrap();
                engine.path = rest[6..].iter().skip(1).map(|mv| (*mv).to_owned()).collect();
            }
            ["go", "perft", depth] => engine.perft(depth.parse().unwrap()),
            ["quit"] => return,
            _ => panic!("{line}"),
        }
    }
}

struct Engine {
    lie: &'static str,
    start: Position,
    /// Of the start, as received.
    fen: String,
    path: Vec<String>,
    answers: usize,
}

impl Engine {
    fn perft(&mut self, depth: u32) {
        self.answers += 1;
        let is_root = self.path.is_empty();
        let mut path = self.path.as_slice();
        let mut position = self.start.clone();
        match self.lie {
            "the start position" => position = Position::start(position.game()),
            "the position before the last move" => path = &path[..path.len().saturating_sub(1)],
            "crash after a lie" if self.answers > 1 => std::process::exit(3),
            "crash with bare kings" if position.pieces().count() == 2 => std::process::exit(3),
            "hang with bare kings" if position.pieces().count() == 2 => std::thread::sleep(Duration::from_mins(1)),
            _ => {}
        }
        for text in path {
            position = position.play(uci::parse(&position, text).unwrap());
        }
        if let Some(name) = self.lie.strip_prefix("mutant ") {
            return self.perft_of_mutant(mutants::find(name), depth);
        }
        let mut rows: Vec<(String, u64)> = match self.lie {
            "unmake" => divide_without_rights(&position, depth),
            "no en passant" => divide_without(&position, depth, |mv| matches!(mv, Move::EnPassant { .. })),
            "no castling" => divide_without(&position, depth, |mv| matches!(mv, Move::Castle { .. })),
            "no promotion" => divide_without(&position, depth, |mv| mv.promotion().is_some()),
            _ => perft::divide(&position, depth),
        }
        .into_iter()
        .map(|(mv, count)| (uci::format(position.game(), mv), count))
        .collect();
        rows.sort();
        let mut total: u64 = rows.iter().map(|(_, count)| count).sum();
        let (first, last) = (0, rows.len().saturating_sub(1));
        let is_first = self.path.iter().all(|mv| *mv == "a1a2");
        let is_lie = last > 0
            && match self.lie {
                "set up from a FEN" => is_root && depth > 1,
                "after moves" => !is_root && depth > 1,
                "the first move" => is_first && depth > 1,
                "the first answer" | "crash after a lie" => self.answers == 1,
                "leaves" => depth == 1,
                "leaves set up from a FEN" => is_root,
                "leaves after moves" => !is_root && depth == 1,
                "depth 3" | "depth 2" => self.lie.ends_with(&depth.to_string()),
                "cancel" | "one missing, one extra" | "twice" | "castling as e1h1" => is_root && depth == 3,
                "cancel below" => self.path.len() == 1,
                "one missing, one extra below" => self.path.len() == 2,
                _ => false,
            };
        if is_lie {
            match self.lie {
                "castling as e1h1" => {
                    let renamed = rows.iter_mut().filter(|(name, _)| matches!(name.as_str(), "e1c1" | "e1g1"));
                    renamed.for_each(|(name, _)| if name == "e1c1" { "e1a1" } else { "e1h1" }.clone_into(name));
                }
                "cancel" | "cancel below" => {
                    rows[first].1 += 1;
                    rows[last].1 -= 1;
                }
                "one missing, one extra" | "one missing, one extra below" => "a1h8".clone_into(&mut rows[first].0),
                "twice" => {
                    rows[last].1 -= 1;
                    rows.push((rows[last].0.clone(), 1));
                }
                _ => {
                    rows[first].1 += 1;
                    total += 1;
                }
            }
        }
        match self.lie {
            "the total" => total += 1,
            "another order" => rows.reverse(),
            _ => {}
        }
        if self.lie == "another format" {
            println!("info depth {depth}\n\n");
            for (index, (mv, count)) in rows.iter().enumerate() {
                println!("{}. {} - {count}", index + 1, mv.to_uppercase());
            }
            println!("\nMoves: {}\nTotal: {total}\nTime: 3 ms", rows.len());
        } else {
            for (mv, count) in &rows {
                println!("{mv}: {count}");
            }
            println!("\nNodes searched: {total}");
        }
    }
}

impl Engine {
    fn perft_of_mutant(&self, mutant: &Mutant, depth: u32) {
        let game = mutant.game();
        let mut state = State::new(&game, &self.fen);
        for text in &self.path {
            let mv = uci::parse(&state.position, text).unwrap();
            state = mutant.play(&state, mv);
        }
        let counts = mutant.divide(&state, depth);
        for (mv, count) in &counts {
            println!("{mv}: {count}");
        }
        println!("\nNodes searched: {}", counts.values().sum::<u64>());
    }
}

/// Perft with a generator that lacks some moves.
fn divide_without(position: &Position, depth: u32, lacks: fn(&Move) -> bool) -> Vec<(Move, u64)> {
    let mut moves = position.legal_moves();
    moves.retain(|mv| !lacks(mv));
    let below = |mv| match depth {
        1 => 1,
        _ => divide_without(&position.play(mv), depth - 1, lacks).iter().map(|(_, count)| count).sum(),
    };
    moves.into_iter().map(|mv| (mv, below(mv))).collect()
}

/// Perft that makes all moves and does not restore the castling right of a captured rook when it
/// unmakes the capture.
fn divide_without_rights(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    fn count(position: &Position, depth: u32, lost: &mut Rights) -> u64 {
        if depth == 0 {
            return 1;
        }
        divide(position, depth, lost).iter().map(|(_, count)| count).sum()
    }
    fn divide(position: &Position, depth: u32, lost: &mut Rights) -> Vec<(Move, u64)> {
        let mut setup = position.setup().clone();
        lost.iter().for_each(|right| setup.rights.remove(right));
        let (position, _) = Position::from_setup(position.game(), &setup).unwrap();
        let of_mover = |right: usize| {
            let is_white = position.game().rights[right].letter.is_ascii_uppercase();
            is_white == (position.side_to_move() == Color::White)
        };
        let make_and_unmake = |mv: Move| {
            let next = position.play(mv);
            let below = count(&next, depth - 1, lost);
            let captured = position.rights().iter().filter(|&right| !next.rights().contains(right) && !of_mover(right));
            captured.for_each(|right| lost.insert(right));
            (mv, below)
        };
        position.legal_moves().into_iter().map(make_and_unmake).collect()
    }
    let mut lost = Rights::EMPTY;
    divide(position, depth, &mut lost)
}

/// The command line of the engine.
fn against(lie: &str) -> String {
    let program = std::env::current_exe().unwrap();
    format!("env 'LIE={lie}' '{}' lying_engines::engine --exact --ignored --nocapture", program.display())
}

/// A suite of one position in a new folder.
fn suite(fen: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.epd");
    std::fs::write(&path, format!("{fen} ;variant chess ;D1 1\n")).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

/// Every kind of lie, and what the report of it must contain; nothing if the engine is honest.
const KINDS: &[(&str, &[&str])] = &[
    ("nothing", &[]),
    ("another order", &[]),
    ("another format", &[]),
    // A wrong count at the root: only if the position was set up from its FEN, after moves, or
    // once.
    ("set up from a FEN", &["after: a1a2", "depth: 2", "shown by: `position fen FEN` only", "vanishes once"]),
    ("after moves", &["after: a1a2", "depth: 2", "shown by: `position fen FROM moves ...` only", "vanishes once"]),
    ("the first move", &["after: a1a2", "depth: 2", "vanishes once"]),
    ("the first answer", &["after: none", "depth: 3", "shown by: nothing: asked again, the engine answers right"]),
    // Engines that forget rights or rules.
    ("unmake", &["depth: 2", "vanishes once the positions after these moves are set up, by moves or FEN"]),
    ("no castling", &["after: none", "missing: none", "extra: e1c1 e1g1"]),
    // Only some depths.
    ("leaves", &["depth: 1", "ours 1, theirs 2"]),
    (
        "leaves set up from a FEN",
        &["depth: 1", "shown by: `position fen FEN` only", "the engine reads another position from the FEN"],
    ),
    ("leaves after moves", &["depth: 1", "vanishes once the position is set up from its FEN"]),
    ("depth 2", &["depth: 2", "vanishes once"]),
    ("depth 3", &["depth: 3", "vanishes once"]),
    // Sums that are right, or nothing but the sum is wrong.
    ("the total", &["after: none", "depth: 3", "theirs 13745, but their moves add up to 13744"]),
    ("cancel", &["after: none", "a1a2: ours ", "h1h8: ours "]),
    ("cancel below", &["after: a1a2", "depth: 2"]),
    ("one missing, one extra", &["after: none", "missing: a1h8", "extra: a1a2"]),
    ("one missing, one extra below", &["depth: 1", "missing: a1h8"]),
    ("twice", &["after: none", "missing: none", "extra: none", "more than once: h1h8"]),
    ("castling as e1h1", &["after: none", "missing: e1a1 e1h1", "extra: e1c1 e1g1"]),
    // Answers to other positions.
    ("the start position", &["after: none", "missing: a2a3 "]),
    ("the position before the last move", &["depth: 2", "missing: a1a2 "]),
];

#[test]
fn every_lie_is_found_and_no_honest_engine_is_accused() {
    let (_folder, suite) = suite(ROOKS);
    let mut wrong = Vec::new();
    for (lie, expected) in KINDS {
        let (status, out, err) = run(&["compare", "chess", "--against", &against(lie), "--suite", &suite]);
        let is_right = match expected {
            [] => status == 0 && out.contains("all agree: 1 position, 13,744 nodes"),
            _ => status == 1 && out.contains("1 difference: 1 position"),
        };
        let missing: Vec<_> = expected.iter().filter(|part| !out.contains(**part)).collect();
        if !is_right || !missing.is_empty() {
            wrong.push(format!("{lie}: status {status}, without {missing:?}\n{out}{err}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An engine that comes to the children of the root by unmaking moves counts wrong; each child for
/// itself it counts right.
#[test]
fn a_right_that_unmaking_loses_is_found_in_a_published_position() {
    let game = GameDef::builtin("chess").unwrap();
    let root = Position::from_fen(&game, KIWIPETE).unwrap();
    let total: u64 = divide_without_rights(&root, 3).iter().map(|(_, count)| count).sum();
    println!("FAULTY {total}");
    assert!(total < 97_862);
    for (mv, count) in perft::divide(&root, 3) {
        let below: u64 = divide_without_rights(&root.play(mv), 2).iter().map(|(_, count)| count).sum();
        assert_eq!(below, count);
    }
    let (_folder, suite) = suite(KIWIPETE);
    let value = json(&["compare", "chess", "--against", &against("unmake"), "--suite", &suite], 1);
    let difference = &value["differences"][0];
    assert_eq!((&difference["vanishes"], &difference["depth"]), (&true.into(), &3.into()));
    assert_eq!((&difference["total"], &difference["sum"]), (&total.into(), &total.into()));
}

#[test]
fn the_default_positions_show_every_rule() {
    for lie in ["no en passant", "no castling", "no promotion"] {
        let args = ["compare", "chess", "--against", &against(lie), "--positions", "20", "--depth", "1"];
        assert_eq!(run(&args).0, 1, "{lie}");
    }
    for game in ["chess", "gunnery"] {
        let args = ["compare", game, "--against", &against("nothing"), "--positions", "40", "--depth", "2"];
        let (status, out, _) = run(&args);
        assert!(status == 0 && !out.contains("warning"), "{game}: {out}");
    }
}

#[test]
fn what_was_never_played_is_named() {
    let (_folder, suite) = suite(ROOKS);
    let args = ["compare", "chess", "--against", &against("nothing"), "--suite", &suite, "--depth", "1"];
    let (status, out, _) = run(&args);
    assert_eq!(status, 0);
    assert!(
        out.contains("exercised in chess (positions/nodes): capture 1/2, castling 1/2, right-lost-by-capture 1/2\n"),
        "{out}"
    );
    for warning in ["no en passant was played", "no promotion was played", "no double check occurred"] {
        assert!(out.contains(&format!("warning: {warning}: nothing is known about it\n")), "{out}");
    }
    let value = json(&args, 0);
    assert_eq!(value["exercised"]["castling"], serde_json::json!({"positions": 1, "nodes": 2}));
    assert_eq!(value["exercised"]["en-passant"], serde_json::json!({"positions": 0, "nodes": 0}));
}

#[test]
fn a_crash_does_not_hide_a_difference() {
    let (folder, suite) = suite(ROOKS);
    let report = folder.path().join("report.xml").display().to_string();
    let engine = against("crash after a lie");
    let args = ["compare", "chess", "--against", &engine, "--suite", &suite, "--junit", &report];
    let (status, out, err) = run(&args);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("  a1a2: ours ") && out.contains("1 difference, 1 failure: 0 positions"), "{out}");
    assert!(err.contains("exited (exit status: 3) before it answered"), "{err}");
    let xml = std::fs::read_to_string(report).unwrap();
    assert!(xml.contains(r#"tests="1" failures="1" errors="0" skipped="0""#), "{xml}");
}

/// The suite has the en passant square that a pin makes useless. The engine gets it, and so does
/// the report of the same fault after moves, which blames nothing else.
#[test]
fn a_square_that_a_pin_makes_useless_is_sent() {
    let engine = against("mutant chess: en passant ignores a pin along the rank");
    let (_folder, given) = suite("8/8/3p4/KPp4r/R4p1k/8/4P1P1/8 w - c6 0 2");
    let value = json(&["compare", "chess", "--against", &engine, "--suite", &given, "--depth", "1"], 1);
    assert_eq!((&value["differences"][0]["sum"], &value["differences"][0]["missing"][0]), (&16.into(), &"b5c6".into()));
    let (_folder, before) = suite("8/2p5/3p4/KP5r/7k/8/8/8 b - - 0 1");
    let args = ["compare", "chess", "--against", &engine, "--suite", &before];
    let difference = json(&args, 1)["differences"][0].clone();
    assert_eq!(difference["fen"], "8/8/3p4/KPp4r/7k/8/8/8 w - c6 0 2");
    assert_eq!((&difference["shown"], &difference["vanishes"]), (&"always".into(), &false.into()));
    let text = run(&args).1;
    assert!(text.contains("  missing: b5c6\n") && !text.contains("vanishes") && !text.contains("hash"), "{text}");
}

/// Wrong rules that random positions seldom show, found by default.
#[test]
fn rare_faults_are_found_by_default() {
    for rule in ["en passant ignores a pin along the rank", "the right stays when a promoting pawn captures the rook"] {
        let engine = against(&format!("mutant chess: {rule}"));
        let (status, out, err) = run(&["compare", "chess", "--against", &engine, "--max-differences", "1"]);
        assert_eq!(status, 1, "{rule}: {out}{err}");
        assert!(out.contains("1 difference: ") && !out.contains("warning"), "{rule}: {out}");
    }
}

/// An engine that crashes or hangs in one position is started again for the others.
#[test]
fn an_engine_that_fails_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (suite, report) = (path("suite.epd"), path("report.xml"));
    let bare = "8/8/8/8/8/k7/8/K7 w - - 0 1";
    std::fs::write(&suite, format!("{ROOKS}\n{bare}\n8/8/8/8/8/k7/7P/K7 w - -\n")).unwrap();
    for (lie, timeout, error) in [
        ("crash with bare kings", "60", "exited (exit status: 3) before it answered `go perft 2`"),
        ("hang with bare kings", "3", "no answer to `go perft 2` within 3 s"),
    ] {
        let engine = against(lie);
        let args = ["compare", "chess", "--against", &engine, "--suite", &suite, "--depth", "2"];
        let args = [&args[..], &["--timeout", timeout, "--junit", &report]].concat();
        let value = json(&args, 1);
        assert_eq!((&value["agree"], &value["compared"]), (&false.into(), &2.into()), "{value}");
        let failure = &value["failures"][0];
        let commands = [format!("position fen {bare}"), "go perft 2".to_owned()];
        assert_eq!((&failure["fen"], &failure["commands"]), (&bare.into(), &serde_json::json!(commands)));
        assert!(failure["error"].as_str().unwrap().starts_with(error), "{failure}");
        let xml = std::fs::read_to_string(&report).unwrap();
        assert!(
            xml.contains(r#"tests="3" failures="0" errors="1" skipped="0""#) && xml.contains(&commands[0]),
            "{xml}"
        );
    }
    let (status, out, err) =
        run(&["compare", "chess", "--against", &against("crash with bare kings"), "--suite", &suite, "--depth", "2"]);
    assert_eq!(status, 1);
    assert!(out.contains(&format!("    position fen {bare}\n    go perft 2\n")), "{out}");
    assert!(out.contains("1 failure: 2 positions") && err.contains("starting the engine again"), "{out}{err}");
}
