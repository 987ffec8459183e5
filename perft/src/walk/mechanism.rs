//! Rules of a game that random games should reach.

use assay_rules::GameDef;
use assay_rules::def::RightKind;
use assay_rules::movement::{Path, PathKind};

/// Declares the enum, the list of its variants and their names.
macro_rules! mechanisms {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A rule that can occur in some game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Mechanism {
            $($(#[$doc])* $variant,)*
        }

        impl Mechanism {
            /// All mechanisms, in the order of their declaration.
            pub const ALL: [Mechanism; [$($name),*].len()] = [$(Mechanism::$variant),*];

            /// Name in tables and JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Mechanism::$variant => $name,)*
                }
            }
        }
    };
}

mechanisms! {
    /// A capture by ordinary movement.
    Capture = "capture",
    /// A pawn's double step.
    DoubleStep = "double-step",
    /// A capture en passant.
    EnPassant = "en-passant",
    Castling = "castling",
    Promotion = "promotion",
    /// A promotion before the last rank.
    EarlyPromotion = "early-promotion",
    /// A pawn stays a pawn where it could have promoted.
    PromotionDeclined = "promotion-declined",
    /// A promoted piece turns back.
    Demotion = "demotion",
    /// A pawn captures by cannon, over a screen.
    Cannon = "cannon",
    /// A piece captures over a screen.
    HopCapture = "hop-capture",
    /// A pawn leaps sideways.
    PawnLeap = "pawn-leap",
    /// A pawn promotes by leaping sideways.
    PawnLeapPromotion = "pawn-leap-promotion",
    /// A move that only unmoved pieces have.
    InitialMove = "initial-move",
    /// A piece is gated from the pocket.
    Gating = "gating",
    /// A piece is gated from the pocket where a capture began.
    GatingCapture = "gating-capture",
    /// A piece is gated from the pocket where king or rook stood before castling.
    GatingCastling = "gating-castling",
    /// A piece is dropped from the pocket on an empty square.
    Drop = "drop",
    /// A pawn is dropped.
    PawnDrop = "pawn-drop",
    /// A drop gives check.
    DropCheck = "drop-check",
    /// A drop blocks a check.
    DropBlock = "drop-block",
    /// A promoted piece is captured, and becomes what it was again.
    PromotedCapture = "promoted-capture",
    /// A joker moves as a piece other than pawn and king.
    JokerAsPiece = "joker-as-piece",
    /// A joker moves as a pawn.
    JokerAsPawn = "joker-as-pawn",
    /// A joker moves as a king.
    JokerAsKing = "joker-as-king",
    JokerCapture = "joker-capture",
    /// A capture on a hanging square.
    HangingCapture = "hanging-capture",
    /// A piece leaves a hanging square, which stays empty for the rest of the game.
    HangingLeft = "hanging-left",
    /// A capture that is forced.
    ForcedCapture = "forced-capture",
    /// A capture that removes a neighbor of the captured piece.
    Explosion = "explosion",
    /// A move makes a wall.
    Wall = "wall",
    /// A piece that captures becomes a wall.
    Petrification = "petrification",
    /// The first of two moves in a row.
    DoubleTurn = "double-turn",
    /// The side to move is in check.
    Check = "check",
    /// Check by two pieces.
    DoubleCheck = "double-check",
    /// Check by a cannon pawn over a screen.
    CannonCheck = "cannon-check",
    /// Check by a piece over a screen.
    HopCheck = "hop-check",
    JokerCheck = "joker-check",
    /// A capture, not by a royal piece, that a pin forbids.
    PinnedCapture = "pinned-capture",
    /// A capture en passant that would leave a royal piece attacked.
    PinnedEnPassant = "pinned-en-passant",
    /// A capture en passant that ends a check.
    EnPassantEvasion = "en-passant-evasion",
    /// Castling that nothing but an attack on the king's path forbids.
    CastlingThroughCheck = "castling-through-check",
    /// A piece that could have castled is captured.
    RightLostByCapture = "right-lost-by-capture",
    /// The same by a pawn that promotes.
    RightLostByPromotion = "right-lost-by-promotion",
    Checkmate = "checkmate",
    Stalemate = "stalemate",
    /// A side has reached its goal.
    Goal = "goal",
    /// A side has given the number of checks that wins.
    Checks = "winning-check",
    /// A side has lost all its pieces but the king.
    BareKing = "bare-king",
    /// A side has lost its pieces of some kind.
    Extinction = "extinction",
    /// Neither side can mate any more.
    DeadPosition = "dead-position",
    /// The third occurrence of a position.
    Repetition = "repetition",
    /// Too many moves without capture or pawn move.
    MoveRule = "move-rule",
}

