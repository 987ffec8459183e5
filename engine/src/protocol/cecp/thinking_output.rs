//! Thinking output and the reply to `.`.

use assay_rules::GameDef;

use super::squares;
use crate::eval::Score;
use crate::protocol::session::event::PvLine;
use crate::search::Bound;

/// Score of mate in `n` moves: this plus `n`.
const MATE_BASE: i32 = 100_000;

/// Formats `depth score time nodes seldepth nps tbhits`, a tab, and the principal variation. Time
/// is in centiseconds.
pub(super) fn format_pv(game: &GameDef, line: &PvLine) -> String {
    let mut pv: Vec<String> = line.pv.iter().map(|mv| squares::move_to_xboard(game, mv)).collect();
    match line.bound {
        Bound::Exact => {}
        Bound::Lower => pv.push("!".to_owned()),
        Bound::Upper => pv.push("?".to_owned()),
    }
    format!(
        "{} {} {} {} {} {} 0\t{}",
        line.depth,
        xboard_score(line.score),
        line.elapsed.as_millis() / 10,
        line.nodes,
        line.seldepth,
        line.nps(),
        pv.join(" ")
    )
}

/// Formats the reply to `.`: time in centiseconds, nodes, depth, remaining root moves, number of
/// root moves, current move.
pub(super) fn format_status(line: &PvLine, searched: usize, legal_moves: usize, current_move: &str) -> String {
    format!(
        "stat01: {} {} {} {} {legal_moves} {current_move}",
        line.elapsed.as_millis() / 10,
        line.nodes,
        line.depth,
        legal_moves.saturating_sub(searched)
    )
}

fn xboard_score(score: Score) -> i32 {
    match (score.mate(), score.centipawns()) {
        (Some(moves), _) if score.is_losing_mate() => moves - MATE_BASE,
        (Some(moves), _) => moves + MATE_BASE,
        (None, centipawns) => centipawns.unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn formats_thinking_output() {
        let gamma2 = GameDef::builtin("gamma2").unwrap();
        let mut found = PvLine {
            depth: 9,
            seldepth: 14,
            multipv: 1,
            score: Score::from_centipawns(156),
            bound: Bound::Exact,
            nodes: 48_000,
            elapsed: Duration::from_millis(10_840),
            hashfull: 3,
            pv: vec!["f2g3".to_owned(), "e7d6".to_owned()],
        };
        assert_eq!(format_pv(&gamma2, &found), "9 156 1084 48000 14 4428 0\tf2g3 e7d6");
        assert_eq!(format_status(&found, 3, 30, "f2g3"), "stat01: 1084 48000 9 27 30 f2g3");
        found.bound = Bound::Lower;
        found.score = Score::mating(3);
        assert_eq!(format_pv(&gamma2, &found), "9 100002 1084 48000 14 4428 0\tf2g3 e7d6 !");
        assert_eq!(xboard_score(Score::mated(2)), -100_001);
        assert_eq!(xboard_score(Score::mated(0)), -100_000);
    }
}
