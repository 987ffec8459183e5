//! Arguments that `run` and `divide` share.

use std::sync::Arc;

use anyhow::{Result, ensure};
use assay_cli::args::{GameArg, JsonArg, ThreadsArg, whole_number};
use assay_cli::{Progress, format, interrupt, output};
use assay_rules::{GameDef, Position};
use clap::Args;

use super::common::thread_pool;
use crate::divide::{DivideProgress, Division, divide};
use crate::generator::{self, CountOptions, Generator, GeneratorKind};
use crate::position_args::PositionArgs;
use crate::run_header::RunHeader;

/// Position and options of a count.
#[derive(Args, Clone, Debug)]
pub struct CountArgs {
    #[command(flatten)]
    pub game: GameArg,
    #[command(flatten)]
    pub position: PositionArgs,
    /// Generator to count with
    #[arg(long, value_enum, default_value = "engine")]
    pub generator: GeneratorKind,
    #[command(flatten)]
    pub threads: ThreadsArg,
    /// Size of the perft hash table in MiB; 0 for none (engine only)
    #[arg(long, value_name = "MiB", default_value_t = 0, value_parser = whole_number(0..=1_usize << 20), allow_negative_numbers = true)]
    pub hash: usize,
    /// Make every move of the last ply too, instead of counting the legal moves before it (no bulk
    /// counting)
    #[arg(long)]
    pub full: bool,
    #[command(flatten)]
    pub output: JsonArg,
}

/// A count that is ready to run.
pub(super) struct Count {
    pub(super) game: Arc<GameDef>,
    pub(super) position: Position,
    pub(super) header: RunHeader,
    options: CountOptions,
    pool: rayon::ThreadPool,
    generator: Box<dyn Generator>,
}

impl Count {
    /// Counts below each root move.
    pub(super) fn divide(&self, depth: u32) -> Result<Division> {
        let bar = Progress::new(0, "parts");
        let show = |progress: DivideProgress| {
            let rate = format::rate(format::per_second(progress.nodes, progress.elapsed));
            bar.set_total(progress.total);
            bar.set(progress.done);
            bar.set_message(format!("depth {depth}, {rate} nodes/s"));
        };
        let (generator, stop) = (self.generator.as_ref(), interrupt::stop_flag());
        self.pool.install(|| divide(generator, &self.position, depth, self.options, stop, &show))
    }
}

impl CountArgs {
    /// Loads the game and the position and builds the generator; prints the settings unless the
    /// output is JSON.
    pub(super) fn prepare(&self, command: &'static str, depth: u32) -> Result<Count> {
        interrupt::stop_flag();
        let game = assay_engine::load_game(&self.game.game)?;
        let position = self.position.position(&game)?;
        let options = self.options()?;
        let pool = thread_pool(self.threads.count())?;
        let header = RunHeader::new(command)
            .with("game", &game.name)
            .with("generator", self.generator.name())
            .with("depth", depth)
            .with("threads", pool.current_num_threads())
            .with("hash_mb", self.hash)
            .with("full", self.full);
        if !self.output.json {
            header.print();
            output::note(format_args!("position: {}", position.fen()));
        }
        let generator = generator::new(self.generator, &game);
        Ok(Count { game, position, header, options, pool, generator })
    }

    fn options(&self) -> Result<CountOptions> {
        if self.hash > 0 {
            ensure!(
                self.generator == GeneratorKind::Engine,
                "--hash {}: the rules generator has no hash table, expected --generator engine",
                self.hash
            );
            ensure!(
                !self.full,
                "--hash {}: a hash table skips moves and --full makes all of them, expected one of the two",
                self.hash
            );
        }
        Ok(CountOptions { full: self.full, hash_mb: self.hash })
    }
}
