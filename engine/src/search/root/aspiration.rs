//! Aspiration windows.

use std::sync::atomic::AtomicBool;

use crate::eval::Score;
use crate::position::{CompiledPosition, Position};
use crate::search::context::Window;
use crate::search::info::{Bound, SearchInfo};
use crate::search::parameters as p;
use crate::search::thread::SearchThread;

impl<R: CompiledPosition> SearchThread<R> {
    /// Searches the root with a window around the previous score, widening it until the score is
    /// inside.
    pub(crate) fn aspiration_window(
        &mut self,
        position: &mut Position<R>,
        in_check: bool,
        previous_score: Score,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) {
        let mut delta = p::aspiration_delta();
        self.root_depth = self.iteration;
        let mut window = Window::full();
        if self.iteration >= p::aspiration_depth() && !previous_score.is_mate() {
            window = Window { alpha: previous_score - delta, beta: previous_score + delta };
        }
        loop {
            let score = self.search_root(position, window, in_check, stop, report);
            if self.stopped {
                return;
            }
            let bound = if score <= window.alpha {
                Bound::Upper
            } else if score >= window.beta {
                Bound::Lower
            } else {
                return;
            };
            if self.is_verbose() {
                self.report_score(self.pv_index, self.iteration, score, bound, report);
            }
            let open = delta > p::aspiration_max_delta();
            if bound == Bound::Upper {
                window.beta = (window.alpha + (window.beta - window.alpha) / 2).max(window.alpha + 1);
                window.alpha = if open { -Score::INFINITE } else { score - delta };
                self.root_depth = self.iteration;
            } else {
                window.beta = if open { Score::INFINITE } else { score + delta };
                // A fail high has already found the best move; a shallower search is enough to find
                // its score.
                if !score.is_mate() {
                    self.root_depth = (self.root_depth - 1).max(self.iteration - 3).max(1);
                }
            }
            delta += delta * p::aspiration_widening() / 100;
        }
    }
}
