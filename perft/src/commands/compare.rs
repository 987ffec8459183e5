//! `compare`: counts against another engine.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use assay_cli::args::{GameArg, JsonArg, SeedArg, definition_file, seconds, whole_number};
use assay_cli::{Exit, Progress, format, interrupt, output, output_file};
use assay_client::command::EngineCommand;
use assay_client::connection::{EngineError, Wait};
use assay_client::uci::UciEngine;
use assay_engine::file;
use assay_rules::{GameDef, Position};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::common::{MAX_COUNT, report_all, thread_pool};
use crate::generator::{self, Generator, GeneratorKind};
use crate::junit::{self, Case, Status};
use crate::peer_difference::{PeerComparison, PeerDifference};
use crate::run_header::RunHeader;
use crate::suite::{self, Games, MAX_DEPTH};
use crate::walk::exercised::Exercised;
use crate::walk::mechanism::MechanismSet;
use crate::walk::positions::{positions_of_mechanisms, random_position};
use crate::walk::random_player::GameRng;

#[derive(clap::Args, Clone, Debug)]
#[command(
    after_help = "Missing moves are moves that only the other engine has; extra moves are moves that only Assay has. The line \
`exercised` counts the positions and nodes that showed each rule of the game; a warning names each rule that never occurred.

Examples:
  assay-perft compare chess --against stockfish
  assay-perft compare berolina --against fairy-stockfish --positions 200 --seed 3
  assay-perft compare gamma2 --against 'nice fairy-stockfish' --variant-path gamma2.ini
  assay-perft compare my-game.toml --against fairy-stockfish --suite my-game.epd"
)]
pub struct Args {
    #[command(flatten)]
    pub game: GameArg,
    /// Command line of the other engine
    #[arg(long, value_name = "COMMAND")]
    pub against: String,
    /// Number of random positions
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole_number(1..=MAX_COUNT), allow_negative_numbers = true)]
    pub positions: u64,
    #[command(flatten)]
    pub seed: SeedArg,
    /// Depth of the counts in plies
    #[arg(long, short, value_name = "N", default_value_t = 3, value_parser = whole_number(1..=MAX_DEPTH), allow_negative_numbers = true)]
    pub depth: u32,
    /// Suite of positions to compare instead of random ones (its counts are ignored)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["positions", "seed"])]
    pub suite: Option<PathBuf>,
    /// Name of the game in the other engine [default: the same name]
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// File of variant definitions for the other engine to load first
    #[arg(long, value_name = "FILE")]
    pub variant_path: Option<PathBuf>,
    /// Assay's generator to count with
    #[arg(long, value_enum, default_value = "engine")]
    pub generator: GeneratorKind,
    /// Time limit for each answer of the other engine
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: Duration,
    /// Stop after this many differences (per process of the other engine)
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole_number(1..=MAX_COUNT), allow_negative_numbers = true)]
    pub max_differences: u64,
    /// Number of processes of the other engine to run in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number(1..=1024_usize))]
    pub threads: usize,
    /// Write the results as JUnit XML, one test case per position
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub output: JsonArg,
}

impl Args {
    fn wait(&self) -> Wait<'static> {
        Wait { timeout: self.timeout, stop: interrupt::stop_flag() }
    }
}

/// The results of one process of the other engine, or of all.
#[derive(Default)]
struct Results {
    interrupted: bool,
    compared: u64,
    nodes: u64,
    exercised: Exercised,
    differences: Vec<PeerDifference>,
    /// The compared positions by index, for JUnit only.
    cases: Vec<(u64, Case)>,
    failure: Option<EngineError>,
}

