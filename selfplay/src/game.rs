//! One game: who says what is legal, how a game can end, and what an engine can do wrong.

pub mod end;
pub mod fault;
pub mod match_record;
pub mod state;
pub mod unruled;
