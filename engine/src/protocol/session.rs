//! Control of the worker thread by the command loops.

mod eval_table;
pub(crate) mod event;
pub(crate) mod job;
pub(crate) mod search_request;
mod uci_move;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;

use super::eval_file::Evaluation;
use super::options::{OptionChange, Options};
use event::{BestMove, Event, EventListener, SearchId};
use job::{GameSettings, Job, Task};
use search_request::SearchRequest;
use worker::Worker;

/// Stack size of the worker: the search recurses several hundred levels deep.
const STACK_BYTES: usize = 16 << 20;

/// A worker thread and its unfinished tasks. No method but [`Session::wait`], [`Session::quit`],
/// [`Session::end_input`] and [`Session::finish`] waits for the worker.
///
/// The first job starts the thread and builds the tables of the game. Commands that need neither,
/// such as `uci`, are answered without delay.
pub(crate) struct Session {
    listener: EventListener,
    worker: Option<WorkerHandle>,
    /// Number of tasks that are queued or running.
    unfinished_tasks: Arc<AtomicUsize>,
    task_flags: Vec<TaskFlags>,
    last_search_id: SearchId,
}

struct WorkerHandle {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
}

struct TaskFlags {
    is_search: bool,
    stop: Arc<AtomicBool>,
    pondering: Option<Arc<AtomicBool>>,
}

impl Session {
    /// Creates a session that reports events to `listener`.
    pub(crate) fn new(listener: EventListener) -> Session {
        Session { listener, worker: None, unfinished_tasks: Arc::default(), task_flags: Vec::new(), last_search_id: 0 }
    }

    /// Queues a job and starts the worker if necessary.
    pub(crate) fn send(&mut self, job: Job, options: &Options) {
        if self.worker.is_none() {
            self.worker = self.start_worker(options);
        }
        self.update(job);
    }

    /// Queues a job for a running worker. A worker that has not started yet does not need it.
    pub(crate) fn update(&self, job: Job) {
        if let Some(worker) = &self.worker {
            // The send fails only if the worker has panicked; `quit` and the end of input must
            // still work.
            let _ = worker.jobs.send(job);
        }
    }

