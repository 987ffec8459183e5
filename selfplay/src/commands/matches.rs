//! `assay-selfplay match`.

mod engines;
mod help;
mod parse;
mod shown;
mod words;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use assay_selfplay::report::{Json, Names, more, results};
use assay_selfplay::runner::match_run::{MatchError, MatchSummary, Place, play_match};
use assay_selfplay::statistics::SprtDecision;
use assay_selfplay::store::match_store::{MatchStore, stored_words};
use assay_selfplay::tournament::settings::MatchSettings;

use super::{DIFFERS, UNDECIDED, print, print_json};
use parse::Output;
use shown::Shown;
use words::Words;

/// What `match` is told: its flags are those of other match runners, which have one dash.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The game, then flags; see `match --help`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 0.., value_name = "GAME -engine ... -engine ...")]
    words: Vec<String>,
}

/// Plays.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if args
        .words
        .iter()
        .any(|word| matches!(word.as_str(), "--help" | "-help" | "-h"))
        || args.words.is_empty()
    {
        print(help::HELP)?;
        return Ok(ExitCode::SUCCESS);
    }
    let texts = with_stored(&args.words)?;
    let (settings, output) = parse::parse(&Words::parse(&texts)?)?;
    check_outputs(&output)?;
    let names = names(&settings);
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed))?;
    let shown = Shown::new(&names, settings.games());
    let kept: Vec<String> = texts
        .iter()
        .filter(|word| word.trim_start_matches('-') != "resume")
        .cloned()
        .collect();
    let place = Place {
        path: output.db.as_deref(),
        resume: output.resume,
        words: &kept,
    };
    let mut written = Ok(());
    let finish = |store: &MatchStore| written = write_outputs(&output, &names, store);
    let played = play_match(&settings, place, |progress| shown.update(progress), finish, &stop);
    shown.finish();
    let summary = match played {
        Ok(summary) => summary,
        Err(error @ MatchError::Hopeless { .. }) => {
            eprintln!("error: {error}");
            return Ok(ExitCode::from(DIFFERS));
        }
        Err(error) => return Err(error.into()),
    };
    if output.json {
        print_json(&Json::new(&names, &summary.standing))?;
    } else {
        print(&text(&settings, &output, &names, &summary))?;
    }
    written?;
    Ok(status(&output, &summary))
}

/// With nothing but a file to continue, the words that began it come first.
fn with_stored(words: &[String]) -> Result<Vec<String>> {
    let parsed = Words::parse(words)?;
    let is_bare = parsed.game.is_none() && parsed.last("engine").is_none();
    match parsed.value("db") {
        Ok(Some(db)) if is_bare && parsed.has("resume")? => {
            let mut all = stored_words(Path::new(db))?;
            all.extend(words.iter().cloned());
            Ok(all)
        }
        _ => Ok(words.to_vec()),
    }
}

fn names(settings: &MatchSettings) -> Names {
    Names {
        game: settings.rules.name().to_owned(),
        engines: settings.engines.each_ref().map(|engine| engine.name.clone()),
        limits: settings.engines.each_ref().map(|engine| engine.limits.to_string()),
        openings: settings.openings.text(),
    }
}

fn check_outputs(output: &Output) -> Result<()> {
    for path in [&output.pgn, &output.html].into_iter().flatten() {
        // A match that goes on writes its files anew.
        super::export::check_output(path, output.db.as_deref(), output.force || output.resume)?;
    }
    Ok(())
}

fn write_outputs(output: &Output, names: &Names, store: &MatchStore) -> Result<()> {
    if let Some(path) = &output.pgn {
        super::export::write_file(path, |out| {
            Ok(assay_selfplay::export::match_pgn::export(store, |_| true, out)?)
        })
        .context("-pgnout")?;
    }
    if let Some(path) = &output.html {
        let page = assay_selfplay::report::html::page(store, names)?;
        super::export::write_file(path, |out| Ok(out.write_all(page.as_bytes())?)).context("-html")?;
    }
    Ok(())
}

fn text(settings: &MatchSettings, output: &Output, names: &Names, summary: &MatchSummary) -> String {
    let seconds = summary.elapsed.as_secs_f64();
    let mut text = format!(
        "assay-selfplay {}: {}, seed {}, {} of {} games, {} of them new in {seconds:.1} s ({:.2} games/s)\n",
        env!("CARGO_PKG_VERSION"),
        names.game,
        settings.seed,
        summary.standing.games(),
        summary.games,
        summary.played,
        summary.played as f64 / seconds
    );
    for (engine, identity) in settings.engines.iter().zip(&summary.identities) {
        text += &format!("{}: {identity}, {}\n", engine.name, engine.sort.text());
    }
    text += &results(names, &summary.standing);
    text += &more(names, &summary.standing);
    if summary.is_incomplete() {
        text += &match &output.db {
            Some(path) => format!(
                "stopped; `assay-selfplay match -resume -db {}` plays the rest\n",
                path.display()
            ),
            None => "stopped\n".to_owned(),
        };
    }
    text
}

fn status(output: &Output, summary: &MatchSummary) -> ExitCode {
    if output.exit_verdict {
        return match summary.standing.verdict() {
            SprtDecision::AcceptH1 => ExitCode::SUCCESS,
            SprtDecision::AcceptH0 => ExitCode::from(DIFFERS),
            SprtDecision::Continue => ExitCode::from(UNDECIDED),
        };
    }
    if summary.is_incomplete() {
        ExitCode::from(DIFFERS)
    } else {
        ExitCode::SUCCESS
    }
}
