//! Progress of a long command on standard error.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde::Serialize;

use crate::{format, output};

/// Interval of plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Interval of JSON lines.
const JSON_INTERVAL: Duration = Duration::from_secs(10);

/// Interval of redraws of the bar.
const TICK: Duration = Duration::from_millis(200);

/// How the whole program shows progress.
static MODE: OnceLock<ProgressMode> = OnceLock::new();

/// How progress is shown on standard error.
#[expect(clippy::doc_markdown, reason = "texts of --help")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// A bar on a terminal, else plain lines
    #[default]
    Auto,
    /// A bar; only on a terminal
    Bar,
    /// A line every 30 seconds
    Plain,
    /// A JSON object per line, every 10 seconds and at the end: done, total, per_second,
    /// seconds_left
    Json,
    /// No progress; warnings and errors only
    None,
}

impl ProgressMode {
    /// Sets how the whole program shows progress; see [`ProgressArg`](crate::args::ProgressArg).
    pub(crate) fn apply(self) -> Result<()> {
        ensure!(
            self != ProgressMode::Bar || stderr().is_terminal(),
            "--progress bar: standard error is not a terminal, expected auto, plain, json or none"
        );
        if self == ProgressMode::Json {
            output::print_notes_as_json();
        }
        // A second call comes from a test of another command in this process.
        let _ = MODE.set(self);
        Ok(())
    }

    /// The mode of this program, with `Auto` resolved.
    fn current() -> ProgressMode {
        match MODE.get().copied().unwrap_or_default() {
            ProgressMode::Auto if stderr().is_terminal() => ProgressMode::Bar,
            ProgressMode::Auto => ProgressMode::Plain,
            mode => mode,
        }
    }
}

/// Progress of a long command on standard error: a bar with rate and time left on a terminal, else
/// a plain line every 30 seconds, such as `1,200/5,000 games, 24.1/s, 2m38s left, White +600 =300
/// -300`; with `--progress`, as [`ProgressMode`] says.
///
/// Methods take `&self` and may be called from several threads. Dropping it removes the bar.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    extra: Arc<ExtraState>,
    /// Prints lines until dropped; `None` on a terminal.
    reporter: Option<Reporter>,
}

/// State that the bar does not hold.
#[derive(Debug, Default)]
struct ExtraState {
    /// Items finished by an earlier call, which do not count toward the rate.
    resumed: AtomicU64,
    /// Half-width of the widest confidence interval so far, and its unit.
    precision: Mutex<Option<(f64, &'static str)>>,
}

impl Progress {
    /// Progress toward `total` items; `unit` is their noun in the plural (`games`).
    ///
    /// # Panics
    /// Never: the template is well formed.
    pub fn new(total: u64, unit: &'static str) -> Progress {
        // The prefix has the lines of a table, each after a line break.
        let style =
            ProgressStyle::with_template("[{bar:30}] {numbers}  {msg}{prefix}").expect("the template is well formed");
        let extra = Arc::<ExtraState>::default();
        let before = Arc::clone(&extra);
        let style = style.progress_chars("=> ").with_key(
            "numbers",
            move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let numbers = Numbers {
                    done: state.pos(),
                    total: state.len(),
                    resumed: before.resumed.load(Ordering::Relaxed),
                    elapsed: state.elapsed(),
                };
                // There is no other place to report a failure.
                let _ = out.write_str(&numbers.line(unit, ""));
            },
        );
        Progress::start(Some(total), unit, style, extra)
    }

    /// Progress of work of unknown length: the message, with a spinner on a terminal.
    ///
    /// # Panics
    /// Never: the template is well formed.
    pub fn spinner(message: impl Into<String>) -> Progress {
        let style = ProgressStyle::with_template("{spinner} {msg}").expect("the template is well formed");
        let progress = Progress::start(None, "", style, Arc::default());
        progress.set_message(message);
        progress
    }

