//! Time management: soft and hard limits of a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use web_time::Instant;

use crate::search::limits::{ClockLimits, Limits};
use crate::search::parameters::{self as p, time as tm};

/// Clock of one search.
#[derive(Clone, Debug)]
pub(crate) struct TimeManager {
    start: Instant,
    /// Start of the player's own time: the start of the search, or the ponderhit.
    own_start: Instant,
    /// Set while pondering.
    pondering: Option<Arc<AtomicBool>>,
    /// No new iteration starts after this, scaled by [`IterationStats`].
    soft_limit: Option<Duration>,
    /// The search stops after this much of the player's own time.
    hard_limit: Option<Duration>,
}

impl TimeManager {
    /// Starts the clock. `move_overhead` is the time that each move costs outside the search. While
    /// `pondering` is set, the opponent's clock is running.
    pub(crate) fn start(limits: &Limits, move_overhead: Duration, pondering: Option<Arc<AtomicBool>>) -> TimeManager {
        let (mut soft_limit, mut hard_limit) = (None, None);
        if let Some(clock) = limits.clock {
            let (soft, hard) = clock_limits(clock, move_overhead);
            (soft_limit, hard_limit) = (Some(soft), Some(hard));
        }
        if let Some(movetime) = limits.movetime {
            let movetime = movetime.saturating_sub(move_overhead).max(tm::MIN_TIME);
            hard_limit = Some(hard_limit.map_or(movetime, |hard| hard.min(movetime)));
        }
        let start = Instant::now();
        TimeManager { start, own_start: start, pondering, soft_limit, hard_limit }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns true if the hard limit is so short that the clock must be checked often.
    pub(crate) fn is_short(&self) -> bool {
        self.hard_limit.is_some_and(|hard| hard < tm::SHORT_SEARCH)
    }

    /// Returns true while the opponent's clock is running. On the ponderhit the player's own clock
    /// starts.
    pub(crate) fn is_pondering(&mut self) -> bool {
        let Some(pondering) = &self.pondering else { return false };
        if pondering.load(Ordering::Relaxed) {
            return true;
        }
        self.pondering = None;
        self.own_start = Instant::now();
        // Time spent pondering counts: after the soft limit the search moves at once.
        if self.soft_limit.is_some_and(|soft| self.elapsed() >= soft) {
            self.hard_limit = Some(Duration::ZERO);
        }
        false
    }

    /// Returns true if the hard limit has been reached.
    pub(crate) fn is_over(&mut self) -> bool {
        !self.is_pondering() && self.hard_limit.is_some_and(|hard| self.own_start.elapsed() >= hard)
    }

    /// Returns true if the soft limit allows another iteration.
    pub(crate) fn allows_another_iteration(&mut self, stats: IterationStats) -> bool {
        if self.is_pondering() {
            return true;
        }
        self.soft_limit.is_none_or(|soft| self.elapsed() < soft.mul_f64(stats.time_factor()))
    }
}

/// Facts from the last iteration that scale the time limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IterationStats {
    /// Iterations for which the best move has not changed.
    pub(crate) stability: u32,
    /// Share of the iteration's nodes spent on the best move, 0 to 1.
    pub(crate) node_share: f64,
    /// Centipawns by which the score has dropped; 0 if it has risen.
    pub(crate) score_drop: i32,
}

impl IterationStats {
    /// Factor of the soft limit: lower for a stable best move that takes most of the nodes, higher
    /// if the score drops.
    fn time_factor(self) -> f64 {
        let percent = |number: i32| f64::from(number) / 100.0;
        let step = p::time_stability_step().saturating_mul(self.stability.min(100) as i32);
        let stability = percent((p::time_stability_base() - step).max(p::time_stability_min()));
        let node_share =
            (percent(p::time_node_share_base()) - percent(p::time_node_share_slope()) * self.node_share).max(0.1);
        let score_drop = 1.0 + percent(p::time_score_drop()) * f64::from(self.score_drop.min(100)) / 10.0;
        (stability * node_share * score_drop).clamp(0.1, 2.5)
    }
}

