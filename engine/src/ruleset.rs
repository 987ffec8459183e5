//! Rulesets: what is known of a game at compile time, so that the loops of a built-in game hold nothing it does not need.
//!
//! A built-in game is a type that implements [`Ruleset`], in a file of its own under `ruleset/` with a line in
//! [`crate::dispatch()`]. Every constant is checked against the game's definition when its tables are built. User games are
//! served by [`Plain64`], [`Plain128`], [`General64`] and [`General128`], which read each kind's movement from the tables.

mod apothecary2;
mod berolina;
mod chess;
mod gamma2;
mod general;
mod gunnery;
mod piece_movement;
mod scorpion;

use std::fmt::Debug;

use assay_rules::GameDef;
use assay_rules::def::RightKind;
use assay_rules::movement::PathKind;
use assay_rules::piece::Kind;

use crate::bitboard::BitboardWord;

pub use apothecary2::Apothecary2;
pub use berolina::Berolina;
pub use chess::Chess;
pub use gamma2::Gamma2;
pub use general::{General64, General128, Plain64, Plain128};
pub use gunnery::Gunnery;
pub(crate) use piece_movement::PathGroups;
pub use piece_movement::{Lines, PieceMovement, Role};
pub use scorpion::Scorpion;

/// Which of the mechanics a game has. There is no default: a new game says of each whether it has it.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mechanics {
    /// King and partner move together.
    pub castling: bool,
    /// Pawns capture en passant.
    pub en_passant: bool,
    /// Pawns capture by cannon.
    pub cannon: bool,
    /// Some kind goes over a screen along complete lines, so that entering a square can open a line as well as close one.
    pub hoppers: bool,
    /// A kind imitates the opponent's last piece.
    pub joker: bool,
    /// Pieces wait in pockets.
    pub gating: bool,
    /// Some squares can be entered only by capturing.
    pub hanging: bool,
    /// Pawns may stay pawns on some promotion ranks, or promote on several.
    pub staged_promotion: bool,
    /// The first turn may be a double one.
    pub handicaps: bool,
    /// Pieces other than pawns have powers while unmoved.
    pub first_moves: bool,
    /// Some path is neither a plain leap nor a complete line (double steps of pawns apart).
    pub irregular: bool,
}

impl Mechanics {
    /// Everything that any game can have.
    pub const ALL: Mechanics = Mechanics {
        castling: true,
        en_passant: true,
        cannon: true,
        hoppers: true,
        joker: true,
        gating: true,
        hanging: true,
        staged_promotion: true,
        handicaps: true,
        first_moves: true,
        irregular: true,
    };

    /// Pieces that leap, slide, hop and fire along lines, with the moves of king and pawns that chess has.
    pub const PLAIN: Mechanics = Mechanics {
        joker: false,
        gating: false,
        hanging: false,
        handicaps: false,
        first_moves: false,
        irregular: false,
        ..Mechanics::ALL
    };

    /// What is among both.
    #[must_use]
    #[inline(always)]
    pub const fn and(self, other: Mechanics) -> Mechanics {
        Mechanics {
            castling: self.castling && other.castling,
            en_passant: self.en_passant && other.en_passant,
            cannon: self.cannon && other.cannon,
            hoppers: self.hoppers && other.hoppers,
            joker: self.joker && other.joker,
            gating: self.gating && other.gating,
            hanging: self.hanging && other.hanging,
            staged_promotion: self.staged_promotion && other.staged_promotion,
            handicaps: self.handicaps && other.handicaps,
            first_moves: self.first_moves && other.first_moves,
            irregular: self.irregular && other.irregular,
        }
    }

    /// What the definition of a game says.
    pub fn of(game: &GameDef) -> Mechanics {
        let movements: Vec<PieceMovement> = game.all_kinds().map(|kind| PieceMovement::of(game, kind)).collect();
        Mechanics {
            castling: game.castling.is_some(),
            en_passant: game.has_en_passant(),
            cannon: game.pawn_cannon,
            hoppers: movements
                .iter()
                .any(|movement| movement.hop_captures.any() || movement.hop_moves.any()),
            joker: game.joker.is_some(),
            gating: game.gating.is_some(),
            hanging: !game.board.hanging().is_empty(),
            staged_promotion: game.promotion.iter().any(|rank| rank.optional) || game.promotion.len() != 1,
            handicaps: game.handicaps,
            first_moves: game
                .rights
                .iter()
                .any(|right| matches!(right.kind, RightKind::FirstMove(_))),
            irregular: movements.iter().any(|movement| movement.has_irregular)
                || game.all_kinds().any(|kind| has_odd_first_move(game, kind)),
        }
    }
}

