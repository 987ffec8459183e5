//! The files of a match.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use assay_cli::output_file;
use assay_selfplay::Store;
use assay_selfplay::export::{Format, export};
use assay_selfplay::report::html;
use assay_selfplay::statistics::Anchor;
use assay_selfplay::store::beside;
use clap::ValueHint;

use super::intervals::IntervalArgs;
use super::key_value::{Setting, setting, with_key};
use super::{games, log};
use crate::commands::check_outputs;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct FileArgs {
    /// Run file for the games (SQLite); without it they are kept in memory
    ///
    /// Every game is on disk before it is counted: a killed match loses only the games in progress.
    #[arg(long, value_name = "FILE", value_parser = file_name, value_hint = ValueHint::FilePath)]
    pub(super) data: Option<PathBuf>,
    /// Continue the match in the file: the same command with this flag
    ///
    /// The settings and the engines must be those of the file; --rounds may be larger. --force replaces the PGN and HTML files
    /// that were written before.
    #[arg(long, requires = "data")]
    pub(super) resume: bool,
    /// Write all games to a PGN file at the end: FILE [nodes=true] [seldepth=true] [nps=true]
    ///
    /// The comment of a move has evaluation, depth and time; nodes, seldepth and nps (nodes per second) add n=, sd= and nps=.
    /// notation=san, the default, is the only notation.
    #[arg(long, alias = "pgn", value_name = "FILE|KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = pgn_setting, value_hint = ValueHint::FilePath)]
    pub(super) pgnout: Vec<Setting>,
    /// Log what programs are sent and answer, with the seconds since the start: FILE [append=true] [faults=N]
    ///
    /// With faults=N only the last N lines of games in which an engine is at fault. fastchess's keys level=, realtime= and
    /// engine=true change nothing: all lines are written, and at once.
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
    // cutechess-cli's word for what is always so: only finished games are written.
    if word == "fi" {
        return setting("pgnout", games::PGN_KEYS)(word);
    }
    setting("pgnout", games::PGN_KEYS)(&with_key("file", word))
}

/// A path; fastchess's `file=` before it is optional.
#[expect(clippy::unnecessary_wraps, reason = "the signature of clap's value parsers")]
fn file_name(text: &str) -> Result<PathBuf, String> {
    Ok(PathBuf::from(text.strip_prefix("file=").unwrap_or(text)))
}

impl FileArgs {
    /// Fails before any game is played if a file could not be written afterwards, or would overwrite another one.
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
        let mut outputs = vec![("--pgnout", pgn.as_deref()), ("--html", self.html.as_deref())];
        // SQLite's own files are no outputs either.
        let games =
            self.data.iter().flat_map(|data| ["", "-wal", "-shm", "-journal"].map(|suffix| beside(data, suffix)));
        let inputs: Vec<PathBuf> = inputs.map(Path::to_owned).chain(games).collect();
        let inputs = inputs.iter().map(PathBuf::as_path);
        check_outputs(&outputs, inputs.clone(), self.force)?;
        // A log that exists may be appended to.
        outputs.push(("--log", log.as_deref()));
        output_file::check_places(&outputs, inputs)
    }

    pub(super) fn write(&self, store: &Store, anchor: Option<Anchor>) -> Result<()> {
        if let Some((path, details)) = games::pgn(&self.pgnout)? {
            let write = |out: &mut dyn std::io::Write| {
                export(store, Format::Pgn(details), |_| true, out)?;
                Ok(())
            };
            output_file::write(&path, write).with_context(|| format!("--pgnout {}", path.display()))?;
        }
        if let Some(path) = &self.html {
            let page = html::page(store, anchor)?;
            output_file::write_contents("--html", path, page)?;
        }
        Ok(())
    }
}
