//! Move-ordering heuristics from earlier parts of the search: killer moves, counter moves and
//! history tables.

use assay_rules::piece::Kind;
use assay_rules::{Color, GameDef, Square};

use crate::eval::MAX_PLY;
use crate::moves::Move;
use crate::search::parameters::{self as p, HISTORY_MAX};

/// Index of a moved piece kind and its target square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The moves that led to a node; `None` for a null move and before the root.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_field_names, reason = "how long ago is what they differ by")]
pub(crate) struct PreviousMoves {
    /// The opponent's last move, one ply ago.
    pub(crate) one_ply_ago: Option<PieceTo>,
    /// The side to move's last move, two plies ago.
    pub(crate) two_plies_ago: Option<PieceTo>,
    /// The side to move's move before, four plies ago.
    pub(crate) four_plies_ago: Option<PieceTo>,
}

/// Maximum number of entries in a continuation history (2 MiB). In larger games, moves share
/// entries.
const MAX_CONTINUATIONS: usize = 1 << 20;

/// Killer moves, counter moves and history tables of one thread.
#[derive(Clone, Debug)]
#[expect(clippy::struct_field_names, reason = "the usual names of the tables")]
pub(crate) struct History {
    /// Number of squares in the board's bounding box.
    box_size: usize,
    kinds: usize,
    /// Number of [`PieceTo`] indices.
    piece_tos: usize,
    /// By ply: the last two quiet moves that caused a beta cutoff.
    killers: Vec<[Option<Move>; 2]>,
    /// By the opponent's last move: the last quiet move that refuted it.
    counter_moves: Vec<Option<Move>>,
    /// By color and [`PieceTo`].
    quiet_history: Vec<i16>,
    /// By [`PieceTo`] and captured kind.
    capture_history: Vec<i16>,
    /// By the move one ply ago and the move.
    continuation_history_1: ContinuationHistory,
    /// By the move two plies ago and the move.
    continuation_history_2: ContinuationHistory,
    /// By the move four plies ago and the move.
    continuation_history_4: ContinuationHistory,
}

impl History {
    pub(crate) fn new(game: &GameDef) -> History {
        let box_size = game.board.box_size();
        let kinds = game.kinds.len();
        let piece_tos = kinds * box_size;
        History {
            box_size,
            kinds,
            piece_tos,
            killers: vec![[None; 2]; MAX_PLY + 2],
            counter_moves: vec![None; piece_tos],
            quiet_history: vec![0; 2 * piece_tos],
            capture_history: vec![0; piece_tos * kinds],
            continuation_history_1: ContinuationHistory::new(piece_tos),
            continuation_history_2: ContinuationHistory::new(piece_tos),
            continuation_history_4: ContinuationHistory::new(piece_tos),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.counter_moves.fill(None);
        self.quiet_history.fill(0);
        self.capture_history.fill(0);
        self.continuation_history_1.counts.fill(0);
        self.continuation_history_2.counts.fill(0);
        self.continuation_history_4.counts.fill(0);
        self.clear_killers();
    }

    /// Clears the killers, which belong to plies of one search.
    pub(crate) fn clear_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    #[inline]
    pub(crate) fn piece_to(&self, kind: Kind, to: Square) -> PieceTo {
        PieceTo((kind.index() * self.box_size + to.index()) as u16)
    }

    #[inline]
    pub(crate) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    #[inline]
    pub(crate) fn counter_move(&self, previous: PreviousMoves) -> Option<Move> {
        self.counter_moves[previous.one_ply_ago?.index()]
    }

    /// History score of a quiet move: quiet history and the continuation histories, within four
    /// times [`HISTORY_MAX`].
    #[inline]
    pub(crate) fn quiet_score(&self, color: Color, mv: PieceTo, previous: PreviousMoves) -> i32 {
        let quiet = i32::from(self.quiet_history[color.index() * self.piece_tos + mv.index()]);
        let one = self.continuation_history_1.get(previous.one_ply_ago, mv) * p::cont_history_1_weight() / 100;
        let two = self.continuation_history_2.get(previous.two_plies_ago, mv) * p::cont_history_2_weight() / 100;
        let four = self.continuation_history_4.get(previous.four_plies_ago, mv) * p::cont_history_4_weight() / 100;
        quiet + one + two + four
    }

    /// History score of a capture, within [`HISTORY_MAX`].
    #[inline]
    pub(crate) fn capture_score(&self, mv: PieceTo, victim: Kind) -> i32 {
        i32::from(self.capture_history[mv.index() * self.kinds + victim.index()])
    }

    /// Records a quiet move that caused a beta cutoff as killer and counter move.
    pub(crate) fn add_refutation(&mut self, ply: usize, mv: Move, previous: PreviousMoves) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        if let Some(previous) = previous.one_ply_ago {
            self.counter_moves[previous.index()] = Some(mv);
        }
    }

