//! The thread that holds the position and does what takes time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use assay_rules::{GameDef, Position as RulesPosition, Setup as RulesSetup, diagram};

use super::command::Spec;
use super::go::Go;
use super::output::Output;
use super::{moves, table};
use crate::bench;
use crate::dispatch::Visitor;
use crate::movelist::MoveList;
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::search::{Line, Report, ScoreBound, Searcher};
use crate::tables::Tables;

/// Something for the worker to do.
pub(super) enum Task {
    /// Set up a position; when something is wrong with it, keep the one there is.
    Position {
        /// Where it starts.
        spec: Spec,
        /// Moves from there.
        moves: Vec<String>,
    },
    /// Search the position.
    Go {
        /// Limits.
        go: Go,
        /// Set when it must stop.
        stop: Arc<AtomicBool>,
    },
    /// Count leaf nodes by first moves.
    Perft {
        /// Plies.
        depth: u32,
        /// Set when it must stop.
        stop: Arc<AtomicBool>,
    },
    /// Search the bench positions.
    Bench {
        /// Plies, when not the usual number.
        depth: Option<u32>,
        /// Set when it must stop.
        stop: Arc<AtomicBool>,
    },
    /// Show the position.
    Show,
    /// Show the terms of its evaluation.
    Eval,
    /// Forget what was learned.
    NewGame,
    /// Make the transposition table of that many MiB.
    Hash(usize),
    /// Search on so many threads.
    Threads(usize),
    /// Look for so many lines of play.
    MultiPv(usize),
    /// Empty the transposition table.
    ClearHash,
    /// So much time is lost with each move.
    Overhead(Duration),
    /// Tell when everything before is done.
    Tell(Sender<()>),
}

/// What a worker needs from the start.
pub(super) struct Setup {
    pub(super) hash: usize,
    pub(super) threads: usize,
    pub(super) multi_pv: usize,
    pub(super) overhead: Duration,
    pub(super) output: Output,
    pub(super) busy: Arc<AtomicUsize>,
    pub(super) tasks: Receiver<Task>,
}

impl Visitor for Setup {
    type Output = ();

    fn visit<R: Ruleset>(self, tables: Arc<Tables<R>>) {
        let start = RulesPosition::start(tables.game());
        let mut searcher = Searcher::new(&tables, self.hash);
        searcher.set_overhead(self.overhead);
        searcher.set_threads(self.threads);
        searcher.set_multi_pv(self.multi_pv);
        let position = Position::new(&tables, &start);
        let mut worker = Worker {
            tables,
            position,
            searcher,
            output: self.output,
        };
        for task in self.tasks {
            let long = matches!(task, Task::Go { .. } | Task::Perft { .. } | Task::Bench { .. });
            worker.work(task);
            if long {
                self.busy.fetch_sub(1, Ordering::SeqCst);
            }
        }
    }
}

struct Worker<R: Ruleset> {
    tables: Arc<Tables<R>>,
    position: Position<R>,
    searcher: Searcher<R>,
    output: Output,
}

impl<R: Ruleset> Worker<R> {
    fn work(&mut self, task: Task) {
        match task {
            Task::Position { spec, moves } => match self.set_up(&spec, &moves) {
                Ok(position) => self.position = position,
                Err(note) => self.output.note(&note),
            },
            Task::Go { go, stop } => self.go(&go, &stop),
            Task::Perft { depth, stop } => self.perft(depth, &stop),
            Task::Bench { depth, stop } => {
                let output = &self.output;
                bench::run(depth, &stop, &mut |line| output.line(line));
            }
            Task::Show => self.output.line(&self.show()),
            Task::Eval => self.output.line(&table::of_terms(&self.position, &self.searcher)),
            Task::NewGame => self.searcher.clear(),
            Task::Hash(megabytes) => self.searcher.resize(megabytes),
            Task::Threads(threads) => self.searcher.set_threads(threads),
            Task::MultiPv(lines) => self.searcher.set_multi_pv(lines),
            Task::ClearHash => self.searcher.clear_table(),
            Task::Overhead(overhead) => self.searcher.set_overhead(overhead),
            // Whoever asked may have stopped waiting.
            Task::Tell(done) => drop(done.send(())),
        }
    }

    fn game(&self) -> &Arc<GameDef> {
        self.tables.game()
    }

