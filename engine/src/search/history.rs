//! What earlier parts of the search say of a move: killers, and counters of how often it was good.

use assay_rules::man::Kind;
use assay_rules::{Color, GameDef, Square};

use super::parameters::order::{BONUS_FACTOR, BONUS_LIMIT, HISTORY_LIMIT};
use crate::mv::Move;
use crate::score::MAX_PLY;

/// A man that moved, and where it went, as one index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moved(u16);

/// The largest number of entries for pairs of moves that is worth its memory.
const MOST_PAIRS: usize = 1 << 23;

/// Counters and killers of one game.
#[derive(Clone, Debug)]
pub(super) struct History {
    places: usize,
    /// Kinds times places.
    moved: usize,
    /// By ply: quiet moves that refuted something there.
    killers: Vec<[Option<Move>; 2]>,
    /// By colour, kind and target.
    quiet: Vec<i16>,
    /// By what moved before, then what moves now; empty when that would be too large.
    pairs: Vec<i16>,
}

impl History {
    pub(super) fn new(game: &GameDef) -> History {
        let places = game.board.places();
        let moved = game.kinds.len() * places;
        let pairs = if moved * moved <= MOST_PAIRS { moved * moved } else { 0 };
        History {
            places,
            moved,
            killers: vec![[None; 2]; MAX_PLY + 2],
            quiet: vec![0; 2 * moved],
            pairs: vec![0; pairs],
        }
    }

    pub(super) fn clear(&mut self) {
        self.quiet.fill(0);
        self.pairs.fill(0);
        self.new_search();
    }

    /// Killers belong to plies of one search.
    pub(super) fn new_search(&mut self) {
        self.killers.fill([None; 2]);
    }

    #[inline]
    pub(super) fn moved(&self, kind: Kind, to: Square) -> Moved {
        Moved((kind.index() * self.places + to.index()) as u16)
    }

    #[inline]
    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// How good a quiet move was so far, within twice [`HISTORY_LIMIT`] either way. `before` is what moved before it.
    #[inline]
    pub(super) fn of(&self, color: Color, now: Moved, before: Option<Moved>) -> i32 {
        let alone = i32::from(self.quiet[color.index() * self.moved + usize::from(now.0)]);
        let after = before.and_then(|before| self.pairs.get(usize::from(before.0) * self.moved + usize::from(now.0)));
        alone + after.map_or(0, |&count| i32::from(count))
    }

    /// A quiet move refuted the node at `ply`: remembers it as a killer.
    pub(super) fn kill(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// `best` refuted a node at `depth`; `tried` are the quiet moves that had not. `before` is what moved before them.
    pub(super) fn reward(&mut self, color: Color, depth: i32, best: Moved, tried: &[Moved], before: Option<Moved>) {
        let bonus = (BONUS_FACTOR * depth * depth).min(BONUS_LIMIT);
        self.add(color, best, before, bonus);
        for &other in tried {
            self.add(color, other, before, -bonus);
        }
    }

    #[inline]
    fn add(&mut self, color: Color, now: Moved, before: Option<Moved>, bonus: i32) {
        shift(&mut self.quiet[color.index() * self.moved + usize::from(now.0)], bonus);
        if let Some(before) = before
            && let Some(count) = self
                .pairs
                .get_mut(usize::from(before.0) * self.moved + usize::from(now.0))
        {
            shift(count, bonus);
        }
    }
}

/// Moves a counter by `bonus`, the less the nearer it is to its limit on that side.
#[inline]
fn shift(count: &mut i16, bonus: i32) {
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_their_limit() {
        let mut count = 0;
        for _ in 0..1000 {
            shift(&mut count, BONUS_LIMIT);
        }
        assert!(i32::from(count) <= HISTORY_LIMIT && i32::from(count) > HISTORY_LIMIT / 2);
        for _ in 0..1000 {
            shift(&mut count, -BONUS_LIMIT);
        }
        assert!(i32::from(count) >= -HISTORY_LIMIT && i32::from(count) < -HISTORY_LIMIT / 2);
    }
}
