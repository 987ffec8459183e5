//! UCI output lines.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use assay_rules::{GameDef, Position};

use crate::eval::{Score, WdlModel};
use crate::protocol::debug_log::DebugLog;
use crate::protocol::options::{EMPTY, OptionType};
use crate::protocol::output::Output;
use crate::protocol::session::event::{BestMove, Event, PvLine};
use crate::search::Bound;

pub(super) fn option_line(name: &str, kind: &OptionType) -> String {
    let kind = match kind {
        OptionType::Spin(default, min, max) => format!("spin default {default} min {min} max {max}"),
        OptionType::Check(default) => format!("check default {default}"),
        OptionType::Button => "button".to_owned(),
        OptionType::Combo(default, choices) => {
            let choices: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("combo default {default}{choices}")
        }
        OptionType::File => format!("string default {EMPTY}"),
    };
    format!("option name {name} type {kind}")
}

/// Formats board and start position of a game, in the format of Fairy-Stockfish.
pub(super) fn variant_line(game: &Arc<GameDef>) -> String {
    format!(
        "info string variant {} files {} ranks {} pocket {} template fairy startpos {}",
        game.name,
        game.board.files(),
        game.board.ranks(),
        game.pocket_kinds().len(),
        Position::start(game).fen()
    )
}

/// The output of UCI.
pub(super) struct UciOutput {
    output: Output,
    /// Output for errors if they do not belong to the protocol.
    errors: Option<Output>,
    has_failed: AtomicBool,
    /// The model of the current game if `UCI_ShowWDL` is set.
    wdl_model: Mutex<Option<WdlModel>>,
}

impl UciOutput {
    pub(super) fn new(output: Output, errors: Option<Output>) -> UciOutput {
        UciOutput { output, errors, has_failed: AtomicBool::new(false), wdl_model: Mutex::new(None) }
    }

    pub(super) fn line(&self, text: &str) {
        self.output.line(text);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.output.is_closed()
    }

    /// Returns true after an error.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed) || self.is_closed()
    }

    pub(super) fn debug_log(&self) -> &DebugLog {
        self.output.debug_log()
    }

    /// Shows win, draw and loss probabilities by this model; none without.
    pub(super) fn set_wdl_model(&self, model: Option<WdlModel>) {
        *self.wdl_model.lock().unwrap_or_else(PoisonError::into_inner) = model;
    }

    pub(super) fn print_event(&self, event: &Event) {
        let wdl_model = *self.wdl_model.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Message(text) => self.print_info("", text),
            Event::Error(text) => {
                self.has_failed.store(true, Ordering::Relaxed);
                match &self.errors {
                    Some(errors) => errors.line(&format!("assay: {text}")),
                    None => self.print_info("error: ", text),
                }
            }
            Event::Text(text) | Event::Reply(text) => self.line(text),
            Event::Pv(_, line) => self.line(&info_line(line, wdl_model)),
            Event::CurrentMove { depth, mv, number } => {
                self.line(&format!("info depth {depth} currmove {mv} currmovenumber {number}"));
            }
            Event::BestMove(_, answer) => self.print_best_move(answer, wdl_model),
        }
    }

    fn print_info(&self, prefix: &str, text: &str) {
        for line in text.lines() {
            self.line(&format!("info string {prefix}{line}"));
        }
    }

    fn print_best_move(&self, answer: &BestMove, wdl_model: Option<WdlModel>) {
        match answer {
            BestMove::Found { mv, ponder: None } => self.line(&format!("bestmove {mv}")),
            BestMove::Found { mv, ponder: Some(ponder) } => self.line(&format!("bestmove {mv} ponder {ponder}")),
            BestMove::NoLegalMove { score } => {
                let wdl = wdl_text(*score, wdl_model);
                self.line(&format!("info depth 0 score {score}{wdl}"));
                self.line("bestmove (none)");
            }
            BestMove::Refused => self.line("bestmove 0000"),
        }
    }
}

fn info_line(line: &PvLine, wdl_model: Option<WdlModel>) -> String {
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let pv: String = line.pv.iter().map(|mv| format!(" {mv}")).collect();
    format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{} nodes {} nps {} hashfull {} time {} pv{pv}",
        line.depth,
        line.seldepth,
        line.multipv,
        line.score,
        wdl_text(line.score, wdl_model),
        line.nodes,
        line.nps(),
        line.hashfull,
        line.elapsed.as_millis()
    )
}

fn wdl_text(score: Score, model: Option<WdlModel>) -> String {
    model.map_or_else(String::new, |model| {
        let [win, draw, loss] = model.wdl(score);
        format!(" wdl {win} {draw} {loss}")
    })
}
