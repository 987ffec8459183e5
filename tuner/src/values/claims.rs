//! What inventors say of their games, held against games: each statement with its effect, interval and verdict.
//!
//! What is said stands in [`mod@table`], a game at a time, as data; how each sort of statement is measured is a file each:
//! values ([`values`]), the course of the game ([`course`]), scores from starts ([`scores`]), one game against another
//! ([`compare`]). [`shelf`] knows which games a statement needs and reads them.

pub mod compare;
pub mod course;
pub mod scores;
pub mod shelf;
pub mod table;

pub mod values;
pub mod verdict;

use serde::{Deserialize, Serialize};

use crate::values::inference::fieller::ConfidenceRegion;
use shelf::{Run, Shelf};

pub use verdict::{ClaimVerdict, Claimed, Effect};

/// What was found on one claim.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Finding {
    /// The game's protocol name.
    pub game: String,
    /// What is claimed, in a few words.
    pub claim: String,
    /// What the numbers are.
    pub unit: String,
    /// What is said of the number.
    pub claimed: Claimed,
    /// The best estimate; none where the games give none.
    pub measured: Option<f64>,
    /// Its 95% region.
    pub interval: Option<ConfidenceRegion>,
    /// The probability of a deviation at least as large if the claim were right, where values are tested together.
    pub p: Option<f64>,
    /// The verdict.
    pub verdict: ClaimVerdict,
    /// Games that it rests on.
    pub games: u64,
    /// What else there is to know: units, why there is no answer.
    pub note: Option<String>,
    /// The inventor's words.
    pub quote: String,
    /// The document that they stand in.
    pub document: String,
}

/// A finding before it is told what it is a finding on.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What is claimed, in a few words.
    pub claim: String,
    /// What the numbers are.
    pub unit: String,
    /// What is said of the number.
    pub claimed: Claimed,
    /// What was measured, or why nothing was.
    pub effect: Result<Effect, String>,
    /// See [`Finding::note`].
    pub note: Option<String>,
}

/// A joint test before it is told what it is a test of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Together {
    /// Values tested.
    pub values: usize,
    /// The F statistic.
    pub f: f64,
    /// The probability of an F at least as large if all were right.
    pub p: f64,
    /// Games behind it.
    pub games: u64,
    /// May a test that rejects nothing be called support: is each value known well enough?
    pub is_sharp: bool,
}

/// What one statement of a document leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A number.
    Number(Answer),
    /// A test of several numbers.
    Joint(String, Result<Together, String>),
}

/// A testable statement of a document.
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    /// The inventor's words.
    pub quote: &'static str,
    /// The document that they stand in.
    pub document: &'static str,
    /// How it is tested.
    pub test: Test,
}

