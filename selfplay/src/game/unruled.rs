//! Games that have no definition in Assay.
//!
//! The moves and claims of the engines are trusted. An engine that considers its opponent's move impossible usually says so, crashes
//! or answers nonsense, which is detected; an engine that accepts everything hides its opponent's mistakes. A game ends when the side to
//! move claims to have no move (`bestmove (none)`): lost if the last score of either engine says mate, drawn if not. Moves
//! that repeat in a cycle three times are a draw. Wins without a mate score, repetition rules that are not draws, and results
//! other than 1, 0.5 and 0 are not recognized.

use assay_rules::{Color, Points};

use super::end::GameEnd;
use super::eval::Eval;
use super::fault::{EngineFault, FaultKind};
use super::record::MoveText;

/// The longest cycle of moves that is recognized, in plies.
const MAX_CYCLE: usize = 12;

/// How often a cycle must occur for a draw.
const CYCLES: usize = 3;

/// An unruled game in progress.
#[derive(Clone, Debug)]
pub struct UnruledGame {
    start: String,
    first: Color,
    first_number: u32,
    moves: Vec<MoveText>,
    /// The last reported scores: of the player who moved last, and of the other one.
    scores: [Option<Eval>; 2],
    claimed_no_move: bool,
}

impl UnruledGame {
    /// A game from a start in any form that the engines understand: a FEN, or `startpos`.
    pub fn new(start: &str) -> UnruledGame {
        let fields: Vec<&str> = start.split_whitespace().collect();
        let black = fields.get(1) == Some(&"b");
        // The last field of a FEN, whatever the number of its fields.
        let number = fields.iter().skip(2).last().and_then(|number| number.parse().ok());
        UnruledGame {
            start: start.to_owned(),
            first: if black { Color::Black } else { Color::White },
            first_number: number.unwrap_or(1).max(1),
            moves: Vec::new(),
            scores: [None, None],
            claimed_no_move: false,
        }
    }

    pub fn start(&self) -> &str {
        &self.start
    }

    /// The moves as the engines wrote them.
    pub fn moves(&self) -> &[MoveText] {
        &self.moves
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.turn_after(self.moves.len()).1
    }

    /// The number of the move to be played after `plies` plies, from the number that the start names, and the side to move.
    pub fn turn_after(&self, plies: usize) -> (u32, Color) {
        let side = if plies.is_multiple_of(2) {
            self.first
        } else {
            !self.first
        };
        let plies = plies + usize::from(self.first == Color::Black);
        (self.first_number.saturating_add(plies as u32 / 2), side)
    }

    /// Notes the evaluation of the side to move, before its move is played.
    pub fn record_eval(&mut self, eval: Option<Eval>) {
        self.scores = [eval, self.scores[0]];
    }

    /// Ends the game: the side to move claims to have no move.
    pub(super) fn claim_no_move(&mut self) {
        self.claimed_no_move = true;
    }

    pub(super) fn play(&mut self, text: &str) -> Result<MoveText, EngineFault> {
        let looks_like_a_move = text.len() >= 4
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"@,+=".contains(&byte));
        let mv = MoveText::new(text).filter(|_| looks_like_a_move);
        let mv = mv.ok_or_else(|| {
            let what = format!("move `{text}` is not of the form from-to, like `e2e4`");
            EngineFault::new(FaultKind::Malformed, what)
        })?;
        self.moves.push(mv);
        Ok(mv)
    }

    /// The end of the game and White's points, if it is over.
    pub(super) fn end(&self) -> Option<(GameEnd, Points)> {
        if self.claimed_no_move {
            let is_mated = matches!(self.scores[0], Some(Eval::Mate(moves)) if moves <= 0);
            let has_mated = matches!(self.scores[1], Some(Eval::Mate(moves)) if moves > 0);
            return Some(if is_mated || has_mated {
                (GameEnd::ClaimedMate, Points::LOSS.for_white(self.side_to_move()))
            } else {
                (GameEnd::ClaimedStalemate, Points::DRAW)
            });
        }
        let is_cycling = (4..=MAX_CYCLE).step_by(2).any(|length| {
            let moves = self.moves.len();
            let last = moves.checked_sub(CYCLES * length).map(|from| &self.moves[from..]);
            last.is_some_and(|last| (length..last.len()).all(|at| last[at] == last[at - length]))
        });
        is_cycling.then_some((GameEnd::Shuffling, Points::DRAW))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(moves: &str) -> UnruledGame {
        let mut game = UnruledGame::new("startpos");
        for mv in moves.split_whitespace() {
            game.play(mv).unwrap();
        }
        game
    }

    #[test]
    fn claims_to_have_no_move_end_the_game() {
        let mut game = played("e2e4");
        game.record_eval(Some(Eval::Mate(1)));
        game.play("d8h4").unwrap();
        game.record_eval(None);
        game.claim_no_move();
        assert_eq!(game.end(), Some((GameEnd::ClaimedMate, Points::LOSS)));
        let mut game = played("e2e4 e7e5");
        game.record_eval(Some(Eval::Centipawns(0)));
        game.claim_no_move();
        assert_eq!(game.end(), Some((GameEnd::ClaimedStalemate, Points::DRAW)));
    }

    #[test]
    fn cycles_are_draws() {
        let round = "g1f3 g8f6 f3g1 f6g8 ";
        assert_eq!(played(&round.repeat(2)).end(), None);
        assert_eq!(played(&round.repeat(3)).end(), Some((GameEnd::Shuffling, Points::DRAW)));
        assert!(played("e2e4").play("what?").is_err());
    }

    #[test]
    fn black_may_move_first() {
        let mut game = UnruledGame::new("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
        assert_eq!(game.side_to_move(), Color::Black);
        game.play("e8e7").unwrap();
        assert_eq!(game.side_to_move(), Color::White);
    }
}
