//! Castling moves, from the movement of the king, the keys and the starts.

use super::super::keys::GameKeys;
use super::rights::Pieces;
use crate::notation::fen;
use crate::types::board::Board;
use crate::types::color::Color;
use crate::types::movement::CastlingStep;
use crate::types::piece::{Kind, Piece};
use crate::types::square::{Square, SquareSet};
use crate::variant::GameDef;
use crate::variant::mechanism::castling::{Castling, CastlingKeys, CastlingWing};
use crate::variant::mechanism::{KeyError, forbid, kinds_of, required};

/// The rule of castling, without the squares of the pieces.
struct CastlingRule {
    /// The kind that castles.
    king: Kind,
    step: CastlingStep,
    partners: Vec<Kind>,
    /// Files of the king after castling toward the last file and toward the first, where the
    /// definition gives them.
    files: [Option<u8>; 2],
    from_any_file: bool,
    /// Home squares in a game with drops.
    array: Option<Pieces>,
}

impl GameKeys {
    /// Castling, with the boards of the starts.
    pub(super) fn castling(&self, game: &GameDef, boards: &[Pieces]) -> Result<Option<Castling>, KeyError> {
        let Some(rule) = self.castling_rule(game)? else { return Ok(None) };
        if rule.from_any_file {
            return castling_from_any_file(game, &rule, &boards[game.default_start]).map(Some);
        }
        let by_drops = rule.array.is_some();
        let boards = rule.array.as_ref().map_or(boards, std::slice::from_ref);
        let lacks_king = |pieces: &Pieces| {
            let lacks = |color| !pieces.contains(&Some(Piece { color, kind: rule.king }));
            Color::ALL.into_iter().any(|color| game.kinds.has_king(color) && lacks(color))
        };
        if game.kinds.king() == Some(rule.king) && boards.iter().any(lacks_king) {
            let message = "found a side without a king, expected a board with kings and partners on their home squares";
            forbid(by_drops || game.drops_kings(), "castling.array", message)?;
            // An error of the starts, which are validated later.
            return Ok(None);
        }
        let wings = self.castling_wings(game, &rule, boards)?;
        Ok(Some(Castling { wings, from_any_file: false, by_drops }))
    }

    /// The rule that the keys give; `None` if no piece castles.
    fn castling_rule(&self, game: &GameDef) -> Result<Option<CastlingRule>, KeyError> {
        let originals = game.kinds.all().filter(|&kind| game.kinds.original(kind) == kind);
        let mut castling = originals.filter_map(|kind| Some((kind, game.kind(kind).movement.castling?)));
        let of_king = castling.next();
        if let Some((other, _)) = castling.next() {
            let message = "found castling (`O`) of a second piece, expected it in the movement of one piece";
            return Err(KeyError::new(self.piece_key(other), message));
        }
        let ((king, step), keys) = match (of_king, &self.castling) {
            (Some(of_king), Some(keys)) => (of_king, keys),
            (None, None) => return Ok(None),
            // An inherited castling partner is ignored if the king's movement has no castling.
            (None, Some(_)) if self.base.is_some() => return Ok(None),
            (None, Some(_)) => {
                let message = "found a partner, expected none: the king's movement has no castling (`O`)";
                return Err(KeyError::new("castling", message));
            }
            (Some(_), None) => {
                return Err(KeyError::new("castling", "missing: expected `partner`, the letter of the rook"));
            }
        };
        let letters = required("castling.partner", keys.partner.as_ref())?;
        let partners = kinds_of(&game.kinds, "castling.partner", letters)?;
        let message = format!("found `{letters}`, expected letters of pieces, neither king nor pawn");
        let is_excluded = |&kind: &Kind| kind == king || game.pawns.contains(kind);
        forbid(partners.is_empty() || partners.iter().any(is_excluded), "castling.partner", message)?;
        let files = castling_files(game, keys)?;
        let array = keys.array.as_ref().map(|board| fen::read_pieces(game, board)).transpose();
        let array = array.map_err(|error| KeyError::new("castling.array", error.to_string()))?;
        let from_any_file = keys.from_any_file == Some(true);
        let message = "found a board, expected none without drops and with castling from any file";
        forbid(array.is_some() && (game.mechanisms.drops.is_none() || from_any_file), "castling.array", message)?;
        Ok(Some(CastlingRule { king, step, partners, files, from_any_file, array }))
    }

