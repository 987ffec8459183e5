//! Export of the design matrix as CSV, so that other programs can repeat the fit.

use std::io::{self, Write};

use super::{DesignSpec, PhaseModel};
use crate::values::data::Dataset;

/// Writes one record for each row: opening pair, game, White's score in points, weight, number of
/// positions, then the columns of the design matrix. The weights of a game sum to 1 in each phase.
///
/// # Errors
/// If writing fails.
pub fn write_csv(data: &Dataset, phase_model: PhaseModel, out: &mut dyn Write) -> io::Result<()> {
    let spec = DesignSpec::of(data, phase_model);
    let mut csv = csv::Writer::from_writer(out);
    let header = ["pair", "game", "score", "weight", "positions"].map(str::to_owned);
    let columns = spec.names().into_iter().map(|name| {
        let name = name.replace([' ', '(', ')'], "_");
        name.trim_end_matches('_').to_owned()
    });
    csv.write_record(header.into_iter().chain(columns))?;
    for (number, game) in data.games.iter().enumerate() {
        for (sample, weight) in spec.weights(game) {
            let fields = [
                game.cluster.to_string(),
                number.to_string(),
                game.white.as_f64().to_string(),
                weight.to_string(),
                sample.positions.to_string(),
            ];
            let values = spec.row(&game.conditions, sample.pieces, &sample.values);
            csv.write_record(fields.into_iter().chain(values.iter().map(f64::to_string)))?;
        }
    }
    csv.flush()
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;

    use super::*;
    use crate::simulation::{Simulation, near_published_values};

    #[test]
    fn weights_of_a_game_sum_to_one() {
        let game = GameDef::builtin("chess").unwrap();
        let simulation = Simulation::synthetic(&game, near_published_values(&game, 0.4), 20);
        let mut text = Vec::new();
        write_csv(&simulation.data(1), PhaseModel::default(), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().unwrap().split(',').collect();
        assert_eq!(&header[..6], ["pair", "game", "score", "weight", "positions", "queen__full_board"]);
        let mut weights = [0.0; 40];
        for line in lines {
            let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            assert_eq!(cells.len(), header.len());
            weights[cells[1] as usize] += cells[3];
        }
        assert!(weights.iter().all(|weight| (weight - 1.0_f64).abs() < 1e-12), "{weights:?}");
    }
}
