//! The numbers of formulas, and the terms they are computed from: what is measured in the games of
//! a run, counted in start positions, or solved.

use std::sync::Arc;

use assay_engine::endgame;
use assay_rules::def::PieceClass;
use assay_rules::{GameDef, Kind, Position};
use assay_selfplay::RecordedRun;
use assay_selfplay::settings::{GameSource, Material, StartChoice};

use super::formula::{Fault, Node, Part};
use crate::values::data::Regressor;
use crate::values::data::material::kind_named;
use crate::values::design::FEW;
use crate::values::inference::Quantity;

/// Means over games between equal armies.
pub const PLAY: [&str; 12] = [
    "draws",
    "white_score",
    "forcing_moves",
    "opening_forcing_moves",
    "middlegame_forcing_moves",
    "endgame_forcing_moves",
    "open_files",
    "minor_for_two_pawns",
    "endgame_shot_gain",
    "score_changes",
    "length",
    "late_placements",
];

/// Numbers that are counted at the start, for each side.
pub const SETUP: [&str; 3] = ["pieces", "kinds", "density"];

/// The cost of a missing pawn in log-odds of the mean score, measured by a playtest.
pub const PAWN_COST: &str = "pawn_cost";

const FUNCTIONS: &str =
    "`mean`, `slope`, `log_odds`, `pair`, `against_majors`, `score`, `white_score`, `forced_mates`, `color_bound`";

/// Purpose of a run of games.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunKind {
    /// Games with imbalances, as `validate` plays them.
    Values,
    /// Games of the playtest.
    Playtest,
    /// Games between equal armies.
    Equal,
    /// Games from one start, with or without a handicap.
    Start(String),
}

/// A run of games, kept in one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// Name of the game.
    pub game: String,
    pub kind: RunKind,
}

impl Run {
    pub fn new(game: &str, kind: RunKind) -> Run {
        let game = game.to_owned();
        Run { game, kind }
    }

    /// The runs for whose claims recorded games count: none for games that say nothing about any
    /// claim, such as those of a match. Imported games, which begin with equal armies, count for
    /// claims about values and for those about play.
    pub fn all_of(games: &dyn RecordedRun) -> Vec<Run> {
        let settings = &games.header().settings;
        let game = &settings.game().name;
        if settings.import().is_some() {
            return vec![Run::new(game, RunKind::Values), Run::new(game, RunKind::Equal)];
        }
        let Some(openings) = settings.random_openings() else {
            return Vec::new();
        };
        let kind = match (openings.material, &openings.start) {
            (Material::Values, _) => RunKind::Values,
            (Material::Playtest, _) => RunKind::Playtest,
            (Material::None, StartChoice::Random) => RunKind::Equal,
            (Material::None, StartChoice::Named(start)) => RunKind::Start(start.clone()),
        };
        vec![Run::new(game, kind)]
    }

    /// File name; for values and playtests, the same that `validate` and `playtest` use by default.
    pub fn file_name(&self) -> String {
        let game = &self.game;
        match &self.kind {
            RunKind::Values => format!("assay-{game}.db"),
            RunKind::Playtest => format!("assay-{game}-playtest.db"),
            RunKind::Equal => format!("assay-{game}-stats.db"),
            RunKind::Start(start) => {
                let start = start.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
                format!("assay-{game}-from-{start}.db")
            }
        }
    }
}

