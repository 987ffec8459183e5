//! Random openings: a start, a few random quiet moves, and possibly a material imbalance.

use std::sync::Arc;

use assay_rules::{Color, Game, GameDef, Move, Position, Termination};
use thiserror::Error;

use super::book::BookError;
use super::imbalance::Imbalance;
use super::plan::{Plan, PlanError};
use crate::game::{Eval, GameEnd};
use crate::material::armies_of;
use crate::mirror::{exchanged, swap_armies};
use crate::players::OpeningEval;
use crate::seed::{Purpose, Stream};
use crate::settings::{Material, RandomOpenings};

/// Failed attempts after which a start and an imbalance are considered impossible together.
const MAX_ATTEMPTS: usize = 2_000;

/// Draws of start and imbalance after which the settings are considered impossible.
const MAX_DRAWS: usize = 4;

/// The starts of a pair of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The starts of both games. The second one is the first with the armies exchanged, or an
    /// opening of its own ([`SecondGame`](crate::settings::SecondGame)); in a match both are the
    /// same.
    pub starts: [Position; 2],
    /// What the armies lost or gained in each game; `None` without imbalances.
    pub imbalances: [Option<Imbalance>; 2],
    /// The source of the opening, for example `random 3` or `line 7`.
    pub source: String,
}

impl Opening {
    /// The same position twice.
    pub(crate) fn twice(start: Position, imbalance: Option<Imbalance>, source: String) -> Opening {
        Opening { starts: [start.clone(), start], imbalances: [imbalance.clone(), imbalance], source }
    }
}

/// The reason for rejecting an opening.
type Rejected = &'static str;

const DANGER: Rejected = "a king is in danger";

const NO_QUIET_MOVE: Rejected = "no quiet move was left";

