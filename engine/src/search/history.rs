//! What earlier parts of the search say of a move: killers, counter moves, and counters of how often it was good.

use assay_rules::piece::Kind;
use assay_rules::{Color, GameDef, Square};

use super::parameters::{self as p, HISTORY_LIMIT};
use crate::eval::MAX_PLY;
use crate::moves::Move;

/// A piece that moved, and where it went, as one index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moved(u16);

impl Moved {
    /// The index as a number.
    #[inline]
    pub(super) fn number(self) -> u64 {
        u64::from(self.0)
    }
}

/// What moved before: the last move, which the other side made, and the own one before it; none for a pass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Before {
    pub(super) reply: Option<Moved>,
    pub(super) own: Option<Moved>,
}

/// The most entries of a table of pairs of moves; games with more share entries. 2 MiB.
const MOST_PAIRS: usize = 1 << 20;

/// Counters and killers of one game.
#[derive(Clone, Debug)]
pub(super) struct History {
    places: usize,
    kinds: usize,
    /// Kinds times places.
    moved: usize,
    /// By ply: quiet moves that refuted something there.
    killers: Vec<[Option<Move>; 2]>,
    /// By what moved last: the quiet move that refuted it last.
    counters: Vec<Option<Move>>,
    /// By colour, kind and target.
    quiet: Vec<i16>,
    /// By kind, target, and kind captured.
    captures: Vec<i16>,
    /// By what moved last, then what moves now.
    replies: Pairs,
    /// By what the same side moved before, then what moves now.
    follows: Pairs,
}

impl History {
    pub(super) fn new(game: &GameDef) -> History {
        let places = game.board.box_size();
        let kinds = game.kinds.len();
        let moved = kinds * places;
        History {
            places,
            kinds,
            moved,
            killers: vec![[None; 2]; MAX_PLY + 2],
            counters: vec![None; moved],
            quiet: vec![0; 2 * moved],
            captures: vec![0; moved * kinds],
            replies: Pairs::new(moved),
            follows: Pairs::new(moved),
        }
    }

    pub(super) fn clear(&mut self) {
        self.counters.fill(None);
        self.quiet.fill(0);
        self.captures.fill(0);
        self.replies.clear();
        self.follows.clear();
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

    /// The quiet move that refuted the last move when it was made elsewhere.
    #[inline]
    pub(super) fn counter(&self, before: Before) -> Option<Move> {
        self.counters[usize::from(before.reply?.0)]
    }

    /// How good a quiet move was so far, within three times [`HISTORY_LIMIT`] either way.
    #[inline]
    pub(super) fn of(&self, color: Color, now: Moved, before: Before) -> i32 {
        let alone = i32::from(self.quiet[color.index() * self.moved + usize::from(now.0)]);
        let reply = self.replies.get(before.reply, now) * p::cont_history_1_weight() / 100;
        let follow = self.follows.get(before.own, now) * p::cont_history_2_weight() / 100;
        alone + reply + follow
    }

    /// How good a capture was so far, within [`HISTORY_LIMIT`] either way.
    #[inline]
    pub(super) fn of_capture(&self, now: Moved, victim: Kind) -> i32 {
        i32::from(self.captures[usize::from(now.0) * self.kinds + victim.index()])
    }

    /// A quiet move refuted the node at `ply`: remembers it as a killer and as the answer to the last move.
    pub(super) fn refuted(&mut self, ply: usize, mv: Move, before: Before) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        if let Some(reply) = before.reply {
            self.counters[usize::from(reply.0)] = Some(mv);
        }
    }

    /// A quiet move was better or worse than thought.
    #[inline]
    pub(super) fn add(&mut self, color: Color, now: Moved, before: Before, bonus: i32) {
        shift(&mut self.quiet[color.index() * self.moved + usize::from(now.0)], bonus);
        self.replies.add(before.reply, now, bonus);
        self.follows.add(before.own, now, bonus);
    }

    /// A capture was better or worse than thought.
    #[inline]
    pub(super) fn add_capture(&mut self, now: Moved, victim: Kind, bonus: i32) {
        shift(
            &mut self.captures[usize::from(now.0) * self.kinds + victim.index()],
            bonus,
        );
    }
}

/// The change of a counter after a cutoff at `depth`.
pub(super) fn bonus(depth: i32) -> i32 {
    (p::history_bonus_slope() * depth - p::history_bonus_offset()).clamp(0, p::history_bonus_max())
}

/// Counters for pairs of moves.
#[derive(Clone, Debug)]
struct Pairs {
    moved: usize,
    counts: Vec<i16>,
    /// An index is taken by it; all ones but in games that are too large.
    mask: usize,
}

impl Pairs {
    fn new(moved: usize) -> Pairs {
        let (size, mask) = if moved * moved <= MOST_PAIRS {
            (moved * moved, usize::MAX)
        } else {
            (MOST_PAIRS, MOST_PAIRS - 1)
        };
        Pairs {
            moved,
            counts: vec![0; size],
            mask,
        }
    }

    fn clear(&mut self) {
        self.counts.fill(0);
    }

    #[inline]
    fn index(&self, before: Moved, now: Moved) -> usize {
        (usize::from(before.0) * self.moved + usize::from(now.0)) & self.mask
    }

    #[inline]
    fn get(&self, before: Option<Moved>, now: Moved) -> i32 {
        before.map_or(0, |before| i32::from(self.counts[self.index(before, now)]))
    }

    #[inline]
    fn add(&mut self, before: Option<Moved>, now: Moved, bonus: i32) {
        if let Some(before) = before {
            let index = self.index(before, now);
            shift(&mut self.counts[index], bonus);
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
        let most = bonus(1000);
        let mut count = 0;
        for _ in 0..1000 {
            shift(&mut count, most);
        }
        assert!(i32::from(count) <= HISTORY_LIMIT && i32::from(count) > HISTORY_LIMIT / 2);
        for _ in 0..1000 {
            shift(&mut count, -most);
        }
        assert!(i32::from(count) >= -HISTORY_LIMIT && i32::from(count) < -HISTORY_LIMIT / 2);
    }

    #[test]
    fn large_games_share_entries_within_bounds() {
        let mut pairs = Pairs::new(4000);
        let (first, last) = (Moved(0), Moved(3999));
        pairs.add(Some(last), last, 500);
        assert_eq!((pairs.get(Some(last), last), pairs.get(None, last)), (500, 0));
        assert_eq!(pairs.get(Some(first), first), 0);
    }
}
