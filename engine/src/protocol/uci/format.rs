//! UCI output lines.

use assay_rules::GameDef;

use crate::eval::Score;
use crate::protocol::event::{BestMove, Event, PvLine};
use crate::protocol::options::{EMPTY, OptionType};
use crate::protocol::output::Output;
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
pub(super) fn variant_line(game: &GameDef) -> String {
    format!(
        "info string variant {} files {} ranks {} pocket {} template fairy startpos {}",
        game.name,
        game.board.files(),
        game.board.ranks(),
        game.gating.as_ref().map_or(0, |gating| gating.pocket.len()),
        game.starts[game.default_start].fen
    )
}

pub(super) fn print_message(text: &str, output: &Output) {
    for line in text.lines() {
        output.line(&format!("info string {line}"));
    }
}

pub(super) fn print_event(event: &Event, show_wdl: bool, output: &Output) {
    match event {
        Event::Message(text) => print_message(text, output),
        Event::Text(text) => output.line(text),
        Event::Pv(_, line) => output.line(&info_line(line, show_wdl)),
        Event::CurrentMove { depth, mv, number } => {
            output.line(&format!("info depth {depth} currmove {mv} currmovenumber {number}"));
        }
        Event::BestMove(_, result) => print_best_move(result, show_wdl, output),
    }
}

fn print_best_move(result: &BestMove, show_wdl: bool, output: &Output) {
    let Some(best) = &result.mv else {
        output.line(&format!(
            "info depth 0 score {}{}",
            result.score,
            wdl_text(result.score, show_wdl)
        ));
        output.line("bestmove (none)");
        return;
    };
    let ponder = result
        .ponder
        .as_ref()
        .map_or_else(String::new, |mv| format!(" ponder {mv}"));
    output.line(&format!("bestmove {best}{ponder}"));
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
