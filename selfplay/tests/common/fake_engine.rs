//! An engine that plays chess badly and misbehaves on request, to test the match runner. It speaks
//! UCI, or CECP after `xboard`.
//!
//! `fake_engine MODE [PLY] [WORD...]`: from this ply of the game on (from 0, the default) it
//! misbehaves as the mode says; before that, and always in mode `fine`, it plays legal moves that
//! depend on the position alone. Further words are ignored; they identify the process. Its option
//! `EvalFile` fails if the file does not exist. If it may ponder, it expects the moves that it
//! would play itself.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Command, exit};
use std::thread::sleep;
use std::time::Duration;

use assay_rules::{Game, GameDef, Position, uci};

const AGES: Duration = Duration::from_secs(100_000);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mode = words.first().map_or("fine", String::as_str);
    let ply: usize = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    if begin(mode, &words) {
        return;
    }
    let chess = GameDef::builtin("chess").expect("chess is built in");
    let mut game = Game::start(&chess);
    let mut last_answer = String::new();
    let mut answer_word = "bestmove";
    let (mut can_ponder, mut is_pondering, mut is_forced) = (false, false, true);
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let mut parts = line.split_whitespace();
        let mut is_asked = false;
        match parts.next() {
            Some("uci") if mode == "endless" => loop {
                say(&format!("option name {} type check default true", "x".repeat(1_000)));
            },
            Some("uci") => {
                let babble = " \u{1b}fake".repeat(if mode == "babble" { 9_000 } else { 0 });
                say(&format!("id name Fake{babble}"));
                say("option name Hash type spin default 16 min 1 max 1024");
                say("option name Mood type combo default good var good var bad");
                say("option name Ponder type check default false");
                say("option name EvalFile type string default <empty>");
                say("uciok");
            }
            Some("xboard") => answer_word = "move",
            Some("protover") => {
                let is_late = mode.starts_with("late-");
                let features = if is_late { "ping=0 reuse=1" } else { "ping=1 reuse=0" };
                say(&format!("feature myname=\"Fake X\" {features} setboard=1 usermove=1 colors=0 memory=1"));
                say("feature option=\"Mood -combo *good /// bad\"");
                if mode != "no-done" {
                    say("feature done=1");
                }
            }
            Some("new") => game = Game::start(&chess),
            Some("setboard") => game = position(&chess, &line.replace("setboard", "position fen")),
            Some("usermove") if mode == "reject" && game.moves().len() >= ply => {
                say(&line.replace("usermove", "Illegal move (never heard of it):"));
            }
            Some("usermove") => {
                play(&mut game, &line["usermove ".len()..]);
                is_asked = !is_forced;
            }
            Some("hard") => can_ponder = true,
            Some("force") => is_forced = true,
            Some("isready" | "ping") if mode == "unready" && ply <= game.moves().len() && game.moves().len() > 1 => {
                sleep(AGES);
            }
            Some("ping") => say(&line.replace("ping", "pong")),
            Some("option") if line.ends_with("bad") => say("tellusererror Mood: I am never bad"),
            Some("setoption") if line.contains(" Ponder ") => can_ponder = line.ends_with("true"),
            Some("setoption") => say(&set_option(&line)),
            Some("isready") => say("readyok"),
            Some("position") => {
                game = position(&chess, &line);
                if mode == "again" && !last_answer.is_empty() {
                    say(&last_answer);
                }
            }
            Some("go") if line.starts_with("go ponder") => {
                is_pondering = true;
                match mode {
                    "early" => say(&format!("bestmove {}", choose(&game))),
                    "crash-pondering" => exit(3),
                    _ => {}
                }
            }
            Some("ponderhit") => is_asked = is_pondering && mode != "deaf-hit",
            Some("stop") => is_asked = is_pondering && mode != "deaf-stop",
            Some("go") => {
                is_asked = true;
                if mode == "late-result" && game.moves().len() < 2 {
                    // As if the opponent had won the last game.
                    say(if is_white(&game) { "0-1 {Black mates}" } else { "1-0 {White mates}" });
                }
            }
            Some("quit") if mode != "deaf" => return,
            _ => {}
        }
        if !is_asked {
            continue;
        }
        (is_pondering, is_forced) = (false, false);
        if mode != "fine" && game.moves().len() >= ply && misbehave(mode, &words, answer_word, is_white(&game)) {
            continue;
        }
        last_answer = answer(&mut game, answer_word, can_ponder);
        if mode == "early" && can_ponder && answer_word == "move" {
            say("move a2a3");
        }
    }
    if mode == "deaf" {
        sleep(AGES);
    }
}

