//! A common interface to the two generators.

mod count;
mod engine;
mod kind;
mod node;
mod rules;

pub use count::{CountMode, CountOptions};
pub use kind::{GeneratorKind, Generators, new};
pub use node::{Generator, Node};
