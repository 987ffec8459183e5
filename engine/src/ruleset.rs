//! Rulesets: compile-time facts about games, which specialize the move generator.
//!
//! Each built-in game has a type that implements [`Ruleset`], in a file of its own;
//! `for_each_builtin!` of `assay-rules` lists them. All constants are checked against the game's
//! definition when its tables are built. User-defined games use [`Plain64`], [`Plain128`],
//! [`General64`] or [`General128`], which read the movement of each kind from the tables.

mod apothecary2;
mod berolina;
mod chess;
mod gamma2;
mod general;
mod gunnery;
mod piece_movement;
mod scorpion;

use std::fmt::Debug;

use assay_rules::def::{PieceClass, RightKind};
use assay_rules::movement::PathKind;
use assay_rules::piece::Kind;
use assay_rules::{GameDef, for_each_builtin};
use bitflags::bitflags;

use crate::bitboard::BitboardWord;

pub use general::{General64, General128, Plain64, Plain128};
pub(crate) use piece_movement::PathGroups;
pub use piece_movement::{Lines, PieceMovement, Role};

macro_rules! export {
    ($($name:ident $ruleset:ident,)+) => {
        $(pub use $name::$ruleset;)+
    };
}
for_each_builtin!(export);

bitflags! {
    /// Mechanics of a game that movement notation cannot express or that the generator specializes
    /// on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Mechanics: u32 {
        /// Castling.
        const CASTLING = 1 << 0;
        /// [Castling from any file](assay_rules::def::Castling::from_any_file).
        const CASTLING_FROM_ANY_FILE = 1 << 1;
        /// En passant captures.
        const EN_PASSANT = 1 << 2;
        /// Cannon captures by pawns.
        const CANNON = 1 << 3;
        /// Pieces that hop over a screen along complete lines, so that entering a square can open a
        /// line.
        const HOPPERS = 1 << 4;
        /// A kind that moves like the piece the opponent moved last.
        const JOKER = 1 << 5;
        /// Gating of pieces from a pocket.
        const GATING = 1 << 6;
        /// Drops of pieces from a pocket.
        const DROPS = 1 << 7;
        /// Squares that can be entered only by capturing.
        const HANGING = 1 << 8;
        /// Optional promotion, or promotion on several ranks.
        const STAGED_PROMOTION = 1 << 9;
        /// Two-move handicaps on the first turn.
        const HANDICAPS = 1 << 10;
        /// [Pawn moves that can be undone](GameDef::has_reversible_pawns).
        const REVERSIBLE_PAWNS = 1 << 11;
        /// Paths of unmoved pieces other than pawns.
        const INITIAL_MOVES = 1 << 12;
        /// Paths that are neither leaps nor complete lines, double steps of pawns excepted.
        const IRREGULAR = 1 << 13;
        /// Squares that win the game for a side whose piece reaches them.
        const GOAL = 1 << 14;
        /// A number of checks that wins.
        const CHECK_COUNT = 1 << 15;
        /// Moves that give check are illegal.
        const FORBIDS_CHECKS = 1 << 16;
        /// A bare king loses.
        const BARE_KING = 1 << 17;
        /// No king: no kind of which each side has one royal piece.
        const KINGLESS = 1 << 18;
        /// Only one side has a king.
        const LONE_KING = 1 << 19;
        /// Pawns also have their initial moves on the first rank.
        const FIRST_RANK_STEPS = 1 << 20;
        /// A gated piece may not shield the king.
        const FORBIDS_SHIELDING = 1 << 21;
        /// Pieces that are royal in any number.
        const ROYALS = 1 << 22;
        /// Too few pieces of some kind decide the game.
        const EXTINCTION = 1 << 23;
        /// A side that can capture must do so.
        const FORCES_CAPTURES = 1 << 24;
        /// Captures explode.
        const EXPLOSIONS = 1 << 25;
        /// Squares that no piece enters or passes, which moves may make.
        const WALLS = 1 << 26;
        /// Kings attack along their files.
        const FLYING_GENERAL = 1 << 27;
        /// A side must mate within a number of moves.
        const COUNTING = 1 << 28;
        /// Rules of promotion besides the pawns' own: pieces promote, the number of promoted ones
        /// is limited, or none may be put where only a capture leads on.
        const PROMOTION_RULES = 1 << 29;
        /// Drops of kings, forced ones, limits by the colors of squares, or castling after drops.
        const DROP_PHASE = 1 << 30;
    }
}

