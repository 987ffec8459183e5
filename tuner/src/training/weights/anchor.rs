//! Separates material from piece-square weights.
//!
//! Every piece has a rank and a file, so adding a centipawn to all rank weights of a kind is
//! equivalent to adding it to the kind's material: the data do not determine the split. It matters
//! for static exchange evaluation, which uses material alone. So the mean change of the rank and
//! file weights moves to the material weight; no evaluation changes.

use assay_engine::Weights;
use assay_engine::eval::Section;

/// Moves the mean change since `before` of each kind's rank and file weights, weighted by
/// `occurrences`, to the kind's material weight. The numbers are by term: middlegame, endgame. The
/// king's material cancels out, because each side always has one.
pub(super) fn anchor(before: &Weights, after: &mut [[f64; 2]], occurrences: &[[f64; 2]]) {
    let (game, terms) = (before.game(), before.terms());
    for kind in game.kinds.all() {
        for part in ["ranks", "files"] {
            let series = || {
                terms.all().filter(|&term| {
                    let name = terms.name(term);
                    name.section == Section::Piece(kind) && name.name == part
                })
            };
            for phase in 0..2 {
                let total: f64 = series().map(|term| occurrences[term.index()][phase]).sum();
                if total <= 0.0 {
                    continue;
                }
                let changes = series().map(|term| {
                    let before = before.get(term);
                    let change = after[term.index()][phase] - [before.middlegame, before.endgame][phase];
                    occurrences[term.index()][phase] * change
                });
                let mean = changes.sum::<f64>() / total;
                for term in series() {
                    after[term.index()][phase] -= mean;
                }
                if let Some(material) = terms.material(kind) {
                    after[material.index()][phase] += mean;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;

    use super::*;

    #[test]
    fn moves_common_change_of_ranks_to_material() {
        let chess = GameDef::builtin("chess").unwrap();
        let weights = Weights::for_game(&chess);
        let terms = weights.terms();
        let before = weights.values().iter().map(|weight| [weight.middlegame, weight.endgame]);
        let before: Vec<[f64; 2]> = before.collect();
        let mut after = before.clone();
        let knight = chess.kinds.all().find(|&kind| chess.kind(kind).name == "knight");
        let text = |term| terms.label(&chess, term);
        let mut occurrences = vec![[0.0; 2]; terms.len()];
        for term in terms.all().filter(|&term| text(term).starts_with("knight.ranks")) {
            let [middlegame, endgame] = before[term.index()];
            after[term.index()] = [middlegame + 10.0, endgame - 4.0];
            occurrences[term.index()] = [f64::from(term.0), 1.0];
        }
        anchor(&weights, &mut after, &occurrences);
        let material = terms.material(knight.unwrap()).unwrap();
        for term in terms.all() {
            let expected = if term == material { [10.0, -4.0] } else { [0.0; 2] };
            let change = [0, 1].map(|phase| after[term.index()][phase] - before[term.index()][phase]);
            assert!(
                (change[0] - expected[0]).abs() < 1e-9 && (change[1] - expected[1]).abs() < 1e-9,
                "{}: {change:?}, expected {expected:?}",
                text(term)
            );
        }
    }
}
