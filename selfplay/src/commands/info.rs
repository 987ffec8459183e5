//! `assay-selfplay info`.

use std::path::PathBuf;
use std::process::ExitCode;

use assay_selfplay::Store;
use assay_selfplay::info::Info;
use assay_selfplay::report::{Json, more, results};
use assay_selfplay::store::match_store::{MatchStore, is_match};
use rayon::prelude::*;

use super::{DIFFERS, print, print_json, results_text};

const EXAMPLES: &str = "\
Examples:
  assay-selfplay info games.db
  assay-selfplay info games.db --json
  assay-selfplay info games.db --replay

The exit status is 1 when something is wrong with the file.";

/// What `info` is told.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file of games
    file: PathBuf,
    /// Also play every game again by the rules, and see that it ends as it is said to
    #[arg(long)]
    replay: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Says what a file holds.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // What is wrong with a file is told by whoever reads it as what it is.
    if is_match(&args.file).unwrap_or(false) {
        return run_match(args);
    }
    let store = Store::open_read(&args.file)?;
    let mut info = Info::of(&store)?;
    if args.replay {
        info.replay(&store)?;
    }
    if args.json {
        print_json(&info)?;
    } else {
        print(&text(args, &info))?;
    }
    Ok(if info.faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(DIFFERS)
    })
}

/// The same of a match.
fn run_match(args: &Args) -> anyhow::Result<ExitCode> {
    let store = MatchStore::open_read(&args.file)?;
    let mut faults = store.faults()?;
    let (names, standing) = (store.names()?, store.standing()?);
    if args.replay
        && let Some(source) = store.game()?
    {
        let games = store.games()?;
        faults.extend(
            games
                .par_iter()
                .filter_map(|game| game.verify(&source.game).err())
                .collect::<Vec<_>>(),
        );
    }
    if args.json {
        print_json(&Json::new(&names, &standing))?;
    } else {
        let row = |key: &str| store.row(key).unwrap_or("?");
        let mut text = format!("file          {}\n", args.file.display());
        text += &format!("begun         {} by {}\n", row("created"), row("program"));
        for (key, program) in [("engine-1", "engine-1-program"), ("engine-2", "engine-2-program")] {
            text += &format!("{key}      {}, {}\n", row(program), row(key));
        }
        text += &format!("rounds        {}, seed {}\n", row("rounds"), row("seed"));
        text += &results(&names, &standing);
        text += &more(&names, &standing);
        text += match (faults.is_empty(), args.replay) {
            (true, true) => "check         whole, and every game follows the rules\n",
            (true, false) => "check         whole\n",
            (false, _) => "check         NOT whole:\n",
        };
        text.extend(faults.iter().map(|fault| format!("  {fault}\n")));
        print(&text)?;
    }
    Ok(if faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(DIFFERS)
    })
}

fn text(args: &Args, info: &Info) -> String {
    let settings = &info.settings;
    let percent = |part: u64| 100.0 * part as f64 / info.games.max(1) as f64;
    let mut lines: Vec<(&str, String)> = vec![
        ("file", args.file.display().to_string()),
        (
            "game",
            format!(
                "{}{}",
                settings.game,
                if settings.builtin {
                    ""
                } else {
                    " (its definition is in the file)"
                }
            ),
        ),
        ("begun", format!("{} by {}", settings.created, settings.program)),
        (
            "player",
            format!(
                "{}, {} nodes a move, {} MB",
                settings.player, settings.nodes, settings.hash
            ),
        ),
        ("seed", settings.seed.to_string()),
        (
            "openings",
            format!(
                "setup {}, {} random plies, balance {}, material {}, jitter {}",
                settings.setup,
                settings.opening_plies,
                settings
                    .balance
                    .map_or_else(|| "off".to_owned(), |limit| limit.to_string()),
                settings.material,
                settings.jitter
            ),
        ),
        (
            "games",
            format!("{} of {}, {} whole pairs", info.games, settings.games, info.pairs),
        ),
        ("White", results_text(&info.results)),
    ];
    if let Some(white) = info.white {
        let error = white.standard_error.map_or_else(String::new, |error| {
            format!(" +- {error:.4} (standard error by openings)")
        });
        lines.push(("White's mean", format!("{:.4}{error}", white.mean)));
    }
    let endings = info.endings;
    let by = [
        ("checkmate", endings.checkmate),
        ("stalemate", endings.stalemate),
        ("dead position", endings.dead_position),
        ("repetition", endings.repetition),
        ("move rule", endings.move_rule),
    ];
    let by = by.into_iter().filter(|(_, count)| *count > 0);
    let by: Vec<String> = by
        .map(|(name, count)| format!("{name} {count} ({:.1}%)", percent(count)))
        .collect();
    lines.push(("endings", by.join(", ")));
    if let Some(plies) = info.plies {
        lines.push((
            "plies a game",
            format!("{:.1} ({} to {})", plies.mean, plies.least, plies.most),
        ));
    }
    let checked = if args.replay {
        "whole, and every game follows the rules"
    } else {
        "whole"
    };
    lines.push((
        "check",
        if info.faults.is_empty() {
            checked.to_owned()
        } else {
            "NOT whole:".to_owned()
        },
    ));
    let mut text: String = lines
        .into_iter()
        .map(|(name, value)| format!("{name:<14}{value}\n"))
        .collect();
    text.extend(info.faults.iter().map(|fault| format!("  {fault}\n")));
    text
}
