//! The engine's program, driven through its input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Limit for what should take milliseconds, on a machine that is busy with other work.
const DEADLINE: Duration = Duration::from_mins(1);

pub(crate) struct Engine {
    pub(crate) process: Child,
    /// `None` after the input has been closed.
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Engine {
    pub(crate) fn start() -> Engine {
        Engine::spawn(&mut Command::new(env!("CARGO_BIN_EXE_assay")))
    }

    pub(crate) fn spawn(command: &mut Command) -> Engine {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let lines = output.lines().map_while(Result::ok);
            lines.take_while(|line| sender.send(line.clone()).is_ok()).for_each(drop);
        });
        Engine { input: process.stdin.take(), process, output: receiver }
    }

    pub(crate) fn send(&mut self, line: &str) {
        // The engine may have exited.
        let _ = writeln!(self.input.as_mut().unwrap(), "{line}");
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Returns the next line that starts with `start`.
    pub(crate) fn wait_for_line(&mut self, start: &str) -> String {
        let mut seen = Vec::new();
        let end = Instant::now() + DEADLINE;
        loop {
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) if line.starts_with(start) => return line,
                Ok(line) => seen.push(line),
                Err(error) => panic!("`{start}`: {error}; {seen:#?}"),
            }
        }
    }

    /// CPU time of all threads of the engine. Unlike elapsed time, it does not count what other
    /// processes of a busy machine use. `None` on systems other than Linux.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.process.id())).ok()?;
        let nanoseconds = tasks
            .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok())
            .filter_map(|text| text.split(' ').next()?.parse::<u64>().ok())
            .sum();
        Some(Duration::from_nanos(nanoseconds))
    }

    /// Waits until the engine has computed for 20 ms.
    pub(crate) fn wait_until_busy(&self) {
        let Some(start) = self.cpu_time() else {
            return thread::sleep(Duration::from_millis(300));
        };
        let end = Instant::now() + DEADLINE;
        while self.cpu_time() < Some(start + Duration::from_millis(20)) {
            assert!(Instant::now() < end, "the engine does not compute anything");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until the engine exits by itself.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let end = Instant::now() + DEADLINE;
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "the engine does not exit");
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