    fn set_up(&self, spec: &Spec, texts: &[String]) -> Result<Position<R>, String> {
        let start = match spec {
            Spec::Start => RulesPosition::start(self.game()),
            Spec::Id(id) => RulesPosition::from_start(self.game(), id).map_err(|error| format!("position: {error}"))?,
            Spec::Fen(fen) => {
                let wrong = |error: assay_rules::fen::FenError| format!("position: {error}");
                let setup = RulesSetup::parse(self.game(), fen).map_err(wrong)?;
                let (position, warnings) =
                    RulesPosition::from_setup(self.game(), &setup).map_err(|faults| wrong(faults.into()))?;
                for warning in warnings {
                    self.output.note(&format!("position: {warning}"));
                }
                position
            }
        };
        let mut position = Position::new(&self.tables, &start);
        for (number, text) in texts.iter().enumerate() {
            let mv = moves::parse(&position, text)
                .map_err(|note| format!("position: move {}: {note}; the position is unchanged", number + 1))?;
            position.make(mv);
        }
        Ok(position)
    }

    fn go(&mut self, go: &Go, stop: &AtomicBool) {
        let mut search_moves = Vec::new();
        for text in &go.search_moves {
            match moves::parse(&self.position, text) {
                Ok(mv) => search_moves.push(mv),
                Err(note) => self.output.note(&format!("go searchmoves: {note}")),
            }
        }
        let limits = go.limits(self.position.side(), search_moves);
        let game = self.game().clone();
        let output = self.output.clone();
        let result = self.searcher.search(&self.position, &limits, stop, &mut |report| {
            output.line(&info(&game, report));
        });
        if result.pv.is_empty() {
            self.output.line(&format!("info depth 0 score {}", result.score));
        }
        let text = |mv| moves::format(&game, mv);
        let best = result.best.map_or_else(|| "(none)".to_owned(), text);
        let ponder = result
            .ponder
            .map_or_else(String::new, |mv| format!(" ponder {}", text(mv)));
        self.output.line(&format!("bestmove {best}{ponder}"));
    }

    fn perft(&mut self, depth: u32, stop: &AtomicBool) {
        let mut total = 0;
        let mut list = MoveList::new();
        if depth > 0 {
            self.position.legal_moves(&mut list);
        } else {
            total = 1;
        }
        for &mv in list.iter() {
            if stop.load(Ordering::Relaxed) {
                self.output.note("perft was stopped; the numbers so far:");
                break;
            }
            self.position.make(mv);
            let nodes = self.position.perft(depth - 1);
            self.position.unmake();
            total += nodes;
            self.output
                .line(&format!("{}: {nodes}", moves::format(self.game(), mv)));
        }
        self.output.line(&format!("\nNodes searched: {total}\n"));
    }

    fn show(&self) -> String {
        let rules = self.position.to_rules();
        let names: Vec<String> = self
            .position
            .checkers()
            .into_iter()
            .map(|square| self.game().board.name(square))
            .collect();
        format!(
            "{}Fen: {}\nKey: {:016X}\nCheckers: {}",
            diagram::text_board(&rules),
            rules.fen(),
            self.position.hash(),
            names.join(" ")
        )
    }
}

fn info(game: &GameDef, report: &Report<'_>) -> String {
    match report {
        Report::Line(line) => line_info(game, line),
        Report::Root { depth, mv, number } => {
            format!(
                "info depth {depth} currmove {} currmovenumber {number}",
                moves::format(game, *mv)
            )
        }
    }
}

fn line_info(game: &GameDef, line: &Line<'_>) -> String {
    let nanoseconds = line.elapsed.as_nanos().max(1);
    let nps = u128::from(line.nodes) * 1_000_000_000 / nanoseconds;
    let bound = match line.bound {
        ScoreBound::Exact => "",
        ScoreBound::Lower => " lowerbound",
        ScoreBound::Upper => " upperbound",
    };
    let pv: String = line
        .pv
        .iter()
        .map(|&mv| format!(" {}", moves::format(game, mv)))
        .collect();
    format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {nps} hashfull {} time {} pv{pv}",
        line.depth,
        line.selective_depth,
        line.number,
        line.score,
        line.nodes,
        line.table_permill,
        line.elapsed.as_millis()
    )
}
