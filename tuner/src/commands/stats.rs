//! `assay-tuner stats`.

use assay_cli::args::{self, JsonArg};
use assay_cli::format::{count, decimals, grouped, plus_minus};
use assay_cli::interrupt::without_stop_flag;
use assay_cli::page::{Block, Page, Section};
use assay_cli::{Table, output, row};
use assay_selfplay::Store;
use assay_selfplay::settings::Material;

use super::playing::GamesArgs;
use super::{check_game, read_games};
use crate::report::format::range;
use crate::report::sentences;
use crate::values::game_stats::{GameShare, GameStats, game_stats};
use crate::values::inference::ClusteredMean;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/stats.txt"))]
pub(crate) struct Args {
    #[command(flatten)]
    games: GamesArgs,
    /// Show endings with at most this many pieces besides the kings
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = args::whole_number(1..=20_u8), allow_negative_numbers = true)]
    max_pieces: u8,
    /// Show endings that occur in at least this many games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = args::whole_number(2..=u32::MAX), allow_negative_numbers = true)]
    min_games: u32,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Some((game, files)) = args.games.files(Material::None, "stats", args.json.json)? else {
        return Ok(());
    };
    let (max_pieces, min_games) = (usize::from(args.max_pieces), args.min_games as usize);
    let found = without_stop_flag(|| {
        let stores = Store::open_all(&files)?;
        read_games(&stores, |runs, watch| game_stats(runs, max_pieces, min_games, watch))
    })?;
    check_game(&files[0], &game.name, &found.game)?;
    if args.json.json {
        return output::json(&found);
    }
    output::print(page(&game.title, &found).text())
}

fn page(title: &str, stats: &GameStats) -> Page {
    let means = [
        ("White's score", percent(&stats.white_score)),
        ("plies per game", number(&stats.plies, 1)),
        ("legal moves per position", number(&stats.moves, 2)),
    ];
    let means = means.map(|(name, mean)| row(name, [mean]));
    let shares = |name: &str, shares: &[GameShare]| {
        let rows = shares.iter();
        let rows = rows.map(|share| row(share.name.replace('-', " "), [percent(&share.share)]));
        Block::Table(Table::of("", [name, "share of games"], rows))
    };
    let endings = stats.endings.iter().map(|ending| {
        let cells = [grouped(ending.games), share(&ending.score, 1.0, 3), percent(&ending.won), percent(&ending.drawn)];
        row(&ending.pieces, cells)
    });
    let caption = format!(
        "Endings with at most {} besides the kings, seen from the side with more material",
        count(stats.max_pieces, "piece", "pieces")
    );
    let endings = if stats.endings.is_empty() {
        Block::Text(format!("{caption}:\nnone is frequent enough"))
    } else {
        let headings = ["ending", "games", "score", "won", "drawn"];
        Block::Table(Table::of(caption, headings, endings))
    };
    let mut blocks = vec![
        Block::Table(Table::of("", ["", "mean"], means)),
        shares("White's score", &stats.results),
        shares("termination", &stats.terminations),
        endings,
    ];
    if stats.material != "none" {
        blocks.insert(0, Block::Text("The armies were not equal in these games.".to_owned()));
    }
    let note = sentences::imported(&stats.clusters, "the means are those of these players and openings");
    let openings = match &note {
        None => count(stats.pairs, "opening", "openings"),
        Some(_) => count(stats.pairs, "cluster of similar games", "clusters of similar games"),
    };
    blocks.extend(note.map(Block::Text));
    Page {
        title: format!(
            "{title}: {} from {openings} (95% intervals; a number without one is the same in all openings)",
            count(stats.games, "game", "games")
        ),
        lead: String::new(),
        sections: vec![Section::new("", blocks)],
    }
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
        (_, Some([low, high])) => format!("{} ({})", scaled(mean.mean), range(scale * low, scale * high, places)),
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
