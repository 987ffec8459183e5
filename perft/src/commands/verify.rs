//! `verify`: suites of known counts.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use assay_cli::args::{JsonArg, ThreadsArg, definition_file, whole_number};
use assay_cli::{Exit, Progress, interrupt, output, output_file};
use clap::ValueEnum;

use super::common::{report_all, thread_pool};
use crate::generator::GeneratorKind;
use crate::junit;
use crate::run_header::RunHeader;
use crate::suite::{self, Games, MAX_DEPTH, Suite};
use crate::verify::check::{Selection, check_suites};
use crate::verify::report::{Report, junit_cases};

/// Generators to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GeneratorChoice {
    /// The bitboard engine
    Engine,
    /// The reference generator
    Rules,
    /// Both
    Both,
}

#[derive(clap::Args, Clone, Debug)]
#[command(
    after_help = include_str!("help/verify.txt").trim_ascii_end()
)]
pub struct Args {
    /// Suites to check [default: the built-in suites]
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Game of lines that name none; lines of other games are skipped
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Generators to check
    #[arg(long, value_enum, default_value = "both")]
    pub generator: GeneratorChoice,
    /// Skip deeper counts
    #[arg(long, value_name = "N", value_parser = whole_number(1..=MAX_DEPTH), allow_negative_numbers = true)]
    pub max_depth: Option<u32>,
    /// Skip larger counts in both generators
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX), allow_negative_numbers = true)]
    pub max_nodes: Option<u64>,
    /// Skip larger counts in the rules generator
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = whole_number(0..=u64::MAX), allow_negative_numbers = true)]
    pub rules_max_nodes: u64,
    #[command(flatten)]
    pub threads: ThreadsArg,
    /// Write the results as JUnit XML, one test case per line of a suite
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub output: JsonArg,
}

/// Runs `verify`.
///
/// # Errors
/// If there is no position to check, or a suite or an argument is wrong.
pub fn run(args: &Args) -> Result<Exit> {
    interrupt::stop_flag();
    let definition = args.game.as_deref().and_then(definition_file);
    let inputs = args.files.iter().map(PathBuf::as_path).chain(definition);
    output_file::check(&[("--junit", args.junit.as_deref())], inputs)?;
    let suites = read_suites(args)?;
    let selection = selection(args);
    ensure!(!selection.is_empty(&suites), "found no count within --max-depth and --max-nodes, expected at least one");
    let pool = thread_pool(args.threads.count())?;
    let header = header(args, &suites, &selection, pool.current_num_threads());
    if !args.output.json {
        header.print();
    }
    let start = Instant::now();
    let progress = Progress::new(positions(&suites), "positions");
    let results = pool.install(|| check_suites(&suites, &selection, &|| progress.inc(1)));
    progress.finish();
    let report = Report::new(&suites, &results, start.elapsed(), interrupt::requested());
    if let Some(path) = &args.junit {
        junit::write(path, "assay-perft verify", &junit_cases(&suites, &results))?;
    }
    if args.output.json {
        output::json(&header.json(report.json()))?;
    } else {
        output::print(report.text())?;
    }
    Ok(Exit::success_if(report.agrees()))
}

fn read_suites(args: &Args) -> Result<Vec<Suite>> {
    let mut games = Games::default();
    let only = args.game.as_ref().map(|name| games.load(name)).transpose()?;
    let suites = if args.files.is_empty() {
        suite::read_embedded(only.as_ref(), &mut games)
    } else {
        suite::read_files(&args.files, only.as_ref(), &mut games)
    };
    let suites = suites.map_err(report_all)?;
    let of_game = only.as_ref().map_or(String::new(), |game| format!(" of {}", game.name));
    let names: Vec<String> = suites.iter().map(|suite| suite.source.display().to_string()).collect();
    ensure!(positions(&suites) > 0, "{}: found no position{of_game}, expected at least one", names.join(", "));
    Ok(suites)
}

fn positions(suites: &[Suite]) -> u64 {
    suites.iter().map(|suite| suite.entries.len() as u64).sum()
}

fn selection(args: &Args) -> Selection {
    let max = args.max_nodes.unwrap_or(u64::MAX);
    let (engine, rules) = ((GeneratorKind::Engine, max), (GeneratorKind::Rules, max.min(args.rules_max_nodes)));
    Selection {
        generators: match args.generator {
            GeneratorChoice::Engine => vec![engine],
            GeneratorChoice::Rules => vec![rules],
            GeneratorChoice::Both => vec![engine, rules],
        },
        max_depth: args.max_depth,
    }
}

fn header(args: &Args, suites: &[Suite], selection: &Selection, threads: usize) -> RunHeader {
    let generators: Vec<&str> = selection.generators.iter().map(|(kind, _)| kind.name()).collect();
    RunHeader::new("verify")
        .with("game", args.game.as_deref().unwrap_or("all"))
        .with("generators", generators)
        .with("files", suites.len())
        .with("max_depth", args.max_depth)
        .with("max_nodes", args.max_nodes)
        .with("rules_max_nodes", args.rules_max_nodes)
        .with("threads", threads)
}
