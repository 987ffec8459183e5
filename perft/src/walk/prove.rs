//! One random game, with both generators held against each other in every position.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use assay_rules::position::RepetitionKey;
use assay_rules::{Game, GameDef, Move, Position, Termination, san, uci};
use serde::Serialize;

use super::choice::{self, Dice, Player};
use super::mechanism::{self, Coverage, Mechanism};
use crate::generator::{Counting, Node, Pair};
use crate::interrupt;
use crate::verify::descend;

/// Every so many plies all moves go through SAN and UCI and back, and successors' moves are counted.
const THOROUGH: usize = 16;

/// What a game is played with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The run's seed.
    pub seed: u64,
    /// The longest game, in plies.
    pub max_plies: usize,
}

/// Something that the two generators do not have alike.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// Which game of the run.
    pub game_index: u64,
    /// Where it began.
    pub start: String,
    /// The moves so far.
    pub moves: Vec<String>,
    /// The position.
    pub fen: String,
    /// What differs.
    pub what: String,
    /// Legal moves that the engine does not have.
    pub missing: Vec<String>,
    /// Moves that the engine has and that are not legal.
    pub extra: Vec<String>,
}

/// What a game proved.
#[derive(Clone, Debug, Default)]
pub struct Proved {
    /// Positions in which everything was compared.
    pub positions: u64,
    /// Successors whose FEN, check and hash were compared.
    pub successors: u64,
    /// What happened.
    pub coverage: Coverage,
    /// The first difference.
    pub failure: Option<Failure>,
}

/// Plays game number `index`.
pub fn play(game: &Arc<GameDef>, pair: &Pair, settings: &Settings, index: u64) -> Proved {
    let mut dice = Dice::new(settings.seed, index);
    let start = choice::start(game, &mut dice);
    let mut walk = Walk {
        pair,
        player: Player::new(&mut dice),
        engine: pair.engine.node(&start),
        played: Game::new(start),
        hashes: HashMap::new(),
        keys: HashMap::new(),
        proved: Proved::default(),
    };
    while !interrupt::requested() {
        // The engine relies on its moves being legal, so a wrong one may end in a panic: that is a difference as well.
        let proved = catch_unwind(AssertUnwindSafe(|| walk.prove(&mut dice)));
        match proved.unwrap_or_else(|_| Err("the engine panicked".to_owned().into())) {
            Err(complaint) => {
                walk.proved.failure = Some(walk.failure(index, complaint));
                break;
            }
            Ok(over) => {
                if over || walk.played.moves().len() >= settings.max_plies {
                    break;
                }
            }
        }
        walk.step(&mut dice);
    }
    walk.proved
}

/// What differs, before it is known where.
struct Complaint {
    what: String,
    missing: Vec<String>,
    extra: Vec<String>,
}

impl From<String> for Complaint {
    fn from(what: String) -> Complaint {
        Complaint {
            what,
            missing: Vec::new(),
            extra: Vec::new(),
        }
    }
}

struct Walk<'p> {
    pair: &'p Pair,
    player: Player,
    engine: Box<dyn Node>,
    played: Game,
    hashes: HashMap<RepetitionKey, u64>,
    keys: HashMap<u64, RepetitionKey>,
    proved: Proved,
}

