//! Checks of a definition, for a worker.

use std::sync::atomic::AtomicBool;

use assay_perft::generator::{CountMode, Generators};
use assay_perft::walk::lockstep::{GameResult, WalkSettings, play_game};
use assay_perft::walk::report::Report;
use assay_rules::Position;
use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::definition::Definition;

/// Both generators of a game, and the random games so far.
#[wasm_bindgen]
pub struct Checker {
    definition: Definition,
    generators: Generators,
    settings: WalkSettings,
    results: Vec<GameResult>,
}

#[wasm_bindgen]
impl Checker {
    #[wasm_bindgen(constructor)]
    pub fn new(definition: &Definition, seed: u32) -> Checker {
        Checker {
            definition: definition.clone(),
            generators: Generators::new(definition.game()),
            settings: WalkSettings::of_check(seed.into()),
            results: Vec::new(),
        }
    }

    /// Number of legal games of so many plies from the start.
    pub fn perft(&self, depth: u32) -> f64 {
        let mut node = self.generators.engine.node(&Position::start(self.definition.game()));
        node.perft(depth, &CountMode::default(), &AtomicBool::new(false)).unwrap_or_default() as f64
    }

    /// Plays more random games with both generators. Returns what all of them show.
    pub fn walk(&mut self, games: u32) -> String {
        let game = self.definition.game();
        for _ in 0..games {
            let (index, stop) = (self.results.len() as u64, AtomicBool::new(false));
            let result = play_game(game, &self.generators, &self.settings, index, &stop);
            let differs = result.difference.is_some();
            self.results.push(result);
            if differs {
                break;
            }
        }
        let report = Report::new(game, &self.results, false);
        json!({ "games": self.results.len(), "agree": report.agree, "text": report.text(self.settings.seed) })
            .to_string()
    }
}
