//! The files of a match.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use assay_cli::args::ThreadsArg;
use assay_cli::output::printable;
use assay_cli::output_file;
use assay_selfplay::description::describe;
use assay_selfplay::export::{Format, export};
use assay_selfplay::pgn::{self, PgnDetails};
use assay_selfplay::report::Report;
use assay_selfplay::standings::Standings;
use assay_selfplay::store::beside;
use assay_selfplay::{GameRecord, Progress, Store};
use clap::ValueHint;

use super::key_value::{Setting, Settings, setting, with_key};
use super::log::{appends, open_growing};
use super::progress::IntervalArgs;
use super::{games, log};
use crate::commands::{check_outputs, start_threads};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct FileArgs {
    /// Run file for the games (SQLite) [default: none, in memory]
    ///
    /// Every game is on disk before it is counted: a killed match loses only the games in progress.
    #[arg(long, value_name = "FILE", value_parser = file_name, value_hint = ValueHint::FilePath)]
    pub(super) data: Option<PathBuf>,
    /// Continue the match in the file: the same command with this flag
    ///
    /// The settings and the engines must be those of the file; --rounds may be larger. --force
    /// replaces the PGN and HTML files that were written before.
    #[arg(long, requires = "data")]
    pub(super) resume: bool,
    /// Write all games to a PGN file: FILE [nodes=true] [seldepth=true] [nps=true] [append=false]
    ///
    /// With --data, the file is written at the end, as a whole. Without, each finished game is
    /// added to it at once, also to the games that are in it already; append=false with --force
    /// begins a new file.
    ///
    /// The comment of a move has evaluation, depth and time; nodes, seldepth and nps (nodes per
    /// second) add n=, sd= and nps=. notation=san, the default, is the only notation.
    #[arg(long, alias = "pgn", value_name = "FILE|KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = pgn_setting, value_hint = ValueHint::FilePath)]
    pub(super) pgnout: Vec<Setting>,
    /// Log what programs are sent and answer, with the seconds since the start: FILE [append=true]
    /// [faults=N]
    ///
    /// A log that exists grows; append=false with --force begins a new one. With faults=N only the
    /// last N lines of games in which an engine is at fault. fastchess's keys level=, realtime= and
    /// engine= change nothing: all lines are written, and at once.
    #[arg(long, value_name = "FILE|KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = log::parse_setting, value_hint = ValueHint::FilePath)]
    pub(super) log: Vec<Setting>,
    /// Write an HTML report to this file at the end
    #[arg(long, value_name = "FILE", value_parser = file_name, value_hint = ValueHint::FilePath)]
    pub(super) html: Option<PathBuf>,
    #[command(flatten)]
    pub(super) intervals: IntervalArgs,
    /// Overwrite existing files
    #[arg(long)]
    pub(super) force: bool,
    /// Print the results as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// A setting of `--pgnout`; a word without `=` is the file.
fn pgn_setting(word: &str) -> Result<Setting, String> {
    setting("pgnout", games::PGN_KEYS)(&with_key("file", word))
}

/// A path; fastchess's `file=` before it is optional.
#[expect(clippy::unnecessary_wraps, reason = "the signature of clap's value parsers")]
fn file_name(text: &str) -> Result<PathBuf, String> {
    Ok(PathBuf::from(text.strip_prefix("file=").unwrap_or(text)))
}

impl FileArgs {
    /// Fails before any game is played if a file could not be written afterwards, or would
    /// overwrite another one.
    pub(super) fn check<'p>(&self, inputs: impl Iterator<Item = &'p Path>) -> Result<()> {
        if let Some(path) = &self.data {
            output_file::check_name(path).context("--data")?;
            ensure!(
                !self.resume || path.exists(),
                "--resume: found no file {}, expected the file of an interrupted match",
                path.display()
            );
        }
        let pgn = games::pgn(&self.pgnout)?.map(|(path, _)| path);
        let log = log::path(&self.log)?;
        let (growing, whole) = if self.data.is_none() { (pgn, None) } else { (None, pgn) };
        let mut outputs = vec![("--pgnout", whole.as_deref()), ("--html", self.html.as_deref())];
        // SQLite's own files are no outputs either.
        let games =
            self.data.iter().flat_map(|data| ["", "-wal", "-shm", "-journal"].map(|suffix| beside(data, suffix)));
        let inputs: Vec<PathBuf> = inputs.map(Path::to_owned).chain(games).collect();
        let inputs = inputs.iter().map(PathBuf::as_path);
        check_outputs(&outputs, inputs.clone(), self.force)?;
        // Files that grow may exist.
        outputs.extend([("--pgnout", growing.as_deref()), ("--log", log.as_deref())]);
        output_file::check_places(&outputs, inputs)
    }

    /// A line that says which games would be lost if the program were killed; `None` if they are
    /// all stored.
    pub(super) fn loss_by_kill(&self) -> Option<String> {
        let lost = if self.pgnout.is_empty() { "all games" } else { "the games that are not in the PGN file yet" };
        self.data.is_none().then(|| format!("without -data FILE, a kill loses {lost}; the match cannot be resumed"))
    }

    /// The PGN file to which finished games are added; `None` with a run file, from which it is
    /// written at the end.
    pub(super) fn growing_pgn(&self) -> Result<Option<GrowingPgn>> {
        let Some((path, details)) = games::pgn(&self.pgnout)?.filter(|_| self.data.is_none()) else {
            return Ok(None);
        };
        let is_new = !path.exists();
        let append = appends(&Settings::new(&self.pgnout))?;
        let is_pgn = |start: &[u8]| start.trim_ascii_start().starts_with(b"[");
        let (file, is_overwritten) = open_growing("--pgnout", &path, append, self.force, is_pgn)?;
        Ok(Some(GrowingPgn { file, path, details, is_new, is_overwritten, error: None }))
    }

    pub(super) fn write(&self, store: &Store, report: &Report, standings: &Standings) -> Result<()> {
        if let Some((path, details)) = games::pgn(&self.pgnout)?.filter(|_| self.data.is_some()) {
            start_threads(ThreadsArg::default())?;
            let write = |out: &mut (dyn std::io::Write + Send)| {
                export(store, Format::Pgn(details), |_| true, out)?;
                Ok(())
            };
            output_file::write(&path, write).with_context(|| format!("--pgnout {}", path.display()))?;
        }
        if let Some(path) = &self.html {
            let games: Vec<GameRecord> = store.games().collect::<Result<_, _>>()?;
            let run = store.header();
            let page = report.page(&run.settings, standings, &games, describe(run));
            output_file::write_contents("--html", path, page.html())?;
        }
        Ok(())
    }
}

