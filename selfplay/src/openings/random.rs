//! Openings: a start position, a few random quiet moves, and perhaps some pieces taken off.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_rules::{Color, Game, GameDef, Position, Termination};
use thiserror::Error;

use super::imbalance::Imbalance;
use super::mirror::{MirrorError, swap_armies};
use super::plan::{Plan, PlanError};
use super::quiet;
use crate::players::player::{Choice, Eval, Player};
use crate::seed::Stream;
use crate::settings::{Material, OpeningSettings, StartChoice};

/// How often an opening is drawn anew before the settings are called impossible.
const TRIES: usize = 2_000;

/// The two starts of a pair of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where the first game begins.
    pub first: Position,
    /// Where the second one begins: the same with the armies swapped.
    pub second: Position,
    /// What was taken from the armies in the first game's colours; `None` when the settings ask for no odds.
    pub imbalance: Option<Imbalance>,
}

impl Opening {
    /// The start of game 0 or 1 of the pair.
    pub fn start(&self, swapped: bool) -> &Position {
        if swapped { &self.second } else { &self.first }
    }

    /// What was taken from the armies, in the colours of game 0 or 1 of the pair.
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

/// Why no opening was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The game is not the same for both sides.
    #[error("armies cannot be swapped between the games of a pair: {0}")]
    Mirror(#[from] MirrorError),
    /// Nothing that was drawn would do.
    #[error(
        "pair {pair}: none of {TRIES} openings of {plies} random plies would do; the last one failed because {why}; \
         try other --opening-plies, or a wider --balance"
    )]
    Exhausted {
        /// The pair's number.
        pair: u64,
        /// The random plies asked for.
        plies: u32,
        /// What was wrong with the last one.
        why: Unfit,
    },
}

/// Why a drawn opening is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unfit {
    /// A position without quiet move came up.
    #[error("no quiet move was left")]
    NoQuietMove,
    /// The game is over there already, or one move from it.
    #[error("the game would be over")]
    Over,
    /// Somebody is in check, or could be mated at once.
    #[error("a king is in danger")]
    Danger,
    /// A pawn could be captured en passant, which is a chance of one colour only.
    #[error("a pawn could be captured en passant")]
    EnPassant,
    /// One side stands much better.
    #[error("it is lopsided")]
    Lopsided,
    /// A capture would come first.
    #[error("a capture would come first")]
    Hanging,
    /// The pieces that were to be taken off are not there, or the position would be impossible without them.
    #[error("the pieces to be taken off are not there")]
    Material,
}

/// Draws the openings of a run.
#[derive(Debug)]
pub struct Openings {
    starts: Vec<Position>,
    /// For each of the starts, when values are to be measured.
    plans: Vec<Plan>,
    settings: OpeningSettings,
    seed: u64,
}

/// For values, some pairs have so many random plies more.
const MORE_PLIES: usize = 2;

impl Openings {
    /// The openings of a run with this seed. Random handicaps are not drawn: `random` means the game's own starts.
    ///
    /// # Errors
    /// When the game is not the same for both sides, or the start that is named does not exist.
    pub fn new(game: &Arc<GameDef>, settings: &OpeningSettings, seed: u64) -> Result<Openings, OpeningsError> {
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
        Ok(Openings {
            starts,
            plans,
            settings: settings.clone(),
            seed,
        })
    }

    /// Which of the game's starts, in the order of its definition, a pair begins from; 0 where the settings name one.
    pub fn start_of(&self, pair: u64) -> usize {
        self.start_number(&mut Stream::opening(self.seed, pair))
    }

    fn start_number(&self, stream: &mut Stream) -> usize {
        stream.below(self.starts.len())
    }

    /// The opening of a pair; the same for the same seed, settings and player. `None` when `stop` was raised.
    ///
    /// # Errors
    /// When nothing that is drawn will do.
    pub fn draw(&self, pair: u64, player: &mut dyn Player, stop: &AtomicBool) -> Result<Option<Opening>, OpeningError> {
        let mut stream = Stream::opening(self.seed, pair);
        // The start and the odds are drawn once, so that difficult ones are as frequent as easy ones.
        let number = self.start_number(&mut stream);
        let start = self.starts[number].clone();
        let mut plies = self.settings.plies;
        let imbalance = match self.settings.material {
            Material::None => None,
            Material::Odds => Some(Imbalance::draw(&start, &mut stream)),
            Material::Values | Material::Playtest => {
                plies += stream.below(MORE_PLIES + 1) as u32;
                Some(self.plans[number].of_pair(self.seed, pair))
            }
        };
        let mut why = Unfit::NoQuietMove;
        for _ in 0..TRIES {
            match self.attempt(&start, plies, imbalance.as_ref(), &mut stream, player, stop) {
                Ok(opening) => return Ok(opening),
                Err(unfit) => why = unfit,
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
        player: &mut dyn Player,
        stop: &AtomicBool,
    ) -> Result<Option<Opening>, Unfit> {
        let walked = quiet::walk(start, plies, stream)?;
        let even = pair_of(&walked)?;
        if let Some(limit) = self.settings.balance {
            for position in [&even.0, &even.1] {
                let Some(choice) = player.judge(position, stop) else {
                    return Ok(None);
                };
                if !is_balanced(&choice, limit) {
                    return Err(Unfit::Lopsided);
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
        let (first, second) = pair_of(&imbalance.apply(&walked, stream).ok_or(Unfit::Material)?)?;
        if self.settings.balance.is_some() {
            // Odds are lopsided by design, so no score is asked for here, only that nothing hangs because pieces are gone.
            for position in [&first, &second] {
                let Some(choice) = player.judge(position, stop) else {
                    return Ok(None);
                };
                if !quiet::is_quiet(position, choice.mv) {
                    return Err(Unfit::Hanging);
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

/// Why a run has no openings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningsError {
    /// The start does not exist.
    #[error(transparent)]
    Start(#[from] assay_rules::starts::StartError),
    /// The game is not the same for both sides.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// Values cannot be measured.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// A plan for each start; starts with the same armies have the same.
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

/// The two starts, when both can be played from.
fn pair_of(position: &Position) -> Result<(Position, Position), Unfit> {
    if position.en_passant().is_some() {
        return Err(Unfit::EnPassant);
    }
    if position.in_check() {
        return Err(Unfit::Danger);
    }
    let swapped = swap_armies(position).map_err(|_| Unfit::Danger)?;
    if swapped.in_check() {
        return Err(Unfit::Danger);
    }
    for start in [position, &swapped] {
        if Game::new(start.clone()).outcome().is_some() {
            return Err(Unfit::Over);
        }
        if can_mate_at_once(start) {
            return Err(Unfit::Danger);
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

/// Does the player say that there are no more than `limit` centipawns between the sides?
fn is_balanced(choice: &Choice, limit: u32) -> bool {
    matches!(choice.eval, Some(Eval::Centipawns(score)) if score.unsigned_abs() <= limit)
}

#[cfg(test)]
mod tests;
