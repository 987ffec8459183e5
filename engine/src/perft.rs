//! Counting move sequences.

use arrayvec::ArrayVec;
use rayon::prelude::*;

use crate::movelist::{CAPACITY, MoveList};
use crate::mv::Move;
use crate::perft_table::{PerftKey, PerftTable};
use crate::position::{Count, Position, Writer};
use crate::ruleset::Ruleset;

impl<R: Ruleset> Position<R> {
    /// The number of move sequences of `depth` plies; 1 at depth 0. The moves of the last ply are counted, not made.
    pub fn perft(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(),
            _ if self.is_handicap_turn() => self.each_move(|position| position.perft(depth - 1)),
            _ => R::perft(self, depth),
        }
    }

    /// As [`Position::perft`], with the moves of the last ply made and unmade one by one.
    pub fn perft_full(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ if self.is_handicap_turn() => self.each_move(|position| position.perft_full(depth - 1)),
            _ => R::perft_full(self, depth),
        }
    }

    /// The body of both, for at least one ply; with `BULK` the last ply is counted only, so it takes two. A handicap, which never outlasts the
    /// first turn, must be over.
    #[inline(always)]
    pub(crate) fn count_tree<const BULK: bool>(&mut self, depth: u32) -> u64 {
        debug_assert!(depth > u32::from(BULK));
        let mut list = MoveList::new();
        self.generate::<_, false>(Writer::new(&mut list)).finish();
        let mut sum = 0;
        for mv in &list {
            // Moves that are made for their own sake are made whole, hash and all.
            if BULK {
                self.play::<false>(mv);
                sum += if depth == 2 {
                    self.generate::<_, false>(Count::default()).0
                } else {
                    R::perft(self, depth - 1)
                };
                self.take_back::<false>();
            } else {
                self.play::<true>(mv);
                sum += if depth == 1 { 1 } else { R::perft_full(self, depth - 1) };
                self.take_back::<true>();
            }
        }
        sum
    }

    /// As [`Position::perft`], with counts remembered in `table`.
    pub fn perft_with(&mut self, depth: u32, table: &PerftTable) -> u64 {
        if self.is_handicap_turn() {
            return match depth.checked_sub(1) {
                None => 1,
                Some(rest) => self.each_move(|position| position.perft_with(rest, table)),
            };
        }
        if depth < 2 {
            return self.perft(depth);
        }
        let key = self.perft_key(depth);
        table.get(key).unwrap_or_else(|| {
            let count = R::perft_with(self, depth, table);
            table.put(key, count);
            count
        })
    }

    /// The count anew, for at least two plies and no handicap; the plies below are looked up and kept.
    #[inline(always)]
    pub(crate) fn count_tree_with(&mut self, depth: u32, table: &PerftTable) -> u64 {
        if depth == 2 {
            return R::perft(self, depth);
        }
        let mut list = MoveList::new();
        self.generate::<_, false>(Writer::new(&mut list)).finish();
        // The table is far away: all answers are sent for before the first is asked. That each move is made once more costs
        // less than waiting.
        let mut keys = ArrayVec::<PerftKey, CAPACITY>::new();
        for mv in &list {
            self.play::<true>(mv);
            let key = self.perft_key(depth - 1);
            self.take_back::<true>();
            table.prefetch(key);
            keys.push(key);
        }
        let mut sum = 0;
        for (mv, &key) in list.into_iter().zip(&keys) {
            sum += table.get(key).unwrap_or_else(|| {
                self.play::<true>(mv);
                let count = R::perft_with(self, depth - 1, table);
                self.take_back::<true>();
                table.put(key, count);
                count
            });
        }
        sum
    }

    /// The perft of each legal move, in the order of generation; nothing at depth 0.
    pub fn divide(&mut self, depth: u32) -> Vec<(Move, u64)> {
        let Some(rest) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let mut list = MoveList::new();
        self.legal_moves(&mut list);
        list.into_iter()
            .map(|mv| {
                self.make(mv);
                let count = self.perft(rest);
                self.unmake();
                (mv, count)
            })
            .collect()
    }

    /// As [`Position::divide`], on `threads` threads, with counts remembered in a table if one is given.
    ///
    /// # Panics
    /// When the system refuses to start that many threads.
    pub fn divide_parallel(&self, depth: u32, threads: usize, table: Option<&PerftTable>) -> Vec<(Move, u64)> {
        let Some(rest) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let mut list = MoveList::new();
        self.legal_moves(&mut list);
        // Root moves differ too much in size; their answers are spread as well where there is depth to spare.
        let tasks: Vec<(Move, Option<Move>)> = list
            .into_iter()
            .flat_map(|mv| {
                if rest < 2 {
                    return vec![(mv, None)];
                }
                let mut after = self.clone();
                after.make(mv);
                let mut answers = MoveList::new();
                after.legal_moves(&mut answers);
                answers.into_iter().map(|answer| (mv, Some(answer))).collect()
            })
            .collect();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads can be started");
        let count = |&(mv, answer): &(Move, Option<Move>)| {
            let mut position = self.clone();
            position.make(mv);
            let depth = match answer {
                None => rest,
                Some(answer) => {
                    position.make(answer);
                    rest - 1
                }
            };
            match table {
                None => position.perft(depth),
                Some(table) => position.perft_with(depth, table),
            }
        };
        let counts: Vec<u64> = pool.install(|| tasks.par_iter().map(count).collect());
        let sum = |mv: Move| {
            tasks
                .iter()
                .zip(&counts)
                .filter(|(task, _)| task.0 == mv)
                .map(|(_, count)| count)
                .sum()
        };
        list.into_iter().map(|mv| (mv, sum(mv))).collect()
    }

    /// As [`Position::perft`], on `threads` threads, with counts remembered in a table if one is given.
    pub fn perft_parallel(&self, depth: u32, threads: usize, table: Option<&PerftTable>) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.divide_parallel(depth, threads, table)
            .into_iter()
            .map(|(_, count)| count)
            .sum()
    }

    #[inline(always)]
    fn each_move(&mut self, mut count: impl FnMut(&mut Self) -> u64) -> u64 {
        let mut list = MoveList::new();
        self.legal_moves(&mut list);
        let mut sum = 0;
        for mv in &list {
            self.make(mv);
            sum += count(self);
            self.unmake();
        }
        sum
    }
}
