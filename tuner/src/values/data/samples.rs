//! Quiet positions as samples of the regressors.

use std::sync::Arc;

use assay_selfplay::positions::Ply;

use super::Regressor;

/// Quiet positions of one game with the same material and side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialSample {
    /// Number of positions.
    pub positions: u32,
    /// Pieces on the board and in pockets, without kings.
    pub pieces: u16,
    /// Value of each regressor, a multiple of 1/2.
    pub values: Arc<[f32]>,
}

/// Value of each regressor in a position.
pub(super) fn values(ply: &Ply, regressors: &[Regressor]) -> Arc<[f32]> {
    let values = regressors.iter().map(|regressor| regressor.value(&ply.material, ply.side) as f32);
    values.collect()
}

/// Samples of the quiet positions, in order of first occurrence. Equal positions close to each
/// other are merged.
pub(super) fn samples(plies: &[Ply], quiet: &[usize], regressors: &[Regressor]) -> Vec<MaterialSample> {
    let mut samples: Vec<MaterialSample> = Vec::new();
    for ply in quiet.iter().map(|&ply| &plies[ply]) {
        let values = values(ply, regressors);
        let pieces = ply.material.pieces() as u16;
        let known = samples.iter_mut().rev().take(4).find(|sample| sample.pieces == pieces && sample.values == values);
        match known {
            Some(sample) => sample.positions += 1,
            None => samples.push(MaterialSample { positions: 1, pieces, values }),
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use assay_rules::{GameDef, Position, uci};

    use super::*;

    #[test]
    fn equal_positions_are_merged() {
        let chess = GameDef::builtin("chess").unwrap();
        let mut position = Position::start(&chess);
        let mut plies = vec![Ply::from(&position)];
        for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3"] {
            position = position.play(uci::parse(&position, text).unwrap());
            plies.push(Ply::from(&position));
        }
        let found = samples(&plies, &[2, 3, 4, 5, 6], &Regressor::all(&chess));
        let counts: Vec<(u32, u16)> = found.iter().map(|sample| (sample.positions, sample.pieces)).collect();
        // White to move three times, Black twice.
        assert_eq!(counts, [(3, 30), (2, 30)]);
    }
}
