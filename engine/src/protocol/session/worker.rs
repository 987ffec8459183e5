//! The worker thread: holds the position, runs searches and other jobs.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;

use assay_rules::{GameDef, Position as RulesPosition, diagram};

use super::event::{BestMove, Event, EventListener, PvLine, SearchId};
use super::job::{GameSettings, Job, StartPosition, Task};
use super::search_request::SearchRequest;
use super::{eval_table, uci_move};
use crate::bench;
use crate::moves::MoveList;
use crate::position::Position;
use crate::protocol::eval_file::Evaluation;
use crate::protocol::genfens;
use crate::protocol::options::{DEFAULT_HASH, SearchOptions};
use crate::protocol::refusal::Refusal;
use crate::registry::{CompiledRuleset, Visitor, dispatch};
use crate::search::{PvInfo, SearchInfo, Searcher};
use crate::tables::Tables;

/// Depth, in plies, of a perft that runs without checking the stop flag: it takes a few
/// milliseconds.
const UNINTERRUPTED_PERFT: u32 = 3;

/// The worker thread.
pub(super) struct Worker {
    pub(super) listener: EventListener,
    pub(super) unfinished_tasks: Arc<AtomicUsize>,
    pub(super) jobs: Receiver<Job>,
}

impl Worker {
    /// Runs jobs until the channel closes.
    pub(super) fn run(&self, settings: GameSettings) {
        let mut affordable = SearchOptions { hash: DEFAULT_HASH, threads: 1, ..settings.options };
        let mut next = Some(settings);
        while let Some(settings) = next {
            let game = settings.game.clone();
            let jobs = GameJobs { worker: self, settings, affordable: &mut affordable };
            next = dispatch(&game, jobs);
        }
    }
}

/// Runs the jobs of one game. Returns the settings of the next.
struct GameJobs<'w> {
    worker: &'w Worker,
    settings: GameSettings,
    /// Sizes for which there was memory when they were last set.
    affordable: &'w mut SearchOptions,
}

impl Visitor for GameJobs<'_> {
    type Output = Option<GameSettings>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let GameJobs { worker, settings, affordable } = self;
        let mut player = GameWorker::new(tables, settings, *affordable, worker.listener.clone());
        while let Ok(job) = worker.jobs.recv() {
            match job {
                Job::Game(settings) => {
                    affordable.hash = player.searcher.hash_mb();
                    affordable.threads = player.searcher.threads();
                    return Some(settings);
                }
                Job::Task(task, stop) => {
                    let last_event = player.run_task(task, &stop);
                    // Before the last line is printed, because its reader may send `isready` at
                    // once.
                    worker.unfinished_tasks.fetch_sub(1, Ordering::SeqCst);
                    if let Some(event) = last_event {
                        player.report(event);
                    }
                }
                job => player.run_job(job),
            }
        }
        None
    }
}

struct GameWorker<R: CompiledRuleset> {
    tables: Arc<Tables<R>>,
    /// The error of the last `position` if it was invalid.
    position: Result<Position<R>, String>,
    searcher: Searcher<R>,
    /// The options last asked for: where there was not enough memory, the searcher has less.
    options: SearchOptions,
    listener: EventListener,
}

impl<R: CompiledRuleset> GameWorker<R> {
    /// Falls back to the sizes of `affordable` if there is not enough memory for the options.
    fn new(
        tables: Arc<Tables<R>>,
        settings: GameSettings,
        affordable: SearchOptions,
        listener: EventListener,
    ) -> GameWorker<R> {
        let mut searcher = Searcher::new(&tables, affordable.hash)
            .or_else(|_| Searcher::new(&tables, 0))
            .expect("there is memory for one bucket");
        if !matches!(settings.evaluation, Evaluation::Default) {
            settings.evaluation.install(&mut searcher, tables.game());
        }
        let position = Position::new(&tables, &RulesPosition::start(tables.game()));
        let mut worker = GameWorker {
            position: Ok(position),
            tables,
            options: SearchOptions { hash: searcher.hash_mb(), threads: 1, ..affordable },
            searcher,
            listener,
        };
        worker.set_options(affordable);
        worker.set_options(settings.options);
        worker
    }

