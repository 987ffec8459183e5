//! Tests of inventors' claims about their games: a measured number, an interval and a verdict for each claim.
//!
//! A claims file ([`mod@file`]) quotes a document and states each claim as a [`formula`]. Its names are looked up in the games
//! ([`terms`]); its number comes from games ([`runs`], `play`) or, without games, from counting and solving (`exact`). There is one
//! kind of result, a [`Finding`], and one rule for its verdict ([`Claimed::verdict`]).

mod exact;
pub mod file;
pub mod formula;
mod play;
pub mod runs;
pub mod terms;
mod verdict;

use assay_rules::{Color, Kind};
use serde::{Deserialize, Serialize};

use crate::values::inference::distributions::{benjamini_hochberg, critical_value, f_survival};
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::quantity::Quantity;
use crate::values::inference::verdict::max_width;
use crate::values::results::reading::Stored;
use exact::Place;
use formula::Node;
use runs::Runs;
use terms::{Names, Run, Term};

pub use verdict::{ClaimVerdict, Claimed};

/// Result of testing one claim.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Finding {
    /// The game's protocol name.
    pub game: String,
    /// The game's title.
    pub title: String,
    /// The claim in a few words, or else its formula.
    pub claim: String,
    pub formula: String,
    /// The claimed number or range.
    pub claimed: Claimed,
    /// The estimate, if the games give one.
    pub measured: Option<f64>,
    /// Its 95% confidence region.
    pub interval: Option<ConfidenceRegion>,
    /// The p-value of the claimed number, of the nearer bound of a claimed range (1 inside), of "no effect" for a claimed direction, or
    /// of a joint test.
    pub p: Option<f64>,
    /// The p-value corrected for the number of tests (Benjamini and Hochberg 1995).
    pub corrected_p: Option<f64>,
    pub verdict: ClaimVerdict,
    /// The verdict if the claimed number counts as rejected by its corrected p-value only.
    pub corrected_verdict: Option<ClaimVerdict>,
    /// Number of games; 0 if the claim is decided without games.
    pub games: u64,
    /// Number of opening pairs, of the run with the fewest if several are compared: the interval has one degree of freedom less.
    pub openings: usize,
    /// Number of positions of a solved endgame, or of start positions. The measured number is exact then, without an interval or a
    /// p-value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// Further explanation, or the reason for a missing measurement.
    pub note: Option<String>,
    /// The inventor's words.
    pub quote: String,
    /// The document with these words.
    pub document: String,
    pub stated_as: StatedAs,
}

/// How a document states what is tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatedAs {
    /// A sentence.
    #[default]
    Claim,
    /// Entries of a table.
    Table,
    /// What a rule is meant to achieve: the document does not say that it does.
    Aim,
    /// A view that the document mentions and then rejects.
    Concession,
}

impl StatedAs {
    /// Returns true if the document says that the statement is true, so that summaries count it.
    pub const fn is_counted(self) -> bool {
        matches!(self, StatedAs::Claim | StatedAs::Table)
    }
}

/// A testable statement in a document.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The inventor's words.
    pub quote: String,
    /// The document with these words.
    pub document: String,
    pub stated_as: StatedAs,
    comparisons: Vec<Comparison>,
    /// The label of a test that all comparisons, which are equalities, hold together.
    joint: Option<String>,
    /// True if only the joint test is a finding.
    is_joint: bool,
}

/// Two formulas and what their relation should be.
#[derive(Clone, Debug)]
struct Comparison {
    label: String,
    formula: String,
    sides: [Node; 2],
    names: Names,
    /// What both sides are computed from.
    terms: Vec<Term>,
    measured: Measured,
    claimed: Claimed,
}

/// The number that a comparison measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measured {
    /// The left side; the right one is a number.
    Left,
    /// The left side divided by the right one.
    Ratio,
    /// The left side minus the right one.
    Difference,
}

impl Comparison {
    /// Measures it, without a verdict.
    fn measure(&self, runs: &mut Runs) -> Finding {
        let finding = Finding {
            claim: self.label.clone(),
            formula: self.formula.clone(),
            claimed: self.claimed,
            ..Finding::default()
        };
        let places = self.places(runs).into_iter();
        let found = places.map(|place| self.measure_at(place, &finding, runs));
        let found = found.collect::<Result<Vec<Finding>, String>>();
        // The claim is about every start and side, so the number that is farthest from it decides.
        let distance = |finding: &Finding| {
            let above = finding.measured.unwrap_or(0.0) - finding.claimed.value().unwrap_or(0.0);
            match finding.claimed {
                Claimed::MoreThan { .. } => -above,
                Claimed::LessThan { .. } => above,
                _ => above.abs(),
            }
        };
        let farthest = |one: &Finding, other: &Finding| distance(one).total_cmp(&distance(other));
        match found {
            Ok(found) => found.into_iter().max_by(farthest).unwrap_or(finding),
            Err(reason) => Finding {
                note: Some(reason),
                ..finding
            },
        }
    }

