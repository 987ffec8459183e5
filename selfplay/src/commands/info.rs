//! `assay-selfplay info`.

use std::path::PathBuf;

use anyhow::Result;
use assay_cli::args::JsonArg;
use assay_cli::{Exit, format, output};
use assay_selfplay::Store;
use assay_selfplay::info::{Info, rule_violations};
use assay_selfplay::report::{MatchReport, Names, text as report_text};
use clap::ValueHint;
use serde::Serialize;

use super::{of_shard, results_text};

const EXAMPLES: &str = "\
Examples:
  assay-selfplay info games.db
  assay-selfplay info games.db --json
  assay-selfplay info games.db --replay

The numbers are those of the intact games. The JSON of a self-play run lists the problems of the file as `faults`; that of a match \
is the JSON of `match --json` with the problems as `damage`.

Not checked, because nothing else in the file depends on it: limits of the players such as nodes and time, what they reported \
about their moves, and whether they would play these moves; in a match, also the openings of its book or seed.

Exit status: 0 if the file is intact, 1 if it is damaged or a game breaks the rules, 2 if it cannot be read.";

/// Summarize a run file and check that it is intact
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Run file of `generate` or `match`
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Also replay every game and check its moves and result against the rules, and in self-play its start against the seed
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
    let are_drawn = args.replay && info.replay(&store)?;
    if args.json.json {
        output::json(&info)?;
    } else {
        output::print(text(args, are_drawn, &store, &info))?;
    }
    Ok(Exit::success_if(info.faults.is_empty()))
}

/// The JSON of a match: that of `match --json`, and the problems of the file.
#[derive(Serialize)]
struct MatchInfo<'r> {
    #[serde(flatten)]
    report: &'r MatchReport,
    /// Empty if the file is intact. (`faults` are those of the engines.)
    damage: &'r [String],
}

/// Summarizes the intact games of a match.
fn run_match(args: &Args, store: &Store) -> Result<Exit> {
    let mut damage = store.problems()?;
    let run = store.run();
    let mut score = run.settings.new_score();
    store.intact_games().for_each(|game| score.add(&game));
    let report = MatchReport::new(&Names::new(&run.settings), &score);
    let is_replayed = args.replay && run.settings.rules.source().is_some();
    if is_replayed {
        damage.extend(rule_violations(store)?);
    }
    if args.json.json {
        output::json(&MatchInfo {
            report: &report,
            damage: &damage,
        })?;
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
        text += &format!("check         {}\n", checked(is_replayed, &damage));
        output::print(text)?;
    }
    Ok(Exit::success_if(damage.is_empty()))
}

/// The result of the check, and the problems of the file, one per line.
fn checked(is_replayed: bool, problems: &[String]) -> String {
    if !problems.is_empty() {
        let problems: String = problems.iter().map(|problem| format!("\n  {problem}")).collect();
        return format!("damaged:{problems}");
    }
    let text = if is_replayed {
        "intact, and every game follows the rules"
    } else {
        "intact"
    };
    text.to_owned()
}

fn text(args: &Args, are_drawn: bool, store: &Store, info: &Info) -> String {
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
        let error = white.half_width().map_or_else(String::new, |half_width| {
            format!(" ± {half_width:.4} (95% interval, clustered by opening)")
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
    let mut check = checked(args.replay, &info.faults);
    if args.replay && !are_drawn {
        check += "\n               (another version of the engine played: the openings were not drawn again)";
    }
    lines.push(("check", check));
    lines
        .into_iter()
        .map(|(name, value)| format!("{name:<15}{value}\n"))
        .collect()
}
