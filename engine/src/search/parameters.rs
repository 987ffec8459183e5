//! Parameters of the search in one table. Depths are in plies, margins in centipawns, percentages
//! as whole numbers.
//!
//! With the feature `tune` each parameter is a UCI option of the same name, for tuning and for
//! ablation tests that switch a technique off. Without the feature they are constants.

#[cfg(feature = "tune")]
use thiserror::Error;

/// Time management.
pub(crate) mod time {
    use std::time::Duration;

    /// Minimum time of a search.
    pub(crate) const MIN_TIME: Duration = Duration::from_micros(100);
    /// Interval at which a finished search that must not end yet polls the stop flag.
    pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(1);
    /// Number of moves that the remaining time must last in sudden death.
    pub(crate) const MOVE_HORIZON: u32 = 28;
    /// Share of the increment that is spent, in percent.
    pub(crate) const INCREMENT_PERCENT: u32 = 75;
    /// Maximum share of the remaining time for one move, in percent.
    pub(crate) const MAX_PERCENT: u32 = 45;
    /// The same for the last move before the time control.
    pub(crate) const LAST_MOVE_MAX_PERCENT: u32 = 80;
    /// Hard limit as a multiple of the soft limit.
    pub(crate) const HARD_LIMIT_FACTOR: u32 = 4;
    /// Time after which a search reports current moves and failed aspiration windows.
    pub(crate) const VERBOSE_AFTER: Duration = Duration::from_secs(3);
    /// Nodes between two checks of clock and stop flag; a power of two.
    pub(crate) const CHECK_INTERVAL: u64 = 512;
    /// The same for searches shorter than [`SHORT_SEARCH`]; a power of two.
    pub(crate) const SHORT_CHECK_INTERVAL: u64 = 32;
    /// Node limit below which limits are checked as often as in short searches: several threads
    /// together exceed it by at most this interval for each thread.
    pub(crate) const FEW_NODES: u64 = 1_000_000;
    /// Hard limit below which the clock is checked more often.
    pub(crate) const SHORT_SEARCH: Duration = Duration::from_millis(50);
}

/// Maximum of a history counter in absolute value.
pub(crate) const HISTORY_MAX: i32 = 16_384;

/// Maximum of a correction-history counter in absolute value.
pub(crate) const CORRECTION_MAX: i32 = 1024;

/// The quiescence search detects stalemate of a side with at most this many pieces.
pub(crate) const QS_STALEMATE_PIECES: u32 = 3;

/// A tunable parameter of the search.
#[cfg(feature = "tune")]
pub struct Parameter {
    /// Name of the parameter and of its UCI option.
    pub name: &'static str,
    /// Value in builds without the feature `tune`.
    pub default: i32,
    /// Allowed values.
    pub range: std::ops::RangeInclusive<i32>,
    value: &'static std::sync::atomic::AtomicI32,
}

/// A parameter value out of range.
#[cfg(feature = "tune")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("option {name}: found {found}, expected {min} to {max}")]
pub struct ParameterError {
    name: &'static str,
    found: i32,
    min: i32,
    max: i32,
}

