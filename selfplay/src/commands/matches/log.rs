//! `--log`.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use assay_cli::args::whole_number;
use assay_client::log::EngineLog;

use super::files::open_growing;
use super::key_value::{Setting, Settings, setting, with_key};

const KEYS: &[&str] = &["file", "append", "faults", "level", "realtime", "engine"];

/// A setting; a word without `=` is the file.
pub(super) fn parse_setting(word: &str) -> Result<Setting, String> {
    setting("log", KEYS)(&with_key("file", word))
}

/// The file; `None` if the flag is absent.
pub(super) fn path(group: &[Setting]) -> Result<Option<PathBuf>> {
    if group.is_empty() {
        return Ok(None);
    }
    let file = Settings::new(group).text("file")?;
    Ok(Some(file.context("--log: found no file, expected file=FILE")?.into()))
}

/// Opens the log. An existing file is appended to, as in fastchess; `force` overwrites it unless the match `is_resumed`, and
/// `append=false` needs `force`.
pub(super) fn open(group: &[Setting], is_resumed: bool, force: bool) -> Result<Option<Arc<EngineLog>>> {
    let Some(path) = path(group)? else { return Ok(None) };
    let settings = Settings::new(group);
    settings.is_true("engine")?;
    settings.get("level", |text| match text {
        "trace" | "info" | "warn" | "err" | "fatal" => Ok(()),
        _ => Err("expected trace, info, warn, err or fatal"),
    })?;
    settings.is_true("realtime")?;
    let fault_lines = settings.get("faults", whole_number(1..=100_000_usize))?;
    let append = if settings.has("append") { settings.is_true("append")? } else { !force };
    // Each line begins with seconds, as in `0.0012 `.
    let is_log = |start: &[u8]| start.starts_with(b"0.");
    let file = open_growing("--log", &path, append || is_resumed, force, is_log)?;
    Ok(Some(Arc::new(EngineLog::new(file, fault_lines))))
}
