//! The subcommands, a file each, and what they share.

pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod info;
pub(crate) mod matches;
pub(crate) mod sprt;

use std::io::{self, Write};

use assay_rules::Points;
use assay_selfplay::export::match_pgn::MatchExportError;
use assay_selfplay::info::Results;
use assay_selfplay::{Tally, export as exported};

/// Exit status: something is not as it should be, and the output says what.
pub(crate) const DIFFERS: u8 = 1;

/// Exit status, where verdicts are asked for: there is none yet.
pub(crate) const UNDECIDED: u8 = 3;

/// Exit status: nothing could be done as it was asked.
pub(crate) const MISUSE: u8 = 2;

pub(crate) const EXAMPLES: &str = "\
Examples:
  assay-selfplay generate gamma2 --games 1000 --out gamma2.db
      a thousand games with random openings, each opening twice with the armies swapped
  assay-selfplay generate apothecary2 --games 20000 --nodes 4000 --material odds --seed 7 --out odds.db
      games from unequal armies, from which to measure what the pieces are worth
  assay-selfplay match gamma2 -engine cmd=./new -engine cmd=./old -each tc=8+0.08 -sprt elo0=0 elo1=5 -db test.db
      is the new engine better? `assay-selfplay match --help` tells all
  assay-selfplay info odds.db
  assay-selfplay export odds.db --pgn -

Exit status: 0 when all is done, 1 when a run was stopped or a file is not whole, 2 when something was wrong with the request.";

/// `12 wins, 3 draws, 10 losses`; the five results where there are five.
pub(crate) fn results_text(results: &Results) -> String {
    let Results {
        wins,
        advantages,
        draws,
        disadvantages,
        losses,
    } = *results;
    if advantages + disadvantages == 0 {
        return format!("{wins} wins, {draws} draws, {losses} losses");
    }
    format!("{wins} wins, {advantages} advantages, {draws} draws, {disadvantages} disadvantages, {losses} losses")
}

/// Games by White's score.
pub(crate) fn results_of(tally: &Tally) -> Results {
    Results {
        wins: tally.with(Points::WIN),
        advantages: tally.with(Points::ADVANTAGE),
        draws: tally.with(Points::DRAW),
        disadvantages: tally.with(Points::DISADVANTAGE),
        losses: tally.with(Points::LOSS),
    }
}

/// Prints a result.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    Ok(io::stdout().lock().write_all(text.as_bytes())?)
}

/// Prints a result as JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(&(serde_json::to_string_pretty(value)? + "\n"))
}

pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error
        .chain()
        .any(|cause| match (cause.downcast_ref(), cause.downcast_ref()) {
            (Some(exported::ExportError::Write(error)), _) | (_, Some(MatchExportError::Write(error))) => broken(error),
            _ => cause.downcast_ref::<io::Error>().is_some_and(broken),
        })
}

/// An error with its causes, those apart that an error tells already.
pub(crate) fn in_one_line(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}
