//! `assay-tuner export`.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use assay_cli::format::count;
use assay_cli::output_file::PartFile;
use assay_cli::{Progress, output, output_file};

use crate::values::data::count_games;
#[cfg(feature = "parquet")]
use crate::values::data::export::ParquetWriter;
use crate::values::data::export::{PositionWriter, export};

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

An EPD line: `BOARD SIDE RIGHTS EP hmvc N; fmvn N; ce CP; sm MOVE; c0 \"variant NAME\"; c1 \"result R\"; c2 \"score S\"; c3 \"game ID\"; \
c4 \"pair ID\";`, where hmvc and fmvn are the counters of FEN, and ce is eval. `assay-tuner tune` reads all three formats; `assay-selfplay \
export` writes those of bullet and Stockfish.
";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
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
    output_file::check(&outputs, &args.files)?;
    let (mut parts, mut writers) = (Vec::new(), Vec::new());
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        let named = format!("{option} {}", path.display());
        ensure!(!path.exists(), "{named}: the file exists already, expected a new one");
        let part = PartFile::create(path).with_context(|| named.clone())?;
        writers.push(writer(option, &part).with_context(|| named.clone())?);
        parts.push((named, part));
    }
    let positions = write(&args.files, &mut writers)?;
    for (named, part) in parts {
        part.place_new().context(named)?;
    }
    output::line(count(positions, "quiet position", "quiet positions"))
}

fn write(files: &[PathBuf], writers: &mut [PositionWriter<BufWriter<File>>]) -> anyhow::Result<u64> {
    let progress = Progress::new(count_games(files)?, "games");
    let mut done = 0;
    export(files, |positions, games| -> anyhow::Result<()> {
        done += positions.len() as u64;
        progress.inc(games);
        progress.set_message(count(done, "quiet position", "quiet positions"));
        Ok(writers.iter_mut().try_for_each(|writer| writer.write(positions))?)
    })?;
    writers.iter_mut().try_for_each(PositionWriter::finish)?;
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
