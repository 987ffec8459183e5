//! Random numbers, random starts, and random moves with a liking for the rare ones.

use std::sync::Arc;

use assay_rules::{ByColor, GameDef, Move, Position, Turn};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::mechanism::{self, Mechanism};

/// Random numbers of one game.
pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// The dice of game number `index` of a run with that seed: the same whatever thread plays it, and in whatever order.
    pub fn new(seed: u64, index: u64) -> Dice {
        // An odd multiplier keeps the games' seeds apart for every run's seed.
        Dice(Xoshiro256PlusPlus::seed_from_u64(
            seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        ))
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // The bias is below 2^-32 for every bound that is used here.
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// One of the items.
    ///
    /// # Panics
    /// When there is none.
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len() as u64) as usize]
    }
}

/// One of the game's starts; in games with handicaps one time in four with two moves in a row.
pub fn start(game: &Arc<GameDef>, dice: &mut Dice) -> Position {
    let fen = dice.pick(&game.starts).fen.clone();
    if game.handicaps && dice.below(4) == 0 {
        let (_, turn) = *dice.pick(&[Turn::HANDICAPS[0], Turn::HANDICAPS[1]]);
        let fields: Vec<&str> = fen
            .split_whitespace()
            .enumerate()
            .map(|(n, field)| if n == 1 { turn } else { field })
            .collect();
        if let Ok(position) = Position::from_fen(game, &fields.join(" ")) {
            return position;
        }
    }
    Position::from_fen(game, &fen).unwrap_or_else(|_| Position::start(game))
}

/// How a game is played, so that every way of ending it is seen now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Temper {
    /// Likes what is rare.
    Lively,
    /// Likes captures, so that few pieces are left.
    Bloody,
    /// From some move on avoids captures and pawn moves, so that the clock runs out.
    Patient,
    /// From some move on takes its moves back, so that positions recur.
    Wavering,
}

/// Plays both sides of a random game.
#[derive(Clone, Debug)]
pub struct Player {
    temper: Temper,
    /// Plies before the temper shows.
    calm: u64,
    plies: u64,
    /// The last move of each side.
    last: ByColor<Option<Move>>,
}

impl Player {
    /// A player of random temper.
    pub fn new(dice: &mut Dice) -> Player {
        let temper = match dice.below(20) {
            0..=12 => Temper::Lively,
            13..=15 => Temper::Bloody,
            16..=17 => Temper::Patient,
            _ => Temper::Wavering,
        };
        Player {
            calm: dice.below(60),
            temper,
            ..Player::lively()
        }
    }

    /// A player that likes what is rare.
    pub fn lively() -> Player {
        Player {
            temper: Temper::Lively,
            calm: 0,
            plies: 0,
            last: ByColor::default(),
        }
    }

    /// One of the legal moves, rare kinds of moves more often than their share.
    ///
    /// # Panics
    /// When there is none.
    pub fn choose(&mut self, position: &Position, legal: &[Move], dice: &mut Dice) -> Move {
        self.plies += 1;
        let temper = if self.plies > self.calm {
            self.temper
        } else {
            Temper::Lively
        };
        let back = self.last[position.side_to_move()].and_then(|last| {
            legal
                .iter()
                .copied()
                .find(|mv| mv.from() == last.to() && mv.to() == last.from() && !resets(position, *mv))
        });
        let mv = match back {
            Some(back) if temper == Temper::Wavering && dice.below(8) > 0 => back,
            _ => weighted(position, legal, temper, dice),
        };
        self.last[position.side_to_move()] = Some(mv);
        mv
    }
}

/// Is it a capture, or a pawn's move?
fn resets(position: &Position, mv: Move) -> bool {
    let captures = position.piece_at(mv.to()).is_some() && !matches!(mv, Move::Castle { .. });
    captures
        || position
            .piece_at(mv.from())
            .is_some_and(|piece| piece.kind == position.game().pawn)
}

fn weighted(position: &Position, legal: &[Move], temper: Temper, dice: &mut Dice) -> Move {
    // Far above the weights of rare moves, so that a temper's wish comes first where it can.
    const WISH: u64 = 10_000;
    let weight = |mv: Move| {
        let wished = match temper {
            Temper::Bloody => resets(position, mv) && position.piece_at(mv.to()).is_some(),
            Temper::Patient => !resets(position, mv),
            Temper::Lively | Temper::Wavering => false,
        };
        if wished { WISH } else { weight(position, mv) }
    };
    let weights: Vec<u64> = legal.iter().map(|&mv| weight(mv)).collect();
    let mut at = dice.below(weights.iter().sum());
    for (&mv, weight) in legal.iter().zip(weights) {
        if at < weight {
            return mv;
        }
        at -= weight;
    }
    legal[0]
}

/// How likely a move is, beside its fellows.
fn weight(position: &Position, mv: Move) -> u64 {
    use Mechanism as M;
    let shown = mechanism::of_move(position, mv);
    let game = position.game();
    let is_pawn = position
        .piece_at(mv.from())
        .is_some_and(|piece| piece.kind == game.pawn);
    let is_king = position
        .piece_at(mv.from())
        .is_some_and(|piece| piece.kind == game.king);
    // Pawns that are far on their way hurry, kings stay at home while they may still castle.
    let gone = if is_pawn {
        u64::from(
            game.board
                .relative_rank(position.side_to_move(), mv.to())
                .saturating_sub(game.pawn_home_rank),
        )
    } else {
        0
    };
    let base = match (is_pawn, is_king && game.castling.is_some()) {
        (true, _) => 3 + 2 * gone,
        (_, true) => 1,
        // A piece that leaves a hanging square leaves nothing there to capture.
        _ if shown.has(M::HangingLeft) => 1,
        _ => 4,
    };
    let rare: u64 = shown
        .iter()
        .map(|mechanism| match mechanism {
            M::EnPassant => 300,
            M::Castling => 120,
            M::Cannon => 40,
            M::HangingCapture => 150,
            M::GatingCapture => 50,
            M::JokerCapture | M::PawnLeapPromotion => 20,
            M::JokerAsPawn | M::JokerAsKing => 15,
            M::Promotion | M::StayedPawn | M::HopCapture => 12,
            M::DoubleStep | M::FirstMovePower => 8,
            M::Gating | M::JokerAsMan => 6,
            M::PawnLeap => 3,
            _ => 0,
        })
        .sum();
    // Captures end games early, before the rare things happen.
    let plain_capture = shown.has(M::Capture) && rare == 0;
    if plain_capture { base.div_ceil(2) } else { base + rare }
}