    /// All starts and sides if pieces are counted; else any one.
    fn places(&self, runs: &Runs) -> Vec<Place> {
        let starts = self.terms.iter().filter_map(|term| match term {
            Term::Setup { game, .. } => Some(runs.source(game)?.game.starts.len()),
            _ => None,
        });
        let sides = |start: usize| [(start, Color::White), (start, Color::Black)];
        let all = |starts: usize| (0..starts).flat_map(sides).collect();
        starts.min().map_or_else(|| vec![(0, Color::White)], all)
    }

    /// The numbers of both sides.
    fn evaluate(&self, place: Place, runs: &mut Runs) -> Result<[Quantity; 2], String> {
        let mut number = |node| {
            let number = self.names.evaluate(node, &mut |term| runs.number(&term, place));
            number.map(|(number, _)| number).map_err(|fault| fault.message)
        };
        Ok([number(&self.sides[0])?, number(&self.sides[1])?])
    }

    fn measure_at(&self, place: Place, finding: &Finding, runs: &mut Runs) -> Result<Finding, String> {
        let [left, right] = self.evaluate(place, runs)?;
        let measured = match self.measured {
            Measured::Left => left.clone(),
            Measured::Ratio => &left / &right,
            Measured::Difference => &left - &right,
        };
        if measured.is_constant() {
            let (positions, note) = match &self.terms[0] {
                Term::ForcedMates { game, pieces } => {
                    let solved = runs.endgame(game, pieces)?;
                    (solved.positions, solved.note.clone())
                }
                _ => (
                    self.places(runs).len() as u64 / 2,
                    "of all start positions and both sides, the number farthest from the claim".to_owned(),
                ),
            };
            return Ok(Finding {
                measured: Some(measured.value),
                positions: Some(positions),
                note: Some(note),
                ..finding.clone()
            });
        }
        if measured.has_no_error() {
            return Err("the games do not differ in this, so the error is unknown".to_owned());
        }
        let interval = measured.interval();
        if interval.width().is_none() {
            return Err("what is divided by does not differ significantly from zero in these games".to_owned());
        }
        let claimed = match (self.measured, self.claimed) {
            (Measured::Difference, Claimed::Equal { value, .. }) => Claimed::Equal {
                value,
                max_width: max_width(right.value),
            },
            (_, claimed) => claimed,
        };
        let sides = format!("{:.3} against {:.3}", left.value, right.value);
        Ok(Finding {
            claimed,
            measured: Some(measured.value),
            interval: Some(interval),
            games: measured.games(),
            openings: measured.clusters(),
            note: (self.measured != Measured::Left).then_some(sides),
            ..finding.clone()
        })
    }
}