/// Runs `compare`.
///
/// # Errors
/// If the game, the suite or an argument is wrong, or the other engine fails.
pub fn run(args: &Args) -> Result<Exit> {
    interrupt::stop_flag();
    let mut games = Games::default();
    let game = games.load(&args.game.game)?;
    let inputs = [definition_file(&args.game.game), args.suite.as_deref(), args.variant_path.as_deref()];
    output_file::check(&[("--junit", args.junit.as_deref())], inputs.into_iter().flatten())?;
    if let Some(path) = &args.variant_path {
        file::read(path, file::MAX_FILE).with_context(|| format!("--variant-path {}", path.display()))?;
    }
    let command: EngineCommand = args.against.parse().context("--against")?;
    let positions = Positions::new(args, &game, &mut games)?;
    let count = positions.count;
    let variant = args.variant.as_ref().unwrap_or(&game.name);
    let header = RunHeader::new("compare")
        .with("game", &game.name)
        .with("against", &args.against)
        .with("variant", variant)
        .with("positions", count)
        .with("seed", args.suite.is_none().then_some(args.seed.seed))
        .with("depth", args.depth)
        .with("generator", args.generator.name());
    if !args.output.json {
        header.print();
    }
    let start = Instant::now();
    let comparison = Comparison {
        args,
        generator: generator::new(args.generator, &game),
        command,
        variant,
        positions,
        progress: Progress::new(count, "positions"),
    };
    let mut results = comparison.compare_all()?;
    comparison.progress.finish();
    let seconds = start.elapsed().as_secs_f64();
    let agree = results.differences.is_empty();
    if let Some(path) = &args.junit {
        let name = format!("{} against {}", game.name, args.against);
        junit::write(path, "assay-perft compare", &[(name, results.junit_cases(count))])?;
    }
    // A failure keeps what was found before it.
    if results.failure.is_none() || !agree {
        if args.output.json {
            output::json(&header.json(results.json(&game, seconds)))?;
        } else {
            output::print(results.text(&game, seconds))?;
        }
    }
    match results.failure.take() {
        Some(error) => Err(error).with_context(|| format!("--against `{}`", args.against)),
        None => Ok(Exit::success_if(agree)),
    }
}

/// The positions to compare.
struct Positions {
    count: u64,
    /// Those of the suite, or the first random ones: they show every mechanism of the game.
    first: Vec<Position>,
    /// The game of the others, which are generated when they are needed, since there may be any number of them.
    game: Arc<GameDef>,
    seed: u64,
}

impl Positions {
    fn new(args: &Args, game: &Arc<GameDef>, games: &mut Games) -> Result<Positions> {
        let (count, first) = match &args.suite {
            None => (args.positions, positions_of_mechanisms(game, args.seed.seed)),
            Some(path) => {
                let suites = suite::read_files(std::slice::from_ref(path), Some(game), games).map_err(report_all)?;
                let entries = suites.into_iter().flat_map(|suite| suite.entries);
                let positions: Vec<Position> = entries.map(|entry| entry.position).collect();
                ensure!(
                    !positions.is_empty(),
                    "--suite {}: found no position of {}, expected at least one",
                    path.display(),
                    game.name
                );
                (positions.len() as u64, positions)
            }
        };
        Ok(Positions { count, first, game: Arc::clone(game), seed: args.seed.seed })
    }

    fn get(&self, index: u64) -> Position {
        let first = usize::try_from(index).ok().and_then(|index| self.first.get(index));
        first.map_or_else(|| random_position(&self.game, self.seed, index), Position::clone)
    }
}

/// State shared by all processes of the other engine.
struct Comparison<'a> {
    args: &'a Args,
    generator: Box<dyn Generator>,
    command: EngineCommand,
    variant: &'a str,
    positions: Positions,
    progress: Progress,
}

