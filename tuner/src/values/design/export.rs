//! The regression's rows as CSV, so that any other program can repeat the fit.

use std::io::{self, Write};

use crate::values::data::Dataset;
use crate::values::design::phase::PhaseModel;
use crate::values::design::spec::DesignSpec;

/// Writes a line for each row: pair, game, White's score in points, the row's weight (a game's rows weigh 1 together in each stage), the
/// positions that it stands for, then the columns of the regression.
///
/// # Errors
/// When it cannot be written.
pub fn csv(data: &Dataset, phase_model: PhaseModel, out: &mut dyn Write) -> io::Result<()> {
    let columns = DesignSpec::of(data, phase_model);
    let names = columns
        .names()
        .into_iter()
        .map(|name| name.replace([' ', '(', ')'], "_"));
    write!(out, "pair,game,score,weight,positions")?;
    for name in names {
        write!(out, ",{}", name.trim_end_matches('_'))?;
    }
    writeln!(out)?;
    for (number, game) in data.games.iter().enumerate() {
        for (sample, weight) in columns.weights(game) {
            write!(
                out,
                "{},{number},{},{weight},{}",
                game.cluster,
                game.white.as_f64(),
                sample.positions
            )?;
            for value in columns.row(sample.pieces, &sample.values) {
                write!(out, ",{value}")?;
            }
            writeln!(out)?;
        }
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;

    use super::*;
    use crate::values::simulate::{Simulation, near_published_values, synthetic};

    #[test]
    fn rows_weigh_one_a_game() {
        let game = GameDef::builtin("chess").unwrap();
        let planted = Simulation {
            truth: near_published_values(&game, 0.4),
            thresholds: vec![0.7],
            correlation: 0.4,
            starts: synthetic(&game, 20, 1),
            pairs: 20,
            positions: 10,
            game,
        };
        let mut text = Vec::new();
        csv(&planted.data(1), PhaseModel::default(), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().unwrap().split(',').collect();
        assert_eq!(
            &header[..6],
            ["pair", "game", "score", "weight", "positions", "queen__full_board"]
        );
        let mut weights = [0.0; 40];
        for line in lines {
            let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            assert_eq!(cells.len(), header.len());
            weights[cells[1] as usize] += cells[3];
        }
        assert!(
            weights.iter().all(|weight| (weight - 1.0_f64).abs() < 1e-12),
            "{weights:?}"
        );
    }
}
