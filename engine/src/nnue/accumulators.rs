//! Accumulators of the feature transformer, updated incrementally along a line of moves.

use std::sync::Arc;

use arrayvec::ArrayVec;
use assay_rules::Color;
use assay_rules::piece::MAX_KINDS;
use assay_rules::square::MAX_SQUARES;

use super::features::{Extras, MirroredFiles, bits};
use super::kernels::{self, Lanes};
use super::network::Network;
use crate::bitboard::{Bitboard, BitboardWord};
use crate::eval::{MAX_PLY, Score};
use crate::position::{CompiledPosition, Position};
use crate::tables::piece_index;

/// Maximum number of active features: a piece on every square, all kinds in both pockets, one last-moved kind per side.
const MAX_ACTIVE: usize = MAX_SQUARES + 2 * MAX_KINDS + 2;
/// Maximum number of changes by one move. If a position differs by more, another entry may be a better starting point.
const MAX_MOVE_CHANGES: usize = 6;

/// Accumulators for the plies of a line, each with the position it was computed for.
///
/// The search does not notify the stack when it makes and unmakes moves. Each entry is valid for the position stored with it,
/// and the accumulator of another position is computed from the differences. The entry of the previous ply is usually one move
/// away; an entry of another line gives the same result, at a higher cost.
#[derive(Clone, Debug)]
pub struct AccumulatorStack<W: BitboardWord> {
    network: Arc<Network>,
    /// Bitboards of an entry: one for each kind and side.
    piece_indices: usize,
    /// Lanes of an entry: White's perspective, then Black's.
    lanes: usize,
    /// By entry and [`piece_index`]. Entry 0 is always the empty board, entry `p + 1` belongs to ply `p`.
    pieces: Vec<Bitboard<W>>,
    /// By entry.
    extras: Vec<Extras>,
    /// By entry.
    mirrored: Vec<MirroredFiles>,
    /// By entry.
    accumulators: Vec<Lanes>,
}

/// Features to add and remove, for White's and Black's perspective.
#[derive(Default)]
struct Changes {
    added: [ArrayVec<u32, MAX_ACTIVE>; 2],
    removed: [ArrayVec<u32, MAX_ACTIVE>; 2],
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

impl<W: BitboardWord> AccumulatorStack<W> {
    /// Creates entries for all plies of a search.
    pub fn new(network: &Arc<Network>) -> AccumulatorStack<W> {
        let piece_indices = 2 * network.features.kinds().count();
        let accumulators: Vec<Lanes> = [network.feature_bias.as_slice(); 2 * ENTRIES].concat();
        AccumulatorStack {
            network: network.clone(),
            piece_indices,
            lanes: accumulators.len() / ENTRIES,
            pieces: vec![Bitboard::EMPTY; piece_indices * ENTRIES],
            extras: vec![[0; 4]; ENTRIES],
            mirrored: vec![[false; 2]; ENTRIES],
            accumulators,
        }
    }

    /// The network of the accumulators.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Evaluates a position `ply` plies from the start of the line, from the point of view of the side to move.
    ///
    /// # Panics
    /// Panics if `ply` is greater than [`MAX_PLY`].
    pub fn evaluate<R: CompiledPosition<Word = W>>(&mut self, position: &Position<R>, ply: usize) -> Score {
        let entry = ply + 1;
        let extras = self.network.features.extras(position);
        let mirrored = self.network.features.mirrored_files(position);
        let before = entry - 1;
        let mut from = before;
        let mut changes = Changes::default();
        self.compare(position, extras, mirrored, from, &mut changes);
        if changes.len() > MAX_MOVE_CHANGES {
            // The last sibling at this ply, or the empty board.
            for other in [entry, EMPTY] {
                if other != from && self.distance(position, extras, other) < changes.len() {
                    from = other;
                    changes.clear();
                    self.compare(position, extras, mirrored, other, &mut changes);
                }
            }
        }
        // A perspective that now sees the files mirrored, or no longer does, starts from the empty board.
        let mut sources = [from; 2];
        for perspective in 0..2 {
            if from != EMPTY && self.mirrored[from][perspective] != mirrored[perspective] {
                let mut all = Changes::default();
                self.compare(position, extras, mirrored, EMPTY, &mut all);
                sources[perspective] = EMPTY;
                changes.added[perspective].clone_from(&all.added[perspective]);
                changes.removed[perspective].clear();
            }
        }
        self.store_position(position, extras, mirrored, entry);
        let (lanes, half) = (self.lanes, self.lanes / 2);
        for (perspective, source) in sources.into_iter().enumerate() {
            let (source, target) = (source * lanes + perspective * half, entry * lanes + perspective * half);
            self.accumulators.copy_within(source..source + half, target);
            let (added, removed) = (&changes.added[perspective], &changes.removed[perspective]);
            let accumulator = &mut self.accumulators[target..][..half];
            kernels::update(accumulator, &self.network.feature_weights, added, removed);
        }
        let network = &*self.network;
        let perspectives = self.accumulators[entry * lanes..][..lanes].split_at(lanes / 2);
        let (us, them) = match position.side_to_move() {
            Color::White => perspectives,
            Color::Black => (perspectives.1, perspectives.0),
        };
        network.output(us, them, network.features.output_bucket(position))
    }

    /// Collects the differences between an entry and a position in `changes`, which is too large to return by value.
    #[inline]
    fn compare<R: CompiledPosition<Word = W>>(
        &self,
        position: &Position<R>,
        extras: Extras,
        mirrored: MirroredFiles,
        from: usize,
        changes: &mut Changes,
    ) {
        let features = &self.network.features;
        let then = &self.pieces[from * self.piece_indices..][..self.piece_indices];
        for kind in features.kinds() {
            for color in Color::ALL {
                let (then, now) = (then[piece_index(color, kind)], position.pieces(color, kind));
                if then == now {
                    continue;
                }
                for square in now & !then {
                    changes.add(features.piece(color, kind, square, mirrored));
                }
                for square in then & !now {
                    changes.remove(features.piece(color, kind, square, mirrored));
                }
            }
        }
        let then = self.extras[from];
        if then != extras {
            for group in 0..extras.len() {
                bits(extras[group] & !then[group]).for_each(|kind| changes.add(features.extra(group, kind)));
                bits(then[group] & !extras[group]).for_each(|kind| changes.remove(features.extra(group, kind)));
            }
        }
    }

    /// Number of differences between an entry and a position.
    fn distance<R: CompiledPosition<Word = W>>(&self, position: &Position<R>, extras: Extras, from: usize) -> usize {
        let then = &self.pieces[from * self.piece_indices..][..self.piece_indices];
        let mut changes = 0;
        for kind in self.network.features.kinds() {
            for color in Color::ALL {
                changes += (then[piece_index(color, kind)] ^ position.pieces(color, kind)).count();
            }
        }
        let groups = extras.iter().zip(self.extras[from]);
        changes += groups.map(|(now, then)| (now ^ then).count_ones()).sum::<u32>();
        changes as usize
    }

    #[inline]
    fn store_position<R: CompiledPosition<Word = W>>(
        &mut self,
        position: &Position<R>,
        extras: Extras,
        mirrored: MirroredFiles,
        entry: usize,
    ) {
        let pieces = &mut self.pieces[entry * self.piece_indices..][..self.piece_indices];
        for kind in self.network.features.kinds() {
            for color in Color::ALL {
                pieces[piece_index(color, kind)] = position.pieces(color, kind);
            }
        }
        self.extras[entry] = extras;
        self.mirrored[entry] = mirrored;
    }
}
