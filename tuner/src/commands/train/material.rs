//! `assay-tuner tune --material`: piece values by Texel's method, beside the published ones and those of `fit`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use assay_cli::args::{self, SeedArg, ThreadsArg};
use assay_cli::{output, output_file};
use assay_engine::Weights;
use assay_engine::eval::Weight;
use assay_rules::{GameDef, Kind};
use assay_selfplay::settings::{Evaluation, GameSource, Material};
use serde::Serialize;
use serde_json::{Value, json};

use crate::commands::measure;
use crate::commands::playing::{DEFAULT_NODES, MAX_GAMES, RunArgs, play};
use crate::report::{Table, format, row};
use crate::training::weights::linear::TuningData;
use crate::values::analysis::AnalysisOptions;
use crate::values::inference::units::published_sum;
use crate::values::inference::{IntervalEstimate, Unit, UnitTable};

/// Games to play when --material is given no file.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Games of --material without a file")]
pub(super) struct PlayArgs {
    /// Number of games to play [default: 2000]
    #[arg(long, value_name = "N", requires = "material", value_parser = args::whole_number(2..=MAX_GAMES), allow_negative_numbers = true)]
    games: Option<u64>,
    /// Nodes to search for each move [default: 1000]
    #[arg(long, value_name = "N", requires = "material", value_parser = args::whole_number(1..=1_u64 << 50), allow_negative_numbers = true)]
    nodes: Option<u64>,
    /// Seed of the games [default: 1]
    #[arg(long, value_name = "N", requires = "material", value_parser = args::whole_number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Run file; created if missing, continued if it exists [default: assay-GAME.db, as `validate`
    /// uses]
    #[arg(long, value_name = "FILE", requires = "material")]
    data: Option<PathBuf>,
}

impl PlayArgs {
    /// Fails if an option of these is given, because files are read and no games are played.
    pub(super) fn check_unused(&self) -> anyhow::Result<()> {
        let given = [
            ("--games", self.games.is_some()),
            ("--nodes", self.nodes.is_some()),
            ("--seed", self.seed.is_some()),
            ("--data", self.data.is_some()),
        ];
        let given = given.iter().find(|(_, is_given)| *is_given);
        given.map_or(Ok(()), |(option, _)| {
            anyhow::bail!("{option}: found files to read, expected none; games are played only without files")
        })
    }

    /// Plays the missing games, those of `validate`, and returns their file, which must not be `out`.
    pub(super) fn play(
        &self,
        source: Option<&GameSource>,
        out: Option<&Path>,
        threads: ThreadsArg,
    ) -> anyhow::Result<PathBuf> {
        let source =
            source.context("found no game and no file, expected a game to play or files to read; see --help")?;
        let run = RunArgs {
            games: self.games,
            nodes: self.nodes.unwrap_or(DEFAULT_NODES),
            evaluation: Evaluation::default(),
            shard: None,
            seed: SeedArg { seed: self.seed.unwrap_or(1) },
            threads,
        };
        let path = self.data.clone().unwrap_or_else(|| format!("assay-{}.db", source.game.name).into());
        output_file::check(&[("--out", out)], [&path])?;
        play(&run.settings(source, Material::Values, run.games())?, &path, None, None)?;
        Ok(path)
    }
}

/// The weights that tuning starts from: what the movement of each piece makes it worth, and nothing for all other terms.
pub(super) fn start(game: &Arc<GameDef>) -> Weights {
    let computed = Weights::computed(game);
    let mut weights = Weights::zero(game, "piece values computed from movement");
    for term in game.all_kinds().filter_map(|kind| computed.terms().material(kind)) {
        weights.set(term, computed.get(term));
    }
    same_in_both_phases(&mut weights);
    weights
}

/// Gives each weight its middlegame value in the endgame, too: with `--material`, a piece has one value.
pub(super) fn same_in_both_phases(weights: &mut Weights) {
    for term in weights.terms().all() {
        let middlegame = weights.get(term).middlegame;
        weights.set(term, Weight { middlegame, endgame: middlegame });
    }
}

