//! Playing the games that a measurement needs.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use assay_cli::args::{self, SeedArg, ThreadsArg};
use assay_cli::format::{count, grouped};
use assay_cli::interrupt::{self, stop_flag};
use assay_cli::{Progress, output};
use assay_selfplay::settings::{
    EngineSettings, EvalJitter, Evaluation, GameSource, Material, PlayerSlots, RunOptions, RunSettings, SelfPlay,
    Shard, StartChoice,
};
use assay_selfplay::{Store, Summary, generate};

use crate::report;
use crate::values::data::Dataset;
use crate::values::design::PhaseModel;
use crate::values::inference::{Fit, Precision, Unit, ValueTable};

/// The largest number of games that can be requested.
pub(crate) const MAX_GAMES: u64 = 1 << 40;

/// About two minutes of Gamma2 Chess on two cores.
pub(crate) const DEFAULT_GAMES: u64 = 5_000;

/// Enough to see hanging pieces and short tactics, few enough for many games: intervals narrow
/// with the number of games.
pub(crate) const DEFAULT_NODES: u64 = 400;

/// Evaluation jitter in percent of games from a start with unequal armies, as by default where
/// values are measured.
const JITTER: u32 = 20;

/// The games to play.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Number of games to play [default: 5000]
    #[arg(long, value_name = "N", value_parser = args::whole_number(2..=MAX_GAMES), allow_negative_numbers = true)]
    pub(crate) games: Option<u64>,
    /// Nodes to search for each move
    #[arg(long, value_name = "N", default_values_t = [DEFAULT_NODES], value_delimiter = ',', value_parser = args::whole_number(1..=1_u64 << 50), allow_negative_numbers = true)]
    pub(crate) nodes: Vec<u64>,
    /// Evaluation of the players [default: network, in games that have one]
    #[arg(long, value_parser = args::one_of::<Evaluation>(Evaluation::NAMES))]
    pub(crate) evaluation: Option<Evaluation>,
    /// Play for this much time (90s, 30m, 2h): more games than --games, or fewer if time runs out
    /// first
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    pub(crate) budget: Option<Duration>,
    /// Play only shard I of N (every N-th opening, starting with the I-th) and measure nothing
    ///
    /// The games are kept in FILE-shard-I-of-N.db. `assay-selfplay merge FILE.db FILE-shard-*.db`
    /// joins the shards; then the same command without --shard measures.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) seed: SeedArg,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
}

impl RunArgs {
    pub(crate) fn games(&self) -> u64 {
        self.games.unwrap_or(DEFAULT_GAMES)
    }

    /// The option of the evaluation for a command, if it was given.
    pub(crate) fn evaluation_flag(&self) -> String {
        self.evaluation.map_or_else(String::new, |evaluation| format!(" --evaluation {evaluation}"))
    }

    /// The nodes for each move of a command that plays at one strength.
    pub(crate) fn nodes(&self) -> anyhow::Result<u64> {
        let [nodes] = self.nodes[..] else {
            anyhow::bail!("--nodes: found several numbers, expected one; `validate` measures at several strengths")
        };
        Ok(nodes)
    }

    /// Games with the openings of `choices`, kept in the file `whole` or its shard.
    pub(crate) fn plan(
        &self,
        source: &GameSource,
        choices: SelfPlay,
        games: u64,
        whole: &Path,
    ) -> anyhow::Result<PlannedRun> {
        let (seed, nodes, evaluation) = (self.seed.seed, self.nodes()?, self.evaluation);
        let settings = SelfPlay { seed, nodes, evaluation, ..choices }.settings(source.clone());
        Ok(PlannedRun {
            settings: settings.map_err(|error| anyhow::anyhow!("--{error}"))?,
            options: RunOptions {
                shard: self.shard,
                ..RunOptions::self_play(games, self.threads.threads.unwrap_or(0))
            },
            path: self.shard.map_or_else(|| whole.to_owned(), |shard| shard_file(whole, shard)),
        })
    }

