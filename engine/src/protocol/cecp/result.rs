//! Result claims.

use assay_rules::{GameDef, Outcome, Points, Termination};

/// Formats a result claim such as `1-0 {White mates}`. CECP has three results: quarter and
/// three-quarter points are claimed as draws, with the points in the comment.
pub(super) fn format_claim(game: &GameDef, outcome: Outcome) -> String {
    let result = match outcome.white {
        Points::WIN => "1-0",
        Points::LOSS => "0-1",
        _ => "1/2-1/2",
    };
    let reason = match outcome.termination {
        Termination::Checkmate if outcome.white == Points::WIN => "White mates".to_owned(),
        Termination::Checkmate => "Black mates".to_owned(),
        Termination::Stalemate => "Stalemate".to_owned(),
        Termination::DeadPosition => "Insufficient material".to_owned(),
        Termination::Repetition => "Draw by repetition".to_owned(),
        Termination::Goal => "Goal reached".to_owned(),
        Termination::Checks => "Checks given".to_owned(),
        Termination::BareKing => "Bare king".to_owned(),
        Termination::Extinction => "Extinction".to_owned(),
        Termination::MoveRule if game.mechanisms.counting.is_some() => "Draw by the count of moves".to_owned(),
        Termination::MoveRule => format!("Draw by {}-move rule", game.endings.move_rule / 2),
    };
    let points = if [Points::ADVANTAGE, Points::DISADVANTAGE].contains(&outcome.white) {
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
    fn claims_partial_points_as_draws() {
        let apothecary = GameDef::builtin("apothecary2").unwrap();
        let claim = |termination, white| format_claim(&apothecary, Outcome { termination, white });
        assert_eq!(claim(Termination::Checkmate, Points::LOSS), "0-1 {Black mates}");
        assert_eq!(
            claim(Termination::Stalemate, Points::ADVANTAGE),
            "1/2-1/2 {Stalemate: White gets 0.75, Black 0.25}"
        );
        assert_eq!(
            claim(Termination::MoveRule, Points::DISADVANTAGE),
            "1/2-1/2 {Draw by 100-move rule: White gets 0.25, Black 0.75}"
        );
        assert_eq!(claim(Termination::Repetition, Points::DRAW), "1/2-1/2 {Draw by repetition}");
    }
}
