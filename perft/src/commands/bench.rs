//! `bench`: how fast the generators are.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use assay_rules::def::BUILTIN_NAMES;
use assay_rules::{GameDef, Position};
use serde::Serialize;

use crate::banner::Banner;
use crate::generator::{self, Manner, Which};
use crate::walk::choice::{Dice, Player};
use crate::{Verdict, counting, interrupt, numbers, output, typed};

/// Positions a game is measured in, the start among them.
const POSITIONS: u64 = 5;
/// Plies of the random games that lead to the others.
const PLIES: u64 = 30;
/// Table size of the mode with a table, in MB.
const TABLE_MB: usize = 256;

/// The arguments of `bench`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Modes:
  bulk     legal moves of the last ply are counted, not made
  full     every move is made
  hash     bulk, with a table of counts already made (256 MB): nodes counted, not visited
  rules    the reference generator
Each with one thread and with all, over the start and four positions of random games, at the greatest depth that the time
allows. Ratios to the first row (\"of bulk\") say more than rates, which differ from machine to machine and hour to hour.

Examples:
  assay-perft bench
  assay-perft bench --games chess gamma2 --seconds 2 --json")]
pub struct Args {
    /// The games: built-in names, or paths of definition files [default: all built-in games]
    #[arg(long, value_name = "GAME", num_args = 1.., value_delimiter = ',')]
    pub games: Vec<String>,
    /// Seconds for each row
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = typed::seconds, allow_negative_numbers = true)]
    pub seconds: f64,
    /// Threads of the rows with many [default: all]
    #[arg(long, value_name = "T", value_parser = typed::threads)]
    pub threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy)]
struct Mode {
    name: &'static str,
    which: Which,
    full: bool,
    hash: bool,
    many: bool,
}

const MODES: [Mode; 8] = [
    Mode {
        name: "bulk",
        which: Which::Engine,
        full: false,
        hash: false,
        many: false,
    },
    Mode {
        name: "bulk",
        which: Which::Engine,
        full: false,
        hash: false,
        many: true,
    },
    Mode {
        name: "full",
        which: Which::Engine,
        full: true,
        hash: false,
        many: false,
    },
    Mode {
        name: "full",
        which: Which::Engine,
        full: true,
        hash: false,
        many: true,
    },
    Mode {
        name: "hash",
        which: Which::Engine,
        full: false,
        hash: true,
        many: false,
    },
    Mode {
        name: "hash",
        which: Which::Engine,
        full: false,
        hash: true,
        many: true,
    },
    Mode {
        name: "rules",
        which: Which::Rules,
        full: false,
        hash: false,
        many: false,
    },
    Mode {
        name: "rules",
        which: Which::Rules,
        full: false,
        hash: false,
        many: true,
    },
];

#[derive(Serialize)]
struct Row {
    game: String,
    generator: &'static str,
    mode: &'static str,
    threads: usize,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    /// The ratio to the same game's bulk rate with one thread, measured in the same run.
    of_bulk: f64,
}

#[derive(Serialize)]
struct Report {
    rows: Vec<Row>,
    interrupted: bool,
}

/// Does it.
///
/// # Errors
/// When a game is unknown or wrong.
pub fn run(args: &Args) -> Result<Verdict> {
    let names: Vec<&str> = if args.games.is_empty() {
        BUILTIN_NAMES.to_vec()
    } else {
        args.games.iter().map(String::as_str).collect()
    };
    let games = names
        .iter()
        .map(|name| assay_engine::load_game(name))
        .collect::<Result<Vec<_>, _>>()?;
    let one = counting::pool(Some(1))?;
    let many = counting::pool(args.threads)?;
    let banner = Banner::new("bench")
        .with("games", &names)
        .with("seconds", args.seconds)
        .with("threads", many.current_num_threads());
    if !args.json {
        banner.print();
        output::line(format!(
            "{:<14} {:<7} {:>7} {:>16} {:>9} {:>10} {:>8}",
            "game", "mode", "threads", "nodes", "seconds", "nodes/s", "of bulk"
        ))?;
    }
    let mut report = Report {
        rows: Vec::new(),
        interrupted: false,
    };
    for game in &games {
        let positions = positions(game);
        let mut bulk = None;
        for mode in MODES {
            let pool = if mode.many { &many } else { &one };
            if mode.many && many.current_num_threads() == 1 {
                continue;
            }
            let time = Duration::from_secs_f64(args.seconds);
            let (nodes, time) = pool.install(|| measure(game, mode, &positions, time))?;
            if interrupt::requested() {
                report.interrupted = true;
                break;
            }
            let rate = numbers::per_second(nodes, time);
            let bulk = *bulk.get_or_insert(rate);
            let row = Row {
                game: game.name.clone(),
                generator: mode.which.name(),
                mode: mode.name,
                threads: pool.current_num_threads(),
                nodes,
                seconds: time.as_secs_f64(),
                nodes_per_second: rate,
                of_bulk: rate / bulk,
            };
            if !args.json {
                let rate = numbers::short_rate(row.nodes_per_second);
                let nodes = numbers::grouped(row.nodes);
                output::line(format!(
                    "{:<14} {:<7} {:>7} {nodes:>16} {:>9.2} {rate:>10} {:>8.3}",
                    row.game, row.mode, row.threads, row.seconds, row.of_bulk
                ))?;
            }
            report.rows.push(row);
        }
    }
    let verdict = if report.interrupted {
        Verdict::Interrupted
    } else {
        Verdict::Agree
    };
    if args.json {
        output::json(&banner.json(report))?;
    }
    Ok(verdict)
}

/// The start, and positions of random games that never change.
fn positions(game: &Arc<GameDef>) -> Vec<Position> {
    let mut positions = vec![Position::start(game)];
    for index in 1..POSITIONS {
        let mut dice = Dice::new(0, index);
        let mut player = Player::lively();
        let mut position = Position::start(game);
        for _ in 0..PLIES {
            let next = position.play(player.choose(&position, &position.legal_moves(), &mut dice));
            if !next.has_legal_move() {
                break;
            }
            position = next;
        }
        positions.push(position);
    }
    positions
}

/// Counts each position deeper and deeper for its share of the time; what the deepest took is the measure.
fn measure(game: &Arc<GameDef>, mode: Mode, positions: &[Position], time: Duration) -> Result<(u64, Duration)> {
    let generator = generator::new(mode.which, game);
    let share = time / positions.len() as u32;
    let manner = Manner {
        full: mode.full,
        table_mb: if mode.hash { TABLE_MB } else { 0 },
    };
    let (mut all, mut spent) = (0, Duration::ZERO);
    for position in positions {
        let began = Instant::now();
        let mut depth = 1;
        let mut nodes = 0;
        let mut last = Duration::ZERO;
        while began.elapsed() < share && !interrupt::requested() {
            let counted = counting::divide(generator.as_ref(), position, depth, manner)?;
            nodes += counted.total();
            last += counted.time;
            // The next depth takes some thirty times as long: when that is far beyond the share, this one is made again.
            if counted.time * 15 < share {
                depth += 1;
                (nodes, last) = (0, Duration::ZERO);
            }
        }
        all += nodes;
        spent += last;
    }
    Ok((all, spent))
}
