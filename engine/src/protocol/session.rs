//! The worker thread as the protocol loops see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;

use super::evaluation::Evaluation;
use super::event::{Event, Listener, SearchId};
use super::options::{Change, Options};
use super::request::Request;
use super::worker::{self, Task};

/// The stack of the worker: the search goes some hundred levels deep.
const STACK_BYTES: usize = 16 << 20;

/// Where a position starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spec {
    /// The game's default start position.
    Start,
    /// A FEN.
    Fen(String),
    /// A start by its id, perhaps with handicaps: `14`, `14+pawn:e4`.
    Id(String),
}

/// A worker for one game, with what has been asked of it. The thread is started, and the tables of the game are built, when
/// there is something to do: a program that only asks for a name must not wait.
pub(crate) struct Session {
    listener: Listener,
    worker: Option<Running>,
    /// Long tasks that are not finished: searches, counts, benches.
    busy: Arc<AtomicUsize>,
    /// The flags of the long tasks sent.
    flags: Vec<Flags>,
    /// Searches asked for.
    searches: SearchId,
}

struct Running {
    tasks: Sender<Task>,
    thread: JoinHandle<()>,
}

struct Flags {
    stop: Arc<AtomicBool>,
    pondering: Option<Arc<AtomicBool>>,
    ends_by_itself: bool,
}

impl Session {
    /// A session that tells what happens to `listener`.
    pub(crate) fn new(listener: Listener) -> Session {
        Session {
            listener,
            worker: None,
            busy: Arc::default(),
            flags: Vec::new(),
            searches: 0,
        }
    }

    /// Has a task done after those sent before.
    fn send(&mut self, task: Task, options: &Options) {
        if self.worker.is_none() {
            self.worker = self.start(options);
        }
        if let Some(worker) = &self.worker {
            // The worker only goes before its channel does when it has failed; `quit` and the end of the input must still work.
            let _ = worker.tasks.send(task);
        }
    }