    fn start(total: Option<u64>, unit: &'static str, style: ProgressStyle, extra: Arc<ExtraState>) -> Progress {
        let mode = ProgressMode::current();
        let target =
            if mode == ProgressMode::Bar { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(total, target).with_style(style);
        let reporter = match mode {
            ProgressMode::Auto | ProgressMode::Bar => {
                bar.enable_steady_tick(TICK);
                None
            }
            ProgressMode::Plain | ProgressMode::Json => {
                let (bar, extra, is_json) = (bar.clone(), Arc::clone(&extra), mode == ProgressMode::Json);
                let interval = if is_json { JSON_INTERVAL } else { LINE_INTERVAL };
                let print = move || {
                    let (numbers, message) = (Numbers::of(&bar, &extra), bar.message());
                    if is_json {
                        let precision = extra.precision.lock().map_or(None, |precision| *precision);
                        output::json_note(&numbers.json(unit, &message, precision));
                    } else {
                        output::note(numbers.line(unit, &message));
                    }
                };
                Some(Reporter::start(interval, is_json, print))
            }
            ProgressMode::None => None,
        };
        Progress { bar, extra, reporter }
    }

    /// Counts `done` items as finished by an earlier call: they are shown but do not count toward
    /// the rate.
    pub fn resume_at(&self, done: u64) {
        self.extra.resumed.store(done, Ordering::Relaxed);
        self.bar.set_position(done);
        self.bar.reset_elapsed();
    }

    /// Sets the number of finished items.
    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// Adds `delta` finished items.
    pub fn inc(&self, delta: u64) {
        self.bar.inc(delta);
    }

    /// Changes the total number of items.
    pub fn set_total(&self, total: u64) {
        self.bar.set_length(total);
    }

    /// Sets the text after the numbers.
    pub fn set_message(&self, message: impl Into<String>) {
        self.bar.set_message(output::printable(&message.into()).into_owned());
    }

    /// Sets the half-width of the widest 95% interval so far, in `unit` (`Elo`, `pawns`); infinite
    /// if nothing is known yet. It is part of the JSON; a message for people may say more.
    pub fn set_precision(&self, half_width: f64, unit: &'static str) {
        if let Ok(mut precision) = self.extra.precision.lock() {
            *precision = Some((half_width, unit));
        }
    }

    /// Shows lines below the bar, redrawn in place; nothing if standard error is not a terminal.
    pub fn set_table(&self, lines: impl std::fmt::Display) {
        let lines: String = lines.to_string().lines().map(|line| format!("\n{}", output::printable(line))).collect();
        self.bar.set_prefix(lines);
    }

    /// Prints a line on standard error, above the bar if there is one.
    pub fn println(&self, line: impl std::fmt::Display) {
        if self.bar.is_hidden() {
            output::note(line);
        } else {
            self.bar.println(output::printable(&line.to_string()));
        }
    }

    /// Prints a line above the bar; nothing if standard error is not a terminal.
    pub fn print_header(&self, line: impl std::fmt::Display) {
        if !self.bar.is_hidden() {
            self.bar.println(output::printable(&line.to_string()));
        }
    }

    /// Removes the bar, or stops printing lines. Call it before printing results.
    pub fn finish(self) {
        drop(self);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.reporter = None;
        self.bar.finish_and_clear();
    }
}

/// State of the work so far.
struct Numbers {
    done: u64,
    total: Option<u64>,
    resumed: u64,
    elapsed: Duration,
}

impl Numbers {
    fn of(bar: &ProgressBar, extra: &ExtraState) -> Numbers {
        Numbers {
            done: bar.position(),
            total: bar.length(),
            resumed: extra.resumed.load(Ordering::Relaxed),
            elapsed: bar.elapsed(),
        }
    }

    /// Items per second of this call; `None` before the first one is finished.
    fn rate(&self) -> Option<f64> {
        let rate = format::per_second(self.done.saturating_sub(self.resumed), self.elapsed);
        (rate > 0.0).then_some(rate)
    }

    fn time_left(&self) -> Option<Duration> {
        let seconds = self.total?.saturating_sub(self.done) as f64 / self.rate()?;
        // Capped at a century, which keeps the conversion from overflowing.
        Some(Duration::from_secs_f64(seconds.min(3.2e9)))
    }

    /// `1,200/5,000 games, 24.1/s, 2m38s left, MESSAGE`; no rate before an item is finished.
    fn line(&self, unit: &str, message: &str) -> String {
        let mut parts = Vec::new();
        if let Some(total) = self.total {
            parts.push(format!("{}/{} {unit}", format::grouped(self.done), format::grouped(total)));
            if let Some(rate) = self.rate() {
                parts.push(format!("{}/s", format::rate(rate)));
            }
            // At the end, what is left is not in the numbers.
            if let Some(left) = self.time_left().filter(|left| !left.is_zero()) {
                parts.push(format!("{} left", format::duration(left)));
            }
        }
        if !message.is_empty() {
            parts.push(message.to_owned());
        }
        parts.join(", ")
    }

