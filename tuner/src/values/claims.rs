//! Tests of inventors' claims about their games: a measured number, an interval and a verdict for each claim.
//!
//! Claims are read from TOML files ([`mod@file`]) and checked (`check.rs`). Each kind of test has a module: values ([`values`]), changes with the game phase
//! ([`phase`]), scores from starts ([`scores`]), comparisons of two games ([`compare`]) and of the way they are played ([`play`]), and
//! start positions ([`setup`]) and endgames ([`endgames`]) that are examined exactly. [`run_cache`] reads the games that a claim needs ([`played_games`]) and keeps what is
//! computed from them, and the [`solved_endgames`].

mod check;
pub mod compare;
pub mod endgames;
pub mod file;
pub mod phase;
pub mod play;
pub mod played_games;
pub mod run_cache;
pub mod scores;
pub mod setup;
pub mod solved_endgames;
pub mod values;
pub mod verdict;

use assay_selfplay::settings::GameSource;
use serde::{Deserialize, Serialize};

use crate::values::inference::distributions::benjamini_hochberg;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::results::lengths;
use crate::values::results::reading::Stored;
use play::PlayMeasure;
use run_cache::{Run, RunCache};
use scores::Handicap;
use setup::SetupMeasure;

pub use verdict::{ClaimVerdict, Claimed, Effect};

/// Result of testing one claim.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Finding {
    /// The game's protocol name.
    pub game: String,
    /// The game's title.
    pub title: String,
    /// The claim in a few words.
    pub claim: String,
    /// Unit of the numbers.
    pub unit: String,
    /// The claimed number or range.
    pub claimed: Claimed,
    /// The estimate, if the games give one.
    pub measured: Option<f64>,
    /// Its 95% confidence region.
    pub interval: Option<ConfidenceRegion>,
    /// The p-value of the claimed number, of the nearer bound of a claimed range (1 inside), of "no effect" for a claimed direction, or of a joint
    /// test.
    pub p: Option<f64>,
    /// The p-value corrected for the number of tests (Benjamini and Hochberg 1995).
    #[serde(default)]
    pub corrected_p: Option<f64>,
    pub verdict: ClaimVerdict,
    /// The verdict if the claimed number counts as rejected by its corrected p-value only.
    #[serde(default)]
    pub corrected_verdict: Option<ClaimVerdict>,
    /// Number of games; 0 if the claim is decided without games.
    pub games: u64,
    /// Number of positions of a solved endgame, or of start positions. The measured number is exact then, without an interval or a p-value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// Further explanation, or the reason for a missing measurement.
    pub note: Option<String>,
    /// The inventor's words.
    pub quote: String,
    /// The document with these words.
    pub document: String,
    #[serde(default)]
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

/// Test of a single number.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberResult {
    /// The claim in a few words.
    pub claim: String,
    pub unit: String,
    /// The claimed number or range.
    pub claimed: Claimed,
    /// The measured effect, or the reason for a missing measurement.
    pub effect: Result<Effect, String>,
    /// See [`Finding::note`].
    pub note: Option<String>,
}

/// A claim about a number that is known exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactResult {
    /// The claim in a few words.
    pub claim: String,
    pub unit: String,
    /// The claimed number or range.
    pub claimed: Claimed,
    /// The number, or the reason why it is not known.
    pub number: Result<ExactNumber, String>,
    /// See [`Finding::note`].
    pub note: String,
}

/// A number of positions that were all examined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactNumber {
    pub value: f64,
    /// Number of positions.
    pub positions: u64,
}

/// Joint test of several values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointResult {
    /// Number of values tested.
    pub values: usize,
    /// The F statistic.
    pub f: f64,
    /// The p-value: probability of an F at least as large if the claim is true.
    pub p: f64,
    /// Number of games.
    pub games: u64,
    /// True if every interval is narrow enough that a test without rejection supports the claim.
    pub is_sharp: bool,
}

/// Result of one test of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum TestResult {
    /// Test of a single number.
    Number(NumberResult),
    /// Joint test, with the claim in a few words.
    Joint(String, Result<JointResult, String>),
    /// A number that is known exactly.
    Exact(ExactResult),
}

/// A testable statement in a document.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The inventor's words.
    pub quote: String,
    /// The document with these words.
    pub document: String,
    pub stated_as: StatedAs,
    pub test: Test,
}

