//! Which counts a verification makes, and what came of them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use assay_rules::GameDef;
use rayon::prelude::*;

use super::descend::{self, Parting};
use crate::generator::{Counting, Pair, Which};
use crate::interrupt;
use crate::suite::{Count, Entry, Suite};

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The generators that count.
    pub generators: Vec<Which>,
    /// Deeper counts are left out.
    pub max_depth: Option<u32>,
    /// Larger counts are left out, for each generator.
    pub max_nodes: HashMap<Which, u64>,
}

impl Plan {
    fn wants(&self, which: Which, count: Count) -> bool {
        self.max_depth.is_none_or(|most| count.depth <= most)
            && self.max_nodes.get(&which).is_none_or(|&most| count.nodes <= most)
    }
}

/// A count that came out otherwise.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The depth.
    pub depth: u32,
    /// What the suite says.
    pub expected: u64,
    /// What each generator that was asked says.
    pub found: Vec<(Which, u64)>,
    /// Where the generators part, or that they do not.
    pub parting: Parting,
}

/// What came of one position.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Counts made, by generator.
    pub made: HashMap<Which, u64>,
    /// Counts left out, by generator.
    pub skipped: HashMap<Which, u64>,
    /// Positions counted, over all generators.
    pub nodes: u64,
    /// Time it took, on its thread.
    pub time: Duration,
    /// The first count that came out otherwise; deeper ones are not made then.
    pub wrong: Option<Wrong>,
    /// Was it cut short?
    pub interrupted: bool,
}

/// Both generators of every game that the suites name.
fn generators(suites: &[Suite]) -> Vec<(Arc<GameDef>, Pair)> {
    let mut pairs: Vec<(Arc<GameDef>, Pair)> = Vec::new();
    for entry in suites.iter().flat_map(|suite| &suite.entries) {
        if !pairs.iter().any(|(game, _)| Arc::ptr_eq(game, &entry.game)) {
            pairs.push((Arc::clone(&entry.game), Pair::new(&entry.game)));
        }
    }
    pairs
}

/// Checks all positions of all suites, in parallel on the pool it is called in; results in the suites' order.
///
/// `finished` hears of each position, in no particular order.
pub fn check(suites: &[Suite], plan: &Plan, finished: &(dyn Fn(&Checked) + Sync)) -> Vec<Vec<Checked>> {
    let pairs = generators(suites);
    let pair_of = |game: &Arc<GameDef>| {
        pairs
            .iter()
            .find(|(known, _)| Arc::ptr_eq(known, game))
            .map(|(_, pair)| pair)
    };
    let mut work: Vec<(usize, usize, &Entry)> = Vec::new();
    for (file, suite) in suites.iter().enumerate() {
        work.extend(
            suite
                .entries
                .iter()
                .enumerate()
                .map(|(index, entry)| (file, index, entry)),
        );
    }
    // The longest first, so that no thread is left alone with one at the end.
    work.sort_by_key(|(.., entry)| std::cmp::Reverse(cost(entry, plan)));
    let results: Vec<(usize, usize, Checked)> = work
        .par_iter()
        .with_max_len(1)
        .filter_map(|&(file, index, entry)| {
            let checked = check_entry(entry, plan, pair_of(&entry.game)?);
            finished(&checked);
            Some((file, index, checked))
        })
        .collect();
    let mut sorted: Vec<Vec<Checked>> = suites
        .iter()
        .map(|suite| vec![Checked::default(); suite.entries.len()])
        .collect();
    for (file, index, checked) in results {
        sorted[file][index] = checked;
    }
    sorted
}

/// A rough measure of the time a position takes: the reference is some hundred times slower.
fn cost(entry: &Entry, plan: &Plan) -> u64 {
    let price = |which| if which == Which::Rules { 100 } else { 1 };
    plan.generators
        .iter()
        .map(|&which| {
            let wanted = entry.counts.iter().filter(|&&count| plan.wants(which, count));
            price(which) * wanted.map(|count| count.nodes).sum::<u64>()
        })
        .sum()
}

fn check_entry(entry: &Entry, plan: &Plan, pair: &Pair) -> Checked {
    let began = Instant::now();
    let mut checked = Checked::default();
    for &count in &entry.counts {
        let mut found = Vec::new();
        for &which in &plan.generators {
            if !plan.wants(which, count) || checked.wrong.is_some() {
                *checked.skipped.entry(which).or_default() += 1;
                continue;
            }
            let made = pair
                .get(which)
                .node(&entry.position)
                .count(count.depth, &Counting::default());
            let Some(nodes) = made else {
                checked.interrupted = true;
                break;
            };
            *checked.made.entry(which).or_default() += 1;
            checked.nodes += nodes;
            found.push((which, nodes));
        }
        if found.iter().any(|&(_, nodes)| nodes != count.nodes) {
            let parting = descend::first_parting(pair, &entry.position, count.depth);
            checked.wrong = Some(Wrong {
                depth: count.depth,
                expected: count.nodes,
                found,
                parting,
            });
        }
        if checked.interrupted || interrupt::requested() {
            checked.interrupted = true;
            break;
        }
    }
    checked.time = began.elapsed();
    checked
}
