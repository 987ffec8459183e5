//! Plans for playtests: each kind is compared with lighter pieces and pawns, after a method of H.
//! G. Muller.
//!
//! Each kind is compared with a few combinations of lighter pieces and pawns that are worth about
//! as much by the guessed values, so that the lightest kind is measured in pawns, the next one by
//! it, and so on. Missing pawns alone set the scale.

use std::collections::BTreeMap;

use assay_rules::{Kind, Position};

use super::candidates::{Candidate, Candidates, compared_kinds};
use super::imbalance::Imbalance;
use super::plan::{Plan, PlanError, check_identified, check_pawns};
use crate::material;

/// Combinations of pieces that a kind is compared with.
const REFERENCES: usize = 3;

/// The largest difference of a comparison by the guessed values, in pawns: scores near 1/2 are most
/// informative.
const MAX_LEAD: f64 = 1.1;

/// How often one missing pawn and two missing pawns are played for each game of another comparison:
/// they set the scale of all values.
const SCALE: [usize; 2] = [3, 2];

impl Plan {
    /// A plan for a playtest from games that begin with the armies of `start`.
    ///
    /// # Errors
    /// If no kind can be compared with lighter ones and pawns.
    pub fn playtest(start: &Position) -> Result<Plan, PlanError> {
        let game = start.game();
        let values = material::guessed_values(game);
        check_pawns(start)?;
        let candidates = Candidates::of(start);
        let mut comparisons = Vec::new();
        for (candidate, times) in candidates.iter().zip(SCALE) {
            comparisons.extend(std::iter::repeat_n(candidate.imbalance.clone(), times));
        }
        let armies = material::armies_of(start);
        let is_symmetric = armies[0] == armies[1];
        // A kind that no army has can only be exchanged for another, which need not be lighter.
        let is_missing = |kind: Kind| armies.iter().all(|pieces| pieces[kind.index()] == 0);
        let may_compare = |one: Kind, other: Kind| is_missing(one) || values[one.index()] >= values[other.index()];
        let mut missing = Vec::new();
        let kinds: Vec<Kind> = compared_kinds(start).filter(|&kind| kind != game.first_pawn()).collect();
        for &kind in &kinds {
            let chosen = references(&candidates, kind, game.first_pawn(), is_symmetric, &may_compare);
            if chosen.is_empty() {
                missing.push(kind);
            }
            comparisons.extend(chosen);
        }
        check_identified(game, &kinds, &missing)?;
        Ok(Plan::new(comparisons))
    }
}

/// The best comparisons of a kind with lighter ones: White lacks the kind, or has received it in
/// exchange; if armies differ, any side.
fn references(
    candidates: &[Candidate],
    kind: Kind,
    pawn: Kind,
    is_symmetric: bool,
    may_compare: &dyn Fn(Kind, Kind) -> bool,
) -> Vec<Imbalance> {
    let mut groups: BTreeMap<Vec<Kind>, Vec<(f64, Imbalance)>> = BTreeMap::new();
    for candidate in candidates.iter().filter(|candidate| candidate.lead.abs() <= MAX_LEAD) {
        let comparison = &candidate.imbalance;
        let [white, black] = &comparison.changes.0;
        let count = |kinds: &[Kind]| kinds.iter().filter(|&&other| other == kind).count();
        let gained: Vec<Kind> = [&white.gained[..], &black.gained[..]].concat();
        let times = [count(&white.lost), count(&black.lost), count(&gained)];
        let others = white.lost.iter().chain(&black.lost).chain(&gained);
        let others: Vec<Kind> = others.copied().filter(|&other| other != kind && other != pawn).collect();
        if others.iter().any(|&other| !may_compare(kind, other)) {
            continue;
        }
        let imbalance = match times {
            [0, 1, 0] if is_symmetric => comparison.swapped(),
            [1, 0, 0] | [0, 1, 0] | [0, 0, 1] => comparison.clone(),
            _ => continue,
        };
        let mut group = others;
        group.sort_unstable();
        // Removing pieces and exchanging them are different combinations.
        group.extend(gained.iter().map(|_| pawn));
        groups.entry(group).or_default().push((candidate.lead.abs(), imbalance));
    }
    let mut ranked: Vec<(usize, f64, Vec<Imbalance>)> = groups
        .into_iter()
        .map(|(group, mut members)| {
            members.sort_by(|one, other| one.0.total_cmp(&other.0));
            members.truncate(2);
            let least = members[0].0;
            (group.len(), least, members.into_iter().map(|(_, imbalance)| imbalance).collect())
        })
        .collect();
    ranked.sort_by(|one, other| (one.0, one.1).partial_cmp(&(other.0, other.1)).unwrap_or(std::cmp::Ordering::Equal));
    ranked.into_iter().take(REFERENCES).flat_map(|(.., members)| members).collect()
}

#[cfg(test)]
mod tests {
    use assay_rules::def::BUILTIN_NAMES;
    use assay_rules::{Color, GameDef};

    use super::*;

    #[test]
    fn compares_every_kind_with_lighter_ones() {
        for name in BUILTIN_NAMES {
            let start = Position::start(&GameDef::builtin(name).unwrap());
            let game = start.game();
            let plan = Plan::playtest(&start).unwrap();
            let texts: Vec<String> = plan.comparisons().iter().map(ToString::to_string).collect();
            let pawn = game.kind(game.first_pawn()).letter;
            assert_eq!(texts.iter().filter(|text| **text == format!("-{pawn}/")).count(), 3, "{name}");
            assert_eq!(texts.iter().filter(|text| **text == format!("-{pawn}{pawn}/")).count(), 2, "{name}");
            for kind in game.kinds.all().filter(|&kind| Some(kind) != game.kinds.king() && kind != game.first_pawn()) {
                let missing = |comparison: &&Imbalance| comparison.changes[Color::White].lost.contains(&kind);
                assert!(plan.comparisons().iter().any(|comparison| missing(&comparison)), "{name}: {texts:?}");
            }
        }
    }
}
