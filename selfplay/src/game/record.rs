use assay_rules::piece::Kind;
use assay_rules::{Color, GameDef, Move, Points, Position, Square, Turn};

use super::end::GameEnd;
use super::eval::Eval;
use super::fault::FaultRecord;

/// The parts of a move that identify it among the legal moves of its position, as in UCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedMove {
    /// Origin of the moving piece, or the target of a drop. When castling, the king's, or the
    /// partner's if a piece is gated there.
    pub from: Square,
    /// Target of the move, or of a cannon's shot. The king's square if a piece is gated on the
    /// castling partner's.
    pub to: Square,
    /// The promotion, the piece gated on the origin, or the piece dropped.
    pub extra: Option<Kind>,
    /// Square of the wall that the move makes.
    pub wall: Option<Square>,
}

impl From<Move> for PackedMove {
    fn from(mv: Move) -> PackedMove {
        let (from, to) = mv.uci_squares();
        PackedMove { from, to, extra: mv.promotion().or(mv.gate()), wall: mv.wall() }
    }
}

impl PackedMove {
    /// Three or four bytes: origin, target, and the number of the kind, or 0, plus 128 if the
    /// square of a wall follows.
    pub fn bytes(self) -> impl Iterator<Item = u8> {
        let wall_follows = self.wall.map_or(0, |_| 0x80);
        let extra = self.extra.map_or(0, |kind| kind.0 + 1);
        let wall = self.wall.map(|square| square.0);
        [self.from.0, self.to.0, extra | wall_follows].into_iter().chain(wall)
    }

    /// Packs a move of the engine.
    pub fn of_engine(mv: assay_engine::Move, game: &GameDef) -> PackedMove {
        let (from, to) = mv.uci_squares(game);
        PackedMove { from, to, extra: mv.promotion().or(mv.gate()), wall: mv.wall() }
    }

    /// Finds the legal move of the position.
    pub fn find(self, position: &Position) -> Option<Move> {
        let found = position.legal_moves_where(|mv| PackedMove::from(mv) == self);
        found.first().copied()
    }

    /// The move in UCI notation, with `?` for a kind that the game does not have.
    pub fn uci(self, game: &GameDef) -> String {
        let known = self.extra.filter(|kind| kind.index() < game.kinds.len());
        if self.from == self.to {
            let dropped = known.map_or_else(|| "?".to_owned(), |kind| game.kinds.symbol(kind, Color::White));
            return format!("{dropped}@{}", game.board.square_name(self.to));
        }
        let mut text = game.board.square_name(self.from) + &game.board.square_name(self.to);
        text.extend(self.extra.map(|_| known.map_or('?', |kind| game.promotion_suffix(kind))));
        let name = |square| game.board.square_name(square);
        text + &self.wall.map_or(String::new(), |wall| format!(",{}{}", name(self.to), name(wall)))
    }
}

/// A move with what its player reported about the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    pub mv: PackedMove,
    /// Evaluation from the mover's point of view, if reported.
    pub eval: Option<Eval>,
    /// Search depth in plies; 0 if not reported.
    pub depth: u32,
    /// Selective search depth in plies; 0 if not reported.
    pub seldepth: u32,
    /// Nodes searched; 0 if not reported.
    pub nodes: u64,
    /// Time used, in milliseconds, rounded so that a player's times of a game add up; `None` in
    /// self-play, so that equal runs have equal records.
    pub time_ms: Option<u64>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The game's number in its run, from 0.
    pub index: u64,
    /// The number of its pair, which is that of its opening; in a tournament all pairs of a round
    /// have the same opening. Two games are a pair unless openings are not repeated.
    pub pair: u64,
    /// The side that has White: 0 or 1. A side is a player in a match, a player of the pairing in a
    /// tournament, and an army in self-play.
    pub white: usize,
    /// FEN of the start.
    pub start_fen: String,
    /// The source of the opening, for example `random 3` or `line 7`.
    pub opening: String,
    /// What the armies lost or gained before the game, White's first (`-NP/-B`); `None` in a run
    /// without imbalances.
    pub material: Option<String>,
    pub moves: Vec<PlayedMove>,
    /// White's points.
    pub result: Points,
    pub end: GameEnd,
    /// The fault that ended the game, if one did.
    pub fault: Option<FaultRecord>,
    /// When the game ended, in UTC; `None` in self-play, so that equal runs have equal records.
    pub ended: Option<String>,
}

impl GameRecord {
    /// The points of side 0 or 1.
    pub fn points_of(&self, side: usize) -> Points {
        if self.white == side { self.result } else { self.result.flipped() }
    }

    /// The side, 0 or 1, that made each move. In a two-move handicap a side moves twice.
    pub fn movers(&self) -> impl Iterator<Item = usize> + '_ {
        let turn = self.start_fen.split(' ').nth(1).and_then(Turn::from_text);
        let turns = std::iter::successors(turn.or(Some(Turn::Single(Color::White))), |turn| Some(turn.next()));
        turns.take(self.moves.len()).map(|turn| match turn.color() {
            Color::White => self.white,
            Color::Black => 1 - self.white,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record that another program wrote may have any number in place of a kind.
    #[test]
    fn unknown_kinds_are_written_as_question_marks() {
        let chess = GameDef::builtin("chess").unwrap();
        let mv = |extra| PackedMove { from: Square(48), to: Square(56), extra, wall: None };
        assert_eq!(mv(Some(Kind(1))).uci(&chess), "a7a8q");
        assert_eq!(mv(Some(Kind(127))).uci(&chess), "a7a8?");
    }
}