impl Mechanics {
    /// Do masks decide which moves are safe for the king (else zones say which must be tried)? Masks know sliders, hoppers,
    /// cannons, jokers and drops, but not every mixture of them.
    pub(crate) const fn pin_masks_suffice(self) -> bool {
        let lines_change = self.hoppers || self.cannon;
        !self.irregular && !(lines_change && (self.gating || self.joker || self.hanging))
    }
}

/// Has this kind initial powers that are anything but leaps to empty squares and, of pawns, double steps?
fn has_odd_first_move(game: &GameDef, kind: Kind) -> bool {
    let is_pawn = kind == game.pawn;
    let mut initial = game.kind(kind).movement.paths.iter().filter(|path| path.initial);
    initial.any(|path| {
        let plain = if is_pawn {
            game.has_en_passant() && path.passed_offset().is_some()
        } else {
            path.kind == PathKind::Leap
        };
        !plain || path.modality.captures || path.modality.en_passant
    })
}

/// The registry of built-in games: passes every ruleset with the name of its game to a macro.
///
/// Everything that is done for each built-in game is generated from this list: choosing the ruleset, compiling position and
/// search functions, including the evaluation weights.
macro_rules! for_each_builtin {
    ($macro:ident) => {
        $macro! {
            Chess "chess",
            Berolina "berolina",
            Gamma2 "gamma2",
            Gunnery "gunnery",
            Scorpion "scorpion",
            Apothecary2 "apothecary2",
        }
    };
}
pub(crate) use for_each_builtin;

/// What is known of a game at compile time. No constant has a default.
pub trait Ruleset: Copy + Debug + Default + Send + Sync + 'static {
    /// The word of its bitboards.
    type Word: BitboardWord;
    /// Its protocol name; `None` when it serves any game and reads the movements from the tables.
    const NAME: Option<&'static str>;
    /// The mechanics it may have; a built-in game has exactly these.
    const MECHANICS: Mechanics;
    /// The movement of each kind, in the order of the definition; empty when the tables say.
    const KINDS: &'static [PieceMovement];
}

/// Is everything read from the tables?
pub(crate) const fn is_general<R: Ruleset>() -> bool {
    R::NAME.is_none()
}

/// The movement of a kind of a built-in game, and of nobody beyond its last kind.
pub(crate) const fn movement_of<R: Ruleset>(index: usize) -> PieceMovement {
    if index < R::KINDS.len() {
        R::KINDS[index]
    } else {
        PieceMovement::NONE
    }
}

/// The built-in game's kind with that role, when it has one.
pub(crate) const fn kind_with_role<R: Ruleset>(role: Role) -> Option<Kind> {
    let mut index = 0;
    while index < R::KINDS.len() {
        if R::KINDS[index].role as u8 == role as u8 {
            return Some(Kind(index as u8));
        }
        index += 1;
    }
    None
}

/// Evaluates a block for every kind of one of the lists of [`crate::tables::Kinds`] with its movement. A built-in game's movements
/// are constants, and the block, unrolled for all kinds, must ask them itself.
macro_rules! for_each_kind {
    ($ruleset:ty, $tables:expr, $list:ident, |$kind:ident, $movement:ident| $body:block) => {
        if $crate::ruleset::is_general::<$ruleset>() {
            for &($kind, $movement) in &$tables.lists.$list {
                $body
            }
        } else {
            $crate::ruleset::for_each_kind!(@unrolled $ruleset, $kind, $movement, $body;
                0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        }
    };
    (@unrolled $ruleset:ty, $kind:ident, $movement:ident, $body:block; $($index:literal)*) => {
        $(if $index < const { <$ruleset as $crate::ruleset::Ruleset>::KINDS.len() } {
            let $kind = assay_rules::piece::Kind($index);
            let $movement = const { $crate::ruleset::movement_of::<$ruleset>($index) };
            $body
        })*
    };
}
pub(crate) use for_each_kind;

/// The most kinds a built-in game may have: as many as `for_each_kind` unrolls.
pub(crate) const MAX_BUILTIN_KINDS: usize = 16;
