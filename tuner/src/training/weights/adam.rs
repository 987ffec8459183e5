//! The Adam optimizer (Kingma and Ba 2015).

use rayon::prelude::*;

/// Decay of the first moment.
const BETA1: f32 = 0.9;
/// Decay of the second moment.
const BETA2: f32 = 0.999;
/// Minimum number of parameters for one task.
const MIN_PARAMETERS_PER_TASK: usize = 8_192;

/// State of the optimizer.
#[derive(Clone, Debug)]
pub struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
    epsilon: f32,
}

impl Adam {
    /// Optimizer for this many parameters. `epsilon` must be positive; gradients well below it make small steps.
    pub fn new(parameters: usize, epsilon: f32) -> Adam {
        Adam {
            means: vec![0.0; parameters],
            squares: vec![0.0; parameters],
            steps: 0,
            epsilon,
        }
    }

    /// Takes one step of about `learning_rate` (in the unit of the parameters) against the gradient. A parameter whose gradient was always zero
    /// does not move.
    ///
    /// # Panics
    /// If the number of parameters or gradients differs from that at construction.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], learning_rate: f32) {
        assert_eq!(parameters.len(), self.means.len(), "one moment for each parameter");
        assert_eq!(gradient.len(), self.means.len(), "one gradient for each parameter");
        self.steps = self.steps.saturating_add(1);
        let mean_scale = 1.0 / (1.0 - BETA1.powi(self.steps));
        let square_scale = 1.0 / (1.0 - BETA2.powi(self.steps));
        let epsilon = self.epsilon;
        (parameters, gradient, &mut self.means, &mut self.squares)
            .into_par_iter()
            .with_min_len(MIN_PARAMETERS_PER_TASK)
            .for_each(|(parameter, &slope, mean, square)| {
                *mean = BETA1 * *mean + (1.0 - BETA1) * slope;
                *square = BETA2 * *square + (1.0 - BETA2) * slope * slope;
                *parameter -= learning_rate * (*mean * mean_scale) / ((*square * square_scale).sqrt() + epsilon);
            });
    }
}

#[cfg(test)]
mod tests {
    use super::Adam;

    #[test]
    fn minimizes_quadratic_and_leaves_flat_directions() {
        let mut parameters = [3.0, -5.0, 7.0];
        let mut adam = Adam::new(3, 1e-8);
        for step in 0..2_000 {
            let gradient = [parameters[0] - 1.0, 100.0 * (parameters[1] + 2.0), 0.0];
            adam.step(&mut parameters, &gradient, 0.05 * 0.997f32.powi(step));
        }
        assert!(
            (parameters[0] - 1.0).abs() < 1e-3 && (parameters[1] + 2.0).abs() < 1e-3,
            "{parameters:?}"
        );
        assert_eq!(parameters[2].to_bits(), 7f32.to_bits(), "{parameters:?}");
    }
}
