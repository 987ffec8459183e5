//! `assay-selfplay info`.

mod details;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use assay_cli::args::{self, JsonArg, ThreadsArg};
use assay_cli::format::{count, grouped, percent};
use assay_cli::{Exit, output};
use assay_selfplay::Store;
use assay_selfplay::description::describe;
use assay_selfplay::import::ImportedMatch;
use assay_selfplay::info::{Details, EndgameFilter, Info};
use assay_selfplay::report::Report;
use assay_selfplay::report::tournament::text::{cross_table, pairings, superiority};
use clap::ValueHint;

use super::matches::{NamedAnchor, parse_anchor};
use super::start_threads;

const EXAMPLES: &str = include_str!("help/info.txt").trim_ascii_end();

/// Summarize a run file and check that it is intact
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Run file of `generate` or `match`
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Also replay every game and check its moves and result against the rules, and in self-play
    /// its start against the seed
    #[arg(long)]
    replay: bool,
    /// In a tournament, also print the cross table, the likelihoods of superiority and the pairings
    #[arg(long)]
    crosstable: bool,
    /// In a tournament, the rating of an engine, to which the others are relative
    #[arg(long, value_name = "NAME=ELO", value_parser = parse_anchor)]
    anchor: Option<NamedAnchor>,
    /// Also print statistics with errors: results, endings, length, legal moves, endgames
    #[arg(long)]
    details: bool,
    /// Show endgames with at most this many pieces besides the kings
    #[arg(long, value_name = "N", requires = "details", default_value_t = 3, value_parser = args::whole_number(1..=20_u8), allow_negative_numbers = true)]
    max_pieces: u8,
    /// Show endgames that occur in at least this many games
    #[arg(long, value_name = "N", requires = "details", default_value_t = 20, value_parser = args::whole_number(2..=u32::MAX), allow_negative_numbers = true)]
    min_games: u32,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> Result<Exit> {
    start_threads(args.threads)?;
    let store = Store::open_snapshot(&args.file)?;
    let needs_players = args.crosstable || args.anchor.is_some();
    let imported = if needs_players { ImportedMatch::read(&store)? } else { None };
    let settings = imported.as_ref().map_or(&store.header().settings, |imported| &imported.settings);
    ensure!(
        !args.crosstable || settings.players.all().len() > 2,
        "--crosstable: found a run of fewer than three engines, expected a tournament"
    );
    let anchor = (args.anchor.as_ref()).map(|anchor| anchor.find(settings)).transpose()?;
    let mut info = Info::read(&store, anchor)?;
    let are_drawn = !args.replay || info.replay(&store);
    if args.details {
        info.details = Some(Details::read(&store, args.endgames())?);
    }
    if args.json.json {
        output::json(&info)?;
    } else {
        output::print(text(args, &store, &info, are_drawn))?;
    }
    Ok(Exit::success_if(info.problems.is_empty()))
}

impl Args {
    fn endgames(&self) -> EndgameFilter {
        EndgameFilter { max_pieces: usize::from(self.max_pieces), min_games: self.min_games as usize }
    }
}

fn text(args: &Args, store: &Store, info: &Info, are_drawn: bool) -> String {
    let mut lines = vec![("file", args.file.display().to_string())];
    let settings = describe(store.header());
    let is_imported = store.header().settings.import().is_some();
    let block = |report: &Report| {
        let mut text = report.text();
        if let Report::Tournament(report) = report
            && args.crosstable
        {
            text += &format!("\n{}\n{}\n{}", cross_table(report), superiority(report), pairings(report));
        }
        ("", format!("\n{}", text.trim_end()))
    };
    let mut report = info.report.as_ref().map(block);
    // The ratings of many engines come first.
    if matches!(info.report, Some(Report::Tournament(_))) {
        lines.extend(report.take());
    }
    lines.extend(settings);
    if is_imported || info.report.is_none() {
        lines.extend(self_play(info, is_imported));
    }
    lines.extend(report);
    let mut check = match (info.problems.as_slice(), args.replay) {
        ([], false) => "intact".to_owned(),
        ([], true) => "intact, and every game follows the rules".to_owned(),
        (problems, _) => format!("damaged:\n  {}", problems.join("\n  ")),
    };
    if !are_drawn {
        check += "\n               (another version of the engine played: the openings were not drawn again)";
    }
    lines.push(("check", check));
    if let Some(details) = &info.details {
        let text = details::text(details, args.endgames());
        lines.push(("", format!("\n\n{}", text.trim_end())));
    }
    let lines = lines.into_iter().map(|(name, value)| match value.strip_prefix('\n') {
        Some(block) => format!("{block}\n"),
        None => format!("{name:<15}{value}\n"),
    });
    lines.collect()
}

/// White's results, endings and lengths.
fn self_play(info: &Info, is_imported: bool) -> Vec<(&'static str, String)> {
    let games = &info.games;
    let pairs = if is_imported {
        count(games.openings, "cluster", "clusters")
    } else {
        count(games.pairs, "complete pair", "complete pairs")
    };
    let cluster = if is_imported { "" } else { " by opening" };
    let mut lines = vec![("games", format!("{}, {pairs}", grouped(games.games))), ("White", games.results.to_string())];
    if let Some(white) = games.white {
        let error = white
            .half_width()
            .map_or_else(String::new, |half_width| format!(" ± {half_width:.4} (95% interval, clustered{cluster})"));
        lines.push(("White's mean", format!("{:.4}{error}", white.mean)));
    }
    let share = |number: u64| percent(number as f64 / games.games as f64, 1);
    let endings = games.endings.iter();
    let endings = endings.map(|(name, &number)| format!("{name} {number} ({})", share(number)));
    lines.push(("endings", endings.collect::<Vec<_>>().join(", ")));
    if let Some(plies) = games.plies {
        let text = format!("{:.1} ({} to {})", plies.mean, plies.min, plies.max);
        lines.push(("plies a game", text));
    }
    lines
}
