//! Lookup tables of a game, built once from its definition.

mod drops;
mod explosions;
mod irregular;
mod king_exposure;
mod leaps;
mod pawns;
mod promotion_rules;
mod sliders;
mod zobrist;

use std::iter;
use std::marker::PhantomData;
use std::sync::Arc;

use assay_rules::def::{CastlingWing, PieceClass, RightKind};
use assay_rules::movement::PathKind;
use assay_rules::piece::{Kind, MAX_KINDS, Piece};
use assay_rules::{Color, GameDef, Points, Square};

use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::Move;
use crate::platform::has_fast_pext;
use crate::ruleset::{Lines, PieceMovement};
use crate::ruleset::{MAX_BUILTIN_KINDS, Mechanics, Role, Ruleset, is_general, kind_with_role};

pub(crate) use drops::DropTables;
pub(crate) use explosions::ExplosionTables;
pub(crate) use irregular::IrregularPath;
pub(crate) use king_exposure::KingExposure;
pub(crate) use leaps::Leaps;
pub(crate) use pawns::{DoubleStep, Forward, PawnTables, Promotion};
pub(crate) use promotion_rules::PromotionRules;
pub(crate) use sliders::Sliders;
pub(crate) use zobrist::Zobrist;

/// Length of an array with an entry for every piece; a power of two, so that indexing needs no
/// bounds check.
pub(crate) const PIECE_INDICES: usize = (2 * MAX_KINDS).next_power_of_two();

/// Index of a piece in an array ordered by kind, then color.
#[inline(always)]
pub(crate) fn piece_index(color: Color, kind: Kind) -> usize {
    (kind.index() << 1 | color.index()) % PIECE_INDICES
}

/// Movement tables of one kind and color.
#[derive(Clone, Debug)]
pub(crate) struct KindTables<W: BitboardWord> {
    /// Leaps, initial ones excluded.
    pub(crate) leaps: Leaps<W>,
    /// Initial leaps; `None` if the kind has no initial paths.
    pub(crate) initial_leaps: Option<Box<Leaps<W>>>,
    /// Paths that are neither leaps nor complete lines.
    pub(crate) irregular: Box<[IrregularPath<W>]>,
    /// True if the kind has any path except ordinary leaps, complete lines and double steps.
    pub(crate) has_irregular: bool,
}

/// A castling move with its squares as bitboards.
#[derive(Clone, Debug)]
pub(crate) struct CastlingTables<W: BitboardWord> {
    pub(crate) wing: CastlingWing,
    /// Bit of the castling right.
    pub(crate) right: u64,
    /// Squares that must be empty.
    pub(crate) empty: Bitboard<W>,
    /// Squares that the king enters, including its target.
    pub(crate) king_path: Bitboard<W>,
    /// True if there are squares beyond the partner's origin, so that castling can open a line to
    /// the king.
    pub(crate) can_discover_attack: bool,
}

/// A [goal](assay_rules::def::Goal) with its squares as bitboards, indexed by color.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GoalTables<W: BitboardWord> {
    pub(crate) kind: Kind,
    /// The promoted copy of the kind, which can reach the goal, too.
    pub(crate) copy: Option<Kind>,
    pub(crate) squares: [Bitboard<W>; 2],
    pub(crate) last_turn: bool,
    pub(crate) held: bool,
}

/// An [extinction](assay_rules::def::Extinction) rule: too few pieces of a group decide.
#[derive(Clone, Debug)]
pub(crate) struct ExtinctionTables {
    /// Kinds that are counted together, with their promoted copies.
    pub(crate) groups: Box<[Box<[Kind]>]>,
    pub(crate) at_most: u32,
    /// Points for the extinct side.
    pub(crate) score: Points,
}

impl ExtinctionTables {
    /// `None` in games without extinction.
    fn new(game: &GameDef) -> Option<ExtinctionTables> {
        let rule = game.mechanisms.extinction.as_ref()?;
        let group =
            |kinds: &[Kind]| game.kinds.all().filter(|&kind| kinds.contains(&game.kinds.original(kind))).collect();
        Some(ExtinctionTables {
            groups: if rule.together {
                [group(&rule.kinds)].into()
            } else {
                rule.kinds.iter().map(|&kind| group(&[kind])).collect()
            },
            at_most: rule.at_most,
            score: rule.score,
        })
    }
}

