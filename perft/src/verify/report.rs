//! Results of a verification as text and JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use assay_cli::{Table, format, row};
use assay_rules::GameDef;
use serde::Serialize;
use serde_json::{Value, json};

use super::check::{EntryResult, Fault};
use crate::junit::{Case, Status};
use crate::suite::{Entry, Suite};
use crate::walk::exercised::Exercised;

/// Results of a verification with their totals.
pub struct Report<'r> {
    suites: &'r [Suite],
    results: &'r [Vec<EntryResult>],
    by_suite: Vec<Totals>,
    by_game: BTreeMap<&'r str, OfGame<'r>>,
    all: Totals,
    time: Duration,
    interrupted: bool,
}

/// Totals of a suite, of a game, or of everything.
#[derive(Clone, Debug, Default, Serialize)]
struct Totals {
    positions: u64,
    counts: u64,
    nodes: u64,
    /// Sum of all threads.
    seconds: f64,
    /// Number of skipped counts by generator.
    skipped: BTreeMap<&'static str, u64>,
    differences: u64,
}

/// Results of a game.
#[derive(Debug)]
struct OfGame<'r> {
    game: &'r GameDef,
    totals: Totals,
    exercised: Exercised,
}

impl Totals {
    fn add(&mut self, result: &EntryResult) {
        // Without its unfinished positions, an interrupted run says what it has shown.
        self.positions += u64::from(!result.interrupted);
        self.counts += result.run;
        self.nodes += result.nodes;
        self.seconds += result.time.as_secs_f64();
        for (generator, &count) in &result.skipped {
            *self.skipped.entry(generator).or_default() += count;
        }
        self.differences += u64::from(result.fault.is_some());
    }

    /// Table cells behind the name; `other_games` lines of the suite belong to games that were not
    /// selected.
    fn cells(&self, other_games: usize) -> [String; 5] {
        let mut notes = Vec::new();
        if self.differences > 0 {
            notes.push(format!("{} DIFFER", format::grouped(self.differences)));
        }
        if !self.skipped.is_empty() {
            let skipped = self.skipped.iter();
            let skipped = skipped.map(|(generator, count)| format!("{generator} {}", format::grouped(count)));
            notes.push(format!("skipped: {}", skipped.collect::<Vec<_>>().join(", ")));
        }
        if other_games > 0 {
            notes.push(format!("({} of other games)", format::grouped(other_games)));
        }
        [
            format::grouped(self.positions),
            format::grouped(self.counts),
            format::grouped(self.nodes),
            format!("{:.1}", self.seconds),
            notes.join("  "),
        ]
    }
}

