//! All tests of the crate in one program, which is linked once and runs long tests beside each
//! other.

mod betza;
mod fairy_ini;
mod fen;
mod marks;
mod module_cycles;
mod notation;
mod notation_properties;
mod perft;
mod render;
mod text;
mod uci;
