//! The program under commands that interrupt others, and under faults. The tests wait for
//! conditions, not for fixed times.

use std::process::{Command, Output};

use super::driver::Engine;

const TASKS: [&str; 9] = [
    "go infinite",
    "go depth 90",
    "go nodes 99999999999999999999",
    "go movetime 99999999999999999999",
    "go wtime 99999999999 btime 99999999999",
    "go ponder",
    "go perft 15",
    "bench 90",
    "genfens 1000000 seed 1 book None",
];

/// Commands that are queued behind a task.
const QUEUED: [&str; 5] =
    ["setoption name UCI_Variant value gamma2", "setoption name Hash value 64", "ucinewgame", "go infinite", "eval"];

/// An engine that is busy with a task.
fn busy_with(task: &str) -> Engine {
    let mut engine = Engine::start();
    // Answered when the tables are built: what the engine computes from now on belongs to the task.
    engine.send("d");
    engine.wait_for_line("Fen: ");
    engine.send(task);
    engine.wait_until_busy();
    engine
}

#[test]
fn stop_interrupts_every_task() {
    for task in TASKS {
        let mut engine = busy_with(task);
        engine.send("isready");
        engine.wait_for_line("readyok");
        // Answered after the task.
        engine.send("stop\nd");
        engine.wait_for_line("Fen: ");
    }
}

#[test]
fn stop_is_obeyed_after_queued_commands() {
    for queued in QUEUED {
        let mut engine = busy_with("go infinite");
        engine.send(&format!("{queued}\nstop"));
        engine.wait_for_line("bestmove ");
        engine.send("stop\nd");
        engine.wait_for_line("Fen: ");
    }
}

#[test]
fn quit_and_the_end_of_input_end_every_search() {
    let alone = TASKS.map(|task| (task, ""));
    let queued = TASKS.into_iter().chain(QUEUED).map(|command| ("go infinite", command));
    for (task, queued) in alone.into_iter().chain(queued) {
        let is_search =
            |command: &str| !["go perft", "bench", "genfens"].iter().any(|other| command.starts_with(other));
        let ends = if is_search(task) && is_search(queued) {
            &["quit", ""][..]
        } else {
            // Piped counts run to their end.
            &["stop\nquit"]
        };
        for end in ends {
            let mut engine = busy_with(task);
            engine.send(&format!("{queued}\n{end}"));
            engine.close_input();
            assert!(engine.wait().success(), "{task}, {queued}");
        }
    }
}

#[test]
fn perft_and_bench_run_to_their_end_after_the_input() {
    for (command, last) in [("go perft 4", "Nodes searched: 197281"), ("bench 4", "apothecary2 ")] {
        for end in ["", "quit"] {
            let mut engine = Engine::start();
            engine.send(&format!("{command}\n{end}"));
            engine.close_input();
            engine.wait_for_line(last);
            assert!(engine.wait().success(), "{command}");
        }
    }
}

#[test]
fn quit_and_end_of_input_end_xboard_searches() {
    for (task, next) in [
        ("go", ""),
        ("analyze", ""),
        ("force\nanalyze", "ping 1"),
        ("hard\nusermove e2e4", ""),
        ("go", "ping 1\n?"),
        ("go", "ping 1"),
    ] {
        for end in ["quit", ""] {
            let mut engine = Engine::start();
            engine.send(&format!("xboard\nprotover 2\nnew\nst 600\npost\n{task}"));
            // The line of the first iteration.
            engine.wait_for_line("1 ");
            engine.send(&format!("{next}\n{end}"));
            engine.close_input();
            assert!(engine.wait().success(), "{task}");
        }
    }
}

#[test]
fn xboard_commands_are_answered_during_searches() {
    let mut engine = Engine::start();
    engine.send("xboard\nprotover 2\nnew\npost\nanalyze\nping 1");
    engine.wait_for_line("pong 1");
    engine.send("exit\nst 600\ngo\nping 2\n?");
    engine.wait_for_line("move ");
    engine.wait_for_line("pong 2");
}

#[test]
fn byte_order_mark_is_skipped() {
    for (first, answer) in [("uci", "uciok"), ("xboard\nprotover 2", "feature done=1")] {
        let mut engine = Engine::start();
        engine.send(&format!("\u{feff}{first}"));
        engine.wait_for_line(answer);
    }
}