/// Ways to test a statement.
#[derive(Clone, Copy, Debug)]
pub enum Test {
    /// The definition's values are right, each and together.
    Values,
    /// The definition's bonus for both pieces of a colour-bound kind is right.
    Pair(&'static str),
    /// The joker is worth more for each strong piece of the other side.
    JokerAgainstMajors,
    /// One kind is worth `claimed` in units in which the `others` are worth `unit` on average.
    Share {
        /// The kind.
        kind: &'static str,
        /// What it is held against.
        others: &'static [&'static str],
        /// What those are worth.
        unit: f64,
        /// What the kind is said to be worth then.
        claimed: f64,
    },
    /// One kind gains against the others from the full to the bare board.
    Gains {
        /// The kind.
        kind: &'static str,
        /// What it is held against.
        others: &'static [&'static str],
    },
    /// Each kind is worth as many pawns as in another game, each and together.
    SameValues(&'static str),
    /// A smaller share of games is drawn than in another game.
    FewerDraws(&'static str),
    /// What a missing pawn costs against what it costs in another game, in log-odds.
    PawnCost {
        /// The other game.
        than: &'static str,
        /// What is said of the ratio.
        claimed: Claimed,
        /// What is claimed, in a few words.
        says: &'static str,
    },
    /// A pawn is worth more than in another game in units of the other kinds.
    PawnAmongPieces {
        /// The other game.
        than: &'static str,
        /// What it is held against.
        others: &'static [&'static str],
    },
    /// Both colours have the same chances.
    FirstMove,
    /// White scores less than by a definition that lacks a rule.
    RuleHelpsBlack {
        /// The game with the rule, played as the other one is.
        with: &'static str,
        /// The game without.
        without: &'static str,
    },
    /// All starts are equally good for White.
    FairStarts,
    /// What handicaps give is in this order, from the smallest to the largest.
    Handicaps(&'static [scores::Handicap]),
    /// One handicap gives more than another.
    MoreThan {
        /// What is claimed, in a few words.
        says: &'static str,
        /// The larger one.
        more: scores::Handicap,
        /// The smaller one.
        less: scores::Handicap,
    },
    /// A pawn more gives the more, the nearer to the middle it stands.
    NearerTheMiddle(&'static [scores::Handicap]),
}

impl Statement {
    /// The games that it needs; `game` is the name of the game that it speaks of.
    pub fn runs(&self, game: &str) -> Vec<Run> {
        let from = |handicap: &scores::Handicap| {
            let starts = handicap.starts.iter();
            starts.map(|start| Run::from(game, start)).collect::<Vec<Run>>()
        };
        let mut runs = match self.test {
            Test::Values | Test::Pair(_) | Test::JokerAgainstMajors | Test::Share { .. } | Test::Gains { .. } => {
                vec![Run::values(game)]
            }
            Test::SameValues(other) | Test::PawnAmongPieces { than: other, .. } => {
                vec![Run::values(game), Run::values(other)]
            }
            Test::FewerDraws(other) => vec![Run::equal(game), Run::equal(other)],
            Test::PawnCost { than, .. } => vec![Run::playtest(game), Run::playtest(than)],
            Test::FirstMove | Test::FairStarts => vec![Run::equal(game)],
            Test::RuleHelpsBlack { with, without } => vec![Run::equal(with), Run::equal(without)],
            Test::Handicaps(handicaps) | Test::NearerTheMiddle(handicaps) => handicaps.iter().flat_map(from).collect(),
            Test::MoreThan { more, less, .. } => [from(&more), from(&less)].concat(),
        };
        // What a move more gives is what White scores beyond what White scores anyhow.
        if let Test::Handicaps(handicaps) = self.test
            && handicaps
                .iter()
                .any(|handicap| handicap.receiver == scores::Receiver::AlwaysWhite)
        {
            runs.push(Run::from(game, scores::PLAIN));
        }
        runs
    }

    /// What the games on the shelf say of it.
    pub fn findings(&self, game: &str, shelf: &Shelf) -> Vec<Finding> {
        let outcomes = match self.test {
            Test::Values => values::table(game, shelf),
            Test::Pair(kind) => vec![values::pair(game, kind, shelf)],
            Test::JokerAgainstMajors => vec![values::joker(game, shelf)],
            Test::Share {
                kind,
                others,
                unit,
                claimed,
            } => values::share(game, kind, others, unit, claimed, shelf),
            Test::Gains { kind, others } => vec![course::gains(game, kind, others, shelf)],
            Test::SameValues(other) => compare::same_values(game, other, shelf),
            Test::FewerDraws(other) => vec![compare::fewer_draws(game, other, shelf)],
            Test::PawnCost { than, claimed, says } => vec![compare::pawn_cost(game, than, claimed, says, shelf)],
            Test::PawnAmongPieces { than, others } => vec![compare::pawn_among_pieces(game, than, others, shelf)],
            Test::FirstMove => vec![scores::first_move(game, shelf)],
            Test::RuleHelpsBlack { with, without } => vec![scores::rule_helps_black(with, without, shelf)],
            Test::FairStarts => vec![scores::fair_starts(game, shelf)],
            Test::Handicaps(handicaps) => scores::in_order(game, handicaps, shelf),
            Test::MoreThan { says, more, less } => vec![scores::more_than(game, says, more, less, shelf)],
            Test::NearerTheMiddle(handicaps) => vec![scores::nearer_the_middle(game, handicaps, shelf)],
        };
        outcomes
            .into_iter()
            .map(|outcome| self.finding(game, outcome))
            .collect()
    }

    fn finding(&self, game: &str, outcome: Outcome) -> Finding {
        let mut finding = Finding {
            game: game.to_owned(),
            claim: String::new(),
            unit: String::new(),
            claimed: Claimed::Together { values: 0 },
            measured: None,
            interval: None,
            p: None,
            verdict: ClaimVerdict::TooFew,
            games: 0,
            note: None,
            quote: self.quote.to_owned(),
            document: self.document.to_owned(),
        };
        match outcome {
            Outcome::Number(answer) => {
                finding.claim = answer.claim;
                finding.unit = answer.unit;
                finding.claimed = answer.claimed;
                finding.note = answer.note;
                match answer.effect {
                    Ok(effect) => {
                        finding.measured = Some(effect.value);
                        finding.interval = Some(effect.interval);
                        finding.verdict = answer.claimed.judge(effect.interval);
                        finding.games = effect.games;
                    }
                    Err(why) => finding.note = Some(why),
                }
            }
            Outcome::Joint(claim, test) => {
                finding.claim = claim;
                finding.unit += "p of the joint test";
                match test {
                    Ok(test) => {
                        finding.claimed = Claimed::Together { values: test.values };
                        finding.p = Some(test.p);
                        finding.games = test.games;
                        finding.verdict = match (test.p < 0.05, test.is_sharp) {
                            (true, _) => ClaimVerdict::DoesNotHold,
                            (false, true) => ClaimVerdict::Holds,
                            (false, false) => ClaimVerdict::TooFew,
                        };
                        finding.note = Some(format!("F = {:.2} for {} values", test.f, test.values));
                    }
                    Err(why) => finding.note = Some(why),
                }
            }
        }
        finding
    }
}

/// Everything found on some games' claims.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Claims {
    /// The version of Assay.
    pub assay: String,
    /// The findings, in the order of the games and their documents.
    pub findings: Vec<Finding>,
    /// The files that the games are from.
    pub files: Vec<crate::values::data::DataFile>,
    /// The command that repeats this.
    pub command: Option<String>,
}

#[cfg(test)]
mod tests;