/// A piece's value in the unit army and in centipawns.
#[derive(Serialize)]
struct PieceValue {
    piece: String,
    published: Option<f64>,
    tuned: f64,
    fit: Option<IntervalEstimate>,
    centipawns: f64,
}

/// Tuned values beside others.
pub(super) struct Values {
    title: String,
    unit: String,
    pieces: Vec<PieceValue>,
}

impl Values {
    /// The values that weights have after tuning to data, beside those of `fit` if there are run files.
    pub(super) fn of(data: &TuningData, weights: &Weights) -> Values {
        let game = &data.game;
        let centipawns = |kind: Kind| {
            let term = weights.terms().material(kind)?;
            (data.occurrences[term.index()][0] > 0.0).then(|| weights.get(term).middlegame)
        };
        let mut kinds: Vec<(Kind, f64)> = game.all_kinds().filter_map(|kind| Some((kind, centipawns(kind)?))).collect();
        kinds.sort_by(|one, other| other.1.total_cmp(&one.1));
        let fitted = fit_of_games(data);
        // Both columns have the unit of the pieces that both know.
        let is_fitted = |kind: Kind| fitted.as_ref().is_none_or(|table| table.of(&game.kind(kind).name).is_some());
        let common = kinds.iter().map(|&(kind, _)| kind).filter(|&kind| is_fitted(kind));
        let common: Vec<Kind> = common.collect();
        let (reference, total) = Unit::Army.reference(game, &common).unwrap_or_default();
        let sum: f64 = reference.iter().filter_map(|&kind| centipawns(kind)).sum();
        let published = published_sum(game, &reference);
        let values = kinds.iter().map(|&(kind, centipawns)| {
            let of_fit = |table: &UnitTable| Some(table.of(&game.kind(kind).name)?.measured);
            PieceValue {
                piece: game.kind(kind).name.clone(),
                published: game.kind(kind).value.zip(published).map(|(value, all)| value * total / all),
                tuned: centipawns * total / sum,
                fit: fitted.as_ref().and_then(of_fit),
                centipawns,
            }
        });
        Values {
            title: game.title.clone(),
            unit: Unit::Army.definition(game, &reference, total),
            pieces: values.collect(),
        }
    }

    pub(super) fn text(&self) -> String {
        let places = Unit::Army.places();
        let rows = self.pieces.iter().map(|value| {
            let columns = [
                format::value(value.published, places),
                format::value(Some(value.tuned), places),
                format::measured(value.fit, places),
                format::value(Some(value.centipawns), 0),
            ];
            row(&value.piece, columns)
        });
        let headings = ["piece", "published", "Texel's method", "fit", "centipawns"];
        format!(
            "{}: what the pieces are worth\n\n{}\nUnit of the first three columns: {}. Texel's method gives no intervals, \
             and counts all positions of a game as if they were independent; `fit` does neither. Centipawns are of \
             Texel's method: +300 is an expected score of 0.75.\n",
            self.title,
            Table::new("", headings, rows).text(),
            self.unit
        )
    }

    pub(super) fn add_to(&self, json: &mut Value) {
        json["values"] = json!(self.pieces);
        json["unit"] = json!(self.unit);
    }
}

/// Values in the army by the regression, if the data have run files from which it can measure them.
fn fit_of_games(data: &TuningData) -> Option<UnitTable> {
    if data.files.is_empty() {
        return None;
    }
    let paths: Vec<PathBuf> = data.files.iter().map(|file| file.path.clone()).collect();
    let options = AnalysisOptions { resamples: 0, ..AnalysisOptions::default() };
    match measure(&paths, &options, None) {
        Ok(report) => report.units.into_iter().find(|table| table.unit == Unit::Army),
        Err(error) => {
            output::warning(format_args!("no values of `fit`: {error:#}"));
            None
        }
    }
}