    fn start_worker(&self, options: &Options) -> Option<WorkerHandle> {
        let (jobs, received) = mpsc::channel();
        let worker =
            Worker { listener: self.listener.clone(), unfinished_tasks: self.unfinished_tasks.clone(), jobs: received };
        // Errors were reported when the option was set.
        let evaluation = options.evaluation().unwrap_or(Evaluation::Default);
        let settings = game_settings(options, evaluation);
        let spawned = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || worker.run(settings));
        match spawned {
            Ok(thread) => Some(WorkerHandle { jobs, thread }),
            Err(error) => {
                (self.listener)(Event::Error(format!("cannot start the search thread: {error}")));
                None
            }
        }
    }

    /// Starts a search.
    pub(crate) fn search(&mut self, request: SearchRequest, options: &Options) -> SearchId {
        self.last_search_id += 1;
        let id = self.last_search_id;
        let pondering = request.ponder.then(|| Arc::new(AtomicBool::new(true)));
        let task = Task::Search { id, request, pondering: pondering.clone() };
        if !self.start_task(task, pondering, options) {
            (self.listener)(Event::BestMove(id, BestMove::Refused));
        }
        id
    }

    /// Starts a task other than a search.
    pub(crate) fn start(&mut self, task: Task, options: &Options) {
        self.start_task(task, None, options);
    }

    /// Queues a task. Returns false if there is no worker thread for it.
    fn start_task(&mut self, task: Task, pondering: Option<Arc<AtomicBool>>, options: &Options) -> bool {
        if !self.has_tasks() {
            self.task_flags.clear();
        }
        let stop = Arc::new(AtomicBool::new(false));
        self.task_flags.push(TaskFlags {
            is_search: matches!(task, Task::Search { .. }),
            stop: stop.clone(),
            pondering,
        });
        self.unfinished_tasks.fetch_add(1, Ordering::SeqCst);
        self.send(Job::Task(task, stop), options);
        let has_worker = self.worker.is_some();
        if !has_worker {
            self.unfinished_tasks.fetch_sub(1, Ordering::SeqCst);
        }
        has_worker
    }

    fn has_tasks(&self) -> bool {
        self.unfinished_tasks.load(Ordering::SeqCst) > 0
    }

    /// Turns a ponder search into a normal one: the opponent has played the expected move.
    pub(crate) fn ponder_hit(&mut self) {
        for pondering in self.task_flags.iter_mut().filter_map(|flags| flags.pondering.take()) {
            pondering.store(false, Ordering::Relaxed);
        }
    }

    /// Stops all tasks.
    pub(crate) fn stop(&mut self) {
        for flags in self.task_flags.drain(..) {
            flags.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Reports an event after the output of all earlier jobs; at once during a task or before the
    /// worker has started.
    pub(crate) fn report(&self, event: Event) {
        if self.worker.is_none() || self.has_tasks() {
            (self.listener)(event);
        } else {
            self.update(Job::Report(event));
        }
    }

    /// Reports `reply` when all earlier jobs are done and the tables of the game are built; at once
    /// during a task.
    pub(crate) fn report_ready(&mut self, reply: String, options: &Options) {
        if self.worker.is_none() {
            self.worker = self.start_worker(options);
        }
        self.report(Event::Reply(reply));
    }

    /// Applies a changed option to the worker, which reads the other options when it starts.
    pub(crate) fn apply(&mut self, change: OptionChange, options: &Options) {
        let is_variant = matches!(change, OptionChange::Variant | OptionChange::Chess960Ignored);
        if is_variant && options.ignores_chess960() {
            let name = &options.game.name;
            let message =
                format!("option UCI_Chess960: found true for {name}, expected chess or capablanca: no effect");
            self.report(Event::Message(message));
        }
        let job = match change {
            OptionChange::None | OptionChange::Chess960Ignored => return,
            OptionChange::VariantsLoaded(games) => {
                for game in games {
                    self.report(Event::Message(match game {
                        Ok(game) => format!("variant {} loaded: {}; UCI_Variant selects it", game.name, game.title),
                        Err(refusal) => refusal.to_string(),
                    }));
                }
                return;
            }
            OptionChange::Variant => Job::Game(game_settings(options, self.evaluation(options))),
            OptionChange::Evaluation => {
                let evaluation = self.evaluation(options);
                if let Some(message) = evaluation.description(&options.game) {
                    self.report(Event::Message(message));
                }
                Job::Evaluation(evaluation)
            }
            OptionChange::Search => Job::Options(options.search),
            OptionChange::ClearHash => Job::ClearHash,
        };
        self.update(job);
    }

    /// The evaluation of the current game; reports an error.
    fn evaluation(&self, options: &Options) -> Evaluation {
        options.evaluation().unwrap_or_else(|error| {
            self.report(Event::Error(error.to_string()));
            Evaluation::Default
        })
    }

    /// Stops all searches, finishes all other tasks, such as a piped `go perft`, and ends the
    /// worker.
    pub(crate) fn end_input(&mut self) {
        for flags in self.task_flags.iter().filter(|flags| flags.is_search) {
            flags.stop.store(true, Ordering::Relaxed);
        }
        self.finish();
    }

    /// Stops all tasks and ends the worker.
    pub(crate) fn quit(&mut self) {
        self.stop();
        self.finish();
    }

    /// Waits until all jobs are done.
    pub(crate) fn wait(&self) {
        let (done, wait) = mpsc::channel();
        self.update(Job::Wait(done));
        // An error: there is no worker, or it has panicked.
        let _ = wait.recv();
    }

    /// Finishes all jobs and ends the worker.
    pub(crate) fn finish(&mut self) {
        if let Some(WorkerHandle { jobs, thread }) = self.worker.take() {
            // The worker's loop ends when its channel closes.
            drop(jobs);
            // A panic of the worker has already been printed to stderr.
            let _ = thread.join();
        }
    }
}

fn game_settings(options: &Options, evaluation: Evaluation) -> GameSettings {
    GameSettings { game: options.game.clone(), evaluation, options: options.search }
}
