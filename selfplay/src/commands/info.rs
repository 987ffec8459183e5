//! `assay-selfplay info`.

use std::path::PathBuf;

use anyhow::Result;
use assay_cli::args::JsonArg;
use assay_cli::{Exit, format, output};
use assay_selfplay::info::Info;
use assay_selfplay::report::{MatchReport, Names, text as report_text};
use assay_selfplay::{GameRecord, Store};
use clap::ValueHint;
use rayon::prelude::*;

use super::{of_shard, results_text};

const EXAMPLES: &str = "\
Examples:
  assay-selfplay info games.db
  assay-selfplay info games.db --json
  assay-selfplay info games.db --replay

Exit status: 0 if the file is intact, 1 if it is damaged or a game breaks the rules, 2 if it cannot be read.";

/// Summarize a run file and check that it is intact
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Run file of `generate` or `match`
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Also replay every game and check its moves and result against the rules
    #[arg(long)]
    replay: bool,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> Result<Exit> {
    let store = Store::open_read(&args.file)?;
    if !store.run().settings.players.is_self_play() {
        return run_match(args, &store);
    }
    let mut info = Info::read(&store)?;
    if args.replay {
        info.replay(&store)?;
    }
    if args.json.json {
        output::json(&info)?;
    } else {
        output::print(text(args, &store, &info))?;
    }
    Ok(Exit::success_if(info.faults.is_empty()))
}

/// Summarizes a match.
fn run_match(args: &Args, store: &Store) -> Result<Exit> {
    let mut faults = store.problems()?;
    let run = store.run();
    let report = MatchReport::new(&Names::new(&run.settings), &store.match_score()?);
    if let Some(source) = run.settings.rules.source().filter(|_| args.replay) {
        let games: Vec<GameRecord> = store.games().collect::<Result<_, _>>()?;
        let broken = games.par_iter().filter_map(|game| game.verify(&source.game).err());
        faults.extend(broken.map(|error| error.to_string()).collect::<Vec<_>>());
    }
    if args.json.json {
        output::json(&report)?;
    } else {
        let mut text = format!("file          {}\n", args.file.display());
        text += &format!("started       {} by {}\n", run.created, run.program);
        for (number, (player, identity)) in run.settings.players.all().iter().zip(&run.identities).enumerate() {
            text += &format!("engine-{}      {identity}, {}\n", number + 1, player.kind);
        }
        let games = format::count(run.shard_games(), "game", "games");
        let shard = of_shard(run.shard);
        text += &format!("requested     {games}{shard}, seed {}\n", run.settings.seed);
        text += &report_text::results(&report);
        text += &report_text::details(&report);
        text += match (faults.is_empty(), args.replay) {
            (true, true) => "check         intact, and every game follows the rules\n",
            (true, false) => "check         intact\n",
            (false, _) => "check         damaged:\n",
        };
        text.extend(faults.iter().map(|fault| format!("  {fault}\n")));
        output::print(text)?;
    }
    Ok(Exit::success_if(faults.is_empty()))
}

fn text(args: &Args, store: &Store, info: &Info) -> String {
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
                    " (definition stored in the file)"
                }
            ),
        ),
        ("started", format!("{} by {}", settings.created, settings.program)),
        (
            "player",
            format!(
                "{}, {} nodes per move, {} MiB hash",
                settings.player, settings.nodes, settings.hash
            ),
        ),
        ("seed", settings.seed.to_string()),
        (
            "openings",
            format!("{}, jitter {}", store.run().settings.openings, settings.jitter),
        ),
        (
            "games",
            format!(
                "{} of {}{}, {}",
                format::grouped(info.games),
                format::grouped(store.run().shard_games()),
                of_shard(settings.shard),
                format::count(info.pairs, "complete pair", "complete pairs")
            ),
        ),
        ("White", results_text(&info.results)),
    ];
    if let Some(white) = info.white {
        let error = white.standard_error.map_or_else(String::new, |error| {
            format!(" ± {error:.4} (standard error, clustered by opening)")
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
            format!("{:.1} ({} to {})", plies.mean, plies.min, plies.max),
        ));
    }
    let checked = if args.replay {
        "intact, and every game follows the rules"
    } else {
        "intact"
    };
    lines.push((
        "check",
        if info.faults.is_empty() {
            checked.to_owned()
        } else {
            "damaged:".to_owned()
        },
    ));
    let mut text: String = lines
        .into_iter()
        .map(|(name, value)| format!("{name:<15}{value}\n"))
        .collect();
    text.extend(info.faults.iter().map(|fault| format!("  {fault}\n")));
    text
}
