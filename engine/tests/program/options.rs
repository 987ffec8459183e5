//! Options that change how the engine plays and what it reports.

use std::time::Duration;

use super::driver::Engine;

/// Positions of a game of chess: how many moves of it are played.
const MOVES: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8";

fn limited() -> Engine {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_LimitStrength value true");
    engine
}

/// The best moves in 16 positions.
fn best_moves(settings: &str) -> Vec<String> {
    let mut engine = limited();
    engine.send(settings);
    let moves: Vec<&str> = MOVES.split(' ').collect();
    let best_move = |count| {
        let line = moves[..count].join(" ");
        engine.send(&format!("position startpos moves {line}\ngo nodes 1000000"));
        engine.wait_for_line("bestmove ")
    };
    (1..=moves.len()).map(best_move).collect()
}

/// The last node count before the best move.
fn nodes(engine: &mut Engine, go: &str) -> u64 {
    engine.send(go);
    let mut last = 0;
    loop {
        let line = engine.wait_for_line("");
        if line.starts_with("bestmove ") {
            return last;
        }
        let mut words = line.split(' ').skip_while(|&word| word != "nodes");
        last = words.nth(1).map_or(last, |count| count.parse().unwrap());
    }
}

#[test]
fn limited_strength_is_reproducible_and_depends_on_the_seed() {
    let seed = |number| format!("setoption name Strength Seed value {number}");
    let moves = best_moves(&seed(1));
    assert_eq!(best_moves(&seed(1)), moves);
    let threads = format!("{}\nsetoption name Threads value 3", seed(1));
    assert_eq!(best_moves(&threads), moves);
    assert_ne!(best_moves(&seed(2)), moves);
}

#[test]
fn limited_strength_limits_the_nodes_but_not_those_of_analysis() {
    let mut engine = limited();
    let go = "go nodes 20000";
    let few = nodes(&mut engine, go);
    assert!(few < 1000, "{few}");
    assert_eq!(nodes(&mut engine, "go nodes 20"), 20);
    engine.send("setoption name MultiPV value 3");
    assert_eq!(nodes(&mut engine, go), 3 * few);
    engine.send("setoption name MultiPV value 1\nsetoption name UCI_AnalyseMode value true");
    assert_eq!(nodes(&mut engine, go), 20_000);
    engine.send("setoption name UCI_AnalyseMode value false");
    assert_eq!(nodes(&mut engine, go), few);
    engine.send("setoption name UCI_Variant value apothecary2");
    let large_board = nodes(&mut engine, go);
    assert!(few <= large_board && large_board < 1000, "{large_board}");
    engine.send("setoption name UCI_LimitStrength value false");
    assert_eq!(nodes(&mut engine, go), 20_000);
}

#[test]
fn infinite_and_ponder_searches_of_limited_strength_wait() {
    for (go, end) in [("go infinite", "stop"), ("go ponder wtime 60000 btime 60000", "ponderhit")] {
        let mut engine = limited();
        engine.send(go);
        engine.wait_for_line("info depth ");
        // The nodes of the search take less than a millisecond.
        std::thread::sleep(Duration::from_millis(100));
        engine.send("isready");
        loop {
            let line = engine.wait_for_line("");
            assert!(!line.starts_with("bestmove "), "{go}: {line}");
            if line == "readyok" {
                break;
            }
        }
        engine.send(end);
        engine.wait_for_line("bestmove ");
    }
}

#[test]
fn cecp_has_limited_strength_except_in_analysis() {
    let mut engine = Engine::start();
    engine.send("xboard\nprotover 2");
    engine.wait_for_line("feature option=\"UCI_LimitStrength -check 0\"");
    engine.wait_for_line("feature option=\"UCI_Elo -spin ");
    engine.wait_for_line("feature done=1");
    // At full strength, a search of 40 plies would take hours.
    engine.send("option UCI_LimitStrength=1\npost\nsd 40\nusermove e2e4");
    engine.wait_for_line("move ");
    engine.send("analyze");
    let depth = |line: &str| line.split(' ').next()?.parse::<u32>().ok();
    while depth(&engine.wait_for_line("")).is_none_or(|depth| depth < 9) {}
    engine.send("exit\ngo");
    engine.wait_for_line("move ");
}

#[test]
fn debug_log_file_continues_with_what_is_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a session.log");
    std::fs::write(&path, "what was there\n").unwrap();
    let set = format!("setoption name Debug Log File value {}", path.display());
    for start in ["", "xboard\n"] {
        let mut engine = Engine::start();
        let set = match start {
            "" => set.clone(),
            _ => format!("option Debug Log File={}", path.display()),
        };
        let (ask, answer) = if start.is_empty() { ("isready", "readyok") } else { ("ping 7", "pong 7") };
        engine.send(&format!("{start}{set}\n{ask}"));
        engine.wait_for_line(answer);
        engine.send("quit");
        engine.wait();
    }
    let log = std::fs::read_to_string(&path).unwrap();
    assert_eq!(log, "what was there\n>> isready\n<< readyok\n>> quit\n>> ping 7\n<< pong 7\n>> quit\n");
    let mut engine = Engine::start();
    engine.send(&set.replace("a session", "none/log"));
    let error = engine.wait_for_line("info string error: ");
    assert!(error.contains("option Debug Log File: ") && error.contains("none/log"), "{error}");
}

#[test]
fn wdl_of_a_game_is_that_of_its_model() {
    let wdl = |game: &str| {
        let mut engine = Engine::start();
        engine.send(&format!(
            "setoption name UCI_ShowWDL value true\nsetoption name UCI_Variant value {game}\ngo nodes 2000"
        ));
        let line = loop {
            let line = engine.wait_for_line("info ");
            if line.contains(" score ") {
                break line;
            }
        };
        let numbers = line.split(" wdl ").nth(1).unwrap().split(' ').take(3);
        numbers.map(|number| number.parse().unwrap()).collect::<Vec<u32>>()
    };
    let (chess, atomic) = (wdl("chess"), wdl("atomic"));
    assert_eq!([chess.iter().sum::<u32>(), atomic.iter().sum()], [1000, 1000]);
    // Games without a model of their own have more draws than chess.
    assert!(chess[1] < atomic[1], "{chess:?} {atomic:?}");
}
