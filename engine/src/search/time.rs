//! How long a search may think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::limits::{ClockLimits, Limits};
use super::parameters::{self as p, time as tm};

/// The time of one search.
#[derive(Clone, Debug)]
pub(super) struct TimeManager {
    start: Instant,
    /// When the player's own clock began to run: at the start, or when the opponent made the expected move.
    own: Instant,
    /// Set as long as it is the opponent's time.
    pondering: Option<Arc<AtomicBool>>,
    /// No new iteration begins after this.
    soft: Option<Duration>,
    /// The search stops when its own clock has run so long.
    hard: Option<Duration>,
}

impl TimeManager {
    /// Starts now. `overhead` is what passes between the protocol's clock and ours with each move. While `pondering` is set
    /// the time is the opponent's.
    pub(super) fn start(limits: &Limits, overhead: Duration, pondering: Option<Arc<AtomicBool>>) -> TimeManager {
        let (mut soft, mut hard) = (None, None);
        if let Some(clock) = limits.clock {
            let (share, most) = share(clock, overhead);
            (soft, hard) = (Some(share), Some(most));
        }
        if let Some(movetime) = limits.movetime {
            let movetime = movetime.saturating_sub(overhead).max(tm::LEAST);
            hard = Some(hard.map_or(movetime, |hard| hard.min(movetime)));
        }
        let start = Instant::now();
        TimeManager {
            start,
            own: start,
            pondering,
            soft,
            hard,
        }
    }

    /// Time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Is there so little time that it must be looked at often?
    pub(super) fn is_short(&self) -> bool {
        self.hard.is_some_and(|hard| hard < tm::HURRY)
    }

    /// Is it the opponent's time? When that is over, the own clock begins to run.
    pub(super) fn is_pondering(&mut self) -> bool {
        let Some(pondering) = &self.pondering else { return false };
        if pondering.load(Ordering::Relaxed) {
            return true;
        }
        self.pondering = None;
        self.own = Instant::now();
        // What was thought on the opponent's time need not be thought again.
        if self.soft.is_some_and(|soft| self.elapsed() >= soft) {
            self.hard = Some(Duration::ZERO);
        }
        false
    }

    /// Must the search stop now?
    pub(super) fn is_over(&mut self) -> bool {
        !self.is_pondering() && self.hard.is_some_and(|hard| self.own.elapsed() >= hard)
    }

    /// May another iteration begin, after what the last one took?
    pub(super) fn allows_another_iteration(&mut self, effort: Effort) -> bool {
        if self.is_pondering() {
            return true;
        }
        self.soft
            .is_none_or(|soft| self.elapsed() < soft.mul_f64(effort.factor()))
    }
}

/// What the last iteration says of how much more time a move is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Iterations for which the best move has stood.
    pub(super) steadiness: u32,
    /// The share of nodes that the best move took, 0 to 1.
    pub(super) share: f64,
    /// Centipawns that the score has fallen by; 0 when it has risen.
    pub(super) fall: i32,
}

impl Effort {
    /// The part of a share of time to use: the less, the longer the best move has stood and the more of the nodes it took;
    /// more when things go wrong.
    fn factor(self) -> f64 {
        let percent = |number: i32| f64::from(number) / 100.0;
        let step = p::time_stability_step().saturating_mul(self.steadiness.min(100) as i32);
        let steady = percent((p::time_stability_base() - step).max(p::time_stability_min()));
        let share = (percent(p::time_node_share_base()) - percent(p::time_node_share_slope()) * self.share).max(0.1);
        let fall = 1.0 + percent(p::time_score_drop()) * f64::from(self.fall.min(100)) / 10.0;
        (steady * share * fall).clamp(0.1, 2.5)
    }
}

