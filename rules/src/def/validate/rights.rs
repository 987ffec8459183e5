//! Rights: castling, gating and initial moves, derived from the start positions.

use super::super::error::DefError;
use super::super::file::Source;
use crate::notation::fen;
use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::movement::CastlingStep;
use crate::types::piece::{Kind, Piece};
use crate::types::rights::{Right, RightKind};
use crate::types::square::{Square, SquareSet};
use crate::variant::GameDef;
use crate::variant::mechanism::castling::{Castling, CastlingKeys, CastlingWing};
use crate::variant::mechanism::kinds_of;

/// Pieces of a start position, indexed by square.
pub(super) type Pieces = Vec<Option<Piece>>;

impl Source<'_> {
    /// The rights of unmoved pieces, ordered by side: castling to the right (`K`) and to the left
    /// (`Q`), then unmoved pieces by file, then those on hanging squares (`W` `X` `Y` `Z`).
    pub(super) fn rights(&self, game: &GameDef, boards: &[Pieces]) -> Result<Vec<Right>, DefError> {
        let mut rights = Vec::new();
        for color in Color::ALL {
            let castling = game.mechanisms.castling.iter();
            rights.extend(castling.flat_map(|castling| castling_rights(&game.board, castling, color)));
            self.push_unmoved_pieces(game, boards, color, &mut rights)?;
        }
        if rights.len() > 64 {
            return Err(
                self.error("starts", format!("found {} rights of unmoved pieces, expected at most 64", rights.len()))
            );
        }
        for (index, right) in rights.iter().enumerate() {
            if rights[..index].iter().any(|other| other.letter == right.letter) {
                let message = format!(
                    "found two rights with the letter `{}`, expected different ones: in a game with castling (K and Q), no piece with \
                     a right may begin on the files k and q",
                    right.letter
                );
                return Err(self.error("starts", message));
            }
        }
        Ok(rights)
    }

    /// Pieces of all starts. Only the board field is read, because the rights are not known yet.
    pub(super) fn start_boards(&self, game: &GameDef) -> Result<Vec<Pieces>, DefError> {
        let mut boards = Vec::new();
        for (index, start) in game.starts.iter().enumerate() {
            let pieces = fen::read_pieces(game, &start.fen)
                .map_err(|error| self.error(&format!("starts.{index}.fen"), error.to_string()))?;
            boards.push(pieces);
        }
        Ok(boards)
    }

    /// Castling, from the movement of the king, the keys and the starts.
    pub(super) fn castling(&self, game: &GameDef, boards: &[Pieces]) -> Result<Option<Castling>, DefError> {
        let castling = |kind: Kind| Some((kind, game.kind(kind).movement.castling?));
        let originals = game.kinds.all().filter(|&kind| game.kinds.original(kind) == kind);
        let mut castling = originals.filter_map(castling);
        let step = castling.next();
        if let Some((other, _)) = castling.next() {
            let message = "found castling (`O`) of a second piece, expected it in the movement of one piece";
            return Err(self.error(&self.piece_key(other), message));
        }
        let ((king, step), raw) = match (step, &self.raw.castling) {
            (None, None) => return Ok(None),
            (Some(step), Some(raw)) => (step, raw),
            // An inherited castling partner is ignored if the king's movement has no castling.
            (None, Some(_)) if self.raw.base.is_some() => return Ok(None),
            (None, Some(_)) => {
                return Err(
                    self.error("castling", "found a partner, expected none: the king's movement has no castling (`O`)")
                );
            }
            (Some(_), None) => {
                return Err(self.error("castling", "missing: expected `partner`, the letter of the rook"));
            }
        };
        let letters = self.required("castling.partner", raw.partner.as_ref())?;
        let partners = self.at(kinds_of(&game.kinds, "castling.partner", letters))?;
        if partners.is_empty() || partners.contains(&king) || partners.iter().any(|&kind| game.pawns.contains(kind)) {
            return Err(self.error(
                "castling.partner",
                format!("found `{letters}`, expected letters of pieces, neither king nor pawn"),
            ));
        }
        let files = self.castling_files(game, raw)?;
        let array_key = "castling.array";
        let array = raw.array.as_ref().map(|board| fen::read_pieces(game, board)).transpose();
        let array = array.map_err(|error| self.error(array_key, error.to_string()))?;
        if array.is_some() && (game.mechanisms.drops.is_none() || raw.from_any_file == Some(true)) {
            return Err(
                self.error(array_key, "found a board, expected none without drops and with castling from any file")
            );
        }
        if raw.from_any_file == Some(true) {
            return self.castling_from_any_file(game, &boards[game.default_start], files, &partners).map(Some);
        }
        let lacks_king = |pieces: &Pieces| {
            let lacks = |color| !pieces.contains(&Some(Piece { color, kind: king }));
            Color::ALL.into_iter().any(|color| game.kinds.has_king(color) && lacks(color))
        };
        let by_drops = array.is_some();
        let boards = array.as_ref().map_or(boards, std::slice::from_ref);
        if game.kinds.king() == Some(king) && boards.iter().any(lacks_king) {
            if by_drops || game.drops_kings() {
                let message =
                    "found a side without a king, expected a board with kings and partners on their home squares";
                return Err(self.error(array_key, message));
            }
            // An error of the starts, which are validated later.
            return Ok(None);
        }
        let mut wings: Option<Vec<CastlingWing>> = None;
        for (index, pieces) in boards.iter().enumerate() {
            let mut found = Vec::new();
            for color in Color::ALL {
                let wings = wings_of(game, pieces, color, king, &partners, step, files)
                    .map_err(|message| self.error(&self.piece_key(king), message))?;
                found.extend(wings);
            }
            match &wings {
                None => wings = Some(found),
                Some(first) if *first == found => {}
                Some(_) => {
                    let key = format!("starts.{index}.fen");
                    return Err(self.error(
                        &key,
                        "found king or castling partners on other squares than in the first start, expected the same squares",
                    ));
                }
            }
        }
        let wings = wings.unwrap_or_default();
        if wings.is_empty() {
            return Err(self
                .error("castling.partner", "found no partner on the king's rank in any start, expected one, or a king's movement without castling (`O`)"));
        }
        let paths = &game.kind(king).movement.paths;
        let is_sideways_move = |wing: &CastlingWing| {
            let distance = game.board.file(wing.king_from).abs_diff(game.board.file(wing.king_to));
            paths.iter().any(|path| path.reaches_sideways(distance))
        };
        if wings.iter().any(is_sideways_move) {
            let message = "found castling (`O`) to a square that another move of the king reaches, expected another distance or file: \
                their UCI moves would be equal";
            return Err(self.error(&self.piece_key(king), message));
        }
        let is_away = |wing: &CastlingWing| (wing.king_to > wing.king_from) != (wing.partner_from > wing.king_from);
        if wings.iter().any(is_away) {
            let message = "found a file to which the king would not castle toward its partner, expected another file";
            return Err(self.error("castling", message));
        }
        Ok(Some(Castling { wings, from_any_file: false, by_drops }))
    }

    /// Files of the king after castling toward the last file and toward the first, where the
    /// definition gives them.
    fn castling_files(&self, game: &GameDef, raw: &CastlingKeys) -> Result<[Option<u8>; 2], DefError> {
        let read = |key: &str, text: &Option<String>| {
            let Some(text) = text else { return Ok(None) };
            let file = (0..game.board.files()).find(|&file| Board::file_letter(file).to_string() == *text);
            let expected = Board::file_letter(game.board.files() - 1);
            let error = || self.error(key, format!("found `{text}`, expected a file from a to {expected}"));
            file.map(Some).ok_or_else(error)
        };
        Ok([read("castling.kingside-file", &raw.kingside_file)?, read("castling.queenside-file", &raw.queenside_file)?])
    }

    /// Castling of a king and partners on any files of the king's rank.
    fn castling_from_any_file(
        &self,
        game: &GameDef,
        pieces: &Pieces,
        files: [Option<u8>; 2],
        partners: &[Kind],
    ) -> Result<Castling, DefError> {
        let key = "castling.from-any-file";
        let error = |expected: &str| Err(self.error(key, format!("found true, expected {expected}")));
        let ([Some(kingside), Some(queenside)], [partner]) = (files, partners) else {
            return error("also one partner, kingside-file and queenside-file");
        };
        let Some(king) = game.kinds.king().filter(|&king| game.kind(king).movement.castling.is_some()) else {
            return error("a king of the class `king` that castles");
        };
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
            let piece = Some(Piece { color, kind: king });
            let rank = board.squares().find(|&square| pieces[square.index()] == piece);
            let on_rank =
                board.squares().filter(|&square| Some(board.rank(square)) == rank.map(|home| board.rank(home)));
            let on_rank: Vec<Square> = on_rank.collect();
            for (king_from, partner_from) in
                on_rank.iter().flat_map(|&king| on_rank.iter().map(move |&other| (king, other)))
            {
                if king_from == partner_from {
                    continue;
                }
                let right = partner_from > king_from;
                let file = if right { kingside } else { queenside };
                let wing = wing_of(board, color, [king_from, partner_from], *partner, file, true);
                wings.push(wing.map_err(|message| self.error(key, message))?);
            }
        }
        Ok(Castling { wings, from_any_file: true, by_drops: false })
    }

    fn push_unmoved_pieces(
        &self,
        game: &GameDef,
        boards: &[Pieces],
        color: Color,
        rights: &mut Vec<Right>,
    ) -> Result<(), DefError> {
        let board = &game.board;
        let is_home_of = |square: Square, fits: &dyn Fn(Kind) -> bool| {
            boards
                .iter()
                .any(|pieces| pieces[square.index()].is_some_and(|piece| piece.color == color && fits(piece.kind)))
        };
        let gates = |kind: Kind| game.mechanisms.gating.as_ref().is_some_and(|gating| gating.movers.contains(&kind));
        let has_initial_moves = |kind: Kind| game.has_initial_moves(kind);
        let mut lettered = ByColor::<Vec<(char, Square)>>::default();
        let mut squares: Vec<Square> = board.squares().collect();
        squares.sort_by_key(|&square| (board.hanging().contains(square), board.file(square), square));
        let mut hanging_letters = ['W', 'X', 'Y', 'Z'].into_iter();
        for square in squares {
            let (gate, first) = (is_home_of(square, &gates), is_home_of(square, &has_initial_moves));
            if !gate && !first {
                continue;
            }
            let is_hanging = board.hanging().contains(square);
            if gate && is_hanging {
                return Err(self.error(
                    "gating.movers",
                    format!(
                        "found a mover on {}, a hanging square, where no piece can gate; expected another square",
                        board.square_name(square)
                    ),
                ));
            }
            if gate && first {
                let message = format!(
                    "found a mover on {} that also has initial moves (`i`), expected only one of them",
                    board.square_name(square)
                );
                return Err(self.error("gating.movers", message));
            }
            let letter = if is_hanging {
                hanging_letters.next().ok_or_else(|| {
                    self.error(
                        "board.hanging",
                        "found more than four pieces of a side with initial moves on hanging squares, expected at most four",
                    )
                })?
            } else {
                Board::file_letter(board.file(square)).to_ascii_uppercase()
            };
            if let Some((_, other)) = lettered[color].iter().find(|(known, _)| *known == letter) {
                let message = format!(
                    "found unmoved {color} pieces with rights on {} and {}, expected at most one on each file",
                    board.square_name(*other),
                    board.square_name(square)
                );
                return Err(self.error("starts", message));
            }
            lettered[color].push((letter, square));
            rights.push(Right {
                color,
                letter: color.case(letter),
                squares: [square].into_iter().collect(),
                kind: if gate { RightKind::Gate(square) } else { RightKind::InitialMove(square) },
            });
        }
        Ok(())
    }
}

