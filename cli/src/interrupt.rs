//! Ctrl-C (SIGINT), SIGTERM and SIGHUP: the first raises a flag, the second ends the program at once with status 130.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Exit;

static STOP: AtomicBool = AtomicBool::new(false);
static INSTALL: Once = Once::new();

/// The stop flag. The first call installs the signal handler, so only commands that watch the flag should call it: in all
/// others Ctrl-C ends the program.
///
/// If the system refuses the handler, signals end the program at once; that is not an error. SIGHUP stays ignored if the
/// program was started with it ignored (`nohup`).
pub fn stop_flag() -> &'static AtomicBool {
    INSTALL.call_once(|| keep_hangup_ignored(install));
    &STOP
}

/// Returns true if a signal has asked the program to stop.
pub fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

fn install() {
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted.status().into());
        }
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
