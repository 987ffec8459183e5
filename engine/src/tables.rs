//! Everything about a game that positions look up, built once from its definition.

mod leaps;
mod others;
mod pawns;
mod sliders;
mod zobrist;
mod zones;

use std::marker::PhantomData;
use std::sync::Arc;

use assay_rules::def::{CastlingWing, RightKind};
use assay_rules::movement::PathKind;
use assay_rules::piece::{Kind, MAX_KINDS};
use assay_rules::{Color, GameDef, Square};

use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::platform::CpuFeatures;
use crate::ruleset::{Lines, PieceMovement};
use crate::ruleset::{MOST_KINDS, Mechanics, Ruleset, is_general};

pub(crate) use leaps::Leaps;
pub(crate) use others::Other;
pub(crate) use pawns::{Pawns, Promotion};
pub(crate) use sliders::Sliders;
pub(crate) use zobrist::Zobrist;
pub(crate) use zones::Zone;

/// Length of an array with an entry for every piece; a power of two, so that indexing needs no bounds check.
pub(crate) const PIECE_INDICES: usize = (2 * MAX_KINDS).next_power_of_two();

/// Index of a piece in an array ordered by kind, then color.
#[inline(always)]
pub(crate) fn piece_index(color: Color, kind: Kind) -> usize {
    (kind.index() << 1 | color.index()) % PIECE_INDICES
}

/// What one kind of one side can do.
#[derive(Clone, Debug)]
pub(crate) struct KindTables<W: BitboardWord> {
    /// Its leaps, initial ones excluded.
    pub(crate) leaps: Leaps<W>,
    /// Its initial leaps, when it has any.
    pub(crate) first: Option<Box<Leaps<W>>>,
    /// All that is neither a leap nor a complete line.
    pub(crate) others: Box<[Other<W>]>,
    /// Does it go or capture by anything but ordinary leaps, complete lines, and double steps?
    pub(crate) odd: bool,
}

/// A castling with its squares as sets.
#[derive(Clone, Debug)]
pub(crate) struct WingTables<W: BitboardWord> {
    /// The definition's wing.
    pub(crate) wing: CastlingWing,
    /// The bit of its right.
    pub(crate) right: u64,
    /// Squares that must be empty.
    pub(crate) empty: Bitboard<W>,
    /// The squares that the king enters, its end among them.
    pub(crate) king_way: Bitboard<W>,
    /// Can there be pieces beyond the partner's home, whose line to the king's end opens when the partner leaves?
    pub(crate) uncovers: bool,
}

/// Kinds by what they can do, with their recipes.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    /// Every kind.
    pub(crate) all: Box<[(Kind, PieceMovement)]>,
    /// Those that capture by leaps.
    pub(crate) leapers: Box<[(Kind, PieceMovement)]>,
    /// Those that capture along lines, sliding or hopping.
    pub(crate) liners: Box<[(Kind, PieceMovement)]>,
    /// Those that are odd in the sense of [`KindTables::odd`].
    pub(crate) odd: Box<[Kind]>,
}

/// The usual recipes: loops over pieces of a user's game are compiled for each of them.
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
    /// Any other.
    Other,
}

impl Shape {
    fn of(recipe: PieceMovement) -> Shape {
        let usual = [
            (PieceMovement::LEAPER, Shape::Leaper),
            (PieceMovement::slider(Lines::STRAIGHT), Shape::Rook),
            (PieceMovement::slider(Lines::DIAGONAL), Shape::Bishop),
            (PieceMovement::slider(Lines::ALL), Shape::Queen),
        ];
        let known = usual.into_iter().find(|&(known, _)| known == recipe);
        known.map_or(Shape::Other, |(_, shape)| shape)
    }
}

/// One value for each square of a ruleset's boards.
pub(crate) type BySquare<R, T> = <<R as Ruleset>::Word as BitboardWord>::PerSquare<T>;

