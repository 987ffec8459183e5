//! `assay-tuner validate`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_selfplay::settings::{GameSource, Material};
use assay_tuner::report::format;
use assay_tuner::values::playtest;
use assay_tuner::values::results::MeasurementReport;

use super::playing::{Playing, play, stop_on_ctrl_c};
use super::{JSON_HELP, Method, Output, measure};

const LONG: &str = "\
Measures what each piece of a game is worth, and compares with what the game's inventor said.

Assay plays itself from openings in which each side misses other pieces, every opening twice with the armies swapped, and \
explains the results by the pieces that each side has in quiet positions (proportional odds, pawn = 1). \
Intervals are at 95%, clustered by opening pair. Then it measures the same by matches from unequal armies, without a \
regression, and says whether the two agree.

Games go to a file, and what is there is not played again: the same command with more --games goes on where it stopped. \
Ctrl-C ends the playing; what has been played is kept and measured.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner validate gamma2
  assay-tuner validate gamma2 --games 20000 --report gamma2.html
      goes on to four times the games, which halves the intervals
  assay-tuner validate gamma2 --budget 30m
  assay-tuner validate gamma2 --precision 0.1
  assay-tuner validate berolina --nodes 4000 --data berolina-4000.db
  assay-tuner validate my-game.toml --games 400 --json
";

/// What `validate` is told.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
pub(crate) struct Args {
    /// A built-in game (chess, berolina, gamma2, gunnery, scorpion, apothecary2) or the path of a definition file
    game: String,
    #[command(flatten)]
    extent: Extent,
}

/// How much is played, and what becomes of it: the same for every game.
#[derive(Debug, clap::Args)]
pub(crate) struct Extent {
    #[command(flatten)]
    playing: Playing,
    /// Play on, beyond --games, for so long in all (90s, 30m, 2h)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,
    /// Play on, beyond --games, until every piece's interval reaches at most so many pawns to each side
    #[arg(long, value_name = "PAWNS", value_parser = pawns)]
    precision: Option<f64>,
    /// Games of the second method, matches from unequal armies; 0 for none [default: a third of the others]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1 << 40))]
    playtest: Option<u64>,
    #[command(flatten)]
    method: Method,
    #[command(flatten)]
    output: Output,
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a time like 90s, 30m or 2h".to_owned();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        _ => return Err(wrong()),
    };
    let number: u32 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    Ok(Duration::from_secs(u64::from(number) * seconds))
}

fn pawns(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of pawns".to_owned())?;
    if number > 0.0 {
        Ok(number)
    } else {
        Err("expected more than 0 pawns".to_owned())
    }
}

/// The share of the time that the regression's games get.
const REGRESSION_TIME: f64 = 0.75;

/// Plays what is missing, and measures.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let source = GameSource::load(&args.game)?;
    let usual = format!("assay-{}.db", source.game.name);
    run_on(&source, &usual, &format!("validate {}", args.game), &args.extent)
}

/// The same of a game that was found already. `usual` is the file when none was named, `command` what the user typed to get here.
pub(crate) fn run_on(source: &GameSource, usual: &str, command: &str, args: &Extent) -> anyhow::Result<()> {
    args.output.check()?;
    let path = args.playing.file(usual);
    let begun = Instant::now();
    let stop = stop_on_ctrl_c()?;
    let games = play_enough(args, source, &path, begun, &stop)?;
    let mut analysis = measure(std::slice::from_ref(&path), &args.method)?;
    let playtest = args.playtest.unwrap_or(games / 3);
    if playtest > 0 {
        let settings = args.playing.settings(source, Material::Playtest, playtest);
        let path = beside(&path);
        if !stop.load(Ordering::Relaxed) {
            play(&settings, &path, &stop, args.budget.map(|budget| begun + budget))?;
        }
        match playtest::measure(&path) {
            Ok(found) => analysis.add_playtest(&source.game, found),
            // The regression stands without it.
            Err(error) => eprintln!("no playtest: {error}"),
        }
    }
    let playtested = args
        .playtest
        .map(|games| format!(" --playtest {games}"))
        .unwrap_or_default();
    analysis.report.command = Some(format!(
        "assay-tuner {command} --games {} --nodes {} --seed {} --data {}{playtested}{}",
        analysis.report.games.games,
        args.playing.run.nodes,
        args.playing.run.seed,
        path.display(),
        args.method.phase_model_flag()
    ));
    args.output.write(&analysis.report)
}

/// The file of the second method's games.
fn beside(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-playtest.db"))
}

/// Plays until there are as many games as asked for, and on until the time is over or the intervals are narrow enough.
fn play_enough(
    args: &Extent,
    source: &GameSource,
    path: &Path,
    begun: Instant,
    stop: &AtomicBool,
) -> anyhow::Result<u64> {
    let until = args.budget.map(|budget| begun + budget.mul_f64(REGRESSION_TIME));
    let mut games = args.playing.games();
    loop {
        let settings = args.playing.settings(source, Material::Values, games);
        let done = play(&settings, path, stop, until)?;
        let is_over = stop.load(Ordering::Relaxed) || until.is_some_and(|until| Instant::now() >= until);
        if is_over || (args.budget.is_none() && args.precision.is_none()) {
            return Ok(done);
        }
        let mut next = games + (games / 4).max(200);
        if let Some(wanted) = args.precision {
            // Too few games for any answer are no error here, but a reason to play on.
            if let Ok(analysis) = measure(&[path.to_owned()], &args.method.quick())
                && let Some((piece, half_width)) = widest(&analysis.report)
            {
                if half_width <= wanted {
                    return Ok(done);
                }
                let needed = (done as f64 * (half_width / wanted).powi(2)).ceil() as u64;
                eprintln!(
                    "{} games: {piece} known to \u{b1}{half_width:.2}, \u{b1}{wanted} wanted: about {} games",
                    format::thousands(done),
                    format::thousands(needed)
                );
                next = needed.clamp(games + 200, 2 * games);
            }
        }
        // Pairs are played whole.
        games = next.next_multiple_of(2);
    }
}

/// The piece with the widest interval, and half its width; nothing is wider than an interval without bound.
fn widest(report: &MeasurementReport) -> Option<(String, f64)> {
    let pieces = report.values.iter().filter(|value| value.letter.is_some());
    let widths = pieces.filter_map(|value| Some((value.piece.clone(), value.interval?.width()? / 2.0)));
    let unbounded = report
        .values
        .iter()
        .any(|value| value.letter.is_some() && value.interval.is_some_and(|interval| interval.width().is_none()));
    if unbounded {
        return None;
    }
    widths.max_by(|one, other| one.1.total_cmp(&other.1))
}
