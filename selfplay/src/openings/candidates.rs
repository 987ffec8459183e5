//! Comparisons of armies from which values can be measured: what could be taken off or exchanged.
//!
//! The guessed values only say which comparisons are not decided beforehand; nothing is concluded from them.

use assay_rules::{Color, Kind, Position};

use super::imbalance::{Change, Imbalance};
use crate::material;

/// The most pawns that one side may miss: with more, the pawn structure would tell more than the pieces.
const MOST_PAWNS: usize = 4;

/// The most that pawns have to make up for, in pawns.
const MOST_DIFFERENCE: f64 = 4.6;

/// The most that a comparison leaves to one side, in pawns, by the guessed values.
const MOST_LEAD: f64 = 1.6;

/// What sort of comparison it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Sort {
    /// One piece against one of another kind.
    Single,
    /// Two pieces against two of another kind.
    Doubled,
    /// A piece against two others worth about the same.
    Combination,
    /// A piece replaced by one of another kind.
    Exchange,
    /// Pawns alone, or a piece against pawns.
    Pawns,
}

/// A comparison.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) sort: Sort,
    /// As if White missed the piece of interest.
    pub(super) imbalance: Imbalance,
    /// What Black is ahead by the guessed values, in pawns.
    pub(super) lead: f64,
}

/// All comparisons that the armies of a start allow.
pub(super) struct Candidates<'p> {
    start: &'p Position,
    values: Vec<f64>,
    /// Pieces of each kind that both sides have.
    counts: Vec<usize>,
    found: Vec<Candidate>,
}

impl Candidates<'_> {
    pub(super) fn of(start: &Position) -> Vec<Candidate> {
        let game = start.game();
        let [white, black] = [Color::White, Color::Black].map(|color| material::pieces_of(start, color));
        let counts = white.iter().zip(&black).map(|(&one, &other)| one.min(other)).collect();
        let mut candidates = Candidates {
            start,
            values: material::guessed_values(game),
            counts,
            found: Vec::new(),
        };
        candidates.collect();
        candidates.found
    }

    fn collect(&mut self) {
        let game = self.start.game().clone();
        let kinds: Vec<Kind> = game
            .all_kinds()
            .filter(|&kind| kind != game.king && kind != game.pawn)
            .collect();
        for pawns in 1..=2 {
            self.add(Sort::Pawns, &[game.pawn].repeat(pawns), &[], &[]);
        }
        for &one in &kinds {
            self.with_pawns(Sort::Pawns, &[one], &[], &[]);
            for &other in &kinds {
                if one < other {
                    self.with_pawns(Sort::Single, &[one], &[], &[other]);
                    self.with_pawns(Sort::Doubled, &[one, one], &[], &[other, other]);
                }
                if one != other && material::is_piece(&game, one) && material::is_piece(&game, other) {
                    self.with_pawns(Sort::Exchange, &[one], &[other], &[]);
                }
                for &third in kinds.iter().filter(|&&third| third >= other) {
                    if one != other && one != third {
                        self.with_pawns(Sort::Combination, &[one], &[], &[other, third]);
                    }
                }
            }
        }
    }

    /// The comparison with as many pawns as even it out, and with one pawn less and one more.
    fn with_pawns(&mut self, sort: Sort, lost: &[Kind], gained: &[Kind], theirs: &[Kind]) {
        let worth = |kinds: &[Kind]| kinds.iter().map(|kind| self.values[kind.index()]).sum::<f64>();
        let lead = worth(lost) - worth(gained) - worth(theirs);
        if lead.abs() > MOST_DIFFERENCE {
            return;
        }
        let pawn = self.start.game().pawn;
        let even = lead.round() as i64;
        for pawns in even - 1..=even + 1 {
            let more = vec![pawn; pawns.unsigned_abs() as usize];
            // The side that would be ahead misses the pawns.
            if pawns >= 0 {
                self.add(sort, lost, gained, &[theirs, &more].concat());
            } else {
                self.add(sort, &[lost, &more].concat(), gained, theirs);
            }
        }
    }

    /// A comparison, if the pieces are there and it is not decided beforehand.
    fn add(&mut self, sort: Sort, lost: &[Kind], gained: &[Kind], theirs: &[Kind]) {
        let pawn = self.start.game().pawn;
        let is_there = |kinds: &[Kind]| {
            kinds.iter().all(|kind| {
                let wanted = kinds.iter().filter(|other| *other == kind).count();
                wanted <= self.counts[kind.index()] && (*kind != pawn || wanted <= MOST_PAWNS)
            })
        };
        let worth = |kinds: &[Kind]| kinds.iter().map(|kind| self.values[kind.index()]).sum::<f64>();
        let lead = worth(lost) - worth(gained) - worth(theirs);
        let pawns_alone = sort == Sort::Pawns && theirs.is_empty() && gained.is_empty();
        if !is_there(lost) || !is_there(theirs) || (lead.abs() > MOST_LEAD && !pawns_alone) {
            return;
        }
        // Pieces that others take the place of stand first.
        let sorted = |kinds: &[Kind], from: usize| {
            let mut kinds = kinds.to_vec();
            kinds[from..].sort_unstable();
            kinds
        };
        let changes = [
            Change {
                lost: sorted(lost, gained.len()),
                gained: gained.to_vec(),
            },
            Change {
                lost: sorted(theirs, 0),
                gained: Vec::new(),
            },
        ];
        let imbalance = Imbalance::new(self.start.game(), changes);
        if self.found.iter().all(|known| known.imbalance != imbalance) {
            self.found.push(Candidate { sort, imbalance, lead });
        }
    }
}
