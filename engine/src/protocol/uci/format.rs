//! UCI output lines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_rules::{GameDef, Position};

use crate::eval::Score;
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
    /// Value of `UCI_ShowWDL`.
    show_wdl: AtomicBool,
}

impl UciOutput {
    pub(super) fn new(output: Output) -> UciOutput {
        UciOutput {
            output,
            errors: None,
            has_failed: AtomicBool::new(false),
            show_wdl: AtomicBool::new(false),
        }
    }

    pub(super) fn with_errors(self, errors: Output) -> UciOutput {
        UciOutput {
            errors: Some(errors),
            ..self
        }
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

    pub(super) fn set_show_wdl(&self, show_wdl: bool) {
        self.show_wdl.store(show_wdl, Ordering::Relaxed);
    }

    pub(super) fn print_event(&self, event: &Event) {
        let show_wdl = self.show_wdl.load(Ordering::Relaxed);
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
            Event::Pv(_, line) => self.line(&info_line(line, show_wdl)),
            Event::CurrentMove { depth, mv, number } => {
                self.line(&format!("info depth {depth} currmove {mv} currmovenumber {number}"));
            }
            Event::BestMove(_, answer) => self.print_best_move(answer, show_wdl),
        }
    }

    fn print_info(&self, prefix: &str, text: &str) {
        for line in text.lines() {
            self.line(&format!("info string {prefix}{line}"));
        }
    }

    fn print_best_move(&self, answer: &BestMove, show_wdl: bool) {
        match answer {
            BestMove::Found { mv, ponder: None } => self.line(&format!("bestmove {mv}")),
            BestMove::Found {
                mv,
                ponder: Some(ponder),
            } => self.line(&format!("bestmove {mv} ponder {ponder}")),
            BestMove::NoLegalMove { score } => {
                let wdl = wdl_text(*score, show_wdl);
                self.line(&format!("info depth 0 score {score}{wdl}"));
                self.line("bestmove (none)");
            }
            BestMove::Refused => self.line("bestmove 0000"),
        }
    }
}

fn info_line(line: &PvLine, show_wdl: bool) -> String {
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
        wdl_text(line.score, show_wdl),
        line.nodes,
        line.nps(),
        line.hashfull,
        line.elapsed.as_millis()
    )
}

fn wdl_text(score: Score, show_wdl: bool) -> String {
    if show_wdl {
        let [win, draw, loss] = wdl(score);
        format!(" wdl {win} {draw} {loss}")
    } else {
        String::new()
    }
}

/// Win, draw and loss probabilities of the side to move, in permille.
///
/// Derived from the expected points `p` of the side to move ([`Score::expected_points`]), not from game statistics: `p²`,
/// `2p(1 - p)` and `(1 - p)²`, so that wins plus half of the draws are `p`. In games with five results, 0.75 points count as half a
/// win and half a draw.
fn wdl(score: Score) -> [u32; 3] {
    let points = score.expected_points();
    let permill = |share: f64| (1000.0 * share).round() as u32;
    let win = permill(points * points);
    let loss = permill((1.0 - points) * (1.0 - points));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wdl_matches_expected_points() {
        assert_eq!(wdl(Score::DRAW), [250, 500, 250]);
        assert_eq!(wdl(Score::mating(3)), [1000, 0, 0]);
        assert_eq!(wdl(Score::mated(2)), [0, 0, 1000]);
        for centipawns in (-3000..=3000).step_by(7) {
            let score = Score::from_centipawns(centipawns);
            let [win, draw, loss] = wdl(score);
            assert_eq!(win + draw + loss, 1000);
            let points = (f64::from(win) + f64::from(draw) / 2.0) / 1000.0;
            assert!((points - score.expected_points()).abs() < 0.002, "{score}");
        }
    }
}