/// Ways to test a statement.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Test {
    /// The published values are right, individually and jointly.
    Values,
    /// The published bonus for both pieces of a color-bound kind is right.
    Pair(String),
    /// Each major piece of the opponent makes the joker worth more.
    JokerAgainstMajors,
    /// A kind is worth `claimed` in units in which the `others` are worth `unit` on average.
    RelativeValue {
        kind: String,
        /// The kinds it is compared with.
        others: Vec<String>,
        /// Their mean value.
        unit: f64,
        /// The claimed value in these units.
        claimed: f64,
    },
    /// The value of some kinds together, divided by that of others. A kind that is listed twice counts twice.
    Ratio {
        /// The kinds of the numerator.
        of: Vec<String>,
        /// The kinds of the denominator.
        to: Vec<String>,
        /// The claimed ratio.
        #[serde(deserialize_with = "file::claimed")]
        claimed: Claimed,
        /// The claim in a few words.
        claim: String,
        /// True for values on a full board instead of averages over the game.
        #[serde(default)]
        full_board: bool,
    },
    /// A kind with another movement is worth `claimed` where the other pieces are worth what is published. It is measured in a game in which it
    /// replaces a kind.
    ReplacedPiece {
        /// The kind that is replaced.
        kind: String,
        /// The game with the other movement of that kind.
        #[serde(deserialize_with = "file::game")]
        game: GameSource,
        /// The claimed value, on the scale of the published ones.
        claimed: f64,
        /// The claim in a few words.
        claim: String,
    },
    /// One kind gains value relative to the others from the full board to the endgame.
    GainsInEndgame {
        kind: String,
        /// The kinds it is compared with.
        others: Vec<String>,
    },
    /// Each kind is worth the same share of the army as in another game, individually and jointly.
    SameValues(String),
    /// A smaller share of games is drawn than in another game.
    FewerDraws(String),
    /// Cost of a missing pawn, in log-odds, divided by its cost in another game.
    PawnCost {
        /// The other game.
        than: String,
        /// The claimed ratio.
        #[serde(deserialize_with = "file::claimed")]
        claimed: Claimed,
        /// The claim in a few words.
        claim: String,
    },
    /// A pawn is worth more than in another game, in units of other kinds.
    PawnAmongPieces {
        /// The other game.
        than: String,
        /// The kinds it is compared with.
        others: Vec<String>,
    },
    /// Ratio of a measure of play to the same measure in another game.
    ComparePlay {
        /// The other game.
        than: String,
        measure: PlayMeasure,
        /// The claimed ratio.
        #[serde(deserialize_with = "file::claimed")]
        claimed: Claimed,
        /// The claim in a few words.
        claim: String,
    },
    /// Each common kind, pawns included, changes the cumulative log-odds of the score by more than in another game.
    MorePower(String),
    /// A number of the start positions.
    Setup {
        measure: SetupMeasure,
        /// The claimed number.
        claimed: f64,
        /// The claim in a few words.
        claim: String,
    },
    /// King and these pieces cannot force mate against a bare king: one list of pieces for each endgame.
    CannotForceMate(Vec<Vec<String>>),
    /// White and Black have equal chances.
    FirstMove,
    /// White scores less than without a rule.
    RuleHelpsBlack {
        /// The game with the rule.
        #[serde(deserialize_with = "file::game")]
        with: GameSource,
        /// The game without the rule.
        #[serde(deserialize_with = "file::game")]
        without: GameSource,
    },
    /// All starts are equally good for White.
    FairStarts,
    /// The handicaps are in this order, from smallest to largest.
    Handicaps(Vec<Handicap>),
    /// One handicap is larger than another.
    LargerHandicap {
        /// The claim in a few words.
        claim: String,
        /// The larger one.
        more: Handicap,
        /// The smaller one.
        less: Handicap,
    },
    /// An extra pawn is a larger handicap, the closer it is to the center of the board.
    CentralPawns(Vec<Handicap>),
}

impl Test {
    /// Names of the kinds that the test refers to.
    fn kinds(&self) -> Vec<&String> {
        match self {
            Test::Pair(kind) | Test::ReplacedPiece { kind, .. } => vec![kind],
            Test::CannotForceMate(endgames) => endgames.iter().flatten().collect(),
            Test::RelativeValue { kind, others, .. } | Test::GainsInEndgame { kind, others } => {
                others.iter().chain([kind]).collect()
            }
            Test::PawnAmongPieces { others, .. } => others.iter().collect(),
            Test::Ratio { of, to, .. } => of.iter().chain(to).collect(),
            _ => Vec::new(),
        }
    }

