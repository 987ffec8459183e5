//! Triangular table of principal variations.

use crate::eval::MAX_PLY;
use crate::moves::Move;

/// The principal variation from each ply on.
#[derive(Clone, Debug)]
pub(crate) struct PvTable(Vec<Vec<Move>>);

impl PvTable {
    pub(crate) fn new() -> PvTable {
        PvTable(vec![Vec::new(); MAX_PLY + 2])
    }

    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the line at `ply` to `mv` followed by the line at `ply + 1`.
    pub(crate) fn update(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.0.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }

    pub(crate) fn line(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