impl Comparison<'_> {
    /// Compares all positions, dealt in turn to the processes of the other engine.
    fn compare_all(&self) -> Result<Results> {
        let (args, positions) = (self.args, self.positions.count);
        let processes = (args.threads as u64).min(positions);
        let compare_share = |first: u64| {
            let mut results = Results::default();
            let share = (first..positions).step_by(processes as usize);
            match self.compare_share(share, &mut results) {
                Ok(()) => {}
                Err(EngineError::Stopped) => results.interrupted = true,
                Err(error) => results.failure = Some(error),
            }
            results
        };
        let pool = thread_pool(args.threads)?;
        let shares: Vec<Results> = pool.install(|| (0..processes).into_par_iter().map(compare_share).collect());
        let mut sum = Results::default();
        for share in shares {
            sum.interrupted |= share.interrupted;
            sum.compared += share.compared;
            sum.nodes += share.nodes;
            sum.exercised.add(&share.exercised);
            sum.differences.extend(share.differences);
            sum.cases.extend(share.cases);
            sum.failure = sum.failure.or(share.failure);
        }
        Ok(sum)
    }

    fn compare_share(&self, share: impl Iterator<Item = u64>, results: &mut Results) -> Result<(), EngineError> {
        let mut peer = self.start_peer()?;
        for index in share {
            let (position, start) = (self.positions.get(index), Instant::now());
            let mut comparison = PeerComparison {
                generator: self.generator.as_ref(),
                peer: &mut peer,
                wait: self.args.wait(),
                start: &position,
                rng: GameRng::new(self.args.seed.seed, index),
                nodes: 0,
                exercised: Exercised::default(),
                shown: MechanismSet::default(),
                difference: None,
            };
            let compared = comparison.compare(self.args.depth);
            comparison.exercised.count_position(comparison.shown);
            let (nodes, difference) = (comparison.nodes, comparison.difference);
            results.exercised.add(&comparison.exercised);
            if self.args.junit.is_some() {
                let case = Case {
                    name: format!("position {}: {}", index + 1, position.fen()),
                    class: self.variant.to_owned(),
                    time: start.elapsed(),
                    status: match (&difference, &compared) {
                        (Some(difference), _) => Status::Failed(difference.text()),
                        (None, Err(EngineError::Stopped)) => Status::Skipped("interrupted".to_owned()),
                        (None, Err(error)) => Status::Error(error.to_string()),
                        (None, Ok(())) => Status::Passed,
                    },
                };
                results.cases.push((index, case));
            }
            results.differences.extend(difference);
            compared?;
            results.compared += 1;
            results.nodes += nodes;
            self.progress.inc(1);
            if results.differences.len() as u64 >= self.args.max_differences {
                break;
            }
        }
        Ok(())
    }

    fn start_peer(&self) -> Result<UciEngine, EngineError> {
        let wait = self.args.wait();
        let path = self.args.variant_path.as_ref().map(|path| path.display().to_string());
        let mut peer = UciEngine::start(&self.command)?;
        peer.handshake(wait)?;
        peer.select_variant(self.variant, path.as_deref(), definition_file(&self.args.game.game), wait)?;
        peer.wait_ready(wait)?;
        Ok(peer)
    }
}

impl Results {
    fn json(&self, game: &GameDef, seconds: f64) -> Value {
        json!({
            "agree": self.differences.is_empty(),
            "interrupted": self.interrupted,
            "compared": self.compared,
            "nodes": self.nodes,
            "seconds": seconds,
            "exercised": self.exercised.json(game),
            "differences": self.differences,
        })
    }

    fn text(&self, game: &GameDef, seconds: f64) -> String {
        let mut text: String = self.differences.iter().map(PeerDifference::text).collect();
        text += &self.exercised.text(game);
        let verdict = match (self.differences.len(), self.interrupted) {
            (0, false) => "all agree".to_owned(),
            (0, true) => "interrupted, all agree so far".to_owned(),
            (differences, _) => format::count(differences, "difference", "differences"),
        };
        text + &format!(
            "{verdict}: {}, {}, {seconds:.1} s\n",
            format::count(self.compared, "position", "positions"),
            format::count(self.nodes, "node", "nodes"),
        )
    }

    /// A case for each position that was begun, and one for all the others.
    fn junit_cases(&mut self, positions: u64) -> Vec<Case> {
        self.cases.sort_by_key(|(index, _)| *index);
        let mut cases: Vec<Case> = self.cases.drain(..).map(|(_, case)| case).collect();
        let rest = positions - cases.len() as u64;
        if rest > 0 {
            cases.push(Case {
                name: format!("{} not compared", format::count(rest, "position", "positions")),
                class: String::new(),
                time: Duration::ZERO,
                status: Status::Skipped("the comparison ended before".to_owned()),
            });
        }
        cases
    }
}
