//! Separates material from piece-square weights.
//!
//! Every piece has a rank and a file, so adding a centipawn to all rank weights of a kind is
//! equivalent to adding it to the kind's material: the data do not determine the split. It matters
//! for static exchange evaluation, which uses material alone. So the mean change of the rank and
//! file weights moves to the material weight; no evaluation changes.

use assay_engine::Weights;
use assay_engine::eval::{Section, Term, Weight};

/// Moves the mean change since `before` of each kind's rank and file weights, weighted by
/// `occurrences` (by term: middlegame, endgame), to the kind's material weight. The king's
/// material cancels out, because each side always has one.
pub(super) fn anchor(before: &Weights, after: &mut Weights, occurrences: &[[f64; 2]]) {
    let (game, terms) = (after.game().clone(), after.terms().clone());
    for kind in game.all_kinds() {
        for feature in ["ranks", "files"] {
            let is_series = |&term: &Term| {
                let name = terms.name(term);
                matches!(name.section, Section::Piece(piece) if piece == kind) && name.name == feature
            };
            let series: Vec<Term> = terms.all().filter(is_series).collect();
            let mut mean = [0.0; 2];
            for (phase, mean) in mean.iter_mut().enumerate() {
                let weight = |term: Term| occurrences[term.index()][phase];
                let total: f64 = series.iter().map(|&term| weight(term)).sum();
                if total > 0.0 {
                    let change = |term: Term| by_phase(after.get(term))[phase] - by_phase(before.get(term))[phase];
                    *mean = series.iter().map(|&term| weight(term) * change(term)).sum::<f64>() / total;
                }
            }
            for term in series {
                after.set(term, moved(after.get(term), mean, -1.0));
            }
            if let Some(material) = terms.material(kind) {
                after.set(material, moved(after.get(material), mean, 1.0));
            }
        }
    }
}

fn by_phase(weight: Weight) -> [f64; 2] {
    [weight.middlegame, weight.endgame]
}

fn moved(weight: Weight, by: [f64; 2], times: f64) -> Weight {
    Weight {
        middlegame: weight.middlegame + times * by[0],
        endgame: weight.endgame + times * by[1],
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;

    use super::*;

    #[test]
    fn moves_common_change_of_ranks_to_material() {
        let chess = GameDef::builtin("chess").unwrap();
        let before = Weights::for_game(&chess);
        let mut after = before.clone();
        let (terms, knight) = (
            before.terms().clone(),
            chess.all_kinds().find(|&kind| chess.kind(kind).name == "knight"),
        );
        let text = |term| terms.label(&chess, term);
        let mut occurrences = vec![[0.0; 2]; terms.len()];
        for term in terms.all().filter(|&term| text(term).starts_with("knight.ranks")) {
            after.set(term, moved(before.get(term), [10.0, -4.0], 1.0));
            occurrences[term.index()] = [f64::from(term.0), 1.0];
        }
        anchor(&before, &mut after, &occurrences);
        let material = terms.material(knight.unwrap()).unwrap();
        for term in terms.all() {
            let expected = if term == material { [10.0, -4.0] } else { [0.0; 2] };
            let change = [
                after.get(term).middlegame - before.get(term).middlegame,
                after.get(term).endgame - before.get(term).endgame,
            ];
            assert!(
                (change[0] - expected[0]).abs() < 1e-9 && (change[1] - expected[1]).abs() < 1e-9,
                "{}: {change:?}, expected {expected:?}",
                text(term)
            );
        }
    }
}
