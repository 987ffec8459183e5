//! The report of a match or a tournament: [`Report`] holds its numbers; text, [page](Report::page)
//! and JSON (by serde) are renderings of it.

mod chart;
mod page;
pub mod text;
pub mod tournament;

use serde::Serialize;

use crate::game::NamedCounts;
use crate::settings::RunSettings;
use crate::standings::Standings;
use crate::statistics::{Anchor, EloEstimate, Estimate, Sprt, SprtDecision};
use crate::tally::Tally;
use crate::tournament::score::MatchScore;
use crate::tournament::search_totals::{SearchReport, SearchTotals};
use tournament::TournamentReport;

/// The numbers of a match, or of a tournament of more than two engines.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Report {
    Match(Box<MatchReport>),
    Tournament(Box<TournamentReport>),
}

impl Report {
    /// The report of a run whose games have this tally and these standings; `None` in self-play. An
    /// anchor counts in tournaments only.
    pub fn new(settings: &RunSettings, tally: &Tally, standings: &Standings, anchor: Option<Anchor>) -> Option<Report> {
        if let Some(score) = standings.match_score() {
            return Some(Report::Match(Box::new(MatchReport::new(settings, tally, score))));
        }
        let report = TournamentReport::new(settings, tally, standings, anchor)?;
        Some(Report::Tournament(Box::new(report)))
    }

    /// The first block of the text.
    pub fn results(&self) -> String {
        match self {
            Report::Match(report) => text::results(report),
            Report::Tournament(report) => tournament::text::results(report),
        }
    }

    pub fn text(&self) -> String {
        self.results()
            + &match self {
                Report::Match(report) => text::details(report),
                Report::Tournament(report) => tournament::text::details(report),
            }
    }
}

/// The numbers of a match, from the first engine's point of view. Infinite numbers are `null` in
/// JSON: if all games were won, `low` is the only number of the Elo.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    pub game: String,
    pub engines: [String; 2],
    /// Time controls or other limits, by engine.
    pub limits: [String; 2],
    pub openings: String,
    /// Finished games.
    pub games: u64,
    /// Games that count: those of complete pairs, in the order of pairs, up to the test's decision,
    /// without repeated pairs.
    pub counted: u64,
    /// Pairs (or games, if openings are played once) that do not count because their games equal
    /// those of an earlier pair: the engines are deterministic, and the opening is the same.
    pub repeated_pairs: u64,
    /// Counted games by points: 0, 0.5, 1, or 0, 0.25, 0.5, 0.75, 1.
    pub results: Vec<u64>,
    /// Points in the counted games.
    pub points: f64,
    /// Points per counted game, 0 to 1; `None` before the first game.
    pub score: Option<f64>,
    /// Counted pairs by points, 0 to 2; `None` if openings are played once.
    pub pairs: Option<Vec<u64>>,
    /// Pairs of a win and a loss, and pairs of two draws; `None` if openings are not repeated.
    pub level_pairs: Option<[u64; 2]>,
    /// Logistic Elo; `None` before the first observation, like the numbers after it.
    pub elo: Option<Estimate>,
    pub normalized_elo: Option<Estimate>,
    /// Likelihood of superiority, 0 to 1, or a bound of it; see [`EloEstimate::los`].
    pub los: Option<f64>,
    /// Fraction of pairs (or games) without a winner.
    pub draw_ratio: Option<f64>,
    /// Pairs (or games) won per pair lost.
    pub pairs_ratio: Option<f64>,
    pub sprt: Option<SprtReport>,
    /// Finished games by how they ended.
    pub endings: NamedCounts,
    /// Finished games of the first engine by color, White first.
    pub by_color: [ColorReport; 2],
    /// Searches of each engine in finished games.
    pub searches: [SearchReport; 2],
    /// Games that each engine lost through a fault, by kind of fault.
    pub faults: [NamedCounts; 2],
}

/// An SPRT and its state.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtReport {
    #[serde(flatten)]
    pub test: Sprt,
    /// Log-likelihood ratio.
    pub llr: f64,
    /// The test accepts H0 at this ratio.
    pub lower: f64,
    /// The test accepts H1 at this ratio.
    pub upper: f64,
    pub decision: SprtDecision,
    /// Pairs (or games) counted.
    pub observations: u64,
}

