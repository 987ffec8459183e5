//! All tests of the crate in one program, which is linked once and runs long tests beside each
//! other. `memory.rs`, which counts the allocations of its whole process, is one of its own.

mod bare_king;
mod bench_signature;
mod cases;
mod endgame;
mod many_moves;
mod perft;
mod program;
mod walk;
