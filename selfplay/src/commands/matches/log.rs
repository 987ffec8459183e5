//! `--log`.

use std::fs::OpenOptions;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use assay_cli::args::whole_number;
use assay_client::log::EngineLog;

use super::key_value::{Setting, Settings, only, setting, with_key};

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
    let file = Settings::new(group)?.text("file")?;
    Ok(Some(file.context("--log: found no file, expected file=FILE")?.into()))
}

/// Opens the log; an existing file is appended to with `append=true` or if it `may_append`, as in a resumed match.
pub(super) fn open(group: &[Setting], may_append: bool) -> Result<Option<Arc<EngineLog>>> {
    let Some(path) = path(group)? else { return Ok(None) };
    let settings = Settings::new(group)?;
    settings.get("engine", only("true"))?;
    settings.get("level", |text| match text {
        "trace" | "info" | "warn" | "err" | "fatal" => Ok(()),
        _ => Err("expected trace, info, warn, err or fatal"),
    })?;
    settings.is_true("realtime")?;
    let fault_lines = settings.get("faults", whole_number(1..=100_000_usize))?;
    let append = settings.is_true("append")? || may_append;
    let shown = path.display();
    if path.exists() && !append {
        bail!("--log {shown}: the file exists; append=true appends to it");
    }
    let file = OpenOptions::new().append(true).create(true).open(&path);
    let file = file.with_context(|| format!("--log {shown}"))?;
    Ok(Some(Arc::new(EngineLog::new(file, fault_lines))))
}
