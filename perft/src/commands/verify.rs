//! `verify`: suites of known counts.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use serde_json::json;

use crate::banner::Banner;
use crate::generator::Which;
use crate::suite::{self, Games, Suite};
use crate::verify::descend::Parting;
use crate::verify::junit;
use crate::verify::plan::{self, Checked, Plan};
use crate::{Verdict, counting, interrupt, numbers, output, typed};

/// Which generators check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Checkers {
    /// The bitboard engine
    Engine,
    /// The reference generator
    Rules,
    /// Both
    Both,
}

/// The arguments of `verify`.
#[derive(clap::Args, Clone, Debug)]
#[command(
    after_help = "The rules generator is slow, so that by default it leaves out counts above 2 000 000; how many were left out is said for each file.

Examples:
  assay-perft verify
  assay-perft verify --game gamma2 --generator engine
  assay-perft verify testdata/perft/chess.epd --max-nodes 100000 --junit perft.xml
  assay-perft verify my.epd --game my-game.toml --json"
)]
pub struct Args {
    /// Suites; without any, all of testdata/perft/
    pub files: Vec<PathBuf>,
    /// The game of lines that name none; lines of other games are left out
    #[arg(long, value_name = "G")]
    pub game: Option<String>,
    /// Which generators check
    #[arg(long, value_enum, default_value = "both")]
    pub generator: Checkers,
    /// Leave deeper counts out
    #[arg(long, value_name = "N", value_parser = typed::depth, allow_negative_numbers = true)]
    pub max_depth: Option<u32>,
    /// Leave larger counts out, for both generators
    #[arg(long, value_name = "N", value_parser = typed::any, allow_negative_numbers = true)]
    pub max_nodes: Option<u64>,
    /// Leave larger counts out for the rules generator
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = typed::any, allow_negative_numbers = true)]
    pub rules_max_nodes: u64,
    /// Threads to check with [default: all]
    #[arg(long, value_name = "T", value_parser = typed::threads)]
    pub threads: Option<usize>,
    /// Write the results as JUnit's XML, one test case a line
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What came of a file, or of a game.
#[derive(Clone, Debug, Default, Serialize)]
struct Sum {
    positions: u64,
    counts: u64,
    nodes: u64,
    seconds: f64,
    skipped: BTreeMap<&'static str, u64>,
    differences: u64,
}

impl Sum {
    fn add(&mut self, checked: &Checked) {
        self.positions += 1;
        self.counts += checked.made.values().sum::<u64>();
        self.nodes += checked.nodes;
        self.seconds += checked.time.as_secs_f64();
        for (&which, &count) in &checked.skipped {
            *self.skipped.entry(which.name()).or_default() += count;
        }
        self.differences += u64::from(checked.wrong.is_some());
    }

    fn row(&self, name: &str, width: usize) -> String {
        let skipped: Vec<String> = self
            .skipped
            .iter()
            .map(|(which, count)| format!("{which} {count}"))
            .collect();
        let note = if skipped.is_empty() {
            String::new()
        } else {
            format!("  left out: {}", skipped.join(", "))
        };
        let differs = if self.differences > 0 {
            format!("  {} DIFFER", self.differences)
        } else {
            String::new()
        };
        format!(
            "{name:<width$} {:>9} {:>8} {:>16} {:>9.1}{differs}{note}",
            self.positions,
            self.counts,
            numbers::grouped(self.nodes),
            self.seconds
        )
    }
}

