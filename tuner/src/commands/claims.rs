//! `assay-tuner claims`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use assay_rules::def::BUILTIN_NAMES;
use assay_selfplay::settings::{GameSource, GenerateSettings, Material};
use assay_tuner::report::{claims as report, html};
use assay_tuner::values::claims::Claims;
use assay_tuner::values::claims::scores::PLAIN;
use assay_tuner::values::claims::shelf::{Run, Shelf, Sort};
use assay_tuner::values::claims::table::{GAMES, statements};

use super::playing::{self, play, stop_on_ctrl_c};
use super::validate::duration;
use super::{check_writable, print, write_file};

const LONG: &str = "\
Tests what the games' inventors say of them: tables of values, what a pair of bishops is worth, draws, what a pawn is worth against \
chess, what changes towards the endgame, the first move, handicaps and set-ups. Each statement gets its effect, a 95% interval \
(errors by opening pair) and a verdict: holds, does not hold, too few games to say.

Games that are missing are played, in files named after the game and what they are for: those of validate, stats and playtest \
are the same files when settings are the same. What is there is not played again. Ctrl-C ends the playing; what has been played \
is kept and measured.

--games is for each file: so many for values and for equal armies, a third for the playtest, as validate has it, and a tenth \
for each start with a handicap.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner claims
      all games that have a document
  assay-tuner claims gunnery --games 20000 --report gunnery-claims.html
  assay-tuner claims apothecary2 --budget 2h --data games --json
      two hours of play, shared among all files; more the next time
  assay-tuner claims my-game.toml
      the values in a definition of one's own

Keys of --json: assay, findings, files (as those of validate), command.
A finding: game, claim, unit, claimed (shape: equal with value and most_width, near with value and within, more-than, less-than
with value, together with values), measured, interval (as validate has it), p (of a joint test), verdict (holds, does-not-hold,
too-few), games, note, quote, document
";

/// The share of the games that each start with a handicap gets.
const START_SHARE: u64 = 10;

/// What `claims` is told.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Built-in games (berolina, gamma2, gunnery, scorpion, apothecary2) or paths of definition files [default: all built-in ones]
    #[arg(value_name = "GAME")]
    games_of: Vec<String>,
    #[command(flatten)]
    run: playing::Run,
    /// Play for so long in all, beyond --games where there is time (90s, 30m, 2h)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,
    /// The folder for the files of games
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    data: PathBuf,
    /// Also write a report: one HTML file that needs nothing else
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Print everything as JSON instead of the table
    #[arg(long)]
    json: bool,
}

/// Plays what is missing, and tests.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.report {
        check_writable("--report", path)?;
    }
    anyhow::ensure!(
        args.data.is_dir(),
        "--data {}: found no such folder, expected one for files of games",
        args.data.display()
    );
    let sources = sources(&args.games_of)?;
    let shelf = Shelf::new(&args.data, sources.clone());
    let mut runs: Vec<Run> = sources
        .iter()
        .flat_map(|source| {
            let statements = statements(&source.game).iter();
            statements.flat_map(|statement| statement.runs(&source.game.name))
        })
        .collect();
    runs.sort();
    runs.dedup();
    let stop = stop_on_ctrl_c()?;
    play_all(args, &shelf, &runs, &stop)?;

    let findings = sources.iter().flat_map(|source| {
        let statements = statements(&source.game).iter();
        statements.flat_map(|statement| statement.findings(&source.game.name, &shelf))
    });
    let findings = findings.collect();
    if let Some(fault) = shelf.take_fault() {
        return Err(fault.into());
    }
    let claims = Claims {
        assay: env!("CARGO_PKG_VERSION"),
        findings,
        files: shelf.files(),
        command: Some(command(args)),
    };
    if let Some(path) = &args.report {
        write_file("--report", path, html::claims(&claims).into_string())?;
    }
    if args.json {
        return print(&(serde_json::to_string_pretty(&claims)? + "\n"));
    }
    let mut text = report::text(&claims);
    if let Some(path) = &args.report {
        text += &format!("Report: {}\n", path.display());
    }
    print(&text)
}

/// The games that were asked for, each once, each with something to test.
fn sources(names: &[String]) -> anyhow::Result<Vec<GameSource>> {
    let all: Vec<String> = GAMES.map(str::to_owned).to_vec();
    let mut sources: Vec<GameSource> = Vec::new();
    for name in if names.is_empty() { &all } else { names } {
        let source = GameSource::load(name)?;
        let game = &source.game;
        anyhow::ensure!(
            !statements(game).is_empty(),
            "{name}: nothing is claimed of {}, expected one of {}, or a definition with values",
            game.name,
            GAMES.join(", ")
        );
        // Its files would have the built-in game's names.
        anyhow::ensure!(
            source.text.is_none() || !BUILTIN_NAMES.contains(&game.name.as_str()),
            "{name}: found the name of a built-in game, {}, expected one of its own",
            game.name
        );
        if let Some(other) = sources.iter().find(|other| other.game.name == game.name) {
            anyhow::ensure!(
                other.game == *game,
                "{name}: found another game named {}, expected names of their own",
                game.name
            );
            continue;
        }
        sources.push(source);
    }
    Ok(sources)
}

/// Plays what is missing in each file, and on while there is time.
fn play_all(args: &Args, shelf: &Shelf, runs: &[Run], stop: &AtomicBool) -> anyhow::Result<()> {
    let deadline = args.budget.map(|budget| Instant::now() + budget);
    let mut games = args.run.games();
    loop {
        for (index, run) in runs.iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            // Each file gets its share of the time that is left, and what one does not need goes to the others.
            let until = deadline.map(|deadline| {
                let left = deadline.saturating_duration_since(Instant::now());
                Instant::now() + left / (runs.len() - index) as u32
            });
            play(&settings(args, shelf, run, games)?, &shelf.path(run), stop, until)?;
        }
        if deadline.is_none_or(|deadline| Instant::now() >= deadline) {
            return Ok(());
        }
        games = (games + (games / 2).max(20)).next_multiple_of(2);
    }
}

fn settings(args: &Args, shelf: &Shelf, run: &Run, games: u64) -> anyhow::Result<GenerateSettings> {
    let source = shelf.source(&run.game).context("a claim names no game")?;
    let playing = &args.run;
    Ok(match &run.sort {
        Sort::Values => playing.settings(&source, Material::Values, games),
        Sort::Playtest => playing.settings(&source, Material::Playtest, games / 3),
        Sort::Equal => playing.settings(&source, Material::None, games),
        Sort::From(start) => {
            // A random move would not be worth a move: what is compared with a move more begins at once.
            let plies = if start.contains("+two-moves") || start == PLAIN {
                0
            } else {
                2
            };
            playing.settings_from(&source, start, plies, (games / START_SHARE).max(2))
        }
    })
}

fn command(args: &Args) -> String {
    let games: String = args.games_of.iter().map(|name| format!(" {name}")).collect();
    let data = Path::new(&args.data).display();
    format!(
        "assay-tuner claims{games} --games {} --nodes {} --seed {} --data {data}",
        args.run.games(),
        args.run.nodes,
        args.run.seed
    )
}