    /// A match from balanced openings between the player of `self` and one that searches `weaker`
    /// nodes.
    pub(crate) fn match_against(
        &self,
        source: &GameSource,
        weaker: u64,
        games: u64,
        whole: &Path,
    ) -> anyhow::Result<PlannedRun> {
        let mut run = self.plan(source, random_openings(Material::None), games, whole)?;
        let hash_mb = SelfPlay::default().hash_mb;
        let player = |nodes| EngineSettings {
            name: format!("{nodes}-nodes"),
            ..EngineSettings::self_play(nodes, hash_mb, Evaluation::of(&source.game, self.evaluation))
        };
        run.settings.players = PlayerSlots::of_match([player(self.nodes()?), player(weaker)]);
        Ok(run)
    }

    /// Fails if --shard is given with an option that needs the games of all shards. The options
    /// are named, each with whether it is given.
    pub(crate) fn check_shard(&self, options: &[(&str, bool)]) -> anyhow::Result<()> {
        let budget = [("--budget", self.budget.is_some())];
        let given = budget.iter().chain(options).find(|(_, is_given)| *is_given && self.shard.is_some());
        given.map_or(Ok(()), |(option, _)| {
            anyhow::bail!("--shard: found {option}, which needs the games of all shards; merge the shards first")
        })
    }
}

/// Choices of games from random openings.
pub(crate) fn random_openings(material: Material) -> SelfPlay {
    let (plies, balance) = Material::VALUES_OPENING;
    SelfPlay { material, opening_plies: Some(plies), balance: Some(Some(balance)), ..SelfPlay::default() }
}

/// Choices of games from a start, or from random ones, after `plies` random plies. Openings are not
/// balanced, because the imbalance is what is measured; evaluation jitter makes the games differ.
pub(crate) fn openings_from(start: StartChoice, plies: u32) -> SelfPlay {
    let eval_jitter = Some(EvalJitter { jitter: JITTER, bias: Vec::new() });
    SelfPlay { start, opening_plies: Some(plies), balance: Some(None), eval_jitter, ..SelfPlay::default() }
}

/// A sentence for a budget that ended before `planned` games (of some kind) were played.
pub(crate) fn budget_note(
    budget: Option<Duration>,
    done: u64,
    planned: u64,
    (game, games): (&str, &str),
) -> Option<String> {
    let planned_games = count(planned, game, games);
    budget.filter(|_| done < planned).map(|_| format!("The budget ended after {} of {planned_games}.", grouped(done)))
}

/// Fails if the file exists and holds another run, so that this is known before other games are
/// played.
pub(crate) fn check_resumable(planned: &PlannedRun) -> anyhow::Result<()> {
    if planned.path.exists() {
        let options = RunOptions { games: 0, ..planned.options.clone() };
        generate(&planned.settings, &options, &planned.path, |_| (), &AtomicBool::new(true))?;
    }
    Ok(())
}

/// Plays a shard of runs.
pub(crate) fn play_shard(shard: Shard, runs: &[PlannedRun]) -> anyhow::Result<()> {
    runs.iter().try_for_each(check_resumable)?;
    for planned in runs {
        let done = play(planned, None, None)?.done;
        let games = planned.options.shard_games(&planned.settings);
        output::line(format_args!(
            "{}: {} of {} of shard {shard}",
            planned.path.display(),
            grouped(done),
            count(games, "game", "games")
        ))?;
        if interrupt::requested() {
            output::line("stopped; the same command plays the remaining games")?;
            return Ok(());
        }
    }
    Ok(())
}

/// `FILE-shard-I-of-N.db` for `FILE.db`.
pub(crate) fn shard_file(whole: &Path, shard: Shard) -> PathBuf {
    let stem = whole.file_stem().unwrap_or_default().to_string_lossy();
    let end = whole.extension().map_or_else(String::new, |end| format!(".{}", end.to_string_lossy()));
    whole.with_file_name(format!("{stem}-shard-{}-of-{}{end}", shard.number(), shard.count()))
}

/// A run to be played.
pub(crate) struct PlannedRun {
    pub(crate) settings: RunSettings,
    pub(crate) options: RunOptions,
    /// The file of its games.
    pub(crate) path: PathBuf,
}

