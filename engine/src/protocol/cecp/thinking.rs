//! What the search finds, as the protocol writes it.

use assay_rules::GameDef;

use super::squares;
use crate::eval::Score;
use crate::protocol::event::LineText;
use crate::search::Bound;

/// Mate in `n` moves is this and `n`.
const MATE: i32 = 100_000;

/// `ply score time nodes selective-depth speed tablebases`, a tab, and the line of play.
pub(super) fn line(game: &GameDef, line: &LineText) -> String {
    let mut pv: Vec<String> = line.pv.iter().map(|mv| squares::to_xboard(game, mv)).collect();
    match line.bound {
        Bound::Exact => {}
        Bound::Lower => pv.push("!".to_owned()),
        Bound::Upper => pv.push("?".to_owned()),
    }
    format!(
        "{} {} {} {} {} {} 0\t{}",
        line.depth,
        score(line.score),
        line.elapsed.as_millis() / 10,
        line.nodes,
        line.selective_depth,
        line.speed(),
        pv.join(" ")
    )
}

/// The answer to `.`: hundredths of seconds, nodes, depth, moves of the root still to be searched, all of them, the present one.
pub(super) fn status(line: &LineText, searched: usize, all: usize, present: &str) -> String {
    format!(
        "stat01: {} {} {} {} {all} {present}",
        line.elapsed.as_millis() / 10,
        line.nodes,
        line.depth,
        all.saturating_sub(searched)
    )
}

fn score(score: Score) -> i32 {
    match (score.mate(), score.centipawns()) {
        (Some(moves), _) if score.is_losing_mate() => moves - MATE,
        (Some(moves), _) => moves + MATE,
        (None, centipawns) => centipawns.unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn lines_have_the_form_of_the_protocol() {
        let gamma2 = GameDef::builtin("gamma2").unwrap();
        let mut found = LineText {
            depth: 9,
            selective_depth: 14,
            number: 1,
            score: Score::from_centipawns(156),
            bound: Bound::Exact,
            nodes: 48_000,
            elapsed: Duration::from_millis(10_840),
            table_permill: 3,
            pv: vec!["f2g3".to_owned(), "e7d6".to_owned()],
        };
        assert_eq!(line(&gamma2, &found), "9 156 1084 48000 14 4428 0\tf2g3 e7d6");
        assert_eq!(status(&found, 3, 30, "f2g3"), "stat01: 1084 48000 9 27 30 f2g3");
        found.bound = Bound::Lower;
        found.score = Score::mating(3);
        assert_eq!(line(&gamma2, &found), "9 100002 1084 48000 14 4428 0\tf2g3 e7d6 !");
        assert_eq!(score(Score::mated(2)), -100_001);
        assert_eq!(score(Score::mated(0)), -100_000);
    }
}
