//! Ctrl-C: the first asks the run to stop and to print what it has, the second ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Begins to listen. Without a listener Ctrl-C still ends the program, only less politely, so a failure is no error.
pub fn install() {
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Has somebody asked to stop?
pub fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}
