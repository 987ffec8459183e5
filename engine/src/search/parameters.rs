//! Every number that shapes the search, in one place. Depths are in plies, margins in centipawns.

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
    /// The part of a share that is used when the best move has just changed, in percent.
    pub(crate) const UNSTEADY_PERCENT: u32 = 90;
    /// How much less for each iteration that it has stood.
    pub(crate) const STEADY_STEP_PERCENT: u32 = 8;
    /// The least part of a share that is used.
    pub(crate) const STEADY_PERCENT: u32 = 35;
    /// After so long a search tells more than its finished iterations.
    pub(crate) const TELL_MORE_AFTER: Duration = Duration::from_secs(3);
    /// Nodes between two looks at the clock and at the stop flag; a power of two.
    pub(crate) const CHECK_INTERVAL: u64 = 512;
    /// The same when there is less time than [`HURRY`].
    pub(crate) const HURRIED_INTERVAL: u64 = 32;
    /// So little time that a late look at the clock would matter.
    pub(crate) const HURRY: Duration = Duration::from_millis(50);
}

/// Iterations and their windows.
pub(crate) mod aspiration {
    /// The first iteration with a window around the last score.
    pub(crate) const FROM_DEPTH: i32 = 4;
    /// Half of the first window.
    pub(crate) const WIDTH: i32 = 18;
    /// A half window beyond this is opened altogether.
    pub(crate) const WIDEST: i32 = 600;
}

/// Pruning whole nodes by their evaluation.
pub(crate) mod node {
    /// Reverse futility: the greatest depth at which an evaluation far above beta ends the node.
    pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 7;
    /// How far above beta, for each ply of depth.
    pub(crate) const REVERSE_FUTILITY_MARGIN: i32 = 75;
    /// Razoring: the greatest depth at which an evaluation far below alpha is left to the quiescence search.
    pub(crate) const RAZOR_DEPTH: i32 = 3;
    /// How far below alpha, at depth 0 and for each ply of depth.
    pub(crate) const RAZOR_MARGIN: (i32, i32) = (180, 160);
    /// Null move: the least depth.
    pub(crate) const NULL_DEPTH: i32 = 3;
    /// Null move: plies taken off, and one more for so many plies of depth.
    pub(crate) const NULL_REDUCTION: (i32, i32) = (3, 4);
    /// Null move: one ply more for so many centipawns above beta, at most so often.
    pub(crate) const NULL_MARGIN: (i32, i32) = (200, 3);
    /// Null move: from this depth on the cutoff is confirmed by a search without it.
    pub(crate) const NULL_VERIFY_DEPTH: i32 = 12;
    /// Without a move from the table the search goes one ply less deep, from this depth on.
    pub(crate) const NO_MOVE_DEPTH: i32 = 4;
}

/// Pruning and reducing moves.
pub(crate) mod moves {
    /// Futility: the greatest depth at which quiet moves are left out when the evaluation is far below alpha.
    pub(crate) const FUTILITY_DEPTH: i32 = 6;
    /// How far, at depth 0 and for each ply of depth.
    pub(crate) const FUTILITY_MARGIN: (i32, i32) = (90, 85);
    /// Move count pruning: the greatest depth.
    pub(crate) const COUNT_DEPTH: i32 = 6;
    /// Quiet moves tried before the rest is left out: so many, and the depth's square.
    pub(crate) const COUNT_BASE: i32 = 14;
    /// Exchange pruning: the greatest depth.
    pub(crate) const EXCHANGE_DEPTH: i32 = 6;
    /// What a capture may lose by exchange, for each ply of depth.
    pub(crate) const EXCHANGE_CAPTURE: i32 = 90;
    /// What a quiet move may lose by exchange, for each ply of depth.
    pub(crate) const EXCHANGE_QUIET: i32 = 50;
    /// Late move reduction: the least depth, and the number of the first reduced move.
    pub(crate) const REDUCTION_FROM: (i32, usize) = (3, 3);
    /// The reduction is `base + ln(depth) * ln(move number) / divisor`.
    pub(crate) const REDUCTION_BASE: f64 = 0.55;
    /// See [`REDUCTION_BASE`].
    pub(crate) const REDUCTION_DIVISOR: f64 = 2.2;
    /// One ply less or more for so much history.
    pub(crate) const REDUCTION_HISTORY: i32 = 6000;
}

/// The quiescence search.
pub(crate) mod quiescence {
    /// A capture that cannot bring the evaluation to within this of alpha is left out.
    pub(crate) const DELTA_MARGIN: i32 = 160;
    /// With so few men on its own side a quiet side to move is looked at for stalemate.
    pub(crate) const STALEMATE_MEN: u32 = 3;
}

/// The order of moves.
pub(crate) mod order {
    /// The most a history counter holds, either way.
    pub(crate) const HISTORY_LIMIT: i32 = 16_000;
    /// The bonus of a cutoff: this for each ply of depth squared...
    pub(crate) const BONUS_FACTOR: i32 = 24;
    /// ...but at most this.
    pub(crate) const BONUS_LIMIT: i32 = 2000;
}
