//! Move lists on the stack.

use std::mem::MaybeUninit;
use std::ops::Deref;

use crate::moves::Move;

/// Capacity of a list in moves, far beyond any position of the built-in games.
pub const CAPACITY: usize = 1024;

/// A list of up to [`CAPACITY`] moves.
#[derive(Clone)]
pub struct MoveList {
    moves: [MaybeUninit<Move>; CAPACITY],
    len: usize,
}

impl MoveList {
    /// Creates an empty list.
    #[inline(always)]
    pub fn new() -> MoveList {
        MoveList {
            moves: [const { MaybeUninit::uninit() }; CAPACITY],
            len: 0,
        }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// If the list is full.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len].write(mv);
        self.len += 1;
    }

    /// Writes an entry that is not yet part of the list.
    #[inline(always)]
    pub(crate) fn write(&mut self, index: usize, mv: Move) {
        self.moves[index].write(mv);
    }

    /// Makes the entries written by [`MoveList::write`] part of the list.
    ///
    /// # Safety
    /// All entries from the current length up to `len` must have been written.
    #[inline(always)]
    pub(crate) unsafe fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// Returns the number of moves.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the list is empty.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the moves in the order in which they were added.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        // SAFETY: `push` and the callers of `set_len` have written every entry below `len`.
        unsafe { self.moves[..self.len].assume_init_ref() }
    }

    /// Returns the moves, for reordering.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [Move] {
        // SAFETY: as in `as_slice`.
        unsafe { self.moves[..self.len].assume_init_mut() }
    }

    /// Retains the moves for which `keep` returns true, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let mv = self.as_slice()[index];
            if keep(mv) {
                self.moves[kept].write(mv);
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'l> IntoIterator for &'l MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'l, Move>>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter().copied()
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self).finish()
    }
}
