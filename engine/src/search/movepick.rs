//! The order in which a node tries its moves: the table's move, captures that do not lose, killers and the counter move,
//! quiet moves by their history, captures that lose. Each group is looked for only when its turn comes.

use super::Searcher;
use super::history::Before;
use super::parameters as p;
use super::see;
use crate::moves::Move;
use crate::moves::MoveList;
use crate::position::Position;
use crate::search::CompiledSearch;

/// A move with its rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) mv: Move,
    /// The higher, the earlier within its group.
    pub(super) rank: i32,
}

/// Ranks of killers and of the counter move, above any history.
const KILLERS: [i32; 3] = [1 << 22, (1 << 22) - 1, (1 << 22) - 2];

/// What a node's moves are wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GenType {
    /// All of them.
    All,
    /// Captures and promotions, those left out that lose more than this many centipawns by exchange.
    Gaining(i32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    Generate,
    Captures,
    RankQuiet,
    Quiet,
    Losing,
}

/// Gives a node's moves one by one. The moves lie in [`Searcher::ranked`] until [`Searcher::drop_moves`]: first captures that
/// were found to lose, then captures still to be tried, then quiet moves.
pub(super) struct MovePicker {
    wanted: GenType,
    ply: usize,
    stage: Stage,
    /// The first of the node's moves.
    base: usize,
    /// The end of the captures that were found to lose.
    losing: usize,
    /// The first quiet move.
    quiet: usize,
    /// The next one to give.
    next: usize,
    tt_move: Option<Move>,
    /// Are quiet moves to be left out from now on?
    no_more_quiet: bool,
}

impl MovePicker {
    /// From now on gives captures and promotions only.
    pub(super) fn leave_out_quiet(&mut self) {
        self.no_more_quiet = true;
    }
}

impl<R: CompiledSearch> Searcher<R> {
    /// Begins with a node's moves. The table may speak of another position with the same key: its move counts only when it is
    /// legal here.
    pub(super) fn moves_of(
        &mut self,
        position: &Position<R>,
        ply: usize,
        wanted: GenType,
        tt_move: Option<Move>,
    ) -> MovePicker {
        let fits = |&mv: &Move| (wanted == GenType::All || !is_quiet(position, mv)) && position.is_legal(mv);
        let base = self.ranked.len();
        MovePicker {
            wanted,
            ply,
            stage: Stage::TtMove,
            base,
            losing: base,
            quiet: base,
            next: base,
            tt_move: tt_move.filter(fits),
            no_more_quiet: false,
        }
    }

    /// Has a node whose moves have all been given none at all?
    pub(super) fn has_none(&self, picker: &MovePicker) -> bool {
        self.ranked.len() == picker.base && picker.tt_move.is_none()
    }

    /// Forgets the moves of a node that is finished.
    pub(super) fn drop_moves(&mut self, picker: &MovePicker) {
        self.ranked.truncate(picker.base);
    }

    /// The next move of the node, whose position `position` is.
    pub(super) fn next_move(&mut self, picker: &mut MovePicker, position: &Position<R>) -> Option<Move> {
        loop {
            match picker.stage {
                Stage::TtMove => {
                    picker.stage = Stage::Generate;
                    if picker.tt_move.is_some() {
                        return picker.tt_move;
                    }
                }
                Stage::Generate => {
                    self.generate(picker, position);
                    picker.stage = Stage::Captures;
                }
                Stage::Captures => match self.next_capture(picker, position) {
                    Some(mv) => return Some(mv),
                    None if picker.wanted != GenType::All => return None,
                    None => picker.stage = Stage::RankQuiet,
                },
                Stage::RankQuiet => {
                    picker.next = picker.quiet;
                    if !picker.no_more_quiet {
                        self.rank_quiet(picker, position);
                    }
                    picker.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    let rest = &mut self.ranked[picker.next..];
                    if let Some(index) = highest(rest)
                        && !picker.no_more_quiet
                    {
                        rest.swap(0, index);
                        picker.next += 1;
                        return Some(rest[0].mv);
                    }
                    picker.next = picker.base;
                    picker.stage = Stage::Losing;
                }
                Stage::Losing => {
                    if picker.next == picker.losing {
                        return None;
                    }
                    picker.next += 1;
                    return Some(self.ranked[picker.next - 1].mv);
                }
            }
        }
    }

