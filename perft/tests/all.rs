//! All tests of the crate in one program, which is linked once and runs long tests beside each
//! other.

mod bad_input;
mod bench;
mod check;
#[cfg(unix)]
mod ci_example;
mod common;
#[cfg(unix)]
mod compare;
#[cfg(unix)]
mod conditions;
mod count;
mod define_a_game;
mod help;
#[cfg(unix)]
mod interrupt;
#[cfg(unix)]
mod lying_engines;
mod lying_generators;
#[cfg_attr(not(unix), expect(dead_code, reason = "engines are tested on Unix"))]
mod mutants;
mod schema;
mod show;
mod verify;
mod walk;
