//! Comparisons for measuring values without a regression, Muller's way: each kind against lighter ones and pawns.
//!
//! The kinds are gone through by their guessed values. Each is held against a few combinations of lighter pieces and pawns that
//! are worth about as much, so that the lightest is measured in pawns, the next one by it, and so on. Pawn odds are the scale.

use std::collections::BTreeMap;

use assay_rules::{Color, Kind, Position};

use super::candidates::{Candidate, Candidates, Sort};
use super::imbalance::Imbalance;
use super::plan::{Plan, PlanError};
use crate::material;

/// How many different combinations of pieces a kind is held against.
const REFERENCES: usize = 3;

/// The most that a comparison may leave to one side by the guessed values, in pawns: near 1/2 scores say most.
const MOST_LEAD: f64 = 1.1;

/// How often one pawn and two pawns are missing, for one time that each other comparison is played: they measure the scale,
/// on which everything depends.
const SCALE: [usize; 2] = [3, 2];

impl Plan {
    /// The comparisons for measuring all values from games that begin like `start`.
    ///
    /// # Errors
    /// When a kind cannot be held against lighter ones and pawns.
    pub fn playtest(start: &Position) -> Result<Plan, PlanError> {
        let game = start.game();
        let values = material::guessed_values(game);
        if Color::ALL
            .iter()
            .any(|&color| material::pieces_of(start, color)[game.pawn.index()] == 0)
        {
            return Err(PlanError::NoPawn {
                game: game.name.clone(),
            });
        }
        let candidates = Candidates::of(start);
        let mut comparisons = Vec::new();
        for (candidate, times) in candidates.iter().zip(SCALE) {
            debug_assert_eq!(candidate.sort, Sort::Pawns);
            comparisons.extend(std::iter::repeat_n(candidate.imbalance.clone(), times));
        }
        let pieces = material::pieces_of(start, Color::White);
        // A kind that no army has is only ever exchanged for another, which need not be lighter.
        let may_meet =
            |one: Kind, other: Kind| pieces[one.index()] == 0 || values[one.index()] >= values[other.index()];
        let mut missing = Vec::new();
        for kind in game.all_kinds().filter(|&kind| kind != game.king && kind != game.pawn) {
            let chosen = references(&candidates, kind, game.pawn, &may_meet);
            if chosen.is_empty() {
                missing.push(game.kind(kind).name.clone());
            }
            comparisons.extend(chosen);
        }
        if missing.is_empty() {
            Ok(Plan::new(comparisons))
        } else {
            Err(PlanError::Unidentified {
                game: game.name.clone(),
                kinds: missing,
            })
        }
    }
}

/// The best comparisons of a kind with lighter ones, the kind missing from White's army (or from none, and exchanged into it).
fn references(
    candidates: &[Candidate],
    kind: Kind,
    pawn: Kind,
    may_meet: &dyn Fn(Kind, Kind) -> bool,
) -> Vec<Imbalance> {
    let mut groups: BTreeMap<Vec<Kind>, Vec<(f64, Imbalance)>> = BTreeMap::new();
    for candidate in candidates.iter().filter(|candidate| candidate.lead.abs() <= MOST_LEAD) {
        let [white, black] = &candidate.imbalance.changes.0;
        let count = |kinds: &[Kind]| kinds.iter().filter(|&&other| other == kind).count();
        let times = [count(&white.lost), count(&black.lost), count(&white.gained)];
        let others = white.lost.iter().chain(&black.lost).chain(&white.gained);
        let others: Vec<Kind> = others
            .copied()
            .filter(|&other| other != kind && other != pawn)
            .collect();
        if others.iter().any(|&other| !may_meet(kind, other)) || candidate.sort == Sort::Doubled {
            continue;
        }
        let imbalance = match times {
            [1, 0, 0] | [0, 0, 1] => candidate.imbalance.clone(),
            [0, 1, 0] => candidate.imbalance.swapped(),
            _ => continue,
        };
        let mut group = others;
        group.sort_unstable();
        // Taking pieces off is one way of comparing, exchanging them another.
        group.extend(white.gained.iter().map(|_| pawn));
        groups.entry(group).or_default().push((candidate.lead.abs(), imbalance));
    }
    let mut ranked: Vec<(usize, f64, Vec<Imbalance>)> = groups
        .into_iter()
        .map(|(group, mut members)| {
            members.sort_by(|one, other| one.0.total_cmp(&other.0));
            members.truncate(2);
            let least = members[0].0;
            (
                group.len(),
                least,
                members.into_iter().map(|(_, imbalance)| imbalance).collect(),
            )
        })
        .collect();
    ranked.sort_by(|one, other| {
        (one.0, one.1)
            .partial_cmp(&(other.0, other.1))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    ranked
        .into_iter()
        .take(REFERENCES)
        .flat_map(|(.., members)| members)
        .collect()
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;
    use assay_rules::def::BUILTIN_NAMES;

    use super::*;

    #[test]
    fn every_kind_is_held_against_lighter_ones() {
        for name in BUILTIN_NAMES {
            let start = Position::start(&GameDef::builtin(name).unwrap());
            let game = start.game();
            let plan = Plan::playtest(&start).unwrap();
            let texts: Vec<String> = plan.comparisons().iter().map(ToString::to_string).collect();
            let pawn = game.kind(game.pawn).letter;
            assert_eq!(
                texts.iter().filter(|text| **text == format!("-{pawn}/")).count(),
                3,
                "{name}"
            );
            assert_eq!(
                texts.iter().filter(|text| **text == format!("-{pawn}{pawn}/")).count(),
                2,
                "{name}"
            );
            for kind in game.all_kinds().filter(|&kind| kind != game.king && kind != game.pawn) {
                let missing = |comparison: &&Imbalance| comparison.changes[Color::White].lost.contains(&kind);
                assert!(
                    plan.comparisons().iter().any(|comparison| missing(&comparison)),
                    "{name}: {texts:?}"
                );
            }
        }
    }
}
