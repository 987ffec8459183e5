//! Assay's engine: chess games defined as data, played on bitboards.
//!
//! A game's [`Tables`] are built once from its definition; a [`Position`] generates exactly the legal moves, makes and
//! unmakes them, and counts with [`Position::perft`]. Programs choose the ruleset once, at their edge, with [`dispatch()`].

pub mod bench;
pub mod bitboard;
pub mod cecp;
pub mod dispatch;
pub mod eval;
pub mod genfens;
pub mod load;
pub mod movelist;
pub mod mv;
pub mod network;
mod pages;
pub mod perft;
pub mod perft_table;
pub mod position;
pub mod processor;
pub mod protocol;
pub mod recipe;
pub mod ruleset;
pub mod score;
pub mod search;
pub mod see;
pub mod tables;
pub mod uci;
pub mod word;

pub use bitboard::Bitboard;
pub use dispatch::{Visitor, dispatch, dispatch_general};
pub use eval::{Evaluator, Weights};
pub use load::load_game;
pub use movelist::MoveList;
pub use mv::Move;
pub use network::{FloatNetwork, Network, NetworkError};
pub use perft_table::PerftTable;
pub use position::Position;
pub use processor::Processor;
pub use ruleset::Ruleset;
pub use score::Score;
pub use search::{Bound, ClockLimits, Limits, PvInfo, SearchInfo, SearchResult, Searcher};
pub use tables::Tables;
pub use word::Word;
