//! Adam: gradient descent with a step for each parameter (Kingma and Ba, 2015).

use rayon::prelude::*;

/// The share that the mean of gradients keeps of itself at each step.
const MEAN_KEPT: f32 = 0.9;
/// The same for the mean of squares.
const SQUARE_KEPT: f32 = 0.999;
/// Fewer parameters than this are not worth another thread.
const ALONE: usize = 8_192;

/// The memory of a descent.
#[derive(Clone, Debug)]
pub struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
    least: f32,
}

impl Adam {
    /// For so many parameters. Slopes that are small against `least` make small steps; it must be above zero.
    pub fn new(parameters: usize, least: f32) -> Adam {
        Adam {
            means: vec![0.0; parameters],
            squares: vec![0.0; parameters],
            steps: 0,
            least,
        }
    }

    /// Takes a step of about `rate` (in the parameters' unit) against the gradient. A parameter that never had a gradient
    /// stays where it is.
    ///
    /// # Panics
    /// When there are not as many parameters and slopes as there were at first.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32) {
        assert_eq!(parameters.len(), self.means.len(), "one memory for each parameter");
        assert_eq!(gradient.len(), self.means.len(), "one slope for each parameter");
        self.steps = self.steps.saturating_add(1);
        let mean_scale = 1.0 / (1.0 - MEAN_KEPT.powi(self.steps));
        let square_scale = 1.0 / (1.0 - SQUARE_KEPT.powi(self.steps));
        let least = self.least;
        (parameters, gradient, &mut self.means, &mut self.squares)
            .into_par_iter()
            .with_min_len(ALONE)
            .for_each(|(parameter, &slope, mean, square)| {
                *mean = MEAN_KEPT * *mean + (1.0 - MEAN_KEPT) * slope;
                *square = SQUARE_KEPT * *square + (1.0 - SQUARE_KEPT) * slope * slope;
                *parameter -= rate * (*mean * mean_scale) / ((*square * square_scale).sqrt() + least);
            });
    }
}

#[cfg(test)]
mod tests {
    use super::Adam;

    #[test]
    fn a_bowl_is_descended_and_a_plain_is_not() {
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
