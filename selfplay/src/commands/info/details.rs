//! What `assay-selfplay info --details` prints.

use assay_cli::format::{count, decimals, grouped, plus_minus};
use assay_cli::{Table, row};
use assay_selfplay::info::{Details, EndgameFilter, GameShare};
use assay_selfplay::statistics::ClusteredMean;

/// The tables, with empty lines between them.
pub(super) fn text(details: &Details, filter: EndgameFilter) -> String {
    let means = [
        ("White's score", percent(&details.white_score)),
        ("plies per game", number(&details.plies, 1)),
        ("legal moves per position", number(&details.moves, 2)),
    ];
    let means = Table::of("", ["", "mean"], means.map(|(name, mean)| row(name, [mean])));
    let shares = |name: &str, shares: &[GameShare]| {
        let rows = shares.iter().map(|share| row(share.name.replace('-', " "), [percent(&share.share)]));
        Table::of("", [name, "share of games"], rows)
    };
    let caption = format!(
        "Endgames with at most {} besides the kings, seen from the side with more material",
        count(filter.max_pieces, "piece", "pieces")
    );
    let endgames = if details.endgames.is_empty() {
        format!("{caption}:\nnone is frequent enough\n")
    } else {
        let rows = details.endgames.iter().map(|endgame| {
            let score = share(&endgame.score, 1.0, 3);
            row(&endgame.pieces, [grouped(endgame.games), score, percent(&endgame.won), percent(&endgame.drawn)])
        });
        Table::of(caption, ["endgame", "games", "score", "won", "drawn"], rows).to_string()
    };
    let results = shares("White's score", &details.results);
    let endings = shares("ending", &details.endings);
    format!(
        "95% intervals, clustered by opening; a number without one is the same in all openings\n\n\
         {means}\n{results}\n{endings}\n{endgames}"
    )
}

/// A mean with its interval: `3.1 ± 0.2`.
fn number(mean: &ClusteredMean, places: usize) -> String {
    mean.half_width()
        .map_or_else(|| decimals(mean.mean, places), |half_width| plus_minus(mean.mean, half_width, places))
}

/// A share or a score from 0 to 1, multiplied by `scale`: `31.0 ± 2.5`, or, if that would reach
/// beyond the possible numbers, Wilson's interval: `1.0 (0.3 to 3.6)`.
fn share(mean: &ClusteredMean, scale: f64, places: usize) -> String {
    let scaled = |number: f64| decimals(scale * number, places);
    match (mean.half_width(), mean.share_interval()) {
        (Some(half_width), _) if half_width <= mean.mean.min(1.0 - mean.mean) => {
            plus_minus(scale * mean.mean, scale * half_width, places)
        }
        (_, Some([low, high])) => {
            format!("{} ({})", scaled(mean.mean), format_args!("{} to {}", scaled(low), scaled(high)))
        }
        (_, None) => scaled(mean.mean),
    }
}

/// A share in percent: `31.0 ± 2.5%`.
fn percent(mean: &ClusteredMean) -> String {
    share(mean, 100.0, 1) + "%"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percentage(mean: f64, standard_error: f64, clusters: usize) -> String {
        let weight = clusters as f64;
        percent(&ClusteredMean { mean, standard_error, weight, clusters })
    }

    #[test]
    fn intervals_are_possible() {
        assert_eq!(percentage(0.5, 0.01, 10_000), "50.0 ± 2.0%");
        // Student's t with one degree of freedom: 12.7 standard errors.
        assert_eq!(percentage(0.5, 0.01, 2), "50.0 ± 12.7%");
        assert_eq!(percentage(0.25, 0.25, 4), "25.0 (1.6 to 86.9)%");
        assert_eq!(percentage(0.99, 0.01, 10_000), "99.0 (94.5 to 99.8)%");
        assert_eq!(percentage(1.0, 0.0, 20), "100.0 (82.0 to 100.0)%");
    }
}
