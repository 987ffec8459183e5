//! Output of `eval`: a table of the linear terms, and the network's evaluation if the game has one.

use std::fmt::Write;

use assay_rules::Color;
use assay_rules::text::escaped;

use crate::eval::{MAX_PHASE, Score, Tracer};
use crate::position::Position;
use crate::registry::CompiledRuleset;
use crate::search::Searcher;

/// Formats the terms whose counts differ between the sides, with counts, weights and contribution
/// in centipawns for White. The last line is the evaluation that the search uses.
pub(super) fn format<R: CompiledRuleset>(position: &Position<R>, searcher: &mut Searcher<R>) -> String {
    let game = position.game();
    let by_network = searcher.network().is_some().then(|| searcher.evaluate(position));
    let weights = searcher.weights();
    let tracer = Tracer::<R>::new(game);
    let trace = tracer.trace(position);
    let middlegame_share = f64::from(trace.phase) / f64::from(MAX_PHASE);
    let mut text = format!("{:<24}{:>7}{:>7}{:>9}{:>9}{:>9}\n", "Term", "White", "Black", "middle", "end", "cp");
    for &(term, [white, black]) in trace.terms.iter().filter(|(_, [white, black])| white != black) {
        let weight = weights.get(term);
        let value = f64::from(white - black)
            * (weight.middlegame * middlegame_share + weight.endgame * (1.0 - middlegame_share));
        let name = weights.terms().label(game, term);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name:<24}{white:>7}{black:>7}{:>9.1}{:>9.1}{value:>9.1}",
            weight.middlegame, weight.endgame
        );
    }
    let _ = writeln!(text, "Phase: {} of {MAX_PHASE}; weights: {}", trace.phase, weights.source());
    let total = trace.evaluate(|term| weights.get(term));
    if trace.drawish[usize::from(total < 0.0)] {
        text.push_str("Drawish: a lead without pawns is scaled down\n");
    } else if trace.bare_king != 0 {
        let _ = writeln!(text, "Bare king: {:+} centipawns for White", trace.bare_king);
    }
    let evaluation = match (searcher.network(), by_network.and_then(Score::centipawns)) {
        (Some(network), Some(centipawns)) => {
            let _ = writeln!(text, "Linear evaluation: {total:+.1} centipawns for White");
            let _ = writeln!(text, "Network: {} hidden; {}", network.hidden(), escaped(network.source()));
            f64::from(match position.side_to_move() {
                Color::White => centipawns,
                Color::Black => -centipawns,
            })
        }
        _ => total,
    };
    let _ = write!(text, "Evaluation: {evaluation:+.1} centipawns for White");
    if position.in_check() {
        let side = if position.side_to_move() == Color::White { "White" } else { "Black" };
        let _ = write!(text, " ({side} is in check: the search does not use the static evaluation)");
    }
    text
}
