//! Ctrl-C (SIGINT), SIGTERM and SIGHUP end a program with status 130: at once, or in commands that watch the stop flag when
//! they have stopped. A second signal ends every program at once.

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
/// The command watches [`STOP`].
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// The stop flag, which a signal raises. Only commands that watch the flag should call this: in all others a signal ends the
/// program at once.
pub fn stop_flag() -> &'static AtomicBool {
    IS_WATCHED.store(true, Ordering::Relaxed);
    &STOP
}

/// Returns true if a signal has asked the program to stop.
pub fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Installs the signal handler, which exits with `status`. If the system refuses it, signals kill the program; that is not an
/// error. SIGHUP stays ignored if the program was started with it ignored (`nohup`).
pub(crate) fn handle_signals(status: u8) {
    keep_hangup_ignored(|| {
        let _ = ctrlc::set_handler(move || {
            if STOP.swap(true, Ordering::Relaxed) || !IS_WATCHED.load(Ordering::Relaxed) {
                std::process::exit(status.into());
            }
        });
    });
}

/// Runs `install`, which overwrites the handling of SIGHUP; an ignored SIGHUP is ignored again afterwards.
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
