//! Games that Assay does not know: the engines are believed.
//!
//! What can be told without rules: an engine that finds the other's move impossible usually says so, crashes or plays
//! nonsense, which is seen; one that accepts everything hides the other's mistakes. A game ends when the side to move says
//! that it has no move (`bestmove (none)`): lost if the last scores, its own or its opponent's, say mate, drawn if not. Moves
//! that go round and round three times are a draw. So wins without mate score, repetition rules that are not draws, points
//! and stalemates that are worth something else than half a point are all beyond this.

use assay_rules::{Color, Points};

use crate::game::end::Ending;
use crate::game::fault::FaultKind;
use crate::game::state::Rejected;
use crate::players::player::Eval;

/// Cycles longer than this are not looked for, in plies.
const LONGEST_CYCLE: usize = 12;

/// How often a cycle has to be seen for a draw.
const CYCLES: usize = 3;

/// A game by what the engines say.
#[derive(Clone, Debug)]
pub struct Unruled {
    start: String,
    first: Color,
    moves: Vec<String>,
    /// The last scores: of the side that moved last, and of the other one.
    scores: [Option<Eval>; 2],
    claimed: bool,
}

impl Unruled {
    /// A game from a start in whatever form the engines read: a FEN, or `startpos`.
    pub fn new(start: &str) -> Unruled {
        let black = start.split_whitespace().nth(1) == Some("b");
        Unruled {
            start: start.to_owned(),
            first: if black { Color::Black } else { Color::White },
            moves: Vec::new(),
            scores: [None, None],
            claimed: false,
        }
    }

    /// The start.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The moves, as the engines wrote them.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// Whose move it is.
    pub fn side(&self) -> Color {
        if self.moves.len().is_multiple_of(2) {
            self.first
        } else {
            !self.first
        }
    }

    /// What the side to move says the position is worth, before its move is played.
    pub fn note(&mut self, eval: Option<Eval>) {
        self.scores = [eval, self.scores[0]];
    }

    /// Plays a move, or takes note that there is none.
    pub(super) fn play(&mut self, answer: &str, is_no_move: bool) -> Result<(), Rejected> {
        if is_no_move {
            self.claimed = true;
            return Ok(());
        }
        let is_move = (4..=8).contains(&answer.len())
            && answer
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"@,+=".contains(&byte));
        if !is_move {
            let why = format!("move `{answer}` is not of the form from-to, like `e2e4`");
            return Err(Rejected {
                kind: FaultKind::Garbled,
                why,
            });
        }
        self.moves.push(answer.to_owned());
        Ok(())
    }

    /// How the game is over, if it is.
    pub(super) fn ending(&self) -> Option<(Ending, Points)> {
        if self.claimed {
            let own = matches!(self.scores[0], Some(Eval::Mate(moves)) if moves <= 0);
            let other = matches!(self.scores[1], Some(Eval::Mate(moves)) if moves > 0);
            let mated = own || other;
            return Some(if mated {
                (Ending::ClaimedMate, Points::LOSS.for_white(self.side()))
            } else {
                (Ending::ClaimedStalemate, Points::DRAW)
            });
        }
        let cycles = (4..=LONGEST_CYCLE).step_by(2).any(|length| {
            let moves = self.moves.len();
            let last = moves.checked_sub(CYCLES * length).map(|from| &self.moves[from..]);
            last.is_some_and(|last| (length..last.len()).all(|at| last[at] == last[at - length]))
        });
        cycles.then_some((Ending::Shuffling, Points::DRAW))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(moves: &str) -> Unruled {
        let mut game = Unruled::new("startpos");
        for mv in moves.split_whitespace() {
            game.play(mv, false).unwrap();
        }
        game
    }

    #[test]
    fn having_no_move_is_believed() {
        let mut game = played("e2e4");
        game.note(Some(Eval::Mate(1)));
        game.play("d8h4", false).unwrap();
        game.note(None);
        game.play("(none)", true).unwrap();
        assert_eq!(game.ending(), Some((Ending::ClaimedMate, Points::LOSS)));
        let mut game = played("e2e4 e7e5");
        game.note(Some(Eval::Centipawns(0)));
        game.play("0000", true).unwrap();
        assert_eq!(game.ending(), Some((Ending::ClaimedStalemate, Points::DRAW)));
    }

    #[test]
    fn going_round_is_a_draw() {
        let round = "g1f3 g8f6 f3g1 f6g8 ";
        assert_eq!(played(&round.repeat(2)).ending(), None);
        assert_eq!(
            played(&round.repeat(3)).ending(),
            Some((Ending::Shuffling, Points::DRAW))
        );
        assert!(played("e2e4").play("what?", false).is_err());
    }

    #[test]
    fn black_may_begin() {
        let mut game = Unruled::new("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
        assert_eq!(game.side(), Color::Black);
        game.play("e8e7", false).unwrap();
        assert_eq!(game.side(), Color::White);
    }
}
