//! Pictures of positions and of the pieces' moves.

pub mod description;
pub mod diagram;
mod glyphs;
pub mod moves;
mod pieces;
pub mod svg;
