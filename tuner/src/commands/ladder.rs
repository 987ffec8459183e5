//! `assay-tuner ladder`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use assay_cli::args::{self, GameArg, SeedArg, ThreadsArg, definition_file};
use assay_cli::format::grouped;
use assay_cli::{interrupt, output_file};
use assay_selfplay::settings::{Evaluation, GameSource, Material};

use super::playing::{DEFAULT_GAMES, MAX_GAMES, RunArgs, play};
use super::{ReportArgs, flag, measure};
use crate::report;
use crate::values::analysis::AnalysisOptions;
use crate::values::inference::Unit;
use crate::values::ladder::{Ladder, LevelMatch, allocate};
use crate::values::results::MeasurementReport;

/// Arguments of `ladder`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/ladder.txt"))]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Nodes per move of each level, in ascending order
    #[arg(long, value_name = "N,N...", required = true, value_delimiter = ',', value_parser = args::whole_number(1..=1_u64 << 50), allow_negative_numbers = true)]
    nodes: Vec<u64>,
    /// Games of the highest level
    #[arg(long, value_name = "N", default_value_t = DEFAULT_GAMES, value_parser = args::whole_number(2..=MAX_GAMES), allow_negative_numbers = true)]
    games: u64,
    /// Nodes per move to extrapolate to [default: four times the highest level]
    #[arg(long, value_name = "N", value_parser = args::whole_number(1..=1_u64 << 52), allow_negative_numbers = true)]
    target: Option<u64>,
    /// Games of each match between neighboring levels; 0 for none
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = args::whole_number(0..=MAX_GAMES), allow_negative_numbers = true)]
    match_games: u64,
    /// Folder for the run files
    #[arg(long = "folder", value_name = "FOLDER", default_value = ".")]
    data: PathBuf,
    /// Evaluation of the players; only some games have a network
    #[arg(long, value_parser = args::one_of::<Evaluation>(Evaluation::NAMES), default_value_t)]
    evaluation: Evaluation,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Unit of the first table and of pictures
    #[arg(long, value_enum, default_value_t)]
    unit: Unit,
    #[command(flatten)]
    options: AnalysisOptions,
    #[command(flatten)]
    output: ReportArgs,
}

impl Args {
    fn target(&self) -> u64 {
        let highest = self.nodes.iter().copied().max().unwrap_or(1);
        self.target.unwrap_or(4 * highest)
    }

    fn level(&self, nodes: u64, games: u64) -> RunArgs {
        RunArgs {
            games: Some(games),
            nodes,
            evaluation: self.evaluation,
            shard: None,
            seed: self.seed,
            threads: self.threads,
        }
    }

    fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.nodes.len() >= 2 && self.nodes.is_sorted_by(|one, other| one < other),
            "--nodes: found {}, expected two or more different numbers in ascending order",
            list(&self.nodes)
        );
        let highest = self.nodes[self.nodes.len() - 1];
        anyhow::ensure!(
            self.target() >= highest,
            "--target: found {}, expected at least the nodes of the highest level, {highest}",
            self.target()
        );
        anyhow::ensure!(
            self.data.is_dir(),
            "--folder {}: found no such folder, expected a folder for run files",
            self.data.display()
        );
        Ok(())
    }

    /// Fails before any game is played if the report could not be written afterwards or would
    /// overwrite a file of games or the definition.
    fn check_output(&self, game: &str) -> anyhow::Result<()> {
        let levels = self.nodes.iter().map(|&nodes| level_file(&self.data, game, nodes));
        let matches = self.nodes.windows(2).map(|pair| match_file(&self.data, game, pair[0], pair[1]));
        let inputs: Vec<PathBuf> = levels.chain(matches).collect();
        let inputs = inputs.iter().map(PathBuf::as_path).chain(definition_file(&self.game.game));
        output_file::check(&[("--html", self.output.html.as_deref())], inputs)
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.check()?;
    let source = GameSource::load(&args.game.game)?;
    args.check_output(&source.game.name)?;
    let games = allocate(&args.nodes, args.target(), args.games);
    let mut reports = Vec::new();
    for (&nodes, &games) in args.nodes.iter().zip(&games) {
        reports.push((nodes, level(args, &source, nodes, games)?));
    }
    let mut matches = Vec::new();
    for pair in args.nodes.windows(2) {
        matches.push(match_between(args, &source, pair[0], pair[1])?);
    }
    let mut ladder = Ladder::of(&reports, &matches, args.unit, args.target())?;
    ladder.command = Some(format!(
        "assay-tuner ladder {} --nodes {} --games {} --target {} --match-games {}{} --seed {} --folder {}{}{}",
        args.game.game,
        list(&args.nodes),
        args.games,
        args.target(),
        args.match_games,
        flag("evaluation", &args.evaluation, ToString::to_string),
        args.seed.seed,
        args.data.display(),
        flag("phase-model", &args.options.phase_model, args::name_of),
        flag("unit", &args.unit, args::name_of)
    ));
    args.output.write_page(&report::ladder(&ladder), &ladder)
}

/// Plays a level's missing games and measures it.
fn level(args: &Args, source: &GameSource, nodes: u64, games: u64) -> anyhow::Result<MeasurementReport> {
    let path = level_file(&args.data, &source.game.name, nodes);
    let run = args.level(nodes, games).settings(source, Material::Values, games)?;
    if !interrupt::requested() {
        play(&run, &path, None, None)?;
    }
    anyhow::ensure!(
        path.exists(),
        "stopped before any game with {} nodes per move; the same command continues",
        grouped(nodes)
    );
    measure(std::slice::from_ref(&path), &args.options, None)
        .with_context(|| format!("{} nodes per move", grouped(nodes)))
}

/// Plays the missing games of a match between two levels; `None` if none are wanted or played.
fn match_between(args: &Args, source: &GameSource, weaker: u64, stronger: u64) -> anyhow::Result<Option<LevelMatch>> {
    if args.match_games == 0 || interrupt::requested() {
        return Ok(None);
    }
    let path = match_file(&args.data, &source.game.name, weaker, stronger);
    let games = args.match_games;
    let run = args.level(stronger, games).match_against(source, weaker, games)?;
    let summary = play(&run, &path, None, None)?;
    let score = summary.standings.match_score();
    let counts = score.map(|score| &score.observation_counts);
    Ok(counts.filter(|counts| counts.games() > 0).map(LevelMatch::of))
}

fn level_file(folder: &Path, game: &str, nodes: u64) -> PathBuf {
    folder.join(format!("assay-{game}-{nodes}.db"))
}

fn match_file(folder: &Path, game: &str, weaker: u64, stronger: u64) -> PathBuf {
    folder.join(format!("assay-{game}-{stronger}-against-{weaker}.db"))
}

/// `80,500,4000`.
fn list(nodes: &[u64]) -> String {
    let nodes: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    nodes.join(",")
}
