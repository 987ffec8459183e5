//! `assay-selfplay export`.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use assay_selfplay::Store;
use assay_selfplay::export::match_pgn;
use assay_selfplay::export::{Format, export};
use assay_selfplay::store::match_store::{MatchStore, is_match};

const EXAMPLES: &str = "\
Examples:
  assay-selfplay export games.db --pgn games.pgn
  assay-selfplay export games.db --pgn - --game-index 0-9,42
  assay-selfplay export games.db --pgn games.pgn --epd positions.epd --force

A PGN comment `+0.35/9 2000n` is the evaluation in pawns from the mover's view, the depth and the nodes; `+M3` is a mate \
in 3. An advantage of 0.75 is a drawn Result with a Points tag. In a match time stands in place of nodes.

An EPD line is `FEN;variant NAME;bm MOVE;hmvc N;result R;score S;game ID`: one for each position, with the move that was \
played (`none` at the end), the plies since the pieces on the board last changed, the game's result, White's points, and a \
name for the game.";

/// What `export` is told.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file of games
    file: PathBuf,
    /// Write PGN to this file, or to standard output (`-`)
    #[arg(long, value_name = "OUT", required_unless_present = "epd")]
    pgn: Option<PathBuf>,
    /// Write a line for each position to this file, or to standard output (`-`)
    #[arg(long, value_name = "OUT")]
    epd: Option<PathBuf>,
    /// Only the games of these numbers, from 0: `7`, `0-99`, `100-`, or several with commas
    #[arg(long, value_name = "RANGES", value_delimiter = ',', value_parser = range)]
    game_index: Vec<Range>,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug)]
struct Range {
    first: u64,
    last: u64,
}

fn range(text: &str) -> Result<Range, String> {
    let number = |text: &str| {
        text.parse::<u64>()
            .map_err(|_| "expected a number, like 7, or a range, like 0-99".to_owned())
    };
    let (first, last) = match text.split_once('-') {
        None => (number(text)?, number(text)?),
        Some((first, "")) => (number(first)?, u64::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    if first > last {
        return Err(format!("expected the lower number first, like {last}-{first}"));
    }
    Ok(Range { first, last })
}

/// Writes games out.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // What is wrong with a file is told by whoever reads it as what it is.
    if is_match(&args.file).unwrap_or(false) {
        return export_match(args);
    }
    let store = Store::open_read(&args.file)?;
    let outputs: Vec<(Format, &Path)> = [(Format::Pgn, &args.pgn), (Format::Epd, &args.epd)]
        .into_iter()
        .filter_map(|(format, path)| Some((format, path.as_deref()?)))
        .collect();
    if let [(_, first), (_, second)] = outputs.as_slice()
        && first == second
    {
        bail!(
            "--pgn and --epd: found {} for both, expected two places",
            first.display()
        );
    }
    // All are looked at before the first is written.
    for (_, path) in &outputs {
        check_output(path, Some(&args.file), args.force)?;
    }
    for (format, path) in outputs {
        let wanted = |index| args.game_index.is_empty() || args.game_index.iter().any(|range| range.has(index));
        let written = if path == Path::new("-") {
            let mut out = BufWriter::new(io::stdout().lock());
            let written = export(&store, format, wanted, &mut out)?;
            out.flush()?;
            written
        } else {
            write_file(path, |out| Ok(export(&store, format, wanted, out)?))?
        };
        if written == 0 {
            bail!("{}: no game of {} to write", args.file.display(), wanted_text(args));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The games of a match, as PGN.
fn export_match(args: &Args) -> anyhow::Result<ExitCode> {
    let store = MatchStore::open_read(&args.file)?;
    let Some(path) = args.pgn.as_deref().filter(|_| args.epd.is_none()) else {
        bail!(
            "{}: the games of a match are written as PGN, expected --pgn alone",
            args.file.display()
        );
    };
    check_output(path, Some(&args.file), args.force)?;
    let wanted = |index| args.game_index.is_empty() || args.game_index.iter().any(|range| range.has(index));
    let written = if path == Path::new("-") {
        let mut out = BufWriter::new(io::stdout().lock());
        let written = match_pgn::export(&store, wanted, &mut out)?;
        out.flush()?;
        written
    } else {
        write_file(path, |out| Ok(match_pgn::export(&store, wanted, out)?))?
    };
    if written == 0 {
        bail!("{}: no game of {} to write", args.file.display(), wanted_text(args));
    }
    Ok(ExitCode::SUCCESS)
}

impl Range {
    fn has(self, index: u64) -> bool {
        (self.first..=self.last).contains(&index)
    }
}

fn wanted_text(args: &Args) -> String {
    if args.game_index.is_empty() {
        return "the run is there yet".to_owned();
    }
    let ranges = args.game_index.iter().map(|range| match *range {
        Range { first, last } if first == last => first.to_string(),
        Range { first, last: u64::MAX } => format!("{first}-"),
        Range { first, last } => format!("{first}-{last}"),
    });
    format!("--game-index {}", ranges.collect::<Vec<_>>().join(","))
}

/// Can this be written without destroying anything? `games` is the file that is read.
pub(crate) fn check_output(path: &Path, games: Option<&Path>, force: bool) -> anyhow::Result<()> {
    if path == Path::new("-") || !path.exists() {
        return Ok(());
    }
    if path.is_dir() {
        bail!("{}: found a folder, expected a file", path.display());
    }
    let same = games.and_then(|games| fs::canonicalize(games).ok());
    if same.is_some() && same == fs::canonicalize(path).ok() {
        bail!("{}: this is the file of games itself", path.display());
    }
    if !force {
        bail!("{}: the file exists already; --force overwrites it", path.display());
    }
    Ok(())
}

/// Writes beside the file and puts the whole in its place at the end, so that a failure leaves what was there.
pub(crate) fn write_file<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let mut name = path.file_name().context("found a path without file name")?.to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let place = || part.display().to_string();
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&part)
        .with_context(place)?;
    let mut out = BufWriter::new(file);
    let done = write(&mut out).and_then(|value| {
        out.flush().with_context(place)?;
        fs::rename(&part, path).with_context(|| path.display().to_string())?;
        Ok(value)
    });
    if done.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&part);
    }
    done
}
