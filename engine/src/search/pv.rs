//! The lines of best play found below each ply.

use crate::eval::MAX_PLY;
use crate::moves::Move;

/// For each ply the best line from there on.
#[derive(Clone, Debug)]
pub(super) struct PvTable(Vec<Vec<Move>>);

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable(vec![Vec::new(); MAX_PLY + 2])
    }

    /// A node at `ply` begins: nothing is known of it yet.
    #[inline]
    pub(super) fn begin(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The best line at `ply` is `mv` and what was found below.
    pub(super) fn extend(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.0.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }

    /// The best line at `ply`.
    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