/// Kinds grouped by their movement.
#[derive(Clone, Debug)]
pub(crate) struct KindLists {
    pub(crate) all: Box<[(Kind, PieceMovement)]>,
    /// Kinds that capture by leaps.
    pub(crate) leapers: Box<[(Kind, PieceMovement)]>,
    /// Kinds that capture along lines, sliding or hopping.
    pub(crate) line_pieces: Box<[(Kind, PieceMovement)]>,
    /// Kinds with [`KindTables::has_irregular`].
    pub(crate) irregular: Box<[Kind]>,
}

/// Common movements, for which the loops over the pieces of a user-defined game are specialized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// [`PieceMovement::LEAPER`]
    Leaper,
    /// [`PieceMovement::slider`] on rank and file.
    Rook,
    /// [`PieceMovement::slider`] on diagonals.
    Bishop,
    /// [`PieceMovement::slider`] on all lines.
    Queen,
    Other,
}

impl Shape {
    fn of(movement: PieceMovement) -> Shape {
        let common = [
            (PieceMovement::LEAPER, Shape::Leaper),
            (PieceMovement::slider(Lines::ORTHOGONAL), Shape::Rook),
            (PieceMovement::slider(Lines::DIAGONAL), Shape::Bishop),
            (PieceMovement::slider(Lines::ALL), Shape::Queen),
        ];
        let found = common.into_iter().find(|&(candidate, _)| candidate == movement);
        found.map_or(Shape::Other, |(_, shape)| shape)
    }
}

/// One value per square.
pub(crate) type BySquare<R, T> = <<R as Ruleset>::Word as BitboardWord>::PerSquare<T>;

/// Lookup tables of one game, shared by all its positions.
#[derive(Clone, Debug)]
pub struct Tables<R: Ruleset> {
    game: Arc<GameDef>,
    /// All squares of the board.
    pub(crate) squares: Bitboard<R::Word>,
    /// Squares that can be entered only by capturing.
    pub(crate) hanging: Bitboard<R::Word>,
    /// Hanging squares if they must be added to the blockers of slides; empty if the lines of the
    /// slider tables end on them.
    pub(crate) hanging_blockers: Bitboard<R::Word>,
    /// Mechanics of the definition. Use [`Tables::mechanics`], which is constant for built-in
    /// games.
    mechanics: Mechanics,
    pub(crate) movements: Box<[PieceMovement]>,
    shapes: Box<[Shape]>,
    /// Indexed by kind, then color.
    kinds: Box<[[KindTables<R::Word>; 2]]>,
    pub(crate) lists: KindLists,
    /// Tables of the first kind of pawns, indexed by color.
    first_pawns: [PawnTables<R::Word>; 2],
    /// Tables of the other kinds of pawns. Use [`Tables::other_pawns`], which built-in games know
    /// to be empty.
    other_pawns: Box<[[PawnTables<R::Word>; 2]]>,
    /// Indexed by color.
    pub(crate) forward: [Forward<R::Word>; 2],
    pub(crate) sliders: Sliders<R::Word>,
    /// Squares strictly between two squares of one line, if no wall is between them; empty for any
    /// other pair.
    between: Box<[BySquare<R, Bitboard<R::Word>>]>,
    /// Indexed by color.
    pub(crate) castlings: [Box<[CastlingTables<R::Word>]>; 2],
    /// Bits of all rights to castle, indexed by color.
    pub(crate) castling_rights: [u64; 2],
    /// Rights that are kept when the piece on a square moves or is captured.
    pub(crate) kept_rights: BySquare<R, u64>,
    /// Bit of the gating right of the piece that starts on a square.
    pub(crate) gate_right: BySquare<R, u64>,
    /// Bit of the right to initial paths of the piece that starts on a square.
    pub(crate) initial_move_right: BySquare<R, u64>,
    /// The goal that wins, if the game has one.
    pub(crate) goal: Option<GoalTables<R::Word>>,
    /// The rule of extinction, if the game has one.
    pub(crate) extinction: Option<ExtinctionTables>,
    pub(crate) explosions: Option<Box<ExplosionTables<R::Word>>>,
    /// Kinds that are royal in any number.
    pub(crate) royal_kinds: Box<[Kind]>,
    /// Bits of all gating rights, indexed by color.
    pub(crate) gate_rights: [u64; 2],
    /// Bits of all rights to initial paths, indexed by color.
    pub(crate) initial_move_rights: [u64; 2],
    pub(crate) zobrist: Zobrist<R::Word>,
    pub(crate) drops: Option<Box<DropTables<R::Word>>>,
    pub(crate) promotion_rules: Option<Box<PromotionRules<R::Word>>>,
    /// Indexed by the king's color, then its square; only for games in which pin masks do not
    /// suffice.
    exposures: Option<[Box<BySquare<R, KingExposure<R::Word>>>; 2]>,
    ruleset: PhantomData<R>,
}

