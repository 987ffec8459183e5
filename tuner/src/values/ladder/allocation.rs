//! How many games each level of a ladder plays.

/// Games for each level, if the highest level has `games`, so that the value at the target is as
/// precise as the nodes allow.
///
/// A straight line through levels `i` and `n` (the highest) predicts the value at `t` as `a[i]
/// v[i] + a[n] v[n]`, where `a[n] = (t - x[i]) / (x[n] - x[i])` and `a[i] = 1 - a[n]`. Its
/// variance is the sum of `a^2 / games`, and a game costs its nodes, so for given total nodes it
/// is least if `games` is proportional to `|a| / sqrt(nodes)`; it is then proportional to `(sum of
/// |a| sqrt(nodes))^2`, by which the lower level is chosen. The other levels only show whether the
/// line is straight, and get a quarter of `games`, which is also the least for every level.
pub fn allocate(nodes: &[u64], target: u64, games: u64) -> Vec<u64> {
    let Some((&highest, lower)) = nodes.split_last() else {
        return Vec::new();
    };
    let x = |nodes: u64| (nodes as f64).log2();
    let shares = |nodes: u64| {
        let of_highest = (x(target) - x(nodes)) / (x(highest) - x(nodes));
        (1.0 - of_highest, of_highest)
    };
    let cost = |nodes: u64| {
        let (low, high) = shares(nodes);
        low.abs() * (nodes as f64).sqrt() + high.abs() * (highest as f64).sqrt()
    };
    let best = lower.iter().copied().min_by(|&one, &other| cost(one).total_cmp(&cost(other)));
    let least = games as f64 / 4.0;
    let even = |games: f64| (games / 2.0).ceil() as u64 * 2;
    let of_level = |&nodes: &u64| {
        if nodes == highest {
            return even(games as f64);
        }
        let (low, high) = shares(nodes);
        let ratio = (low / high).abs() * (highest as f64 / nodes as f64).sqrt();
        let wanted = if Some(nodes) == best { ratio * games as f64 } else { 0.0 };
        even(wanted.max(least))
    };
    nodes.iter().map(of_level).collect()
}

#[cfg(test)]
mod tests {
    use super::allocate;

    #[test]
    fn allocation_is_best_for_two_levels() {
        let (low, high, target) = (100_u64, 1600_u64, 6400_u64);
        let games = allocate(&[low, high], target, 100_000);
        let cost = |games: &[u64]| (games[0] * low + games[1] * high) as f64;
        // Weights by the straight line: 1.5 for the highest level and -0.5.
        let variance = |games: &[u64]| 0.25 / games[0] as f64 + 2.25 / games[1] as f64;
        let found = variance(&games) * cost(&games);
        for first in (1_000..400_000).step_by(1_000) {
            let other = [first, 100_000];
            assert!(found <= variance(&other) * cost(&other) * (1.0 + 1e-9), "{games:?} {other:?}");
        }
    }

    #[test]
    fn every_level_gets_games() {
        assert_eq!(allocate(&[80, 500, 4000], 4000, 1000), [250, 250, 1000]);
        let extrapolated = allocate(&[80, 500, 4000], 16_000, 1000);
        assert!(extrapolated.iter().all(|&games| games >= 250 && games % 2 == 0), "{extrapolated:?}");
        assert!(extrapolated[0] > 1000 || extrapolated[1] > 500, "{extrapolated:?}");
    }
}
