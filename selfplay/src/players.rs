//! Who chooses moves: Assay's engine in this process, or a program that speaks UCI.

pub mod builtin;
pub mod contestant;
pub mod engine_player;
pub mod eval_jitter;
pub mod fen_dialect;
pub mod limits;
pub mod player;
pub mod process;
pub mod slot;
pub mod uci;
