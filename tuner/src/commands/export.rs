//! `assay-tuner export`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use assay_cli::format::count;
use assay_cli::output;
use assay_tuner::training::quiet_rows::{self, Csv, Epd, PositionSink};

use super::check_writable;

const LONG: &str = "\
Writes the quiet positions of games for other programs: the positions that values are measured from. A position is quiet if no side is \
in check, no piece was captured or promoted in the last two plies or is by the next move, and no mate is in sight. \
`assay-selfplay export` writes all positions, and PGN.

Existing files are never overwritten.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner export assay-gamma2.db --csv gamma2.csv
  assay-tuner export one.db two.db --epd gamma2.epd --csv gamma2.csv
  assay-tuner export assay-gamma2.db --parquet gamma2.parquet
      in builds with the feature `parquet`

Columns of CSV and Parquet: fen, variant, side (w, b), ply, pieces (besides the kings), hmvc (plies since the last capture or promotion), best (the
move played, as UCI writes it), eval (centipawns for the side to move, may be missing), score (White's, 0 to 1), game, pair (the two
games of an opening share it).
An EPD line: `FEN;variant NAME;bm MOVE;hmvc N;result R;score S;game ID`.
";

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
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
    let written = write(args, &outputs);
    if written.is_err() {
        for (_, path) in &outputs {
            // The first error is reported, not this one.
            let _ = fs::remove_file(part(path));
        }
    }
    let rows = written?;
    for (option, path) in &outputs {
        // A hard link fails if the file exists by now; a rename would overwrite it.
        let placed = fs::hard_link(part(path), path).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Err(error),
            _ => fs::rename(part(path), path),
        });
        let _ = fs::remove_file(part(path));
        placed.with_context(|| format!("{option} {}", path.display()))?;
    }
    output::line(count(rows, "quiet position", "quiet positions"))
}

fn write(args: &Args, outputs: &[(&str, &Path)]) -> anyhow::Result<u64> {
    let mut sinks: Vec<Box<dyn PositionSink>> = Vec::new();
    for &(option, path) in outputs {
        let place = || format!("{option} {}", path.display());
        sinks.push(sink(option, path).with_context(place)?);
    }
    Ok(quiet_rows::write(&args.files, &mut sinks)?)
}

/// Temporary name, so that the final name never has a partial file.
fn part(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    path.with_file_name(name)
}

fn sink(option: &str, path: &Path) -> io::Result<Box<dyn PositionSink>> {
    let file: File = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(part(path))?;
    let out = BufWriter::new(file);
    Ok(match option {
        "--csv" => Box::new(Csv::new(out)),
        "--epd" => Box::new(Epd::new(out)),
        #[cfg(feature = "parquet")]
        "--parquet" => Box::new(quiet_rows::parquet::Parquet::new(out)?),
        _ => return Err(io::Error::other("no such format")),
    })
}