impl<R: Ruleset> Tables<R> {
    /// Builds the tables of a game.
    ///
    /// # Panics
    /// If the ruleset is not made for this game or its board; [`crate::dispatch()`] chooses a
    /// ruleset that fits.
    pub fn new(game: &Arc<GameDef>) -> Arc<Tables<R>> {
        Tables::build(game, has_fast_pext())
    }

    /// Builds the tables of a game without PEXT bitboards, as for processors where PEXT is slow.
    ///
    /// # Panics
    /// As [`Tables::new`].
    pub fn without_pext(game: &Arc<GameDef>) -> Arc<Tables<R>> {
        Tables::build(game, false)
    }

    fn build(game: &Arc<GameDef>, use_pext: bool) -> Arc<Tables<R>> {
        check_ruleset::<R>(game);
        let board = &game.board;
        let hanging = Bitboard::from_set(board.hanging());
        let movements: Box<[PieceMovement]> = game.kinds.all().map(|kind| PieceMovement::of(game, kind)).collect();
        // Slides end on hanging squares, but a hopper can use a piece there as its screen and go
        // on.
        let hops = movements.iter().any(|movement| movement.hop_captures.any() || movement.hop_moves.any());
        let hanging_blockers = if hops { hanging } else { Bitboard::EMPTY };
        let sliders = Sliders::new(board, if hops { Bitboard::EMPTY } else { hanging }, use_pext);
        let kinds: Box<[[KindTables<R::Word>; 2]]> = game
            .kinds
            .all()
            .map(|kind| {
                Color::ALL.map(|color| {
                    let movement = &game.kind(kind).movement;
                    let has_first = movement.paths.iter().any(|path| path.initial);
                    let irregular = IrregularPath::all(game, kind, color);
                    let leaps_first = movement.paths.iter().any(|path| path.initial && path.kind == PathKind::Leap);
                    KindTables {
                        leaps: Leaps::new(game, kind, color, false),
                        initial_leaps: has_first.then(|| Box::new(Leaps::new(game, kind, color, true))),
                        has_irregular: leaps_first
                            || irregular.iter().any(|other| !other.double || other.modality.captures),
                        irregular,
                    }
                })
            })
            .collect();
        let kinds_that = |filter: &dyn Fn(&PieceMovement) -> bool| {
            let all = game.kinds.all().map(|kind| (kind, movements[kind.index()]));
            all.filter(|(_, movement)| filter(movement)).collect()
        };
        let is_pawn = |kind: &Kind| movements[kind.index()].role == Role::Pawn;
        let pawns: Vec<_> = game.kinds.all().filter(is_pawn).collect();
        let mut pawns = pawns.into_iter().map(|kind| Color::ALL.map(|color| PawnTables::new(game, kind, color)));
        let mut tables = Tables {
            lists: KindLists {
                all: kinds_that(&|_| true),
                leapers: kinds_that(&|movement| movement.leap_captures),
                line_pieces: kinds_that(&|movement| movement.slide_captures.any() || movement.hop_captures.any()),
                irregular: game.kinds.all().filter(|kind| kinds[kind.index()][0].has_irregular).collect(),
            },
            shapes: movements.iter().map(|&movement| Shape::of(movement)).collect(),
            mechanics: Mechanics::of(game),
            squares: board.squares().collect(),
            hanging,
            hanging_blockers,
            movements,
            kinds,
            first_pawns: pawns.next().expect("every game has pawns"),
            other_pawns: pawns.collect(),
            forward: Color::ALL.map(|color| Forward::new(game, color)),
            between: between_table(game, &sliders),
            sliders,
            castlings: Color::ALL.map(|color| castlings(game, color)),
            kept_rights: R::Word::per_square(u64::MAX),
            gate_right: R::Word::per_square(0),
            initial_move_right: R::Word::per_square(0),
            castling_rights: [0; 2],
            gate_rights: [0; 2],
            initial_move_rights: [0; 2],
            zobrist: Zobrist::new(game.kinds.len()),
            drops: DropTables::new(game).map(Box::new),
            promotion_rules: PromotionRules::new(game).map(Box::new),
            goal: game.mechanisms.goal.as_ref().map(|goal| GoalTables {
                kind: goal.kind,
                copy: game.kinds.promoted_copy(goal.kind),
                squares: Color::ALL.map(|color| Bitboard::from_set(goal.squares[color])),
                last_turn: goal.last_turn,
                held: goal.held,
            }),
            extinction: ExtinctionTables::new(game),
            explosions: ExplosionTables::new(game).map(Box::new),
            royal_kinds: game.kinds.all().filter(|&kind| game.kind(kind).class == PieceClass::Royal).collect(),
            exposures: None,
            game: Arc::clone(game),
            ruleset: PhantomData,
        };
        tables.index_rights();
        if !tables.mechanics().pin_masks_suffice() {
            let Tables { movements, kinds, sliders, forward, .. } = &tables;
            tables.exposures = Some(
                Color::ALL
                    .map(|us| Box::new(king_exposure::king_exposure(game, us, movements, kinds, sliders, forward))),
            );
        }
        Arc::new(tables)
    }

