//! A game of a match as it is stored.

use assay_rules::{Color, Points};
use serde::{Deserialize, Serialize};

use crate::game::end::Ending;
use crate::players::player::Eval;

/// A move with what its player said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedHere {
    /// The move as UCI writes it.
    pub uci: String,
    /// What the position before it was worth to the side to move, as the engine said.
    pub eval: Option<Eval>,
    /// Plies searched, as the engine said.
    pub depth: u32,
    /// Nodes searched, as the engine said.
    pub nodes: u64,
    /// Milliseconds that it took.
    pub millis: u64,
}

/// A disagreement about the rules: both opinions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// The ply of the move in question, from 1.
    pub ply: usize,
    /// The position before it.
    pub fen: String,
    /// What the engine answered.
    pub found: String,
    /// All moves that are legal by Assay's rules.
    pub legal: Vec<String>,
}

/// What is known of a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// What happened, in one line.
    pub what: String,
    /// The disagreement, when it is one about the rules.
    pub dispute: Option<Dispute>,
    /// The last lines of the engine's error output.
    pub stderr: Vec<String>,
}

/// A finished game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchGame {
    /// Its number, from 0.
    pub index: u64,
    /// Its round: the games of a round share an opening.
    pub round: u64,
    /// Which engine had White: 0 or 1.
    pub white: usize,
    /// Where it began: a FEN, or `startpos` in a game that Assay does not know.
    pub start: String,
    /// Where the opening is from, in words.
    pub opening: String,
    /// White's score.
    pub result: Points,
    /// How it ended.
    pub ending: Ending,
    /// The engine that did something wrong: 0 or 1.
    pub culprit: Option<usize>,
    /// What is known of that.
    pub detail: Option<Detail>,
    /// The moves.
    pub moves: Vec<PlayedHere>,
    /// When it ended, in UTC.
    pub ended: String,
}

impl MatchGame {
    /// The score of an engine.
    pub fn score_of(&self, engine: usize) -> Points {
        if self.white == engine {
            self.result
        } else {
            self.result.flipped()
        }
    }

    /// Which colour an engine had.
    pub fn color_of(&self, engine: usize) -> Color {
        if self.white == engine {
            Color::White
        } else {
            Color::Black
        }
    }
}
