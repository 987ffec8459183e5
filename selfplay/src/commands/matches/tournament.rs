//! `--tournament`, `--seeds` and `--anchor`, and the report of a match or a tournament.

use anyhow::{Context, Result, bail, ensure};
use assay_cli::args::{decimal, whole_number};
use assay_selfplay::Summary;
use assay_selfplay::report::tournament::{TournamentReport, anchor, text as tournament_text};
use assay_selfplay::report::{MatchReport, text as match_text};
use assay_selfplay::settings::{EngineSettings, MAX_PLAYERS, PlayerSlots, RunSettings, Tournament, TournamentFormat};
use assay_selfplay::statistics::Anchor;
use clap::ValueEnum;
use serde::Serialize;

/// The names of the formats, as fastchess and cutechess have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// Everyone plays everyone
    #[value(alias = "round-robin")]
    Roundrobin,
    /// The first engines play all others
    Gauntlet,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Tournament")]
pub(super) struct TournamentArgs {
    /// Who plays whom, with more than two engines [default: roundrobin]
    #[arg(long, value_name = "FORMAT")]
    tournament: Option<FormatName>,
    /// In a gauntlet, the first N engines play all others [default: 1]
    #[arg(long, value_name = "N", value_parser = whole_number(1..=MAX_PLAYERS), allow_negative_numbers = true)]
    seeds: Option<usize>,
    /// The rating of an engine, to which the others are relative [default: the mean of all is 0]
    #[arg(long, value_name = "NAME=ELO", value_parser = parse_anchor)]
    anchor: Option<NamedAnchor>,
}

/// An engine by its name, and its rating.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedAnchor {
    name: String,
    rating: f64,
}

impl NamedAnchor {
    /// The anchor among the engines of a tournament.
    pub(crate) fn find(&self, settings: &RunSettings) -> Result<Anchor> {
        ensure!(
            matches!(settings.players, PlayerSlots::Tournament(_)),
            "--anchor: found a run of fewer than three engines, expected a tournament"
        );
        anchor(settings.players.all(), &self.name, self.rating).context("--anchor")
    }
}

/// Parses `NAME=2800`; the name may have other `=`.
pub(crate) fn parse_anchor(text: &str) -> Result<NamedAnchor, String> {
    let expected = || "expected NAME=ELO, like Stockfish=2800".to_owned();
    let (name, rating) = text.rsplit_once('=').ok_or_else(expected)?;
    let rating = decimal(rating).ok().filter(|rating: &f64| rating.abs() <= 10_000.0);
    match rating {
        Some(rating) if !name.is_empty() => Ok(NamedAnchor { name: name.to_owned(), rating }),
        _ => Err(expected()),
    }
}

impl TournamentArgs {
    /// The players of the run: of a match if there are two.
    pub(super) fn players(&self, mut engines: Vec<EngineSettings>) -> Result<PlayerSlots> {
        let count = engines.len();
        if let [_, _] = engines.as_slice() {
            ensure!(self.anchor.is_none(), "--anchor: found two engines, expected three or more");
            let second = engines.pop().context("there are two")?;
            let first = engines.pop().context("there are two")?;
            return Ok(PlayerSlots::Separate([first, second]));
        }
        let format = match (self.tournament, self.seeds) {
            (Some(FormatName::Gauntlet), seeds) => TournamentFormat::Gauntlet { seeds: seeds.unwrap_or(1) },
            (_, None) => TournamentFormat::RoundRobin,
            (_, Some(_)) => {
                bail!("--seeds: found no --tournament gauntlet, expected one: in a round robin everyone plays everyone")
            }
        };
        if let TournamentFormat::Gauntlet { seeds } = format {
            ensure!(
                seeds < count,
                "--seeds: found {seeds} of {count} engines, expected at most {}: the seeds play all others",
                count - 1
            );
        }
        Tournament::new(engines, format).map(PlayerSlots::Tournament).map_err(anyhow::Error::msg)
    }

    /// The anchor; `None` without the flag.
    pub(super) fn anchor(&self, settings: &RunSettings) -> Result<Option<Anchor>> {
        self.anchor.as_ref().map(|anchor| anchor.find(settings)).transpose()
    }
}

/// The report of a match or a tournament.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Report {
    Match(Box<MatchReport>),
    Tournament(Box<TournamentReport>),
}

impl Report {
    pub(super) fn new(settings: &RunSettings, summary: &Summary, anchor: Option<Anchor>) -> Result<Report> {
        if let Some(report) = TournamentReport::new(settings, &summary.tally, &summary.standings, anchor) {
            return Ok(Report::Tournament(Box::new(report)));
        }
        let report = match_report(settings, summary).context("a match has a score")?;
        Ok(Report::Match(Box::new(report)))
    }

    /// Finished games.
    pub(super) fn games(&self) -> u64 {
        match self {
            Report::Match(report) => report.games,
            Report::Tournament(report) => report.games,
        }
    }

    /// The first block of the text.
    pub(super) fn results(&self) -> String {
        match self {
            Report::Match(report) => match_text::results(report),
            Report::Tournament(report) => tournament_text::results(report),
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Report::Match(report) => self.results() + &match_text::details(report),
            Report::Tournament(report) => self.results() + &tournament_text::details(report),
        }
    }
}

/// The report of a match; `None` for a tournament.
fn match_report(settings: &RunSettings, summary: &Summary) -> Option<MatchReport> {
    let score = summary.standings.match_score()?;
    Some(MatchReport::new(settings, &summary.tally, score))
}

/// The state of the run in a line, and the half-width of the Elo of a match. Ratings are left out:
/// they cost more than many games.
pub(super) fn progress(settings: &RunSettings, summary: &Summary) -> (String, Option<f64>) {
    const SHOWN: usize = 3;
    match match_report(settings, summary) {
        Some(report) => (match_text::progress_line(&report), report.elo.map(|elo| elo.half_width())),
        None => (scores(settings, summary).into_iter().take(SHOWN).collect::<Vec<_>>().join(", "), None),
    }
}

/// The score in a line, as fastchess and cutechess print it.
pub(super) fn score_line(settings: &RunSettings, summary: &Summary) -> String {
    let Some(report) = match_report(settings, summary) else {
        return format!("Scores: {}", scores(settings, summary).join(", "));
    };
    let [first, second] = &report.engines;
    let score = match *report.results {
        [losses, draws, wins] => format!("{wins} - {losses} - {draws}"),
        _ => report.points.to_string(),
    };
    let (share, games) = (report.score.unwrap_or(0.0), report.counted);
    format!("Score of {first} vs {second}: {score}  [{share:.3}] {games}")
}

/// `deep 8.5/10`: points and counted games of each engine, the best score first.
fn scores(settings: &RunSettings, summary: &Summary) -> Vec<String> {
    let engines = settings.players.all();
    let mut scores = vec![(0.0, 0); engines.len()];
    for ([first, second], score) in summary.standings.pairings() {
        let (points, games) = (score.game_counts.points(), score.game_counts.games());
        for (player, points) in [(first, points), (second, games as f64 - points)] {
            scores[player].0 += points;
            scores[player].1 += games;
        }
    }
    let mut order: Vec<usize> = (0..engines.len()).collect();
    let share = |&player: &usize| scores[player].0 / scores[player].1.max(1) as f64;
    order.sort_by(|one, other| share(other).total_cmp(&share(one)));
    let text = |player: usize| format!("{} {}/{}", engines[player].name, scores[player].0, scores[player].1);
    order.into_iter().map(text).collect()
}
