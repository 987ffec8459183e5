//! One perft, spread over threads, with progress and a clean stop.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use assay_rules::{Move, Position};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;

use crate::generator::{Counting, Generator, Manner};
use crate::numbers;

/// A perft by root moves.
#[derive(Clone, Debug)]
pub struct Divided {
    /// Root moves in ascending order with their counts; only those that were finished.
    pub rows: Vec<(Move, u64)>,
    /// Were all of them finished?
    pub complete: bool,
    /// How long it took.
    pub time: Duration,
}

impl Divided {
    /// The sum of the finished counts.
    pub fn total(&self) -> u64 {
        self.rows.iter().map(|(_, count)| count).sum()
    }
}

/// A pool of `threads` threads; as many as the machine has when `None`.
///
/// # Errors
/// When the system gives no threads.
pub fn pool(threads: Option<usize>) -> Result<rayon::ThreadPool> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    builder.build().context("cannot start threads")
}

/// Counts below each root move. The pool's threads share the root moves' children, or their children's at depth,
/// so that one large root move does not keep all but one thread idle.
///
/// Runs on the pool it is called in.
///
/// # Errors
/// When the system has no memory for a table.
pub fn divide(generator: &dyn Generator, position: &Position, depth: u32, manner: Manner) -> Result<Divided> {
    let began = Instant::now();
    let how = manner.ready(
        |plies| node_count(generator, position, plies),
        depth.saturating_sub(assay_engine::PerftTable::MIN_DEPTH),
    )?;
    let roots = generator.node(position).moves();
    if depth == 0 {
        return Ok(Divided {
            rows: Vec::new(),
            complete: true,
            time: began.elapsed(),
        });
    }
    let units = units(generator, position, &roots, depth);
    let bar = progress(&roots, &units, depth);
    let state = Mutex::new(State {
        sums: vec![0; roots.len()],
        left: vec![0; roots.len()],
    });
    {
        let mut state = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for unit in &units {
            state.left[unit.root] += 1;
        }
    }
    units.par_iter().for_each(|unit| {
        let mut node = generator.node(position);
        for &mv in &unit.path {
            node.play(mv);
        }
        let Some(count) = node.count(depth - unit.path.len() as u32, &how) else {
            return;
        };
        let mut state = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        state.sums[unit.root] += count;
        state.left[unit.root] -= 1;
        let nodes: u64 = state.sums.iter().sum();
        let done = state.left.iter().filter(|&&left| left == 0).count();
        drop(state);
        let rate = numbers::short_rate(numbers::per_second(nodes, began.elapsed()));
        bar.set_message(format!("{done}/{} root moves, {rate} nodes/s", roots.len()));
        bar.inc(1);
    });
    bar.finish_and_clear();
    let state = state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let finished = roots
        .iter()
        .zip(&state.sums)
        .zip(&state.left)
        .filter(|(_, left)| **left == 0);
    let rows: Vec<(Move, u64)> = finished.map(|((&mv, &sum), _)| (mv, sum)).collect();
    Ok(Divided {
        complete: rows.len() == roots.len(),
        rows,
        time: began.elapsed(),
    })
}

fn node_count(generator: &dyn Generator, position: &Position, depth: u32) -> u64 {
    let counted = generator.node(position).count(depth, &Counting::default());
    counted.unwrap_or(0)
}

struct State {
    sums: Vec<u64>,
    left: Vec<usize>,
}

/// A piece of work: moves from the root, at least one.
struct Unit {
    root: usize,
    path: Vec<Move>,
}

fn units(generator: &dyn Generator, position: &Position, roots: &[Move], depth: u32) -> Vec<Unit> {
    let mut units = Vec::new();
    for (root, &mv) in roots.iter().enumerate() {
        if depth < 4 {
            units.push(Unit { root, path: vec![mv] });
            continue;
        }
        let mut node = generator.node(position);
        node.play(mv);
        units.extend(node.moves().into_iter().map(|second| Unit {
            root,
            path: vec![mv, second],
        }));
    }
    units
}

/// A bar on standard error, drawn only there where somebody sees it and only for counts that take a while.
fn progress(roots: &[Move], units: &[Unit], depth: u32) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(units.len() as u64), ProgressDrawTarget::stderr());
    let template = "{prefix} [{bar:30}] {percent:>3}%  {msg}  {elapsed} gone, {eta} to go";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_prefix(format!("D{depth}"));
    bar.set_message(format!("0/{} root moves", roots.len()));
    bar
}
