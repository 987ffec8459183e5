//! Pawns: what is special about kinds of the class pawn.

use serde::Serialize;

use super::GameDef;
use super::kinds::Kinds;
use crate::text::with_article;
use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::movement::{Path, PathKind};
use crate::types::piece::{Kind, Piece};
use crate::types::square::{Square, SquareSet};

/// Promotion choices on one rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromotionRank {
    /// Rank number as written in square names, counted from the pawn owner's side of the board.
    pub rank: u8,
    /// True if the pawn may stay a pawn. Always false on the last rank.
    pub optional: bool,
    /// Kinds to choose from, in the order of the definition file.
    pub kinds: Vec<Kind>,
}

/// The rules of pawns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pawns {
    /// The kinds of the class pawn, which share these rules: at least one. The first is the unit of
    /// values.
    pub kinds: Vec<Kind>,
    /// Rank on which pawns begin, numbered as in [`PromotionRank::rank`].
    pub home_rank: u8,
    /// Squares from which pawns of each color make their initial moves.
    pub home: ByColor<SquareSet>,
    /// True if pawns have their initial moves also on the first rank, behind the home rank. No pawn
    /// is captured en passant there.
    pub first_rank_steps: bool,
    /// Hanging squares on which a pawn of each color can arrive by a capture and stay a pawn.
    pub hanging_squares: ByColor<SquareSet>,
    /// Ranks on which pawns promote, in ascending order. The last entry is the pawns' last rank.
    /// May be empty in a game in which pieces promote.
    pub promotion: Vec<PromotionRank>,
    /// Squares on which pawns promote, if not on all of the only rank in `promotion`; some may be
    /// on other ranks.
    pub promotion_squares: Option<ByColor<SquareSet>>,
    /// Kinds to which pawns promote only while their side has fewer than a number of them on the
    /// board.
    pub promotion_limits: Vec<(Kind, u8)>,
    /// Kinds of pawns that promote only to some of the kinds in `promotion`, with these.
    pub restricted: Vec<(Kind, Vec<Kind>)>,
}

impl Pawns {
    /// Returns true for a kind of pawn.
    pub fn contains(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Returns true if a kind of pawn promotes to a kind where the rank allows it.
    pub fn may_become(&self, kinds: &Kinds, pawn: Kind, promoted: Kind) -> bool {
        let mut restricted = self.restricted.iter().filter(|(kind, _)| *kind == pawn);
        restricted.all(|(_, choices)| choices.contains(&kinds.original(promoted)))
    }

    /// The paths of all kinds of pawns.
    pub fn paths<'k>(&'k self, kinds: &'k Kinds) -> impl Iterator<Item = &'k Path> + Clone {
        self.kinds.iter().flat_map(|&kind| &kinds[kind].movement.paths)
    }

    /// Returns true if a pawn has its initial moves on a square.
    pub fn has_initial_moves(&self, board: &Board, color: Color, square: Square) -> bool {
        self.home[color].contains(square) || self.is_first_rank_step(board, color, square)
    }

    /// Returns true if a pawn on a square has initial moves that leave no right to capture it en
    /// passant.
    pub fn is_first_rank_step(&self, board: &Board, color: Color, square: Square) -> bool {
        self.first_rank_steps && board.relative_rank(color, square) == board.first_rank()
    }

    /// The pawns' last rank, numbered as in [`PromotionRank::rank`].
    pub fn last_rank(&self, board: &Board) -> u8 {
        self.promotion.last().map_or(board.first_rank() + board.ranks() - 1, |last| last.rank)
    }

    /// Promotion choices of a side's pawn on a square.
    pub fn promotion_on(&self, board: &Board, color: Color, square: Square) -> Option<&PromotionRank> {
        let rank = board.relative_rank(color, square);
        let promotes = |promotion: &&PromotionRank| match &self.promotion_squares {
            Some(squares) => squares[color].contains(square),
            None => promotion.rank == rank,
        };
        self.promotion.iter().find(promotes)
    }

    /// The lowest rank on which pawns promote, numbered as in [`PromotionRank::rank`]; that beyond
    /// the board if they never do.
    pub fn first_promotion_rank(&self, board: &Board) -> u8 {
        let promotes = |&square: &Square| self.promotion_on(board, Color::White, square).is_some();
        let ranks = board.rank_range(board.squares().filter(promotes).collect());
        ranks.map_or(board.first_rank() + board.ranks(), |(low, _)| low)
    }

    /// Returns true if pawns can be captured en passant.
    pub fn has_en_passant(&self, kinds: &Kinds) -> bool {
        let mut paths = self.paths(kinds);
        paths.clone().any(|path| path.passed_offset().is_some()) && paths.any(|path| path.modality.en_passant)
    }

    /// What is special about pawns, in sentences.
    pub(crate) fn sentences(&self, board: &Board, kinds: &Kinds) -> Vec<String> {
        let mut said = Vec::new();
        let has_initial = |kind: &&Kind| kinds[**kind].movement.paths.iter().any(|path| path.initial);
        let stepping: Vec<&str> =
            self.kinds.iter().filter(has_initial).map(|&kind| kinds[kind].name.as_str()).collect();
        let is_other = |&square: &Square| board.relative_rank(Color::White, square) != self.home_rank;
        let others: SquareSet = self.home[Color::White].iter().filter(is_other).collect();
        let others = if others.is_empty() { String::new() } else { format!(" or on {}", board.square_names(others)) };
        if !stepping.is_empty() {
            said.push(format!(
                "A {} on rank {}{others} has its first moves. Black counts ranks from its own side.",
                stepping.join(" or "),
                self.home_rank
            ));
            if self.first_rank_steps {
                said.push("It has them on the first rank, too, where it cannot be captured en passant.".to_owned());
            }
        }
        if self.has_en_passant(kinds) {
            said.push(
                "A pawn can be captured en passant, on the square that it passed over with a double step.".to_owned(),
            );
        }
        said.extend(self.promotion.iter().map(|rank| self.promotion_sentence(board, kinds, rank)));
        said.extend(self.restricted.iter().map(|(pawn, choices)| {
            format!("The {} becomes only one of: {}.", kinds[*pawn].name, kinds.names(choices))
        }));
        said.extend(self.promotion_limits.iter().map(|&(kind, most)| {
            let name = &kinds[kind].name;
            format!("A pawn becomes {} only while its side has fewer than {most} of them.", with_article(name))
        }));
        said
    }

    fn promotion_sentence(&self, board: &Board, kinds: &Kinds, rank: &PromotionRank) -> String {
        let verb = if rank.optional { "may become" } else { "becomes" };
        let names = kinds.names(&rank.kinds);
        let names = if rank.kinds.len() > 1 { format!("one of: {names}") } else { with_article(&names) };
        let place = match &self.promotion_squares {
            None => format!("rank {}", rank.rank),
            Some(squares) => board.square_names(squares[Color::White]),
        };
        let is_restricted = rank.kinds.iter().any(|&kind| kinds[kind].side.is_some());
        let owned = if is_restricted { " (those that its side can have)" } else { "" };
        format!("On {place}, a pawn {verb} {names}{owned}.")
    }
}

impl GameDef {
    /// The lowest rank on which a pawn can be, numbered as in [`PromotionRank::rank`].
    pub fn first_pawn_rank(&self) -> u8 {
        self.mechanisms.first_pawn_rank(self.parts())
    }

