//! Move ordering: the move picker, the histories that it sorts quiet moves by, and static exchange
//! evaluation.

pub(super) mod history;
pub(super) mod movepick;
pub mod see;