/// Results of the first engine with one color.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ColorReport {
    pub games: u64,
    pub points: f64,
}

impl MatchReport {
    /// The report of a match whose games have this tally and score.
    pub fn new(settings: &RunSettings, tally: &Tally, score: &MatchScore) -> MatchReport {
        let players = [0, 1].map(|player| &settings.players.all()[player]);
        let (counts, games) = (&score.observation_counts, &score.game_counts);
        let estimate = EloEstimate::from_counts(counts);
        let sprt = score.sprt.map(|sprt| {
            let (lower, upper) = sprt.bounds();
            SprtReport {
                test: sprt,
                llr: score.llr,
                lower,
                upper,
                decision: score.decision,
                observations: counts.observations(),
            }
        });
        MatchReport {
            game: settings.game().name.clone(),
            engines: players.map(|player| player.name.clone()),
            limits: players.map(|player| player.limits.to_string()),
            openings: settings.openings.to_string(),
            games: tally.games(),
            counted: games.games(),
            repeated_pairs: score.repeated,
            results: games.counts().to_vec(),
            points: games.points(),
            score: games.mean(),
            pairs: score.is_paired().then(|| counts.counts().to_vec()),
            level_pairs: score.is_paired().then_some(score.level_pairs),
            elo: estimate.map(|estimate| estimate.elo),
            normalized_elo: estimate.map(|estimate| estimate.normalized_elo),
            los: estimate.map(|estimate| estimate.los),
            draw_ratio: counts.draw_ratio(),
            pairs_ratio: counts.win_loss_ratio(),
            sprt,
            endings: tally.endings(),
            by_color: score
                .by_color
                .each_ref()
                .map(|counts| ColorReport { games: counts.games(), points: counts.points() }),
            searches: score.searches.each_ref().map(SearchTotals::report),
            faults: score.faults.clone(),
        }
    }

    /// Returns true if each opening is played twice.
    pub fn is_paired(&self) -> bool {
        self.pairs.is_some()
    }

    /// What is counted: pairs, or games if openings are played once.
    pub fn unit(&self) -> &'static str {
        if self.is_paired() { "pair" } else { "game" }
    }

    /// Returns true if games have five results (some are worth 0.25 or 0.75 points).
    pub fn has_five_results(&self) -> bool {
        self.results.len() == 5
    }

    /// Finished games that do not count (yet), without those of repeated pairs.
    pub fn uncounted(&self) -> u64 {
        let games_per_opening = if self.is_paired() { 2 } else { 1 };
        self.games - self.counted - self.repeated_pairs * games_per_opening
    }

    /// Games that either engine lost through a fault.
    pub fn total_faults(&self) -> u64 {
        self.faults.iter().flat_map(NamedCounts::values).sum()
    }

    /// The SPRT's decision; `Continue` without a test.
    pub fn decision(&self) -> SprtDecision {
        self.sprt.map_or(SprtDecision::Continue, |sprt| sprt.decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{EngineSettings, Evaluation, GameSource, OpeningSource, PlayerSlots, SelfPlay};
    use crate::statistics::EloModel;

    /// A match between `a` and `b`.
    pub(super) fn example_match() -> RunSettings {
        let player = |name: &str| EngineSettings {
            name: name.to_owned(),
            ..EngineSettings::self_play(1, 1, Evaluation::Linear)
        };
        RunSettings {
            players: PlayerSlots::of_match([player("a"), player("b")]),
            openings: OpeningSource::Start,
            ..SelfPlay::default().settings(GameSource::builtin("chess").unwrap()).unwrap()
        }
    }

    #[test]
    fn json_of_an_empty_match_has_nulls_and_objects() {
        let settings = RunSettings {
            sprt: Some(Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::Normalized).unwrap()),
            ..example_match()
        };
        let report = MatchReport::new(&settings, &Tally::default(), &settings.new_score());
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["game"], "chess");
        assert!(json["elo"].is_null());
        assert_eq!(json["sprt"]["decision"], "undecided");
        assert_eq!(json["faults"][1]["crash"], 0);
        assert!(text::details(&report).contains("SPRT: undecided after 0 pairs"));
    }
}
