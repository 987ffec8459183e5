//! `assay-tuner validate`.

use std::fmt::Write as _;
use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_rules::Score;
use assay_selfplay::beliefs::Beliefs;
use assay_selfplay::settings::{GameSource, GenerateSettings, Material, OpeningSettings, RunSettings, StartChoice};
use assay_selfplay::{Progress, Tally, generate};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::{JSON_HELP, Output, measure};

/// Some five minutes of Gamma2 Chess on two cores.
const USUAL_GAMES: u64 = 8_000;

/// Enough to see what hangs and what can be won by force, few enough for many games: it is games that narrow intervals.
const USUAL_NODES: u64 = 1_000;

/// Random plies before the odds: the openings differ, and the armies are still whole.
const OPENING_PLIES: u32 = 8;

/// The most centipawns between the sides before the odds. Random moves leave men hanging, and a game in which one is taken at
/// once tells more of that than of the odds.
const BALANCE: u32 = 100;

/// Megabytes of search table: games of so few nodes do not fill more.
const HASH_MB: usize = 4;

const LONG: &str = "\
Measures what each piece of a game is worth, and compares with what the game's inventor said.

Assay plays itself from openings in which each side misses other men, every opening twice with the armies swapped, and \
explains the results by the men that each side has in quiet positions (fractional logistic regression, pawn = 1). \
Intervals are at 95%, clustered by opening pair.

Games go to a file, and what is there is not played again: the same command with more --games goes on where it stopped. \
Ctrl-C ends the playing; what has been played is kept and measured.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner validate gamma2
  assay-tuner validate gamma2 --games 32000 --report gamma2.html
      goes on to four times the games, which halves the intervals
  assay-tuner validate berolina --nodes 4000 --data berolina-4000.db
  assay-tuner validate my-game.toml --games 400 --json
";

/// What `validate` is told.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
pub(crate) struct Args {
    /// A built-in game (chess, berolina, gamma2, gunnery, scorpion, apothecary2) or the path of a definition file
    game: String,
    /// How many games to measure from
    #[arg(long, value_name = "N", default_value_t = USUAL_GAMES, value_parser = clap::value_parser!(u64).range(2..=1 << 40))]
    games: u64,
    /// Nodes searched for each move
    #[arg(long, value_name = "K", default_value_t = USUAL_NODES, value_parser = clap::value_parser!(u64).range(1..=1 << 50))]
    nodes: u64,
    /// The number that all random choices follow from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The file of games; made when there is none, continued when there is [default: assay-GAME.db in this folder]
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Games played at a time [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    output: Output,
}

/// Plays what is missing, and measures.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.output.check()?;
    let source = GameSource::load(&args.game)?;
    let path = args
        .data
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("assay-{}.db", source.game.name)));
    let opening = OpeningSettings {
        start: StartChoice::Random,
        plies: OPENING_PLIES,
        balance: Some(BALANCE),
        material: Material::Odds,
    };
    let run = RunSettings {
        source,
        seed: args.seed,
        nodes: args.nodes,
        hash_mb: HASH_MB,
        opening,
        beliefs: Beliefs::default(),
    };
    let settings = GenerateSettings {
        run,
        games: args.games,
        threads: usize::from(args.threads.unwrap_or(0)),
    };

    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        // A second Ctrl-C is meant.
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    let shown = Shown::new(&settings, &path);
    let summary = generate(&settings, &path, |progress| shown.update(progress), &stop)?;
    shown.bar.finish_and_clear();
    if summary.is_incomplete() {
        eprintln!(
            "stopped after {} of {} games; measuring from these. The same command plays the rest.",
            summary.done, summary.games
        );
    }
    let mut analysis = measure(std::slice::from_ref(&path))?;
    analysis.command = Some(format!(
        "assay-tuner validate {} --games {} --nodes {} --seed {} --data {}",
        args.game,
        analysis.games.games,
        args.nodes,
        args.seed,
        path.display()
    ));
    args.output.write(&analysis)
}

/// The progress on the screen; nothing where standard error is no terminal.
struct Shown {
    bar: ProgressBar,
}

impl Shown {
    fn new(settings: &GenerateSettings, path: &std::path::Path) -> Shown {
        let bar = ProgressBar::new(settings.games);
        let template = "{bar:30} {pos}/{len} games  {per_sec}  {eta} left  {msg}";
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        bar.set_style(
            style.with_key("per_sec", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                // Nobody can be told when this fails.
                let _ = write!(out, "{:.1} games/s", state.per_sec());
            }),
        );
        if stderr().is_terminal() {
            bar.println(format!(
                "assay-tuner {}: {}, seed {}, {} nodes a move; games go to {}",
                env!("CARGO_PKG_VERSION"),
                settings.run.source.game.name,
                settings.run.seed,
                settings.run.nodes,
                path.display()
            ));
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Shown { bar }
    }

    fn update(&self, progress: Progress<'_>) {
        self.bar.set_position(progress.done);
        if progress.new.is_empty() {
            // Games of earlier calls are no measure of this one's speed.
            self.bar.reset_eta();
        }
        self.bar.set_message(score_line(progress.tally));
    }
}

/// `White +12 =3 -10`, with the advantages of games that have five results among the draws' neighbours.
fn score_line(tally: &Tally) -> String {
    let mut text = "White".to_owned();
    for (score, sign) in [
        (Score::WIN, "+"),
        (Score::ADVANTAGE, "adv "),
        (Score::DRAW, "="),
        (Score::DISADVANTAGE, "dis "),
        (Score::LOSS, "-"),
    ] {
        let games = tally.with(score);
        let is_rare = matches!(score, Score::ADVANTAGE | Score::DISADVANTAGE);
        if !is_rare || games > 0 {
            let _ = write!(text, " {sign}{games}");
        }
    }
    text
}
