//! Long calls: they run on a thread of their own without the GIL, show progress, and stop at Ctrl-C.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::intern;
use pyo3::prelude::*;

use crate::error::raise;

/// How often signals are checked and progress is shown.
const TICK: Duration = Duration::from_millis(50);

/// Stack of the thread: searches recurse several hundred levels deep.
const STACK_BYTES: usize = 16 << 20;

/// What a running job shares with the thread that waits for it.
#[derive(Default)]
pub(crate) struct Job {
    pub(crate) stop: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
}

impl Job {
    /// Returns `Break` if the work is to stop.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Reports progress. `total` is 0 if it is unknown.
    pub(crate) fn report(&self, done: u64, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }
}

/// Runs `work` without the GIL and returns its result.
///
/// `progress` is the argument of the Python call: `None`, `True` for a bar of `unit`s, or a function. An exception of that function,
/// and Ctrl-C, raise the job's stop flag and are raised when the work has ended.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    unit: &str,
    work: impl FnOnce(&Job) -> anyhow::Result<T> + Send,
) -> PyResult<T> {
    let show = match progress {
        Some(progress) => {
            py.import(intern!(py, "assay._progress"))?.call_method1(intern!(py, "reporter"), (progress, unit))?
        }
        None => py.None().into_bound(py),
    };
    let job = Job::default();
    let result = thread::scope(|scope| {
        let (sender, mut receiver) = mpsc::channel();
        let job = &job;
        let thread =
            thread::Builder::new().name("assay".to_owned()).stack_size(STACK_BYTES).spawn_scoped(scope, move || {
                // Disconnects even if the work panics.
                let _sender: mpsc::Sender<()> = sender;
                work(job)
            })?;
        let mut shown = (0, 0);
        let mut stopped = None;
        let mut wait = || {
            // A receiver may be sent to a thread, but not shared.
            let receiver = &mut receiver;
            py.detach(move || receiver.recv_timeout(TICK))
        };
        while wait() == Err(RecvTimeoutError::Timeout) {
            if stopped.is_some() {
                continue;
            }
            let checked = py.check_signals().and_then(|()| show_progress(&show, job, &mut shown));
            if let Err(exception) = checked {
                job.stop.store(true, Ordering::Relaxed);
                stopped = Some(exception);
            }
        }
        let result = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        match stopped {
            Some(exception) => Err(exception),
            None => show_progress(&show, job, &mut shown).and_then(|()| result.map_err(raise)),
        }
    });
    if !show.is_none() {
        show.call_method0(intern!(py, "close"))?;
    }
    result
}

/// Like [`run`], for work that uses rayon, on `threads` threads (0: one for each processor).
///
/// The pool is the job's own, because a forked process does not have the threads of rayon's global pool.
pub(crate) fn run_in_pool<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    unit: &str,
    threads: usize,
    work: impl FnOnce(&Job) -> anyhow::Result<T> + Send,
) -> PyResult<T> {
    run(py, progress, unit, |job| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| work(job))
    })
}

/// Calls the reporter if something has changed since the last call.
fn show_progress(show: &Bound<'_, PyAny>, job: &Job, shown: &mut (u64, u64)) -> PyResult<()> {
    let now = (job.done.load(Ordering::Relaxed), job.total.load(Ordering::Relaxed));
    if show.is_none() || *shown == now {
        return Ok(());
    }
    *shown = now;
    let total = (now.1 > 0).then_some(now.1);
    show.call1((now.0, total)).map(drop)
}
