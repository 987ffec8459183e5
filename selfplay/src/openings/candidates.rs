//! All material imbalances from which piece values can be measured.
//!
//! The guessed values only exclude comparisons that are decided in advance; no result depends on
//! them otherwise.

use assay_rules::{Color, Kind, Position};

use super::imbalance::{Change, Imbalance};
use crate::material;
use crate::mirror::swap_armies;

/// Maximum number of missing pawns of a side: with more, the pawn structure would decide the game.
const MAX_PAWNS: usize = 4;

/// The largest difference that pawns may compensate for, in pawns.
const MAX_COMPENSATION: f64 = 4.6;

/// The largest difference of a comparison by the guessed values, in pawns.
const MAX_LEAD: f64 = 1.6;

#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// White lacks the piece of interest, or Black, if the armies of the start differ.
    pub(super) imbalance: Imbalance,
    /// The lead of the other side by the guessed values, in pawns.
    pub(super) lead: f64,
}

/// The kinds that games from a start compare: not those that only the armies of other starts have,
/// which these compare.
pub(super) fn compared_kinds(start: &Position) -> impl Iterator<Item = Kind> + use<> {
    let game = start.game();
    let (armies, largest) = (material::armies_of(start), material::largest(game));
    let (king, is_only_start) = (game.kinds.king(), game.starts.len() == 1);
    let is_in_start = move |kind: Kind| armies.iter().any(|pieces| pieces[kind.index()] > 0);
    let is_compared = move |kind: Kind| is_only_start || is_in_start(kind) || largest[kind.index()] == 0;
    // Notes of imbalances have the letters of unpromoted kinds only.
    let is_promoted = |kind: Kind| game.kinds.unpromoted(kind) != kind;
    let kinds: Vec<Kind> = game.kinds.all().filter(|&kind| Some(kind) != king && !is_promoted(kind)).collect();
    kinds.into_iter().filter(move |&kind| is_compared(kind))
}

/// All comparisons that the armies of a start allow.
pub(super) struct Candidates<'p> {
    start: &'p Position,
    values: Vec<f64>,
    /// The number of pieces of each kind: of the side that lacks the piece of interest, and of the
    /// other one.
    armies: [Vec<usize>; 2],
    /// The side that lacks the piece of interest.
    interest: Color,
    /// The other side's lead by the guessed values before anything is removed, in pawns.
    handicap: f64,
    found: Vec<Candidate>,
}

impl Candidates<'_> {
    pub(super) fn of(start: &Position) -> Vec<Candidate> {
        let game = start.game();
        let values = material::guessed_values(game);
        let armies = material::armies_of(start);
        let worth =
            |army: &[usize]| -> f64 { army.iter().zip(&values).map(|(&pieces, value)| pieces as f64 * value).sum() };
        let handicap = if swap_armies(start).is_ok() {
            worth(&armies[1]) - worth(&armies[0])
        } else {
            // Armies that were designed against each other are more even than a rough guess of all
            // their pieces says.
            0.0
        };
        let mut candidates = Candidates { start, values, armies, interest: Color::White, handicap, found: Vec::new() };
        candidates.collect();
        // Equal armies allow both sides the same.
        if candidates.armies[0] != candidates.armies[1] {
            candidates.armies.swap(0, 1);
            candidates.interest = Color::Black;
            candidates.handicap = -handicap;
            candidates.collect();
        }
        candidates.found
    }

    fn collect(&mut self) {
        let game = self.start.game().clone();
        let kinds: Vec<Kind> = compared_kinds(self.start).filter(|&kind| kind != game.first_pawn()).collect();
        for pawns in 1..=2 {
            self.add(&[game.first_pawn()].repeat(pawns), &[], &[]);
        }
        for &one in &kinds {
            self.with_pawns(&[one], &[], &[]);
            for &other in &kinds {
                if one < other {
                    self.with_pawns(&[one], &[], &[other]);
                    self.with_pawns(&[one, one], &[], &[other, other]);
                }
                if one != other && material::is_piece(&game, one) && material::is_piece(&game, other) {
                    self.with_pawns(&[one], &[other], &[]);
                }
                for &third in kinds.iter().filter(|&&third| third >= other) {
                    if one != other && one != third {
                        self.with_pawns(&[one], &[], &[other, third]);
                    }
                }
            }
        }
    }

    /// The other side's lead by the guessed values, in pawns.
    fn lead(&self, lost: &[Kind], gained: &[Kind], theirs: &[Kind]) -> f64 {
        let worth = |kinds: &[Kind]| kinds.iter().map(|kind| self.values[kind.index()]).sum::<f64>();
        worth(lost) - worth(gained) - worth(theirs) + self.handicap
    }

    /// Adds the comparison with pawns that compensate for the difference, and with one pawn fewer
    /// and one more.
    fn with_pawns(&mut self, lost: &[Kind], gained: &[Kind], theirs: &[Kind]) {
        let lead = self.lead(lost, gained, theirs);
        if lead.abs() > MAX_COMPENSATION {
            return;
        }
        let pawn = self.start.game().first_pawn();
        let even = lead.round() as i64;
        for pawns in even - 1..=even + 1 {
            let more = vec![pawn; pawns.unsigned_abs() as usize];
            // The side that is ahead gives up the pawns.
            if pawns >= 0 {
                self.add(lost, gained, &[theirs, &more].concat());
            } else {
                self.add(&[lost, &more].concat(), gained, theirs);
            }
        }
    }

    /// Adds a comparison if the pieces exist and it is not decided in advance.
    fn add(&mut self, lost: &[Kind], gained: &[Kind], theirs: &[Kind]) {
        let pawn = self.start.game().first_pawn();
        let exist = |kinds: &[Kind], army: &[usize]| {
            kinds.iter().all(|kind| {
                let needed = kinds.iter().filter(|other| *other == kind).count();
                needed <= army[kind.index()] && (*kind != pawn || needed <= MAX_PAWNS)
            })
        };
        let lead = self.lead(lost, gained, theirs);
        let pawns_alone = theirs.is_empty() && gained.is_empty() && lost.iter().all(|&kind| kind == pawn);
        let [army, other] = &self.armies;
        if !exist(lost, army) || !exist(theirs, other) || (lead.abs() > MAX_LEAD && !pawns_alone) {
            return;
        }
        // Pieces to be replaced come first.
        let sorted = |kinds: &[Kind], from: usize| {
            let mut kinds = kinds.to_vec();
            kinds[from..].sort_unstable();
            kinds
        };
        let changes = [
            Change { lost: sorted(lost, gained.len()), gained: gained.to_vec() },
            Change { lost: sorted(theirs, 0), gained: Vec::new() },
        ];
        let mut imbalance = Imbalance::new(self.start.game(), changes);
        if self.interest == Color::Black {
            imbalance = imbalance.swapped();
        }
        if self.found.iter().all(|known| known.imbalance != imbalance) {
            self.found.push(Candidate { imbalance, lead });
        }
    }
}
