//! Sizes and quantization of the networks.

/// Quantization factor of feature weights and biases, and upper limit of the clipped `ReLU`.
pub const QA: i32 = 255;
/// Quantization factor of output weights.
pub const QB: i32 = 64;
/// Number of sets of output weights.
pub const OUTPUT_BUCKETS: usize = 8;
/// Number of king buckets of a network that has more than one.
pub const KING_BUCKETS: usize = 4;
/// Centipawns of one unit of the output: 300 / ln 3.
pub const EVAL_SCALE: f64 = 273.071_767_988_122_5;
/// Hidden sizes are multiples of this.
pub const HIDDEN_MULTIPLE: usize = 16;
/// Maximum hidden size of a perspective.
pub const MAX_HIDDEN: usize = 512;

/// Returns true if a network may have this hidden size.
pub fn is_valid_hidden(hidden: usize) -> bool {
    (HIDDEN_MULTIPLE..=MAX_HIDDEN).contains(&hidden) && hidden.is_multiple_of(HIDDEN_MULTIPLE)
}