    /// Castling moves between the home squares of the pieces, which all boards must have.
    fn castling_wings(
        &self,
        game: &GameDef,
        rule: &CastlingRule,
        boards: &[Pieces],
    ) -> Result<Vec<CastlingWing>, KeyError> {
        let king_key = self.piece_key(rule.king);
        let mut wings: Option<Vec<CastlingWing>> = None;
        for (index, pieces) in boards.iter().enumerate() {
            let found = wings_of(game, rule, pieces).map_err(|message| KeyError::new(&king_key, message))?;
            let message =
                "found king or castling partners on other squares than in the first start, expected the same squares";
            forbid(*wings.get_or_insert_with(|| found.clone()) != found, format!("starts.{index}.fen"), message)?;
        }
        let wings = wings.unwrap_or_default();
        let message = "found no partner on the king's rank in any start, expected one, or a king's movement without castling (`O`)";
        forbid(wings.is_empty(), "castling.partner", message)?;
        let paths = &game.kind(rule.king).movement.paths;
        let is_sideways_move = |wing: &CastlingWing| {
            let distance = game.board.file(wing.king_from).abs_diff(game.board.file(wing.king_to));
            paths.iter().any(|path| path.reaches_sideways(distance))
        };
        let message = "found castling (`O`) to a square that another move of the king reaches, expected another distance or file: \
                their UCI moves would be equal";
        forbid(wings.iter().any(is_sideways_move), &king_key, message)?;
        let is_away = |wing: &CastlingWing| (wing.king_to > wing.king_from) != (wing.partner_from > wing.king_from);
        let message = "found a file to which the king would not castle toward its partner, expected another file";
        forbid(wings.iter().any(is_away), "castling", message)?;
        Ok(wings)
    }
}

/// Files of the king after castling toward the last file and toward the first, where the
/// definition gives them.
fn castling_files(game: &GameDef, keys: &CastlingKeys) -> Result<[Option<u8>; 2], KeyError> {
    let read = |key: &str, text: &Option<String>| {
        let Some(text) = text else { return Ok(None) };
        let file = (0..game.board.files()).find(|&file| Board::file_letter(file).to_string() == *text);
        let expected = Board::file_letter(game.board.files() - 1);
        let error = || KeyError::new(key, format!("found `{text}`, expected a file from a to {expected}"));
        file.map(Some).ok_or_else(error)
    };
    Ok([read("castling.kingside-file", &keys.kingside_file)?, read("castling.queenside-file", &keys.queenside_file)?])
}

/// Castling of a king and its partner on any files of the king's rank.
fn castling_from_any_file(game: &GameDef, rule: &CastlingRule, pieces: &Pieces) -> Result<Castling, KeyError> {
    let key = "castling.from-any-file";
    let error = |expected: &str| Err(KeyError::new(key, format!("found true, expected {expected}")));
    let ([Some(kingside), Some(queenside)], &[partner]) = (rule.files, &rule.partners[..]) else {
        return error("also one partner, kingside-file and queenside-file");
    };
    if game.kinds.king() != Some(rule.king) {
        return error("a king of the class `king` that castles");
    }
    if game.mechanisms.gating.is_some() || game.kinds.all().any(|kind| game.has_initial_moves(kind)) {
        return error("neither gating nor initial moves, whose rights have the same letters");
    }
    if game.mechanisms.handicaps.is_some() {
        return error("no handicaps");
    }
    if game.drops_kings() {
        return error("no drops of kings");
    }
    let board = &game.board;
    let mut wings = Vec::new();
    for color in Color::ALL {
        let Some(home) = pieces.iter().position(|&piece| piece == Some(Piece { color, kind: rule.king })) else {
            continue;
        };
        let home_rank = board.rank(Square(home as u8));
        let on_rank: Vec<Square> = board.squares().filter(|&square| board.rank(square) == home_rank).collect();
        for homes in on_rank.iter().flat_map(|&king| on_rank.iter().map(move |&partner| [king, partner])) {
            if homes[0] != homes[1] {
                let file = if homes[1] > homes[0] { kingside } else { queenside };
                let wing = wing_of(board, color, homes, partner, file, true);
                wings.push(wing.map_err(|message| KeyError::new(key, message))?);
            }
        }
    }
    Ok(Castling { wings, from_any_file: true, by_drops: false })
}