    /// Starts a worker for the game that is set.
    fn start(&self, options: &Options) -> Option<Running> {
        let (tasks, received) = mpsc::channel();
        let setup = worker::Setup {
            hash: options.hash,
            threads: options.threads,
            multi_pv: options.multi_pv,
            overhead: options.overhead,
            // What is wrong with it has been said when it was set.
            evaluation: options.evaluation().unwrap_or(Evaluation::Own),
            listener: self.listener.clone(),
            busy: self.busy.clone(),
            tasks: received,
        };
        let game = options.game.clone();
        let spawned = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || crate::dispatch(&game, setup));
        match spawned {
            Ok(thread) => Some(Running { tasks, thread }),
            Err(error) => {
                (self.listener)(Event::Note(format!("no thread for the search: {error}")));
                None
            }
        }
    }

    /// Sets up a position.
    pub(crate) fn position(&mut self, spec: Spec, moves: Vec<String>, options: &Options) {
        self.send(Task::Position { spec, moves }, options);
    }

    /// Forgets what was learned.
    pub(crate) fn new_game(&mut self, options: &Options) {
        // A worker that is not there knows nothing.
        if self.worker.is_some() {
            self.send(Task::NewGame, options);
        }
    }

    /// Shows the position.
    pub(crate) fn show(&mut self, options: &Options) {
        self.send(Task::Show, options);
    }

    /// Shows the evaluation of the position.
    pub(crate) fn eval(&mut self, options: &Options) {
        self.send(Task::Eval, options);
    }

    /// Searches.
    pub(crate) fn go(&mut self, request: Request, options: &Options) -> SearchId {
        let pondering = request.ponder.then(|| Arc::new(AtomicBool::new(true)));
        let stop = self.flag(request.is_bounded(), pondering.clone());
        self.searches += 1;
        let id = self.searches;
        self.send(
            Task::Go {
                id,
                request,
                stop,
                pondering,
            },
            options,
        );
        id
    }

    /// The opponent has made the move that is being pondered on.
    pub(crate) fn ponder_hit(&mut self) {
        for flags in &mut self.flags {
            if let Some(pondering) = flags.pondering.take() {
                pondering.store(false, Ordering::Relaxed);
                flags.ends_by_itself = true;
            }
        }
    }

    /// Counts leaf nodes.
    pub(crate) fn perft(&mut self, depth: u32, options: &Options) {
        let stop = self.flag(true, None);
        self.send(Task::Perft { depth, stop }, options);
    }

    /// Searches the bench positions.
    pub(crate) fn bench(&mut self, depth: Option<u32>, options: &Options) {
        let stop = self.flag(true, None);
        self.send(Task::Bench { depth, stop }, options);
    }

    /// The stop flag of a new long task.
    fn flag(&mut self, ends_by_itself: bool, pondering: Option<Arc<AtomicBool>>) -> Arc<AtomicBool> {
        if self.busy.load(Ordering::SeqCst) == 0 {
            self.flags.clear();
        }
        let stop = Arc::new(AtomicBool::new(false));
        self.flags.push(Flags {
            stop: stop.clone(),
            pondering,
            ends_by_itself,
        });
        self.busy.fetch_add(1, Ordering::SeqCst);
        stop
    }

    /// Stops all long tasks.
    pub(crate) fn stop(&mut self) {
        for flags in self.flags.drain(..) {
            flags.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until everything sent before is done, and the tables of the game are there, unless a long task is going on.
    pub(crate) fn wait_until_ready(&mut self, options: &Options) {
        if self.busy.load(Ordering::SeqCst) > 0 {
            return;
        }
        let (done, wait) = mpsc::channel();
        self.send(Task::Tell(done), options);
        // It fails when the worker is gone, and then there is nothing to wait for.
        let _ = wait.recv();
    }

    /// Has what was asked for before been answered, so that what is said now comes after it?
    pub(crate) fn wait_for_answers(&mut self, options: &Options) {
        if self.worker.is_some() {
            self.wait_until_ready(options);
        }
    }

    /// Acts on a change of options.
    pub(crate) fn apply(&mut self, change: Change, options: &Options) {
        let task = match change {
            Change::Nothing => return,
            Change::Loaded(game) => {
                self.note(format!("variant {} loaded: {}", game.name, game.title));
                return;
            }
            Change::Game => {
                self.conclude();
                if let Err(note) = options.evaluation() {
                    self.note(note);
                }
                return;
            }
            Change::Evaluation => match options.evaluation() {
                Ok(evaluation) => {
                    if let Some(note) = evaluation.note(&options.game) {
                        self.note(note);
                    }
                    Task::Evaluation(evaluation)
                }
                Err(note) => {
                    self.note(note);
                    Task::Evaluation(Evaluation::Own)
                }
            },
            Change::Hash => Task::Hash(options.hash),
            Change::Threads => Task::Threads(options.threads),
            Change::MultiPv => Task::MultiPv(options.multi_pv),
            Change::ClearHash => Task::ClearHash,
            Change::Overhead => Task::Overhead(options.overhead),
        };
        // A worker that does not run yet will read the options when it starts.
        if self.worker.is_some() {
            self.send(task, options);
        }
    }

    fn note(&self, note: String) {
        (self.listener)(Event::Note(note));
    }

    /// Ends without waiting for anything but a search that has to stop now.
    pub(crate) fn quit(mut self) {
        self.stop();
        self.join();
    }

    /// Ends when everything asked for is done; what would never end is stopped.
    pub(crate) fn finish(mut self) {
        self.conclude();
    }

    fn conclude(&mut self) {
        for flags in self.flags.drain(..) {
            if !flags.ends_by_itself {
                flags.stop.store(true, Ordering::Relaxed);
            }
        }
        self.join();
    }

    fn join(&mut self) {
        if let Some(Running { tasks, thread }) = self.worker.take() {
            // Without a sender the worker's loop ends.
            drop(tasks);
            // A worker that failed has said so on the error output.
            let _ = thread.join();
        }
    }
}