impl<'r> Report<'r> {
    /// The report of results in the order of the suites' entries.
    pub fn new(suites: &'r [Suite], results: &'r [Vec<EntryResult>], time: Duration, interrupted: bool) -> Report<'r> {
        let mut report = Report {
            suites,
            results,
            by_suite: vec![Totals::default(); suites.len()],
            by_game: BTreeMap::new(),
            all: Totals::default(),
            time,
            interrupted,
        };
        for (index, (suite, results)) in suites.iter().zip(results).enumerate() {
            for (entry, result) in suite.entries.iter().zip(results) {
                report.by_suite[index].add(result);
                let of_game = report.by_game.entry(&entry.game.name).or_insert_with(|| OfGame {
                    game: &entry.game,
                    totals: Totals::default(),
                    exercised: Exercised::default(),
                });
                of_game.totals.add(result);
                of_game.exercised.add(&result.exercised);
                report.all.add(result);
            }
        }
        report
    }

    /// Returns true if no count differs.
    pub fn agrees(&self) -> bool {
        self.all.differences == 0
    }

    fn differences(&self) -> impl Iterator<Item = (&Suite, &Entry, &Fault)> {
        self.suites.iter().zip(self.results).flat_map(|(suite, results)| {
            let entries = suite.entries.iter().zip(results);
            entries.filter_map(move |(entry, result)| Some((suite, entry, result.fault.as_ref()?)))
        })
    }

    /// Wrong counts, a table by suite and one by game, and a summary line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (suite, entry, fault) in self.differences() {
            text += &describe(suite, entry, fault);
        }
        let table = |name, rows| Table::of("", [name, "positions", "counts", "nodes", "seconds", ""], rows);
        let suite_row = |(suite, totals): (&Suite, &Totals)| {
            row(suite.source.display().to_string(), totals.cells(suite.other_games))
        };
        let suites: Vec<_> = self.suites.iter().zip(&self.by_suite).map(suite_row).collect();
        let games = self.by_game.iter().map(|(game, of_game)| row(*game, of_game.totals.cells(0)));
        let games = games.chain([row("all", self.all.cells(0))]).collect();
        let (suites, games) = (table("suite", suites), table("game", games));
        let exercised = self.by_game.values().map(|of_game| of_game.exercised.text(of_game.game, !self.interrupted));
        let exercised: String = exercised.collect();
        text + &format!("{suites}\n{games}{exercised}{}\n", self.summary())
    }

    fn summary(&self) -> String {
        let verdict = if !self.agrees() {
            let positions = format::count(self.all.differences, "position differs", "positions differ");
            if self.interrupted { format!("interrupted, {positions}") } else { positions }
        } else if self.interrupted {
            "interrupted, all agree so far".to_owned()
        } else {
            "all agree".to_owned()
        };
        format!(
            "{verdict}: {}, {}, {:.1} s",
            format::count(self.all.positions, "position", "positions"),
            format::count(self.all.counts, "count", "counts"),
            self.time.as_secs_f64()
        )
    }

    /// Everything, for `--json`.
    pub fn json(&self) -> Value {
        let differences: Vec<Value> = self
            .differences()
            .map(|(suite, entry, fault)| {
                let mut value = json!(fault);
                value["file"] = json!(suite.source.to_string_lossy());
                value["line"] = json!(entry.line);
                value["game"] = json!(entry.game.name);
                value["fen"] = json!(entry.fen);
                value
            })
            .collect();
        let of_games = || self.by_game.iter();
        let games: BTreeMap<_, _> = of_games().map(|(game, of_game)| (game, &of_game.totals)).collect();
        let exercised: BTreeMap<_, _> =
            of_games().map(|(game, of_game)| (game, of_game.exercised.json(of_game.game))).collect();
        let files: Vec<Value> = self
            .suites
            .iter()
            .zip(&self.by_suite)
            .map(|(suite, totals)| json!({ "file": suite.source.to_string_lossy(), "other_games": suite.other_games, "totals": totals }))
            .collect();
        json!({
            "agree": self.agrees(),
            "interrupted": self.interrupted,
            "differences": differences,
            "files": files,
            "games": games,
            "exercised": exercised,
            "all": self.all,
            "wall_seconds": self.time.as_secs_f64(),
        })
    }
}

/// The test cases of each suite for JUnit, one for each line.
pub fn junit_cases(suites: &[Suite], results: &[Vec<EntryResult>]) -> Vec<(String, Vec<Case>)> {
    let of_suite = |(suite, results): (&Suite, &Vec<EntryResult>)| {
        let case = |(entry, result): (&Entry, &EntryResult)| Case {
            name: format!("line {}: {}", entry.line, entry.fen),
            class: entry.game.name.clone(),
            time: result.time,
            status: match &result.fault {
                Some(fault) => Status::Failed(describe(suite, entry, fault)),
                None if result.interrupted => Status::Skipped("interrupted".to_owned()),
                None if result.run == 0 => Status::Skipped("no count is selected".to_owned()),
                None => Status::Passed,
            },
        };
        let cases = suite.entries.iter().zip(results).map(case);
        (suite.source.display().to_string(), cases.collect())
    };
    suites.iter().zip(results).map(of_suite).collect()
}

/// A fault as lines; the first is the summary.
fn describe(suite: &Suite, entry: &Entry, fault: &Fault) -> String {
    let place = format!("{}:{}: {}", suite.source.display(), entry.line, entry.game.name);
    let mut lines = vec![match (fault.depth, fault.expected) {
        (Some(depth), Some(expected)) => {
            let found = fault.found.iter().map(|(generator, count)| format!("{generator} {count}"));
            let found = found.collect::<Vec<_>>().join(", ");
            format!("{place} D{depth}: suite {expected}, {found}")
        }
        _ => format!("{place}: the counts are right, but the generators differ"),
    }];
    lines.push(format!("  position: {}", entry.fen));
    if let Some(located) = &fault.difference.located {
        let path = if located.path.is_empty() {
            "in this position".to_owned()
        } else {
            format!("after {}", located.path.join(" "))
        };
        lines.push(format!("  first difference between the generators: {path}"));
        lines.push(format!("  at: {}", located.fen));
        lines.push(format!("  difference: {}", located.difference.what));
        lines.extend(located.difference.move_lines());
    }
    if let Some(counts) = &fault.difference.divide {
        lines.push("  the generators agree with each other but not with the suite; their counts:".to_owned());
        lines.extend(counts.iter().map(|(mv, count)| format!("    {mv}: {count}")));
    }
    if let Some(compared) = fault.difference.positions_compared {
        let positions = format::count(compared, "position", "positions");
        lines.push(format!("  the generators agree in the first {positions}"));
    }
    lines.join("\n") + "\n"
}