/// Castling moves of both sides on a board: of the king with the outermost partner to its right and
/// to its left. The error is the message about a square that the king or its partner cannot cross.
fn wings_of(game: &GameDef, rule: &CastlingRule, pieces: &Pieces) -> Result<Vec<CastlingWing>, String> {
    let board = &game.board;
    let mut wings = Vec::new();
    for color in Color::ALL {
        let at = |square: Square| pieces[square.index()].filter(|piece| piece.color == color);
        let is_king = |square: &Square| at(*square).is_some_and(|piece| piece.kind == rule.king);
        let Some(king_from) = board.squares().find(is_king) else { continue };
        for (right, file) in [true, false].into_iter().zip(rule.files) {
            let is_allowed = if right == (color == Color::White) { rule.step.right } else { rule.step.left };
            let partner_at = |square: Square| {
                let piece = at(square).filter(|piece| rule.partners.contains(&piece.kind))?;
                let is_beside = board.rank(square) == board.rank(king_from) && (square > king_from) == right;
                is_beside.then_some((square, piece.kind))
            };
            let mut partners = board.squares().filter_map(partner_at);
            let outermost = if right { partners.last() } else { partners.next() };
            let Some((partner_from, partner)) = outermost.filter(|_| is_allowed) else { continue };
            let distance = i16::from(rule.step.distance);
            let end = i16::from(board.file(king_from)) + if right { distance } else { -distance };
            let homes = [king_from, partner_from];
            wings.push(wing_of(board, color, homes, partner, file.map_or(end, i16::from), false)?);
        }
    }
    Ok(wings)
}

/// The castling move of a king and its partner from their home squares, which takes the king to a
/// file. The error is the message about a square that one of them cannot cross.
fn wing_of(
    board: &Board,
    color: Color,
    homes: [Square; 2],
    partner: Kind,
    king_file: impl Into<i16>,
    from_any_file: bool,
) -> Result<CastlingWing, String> {
    let [king_from, partner_from] = homes;
    let end = king_file.into();
    let direction: i16 = if partner_from > king_from { 1 } else { -1 };
    let on_rank = || board.squares().filter(|&square| board.rank(square) == board.rank(king_from));
    let at = |file: i16| board.square_at(file, i16::from(board.rank(king_from)));
    let all = [board.file(king_from).into(), board.file(partner_from).into(), end, end - direction];
    let low = all.into_iter().fold(end, i16::min);
    let mut files = low..=all.into_iter().fold(end, i16::max);
    let is_passable = |square: Square| !board.hanging().contains(square) || homes.contains(&square);
    let impassable = files.find(|&file| !at(file).is_some_and(is_passable));
    let (None, Some(king_to), Some(partner_to)) = (impassable, at(end), at(end - direction)) else {
        return Err(impassable_castling(board, color, homes, end));
    };
    let between = |a: Square, b: Square| {
        let (low, high) = (a.min(b), a.max(b));
        on_rank().filter(move |&square| low < square && square < high)
    };
    let legs = [(king_from, partner_from), (king_from, king_to), (partner_from, partner_to)];
    let crossed = legs.into_iter().flat_map(|(a, b)| between(a, b)).chain([king_to, partner_to]);
    let empty: SquareSet = crossed.filter(|square| !homes.contains(square)).collect();
    Ok(CastlingWing {
        color,
        king_from,
        king_to,
        partner,
        partner_from,
        partner_to,
        target: if from_any_file { partner_from } else { king_to },
        empty: empty.iter().collect(),
        crossed: between(king_from, king_to).collect(),
    })
}

/// Error for castling over or to a place that king and partner cannot enter by moving.
fn impassable_castling(board: &Board, color: Color, [king, partner]: [Square; 2], end: i16) -> String {
    let side = if (partner > king) == (color == Color::White) { "right" } else { "left" };
    let where_to =
        if (0..i16::from(board.files())).contains(&end) { "over a hole or a hanging square" } else { "off the board" };
    let distance = end.abs_diff(i16::from(board.file(king)));
    format!(
        "found castling by {distance} files to the {side}, which takes {color}'s king or its partner from {} and {} {where_to}; \
         expected another distance, file or home square, or castling to the other side only (`ilO` or `irO`)",
        board.square_name(king),
        board.square_name(partner)
    )
}
