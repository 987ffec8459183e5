//! Mechanisms: rules of a game that movement notation cannot express.
//!
//! Each is a file below that has its keys in a definition, the check of its own keys, its part in
//! the generator, and its sentences. The list of all is [`Mechanisms`]. What excludes what is a
//! table of `assay_rules::def`.

pub(crate) mod bare_king;
pub(crate) mod cannon;
pub(crate) mod castling;
pub(crate) mod check_count;
pub(crate) mod counting;
pub(crate) mod drops;
pub(crate) mod explosions;
pub(crate) mod extinction;
pub(crate) mod flying_general;
pub(crate) mod forbidden_checks;
pub(crate) mod forced_captures;
pub(crate) mod gating;
pub(crate) mod goal;
pub(crate) mod handicaps;
pub(crate) mod immobility;
pub(crate) mod joker;
pub(crate) mod piece_promotion;
pub(crate) mod walls;

use serde::Serialize;

use super::kinds::Kinds;
use super::pawns::Pawns;
use super::{GameDef, Position};
use crate::types::board::Board;
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::outcome::Outcome;
use crate::types::piece::{Kind, Piece};
use crate::types::square::{Square, SquareSet};

/// What a mechanism does in the reference generator, and says about itself.
pub(crate) trait Mechanism {
    /// The mechanism in sentences.
    fn sentences(&self, game: &GameDef) -> Vec<String>;

    /// Changes the list of pseudo-legal moves: adds moves that only this mechanism makes, replaces
    /// or removes others.
    fn change_moves(&self, _position: &Position, _moves: &mut Vec<Move>) {}

    /// Changes the list of kinds that a piece may become by a move; `None` stands for its own.
    /// `plain` is the move without a promotion.
    fn change_kinds(&self, _position: &Position, _plain: Move, _piece: Piece, _kinds: &mut Vec<Option<Kind>>) {}

    /// Returns true if a piece on `from` attacks a square otherwise than by its movement.
    fn attacks(&self, _position: &Position, _from: Square, _piece: Piece, _target: Square) -> bool {
        false
    }

    /// Returns true if a piece on `from` does not attack a square that it can reach.
    fn prevents_attack(&self, _position: &Position, _from: Square, _piece: Piece, _target: Square) -> bool {
        false
    }

    /// Returns true for a move that may leave royal pieces of the mover attacked.
    fn may_expose_royals(&self, _before: &Position, _mv: Move, _after: &Position) -> bool {
        false
    }

    /// Returns false for a pseudo-legal move that leaves the royal pieces safe and is illegal all
    /// the same.
    fn allows(&self, _before: &Position, _mv: Move, _after: &Position) -> bool {
        true
    }

    /// Changes the position after a move, before the turn is passed on.
    fn after_move(&self, _made: &MadeMove<'_>, _after: &mut Position) {}

    /// Changes the position after the turn was passed on and the clock was set.
    fn after_turn(&self, _made: &MadeMove<'_>, _after: &mut Position) {}

    /// The outcome if the mechanism has decided the game: there are no legal moves then.
    fn outcome(&self, _position: &Position) -> Option<Outcome> {
        None
    }
}

/// A move on the board, with the position before it.
pub(crate) struct MadeMove<'p> {
    pub(crate) before: &'p Position,
    pub(crate) mv: Move,
    /// The piece that moved, or was dropped.
    pub(crate) piece: Piece,
    pub(crate) captured: Option<Piece>,
}

/// Declares the mechanisms of a game, in the order of their hooks and sentences.
macro_rules! mechanisms {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)*) => {
        /// The mechanisms that a game has. A new one does not change the serialization of games
        /// without it.
        #[derive(Clone, Debug, Default, PartialEq, Serialize)]
        pub struct Mechanisms {
            $($(#[$doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)*
        }

        impl Mechanisms {
            pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn Mechanism> {
                let all = [$(self.$field.as_ref().map(|mechanism| mechanism as &dyn Mechanism)),*];
                all.into_iter().flatten()
            }
        }
    };
}

mechanisms! {
    /// Pawns have the cannon capture of Gunnery Chess.
    cannon: cannon::Cannon,
    /// Promotion of all kinds that have a promoted one.
    piece_promotion: piece_promotion::PiecePromotion,
    /// No piece may be put where it could never move on without a capture.
    immobility: immobility::ForbiddenImmobility,
    castling: castling::Castling,
    gating: gating::Gating,
    drops: drops::Drops,
    joker: joker::Joker,
    /// Handicap starts, also with two moves in a row.
    handicaps: handicaps::Handicaps,
    forbidden_checks: forbidden_checks::ForbiddenChecks,
    forced_captures: forced_captures::ForcedCaptures,
    /// The king attacks along its file.
    flying_general: flying_general::FlyingGeneral,
    explosions: explosions::Explosions,
    walls: walls::Walls,
    counting: counting::CountingRule,
    check_count: check_count::CheckCount,
    bare_king: bare_king::BareKing,
    extinction: extinction::Extinction,
    goal: goal::Goal,
}

impl Mechanisms {
    /// The kind without which a side has lost: the king, or the only kind whose extinction decides.
    pub(crate) fn vital_kind(&self, kinds: &Kinds) -> Option<Kind> {
        let extinct = self.extinction.as_ref().filter(|rule| rule.kinds.len() == 1);
        kinds.king().or(extinct.map(|rule| rule.kinds[0]))
    }

    /// The lowest rank on which a pawn can be. Where pawns begin on the second rank, none can ever
    /// be on the first, unless they can be dropped there, or pieces turn back into pawns. Where
    /// they begin further up, a setup may have pawns behind their home rank.
    pub(crate) fn first_pawn_rank(&self, parts: Parts<'_>) -> u8 {
        let Parts { board, pawns, .. } = parts;
        let first = board.first_rank();
        let is_dropped = |drops: &drops::Drops| {
            let zones = pawns.kinds.iter().map(|pawn| drops.zones[pawn.index()][Color::White]);
            zones.into_iter().any(|zone| board.rank_range(zone).is_some_and(|(low, _)| low == first))
        };
        let is_turned_back = self.piece_promotion.as_ref().is_some_and(|rule| rule.demotes);
        let may_be_first = pawns.first_rank_steps || is_turned_back || self.drops.as_ref().is_some_and(is_dropped);
        if pawns.home_rank == first + 1 && !may_be_first { pawns.home_rank } else { first }
    }
}

/// An error in the keys of a definition.
#[derive(Clone, Debug)]
pub(crate) struct KeyError {
    /// Dotted key.
    pub(crate) key: String,
    /// Says what was found and what was expected.
    pub(crate) message: String,
}

impl KeyError {
    pub(crate) fn new(key: impl Into<String>, message: impl Into<String>) -> KeyError {
        KeyError { key: key.into(), message: message.into() }
    }
}

/// Refuses the value of a key if something is wrong with it.
pub(crate) fn forbid(is_wrong: bool, key: impl Into<String>, message: impl Into<String>) -> Result<(), KeyError> {
    if is_wrong { Err(KeyError::new(key, message)) } else { Ok(()) }
}

/// The parts of a game that the keys of its mechanisms name.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'g> {
    pub(crate) board: &'g Board,
    pub(crate) kinds: &'g Kinds,
    pub(crate) pawns: &'g Pawns,
}

