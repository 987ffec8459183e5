//! Accumulators of the feature transformer, updated incrementally along a line of moves.

use std::sync::Arc;

use arrayvec::ArrayVec;
use assay_rules::piece::MAX_KINDS;
use assay_rules::square::MAX_SQUARES;
use assay_rules::{Color, Square};

use super::features::{Extras, FeatureSet, View, Views, bits};
use super::kernels::{self, Lanes};
use super::network::Network;
use crate::eval::{MAX_PLY, Score};
use crate::position::{CompiledPosition, Mailbox, Position};

/// Maximum number of changed features: a piece on every square, all kinds in both pockets, one
/// last-moved kind per side.
const MAX_CHANGES: usize = MAX_SQUARES + 2 * MAX_KINDS + 2;
/// Maximum number of squares that one move changes (castling). If a position differs in more,
/// another source may be closer.
const MAX_MOVE_SQUARES: u32 = 4;
/// Number of plies with an accumulator.
const PLIES: usize = MAX_PLY + 2;

/// Accumulators for the plies of a line, each with the position it was computed for.
///
/// The search does not notify the stack when it makes and unmakes moves. Each accumulator is valid
/// for the position stored with it, and that of another position is computed from the differences.
/// The previous ply is usually one move away; a position of another line gives the same result, at
/// a higher cost. When the view of a perspective changes, its accumulator is updated from the last
/// position with the same view.
#[derive(Clone, Debug)]
pub struct AccumulatorStack {
    network: Arc<Network>,
    /// By ply.
    plies: Vec<Features>,
    /// By ply and perspective.
    accumulators: Vec<Lanes>,
    /// By perspective and view: the last position for which the perspective was refreshed, and its
    /// accumulator.
    refreshed: [[(Features, Vec<Lanes>); View::COUNT]; 2],
}

/// What the features of a position depend on.
#[derive(Clone, Copy, Debug, Default)]
struct Features {
    mailbox: Mailbox,
    extras: Extras,
    views: Views,
}

impl Features {
    #[inline]
    fn of<R: CompiledPosition>(features: &FeatureSet, position: &Position<R>) -> Features {
        Features { mailbox: position.mailbox(), extras: features.extras(position), views: features.views(position) }
    }
}

/// Rows of the feature transformer to add and subtract.
#[derive(Default)]
struct Changes {
    added: ArrayVec<u32, MAX_CHANGES>,
    removed: ArrayVec<u32, MAX_CHANGES>,
}

impl Changes {
    /// Collects the differences between two positions for one perspective with the same view in
    /// both. `squares` are those on which the positions differ.
    #[inline(always)]
    fn collect(
        &mut self,
        features: &FeatureSet,
        perspective: Color,
        squares: impl Iterator<Item = Square>,
        then: &Features,
        now: &Features,
    ) {
        self.added.clear();
        self.removed.clear();
        let view = now.views[perspective.index()];
        for square in squares {
            if let Some(piece) = now.mailbox.piece(square) {
                self.added.push(features.piece(perspective, piece, square, view));
            }
            if let Some(piece) = then.mailbox.piece(square) {
                self.removed.push(features.piece(perspective, piece, square, view));
            }
        }
        if then.extras != now.extras {
            let groups = then.extras.into_iter().zip(now.extras).enumerate();
            for (group, (then, now)) in groups {
                let feature = |kind| features.extra(perspective, group, kind, view);
                self.added.extend(bits(now & !then).map(feature));
                self.removed.extend(bits(then & !now).map(feature));
            }
        }
    }
}

impl AccumulatorStack {
    /// Creates accumulators for all plies of a search.
    pub fn new(network: &Arc<Network>) -> AccumulatorStack {
        let empty_board = || (Features::default(), network.feature_bias.clone());
        AccumulatorStack {
            plies: vec![Features::default(); PLIES],
            accumulators: [network.feature_bias.as_slice(); 2 * PLIES].concat(),
            refreshed: std::array::from_fn(|_| std::array::from_fn(|_| empty_board())),
            network: network.clone(),
        }
    }

    /// The network of the accumulators.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Evaluates a position `ply` plies from the start of the line, from the point of view of the
    /// side to move.
    ///
    /// # Panics
    /// Panics if `ply` is greater than [`MAX_PLY`].
    pub fn evaluate<R: CompiledPosition>(&mut self, position: &Position<R>, ply: usize) -> Score {
        let network = &*self.network;
        let now = Features::of(&network.features, position);
        let width = network.feature_bias.len();
        let mut source = ply.saturating_sub(1);
        let mut squares = now.mailbox.difference::<R::Word>(&self.plies[source].mailbox);
        if squares.count() > MAX_MOVE_SQUARES {
            // The last sibling, or the position before the opponent's move: in check, positions are
            // not evaluated.
            for other in [ply, ply.saturating_sub(2)] {
                let others = now.mailbox.difference::<R::Word>(&self.plies[other].mailbox);
                if others.count() < squares.count() {
                    (source, squares) = (other, others);
                }
            }
        }
        let then = self.plies[source];
        let mut changes = Changes::default();
        for perspective in Color::ALL {
            let side = perspective.index();
            let target = (2 * ply + side) * width..(2 * ply + side + 1) * width;
            if then.views[side] == now.views[side] {
                changes.collect(&network.features, perspective, squares.into_iter(), &then, &now);
                let from = (2 * source + side) * width..(2 * source + side + 1) * width;
                if source == ply {
                    let accumulator = &mut self.accumulators[target];
                    kernels::update(accumulator, &network.feature_weights, &changes.added, &changes.removed);
                } else {
                    // The source is an earlier ply.
                    let (before, after) = self.accumulators.split_at_mut(target.start);
                    let target = &mut after[..width];
                    kernels::update_from(
                        target,
                        &before[from],
                        &network.feature_weights,
                        &changes.added,
                        &changes.removed,
                    );
                }
            } else {
                let (last, accumulator) = &mut self.refreshed[side][now.views[side].index()];
                let squares = now.mailbox.difference::<R::Word>(&last.mailbox);
                changes.collect(&network.features, perspective, squares.into_iter(), last, &now);
                kernels::update(accumulator, &network.feature_weights, &changes.added, &changes.removed);
                *last = now;
                self.accumulators[target].copy_from_slice(accumulator);
            }
        }
        self.plies[ply] = now;
        let (white, black) = self.accumulators[2 * ply * width..][..2 * width].split_at(width);
        let (us, them) = match position.side_to_move() {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        network.output(us, them, network.features.output_bucket(position))
    }
}
