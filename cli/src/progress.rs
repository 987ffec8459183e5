//! Progress of a long command on standard error.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::{format, output};

/// Time between two lines where standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Time between two redraws of the bar.
const TICK: Duration = Duration::from_millis(200);

/// Progress of a long command on standard error: a bar with rate and time left on a terminal, else a plain line every 30
/// seconds, such as `1,200/5,000 games, 24.1/s, 2m38s left, White +600 =300 -300`.
///
/// Methods take `&self` and may be called from several threads. Dropping it removes the bar.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Items finished by an earlier call, which do not count toward the rate.
    resumed: Arc<AtomicU64>,
    /// Prints lines until dropped; `None` on a terminal.
    _reporter: Option<Reporter>,
}

impl Progress {
    /// Progress toward `total` items; `unit` is their noun in the plural (`games`).
    ///
    /// # Panics
    /// Never: the template is well formed.
    pub fn new(total: u64, unit: &'static str) -> Progress {
        let style = ProgressStyle::with_template("[{bar:30}] {numbers}  {msg}").expect("the template is well formed");
        let resumed = Arc::new(AtomicU64::new(0));
        let before = Arc::clone(&resumed);
        let style = style.progress_chars("=> ").with_key(
            "numbers",
            move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let numbers = Numbers {
                    done: state.pos(),
                    total: state.len(),
                    resumed: before.load(Ordering::Relaxed),
                    elapsed: state.elapsed(),
                };
                // There is no other place to report a failure.
                let _ = out.write_str(&numbers.line(unit, ""));
            },
        );
        Progress::start(Some(total), unit, style, resumed)
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

    /// Progress that is never shown and starts no thread, for work that is too short to report.
    pub fn hidden() -> Progress {
        Progress {
            bar: ProgressBar::hidden(),
            resumed: Arc::default(),
            _reporter: None,
        }
    }

    fn start(total: Option<u64>, unit: &'static str, style: ProgressStyle, resumed: Arc<AtomicU64>) -> Progress {
        let is_terminal = stderr().is_terminal();
        let target = if is_terminal {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(total, target).with_style(style);
        let reporter = if is_terminal {
            bar.enable_steady_tick(TICK);
            None
        } else {
            Some(Reporter::start(bar.clone(), unit, Arc::clone(&resumed)))
        };
        Progress {
            bar,
            resumed,
            _reporter: reporter,
        }
    }

    /// Counts `done` items as finished by an earlier call: they are shown but do not count toward the rate.
    pub fn resume_at(&self, done: u64) {
        self.resumed.store(done, Ordering::Relaxed);
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
    /// `1,200/5,000 games, 24.1/s, 2m38s left, MESSAGE`; no rate before an item is finished.
    fn line(&self, unit: &str, message: &str) -> String {
        let mut parts = Vec::new();
        if let Some(total) = self.total {
            parts.push(format!(
                "{}/{} {unit}",
                format::grouped(self.done),
                format::grouped(total)
            ));
            let rate = format::per_second(self.done.saturating_sub(self.resumed), self.elapsed);
            if rate > 0.0 {
                let seconds = total.saturating_sub(self.done) as f64 / rate;
                // Capped at a century, which keeps the conversion from overflowing.
                let left = Duration::from_secs_f64(seconds.min(3.2e9));
                parts.push(format!("{}/s", format::rate(rate)));
                parts.push(format!("{} left", format::duration(left)));
            }
        }
        if !message.is_empty() {
            parts.push(message.to_owned());
        }
        parts.join(", ")
    }
}

/// A thread that prints a line every [`LINE_INTERVAL`].
#[derive(Debug)]
struct Reporter {
    /// Disconnected to end the thread.
    running: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Reporter {
    fn start(bar: ProgressBar, unit: &'static str, resumed: Arc<AtomicU64>) -> Reporter {
        let (running, ended) = mpsc::channel();
        let work = move || {
            while ended.recv_timeout(LINE_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let numbers = Numbers {
                    done: bar.position(),
                    total: bar.length(),
                    resumed: resumed.load(Ordering::Relaxed),
                    elapsed: bar.elapsed(),
                };
                output::note(numbers.line(unit, &bar.message()));
            }
        };
        // Without a thread no lines are printed; the work goes on.
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(work).ok();
        Reporter {
            running: Some(running),
            thread,
        }
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
        let mut numbers = Numbers {
            done: 1_200,
            total: Some(5_000),
            resumed: 0,
            elapsed: Duration::from_secs(50),
        };
        assert_eq!(numbers.line("games", ""), "1,200/5,000 games, 24.0/s, 2m38s left");
        assert_eq!(
            numbers.line("games", "White +1"),
            "1,200/5,000 games, 24.0/s, 2m38s left, White +1"
        );
        numbers.resumed = 1_200;
        assert_eq!(numbers.line("games", ""), "1,200/5,000 games");
        numbers.resumed = 1_150;
        assert_eq!(numbers.line("games", ""), "1,200/5,000 games, 1.00/s, 1h03m left");
    }

    #[test]
    fn line_without_total_is_the_message() {
        let numbers = Numbers {
            done: 0,
            total: None,
            resumed: 0,
            elapsed: Duration::from_secs(50),
        };
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
