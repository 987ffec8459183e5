//! Every number that shapes the search, in one place. Depths are in plies, margins in centipawns.
//!
//! With the feature `tune` each can be set from outside as a UCI option of its own name, so that matches can find better
//! numbers, and show what a part of the search is worth by turning it off. Without the feature they are constants.

/// The time manager.
pub(crate) mod time {
    use std::time::Duration;

    /// The least time any search gets.
    pub(crate) const LEAST: Duration = Duration::from_micros(100);
    /// Between two looks at the stop flag when there is nothing left to find.
    pub(crate) const NAP: Duration = Duration::from_millis(1);
    /// For how many moves the clock must last when nobody says.
    pub(crate) const MOVES_AHEAD: u32 = 28;
    /// The part of the increment that is spent, in percent.
    pub(crate) const INCREMENT_PERCENT: u32 = 75;
    /// The most of the remaining time that one move may take, in percent.
    pub(crate) const MOST_PERCENT: u32 = 45;
    /// The same when the move is the last before new time comes.
    pub(crate) const LAST_MOVE_PERCENT: u32 = 80;
    /// How many shares the search may take when it is in the middle of an iteration.
    pub(crate) const HARD_FACTOR: u32 = 4;
    /// After so long a search tells more than its finished iterations.
    pub(crate) const TELL_MORE_AFTER: Duration = Duration::from_secs(3);
    /// Nodes between two looks at the clock and at the stop flag; a power of two.
    pub(crate) const CHECK_INTERVAL: u64 = 512;
    /// The same when there is less time than [`HURRY`].
    pub(crate) const HURRIED_INTERVAL: u64 = 32;
    /// So little time that a late look at the clock would matter.
    pub(crate) const HURRY: Duration = Duration::from_millis(50);
}

/// The most a history counter holds, either way.
pub(crate) const HISTORY_LIMIT: i32 = 16_384;

/// The most a correction counter holds, either way.
pub(crate) const CORRECTION_LIMIT: i32 = 1024;

/// With so few pieces on its own side a quiet side to move is looked at for stalemate in the quiescence search.
pub(crate) const STALEMATE_MEN: u32 = 3;

/// A number of the search that can be set in builds with the feature `tune`.
#[cfg(feature = "tune")]
pub struct Parameter {
    /// Its name, also the option's.
    pub name: &'static str,
    /// What it is when nobody sets it.
    pub default: i32,
    /// The least and the most it may be.
    pub range: std::ops::RangeInclusive<i32>,
    value: &'static std::sync::atomic::AtomicI32,
}