    /// Unknown numbers are `null`.
    fn json<'m>(&self, unit: &'m str, message: &'m str, precision: Option<(f64, &'m str)>) -> JsonLine<'m> {
        let text = |text: &'m str| Some(text).filter(|text| !text.is_empty());
        JsonLine {
            done: self.total.map(|_| self.done),
            total: self.total,
            unit: text(unit),
            elapsed_seconds: self.elapsed.as_secs_f64(),
            per_second: self.rate(),
            seconds_left: self.time_left().map(|left| left.as_secs_f64()),
            precision: precision.map(|(half_width, _)| half_width),
            precision_unit: precision.map(|(_, unit)| unit),
            message: text(message),
        }
    }
}

/// A line of JSON. `serde_json` writes infinite numbers as `null`.
#[derive(Serialize)]
struct JsonLine<'m> {
    done: Option<u64>,
    total: Option<u64>,
    unit: Option<&'m str>,
    elapsed_seconds: f64,
    per_second: Option<f64>,
    seconds_left: Option<f64>,
    /// Half-width of the widest 95% interval.
    precision: Option<f64>,
    precision_unit: Option<&'m str>,
    message: Option<&'m str>,
}

/// A thread that prints a line at a fixed interval.
#[derive(Debug)]
struct Reporter {
    /// Disconnected to end the thread.
    running: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Reporter {
    fn start(interval: Duration, at_end: bool, print: impl Fn() + Send + 'static) -> Reporter {
        let (running, ended) = mpsc::channel();
        let work = move || {
            while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                print();
            }
            if at_end {
                print();
            }
        };
        // If the thread cannot be started, no lines are printed; that is not an error.
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(work).ok();
        Reporter { running: Some(running), thread }
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        self.running = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_shows_numbers_rate_and_time_left() {
        let mut numbers = Numbers { done: 1_200, total: Some(5_000), resumed: 0, elapsed: Duration::from_secs(50) };
        assert_eq!(numbers.line("games", ""), "1,200/5,000 games, 24.0/s, 2m38s left");
        assert_eq!(numbers.line("games", "White +1"), "1,200/5,000 games, 24.0/s, 2m38s left, White +1");
        numbers.resumed = 1_200;
        assert_eq!(numbers.line("games", ""), "1,200/5,000 games");
        let end = Numbers { done: 5_000, total: Some(5_000), resumed: 0, elapsed: Duration::from_secs(50) };
        assert_eq!(end.line("KiB", ""), "5,000/5,000 KiB, 100/s");
        numbers.resumed = 1_150;
        assert_eq!(numbers.line("games", ""), "1,200/5,000 games, 1.00/s, 1h03m left");
    }

    #[test]
    fn json_has_the_same_numbers() {
        let numbers = Numbers { done: 1_200, total: Some(5_000), resumed: 200, elapsed: Duration::from_secs(50) };
        assert_eq!(
            serde_json::to_string(&numbers.json("games", "White +1", Some((12.5, "Elo")))).unwrap(),
            r#"{"done":1200,"total":5000,"unit":"games","elapsed_seconds":50.0,"per_second":20.0,"seconds_left":190.0,"#
                .to_owned() + r#""precision":12.5,"precision_unit":"Elo","message":"White +1"}"#
        );
        let unknown = Numbers { done: 0, total: None, ..numbers };
        assert_eq!(
            serde_json::to_string(&unknown.json("", "reading", Some((f64::INFINITY, "Elo")))).unwrap(),
            r#"{"done":null,"total":null,"unit":null,"elapsed_seconds":50.0,"per_second":null,"seconds_left":null,"#
                .to_owned()
                + r#""precision":null,"precision_unit":"Elo","message":"reading"}"#
        );
    }

    #[test]
    fn line_without_total_is_the_message() {
        let numbers = Numbers { done: 0, total: None, resumed: 0, elapsed: Duration::from_secs(50) };
        assert_eq!(numbers.line("", "reading games"), "reading games");
    }

    #[test]
    fn counts_from_several_threads() {
        let progress = Progress::new(400, "games");
        progress.resume_at(100);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| (0..100).for_each(|_| progress.inc(1)));
            }
        });
        assert_eq!(progress.bar.position(), 400);
        progress.finish();
    }
}