    /// Lists the moves, captures first and ranked.
    fn generate(&mut self, picker: &mut MovePicker, position: &Position<R>) {
        let mut list = MoveList::new();
        match picker.wanted {
            GenType::All => position.legal_moves(&mut list),
            GenType::Gaining(_) => position.legal_captures(&mut list),
        }
        let others = || list.iter().filter(|&&mv| Some(mv) != picker.tt_move);
        for &mv in others() {
            if !is_quiet(position, mv) {
                let rank = self.capture_rank(position, mv);
                self.ranked.push(ScoredMove { mv, rank });
            }
        }
        picker.quiet = self.ranked.len();
        if picker.wanted == GenType::All {
            let quiet = others().filter(|&&mv| is_quiet(position, mv));
            self.ranked.extend(quiet.map(|&mv| ScoredMove { mv, rank: 0 }));
        }
    }

    /// The most valuable victim first, by what captured it well before, then by the least valuable attacker.
    fn capture_rank(&self, position: &Position<R>, mv: Move) -> i32 {
        let value = |kind| self.evaluator.see_value(kind);
        let kind = position.moved_kind(mv);
        let victim = position.captured_kind(mv);
        let gain = victim.map_or(0, value) + mv.promotion().map_or(0, value);
        let history = victim.map_or(0, |victim| {
            self.history.of_capture(self.history.moved(kind, mv.to()), victim)
        });
        gain * 64 - value(kind).min(4000) + history * p::capture_history_weight() / 100
    }

    /// The best capture that is left and does not lose; those that do are put aside.
    fn next_capture(&mut self, picker: &mut MovePicker, position: &Position<R>) -> Option<Move> {
        let least = match picker.wanted {
            GenType::All => 0,
            GenType::Gaining(loss) => -loss,
        };
        loop {
            let rest = &mut self.ranked[picker.next..picker.quiet];
            let index = highest(rest)?;
            rest.swap(0, index);
            let best = rest[0];
            picker.next += 1;
            if see::see_ge(&self.evaluator, position, best.mv, least) {
                return Some(best.mv);
            }
            self.ranked[picker.losing] = best;
            picker.losing += 1;
        }
    }

    fn rank_quiet(&mut self, picker: &MovePicker, position: &Position<R>) {
        let before = self.before(picker.ply);
        let [first, second] = self.history.killers(picker.ply);
        let early = [first, second, self.history.counter(before)];
        let color = position.side_to_move();
        for ranked in &mut self.ranked[picker.quiet..] {
            let mv = ranked.mv;
            ranked.rank = if let Some(index) = early.iter().position(|&early| early == Some(mv)) {
                KILLERS[index]
            } else {
                let moved = self.history.moved(position.moved_kind(mv), mv.to());
                self.history.of(color, moved, before)
            };
        }
    }

    /// What moved before the node at `ply`.
    #[inline]
    pub(super) fn before(&self, ply: usize) -> Before {
        let moved = |back| self.frames[ply.checked_sub(back)?].moved;
        Before {
            reply: moved(1),
            own: moved(2),
        }
    }
}

/// The index of the highest rank, the first one of several.
#[inline]
fn highest(moves: &[ScoredMove]) -> Option<usize> {
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

/// Does a move neither capture nor promote?
#[inline]
pub(super) fn is_quiet<R: CompiledSearch>(position: &Position<R>, mv: Move) -> bool {
    mv.promotion().is_none() && !position.is_capture(mv)
}