    fn index_rights(&mut self) {
        for (index, right) in self.game.rights.iter().enumerate() {
            let bit = 1 << index;
            for square in right.squares.iter() {
                self.kept_rights[square.index()] &= !bit;
            }
            match right.kind {
                RightKind::Castle(_) => self.castling_rights[right.color.index()] |= bit,
                RightKind::Gate(square) => {
                    self.gate_right[square.index()] |= bit;
                    self.gate_rights[right.color.index()] |= bit;
                }
                RightKind::InitialMove(square) => {
                    self.initial_move_right[square.index()] |= bit;
                    self.initial_move_rights[right.color.index()] |= bit;
                }
            }
        }
    }

    pub fn game(&self) -> &Arc<GameDef> {
        &self.game
    }

    /// Mechanics of the game: constants for built-in games, else as the definition says, as far as
    /// the ruleset allows them.
    #[inline(always)]
    pub(crate) fn mechanics(&self) -> Mechanics {
        if is_general::<R>() { R::MECHANICS.intersection(self.mechanics) } else { R::MECHANICS }
    }

    /// Returns true if the game has the mechanic.
    #[inline(always)]
    pub(crate) fn has(&self, mechanic: Mechanics) -> bool {
        self.mechanics().contains(mechanic)
    }

    #[inline(always)]
    pub(crate) fn kind(&self, kind: Kind, color: Color) -> &KindTables<R::Word> {
        &self.kinds[kind.index()][color.index()]
    }

    #[inline(always)]
    pub(crate) fn shape(&self, kind: Kind) -> Shape {
        self.shapes[kind.index()]
    }

    #[inline(always)]
    pub(crate) fn movement(&self, kind: Kind) -> PieceMovement {
        self.movements[kind.index()]
    }

    #[inline(always)]
    fn other_pawns(&self) -> &[[PawnTables<R::Word>; 2]] {
        if is_general::<R>() { &self.other_pawns } else { &[] }
    }

    /// The kinds that are pawns.
    #[inline(always)]
    pub(crate) fn pawn_kinds(&self) -> impl Iterator<Item = Kind> {
        let first = const { kind_with_role::<R>(Role::Pawn) }.unwrap_or(self.first_pawns[0].kind);
        iter::once(first).chain(self.other_pawns().iter().map(|pawns| pawns[0].kind))
    }

    #[inline(always)]
    pub(crate) fn is_pawn(&self, kind: Kind) -> bool {
        self.pawn_kinds().any(|pawn| pawn == kind)
    }

    /// Tables of a kind of pawns.
    #[inline(always)]
    pub(crate) fn pawns_of(&self, kind: Kind, color: Color) -> &PawnTables<R::Word> {
        let other = self.other_pawns().iter().find(|pawns| pawns[0].kind == kind);
        &other.unwrap_or(&self.first_pawns)[color.index()]
    }

