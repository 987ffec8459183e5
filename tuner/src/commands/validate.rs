//! `assay-tuner validate`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_cli::args::{self, GameArg};
use assay_cli::format::count;
use assay_cli::interrupt::stop_flag;
use assay_cli::{Progress, output};
use assay_selfplay::settings::{GameSource, Material};
use assay_tuner::values::playtest;
use assay_tuner::values::results::MeasurementReport;

use super::playing::{Playing, play};
use super::{JSON_HELP, Method, Output, measure};

const EXAMPLES: &str = "\
Examples:
  assay-tuner validate gamma2
  assay-tuner validate gamma2 --games 20000 --report gamma2.html
      continues to four times as many games, which halves the intervals
  assay-tuner validate gamma2 --budget 30m
  assay-tuner validate gamma2 --precision 0.1
  assay-tuner validate berolina --nodes 4000 --data berolina-4000.db
  assay-tuner validate my-game.toml --games 400 --json
";

#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    extent: Extent,
}

/// Arguments of `validate` and `weigh`.
#[derive(Debug, clap::Args)]
pub(crate) struct Extent {
    #[command(flatten)]
    playing: Playing,
    /// Continue beyond --games until this much time has passed (90s, 30m, 2h)
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    budget: Option<Duration>,
    /// Continue beyond --games until every interval reaches at most this many pawns to each side
    #[arg(long, value_name = "PAWNS", value_parser = pawns)]
    precision: Option<f64>,
    /// Games of the second method; 0 for none [default: a third of --games]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1 << 40))]
    playtest: Option<u64>,
    #[command(flatten)]
    method: Method,
    #[command(flatten)]
    output: Output,
}

fn pawns(text: &str) -> Result<f64, String> {
    args::positive(text).map_err(|_| "expected a number of pawns above 0".to_owned())
}

/// Share of the time budget for the games of the regression.
const REGRESSION_TIME: f64 = 0.75;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let source = GameSource::load(&args.game.game)?;
    let default_file = format!("assay-{}.db", source.game.name);
    run_on(
        &source,
        &default_file,
        &format!("validate {}", args.game.game),
        &args.extent,
    )
}

/// Plays and measures a game. `default_file` keeps the games unless --data is given; `command` is the command up to the game.
pub(crate) fn run_on(source: &GameSource, default_file: &str, command: &str, args: &Extent) -> anyhow::Result<()> {
    args.output.check()?;
    let path = args.playing.file(default_file);
    let start_time = Instant::now();
    let stop = stop_flag();
    let games = play_enough(args, source, &path, start_time, stop)?;
    let mut analysis = measure(std::slice::from_ref(&path), &args.method)?;
    let playtest = args.playtest.unwrap_or(games / 3);
    if playtest > 0 {
        let settings = args.playing.settings(source, Material::Playtest, playtest);
        let path = playtest_file(&path);
        if !stop.load(Ordering::Relaxed) {
            play(&settings, &path, stop, args.budget.map(|budget| start_time + budget))?;
        }
        let progress = Progress::spinner("measuring from the games of the playtest");
        let found = playtest::measure(&path);
        progress.finish();
        match found {
            Ok(found) => analysis.add_playtest(&source.game, found),
            // The regression is valid without the playtest.
            Err(error) => output::warning(format_args!("no playtest: {error}")),
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
        args.playing.run.seed.seed,
        path.display(),
        args.method.phase_model_flag()
    ));
    args.output.write(&analysis.report)
}

/// File for the playtest's games.
fn playtest_file(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-playtest.db"))
}

/// Plays the requested games, then more until the time is up or the intervals are narrow enough.
fn play_enough(
    args: &Extent,
    source: &GameSource,
    path: &Path,
    start_time: Instant,
    stop: &AtomicBool,
) -> anyhow::Result<u64> {
    let until = args.budget.map(|budget| start_time + budget.mul_f64(REGRESSION_TIME));
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
            // Too few games to measure anything is not an error here.
            if let Ok(analysis) = measure(&[path.to_owned()], &args.method.quick())
                && let Some((piece, half_width)) = widest(&analysis.report)
            {
                if half_width <= wanted {
                    return Ok(done);
                }
                let needed = (done as f64 * (half_width / wanted).powi(2)).ceil() as u64;
                output::note(format_args!(
                    "{}: {piece} is known to \u{b1}{half_width:.2} pawns; \u{b1}{wanted} needs about {}",
                    count(done, "game", "games"),
                    count(needed, "game", "games")
                ));
                next = needed.clamp(games + 200, 2 * games);
            }
        }
        // Only complete pairs are played.
        games = next.next_multiple_of(2);
    }
}

/// The piece with the widest interval, and its half-width; `None` if an interval is unbounded.
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
