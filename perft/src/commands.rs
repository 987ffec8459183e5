//! The subcommands, one file each.

pub mod bench;
pub mod compare;
pub mod divide;
pub mod run;
pub mod show;
pub mod verify;
pub mod walk;

use anyhow::{Result, ensure};
use clap::Args;

use crate::Verdict;
use crate::cli::{Cli, Command};
use crate::generator::{Manner, Which};
use crate::typed;

/// Does what the command line asks.
///
/// # Errors
/// When it asks something impossible, or the surroundings fail (files, threads, other programs).
pub fn run(cli: Cli) -> Result<Verdict> {
    match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Divide(args) => divide::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Walk(args) => walk::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Bench(args) => bench::run(&args),
    }
}

/// How to count: the options that `run` and `divide` share.
#[derive(Args, Clone, Debug)]
pub struct CountArgs {
    /// Which generator counts
    #[arg(long, value_enum, default_value = "engine")]
    pub generator: Which,
    /// Threads to count with [default: all]
    #[arg(long, value_name = "T", value_parser = typed::threads)]
    pub threads: Option<usize>,
    /// Memory for a table of counts already made, in MB; 0 counts every position anew (engine only)
    #[arg(long, value_name = "MB", default_value_t = 0, value_parser = typed::megabytes, allow_negative_numbers = true)]
    pub hash: usize,
    /// Make every move of the last ply too, instead of counting the legal moves before it
    #[arg(long)]
    pub full: bool,
}

impl CountArgs {
    /// What was typed, made ready.
    ///
    /// # Errors
    /// When the options do not go together.
    pub fn manner(&self) -> Result<Manner> {
        if self.hash > 0 {
            ensure!(
                self.generator == Which::Engine,
                "--hash {}: the rules generator has no table, expected --generator engine",
                self.hash
            );
            ensure!(
                !self.full,
                "--hash {}: a table leaves moves out, and --full makes them all; expected one of the two",
                self.hash
            );
        }
        Ok(Manner {
            full: self.full,
            table_mb: self.hash,
        })
    }
}
