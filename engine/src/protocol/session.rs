//! Control of the worker thread by the command loops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;

use super::eval_file::Evaluation;
use super::event::{Event, EventListener, SearchId};
use super::job::{Job, StartPosition};
use super::options::{OptionChange, Options};
use super::search_request::SearchRequest;
use super::worker::WorkerConfig;

/// Stack size of the worker: the search recurses some hundred levels deep.
const STACK_BYTES: usize = 16 << 20;

/// A worker for the current game and its unfinished jobs.
///
/// The first job starts the thread and builds the tables of the game. Commands that need neither, such as `uci`, are
/// answered without delay.
pub(crate) struct Session {
    listener: EventListener,
    worker: Option<WorkerHandle>,
    /// Number of searches, perfts and benches that are queued or running.
    unfinished_jobs: Arc<AtomicUsize>,
    job_flags: Vec<JobFlags>,
    last_search_id: SearchId,
}

struct WorkerHandle {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
}

struct JobFlags {
    stop: Arc<AtomicBool>,
    pondering: Option<Arc<AtomicBool>>,
    is_bounded: bool,
}

impl Session {
    /// Creates a session that reports events to `listener`.
    pub(crate) fn new(listener: EventListener) -> Session {
        Session {
            listener,
            worker: None,
            unfinished_jobs: Arc::default(),
            job_flags: Vec::new(),
            last_search_id: 0,
        }
    }

    /// Queues a job and starts the worker if necessary.
    fn send(&mut self, job: Job, options: &Options) {
        if self.worker.is_none() {
            self.worker = self.start_worker(options);
        }
        if let Some(worker) = &self.worker {
            // The send fails only if the worker has panicked; `quit` and the end of input must still work.
            let _ = worker.jobs.send(job);
        }
    }

