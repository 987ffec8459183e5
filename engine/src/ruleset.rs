//! Rulesets: compile-time facts about games, which specialize the move generator.
//!
//! Each built-in game has a type that implements [`Ruleset`], in a file of its own; `for_each_builtin!` of `assay-rules` lists
//! them. All constants are checked against the game's definition when its tables are built. User-defined games use [`Plain64`],
//! [`Plain128`], [`General64`] or [`General128`], which read the movement of each kind from the tables.

mod apothecary2;
mod berolina;
mod chess;
mod gamma2;
mod general;
mod gunnery;
mod piece_movement;
mod scorpion;

use std::fmt::Debug;

use assay_rules::def::RightKind;
use assay_rules::movement::PathKind;
use assay_rules::piece::Kind;
use assay_rules::{GameDef, for_each_builtin};

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

/// Mechanics of a game that movement notation cannot express or that the generator specializes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mechanics {
    pub castling: bool,
    /// [Castling from any file](assay_rules::def::Castling::from_any_file).
    pub castling_from_any_file: bool,
    /// En passant captures.
    pub en_passant: bool,
    /// Cannon captures by pawns.
    pub cannon: bool,
    /// Pieces that hop over a screen along complete lines, so that entering a square can open a line.
    pub hoppers: bool,
    /// A kind that moves like the piece the opponent moved last.
    pub joker: bool,
    /// Gating of pieces from a pocket.
    pub gating: bool,
    /// Drops of pieces from a pocket.
    pub drops: bool,
    /// Squares that can be entered only by capturing.
    pub hanging: bool,
    /// Optional promotion, or promotion on several ranks.
    pub staged_promotion: bool,
    /// Two-move handicaps on the first turn.
    pub handicaps: bool,
    /// [Pawn moves that can be undone](GameDef::has_reversible_pawns).
    pub reversible_pawns: bool,
    /// Paths of unmoved pieces other than pawns.
    pub initial_moves: bool,
    /// Paths that are neither leaps nor complete lines, double steps of pawns excepted.
    pub irregular: bool,
    /// Squares that win the game for a side whose piece reaches them.
    pub goal: bool,
    /// A number of checks that wins.
    pub check_count: bool,
    /// Moves that give check are illegal.
    pub forbids_checks: bool,
    /// A bare king loses.
    pub bare_king: bool,
    /// No king: no kind of which each side has one royal piece.
    pub kingless: bool,
    /// Only one side has a king.
    pub lone_king: bool,
    /// Pawns also have their initial moves on the first rank.
    pub first_rank_steps: bool,
    /// A gated piece may not shield the king.
    pub forbids_shielding: bool,
    /// Pieces that are royal in any number.
    pub royals: bool,
    /// Too few pieces of some kind decide the game.
    pub extinction: bool,
    /// A side that can capture must do so.
    pub forces_captures: bool,
    /// Captures explode.
    pub explosions: bool,
    /// Squares that no piece enters or passes, which moves may make.
    pub walls: bool,
    /// Kings attack along their files.
    pub flying_general: bool,
    /// A side must mate within a number of moves.
    pub counting: bool,
    /// Pieces promote, the number of promoted ones is limited, or none may be put where only a capture leads on.
    pub piece_promotion: bool,
}

impl Mechanics {
    pub const ALL: Mechanics = Mechanics {
        castling: true,
        castling_from_any_file: true,
        en_passant: true,
        cannon: true,
        hoppers: true,
        joker: true,
        gating: true,
        drops: true,
        hanging: true,
        staged_promotion: true,
        handicaps: true,
        reversible_pawns: true,
        initial_moves: true,
        irregular: true,
        goal: true,
        check_count: true,
        forbids_checks: true,
        bare_king: true,
        kingless: true,
        lone_king: true,
        first_rank_steps: true,
        forbids_shielding: true,
        royals: true,
        extinction: true,
        forces_captures: true,
        explosions: true,
        walls: true,
        flying_general: true,
        counting: true,
        piece_promotion: true,
    };

    /// Leaps, slides, hops and cannons, with the castling and pawn moves of chess.
    pub const PLAIN: Mechanics = Mechanics {
        joker: false,
        gating: false,
        drops: false,
        hanging: false,
        handicaps: false,
        initial_moves: false,
        irregular: false,
        goal: false,
        check_count: false,
        forbids_checks: false,
        bare_king: false,
        kingless: false,
        lone_king: false,
        first_rank_steps: false,
        forbids_shielding: false,
        royals: false,
        extinction: false,
        forces_captures: false,
        explosions: false,
        walls: false,
        flying_general: false,
        counting: false,
        piece_promotion: false,
        ..Mechanics::ALL
    };

