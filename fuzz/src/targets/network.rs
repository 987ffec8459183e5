//! Network files: changes to a valid file, with or without corrected length and checksum. A network
//! is written and read back, and evaluates a position without overflow.

use std::sync::{Arc, OnceLock};

use assay_engine::nnue::{FeatureSet, HIDDEN_MULTIPLE, KING_BUCKETS};
use assay_engine::{FloatNetwork, Network};
use assay_rules::GameDef;

use super::common;
use crate::patch::patch;

/// Offset of the file length, after magic bytes and version.
const LENGTH_AT: usize = 12;
const CHECKSUM: usize = blake3::OUT_LEN;

pub fn target(data: &[u8]) {
    let Some((choice, patches)) = common::choose(data, 2 * 6) else {
        return;
    };
    let (game, is_corrected) = (choice / 2, choice % 2 == 0);
    let (game, file) = &files()[game];
    let mut bytes = file.clone();
    if is_corrected {
        bytes.truncate(bytes.len() - CHECKSUM);
    }
    patch(&mut bytes, patches);
    if is_corrected {
        correct(&mut bytes);
    }
    match Network::read(game, &bytes) {
        Ok(network) => {
            assert_eq!(network.to_bytes(), bytes);
            common::evaluate_start(game, &common::Model::Network(&network));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Writes length and checksum.
fn correct(bytes: &mut Vec<u8>) {
    let length = (bytes.len() + CHECKSUM) as u64;
    if let Some(field) = bytes.get_mut(LENGTH_AT - 4..).and_then(|rest| rest.get_mut(4..12)) {
        field.copy_from_slice(&length.to_le_bytes());
    }
    let checksum = blake3::hash(bytes);
    bytes.extend(checksum.as_bytes());
}

/// A valid file for each built-in game.
fn files() -> &'static [(Arc<GameDef>, Vec<u8>)] {
    static FILES: OnceLock<Vec<(Arc<GameDef>, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(|| common::games().into_iter().map(|game| (game.clone(), file(&game))).collect())
}

fn file(game: &GameDef) -> Vec<u8> {
    let mut network = FloatNetwork::zero(FeatureSet::new(game, KING_BUCKETS).inputs(), HIDDEN_MULTIPLE);
    for (index, number) in network.numbers.iter_mut().enumerate() {
        *number = (index % 19) as f32 / 40.0 - 0.2;
    }
    "fuzz".clone_into(&mut network.source);
    network.quantize(game).to_bytes()
}

pub fn seeds() -> Vec<Vec<u8>> {
    (b'0'..b'0' + 12).map(|choice| vec![choice, 0, 0, 20, 5, 1, 0, 40, 7]).collect()
}
