//! Random openings: a start, a few random quiet moves, and possibly a material imbalance.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_rules::{Color, Game, GameDef, Position, Termination};
use thiserror::Error;

use super::imbalance::Imbalance;
use super::mirror::{MirrorError, swap_armies};
use super::plan::{Plan, PlanError};
use super::quiet;
use super::rejected::Rejected;
use crate::game::Eval;
use crate::players::{OpeningEval, OpeningEvaluator};
use crate::seed::{Purpose, Stream};
use crate::settings::{Material, RandomOpenings, StartChoice};

/// Failed attempts after which the settings are considered impossible.
const MAX_ATTEMPTS: usize = 2_000;

/// The two starts of a pair of games. A match plays the first one twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    pub first: Position,
    /// The same position with the armies exchanged.
    pub second: Position,
    /// What the armies lost or gained, in the colors of the first game; `None` without imbalances.
    pub imbalance: Option<Imbalance>,
}

impl Opening {
    /// The start of game 0 or 1 of the pair.
    pub fn start(&self, swapped: bool) -> &Position {
        if swapped { &self.second } else { &self.first }
    }

    /// What the armies lost or gained, in the colors of game 0 or 1 of the pair.
    pub fn imbalance(&self, swapped: bool) -> Option<Imbalance> {
        self.imbalance.as_ref().map(|imbalance| {
            if swapped {
                imbalance.swapped()
            } else {
                imbalance.clone()
            }
        })
    }
}

/// Error of drawing a random opening for a run or a pair.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    #[error("setup: {0}")]
    Start(#[from] assay_rules::starts::StartError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The game is not symmetric.
    #[error("armies cannot be exchanged between the games of a pair: {0}")]
    Mirror(#[from] MirrorError),
    /// Every attempt failed.
    #[error(
        "pair {pair}: none of {MAX_ATTEMPTS} openings of {plies} random plies is usable; the last one was rejected because \
         {why}; expected another number of plies or a wider balance"
    )]
    Exhausted { pair: u64, plies: u32, why: Rejected },
}

/// Draws the random openings of a run.
#[derive(Debug)]
pub struct OpeningGenerator {
    starts: Vec<Position>,
    /// One plan for each start if the material follows a plan.
    plans: Vec<Plan>,
    settings: RandomOpenings,
    seed: u64,
}

/// Planned openings have up to this many additional random plies.
const MAX_EXTRA_PLIES: usize = 2;

impl OpeningGenerator {
    /// The openings of a run. A random start is one of the game's starts, without handicaps.
    ///
    /// # Errors
    /// If the game is not symmetric, or the named start does not exist.
    pub fn new(game: &Arc<GameDef>, settings: &RandomOpenings, seed: u64) -> Result<OpeningGenerator, OpeningError> {
        let starts = match &settings.start {
            StartChoice::Random => {
                let ids = game.starts.iter().map(|start| start.id.as_str());
                ids.map(|id| Position::from_start(game, id)).collect::<Result<_, _>>()?
            }
            StartChoice::Named(text) => vec![Position::from_start(game, text)?],
        };
        for start in &starts {
            swap_armies(start).map_err(OpeningError::Mirror)?;
        }
        let plans = match settings.material {
            Material::Values => plans(&starts, Plan::values)?,
            Material::Playtest => plans(&starts, Plan::playtest)?,
            Material::None | Material::Odds => Vec::new(),
        };
        Ok(OpeningGenerator {
            starts,
            plans,
            settings: settings.clone(),
            seed,
        })
    }

    /// The index of a pair's start among the game's starts; 0 if the settings name one.
    pub fn start_of(&self, pair: u64) -> usize {
        self.start_number(&mut Stream::new(Purpose::Opening, self.seed, pair))
    }

    fn start_number(&self, stream: &mut Stream) -> usize {
        stream.below(self.starts.len())
    }

