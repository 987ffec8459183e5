//! The engine's program with a clock: a game of 200 plies must not cost a side more than its clock holds.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// The program, with its input and output.
struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(game: &str) -> Engine {
        let mut process = Command::new(env!("CARGO_BIN_EXE_assay"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut engine = Engine { process, input, output };
        engine.say(&format!("setoption name UCI_Variant value {game}\nisready"));
        engine.hear("readyok");
        engine
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The first line that begins so.
    fn hear(&mut self, start: &str) -> String {
        let mut line = String::new();
        while !line.starts_with(start) {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the engine has gone");
        }
        line
    }

    /// The time that its threads have been running, on any processor: unlike the time on the wall it does not count what
    /// others of a busy machine take away.
    fn worked(&self) -> Duration {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.process.id())).unwrap();
        let nanoseconds = tasks
            .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok())
            .filter_map(|text| text.split(' ').next()?.parse::<u64>().ok())
            .sum();
        Duration::from_nanos(nanoseconds)
    }
}

/// Plays a game with both sides' clocks at `base` and `increment`, in milliseconds.
fn play(game: &str, base: u64, increment: u64) {
    let mut engine = Engine::start(game);
    let increment = Duration::from_millis(increment);
    let mut clocks = [Duration::from_millis(base); 2];
    let mut moves = String::new();
    for ply in 0..200 {
        let [white, black] = clocks.map(|clock| clock.as_millis());
        let inc = increment.as_millis();
        let before = engine.worked();
        engine.say(&format!("position startpos moves{moves}"));
        engine.say(&format!("go wtime {white} btime {black} winc {inc} binc {inc}"));
        let answer = engine.hear("bestmove");
        let spent = engine.worked().saturating_sub(before);
        let clock = &mut clocks[ply % 2];
        *clock = clock
            .checked_sub(spent)
            .unwrap_or_else(|| panic!("{game} {base}+{inc}: ply {ply}: {spent:?} spent, {clock:?} left"));
        *clock += increment;
        match answer.split_whitespace().nth(1) {
            Some("(none)") | None => break,
            Some(mv) => moves += &format!(" {mv}"),
        }
    }
    engine.say("quit");
    assert!(engine.process.wait().unwrap().success());
}

#[test]
fn very_short_clocks_are_kept() {
    play("chess", 1000, 10);
    play("apothecary2", 1000, 10);
    play("gamma2", 100, 5);
}
