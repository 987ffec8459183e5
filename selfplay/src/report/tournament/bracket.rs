//! The bracket of a knockout.

use assay_cli::{Align, Table};
use serde::Serialize;

use crate::settings::{BracketMatch, Tournament, TournamentFormat};
use crate::standings::Standings;

/// The bracket of a knockout, with names.
#[derive(Clone, Debug, Serialize)]
pub struct BracketReport {
    /// The winner of the final; `None` before its end.
    pub winner: Option<String>,
    /// The final last. The winners of the first two matches of a round play the first match of the
    /// next one.
    pub rounds: Vec<Vec<MatchResult>>,
}

/// A match of a knockout.
#[derive(Clone, Debug, Serialize)]
pub struct MatchResult {
    /// `None` if an engine is not known yet; of a bye, there is no second one.
    pub engines: [Option<String>; 2],
    /// Points of each engine in the counted games; `None` before the first one.
    pub points: Option<[f64; 2]>,
    pub winner: Option<String>,
    pub decision: Option<Decision>,
}

/// How a match was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// There was no opponent.
    Bye,
    Points,
    /// The points of further openings, which broke a tie.
    TieBreak,
    /// The better seed, after a tie that no further opening had broken.
    Seed,
}

impl Decision {
    /// A note on what is not plain from the points; empty if the points alone decided.
    pub fn note(self) -> &'static str {
        match self {
            Decision::Bye => "bye",
            Decision::Points => "",
            Decision::TieBreak => "after further openings",
            Decision::Seed => "tied; the better seed",
        }
    }
}

impl BracketReport {
    /// `None` if the tournament is no knockout.
    pub(super) fn new(tournament: &Tournament, standings: &Standings) -> Option<BracketReport> {
        let TournamentFormat::Knockout { openings, .. } = tournament.format() else {
            return None;
        };
        let name = |player: usize| tournament.players()[player].name.clone();
        let result = |played: &BracketMatch| {
            let score = played.pairing.and_then(|pairing| standings.pairings().nth(pairing));
            let points = score.filter(|(_, score)| score.game_counts.games() > 0).map(|(_, score)| {
                let points = score.game_counts.points();
                [points, score.game_counts.games() as f64 - points]
            });
            let decision = match (score, points) {
                (None, _) => Decision::Bye,
                (_, Some([first, second])) if first.total_cmp(&second).is_eq() => Decision::Seed,
                (Some((_, score)), _) if score.finished() > openings => Decision::TieBreak,
                _ => Decision::Points,
            };
            MatchResult {
                engines: played.players.map(|player| player.map(name)),
                points,
                winner: played.winner.map(name),
                decision: played.winner.map(|_| decision),
            }
        };
        let bracket = standings.bracket(tournament)?;
        let rounds: Vec<Vec<MatchResult>> = bracket.iter().map(|round| round.iter().map(result).collect()).collect();
        Some(BracketReport { winner: rounds.last()?.first()?.winner.clone(), rounds })
    }

    /// The rounds with their names: `Round 1`, ..., `Semifinals`, `Final`.
    pub fn named_rounds(&self) -> impl Iterator<Item = (String, &[MatchResult])> {
        self.rounds.iter().zip(1..).map(|(round, number)| {
            let name = match round.len() {
                1 => "Final".to_owned(),
                2 => "Semifinals".to_owned(),
                4 => "Quarterfinals".to_owned(),
                _ => format!("Round {number}"),
            };
            (name, round.as_slice())
        })
    }

    /// The result in a sentence.
    pub fn headline(&self) -> String {
        match &self.winner {
            Some(winner) => format!("{winner} wins the knockout."),
            None => "The knockout is not decided yet.".to_owned(),
        }
    }

    /// The bracket as a table, with the headline below it.
    pub fn text(&self) -> String {
        let headings = ["Round", "Engines", "Points", "Winner", ""].map(|name| (name, Align::Left));
        let mut table = Table::new(headings);
        for (name, round) in self.named_rounds() {
            for (played, number) in round.iter().zip(0..) {
                let engine = |side: usize| played.engines[side].as_deref().unwrap_or("?");
                let engines = match played.decision {
                    Some(Decision::Bye) => engine(0).to_owned(),
                    _ => format!("{} - {}", engine(0), engine(1)),
                };
                let points = played.points.map_or_else(String::new, |[first, second]| format!("{first} - {second}"));
                table.row([
                    if number == 0 { name.clone() } else { String::new() },
                    engines,
                    points,
                    played.winner.clone().unwrap_or_default(),
                    played.decision.map_or("", Decision::note).to_owned(),
                ]);
            }
        }
        format!("{table}{}\n", self.headline())
    }
}
