//! `compare`: counts against another engine.

use std::path::{Path, PathBuf};
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
use crate::peer_difference::{PeerComparison, PeerDifference, PeerFailure, Start};
use crate::run_header::RunHeader;
use crate::suite::{self, Entry, Games, Lines, MAX_DEPTH};
use crate::walk::exercised::Exercised;
use crate::walk::mechanism::MechanismSet;
use crate::walk::positions::{positions_of_mechanisms, random_position};
use crate::walk::random_player::GameRng;

/// Number of random positions, unless a suite is given.
const DEFAULT_POSITIONS: u64 = 100;

#[derive(clap::Args, Clone, Debug)]
#[command(
    after_help = include_str!("help/compare.txt").trim_ascii_end()
)]
pub struct Args {
    #[command(flatten)]
    pub game: GameArg,
    /// Command line of the other engine
    #[arg(long, value_name = "COMMAND")]
    pub against: String,
    /// Number of random positions, after the suite [default: 100, or 0 with --suite]
    #[arg(long, value_name = "N", value_parser = whole_number(0..=MAX_COUNT), allow_negative_numbers = true)]
    pub positions: Option<u64>,
    #[command(flatten)]
    pub seed: SeedArg,
    /// Depth of the counts in plies
    #[arg(long, short, value_name = "N", default_value_t = 3, value_parser = whole_number(1..=MAX_DEPTH), allow_negative_numbers = true)]
    pub depth: u32,
    /// Suite of positions to compare: FENs, EPDs, or lines with counts, which are ignored;
    /// `builtin` for Assay's own of the game [default: builtin]
    #[arg(long, value_name = "FILE")]
    pub suite: Option<PathBuf>,
    /// Stop at a line of the suite that cannot be read, instead of skipping it
    #[arg(long)]
    pub strict: bool,
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
    /// Stop after this many differences and failures (per process of the other engine)
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

    /// The suite, if it is not the built-in one.
    fn suite_file(&self) -> Option<&Path> {
        self.suite.as_deref().filter(|path| *path != Path::new("builtin"))
    }
}

/// The results of one process of the other engine, or of all.
#[derive(Default)]
struct PeerResults {
    interrupted: bool,
    compared: u64,
    nodes: u64,
    exercised: Exercised,
    differences: Vec<PeerDifference>,
    failures: Vec<PeerFailure>,
    /// The compared positions by index, for JUnit only.
    cases: Vec<(u64, Case)>,
    /// `--max-differences` were found.
    ended_early: bool,
    /// The engine cannot be started.
    start_error: Option<EngineError>,
}

/// Runs `compare`.
///
/// # Errors
/// If the game, the suite or an argument is wrong, or the other engine fails.
pub fn run(args: &Args) -> Result<Exit> {
    interrupt::stop_flag();
    let mut games = Games::default();
    let game = games.load(&args.game.game)?;
    let inputs = [definition_file(&args.game.game), args.suite_file(), args.variant_path.as_deref()];
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
        .with("suite", args.suite.as_deref().unwrap_or(Path::new("builtin")))
        .with("positions", count)
        .with("skipped_lines", positions.skipped_lines)
        .with("seed", args.seed.seed)
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
    let agree = results.agree();
    if let Some(path) = &args.junit {
        let name = format!("{} against {}", game.name, args.against);
        junit::write(path, "assay-perft compare", &[(name, results.junit_cases(count))])?;
    }
    let start_error = results.start_error.take();
    // What was found before the engine could not be started again is kept.
    if start_error.is_none() || !agree {
        if args.output.json {
            output::json(&header.json(results.json(&game, seconds)))?;
        } else {
            output::print(results.text(&game, seconds))?;
        }
    }
    match start_error {
        Some(error) => Err(error).with_context(|| format!("--against `{}`", args.against)),
        None => Ok(Exit::success_if(agree)),
    }
}

/// The positions to compare.
struct Positions {
    count: u64,
    /// The positions of the suite.
    suite: Vec<Start>,
    /// Lines of the suite that could not be read.
    skipped_lines: usize,
    /// The first random ones: they show every mechanism of the game.
    of_mechanisms: Vec<Position>,
    /// The game of the others, which are generated when they are needed, since there may be any
    /// number of them.
    game: Arc<GameDef>,
    seed: u64,
}

impl Positions {
    fn new(args: &Args, game: &Arc<GameDef>, games: &mut Games) -> Result<Positions> {
        let suites = match args.suite_file() {
            None => suite::read_embedded(Some(game), games).map_err(report_all)?,
            Some(path) => vec![suite::read_file(path, Lines::Positions, Some(game), games).context("--suite")?],
        };
        let mut faults = suites.iter().flat_map(|suite| &suite.faults);
        if let Some(fault) = faults.clone().next().filter(|_| args.strict) {
            return Err(fault.clone().into());
        }
        faults.by_ref().for_each(|fault| output::warning(format_args!("{fault}; this line is skipped")));
        let skipped_lines = suites.iter().map(|suite| suite.faults.len()).sum();
        let entries = suites.into_iter().flat_map(|suite| suite.entries);
        let suite: Vec<Start> =
            entries.map(|Entry { fen, ignored, position, .. }| Start { fen, ignored, position }).collect();
        if let Some(path) = &args.suite {
            let (path, name) = (path.display(), &game.name);
            ensure!(!suite.is_empty(), "--suite {path}: found no position of {name}, expected at least one");
        }
        let random = args.positions.unwrap_or(if args.suite.is_some() { 0 } else { DEFAULT_POSITIONS });
        let count = suite.len() as u64 + random;
        ensure!(count > 0, "--positions 0: found no position to compare, expected at least one");
        let of_mechanisms = if random > 0 { positions_of_mechanisms(game, args.seed.seed) } else { Vec::new() };
        Ok(Positions { count, suite, skipped_lines, of_mechanisms, game: Arc::clone(game), seed: args.seed.seed })
    }

