//! The subcommands, one file each.

pub mod bench;
pub mod check;
mod common;
pub mod compare;
pub mod convert;
pub mod run;
pub mod show;
pub mod verify;
pub mod walk;
