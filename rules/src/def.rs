//! A game as data: what a definition file says, validated.
//!
//! A [`GameDef`] is read from TOML by [`GameDef::from_toml`]; the six built-in games are such files compiled in
//! ([`GameDef::builtin`]). Both generators work from it and never ask which game it is.

mod builtin;
mod error;
mod file;
mod rights;
mod validate;

use crate::board::Board;
use crate::color::{ByColor, Color};
use crate::movement::Movement;
use crate::outcome::Points;
use crate::piece::Kind;
use crate::square::Square;

pub use builtin::BUILTIN_NAMES;
pub use error::DefError;
pub use rights::{Right, RightKind, Rights};

/// What a kind of piece counts as: decides royalty, pawn rules and points counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceClass {
    /// The royal piece; exactly one kind, one piece a side.
    King,
    /// The game's pawn; exactly one kind.
    Pawn,
    /// The strongest pieces (points counts).
    Major,
    /// Between major and minor: the rook of a points count.
    Average,
    /// Light pieces (points counts).
    Minor,
    /// Moves as the piece last moved by the opponent; at most one kind.
    Joker,
    /// Any piece of a game without points counts.
    Piece,
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq)]
pub struct KindDef {
    /// Its name in lower case (`queen`).
    pub name: String,
    /// Its upper-case letter in FEN, SAN and promotions.
    pub letter: char,
    /// The XBetza text of its movement.
    pub betza: String,
    /// What that text means.
    pub movement: Movement,
    /// What it counts as.
    pub class: PieceClass,
    /// What the inventor says it is worth, in the inventor's own units.
    pub value: Option<f64>,
    /// What the inventor adds for a pair on both colours, in the same units.
    pub pair: Option<f64>,
}

/// What a pawn may become on one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromotionRank {
    /// The rank in the game's numbers, as the pawn's owner counts it.
    pub rank: u8,
    /// May it stay a pawn? Never on the last rank.
    pub optional: bool,
    /// What it may become, in the order of the file.
    pub kinds: Vec<Kind>,
}

/// One castling: who goes from where to where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastlingWing {
    /// Whose castling.
    pub color: Color,
    /// The king's home.
    pub king_from: Square,
    /// Where the king ends.
    pub king_to: Square,
    /// The partner's home.
    pub partner_from: Square,
    /// Where the partner ends: beside the king on the inner side.
    pub partner_to: Square,
    /// Squares that must be empty (king and partner apart): all between the two, and all that either crosses or ends on.
    pub empty: Vec<Square>,
    /// Squares strictly between the king's home and its end.
    pub crossed: Vec<Square>,
}

/// Castling: the king and one of its partners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Castling {
    /// The kind that the king castles with.
    pub partner: Kind,
    /// All castlings of both sides.
    pub wings: Vec<CastlingWing>,
}

/// Dropping a piece from the pocket on the square that a piece leaves with its first move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gating {
    /// Kinds that may wait in a pocket, at most one piece of each a side.
    pub pocket: Vec<Kind>,
    /// Kinds whose first move allows a drop.
    pub movers: Vec<Kind>,
    /// The last move number at which each side may drop.
    pub last_move: ByColor<u32>,
}

/// Points of the pieces on the board, counted when a repetition or the move rule ends the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialCount {
    /// Points of a major piece.
    pub major: u32,
    /// Points of an average piece (the rook).
    pub average: u32,
    /// Points of a minor piece.
    pub minor: u32,
    /// Points of the joker.
    pub joker: u32,
    /// Points of the joker when the opponent has more majors than minors on the board.
    pub joker_against_majors: u32,
    /// Points of a pawn on an ordinary rank.
    pub pawn: u32,
    /// Points of a pawn on certain ranks (game's numbers, as its owner counts), instead.
    pub pawn_on_rank: Vec<(u8, u32)>,
    /// The least lead that counts.
    pub lead: u32,
    /// What the side with the lead gets.
    pub score: Points,
}

/// How games end other than by checkmate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endings {
    /// What the side that stalemates gets.
    pub stalemate: Points,
    /// Plies without capture or pawn move that end the game.
    pub move_rule: u32,
    /// Occurrences of one position that end the game.
    pub repetitions: u32,
    /// What one side may have beside its king against a bare king for the game to be dead at once: sorted lists of kinds.
    pub insufficient_material: Vec<Vec<Kind>>,
    /// Points count at repetition and move rule; without it they are draws.
    pub material_count: Option<MaterialCount>,
}

