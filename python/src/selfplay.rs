//! Self-play into a run file.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, ensure};
use assay_selfplay::players::builtin::builtin_players;
use assay_selfplay::settings::{Evaluation, Material, SelfPlay, StartChoice};
use assay_selfplay::store::{self, MergeProgress};
use assay_selfplay::{RunError, RunOptions, StoreError, generate};
use pyo3::prelude::*;

use crate::data::Run;
use crate::error::raise;
use crate::game::GameArg;
use crate::{job, number};

/// Plays games of the engine against itself and stores them in the run file `data`.
///
/// The same call continues an interrupted run, and a larger `games` extends it. Returns the opened file. Finished games are kept after
/// Ctrl-C. Seed and settings determine the games, whatever the number of threads (0: one for each processor).
///
/// The arguments are those of `assay-selfplay generate`: `nodes` per move, `hash` in MiB, `setup` a start of the game or "random",
/// `evaluation` "linear" or "network" (the default in games that have one). `material` is "none", "values" or "playtest"; with the last two the defaults of
/// `opening_plies` (plies), `balance` (centipawns, or "off"), `jitter` (of the engine's own piece values, percent) and `decided` (games end
/// at this many centipawns, or "off") suit measurements of piece values.
///
/// `shard` "I/N" plays every N-th opening pair, from pair I on, into a file of its own; `games` is the total of all shards, and `merge`
/// joins them. `first_game`, a number from 0, is rounded down to its opening pair; games before it are not played.
#[pyfunction]
#[pyo3(signature = (
    game, *, games, data, nodes = 2_000, seed = 1, hash = 4, threads = 0, material = "none", setup = "random", opening_plies = None,
    balance = None, jitter = None, decided = None, evaluation = None, shard = None, first_game = 0, progress = None
))]
pub(crate) fn selfplay(
    py: Python<'_>,
    game: GameArg,
    #[pyo3(from_py_with = number::games)] games: u64,
    data: PathBuf,
    #[pyo3(from_py_with = number::nodes)] nodes: u64,
    #[pyo3(from_py_with = number::seed)] seed: u64,
    #[pyo3(from_py_with = number::hash)] hash: usize,
    #[pyo3(from_py_with = number::threads)] threads: usize,
    material: &str,
    setup: &str,
    #[pyo3(from_py_with = number::opening_plies)] opening_plies: Option<u32>,
    balance: Option<&Bound<'_, PyAny>>,
    jitter: Option<&str>,
    decided: Option<&Bound<'_, PyAny>>,
    evaluation: Option<&str>,
    shard: Option<&str>,
    #[pyo3(from_py_with = number::first_game)] first_game: u64,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Run> {
    let game = game.load()?;
    let settings = || -> anyhow::Result<_> {
        check_output("data", &data)?;
        let material: Material =
            material.parse().map_err(|expected| anyhow!("material: found `{material}`, {expected}"))?;
        let choices = SelfPlay {
            seed,
            nodes,
            hash_mb: hash,
            evaluation: evaluation.map(parse_evaluation).transpose()?,
            start: StartChoice::from(setup.to_owned()),
            material,
            opening_plies,
            balance: balance.map(|value| centipawns("balance", value)).transpose()?,
            decided: decided.map(|value| centipawns("decided", value)).transpose()?,
            eval_jitter: jitter.map(str::parse).transpose().map_err(|error| anyhow!("jitter: {error}"))?,
        };
        Ok(choices.settings(game.source.clone())?)
    };
    let settings = settings().map_err(raise)?;
    let shard = shard
        .map(|shard| shard.parse().map_err(|error| raise(anyhow!("shard: found `{shard}`, {error}"))))
        .transpose()?;
    let options = RunOptions { shard, first_game, ..RunOptions::self_play(games, threads) };
    job::run(py, progress, "games", |job| {
        let report = |progress: assay_selfplay::Progress<'_>| job.report(progress.summary.done, progress.summary.games);
        match generate(&settings, &options, &data, report, &job.stop) {
            // The error's own text is about a file that is to be read.
            Err(RunError::Store(StoreError::Missing { path })) => {
                Err(anyhow!("{}: the file cannot be created", path.display()))
            }
            result => Ok(result?),
        }
    })?;
    Run::open_checked(py, &data)
}

/// Identity of the built-in player, as run files store it: its version and a hash. Another build has another one.
#[pyfunction]
#[pyo3(name = "_identity")]
pub(crate) fn identity(py: Python<'_>, game: GameArg, evaluation: Option<&str>) -> PyResult<String> {
    let game = game.load()?;
    let chosen = evaluation.map(parse_evaluation).transpose().map_err(raise)?;
    let evaluation = Evaluation::of(game.definition(), chosen);
    job::run(py, None, "players", |_| Ok(builtin_players(game.definition()).identity(evaluation)?))
}

fn parse_evaluation(name: &str) -> anyhow::Result<Evaluation> {
    name.parse().map_err(|expected| anyhow!("evaluation: found `{name}`, {expected}"))
}

fn check_output(argument: &str, path: &Path) -> anyhow::Result<()> {
    ensure!(path.file_name().is_some(), "{argument}: found `{}`, expected the path of a file", path.display());
    Ok(())
}

/// Merges the shards of a run into the file `out`, as `assay-selfplay merge` does: it is created, or extended if it holds games of the
/// same run. Returns the opened file. `partial` accepts shards that are missing or incomplete.
#[pyfunction]
#[pyo3(signature = (out, shards, *, partial = false, progress = None))]
pub(crate) fn merge(
    py: Python<'_>,
    out: PathBuf,
    shards: Vec<PathBuf>,
    partial: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Run> {
    copy_shards(py, &out, &shards, partial, progress)?;
    Run::open_checked(py, &out)
}

/// As `merge`, for some shards of a run: does not open the merged file, since counting its games reads all of it.
#[pyfunction]
#[pyo3(name = "_merge_batch")]
pub(crate) fn merge_batch(py: Python<'_>, out: PathBuf, shards: Vec<PathBuf>) -> PyResult<()> {
    copy_shards(py, &out, &shards, true, None)
}

fn copy_shards(
    py: Python<'_>,
    out: &Path,
    shards: &[PathBuf],
    partial: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    job::run(py, progress, "games", |job| {
        check_output("out", out)?;
        let report = |progress: MergeProgress| job.report(progress.done, progress.total);
        store::merge(out, shards, partial, report, &job.stop)?;
        Ok(())
    })
}

/// Centipawns, or `None` for "off".
fn centipawns(argument: &str, value: &Bound<'_, PyAny>) -> anyhow::Result<Option<u32>> {
    if value.extract::<&str>().is_ok_and(|word| word == "off") {
        return Ok(None);
    }
    let limit = value.extract().ok().filter(|&limit: &u32| limit <= 30_000);
    limit.map(Some).ok_or_else(|| anyhow!("{argument}: found {value:?}, expected centipawns up to 30000, or `off`"))
}
