//! Runs the counts of suites.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use assay_cli::interrupt;
use assay_rules::Position;
use rayon::prelude::*;
use serde::Serialize;

use super::first_difference::{FirstDifference, find_first_difference, find_shallow_difference};
use crate::generator::{CountMode, GeneratorKind, Generators};
use crate::suite::{Count, Entry, Suite};
use crate::walk::exercised::Exercised;
use crate::walk::mechanism::MechanismSet;

/// Which counts to run.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Generators that count, with the largest count of each.
    pub generators: Vec<(GeneratorKind, u64)>,
    /// Greatest depth.
    pub max_depth: Option<u32>,
}

impl Selection {
    /// Returns true if no count of the suites is selected.
    pub fn is_empty(&self, suites: &[Suite]) -> bool {
        let mut counts = suites.iter().flat_map(|suite| &suite.entries).flat_map(|entry| &entry.counts);
        !counts.any(|&count| self.generators.iter().any(|&(_, max)| self.includes(max, count)))
    }

    fn includes(&self, max_nodes: u64, count: Count) -> bool {
        self.max_depth.is_none_or(|max| count.depth <= max) && count.nodes <= max_nodes
    }
}

/// A fault found in a position.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Fault {
    /// Depth in plies of the count that differs from the suite; `None` if all counts are right, but
    /// the generators differ.
    pub depth: Option<u32>,
    /// Count in the suite.
    pub expected: Option<u64>,
    /// Count of each generator that ran, by its name.
    pub found: BTreeMap<&'static str, u64>,
    #[serde(flatten)]
    pub difference: FirstDifference,
}

/// Result of checking one position.
#[derive(Clone, Debug, Default)]
pub struct EntryResult {
    /// Number of counts run.
    pub run: u64,
    /// Number of counts skipped, by name of the generator.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Nodes counted by all generators together.
    pub nodes: u64,
    /// Time on its thread.
    pub time: Duration,
    /// First wrong count, after which deeper ones are skipped, or another difference.
    pub fault: Option<Fault>,
    /// Mechanisms of the position and its successors.
    pub exercised: Exercised,
    /// True if stopped before all counts were run.
    pub interrupted: bool,
}

/// Checks all positions of all suites on the threads of the current pool, and returns the results
/// of each suite in its order.
///
/// Calls `finished` after each position, in no particular order.
pub fn check_suites(suites: &[Suite], selection: &Selection, finished: &(dyn Fn() + Sync)) -> Vec<Vec<EntryResult>> {
    let address = |entry: &Entry| Arc::as_ptr(&entry.game).addr();
    let mut generators: HashMap<usize, Generators> = HashMap::new();
    for entry in suites.iter().flat_map(|suite| &suite.entries) {
        generators.entry(address(entry)).or_insert_with(|| Generators::new(&entry.game));
    }
    let mut work: Vec<(usize, &Entry)> = suites.iter().flat_map(|suite| &suite.entries).enumerate().collect();
    // Longest first, so that no thread is left alone with a long one at the end.
    work.sort_by_key(|(_, entry)| std::cmp::Reverse(cost(entry, selection)));
    let check = |&(index, entry): &(usize, &Entry)| {
        let result = check_entry(entry, selection, &generators[&address(entry)]);
        finished();
        (index, result)
    };
    let mut results: Vec<(usize, EntryResult)> = work.par_iter().with_max_len(1).map(check).collect();
    results.sort_by_key(|(index, _)| *index);
    let mut results = results.into_iter().map(|(_, result)| result);
    let of_suite = |suite: &Suite| results.by_ref().take(suite.entries.len()).collect();
    suites.iter().map(of_suite).collect()
}

/// Rough measure of the time that a position takes; the reference generator is about a hundred
/// times slower.
fn cost(entry: &Entry, selection: &Selection) -> u64 {
    let node_cost = |generator| if generator == GeneratorKind::Rules { 100 } else { 1 };
    selection
        .generators
        .iter()
        .map(|&(generator, max)| {
            let counts = entry.counts.iter();
            let nodes = counts.filter(|&&count| selection.includes(max, count)).map(|count| count.nodes);
            node_cost(generator) * nodes.sum::<u64>()
        })
        .sum()
}

/// Checks a position: the selected counts and, if both generators are selected, that their moves
/// agree in the position and after each of its moves.
pub fn check_entry(entry: &Entry, selection: &Selection, generators: &Generators) -> EntryResult {
    let start = Instant::now();
    let mut result = EntryResult::default();
    let mut depth = 0;
    for &count in &entry.counts {
        if interrupt::requested() {
            result.interrupted = true;
            break;
        }
        let mut found = BTreeMap::new();
        for &(kind, max) in &selection.generators {
            if !selection.includes(max, count) || result.fault.is_some() {
                *result.skipped.entry(kind.name()).or_default() += 1;
                continue;
            }
            let mut node = generators.get(kind).node(&entry.position);
            let Some(nodes) = node.perft(count.depth, &CountMode::default(), interrupt::stop_flag()) else {
                result.interrupted = true;
                break;
            };
            result.run += 1;
            result.nodes += nodes;
            depth = count.depth;
            found.insert(kind.name(), nodes);
        }
        if found.values().any(|&nodes| nodes != count.nodes) {
            result.fault = Some(Fault {
                depth: Some(count.depth),
                expected: Some(count.nodes),
                found,
                difference: find_first_difference(generators, &entry.position, count.depth),
            });
        }
        if result.interrupted {
            break;
        }
    }
    if selection.generators.len() > 1 && result.fault.is_none() && !result.interrupted {
        let located = find_shallow_difference(generators, &entry.position, depth);
        result.fault = located.map(|located| Fault { difference: located.into(), ..Fault::default() });
    }
    result.exercised = exercised(&entry.position, depth);
    result.time = start.elapsed();
    result
}

/// What a count of this depth exercises in the position and its successors. Further plies are left
/// out: the reference generator, which knows the mechanisms, is slow.
fn exercised(position: &Position, depth: u32) -> Exercised {
    let (mut exercised, mut shown) = (Exercised::default(), MechanismSet::default());
    if depth > 0 {
        let legal = position.legal_moves();
        exercised.count_node(position, &legal, &mut shown);
        for mv in legal.into_iter().filter(|_| depth > 1) {
            let successor = position.play(mv);
            exercised.count_node(&successor, &successor.legal_moves(), &mut shown);
        }
    }
    exercised.count_position(shown);
    exercised
}