/// A start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its name on command lines: a number, or a word.
    pub id: String,
    /// What it is, in words.
    pub title: String,
    /// The position.
    pub fen: String,
}

/// A validated game definition.
#[derive(Clone, Debug, PartialEq)]
pub struct GameDef {
    /// The protocol name (`chess`).
    pub name: String,
    /// The game's proper name (`Orthodox chess`).
    pub title: String,
    /// Where its rules and values come from.
    pub source: String,
    /// The board.
    pub board: Board,
    /// All kinds; a [`Kind`] is an index into this.
    pub kinds: Vec<KindDef>,
    /// The royal kind.
    pub king: Kind,
    /// The pawn kind.
    pub pawn: Kind,
    /// The rank that a pawn's initial moves start from, in the game's numbers, as its owner counts.
    pub pawn_home_rank: u8,
    /// Do pawns capture by cannon (Gunnery)?
    pub pawn_cannon: bool,
    /// The ranks on which pawns promote, lowest first; the last one is the pawns' last rank.
    pub promotion: Vec<PromotionRank>,
    /// Castling, when the king's movement has it.
    pub castling: Option<Castling>,
    /// Gating, when the game has it.
    pub gating: Option<Gating>,
    /// The kind that moves with the power of the opponent's last piece.
    pub joker: Option<Kind>,
    /// Does the game know the handicaps of [`crate::starts::Handicap`], two moves in a row among them?
    pub handicaps: bool,
    /// How games end.
    pub endings: Endings,
    /// Everything that an unmoved piece gives, one bit of [`Rights`] each.
    pub rights: Vec<Right>,
    /// Start positions.
    pub starts: Vec<Start>,
    /// The index in `starts` of the one used when none is named.
    pub default_start: usize,
}

impl GameDef {
    /// What a kind is.
    pub fn kind(&self, kind: Kind) -> &KindDef {
        &self.kinds[kind.index()]
    }

    /// All kinds, in the order of the definition.
    pub fn all_kinds(&self) -> impl Iterator<Item = Kind> + use<> {
        (0..self.kinds.len() as u8).map(Kind)
    }

    /// The kind with this letter, in either case.
    pub fn kind_by_letter(&self, letter: char) -> Option<Kind> {
        let upper = letter.to_ascii_uppercase();
        self.all_kinds().find(|&kind| self.kind(kind).letter == upper)
    }

    /// The letter of a kind as `color` writes it.
    pub fn letter(&self, kind: Kind, color: Color) -> char {
        color.case(self.kind(kind).letter)
    }

    /// The pawns' last rank in the game's numbers, as their owner counts.
    pub fn last_rank(&self) -> u8 {
        self.promotion
            .last()
            .map_or(self.board.first_rank() + self.board.ranks() - 1, |last| last.rank)
    }

    /// What a pawn may become on a rank (game's numbers, as its owner counts).
    pub fn promotion_on(&self, rank: u8) -> Option<&PromotionRank> {
        self.promotion.iter().find(|promotion| promotion.rank == rank)
    }

    /// Do pawns leave their double step in more than one way, so that the passed square alone does not tell the victim?
    pub fn double_step_is_ambiguous(&self) -> bool {
        self.kind(self.pawn)
            .movement
            .paths
            .iter()
            .filter(|path| path.passed_offset().is_some())
            .count()
            > 1
    }

    /// Can the game's pawns be captured en passant?
    pub fn has_en_passant(&self) -> bool {
        let paths = &self.kind(self.pawn).movement.paths;
        paths.iter().any(|path| path.passed_offset().is_some()) && paths.iter().any(|path| path.modality.en_passant)
    }

    /// The start position of that id.
    pub fn start(&self, id: &str) -> Option<&Start> {
        self.starts.iter().find(|start| start.id == id)
    }

    /// The inventor's value of a kind in pawns of the same inventor, when both are given.
    pub fn value_in_pawns(&self, kind: Kind) -> Option<f64> {
        Some(self.kind(kind).value? / self.kind(self.pawn).value?)
    }

    /// The inventor's bonus for a pair of a kind in pawns, when the text names one.
    pub fn pair_in_pawns(&self, kind: Kind) -> Option<f64> {
        Some(self.kind(kind).pair? / self.kind(self.pawn).value?)
    }
}
