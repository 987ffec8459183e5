//! Pictures of positions.

pub mod diagram;
mod glyphs;
pub mod svg;