/// Everything that positions of one game look up.
#[derive(Clone, Debug)]
pub struct Tables<R: Ruleset> {
    game: Arc<GameDef>,
    /// All squares.
    pub(crate) squares: Bitboard<R::Word>,
    /// Squares that can be entered only by capturing.
    pub(crate) hanging: Bitboard<R::Word>,
    /// Hanging squares when they must be added to the blockers of every slide; none where the lines of the slider tables end
    /// on them anyway.
    pub(crate) walls: Bitboard<R::Word>,
    /// What the definition says; [`Tables::mechanics`] is what to look at.
    mechanics: Mechanics,
    /// How each kind moves.
    pub(crate) recipes: Box<[PieceMovement]>,
    /// Which of the usual recipes those are.
    shapes: Box<[Shape]>,
    /// By kind, then colour.
    kinds: Box<[[KindTables<R::Word>; 2]]>,
    pub(crate) lists: Lists,
    /// By colour.
    pub(crate) pawns: [Pawns<R::Word>; 2],
    pub(crate) sliders: Sliders<R::Word>,
    /// The squares strictly between two squares of one line that no wall cuts; no square for any other pair.
    between: Box<[BySquare<R, Bitboard<R::Word>>]>,
    /// By colour.
    pub(crate) wings: [Box<[WingTables<R::Word>]>; 2],
    /// The rights that survive when the piece on a square moves or is captured.
    pub(crate) keep: BySquare<R, u64>,
    /// The bit of the right to gate of the piece that began on a square.
    pub(crate) gate_right: BySquare<R, u64>,
    /// The bit of the right to initial powers of the piece that began on a square.
    pub(crate) first_right: BySquare<R, u64>,
    /// The bits of all rights to gate, by colour.
    pub(crate) gate_rights: [u64; 2],
    /// The bits of all rights to initial powers, by colour.
    pub(crate) first_rights: [u64; 2],
    pub(crate) zobrist: Zobrist<R::Word>,
    /// By the king's colour, then its square; only where masks do not suffice.
    zones: Option<[Box<BySquare<R, Zone<R::Word>>>; 2]>,
    processor: CpuFeatures,
    ruleset: PhantomData<R>,
}

impl<R: Ruleset> Tables<R> {
    /// Builds the tables of a game.
    ///
    /// # Panics
    /// When the game is not the one that the ruleset was written for, or too large for its word; [`crate::dispatch()`] chooses
    /// a ruleset that fits.
    pub fn new(game: &Arc<GameDef>) -> Arc<Tables<R>> {
        Tables::for_cpu_features(game, CpuFeatures::detect())
    }

    /// As [`Tables::new`], for a processor that can do no more than the one it runs on.
    ///
    /// # Panics
    /// As [`Tables::new`].
    pub fn for_cpu_features(game: &Arc<GameDef>, processor: CpuFeatures) -> Arc<Tables<R>> {
        check_ruleset::<R>(game);
        let board = &game.board;
        let hanging = Bitboard::from_set(board.hanging());
        let recipes: Box<[PieceMovement]> = game.all_kinds().map(|kind| PieceMovement::of(game, kind)).collect();
        // A slide ends on a hanging square, but a hop can use a piece there as its screen and go on.
        let hops = recipes
            .iter()
            .any(|recipe| recipe.hop_captures.any() || recipe.hop_moves.any());
        let walls = if hops { hanging } else { Bitboard::EMPTY };
        let sliders = Sliders::new(board, if hops { Bitboard::EMPTY } else { hanging }, processor);
        let kinds: Box<[[KindTables<R::Word>; 2]]> = game
            .all_kinds()
            .map(|kind| {
                Color::ALL.map(|color| {
                    let movement = &game.kind(kind).movement;
                    let has_first = movement.paths.iter().any(|path| path.initial);
                    let others = Other::all(game, kind, color);
                    let leaps_first = movement
                        .paths
                        .iter()
                        .any(|path| path.initial && path.kind == PathKind::Leap);
                    KindTables {
                        leaps: Leaps::new(board, movement, color, false),
                        first: has_first.then(|| Box::new(Leaps::new(board, movement, color, true))),
                        odd: leaps_first || others.iter().any(|other| !other.double || other.modality.captures),
                        others,
                    }
                })
            })
            .collect();
        let kinds_that = |wanted: &dyn Fn(&PieceMovement) -> bool| {
            let all = game.all_kinds().map(|kind| (kind, recipes[kind.index()]));
            all.filter(|(_, recipe)| wanted(recipe)).collect()
        };
        let mut tables = Tables {
            lists: Lists {
                all: kinds_that(&|_| true),
                leapers: kinds_that(&|recipe| recipe.leap_captures),
                liners: kinds_that(&|recipe| recipe.slide_captures.any() || recipe.hop_captures.any()),
                odd: game.all_kinds().filter(|kind| kinds[kind.index()][0].odd).collect(),
            },
            shapes: recipes.iter().map(|&recipe| Shape::of(recipe)).collect(),
            mechanics: Mechanics::of(game),
            squares: board.squares().collect(),
            hanging,
            walls,
            recipes,
            kinds,
            pawns: Color::ALL.map(|color| Pawns::new(game, color)),
            between: between_table(game, &sliders),
            sliders,
            wings: Color::ALL.map(|color| wings(game, color)),
            keep: R::Word::per_square(u64::MAX),
            gate_right: R::Word::per_square(0),
            first_right: R::Word::per_square(0),
            gate_rights: [0; 2],
            first_rights: [0; 2],
            zobrist: Zobrist::new(game.kinds.len()),
            zones: None,
            game: Arc::clone(game),
            processor,
            ruleset: PhantomData,
        };
        tables.index_rights();
        if !tables.mechanics().masks_suffice() {
            let Tables {
                recipes,
                kinds,
                sliders,
                pawns,
                ..
            } = &tables;
            tables.zones = Some(Color::ALL.map(|us| Box::new(zones::zones(game, us, recipes, kinds, sliders, pawns))));
        }
        Arc::new(tables)
    }

