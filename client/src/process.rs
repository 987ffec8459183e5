//! A child process with lines as input and output, which never outlives its owner.
//!
//! Three threads connect the program to its owner. One writes its input, so that a program that
//! does not read cannot block the owner. One reads its output, truncates long lines and notes when
//! each line arrived. One drains its error output and keeps the last lines. Memory is bounded for
//! any output.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Longer lines are truncated to this many bytes.
const MAX_LINE_BYTES: usize = 1 << 16;

/// Lines buffered for the owner; a program that writes more blocks.
const LINE_BUFFER: usize = 256;

/// Lines of error output that are kept, and the bytes kept of each.
const STDERR_LINES: usize = 20;
const STDERR_LINE_BYTES: usize = 500;

/// Time to exit after `quit` before the program is killed.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Time to read the rest of the error output of a program that has exited.
const STDERR_TIMEOUT: Duration = Duration::from_secs(2);

/// Time to read the rest of the output of a program that has exited while another process holds the
/// pipe.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(100);

/// Environment variable that marks a program and its descendants with a unique value.
const MARK: &str = "ASSAY_ENGINE";

/// A line of a program's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    /// The text without surrounding blanks; invalid UTF-8 is replaced.
    pub text: String,
    /// When the end of the line arrived.
    pub at: Instant,
}

/// A running program. Dropping it sends `quit`, then kills the program together with its process
/// group and, on Linux, with all processes that it started and that have left the group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Set once the program has been waited for: another process may then have its id.
    status: Option<ExitStatus>,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux shows the environment of a process"))]
    mark: String,
    /// `None` after `quit` has been sent.
    input: Option<Sender<String>>,
    output: Receiver<OutputLine>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    /// Disconnects when the error output has been read to its end.
    stderr_closed: Receiver<()>,
}

