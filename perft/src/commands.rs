//! The subcommands, one file each.

pub mod bench;
pub mod compare;
pub mod divide;
pub mod run;
pub mod show;
pub mod verify;
pub mod walk;

use std::sync::Arc;

use anyhow::{Result, ensure};
use assay_rules::{GameDef, Position};
use clap::Args;

use crate::banner::Banner;
use crate::cli::{Cli, Command};
use crate::counting::Divided;
use crate::generator::{Generator, Manner, Which};
use crate::start::StartArgs;
use crate::{Verdict, counting, generator, output, typed};

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

/// What to count and how: all that `run` and `divide` share.
#[derive(Args, Clone, Debug)]
pub struct CountArgs {
    /// A built-in game, or the path of a definition file
    pub game: String,
    /// Which position.
    #[command(flatten)]
    pub start: StartArgs,
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
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A request to count, made ready.
struct Count {
    game: Arc<GameDef>,
    position: Position,
    manner: Manner,
    pool: rayon::ThreadPool,
    generator: Box<dyn Generator>,
    banner: Banner,
}

impl Count {
    /// Counts below each root move.
    fn divide(&self, depth: u32) -> Result<Divided> {
        self.pool
            .install(|| counting::divide(self.generator.as_ref(), &self.position, depth, self.manner))
    }
}

impl CountArgs {
    /// What was typed, made ready for the subcommand `command`; its settings are printed unless the output is JSON.
    fn ready(&self, command: &'static str, depth: u32) -> Result<Count> {
        let game = assay_engine::load_game(&self.game)?;
        let position = self.start.position(&game)?;
        let manner = self.manner()?;
        let pool = counting::pool(self.threads)?;
        let banner = Banner::new(command)
            .with("game", &game.name)
            .with("generator", self.generator.name())
            .with("depth", depth)
            .with("threads", pool.current_num_threads())
            .with("hash_mb", self.hash)
            .with("full", self.full);
        if !self.json {
            banner.print();
            output::note(format_args!("position: {}", position.fen()));
        }
        let generator = generator::new(self.generator, &game);
        Ok(Count {
            game,
            position,
            manner,
            pool,
            generator,
            banner,
        })
    }

    fn manner(&self) -> Result<Manner> {
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
