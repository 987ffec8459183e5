//! Chess engines as processes: starting and ending them, what they are sent and answer, and a
//! client for UCI.
//!
//! Every wait has a time limit and can be stopped, and failures are classified: the engine exited,
//! or it did not answer in time.
//!
//! | Job | Module |
//! |---|---|
//! | Command line of an engine | [`command`] |
//! | A program and all that it starts | [`process`] |
//! | A running engine of either protocol | [`connection`] |
//! | Options | [`options`] |
//! | UCI, `go perft` | [`uci`] |
//! | The log of a match's engines | [`log`] |

pub mod command;
#[cfg(feature = "process")]
pub mod connection;
#[cfg(feature = "process")]
mod error;
#[cfg(feature = "process")]
pub mod log;
#[cfg(feature = "process")]
pub mod options;
#[cfg(feature = "process")]
pub mod process;
#[cfg(feature = "process")]
pub mod uci;
