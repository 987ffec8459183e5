//! `--tournament`, `--seeds` and `--anchor`, and the score while a match is played.

use anyhow::{Context, Result, bail, ensure};
use assay_cli::args::{decimal, whole_number};
use assay_selfplay::Summary;
use assay_selfplay::report::MatchReport;
use assay_selfplay::report::text::progress_line;
use assay_selfplay::report::tournament::anchor;
use assay_selfplay::settings::{EngineSettings, MAX_PLAYERS, PlayerSlots, RunSettings, Tournament, TournamentFormat};
use assay_selfplay::statistics::Anchor;
use clap::ValueEnum;

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
    /// Rating of an engine, to which the others are relative [default: mean 0]
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
            settings.players.all().len() > 2,
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
    /// The players of the run.
    pub(super) fn players(&self, engines: Vec<EngineSettings>) -> Result<PlayerSlots> {
        let format = match (self.tournament, self.seeds) {
            (Some(FormatName::Gauntlet), seeds) => TournamentFormat::Gauntlet { seeds: seeds.unwrap_or(1) },
            (_, Some(_)) if engines.len() > 2 => {
                bail!("--seeds: found no --tournament gauntlet, expected one: in a round robin everyone plays everyone")
            }
            _ => TournamentFormat::RoundRobin,
        };
        let tournament = Tournament::new(engines, format).map_err(anyhow::Error::msg).context("--seeds")?;
        Ok(PlayerSlots::Tournament(tournament))
    }

    /// The anchor; `None` without the flag.
    pub(super) fn anchor(&self, settings: &RunSettings) -> Result<Option<Anchor>> {
        self.anchor.as_ref().map(|anchor| anchor.find(settings)).transpose()
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
        Some(report) => (progress_line(&report), report.elo.and_then(|elo| elo.half_width())),
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
