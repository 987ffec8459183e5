//! Assay's engine: bitboard move generation, evaluation and search for chess variants defined as
//! data.
//!
//! [`Tables`] are built once from the definition of a game. A [`Position`] generates legal moves,
//! makes and unmakes them; a [`Searcher`] searches it. Both are generic over a [`Ruleset`], the
//! compile-time facts about a game, which a program selects once with [`dispatch()`].
//!
//! Modules, each depending only on those above it:
//!
//! - [`bitboard`], [`moves`]: sets of squares, packed moves
//! - [`mod@file`]: reading files named by the user
//! - [`ruleset`]: compile-time facts about each game
//! - [`tables`]: attack tables, Zobrist keys
//! - [`position`]: move generation, make and unmake, results
//! - [`perft`]: counting move sequences
//! - [`eval`], [`nnue`]: linear and network evaluation
//! - [`search`]: alpha-beta search
//! - [`registry`]: loading games, choosing the ruleset, compiling everything for each ruleset
//! - [`mod@bench`], [`endgame`], [`protocol`]: bench signature, endgames solved exactly, UCI and
//!   CECP
//!
//! Without the feature `search`, which is on by default, there are only the modules above `eval`,
//! and `registry`: what perft needs.

#![cfg_attr(
    not(feature = "search"),
    allow(dead_code, unused_imports, reason = "the search uses more of a position than perft does")
)]

#[cfg(feature = "search")]
pub mod bench;
pub mod bitboard;
#[cfg(feature = "search")]
pub mod endgame;
#[cfg(feature = "search")]
pub mod eval;
pub mod file;
pub mod moves;
#[cfg(feature = "search")]
pub mod nnue;
pub mod perft;
mod platform;
pub mod position;
#[cfg(feature = "search")]
pub mod protocol;
pub mod registry;
pub mod ruleset;
#[cfg(feature = "search")]
pub mod search;
pub mod tables;

pub use bitboard::{Bitboard, BitboardWord};
#[cfg(feature = "search")]
pub use eval::{Evaluator, Score, Weights};
pub use moves::{Move, MoveList};
#[cfg(feature = "search")]
pub use nnue::{FloatNetwork, Network};
pub use perft::PerftTable;
pub use platform::{UnsupportedProcessor, check_processor, processor_has_x86_64_v3};
pub use position::Position;
pub use registry::{CompiledRuleset, LoadError, Visitor, dispatch, dispatch_general, load_game, read_definition};
pub use ruleset::Ruleset;
#[cfg(feature = "search")]
pub use search::{Bound, ClockLimits, HashError, Limits, PvInfo, SearchInfo, SearchResult, Searcher, Strength};
pub use tables::Tables;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
