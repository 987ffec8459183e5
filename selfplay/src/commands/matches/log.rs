//! `--log`, and files that grow during a match.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use assay_cli::args::whole_number;
use assay_client::log::EngineLog;

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

/// Opens the log. An existing file is appended to, as in fastchess; with `append=false`, `force`
/// overwrites it unless the match `is_resumed`.
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
    let append = appends(&settings)?;
    // Each line begins with seconds, as in `12.0012 `.
    let is_log = |start: &[u8]| {
        let digits = start.iter().take_while(|byte| byte.is_ascii_digit()).count();
        digits > 0 && start.get(digits) == Some(&b'.')
    };
    let (file, is_overwritten) = open_growing("--log", &path, append || is_resumed, force, is_log)?;
    if is_overwritten {
        file.set_len(0).with_context(|| format!("--log {}", path.display()))?;
    }
    Ok(Some(Arc::new(EngineLog::new(file, fault_lines))))
}

/// Returns true if an existing file grows. `--force` alone may be meant for another file.
pub(super) fn appends(settings: &Settings<'_>) -> Result<bool> {
    Ok(!settings.has("append") || settings.is_true("append")?)
}

/// Opens a file to add to it if it is empty or, with `append`, `is_kind` accepts its beginning.
/// Without `append`, any other needs `force`, and is to be overwritten, which is left to the
/// caller: it may still fail for another reason.
pub(super) fn open_growing(
    option: &str,
    path: &Path,
    append: bool,
    force: bool,
    is_kind: impl Fn(&[u8]) -> bool,
) -> Result<(File, bool)> {
    let named = || format!("{option} {}", path.display());
    let mut start = Vec::new();
    if path.is_file() {
        let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut start));
        read.with_context(named)?;
    }
    let is_overwritten = !append && force;
    if !start.is_empty() && !is_overwritten {
        ensure!(append, "{}: the file exists; --force overwrites it", named());
        ensure!(is_kind(&start), "{}: found a file of another kind; append=false and --force overwrite it", named());
    }
    let file = OpenOptions::new().append(true).create(true).open(path).with_context(named)?;
    Ok((file, is_overwritten))
}
