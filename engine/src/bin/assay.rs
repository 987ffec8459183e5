//! `assay`: speaks UCI or CECP; `assay bench` counts the nodes of fixed searches, `assay genfens` draws positions.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use assay_engine::{bench, protocol, protocol::genfens};
use assay_rules::GameDef;

const HELP: &str = "\
Usage: assay                 speak UCI, or CECP (XBoard protocol 2) when the first word is `xboard`
       assay bench [DEPTH]   search fixed positions of every game; the number of nodes is a signature
       assay genfens N seed S book <None|FILE> [variant NAME] [plies P]
                             draw N balanced positions at random, as OpenBench asks for them
       assay --help | --version

Commands beside those of UCI: d (show the position), eval (terms of the evaluation), go perft N, bench [DEPTH], genfens.
Games: setoption name UCI_Variant value NAME; one of your own by setoption name VariantPath value FILE first.
Evaluation: setoption name EvalFile value FILE, a weights file (TOML) or a network file; <linear> for the game's own weights
without its network, <empty> for what the game is played with.
Start positions have names: position fen 14 (apothecary2), with handicaps: position fen 14+pawn:e4.
";

/// Misuse of the command line.
const MISUSE: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => match protocol::run(io::stdin(), io::stdout()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("assay: standard input: {error}");
                ExitCode::FAILURE
            }
        },
        ["bench"] => run_bench(None),
        ["bench", depth] => match depth.parse() {
            Ok(depth) if depth > 0 => run_bench(Some(depth)),
            _ => misuse(&format!("bench: found `{depth}`, expected a depth of at least 1")),
        },
        ["genfens", rest @ ..] => run_genfens(&rest.join(" ")),
        // OpenBench gives each command of the protocol as one argument.
        [genfens, "quit"] | [genfens] if genfens.starts_with("genfens ") => run_genfens(&genfens["genfens ".len()..]),
        ["--help" | "-h" | "help"] => print(HELP),
        ["--version" | "-V"] => print(&format!("{}\n", protocol::ENGINE_NAME)),
        [other, ..] => misuse(&format!(
            "found `{other}`, expected bench, genfens, --help, --version or nothing"
        )),
    }
}

fn run_bench(depth: Option<u32>) -> ExitCode {
    let mut failed = false;
    bench::run(depth, &AtomicBool::new(false), &mut |line| {
        failed |= writeln!(io::stdout(), "{line}").is_err();
    });
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn run_genfens(text: &str) -> ExitCode {
    let Some(chess) = GameDef::builtin("chess") else {
        return ExitCode::FAILURE;
    };
    let mut failed = false;
    let result = genfens::GenfensArgs::parse(text).and_then(|args| {
        genfens::run(&args, &chess, &mut |line| {
            failed |= writeln!(io::stdout(), "{line}").is_err();
        })
    });
    match result {
        Err(message) => misuse(&message),
        Ok(()) if failed => ExitCode::FAILURE,
        Ok(()) => ExitCode::SUCCESS,
    }
}

fn print(text: &str) -> ExitCode {
    // Nobody reading is no reason to complain.
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn misuse(message: &str) -> ExitCode {
    eprintln!("assay: {message}");
    ExitCode::from(MISUSE)
}
