//! A program in a process of its own: lines in, lines out, and certainly gone at the end.
//!
//! Three threads stand between the program and us: one writes, so that a program that does not read cannot stop us; one reads
//! its output, cutting lines that are too long, and notes when each line came; one drains its error output and keeps the last
//! lines. All memory is bounded, whatever the program writes.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes of a line that are kept.
const MOST_LINE: usize = 1 << 16;

/// Lines that may wait to be read by us; a program that writes more has to wait.
const BACKLOG: usize = 1024;

/// Lines of the error output that are kept, and bytes of each.
const LOG_LINES: usize = 20;
const LOG_LINE: usize = 500;

/// How long a program may take to end after `quit`.
const GOODBYE: Duration = Duration::from_millis(500);

/// A line that the program wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its text; what is no UTF-8 is replaced.
    pub text: String,
    /// When its end came.
    pub at: Instant,
}

/// What came of waiting for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line.
    Line(Line),
    /// Nothing in that time.
    Nothing,
    /// The output is closed.
    End,
}

/// A running program. Dropping it ends it, with everything that it started in its process group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// `None` once it is told to end.
    input: Option<Sender<String>>,
    output: Receiver<Line>,
    log: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected when the error output has been read to its end.
    log_end: Receiver<()>,
}

/// The longest to wait for the last words of a program that has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(program: &Path, arguments: &[String], folder: Option<&Path>) -> io::Result<Process> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        bind(&mut command);
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three were asked for")
        };
        let log = Arc::new(Mutex::new(VecDeque::new()));
        let (line_sender, output) = mpsc::sync_channel(BACKLOG);
        let (input, texts) = mpsc::channel();
        let kept = Arc::clone(&log);
        thread::spawn(move || write_all(stdin, &texts));
        thread::spawn(move || read_lines(stdout, &line_sender));
        let (at_end, log_end) = mpsc::channel();
        thread::spawn(move || {
            keep_log(stderr, &kept);
            drop::<Sender<()>>(at_end);
        });
        Ok(Process {
            child,
            input: Some(input),
            output,
            log,
            log_end,
        })
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line. That it did not arrive is seen by the output's end.
    pub fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            // Fails when the program has closed its input; then there is no answer, which is what is reported.
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line, if one comes in time.
    pub fn hear(&self, patience: Duration) -> Heard {
        match self.output.recv_timeout(patience) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Forgets all lines that are waiting.
    pub fn forget(&self) {
        // Bounded, or a program that never stops writing would keep us here.
        for _ in self.output.try_iter().take(4 * BACKLOG) {}
    }

    /// The last lines of its error output.
    pub fn log(&self) -> Vec<String> {
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .cloned()
            .collect()
    }

    /// How it ended, if it has ended within a moment. Its error output has then been read to the end.
    pub fn status(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while !self.has_ended() {
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.end_group();
        // What it wrote at its end may still be on its way.
        let _ = self.log_end.recv_timeout(LAST_WORDS);
        self.child.wait().ok()
    }

    /// Has it ended? It is left to be waited for, so that its number stays its own until its group is gone as well.
    #[cfg(unix)]
    fn has_ended(&self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let Some(pid) = group(&self.child) else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        // An error means that it has been waited for already.
        !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills everything in the program's group.
    #[cfg(unix)]
    fn end_group(&self) {
        if let Some(group) = group(&self.child) {
            // Fails when everything has ended already, which is what is wanted.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }

    #[cfg(not(unix))]
    fn end_group(&self) {}
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        if self.status(GOODBYE).is_none() {
            self.end_group();
            // Fails when it has ended already.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(unix)]
fn group(child: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
}

/// Puts the program into a group of its own, so that Ctrl-C reaches us alone and its children end with it, and lets the
/// system end it when we are killed without a chance to do so.
#[cfg(unix)]
fn bind(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        let parent = rustix::process::getpid();
        let die_with_us = move || {
            use rustix::process::{Signal, getppid, set_parent_process_death_signal};
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // We may have been killed before the line above.
            if getppid() == Some(parent) {
                Ok(())
            } else {
                Err(io::Error::other("the match runner is gone"))
            }
        };
        // SAFETY: between fork and exec only async-signal-safe calls are allowed: these are two bare system calls, and
        // nothing allocates, locks or unwinds on the way that is taken.
        unsafe {
            command.pre_exec(die_with_us);
        }
    }
}

#[cfg(not(unix))]
fn bind(_command: &mut Command) {}

fn write_all(mut stdin: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &SyncSender<Line>) {
    each_line(BufReader::new(stdout), MOST_LINE, |bytes| {
        let text = String::from_utf8_lossy(bytes).trim().to_owned();
        let at = Instant::now();
        lines.send(Line { text, at }).is_ok()
    });
}

fn keep_log(stderr: ChildStderr, log: &Mutex<VecDeque<String>>) {
    each_line(BufReader::new(stderr), LOG_LINE, |bytes| {
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        if log.len() == LOG_LINES {
            log.pop_front();
        }
        log.push_back(String::from_utf8_lossy(bytes).trim_end().to_owned());
        true
    });
}

/// Calls `take` with each line, of which at most `most` bytes are kept, until there are no more or it says no.
fn each_line(mut reader: BufReader<impl Read>, most: usize, mut take: impl FnMut(&[u8]) -> bool) {
    let mut line = Vec::new();
    loop {
        let (used, complete) = match reader.fill_buf() {
            Ok([]) => break,
            Ok(bytes) => {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                let part = &bytes[..end.unwrap_or(bytes.len())];
                line.extend_from_slice(&part[..part.len().min(most - line.len())]);
                (end.map_or(bytes.len(), |end| end + 1), end.is_some())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        reader.consume(used);
        if complete {
            if !take(&line) {
                return;
            }
            line.clear();
        }
    }
    if !line.is_empty() {
        take(&line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8], most: usize) -> Vec<String> {
        let mut lines = Vec::new();
        each_line(BufReader::with_capacity(3, bytes), most, |line| {
            lines.push(String::from_utf8_lossy(line).into_owned());
            true
        });
        lines
    }

    #[test]
    fn lines_are_cut_not_collected() {
        assert_eq!(lines(b"one\ntwo", 10), ["one", "two"]);
        assert_eq!(lines(b"a very long line\nand\n\n", 6), ["a very", "and", ""]);
        assert_eq!(lines(b"\xff\xfe\n", 6), ["\u{fffd}\u{fffd}"]);
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_heard_and_end() {
        let script = "echo hello; read word; echo got $word; echo oops >&2; sleep 1000";
        let process = Process::start(Path::new("/bin/sh"), &["-c".to_owned(), script.to_owned()], None).unwrap();
        let hear = || match process.hear(Duration::from_secs(20)) {
            Heard::Line(line) => line.text,
            other => panic!("{other:?}"),
        };
        assert_eq!(hear(), "hello");
        process.send("word");
        assert_eq!(hear(), "got word");
        let deadline = Instant::now() + Duration::from_secs(20);
        while process.log().is_empty() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(process.log(), ["oops"]);
        let group = group(&process.child).unwrap();
        drop(process);
        // The shell and the `sleep` that it started are gone, or going: a killed process may be there for a moment.
        let gone = || rustix::process::test_kill_process_group(group).is_err();
        while !gone() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        assert!(gone());
    }

    #[cfg(unix)]
    #[test]
    fn the_end_is_told_with_its_status() {
        let mut process = Process::start(Path::new("/bin/sh"), &["-c".to_owned(), "exit 3".to_owned()], None).unwrap();
        assert_eq!(process.hear(Duration::from_secs(20)), Heard::End);
        assert_eq!(
            process.status(Duration::from_secs(20)).and_then(|status| status.code()),
            Some(3)
        );
        assert!(Process::start(Path::new("/no/such/program"), &[], None).is_err());
    }
}
