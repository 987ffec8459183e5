//! Pictures of positions and of the pieces' moves.

pub mod diagram;
mod glyphs;
pub mod moves;
pub mod svg;