    /// The built-in game that the test compares the game of the claims with.
    fn other_game(&self) -> Option<&String> {
        match self {
            Test::SameValues(other) | Test::FewerDraws(other) | Test::MorePower(other) => Some(other),
            Test::PawnCost { than, .. } | Test::PawnAmongPieces { than, .. } | Test::ComparePlay { than, .. } => {
                Some(than)
            }
            _ => None,
        }
    }

    /// The claim in a few words, if the file gives it.
    fn claim(&self) -> Option<&str> {
        match self {
            Test::Ratio { claim, .. }
            | Test::ReplacedPiece { claim, .. }
            | Test::PawnCost { claim, .. }
            | Test::ComparePlay { claim, .. }
            | Test::Setup { claim, .. }
            | Test::LargerHandicap { claim, .. } => Some(claim),
            _ => None,
        }
    }

    fn handicaps(&self) -> Vec<&Handicap> {
        match self {
            Test::Handicaps(handicaps) | Test::CentralPawns(handicaps) => handicaps.iter().collect(),
            Test::LargerHandicap { more, less, .. } => vec![more, less],
            _ => Vec::new(),
        }
    }

    /// Games that the test itself defines.
    pub fn games(&self) -> Vec<&GameSource> {
        match self {
            Test::RuleHelpsBlack { with, without } => vec![with, without],
            Test::ReplacedPiece { game, .. } => vec![game],
            _ => Vec::new(),
        }
    }

    /// The endgames that the test needs: the pieces of the side with more than a king.
    pub fn endgames(&self) -> &[Vec<String>] {
        match self {
            Test::CannotForceMate(endgames) => endgames,
            _ => &[],
        }
    }
}

impl Statement {
    /// The runs of games that the test needs; `game` is the game of the statement.
    pub fn runs(&self, game: &str) -> Vec<Run> {
        let mut runs = match &self.test {
            Test::Values
            | Test::Pair(_)
            | Test::JokerAgainstMajors
            | Test::RelativeValue { .. }
            | Test::Ratio { .. }
            | Test::GainsInEndgame { .. } => {
                vec![Run::values(game)]
            }
            Test::SameValues(other) | Test::MorePower(other) | Test::PawnAmongPieces { than: other, .. } => {
                vec![Run::values(game), Run::values(other)]
            }
            Test::ReplacedPiece { game: other, .. } => vec![Run::values(&other.game.name)],
            Test::FewerDraws(other) | Test::ComparePlay { than: other, .. } => {
                vec![Run::equal(game), Run::equal(other)]
            }
            Test::PawnCost { than, .. } => vec![Run::playtest(game), Run::playtest(than)],
            Test::FirstMove | Test::FairStarts => vec![Run::equal(game)],
            Test::RuleHelpsBlack { with, without } => {
                vec![Run::equal(&with.game.name), Run::equal(&without.game.name)]
            }
            Test::Handicaps(_)
            | Test::CentralPawns(_)
            | Test::LargerHandicap { .. }
            | Test::Setup { .. }
            | Test::CannotForceMate(_) => Vec::new(),
        };
        for handicap in self.test.handicaps() {
            let starts = handicap.starts.iter().map(String::as_str);
            runs.extend(starts.chain(handicap.base()).map(|start| Run::from_start(game, start)));
        }
        runs
    }

    /// Tests the statement on cached games.
    pub fn findings(&self, game: &str, cache: &RunCache) -> Vec<Finding> {
        let source = cache.source(game);
        let title = source.as_ref().map_or(game, |source| &source.game.title);
        let results = self.results(game, cache).into_iter();
        results.map(|result| self.finding(game, title, result)).collect()
    }

