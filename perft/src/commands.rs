//! The subcommands, one file each.

pub mod bench;
mod common;
pub mod compare;
pub mod count_args;
pub mod divide;
pub mod run;
pub mod show;
pub mod verify;
pub mod walk;