#[cfg(feature = "tune")]
impl Parameter {
    /// Sets the value for all searches of this process.
    ///
    /// # Errors
    /// Fails if the value is out of range.
    pub fn set(&self, value: i32) -> Result<(), ParameterError> {
        if !self.range.contains(&value) {
            return Err(ParameterError {
                name: self.name,
                found: value,
                min: *self.range.start(),
                max: *self.range.end(),
            });
        }
        self.value.store(value, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    }
}

macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal, $low:literal..=$high:literal;)+) => {
        $(
            $(#[doc = $doc])+
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(crate) const fn $name() -> i32 {
                $default
            }
        )+

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod values {
            $(pub(crate) static $name: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new($default);)+
        }

        $(
            $(#[doc = $doc])+
            #[cfg(feature = "tune")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                values::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )+

        /// All tunable parameters.
        #[cfg(feature = "tune")]
        pub static PARAMETERS: &[Parameter] = &[$(Parameter {
            name: stringify!($name),
            default: $default,
            range: $low..=$high,
            value: &values::$name,
        }),+];

        #[cfg(test)]
        #[test]
        fn defaults_are_in_range() {
            $(assert!(($low..=$high).contains(&$default), stringify!($name));)+
        }
    };
}

parameters! {
    /// Time: percentage of the soft limit used if the best move has just changed.
    time_stability_base = 150, 10..=300;
    /// Time: percentage points subtracted for each iteration with the same best move.
    time_stability_step = 8, 0..=50;
    /// Time: minimum percentage after these subtractions.
    time_stability_min = 85, 1..=300;
    /// Time: percentage of the soft limit used, extrapolated to a best move that took none of the
    /// nodes.
    time_node_share_base = 200, 50..=400;
    /// Time: percentage points subtracted if the best move took all nodes; in proportion if it took
    /// a share.
    time_node_share_slope = 130, 0..=300;
    /// Time: additional percentage for each 10 centipawns that the score has dropped since the last
    /// iteration.
    time_score_drop = 6, 0..=50;

    /// Aspiration windows: minimum depth.
    aspiration_depth = 4, 1..=64;
    /// Aspiration windows: half-width of the first window.
    aspiration_delta = 19, 1..=500;
    /// Aspiration windows: percentage by which the half-width grows after a fail high or low.
    aspiration_widening = 70, 10..=400;
    /// Aspiration windows: half-width beyond which the failing bound becomes infinite.
    aspiration_max_delta = 600, 50..=5000;

    /// Reverse futility pruning: maximum depth; 0 switches it off.
    rfp_depth = 5, 0..=64;
    /// Reverse futility pruning: margin above beta for each ply of depth.
    rfp_margin = 80, 0..=500;
    /// Null-move pruning: minimum depth.
    nmp_depth = 3, 1..=200;
    /// Null-move pruning: margin below beta at depth 0.
    nmp_margin_base = 60, 0..=1000;
    /// Null-move pruning: amount by which this margin shrinks for each ply of depth.
    nmp_margin_slope = 12, 0..=200;
    /// Null-move pruning: depth reduction in plies.
    nmp_reduction_base = 4, 1..=16;
    /// Null-move pruning: plies of depth for each additional ply of reduction.
    nmp_depth_divisor = 3, 1..=32;
    /// Null-move pruning: centipawns above beta for each additional ply of reduction, at most
    /// three.
    nmp_eval_divisor = 155, 10..=2000;
    /// Null-move pruning: minimum depth at which the cutoff is verified.
    nmp_verification_depth = 12, 1..=200;
    /// Internal iterative reduction: minimum depth.
    iir_depth = 5, 1..=200;

    /// Late move pruning: maximum depth; 0 switches it off.
    lmp_depth = 8, 0..=64;
    /// Late move pruning: the move count is this plus the square of the depth, halved if not
    /// improving.
    lmp_base = 6, 0..=100;
    /// Futility pruning: maximum reduced depth.
    futility_depth = 8, 0..=64;
    /// Futility pruning: margin below alpha at depth 0.
    futility_base = 90, 0..=1000;
    /// Futility pruning: additional margin for each ply of reduced depth.
    futility_slope = 80, 0..=1000;
    /// SEE pruning: maximum depth; 0 switches it off.
    see_pruning_depth = 8, 0..=64;
    /// SEE pruning: allowed loss of a quiet move, times the square of the reduced depth.
    see_quiet_margin = 25, 0..=1000;
    /// SEE pruning: allowed loss of a capture for each ply of depth.
    see_capture_margin = 90, 0..=1000;
    /// SEE pruning: allowed loss of a check for each ply of depth.
    see_check_margin = 60, 0..=1000;

    /// Singular extension: minimum depth.
    singular_depth = 6, 4..=200;
    /// Singular extension: margin below the transposition-table score, in eighths of a centipawn
    /// for each ply of depth.
    singular_margin = 16, 0..=200;
    /// Singular extension: additional margin for an extension by two plies.
    double_extension_margin = 24, 0..=1000;

    /// Late move reduction: minimum depth.
    lmr_depth = 2, 1..=64;
    /// Late move reduction: number of the first reduced move, from 0.
    lmr_first_move = 2, 1..=64;
    /// Late move reduction: base, in 1/1024 ply like the terms below.
    lmr_base = 800, 0..=8192;
    /// Late move reduction: divisor of ln(depth) * ln(move number), in hundredths.
    lmr_divisor = 185, 50..=2000;
    /// Late move reduction: subtracted in PV nodes.
    lmr_pv = 900, 0..=4096;
    /// Late move reduction: added in expected cut nodes.
    lmr_cut_node = 1350, 0..=4096;
    /// Late move reduction: added if the static evaluation is not improving.
    lmr_not_improving = 700, 0..=4096;
    /// Late move reduction: added for quiet moves if the transposition-table move is a capture.
    lmr_tt_capture = 700, 0..=4096;
    /// Late move reduction: subtracted for killer moves.
    lmr_killer = 1050, 0..=4096;
    /// Late move reduction: subtracted for check evasions.
    lmr_check = 1200, 0..=4096;
    /// Late move reduction: subtracted for captures and promotions.
    lmr_capture = 900, 0..=4096;
    /// Late move reduction: history score that reduces a move by one ply less.
    lmr_history_divisor = 8500, 500..=100_000;
    /// Late move reduction: margin above alpha for a re-search one ply deeper.
    lmr_deeper_margin = 45, 0..=1000;
    /// Late move reduction: margin above alpha below which the re-search is one ply shallower.
    lmr_shallower_margin = 8, 0..=1000;

    /// Move ordering: score added to a quiet move that gives check.
    check_bonus = 8000, 0..=50_000;
    /// Quiescence search: number of plies in which quiet checks are searched.
    qs_check_plies = 1, 0..=127;
    /// Quiescence search: delta pruning margin.
    qs_delta_margin = 160, 0..=2000;
    /// Quiescence search: ply from which only recaptures are searched.
    qs_recapture_ply = 7, 0..=127;

    /// History: bonus of a cutoff for each ply of depth.
    history_bonus_slope = 280, 0..=5000;
    /// History: amount subtracted from the bonus.
    history_bonus_offset = 180, 0..=5000;
    /// History: maximum bonus.
    history_bonus_max = 2200, 1..=10000;
    /// Continuation history, one ply ago: weight in percent.
    cont_history_1_weight = 100, 0..=400;
    /// Continuation history, two plies ago: weight in percent.
    cont_history_2_weight = 100, 0..=400;
    /// Continuation history, four plies ago: weight in percent.
    cont_history_4_weight = 80, 0..=400;
    /// Capture history: weight in move ordering, in percent.
    capture_history_weight = 100, 0..=400;
    /// Correction history by pawns: maximum correction.
    pawn_correction_weight = 45, 0..=300;
    /// Correction history by each side's pieces other than pawns: maximum correction.
    non_pawn_correction_weight = 40, 0..=300;
    /// Correction history by the last two moves: maximum correction.
    continuation_correction_weight = 34, 0..=300;
}
