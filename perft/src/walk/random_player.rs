//! Random numbers, random starts, and random moves that prefer rare rules.

use std::sync::Arc;

use assay_rules::{ByColor, GameDef, Move, Position, Turn};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::detect::mechanisms_of_move;
use super::mechanism::Mechanism;

/// Random numbers of one game.
pub struct GameRng(Xoshiro256PlusPlus);

impl GameRng {
    /// The generator of game number `index` in a run with `seed`: the same on any thread and in any
    /// order.
    pub fn new(seed: u64, index: u64) -> GameRng {
        // Multiplication by an odd number is a bijection, so the games of a run have different
        // seeds.
        GameRng(Xoshiro256PlusPlus::seed_from_u64(seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // Multiply-shift; the bias is below 2^-32 for the small bounds used here.
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len() as u64) as usize]
    }
}

/// One of the game's starts. In games with handicaps, one in four gives a side two moves in a row.
pub fn random_start(game: &Arc<GameDef>, rng: &mut GameRng) -> Position {
    let fen = rng.pick(&game.starts).fen.clone();
    if game.mechanisms.handicaps.is_some() && rng.below(4) == 0 {
        let (_, turn) = *rng.pick(&[Turn::HANDICAPS[0], Turn::HANDICAPS[1]]);
        let fields: Vec<&str> =
            fen.split_whitespace().enumerate().map(|(n, field)| if n == 1 { turn } else { field }).collect();
        if let Ok(position) = Position::from_fen(game, &fields.join(" ")) {
            return position;
        }
    }
    Position::from_fen(game, &fen).unwrap_or_else(|_| Position::start(game))
}

/// How a game is played. Together the styles reach every kind of ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Prefers rare kinds of moves.
    RareMoves,
    /// Prefers captures, so that few pieces are left.
    Captures,
    /// Avoids captures and pawn moves, so that the halfmove clock runs out.
    Quiet,
    /// Moves pieces back and forth, so that positions repeat.
    Repetitions,
}

/// Plays both sides of a random game.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    style: Style,
    /// Plies played in the style `RareMoves` first.
    opening_plies: u64,
    plies: u64,
    last_moves: ByColor<Option<Move>>,
}

impl RandomPlayer {
    /// A player of random style.
    pub fn new(rng: &mut GameRng) -> RandomPlayer {
        let style = match rng.below(20) {
            0..=12 => Style::RareMoves,
            13..=15 => Style::Captures,
            16..=17 => Style::Quiet,
            _ => Style::Repetitions,
        };
        RandomPlayer { opening_plies: rng.below(60), style, ..RandomPlayer::of_rare_moves() }
    }

    /// A player that prefers rare kinds of moves.
    pub fn of_rare_moves() -> RandomPlayer {
        RandomPlayer { style: Style::RareMoves, opening_plies: 0, plies: 0, last_moves: ByColor::default() }
    }

    /// Chooses one of the legal moves.
    ///
    /// # Panics
    /// If there are none.
    pub fn choose(&mut self, position: &Position, legal: &[Move], rng: &mut GameRng) -> Move {
        self.plies += 1;
        let style = if self.plies > self.opening_plies { self.style } else { Style::RareMoves };
        let side = position.side_to_move();
        let is_way_back = |mv: &Move| {
            self.last_moves[side].is_some_and(|last| mv.from() == last.to() && mv.to() == last.from())
                && !is_capture(position, *mv)
                && (!is_pawn_move(position, *mv) || position.game().has_reversible_pawns())
        };
        let way_back = legal.iter().copied().find(is_way_back);
        let mv = match way_back {
            Some(mv) if style == Style::Repetitions && rng.below(8) > 0 => mv,
            _ => choose_weighted(position, legal, style, rng),
        };
        self.last_moves[side] = Some(mv);
        mv
    }
}

fn is_capture(position: &Position, mv: Move) -> bool {
    position.piece_at(mv.to()).is_some() && !matches!(mv, Move::Castle { .. })
}

fn is_pawn_move(position: &Position, mv: Move) -> bool {
    let piece = position.moved_piece(mv);
    piece.is_some_and(|piece| position.game().pawns.contains(piece.kind))
}

fn choose_weighted(position: &Position, legal: &[Move], style: Style, rng: &mut GameRng) -> Move {
    // Far above the weights of rare moves, so that the style wins where it applies.
    const STYLE_WEIGHT: u64 = 10_000;
    let weight = |mv: Move| {
        let fits_style = match style {
            Style::Captures => is_capture(position, mv),
            Style::Quiet => !is_capture(position, mv) && !is_pawn_move(position, mv),
            Style::RareMoves | Style::Repetitions => false,
        };
        if fits_style { STYLE_WEIGHT } else { rarity_weight(position, mv) }
    };
    let weights: Vec<u64> = legal.iter().map(|&mv| weight(mv)).collect();
    let mut rest = rng.below(weights.iter().sum());
    for (&mv, weight) in legal.iter().zip(weights) {
        if rest < weight {
            return mv;
        }
        rest -= weight;
    }
    legal[0]
}

/// Relative probability of a move.
fn rarity_weight(position: &Position, mv: Move) -> u64 {
    use Mechanism as M;
    let shown = mechanisms_of_move(position, mv);
    let game = position.game();
    let is_king = position.piece_at(mv.from()).is_some_and(|piece| Some(piece.kind) == game.kinds.king());
    let base = if is_pawn_move(position, mv) {
        // Advanced pawns run to promotion.
        let rank = game.board.relative_rank(position.side_to_move(), mv.to());
        3 + 2 * u64::from(rank.saturating_sub(game.pawns.home_rank))
    } else if is_king && game.mechanisms.castling.is_some() {
        // Kings stay at home while they can castle.
        1
    } else if shown.contains(M::HangingLeft) {
        // A piece that leaves a hanging square leaves nothing to capture there.
        1
    } else {
        4
    };
    let rare: u64 = shown
        .iter()
        .map(|mechanism| match mechanism {
            M::EnPassant => 300,
            M::Castling | M::GatingCastling => 120,
            M::Cannon => 40,
            M::HangingCapture => 150,
            M::GatingCapture => 50,
            M::JokerCapture | M::PawnLeapPromotion => 20,
            M::JokerAsPawn | M::JokerAsKing => 15,
            M::PromotedCapture => 60,
            M::DropCheck | M::DropBlock => 10,
            M::Promotion | M::PromotionDeclined | M::HopCapture => 12,
            M::DoubleStep | M::InitialMove => 8,
            M::Gating | M::JokerAsPiece => 6,
            M::PawnLeap => 3,
            _ => 0,
        })
        .sum();
    // Captures end games early, before rare moves occur.
    let is_plain_capture = shown.contains(M::Capture) && rare == 0;
    if is_plain_capture { base.div_ceil(2) } else { base + rare }
}
