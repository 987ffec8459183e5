//! Self-play into a run file.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use assay_selfplay::settings::{EvalJitter, Evaluation, Material, SelfPlay, StartChoice};
use assay_selfplay::store::{self, MergeProgress};
use assay_selfplay::{RunOptions, generate};
use pyo3::prelude::*;

use crate::data::Run;
use crate::error::raise;
use crate::game::GameArg;
use crate::job;

/// Plays games of the engine against itself and stores them in the run file `out`; the same call continues an interrupted run, and a
/// larger `games` extends it. Returns the opened file. Finished games are kept after Ctrl-C.
///
/// Seed and settings determine the games, whatever the number of threads (0: one for each processor). The arguments are those of
/// `assay-selfplay generate`: `material` is "none", "odds", "values" or "playtest"; with the last two the defaults of
/// `opening_plies` (plies), `balance` (centipawns, or "off") and `jitter` (percent) suit measurements of piece values. `shard` "I/N" plays
/// every N-th opening pair, from pair I on; `games` is the total of all shards, and `assay.merge` joins them. Games with a number below
/// `first_game` are not played.
#[pyfunction]
#[pyo3(signature = (
    game, *, games, out, nodes = 2_000, seed = 1, hash = 4, threads = 0, material = "none", setup = "random", opening_plies = None,
    balance = None, jitter = None, evaluation = "linear", shard = None, first_game = 0, progress = None
))]
pub(crate) fn selfplay(
    py: Python<'_>,
    game: GameArg,
    games: u64,
    out: PathBuf,
    nodes: u64,
    seed: u64,
    hash: usize,
    threads: usize,
    material: &str,
    setup: &str,
    opening_plies: Option<u32>,
    balance: Option<Balance>,
    jitter: Option<&str>,
    evaluation: &str,
    shard: Option<&str>,
    first_game: u64,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Run> {
    let game = game.load()?;
    let settings = || -> anyhow::Result<_> {
        for (name, number) in [("games", games), ("nodes", nodes), ("hash", hash as u64)] {
            anyhow::ensure!(number > 0, "{name}: found 0, expected at least 1");
        }
        let known = [Material::None, Material::Odds, Material::Values, Material::Playtest];
        let material = known
            .into_iter()
            .find(|known| known.name() == material)
            .ok_or_else(|| anyhow!("material: found `{material}`, expected none, odds, values or playtest"))?;
        let evaluation = match evaluation {
            "linear" => Evaluation::Linear,
            "network" => Evaluation::Default,
            _ => return Err(anyhow!("evaluation: found `{evaluation}`, expected linear or network")),
        };
        let choices = SelfPlay {
            seed,
            nodes,
            hash_mb: hash,
            evaluation,
            start: StartChoice::from(setup.to_owned()),
            material,
            opening_plies,
            balance: balance.map(Balance::limit).transpose()?,
            eval_jitter: jitter
                .map(EvalJitter::parse)
                .transpose()
                .map_err(|error| anyhow!("jitter: {error}"))?,
        };
        Ok(choices.settings(game.source.clone())?)
    };
    let settings = settings().map_err(raise)?;
    let shard = shard
        .map(|shard| {
            shard
                .parse()
                .map_err(|error| raise(anyhow!("shard: found `{shard}`, {error}")))
        })
        .transpose()?;
    let options = RunOptions {
        shard,
        first_game,
        ..RunOptions::self_play(games, threads)
    };
    job::run(py, progress, "games", |job| {
        let report = |progress: assay_selfplay::Progress<'_>| job.report(progress.summary.done, progress.summary.games);
        Ok(generate(&settings, &options, &out, report, &job.stop)?)
    })?;
    Run::open_checked(py, &out)
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

/// As `merge`, for some shards of a campaign: does not open the merged file, since counting its games reads all of it.
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
        let report = |progress: MergeProgress| job.report(progress.done, progress.total);
        store::merge(out, shards, partial, report, &job.stop)?;
        Ok(())
    })
}

/// The argument `balance`.
#[derive(FromPyObject)]
pub(crate) enum Balance {
    Centipawns(u32),
    Word(String),
}

impl Balance {
    fn limit(self) -> anyhow::Result<Option<u32>> {
        match self {
            Balance::Centipawns(limit) => Ok(Some(limit)),
            Balance::Word(word) if word == "off" => Ok(None),
            Balance::Word(word) => Err(anyhow!("balance: found `{word}`, expected centipawns or `off`")),
        }
    }
}
