//! Matches between two engines, judged by Assay's rules.
//!
//! - [`settings`]: everything that a match is told. [`run`] plays it; [`store`] keeps it; [`standing`] counts it.
//! - [`referee`] knows what is legal and when a game is over, [`arbiter`] plays one game, [`adjudicate`] may cut it short.
//! - [`contestant`] is an engine as the arbiter sees it: [`builtin`] in this process, [`uci`] a program in its own [`process`].
//! - [`fault`] is what an engine can do wrong, [`dialect`] how it writes positions, [`limits`] how long it may think.
//! - [`report`], [`pgn`] and [`html`] tell of it.

pub mod adjudicate;
pub mod arbiter;
pub mod book;
pub mod builtin;
pub mod contestant;
pub mod dialect;
pub mod ending;
pub mod fault;
pub mod html;
pub mod limits;
mod openings;
pub mod pgn;
pub mod process;
mod reading;
pub mod record;
pub mod referee;
pub mod report;
pub mod run;
mod seat;
pub mod settings;
pub mod standing;
pub mod store;
pub mod trust;
pub mod uci;

pub use openings::MatchOpeningsError;
pub use run::{MatchError, MatchProgress, MatchSummary, Place, play_match};
pub use settings::MatchSettings;
pub use standing::Standing;