    /// Starts a worker for the current game.
    fn start_worker(&self, options: &Options) -> Option<WorkerHandle> {
        let (jobs, received) = mpsc::channel();
        let config = WorkerConfig {
            hash: options.hash,
            threads: options.threads,
            multi_pv: options.multi_pv,
            move_overhead: options.move_overhead,
            // Errors were reported when the option was set.
            evaluation: options.evaluation().unwrap_or(Evaluation::Default),
            listener: self.listener.clone(),
            unfinished_jobs: self.unfinished_jobs.clone(),
            jobs: received,
        };
        let game = options.game.clone();
        let spawned = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || crate::dispatch(&game, config));
        match spawned {
            Ok(thread) => Some(WorkerHandle { jobs, thread }),
            Err(error) => {
                (self.listener)(Event::Message(format!("cannot start the search thread: {error}")));
                None
            }
        }
    }

    pub(crate) fn set_position(&mut self, start: StartPosition, moves: Vec<String>, options: &Options) {
        self.send(Job::Position { start, moves }, options);
    }

    /// Clears the transposition table and histories.
    pub(crate) fn new_game(&mut self, options: &Options) {
        // A worker that has not started has nothing to clear.
        if self.worker.is_some() {
            self.send(Job::NewGame, options);
        }
    }

    /// Reports the position as text.
    pub(crate) fn show_position(&mut self, options: &Options) {
        self.send(Job::ShowPosition, options);
    }

    /// Reports the evaluation terms of the position as text.
    pub(crate) fn show_evaluation(&mut self, options: &Options) {
        self.send(Job::ShowEvaluation, options);
    }

    /// Starts a search.
    pub(crate) fn search(&mut self, request: SearchRequest, options: &Options) -> SearchId {
        let pondering = request.ponder.then(|| Arc::new(AtomicBool::new(true)));
        let stop = self.register_job(request.is_bounded(), pondering.clone());
        self.last_search_id += 1;
        let id = self.last_search_id;
        self.send(
            Job::Search {
                id,
                request,
                stop,
                pondering,
            },
            options,
        );
        id
    }

    /// Turns a ponder search into a normal one: the opponent has played the expected move.
    pub(crate) fn ponder_hit(&mut self) {
        for job_flags in &mut self.job_flags {
            if let Some(pondering) = job_flags.pondering.take() {
                pondering.store(false, Ordering::Relaxed);
                job_flags.is_bounded = true;
            }
        }
    }

    /// Counts leaf nodes for each root move.
    pub(crate) fn perft(&mut self, depth: u32, options: &Options) {
        let stop = self.register_job(true, None);
        self.send(Job::Perft { depth, stop }, options);
    }

    /// Searches the bench positions.
    pub(crate) fn bench(&mut self, depth: Option<u32>, options: &Options) {
        let stop = self.register_job(true, None);
        self.send(Job::Bench { depth, stop }, options);
    }

    /// Registers an interruptible job and returns its stop flag.
    fn register_job(&mut self, is_bounded: bool, pondering: Option<Arc<AtomicBool>>) -> Arc<AtomicBool> {
        if self.unfinished_jobs.load(Ordering::SeqCst) == 0 {
            self.job_flags.clear();
        }
        let stop = Arc::new(AtomicBool::new(false));
        self.job_flags.push(JobFlags {
            stop: stop.clone(),
            pondering,
            is_bounded,
        });
        self.unfinished_jobs.fetch_add(1, Ordering::SeqCst);
        stop
    }

    /// Stops all searches, perfts and benches.
    pub(crate) fn stop(&mut self) {
        for job_flags in self.job_flags.drain(..) {
            job_flags.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until all earlier jobs are done and the tables of the game are built. Returns immediately during a search, perft
    /// or bench.
    pub(crate) fn wait_until_ready(&mut self, options: &Options) {
        if self.unfinished_jobs.load(Ordering::SeqCst) > 0 {
            return;
        }
        let (done, wait) = mpsc::channel();
        self.send(Job::Sync(done), options);
        // Fails only if the worker has panicked; then there is nothing to wait for.
        let _ = wait.recv();
    }

    /// Waits for the output of earlier jobs, so that the next line follows it. Does not start the worker.
    pub(crate) fn wait_for_output(&mut self, options: &Options) {
        if self.worker.is_some() {
            self.wait_until_ready(options);
        }
    }

    /// Applies a changed option to the worker.
    pub(crate) fn apply(&mut self, change: OptionChange, options: &Options) {
        let job = match change {
            OptionChange::None => return,
            OptionChange::VariantLoaded(game) => {
                self.report_message(format!("variant {} loaded: {}", game.name, game.title));
                return;
            }
            OptionChange::Variant => {
                self.finish_bounded_jobs();
                if let Err(message) = options.evaluation() {
                    self.report_message(message);
                }
                return;
            }
            OptionChange::Evaluation => match options.evaluation() {
                Ok(evaluation) => {
                    if let Some(message) = evaluation.description(&options.game) {
                        self.report_message(message);
                    }
                    Job::Evaluation(evaluation)
                }
                Err(message) => {
                    self.report_message(message);
                    Job::Evaluation(Evaluation::Default)
                }
            },
            OptionChange::Hash => Job::Hash(options.hash),
            OptionChange::Threads => Job::Threads(options.threads),
            OptionChange::MultiPv => Job::MultiPv(options.multi_pv),
            OptionChange::ClearHash => Job::ClearHash,
            OptionChange::MoveOverhead => Job::MoveOverhead(options.move_overhead),
        };
        // A worker that has not started reads the options when it starts.
        if self.worker.is_some() {
            self.send(job, options);
        }
    }

    fn report_message(&self, message: String) {
        (self.listener)(Event::Message(message));
    }

    /// Stops all jobs and ends the worker.
    pub(crate) fn quit(mut self) {
        self.stop();
        self.join();
    }

    /// Finishes all jobs, stops unbounded searches, and ends the worker.
    pub(crate) fn finish(mut self) {
        self.finish_bounded_jobs();
    }

    fn finish_bounded_jobs(&mut self) {
        for job_flags in self.job_flags.drain(..) {
            if !job_flags.is_bounded {
                job_flags.stop.store(true, Ordering::Relaxed);
            }
        }
        self.join();
    }

    fn join(&mut self) {
        if let Some(WorkerHandle { jobs, thread }) = self.worker.take() {
            // The worker's loop ends when its channel closes.
            drop(jobs);
            // A panic of the worker has already been printed to stderr.
            let _ = thread.join();
        }
    }
}
