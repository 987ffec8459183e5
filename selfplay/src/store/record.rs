//! A game as it is stored.

use assay_rules::piece::Kind;
use assay_rules::{GameDef, Move, Points, Position, Square, Termination};

use crate::players::player::{Choice, Eval};

/// A move in the few words that tell it apart from all other legal moves of its position, as UCI does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedMove {
    /// The square that the moving piece (the king when castling) leaves.
    pub from: Square,
    /// The square that it goes to, or hits as a cannon shell.
    pub to: Square,
    /// What a pawn becomes, or what is dropped on the square just left.
    pub extra: Option<Kind>,
}

impl From<Move> for PackedMove {
    fn from(mv: Move) -> PackedMove {
        PackedMove {
            from: mv.from(),
            to: mv.to(),
            extra: mv.promotion().or(mv.gate()),
        }
    }
}

impl From<assay_engine::Move> for PackedMove {
    fn from(mv: assay_engine::Move) -> PackedMove {
        PackedMove {
            from: mv.from(),
            to: mv.to(),
            extra: mv.promotion().or(mv.gate()),
        }
    }
}

impl PackedMove {
    /// The legal move of the position that this is.
    pub fn find(self, position: &Position) -> Option<Move> {
        position
            .legal_moves()
            .into_iter()
            .find(|&mv| PackedMove::from(mv) == self)
    }

    /// The move as UCI writes it.
    pub fn uci(self, game: &GameDef) -> String {
        let mut text = game.board.square_name(self.from) + &game.board.square_name(self.to);
        text.extend(self.extra.map(|kind| game.kind(kind).letter.to_ascii_lowercase()));
        text
    }
}

/// A move with what its player said about the position it was played in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub mv: PackedMove,
    /// What the position before the move is worth to the side to move, if the player said.
    pub eval: Option<Eval>,
    /// Plies searched.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

impl From<&Choice> for PlayedMove {
    fn from(choice: &Choice) -> PlayedMove {
        PlayedMove {
            mv: choice.mv.into(),
            eval: choice.eval,
            depth: choice.depth,
            nodes: choice.nodes,
        }
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The game's number in its run, from 0.
    pub index: u64,
    /// The number of its opening: two games share one, the second with the armies swapped.
    pub pair: u64,
    /// Where it begins.
    pub start_fen: String,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// White's score.
    pub result: Points,
    /// How it ended.
    pub reason: Termination,
    /// What was taken from the armies before it began (`-NP/-B`: White's, then Black's); `None` in a run without odds.
    pub material: Option<String>,
}