impl Mechanics {
    /// Leaps, slides, hops and cannons, with the castling and pawn moves of chess.
    pub const PLAIN: Mechanics = Mechanics::CASTLING
        .union(Mechanics::CASTLING_FROM_ANY_FILE)
        .union(Mechanics::EN_PASSANT)
        .union(Mechanics::CANNON)
        .union(Mechanics::HOPPERS)
        .union(Mechanics::STAGED_PROMOTION)
        .union(Mechanics::REVERSIBLE_PAWNS);

    /// Derives the mechanics from the definition of a game.
    pub fn of(game: &GameDef) -> Mechanics {
        let movements: Vec<PieceMovement> = game.kinds.all().map(|kind| PieceMovement::of(game, kind)).collect();
        let castling = game.mechanisms.castling.as_ref();
        let present = [
            (Mechanics::CASTLING, castling.is_some()),
            (Mechanics::CASTLING_FROM_ANY_FILE, castling.is_some_and(|castling| castling.from_any_file)),
            (Mechanics::EN_PASSANT, game.has_en_passant()),
            (Mechanics::CANNON, game.mechanisms.cannon.is_some()),
            (
                Mechanics::HOPPERS,
                movements.iter().any(|movement| movement.hop_captures.any() || movement.hop_moves.any()),
            ),
            (Mechanics::JOKER, game.kinds.joker().is_some()),
            (Mechanics::GATING, game.mechanisms.gating.is_some()),
            (Mechanics::DROPS, game.mechanisms.drops.is_some()),
            (Mechanics::HANGING, !game.board.hanging().is_empty()),
            (
                Mechanics::STAGED_PROMOTION,
                game.pawns.promotion.iter().any(|rank| rank.optional) || game.pawns.promotion.len() != 1,
            ),
            (Mechanics::HANDICAPS, game.mechanisms.handicaps.is_some()),
            (Mechanics::REVERSIBLE_PAWNS, game.has_reversible_pawns()),
            (Mechanics::INITIAL_MOVES, game.rights.iter().any(|right| matches!(right.kind, RightKind::InitialMove(_)))),
            (
                Mechanics::IRREGULAR,
                movements.iter().any(|movement| movement.has_irregular)
                    || game.kinds.all().any(|kind| has_irregular_initial_path(game, kind)),
            ),
            (Mechanics::GOAL, game.mechanisms.goal.is_some()),
            (Mechanics::CHECK_COUNT, game.mechanisms.check_count.is_some()),
            (Mechanics::FORBIDS_CHECKS, game.mechanisms.forbidden_checks.is_some()),
            (Mechanics::BARE_KING, game.mechanisms.bare_king.is_some()),
            (Mechanics::KINGLESS, game.kinds.king().is_none()),
            (Mechanics::LONE_KING, game.kinds.king().is_some_and(|king| game.kind(king).side.is_some())),
            (Mechanics::FIRST_RANK_STEPS, game.pawns.first_rank_steps),
            (
                Mechanics::FORBIDS_SHIELDING,
                game.mechanisms.gating.as_ref().is_some_and(|gating| gating.forbids_shielding),
            ),
            (Mechanics::ROYALS, game.kinds.has_several_royals()),
            (Mechanics::EXTINCTION, game.mechanisms.extinction.is_some()),
            (Mechanics::FORCES_CAPTURES, game.mechanisms.forced_captures.is_some()),
            (Mechanics::EXPLOSIONS, game.mechanisms.explosions.is_some()),
            (Mechanics::WALLS, game.mechanisms.walls.is_some()),
            (Mechanics::FLYING_GENERAL, game.mechanisms.flying_general.is_some()),
            (Mechanics::COUNTING, game.mechanisms.counting.is_some()),
            (
                Mechanics::PROMOTION_RULES,
                game.mechanisms.piece_promotion.is_some()
                    || game.mechanisms.immobility.is_some()
                    || !game.pawns.promotion_limits.is_empty(),
            ),
            (
                Mechanics::DROP_PHASE,
                game.drops_kings()
                    || castling.is_some_and(|castling| castling.by_drops)
                    || game.mechanisms.drops.as_ref().is_some_and(|drops| drops.forced)
                    || game.mechanisms.drops.as_ref().is_some_and(|drops| !drops.opposite_colors.is_empty()),
            ),
        ];
        present.into_iter().filter(|(_, is_present)| *is_present).map(|(mechanic, _)| mechanic).collect()
    }
}