/// Soft and hard limit for one move.
fn clock_limits(clock: ClockLimits, move_overhead: Duration) -> (Duration, Duration) {
    let available = clock.remaining.saturating_sub(move_overhead).max(tm::MIN_TIME);
    let moves = clock.moves_to_go.unwrap_or(tm::MOVE_HORIZON).max(1);
    // Reserve the overhead that the increments of the coming moves do not pay for. In sudden death
    // the number of moves is only an estimate.
    let overhead = move_overhead.saturating_sub(clock.increment) * (moves - 1);
    let reserve = if clock.moves_to_go.is_some() { overhead } else { overhead.min(available * 9 / 10) };
    let usable = available.saturating_sub(reserve).max(tm::MIN_TIME);
    let increment = clock.increment.saturating_sub(move_overhead) * tm::INCREMENT_PERCENT / 100;
    // The next move brings new time only at the time control.
    let max_percent = if moves == 1 { tm::LAST_MOVE_MAX_PERCENT } else { tm::MAX_PERCENT };
    let max = (usable * max_percent / 100).max(tm::MIN_TIME);
    let soft = (usable / moves.min(tm::MOVE_HORIZON) + increment).min(max).max(tm::MIN_TIME);
    (soft, (soft * tm::HARD_LIMIT_FACTOR).min(max))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STABLE: IterationStats = IterationStats { stability: 9, node_share: 0.9, score_drop: 0 };
    const UNSTABLE: IterationStats = IterationStats { stability: 0, node_share: 0.2, score_drop: 50 };

    #[test]
    fn stable_best_moves_take_less_time() {
        assert!(STABLE.time_factor() < 0.8 && UNSTABLE.time_factor() > 1.5);
        let extreme = IterationStats { score_drop: i32::MAX, ..UNSTABLE };
        assert!(extreme.time_factor() <= 2.5);
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn limits_never_exceed_the_clock() {
        for remaining in [0, 1, 20, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let clock = ClockLimits { remaining: ms(remaining), increment: ms(increment), moves_to_go };
                    let (soft, hard) = clock_limits(clock, ms(10));
                    assert!(soft <= hard, "{clock:?}");
                    assert!(hard <= ms(remaining.saturating_sub(10)).max(tm::MIN_TIME), "{clock:?}: {hard:?}");
                }
            }
        }
    }

    /// Plays moves that each use their hard limit and lose `lag`. Returns the number of moves
    /// before the clock runs out, at most `moves`.
    fn moves_survived(base: u64, increment: u64, control: Option<u32>, lag: Duration, moves: u32) -> u32 {
        let move_overhead = ms(10);
        let mut remaining = ms(base);
        for number in 0..moves {
            let moves_to_go = control.map(|control| control - number % control);
            if number > 0 && moves_to_go == control && control.is_some() {
                remaining += ms(base);
            }
            let clock = ClockLimits { remaining, increment: ms(increment), moves_to_go };
            let spent = clock_limits(clock, move_overhead).1 + lag;
            match remaining.checked_sub(spent) {
                Some(left) => remaining = left + ms(increment),
                None => return number,
            }
        }
        moves
    }

    #[test]
    fn clock_lasts_for_long_games() {
        // Lag up to the overhead, while the increment pays for it.
        assert_eq!(moves_survived(1000, 10, None, ms(9), 300), 300);
        assert_eq!(moves_survived(10_000, 100, None, ms(10), 300), 300);
        assert_eq!(moves_survived(100, 15, None, ms(10), 300), 300);
        for control in [1, 2, 5, 40] {
            assert_eq!(moves_survived(1000, 0, Some(control), ms(9), 300), 300, "{control}");
        }
        // Without an increment the time per move shrinks towards zero.
        assert_eq!(moves_survived(100, 0, None, Duration::ZERO, 150), 150);
        assert!(moves_survived(10_000, 0, None, ms(1), 300) > 130);
        assert!(moves_survived(60_000, 0, None, ms(1), 300) > 130);
    }

    #[test]
    fn pondering_uses_the_opponents_time() {
        let limits = Limits { movetime: Some(ms(10)), ..Limits::default() };
        let pondering = Arc::new(AtomicBool::new(true));
        let mut time = TimeManager::start(&limits, ms(10), Some(pondering.clone()));
        std::thread::sleep(ms(5));
        assert!(!time.is_over() && time.is_pondering() && time.is_short());
        pondering.store(false, Ordering::Relaxed);
        assert!(!time.is_pondering());
        std::thread::sleep(ms(5));
        assert!(time.is_over());
        // After pondering for longer than the soft limit the search moves at once.
        let limits = Limits {
            clock: Some(ClockLimits { remaining: ms(28_010), increment: Duration::ZERO, moves_to_go: None }),
            ..Limits::default()
        };
        let pondering = Arc::new(AtomicBool::new(true));
        let mut time = TimeManager::start(&limits, ms(10), Some(pondering.clone()));
        time.start -= ms(5000);
        assert!(!time.is_over() && time.allows_another_iteration(STABLE));
        pondering.store(false, Ordering::Relaxed);
        assert!(time.is_over() && !time.allows_another_iteration(UNSTABLE));
    }

    #[test]
    fn increment_extends_the_soft_limit() {
        let clock = |increment| ClockLimits { remaining: ms(60_000), increment: ms(increment), moves_to_go: None };
        assert!(clock_limits(clock(2000), ms(10)).0 > clock_limits(clock(0), ms(10)).0 + ms(1000));
    }
}
