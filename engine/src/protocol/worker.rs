//! The worker thread: holds the position, runs searches and other jobs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use assay_rules::{GameDef, Position as RulesPosition, Setup as RulesSetup, diagram};

use super::eval_file::Evaluation;
use super::event::{BestMove, Event, EventListener, PvLine, SearchId};
use super::job::{Job, StartPosition};
use super::search_request::SearchRequest;
use super::{eval_table, uci_move};
use crate::bench;
use crate::moves::MoveList;
use crate::position::Position;
use crate::registry::CompiledRuleset;
use crate::registry::Visitor;
use crate::search::{PvInfo, SearchInfo, Searcher};
use crate::tables::Tables;

/// Initial settings and channels of a worker.
pub(super) struct WorkerConfig {
    pub(super) hash: usize,
    pub(super) threads: usize,
    pub(super) multi_pv: usize,
    pub(super) move_overhead: Duration,
    pub(super) evaluation: Evaluation,
    pub(super) listener: EventListener,
    pub(super) unfinished_jobs: Arc<AtomicUsize>,
    pub(super) jobs: Receiver<Job>,
}

impl Visitor for WorkerConfig {
    type Output = ();

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) {
        let game = tables.game();
        let position = Position::new(&tables, &RulesPosition::start(game));
        let mut searcher = Searcher::new(&tables, self.hash);
        if !matches!(self.evaluation, Evaluation::Default) {
            self.evaluation.install(&mut searcher, game);
        }
        searcher.set_move_overhead(self.move_overhead);
        searcher.set_threads(self.threads);
        searcher.set_multi_pv(self.multi_pv);
        let mut worker = Worker {
            tables,
            position,
            searcher,
            listener: self.listener,
        };
        for job in self.jobs {
            let is_long = matches!(job, Job::Search { .. } | Job::Perft { .. } | Job::Bench { .. });
            worker.run_job(job);
            if is_long {
                self.unfinished_jobs.fetch_sub(1, Ordering::SeqCst);
            }
        }
    }
}

struct Worker<R: CompiledRuleset> {
    tables: Arc<Tables<R>>,
    position: Position<R>,
    searcher: Searcher<R>,
    listener: EventListener,
}

impl<R: CompiledRuleset> Worker<R> {
    fn run_job(&mut self, job: Job) {
        match job {
            Job::Position { start, moves } => match self.build_position(&start, &moves) {
                Ok(position) => self.position = position,
                Err(message) => self.report_message(message),
            },
            Job::Search {
                id,
                request,
                stop,
                pondering,
            } => self.search(id, &request, &stop, pondering),
            Job::Perft { depth, stop } => self.perft(depth, &stop),
            Job::Bench { depth, stop } => {
                bench::run(depth, &stop, &mut |line| self.report_text(line.to_owned()));
            }
            Job::ShowPosition => self.report_text(self.describe_position()),
            Job::ShowEvaluation => {
                let text = eval_table::format(&self.position, &mut self.searcher);
                self.report_text(text);
            }
            Job::NewGame => self.searcher.clear(),
            Job::Hash(megabytes) => self.searcher.set_hash(megabytes),
            Job::Threads(threads) => self.searcher.set_threads(threads),
            Job::MultiPv(lines) => self.searcher.set_multi_pv(lines),
            Job::ClearHash => self.searcher.clear_tt(),
            Job::MoveOverhead(move_overhead) => self.searcher.set_move_overhead(move_overhead),
            Job::Evaluation(evaluation) => evaluation.install(&mut self.searcher, self.tables.game()),
            // The receiver may be gone.
            Job::Sync(done) => drop(done.send(())),
        }
    }

    fn report_message(&self, message: String) {
        (self.listener)(Event::Message(message));
    }

    fn report_text(&self, text: String) {
        (self.listener)(Event::Text(text));
    }

    fn game(&self) -> &Arc<GameDef> {
        self.tables.game()
    }

    fn build_position(&self, start: &StartPosition, move_texts: &[String]) -> Result<Position<R>, String> {
        let start = match start {
            StartPosition::Default => RulesPosition::start(self.game()),
            StartPosition::Id(id) => {
                RulesPosition::from_start(self.game(), id).map_err(|error| format!("position: {error}"))?
            }
            StartPosition::Fen(fen) => {
                let wrong = |error: assay_rules::fen::FenError| format!("position: {error}");
                let setup = RulesSetup::from_fen(self.game(), fen).map_err(wrong)?;
                let (position, warnings) =
                    RulesPosition::from_setup(self.game(), &setup).map_err(|faults| wrong(faults.into()))?;
                for warning in warnings {
                    self.report_message(format!("position: {warning}"));
                }
                position
            }
        };
        let mut position = Position::new(&self.tables, &start);
        for (number, text) in move_texts.iter().enumerate() {
            let mv = uci_move::parse(&position, text)
                .map_err(|message| format!("position: move {}: {message}; the position is unchanged", number + 1))?;
            position.make(mv);
        }
        Ok(position)
    }

    fn search(&mut self, id: SearchId, request: &SearchRequest, stop: &AtomicBool, pondering: Option<Arc<AtomicBool>>) {
        let mut search_moves = Vec::new();
        for text in &request.search_moves {
            match uci_move::parse(&self.position, text) {
                Ok(mv) => search_moves.push(mv),
                Err(message) => self.report_message(format!("searchmoves: {message}")),
            }
        }
        let limits = request.limits(self.position.side_to_move(), search_moves);
        if let Some(pondering) = pondering {
            self.searcher.set_pondering(pondering);
        }
        let game = self.game().clone();
        let listener = self.listener.clone();
        let result = self.searcher.search(&self.position, &limits, stop, &mut |report| {
            listener(search_event(&game, id, report));
        });
        let text = |mv| uci_move::format(&game, mv);
        listener(Event::BestMove(
            id,
            BestMove {
                mv: result.best_move.map(text),
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
                self.report_message("perft stopped; incomplete total:".to_owned());
                break;
            }
            self.position.make(mv);
            let nodes = self.position.perft(depth - 1);
            self.position.unmake();
            total += nodes;
            self.report_text(format!("{}: {nodes}", uci_move::format(self.game(), mv)));
        }
        self.report_text(format!("\nNodes searched: {total}\n"));
    }

    fn describe_position(&self) -> String {
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

fn search_event(game: &GameDef, id: SearchId, report: &SearchInfo<'_>) -> Event {
    match report {
        SearchInfo::Pv(line) => Event::Pv(id, pv_line(game, line)),
        SearchInfo::CurrentMove { depth, mv, number } => Event::CurrentMove {
            depth: *depth,
            mv: uci_move::format(game, *mv),
            number: *number,
        },
    }
}

fn pv_line(game: &GameDef, line: &PvInfo<'_>) -> PvLine {
    PvLine {
        depth: line.depth,
        seldepth: line.seldepth,
        multipv: line.multipv,
        score: line.score,
        bound: line.bound,
        nodes: line.nodes,
        elapsed: line.elapsed,
        hashfull: line.hashfull,
        pv: line.pv.iter().map(|&mv| uci_move::format(game, mv)).collect(),
    }
}