impl Mechanics {
    /// Returns true if moves that leave the king safe may be illegal for other reasons.
    pub(crate) const fn filters_moves(self) -> bool {
        self.tests_moves() || self.contains(Mechanics::FORCES_CAPTURES)
    }

    /// Returns true if such moves are tested one by one.
    pub(crate) const fn tests_moves(self) -> bool {
        self.contains(Mechanics::FORBIDS_CHECKS)
            || self.contains(Mechanics::ROYALS)
            || self.contains(Mechanics::EXPLOSIONS)
    }

    /// Returns true if pieces attack along lines, to the first piece on them, and by leaps only.
    pub(crate) const fn attacks_need_no_screen(self) -> bool {
        self.pin_masks_suffice() && !self.contains(Mechanics::CANNON) && !self.contains(Mechanics::HOPPERS)
    }

    /// Returns true if the check mask and pins decide which moves are legal; otherwise moves that
    /// can expose the king are tested one by one. Masks support sliders, hoppers, cannons, jokers,
    /// gating and drops, but not every combination.
    pub(crate) const fn pin_masks_suffice(self) -> bool {
        let lines_change = self.contains(Mechanics::HOPPERS) || self.contains(Mechanics::CANNON);
        !self.contains(Mechanics::IRREGULAR)
            && !self.contains(Mechanics::FLYING_GENERAL)
            && !(lines_change
                && (self.contains(Mechanics::GATING)
                    || self.contains(Mechanics::JOKER)
                    || self.contains(Mechanics::HANGING)))
    }
}

/// Returns true if the kind has an initial path other than a leap to an empty square or a pawn's
/// double step.
fn has_irregular_initial_path(game: &GameDef, kind: Kind) -> bool {
    let class = game.kind(kind).class;
    let mut initial = game.kind(kind).movement.paths.iter().filter(|path| path.initial);
    initial.any(|path| {
        let is_regular =
            if class == PieceClass::Pawn { game.is_double_step(kind, path) } else { path.kind == PathKind::Leap };
        !is_regular || path.modality.captures || path.modality.en_passant
    })
}

/// Compile-time facts about a game. Constants have no defaults, so that a new game must state each
/// of them.
pub trait Ruleset: Copy + Debug + Default + Send + Sync + 'static {
    type Word: BitboardWord;
    /// Name of the game; `None` for a ruleset that serves any game.
    const NAME: Option<&'static str>;
    /// Weights file; `None` if weights are computed from the movement of the pieces.
    const WEIGHTS: Option<&'static str>;
    /// Network file, if the game is played with a network.
    const NETWORK: Option<&'static [u8]>;
    /// Mechanics of the built-in game, or all mechanics that a general ruleset supports.
    const MECHANICS: Mechanics;
    /// Movement of each kind, in the order of the definition; empty for a general ruleset.
    const KINDS: &'static [PieceMovement];
}

/// The files with the evaluation of a built-in game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EvaluationFiles {
    /// See [`Ruleset::WEIGHTS`].
    pub(crate) weights: Option<&'static str>,
    /// See [`Ruleset::NETWORK`].
    pub(crate) network: Option<&'static [u8]>,
}

impl EvaluationFiles {
    /// The files of a game; none for a user's game, even if it has the name of a built-in one.
    pub(crate) fn of(game: &GameDef) -> EvaluationFiles {
        macro_rules! find {
            ($($name:ident $ruleset:ident,)+) => {
                $(if game.name == stringify!($name) && game.is_builtin() {
                    return EvaluationFiles {
                        weights: $ruleset::WEIGHTS,
                        network: $ruleset::NETWORK,
                    };
                })+
            };
        }
        for_each_builtin!(find);
        EvaluationFiles::default()
    }
}

/// Returns true if the ruleset serves any game.
pub(crate) const fn is_general<R: Ruleset>() -> bool {
    R::NAME.is_none()
}

/// Returns the movement of a kind of a built-in game; [`PieceMovement::NONE`] beyond the last kind.
pub(crate) const fn movement_of<R: Ruleset>(index: usize) -> PieceMovement {
    if index < R::KINDS.len() { R::KINDS[index] } else { PieceMovement::NONE }
}

/// Returns the kind of a built-in game that has the role.
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

/// Evaluates a block for the kinds of one of the lists in `KindLists`, with their movement.
///
/// For built-in games the block is unrolled over all kinds with the movement as a constant; it must
/// then itself check whether the kind belongs to the list.
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

/// Maximum number of kinds of a built-in game: as many as `for_each_kind!` unrolls.
pub(crate) const MAX_BUILTIN_KINDS: usize = 16;
