//! `assay-tuner claims`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use assay_cli::args::{self, JsonArg};
use assay_cli::interrupt::stop_flag;
use assay_cli::output;
use assay_rules::def::BUILTIN_NAMES;
use assay_selfplay::settings::{GameSource, Material};
use assay_tuner::report::{claims as report, html};
use assay_tuner::values::claims::Claims;
use assay_tuner::values::claims::run_cache::{Run, RunCache, RunKind};
use assay_tuner::values::claims::scores::BASE_START;
use assay_tuner::values::claims::statements::{GAMES, statements};

use super::playing::{self, PlannedRun, play};
use super::{check_writable, write_file};

const LONG: &str = "\
Tests what the inventors' documents claim about their games: tables of values, the bonus for a pair of bishops, draws, the cost of a \
pawn compared with chess, changes towards the endgame, the first move, handicaps and setups. Each claim gets a measured number, a 95% \
interval (clustered by opening pair) and a verdict: holds, does not hold, or needs more games.

Missing games are played and kept in files named after the game and their purpose. `validate`, `stats` and `playtest` with the same \
settings use the same files. After Ctrl-C, claims are tested on the games played so far.

--games is the number of games for each file of games for values or between equal armies. The playtest gets a third, and each start \
with a handicap a tenth of it.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner claims
      all games with a document
  assay-tuner claims gunnery --games 20000 --report gunnery-claims.html
  assay-tuner claims apothecary2 --budget 2h --data games --json
      plays for two hours, divided among all files; run it again to continue
  assay-tuner claims my-game.toml
      tests the values of a definition file

Keys of --json: assay, findings, files (as those of validate), command.
A finding: game, claim, unit, claimed (shape: equal with value and max_width, near with value and within, more-than, less-than
with value, joint with values), measured, interval (as validate has it), p (of a joint test), verdict (holds, does-not-hold,
needs-more-games), games, note, quote, document
";

/// Each start with a handicap gets --games divided by this number of games.
const START_DIVISOR: u64 = 10;

/// Arguments of `claims`.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Built-in games (berolina, gamma2, gunnery, scorpion, apothecary2) or definition files [default: all built-in ones]
    #[arg(value_name = "GAME")]
    games_of: Vec<String>,
    #[command(flatten)]
    run: playing::RunArgs,
    /// Continue beyond --games until this much time has passed (90s, 30m, 2h)
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    budget: Option<Duration>,
    /// Folder for the files of games
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    data: PathBuf,
    /// Write a report with charts as one HTML file
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.report {
        check_writable("--report", path)?;
    }
    anyhow::ensure!(
        args.data.is_dir(),
        "--data {}: found no such folder, expected a folder for files of games",
        args.data.display()
    );
    let sources = sources(&args.games_of)?;
    let cache = RunCache::new(&args.data, sources.clone());
    let mut runs: Vec<Run> = sources
        .iter()
        .flat_map(|source| {
            let statements = statements(&source.game).iter();
            statements.flat_map(|statement| statement.runs(&source.game.name))
        })
        .collect();
    runs.sort();
    runs.dedup();
    let stop = stop_flag();
    play_all(args, &cache, &runs, stop)?;

    let findings = sources.iter().flat_map(|source| {
        let statements = statements(&source.game).iter();
        statements.flat_map(|statement| statement.findings(&source.game.name, &cache))
    });
    let findings = findings.collect();
    if let Some(error) = cache.take_error() {
        return Err(error.into());
    }
    let claims = Claims {
        assay: env!("CARGO_PKG_VERSION").to_owned(),
        findings,
        files: cache.files(),
        command: Some(command(args)),
    };
    if let Some(path) = &args.report {
        write_file("--report", path, html::claims(&claims).into_string())?;
    }
    if args.json.json {
        return output::json(&claims);
    }
    let mut text = report::text(&claims);
    if let Some(path) = &args.report {
        text += &format!("Report: {}\n", path.display());
    }
    output::print(text)
}

/// The requested games, each once, each with claims.
fn sources(names: &[String]) -> anyhow::Result<Vec<GameSource>> {
    let all: Vec<String> = GAMES.map(str::to_owned).to_vec();
    let mut sources: Vec<GameSource> = Vec::new();
    for name in if names.is_empty() { &all } else { names } {
        let source = GameSource::load(name)?;
        let game = &source.game;
        anyhow::ensure!(
            !statements(game).is_empty(),
            "{name}: found no claims about {}, expected one of {}, or a definition with values",
            game.name,
            GAMES.join(", ")
        );
        // Its files would be named like those of the built-in game.
        anyhow::ensure!(
            source.text.is_none() || !BUILTIN_NAMES.contains(&game.name.as_str()),
            "{name}: found the name of a built-in game, {}, expected another name",
            game.name
        );
        if let Some(other) = sources.iter().find(|other| other.game.name == game.name) {
            anyhow::ensure!(
                other.game == *game,
                "{name}: found two games named {}, expected different names",
                game.name
            );
            continue;
        }
        sources.push(source);
    }
    Ok(sources)
}

/// Plays the missing games of each file, then more while there is time.
fn play_all(args: &Args, cache: &RunCache, runs: &[Run], stop: &AtomicBool) -> anyhow::Result<()> {
    let deadline = args.budget.map(|budget| Instant::now() + budget);
    let mut games = args.run.games();
    loop {
        for (index, run) in runs.iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            // The remaining time is divided among the remaining files, so time that one file does not need goes to the others.
            let until = deadline.map(|deadline| {
                let left = deadline.saturating_duration_since(Instant::now());
                Instant::now() + left / (runs.len() - index) as u32
            });
            play(&settings(args, cache, run, games)?, &cache.path(run), stop, until)?;
        }
        if deadline.is_none_or(|deadline| Instant::now() >= deadline) {
            return Ok(());
        }
        games = (games + (games / 2).max(20)).next_multiple_of(2);
    }
}

fn settings(args: &Args, cache: &RunCache, run: &Run, games: u64) -> anyhow::Result<PlannedRun> {
    let source = cache.source(&run.game).context("a claim refers to an unknown game")?;
    let playing = &args.run;
    Ok(match &run.kind {
        RunKind::Values => playing.settings(&source, Material::Values, games),
        RunKind::Playtest => playing.settings(&source, Material::Playtest, games / 3),
        RunKind::Equal => playing.settings(&source, Material::None, games),
        RunKind::Start(start) => {
            // Random moves would spoil the comparison with an extra move, so these games start without any.
            let plies = if start.contains("+two-moves") || start == BASE_START {
                0
            } else {
                2
            };
            playing.settings_from(&source, start, plies, (games / START_DIVISOR).max(2))
        }
    })
}

fn command(args: &Args) -> String {
    let games: String = args.games_of.iter().map(|name| format!(" {name}")).collect();
    let data = Path::new(&args.data).display();
    format!(
        "assay-tuner claims{games} --games {} --nodes {} --seed {} --data {data}",
        args.run.games(),
        args.run.nodes,
        args.run.seed.seed
    )
}