    fn results(&self, game: &str, cache: &RunCache) -> Vec<TestResult> {
        match &self.test {
            Test::Values => values::published_values(game, cache),
            Test::Pair(kind) => vec![values::pair(game, kind, cache)],
            Test::JokerAgainstMajors => vec![values::joker_against_majors(game, cache)],
            Test::RelativeValue {
                kind,
                others,
                unit,
                claimed,
            } => values::relative_value(game, kind, others, *unit, *claimed, cache),
            Test::Ratio {
                of,
                to,
                claimed,
                claim,
                full_board,
            } => vec![values::ratio(game, (of, to), *claimed, claim, *full_board, cache)],
            Test::ReplacedPiece {
                kind,
                game: other,
                claimed,
                claim,
            } => vec![values::replaced_piece(
                game,
                kind,
                &other.game.name,
                *claimed,
                claim,
                cache,
            )],
            Test::GainsInEndgame { kind, others } => vec![phase::gains_in_endgame(game, kind, others, cache)],
            Test::SameValues(other) => compare::same_values(game, other, cache),
            Test::MorePower(other) => compare::more_power(game, other, cache),
            Test::Setup {
                measure,
                claimed,
                claim,
            } => vec![setup::exact(game, *measure, *claimed, claim, cache)],
            Test::FewerDraws(other) => vec![compare::fewer_draws(game, other, cache)],
            Test::PawnCost { than, claimed, claim } => vec![compare::pawn_cost(game, than, *claimed, claim, cache)],
            Test::PawnAmongPieces { than, others } => vec![compare::pawn_among_pieces(game, than, others, cache)],
            Test::ComparePlay {
                than,
                measure,
                claimed,
                claim,
            } => vec![play::compare(game, than, *measure, *claimed, claim, cache)],
            Test::CannotForceMate(endgames) => endgames::cannot_force_mate(game, endgames, cache),
            Test::FirstMove => vec![scores::first_move(game, cache)],
            Test::RuleHelpsBlack { with, without } => {
                vec![scores::rule_helps_black(&with.game.name, &without.game.name, cache)]
            }
            Test::FairStarts => vec![scores::fair_starts(game, cache)],
            Test::Handicaps(handicaps) => scores::in_order(game, handicaps, cache),
            Test::LargerHandicap { claim, more, less } => vec![scores::larger_handicap(game, claim, more, less, cache)],
            Test::CentralPawns(handicaps) => vec![scores::central_pawns(game, handicaps, cache)],
        }
    }

    fn finding(&self, game: &str, title: &str, result: TestResult) -> Finding {
        let mut finding = Finding {
            game: game.to_owned(),
            title: title.to_owned(),
            claim: String::new(),
            unit: String::new(),
            claimed: Claimed::Joint { values: 0 },
            measured: None,
            interval: None,
            p: None,
            corrected_p: None,
            verdict: ClaimVerdict::NotEnoughGames,
            corrected_verdict: None,
            games: 0,
            positions: None,
            note: None,
            quote: self.quote.clone(),
            document: self.document.clone(),
            stated_as: self.stated_as,
        };
        match result {
            TestResult::Number(number) => {
                finding.claim = number.claim;
                finding.unit = number.unit;
                finding.claimed = number.claimed;
                finding.note = number.note;
                match number.effect {
                    Ok(effect) => {
                        finding.measured = Some(effect.value);
                        finding.interval = Some(effect.interval);
                        let tested = number.claimed.tested_number(effect.value).unwrap_or(0.0);
                        finding.p = effect.p.or_else(|| effect.p_value(tested));
                        let is_rejected = !effect.interval.contains(tested);
                        finding.verdict = number.claimed.verdict(effect.interval, is_rejected);
                        finding.games = effect.games;
                    }
                    Err(reason) => finding.note = Some(reason),
                }
            }
            TestResult::Exact(exact) => {
                finding.claim = exact.claim;
                finding.unit = exact.unit;
                finding.claimed = exact.claimed;
                match exact.number {
                    Ok(number) => {
                        finding.measured = Some(number.value);
                        finding.positions = Some(number.positions);
                        finding.verdict = exact.claimed.exact_verdict(number.value);
                        finding.note = Some(exact.note);
                    }
                    Err(reason) => finding.note = Some(reason),
                }
            }
            TestResult::Joint(claim, test) => {
                finding.claim = claim;
                finding.unit += "p-value of the joint test";
                match test {
                    Ok(test) => {
                        finding.claimed = Claimed::Joint { values: test.values };
                        finding.p = Some(test.p);
                        finding.games = test.games;
                        finding.verdict = match (test.p < 0.05, test.is_sharp) {
                            (true, _) => ClaimVerdict::DoesNotHold,
                            (false, true) => ClaimVerdict::Holds,
                            (false, false) => ClaimVerdict::NotEnoughGames,
                        };
                        finding.note = Some(format!("F = {:.2} for {} values", test.f, test.values));
                    }
                    Err(reason) => finding.note = Some(reason),
                }
            }
        }
        finding
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

    fn check(&self) -> Result<(), String> {
        lengths::files("files", &self.files)
    }
}

impl Finding {
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
