//! `assay-selfplay export`.

use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use assay_cli::args::ThreadsArg;
use assay_cli::{Exit, Progress, output_file};
use assay_selfplay::Store;
#[cfg(not(feature = "parquet"))]
use assay_selfplay::export::ExportError;
use assay_selfplay::export::{Format, PositionFormat, Positions, export};
use assay_selfplay::pgn::PgnDetails;
use clap::{ArgGroup, ValueHint};

use super::{check_outputs, start_threads};

const EXAMPLES: &str = include_str!("help/export.txt").trim_ascii_end();

/// Export games as PGN, and positions as EPD, CSV, Parquet, or training data for networks
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = EXAMPLES,
    group(ArgGroup::new("outputs").required(true).multiple(true).args(["pgn", "epd", "csv", "parquet", "bullet", "plain"]))
)]
pub(crate) struct Args {
    /// Run file of `generate` or `match`
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Write PGN to this file, or to standard output (`-`)
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pgn: Option<PathBuf>,
    /// Write one line per position to this file, or to standard output (`-`)
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    epd: Option<PathBuf>,
    /// Write positions as comma-separated values to this file, or to standard output (`-`)
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    csv: Option<PathBuf>,
    /// Write positions as Parquet to this file, in builds with the feature `parquet`
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    parquet: Option<PathBuf>,
    /// Write positions to train on as text for bullet to this file, or to standard output (`-`)
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    bullet: Option<PathBuf>,
    /// Write positions in Stockfish's plain format to this file, or to standard output (`-`)
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    plain: Option<PathBuf>,
    /// Only quiet positions, from which values are measured
    ///
    /// A position is quiet if the side to move is not in check, no piece was captured or promoted in the last two plies or is by the
    /// next move, and no mate is in sight. Games that an engine lost by a fault are left out.
    #[arg(long, conflicts_with = "pgn")]
    quiet: bool,
    /// Only these games, numbered from 0: `7`, `0-99`, `100-`, or a comma-separated list
    #[arg(long, value_name = "RANGES", value_delimiter = ',', value_parser = range)]
    game_index: Vec<RangeInclusive<u64>>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    threads: ThreadsArg,
}

fn range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number =
        |text: &str| text.parse::<u64>().map_err(|_| "expected a number, like 7, or a range, like 0-99".to_owned());
    let (first, last) = match text.split_once('-') {
        None => (number(text)?, number(text)?),
        Some((first, "")) => (number(first)?, u64::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    if first > last {
        return Err(format!("expected the lower number first, like {last}-{first}"));
    }
    Ok(first..=last)
}

pub(crate) fn run(args: &Args) -> Result<Exit> {
    start_threads(args.threads)?;
    let chosen = if args.quiet { Positions::Quiet } else { Positions::All };
    let positions = |format| Format::Positions(format, chosen);
    let outputs = [
        (Format::Pgn(PgnDetails::default()), "--pgn", &args.pgn),
        (positions(PositionFormat::Epd), "--epd", &args.epd),
        (positions(PositionFormat::Csv), "--csv", &args.csv),
        (positions(PositionFormat::Parquet), "--parquet", &args.parquet),
        (positions(PositionFormat::Bullet), "--bullet", &args.bullet),
        (positions(PositionFormat::Plain), "--plain", &args.plain),
    ];
    let given = outputs.iter().filter_map(|&(format, option, path)| Some((format, option, path.as_deref()?)));
    let given: Vec<(Format, &str, &Path)> = given.collect();
    // Check all outputs before reading anything. Standard output can be given once.
    let mut to_stdout = given.iter().filter(|(.., path)| is_stdout(path));
    if let (Some((_, first, _)), Some((_, second, _))) = (to_stdout.next(), to_stdout.next()) {
        bail!("{second} -: found the file of {first}, expected another file");
    }
    #[cfg(not(feature = "parquet"))]
    ensure!(args.parquet.is_none(), "--parquet: {}", ExportError::NoParquet);
    let files = given.iter().map(|&(_, option, path)| (option, Some(path).filter(|path| !is_stdout(path))));
    check_outputs(&files.collect::<Vec<_>>(), [args.file.as_path()], args.force)?;
    let store = Store::open_read(&args.file)?;
    for (format, _, path) in given {
        let progress = Progress::new(store.count()?, "games");
        let includes = |index| {
            progress.inc(1);
            args.includes(index)
        };
        args.write(path, |out| Ok(export(&store, format, includes, out)?))?;
    }
    Ok(Exit::Success)
}

fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

impl Args {
    fn includes(&self, index: u64) -> bool {
        self.game_index.is_empty() || self.game_index.iter().any(|range| range.contains(&index))
    }

    /// Writes to a file or, for `-`, to standard output. `export` returns the number of games;
    /// without any, an existing file stays as it is.
    fn write(&self, path: &Path, export: impl Fn(&mut (dyn Write + Send)) -> Result<u64>) -> Result<()> {
        let export = |out: &mut (dyn Write + Send)| {
            let selected = if self.game_index.is_empty() { "" } else { " with these --game-index" };
            ensure!(export(out)? > 0, "{}: found no games to export{selected}", self.file.display());
            Ok(())
        };
        if is_stdout(path) {
            let mut out = BufWriter::new(io::stdout());
            export(&mut out).and_then(|()| Ok(out.flush()?)).context("standard output")
        } else {
            output_file::write(path, export).with_context(|| path.display().to_string())
        }
    }
}