/// Plays the missing games until all are played, a signal arrives, or the time is over. With a
/// phase model, values are measured and shown meanwhile. Returns all that is known of the games in
/// the file.
pub(crate) fn play(planned: &PlannedRun, until: Option<Instant>, live: Option<PhaseModel>) -> anyhow::Result<Summary> {
    stop_flag();
    let (over, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let bar = Progress::new(planned.options.shard_games(&planned.settings), "games");
    bar.print_header(format_args!(
        "{}: seed {}, {} nodes per move, games in {}",
        planned.settings.game().name,
        planned.settings.seed,
        grouped(planned.settings.nodes()),
        planned.path.display()
    ));
    let live_values = LiveValues::default();
    let summary = std::thread::scope(|scope| {
        // The runner watches one flag, so this thread combines signals and the deadline.
        let watch = || {
            while !done.load(Ordering::Relaxed) {
                if interrupt::requested() || until.is_some_and(|until| Instant::now() >= until) {
                    over.store(true, Ordering::Relaxed);
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        scope.spawn(watch);
        if let Some(phase_model) = live {
            let (live_values, bar, done) = (&live_values, &bar, &done);
            scope.spawn(move || live_values.refresh(&planned.path, phase_model, bar, done));
        }
        let show = |progress: assay_selfplay::Progress<'_>| {
            if progress.new.is_empty() {
                bar.resume_at(progress.summary.done);
            } else {
                bar.set(progress.summary.done);
            }
            live_values.games.store(progress.summary.done, Ordering::Relaxed);
            let widest = live_values.widest.lock().map_or_else(|_| String::new(), |widest| widest.clone());
            bar.set_message(progress.summary.tally.results().short() + &widest);
        };
        let summary = generate(&planned.settings, &planned.options, &planned.path, show, &over);
        done.store(true, Ordering::Relaxed);
        summary
    })?;
    bar.finish();
    if planned.options.shard.is_none() && interrupt::requested() && summary.is_incomplete() {
        output::note(format_args!(
            "stopped after {} of {}; measuring from these. Run the same command again to play the rest.",
            grouped(summary.done),
            count(summary.games, "game", "games")
        ));
    }
    Ok(summary)
}

/// Games before the first fit.
const FIRST_FIT: u64 = 100;

/// Values that are measured again and again while their games are played.
#[derive(Default)]
struct LiveValues {
    /// Games in the file.
    games: AtomicU64,
    /// End of a progress line: the widest interval.
    widest: Mutex<String>,
}

impl LiveValues {
    /// Measures whenever there are enough new games, until `done` is set, and shows the values
    /// below the bar. Each fit has a quarter more games than the one before, so that all together
    /// take no longer than five of the last one.
    fn refresh(&self, path: &Path, phase_model: PhaseModel, bar: &Progress, done: &AtomicBool) {
        let mut watch = |_: u64| {
            if done.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let mut next = FIRST_FIT;
        while !done.load(Ordering::Relaxed) {
            let games = self.games.load(Ordering::Relaxed);
            if games < next {
                std::thread::sleep(Duration::from_millis(200));
                continue;
            }
            next = games + games / 4;
            // Too few games to measure anything are no error: more will come, and the final
            // measurement names what is wrong.
            let store = Store::open_read(path).ok();
            let data = store.and_then(|store| Dataset::read_watched(&[&store], &mut watch).ok());
            let Some(fit) = data.and_then(|data| Fit::of_games(&data, phase_model).ok()) else {
                continue;
            };
            let tables = fit.tables();
            if let Some(Precision { piece, percent, .. }) = Precision::of(&tables) {
                bar.set_precision(percent, "% of the army");
                if let Ok(mut widest) = self.widest.lock() {
                    *widest = format!(", widest interval: {piece} \u{b1}{percent:.2}% of the army");
                }
            }
            if let Some(army) = ValueTable::in_unit(&tables, Some(Unit::Army)) {
                bar.set_table(report::shares(&army.values, "so far").to_string());
            }
        }
    }
}
