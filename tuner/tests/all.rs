//! All tests of the crate in one program, which is linked once and runs long tests beside each
//! other.

mod bad;
mod browser;
mod claims;
mod common;
mod compare;
mod conditions;
mod contradictions;
pub mod coverage;
mod damaged_results;
mod documents;
mod glm;
mod import;
mod interrupt;
mod labelled;
mod ladder;
mod liars;
mod memory;
mod own_games;
mod planted;
mod reading;
mod report;
mod shards;
pub mod simulation;
mod snapshots;
mod tune;
mod validate;
mod weigh;