/// Why a run or a pair has no opening.
#[derive(Debug, Error)]
pub enum OpeningError {
    #[error(transparent)]
    Book(#[from] BookError),
    #[error("setup: {0}")]
    Start(#[from] assay_rules::starts::StartError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A start in which the game is over.
    #[error("setup: found `{fen}`, where the game is over ({end}), expected a start with a move to play")]
    Over { fen: String, end: &'static str },
    /// Every attempt failed.
    #[error(
        "pair {pair}: none of {attempts} openings of {plies} random plies is usable; the last one was rejected because \
         {why}; expected another number of plies or a wider balance",
        attempts = MAX_DRAWS * MAX_ATTEMPTS
    )]
    Exhausted { pair: u64, plies: u32, why: &'static str },
}

/// Draws the random openings of a run.
#[derive(Debug)]
pub struct OpeningGenerator {
    starts: Vec<Position>,
    /// The starts with the armies exchanged; `None` if a start allows no exchange.
    exchanged: Option<Vec<Position>>,
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
    /// If the named start does not exist, the game is over in a start, or its armies allow no plan
    /// of material.
    pub fn new(game: &Arc<GameDef>, settings: &RandomOpenings, seed: u64) -> Result<OpeningGenerator, OpeningError> {
        let starts = settings.start.positions(game)?;
        if let Some((start, end)) = starts.iter().find_map(|start| Some((start, Game::new(start.clone()).outcome()?))) {
            return Err(OpeningError::Over { fen: start.fen(), end: GameEnd::Rules(end.termination).name() });
        }
        let plans = match settings.material {
            Material::Values => plans(&starts, Plan::values)?,
            Material::Playtest => plans(&starts, Plan::playtest)?,
            Material::None => Vec::new(),
        };
        Ok(OpeningGenerator { exchanged: exchanged(&starts), starts, plans, settings: settings.clone(), seed })
    }

    /// The opening of a pair. It depends only on the settings, the seed and `evaluate`, which
    /// judges a position by a search with empty tables; `None` if `evaluate` returns `None`,
    /// because it was stopped.
    ///
    /// # Errors
    /// If every attempt is rejected.
    pub fn draw(
        &self,
        pair: u64,
        mut evaluate: impl FnMut(&Position) -> Option<OpeningEval>,
    ) -> Result<Option<Opening>, OpeningError> {
        let mut stream = Stream::new(Purpose::Opening, self.seed, pair);
        let mut why = NO_QUIET_MOVE;
        // Start and imbalance are drawn again only if they are impossible together, so that
        // difficult ones are as frequent as easy ones.
        for draw in 0..MAX_DRAWS {
            let number = stream.below(self.starts.len());
            let start = self.starts[number].clone();
            let mut plies = self.settings.plies;
            let imbalance = match self.settings.material {
                Material::None => None,
                Material::Values | Material::Playtest => {
                    plies += stream.below(MAX_EXTRA_PLIES + 1) as u32;
                    // Beyond all pairs of a run.
                    Some(self.plans[number].comparison(self.seed, pair + ((draw as u64) << 40)))
                }
            };
            let Some(leads) = self.leads(number, &mut evaluate) else {
                return Ok(None);
            };
            let mut starts = Vec::new();
            for _ in 0..MAX_ATTEMPTS {
                match self.attempt(&start, &leads, plies, imbalance.as_ref(), &mut stream, &mut evaluate) {
                    Ok(Some(found)) => starts.extend(found),
                    Ok(None) => return Ok(None),
                    Err(rejected) => why = rejected,
                }
                if let [first, second] = &starts[..] {
                    let second_imbalance = imbalance.as_ref().map(|imbalance| match self.exchanged {
                        Some(_) => imbalance.swapped(),
                        None => imbalance.clone(),
                    });
                    return Ok(Some(Opening {
                        starts: [first.clone(), second.clone()],
                        imbalances: [imbalance, second_imbalance],
                        source: format!("random {}", pair + 1),
                    }));
                }
            }
        }
        Err(OpeningError::Exhausted { pair, plies: self.settings.plies, why })
    }

    /// White's scores in centipawns in a start and with the armies exchanged, which random moves
    /// are to keep: even, unless armies differ or cannot be exchanged. `None` if `evaluate` was
    /// stopped.
    fn leads(&self, start: usize, evaluate: &mut impl FnMut(&Position) -> Option<OpeningEval>) -> Option<Vec<i32>> {
        let exchanged = self.exchanged.as_ref().map(|exchanged| &exchanged[start]);
        let start = &self.starts[start];
        let [white, black] = armies_of(start);
        let positions = std::iter::once(start).chain(exchanged);
        let is_even = exchanged.is_some() && white == black;
        if self.settings.balance.is_none() || is_even {
            return Some(positions.map(|_| 0).collect());
        }
        let lead = |position| Some(for_white(position, evaluate(position)?).unwrap_or(0));
        positions.map(lead).collect()
    }

    /// Draws the starts of a pair, or of one game if armies cannot be exchanged, in which White's
    /// scores are near `leads`; `None` if `evaluate` was stopped.
    fn attempt(
        &self,
        start: &Position,
        leads: &[i32],
        plies: u32,
        imbalance: Option<&Imbalance>,
        stream: &mut Stream,
        evaluate: &mut impl FnMut(&Position) -> Option<OpeningEval>,
    ) -> Result<Option<Vec<Position>>, Rejected> {
        let walked = walk(start, plies, stream)?;
        let even = self.starts_of(&walked)?;
        if let Some(limit) = self.settings.balance {
            for (position, &lead) in even.iter().zip(leads) {
                let Some(found) = evaluate(position) else {
                    return Ok(None);
                };
                if for_white(position, found).is_none_or(|score| score.abs_diff(lead) > limit) {
                    return Err("it is unbalanced");
                }
            }
        }
        let Some(imbalance) = imbalance else {
            return Ok(Some(even));
        };
        let starts =
            self.starts_of(&imbalance.apply(&walked, stream).ok_or("the pieces to be removed are missing")?)?;
        if self.settings.balance.is_some() {
            // An imbalance need not be balanced, so only captures matter: removing pieces should
            // leave nothing hanging.
            for position in &starts {
                let Some(found) = evaluate(position) else {
                    return Ok(None);
                };
                if !is_quiet(position, found.mv) {
                    return Err("the first move would be a capture");
                }
            }
        }
        Ok(Some(starts))
    }

    /// The starts that a position gives if all are playable: itself, and with the armies exchanged
    /// where they can be.
    fn starts_of(&self, position: &Position) -> Result<Vec<Position>, Rejected> {
        let mut starts = vec![position.clone()];
        if self.exchanged.is_some() {
            if position.en_passant().is_some() {
                // It has no counterpart after exchanging the armies.
                return Err("a pawn could be captured en passant");
            }
            starts.push(swap_armies(position).map_err(|_| DANGER)?);
        }
        for start in &starts {
            if start.in_check() || can_mate_at_once(start) {
                return Err(DANGER);
            }
            if Game::new(start.clone()).outcome().is_some() {
                return Err("the game would be over");
            }
        }
        Ok(starts)
    }
}

/// Plays random quiet moves, and captures or drops where they are forced; the last one must not give check.
fn walk(start: &Position, plies: u32, stream: &mut Stream) -> Result<Position, Rejected> {
    let mut position = start.clone();
    for ply in 0..plies {
        let mut quiet: Vec<Move> = position.legal_moves();
        let must_capture =
            position.game().mechanisms.forced_captures.is_some() && quiet.iter().any(|&mv| position.is_capture(mv));
        let must_drop = quiet.iter().all(|mv| matches!(mv, Move::Drop { .. }));
        quiet.retain(|&mv| must_capture || must_drop || is_quiet(&position, mv));
        let mv = *stream.pick(&quiet).ok_or(NO_QUIET_MOVE)?;
        position = position.play(mv);
        let is_last = ply + 1 == plies;
        if is_last && position.in_check() {
            return Err(DANGER);
        }
    }
    Ok(position)
}

/// Returns true if the move changes nothing but the place of the mover, or castles.
///
/// A drop from the pocket is not quiet: when to use it is a decision for the player.
fn is_quiet(position: &Position, mv: Move) -> bool {
    match mv {
        Move::Normal { to, promotion, gate, .. } => {
            position.piece_at(to).is_none() && promotion.is_none() && gate.is_none()
        }
        Move::DoubleStep { .. } | Move::Castle { .. } => true,
        Move::EnPassant { .. } | Move::Cannon { .. } | Move::Drop { .. } => false,
    }
}

/// A plan for each start; starts with equal armies share one.
fn plans(starts: &[Position], plan: fn(&Position) -> Result<Plan, PlanError>) -> Result<Vec<Plan>, PlanError> {
    let mut plans: Vec<Plan> = Vec::with_capacity(starts.len());
    for (index, start) in starts.iter().enumerate() {
        let known = starts[..index].iter().position(|other| armies_of(other) == armies_of(start));
        plans.push(match known {
            Some(known) => plans[known].clone(),
            None => plan(start)?,
        });
    }
    Ok(plans)
}

fn can_mate_at_once(position: &Position) -> bool {
    let mates = |end: assay_rules::Outcome| end.termination == Termination::Checkmate;
    position.legal_moves().into_iter().any(|mv| {
        let after = position.play(mv);
        after.in_check() && after.outcome().is_some_and(mates)
    })
}

/// White's score in centipawns, unless a mate was found.
fn for_white(position: &Position, found: OpeningEval) -> Option<i32> {
    match found.eval {
        Some(Eval::Centipawns(score)) if position.side_to_move() == Color::Black => Some(-score),
        Some(Eval::Centipawns(score)) => Some(score),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
