//! Exit status, and errors as one line.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::{interrupt, output};

/// Exit status of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: everything was done, and everything agrees.
    Success,
    /// 1: something differs, is incomplete or failed a check; the output says what.
    Differs,
    /// 2: the command line or an input was invalid, or a system call failed. [`run`] returns it for
    /// every error.
    Misuse,
    /// 3: a test has not reached a verdict yet.
    Undecided,
    /// 4: a match was abandoned because an engine kept failing; it has no result.
    Abandoned,
    /// 130: stopped by a signal such as Ctrl-C; finished results have been printed. [`run`] returns
    /// it after every signal.
    Interrupted,
}

impl Exit {
    /// [`Exit::Success`] if `agrees`, else [`Exit::Differs`].
    pub fn success_if(agrees: bool) -> Exit {
        if agrees { Exit::Success } else { Exit::Differs }
    }

    /// The number returned to the operating system.
    pub fn status(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Differs => 1,
            Exit::Misuse => 2,
            Exit::Undecided => 3,
            Exit::Abandoned => 4,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.status())
    }
}

/// Runs a program's command and turns its result into an exit status.
///
/// An error is printed as one line on standard error, with status 2; what clap reports, as clap
/// prints it: a usage error with status 2, help or the version with status 0. A closed pipe
/// (`program | head`) is a success. After a signal, the status is [`Exit::Interrupted`], because
/// the signal may have caused an error or an incomplete result; only [`Exit::Differs`] takes
/// precedence.
pub fn run(command: impl FnOnce() -> Result<Exit>) -> ExitCode {
    interrupt::handle_signals(Exit::Interrupted.status());
    let exit = match command() {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => Exit::Success,
        Err(error) => match error.downcast::<clap::Error>() {
            Ok(usage) => print_usage(&with_new_name(usage)),
            Err(error) => {
                output::note(error_line(&error));
                Exit::Misuse
            }
        },
    };
    match exit {
        Exit::Differs => Exit::Differs.into(),
        _ if interrupt::requested() => Exit::Interrupted.into(),
        exit => exit.into(),
    }
}

/// Former names of options, with the present ones.
const RENAMED: [(&str, &str); 2] = [("--out", "--data"), ("--report", "--html")];

/// Lets an error about an option that had another name suggest the present one.
fn with_new_name(mut usage: clap::Error) -> clap::Error {
    let renamed = |old: &str| RENAMED.into_iter().find(|renamed| renamed.0 == old);
    if let Some(ContextValue::String(found)) = usage.get(ContextKind::InvalidArg)
        && usage.kind() == ErrorKind::UnknownArgument
        && let Some((_, new)) = renamed(found)
    {
        usage.insert(ContextKind::SuggestedArg, ContextValue::String(new.to_owned()));
        usage.remove(ContextKind::Suggested);
    }
    usage
}

/// Prints what clap has to say: help or the version on standard output, or a usage error.
fn print_usage(usage: &clap::Error) -> Exit {
    let printed = usage.print().and_then(|()| io::stdout().flush());
    if usage.use_stderr() {
        return Exit::Misuse;
    }
    match printed.context("standard output") {
        Err(error) if !is_broken_pipe(&error) => {
            output::note(error_line(&error));
            Exit::Misuse
        }
        _ => Exit::Success,
    }
}

/// `error: ` and the text of the error.
pub fn error_line(error: &anyhow::Error) -> String {
    format!("error: {}", error_text(error))
}

/// The chain of causes on one line, each text once, control characters escaped.
pub fn error_text(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    output::escaped(&text).into_owned()
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut io_errors = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    io_errors.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn joins_causes_and_prints_each_text_once() {
        let io = || io::Error::from(io::ErrorKind::PermissionDenied);
        let plain = anyhow::Error::from(io()).context("--out a.db").context("cannot start");
        assert_eq!(error_line(&plain), "error: cannot start: --out a.db: permission denied");
        // This error repeats its cause, as many `thiserror` enums do.
        let repeated = anyhow::Error::from(io()).context("a.db: permission denied");
        assert_eq!(error_line(&repeated), "error: a.db: permission denied");
    }

    #[test]
    fn error_is_one_line_without_control_characters() {
        let error = anyhow!("unknown game `a\u{1b}[31m\nb\u{202e}c`");
        assert_eq!(error_line(&error), r"error: unknown game `a\u{1b}[31m\nb\u{202e}c`");
    }

    #[test]
    fn finds_a_broken_pipe_below_other_errors() {
        let broken = Err::<(), _>(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(is_broken_pipe(&broken.context("cannot print").unwrap_err()));
        assert!(!is_broken_pipe(&anyhow!("broken pipe")));
    }
}
