//! Kinds of pieces.

use std::ops::{Deref, Index, IndexMut};

use serde::{Deserialize, Serialize};

use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::movement::{Delta, Movement};
use crate::types::piece::{Kind, Piece};
use crate::types::square::{Square, SquareSet};

/// Class of a kind: determines royalty, pawn rules and the points of a material count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceClass {
    /// The royal piece: at most one kind, with at most one piece per side.
    King,
    /// Royal in any number: none of these pieces may be left attacked.
    Royal,
    /// A pawn, with the rules that all pawns share: one or more kinds.
    Pawn,
    /// A major piece in a material count.
    Major,
    /// Between major and minor in a material count: the rook.
    Average,
    /// A minor piece in a material count.
    Minor,
    /// Imitates the piece last moved by the opponent: at most one kind.
    Joker,
    /// Any other piece: a definition does not name this class.
    #[serde(skip_deserializing)]
    Piece,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindDef {
    /// Lower-case name (`queen`).
    #[serde(skip)]
    pub name: String,
    /// Upper-case letter used in FEN, SAN and promotions; with a `+` before it for a promoted kind.
    pub letter: char,
    /// Movement as XBetza text; empty for the joker.
    pub betza: String,
    /// Movement parsed from [`KindDef::betza`].
    #[serde(skip)]
    pub movement: Movement,
    /// Role in the rules.
    pub class: PieceClass,
    /// Squares that the movement can lead to, if not all: a palace, or one side of a river.
    pub zone: Option<ByColor<SquareSet>>,
    /// The only side that can have pieces of this kind; `None` if both can.
    pub side: Option<Color>,
    /// Value published by the inventor, in the inventor's own units.
    #[serde(skip)]
    pub value: Option<f64>,
    /// The same value as the inventor gives it rounded, if at all: a measured value may agree with
    /// either.
    #[serde(skip)]
    pub rounded: Option<f64>,
    /// Bonus published by the inventor for a pair on squares of both colors, in the same units.
    #[serde(skip)]
    pub pair: Option<f64>,
    /// The kind that this one is a promoted copy of. Pawns promote to such copies if promoted
    /// pieces become pawns again when they are captured. A copy has the letter of its kind, with
    /// `~` in a FEN.
    pub copy_of: Option<Kind>,
    /// The kind that a piece of this one becomes again when it is captured: the pawn for a promoted
    /// copy, and for a kind that is written `+X` the kind X.
    pub unpromoted: Option<Kind>,
}

/// The kinds of a game, in the order of its definition: a [`Kind`] is an index into this list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Kinds {
    list: Vec<KindDef>,
    #[serde(skip)]
    king: Option<Kind>,
    #[serde(skip)]
    joker: Option<Kind>,
}

impl Deref for Kinds {
    type Target = [KindDef];

    fn deref(&self) -> &[KindDef] {
        &self.list
    }
}

impl Index<Kind> for Kinds {
    type Output = KindDef;

    fn index(&self, kind: Kind) -> &KindDef {
        &self.list[kind.index()]
    }
}

impl IndexMut<Kind> for Kinds {
    fn index_mut(&mut self, kind: Kind) -> &mut KindDef {
        &mut self.list[kind.index()]
    }
}

impl Kinds {
    /// Of each of the classes king and joker, the first kind counts.
    pub(crate) fn new(list: Vec<KindDef>) -> Kinds {
        let of_class = |class| list.iter().position(|kind| kind.class == class).map(|index| Kind(index as u8));
        let (king, joker) = (of_class(PieceClass::King), of_class(PieceClass::Joker));
        Kinds { list, king, joker }
    }

    /// All kinds, in the order of the definition.
    pub fn all(&self) -> impl Iterator<Item = Kind> + use<> {
        (0..self.list.len() as u8).map(Kind)
    }

    /// The royal kind of which each side has one piece, if the game has one.
    pub fn king(&self) -> Option<Kind> {
        self.king
    }

    /// The kind that imitates the opponent's last moved piece, if the game has one.
    pub fn joker(&self) -> Option<Kind> {
        self.joker
    }

    /// Returns true if pieces of this kind must not be left attacked, and cannot be captured.
    pub fn is_royal(&self, kind: Kind) -> bool {
        matches!(self[kind].class, PieceClass::King | PieceClass::Royal)
    }

    /// Returns true if some kinds are royal in any number.
    pub fn has_several_royals(&self) -> bool {
        self.list.iter().any(|kind| kind.class == PieceClass::Royal)
    }

    /// Returns true if a side can have pieces of this kind.
    pub fn may_own(&self, color: Color, kind: Kind) -> bool {
        self[kind].side.is_none_or(|side| side == color)
    }

