//! What an analysis says, in sentences: the same on the terminal and in the report.

use crate::values::data::File;
use crate::values::design::phase::PhaseModel;
use crate::values::inference::cross_validation::OutOfFold;
use crate::values::inference::estimate::{Measured, Value};
use crate::values::inference::fieller::Region;
use crate::values::inference::verdict::Verdict;
use crate::values::playtest::Pawns;
use crate::values::results::Analysis;

/// A whole number with its thousands set apart (`12,000`).
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with two decimals; what rounds to nothing has no sign.
pub fn hundredths(number: f64) -> String {
    let text = format!("{number:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// A number that may be missing.
pub fn decimals(number: Option<f64>) -> String {
    number.map_or_else(|| "—".to_owned(), hundredths)
}

/// A value with what its interval reaches to each side: `3.10 ± 0.20`.
pub fn measured(measured: Option<Measured>) -> String {
    let Some(Measured { value, interval }) = measured else {
        return "—".to_owned();
    };
    match interval.width() {
        Some(width) => format!("{} ± {:.2}", hundredths(value), width / 2.0),
        // An estimate that nothing bounds is no number to show.
        None => "unbounded".to_owned(),
    }
}

/// A number of pawns with what its interval reaches to each side: `3.10 ± 0.20`.
pub fn pawns(pawns: &Pawns) -> String {
    format!("{} ± {:.2}", hundredths(pawns.value), (pawns.high - pawns.low) / 2.0)
}

/// A file of games, on a line.
pub fn data(file: &File) -> String {
    format!(
        "Data: {} ({} games, seed {}, {} nodes a move, hash {})\n",
        file.path.display(),
        thousands(file.games as u64),
        file.seed,
        file.nodes,
        &file.hash[..16]
    )
}

/// An inventor's value as it was published: no digits added.
pub fn published(number: Option<f64>) -> String {
    number.map_or_else(|| "—".to_owned(), |number| number.to_string())
}

/// A region: `2.91 to 3.40`, or `unbounded`.
pub fn interval(region: Option<Region>) -> String {
    match region {
        None => "—".to_owned(),
        Some(Region::Bounded { low, high }) => format!("{} to {}", hundredths(low), hundredths(high)),
        Some(Region::Outside { .. } | Region::Everything) => "unbounded".to_owned(),
    }
}

/// A number of games that may be missing.
pub fn games(number: Option<u64>) -> String {
    number.map_or_else(|| "—".to_owned(), thousands)
}

/// A share as a percentage with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// The answer in a sentence or two.
pub fn headline(analysis: &Analysis) -> String {
    let with = |verdict: Verdict| -> Vec<&Value> {
        analysis
            .values
            .iter()
            .filter(|value| value.verdict == verdict)
            .collect()
    };
    let (inside, above, below, wide) = (
        with(Verdict::Inside),
        with(Verdict::Above),
        with(Verdict::Below),
        with(Verdict::TooWide),
    );
    let claimed = inside.len() + above.len() + below.len() + wide.len();
    if claimed == 0 {
        return "The inventor published no values to compare with.".to_owned();
    }
    let mut parts = Vec::new();
    if !inside.is_empty() {
        parts.push(format!("{} agree with the games ({})", inside.len(), names(&inside)));
    }
    if !above.is_empty() {
        parts.push(format!("{} measured above ({})", was(above.len()), names(&above)));
    }
    if !below.is_empty() {
        parts.push(format!("{} measured below ({})", was(below.len()), names(&below)));
    }
    if !wide.is_empty() {
        parts.push(format!("{} cannot be judged yet ({})", wide.len(), names(&wide)));
    }
    let mut text = format!("Of {claimed} published values, {}.", parts.join("; "));
    // All values are in pawns: when every one of them is off to the same side, the unit is.
    if claimed > 1 && above.len() == claimed {
        text += " All of them above: against the other pieces, the pawn is worth less than the inventor gave it.";
    }
    if claimed > 1 && below.len() == claimed {
        text += " All of them below: against the other pieces, the pawn is worth more than the inventor gave it.";
    }
    text
}

fn was(count: usize) -> String {
    if count == 1 {
        "1 was".to_owned()
    } else {
        format!("{count} were")
    }
}

fn names(values: &[&Value]) -> String {
    values
        .iter()
        .map(|value| value.piece.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

/// How many games.
pub fn amount(analysis: &Analysis) -> String {
    let games = &analysis.games;
    let mut text = format!(
        "{} games from {} openings, each played twice with the armies swapped; {} quiet positions, each game weighing \
         the same in the opening, the middlegame and the endgame.",
        thousands(games.games as u64),
        thousands(games.pairs as u64),
        thousands(games.positions as u64)
    );
    if games.incomplete_pairs > 0 {
        text += &format!(
            " {} of the openings have been played only once.",
            thousands(games.incomplete_pairs as u64)
        );
    }
    if games.without_positions > 0 {
        text += &format!(
            " Games without a quiet moment, not used: {}.",
            thousands(games.without_positions as u64)
        );
    }
    text
}

/// What a pawn, the move and the first move are worth in results.
pub fn scale(analysis: &Analysis) -> String {
    let scale = &analysis.scale;
    let [low, high] = scale.pawn_score_interval;
    let mut text = format!(
        "Being a pawn ahead scores {} ({} to {}); {} on a full board, {} with a quarter of the pieces left.",
        percent(scale.pawn_score),
        percent(low),
        percent(high),
        percent(scale.pawn_score_full),
        percent(scale.pawn_score_few)
    );
    for (value, what) in [
        (&scale.side_to_move, "Being to move"),
        (&scale.white, "Having the white pieces"),
    ] {
        if let Some(value) = value {
            text += &format!(
                " {what} is worth {} pawns ({}).",
                decimals(value.measured),
                interval(value.interval)
            );
        }
    }
    text
}

/// The joint test.
pub fn joint(analysis: &Analysis) -> Option<String> {
    let test = analysis.joint?;
    let statistic = format!(
        "F({}, {}) = {:.2}, {}",
        test.values,
        test.error_degrees,
        test.f,
        p_text(test.p)
    );
    Some(if test.p < 0.05 {
        format!("All published values together: the games contradict them ({statistic}).")
    } else {
        format!("All published values together: the games do not contradict them ({statistic}).")
    })
}

fn p_text(p: f64) -> String {
    if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p = {p:.3}")
    }
}

/// Predictions of unseen games.
pub fn unseen(analysis: &Analysis) -> String {
    let Some(found) = &analysis.out_of_fold else {
        return "Unseen games: too few games to fit a part of them alone.".to_owned();
    };
    let mut text = format!(
        "Unseen games ({} folds of openings), mean log-loss, lower is better: measured values {:.4}",
        found.folds, found.fitted
    );
    if let Some(inventor) = found.inventor {
        text += &format!(", inventor's values at their best scale {inventor:.4}");
    }
    text += &format!(", no values {:.4}. ", found.constant);
    text + &better(found)
}

fn better(found: &OutOfFold) -> String {
    let Some(gain) = found.gain_over_inventor else {
        return "There are no inventor's values to compare with.".to_owned();
    };
    let numbers = format!("difference {:+.4}, {:+.4} to {:+.4}", gain.mean, gain.low, gain.high);
    if gain.low > 0.0 {
        format!("The measured values predict better than the inventor's ({numbers}).")
    } else if gain.high < 0.0 {
        format!("The inventor's values predict better than the measured ones ({numbers}): more games are needed.")
    } else {
        format!("Measured and inventor's values predict about equally well ({numbers}).")
    }
}

/// How many games a sharper answer needs.
pub fn halving(analysis: &Analysis) -> String {
    let games = analysis.games.games as u64;
    let wanted = analysis.convergence.games_to_halve;
    let mut text = format!(
        "To halve the intervals: {} games in all, {} more. Errors shrink with the square root of the number of games, \
         so half of them takes four times the games.",
        thousands(wanted),
        thousands(wanted.saturating_sub(games))
    );
    if let Some(exponent) = analysis.convergence.exponent {
        text += &format!(" So far the intervals have shrunk as games to the power {exponent:.2} (the law says -0.50).");
    }
    text
}

/// What resampling says of the errors.
pub fn resampling(analysis: &Analysis) -> Option<String> {
    let found = analysis.resampling.as_ref()?;
    let [least, most] = found.against_sandwich;
    let mut text = format!(
        "The errors checked by drawing opening pairs anew {} times: deviations are {least:.2} to {most:.2} of the standard errors.",
        thousands(found.replicates as u64)
    );
    if found.failed > 0 {
        text += &format!(" {} draws had no answer.", thousands(found.failed as u64));
    }
    Some(text)
}

/// Whether the model describes the games.
pub fn description(analysis: &Analysis) -> String {
    let found = &analysis.diagnostics;
    let far =
        |residual: &crate::values::inference::clustered::Mean| residual.mean.abs() > 3.0 * residual.standard_error;
    let bins = found.calibration.iter().filter(|bin| far(&bin.residual)).count();
    let mut text = format!(
        "Calibration: of {} groups by expected score, {bins} are off by more than 3 standard errors.",
        found.calibration.len()
    );
    let places: Vec<String> = found
        .by_stretch
        .iter()
        .chain(&found.by_kind)
        .filter(|residual| far(&residual.residual))
        .map(|residual| {
            let stretch = residual
                .stretch
                .as_ref()
                .map(|stretch| format!(" ({stretch})"))
                .unwrap_or_default();
            format!("{}{stretch} {:+.3}", residual.of, residual.residual.mean)
        })
        .collect();
    if places.is_empty() {
        text += " Nowhere does whoever has more score otherwise than expected by more than that.";
    } else {
        text += &format!(
            " Whoever has more scores otherwise than expected by more than that here: {}.",
            places.join(", ")
        );
    }
    text + &format!(" Condition number of the columns: {:.0}.", found.collinearity.condition)
}

/// How closely values follow the course of the game, where that is less closely than they can.
pub fn course(analysis: &Analysis) -> Option<&'static str> {
    match analysis.fit.phase_model {
        PhaseModel::PiecewiseLinear => None,
        PhaseModel::Linear => Some(
            "Values follow one straight line from the full to the bare board, which is further from the truth than a line with a bend: that \
             needs more games.",
        ),
        PhaseModel::Constant => Some("One value over the whole game: to tell its stages apart needs more games."),
    }
}

/// What was not measured.
pub fn omitted(analysis: &Analysis) -> Option<String> {
    let names = analysis.omitted.join(", ");
    (!names.is_empty()).then(|| format!("Not measured, because no position shows it: {names}."))
}

/// What both methods say.
pub fn agreement(analysis: &Analysis) -> Option<String> {
    let (found, playtest) = (analysis.agreement.as_ref()?, analysis.playtest.as_ref()?);
    let games = thousands(playtest.games);
    let differing: Vec<String> = found
        .values
        .iter()
        .filter(|value| !value.agrees)
        .map(|value| {
            format!(
                "{} ({:.2} by regression, {:.2} by playtest, {:.1} standard errors apart)",
                value.piece,
                value.regression.value,
                value.playtest.value,
                value.z.abs()
            )
        })
        .collect();
    Some(if differing.is_empty() {
        format!("The two methods agree on all pieces on a full board (playtest of {games} games).")
    } else {
        format!(
            "The two methods differ on a full board (playtest of {games} games): {}.",
            differing.join("; ")
        )
    })
}

/// What the errors mean.
pub const ERRORS: &str = "Intervals hold the true value 95 times in 100. Errors are clustered by opening pair: the two \
    games of a pair share their opening and the positions of a game share its result, so neither counts as independent. \
    All intervals share the pawn's error, so they tend to be too high or too low together; the joint test below allows \
    for that, and for the number of pieces.";

/// What verdicts mean.
pub const VERDICTS: &str = "inside: the inventor's value lies in the interval. above, below: the whole interval lies above \
    or below the inventor's value. too wide to say: the interval holds the inventor's value, but is unbounded or wider \
    than that value itself.";

#[cfg(test)]
mod tests {
    use super::{hundredths, thousands};

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!(hundredths(-0.004), "0.00");
        assert_eq!(hundredths(-0.006), "-0.01");
        assert_eq!(hundredths(2.0), "2.00");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
