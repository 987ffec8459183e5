//! Extensions of the search depth.

use std::sync::atomic::AtomicBool;

use crate::eval::Score;
use crate::moves::Move;
use crate::position::{CompiledPosition, Position};
use crate::search::context::{NodeContext, Window};
use crate::search::info::Bound;
use crate::search::parameters as p;
use crate::search::thread::SearchThread;
use crate::search::tt::TtEntry;

/// Result of a singularity test.
pub(crate) enum Singularity {
    /// Extend the move by this many plies.
    Extension(i32),
    /// Other moves fail high as well, with this score.
    MultiCut(Score),
}

impl<R: CompiledPosition> SearchThread<R> {
    /// Tests the transposition-table move for singularity: all other moves are searched at reduced
    /// depth against a window below the transposition-table score.
    pub(crate) fn test_singular(
        &mut self,
        position: &mut Position<R>,
        tt_move: Move,
        window: Window,
        node: NodeContext,
        tt_entry: &TtEntry,
        stop: &AtomicBool,
    ) -> Singularity {
        let NodeContext { ply, depth, .. } = node;
        let can_be_singular = depth >= p::singular_depth()
            && i32::from(tt_entry.depth) >= depth - 3
            && tt_entry.bound != Bound::Upper
            && !tt_entry.score.is_mate()
            && ply < 2 * self.iteration as usize;
        if !can_be_singular {
            return Singularity::Extension(0);
        }
        let singular_beta = tt_entry.score - depth * p::singular_margin() / 8;
        let reduced = NodeContext { depth: (depth - 1) / 2, ..node };
        self.stack[ply].excluded_move = Some(tt_move);
        let score = self.search_node::<false>(position, Window::zero_width(singular_beta - 1), reduced, stop);
        self.stack[ply].excluded_move = None;
        if self.stopped {
            return Singularity::Extension(0);
        }
        let is_zero_width = window.beta - window.alpha <= 1;
        if score < singular_beta {
            // Double extension
            let twice = is_zero_width && score < singular_beta - p::double_extension_margin();
            Singularity::Extension(1 + i32::from(twice))
        } else if singular_beta >= window.beta && is_zero_width {
            Singularity::MultiCut(singular_beta)
        } else if tt_entry.score >= window.beta {
            // Negative extension: several moves probably fail high
            Singularity::Extension(-1)
        } else {
            Singularity::Extension(0)
        }
    }
}
