//! `assay-tuner playtest`.

use assay_selfplay::settings::{GameSource, Material};
use assay_tuner::report::format;
use assay_tuner::values::playtest::{Playtest, measure};

use super::playing::{Playing, play, stop_on_ctrl_c};
use super::print;

const LONG: &str = "\
Measures what each piece is worth without a regression: games from armies that differ in little, each kind against lighter ones \
and pawns, every opening twice with the armies swapped. What a missing pawn costs is measured by games with pawn odds, and \
turns scores into pawns. Errors are those of pairs' scores (pentanomial) and of that scale.

Games go to a file, and what is there is not played again: the same command with more --games goes on where it stopped. \
Ctrl-C ends the playing; what has been played is kept and measured.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner playtest gamma2
  assay-tuner playtest chess --games 40000 --nodes 4000 --data chess-playtest.db --json

Keys of --json: assay, game, file, data (as a row of files of `validate`), games (in whole pairs), pawn_log_odds, pawn_log_odds_standard_error, values (piece, inventor,
measured: value, standard_error, low, high in pawns; verdict), chi_square (squared differences between comparisons and values,
in standard errors) and its degrees_of_freedom, comparisons (material: what the first army misses, a stroke, what the second one
misses; pairs, counts of pair scores, score, score_standard_error, pawns that the second army is worth more, fitted: the same by the values)
";

/// What `playtest` is told.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A built-in game (chess, berolina, gamma2, gunnery, scorpion, apothecary2) or the path of a definition file
    game: String,
    #[command(flatten)]
    playing: Playing,
    /// Print everything measured as JSON instead of the tables
    #[arg(long)]
    json: bool,
}

/// Plays what is missing, and measures.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let source = GameSource::load(&args.game)?;
    let path = args.playing.file(&format!("assay-{}-playtest.db", source.game.name));
    let settings = args.playing.settings(&source, Material::Playtest, args.playing.games());
    let stop = stop_on_ctrl_c()?;
    play(&settings, &path, &stop, None)?;
    let found = measure(&path)?;
    if args.json {
        return print(&(serde_json::to_string_pretty(&found)? + "\n"));
    }
    print(&text(&found))
}

fn text(found: &Playtest) -> String {
    let mut text = format!(
        "{}: values by matches from unequal armies, {} games in pairs\n\npiece          inventor  measured  95% interval    verdict\n",
        found.game,
        format::thousands(found.games)
    );
    for value in &found.values {
        let measured = &value.measured;
        let interval = format!("{:.2} to {:.2}", measured.low, measured.high);
        text += &format!(
            "{:<13} {:>9} {:>9.2}  {:<14}  {}\n",
            value.piece,
            format::decimals(value.inventor),
            measured.value,
            interval,
            value.verdict.text()
        );
    }
    text += &format!(
        "\nA missing pawn costs {:.3} log-odds (standard error {:.3}). Comparisons and values differ by {:.1} in squares of standard \
         errors, {} expected.\nA piece taken off is the second of its kind: of a colour-bound kind it takes the pair's bonus with it.\n",
        found.pawn_log_odds, found.pawn_log_odds_standard_error, found.chi_square, found.degrees_of_freedom
    );
    text += "\nmissing             pairs   score           pawns behind    by the values\n";
    for comparison in &found.comparisons {
        let behind = comparison.pawns.map_or_else(
            || "one side always won".to_owned(),
            |pawns| format!("{:.2} \u{b1} {:.2}", pawns.value, (pawns.high - pawns.low) / 2.0),
        );
        text += &format!(
            "{:<18} {:>6}   {:.3} \u{b1} {:.3}   {:<15} {}\n",
            comparison.material,
            comparison.pairs,
            comparison.score,
            comparison.score_standard_error,
            behind,
            format::decimals(Some(comparison.fitted))
        );
    }
    text
}