    /// Returns the mechanics that are in both sets.
    #[must_use]
    #[inline(always)]
    pub const fn intersection(self, other: Mechanics) -> Mechanics {
        Mechanics {
            castling: self.castling && other.castling,
            castling_from_any_file: self.castling_from_any_file && other.castling_from_any_file,
            en_passant: self.en_passant && other.en_passant,
            cannon: self.cannon && other.cannon,
            hoppers: self.hoppers && other.hoppers,
            joker: self.joker && other.joker,
            gating: self.gating && other.gating,
            drops: self.drops && other.drops,
            hanging: self.hanging && other.hanging,
            staged_promotion: self.staged_promotion && other.staged_promotion,
            handicaps: self.handicaps && other.handicaps,
            reversible_pawns: self.reversible_pawns && other.reversible_pawns,
            initial_moves: self.initial_moves && other.initial_moves,
            irregular: self.irregular && other.irregular,
            goal: self.goal && other.goal,
            check_count: self.check_count && other.check_count,
            forbids_checks: self.forbids_checks && other.forbids_checks,
            bare_king: self.bare_king && other.bare_king,
            kingless: self.kingless && other.kingless,
            lone_king: self.lone_king && other.lone_king,
            first_rank_steps: self.first_rank_steps && other.first_rank_steps,
            forbids_shielding: self.forbids_shielding && other.forbids_shielding,
            royals: self.royals && other.royals,
            extinction: self.extinction && other.extinction,
            forces_captures: self.forces_captures && other.forces_captures,
            explosions: self.explosions && other.explosions,
            walls: self.walls && other.walls,
            flying_general: self.flying_general && other.flying_general,
            counting: self.counting && other.counting,
            piece_promotion: self.piece_promotion && other.piece_promotion,
        }
    }

    /// Derives the mechanics from the definition of a game.
    pub fn of(game: &GameDef) -> Mechanics {
        let movements: Vec<PieceMovement> = game.all_kinds().map(|kind| PieceMovement::of(game, kind)).collect();
        Mechanics {
            castling: game.castling.is_some(),
            castling_from_any_file: game.castling.as_ref().is_some_and(|castling| castling.from_any_file),
            en_passant: game.has_en_passant(),
            cannon: game.has_pawn_cannon,
            hoppers: movements.iter().any(|movement| movement.hop_captures.any() || movement.hop_moves.any()),
            joker: game.joker.is_some(),
            gating: game.gating.is_some(),
            drops: game.drops.is_some(),
            hanging: !game.board.hanging().is_empty(),
            staged_promotion: game.promotion.iter().any(|rank| rank.optional) || game.promotion.len() != 1,
            handicaps: game.has_handicaps,
            reversible_pawns: game.has_reversible_pawns(),
            initial_moves: game.rights.iter().any(|right| matches!(right.kind, RightKind::InitialMove(_))),
            irregular: movements.iter().any(|movement| movement.has_irregular)
                || game.all_kinds().any(|kind| has_irregular_initial_path(game, kind)),
            goal: game.goal.is_some(),
            check_count: game.checks.is_some(),
            forbids_checks: game.forbids_checks,
            bare_king: game.bare_king_loses,
            kingless: game.king.is_none(),
            lone_king: game.king.is_some_and(|king| game.kind(king).side.is_some()),
            first_rank_steps: game.first_rank_steps,
            forbids_shielding: game.forbids_shielding,
            royals: game.has_several_royals(),
            extinction: game.extinction.is_some(),
            forces_captures: game.forces_captures,
            explosions: game.explosions.is_some(),
            walls: game.walls.is_some(),
            flying_general: game.flying_general,
            counting: game.counting.is_some(),
            piece_promotion: game.piece_promotion.is_some()
                || game.forbids_immobility
                || !game.promotion_limits.is_empty(),
        }
    }
}

impl Mechanics {
    /// Returns true if moves that leave the king safe may be illegal for other reasons.
    pub(crate) const fn filters_moves(self) -> bool {
        self.tests_moves() || self.forces_captures
    }

    /// Returns true if such moves are tested one by one.
    pub(crate) const fn tests_moves(self) -> bool {
        self.forbids_checks || self.royals || self.explosions
    }

    /// Returns true if pieces attack along lines, to the first piece on them, and by leaps only.
    pub(crate) const fn attacks_need_no_screen(self) -> bool {
        self.pin_masks_suffice() && !self.cannon && !self.hoppers
    }

    /// Returns true if the check mask and pins decide which moves are legal; otherwise moves that can expose the king are
    /// tested one by one. Masks support sliders, hoppers, cannons, jokers, gating and drops, but not every combination.
    pub(crate) const fn pin_masks_suffice(self) -> bool {
        let lines_change = self.hoppers || self.cannon;
        !self.irregular && !self.flying_general && !(lines_change && (self.gating || self.joker || self.hanging))
    }
}

/// Returns true if the kind has an initial path other than a leap to an empty square or a pawn's double step.
fn has_irregular_initial_path(game: &GameDef, kind: Kind) -> bool {
    let mut initial = game.kind(kind).movement.paths.iter().filter(|path| path.initial);
    initial.any(|path| {
        let is_regular = if kind == game.pawn { game.is_double_step(kind, path) } else { path.kind == PathKind::Leap };
        !is_regular || path.modality.captures || path.modality.en_passant
    })
}

/// Compile-time facts about a game. Constants have no defaults, so that a new game must state each of them.
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
/// For built-in games the block is unrolled over all kinds with the movement as a constant; it must then itself check whether
/// the kind belongs to the list.
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
