//! One module for each target: `target` checks one input, `seeds` returns the initial inputs.

mod common;

pub mod cecp;
pub mod cecp_session;
pub mod definition;
pub mod fen;
pub mod generators;
pub mod network;
pub mod pgn;
pub mod record;
pub mod san;
pub mod store;
pub mod suite;
pub mod uci;
pub mod uci_move;
pub mod uci_session;
pub mod weights;
pub mod xbetza;

use crate::seeds;

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    /// Checks one input; panics on a bug.
    pub run: fn(&[u8]),
    /// Initial inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

impl Target {
    /// The seeds, and the files in `regressions/`.
    pub fn inputs(&self) -> Vec<Vec<u8>> {
        let mut inputs = (self.seeds)();
        inputs.extend(seeds::files("", &[&format!("fuzz/regressions/{}", self.name)]));
        inputs
    }
}

macro_rules! targets {
    ($($name:ident)*) => {
        /// All targets.
        pub const TARGETS: &[Target] = &[
            $(Target { name: stringify!($name), run: $name::target, seeds: $name::seeds }),*
        ];
    };
}

targets! {
    xbetza definition fen generators uci_move san pgn suite uci uci_session cecp cecp_session weights network record store
}

/// Returns the target of this name.
pub fn find(name: &str) -> Option<Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}

#[cfg(test)]
mod tests {
    use super::TARGETS;

    /// Every seed and every input that once failed.
    #[test]
    fn known_inputs_pass() {
        for target in TARGETS {
            let inputs = target.inputs();
            assert!(!inputs.is_empty(), "{}: no inputs", target.name);
            for input in inputs {
                (target.run)(&input);
            }
        }
    }

    #[test]
    fn every_target_has_a_libfuzzer_binary() {
        let manifest = include_str!("../Cargo.toml");
        for target in TARGETS {
            let path = format!("path = \"fuzz_targets/{}.rs\"", target.name);
            assert!(manifest.contains(&path), "{}", target.name);
        }
    }
}
