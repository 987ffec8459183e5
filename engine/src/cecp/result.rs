//! The end of a game, as the protocol claims it.

use assay_rules::{GameDef, Outcome, Reason, Score};

/// The line that claims a result: `1-0 {White mates}`. The protocol has three results; of five, the two between draw and win
/// are claimed as draws whose reason says what each side gets.
pub(super) fn claim(game: &GameDef, outcome: Outcome) -> String {
    let result = match outcome.white {
        Score::WIN => "1-0",
        Score::LOSS => "0-1",
        _ => "1/2-1/2",
    };
    let reason = match outcome.reason {
        Reason::Checkmate if outcome.white == Score::WIN => "White mates".to_owned(),
        Reason::Checkmate => "Black mates".to_owned(),
        Reason::Stalemate => "Stalemate".to_owned(),
        Reason::DeadPosition => "Insufficient material".to_owned(),
        Reason::Repetition => "Draw by repetition".to_owned(),
        Reason::MoveRule => format!("Draw by {}-move rule", game.endings.move_rule / 2),
    };
    let points = if [Score::ADVANTAGE, Score::DISADVANTAGE].contains(&outcome.white) {
        format!(": White gets {}, Black {}", outcome.white, outcome.white.flipped())
    } else {
        String::new()
    };
    format!("{result} {{{reason}{points}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_results_are_three_with_a_reason() {
        let apothecary = GameDef::builtin("apothecary2").unwrap();
        let claim = |reason, white| claim(&apothecary, Outcome { reason, white });
        assert_eq!(claim(Reason::Checkmate, Score::LOSS), "0-1 {Black mates}");
        assert_eq!(
            claim(Reason::Stalemate, Score::ADVANTAGE),
            "1/2-1/2 {Stalemate: White gets 0.75, Black 0.25}"
        );
        assert_eq!(
            claim(Reason::MoveRule, Score::DISADVANTAGE),
            "1/2-1/2 {Draw by 100-move rule: White gets 0.25, Black 0.75}"
        );
        assert_eq!(claim(Reason::Repetition, Score::DRAW), "1/2-1/2 {Draw by repetition}");
    }
}