/// The rights of a side to castle: of each wing or, if king and partner may begin on any files, of
/// each square of a partner.
fn castling_rights(board: &Board, castling: &Castling, color: Color) -> Vec<Right> {
    let own = castling.wings.iter().filter(|wing| wing.color == color);
    let mut rights: Vec<Right> = own
        .map(|wing| {
            let side = if wing.king_to > wing.king_from { 'K' } else { 'Q' };
            let file = Board::file_letter(board.file(wing.partner_from)).to_ascii_uppercase();
            let homes = [wing.king_from, wing.partner_from];
            Right {
                color,
                letter: color.case(if castling.from_any_file { file } else { side }),
                // The king may be on any square: it takes the rights away when it moves.
                squares: homes.into_iter().skip(usize::from(castling.from_any_file)).collect(),
                kind: RightKind::Castle(wing.partner_from),
            }
        })
        .collect();
    if castling.from_any_file {
        rights.sort_by_key(|right| std::cmp::Reverse(right.letter));
        rights.dedup();
    }
    rights
}

/// Castling moves of one side in one start: the king with the outermost partner to its right and to
/// its left. The error is the message about a square that the king or its partner cannot cross.
fn wings_of(
    game: &GameDef,
    pieces: &Pieces,
    color: Color,
    king: Kind,
    partners: &[Kind],
    step: CastlingStep,
    files: [Option<u8>; 2],
) -> Result<Vec<CastlingWing>, String> {
    let board = &game.board;
    let at = |square: Square| pieces[square.index()].filter(|piece| piece.color == color);
    let is_king = |square: &Square| at(*square) == Some(Piece { color, kind: king });
    let Some(king_from) = board.squares().find(is_king) else {
        return Ok(Vec::new());
    };
    let mut wings = Vec::new();
    for (right, file) in [true, false].into_iter().zip(files) {
        let allowed = if right == (color == Color::White) { step.right } else { step.left };
        let partner_at = |square: Square| {
            let piece = at(square).filter(|piece| partners.contains(&piece.kind))?;
            let is_beside = board.rank(square) == board.rank(king_from) && (square > king_from) == right;
            is_beside.then_some((square, piece.kind))
        };
        let mut partners = board.squares().filter_map(partner_at);
        let outermost = if right { partners.last() } else { partners.next() };
        let Some((partner_from, partner)) = outermost.filter(|_| allowed) else {
            continue;
        };
        let direction: i16 = if right { 1 } else { -1 };
        let end = i16::from(board.file(king_from)) + direction * i16::from(step.distance);
        let end = file.map_or(end, i16::from);
        let homes = [king_from, partner_from];
        wings.push(wing_of(board, color, homes, partner, end, false)?);
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
    let mut empty = SquareSet::EMPTY;
    let legs = [(king_from, partner_from), (king_from, king_to), (partner_from, partner_to)];
    for square in legs.into_iter().flat_map(|(a, b)| between(a, b).chain([a, b])) {
        empty.insert(square);
    }
    empty.insert(king_to);
    empty.insert(partner_to);
    empty.remove(king_from);
    empty.remove(partner_from);
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
