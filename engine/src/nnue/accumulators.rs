//! The first half of a network, kept from position to position along a line of moves.

use std::sync::Arc;

use arrayvec::ArrayVec;
use assay_rules::Color;
use assay_rules::piece::MAX_KINDS;
use assay_rules::square::MAX_SQUARES;

use super::layout::{Extras, bits};
use super::{Lanes, Network, kernels};
use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::eval::{MAX_PLY, Score};
use crate::position::CompiledPosition;
use crate::position::Position;
use crate::tables::piece_index;

/// The most features that a position can have: a piece on every square, all kinds in both pockets, two powers.
const MOST_FEATURES: usize = MAX_SQUARES + 2 * MAX_KINDS + 2;
/// Changes that one move may make: more, and another entry may be nearer.
const FEW: usize = 6;

/// Sums of the transformer for the plies of a line, each with what was on the board when it was made.
///
/// Nothing has to be told when a move is made or taken back. An entry is right for the position that it holds, whichever that
/// is; the sums for another position are found from it by what differs. So it does not matter whether the entry of the ply
/// before is the position's own predecessor (it is, as a rule, and differs by one move) or one of another line: only the
/// work does.
#[derive(Clone, Debug)]
pub struct Accumulators<W: BitboardWord> {
    network: Arc<Network>,
    /// Words of an entry: one for each kind and side.
    slots: usize,
    /// Lanes of an entry: White's half, then Black's.
    lanes: usize,
    /// By entry, then [`piece_index`]. Entry 0 is the empty board for ever, entry `p + 1` belongs to ply `p`.
    pieces: Vec<Bitboard<W>>,
    /// By entry.
    extras: Vec<Extras>,
    /// By entry.
    sums: Vec<Lanes>,
}

/// Rows to be added and taken away, for White's half and for Black's.
#[derive(Default)]
struct Changes {
    added: [ArrayVec<u32, MOST_FEATURES>; 2],
    removed: [ArrayVec<u32, MOST_FEATURES>; 2],
}

impl Changes {
    fn add(&mut self, rows: [u32; 2]) {
        self.added[0].push(rows[0]);
        self.added[1].push(rows[1]);
    }

    fn remove(&mut self, rows: [u32; 2]) {
        self.removed[0].push(rows[0]);
        self.removed[1].push(rows[1]);
    }

    fn clear(&mut self) {
        for rows in self.added.iter_mut().chain(&mut self.removed) {
            rows.clear();
        }
    }

    fn len(&self) -> usize {
        self.added[0].len() + self.removed[0].len()
    }
}

const EMPTY: usize = 0;
const ENTRIES: usize = MAX_PLY + 3;

impl<W: BitboardWord> Accumulators<W> {
    /// Entries for all plies of a search.
    pub fn new(network: &Arc<Network>) -> Accumulators<W> {
        let slots = 2 * network.layout.kinds().count();
        let sums: Vec<Lanes> = [network.transformer_bias.as_slice(); 2 * ENTRIES].concat();
        Accumulators {
            network: network.clone(),
            slots,
            lanes: sums.len() / ENTRIES,
            pieces: vec![Bitboard::EMPTY; slots * ENTRIES],
            extras: vec![[0; 4]; ENTRIES],
            sums,
        }
    }

    /// The network that they are for.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// What the side to move may think of the position, which is `ply` plies from where the line begins.
    ///
    /// # Panics
    /// When `ply` is more than [`MAX_PLY`].
    pub fn evaluate<R: CompiledPosition<Word = W>>(&mut self, position: &Position<R>, ply: usize) -> Score {
        let entry = ply + 1;
        let extras = self.network.layout.extras(position);
        let before = entry - 1;
        let mut from = before;
        let mut changes = Changes::default();
        self.compare(position, extras, from, &mut changes);
        if changes.len() > FEW {
            // The sibling that was here last, or as a last resort the empty board.
            for other in [entry, EMPTY] {
                if other != from && self.distance(position, extras, other) < changes.len() {
                    from = other;
                    changes.clear();
                    self.compare(position, extras, other, &mut changes);
                }
            }
        }
        self.keep(position, extras, entry);
        let lanes = self.lanes;
        self.sums.copy_within(from * lanes..(from + 1) * lanes, entry * lanes);
        let network = &*self.network;
        let sums = &mut self.sums[entry * lanes..][..lanes];
        let (white, black) = sums.split_at_mut(lanes / 2);
        for (half, sums) in [white, black].into_iter().enumerate() {
            let (added, removed) = (&changes.added[half], &changes.removed[half]);
            kernels::update(network.processor, sums, &network.transformer, added, removed);
        }
        let halves = self.sums[entry * lanes..][..lanes].split_at(lanes / 2);
        let (own, other) = match position.side_to_move() {
            Color::White => halves,
            Color::Black => (halves.1, halves.0),
        };
        network.output(own, other, network.layout.bucket(position))
    }

    /// Finds what has to be done to the sums of an entry for a position. Changes are too large to be handed back.
    #[inline]
    fn compare<R: CompiledPosition<Word = W>>(
        &self,
        position: &Position<R>,
        extras: Extras,
        from: usize,
        changes: &mut Changes,
    ) {
        let layout = &self.network.layout;
        let then = &self.pieces[from * self.slots..][..self.slots];
        for kind in layout.kinds() {
            for color in Color::ALL {
                let (then, now) = (then[piece_index(color, kind)], position.pieces(color, kind));
                if then == now {
                    continue;
                }
                for square in now & !then {
                    changes.add(layout.piece(color, kind, square));
                }
                for square in then & !now {
                    changes.remove(layout.piece(color, kind, square));
                }
            }
        }
        let then = self.extras[from];
        if then != extras {
            for group in 0..extras.len() {
                bits(extras[group] & !then[group]).for_each(|kind| changes.add(layout.extra(group, kind)));
                bits(then[group] & !extras[group]).for_each(|kind| changes.remove(layout.extra(group, kind)));
            }
        }
    }

    /// How many changes there would be.
    fn distance<R: CompiledPosition<Word = W>>(&self, position: &Position<R>, extras: Extras, from: usize) -> usize {
        let then = &self.pieces[from * self.slots..][..self.slots];
        let mut changes = 0;
        for kind in self.network.layout.kinds() {
            for color in Color::ALL {
                changes += (then[piece_index(color, kind)] ^ position.pieces(color, kind)).count();
            }
        }
        let groups = extras.iter().zip(self.extras[from]);
        changes += groups.map(|(now, then)| (now ^ then).count_ones()).sum::<u32>();
        changes as usize
    }

    /// Writes down what an entry's sums will be for.
    #[inline]
    fn keep<R: CompiledPosition<Word = W>>(&mut self, position: &Position<R>, extras: Extras, entry: usize) {
        let pieces = &mut self.pieces[entry * self.slots..][..self.slots];
        for kind in self.network.layout.kinds() {
            for color in Color::ALL {
                pieces[piece_index(color, kind)] = position.pieces(color, kind);
            }
        }
        self.extras[entry] = extras;
    }
}
