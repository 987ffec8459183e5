//! Ctrl-C (SIGINT), SIGTERM and SIGHUP end a program with status 130: immediately, or while a
//! command polls the stop flag, after it has stopped. A second signal ends every program
//! immediately.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static STOP: AtomicBool = AtomicBool::new(false);
static FIRST_SIGNAL: OnceLock<Instant> = OnceLock::new();
/// Signals within this time of the first are the same request: `timeout` signals the program and
/// its process group.
const SAME_REQUEST: Duration = Duration::from_millis(200);
/// True while the command polls [`STOP`].
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// The stop flag, which a signal raises. Only commands that poll the flag may call this: in all
/// others a signal ends the program immediately.
pub fn stop_flag() -> &'static AtomicBool {
    IS_WATCHED.store(true, Ordering::Relaxed);
    &STOP
}

/// Runs `work`, which does not poll the stop flag. Until it returns, a signal ends the program
/// immediately.
pub fn without_stop_flag<T>(work: impl FnOnce() -> T) -> T {
    let was_watched = IS_WATCHED.swap(false, Ordering::Relaxed);
    let done = work();
    IS_WATCHED.store(was_watched, Ordering::Relaxed);
    done
}

/// Returns true if a signal has raised the stop flag.
pub fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Installs the signal handler, which exits with `status`. If that fails, signals kill the program;
/// this is not an error. SIGHUP stays ignored if the program was started with it ignored (`nohup`).
pub(crate) fn handle_signals(status: u8) {
    keep_hangup_ignored(|| {
        let _ = ctrlc::set_handler(move || {
            let first = FIRST_SIGNAL.get_or_init(Instant::now);
            STOP.store(true, Ordering::Relaxed);
            if first.elapsed() > SAME_REQUEST || !IS_WATCHED.load(Ordering::Relaxed) {
                std::process::exit(status.into());
            }
        });
    });
}

/// Runs `install`, which overwrites the handling of SIGHUP; an ignored SIGHUP is ignored again
/// afterwards.
#[cfg(unix)]
fn keep_hangup_ignored(install: impl FnOnce()) {
    use nix::sys::signal::{SigHandler, Signal, signal};
    // SAFETY: ignoring a signal installs no code that could run in a signal handler.
    let ignore = || unsafe { signal(Signal::SIGHUP, SigHandler::SigIgn) };
    let before = ignore();
    install();
    if let Ok(SigHandler::SigIgn) = before {
        let _ = ignore();
    }
}

#[cfg(not(unix))]
fn keep_hangup_ignored(install: impl FnOnce()) {
    install();
}