impl Statement {
    /// The runs of games that the statement needs.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        let terms = self.comparisons.iter().flat_map(|comparison| &comparison.terms);
        terms.filter_map(Term::run)
    }

    /// The endgames that the statement needs: the game, and the pieces of the side with more than a king.
    pub fn endgames(&self) -> impl Iterator<Item = (&str, &[Kind])> {
        let terms = self.comparisons.iter().flat_map(|comparison| &comparison.terms);
        terms.filter_map(|term| match term {
            Term::ForcedMates { game, pieces } => Some((game.as_str(), pieces.as_slice())),
            _ => None,
        })
    }

    /// Tests the statement, which is about `game`.
    pub fn findings(&self, game: &str, runs: &mut Runs) -> Vec<Finding> {
        let comparisons = self.comparisons.iter();
        let mut findings: Vec<Finding> = comparisons
            .map(|comparison| comparison.measure(runs).judged())
            .collect();
        if let Some(label) = &self.joint {
            let joint = self.joint_finding(label, &findings, runs);
            findings.retain(|_| !self.is_joint);
            findings.push(joint);
        }
        let title = runs
            .source(game)
            .map_or_else(|| game.to_owned(), |source| source.game.title.clone());
        for finding in &mut findings {
            game.clone_into(&mut finding.game);
            finding.title.clone_from(&title);
            finding.quote.clone_from(&self.quote);
            finding.document.clone_from(&self.document);
            finding.stated_as = self.stated_as;
        }
        findings
    }

    /// The joint test. Without a rejection, it supports the claim if every interval of `singles` is narrow enough to do so.
    fn joint_finding(&self, label: &str, singles: &[Finding], runs: &mut Runs) -> Finding {
        let formulas: Vec<&str> = self.comparisons.iter().map(|one| &*one.formula).collect();
        let mut finding = Finding {
            claim: label.to_owned(),
            formula: formulas.join(", "),
            ..Finding::default()
        };
        let off = self.comparisons.iter().map(|comparison| {
            let [left, right] = comparison.evaluate((0, Color::White), runs)?;
            Ok(&left - &right)
        });
        let off = off.collect::<Result<Vec<Quantity>, String>>();
        let too_few = || "too few games to test all values jointly".to_owned();
        let test = off.and_then(|off| Quantity::joint_test(&off).ok_or_else(too_few));
        let test = match test {
            Ok(test) => test,
            Err(reason) => {
                finding.note = Some(reason);
                return finding;
            }
        };
        let is_sharp = |single: &Finding| {
            let widest = match single.claimed {
                Claimed::Near { within, .. } => 2.0 * within,
                Claimed::Equal { max_width, .. } => max_width,
                _ => 0.0,
            };
            let width = single.interval.and_then(|interval| interval.width());
            width.is_some_and(|width| width <= widest)
        };
        finding.claimed = Claimed::Joint { values: test.values };
        finding.p = Some(test.p);
        finding.games = singles.iter().map(|single| single.games).max().unwrap_or(0);
        finding.verdict = match (test.p < 0.05, singles.iter().all(is_sharp)) {
            (true, _) => ClaimVerdict::DoesNotHold,
            (false, true) => ClaimVerdict::Holds,
            (false, false) => ClaimVerdict::NotEnoughGames,
        };
        finding.note = Some(format!("F = {:.2} for {} values", test.f, test.values));
        finding
    }
}

impl Finding {
    /// With the p-value and the verdict of what was measured.
    fn judged(self) -> Finding {
        let Some(measured) = self.measured else {
            return self;
        };
        let Some(interval) = self.interval else {
            return Finding {
                verdict: self.claimed.exact_verdict(measured),
                ..self
            };
        };
        let tested = self.claimed.tested_number(measured).unwrap_or(0.0);
        Finding {
            p: self.p_value(tested),
            verdict: self.claimed.verdict(interval, !interval.contains(tested)),
            ..self
        }
    }

    /// Two-sided p-value of the hypothesis that the number is `value`; `None` without a bounded interval.
    ///
    /// The side of the interval toward `value` is the critical value of Student's t times the standard error there, so p is below 0.05
    /// exactly if the interval excludes `value`.
    fn p_value(&self, value: f64) -> Option<f64> {
        let (measured, [low, high]) = (self.measured?, self.interval?.ends()?);
        let side = if value < measured {
            measured - low
        } else {
            high - measured
        };
        let deviation = (value - measured).abs();
        let openings = self.openings.max(2);
        let t = critical_value(openings) * deviation / side;
        // The square of Student's t has an F distribution.
        Some(if deviation > 0.0 {
            f_survival(t * t, 1, openings as f64 - 1.0)
        } else {
            1.0
        })
    }

    /// Sets the corrected p-value and verdict.
    fn correct(&mut self, p: f64) {
        self.corrected_p = Some(p);
        self.corrected_verdict = Some(match (self.verdict, self.interval) {
            (ClaimVerdict::DoesNotHold, None) if p >= 0.05 => ClaimVerdict::NotEnoughGames,
            (verdict, None) => verdict,
            (_, Some(interval)) => {
                let tested = self.measured.and_then(|measured| self.claimed.tested_number(measured));
                let is_rejected = p < 0.05 && tested.is_some_and(|tested| !interval.contains(tested));
                self.claimed.verdict(interval, is_rejected)
            }
        });
    }
}

/// Results of testing the claims of some games.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Claims {
    /// The version of Assay.
    pub assay: String,
    /// The findings, in the order of the games and their documents.
    pub findings: Vec<Finding>,
    /// The files of games.
    pub files: Vec<crate::values::data::DataFile>,
    /// The command that repeats the tests.
    pub command: Option<String>,
}

impl Stored for Claims {
    const COMMAND: &'static str = "claims";
}

/// Corrects the p-values of all findings for their number.
pub fn correct_for_number_of_tests(findings: &mut [Finding]) {
    let mut tested: Vec<&mut Finding> = findings.iter_mut().filter(|finding| finding.p.is_some()).collect();
    let p_values: Vec<f64> = tested.iter().filter_map(|finding| finding.p).collect();
    for (finding, p) in tested.iter_mut().zip(benjamini_hochberg(&p_values)) {
        finding.correct(p);
    }
}

#[cfg(test)]
mod liars;
#[cfg(test)]
mod tests;
