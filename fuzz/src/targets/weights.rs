//! Weights files: weights are written and read back, and evaluate positions without overflow.

use assay_engine::eval::Weights;
use assay_rules::def::BUILTIN_NAMES;

use super::common;
use crate::seeds;

pub fn target(data: &[u8]) {
    let Some((game, text)) = common::game_and_text(data) else {
        return;
    };
    match Weights::from_toml(&game, &text) {
        Ok(weights) => {
            let printed = weights.to_toml();
            let again = Weights::from_toml(&game, &printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
            assert_eq!(again.to_toml(), printed);
            assert_eq!(again.source(), weights.source());
            common::evaluate_start(&game, &common::Model::Weights(&weights));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let file = |name: &&str| common::with_game(name, &seeds::read(&format!("engine/weights/{name}.toml")));
    BUILTIN_NAMES.iter().map(file).collect()
}
