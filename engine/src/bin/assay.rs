//! `assay`: UCI and CECP engine. Arguments are UCI commands, such as `bench`.

use std::io::{self, IsTerminal, Read, Write};
use std::panic;
use std::process::{self, ExitCode};

use assay_engine::protocol;

const HELP: &str = "\
Usage: assay                 run UCI, or CECP (XBoard protocol 2) if the first word of the input is `xboard`
       assay xboard          run CECP
       assay COMMAND...      run one UCI command and exit when it is done: assay bench, assay go depth 10
       assay 'COMMAND'...    run several, one per argument: assay 'position startpos moves e2e4' 'go perft 3'
       assay --help | --version

Additional UCI commands:
  d                  show the position
  eval               show the evaluation terms
  go perft N         count the leaf nodes below each move
  bench [DEPTH [THREADS]]
                     search fixed positions of every game; print node counts (a signature with one thread) and times
  genfens N seed S book <None|FILE> [variant NAME] [plies P]
                     print N random balanced positions for OpenBench
Games: setoption name UCI_Variant value NAME. To play your own, first load it: setoption name VariantPath value FILE.
Evaluation: setoption name EvalFile value FILE, where FILE is a weights file (TOML) or a network file. The value <linear>
selects the default weights without a network, <empty> the default evaluation.
Named start positions: position fen 14 (apothecary2), with a handicap: position fen 14+pawn:e4.
";

/// Exit status for invalid arguments.
const MISUSE: u8 = 2;
/// Exit status after a panic, as in the Rust runtime.
const PANIC: i32 = 101;

fn main() -> ExitCode {
    if let Err(error) = assay_engine::check_processor() {
        eprintln!("assay: {error}");
        return ExitCode::from(MISUSE);
    }
    // If only the panicking thread ended, the engine and the GUI would wait forever.
    let print_panic = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        print_panic(info);
        process::exit(PANIC);
    }));
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    match arguments.first().map(String::as_str) {
        None => run(io::stdin()),
        Some("xboard") if arguments.len() == 1 => run("xboard\n".as_bytes().chain(io::stdin())),
        Some("xboard") => {
            eprintln!("assay: found `{}` after `xboard`, expected nothing", arguments[1]);
            ExitCode::from(MISUSE)
        }
        Some("--help" | "-h" | "help") => print(HELP),
        Some("--version" | "-V") => print(&format!("{}\n", protocol::ENGINE_NAME)),
        // Words of one command, or one command per argument, as OpenBench passes them.
        Some(_) if arguments.iter().any(|argument| argument.contains(char::is_whitespace)) => run_commands(&arguments),
        Some(_) => run_commands(&[arguments.join(" ")]),
    }
}

/// Runs the protocol of the input.
fn run(input: impl Read + Send + 'static) -> ExitCode {
    match protocol::run(input, io::stdout(), io::stdin().is_terminal()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("assay: standard input: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Standard output that ends the program when it cannot be written: quietly if its reader is gone.
struct CheckedStdout;

impl CheckedStdout {
    fn checked<T>(result: io::Result<T>) -> T {
        result.unwrap_or_else(|error| {
            if error.kind() == io::ErrorKind::BrokenPipe {
                process::exit(0);
            }
            eprintln!("assay: standard output: {error}");
            process::exit(MISUSE.into())
        })
    }
}

impl Write for CheckedStdout {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        Ok(CheckedStdout::checked(io::stdout().write(text)))
    }

    fn flush(&mut self) -> io::Result<()> {
        CheckedStdout::checked(io::stdout().flush());
        Ok(())
    }
}

fn run_commands(commands: &[String]) -> ExitCode {
    if protocol::run_commands(commands, CheckedStdout, io::stderr()) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(MISUSE)
    }
}

fn print(text: &str) -> ExitCode {
    CheckedStdout::checked(io::stdout().write_all(text.as_bytes()));
    ExitCode::SUCCESS
}
