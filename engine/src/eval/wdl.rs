//! Probabilities of the results of a game, given the score of a search.

use assay_rules::GameDef;

use super::Score;

/// Model of the results of one game: proportional odds, as fitted by `engine/tuning/wdl.py`.
///
/// The side to move gets at least a result's points with probability
/// `logistic((score - threshold) / scale)`. The thresholds of the side to move and of the opponent
/// differ in sign only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel {
    /// Centipawns.
    scale: f64,
    /// Threshold of a full point in centipawns.
    win: f64,
    /// Threshold of 0.75 points in centipawns; in games without such results, of a full point.
    advantage: f64,
}

const fn model(scale: f64, win: f64, advantage: f64) -> WdlModel {
    WdlModel { scale, win, advantage }
}

impl WdlModel {
    /// The model of a built-in game that has been fitted. For other games, one that draws half of
    /// the games at 0 and expects the points of [`Score::expected_points`] at [`Score::ADVANTAGE`].
    pub fn for_game(game: &GameDef) -> WdlModel {
        // A user's game may have the name of a built-in one.
        let name = if game.is_builtin() { game.name.as_str() } else { "" };
        match name {
            "chess" | "fischerandom" => model(167.0, 149.0, 149.0),
            "berolina" => model(160.0, 76.0, 76.0),
            "gamma2" => model(178.0, 45.0, 45.0),
            "gunnery" => model(145.0, 114.0, 114.0),
            "scorpion" => model(168.0, 83.0, 83.0),
            "apothecary2" => model(267.0, 97.0, 58.0),
            _ => model(213.7, 234.8, 234.8),
        }
    }

    /// Win, draw and loss probabilities of the side to move, in permille; they add up to 1000. In
    /// games with five results, 0.75 points count as half a win and half a draw.
    pub fn wdl(&self, score: Score) -> [u32; 3] {
        let Some(centipawns) = score.centipawns() else {
            return if score.is_winning_mate() { [1000, 0, 0] } else { [0, 0, 1000] };
        };
        let at_least = |centipawns: f64, threshold: f64| 1.0 / (1.0 + ((threshold - centipawns) / self.scale).exp());
        let permille = |centipawns: f64| {
            let share = f64::midpoint(at_least(centipawns, self.win), at_least(centipawns, self.advantage));
            (1000.0 * share).round() as u32
        };
        let (win, loss) = (permille(centipawns.into()), permille((-centipawns).into()));
        [win, 1000 - win - loss, loss]
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::def::BUILTIN_NAMES;

    use super::*;

    #[test]
    fn games_without_a_fit_expect_the_points_of_the_score() {
        let model = WdlModel::for_game(&GameDef::builtin("atomic").unwrap());
        assert_eq!(model.wdl(Score::DRAW), [250, 500, 250]);
        let [win, draw, _] = model.wdl(Score::ADVANTAGE);
        let points = (f64::from(win) + f64::from(draw) / 2.0) / 1000.0;
        assert!((points - Score::ADVANTAGE.expected_points()).abs() < 0.002, "{points}");
    }

    #[test]
    fn probabilities_add_up_and_grow_with_the_score() {
        for name in BUILTIN_NAMES {
            let model = WdlModel::for_game(&GameDef::builtin(name).unwrap());
            assert_eq!(model.wdl(Score::mating(3)), [1000, 0, 0]);
            assert_eq!(model.wdl(Score::mated(2)), [0, 0, 1000]);
            let [win, draw, loss] = model.wdl(Score::DRAW);
            assert!(win == loss && draw > 0, "{name}");
            let mut last = [0, 0, 1000];
            for centipawns in (-30_000..=30_000).step_by(7) {
                let next = model.wdl(Score::from_centipawns(centipawns));
                assert_eq!(next.iter().sum::<u32>(), 1000, "{name} {centipawns}");
                assert!(next[0] >= last[0] && next[2] <= last[2], "{name} {centipawns}");
                last = next;
            }
            assert!(last[0] > 990, "{name}: {last:?}");
        }
    }
}