    /// Sets what differs from the options before. Reports an error if there is not enough memory;
    /// what was there before is kept.
    fn set_options(&mut self, options: SearchOptions) {
        let before = std::mem::replace(&mut self.options, options);
        self.searcher.set_move_overhead(options.move_overhead);
        self.searcher.set_multi_pv(options.multi_pv);
        self.searcher.set_strength(options.strength);
        if options.threads != before.threads
            && let Err(error) = self.searcher.set_threads(options.threads)
        {
            let threads = self.searcher.threads();
            self.report_error(&format!("Threads: {error}; the number of threads is {threads}"));
        }
        if options.hash != before.hash
            && let Err(error) = self.searcher.set_hash(options.hash)
        {
            let size = self.searcher.hash_mb();
            self.report_error(&format!("Hash: {error}; the table has {size} MiB"));
        }
    }

    fn run_job(&mut self, job: Job) {
        match job {
            Job::Position { start, moves } => {
                self.position = self.build_position(&start, &moves).map_err(|error| {
                    self.report_error(&error);
                    error.to_string()
                });
            }
            Job::NoPosition(error) => self.position = Err(error),
            Job::ShowPosition => {
                if let Some(position) = self.position("d") {
                    self.report(Event::Text(describe(position)));
                }
            }
            Job::ShowEvaluation => {
                if let Some(position) = self.position("eval").cloned() {
                    let text = eval_table::format(&position, &mut self.searcher);
                    self.report(Event::Text(text));
                }
            }
            Job::NewGame => self.searcher.clear(),
            Job::Options(options) => self.set_options(options),
            Job::ClearHash => self.searcher.clear_tt(),
            Job::Evaluation(evaluation) => evaluation.install(&mut self.searcher, self.tables.game()),
            Job::Report(event) => self.report(event),
            // Fails if nobody waits any more.
            Job::Wait(done) => drop(done.send(())),
            Job::Game(_) | Job::Task(..) => unreachable!("handled by the loop"),
            #[cfg(debug_assertions)]
            Job::Panic => panic!("as the command asks"),
        }
    }

    /// Runs a task and returns its last event, which is still to be reported.
    fn run_task(&mut self, task: Task, stop: &AtomicBool) -> Option<Event> {
        let result = match task {
            Task::Search { id, request, pondering } => return Some(self.search(id, &request, stop, pondering)),
            Task::Perft(depth) => return self.perft(depth, stop),
            Task::Bench(settings) => {
                let mut print = |line: &str| self.report(Event::Text(line.to_owned()));
                bench::run(settings, stop, &mut print).map(drop).map_err(|error| format!("bench: {error}"))
            }
            Task::Genfens(args) => {
                let mut print = |line| self.report(Event::Reply(line));
                genfens::run(&args, self.game(), stop, &mut print).map_err(|error| error.to_string())
            }
        };
        result.err().map(Event::Error)
    }

    fn report(&self, event: Event) {
        (self.listener)(event);
    }

    fn report_error(&self, error: &dyn Display) {
        self.report(Event::Error(error.to_string()));
    }

    fn game(&self) -> &Arc<GameDef> {
        self.tables.game()
    }

    /// The position; reports an error of `command` if there is none.
    fn position(&self, command: &str) -> Option<&Position<R>> {
        let no_position = |error: &String| {
            self.report_error(&format!(
                "{command}: found no position, expected a valid `position` first; the last one was invalid: {error}"
            ));
        };
        self.position.as_ref().map_err(no_position).ok()
    }