/// What a formula is computed from.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// What one more piece is worth, or a bonus, in log-odds.
    Value {
        run: Run,
        regressor: Regressor,
        /// Share of pieces left; `None` for the average over the game.
        left: Option<f64>,
    },
    /// A number measured in the games of a run.
    Measure { run: Run, name: &'static str },
    /// One of [`SETUP`].
    Setup { game: String, name: &'static str },
    /// Share of the positions with these pieces against a bare king in which they can force mate.
    ForcedMates { game: String, pieces: Vec<Kind> },
    /// 1 if a piece never leaves the squares of one color, else 0.
    ColorBound { game: String, kind: Kind },
}

/// The game whose piece values are the unit of a formula; `None` for a pure number. The values of
/// two games have no common unit.
type Unit = Option<String>;

impl Term {
    pub fn run(&self) -> Option<&Run> {
        match self {
            Term::Value { run, .. } | Term::Measure { run, .. } => Some(run),
            Term::Setup { .. } | Term::ForcedMates { .. } | Term::ColorBound { .. } => None,
        }
    }
}

/// Gives the number of a term, or the reason why there is none.
type Measure<'m> = &'m mut dyn FnMut(Term) -> Result<Quantity, String>;

/// What the names in a formula mean.
#[derive(Clone, Debug)]
pub struct Names {
    /// The game of the claims, and those that the claims file defines.
    pub known: Arc<[GameSource]>,
    /// The piece that `each` stands for.
    pub each: Option<String>,
    /// The game and the share of pieces left that the formula is about; `None` for the average over
    /// the game.
    pub game: Arc<GameDef>,
    pub left: Option<f64>,
}

impl Names {
    /// The number of a formula, and its unit.
    ///
    /// # Errors
    /// If a name is unknown, the formula adds or divides numbers without a common unit, or a term cannot be measured.
    pub fn evaluate(&self, node: &Node, measure: Measure<'_>) -> Result<(Quantity, Unit), Fault> {
        let fault = |message: String| Fault { at: node.at, message };
        match &node.part {
            Part::Number(number) => Ok((Quantity::constant(*number), None)),
            Part::Name(name) => {
                let (term, unit) = self.name(name).map_err(fault)?;
                // Only values of pieces have a unit.
                if unit.is_none() {
                    self.check_phase(name).map_err(fault)?;
                }
                Ok((measure(term).map_err(fault)?, unit))
            }
            Part::In(name, inner) => self.within(name).map_err(fault)?.evaluate(inner, measure),
            Part::OfWords(name, words) => {
                self.check_phase(name).map_err(fault)?;
                Ok((of_words(name, words, &self.game, measure).map_err(fault)?, None))
            }
            Part::Call(name, arguments) => {
                self.call(name, arguments, measure).map_err(|call| Fault { at: call.at.max(node.at), ..call })
            }
            Part::Binary(operator, operands) => {
                let (left, one) = self.evaluate(&operands[0], measure)?;
                let (right, other) = self.evaluate(&operands[1], measure)?;
                let unit = match (operator, &one, &other) {
                    ('+' | '-', _, _) if one == other => one,
                    ('/', _, _) if one == other => None,
                    ('*', None, _) => other,
                    ('*' | '/', _, None) => one,
                    _ => {
                        let kind = |unit: Unit| unit.map_or("a number".to_owned(), |game| format!("a value in {game}"));
                        let (one, other) = (kind(one), kind(other));
                        return Err(fault(format!(
                            "found {one} {operator} {other}, expected values of one game, or ratios of values"
                        )));
                    }
                };
                let number = match operator {
                    '+' => &left + &right,
                    '-' => &left - &right,
                    '*' => &left * &right,
                    _ => &left / &right,
                };
                Ok((number, unit))
            }
        }
    }

    /// A function of formulas. The place of an error that belongs to the function itself is 0.
    fn call(&self, name: &str, arguments: &[Node], measure: Measure<'_>) -> Result<(Quantity, Unit), Fault> {
        let fault = |message: String| Fault { at: 0, message };
        let piece = match arguments {
            [Node { part: Part::Name(piece), .. }] => Some(piece),
            _ => None,
        };
        if let ("pair" | "against_majors", Some(piece)) = (name, piece) {
            let kind = piece_named(&self.game, self.piece(piece)).map_err(fault)?;
            let (regressor, expected) = match name {
                "pair" => (Regressor::Pair(kind), "a piece bound to squares of one color"),
                _ => (Regressor::JokerAgainstMajors(kind), "a joker"),
            };
            if !Regressor::all(&self.game).contains(&regressor) {
                return Err(fault(format!("found `{name}({piece})`, expected {expected}")));
            }
            let (term, unit) = self.value(regressor);
            return Ok((measure(term).map_err(fault)?, unit));
        }
        let parts: Vec<(Quantity, Unit)> =
            arguments.iter().map(|argument| self.evaluate(argument, measure)).collect::<Result<_, Fault>>()?;
        if parts.windows(2).any(|two| two[0].1 != two[1].1) {
            let message = format!("found a `{name}` of different units, expected values of one game or numbers");
            return Err(fault(message));
        }
        let (parts, mut units): (Vec<Quantity>, Vec<Unit>) = parts.into_iter().unzip();
        let (count, unit) = (parts.len() as f64, units.pop().flatten());
        match (name, parts.len()) {
            ("mean", 1..) => Ok((Quantity::weighted_sum(parts.iter().map(|part| (part, 1.0 / count))), unit)),
            ("slope", 2..) => {
                // By least squares; the sum of the squared distances from the middle is that of
                // consecutive whole numbers.
                let squares = count * (count * count - 1.0) / 12.0;
                let weights = (0..parts.len()).map(|index| (index as f64 - (count - 1.0) / 2.0) / squares);
                Ok((Quantity::weighted_sum(parts.iter().zip(weights)), unit))
            }
            ("log_odds", 1) if unit.is_some() => Ok((parts[0].clone(), None)),
            ("log_odds", 1) => Err(fault("found the log-odds of a number, expected those of a piece".to_owned())),
            (_, count) => {
                Err(fault(format!("found the function `{name}` of {count} arguments, expected one of {FUNCTIONS}")))
            }
        }
    }

    /// A name in place of `each`.
    fn piece<'s>(&'s self, name: &'s str) -> &'s str {
        self.each.as_deref().filter(|_| name == "each").unwrap_or(name)
    }

    /// Fails for a measure in a formula about a phase.
    fn check_phase(&self, name: &str) -> Result<(), String> {
        match self.left {
            None => Ok(()),
            Some(_) => Err(format!("found `{name}` after `full:` or `few:`, expected values of pieces only")),
        }
    }

    fn name(&self, name: &str) -> Result<(Term, Unit), String> {
        let (name, game) = (self.piece(name), &self.game);
        let unknown = match piece_named(game, name) {
            Ok(kind) if Some(kind) == game.kinds.king() => {
                return Err(format!("found `{name}`, expected a piece other than the king, which has no value"));
            }
            Ok(kind) => return Ok(self.value(Regressor::Kind(kind))),
            Err(unknown) => unknown,
        };
        let named = |names: &[&'static str]| names.iter().copied().find(|known| *known == name);
        if let Some(name) = named(&SETUP) {
            let game = game.name.clone();
            return Ok((Term::Setup { game, name }, None));
        }
        let kind = if name == PAWN_COST { RunKind::Playtest } else { RunKind::Equal };
        let name = named(&PLAY).or(named(&[PAWN_COST])).ok_or_else(|| {
            let measures: Vec<&str> = PLAY.into_iter().chain([PAWN_COST]).chain(SETUP).collect();
            format!("{unknown}; or a measure: {}", measures.join(", "))
        })?;
        if let Some(needed) = missing(game, name) {
            return Err(format!("found `{name}`, expected a game with {needed}"));
        }
        let run = Run::new(&game.name, kind);
        Ok((Term::Measure { run, name }, None))
    }

    /// The names in a formula about another phase or game.
    fn within(&self, name: &str) -> Result<Names, String> {
        let mut inner = self.clone();
        match name {
            "full" => inner.left = Some(1.0),
            "few" => inner.left = Some(FEW),
            _ => {
                let mut known = self.known.iter().map(|source| &source.game);
                let game = known.find(|game| game.name == name).cloned();
                inner.game = game.or_else(|| GameDef::builtin(name)).ok_or_else(|| {
                    let known = assay_rules::def::known_games();
                    format!("found `{name}`, expected `full`, `few`, a game under `games`, or a built-in game: {known}")
                })?;
            }
        }
        Ok(inner)
    }

    fn value(&self, regressor: Regressor) -> (Term, Unit) {
        let (run, left) = (Run::new(&self.game.name, RunKind::Values), self.left);
        (Term::Value { run, regressor, left }, Some(self.game.name.clone()))
    }
}

/// A part of the game that a measure needs and the game lacks.
fn missing(game: &GameDef, name: &str) -> Option<&'static str> {
    let has_minors = || game.kinds.all().any(|kind| game.kind(kind).class == PieceClass::Minor);
    let has_valued_cannons =
        || game.mechanisms.cannon.is_some() && game.kinds.all().any(|kind| game.value_in_pawns(kind).is_some());
    match name {
        "minor_for_two_pawns" if !has_minors() => Some("minor pieces"),
        "endgame_shot_gain" if !has_valued_cannons() => Some("pawns that capture by cannon, and values"),
        "late_placements" if game.mechanisms.gating.is_none() => Some("gating"),
        _ => None,
    }
}

/// A function of starts or pieces.
fn of_words(name: &str, words: &[String], game: &Arc<GameDef>, measure: Measure<'_>) -> Result<Quantity, String> {
    if name == "forced_mates" {
        let pieces: Vec<Kind> = words.iter().map(|word| piece_named(game, word)).collect::<Result<_, String>>()?;
        endgame::check(game, &pieces).map_err(|error| format!("forced_mates: {error}"))?;
        let game = game.name.clone();
        return measure(Term::ForcedMates { game, pieces });
    }
    if name == "color_bound" {
        let [piece] = words else {
            return Err(format!("color_bound: found {} pieces, expected one", words.len()));
        };
        return measure(Term::ColorBound { game: game.name.clone(), kind: piece_named(game, piece)? });
    }
    if words.is_empty() {
        return Err(format!("found no start in `{name}()`, expected at least one"));
    }
    let name = if name == "score" { "score" } else { "white_score" };
    let scores = words.iter().map(|start| {
        Position::from_start(game, start).map_err(|error| format!("start `{start}`: {error}"))?;
        let run = Run::new(&game.name, RunKind::Start(start.clone()));
        measure(Term::Measure { run, name })
    });
    let scores: Vec<Quantity> = scores.collect::<Result<_, String>>()?;
    let weight = 1.0 / words.len() as f64;
    Ok(Quantity::weighted_sum(scores.iter().map(|score| (score, weight))))
}

fn piece_named(game: &GameDef, name: &str) -> Result<Kind, String> {
    kind_named(game, name).ok_or_else(|| {
        let known: Vec<&str> = game.kinds.all().map(|kind| game.kind(kind).name.as_str()).collect();
        format!("found `{name}`, expected a piece of {}: {}", game.name, known.join(", "))
    })
}
