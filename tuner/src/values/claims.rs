//! Tests of inventors' claims about their games: a measured number, an interval and a verdict for
//! each claim.
//!
//! A claims file ([`mod@file`]) quotes a document and states each claim as a [`formula`]. Its names
//! are looked up in the games ([`terms`]); its number comes from games ([`runs`], `play`) or,
//! without games, from counting and solving (`exact`). There is one kind of result, a [`Finding`],
//! and one rule for the verdict on a number ([`Claimed::verdict`]). A statement of several numbers
//! has one finding, with those on its parts.

mod exact;
pub mod file;
pub mod formula;
mod looks;
mod play;
pub mod runs;
pub mod terms;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use assay_rules::{Color, Kind};
use serde::{Deserialize, Serialize};

use crate::values::data::{DataError, DataFile};
use crate::values::inference::{JointTest, Quantity, f_survival, holm, max_width, range, t_critical_value};
use crate::values::results::reading::{Stored, parse};
use exact::Place;
use formula::Node;
use runs::Runs;
use terms::{Names, Run, Term};

pub use looks::AlphaShare;
pub use verdict::{ClaimVerdict, Claimed};

/// Result of testing a statement, or a part of one.
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
    #[serde(deserialize_with = "range::any")]
    pub measured: Option<f64>,
    /// Its confidence interval, which holds together with those of all other looks at a confidence of
    /// 95%.
    #[serde(deserialize_with = "range::any")]
    pub interval: Option<[f64; 2]>,
    /// The p-value of the claimed number, of the nearer bound of a claimed range (1 inside), of "no
    /// effect" for a claimed direction, or of a test of all parts; divided by the share of
    /// [`Finding::alpha`].
    #[serde(deserialize_with = "range::share")]
    pub p: Option<f64>,
    /// The looks at these games so far, as their number grew.
    #[serde(default)]
    pub alpha: AlphaShare,
    /// The p-value corrected for the number of statements (Holm 1979); `None` for a part.
    #[serde(deserialize_with = "range::share")]
    pub corrected_p: Option<f64>,
    /// Of a statement, after the correction for the number of statements; of a part, by itself.
    pub verdict: ClaimVerdict,
    /// Number of games; 0 if the claim is decided without games.
    #[serde(deserialize_with = "range::count")]
    pub games: u64,
    /// Number of opening pairs, of the run with the fewest if several are compared: the interval
    /// has one degree of freedom less.
    #[serde(deserialize_with = "range::count")]
    pub openings: usize,
    /// Number of positions of a solved endgame, or of start positions. The measured number is exact
    /// then, without an interval or a p-value.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "range::count")]
    pub positions: Option<u64>,
    /// Further explanation, or the reason for a missing measurement.
    pub note: Option<String>,
    /// The inventor's words.
    pub quote: String,
    /// The document with these words.
    pub document: String,
    pub stated_as: StatedAs,
    /// The parts of the statement, each tested by itself; empty if it has only one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Finding>,
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
    /// In a few words, or else its formula or quote.
    claim: String,
    /// The inventor's words.
    pub quote: String,
    /// The document with these words.
    pub document: String,
    pub stated_as: StatedAs,
    /// Conditions on the games; if one does not hold, the statement is not tested.
    needs: Vec<Comparison>,
    /// At least one. The statement is that all of them are true.
    parts: Vec<Comparison>,
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
    /// Measures it, without a verdict. `statement` is what is known of its statement before.
    fn measure(&self, statement: &Finding, runs: &mut Runs<'_>) -> Finding {
        let finding = Finding {
            claim: self.label.clone(),
            formula: self.formula.clone(),
            claimed: self.claimed,
            ..statement.clone()
        };
        let (places, _) = self.places(runs);
        let found = places.iter().map(|place| self.measure_at(place, &finding, runs));
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
            Err(reason) => Finding { note: Some(reason), ..finding },
        }
    }

    /// All combinations of starts of the games whose pieces are counted, and both sides; without
    /// such games, any side. Of starts with the same counts only the first is taken. Also returns
    /// the number of all combinations.
    fn places(&self, runs: &Runs<'_>) -> (Vec<Place>, u64) {
        let counted = self.terms.iter().filter_map(|term| match term {
            Term::Setup { game, .. } => Some(game),
            _ => None,
        });
        let mut combinations = vec![BTreeMap::new()];
        let mut all = 1;
        for game in counted.collect::<BTreeSet<_>>() {
            let Some(source) = runs.source(game) else { continue };
            let starts = exact::different_starts(&source.game);
            let with_start = |starts: &BTreeMap<String, usize>, start: usize| {
                let mut starts = starts.clone();
                starts.insert(game.clone(), start);
                starts
            };
            let more = |earlier: &BTreeMap<String, usize>| {
                starts.iter().map(|&start| with_start(earlier, start)).collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(more).collect();
            all *= source.game.starts.len() as u64;
        }
        let sides = |starts: BTreeMap<String, usize>| Color::ALL.map(|color| Place { starts: starts.clone(), color });
        (combinations.into_iter().flat_map(sides).collect(), all)
    }

    /// The numbers of both sides.
    fn evaluate(&self, place: &Place, runs: &mut Runs<'_>) -> Result<[Quantity; 2], String> {
        let mut number = |node| {
            let number = self.names.evaluate(node, &mut |term| runs.number(&term, place));
            number.map(|(number, _)| number).map_err(|fault| fault.message)
        };
        Ok([number(&self.sides[0])?, number(&self.sides[1])?])
    }

    fn measure_at(&self, place: &Place, finding: &Finding, runs: &mut Runs<'_>) -> Result<Finding, String> {
        let [left, right] = self.evaluate(place, runs)?;
        let measured = match self.measured {
            Measured::Left => left.clone(),
            Measured::Ratio => &left / &right,
            Measured::Difference => &left - &right,
        };
        if measured.is_constant() {
            let (positions, note) = match self.terms.first() {
                Some(Term::ForcedMates { game, pieces }) => {
                    let solved = runs.endgame(game, pieces)?;
                    (solved.positions, solved.note.clone())
                }
                Some(Term::ColorBound { .. }) => (1, "by the moves of the piece on an empty board".to_owned()),
                _ => (
                    self.places(runs).1,
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
        let Some(interval) = measured.estimate_at(finding.alpha.confidence()).interval else {
            return Err("what is divided by does not differ significantly from zero in these games".to_owned());
        };
        let claimed = match (self.measured, self.claimed) {
            (Measured::Difference, Claimed::Equal { value, .. }) => {
                Claimed::Equal { value, max_width: max_width(right.value) }
            }
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
        let terms = self.needs.iter().chain(&self.parts).flat_map(|part| &part.terms);
        terms.filter_map(Term::run)
    }

    /// The endgames that the statement needs: the game, and the pieces of the side with more than a
    /// king.
    pub fn endgames(&self) -> impl Iterator<Item = (&str, &[Kind])> {
        let terms = self.parts.iter().flat_map(|part| &part.terms);
        terms.filter_map(|term| match term {
            Term::ForcedMates { game, pieces } => Some((game.as_str(), pieces.as_slice())),
            _ => None,
        })
    }

    /// Tests the statement, which is about `game`.
    pub fn finding(&self, game: &str, runs: &mut Runs<'_>) -> Finding {
        let source = runs.source(game);
        let statement = Finding {
            game: game.to_owned(),
            title: source.map_or_else(|| game.to_owned(), |source| source.game.title.clone()),
            claim: self.claim.clone(),
            quote: self.quote.clone(),
            document: self.document.clone(),
            stated_as: self.stated_as,
            alpha: runs.alpha(self.runs()),
            ..Finding::default()
        };
        let mut needs = self.needs.iter().map(|need| (need, need.measure(&statement, runs).judged()));
        if let Some((need, missing)) = needs.find(|(_, found)| found.verdict != ClaimVerdict::Holds) {
            // A share without an error: all games are alike in what the players would have to do.
            let mut played = need.terms.iter().filter_map(Term::run);
            let is_never = missing.measured.is_none() && played.all(|run| runs.has_games(run));
            let found = match (missing.measured, missing.note) {
                (Some(measured), _) => format!("found {measured:.3}"),
                (None, Some(reason)) if !is_never => reason,
                (None, _) => "found in no game".to_owned(),
            };
            return Finding {
                formula: missing.formula,
                claimed: missing.claimed,
                verdict: match missing.verdict {
                    ClaimVerdict::NotEnoughGames if !is_never => ClaimVerdict::NotEnoughGames,
                    _ => ClaimVerdict::NotTested,
                },
                games: missing.games,
                openings: missing.openings,
                note: Some(format!("the players would have to: {}, {found}", missing.claim)),
                ..statement
            };
        }
        let measured = self.parts.iter().map(|part| part.measure(&statement, runs).judged());
        let parts: Vec<Finding> = measured.collect();
        if let [only] = &parts[..] {
            return only.clone();
        }
        let joint = self.wald_test(&parts, runs);
        statement.of_parts(parts, joint)
    }

    /// The test that all numbers claimed exactly are right, if there are at least two and enough
    /// games for it.
    fn wald_test(&self, parts: &[Finding], runs: &mut Runs<'_>) -> Option<JointTest> {
        let exact = self.parts.iter().zip(parts).filter(|(_, part)| part.is_jointly_testable());
        let off = exact.map(|(comparison, _)| {
            let anywhere = Place { starts: BTreeMap::new(), color: Color::White };
            let [left, right] = comparison.evaluate(&anywhere, runs).ok()?;
            Some(&left - &right)
        });
        let off = off.collect::<Option<Vec<Quantity>>>()?;
        Quantity::joint_test(&off).filter(|_| off.len() > 1)
    }
}

impl Finding {
    /// The finding on a statement that all of `parts` are true. `joint` tests those whose numbers
    /// are claimed exactly.
    fn of_parts(self, parts: Vec<Finding>, joint: Option<JointTest>) -> Finding {
        let by_itself = |part: &&Finding| joint.is_none() || !part.is_jointly_testable();
        let single = parts.iter().filter(by_itself).filter_map(Finding::p_against);
        let tests: Vec<f64> = single.chain(joint.map(|test| self.alpha.p_value(test.p))).collect();
        // Bonferroni: however the parts depend on each other, a true statement is rejected with a
        // probability of at most 5%.
        let against = tests.iter().copied().reduce(f64::min).map(|least| (least * tests.len() as f64).min(1.0));
        let formulas: Vec<&str> = parts.iter().map(|part| &*part.formula).collect();
        Finding {
            formula: formulas.join(", "),
            claimed: Claimed::Joint { values: parts.len() },
            p: match parts.iter().map(Finding::p_for).collect::<Option<Vec<f64>>>() {
                _ if parts.iter().any(Finding::is_refuted) => None,
                // Intersection-union: all directions are shown if the least certain is.
                Some(shown) => shown.into_iter().reduce(f64::max),
                None => against,
            },
            verdict: verdict_of_parts(&parts, against),
            games: parts.iter().map(|part| part.games).max().unwrap_or(0),
            openings: parts.iter().map(|part| part.openings).max().unwrap_or(0),
            note: joint.map(|test| format!("F = {:.2} for {} values", test.f, test.values)),
            parts,
            ..self
        }
    }

    /// The verdict that follows from the numbers, which a stored one could only contradict.
    fn judged_again(self) -> Finding {
        if self.parts.is_empty() {
            return Finding { verdict: self.own_verdict(), ..self };
        }
        let parts: Vec<Finding> = self.parts.into_iter().map(Finding::judged_again).collect();
        // The p-value against a statement, unless it is the one for all its directions.
        let against = self.p.filter(|_| parts.iter().any(|part| part.p_for().is_none()));
        Finding { verdict: verdict_of_parts(&parts, against), parts, ..self }
    }

    /// Returns true for a part that is known exactly, and wrong.
    fn is_refuted(&self) -> bool {
        self.interval.is_none() && self.verdict == ClaimVerdict::DoesNotHold
    }

    /// Fails at the first measured number that is outside its own interval or missing.
    fn check(&self, place: &str) -> Result<(), String> {
        match (self.measured, self.interval) {
            (Some(measured), Some([low, high])) if !contains([low, high], measured) => {
                return Err(format!("{place}.measured: found {measured}, expected a number from {low} to {high}"));
            }
            (None, Some(_)) => return Err(format!("{place}.measured: found none, expected a number in the interval")),
            _ => {}
        }
        let mut parts = self.parts.iter().enumerate();
        parts.try_for_each(|(index, part)| part.check(&format!("{place}.parts[{index}]")))
    }

    /// Returns true for a measured number that is claimed exactly.
    const fn is_jointly_testable(&self) -> bool {
        matches!(self.claimed, Claimed::Equal { .. }) && self.p.is_some()
    }

    /// The p-value against a part: 1 for a direction if the estimate is on the claimed side.
    fn p_against(&self) -> Option<f64> {
        if self.p_for().is_some() { Some(1.0) } else { self.p }
    }

    /// The p-value for a claimed direction, if the estimate is on the claimed side.
    fn p_for(&self) -> Option<f64> {
        let is_claimed = match self.claimed {
            Claimed::MoreThan { value, .. } => self.measured? > value,
            Claimed::LessThan { value, .. } => self.measured? < value,
            _ => false,
        };
        self.p.filter(|_| is_claimed)
    }

    /// Returns true if a part supports its statement, unless a test of all parts rejects it. One of
    /// many intervals may miss a number that is claimed exactly, but each must be narrow.
    fn supports(&self) -> bool {
        match (self.claimed, self.interval) {
            (Claimed::Equal { max_width, .. }, Some([low, high])) => high - low <= max_width,
            _ => self.verdict == ClaimVerdict::Holds,
        }
    }

    /// With the p-value and the verdict of what was measured.
    fn judged(self) -> Finding {
        let tested = self.measured.and_then(|measured| self.claimed.tested_number(measured)).unwrap_or(0.0);
        Finding { p: self.p_value(tested).or(self.p), verdict: self.own_verdict(), ..self }
    }

    /// The verdict without a correction for the number of tests.
    fn own_verdict(&self) -> ClaimVerdict {
        match (self.measured, self.interval) {
            (None, _) => self.verdict,
            (Some(_), None) if self.positions.is_none() => ClaimVerdict::NotEnoughGames,
            (Some(measured), None) => self.claimed.exact_verdict(measured),
            (Some(measured), Some(interval)) => {
                let tested = self.claimed.tested_number(measured).unwrap_or(0.0);
                self.claimed.verdict(interval, !contains(interval, tested))
            }
        }
    }

    /// Two-sided p-value of the hypothesis that the number is `value`; `None` without an interval.
    ///
    /// The side of the interval toward `value` is the critical value of Student's t times the
    /// standard error there, so p is below 0.05 exactly if the interval excludes `value`.
    fn p_value(&self, value: f64) -> Option<f64> {
        let (measured, [low, high]) = (self.measured?, self.interval?);
        let side = if value < measured { measured - low } else { high - measured };
        let deviation = (value - measured).abs();
        let df = self.openings.max(2) as f64 - 1.0;
        let t = t_critical_value(df, self.alpha.confidence()) * deviation / side;
        // The square of Student's t has an F distribution.
        Some(if deviation > 0.0 { self.alpha.p_value(f_survival(t * t, 1, df)) } else { 1.0 })
    }

    /// Corrects the verdict: the claimed number counts as rejected by its corrected p-value only.
    fn correct(&mut self, p: f64) {
        self.corrected_p = Some(p);
        self.verdict = match (self.verdict, self.interval) {
            (ClaimVerdict::DoesNotHold, None) if p >= 0.05 => ClaimVerdict::NotEnoughGames,
            // Directions that all hold are rejections of "no effect".
            (ClaimVerdict::Holds, None) if p >= 0.05 && self.parts.iter().all(|part| part.p_for().is_some()) => {
                ClaimVerdict::NotEnoughGames
            }
            (verdict, None) => verdict,
            (_, Some(interval)) => {
                let tested = self.measured.and_then(|measured| self.claimed.tested_number(measured));
                let is_rejected = p < 0.05 && tested.is_some_and(|tested| !contains(interval, tested));
                self.claimed.verdict(interval, is_rejected)
            }
        };
    }
}

/// The verdict on all parts, with the p-value against them.
fn verdict_of_parts(parts: &[Finding], against: Option<f64>) -> ClaimVerdict {
    let is_no_effect = |part: &Finding| part.verdict == ClaimVerdict::NoEffect;
    match () {
        () if parts.iter().any(Finding::is_refuted) || against.is_some_and(|p| p < 0.05) => ClaimVerdict::DoesNotHold,
        () if parts.iter().all(Finding::supports) => ClaimVerdict::Holds,
        () if parts.iter().all(|part| part.supports() || is_no_effect(part)) => ClaimVerdict::NoEffect,
        () => ClaimVerdict::NotEnoughGames,
    }
}

fn contains([low, high]: [f64; 2], number: f64) -> bool {
    (low..=high).contains(&number)
}

/// Results of testing the claims of some games.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Claims {
    /// The version of Assay.
    pub assay: String,
    /// A finding for each statement, in the order of the games and their documents.
    pub findings: Vec<Finding>,
    /// The files of games.
    pub files: Vec<DataFile>,
    /// The command that repeats the tests.
    pub command: Option<String>,
}

impl Stored for Claims {
    const COMMAND: &'static str = "claims";

    fn check(&self) -> Result<(), String> {
        let mut findings = self.findings.iter().enumerate();
        findings.try_for_each(|(index, finding)| finding.check(&format!("findings[{index}]")))
    }
}

impl Claims {
    /// Tests of claims from their JSON. `path` is the name of the text in errors.
    ///
    /// # Errors
    /// If the text has other contents, or numbers are out of range.
    pub(super) fn parse(text: &str, path: &Path) -> Result<Claims, DataError> {
        let mut claims: Claims = parse(text, path)?;
        claims.findings = claims.findings.into_iter().map(Finding::judged_again).collect();
        correct_for_number_of_tests(&mut claims.findings);
        Ok(claims)
    }
}

/// Corrects the verdicts of all statements for their number.
pub fn correct_for_number_of_tests(findings: &mut [Finding]) {
    let mut tested: Vec<&mut Finding> = findings.iter_mut().filter(|finding| finding.p.is_some()).collect();
    let p_values: Vec<f64> = tested.iter().filter_map(|finding| finding.p).collect();
    for (finding, p) in tested.iter_mut().zip(holm(&p_values)) {
        finding.correct(p);
    }
}

#[cfg(test)]
mod liars;
#[cfg(test)]
mod tests;
