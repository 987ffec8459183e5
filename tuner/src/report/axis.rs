//! Scales of plots.

/// A number on a line of pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// The least and the greatest number.
    pub(super) range: (f64, f64),
    /// Where they lie.
    pub(super) pixels: (f64, f64),
}

impl Axis {
    /// Where a number lies, at the nearer end when it is outside.
    pub(super) fn at(&self, number: f64) -> f64 {
        let (low, high) = self.range;
        let share = ((number - low) / (high - low)).clamp(0.0, 1.0);
        let (from, to) = self.pixels;
        // Tenths of a pixel are enough, and keep the file readable.
        ((from + share * (to - from)) * 10.0).round() / 10.0
    }

    /// Round numbers along the axis, about `wanted` of them, with the step between.
    pub(super) fn ticks(&self, wanted: f64) -> (Vec<f64>, f64) {
        let (low, high) = self.range;
        let rough = (high - low) / wanted;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|&step| step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let first = (low / step).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        ((first..=last).map(|tick| tick as f64 * step).collect(), step)
    }
}

/// Moves labels apart until each is at least `gap` from the next, as little as possible, in their order.
pub(super) fn apart(wanted: &[f64], gap: f64, (least, most): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&one, &other| wanted[one].total_cmp(&wanted[other]));
    let mut places = wanted.to_vec();
    let mut floor = least;
    for &label in &order {
        places[label] = places[label].max(floor);
        floor = places[label] + gap;
    }
    let mut ceiling = most;
    for &label in order.iter().rev() {
        places[label] = places[label].min(ceiling);
        ceiling = places[label] - gap;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{Axis, apart};

    #[test]
    fn ticks_are_round() {
        let axis = Axis {
            range: (-0.3, 12.4),
            pixels: (0.0, 100.0),
        };
        assert_eq!(axis.ticks(8.0).0, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
        assert!((axis.at(99.0) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn labels_do_not_touch() {
        let places = apart(&[50.0, 52.0, 10.0, 51.0, 99.0], 10.0, (0.0, 100.0));
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(
            sorted.windows(2).all(|two| two[1] - two[0] >= 10.0 - 1e-9),
            "{places:?}"
        );
        assert!((places[2] - 10.0).abs() < 1e-9);
    }
}