/// The share of the clock to aim at for one move, and the most that it may take.
fn share(clock: ClockLimits, overhead: Duration) -> (Duration, Duration) {
    let available = clock.remaining.saturating_sub(overhead).max(tm::LEAST);
    let ahead = clock.moves_to_go.unwrap_or(tm::MOVES_AHEAD).max(1);
    // What the moves to come lose beyond what they gain; how many there will be is known only up to the next control.
    let lost = overhead.saturating_sub(clock.increment) * (ahead - 1);
    let kept = if clock.moves_to_go.is_some() {
        lost
    } else {
        lost.min(available * 9 / 10)
    };
    let usable = available.saturating_sub(kept).max(tm::LEAST);
    let gained = clock.increment.saturating_sub(overhead) * tm::INCREMENT_PERCENT / 100;
    // Never more than a part of what is left, unless the next move brings new time anyway.
    let part = if ahead == 1 {
        tm::LAST_MOVE_PERCENT
    } else {
        tm::MOST_PERCENT
    };
    let most = (usable * part / 100).max(tm::LEAST);
    let share = (usable / ahead.min(tm::MOVES_AHEAD) + gained).min(most).max(tm::LEAST);
    (share, (share * tm::HARD_FACTOR).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEADY: Effort = Effort {
        steadiness: 9,
        share: 0.9,
        fall: 0,
    };
    const UNSTEADY: Effort = Effort {
        steadiness: 0,
        share: 0.2,
        fall: 50,
    };

    #[test]
    fn steady_moves_take_less_time() {
        assert!(STEADY.factor() < 0.8 && UNSTEADY.factor() > 1.5);
        let wild = Effort {
            fall: i32::MAX,
            ..UNSTEADY
        };
        assert!(wild.factor() <= 2.5);
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn no_clock_is_ever_overrun() {
        for remaining in [0, 1, 20, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let clock = ClockLimits {
                        remaining: ms(remaining),
                        increment: ms(increment),
                        moves_to_go,
                    };
                    let (soft, hard) = share(clock, ms(10));
                    assert!(soft <= hard, "{clock:?}");
                    assert!(
                        hard <= ms(remaining.saturating_sub(10)).max(tm::LEAST),
                        "{clock:?}: {hard:?}"
                    );
                }
            }
        }
    }

    /// Plays moves that each take all the time they may, and lose `lag` with each. Gives the number of moves until the clock
    /// has run out, at most `moves`.
    fn survive(base: u64, increment: u64, control: Option<u32>, lag: Duration, moves: u32) -> u32 {
        let overhead = ms(10);
        let mut remaining = ms(base);
        for number in 0..moves {
            let moves_to_go = control.map(|control| control - number % control);
            if number > 0 && moves_to_go == control && control.is_some() {
                remaining += ms(base);
            }
            let clock = ClockLimits {
                remaining,
                increment: ms(increment),
                moves_to_go,
            };
            let spent = share(clock, overhead).1 + lag;
            match remaining.checked_sub(spent) {
                Some(left) => remaining = left + ms(increment),
                None => return number,
            }
        }
        moves
    }

    #[test]
    fn clocks_last_however_long_the_game() {
        // Lag as large as it is said to be, as long as the increment pays for it.
        assert_eq!(survive(1000, 10, None, ms(9), 300), 300);
        assert_eq!(survive(10_000, 100, None, ms(10), 300), 300);
        assert_eq!(survive(100, 15, None, ms(10), 300), 300);
        for control in [1, 2, 5, 40] {
            assert_eq!(survive(1000, 0, Some(control), ms(9), 300), 300, "{control}");
        }
        // Without any increment the time of each move shrinks until it is next to nothing.
        assert_eq!(survive(100, 0, None, Duration::ZERO, 150), 150);
        assert!(survive(10_000, 0, None, ms(1), 300) > 130);
        assert!(survive(60_000, 0, None, ms(1), 300) > 130);
    }

    #[test]
    fn the_opponents_time_is_not_ones_own() {
        let limits = Limits {
            movetime: Some(ms(10)),
            ..Limits::default()
        };
        let pondering = Arc::new(AtomicBool::new(true));
        let mut clock = TimeManager::start(&limits, ms(10), Some(pondering.clone()));
        std::thread::sleep(ms(5));
        assert!(!clock.is_over() && clock.is_pondering() && clock.is_short());
        pondering.store(false, Ordering::Relaxed);
        assert!(!clock.is_pondering());
        std::thread::sleep(ms(5));
        assert!(clock.is_over());
        // What was thought while waiting counts: when a share of the time has passed, it moves at once.
        let limits = Limits {
            clock: Some(ClockLimits {
                remaining: ms(28_010),
                increment: Duration::ZERO,
                moves_to_go: None,
            }),
            ..Limits::default()
        };
        let pondering = Arc::new(AtomicBool::new(true));
        let mut clock = TimeManager::start(&limits, ms(10), Some(pondering.clone()));
        clock.start -= ms(5000);
        assert!(!clock.is_over() && clock.allows_another_iteration(STEADY));
        pondering.store(false, Ordering::Relaxed);
        assert!(clock.is_over() && !clock.allows_another_iteration(UNSTEADY));
    }

    #[test]
    fn an_increment_is_spent() {
        let clock = |increment| ClockLimits {
            remaining: ms(60_000),
            increment: ms(increment),
            moves_to_go: None,
        };
        assert!(share(clock(2000), ms(10)).0 > share(clock(0), ms(10)).0 + ms(1000));
    }
}
