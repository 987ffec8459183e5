//! `assay-tuner stats`.

use std::path::PathBuf;

use assay_selfplay::settings::{GameSource, Material};
use assay_tuner::report::format;
use assay_tuner::values::game_stats::{GameStats, count};
use assay_tuner::values::inference::clustered_mean::ClusteredMean;

use super::playing::{Playing, play, stop_on_ctrl_c};
use super::print;

const LONG: &str = "\
Plays games from equal armies and says what they are like: results, what the first move is worth, length, legal moves in a \
position, and what endings with few pieces are worth to the side that has more. Every number has a 95% interval, clustered by \
opening pair.

Games go to a file, and what is there is not played again.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner stats gamma2
  assay-tuner stats chess --games 20000 --pieces 4 --json
  assay-tuner stats gunnery --from assay-gunnery.db
      counts the games of a file; plays none

Keys of --json: assay, game, file, material, games, pairs, results and terminations (name, games, share), white_score, plies, moves,
max_pieces, endings (pieces, games, score, won, drawn); means with standard_error and weight
";

/// What `stats` is told.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A built-in game (chess, berolina, gamma2, gunnery, scorpion, apothecary2) or the path of a definition file
    game: String,
    #[command(flatten)]
    playing: Playing,
    /// Count the games of this file, and play none
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "data"])]
    from: Option<PathBuf>,
    /// Endings have at most so many pieces besides the kings
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=20))]
    pieces: u8,
    /// Endings occur in at least so many games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..))]
    occurring: u32,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

/// Plays what is missing, and counts.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let source = GameSource::load(&args.game)?;
    let path = if let Some(path) = &args.from {
        path.clone()
    } else {
        let path = args.playing.file(&format!("assay-{}-stats.db", source.game.name));
        let settings = args.playing.settings(&source, Material::None, args.playing.games());
        let stop = stop_on_ctrl_c()?;
        play(&settings, &path, &stop, None)?;
        path
    };
    let found = count(&path, usize::from(args.pieces), args.occurring as usize)?;
    anyhow::ensure!(
        found.game == source.game.name,
        "{}: found games of {}, expected {}",
        path.display(),
        found.game,
        source.game.name
    );
    if args.json {
        return print(&(serde_json::to_string_pretty(&found)? + "\n"));
    }
    print(&text(&source.game.title, &found))
}

fn text(title: &str, found: &GameStats) -> String {
    let with = |mean: &ClusteredMean, digits: usize| {
        format!("{:.digits$} \u{b1} {:.digits$}", mean.mean, 1.96 * mean.standard_error)
    };
    let percent = |mean: &ClusteredMean| format!("{:.1}% \u{b1} {:.1}", 100.0 * mean.mean, 196.0 * mean.standard_error);
    let mut text = format!(
        "{title}: {} games from {} openings (95% intervals)\n\n",
        format::thousands(found.games as u64),
        format::thousands(found.pairs as u64)
    );
    if found.material != "none" {
        text += "The armies were not equal in these games.\n\n";
    }
    text += &format!("White scores        {}\n", percent(&found.white_score));
    text += &format!("plies a game        {}\n", with(&found.plies, 1));
    text += &format!("moves in a position {}\n\n", with(&found.moves, 2));
    for share in &found.results {
        text += &format!("White's score {:<5} {}\n", share.name, percent(&share.share));
    }
    text.push('\n');
    for share in &found.terminations {
        text += &format!("{:<19} {}\n", share.name.replace('-', " "), percent(&share.share));
    }
    text += &format!(
        "\nEndings with at most {} pieces besides the kings, from the side that has more\n",
        found.max_pieces
    );
    if found.endings.is_empty() {
        text += "none occurs often enough\n";
        return text;
    }
    text += "ending                games  score             won               drawn\n";
    for ending in &found.endings {
        text += &format!(
            "{:<20} {:>6}  {:<16}  {:<16}  {}\n",
            ending.pieces,
            ending.games,
            with(&ending.score, 3),
            percent(&ending.won),
            percent(&ending.drawn)
        );
    }
    text
}
