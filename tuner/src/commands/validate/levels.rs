//! Measurements at several strengths, each of which is a level.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use assay_cli::args::{self, definition_file};
use assay_cli::format::grouped;
use assay_cli::interrupt;
use assay_selfplay::settings::{GameSource, Material};

use super::Args;
use crate::commands::playing::{MAX_GAMES, RunArgs, play, random_openings};
use crate::commands::{flag, measure};
use crate::report;
use crate::values::ladder::{Ladder, LevelMatch, allocate};
use crate::values::results::MeasurementReport;

/// Arguments of measurements at several strengths.
#[derive(Debug, clap::Args)]
pub(crate) struct LevelArgs {
    /// With several --nodes: nodes per move to extrapolate to [default: four times the highest
    /// level]
    #[arg(long, value_name = "N", value_parser = args::whole_number(1..=1_u64 << 52), allow_negative_numbers = true)]
    target: Option<u64>,
    /// With several --nodes: games of each match between neighboring levels; 0 for none [default:
    /// 400]
    #[arg(long, value_name = "N", value_parser = args::whole_number(0..=MAX_GAMES), allow_negative_numbers = true)]
    match_games: Option<u64>,
    /// With several --nodes: folder for the run files [default: this folder]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Games of a match between neighboring levels.
const MATCH_GAMES: u64 = 400;

impl Args {
    /// Fails if an option does not fit the number of levels, or the levels are not in order.
    pub(super) fn check_levels(&self) -> anyhow::Result<()> {
        let (levels, extent) = (&self.levels, &self.extent);
        let nodes = list(&extent.run.nodes);
        let (others, expected) = if let [_] = extent.run.nodes[..] {
            let of_levels = vec![
                ("--target", levels.target.is_some()),
                ("--match-games", levels.match_games.is_some()),
                ("--folder", levels.folder.is_some()),
            ];
            (of_levels, "several numbers, like 80,500,4000")
        } else {
            let of_one_level = vec![
                ("--data", extent.data.is_some()),
                ("--shard", extent.run.shard.is_some()),
                ("--budget", extent.run.budget.is_some()),
                ("--precision", extent.precision.is_some()),
                ("--playtest", extent.playtest.is_some()),
                ("--csv", extent.output.csv.is_some()),
                ("--margin", extent.output.text.margin.is_some()),
                ("--details", extent.output.text.details),
            ];
            (of_one_level, "one number")
        };
        if let Some((option, _)) = others.iter().find(|(_, is_given)| *is_given) {
            bail!("{option}: found --nodes {nodes}, expected {expected}");
        }
        ensure!(
            extent.run.nodes.is_sorted_by(|one, other| one < other),
            "--nodes: found {nodes}, expected one number, or different ones in ascending order"
        );
        ensure!(
            self.target() >= self.highest(),
            "--target: found {}, expected at least the nodes of the highest level, {}",
            self.target(),
            self.highest()
        );
        ensure!(
            self.folder().is_dir(),
            "--folder {}: found no such folder, expected a folder for run files",
            self.folder().display()
        );
        Ok(())
    }

    fn highest(&self) -> u64 {
        self.extent.run.nodes.last().copied().unwrap_or(1)
    }

    fn target(&self) -> u64 {
        self.levels.target.unwrap_or(4 * self.highest())
    }

    fn match_games(&self) -> u64 {
        self.levels.match_games.unwrap_or(MATCH_GAMES)
    }

    fn folder(&self) -> &Path {
        self.levels.folder.as_deref().unwrap_or(Path::new("."))
    }

    fn level(&self, nodes: u64, games: u64) -> RunArgs {
        RunArgs { games: Some(games), nodes: vec![nodes], ..self.extent.run.clone() }
    }

    /// Fails before any game is played if the report could not be written afterwards or would
    /// overwrite a file of games or the definition.
    fn check_output(&self, game: &str) -> anyhow::Result<()> {
        let nodes = &self.extent.run.nodes;
        let levels = nodes.iter().map(|&nodes| level_file(self.folder(), game, nodes));
        let matches = nodes.windows(2).map(|pair| match_file(self.folder(), game, pair[0], pair[1]));
        let inputs: Vec<PathBuf> = levels.chain(matches).collect();
        let inputs = inputs.iter().map(PathBuf::as_path).chain(definition_file(&self.game.game));
        self.extent.output.check(inputs)
    }
}

/// Plays and measures a game at several strengths.
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let source = GameSource::load(&args.game.game)?;
    args.check_output(&source.game.name)?;
    let (run, output) = (&args.extent.run, &args.extent.output);
    let games = allocate(&run.nodes, args.target(), run.games());
    let mut reports = Vec::new();
    for (&nodes, &games) in run.nodes.iter().zip(&games) {
        reports.push((nodes, level(args, &source, nodes, games)?));
    }
    let mut matches = Vec::new();
    for pair in run.nodes.windows(2) {
        matches.push(match_between(args, &source, pair[0], pair[1])?);
    }
    let unit = output.text.unit.unwrap_or_default();
    let mut ladder = Ladder::of(&reports, &matches, unit, args.target())?;
    ladder.command = Some(format!(
        "assay-tuner validate {} --nodes {} --games {} --target {} --match-games {}{} --seed {} --folder {}{}{}",
        args.game.game,
        list(&run.nodes),
        run.games(),
        args.target(),
        args.match_games(),
        run.evaluation_flag(),
        run.seed.seed,
        args.folder().display(),
        flag("phase-model", &args.extent.options.phase_model),
        flag("unit", &unit)
    ));
    output.report.write_page(&report::ladder(&ladder), &ladder)
}

/// Plays a level's missing games and measures it.
fn level(args: &Args, source: &GameSource, nodes: u64, games: u64) -> anyhow::Result<MeasurementReport> {
    let path = level_file(args.folder(), &source.game.name, nodes);
    let run = args.level(nodes, games).plan(source, random_openings(Material::Values), games, &path)?;
    if !interrupt::requested() {
        play(&run, None, None)?;
    }
    ensure!(
        path.exists(),
        "stopped before any game with {} nodes per move; the same command continues",
        grouped(nodes)
    );
    measure(std::slice::from_ref(&path), &args.extent.options.into(), None)
        .with_context(|| format!("{} nodes per move", grouped(nodes)))
}

/// Plays the missing games of a match between two levels; `None` if none are wanted or played.
fn match_between(args: &Args, source: &GameSource, weaker: u64, stronger: u64) -> anyhow::Result<Option<LevelMatch>> {
    if args.match_games() == 0 || interrupt::requested() {
        return Ok(None);
    }
    let path = match_file(args.folder(), &source.game.name, weaker, stronger);
    let games = args.match_games();
    let run = args.level(stronger, games).match_against(source, weaker, games, &path)?;
    let summary = play(&run, None, None)?;
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
