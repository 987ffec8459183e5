//! Playing the games that a measurement needs, with a sign of life.

use std::fmt::Write as _;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_rules::Points;
use assay_selfplay::players::eval_jitter::EvalJitter;
use assay_selfplay::settings::{GameSource, GenerateSettings, Material, OpeningSettings, RunSettings, StartChoice};
use assay_selfplay::{Progress, Tally, generate};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// Some five minutes of Gamma2 Chess on two cores.
const USUAL_GAMES: u64 = 5_000;

/// Enough to see what hangs and what can be won by force, few enough for many games: it is games that narrow intervals.
const USUAL_NODES: u64 = 1_000;

/// Random plies before the odds, and up to two more: the openings differ, and the armies are still whole.
const OPENING_PLIES: u32 = 6;

/// The most centipawns between the sides before the odds. Random moves leave pieces hanging, and a game in which one is taken at
/// once tells more of that than of the odds.
const BALANCE: u32 = 100;

/// Megabytes of search table: games of so few nodes do not fill more.
const HASH_MB: usize = 4;

/// The most percent that the engine's own piece values are off, so that what it believes is not what is measured.
const JITTER: u32 = 20;

/// Which games are played.
#[derive(Debug, clap::Args)]
pub(crate) struct Playing {
    #[command(flatten)]
    pub(crate) run: Run,
    /// The file of games; made when there is none, continued when there is [default: one named after the game, in this folder]
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

/// Which games are played, wherever they are kept.
#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// How many games to measure from [default: 5000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=1 << 40))]
    games: Option<u64>,
    /// Nodes searched for each move
    #[arg(long, value_name = "K", default_value_t = USUAL_NODES, value_parser = clap::value_parser!(u64).range(1..=1 << 50))]
    pub(crate) nodes: u64,
    /// The number that all random choices follow from
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games played at a time [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Playing {
    /// How many games were asked for.
    pub(crate) fn games(&self) -> u64 {
        self.run.games()
    }

    /// The file of games.
    pub(crate) fn file(&self, usual: &str) -> PathBuf {
        self.data.clone().unwrap_or_else(|| PathBuf::from(usual))
    }

    /// What is to be played.
    pub(crate) fn settings(&self, source: &GameSource, material: Material, games: u64) -> GenerateSettings {
        self.run.settings(source, material, games)
    }
}

impl Run {
    /// How many games were asked for.
    pub(crate) fn games(&self) -> u64 {
        self.games.unwrap_or(USUAL_GAMES)
    }

    /// What is to be played from random openings.
    pub(crate) fn settings(&self, source: &GameSource, material: Material, games: u64) -> GenerateSettings {
        let opening = OpeningSettings {
            start: StartChoice::Random,
            plies: OPENING_PLIES,
            balance: Some(BALANCE),
            material,
        };
        // From equal armies nothing is measured that eval_jitter could leak into.
        let jitter = if material == Material::None { 0 } else { JITTER };
        self.with_opening(source, opening, jitter, games)
    }

    /// What is to be played from one start, behind so many random moves. No look at the balance, which would refuse what is to be
    /// measured; games differ by what the players believe pieces to be worth, too.
    pub(crate) fn settings_from(&self, source: &GameSource, start: &str, plies: u32, games: u64) -> GenerateSettings {
        let opening = OpeningSettings {
            start: StartChoice::Named(start.to_owned()),
            plies,
            balance: None,
            material: Material::None,
        };
        self.with_opening(source, opening, JITTER, games)
    }

    fn with_opening(&self, source: &GameSource, opening: OpeningSettings, jitter: u32, games: u64) -> GenerateSettings {
        let run = RunSettings {
            source: source.clone(),
            seed: self.seed,
            nodes: self.nodes,
            hash_mb: HASH_MB,
            opening,
            eval_jitter: EvalJitter {
                jitter,
                bias: Vec::new(),
            },
        };
        GenerateSettings {
            run,
            games,
            threads: usize::from(self.threads.unwrap_or(0)),
        }
    }
}

/// A flag that Ctrl-C raises; a second Ctrl-C ends the program. To be asked for once.
pub(crate) fn stop_on_ctrl_c() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        // A second Ctrl-C is meant.
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}

/// Plays what is missing, until it is there, `stop` is raised, or the time is over. Gives the games that the file holds.
pub(crate) fn play(
    settings: &GenerateSettings,
    path: &Path,
    stop: &AtomicBool,
    until: Option<Instant>,
) -> anyhow::Result<u64> {
    let (over, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let shown = Shown::new(settings, path);
    let summary = std::thread::scope(|scope| {
        // Players look at one flag only; whoever raises one of the two raises that.
        let watch = || {
            while !done.load(Ordering::Relaxed) {
                if stop.load(Ordering::Relaxed) || until.is_some_and(|until| Instant::now() >= until) {
                    over.store(true, Ordering::Relaxed);
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        scope.spawn(watch);
        let summary = generate(settings, path, |progress| shown.update(progress), &over);
        done.store(true, Ordering::Relaxed);
        summary
    })?;
    shown.bar.finish_and_clear();
    if stop.load(Ordering::Relaxed) && summary.is_incomplete() {
        eprintln!(
            "stopped after {} of {} games; measuring from these. The same command plays the rest.",
            summary.done, summary.games
        );
    }
    Ok(summary.done)
}

/// The progress on the screen; nothing where standard error is no terminal.
struct Shown {
    bar: ProgressBar,
}

impl Shown {
    fn new(settings: &GenerateSettings, path: &Path) -> Shown {
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
        (Points::WIN, "+"),
        (Points::ADVANTAGE, "adv "),
        (Points::DRAW, "="),
        (Points::DISADVANTAGE, "dis "),
        (Points::LOSS, "-"),
    ] {
        let games = tally.with(score);
        let is_rare = matches!(score, Points::ADVANTAGE | Points::DISADVANTAGE);
        if !is_rare || games > 0 {
            let _ = write!(text, " {sign}{games}");
        }
    }
    text
}
