//! What pieces are worth kept apart from where they stand.
//!
//! Every piece has a rank and a file, so adding a centipawn to all ranks of a kind is the same as adding it to the kind's
//! material, and the games cannot tell which is meant. It matters all the same: exchanges are judged by material alone. So
//! what a piece's places have changed on average goes to its material; no evaluation changes by it.

use assay_engine::Weights;
use assay_engine::eval::{Section, Term, Weight};

/// Takes the mean change from `before`, by `occurrences` (by term: middle game, ending), off each kind's ranks and files, and
/// adds it to the kind's material. The king has none and needs none: either side always has one, and it cancels out.
pub fn anchor(before: &Weights, after: &mut Weights, occurrences: &[[f64; 2]]) {
    let (game, terms) = (after.game().clone(), after.terms().clone());
    for kind in game.all_kinds() {
        for feature in ["ranks", "files"] {
            let is_series = |&term: &Term| {
                let name = terms.name(term);
                matches!(name.section, Section::Piece(piece) if piece == kind) && name.feature == feature
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
    fn a_change_of_all_places_is_one_of_material() {
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