use Mechanism as M;

impl Mechanism {
    /// Mechanisms of the game that a count can depend on: all but the ends of a game that leave
    /// legal moves.
    pub fn of_perft(game: &GameDef) -> impl Iterator<Item = Mechanism> {
        let ends = [M::DeadPosition, M::Repetition, M::MoveRule];
        M::ALL.into_iter().filter(move |mechanism| !ends.contains(mechanism) && mechanism.is_in(game))
    }

    /// The warning of a check in which the mechanism never occurred.
    pub fn warning(self) -> String {
        let verb = if self < M::Check { "was played" } else { "occurred" };
        let name = self.name().replace('-', " ");
        format!("warning: no {name} {verb}: nothing is known about it\n")
    }

    /// Returns true if the mechanism can occur in the game.
    pub fn is_in(self, game: &GameDef) -> bool {
        let has_royals = || game.kinds.all().any(|kind| game.kinds.is_royal(kind));
        let has_hop_captures = || {
            let mut paths = game.kinds.iter().flat_map(|kind| &kind.movement.paths);
            paths.any(|path| {
                path.modality.captures && matches!(path.kind, PathKind::HopRide { .. } | PathKind::Grasshop)
            })
        };
        match self {
            M::Check | M::DoubleCheck | M::CannonCheck | M::HopCheck | M::JokerCheck | M::Checkmate
                if game.mechanisms.forbidden_checks.is_some()
                    || !game.kinds.all().any(|kind| game.kinds.is_royal(kind)) =>
            {
                false
            }
            M::JokerAsKing if game.kinds.king().is_none() => false,
            M::DoubleStep | M::EnPassant | M::Promotion if !has_pawns(game) => false,
            M::Promotion if game.pawns.promotion.is_empty() && game.mechanisms.piece_promotion.is_none() => false,
            M::Capture
            | M::Promotion
            | M::Check
            | M::DoubleCheck
            | M::Checkmate
            | M::Stalemate
            | M::Repetition
            | M::MoveRule => true,
            M::Goal => game.mechanisms.goal.is_some(),
            M::Checks => game.mechanisms.check_count.is_some(),
            M::BareKing => game.mechanisms.bare_king.is_some(),
            M::Extinction => game.mechanisms.extinction.is_some(),
            M::ForcedCapture => game.mechanisms.forced_captures.is_some(),
            M::Explosion => game.mechanisms.explosions.is_some(),
            M::Wall => game.wall_rule().is_some(),
            M::Petrification => game.kinds.all().any(|kind| game.is_petrified(kind)),
            M::DeadPosition => !game.endings.insufficient_material.is_empty(),
            M::DoubleStep | M::EnPassant => game.has_en_passant(),
            M::Castling | M::RightLostByCapture => game.mechanisms.castling.is_some(),
            M::RightLostByPromotion => {
                let mut wings = game.castling_wings().iter();
                wings.any(|wing| game.promotion_on(!wing.color, wing.partner_from).is_some())
            }
            M::CastlingThroughCheck => {
                game.mechanisms.castling.is_some()
                    && game.kinds.castling_king().is_some_and(|king| game.kinds.is_royal(king))
            }
            M::PinnedCapture => has_royals() && game.mechanisms.explosions.is_none(),
            M::PinnedEnPassant | M::EnPassantEvasion => has_royals() && game.has_en_passant(),
            M::EarlyPromotion | M::PromotionDeclined => game.pawns.promotion.len() > 1,
            M::Demotion => game.mechanisms.piece_promotion.as_ref().is_some_and(|rule| rule.demotes),
            M::Cannon | M::CannonCheck => game.mechanisms.cannon.is_some(),
            M::HopCapture | M::HopCheck => has_hop_captures(),
            M::PawnLeap | M::PawnLeapPromotion => game.kind(game.first_pawn()).movement.paths.iter().any(is_pawn_leap),
            M::InitialMove => game.kinds.all().any(|kind| game.has_initial_moves(kind)),
            M::Gating | M::GatingCapture => game.mechanisms.gating.is_some(),
            M::GatingCastling => can_gate_when_castling(game),
            M::JokerAsPiece | M::JokerAsPawn | M::JokerAsKing | M::JokerCapture | M::JokerCheck => {
                game.kinds.joker().is_some()
            }
            M::Drop | M::DropCheck | M::DropBlock => game.mechanisms.drops.is_some(),
            M::PawnDrop => game.pocket_kinds().contains(&game.first_pawn()),
            M::PromotedCapture => game.kinds.iter().any(|kind| kind.unpromoted.is_some()),
            M::HangingCapture | M::HangingLeft => !game.board.hanging().is_empty(),
            M::DoubleTurn => game.mechanisms.handicaps.is_some(),
        }
    }
}

