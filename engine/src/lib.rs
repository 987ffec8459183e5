//! Assay's engine: chess games defined as data, played on bitboards.
//!
//! A game's [`Tables`] are built once from its definition; a [`Position`] generates exactly the legal moves, makes and
//! unmakes them, and counts with [`Position::perft`]. Programs choose the ruleset once, at their edge, with [`dispatch()`].

pub mod bench;
pub mod bitboard;
pub mod eval;
pub mod moves;
pub mod nnue;
pub mod perft;
mod platform;
pub mod position;
pub mod protocol;
pub mod registry;
pub mod ruleset;
pub mod search;
pub mod tables;

pub use bitboard::{Bitboard, BitboardWord};
pub use eval::{Evaluator, Score, Weights};
pub use moves::{Move, MoveList};
pub use nnue::{FloatNetwork, Network, NetworkError};
pub use perft::PerftTable;
pub use platform::CpuFeatures;
pub use position::Position;
pub use registry::{CompiledRuleset, LoadError, Visitor, dispatch, dispatch_general, load_game};
pub use ruleset::Ruleset;
pub use search::{Bound, ClockLimits, Limits, PvInfo, SearchInfo, SearchResult, Searcher};
pub use tables::Tables;
