//! All tests of the crate in one program, which is linked once and runs long tests beside each
//! other. `power_loss.rs`, which changes SQLite for its whole process, is one of its own.

mod bad;
mod cecp;
mod cli;
mod common;
mod conditions;
mod faults;
mod import;
mod kill;
mod liars;
mod matches;
mod openings;
mod pondering;
mod runs;
mod shards;
mod snapshots;
mod statistics;
mod tournaments;
