//! Renderings of results: text for the terminal, HTML pages with charts, and tables for documents.
//!
//! Everything here works from the typed results alone, so a report can be rendered again from its JSON.

pub mod claims;
pub mod comparison;
pub mod format;
pub mod html;
pub mod ladder;
pub mod overview;
mod rows;
pub mod sentences;
pub mod tables;
pub mod text;