    #[inline]
    pub(crate) fn update_quiet(&mut self, color: Color, mv: PieceTo, previous: PreviousMoves, bonus: i32) {
        apply_gravity::<HISTORY_MAX>(&mut self.quiet_history[color.index() * self.piece_tos + mv.index()], bonus);
        self.continuation_history_1.update(previous.one_ply_ago, mv, bonus);
        self.continuation_history_2.update(previous.two_plies_ago, mv, bonus);
        self.continuation_history_4.update(previous.four_plies_ago, mv, bonus);
    }

    #[inline]
    pub(crate) fn update_capture(&mut self, mv: PieceTo, victim: Kind, bonus: i32) {
        apply_gravity::<HISTORY_MAX>(&mut self.capture_history[mv.index() * self.kinds + victim.index()], bonus);
    }
}

/// History bonus for a beta cutoff at `depth`.
pub(crate) fn history_bonus(depth: i32) -> i32 {
    (p::history_bonus_slope() * depth - p::history_bonus_offset()).clamp(0, p::history_bonus_max())
}

/// History of pairs of moves: an earlier one and the move itself.
#[derive(Clone, Debug)]
struct ContinuationHistory {
    piece_tos: usize,
    counts: Vec<i16>,
    /// Mask applied to indices: all ones unless the game is too large for entries of its own.
    mask: usize,
}

impl ContinuationHistory {
    fn new(piece_tos: usize) -> ContinuationHistory {
        let (size, mask) = if piece_tos * piece_tos <= MAX_CONTINUATIONS {
            (piece_tos * piece_tos, usize::MAX)
        } else {
            (MAX_CONTINUATIONS, MAX_CONTINUATIONS - 1)
        };
        ContinuationHistory { piece_tos, counts: vec![0; size], mask }
    }

    #[inline]
    fn index(&self, previous: PieceTo, mv: PieceTo) -> usize {
        (previous.index() * self.piece_tos + mv.index()) & self.mask
    }

    #[inline]
    fn get(&self, previous: Option<PieceTo>, mv: PieceTo) -> i32 {
        previous.map_or(0, |previous| i32::from(self.counts[self.index(previous, mv)]))
    }

    #[inline]
    fn update(&mut self, previous: Option<PieceTo>, mv: PieceTo, bonus: i32) {
        if let Some(previous) = previous {
            let index = self.index(previous, mv);
            apply_gravity::<HISTORY_MAX>(&mut self.counts[index], bonus);
        }
    }
}

/// Adds `bonus` to a counter, scaled down as the counter approaches `MAX` (history gravity). A
/// bonus of at most `MAX` keeps the counter within `-MAX..=MAX`.
#[inline]
pub(crate) fn apply_gravity<const MAX: i32>(count: &mut i16, bonus: i32) {
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / MAX) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_their_maximum() {
        let bonus = history_bonus(1000);
        let mut count = 0;
        for _ in 0..1000 {
            apply_gravity::<HISTORY_MAX>(&mut count, bonus);
        }
        assert!(i32::from(count) <= HISTORY_MAX && i32::from(count) > HISTORY_MAX / 2);
        for _ in 0..1000 {
            apply_gravity::<HISTORY_MAX>(&mut count, -bonus);
        }
        assert!(i32::from(count) >= -HISTORY_MAX && i32::from(count) < -HISTORY_MAX / 2);
    }

    #[test]
    fn large_games_share_continuation_history_entries() {
        let mut history = ContinuationHistory::new(4000);
        let (first, last) = (PieceTo(0), PieceTo(3999));
        history.update(Some(last), last, 500);
        assert_eq!((history.get(Some(last), last), history.get(None, last)), (500, 0));
        assert_eq!(history.get(Some(first), first), 0);
    }
}
