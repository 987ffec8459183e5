use assay_rules::{Move, Position};

use super::rejected::Rejected;
use crate::seed::Stream;

/// Plays random quiet moves; the last one must not give check.
pub(super) fn walk(start: &Position, plies: u32, stream: &mut Stream) -> Result<Position, Rejected> {
    let mut position = start.clone();
    for ply in 0..plies {
        let mut quiet: Vec<Move> = position.legal_moves();
        quiet.retain(|&mv| is_quiet(&position, mv));
        let mv = *stream.pick(&quiet).ok_or(Rejected::NoQuietMove)?;
        position = position.play(mv);
        let is_last = ply + 1 == plies;
        if is_last && position.in_check() {
            return Err(Rejected::Danger);
        }
    }
    Ok(position)
}

/// Returns true if the move changes nothing but the place of the mover, or castles.
///
/// A drop from the pocket is not quiet: when to use it is a decision for the player.
pub(super) fn is_quiet(position: &Position, mv: Move) -> bool {
    match mv {
        Move::Normal {
            to, promotion, gate, ..
        } => position.piece_at(to).is_none() && promotion.is_none() && gate.is_none(),
        Move::DoubleStep { .. } | Move::Castle { .. } => true,
        Move::EnPassant { .. } | Move::Cannon { .. } => false,
    }
}