    /// Returns true if each position has a king of this side.
    pub fn has_king(&self, color: Color) -> bool {
        self.king.is_some_and(|king| self.may_own(color, king))
    }

    /// Returns true if both sides have a king.
    pub fn have_kings(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.has_king(color))
    }

    /// The kind that castles: the king, or another piece in its place.
    pub fn castling_king(&self) -> Option<Kind> {
        self.all().find(|&kind| self[kind].movement.castling.is_some())
    }

    /// Finds a kind by its letter, in either case; never a promoted one.
    pub fn by_letter(&self, letter: char) -> Option<Kind> {
        let upper = letter.to_ascii_uppercase();
        self.all().find(|&kind| self[kind].unpromoted.is_none() && self[kind].letter == upper)
    }

    /// Reads a kind at the beginning of a text: its letter, with a `+` before it if it is promoted.
    /// Returns the kind and the rest.
    pub fn parse<'t>(&self, text: &'t str) -> Option<(Kind, &'t str)> {
        let letters = text.strip_prefix('+').unwrap_or(text);
        let letter = letters.chars().next()?;
        let kind = self.by_letter(letter)?;
        let promotes = letters.len() < text.len();
        let kind = if promotes { self.promoted(kind)? } else { kind };
        Some((kind, &letters[letter.len_utf8()..]))
    }

    /// Letter of a kind in FEN: upper case for White, lower case for Black.
    pub fn letter(&self, kind: Kind, color: Color) -> char {
        color.case(self[kind].letter)
    }

    /// The letter of a kind, after a `+` for a promoted kind. A copy is written like its kind.
    pub fn symbol(&self, kind: Kind, color: Color) -> String {
        let is_promoted = self[self.original(kind)].unpromoted.is_some();
        let plus = if is_promoted { "+" } else { "" };
        format!("{plus}{}", self.letter(kind, color))
    }

    /// Letters of all unpromoted kinds, in the order of the definition.
    pub fn letters(&self) -> String {
        self.list.iter().filter(|kind| kind.unpromoted.is_none()).map(|kind| kind.letter).collect()
    }

    /// Names of kinds, separated by commas. A copy has the name of its kind.
    pub fn names(&self, kinds: &[Kind]) -> String {
        kinds.iter().map(|&kind| self[self.original(kind)].name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The kind itself, or for a promoted copy the kind that it is a copy of.
    pub fn original(&self, kind: Kind) -> Kind {
        self[kind].copy_of.unwrap_or(kind)
    }

    /// The promoted copy of a kind, if there is one.
    pub fn promoted_copy(&self, kind: Kind) -> Option<Kind> {
        self.all().find(|&copy| self[copy].copy_of == Some(kind))
    }

    /// The kind itself, or for a promoted one the kind that it becomes in a pocket.
    pub fn unpromoted(&self, kind: Kind) -> Kind {
        self[kind].unpromoted.unwrap_or(kind)
    }

    /// The kind that is written like this one after a `+`.
    pub fn promoted(&self, kind: Kind) -> Option<Kind> {
        let is_promoted = |other: &KindDef| other.unpromoted == Some(kind) && other.copy_of.is_none();
        self.all().find(|&other| is_promoted(&self[other]))
    }

    /// Returns true if the movement of a kind can lead to a square.
    pub fn may_enter(&self, kind: Kind, color: Color, square: Square) -> bool {
        self[kind].zone.as_ref().is_none_or(|zone| zone[color].contains(square))
    }

    /// Returns true if a piece that has moved could move on from a square without a capture, on
    /// some board. Its zone does not count.
    pub(crate) fn is_mobile(&self, board: &Board, piece: Piece, square: Square) -> bool {
        let paths = self[piece.kind].movement.paths.iter();
        let mut moving = paths.filter(|path| path.modality.moves && !path.initial);
        Some(piece.kind) == self.joker || moving.any(|path| board.step(square, path.delta, piece.color).is_some())
    }

    /// Returns true if no piece moves to its left otherwise than to its right. Black's movement is
    /// White's turned by 180 degrees; only in such a game is it also White's with the ranks
    /// mirrored.
    pub fn are_left_right_symmetric(&self) -> bool {
        self.list.iter().all(|kind| kind.movement.is_left_right_symmetric())
    }

    /// Returns true if a piece of this kind never leaves squares of one color. False for a kind
    /// without paths, such as the joker.
    pub fn is_color_bound(&self, kind: Kind) -> bool {
        let paths = &self[kind].movement.paths;
        let keeps_color = |delta: Delta| (i16::from(delta.file) + i16::from(delta.rank)) % 2 == 0;
        !paths.is_empty() && paths.iter().all(|path| keeps_color(path.delta))
    }
}
