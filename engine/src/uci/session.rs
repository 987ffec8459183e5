//! The worker thread as the protocol loop sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;

use super::go::Go;
use super::options::{Change, Options, variant_line};
use super::output::Output;
use super::worker::{self, Task};

/// The stack of the worker: the search goes some hundred levels deep.
const STACK_BYTES: usize = 16 << 20;

/// A worker for one game, with what has been asked of it.
pub(super) struct Session {
    tasks: Sender<Task>,
    thread: Option<JoinHandle<()>>,
    /// Long tasks that are not finished: searches, counts, benches.
    busy: Arc<AtomicUsize>,
    /// The stop flags of the long tasks sent, with whether each ends by itself.
    flags: Vec<(Arc<AtomicBool>, bool)>,
}

impl Session {
    /// Starts a worker for the game that is set.
    pub(super) fn start(options: &Options, output: &Output) -> Session {
        let (tasks, received) = mpsc::channel();
        let busy = Arc::new(AtomicUsize::new(0));
        let setup = worker::Setup {
            hash: options.hash,
            threads: options.threads,
            multi_pv: options.multi_pv,
            overhead: options.overhead,
            output: output.clone(),
            busy: busy.clone(),
            tasks: received,
        };
        let game = options.game.clone();
        let spawned = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || crate::dispatch(&game, setup));
        let thread = spawned
            .map_err(|error| output.note(&format!("no thread for the search: {error}")))
            .ok();
        Session {
            tasks,
            thread,
            busy,
            flags: Vec::new(),
        }
    }

    /// Has a task done after those sent before.
    pub(super) fn send(&self, task: Task) {
        // The worker only goes before its channel does when it has failed; `quit` and the end of the input must still work.
        let _ = self.tasks.send(task);
    }

    /// Searches.
    pub(super) fn go(&mut self, go: Go) {
        let stop = self.flag(go.is_bounded());
        self.send(Task::Go { go, stop });
    }

    /// Counts leaf nodes.
    pub(super) fn perft(&mut self, depth: u32) {
        let stop = self.flag(true);
        self.send(Task::Perft { depth, stop });
    }

    /// Searches the bench positions.
    pub(super) fn bench(&mut self, depth: Option<u32>) {
        let stop = self.flag(true);
        self.send(Task::Bench { depth, stop });
    }

    /// The stop flag of a new long task.
    fn flag(&mut self, ends_by_itself: bool) -> Arc<AtomicBool> {
        if self.busy.load(Ordering::SeqCst) == 0 {
            self.flags.clear();
        }
        let flag = Arc::new(AtomicBool::new(false));
        self.flags.push((flag.clone(), ends_by_itself));
        self.busy.fetch_add(1, Ordering::SeqCst);
        flag
    }

    /// Stops all long tasks.
    pub(super) fn stop(&mut self) {
        for (flag, _) in self.flags.drain(..) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until everything sent before is done, unless that is a long task.
    pub(super) fn wait_until_ready(&self) {
        if self.busy.load(Ordering::SeqCst) > 0 {
            return;
        }
        let (done, wait) = mpsc::channel();
        self.send(Task::Tell(done));
        // It fails when the worker is gone, and then there is nothing to wait for.
        let _ = wait.recv();
    }

    /// Acts on a change of options.
    pub(super) fn apply(&mut self, change: Change, options: &Options, output: &Output) {
        match change {
            Change::Nothing => {}
            Change::Hash => self.send(Task::Hash(options.hash)),
            Change::Threads => self.send(Task::Threads(options.threads)),
            Change::MultiPv => self.send(Task::MultiPv(options.multi_pv)),
            Change::ClearHash => self.send(Task::ClearHash),
            Change::Overhead => self.send(Task::Overhead(options.overhead)),
            Change::Loaded(game) => output.note(&format!("variant {} loaded: {}", game.name, game.title)),
            Change::Game => {
                self.conclude();
                *self = Session::start(options, output);
                output.line(&variant_line(&options.game));
            }
        }
    }

    /// Ends without waiting for anything but a search that has to stop now.
    pub(super) fn quit(mut self) {
        self.stop();
        self.join();
    }

    /// Ends when everything asked for is done; what would never end is stopped.
    pub(super) fn finish(mut self) {
        self.conclude();
    }

    fn conclude(&mut self) {
        for (flag, ends_by_itself) in self.flags.drain(..) {
            if !ends_by_itself {
                flag.store(true, Ordering::Relaxed);
            }
        }
        self.join();
    }

    fn join(&mut self) {
        // Without a sender the worker's loop ends.
        self.tasks = mpsc::channel().0;
        if let Some(thread) = self.thread.take() {
            // A worker that failed has said so on the error output.
            let _ = thread.join();
        }
    }
}
