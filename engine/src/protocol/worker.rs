//! The thread that holds the position and does what takes time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use assay_rules::{GameDef, Position as RulesPosition, Setup as RulesSetup, diagram};

use super::evaluation::Evaluation;
use super::event::{BestText, Event, LineText, Listener, SearchId};
use super::request::Request;
use super::session::Spec;
use super::{moves, terms};
use crate::bench;
use crate::moves::MoveList;
use crate::position::Position;
use crate::registry::CompiledRuleset;
use crate::registry::Visitor;
use crate::search::{PvInfo, SearchInfo, Searcher};
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
        id: SearchId,
        request: Request,
        /// Set when it must stop.
        stop: Arc<AtomicBool>,
        /// Set as long as it is on the opponent's time.
        pondering: Option<Arc<AtomicBool>>,
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
    /// Evaluate with this from now on.
    Evaluation(Evaluation),
    /// Tell when everything before is done.
    Tell(Sender<()>),
}

/// What a worker needs from the start.
pub(super) struct Setup {
    pub(super) hash: usize,
    pub(super) threads: usize,
    pub(super) multi_pv: usize,
    pub(super) overhead: Duration,
    pub(super) evaluation: Evaluation,
    pub(super) listener: Listener,
    pub(super) busy: Arc<AtomicUsize>,
    pub(super) tasks: Receiver<Task>,
}

impl Visitor for Setup {
    type Output = ();

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) {
        let game = tables.game();
        let position = Position::new(&tables, &RulesPosition::start(game));
        let mut searcher = Searcher::new(&tables, self.hash);
        if !matches!(self.evaluation, Evaluation::Own) {
            self.evaluation.give_to(&mut searcher, game);
        }
        searcher.set_move_overhead(self.overhead);
        searcher.set_threads(self.threads);
        searcher.set_multi_pv(self.multi_pv);
        let mut worker = Worker {
            tables,
            position,
            searcher,
            listener: self.listener,
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

struct Worker<R: CompiledRuleset> {
    tables: Arc<Tables<R>>,
    position: Position<R>,
    searcher: Searcher<R>,
    listener: Listener,
}

impl<R: CompiledRuleset> Worker<R> {
    fn work(&mut self, task: Task) {
        match task {
            Task::Position { spec, moves } => match self.set_up(&spec, &moves) {
                Ok(position) => self.position = position,
                Err(note) => self.note(note),
            },
            Task::Go {
                id,
                request,
                stop,
                pondering,
            } => self.go(id, &request, &stop, pondering),
            Task::Perft { depth, stop } => self.perft(depth, &stop),
            Task::Bench { depth, stop } => {
                bench::run(depth, &stop, &mut |line| self.text(line.to_owned()));
            }
            Task::Show => self.text(self.show()),
            Task::Eval => {
                let text = terms::table(&self.position, &mut self.searcher);
                self.text(text);
            }
            Task::NewGame => self.searcher.clear(),
            Task::Hash(megabytes) => self.searcher.set_hash(megabytes),
            Task::Threads(threads) => self.searcher.set_threads(threads),
            Task::MultiPv(lines) => self.searcher.set_multi_pv(lines),
            Task::ClearHash => self.searcher.clear_tt(),
            Task::Overhead(overhead) => self.searcher.set_move_overhead(overhead),
            Task::Evaluation(evaluation) => evaluation.give_to(&mut self.searcher, self.tables.game()),
            // Whoever asked may have stopped waiting.
            Task::Tell(done) => drop(done.send(())),
        }
    }

    fn note(&self, note: String) {
        (self.listener)(Event::Note(note));
    }

    fn text(&self, text: String) {
        (self.listener)(Event::Text(text));
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
                let setup = RulesSetup::from_fen(self.game(), fen).map_err(wrong)?;
                let (position, warnings) =
                    RulesPosition::from_setup(self.game(), &setup).map_err(|faults| wrong(faults.into()))?;
                for warning in warnings {
                    self.note(format!("position: {warning}"));
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

    fn go(&mut self, id: SearchId, request: &Request, stop: &AtomicBool, pondering: Option<Arc<AtomicBool>>) {
        let mut search_moves = Vec::new();
        for text in &request.search_moves {
            match moves::parse(&self.position, text) {
                Ok(mv) => search_moves.push(mv),
                Err(note) => self.note(format!("searchmoves: {note}")),
            }
        }
        let limits = request.limits(self.position.side_to_move(), search_moves);
        if let Some(pondering) = pondering {
            self.searcher.set_pondering(pondering);
        }
        let game = self.game().clone();
        let listener = self.listener.clone();
        let result = self.searcher.search(&self.position, &limits, stop, &mut |report| {
            listener(event(&game, id, report));
        });
        let text = |mv| moves::format(&game, mv);
        listener(Event::Best(
            id,
            BestText {
                best: result.best_move.map(text),
                ponder: result.ponder.map(text),
                score: result.score,
            },
        ));
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
                self.note("perft was stopped; the numbers so far:".to_owned());
                break;
            }
            self.position.make(mv);
            let nodes = self.position.perft(depth - 1);
            self.position.unmake();
            total += nodes;
            self.text(format!("{}: {nodes}", moves::format(self.game(), mv)));
        }
        self.text(format!("\nNodes searched: {total}\n"));
    }

    fn show(&self) -> String {
        let rules = self.position.to_rules();
        let names: Vec<String> = self
            .position
            .checkers()
            .into_iter()
            .map(|square| self.game().board.square_name(square))
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

fn event(game: &GameDef, id: SearchId, report: &SearchInfo<'_>) -> Event {
    match report {
        SearchInfo::Pv(line) => Event::Line(id, line_text(game, line)),
        SearchInfo::CurrentMove { depth, mv, number } => Event::Root {
            depth: *depth,
            mv: moves::format(game, *mv),
            number: *number,
        },
    }
}

fn line_text(game: &GameDef, line: &PvInfo<'_>) -> LineText {
    LineText {
        depth: line.depth,
        selective_depth: line.seldepth,
        number: line.multipv,
        score: line.score,
        bound: line.bound,
        nodes: line.nodes,
        elapsed: line.elapsed,
        table_permill: line.hashfull,
        pv: line.pv.iter().map(|&mv| moves::format(game, mv)).collect(),
    }
}
