//! `assay-selfplay generate`.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_selfplay::info::Results;
use assay_selfplay::players::eval_jitter::EvalJitter;
use assay_selfplay::settings::{Material, OpeningSettings, StartChoice};
use assay_selfplay::{GameSource, GenerateSettings, Progress, RunSettings, Summary, Tally, generate};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{DIFFERS, print, print_json, results_of, results_text};

/// What is not said otherwise: random plies, the balance that is asked of openings in centipawns, and the jitter of the
/// engine's piece values in percent.
struct Usual {
    plies: u32,
    balance: u32,
    jitter: u32,
}

const USUAL: Usual = Usual {
    plies: 8,
    balance: 300,
    jitter: 0,
};

/// Random moves leave pieces hanging, and a game in which one is taken at once tells more of that than of the odds; what an
/// engine believes of pieces must not decide what they are found to be worth.
const FOR_VALUES: Usual = Usual {
    plies: 6,
    balance: 100,
    jitter: 20,
};

const LONG: &str = "\
Plays games of the engine against itself, in parallel, into one file.

Every opening is a start of the game followed by random quiet moves, and is played twice: in the second game the armies \
have changed places, so that each of them is White once and moves first once. The rules alone end a game. The seed and \
the settings decide every game, whatever the number of threads.

A game is in the file before it is counted, so a run may be stopped or killed at any time: the same command plays what is \
missing. The same command with more --games extends a run; other settings need another file.";

const EXAMPLES: &str = "\
Examples:
  assay-selfplay generate gamma2 --games 1000 --out gamma2.db
  assay-selfplay generate gamma2 --games 2000 --out gamma2.db        (plays the second thousand)
  assay-selfplay generate apothecary2 --setup 14+pawn:e4 --opening-plies 4 --games 400 --out handicap.db
  assay-selfplay generate chess --for values --games 20000 --nodes 4000 --seed 7 --out values.db
  assay-selfplay generate my-game.toml --games 100 --out mine.db";

/// What `generate` is told.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A built-in game (chess, berolina, gamma2, gunnery, scorpion, apothecary2) or the path of a definition file
    game: String,
    /// The file that the games go to; made when there is none, continued when there is
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many games the file is to hold in the end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    games: u64,
    /// Nodes searched for each move
    #[arg(long, value_name = "K", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..=1 << 50))]
    nodes: u64,
    /// The number that all random choices follow from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Games played at a time [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Megabytes of each player's search table; part of what decides the games
    #[arg(long, value_name = "MB", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// The start before the random moves: an id of the game, with handicaps if wanted (14+pawn:e4), or `random` for any
    #[arg(long, value_name = "START", default_value = "random")]
    setup: String,
    /// What the games are for; sets what is not given otherwise
    #[arg(long = "for", value_enum, conflicts_with = "material")]
    purpose: Option<Purpose>,
    /// Random quiet plies before the engine takes over [default: 8; for values 6, and up to two more]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(0..=200))]
    opening_plies: Option<u32>,
    /// What is done to the armies behind the random moves [default: none]
    #[arg(long, value_enum)]
    material: Option<Odds>,
    /// The engine's own piece values are off by up to this many percent, drawn for each opening and alike for both sides;
    /// behind commas kinds that are off by so many percent in all games (20,N+20) [default: 0; for values 20]
    #[arg(long, value_name = "PERCENT", value_parser = EvalJitter::parse)]
    jitter: Option<EvalJitter>,
    /// Draw another opening when the engine sees more than this many centipawns between the sides (before any odds), or,
    /// behind odds, would capture something at once; `off` takes every opening [default: 300; for values 100]
    #[arg(long, value_name = "CP", value_parser = balance)]
    balance: Option<Balance>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Odds {
    /// Equal armies
    None,
    /// Each side misses pieces, so that every kind is compared with others and with pawns
    Odds,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Purpose {
    /// To measure what pieces are worth: comparisons chosen for what they tell about every kind
    Values,
    /// The same by matches: each kind held against lighter ones and pawns, and pawns alone
    Playtest,
}

#[derive(Clone, Copy, Debug)]
struct Balance(Option<u32>);

fn balance(text: &str) -> Result<Balance, String> {
    if text == "off" {
        return Ok(Balance(None));
    }
    let limit = text
        .parse()
        .map_err(|_| "expected centipawns, like 150, or `off`".to_owned())?;
    Ok(Balance(Some(limit)))
}

impl Args {
    fn settings(&self) -> anyhow::Result<GenerateSettings> {
        let usual = if self.purpose.is_some() { &FOR_VALUES } else { &USUAL };
        let material = match (self.purpose, self.material) {
            (Some(Purpose::Values), _) => Material::Values,
            (Some(Purpose::Playtest), _) => Material::Playtest,
            (None, Some(Odds::Odds)) => Material::Odds,
            (None, None | Some(Odds::None)) => Material::None,
        };
        let opening = OpeningSettings {
            start: StartChoice::from(self.setup.as_str()),
            plies: self.opening_plies.unwrap_or(usual.plies),
            balance: self.balance.map_or(Some(usual.balance), |balance| balance.0),
            material,
        };
        let eval_jitter = self.jitter.clone().unwrap_or_else(|| EvalJitter {
            jitter: usual.jitter,
            bias: Vec::new(),
        });
        let source = GameSource::load(&self.game)?;
        if let Some(letter) = eval_jitter.unknown_letter(&source.game) {
            anyhow::bail!(
                "--jitter: found kind `{letter}`, which {} does not have",
                source.game.name
            );
        }
        let run = RunSettings {
            source,
            seed: self.seed,
            nodes: self.nodes,
            hash_mb: self.hash as usize,
            opening,
            eval_jitter,
        };
        Ok(GenerateSettings {
            run,
            games: self.games,
            threads: usize::from(self.threads.unwrap_or(0)),
        })
    }
}

/// Plays.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let settings = args.settings()?;
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed))?;
    let shown = Shown::new(&settings);
    let summary = generate(&settings, &args.out, |progress| shown.update(progress), &stop)?;
    shown.bar.finish_and_clear();
    let report = Report::new(args, &settings, &summary);
    if args.json {
        print_json(&report)?;
    } else {
        print(&report.text())?;
    }
    Ok(if summary.is_incomplete() {
        ExitCode::from(DIFFERS)
    } else {
        ExitCode::SUCCESS
    })
}

