//! Counts of moves within which a side must mate, as in makruk.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KeyError, MadeMove, Mechanism, Parts, forbid};
use crate::types::color::{ByColor, Color};
use crate::types::piece::Kind;
use crate::types::turn::{MAX_COUNT, MAX_COUNT_LIMIT};
use crate::variant::{GameDef, Position};

/// Largest number of moves in a count.
const MAX_MOVES: u32 = MAX_COUNT_LIMIT / 2;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CountingKeys {
    /// Moves of each side in the count against a side that has more than its king. Without the key
    /// there is none.
    #[schemars(example = 64)]
    pub moves: Option<u32>,
    /// Largest number of pieces, with the king, of a side against which `moves` are counted.
    /// Without the key, any number, but only when no pawn is on the board.
    #[schemars(example = 3)]
    pub most_pieces: Option<u32>,
    /// Moves in the count against a bare king when no pawn is on the board, by pieces that the
    /// other side must at least have. The smallest number that applies counts. Replaces the table
    /// of the base as a whole.
    #[schemars(extend("default" = {}, "examples" = [{ "R": 16, "RR": 8 }]))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub armies: BTreeMap<String, u32>,
    /// Whether the count against a bare king begins at the number of pieces on the board, otherwise
    /// at zero.
    pub from_pieces: Option<bool>,
}

/// A count of moves, as in makruk: a side that is ahead must mate the other within a number of
/// moves, else the game is a draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CountingRule {
    /// The count against a side that has more than its king ("board's honor"), if there is one.
    pub board: Option<BoardCount>,
    /// Counts against a bare king ("pieces' honor") when no pawn is on the board: sorted lists of
    /// the kinds that the other side must at least have besides the king, with the number of plies.
    /// The smallest number that applies is the limit.
    pub armies: Vec<(Vec<Kind>, u32)>,
    /// True if the count against a bare king begins at the number of pieces on the board, otherwise
    /// at zero.
    pub from_pieces: bool,
}

/// The count against a side that has more than its king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BoardCount {
    /// Number of plies.
    pub plies: u32,
    /// Largest number of pieces, with the king, of a side that is counted against. `None`: any
    /// number, but only when no pawn is on the board.
    pub most_pieces: Option<u32>,
}

impl CountingRule {
    /// Number of plies of the count that begins when `waiting` is to move; `None` if none does.
    /// `pieces` are the numbers of pieces of either side, `has` tells whether the other side has so
    /// many pieces of a kind.
    pub fn limit(
        &self,
        waiting: Color,
        pieces: ByColor<u32>,
        has_pawns: bool,
        has: impl Fn(Kind, usize) -> bool,
    ) -> Option<u32> {
        if pieces[!waiting] == 1 {
            return None;
        }
        if pieces[waiting] > 1 {
            let board = self.board?;
            let applies = board.most_pieces.map_or(!has_pawns, |most| pieces[waiting] <= most);
            return applies.then_some(board.plies);
        }
        let is_there = |army: &[Kind]| {
            let mut groups = army.chunk_by(|left, right| left == right);
            groups.all(|group| has(group[0], group.len()))
        };
        let armies = self.armies.iter().filter(|(army, _)| !has_pawns && is_there(army));
        armies.map(|&(_, plies)| plies).min()
    }
}

impl CountingKeys {
    pub(crate) fn build(&self, parts: Parts<'_>) -> Result<CountingRule, KeyError> {
        let plies = |key: &str, moves: u32| {
            let message = format!("found {moves}, expected 1 to {MAX_MOVES} moves");
            forbid(!(1..=MAX_MOVES).contains(&moves), key, message).map(|()| 2 * moves)
        };
        let mut armies = Vec::new();
        for (letters, &moves) in &self.armies {
            let key = format!("endings.counting.armies.{letters}");
            let army = parts.army(&key, letters)?;
            let message = format!("found `{letters}`, expected pieces besides kings and pawns, like \"RR\"");
            let is_excluded = |&kind: &Kind| Some(kind) == parts.kinds.king() || parts.pawns.contains(kind);
            forbid(army.iter().any(is_excluded), &key, message)?;
            armies.push((army, plies(&key, moves)?));
        }
        let most_key = "endings.counting.most-pieces";
        let most_pieces = self.most_pieces;
        if let Some(most) = most_pieces {
            forbid(self.moves.is_none(), most_key, format!("found {most}, expected the key only with `moves`"))?;
            forbid(most < 2, most_key, format!("found {most}, expected 2 or more pieces"))?;
        }
        let plies = self.moves.map(|moves| plies("endings.counting.moves", moves)).transpose()?;
        let board = plies.map(|plies| BoardCount { plies, most_pieces });
        let message = "found no moves, expected `moves`, `armies` or both";
        forbid(board.is_none() && armies.is_empty(), "endings.counting", message)?;
        Ok(CountingRule { board, armies, from_pieces: self.from_pieces.unwrap_or(false) })
    }
}

impl Mechanism for CountingRule {
    fn sentences(&self, game: &GameDef) -> Vec<String> {
        let CountingRule { board, armies, from_pieces } = self;
        let mut said = Vec::new();
        if let Some(BoardCount { plies, most_pieces }) = board {
            let when = match most_pieces {
                Some(most) => format!("a side has at most {most} pieces"),
                None => "no pawn is on the board".to_owned(),
            };
            said.push(format!("When {when}, the game is a draw after {} more moves.", plies / 2));
        }
        if !armies.is_empty() {
            let armies = armies.iter().map(|(army, plies)| match army.as_slice() {
                [] => format!("{} against any pieces", plies / 2),
                army => format!("{} against {}", plies / 2, game.kinds.names(army)),
            });
            let from = if *from_pieces { ", counted from the number of pieces on the board" } else { "" };
            said.push(format!(
                "When a side has only its king and no pawn is on the board, the game is a draw after the smallest number of moves that \
                 applies{from}: {}.",
                armies.collect::<Vec<_>>().join("; ")
            ));
        }
        vec![said.join(" ")]
    }

    /// Continues the count, or begins one: when none runs, and when a capture leaves a bare king. A
    /// count that runs is otherwise never reset.
    fn after_turn(&self, made: &MadeMove<'_>, after: &mut Position) {
        let side = after.side_to_move();
        let count = |color| after.pieces().filter(|(_, piece)| piece.color == color).count() as u32;
        let pieces = ByColor::new_with(count);
        let is_bare = pieces[side] == 1;
        let running = made.before.count_limit();
        if running.is_some() {
            after.setup.halfmove_clock = (made.before.halfmove_clock() + 1).min(MAX_COUNT);
        }
        if running.is_some() && !(made.captured.is_some() && is_bare) {
            return;
        }
        let game = after.game();
        let has_pawns = after.pieces().any(|(_, piece)| game.pawns.contains(piece.kind));
        let has = |kind, number| {
            let owned = |color, owned| color != side && game.kinds.original(owned) == kind;
            after.pieces().filter(|(_, piece)| owned(piece.color, piece.kind)).count() >= number
        };
        if let Some(limit) = self.limit(side, pieces, has_pawns, has) {
            after.setup.count_limit = Some(limit);
            let total = pieces.0.iter().sum::<u32>();
            after.setup.halfmove_clock = if is_bare && self.from_pieces { 2 * total } else { 0 };
        }
    }
}