    fn get(&self, index: u64) -> Start {
        let in_memory = usize::try_from(index).unwrap_or(usize::MAX);
        if let Some(start) = self.suite.get(in_memory) {
            return start.clone();
        }
        let first = self.of_mechanisms.get(in_memory - self.suite.len());
        let random = || random_position(&self.game, self.seed, index - self.suite.len() as u64);
        let position = first.map_or_else(random, Position::clone);
        Start { fen: position.fen(), ignored: String::new(), position }
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
    fn compare_all(&self) -> Result<PeerResults> {
        let (args, positions) = (self.args, self.positions.count);
        let processes = (args.threads as u64).min(positions);
        let compare_share = |first: u64| {
            let mut results = PeerResults::default();
            let share = (first..positions).step_by(processes as usize);
            match self.compare_share(share, &mut results) {
                Ok(()) => {}
                Err(EngineError::Stopped) => results.interrupted = true,
                Err(error) => results.start_error = Some(error),
            }
            results
        };
        let pool = thread_pool(args.threads)?;
        let shares: Vec<PeerResults> = pool.install(|| (0..processes).into_par_iter().map(compare_share).collect());
        let mut sum = PeerResults::default();
        for share in shares {
            sum.interrupted |= share.interrupted;
            sum.compared += share.compared;
            sum.nodes += share.nodes;
            sum.exercised.add(&share.exercised);
            sum.differences.extend(share.differences);
            sum.cases.extend(share.cases);
            sum.failures.extend(share.failures);
            sum.ended_early |= share.ended_early;
            sum.start_error = sum.start_error.or(share.start_error);
        }
        Ok(sum)
    }

    /// Compares positions with one process of the other engine, and with another one after it has
    /// failed.
    ///
    /// # Errors
    /// If the engine cannot be started, or the comparison is interrupted.
    fn compare_share(&self, share: impl Iterator<Item = u64>, results: &mut PeerResults) -> Result<(), EngineError> {
        let mut peer = None;
        for index in share {
            let (start, begun) = (self.positions.get(index), Instant::now());
            let mut engine = peer.take().map_or_else(|| self.start_peer(), Ok)?;
            let mut comparison = PeerComparison {
                generator: self.generator.as_ref(),
                peer: &mut engine,
                wait: self.args.wait(),
                start: &start,
                rng: GameRng::new(self.args.seed.seed, index),
                nodes: 0,
                exercised: Exercised::default(),
                shown: MechanismSet::default(),
                difference: None,
                asked: None,
            };
            let compared = comparison.compare(self.args.depth);
            comparison.exercised.count_position(comparison.shown);
            let is_stopped = matches!(compared, Err(EngineError::Stopped));
            let failure = compared.as_ref().err().filter(|_| !is_stopped).map(|error| comparison.failure(error));
            let (nodes, difference) = (comparison.nodes, comparison.difference);
            results.exercised.add(&comparison.exercised);
            if self.args.junit.is_some() {
                let texts = difference.iter().map(PeerDifference::text).chain(failure.iter().map(PeerFailure::text));
                let text: String = texts.collect();
                let case = Case {
                    name: format!("position {}: {}", index + 1, start.fen),
                    class: self.variant.to_owned(),
                    time: begun.elapsed(),
                    status: match (&difference, &failure) {
                        (Some(_), _) => Status::Failed(text),
                        (None, Some(_)) => Status::Error(text),
                        (None, None) if is_stopped => Status::Skipped("interrupted".to_owned()),
                        (None, None) => Status::Passed,
                    },
                };
                results.cases.push((index, case));
            }
            results.differences.extend(difference);
            if let Some(failure) = failure {
                let error = &failure.error;
                output::warning(format_args!("position {}: {error}; starting the engine again", index + 1));
                results.failures.push(failure);
            } else {
                compared?;
                results.compared += 1;
                results.nodes += nodes;
                peer = Some(engine);
            }
            self.progress.inc(1);
            if (results.differences.len() + results.failures.len()) as u64 >= self.args.max_differences {
                results.ended_early = true;
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
        let definition = definition_file(&self.args.game.game);
        let shadows = self.positions.game.shadows_builtin();
        peer.select_variant(self.variant, path.as_deref(), definition, shadows, wait)?;
        peer.wait_ready(wait)?;
        Ok(peer)
    }
}

impl PeerResults {
    fn agree(&self) -> bool {
        self.differences.is_empty() && self.failures.is_empty()
    }

    fn json(&self, game: &GameDef, seconds: f64) -> Value {
        json!({
            "agree": self.agree(),
            "interrupted": self.interrupted,
            "compared": self.compared,
            "nodes": self.nodes,
            "seconds": seconds,
            "exercised": self.exercised.json(game),
            "differences": self.differences,
            "failures": self.failures,
        })
    }

    fn text(&self, game: &GameDef, seconds: f64) -> String {
        let mut text: String = self.differences.iter().map(PeerDifference::text).collect();
        text.extend(self.failures.iter().map(PeerFailure::text));
        text += &self.exercised.text(game, !(self.ended_early || self.interrupted));
        let verdict = match (self.agree(), self.interrupted) {
            (true, false) => "all agree".to_owned(),
            (true, true) => "interrupted, all agree so far".to_owned(),
            (false, _) => {
                let found = [
                    (self.differences.len(), "difference", "differences"),
                    (self.failures.len(), "failure", "failures"),
                ];
                let found = found.into_iter().filter(|(number, ..)| *number > 0);
                found.map(|(number, one, several)| format::count(number, one, several)).collect::<Vec<_>>().join(", ")
            }
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