/// The progress on the screen; nothing where standard error is no terminal.
struct Shown {
    bar: ProgressBar,
}

impl Shown {
    fn new(settings: &GenerateSettings) -> Shown {
        let bar = ProgressBar::new(settings.games);
        let template = "{bar:30} {pos}/{len} games  {per_sec}  {eta} left  {msg}";
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        bar.set_style(style.with_key(
            "per_sec",
            |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                // Nobody can be told when this fails.
                let _ = write!(out, "{:.1} games/s", state.per_sec());
            },
        ));
        if stderr().is_terminal() {
            bar.println(header(settings));
            bar.enable_steady_tick(std::time::Duration::from_millis(200));
        }
        Shown { bar }
    }

    fn update(&self, progress: Progress<'_>) {
        if progress.new.is_empty() {
            // Games of earlier calls are no measure of this one's speed.
            self.bar.set_position(progress.done);
            self.bar.reset_eta();
        } else {
            self.bar.set_position(progress.done);
        }
        self.bar.set_message(score_line(progress.tally));
    }
}

/// `+12 =3 -10` from White's view; `+12 adv 1 =3 dis 0 -10` where there are five results.
fn score_line(tally: &Tally) -> String {
    let Results {
        wins,
        advantages,
        draws,
        disadvantages,
        losses,
    } = results_of(tally);
    if advantages + disadvantages == 0 {
        format!("+{wins} ={draws} -{losses}")
    } else {
        format!("+{wins} adv {advantages} ={draws} dis {disadvantages} -{losses}")
    }
}

fn header(settings: &GenerateSettings) -> String {
    let run = &settings.run;
    let opening = &run.opening;
    format!(
        "assay-selfplay {}: {}, seed {}, {} nodes a move, {} MB, setup {}, {} random plies, balance {}, material {}{}",
        env!("CARGO_PKG_VERSION"),
        run.source.game.name,
        run.seed,
        run.nodes,
        run.hash_mb,
        opening.start,
        opening.plies,
        opening
            .balance
            .map_or_else(|| "off".to_owned(), |limit| limit.to_string()),
        opening.material.name(),
        if run.eval_jitter.is_plain() {
            String::new()
        } else {
            format!(", jitter {}", run.eval_jitter)
        }
    )
}

#[derive(Serialize)]
struct Report {
    program: &'static str,
    game: String,
    seed: u64,
    nodes: u64,
    file: PathBuf,
    /// Games that the file is to hold, holds, and that were played now.
    games: u64,
    done: u64,
    played: u64,
    seconds: f64,
    games_per_second: f64,
    results: Results,
    mean_plies: Option<f64>,
    #[serde(skip)]
    header: String,
}

impl Report {
    fn new(args: &Args, settings: &GenerateSettings, summary: &Summary) -> Report {
        let seconds = summary.elapsed.as_secs_f64();
        Report {
            program: concat!("assay-selfplay ", env!("CARGO_PKG_VERSION")),
            game: settings.run.source.game.name.clone(),
            seed: settings.run.seed,
            nodes: settings.run.nodes,
            file: args.out.clone(),
            games: summary.games,
            done: summary.done,
            played: summary.played,
            seconds,
            games_per_second: summary.played as f64 / seconds,
            results: results_of(&summary.tally),
            mean_plies: summary.tally.average_plies(),
            header: header(settings),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n", self.header);
        text += &format!(
            "{}: {} of {} games, {} of them new in {:.1} s ({:.1} games/s)\n",
            self.file.display(),
            self.done,
            self.games,
            self.played,
            self.seconds,
            self.games_per_second
        );
        if let Some(plies) = self.mean_plies {
            text += &format!("White: {}; {plies:.1} plies a game\n", results_text(&self.results));
        }
        if self.done < self.games {
            text += "stopped; the same command plays the rest\n";
        }
        text
    }
}
