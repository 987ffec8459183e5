//! Results of a verification as text and JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use assay_cli::{Align, Table, format};
use serde::Serialize;
use serde_json::{Value, json};

use super::check::{EntryResult, WrongCount};
use super::first_difference::FirstDifference;
use crate::suite::{Entry, Suite};

/// Results of a verification with their totals.
pub struct Report<'r> {
    suites: &'r [Suite],
    results: &'r [Vec<EntryResult>],
    by_suite: Vec<Totals>,
    by_game: BTreeMap<&'r str, Totals>,
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

impl Totals {
    fn add(&mut self, result: &EntryResult) {
        // Without its unfinished positions, an interrupted run says what it has shown.
        self.positions += u64::from(!result.interrupted);
        self.counts += result.run.values().sum::<u64>();
        self.nodes += result.nodes;
        self.seconds += result.time.as_secs_f64();
        for (generator, &count) in &result.skipped {
            *self.skipped.entry(generator.name()).or_default() += count;
        }
        self.differences += u64::from(result.wrong.is_some());
    }

    /// Table cells behind the name; `other_games` lines of the suite belong to games that were not selected.
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
                report.by_game.entry(&entry.game.name).or_default().add(result);
                report.all.add(result);
            }
        }
        report
    }

    /// Returns true if no count differs.
    pub fn agrees(&self) -> bool {
        self.all.differences == 0
    }

    fn wrong_counts(&self) -> impl Iterator<Item = (&Suite, &Entry, &WrongCount)> {
        self.suites.iter().zip(self.results).flat_map(|(suite, results)| {
            let entries = suite.entries.iter().zip(results);
            entries.filter_map(move |(entry, result)| Some((suite, entry, result.wrong.as_ref()?)))
        })
    }

    /// Wrong counts, a table by suite and one by game, and a summary line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (suite, entry, wrong) in self.wrong_counts() {
            text += &describe_wrong_count(suite, entry, wrong).join("\n");
            text.push('\n');
        }
        let mut suites = totals_table("suite");
        for (suite, totals) in self.suites.iter().zip(&self.by_suite) {
            add_row(&mut suites, &suite.source.to_string(), totals.cells(suite.other_games));
        }
        let mut games = totals_table("game");
        for (game, totals) in &self.by_game {
            add_row(&mut games, game, totals.cells(0));
        }
        add_row(&mut games, "all", self.all.cells(0));
        text + &format!("{suites}\n{games}{}\n", self.summary())
    }

    fn summary(&self) -> String {
        let verdict = if !self.agrees() {
            let positions = format::count(self.all.differences, "position differs", "positions differ");
            if self.interrupted {
                format!("interrupted, {positions}")
            } else {
                positions
            }
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
            .wrong_counts()
            .map(|(suite, entry, wrong)| wrong_count_json(suite, entry, wrong))
            .collect();
        let files: Vec<Value> = self
            .suites
            .iter()
            .zip(&self.by_suite)
            .map(|(suite, totals)| {
                json!({ "file": suite.source.to_string(), "other_games": suite.other_games, "totals": totals })
            })
            .collect();
        json!({
            "agree": self.agrees(),
            "interrupted": self.interrupted,
            "differences": differences,
            "files": files,
            "games": self.by_game,
            "all": self.all,
            "wall_seconds": self.time.as_secs_f64(),
        })
    }
}

fn totals_table(name: &str) -> Table {
    Table::new([
        (name, Align::Left),
        ("positions", Align::Right),
        ("counts", Align::Right),
        ("nodes", Align::Right),
        ("seconds", Align::Right),
        ("", Align::Left),
    ])
}

fn add_row(table: &mut Table, name: &str, cells: [String; 5]) {
    table.row([name.to_owned()].into_iter().chain(cells));
}

/// A wrong count as lines; the first is the summary.
pub(super) fn describe_wrong_count(suite: &Suite, entry: &Entry, wrong: &WrongCount) -> Vec<String> {
    let found: Vec<String> = wrong
        .found
        .iter()
        .map(|(generator, count)| format!("{} {count}", generator.name()))
        .collect();
    let mut lines = vec![
        format!(
            "{}:{}: {} D{}: suite {}, {}",
            suite.source,
            entry.line,
            entry.game.name,
            wrong.depth,
            wrong.expected,
            found.join(", ")
        ),
        format!("  position: {}", entry.position.fen()),
    ];
    match &wrong.first_difference {
        FirstDifference::Found(found) => {
            let path = if found.path.is_empty() {
                "in this position".to_owned()
            } else {
                format!("after {}", found.path.join(" "))
            };
            lines.push(format!("  first difference between the generators: {path}"));
            lines.push(format!("  at: {}", found.fen));
            lines.push(format!("  difference: {}", found.difference.what));
            lines.extend(found.difference.move_lines());
        }
        FirstDifference::None(counts) => {
            lines.push("  the generators agree with each other but not with the suite; their counts:".to_owned());
            lines.extend(counts.iter().map(|(mv, count)| format!("    {mv}: {count}")));
        }
        FirstDifference::GaveUp(compared) => lines.push(format!(
            "  the generators agree in the first {}",
            format::count(compared, "position", "positions")
        )),
    }
    lines
}

fn wrong_count_json(suite: &Suite, entry: &Entry, wrong: &WrongCount) -> Value {
    let found: BTreeMap<&str, u64> = wrong
        .found
        .iter()
        .map(|&(generator, count)| (generator.name(), count))
        .collect();
    let (difference, divide, compared) = match &wrong.first_difference {
        FirstDifference::Found(difference) => (Some(difference), None, None),
        FirstDifference::None(counts) => (None, Some(counts.iter().cloned().collect::<BTreeMap<_, _>>()), None),
        FirstDifference::GaveUp(compared) => (None, None, Some(compared)),
    };
    json!({
        "file": suite.source.to_string(),
        "line": entry.line,
        "game": entry.game.name,
        "fen": entry.position.fen(),
        "depth": wrong.depth,
        "expected": wrong.expected,
        "found": found,
        "first_difference": difference,
        "divide": divide,
        "positions_compared": compared,
    })
}