    fn build_position(&self, start: &StartPosition, moves: &[String]) -> Result<Position<R>, Refusal> {
        let because = |why: &dyn Display| Refusal::because(format_args!("position: {why}"));
        let start = match start {
            StartPosition::Default => RulesPosition::start(self.game()),
            StartPosition::Id(id) => RulesPosition::from_start(self.game(), id).map_err(|error| because(&error))?,
            StartPosition::Fen(fen) => {
                let read = RulesPosition::read_fen(self.game(), fen);
                let (position, warnings) = read.map_err(|error| because(&error))?;
                for warning in warnings {
                    self.report(Event::Message(format!("position: {warning}")));
                }
                position
            }
        };
        let mut position = Position::new(&self.tables, &start);
        for (index, text) in moves.iter().enumerate() {
            let mv = uci_move::parse(&position, text)
                .map_err(|error| because(&format_args!("move {}: {error}", index + 1)))?;
            position.make(mv);
        }
        Ok(position)
    }

    fn search(
        &mut self,
        id: SearchId,
        request: &SearchRequest,
        stop: &AtomicBool,
        pondering: Option<Arc<AtomicBool>>,
    ) -> Event {
        let Some(position) = self.position("go").cloned() else {
            return Event::BestMove(id, BestMove::Refused);
        };
        let mut search_moves = Vec::new();
        for text in &request.search_moves {
            match uci_move::parse(&position, text) {
                Ok(mv) => search_moves.push(mv),
                Err(error) => self.report_error(&format!("go searchmoves: {error}")),
            }
        }
        if search_moves.is_empty() && !request.search_moves.is_empty() {
            return Event::BestMove(id, BestMove::Refused);
        }
        let limits = request.limits(position.side_to_move(), search_moves);
        if let Some(pondering) = pondering {
            self.searcher.set_pondering(pondering);
        }
        let game = self.game().clone();
        let listener = self.listener.clone();
        let result = self.searcher.search(&position, &limits, stop, &mut |report| {
            listener(search_event(&game, id, report));
        });
        let text = |mv| uci_move::format(&game, mv);
        let best_move = match result.best_move {
            Some(mv) => BestMove::Found { mv: text(mv), ponder: result.ponder.map(text) },
            None => BestMove::NoLegalMove { score: result.score },
        };
        Event::BestMove(id, best_move)
    }

    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<Event> {
        let mut position = self.position("perft").cloned()?;
        let mut total = 0;
        let mut list = MoveList::new();
        if depth > 0 {
            position.legal_moves(&mut list);
        } else {
            total = 1;
        }
        for &mv in list.iter() {
            position.make(mv);
            let Some(nodes) = count_leaves(&mut position, depth - 1, stop) else {
                return Some(Event::Message(format!("perft stopped after {total} nodes; no total")));
            };
            position.unmake();
            total += nodes;
            self.report(Event::Text(format!("{}: {nodes}", uci_move::format(self.game(), mv))));
        }
        Some(Event::Text(format!("\nNodes searched: {total}\n")))
    }
}

/// Perft that can be stopped: returns `None` if `stop` is set.
fn count_leaves<R: CompiledRuleset>(position: &mut Position<R>, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= UNINTERRUPTED_PERFT {
        return Some(position.perft(depth));
    }
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    let mut sum = 0;
    for &mv in list.iter() {
        position.make(mv);
        let count = count_leaves(position, depth - 1, stop);
        position.unmake();
        sum += count?;
    }
    Some(sum)
}

fn describe<R: CompiledRuleset>(position: &Position<R>) -> String {
    let rules = position.to_rules();
    let square_name = |square| position.game().board.square_name(square);
    let checkers: Vec<String> = position.checkers().into_iter().map(square_name).collect();
    format!(
        "{}Fen: {}\nKey: {:016X}\nCheckers: {}",
        diagram::text_board(&rules),
        rules.fen(),
        position.hash(),
        checkers.join(" ")
    )
}

fn search_event(game: &GameDef, id: SearchId, report: &SearchInfo<'_>) -> Event {
    match report {
        SearchInfo::Pv(line) => Event::Pv(id, pv_line(game, line)),
        SearchInfo::CurrentMove { depth, mv, number } => {
            Event::CurrentMove { depth: *depth, mv: uci_move::format(game, *mv), number: *number }
        }
        SearchInfo::MissingThreads { started, wanted, error } => {
            Event::Error(format!("Threads: started {started} of {wanted}: {error}"))
        }
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