impl Process {
    /// Starts a program in `folder`, or in the current one.
    ///
    /// # Errors
    /// The operating system's error if the program cannot be started.
    pub fn start(program: &Path, arguments: &[String], folder: Option<&Path>) -> io::Result<Process> {
        static STARTED: AtomicU64 = AtomicU64::new(0);
        // A process id is unique neither over time nor over namespaces.
        let random = RandomState::new().build_hasher().finish();
        let mark = format!("{}-{random:016x}", STARTED.fetch_add(1, Ordering::Relaxed));
        let mut command = Command::new(program);
        command.args(arguments).env(MARK, &mark).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        isolate(&mut command);
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three pipes were requested")
        };
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let (line_sender, output) = mpsc::sync_channel(LINE_BUFFER);
        let (input, texts) = mpsc::channel();
        let kept = Arc::clone(&tail);
        thread::spawn(move || write_all(stdin, &texts));
        thread::spawn(move || read_lines(stdout, &line_sender));
        let (closed_sender, stderr_closed) = mpsc::channel();
        thread::spawn(move || {
            keep_tail(stderr, &kept);
            drop::<Sender<()>>(closed_sender);
        });
        Ok(Process { child, status: None, mark, input: Some(input), output, stderr: tail, stderr_closed })
    }

    /// Sends a line. A failed delivery is reported by the next read as a closed output.
    pub fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            // Fails if the program has closed its input; the missing answer is what gets reported.
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Waits for the next line.
    ///
    /// # Errors
    /// If no line arrived in time, or the program exited or closed its output.
    pub fn read_line(&mut self, timeout: Duration) -> Result<OutputLine, RecvTimeoutError> {
        match self.output.recv_timeout(timeout) {
            // A process that the program started may hold the pipe open after the program has
            // exited.
            Err(RecvTimeoutError::Timeout) if self.has_exited() => {
                let last = self.output.recv_timeout(OUTPUT_TIMEOUT);
                last.map_err(|_| RecvTimeoutError::Disconnected)
            }
            line => line,
        }
    }

    /// The last lines of the program's error output.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Waits for the program to exit. When this returns a status, the error output has been read to
    /// its end.
    pub fn wait_exit(&mut self, timeout: Duration) -> Option<ExitStatus> {
        if self.status.is_some() {
            return self.status;
        }
        let deadline = Instant::now() + timeout;
        while !self.has_exited() {
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.kill_group();
        // The program's last lines may still be in the pipe.
        let _ = self.stderr_closed.recv_timeout(STDERR_TIMEOUT);
        self.status = self.child.wait().ok();
        self.status
    }

    /// Returns true once the program has exited. It stays a zombie, so that its process id is not
    /// reused before its group has been killed.
    #[cfg(unix)]
    fn has_exited(&mut self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        if self.status.is_some() {
            return true;
        }
        let Some(pid) = group(&self.child) else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        // An error means that the program has been waited for already.
        !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
    }

    #[cfg(not(unix))]
    fn has_exited(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    #[cfg(unix)]
    fn kill_group(&self) {
        if let Some(group) = group(&self.child) {
            // Fails if every process of the group has exited already.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        #[cfg(target_os = "linux")]
        self.kill_marked();
    }

    /// Kills the processes that the program started and that have left its group, as `setsid` does.
    #[cfg(target_os = "linux")]
    fn kill_marked(&self) {
        use rustix::process::{Pid, Signal, kill_process};
        let variable = format!("{MARK}={}", self.mark);
        let Ok(processes) = std::fs::read_dir("/proc") else {
            return;
        };
        for process in processes.flatten() {
            let pid = process.file_name().to_str().and_then(|name| name.parse().ok());
            let Some(pid) = pid.and_then(Pid::from_raw) else {
                continue;
            };
            // Not readable: a process of another user.
            let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
            if environment.split(|&byte| byte == 0).any(|entry| entry == variable.as_bytes()) {
                // Fails if it has exited in the meantime.
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }

    #[cfg(not(unix))]
    fn kill_group(&self) {}
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        if self.wait_exit(QUIT_TIMEOUT).is_none() {
            self.kill_group();
            // Fails if it has exited in the meantime.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(unix)]
fn group(child: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
}

/// Puts the program into a process group of its own, so that Ctrl-C does not reach it and its
/// children can be killed with it, and has the kernel kill it if this process is killed first
/// (Linux).
#[cfg(unix)]
fn isolate(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        let parent = rustix::process::getpid();
        let die_with_parent = move || {
            use rustix::process::{Signal, getppid, set_parent_process_death_signal};
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have been killed before the line above.
            if getppid() == Some(parent) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
        };
        // SAFETY: between fork and exec only async-signal-safe calls are allowed: these are two
        // bare system calls, and nothing allocates, locks or unwinds.
        unsafe {
            command.pre_exec(die_with_parent);
        }
    }
}

#[cfg(not(unix))]
fn isolate(_command: &mut Command) {}

fn write_all(mut stdin: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &SyncSender<OutputLine>) {
    each_line(BufReader::new(stdout), MAX_LINE_BYTES, |bytes| {
        let text = String::from_utf8_lossy(bytes).trim().to_owned();
        let at = Instant::now();
        lines.send(OutputLine { text, at }).is_ok()
    });
}

fn keep_tail(stderr: ChildStderr, tail: &Mutex<VecDeque<String>>) {
    each_line(BufReader::new(stderr), STDERR_LINE_BYTES, |bytes| {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.len() == STDERR_LINES {
            tail.pop_front();
        }
        tail.push_back(String::from_utf8_lossy(bytes).trim_end().to_owned());
        true
    });
}

/// Calls `take` with each line, truncated to `max` bytes, until the input ends or `take` returns
/// false.
fn each_line(mut reader: BufReader<impl Read>, max: usize, mut take: impl FnMut(&[u8]) -> bool) {
    let mut line = Vec::new();
    loop {
        let (used, complete) = match reader.fill_buf() {
            Ok([]) => break,
            Ok(bytes) => {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                let part = &bytes[..end.unwrap_or(bytes.len())];
                line.extend_from_slice(&part[..part.len().min(max - line.len())]);
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

    fn lines(bytes: &[u8], max: usize) -> Vec<String> {
        let mut lines = Vec::new();
        each_line(BufReader::with_capacity(3, bytes), max, |line| {
            lines.push(String::from_utf8_lossy(line).into_owned());
            true
        });
        lines
    }

    #[test]
    fn long_lines_are_truncated() {
        assert_eq!(lines(b"one\ntwo", 10), ["one", "two"]);
        assert_eq!(lines(b"a very long line\nand\n\n", 6), ["a very", "and", ""]);
        assert_eq!(lines(b"\xff\xfe\n", 6), ["\u{fffd}\u{fffd}"]);
    }

    #[cfg(unix)]
    #[test]
    fn talks_to_a_program_and_kills_its_group() {
        let script = "echo hello; read word; echo got $word; echo oops >&2; sleep 1000";
        let mut process = Process::start(Path::new("/bin/sh"), &["-c".to_owned(), script.to_owned()], None).unwrap();
        let read = |process: &mut Process| process.read_line(Duration::from_secs(20)).unwrap().text;
        assert_eq!(read(&mut process), "hello");
        process.send("word");
        assert_eq!(read(&mut process), "got word");
        let deadline = Instant::now() + Duration::from_secs(20);
        while process.stderr_tail().is_empty() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(process.stderr_tail(), ["oops"]);
        let group = group(&process.child).unwrap();
        drop(process);
        // The shell and its `sleep` are dying; a killed process may linger for a moment.
        let gone = || rustix::process::test_kill_process_group(group).is_err();
        while !gone() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        assert!(gone());
    }

    #[cfg(unix)]
    #[test]
    fn reports_the_exit_status() {
        let mut process = Process::start(Path::new("/bin/sh"), &["-c".to_owned(), "exit 3".to_owned()], None).unwrap();
        let closed = Err(RecvTimeoutError::Disconnected);
        assert_eq!(process.read_line(Duration::from_secs(20)), closed);
        assert_eq!(process.wait_exit(Duration::from_secs(20)).and_then(|status| status.code()), Some(3));
        assert!(Process::start(Path::new("/no/such/program"), &[], None).is_err());
    }

    /// The program exits, but a process that it started holds its output and has left its group.
    #[cfg(target_os = "linux")]
    #[test]
    fn an_exit_is_noticed_and_descendants_are_killed() {
        let script = "setsid sleep 1000 & echo $!; exit 3";
        let mut process = Process::start(Path::new("/bin/sh"), &["-c".to_owned(), script.to_owned()], None).unwrap();
        let started = Instant::now();
        let line = process.read_line(Duration::from_secs(20)).unwrap();
        while process.read_line(Duration::from_millis(10)) != Err(RecvTimeoutError::Disconnected) {
            assert!(started.elapsed() < Duration::from_secs(20));
        }
        let sleeper = rustix::process::Pid::from_raw(line.text.parse().unwrap()).unwrap();
        let status = process.wait_exit(Duration::from_secs(20));
        assert_eq!(status.and_then(|status| status.code()), Some(3));
        let is_gone = || {
            let state = std::fs::read_to_string(format!("/proc/{}/stat", sleeper.as_raw_nonzero()));
            state.map_or(true, |state| state.contains(") Z "))
        };
        while !is_gone() {
            assert!(started.elapsed() < Duration::from_secs(20));
            thread::sleep(Duration::from_millis(5));
        }
    }
}