    /// The opening of a pair. It depends only on the settings, the seed and the evaluator. `None` if `stop` was raised.
    ///
    /// # Errors
    /// If every attempt is rejected.
    pub fn draw(
        &self,
        pair: u64,
        evaluator: &mut dyn OpeningEvaluator,
        stop: &AtomicBool,
    ) -> Result<Option<Opening>, OpeningError> {
        let mut stream = Stream::new(Purpose::Opening, self.seed, pair);
        // Start and imbalance are drawn once, so that difficult ones are as frequent as easy ones.
        let number = self.start_number(&mut stream);
        let start = self.starts[number].clone();
        let mut plies = self.settings.plies;
        let imbalance = match self.settings.material {
            Material::None => None,
            Material::Odds => Some(Imbalance::draw(&start, &mut stream)),
            Material::Values | Material::Playtest => {
                plies += stream.below(MAX_EXTRA_PLIES + 1) as u32;
                Some(self.plans[number].comparison(self.seed, pair))
            }
        };
        let mut why = Rejected::NoQuietMove;
        for _ in 0..MAX_ATTEMPTS {
            match self.attempt(&start, plies, imbalance.as_ref(), &mut stream, evaluator, stop) {
                Ok(opening) => return Ok(opening),
                Err(rejected) => why = rejected,
            }
        }
        Err(OpeningError::Exhausted {
            pair,
            plies: self.settings.plies,
            why,
        })
    }

    fn attempt(
        &self,
        start: &Position,
        plies: u32,
        imbalance: Option<&Imbalance>,
        stream: &mut Stream,
        evaluator: &mut dyn OpeningEvaluator,
        stop: &AtomicBool,
    ) -> Result<Option<Opening>, Rejected> {
        let walked = quiet::walk(start, plies, stream)?;
        let even = pair_of(&walked)?;
        if let Some(limit) = self.settings.balance {
            for position in [&even.0, &even.1] {
                let Some(found) = evaluator.evaluate_opening(position, stop) else {
                    return Ok(None);
                };
                if !is_balanced(found, limit) {
                    return Err(Rejected::Unbalanced);
                }
            }
        }
        let Some(imbalance) = imbalance else {
            let (first, second) = even;
            return Ok(Some(Opening {
                first,
                second,
                imbalance: None,
            }));
        };
        let (first, second) = pair_of(&imbalance.apply(&walked, stream).ok_or(Rejected::Material)?)?;
        if self.settings.balance.is_some() {
            // An imbalance need not be balanced, so only captures matter: removing pieces should leave nothing hanging.
            for position in [&first, &second] {
                let Some(found) = evaluator.evaluate_opening(position, stop) else {
                    return Ok(None);
                };
                if !quiet::is_quiet(position, found.mv) {
                    return Err(Rejected::Hanging);
                }
            }
        }
        Ok(Some(Opening {
            first,
            second,
            imbalance: Some(imbalance.clone()),
        }))
    }
}

/// A plan for each start; starts with equal armies share one.
fn plans(starts: &[Position], plan: fn(&Position) -> Result<Plan, PlanError>) -> Result<Vec<Plan>, PlanError> {
    let mut plans: Vec<Plan> = Vec::with_capacity(starts.len());
    let armies = |start: &Position| Color::ALL.map(|color| crate::material::pieces_of(start, color));
    for (index, start) in starts.iter().enumerate() {
        let known = starts[..index].iter().position(|other| armies(other) == armies(start));
        plans.push(match known {
            Some(known) => plans[known].clone(),
            None => plan(start)?,
        });
    }
    Ok(plans)
}

/// The two starts of a pair if both are playable.
fn pair_of(position: &Position) -> Result<(Position, Position), Rejected> {
    if position.en_passant().is_some() {
        return Err(Rejected::EnPassant);
    }
    if position.in_check() {
        return Err(Rejected::Danger);
    }
    let swapped = swap_armies(position).map_err(|_| Rejected::Danger)?;
    if swapped.in_check() {
        return Err(Rejected::Danger);
    }
    for start in [position, &swapped] {
        if Game::new(start.clone()).outcome().is_some() {
            return Err(Rejected::Over);
        }
        if can_mate_at_once(start) {
            return Err(Rejected::Danger);
        }
    }
    Ok((position.clone(), swapped))
}

fn can_mate_at_once(position: &Position) -> bool {
    let mates = |end: assay_rules::Outcome| end.termination == Termination::Checkmate;
    position.legal_moves().into_iter().any(|mv| {
        let after = position.play(mv);
        after.in_check() && after.outcome().is_some_and(mates)
    })
}

/// Returns true if neither side is more than `limit` centipawns ahead.
fn is_balanced(found: OpeningEval, limit: u32) -> bool {
    matches!(found.eval, Some(Eval::Centipawns(score)) if score.unsigned_abs() <= limit)
}

#[cfg(test)]
mod tests;