/// Does it.
///
/// # Errors
/// When there is no suite, or a suite or an option is wrong.
pub fn run(args: &Args) -> Result<Verdict> {
    let mut games = Games::default();
    let only = args.game.as_ref().map(|name| games.load(name)).transpose()?;
    let paths = if args.files.is_empty() {
        all_suites()?
    } else {
        args.files.clone()
    };
    let suites = suite::read_all(&paths, only.as_ref(), &mut games)?;
    let positions = suites.iter().map(|suite| suite.entries.len()).sum::<usize>();
    let of_game = only.as_ref().map_or(String::new(), |game| format!(" of {}", game.name));
    ensure!(positions > 0, "no position{of_game} in {}", names(&paths));
    let plan = plan_of(args);
    let pool = counting::pool(args.threads)?;
    let banner = Banner::new("verify")
        .with("game", only.as_ref().map_or("all", |game| game.name.as_str()))
        .with(
            "generators",
            plan.generators.iter().map(|which| which.name()).collect::<Vec<_>>(),
        )
        .with("files", suites.len())
        .with("max_depth", args.max_depth)
        .with("max_nodes", args.max_nodes)
        .with("rules_max_nodes", args.rules_max_nodes)
        .with("threads", pool.current_num_threads());
    if !args.json {
        banner.print();
    }
    if let Some(path) = &args.junit {
        // A path that cannot be written is told of now, not after the work.
        std::fs::File::create(path).with_context(|| format!("--junit {}", path.display()))?;
    }
    let began = Instant::now();
    let bar = progress(positions);
    let results = pool.install(|| plan::check(&suites, &plan, &|_| bar.inc(1)));
    bar.finish_and_clear();
    let seconds = began.elapsed().as_secs_f64();
    let differences = results
        .iter()
        .flatten()
        .filter(|checked| checked.wrong.is_some())
        .count();
    if let Some(path) = &args.junit {
        junit::write(path, &suites, &results, &|suite, index| {
            let file = suites
                .iter()
                .position(|other| std::ptr::eq(other, suite))
                .unwrap_or_default();
            describe(suite, index, &results[file][index])
        })?;
    }
    if args.json {
        output::json(&banner.json(report(&suites, &results, seconds)))?;
    } else {
        print(&suites, &results, seconds)?;
    }
    if differences > 0 {
        return Ok(Verdict::Differ);
    }
    Ok(if interrupt::requested() {
        Verdict::Interrupted
    } else {
        Verdict::Agree
    })
}

fn plan_of(args: &Args) -> Plan {
    let generators = match args.generator {
        Checkers::Engine => vec![Which::Engine],
        Checkers::Rules => vec![Which::Rules],
        Checkers::Both => Which::ALL.to_vec(),
    };
    let mut max_nodes = HashMap::from([(Which::Rules, args.rules_max_nodes)]);
    if let Some(most) = args.max_nodes {
        max_nodes.insert(Which::Engine, most);
        max_nodes.insert(Which::Rules, most.min(args.rules_max_nodes));
    }
    Plan {
        generators,
        max_depth: args.max_depth,
        max_nodes,
    }
}