impl Walk<'_> {
    fn step(&mut self, dice: &mut Dice) {
        let position = self.played.position();
        let mv = self.player.choose(position, &position.legal_moves(), dice);
        self.proved.coverage.count(mechanism::of_move(position, mv));
        self.engine.play(mv);
        self.played.play(mv);
    }

    /// Compares everything in the present position; is the game over?
    fn prove(&mut self, dice: &mut Dice) -> Result<bool, Complaint> {
        let position = self.played.position().clone();
        self.proved.positions += 1;
        self.proved.coverage.count(mechanism::of_position(&position));
        if let Some(difference) = descend::compare(self.engine.as_mut(), &position) {
            let descend::Difference {
                what, missing, extra, ..
            } = difference;
            return Err(Complaint { what, missing, extra });
        }
        round_trips(&position, dice)?;
        self.hash_of(&position, self.engine.hash())?;
        let thorough = self.played.moves().len().is_multiple_of(THOROUGH);
        self.successors(&position, thorough)?;
        let (ours, theirs) = (self.engine.outcome(), self.played.outcome());
        if ours != theirs {
            return Err(format!("outcome: engine {ours:?}, rules {theirs:?}").into());
        }
        let Some(outcome) = self.played.outcome() else {
            return Ok(false);
        };
        self.proved.coverage.one(match outcome.termination {
            Termination::Checkmate => Mechanism::Checkmate,
            Termination::Stalemate => Mechanism::Stalemate,
            Termination::DeadPosition => Mechanism::DeadPosition,
            Termination::Repetition => Mechanism::Repetition,
            Termination::MoveRule => Mechanism::MoveRule,
        });
        Ok(true)
    }

    /// A hash must equal the one computed anew, and be equal for two positions just when the repetition rule says so.
    fn hash_of(&mut self, position: &Position, hash: Option<u64>) -> Result<(), Complaint> {
        let Some(hash) = hash else { return Ok(()) };
        let set_up = self.pair.engine.node(position).hash().unwrap_or(hash);
        if set_up != hash {
            return Err(format!("hash: {hash:016x} after the moves, {set_up:016x} set up anew").into());
        }
        let key = position.repetition_key();
        if let Some(&earlier) = self.hashes.get(&key)
            && earlier != hash
        {
            return Err(format!("hash: the same position had {earlier:016x}, now {hash:016x}").into());
        }
        if let Some(other) = self.keys.get(&hash)
            && *other != key
        {
            return Err(format!("hash: {hash:016x} was another position's").into());
        }
        self.hashes.insert(key.clone(), hash);
        self.keys.insert(hash, key);
        Ok(())
    }

    fn successors(&mut self, position: &Position, thorough: bool) -> Result<(), Complaint> {
        let before = (self.engine.position(), self.engine.hash());
        let mut complaint: Option<Complaint> = None;
        let mut compared = 0;
        let mut replies = 0;
        let mut checked: Vec<(Position, Option<u64>)> = Vec::new();
        self.engine.each_child(&mut |mv, child| {
            if complaint.is_none() {
                compared += 1;
                match successor(position, mv, child) {
                    Ok(after) => {
                        if thorough {
                            replies += after.legal_moves().len() as u64;
                        }
                        checked.push((after, child.hash()));
                    }
                    Err(text) => complaint = Some(text.into()),
                }
            }
        });
        self.proved.successors += compared;
        if let Some(complaint) = complaint {
            return Err(complaint);
        }
        for (after, hash) in checked {
            self.hash_of(&after, hash)?;
        }
        let after = (self.engine.position(), self.engine.hash());
        if before != after {
            return Err(format!("taking moves back gives {}", after.0.fen()).into());
        }
        if thorough {
            let counted = self.engine.count(2, &Counting::default());
            if counted.is_some_and(|counted| counted != replies) {
                return Err(format!("perft 2: engine {}, rules {replies}", counted.unwrap_or_default()).into());
            }
        }
        Ok(())
    }

    fn failure(&self, index: u64, complaint: Complaint) -> Failure {
        let game = self.played.position().game();
        Failure {
            game_index: index,
            start: self.played.positions()[0].fen(),
            moves: self.played.moves().iter().map(|&mv| uci::format(game, mv)).collect(),
            fen: self.played.position().fen(),
            what: complaint.what,
            missing: complaint.missing,
            extra: complaint.extra,
        }
    }
}

/// Position to FEN and back; moves to UCI, to SAN, and back.
fn round_trips(position: &Position, dice: &mut Dice) -> Result<(), Complaint> {
    let game = position.game();
    match Position::from_fen(game, &position.fen()) {
        Ok(read) if read == *position => {}
        Ok(read) => return Err(format!("the FEN is read back as {}", read.fen()).into()),
        Err(error) => return Err(format!("the FEN is not read back: {error}").into()),
    }
    let legal = position.legal_moves();
    if legal.is_empty() {
        return Ok(());
    }
    // All of them take long in games with hundreds of moves; a few each time come to the same.
    for _ in 0..2 {
        let mv = *dice.pick(&legal);
        let text = uci::format(game, mv);
        match uci::parse(position, &text) {
            Ok(read) if read == mv => {}
            other => return Err(format!("UCI `{text}` is read back as {other:?}, was {mv:?}").into()),
        }
        let text = san::format(position, mv);
        match san::parse(position, &text) {
            Ok(read) if read == mv => {}
            other => return Err(format!("SAN `{text}` is read back as {other:?}, was {mv:?}").into()),
        }
    }
    Ok(())
}

/// Compares the position after one move; gives the reference's.
fn successor(position: &Position, mv: Move, child: &mut dyn Node) -> Result<Position, String> {
    let name = || uci::format(position.game(), mv);
    let after = position.play(mv);
    let theirs = child.position();
    if theirs != after {
        return Err(format!(
            "after {}: engine {}, rules {}",
            name(),
            theirs.fen(),
            after.fen()
        ));
    }
    let (kept, anew) = (child.hash(), child.hash_anew());
    if kept != anew {
        return Err(format!(
            "after {}: hash: {kept:016x?} kept up, {anew:016x?} computed anew",
            name()
        ));
    }
    let (ours, theirs) = (child.in_check(), after.in_check());
    if ours != theirs {
        return Err(format!("after {}: in check: engine {ours}, rules {theirs}", name()));
    }
    Ok(after)
}
