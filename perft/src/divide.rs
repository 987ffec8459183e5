//! Perft by root moves, spread over threads, with progress and a clean stop.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use assay_cli::{Progress, format};
use assay_rules::{Move, Position};
use rayon::prelude::*;

use crate::generator::{CountMode, CountOptions, Generator};

/// From this depth on, threads share the moves of the second ply instead of the root moves.
const SPLIT_DEPTH: u32 = 4;

/// Perft by root moves.
#[derive(Clone, Debug)]
pub struct Division {
    /// Finished root moves in ascending order with their counts.
    pub counts: Vec<(Move, u64)>,
    /// False if interrupted before all root moves were finished.
    pub complete: bool,
    /// Wall time.
    pub time: Duration,
}

impl Division {
    /// Sum of the counts of the finished root moves.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

/// Counts below each root move on the threads of the current pool.
///
/// Threads share the second ply at depth 4 and deeper, so that one large root move does not leave all but one thread idle.
/// Sets the total and the message of `progress`.
///
/// # Errors
/// If there is no memory for the hash table.
pub fn divide(
    generator: &dyn Generator,
    position: &Position,
    depth: u32,
    options: CountOptions,
    progress: &Progress,
) -> Result<Division> {
    let start = Instant::now();
    let mode = options.prepare(
        |plies| plain_count(generator, position, plies),
        depth.saturating_sub(assay_engine::PerftTable::MIN_DEPTH),
    )?;
    let roots = generator.node(position).legal_moves();
    if depth == 0 {
        return Ok(Division {
            counts: Vec::new(),
            complete: true,
            time: start.elapsed(),
        });
    }
    let tasks = tasks(generator, position, &roots, depth);
    progress.set_total(tasks.len() as u64);
    let sums = Mutex::new(RootSums::new(roots.len(), &tasks));
    tasks.par_iter().for_each(|task| {
        let mut node = generator.node(position);
        for &mv in &task.path {
            node.make(mv);
        }
        let Some(count) = node.perft(depth - task.path.len() as u32, &mode) else {
            return;
        };
        let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
        sums.add(task.root, count);
        let rate = format::rate(format::per_second(sums.nodes(), start.elapsed()));
        let message = format!(
            "depth {depth}, {}/{} root moves, {rate} nodes/s",
            sums.finished(),
            roots.len()
        );
        drop(sums);
        progress.set_message(message);
        progress.inc(1);
    });
    let sums = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
    let counts: Vec<(Move, u64)> = roots
        .iter()
        .zip(&sums.0)
        .filter(|(_, sum)| sum.tasks_left == 0)
        .map(|(&mv, sum)| (mv, sum.nodes))
        .collect();
    Ok(Division {
        complete: counts.len() == roots.len(),
        counts,
        time: start.elapsed(),
    })
}

fn plain_count(generator: &dyn Generator, position: &Position, depth: u32) -> u64 {
    let count = generator.node(position).perft(depth, &CountMode::default());
    count.unwrap_or(0)
}

/// Sum of the finished tasks of one root move.
#[derive(Clone, Default)]
struct RootSum {
    nodes: u64,
    tasks_left: usize,
}

struct RootSums(Vec<RootSum>);

impl RootSums {
    fn new(roots: usize, tasks: &[Task]) -> RootSums {
        let mut sums = vec![RootSum::default(); roots];
        for task in tasks {
            sums[task.root].tasks_left += 1;
        }
        RootSums(sums)
    }

    fn add(&mut self, root: usize, nodes: u64) {
        self.0[root].nodes += nodes;
        self.0[root].tasks_left -= 1;
    }

    fn nodes(&self) -> u64 {
        self.0.iter().map(|sum| sum.nodes).sum()
    }

    fn finished(&self) -> usize {
        self.0.iter().filter(|sum| sum.tasks_left == 0).count()
    }
}

/// Moves from the root, at least one, below which a thread counts.
struct Task {
    root: usize,
    path: Vec<Move>,
}

fn tasks(generator: &dyn Generator, position: &Position, roots: &[Move], depth: u32) -> Vec<Task> {
    let mut tasks = Vec::new();
    for (root, &mv) in roots.iter().enumerate() {
        if depth < SPLIT_DEPTH {
            tasks.push(Task { root, path: vec![mv] });
            continue;
        }
        let mut node = generator.node(position);
        node.make(mv);
        tasks.extend(node.legal_moves().into_iter().map(|second| Task {
            root,
            path: vec![mv, second],
        }));
    }
    tasks
}