#[cfg(feature = "tune")]
impl Parameter {
    /// Sets it for all searches of this process.
    ///
    /// # Errors
    /// When the value is out of range; says what was expected.
    pub fn set(&self, value: i32) -> Result<(), String> {
        if !self.range.contains(&value) {
            return Err(format!("{}: found {value}, expected {:?}", self.name, self.range));
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
            $(pub(super) static $name: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new($default);)+
        }

        $(
            $(#[doc = $doc])+
            #[cfg(feature = "tune")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                values::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )+

        /// All numbers that can be set.
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
    /// The part of a share of time that is used when the best move has just changed, in percent.
    time_stability_base = 150, 10..=300;
    /// How much less for each iteration that it has stood.
    time_stability_step = 8, 0..=50;
    /// The least of it.
    time_stability_min = 85, 1..=300;
    /// How much of a share is used when the best move took none of the iteration's nodes, in percent...
    time_node_share_base = 200, 50..=400;
    /// ...and how much less when it took all.
    time_node_share_slope = 130, 0..=300;
    /// A share is used longer by this many percent for each 10 centipawns that the score has fallen since the last iteration.
    time_score_drop = 6, 0..=50;

    /// The first iteration with a window around the last score.
    aspiration_depth = 4, 1..=64;
    /// Half of the first window.
    aspiration_delta = 14, 1..=500;
    /// How much wider a window gets that the score has left, in percent.
    aspiration_widening = 70, 10..=400;
    /// A half window beyond this is opened altogether.
    aspiration_max_delta = 600, 50..=5000;

    /// Reverse futility: the greatest depth at which an evaluation far above beta ends the node; 0: never.
    rfp_depth = 8, 0..=64;
    /// How far above beta, for each ply of depth.
    rfp_margin = 70, 0..=500;
    /// Razoring: the greatest depth at which an evaluation far below alpha is left to the quiescence search; 0: never.
    razoring_depth = 4, 0..=64;
    /// How far below alpha...
    razoring_base = 180, 0..=2000;
    /// ...and more for each ply of depth squared.
    razoring_slope = 90, 0..=1000;
    /// Null move: the least depth.
    nmp_depth = 3, 1..=200;
    /// How far the evaluation may be below beta at depth 0...
    nmp_margin_base = 60, 0..=1000;
    /// ...and less for each ply of depth.
    nmp_margin_slope = 12, 0..=200;
    /// Null move: plies taken off...
    nmp_reduction_base = 4, 1..=16;
    /// ...and one more for so many plies of depth...
    nmp_depth_divisor = 3, 1..=32;
    /// ...and for so many centipawns above beta, at most three.
    nmp_eval_divisor = 180, 10..=2000;
    /// Null move: from this depth on the cutoff is confirmed by a search without it.
    nmp_verification_depth = 12, 1..=200;
    /// Internal iterative reduction: without a move from the table the search goes one ply less deep, from this depth on.
    iir_depth = 4, 1..=200;
    /// `ProbCut`: the least depth at which a capture whose shallow search is far above beta ends the node.
    probcut_depth = 5, 4..=200;
    /// How far above beta.
    probcut_margin = 170, 0..=2000;

    /// Singular extension: the least depth at which the table's move is tested for being the only good one.
    singular_depth = 7, 4..=200;
    /// How far below the table's score all others must be, in eighths of a centipawn for each ply of depth.
    singular_margin = 16, 0..=200;
    /// How much further for a second ply of extension.
    double_extension_margin = 24, 0..=1000;

    /// Late move pruning: the greatest depth at which quiet moves are left out after enough have been tried; 0: never.
    lmp_depth = 8, 0..=64;
    /// Quiet moves tried before the rest is left out: so many, and the depth's square; half of it when not improving.
    lmp_base = 4, 0..=100;
    /// Futility: the greatest reduced depth at which quiet moves are left out when the evaluation is far below alpha.
    futility_depth = 8, 0..=64;
    /// How far...
    futility_base = 90, 0..=1000;
    /// ...and more for each ply of reduced depth.
    futility_slope = 80, 0..=1000;
    /// History pruning: the greatest reduced depth at which quiet moves that were bad elsewhere are left out; 0: never.
    history_pruning_depth = 4, 0..=64;
    /// How bad, for each ply of depth.
    history_pruning_margin = 5000, 0..=50_000;
    /// Exchange pruning: the greatest depth; 0: never.
    see_pruning_depth = 8, 0..=64;
    /// What a capture may lose by exchange, for each ply of depth.
    see_capture_margin = 90, 0..=1000;
    /// What a quiet move may lose by exchange, for each ply of reduced depth squared.
    see_quiet_margin = 22, 0..=1000;

    /// Late move reduction: the least depth.
    lmr_depth = 2, 1..=64;
    /// The number of the first reduced move, from 0.
    lmr_first_move = 2, 1..=64;
    /// The reduction is this, in 1024ths of a ply...
    lmr_base = 800, 0..=8192;
    /// ...and the product of the logarithms of depth and move number over this hundredth...
    lmr_divisor = 150, 50..=2000;
    /// ...less when the line is principal...
    lmr_pv = 1024, 0..=4096;
    /// ...more when a cutoff is expected...
    lmr_cut_node = 1200, 0..=4096;
    /// ...more when the evaluation does not improve...
    lmr_not_improving = 700, 0..=4096;
    /// ...more when the table's move is a capture...
    lmr_tt_capture = 700, 0..=4096;
    /// ...less for a killer...
    lmr_killer = 900, 0..=4096;
    /// ...less for a move that gives check...
    lmr_check = 1024, 0..=4096;
    /// ...less for captures...
    lmr_capture = 900, 0..=4096;
    /// ...and one ply less or more for so much history.
    lmr_history_divisor = 9000, 500..=100_000;
    /// A reduced move that is better by so much is searched a ply deeper than others.
    lmr_deeper_margin = 45, 0..=1000;
    /// A reduced move that is better by no more than this is searched a ply less deep.
    lmr_shallower_margin = 8, 0..=1000;

    /// A capture that cannot bring the evaluation to within this of alpha is left out of the quiescence search.
    qs_delta_margin = 160, 0..=2000;
    /// After so many plies the quiescence search looks at nothing but recaptures.
    qs_recapture_ply = 7, 0..=127;

    /// The bonus of a cutoff: this for each ply of depth...
    history_bonus_slope = 280, 0..=5000;
    /// ...less this...
    history_bonus_offset = 180, 0..=5000;
    /// ...but at most this.
    history_bonus_max = 2200, 1..=10000;
    /// What history after the opponent's last move counts, in percent.
    cont_history_1_weight = 100, 0..=400;
    /// What history after the own last move counts, in percent.
    cont_history_2_weight = 100, 0..=400;
    /// The most that the evaluation is corrected by what searches of like pawns have found.
    pawn_correction_weight = 50, 0..=300;
    /// The most that it is corrected by what searches after the same two moves have found.
    continuation_correction_weight = 40, 0..=300;
    /// What captures' history counts in their order, in percent.
    capture_history_weight = 100, 0..=400;
}
