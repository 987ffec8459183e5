//! Efficiently updatable neural network (NNUE, Yu Nasu 2018), used in place of the linear
//! evaluation.
//!
//! A feature transformer maps the active features of each perspective ([`FeatureSet`]) to an
//! accumulator of `hidden` numbers. Both accumulators, the side to move's first, pass through a
//! squared clipped `ReLU` (`SCReLU`) and an output layer with one of [`OUTPUT_BUCKETS`] sets of
//! weights, selected by the number of pieces on the board. The output is the log-odds of the side
//! to move's expected points; one unit is [`EVAL_SCALE`] centipawns
//! ([`Score::expected_points`](crate::eval::Score::expected_points)).
//!
//! Networks are trained in floating point ([`FloatNetwork`]) and quantized for play ([`Network`]):
//! feature weights and biases by [`QA`], output weights by [`QB`], output biases by their product.
//! The [`AccumulatorStack`] updates the feature transformer incrementally along a line of moves.

mod accumulators;
mod architecture;
mod features;
mod file;
mod float;
mod kernels;
mod network;

pub use accumulators::AccumulatorStack;
pub use architecture::{
    EVAL_SCALE, HIDDEN_MULTIPLE, KING_BUCKETS, MAX_HIDDEN, OUTPUT_BUCKETS, QA, QB, is_valid_hidden,
};
pub use features::{FeatureSet, View, Views};
pub use float::FloatNetwork;
pub use network::Network;

#[cfg(test)]
pub(crate) mod tests;