    /// All squares straight ahead of a square.
    #[inline(always)]
    pub(crate) fn ahead(&self, color: Color, square: Square) -> Bitboard<R::Word> {
        R::Word::at(&self.forward[color.index()].ahead, square)
    }

    /// The castling that a move of `color` makes.
    pub(crate) fn castling(&self, color: Color, mv: Move) -> &CastlingWing {
        let mut wings = self.castlings[color.index()].iter().map(|tables| &tables.wing);
        let wing = wings.find(|wing| wing.king_from == mv.from() && wing.target == mv.to());
        wing.expect("only castlings of the game are castled on")
    }

    /// Squares strictly between two squares of one line; empty for any other pair.
    #[inline(always)]
    pub(crate) fn between(&self, one: Square, other: Square) -> Bitboard<R::Word> {
        R::Word::at(&self.between[one.index()], other)
    }

    /// Squares that can expose a king; `None` in games for which pin masks suffice.
    pub(crate) fn king_exposure(&self, us: Color, king: Square) -> Option<KingExposure<R::Word>> {
        self.exposures.as_ref().map(|exposures| R::Word::at(&exposures[us.index()], king))
    }

    /// Square that a double step passes over.
    #[inline(always)]
    pub(crate) fn passed_by(&self, pawn: Piece, from: Square, to: Square) -> Option<Square> {
        let offset = i32::from(to.0) - i32::from(from.0);
        let double_steps = &self.pawns_of(pawn.kind, pawn.color).double_steps;
        let double = double_steps.iter().find(|double| double.offset == offset && double.origins.contains(from))?;
        Some(Square((i32::from(from.0) + double.over) as u8))
    }
}

/// Checks the ruleset against the definition.
fn check_ruleset<R: Ruleset>(game: &GameDef) {
    assert!(R::Word::fits(&game.board), "{}: the board does not fit the ruleset's word", game.name);
    const {
        assert!(R::KINDS.len() <= MAX_BUILTIN_KINDS, "for_each_kind! must unroll further");
    };
    let Some(name) = R::NAME else {
        assert!(R::MECHANICS.contains(Mechanics::of(game)), "{}: the ruleset lacks one of its mechanics", game.name);
        return;
    };
    assert_eq!(
        R::MECHANICS,
        Mechanics::of(game),
        "ruleset {name}: mechanics (left) differ from the definition (right)"
    );
    assert_eq!(R::KINDS.len(), game.kinds.len(), "ruleset {name}: number of kinds differs from the definition");
    for kind in game.kinds.all() {
        let title = &game.kind(kind).name;
        let known = R::KINDS[kind.index()];
        assert_eq!(
            known,
            PieceMovement::of(game, kind),
            "ruleset {name}: {title} (left) differs from the definition (right)"
        );
    }
}

fn between_table<W: BitboardWord>(game: &GameDef, sliders: &Sliders<W>) -> Box<[W::PerSquare<Bitboard<W>>]> {
    let board = &game.board;
    let mut between = vec![W::per_square(Bitboard::EMPTY); W::BITS].into_boxed_slice();
    for one in board.squares() {
        for other in sliders.lines(Lines::ALL, one) {
            let sign = |from: u8, to: u8| (i16::from(to) - i16::from(from)).signum();
            let step = (sign(board.file(one), board.file(other)), sign(board.rank(one), board.rank(other)));
            let way = sliders::ray(board, one, step, Bitboard::of(other));
            between[one.index()][other.index()] = way & !Bitboard::of(other);
        }
    }
    between
}

fn castlings<W: BitboardWord>(game: &GameDef, color: Color) -> Box<[CastlingTables<W>]> {
    let own = game.castling_wings().iter().filter(|wing| wing.color == color);
    own.map(|wing| CastlingTables {
        wing: wing.clone(),
        right: game.castling_right(wing).map_or(0, |index| 1 << index),
        empty: wing.empty.iter().copied().collect(),
        king_path: wing.crossed.iter().copied().chain([wing.king_to]).collect(),
        can_discover_attack: {
            let outward = if wing.partner_from > wing.king_from { 1 } else { -1 };
            sliders::ray::<W>(&game.board, wing.partner_from, (outward, 0), Bitboard::EMPTY).any()
        },
    })
    .collect()
}
