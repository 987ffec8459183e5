//! Perft by root moves, spread over threads, with progress and a clean stop.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use assay_cli::{Exit, Progress, format};
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
        if self.complete {
            Exit::Success
        } else {
            Exit::Interrupted
        }
    }

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
    let nodes = AtomicU64::new(0);
    let count_below = |task: &Task| {
        let mut node = generator.node(position);
        for &mv in &task.path {
            node.make(mv);
        }
        let count = node.perft(depth - task.path.len() as u32, &mode)?;
        let nodes = nodes.fetch_add(count, Ordering::Relaxed) + count;
        let rate = format::rate(format::per_second(nodes, start.elapsed()));
        progress.set_message(format!("depth {depth}, {rate} nodes/s"));
        progress.inc(1);
        Some(count)
    };
    let below: Vec<Option<u64>> = tasks.par_iter().map(count_below).collect();
    // A root move is finished if all of its tasks are.
    let count_of = |root: usize| -> Option<u64> {
        let tasks = tasks.iter().zip(&below);
        tasks
            .filter(|(task, _)| task.root == root)
            .map(|(_, count)| *count)
            .sum()
    };
    let counts: Vec<(Move, u64)> = roots
        .iter()
        .enumerate()
        .filter_map(|(root, &mv)| Some((mv, count_of(root)?)))
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
