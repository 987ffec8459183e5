//! Rights: castling, gating and initial moves, derived from the start positions.

use super::super::error::DefError;
use super::super::file::Source;
use crate::notation::fen;
use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::definition::{Castling, CastlingWing, GameDef};
use crate::types::movement::CastlingStep;
use crate::types::piece::{Kind, Piece};
use crate::types::rights::{Right, RightKind};
use crate::types::square::{Square, SquareSet};

/// Pieces of a start position, indexed by square.
type Pieces = Vec<Option<Piece>>;

impl Source<'_> {
    /// Derives castling and the list of rights. Rights are ordered by side: castling to the right (`K`) and to the left (`Q`),
    /// then unmoved pieces by file, then those on hanging squares (`W` `X` `Y` `Z`).
    pub(super) fn rights(&self, game: &mut GameDef) -> Result<(), DefError> {
        let boards = self.start_boards(game)?;
        self.castling(game, &boards)?;
        let mut rights = Vec::new();
        for color in Color::ALL {
            if let Some(castling) = &game.castling {
                for (index, wing) in castling
                    .wings
                    .iter()
                    .enumerate()
                    .filter(|(_, wing)| wing.color == color)
                {
                    let letter = if wing.king_to > wing.king_from { 'K' } else { 'Q' };
                    rights.push(Right {
                        color,
                        letter: color.case(letter),
                        squares: [wing.king_from, wing.partner_from].into_iter().collect(),
                        kind: RightKind::Castle(index),
                    });
                }
            }
            self.push_unmoved_pieces(game, &boards, color, &mut rights)?;
        }
        if rights.len() > 64 {
            return Err(self.error(
                "starts",
                format!("found {} rights of unmoved pieces, expected at most 64", rights.len()),
            ));
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
        game.rights = rights;
        Ok(())
    }

    /// Pieces of all starts. Only the board field is read, because the rights are not known yet.
    fn start_boards(&self, game: &GameDef) -> Result<Vec<Pieces>, DefError> {
        let mut boards = Vec::new();
        for (index, start) in game.starts.iter().enumerate() {
            let pieces = fen::read_pieces(game, &start.fen)
                .map_err(|error| self.error(&format!("starts.{index}.fen"), error.to_string()))?;
            boards.push(pieces);
        }
        Ok(boards)
    }

    fn castling(&self, game: &mut GameDef, boards: &[Pieces]) -> Result<(), DefError> {
        let castling = |kind: Kind| Some((kind, game.kind(kind).movement.castling?));
        let originals = game.all_kinds().filter(|&kind| game.original(kind) == kind);
        let mut castling = originals.filter_map(castling);
        let step = castling.next();
        if let Some((other, _)) = castling.next() {
            let message = "found castling (`O`) of a second piece, expected it in the movement of one piece";
            return Err(self.error(&self.piece_key(other), message));
        }
        let ((king, step), raw) = match (step, &self.raw.castling) {
            (None, None) => return Ok(()),
            (Some(step), Some(raw)) => (step, raw),
            // An inherited castling partner is ignored if the king's movement has no castling.
            (None, Some(_)) if self.raw.base.is_some() => return Ok(()),
            (None, Some(_)) => {
                return Err(self.error(
                    "castling",
                    "found a partner, expected none: the king's movement has no castling (`O`)",
                ));
            }
            (Some(_), None) => {
                return Err(self.error("castling", "missing: expected `partner`, the letter of the rook"));
            }
        };
        let letters = self.required("castling.partner", raw.partner.as_ref())?;
        let partner = match self.kinds_of(game, "castling.partner", letters)?.as_slice() {
            [kind] if *kind != king && *kind != game.pawn => *kind,
            _ => {
                return Err(self.error(
                    "castling.partner",
                    format!("found `{letters}`, expected the letter of one piece, neither king nor pawn"),
                ));
            }
        };
        let mut wings: Option<Vec<CastlingWing>> = None;
        for (index, pieces) in boards.iter().enumerate() {
            let mut found = Vec::new();
            for color in Color::ALL {
                let wings = wings_of(game, pieces, color, [king, partner], step)
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
            return Err(self.error(
                "castling.partner",
                "found no partner on the king's rank in any start, expected one at least",
            ));
        }
        game.castling = Some(Castling { partner, wings });
        Ok(())
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
        let gates = |kind: Kind| game.gating.as_ref().is_some_and(|gating| gating.movers.contains(&kind));
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
                kind: if gate {
                    RightKind::Gate(square)
                } else {
                    RightKind::InitialMove(square)
                },
            });
        }
        Ok(())
    }
}

/// Castling moves of one side in one start: the king with the outermost partner to its right and to its left. The error is the
/// message about a square that the king or its partner cannot cross.
fn wings_of(
    game: &GameDef,
    pieces: &Pieces,
    color: Color,
    [king, partner]: [Kind; 2],
    step: CastlingStep,
) -> Result<Vec<CastlingWing>, String> {
    let board = &game.board;
    let is = |square: Square, kind: Kind| pieces[square.index()] == Some(Piece { color, kind });
    let Some(king_from) = board.squares().find(|&square| is(square, king)) else {
        return Ok(Vec::new());
    };
    let on_rank = || {
        board
            .squares()
            .filter(|&square| board.rank(square) == board.rank(king_from))
    };
    let mut wings = Vec::new();
    for right in [true, false] {
        let allowed = if right == (color == Color::White) {
            step.right
        } else {
            step.left
        };
        let direction: i16 = if right { 1 } else { -1 };
        let mut partners = on_rank().filter(|&square| is(square, partner) && (square > king_from) == right);
        let outermost = if right { partners.last() } else { partners.next() };
        let Some(partner_from) = outermost.filter(|_| allowed) else {
            continue;
        };
        let at = |file: i16| board.square_at(file, i16::from(board.rank(king_from)));
        let king_file = i16::from(board.file(king_from));
        let end = king_file + direction * i16::from(step.distance);
        let partner_file = i16::from(board.file(partner_from));
        let mut files = king_file.min(partner_file).min(end)..=king_file.max(partner_file).max(end);
        let homes = [king_from, partner_from];
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
        let legs = [
            (king_from, partner_from),
            (king_from, king_to),
            (partner_from, partner_to),
        ];
        for square in legs.into_iter().flat_map(|(a, b)| between(a, b).chain([a, b])) {
            empty.insert(square);
        }
        empty.insert(king_to);
        empty.insert(partner_to);
        empty.remove(king_from);
        empty.remove(partner_from);
        wings.push(CastlingWing {
            color,
            king_from,
            king_to,
            partner_from,
            partner_to,
            empty: empty.iter().collect(),
            crossed: between(king_from, king_to).collect(),
        });
    }
    Ok(wings)
}

/// Error for castling over or to a place that king and partner cannot enter by moving.
fn impassable_castling(board: &Board, color: Color, [king, partner]: [Square; 2], end: i16) -> String {
    let side = if (partner > king) == (color == Color::White) {
        "right"
    } else {
        "left"
    };
    let where_to = if (0..i16::from(board.files())).contains(&end) {
        "over a hole or a hanging square"
    } else {
        "off the board"
    };
    let distance = end.abs_diff(i16::from(board.file(king)));
    format!(
        "found castling by {distance} files to the {side}, which takes {color}'s king or its partner from {} and {} {where_to}; \
         expected another distance or home square, or castling to the other side only (`ilO` or `irO`)",
        board.square_name(king),
        board.square_name(partner)
    )
}