    fn index_rights(&mut self) {
        for (index, right) in self.game.rights.iter().enumerate() {
            let bit = 1 << index;
            for square in right.squares.iter() {
                self.keep[square.index()] &= !bit;
            }
            match right.kind {
                RightKind::Castle(_) => {}
                RightKind::Gate(square) => {
                    self.gate_right[square.index()] |= bit;
                    self.gate_rights[right.color.index()] |= bit;
                }
                RightKind::FirstMove(square) => {
                    self.first_right[square.index()] |= bit;
                    self.first_rights[right.color.index()] |= bit;
                }
            }
        }
    }

    /// The game that these tables are of.
    pub fn game(&self) -> &Arc<GameDef> {
        &self.game
    }

    /// What the processor can do.
    #[inline(always)]
    pub(crate) fn cpu_features(&self) -> CpuFeatures {
        self.processor
    }

    /// The mechanics that the game has: constants for a built-in game; for any other, what the definition says of those that
    /// its ruleset can have.
    #[inline(always)]
    pub(crate) fn mechanics(&self) -> Mechanics {
        if is_general::<R>() {
            R::MECHANICS.and(self.mechanics)
        } else {
            R::MECHANICS
        }
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
    pub(crate) fn recipe(&self, kind: Kind) -> PieceMovement {
        self.recipes[kind.index()]
    }

    #[inline(always)]
    pub(crate) fn pawns(&self, color: Color) -> &Pawns<R::Word> {
        &self.pawns[color.index()]
    }

    /// The squares strictly between two squares of one line; none for any other pair.
    #[inline(always)]
    pub(crate) fn between(&self, one: Square, other: Square) -> Bitboard<R::Word> {
        R::Word::at(&self.between[one.index()], other)
    }

    /// The squares that matter to a king, where no masks tell more.
    pub(crate) fn zone(&self, us: Color, king: Square) -> Option<Zone<R::Word>> {
        self.zones.as_ref().map(|zones| R::Word::at(&zones[us.index()], king))
    }

    /// The square that a double step passed over.
    #[inline(always)]
    pub(crate) fn passed_by(&self, color: Color, from: Square, to: Square) -> Option<Square> {
        let places = i32::from(to.0) - i32::from(from.0);
        let doubles = &self.pawns(color).doubles;
        let double = doubles
            .iter()
            .find(|double| double.places == places && double.origins.contains(from))?;
        Some(Square((i32::from(from.0) + double.over) as u8))
    }
}

/// The ruleset and the definition must say the same; if they do not, it is a mistake in one of ours.
fn check_ruleset<R: Ruleset>(game: &GameDef) {
    assert!(
        R::Word::fits(&game.board),
        "{}: the board does not fit the ruleset's word",
        game.name
    );
    const { assert!(R::KINDS.len() <= MOST_KINDS, "each_kind must unroll further") };
    let Some(name) = R::NAME else {
        assert!(
            Mechanics::of(game).and(R::MECHANICS) == Mechanics::of(game),
            "{}: the ruleset lacks one of its mechanics",
            game.name
        );
        return;
    };
    assert_eq!(
        R::MECHANICS,
        Mechanics::of(game),
        "ruleset {name}: mechanics (left) differ from the definition (right)"
    );
    assert_eq!(
        R::KINDS.len(),
        game.kinds.len(),
        "ruleset {name}: number of kinds differs from the definition"
    );
    for kind in game.all_kinds() {
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
            let step = (
                sign(board.file(one), board.file(other)),
                sign(board.rank(one), board.rank(other)),
            );
            let way = sliders::ray(board, one, step, Bitboard::of(other));
            between[one.index()][other.index()] = way & !Bitboard::of(other);
        }
    }
    between
}

fn wings<W: BitboardWord>(game: &GameDef, color: Color) -> Box<[WingTables<W>]> {
    let Some(castling) = &game.castling else {
        return Box::default();
    };
    let right = |wing: usize| {
        let index = game
            .rights
            .iter()
            .position(|right| right.kind == RightKind::Castle(wing));
        index.map_or(0, |index| 1 << index)
    };
    let own = castling
        .wings
        .iter()
        .enumerate()
        .filter(|(_, wing)| wing.color == color);
    own.map(|(index, wing)| WingTables {
        wing: wing.clone(),
        right: right(index),
        empty: wing.empty.iter().copied().collect(),
        king_way: wing.crossed.iter().copied().chain([wing.king_to]).collect(),
        uncovers: {
            let outward = if wing.partner_from > wing.king_from { 1 } else { -1 };
            sliders::ray::<W>(&game.board, wing.partner_from, (outward, 0), Bitboard::EMPTY).any()
        },
    })
    .collect()
}