/// Does what a mode does at the start. Returns true if that is all.
fn begin(mode: &str, words: &[String]) -> bool {
    #[expect(clippy::zombie_processes, reason = "leaving a child behind is what the mode is for")]
    match mode {
        "sleep" => sleep(AGES),
        "sleep-apart" => {
            #[cfg(unix)]
            rustix::process::setsid().expect("the process leads no group");
            sleep(AGES);
        }
        "no-start" => exit(7),
        // Assay's own engine, as the program `assay` runs it.
        "assay" => {
            assay_engine::protocol::run(io::stdin(), io::stdout(), false).expect("the input can be read");
            return true;
        }
        "child" => {
            // Ends when its parent is killed together with its group, not by itself.
            let this = std::env::current_exe().expect("a program knows its file");
            Command::new(this).arg("sleep").args(&words[1..]).spawn().expect("it can be started again");
        }
        _ => {}
    }
    false
}

/// Answers with a move, and with the expected reply if it may ponder. Returns the answer.
fn answer(game: &mut Game, answer_word: &str, can_ponder: bool) -> String {
    let (nodes, mv) = (game.moves().len() + 1, choose(game));
    let mut answer = format!("{answer_word} {mv}");
    play(game, &mv);
    if answer_word == "move" {
        say(&format!("1 13 0 {nodes} {mv}"));
        say(&answer);
        if can_ponder {
            // Pondering searches another position.
            say("9 999 0 12345 a2a3");
        }
    } else {
        say(&format!("info depth 1 score cp 13 nodes {nodes}"));
        if can_ponder && game.outcome().is_none() {
            answer += &format!(" ponder {}", choose(game));
        }
        say(&answer);
    }
    answer
}

/// The line that answers `setoption`, in the form of Stockfish.
fn set_option(line: &str) -> String {
    match line.split_once("name EvalFile value ") {
        Some((_, path)) if !Path::new(path).exists() => format!("info string ERROR: {path} was not loaded"),
        Some((_, path)) => format!("info string NNUE evaluation using {path}"),
        None => "info string Using 1 thread".to_owned(),
    }
}

/// Misbehaves as the mode says. Returns true if that was an answer to `go`.
fn misbehave(mode: &str, words: &[String], answer_word: &str, white: bool) -> bool {
    let answer = match mode {
        "illegal" => "%s e2e5",
        "garbage" => "%s <!\u{1f600}\u{1b}[31m!>",
        "nothing" => "%s",
        "none" => "%s (none)",
        "null" => "%s 0000",
        "claim" if white => "1-0 {White mates}",
        "claim" => "0-1 {Black mates}",
        "resign" => "resign",
        _ => "",
    };
    let answer = answer.replace("%s", answer_word);
    match mode {
        "crash" => {
            eprintln!("something is rotten");
            exit(3);
        }
        "leave" => {
            // The child holds the output and leaves the group.
            let this = std::env::current_exe().expect("a program knows its file");
            let _child =
                Command::new(this).arg("sleep-apart").args(&words[1..]).spawn().expect("it can be started again");
            exit(3);
        }
        "close" => close(words),
        "hang" => sleep(AGES),
        "flood" => loop {
            // Ends when nobody reads anymore.
            say("info string and so on and so on");
        },
        "slow" => sleep(Duration::from_millis(900)),
        "late-move" => {
            say("resign");
            sleep(Duration::from_millis(300));
        }
        "huge" => {
            let mut out = io::stdout().lock();
            let junk = [b'x'; 1 << 14];
            for _ in 0..640 {
                write(&mut out, &junk);
            }
            write(&mut out, b"\nbest\xff\xfe\nbestmov e2e4\n\0\n");
        }
        _ if !answer.is_empty() => say(&answer),
        _ => {}
    }
    !answer.is_empty()
}

/// Closes the output and keeps running.
fn close(words: &[String]) {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let this = std::env::current_exe().expect("a program knows its file");
        let error = Command::new(this).arg("sleep").args(&words[1..]).stdout(std::process::Stdio::null()).exec();
        panic!("{error}");
    }
    #[cfg(not(unix))]
    exit(words.len() as i32);
}

fn position(chess: &std::sync::Arc<GameDef>, line: &str) -> Game {
    let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let start = match start.strip_prefix("position fen ") {
        Some(fen) => Position::from_fen(chess, fen).expect("the runner sends positions"),
        None => Position::start(chess),
    };
    let mut game = Game::new(start);
    for text in moves.split_whitespace() {
        play(&mut game, text);
    }
    game
}

fn is_white(game: &Game) -> bool {
    game.position().side_to_move() == assay_rules::Color::White
}

fn play(game: &mut Game, text: &str) {
    let mv = uci::parse(game.position(), text).expect("the runner sends legal moves");
    game.play(mv);
}

/// A move that depends on the position alone.
fn choose(game: &Game) -> String {
    let position = game.position();
    let legal = position.legal_moves();
    let seed = position.fen().bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    uci::format(position.game(), legal[(seed % legal.len() as u64) as usize])
}

fn say(line: &str) {
    write(&mut io::stdout().lock(), format!("{line}\n").as_bytes());
}

fn write(out: &mut impl Write, bytes: &[u8]) {
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}