fn names(paths: &[PathBuf]) -> String {
    paths
        .iter()
        .map(|path| path.display().to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

/// All suites of the nearest `testdata/perft/` from here upwards, or of the one that was there when this was built.
fn all_suites() -> Result<Vec<PathBuf>> {
    let here = std::env::current_dir().context("no current folder")?;
    let built = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here
        .ancestors()
        .chain(built.parent())
        .map(|folder| folder.join("testdata/perft"))
        .find(|folder| folder.is_dir())
        .context(
            "no folder testdata/perft here or above: expected suites to be named, like `assay-perft verify my.epd`",
        )?;
    let mut suites = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry.with_context(|| folder.display().to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "epd") {
            suites.push(path.strip_prefix(&here).map(Path::to_owned).unwrap_or(path));
        }
    }
    suites.sort();
    ensure!(
        !suites.is_empty(),
        "{}: no suite in it, expected files ending in .epd",
        folder.display()
    );
    Ok(suites)
}

fn progress(positions: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(positions as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("verify [{bar:30}] {pos}/{len} positions  {elapsed} gone") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

/// A difference in words, a line each; the first is the summary.
fn describe(suite: &Suite, index: usize, checked: &Checked) -> Vec<String> {
    let entry = &suite.entries[index];
    let Some(wrong) = &checked.wrong else { return Vec::new() };
    let found: Vec<String> = wrong
        .found
        .iter()
        .map(|(which, count)| format!("{} {count}", which.name()))
        .collect();
    let mut lines = vec![
        format!(
            "{}:{}: {} D{}: suite {}, {}",
            suite.path.display(),
            entry.line,
            entry.game.name,
            wrong.depth,
            wrong.expected,
            found.join(", ")
        ),
        format!("  position: {}", entry.position.fen()),
    ];
    match &wrong.parting {
        Parting::At(difference) => {
            let path = if difference.path.is_empty() {
                "none".to_owned()
            } else {
                difference.path.join(" ")
            };
            lines.push(format!("  the generators part after the moves: {path}"));
            lines.push(format!("  at: {}", difference.fen));
            lines.push(format!("  what differs: {}", difference.what));
            for (name, moves) in [("missing from", &difference.missing), ("extra in", &difference.extra)] {
                if !moves.is_empty() {
                    lines.push(format!("  {name} the engine: {}", moves.join(" ")));
                }
            }
        }
        Parting::Nowhere(rows) => {
            lines.push("  both generators agree with each other against the suite; divided:".to_owned());
            lines.extend(rows.iter().map(|(mv, count)| format!("    {mv}: {count}")));
        }
        Parting::Unknown(compared) => {
            lines.push(format!(
                "  the generators agree in the first {compared} positions compared"
            ));
        }
    }
    lines
}

fn print(suites: &[Suite], results: &[Vec<Checked>], seconds: f64) -> Result<()> {
    for (suite, checked) in suites.iter().zip(results) {
        for (index, checked) in checked.iter().enumerate() {
            for line in describe(suite, index, checked) {
                output::line(line)?;
            }
        }
    }
    let width = suites
        .iter()
        .map(|suite| suite.path.display().to_string().chars().count())
        .max()
        .unwrap_or(0)
        .max(12);
    let heading = |name: &str| {
        format!(
            "{name:<width$} {:>9} {:>8} {:>16} {:>9}",
            "positions", "counts", "nodes", "seconds"
        )
    };
    output::line(heading("file"))?;
    let (by_file, by_game, all) = sums(suites, results);
    for (suite, sum) in suites.iter().zip(&by_file) {
        let others = if suite.left_out > 0 {
            format!("  ({} of other games)", suite.left_out)
        } else {
            String::new()
        };
        output::line(format!("{}{others}", sum.row(&suite.path.display().to_string(), width)))?;
    }
    output::line("")?;
    output::line(heading("game"))?;
    for (game, sum) in &by_game {
        output::line(sum.row(game, width))?;
    }
    output::line(all.row("all", width))?;
    let verdict = if interrupt::requested() {
        "interrupted".to_owned()
    } else if all.differences == 0 {
        "all agree".to_owned()
    } else {
        format!("{} differ", numbers::of(all.differences, "position"))
    };
    output::line(format!(
        "{verdict}: {}, {}, {seconds:.1} s",
        numbers::of(all.positions, "position"),
        numbers::of(all.counts, "count")
    ))
}

fn sums(suites: &[Suite], results: &[Vec<Checked>]) -> (Vec<Sum>, BTreeMap<String, Sum>, Sum) {
    let mut by_file = vec![Sum::default(); suites.len()];
    let mut by_game = BTreeMap::<String, Sum>::new();
    let mut all = Sum::default();
    for ((suite, checked), sum) in suites.iter().zip(results).zip(&mut by_file) {
        for (entry, checked) in suite.entries.iter().zip(checked) {
            sum.add(checked);
            by_game.entry(entry.game.name.clone()).or_default().add(checked);
            all.add(checked);
        }
    }
    (by_file, by_game, all)
}

fn report(suites: &[Suite], results: &[Vec<Checked>], seconds: f64) -> serde_json::Value {
    let (by_file, by_game, all) = sums(suites, results);
    let mut differences = Vec::new();
    for (suite, checked) in suites.iter().zip(results) {
        for (entry, checked) in suite.entries.iter().zip(checked) {
            let Some(wrong) = &checked.wrong else { continue };
            let found: BTreeMap<&str, u64> = wrong
                .found
                .iter()
                .map(|&(which, count)| (which.name(), count))
                .collect();
            let (parting, divided, agreeing) = match &wrong.parting {
                Parting::At(difference) => (Some(difference), None, None),
                Parting::Nowhere(rows) => (None, Some(rows.iter().cloned().collect::<BTreeMap<_, _>>()), None),
                Parting::Unknown(compared) => (None, None, Some(*compared)),
            };
            differences.push(json!({
                "file": suite.path,
                "line": entry.line,
                "game": entry.game.name,
                "fen": entry.position.fen(),
                "depth": wrong.depth,
                "expected": wrong.expected,
                "found": found,
                "parting": parting,
                "divided": divided,
                "positions_agreeing": agreeing,
            }));
        }
    }
    let files: Vec<_> = suites
        .iter()
        .zip(by_file)
        .map(|(suite, sum)| json!({ "file": suite.path, "of_other_games": suite.left_out, "sum": sum }))
        .collect();
    json!({
        "agree": all.differences == 0,
        "interrupted": interrupt::requested(),
        "differences": differences,
        "files": files,
        "games": by_game,
        "all": all,
        "wall_seconds": seconds,
    })
}
