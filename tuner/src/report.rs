//! Reports on results.
//!
//! Each result is turned into a [`Page`](assay_cli::page::Page) once, a list of sections with
//! sentences, tables and pictures, which is rendered as text for a terminal or as HTML. Everything here works from the
//! typed results alone, so a report can be made again from JSON.

mod armies;
pub mod atlas;
pub mod claims;
mod comparison;
pub mod format;
mod html {
    pub(super) mod board;
    pub(super) mod charts;
    pub(super) mod maps;
    pub(super) mod pieces;
    pub(super) mod viewer;
}
mod ladder;
mod measurement;
mod overview;
mod playtest;
pub mod sentences;
mod summary;

pub use armies::armies;
pub use comparison::comparison;
pub use ladder::ladder;
pub use measurement::measurement;
pub use overview::{overview, picture};
pub use playtest::{both_methods, playtest};
pub use summary::{remarks, shares, summary};
