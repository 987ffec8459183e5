//! The worker thread as the protocol loops see it.

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

/// The stack of the worker: the search goes some hundred levels deep.
const STACK_BYTES: usize = 16 << 20;

/// A worker for one game, with what has been asked of it. The thread is started, and the tables of the game are built, when
/// there is something to do: a program that only asks for a name must not wait.
pub(crate) struct Session {
    listener: EventListener,
    worker: Option<WorkerHandle>,
    /// Long tasks that are not finished: searches, counts, benches.
    unfinished_jobs: Arc<AtomicUsize>,
    /// The job_flags of the long tasks sent.
    job_flags: Vec<JobFlags>,
    /// Searches asked for.
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
    /// A session that tells what happens to `listener`.
    pub(crate) fn new(listener: EventListener) -> Session {
        Session {
            listener,
            worker: None,
            unfinished_jobs: Arc::default(),
            job_flags: Vec::new(),
            last_search_id: 0,
        }
    }

    /// Has a task done after those sent before.
    fn send(&mut self, job: Job, options: &Options) {
        if self.worker.is_none() {
            self.worker = self.start_worker(options);
        }
        if let Some(worker) = &self.worker {
            // The worker only goes before its channel does when it has failed; `quit` and the end of the input must still work.
            let _ = worker.jobs.send(job);
        }
    }

    /// Starts a worker for the game that is set.
    fn start_worker(&self, options: &Options) -> Option<WorkerHandle> {
        let (jobs, received) = mpsc::channel();
        let config = WorkerConfig {
            hash: options.hash,
            threads: options.threads,
            multi_pv: options.multi_pv,
            move_overhead: options.move_overhead,
            // What is wrong with it has been said when it was set.
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
                (self.listener)(Event::Message(format!("no thread for the search: {error}")));
                None
            }
        }
    }

    /// Sets up a position.
    pub(crate) fn set_position(&mut self, start: StartPosition, moves: Vec<String>, options: &Options) {
        self.send(Job::Position { start, moves }, options);
    }

    /// Forgets what was learned.
    pub(crate) fn new_game(&mut self, options: &Options) {
        // A worker that is not there knows nothing.
        if self.worker.is_some() {
            self.send(Job::NewGame, options);
        }
    }

    /// Shows the position.
    pub(crate) fn show_position(&mut self, options: &Options) {
        self.send(Job::ShowPosition, options);
    }

    /// Shows the evaluation of the position.
    pub(crate) fn show_evaluation(&mut self, options: &Options) {
        self.send(Job::ShowEvaluation, options);
    }

    /// Searches.
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

    /// The opponent has made the move that is being pondered on.
    pub(crate) fn ponder_hit(&mut self) {
        for job_flags in &mut self.job_flags {
            if let Some(pondering) = job_flags.pondering.take() {
                pondering.store(false, Ordering::Relaxed);
                job_flags.is_bounded = true;
            }
        }
    }

    /// Counts leaf nodes.
    pub(crate) fn perft(&mut self, depth: u32, options: &Options) {
        let stop = self.register_job(true, None);
        self.send(Job::Perft { depth, stop }, options);
    }

    /// Searches the bench positions.
    pub(crate) fn bench(&mut self, depth: Option<u32>, options: &Options) {
        let stop = self.register_job(true, None);
        self.send(Job::Bench { depth, stop }, options);
    }

    /// The stop flag of a new long task.
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

    /// Stops all long tasks.
    pub(crate) fn stop(&mut self) {
        for job_flags in self.job_flags.drain(..) {
            job_flags.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until everything sent before is done, and the tables of the game are there, unless a long task is going on.
    pub(crate) fn wait_until_ready(&mut self, options: &Options) {
        if self.unfinished_jobs.load(Ordering::SeqCst) > 0 {
            return;
        }
        let (done, wait) = mpsc::channel();
        self.send(Job::Sync(done), options);
        // It fails when the worker is gone, and then there is nothing to wait for.
        let _ = wait.recv();
    }

    /// Has what was asked for before been answered, so that what is said now comes after it?
    pub(crate) fn wait_for_output(&mut self, options: &Options) {
        if self.worker.is_some() {
            self.wait_until_ready(options);
        }
    }

    /// Acts on a change of options.
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
        // A worker that does not run yet will read the options when it starts.
        if self.worker.is_some() {
            self.send(job, options);
        }
    }

    fn report_message(&self, message: String) {
        (self.listener)(Event::Message(message));
    }

    /// Ends without waiting for anything but a search that has to stop now.
    pub(crate) fn quit(mut self) {
        self.stop();
        self.join();
    }

    /// Ends when everything asked for is done; what would never end is stopped.
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
            // Without a sender the worker's loop ends.
            drop(jobs);
            // A worker that failed has said so on the error output.
            let _ = thread.join();
        }
    }
}