/// Returns true if a start has a pawn.
fn has_pawns(game: &GameDef) -> bool {
    let letter = game.kind(game.first_pawn()).letter;
    let boards = game.starts.iter().filter_map(|start| start.fen.split(' ').next());
    boards.flat_map(str::chars).any(|c| c.eq_ignore_ascii_case(&letter))
}

/// Returns true if a king or castling partner can also gate.
fn can_gate_when_castling(game: &GameDef) -> bool {
    let mut wings = game.castling_wings().iter();
    wings.any(|wing| {
        let homes = [wing.king_from, wing.partner_from];
        let mut left = homes.into_iter().filter(|&square| wing.vacates(square));
        left.any(|square| game.rights.iter().any(|right| right.kind == RightKind::Gate(square)))
    })
}

/// Returns true for a path of a pawn that leads more than one file sideways.
fn is_pawn_leap(path: &Path) -> bool {
    path.delta.file.abs() > 1 && !path.initial && matches!(path.kind, PathKind::Leap)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MechanismSet(u64);

impl MechanismSet {
    /// Adds a mechanism if `condition` is true.
    pub fn insert_if(&mut self, mechanism: Mechanism, condition: bool) {
        self.0 |= u64::from(condition) << mechanism as u8;
    }

    /// Returns true if the mechanism is in the set.
    pub const fn contains(self, mechanism: Mechanism) -> bool {
        self.0 >> mechanism as u8 & 1 == 1
    }

    /// Adds the mechanisms of `other`.
    pub fn insert_all(&mut self, other: MechanismSet) {
        self.0 |= other.0;
    }

    pub fn iter(self) -> impl Iterator<Item = Mechanism> {
        M::ALL.into_iter().filter(move |&mechanism| self.contains(mechanism))
    }
}

/// How often each mechanism occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage([u64; M::ALL.len()]);

impl Default for Coverage {
    fn default() -> Coverage {
        Coverage([0; M::ALL.len()])
    }
}

impl Coverage {
    /// Counts one occurrence of a mechanism.
    pub fn count(&mut self, mechanism: Mechanism) {
        self.0[mechanism as usize] += 1;
    }

    /// Counts one occurrence of each mechanism of the set.
    pub fn count_set(&mut self, set: MechanismSet) {
        set.iter().for_each(|mechanism| self.count(mechanism));
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Coverage) {
        for (sum, count) in self.0.iter_mut().zip(other.0) {
            *sum += count;
        }
    }

    /// Number of occurrences.
    pub fn get(&self, mechanism: Mechanism) -> u64 {
        self.0[mechanism as usize]
    }
}
