//! Perft by root moves, spread over threads, with progress and a clean stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use assay_cli::Exit;
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
    /// Exit status of a program that prints the division.
    pub fn exit(&self) -> Exit {
        if self.complete { Exit::Success } else { Exit::Interrupted }
    }

    /// Sum of the counts of the finished root moves.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

/// How far a count has come.
#[derive(Clone, Copy, Debug)]
pub struct DivideProgress {
    /// Finished parts.
    pub done: u64,
    /// All parts.
    pub total: u64,
    /// Nodes counted in the finished parts.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// Counts below each root move on the threads of the current pool.
///
/// Threads share the second ply at depth 4 and deeper, so that one large root move does not leave
/// all but one thread idle. `report` is called before the first part and after each, from any
/// thread. Raising `stop` ends the count early.
///
/// # Errors
/// If there is no memory for the hash table.
pub fn divide(
    generator: &dyn Generator,
    position: &Position,
    depth: u32,
    options: CountOptions,
    stop: &AtomicBool,
    report: &(dyn Fn(DivideProgress) + Sync),
) -> Result<Division> {
    let start = Instant::now();
    let mode = options.prepare(
        |plies| plain_count(generator, position, plies, stop),
        depth.saturating_sub(assay_engine::PerftTable::MIN_DEPTH),
    )?;
    let roots = generator.node(position).legal_moves();
    if depth == 0 {
        return Ok(Division { counts: Vec::new(), complete: true, time: start.elapsed() });
    }
    let tasks = tasks(generator, position, &roots, depth);
    let progress = |done, nodes| DivideProgress { done, total: tasks.len() as u64, nodes, elapsed: start.elapsed() };
    report(progress(0, 0));
    let (done, nodes) = (AtomicU64::new(0), AtomicU64::new(0));
    let count_below = |task: &Task| {
        let mut node = generator.node(position);
        for &mv in &task.path {
            node.make(mv);
        }
        let count = node.perft(depth - task.path.len() as u32, &mode, stop)?;
        let nodes = nodes.fetch_add(count, Ordering::Relaxed) + count;
        report(progress(done.fetch_add(1, Ordering::Relaxed) + 1, nodes));
        Some(count)
    };
    let below: Vec<Option<u64>> = tasks.par_iter().map(count_below).collect();
    // A root move is finished if all of its tasks are.
    let count_of = |root: usize| -> Option<u64> {
        let tasks = tasks.iter().zip(&below);
        tasks.filter(|(task, _)| task.root == root).map(|(_, count)| *count).sum()
    };
    let counts: Vec<(Move, u64)> =
        roots.iter().enumerate().filter_map(|(root, &mv)| Some((mv, count_of(root)?))).collect();
    Ok(Division { complete: counts.len() == roots.len(), counts, time: start.elapsed() })
}

fn plain_count(generator: &dyn Generator, position: &Position, depth: u32, stop: &AtomicBool) -> u64 {
    let count = generator.node(position).perft(depth, &CountMode::default(), stop);
    count.unwrap_or(0)
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
        tasks.extend(node.legal_moves().into_iter().map(|second| Task { root, path: vec![mv, second] }));
    }
    tasks
}