/// A PGN file to which games are added as they end. An empty one that this program has created is
/// removed with it.
pub(super) struct GrowingPgn {
    file: File,
    path: PathBuf,
    details: PgnDetails,
    is_new: bool,
    /// The games in the file are overwritten by the first one of this match.
    is_overwritten: bool,
    error: Option<anyhow::Error>,
}

impl GrowingPgn {
    /// Adds the new games, unless writing has failed before. Returns the error if it fails now.
    pub(super) fn add(&mut self, progress: &Progress<'_>) -> Option<&anyhow::Error> {
        if self.error.is_some() || progress.new.is_empty() {
            return None;
        }
        let texts = progress.new.iter().map(|game| Ok(pgn::game_text(progress.run, game, self.details)?));
        let written = texts.collect::<Result<String>>().and_then(|text| {
            if std::mem::take(&mut self.is_overwritten) {
                self.file.set_len(0)?;
            }
            self.file.write_all(printable(&text).as_bytes())?;
            Ok(())
        });
        let named = || format!("--pgnout {}: the file is incomplete", self.path.display());
        self.error = written.with_context(named).err();
        self.error.as_ref()
    }

    /// The error that ended the file early, if one did.
    pub(super) fn close(mut self) -> Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }
}

impl Drop for GrowingPgn {
    fn drop(&mut self) {
        if self.is_new && self.file.metadata().is_ok_and(|file| file.len() == 0) {
            // An empty file that stays does no harm.
            let _ = fs::remove_file(&self.path);
        }
    }
}
