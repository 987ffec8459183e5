//! `assay-tuner export`.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use assay_cli::format::count;
use assay_cli::output_file::PartFile;
use assay_cli::{Progress, output, output_file};
use assay_selfplay::Store;

use super::{count_games, runs};
#[cfg(feature = "parquet")]
use crate::values::data::export::ParquetWriter;
use crate::values::data::export::{PositionWriter, export};

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/export.txt"))]
#[command(group = clap::ArgGroup::new("outputs").required(true).multiple(true))]
pub(crate) struct Args {
    /// Run files, all of the same game
    #[arg(required = true, value_name = "FILE")]
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
    ensure!(
        args.parquet.is_none() || cfg!(feature = "parquet"),
        "--parquet: this build cannot write Parquet; build it with --features parquet"
    );
    let outputs = [("--csv", &args.csv), ("--epd", &args.epd), ("--parquet", &args.parquet)];
    let outputs = outputs.map(|(option, path)| (option, path.as_deref()));
    output_file::check_places(&outputs, &args.files)?;
    let (mut parts, mut writers) = (Vec::new(), Vec::new());
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        let named = format!("{option} {}", path.display());
        ensure!(!path.exists(), "{named}: the file exists already, expected a new one");
        let part = PartFile::create(path).with_context(|| named.clone())?;
        writers.push((named.clone(), writer(option, &part).with_context(|| named.clone())?));
        parts.push((named, part));
    }
    let positions = write(&args.files, &mut writers)?;
    for (named, part) in parts {
        part.place_new().context(named)?;
    }
    let positions = count(positions, "quiet position", "quiet positions");
    output::line(format_args!("{positions}; values are measured from those with at least 1/4 of the pieces left"))
}

/// Writes to all writers, each with its name for errors.
fn write(files: &[PathBuf], writers: &mut [(String, PositionWriter<BufWriter<File>>)]) -> anyhow::Result<u64> {
    let stores = Store::open_all(files)?;
    let progress = Progress::new(count_games(&stores)?, "games");
    let mut done = 0;
    export(&runs(&stores), |positions, games| -> anyhow::Result<()> {
        done += positions.len() as u64;
        progress.inc(games);
        progress.set_message(count(done, "quiet position", "quiet positions"));
        writers.iter_mut().try_for_each(|(named, writer)| writer.write(positions).with_context(|| named.clone()))
    })?;
    writers.iter_mut().try_for_each(|(named, writer)| writer.finish().with_context(|| named.clone()))?;
    progress.finish();
    ensure!(done > 0, "{}: found no quiet position", files[0].display());
    Ok(done)
}

fn writer(option: &str, part: &PartFile) -> io::Result<PositionWriter<BufWriter<File>>> {
    let out = BufWriter::new(part.handle()?);
    match option {
        "--csv" => Ok(PositionWriter::Csv(Box::new(csv::Writer::from_writer(out)))),
        "--epd" => Ok(PositionWriter::Epd(out)),
        #[cfg(feature = "parquet")]
        "--parquet" => Ok(PositionWriter::Parquet(ParquetWriter::new(out)?)),
        _ => unreachable!("other options were rejected"),
    }
}
