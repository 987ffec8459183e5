//! Random quiet moves.

use assay_rules::{Move, Position};

use super::random::Unfit;
use crate::seed::Stream;

/// The position after that many random quiet moves; the last one gives no check.
pub(super) fn walk(start: &Position, plies: u32, stream: &mut Stream) -> Result<Position, Unfit> {
    let mut position = start.clone();
    for ply in 0..plies {
        let mut quiet: Vec<Move> = position.legal_moves();
        quiet.retain(|&mv| is_quiet(&position, mv));
        let mv = *stream.pick(&quiet).ok_or(Unfit::NoQuietMove)?;
        position = position.play(mv);
        let is_last = ply + 1 == plies;
        if is_last && position.in_check() {
            return Err(Unfit::Danger);
        }
    }
    Ok(position)
}

/// Does the move leave all pieces what and (the mover apart) where they are?
///
/// A drop from the pocket is not quiet either: it would decide for the player when to use it.
pub(super) fn is_quiet(position: &Position, mv: Move) -> bool {
    match mv {
        Move::Normal {
            to, promotion, gate, ..
        } => position.piece_at(to).is_none() && promotion.is_none() && gate.is_none(),
        Move::DoubleStep { .. } | Move::Castle { .. } => true,
        Move::EnPassant { .. } | Move::Cannon { .. } => false,
    }
}
