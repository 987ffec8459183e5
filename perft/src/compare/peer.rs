//! A program that speaks UCI and answers `go perft`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::interrupt;

/// How often a wait looks whether somebody wants to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// A running program. It is ended when this is dropped, with everything that it started.
pub struct Peer {
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    timeout: Duration,
    asked: String,
}

/// Which rules the program shall play by.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// The name of the game there (`UCI_Variant`).
    pub variant: String,
    /// A file of definitions that it shall read first (`VariantPath`).
    pub variant_path: Option<String>,
}

impl Peer {
    /// Starts `command` (words with blanks between; quotes keep a word together) and makes it ready for the game.
    ///
    /// # Errors
    /// When the command cannot be started, does not speak UCI, does not know the game, or does not answer in time.
    pub fn start(command: &str, dialect: &Dialect, timeout: Duration) -> Result<Peer> {
        let words = shell_words::split(command).with_context(|| format!("--against `{command}`"))?;
        let (program, arguments) = words.split_first().context("--against: no command")?;
        let mut process = Command::new(program);
        process
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // A group of its own, so that a script's children end with it, and Ctrl-C reaches us first.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        let mut child = process
            .spawn()
            .with_context(|| format!("--against: cannot start `{program}`"))?;
        let input = child.stdin.take().context("the program has no input")?;
        let output = child.stdout.take().context("the program has no output")?;
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut peer = Peer {
            name: program.clone(),
            child,
            input,
            lines,
            timeout,
            asked: "its start".to_owned(),
        };
        peer.prepare(dialect)?;
        Ok(peer)
    }

    fn prepare(&mut self, dialect: &Dialect) -> Result<()> {
        let mut greeting = self.ask("uci", |line| line == "uciok")?;
        if let Some(path) = &dialect.variant_path {
            self.send(&format!("setoption name VariantPath value {path}"))?;
            // The list of games is told again, now with those of the file.
            greeting = self.ask("uci", |line| line == "uciok")?;
        }
        let option = greeting
            .iter()
            .find(|line| line.starts_with("option name UCI_Variant "));
        let known: Vec<&str> = option
            .map(|line| line.split(" var ").skip(1).map(str::trim).collect())
            .unwrap_or_default();
        if known.is_empty() {
            ensure!(
                dialect.variant == "chess",
                "`{}` plays chess only (it has no option UCI_Variant), expected one that knows {}",
                self.name,
                dialect.variant
            );
        } else {
            ensure!(
                known.contains(&dialect.variant.as_str()),
                "`{}` does not know the game `{}`: expected --variant with one of its {} games, or --variant-path with a file that defines it",
                self.name,
                dialect.variant,
                known.len()
            );
            // `uci` has set the game back, so this comes after it; the position is set anew with each question.
            self.send(&format!("setoption name UCI_Variant value {}", dialect.variant))?;
        }
        self.ask("isready", |line| line == "readyok")?;
        Ok(())
    }

    /// Perft by root moves, in the program's own move text, sorted.
    ///
    /// # Errors
    /// When the program dies, does not answer in time, or answers nonsense.
    pub fn divide(&mut self, fen: &str, depth: u32) -> Result<Vec<(String, u64)>> {
        self.send(&format!("position fen {fen}"))?;
        // Counting runs beside the program's reading of commands, so nothing is sent before the last line has come.
        let answer = self
            .ask(&format!("go perft {depth}"), |line| line.starts_with("Nodes searched"))
            .with_context(|| format!("at {fen}"))?;
        let mut rows: Vec<(String, u64)> = answer
            .iter()
            .filter_map(|line| {
                let (mv, count) = line.split_once(": ")?;
                let mv = mv.trim();
                let is_move = !mv.is_empty() && !mv.contains(' ') && mv != "Nodes";
                Some((mv.to_owned(), count.trim().parse().ok()?)).filter(|_| is_move)
            })
            .collect();
        rows.sort();
        let total = answer
            .last()
            .and_then(|line| line.rsplit(':').next())
            .and_then(|text| text.trim().parse::<u64>().ok());
        let sum = rows.iter().map(|(_, count)| count).sum::<u64>();
        ensure!(
            total == Some(sum),
            "`{}`, asked for perft {depth} of {fen}: its moves sum up to {sum}, its total says `{}`",
            self.name,
            answer.last().map_or("", String::as_str)
        );
        Ok(rows)
    }

    fn send(&mut self, line: &str) -> Result<()> {
        self.asked = format!("`{line}`");
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|error| self.died(&error.to_string()))
    }

    /// Sends a line and gives every line up to the one that `last` knows.
    fn ask(&mut self, line: &str, last: impl Fn(&str) -> bool) -> Result<Vec<String>> {
        self.send(line)?;
        let deadline = Instant::now() + self.timeout;
        let mut answer = Vec::new();
        loop {
            match self.lines.recv_timeout(GLANCE) {
                Ok(line) => {
                    let line = line.trim_end().to_owned();
                    let done = last(&line);
                    answer.push(line);
                    if done {
                        return Ok(answer);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.died("it closed its output")),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if interrupt::requested() {
                bail!(Interrupted);
            }
            if Instant::now() >= deadline {
                bail!(
                    "`{}` gave no answer to {} within {} s (--timeout)",
                    self.name,
                    self.asked,
                    self.timeout.as_secs_f64()
                );
            }
        }
    }

    fn died(&mut self, what: &str) -> anyhow::Error {
        // It may close its output a moment before it is gone.
        std::thread::sleep(GLANCE);
        let status = match self.child.try_wait() {
            Ok(Some(status)) => format!("it ended with {status}"),
            _ => what.to_owned(),
        };
        anyhow!("`{}` gave no answer to {}: {status}", self.name, self.asked)
    }
}

/// Somebody wanted to stop while the program was counting.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

impl Drop for Peer {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            // Fails when everything has ended already, which is what is wanted.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
