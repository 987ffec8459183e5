//! The order in which a node tries its moves: the table's move, captures that do not lose, killers, quiet moves by their
//! history, captures that lose.

use super::Searcher;
use super::history::Moved;
use crate::movelist::MoveList;
use crate::mv::Move;
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::see;

/// A move with its rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) mv: Move,
    /// The higher, the earlier.
    pub(super) rank: i32,
}

/// Captures and promotions not known to lose start here.
const GOOD: i32 = 1 << 24;
const FIRST_KILLER: i32 = 1 << 22;
const SECOND_KILLER: i32 = FIRST_KILLER - 1;
/// Captures and promotions that lose end here; any history is higher.
const LOSING: i32 = -(1 << 24);

/// What a node's moves are wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of them.
    All,
    /// Captures and promotions, losing ones left out.
    Gaining,
}

enum Stage {
    TableMove,
    Rank,
    Pick,
}

/// Gives a node's moves one by one. The moves lie in [`Searcher::ranked`] until [`Searcher::drop_moves`].
pub(super) struct Picker {
    wanted: Wanted,
    ply: usize,
    stage: Stage,
    /// The first of the node's moves.
    base: usize,
    /// The next one to give.
    next: usize,
    table_move: Option<Move>,
    /// Are quiet moves to be left out from now on, killers apart?
    no_more_quiet: bool,
}

impl Picker {
    /// From now on gives captures, promotions and killers only.
    pub(super) fn leave_out_quiet(&mut self) {
        self.no_more_quiet = true;
    }
}

impl<R: Ruleset> Searcher<R> {
    /// Generates the moves of a node.
    pub(super) fn moves_of(
        &mut self,
        position: &Position<R>,
        ply: usize,
        wanted: Wanted,
        table_move: Option<Move>,
    ) -> Picker {
        let mut list = MoveList::new();
        match wanted {
            Wanted::All => position.legal_moves(&mut list),
            Wanted::Gaining => position.legal_captures(&mut list),
        }
        let base = self.ranked.len();
        self.ranked.extend(list.into_iter().map(|mv| Ranked { mv, rank: 0 }));
        Picker {
            wanted,
            ply,
            stage: Stage::TableMove,
            base,
            next: base,
            table_move,
            no_more_quiet: false,
        }
    }

    /// Has the node any moves?
    pub(super) fn has_moves(&self, picker: &Picker) -> bool {
        self.ranked.len() > picker.base
    }

    /// Forgets the moves of a node that is finished.
    pub(super) fn drop_moves(&mut self, picker: &Picker) {
        self.ranked.truncate(picker.base);
    }

    /// The next move of the node, whose position `position` is.
    pub(super) fn next_move(&mut self, picker: &mut Picker, position: &Position<R>) -> Option<Move> {
        if let Stage::TableMove = picker.stage {
            picker.stage = Stage::Rank;
            let moves = &mut self.ranked[picker.base..];
            // The table may speak of another position with the same key: the move counts only when it is legal here.
            if let Some(index) = moves.iter().position(|ranked| Some(ranked.mv) == picker.table_move) {
                moves.swap(0, index);
                picker.next += 1;
                return picker.table_move;
            }
        }
        if let Stage::Rank = picker.stage {
            picker.stage = Stage::Pick;
            self.rank(picker, position);
        }
        loop {
            let rest = &mut self.ranked[picker.next..];
            let index = highest(rest)?;
            let best = rest[index];
            if picker.no_more_quiet && (LOSING / 2..SECOND_KILLER).contains(&best.rank) {
                // All that is left to try are losing captures.
                let quiet = |ranked: &Ranked| ranked.rank >= LOSING / 2;
                let tail = partition(rest, quiet);
                picker.next += tail;
                continue;
            }
            // A losing capture is only found out when its turn comes.
            if best.rank >= GOOD && !see::wins_at_least(&self.evaluator, position, best.mv, 0) {
                rest[index].rank += LOSING - GOOD;
                continue;
            }
            if best.rank < LOSING / 2 && picker.wanted == Wanted::Gaining {
                return None;
            }
            rest.swap(0, index);
            picker.next += 1;
            return Some(best.mv);
        }
    }

    fn rank(&mut self, picker: &Picker, position: &Position<R>) {
        let before = self.before(picker.ply);
        let [first, second] = self.history.killers(picker.ply);
        let color = position.side();
        let evaluator = &self.evaluator;
        for ranked in &mut self.ranked[picker.next..] {
            let mv = ranked.mv;
            let kind = position.moved_kind(mv);
            ranked.rank = if is_quiet(position, mv) {
                if Some(mv) == first {
                    FIRST_KILLER
                } else if Some(mv) == second {
                    SECOND_KILLER
                } else {
                    self.history.of(color, self.history.moved(kind, mv.to()), before)
                }
            } else {
                // The most valuable victim first, by the least valuable attacker.
                let value = |kind| evaluator.exchange_value(kind);
                let own = value(kind).min(LOSING.abs() / 64);
                let gain = position.captured_kind(mv).map_or(0, value) + mv.promotion().map_or(0, value);
                GOOD + gain * 64 - own
            };
        }
    }

    /// What moved before the node at `ply`.
    #[inline]
    pub(super) fn before(&self, ply: usize) -> Option<Moved> {
        self.frames[ply.checked_sub(1)?].moved
    }
}

/// The index of the highest rank, the first one of several.
#[inline]
fn highest(moves: &[Ranked]) -> Option<usize> {
    let mut best = 0;
    let mut rank = moves.first()?.rank;
    for (index, ranked) in moves.iter().enumerate().skip(1) {
        if ranked.rank > rank {
            rank = ranked.rank;
            best = index;
        }
    }
    Some(best)
}

/// Puts the moves that `front` wants in front of the others. Gives their number.
fn partition(moves: &mut [Ranked], front: impl Fn(&Ranked) -> bool) -> usize {
    let mut count = 0;
    for index in 0..moves.len() {
        if front(&moves[index]) {
            moves.swap(index, count);
            count += 1;
        }
    }
    count
}

/// Does a move neither capture nor promote?
#[inline]
pub(super) fn is_quiet<R: Ruleset>(position: &Position<R>, mv: Move) -> bool {
    mv.promotion().is_none() && !position.is_capture(mv)
}
