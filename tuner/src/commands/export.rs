//! `assay-tuner export`.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use assay_cli::format::count;
use assay_cli::{Progress, output};
#[cfg(feature = "parquet")]
use assay_tuner::training::quiet_positions::ParquetWriter;
use assay_tuner::training::quiet_positions::{PositionWriter, export};
use assay_tuner::values::data::count_games;

use super::check_writable;

const EXAMPLES: &str = "\
Examples:
  assay-tuner export assay-gamma2.db --csv gamma2.csv
  assay-tuner export one.db two.db --epd gamma2.epd --csv gamma2.csv
  assay-tuner export assay-gamma2.db --parquet gamma2.parquet
      in builds with the feature `parquet`

Columns of CSV and Parquet: fen, variant, side (w, b), ply, pieces (besides the kings), hmvc (plies since the last capture or promotion), \
best (the move played, as UCI writes it), eval (centipawns for the side to move, may be missing), score (White's, 0 to 1), game, pair \
(the two games of an opening share it: cluster standard errors by it).

A game is RUN-NUMBER and a pair RUN-NUMBER: RUN is a hash of the run's settings, so both stay unique if several files are exported, \
whether together or one by one.

An EPD line: `FEN;variant NAME;bm MOVE;hmvc N;result R;score S;game ID`.
";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("outputs").required(true).multiple(true))]
pub(crate) struct Args {
    /// Files of games, all of the same game
    #[arg(required = true, value_name = "FILE.db")]
    files: Vec<PathBuf>,
    /// Write CSV
    #[arg(long, value_name = "FILE", group = "outputs")]
    csv: Option<PathBuf>,
    /// Write EPD lines
    #[arg(long, value_name = "FILE", group = "outputs")]
    epd: Option<PathBuf>,
    /// Write Parquet, in builds with the feature `parquet`
    #[arg(long, value_name = "FILE", group = "outputs")]
    parquet: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let outputs: Vec<(&str, &Path)> = [("--csv", &args.csv), ("--epd", &args.epd), ("--parquet", &args.parquet)]
        .into_iter()
        .filter_map(|(option, path)| Some((option, path.as_deref()?)))
        .collect();
    if args.parquet.is_some() && cfg!(not(feature = "parquet")) {
        bail!("--parquet: this build cannot write Parquet; build it with --features parquet");
    }
    // Check all outputs before reading anything.
    for (index, &(option, path)) in outputs.iter().enumerate() {
        check_writable(option, path)?;
        if path.exists() {
            bail!(
                "{option} {}: the file exists already, expected a new one",
                path.display()
            );
        }
        if let Some((other, _)) = outputs[..index].iter().find(|(_, other)| *other == path) {
            bail!(
                "{other} and {option}: found {} for both, expected two different files",
                path.display()
            );
        }
    }
    let written = write(&args.files, &outputs);
    if written.is_err() {
        for (_, path) in &outputs {
            // The first error is reported, not this one.
            let _ = fs::remove_file(part(path));
        }
    }
    let positions = written?;
    for (option, path) in &outputs {
        // A hard link fails if the file exists by now; a rename would overwrite it.
        let placed = fs::hard_link(part(path), path).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Err(error),
            _ => fs::rename(part(path), path),
        });
        let _ = fs::remove_file(part(path));
        placed.with_context(|| format!("{option} {}", path.display()))?;
    }
    output::line(count(positions, "quiet position", "quiet positions"))
}

fn write(files: &[PathBuf], outputs: &[(&str, &Path)]) -> anyhow::Result<u64> {
    let writers = outputs.iter().map(|&(option, path)| {
        let writer = writer(option, path);
        writer.with_context(|| format!("{option} {}", path.display()))
    });
    let mut writers: Vec<_> = writers.collect::<Result<_, _>>()?;
    let progress = Progress::new(count_games(files)?, "games");
    let mut done = 0;
    let positions = export(files, |positions, games| {
        done += positions.len();
        progress.inc(games);
        progress.set_message(count(done, "quiet position", "quiet positions"));
        writers.iter_mut().try_for_each(|writer| writer.write(positions))
    })?;
    writers.iter_mut().try_for_each(PositionWriter::finish)?;
    progress.finish();
    Ok(positions)
}

/// Temporary name, so that the final name never has a partial file.
fn part(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    path.with_file_name(name)
}

fn writer(option: &str, path: &Path) -> io::Result<PositionWriter<BufWriter<File>>> {
    let out = BufWriter::new(File::create(part(path))?);
    match option {
        "--csv" => Ok(PositionWriter::Csv(Box::new(csv::Writer::from_writer(out)))),
        "--epd" => Ok(PositionWriter::Epd(out)),
        #[cfg(feature = "parquet")]
        "--parquet" => Ok(PositionWriter::Parquet(ParquetWriter::new(out)?)),
        _ => unreachable!("other options were rejected"),
    }
}