    /// The pawns' last rank, numbered as in [`PromotionRank::rank`].
    pub fn last_rank(&self) -> u8 {
        self.pawns.last_rank(&self.board)
    }

    /// The lowest rank on which pawns promote, numbered as in [`PromotionRank::rank`]; that beyond
    /// the board if they never do.
    pub fn first_promotion_rank(&self) -> u8 {
        self.pawns.first_promotion_rank(&self.board)
    }

    /// Promotion choices of a side's pawn on a square.
    pub fn promotion_on(&self, color: Color, square: Square) -> Option<&PromotionRank> {
        self.pawns.promotion_on(&self.board, color, square)
    }

    /// Returns true if pawns can be captured en passant.
    pub fn has_en_passant(&self) -> bool {
        self.pawns.has_en_passant(&self.kinds)
    }

    /// Returns true for a double step: a pawn's move that leaves a right to capture the pawn en
    /// passant.
    pub fn is_double_step(&self, kind: Kind, path: &Path) -> bool {
        self.pawns.contains(kind) && path.passed_offset().is_some() && self.has_en_passant()
    }

    /// Returns true if double steps in different directions can pass over the same square, as with
    /// Berolina pawns. The square passed over then does not identify the pawn that can be captured
    /// en passant.
    pub fn double_step_is_ambiguous(&self) -> bool {
        let mut steps = self.pawns.paths(&self.kinds).filter(|path| path.passed_offset().is_some());
        let first = steps.next().map(|path| path.delta);
        steps.any(|path| Some(path.delta) != first)
    }

    /// Returns true if pawn moves can be undone by other moves: those in opposite directions, or
    /// promoted pawns that turn back. Captures, other promotions and all other pawn moves are
    /// irreversible.
    pub fn has_reversible_pawns(&self) -> bool {
        let turns_back = |pawn: Kind| self.turned(pawn).and_then(|kind| self.turned(kind)).is_some();
        let goes_back = |pawn: Kind| {
            let paths = self.kinds[pawn].movement.paths.iter().filter(|path| path.modality.moves);
            let steps = paths.map(|path| (path.delta.file, path.delta.rank));
            steps.clone().any(|(file, rank)| steps.clone().any(|back| back == (-file, -rank)))
        };
        self.pawns.kinds.iter().any(|&pawn| turns_back(pawn) || goes_back(pawn))
    }

    /// Returns true for a move without capture that begins the count of the move rule again: a
    /// promotion, unless the piece can turn back, and in most games a pawn's move that another one
    /// cannot undo.
    pub fn is_irreversible(&self, piece: Piece, squares: [Square; 2], promotion: Option<Kind>) -> bool {
        promotion.is_some_and(|kind| self.turned(kind) != Some(piece.kind))
            || self.pawns.contains(piece.kind) && self.endings.pawn_moves_reset && !self.can_return(piece, squares)
    }

    /// Returns true if another move without capture can undo a move of a pawn, on an empty board.
    fn can_return(&self, pawn: Piece, [from, to]: [Square; 2]) -> bool {
        let sign = if pawn.color == Color::White { 1 } else { -1 };
        let distance = |to: u8, from: u8| sign * (i16::from(from) - i16::from(to));
        let board = &self.board;
        let back = (distance(board.file(to), board.file(from)), distance(board.rank(to), board.rank(from)));
        let paths = self.kinds[pawn.kind].movement.paths.iter();
        paths.filter(|path| path.modality.moves && !path.initial).any(|path| {
            let steps = if matches!(path.kind, PathKind::Ride { .. }) { 16 } else { 1 };
            let (file, rank) = (i16::from(path.delta.file), i16::from(path.delta.rank));
            (1..=steps).any(|step| back == (step * file, step * rank))
        })
    }
}