impl Parts<'_> {
    /// Parses an army: letters of pieces, each as often as there are such pieces. Returns sorted
    /// kinds.
    pub(crate) fn army(&self, key: &str, letters: &str) -> Result<Vec<Kind>, KeyError> {
        let mut army = Vec::new();
        for letter in letters.chars() {
            army.extend(kinds_of(self.kinds, key, &letter.to_string())?);
        }
        army.sort_unstable();
        Ok(army)
    }
}

/// Parses a list of letters of pieces, each at most once.
pub(crate) fn kinds_of(kinds: &Kinds, key: &str, letters: &str) -> Result<Vec<Kind>, KeyError> {
    let mut found = Vec::new();
    for letter in letters.chars() {
        let known = kinds.letters();
        let kind = kinds
            .by_letter(letter)
            .filter(|_| letter.is_ascii_uppercase())
            .ok_or_else(|| KeyError::new(key, format!("found `{letter}`, expected letters of pieces: {known}")))?;
        forbid(found.contains(&kind), key, format!("found `{letter}` twice, expected each letter once"))?;
        found.push(kind);
    }
    Ok(found)
}

/// Parses squares, and ranks like `*2`.
pub(crate) fn squares(board: &Board, key: &str, list: &str) -> Result<SquareSet, KeyError> {
    let mut set = SquareSet::EMPTY;
    for name in list.split_whitespace() {
        if let Some(number) = name.strip_prefix('*') {
            let number = rank(board, key, number)?;
            let on_rank = |square: &Square| board.relative_rank(Color::White, *square) == number;
            board.squares().filter(on_rank).for_each(|square| set.insert(square));
            continue;
        }
        let expected = "squares separated by spaces, like `a1 b1`, or ranks, like `*2`";
        let square = board.parse_square(name);
        set.insert(square.ok_or_else(|| KeyError::new(key, format!("found `{name}`, expected {expected}")))?);
    }
    Ok(set)
}

/// Parses the number of a rank of the board.
pub(crate) fn rank(board: &Board, key: &str, text: &str) -> Result<u8, KeyError> {
    let (first, last) = (board.first_rank(), board.first_rank() + board.ranks() - 1);
    (first..=last).find(|rank| rank.to_string() == text).ok_or_else(|| {
        KeyError::new(key, format!("found rank `{text}`, expected a rank of the board, {first} to {last}"))
    })
}

/// The value of a key that must be there.
pub(crate) fn required<T>(key: &str, value: Option<T>) -> Result<T, KeyError> {
    value.ok_or_else(|| KeyError::new(key, "missing"))
}

/// A rank or ranks in a sentence.
pub(crate) fn ranks_text((low, high): (u8, u8)) -> String {
    if low == high { format!("rank {low}") } else { format!("ranks {low} to {high}") }
}