#[test]
fn long_lines_are_refused() {
    let mut engine = Engine::start();
    engine.send(&format!("isready\n{}", "x".repeat(5 << 20)));
    engine.wait_for_line("info string error: line 2: found more than 1048576 bytes, expected a command");
    engine.send("uci");
    engine.wait_for_line("uciok");
}

#[test]
#[cfg(debug_assertions)]
fn panic_ends_the_process() {
    for start in ["isready", "go infinite\nstop", "xboard\nnew"] {
        let mut engine = Engine::start();
        engine.send(&format!("{start}\npanic"));
        assert_eq!(engine.wait().code(), Some(101), "{start}");
    }
}

/// An engine whose memory is limited to `gibibytes` GiB.
#[cfg(target_os = "linux")]
fn with_memory(gibibytes: u32) -> Engine {
    let program = env!("CARGO_BIN_EXE_assay");
    Engine::spawn(Command::new("sh").args(["-c", &format!("ulimit -v {}; exec {program}", gibibytes << 20)]))
}

#[test]
#[cfg(target_os = "linux")]
fn another_game_keeps_the_last_sizes_that_there_was_memory_for() {
    let mut engine = with_memory(1);
    engine.send("go depth 1\nsetoption name Hash value 48\nsetoption name Threads value 3");
    engine.wait_for_line("bestmove ");
    engine.send("setoption name Hash value 65536\nsetoption name Threads value 256");
    engine.wait_for_line("info string error: Threads: ");
    for game in ["chess", "gamma2", "apothecary2"] {
        engine.send(&format!("setoption name UCI_Variant value {game}\ngo depth 1"));
        let threads = engine.wait_for_line("info string error: Threads: ");
        assert!(threads.ends_with("; the number of threads is 3"), "{game}: {threads}");
        let hash = engine.wait_for_line("info string error: Hash: ");
        assert!(hash.ends_with("; the table has 48 MiB"), "{game}: {hash}");
        engine.wait_for_line("bestmove ");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn options_that_need_too_much_memory_are_refused() {
    // Before and after the first job.
    for start in ["uci", "go depth 1"] {
        let mut engine = with_memory(1);
        engine.send(&format!("{start}\nsetoption name Hash value 65536\ngo depth 3"));
        let error = engine.wait_for_line("info string error: Hash: ");
        assert!(
            error.contains("cannot allocate a transposition table of 65536 MiB: ")
                && error.ends_with("; the table has 16 MiB"),
            "{error}"
        );
        engine.wait_for_line("bestmove ");
        engine.send("setoption name Threads value 256\ngo depth 3");
        engine.wait_for_line("info string error: Threads: ");
        engine.wait_for_line("bestmove ");
        engine.send("bench 1");
        engine.wait_for_line("apothecary2");
        engine.send("quit");
        assert!(engine.wait().success());
    }
    let mut engine = with_memory(1);
    engine.send("xboard\nprotover 2\nnew\nmemory 30000\nsd 3\ngo");
    engine.wait_for_line("tellusererror Hash: cannot allocate");
    engine.wait_for_line("move ");
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_assay")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn arguments_are_commands() {
    let (status, output, _) = run(&["go", "perft", "3"]);
    assert!(status == Some(0) && output.contains("\nNodes searched: 8902\n"), "{output}");
    let (status, output, _) = run(&["position startpos moves e2e4", "go depth 4", "go perft 1", "quit"]);
    assert!(status == Some(0) && output.contains("\nbestmove ") && output.contains("searched: 20\n"), "{output}");
    let (status, output, errors) = run(&["genfens 2 seed 1 book None", "quit"]);
    assert_eq!((status, output.lines().count(), errors.as_str()), (Some(0), 2, ""));
}

#[test]
fn invalid_arguments_exit_with_status_2() {
    for (arguments, expected) in [
        (vec!["benhc"], "assay: found `benhc`, expected a command: uci,"),
        (vec!["joho isready"], "assay: found `joho`, expected a command: uci,"),
        (vec!["bench", "0"], "assay: bench: found `0`, expected a whole number from 1 to 100"),
        (vec!["genfens", "1", "book", "no/such.epd"], "assay: genfens: no/such.epd: "),
        (vec!["position fen 2", "d"], "assay: position: unknown start `2`"),
    ] {
        let (status, output, errors) = run(&arguments);
        assert_eq!((status, output.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(errors.starts_with(expected), "{errors}");
    }
}
