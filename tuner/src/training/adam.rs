//! The optimizer Adam (Kingma and Ba 2015) with decoupled weight decay (`AdamW`, Loshchilov and
//! Hutter 2019).

use rayon::prelude::*;

/// Decay of the first moment.
const BETA1: f32 = 0.9;
/// Decay of the second moment.
const BETA2: f32 = 0.999;
/// Parameters of one parallel task.
const PARAMETERS_PER_TASK: usize = 8_192;

/// State of the optimizer.
#[derive(Clone, Debug)]
pub(super) struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
    epsilon: f32,
    weight_decay: f32,
}

impl Adam {
    /// Optimizer for this many parameters. `epsilon` must be positive; gradients well below it
    /// make small steps. Each step multiplies parameters by 1 - `learning_rate` * `weight_decay`.
    pub(super) fn new(parameters: usize, epsilon: f32, weight_decay: f32) -> Adam {
        Adam { means: vec![0.0; parameters], squares: vec![0.0; parameters], steps: 0, epsilon, weight_decay }
    }

    /// Takes one step of about `learning_rate` (in the unit of the parameters) against the
    /// gradient. A parameter whose gradient was always zero moves only by weight decay.
    ///
    /// # Panics
    /// If the number of parameters or gradients differs from that at construction.
    pub(super) fn step(&mut self, parameters: &mut [f32], gradient: &[f32], learning_rate: f32) {
        assert_eq!(parameters.len(), self.means.len(), "one moment for each parameter");
        assert_eq!(gradient.len(), self.means.len(), "one gradient for each parameter");
        self.steps = self.steps.saturating_add(1);
        let mean_scale = 1.0 / (1.0 - BETA1.powi(self.steps));
        let square_scale = 1.0 / (1.0 - BETA2.powi(self.steps));
        let epsilon = self.epsilon;
        let kept = 1.0 - learning_rate * self.weight_decay;
        let tasks = (
            parameters.par_chunks_mut(PARAMETERS_PER_TASK),
            gradient.par_chunks(PARAMETERS_PER_TASK),
            self.means.par_chunks_mut(PARAMETERS_PER_TASK),
            self.squares.par_chunks_mut(PARAMETERS_PER_TASK),
        );
        tasks.into_par_iter().for_each(|(parameters, gradient, means, squares)| {
            let moments = means.iter_mut().zip(squares);
            for ((parameter, &slope), (mean, square)) in parameters.iter_mut().zip(gradient).zip(moments) {
                *mean = BETA1 * *mean + (1.0 - BETA1) * slope;
                *square = BETA2 * *square + (1.0 - BETA2) * slope * slope;
                *parameter *= kept;
                *parameter -= learning_rate * (*mean * mean_scale) / ((*square * square_scale).sqrt() + epsilon);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::Adam;

    #[test]
    fn minimizes_quadratic_and_leaves_flat_directions() {
        let mut parameters = [3.0, -5.0, 7.0];
        let mut adam = Adam::new(3, 1e-8, 0.0);
        for step in 0..2_000 {
            let gradient = [parameters[0] - 1.0, 100.0 * (parameters[1] + 2.0), 0.0];
            adam.step(&mut parameters, &gradient, 0.05 * 0.997f32.powi(step));
        }
        assert!((parameters[0] - 1.0).abs() < 1e-3 && (parameters[1] + 2.0).abs() < 1e-3, "{parameters:?}");
        assert_eq!(parameters[2].to_bits(), 7f32.to_bits(), "{parameters:?}");
    }

    #[test]
    fn weight_decay_shrinks_parameters_without_gradient() {
        let mut parameters = [1.0];
        let mut adam = Adam::new(1, 1e-8, 0.5);
        for _ in 0..100 {
            adam.step(&mut parameters, &[0.0], 0.01);
        }
        assert!((parameters[0] - 0.995f32.powi(100)).abs() < 1e-5, "{parameters:?}");
    }
}
