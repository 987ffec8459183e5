//! `assay`: UCI and CECP engine, with `assay bench` for the bench signature and `assay genfens` for random start positions.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use assay_engine::{bench, protocol, protocol::genfens};
use assay_rules::GameDef;

const HELP: &str = "\
Usage: assay                 run UCI, or CECP (XBoard protocol 2) if the first word is `xboard`
       assay bench [DEPTH]   search fixed positions of every game and print the node count (bench signature)
       assay genfens N seed S book <None|FILE> [variant NAME] [plies P]
                             print N random balanced positions for OpenBench
       assay --help | --version

Additional UCI commands: d (show the position), eval (show the evaluation terms), go perft N, bench [DEPTH], genfens.
Games: setoption name UCI_Variant value NAME. Load your own with setoption name VariantPath value FILE first.
Evaluation: setoption name EvalFile value FILE, where FILE is a weights file (TOML) or a network file; <linear> selects the
default weights without the network, <empty> the default evaluation.
Named start positions: position fen 14 (apothecary2), with handicaps: position fen 14+pawn:e4.
";

/// Exit status for invalid arguments.
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
        // OpenBench passes each UCI command as one argument.
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
    // Ignores a closed pipe.
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn misuse(message: &str) -> ExitCode {
    eprintln!("assay: {message}");
    ExitCode::from(MISUSE)
}
