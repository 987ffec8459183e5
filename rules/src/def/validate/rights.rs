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
                let message = format!("two rights would have the same letter `{}`", right.letter);
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
        let step = game.kind(game.king).movement.castling;
        let (step, raw) = match (step, &self.raw.castling) {
            (None, None) => return Ok(()),
            (Some(step), Some(raw)) => (step, raw),
            // An inherited castling partner is ignored if the king's movement has no castling.
            (None, Some(_)) if self.raw.base.is_some() => return Ok(()),
            (None, Some(_)) => {
                return Err(self.error("castling", "the king's movement has no castling (`O`)"));
            }
            (Some(_), None) => {
                return Err(self.error("castling", "missing: expected `partner`, the letter of the rook"));
            }
        };
        let letters = self.required("castling.partner", raw.partner.as_ref())?;
        let partner = match self.kinds_of(game, "castling.partner", letters)?.as_slice() {
            [kind] if *kind != game.king && *kind != game.pawn => *kind,
            _ => {
                return Err(self.error(
                    "castling.partner",
                    format!("found `{letters}`, expected the letter of one piece, neither king nor pawn"),
                ));
            }
        };
        let mut wings: Option<Vec<CastlingWing>> = None;
        for (index, pieces) in boards.iter().enumerate() {
            let found: Vec<CastlingWing> = Color::ALL
                .into_iter()
                .flat_map(|color| wings_of(game, pieces, color, partner, step))
                .collect();
            match &wings {
                None => wings = Some(found),
                Some(first) if *first == found => {}
                Some(_) => {
                    let key = format!("starts.{index}.fen");
                    return Err(self.error(
                        &key,
                        "kings and castling partners must be on the same squares in all starts",
                    ));
                }
            }
        }
        let wings = wings.unwrap_or_default();
        if wings.is_empty() {
            return Err(self.error(
                "castling.partner",
                "no start has a partner far enough from the king on its rank",
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
                        "the piece on {} cannot gate: its square is hanging",
                        board.square_name(square)
                    ),
                ));
            }
            if gate && first {
                let message = format!(
                    "the piece on {} cannot both gate and have initial moves",
                    board.square_name(square)
                );
                return Err(self.error("gating.movers", message));
            }
            let letter = if is_hanging {
                hanging_letters.next().ok_or_else(|| {
                    self.error(
                        "board.hanging",
                        "at most four pieces per side can begin on hanging squares",
                    )
                })?
            } else {
                Board::file_letter(board.file(square)).to_ascii_uppercase()
            };
            if let Some((_, other)) = lettered[color].iter().find(|(known, _)| *known == letter) {
                let message = format!(
                    "{color} has unmoved pieces with rights on {} and {}: expected at most one on each file",
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

/// Castling moves of one side in one start: the king with the outermost partner to its right and to its left.
fn wings_of(game: &GameDef, pieces: &Pieces, color: Color, partner: Kind, step: CastlingStep) -> Vec<CastlingWing> {
    let board = &game.board;
    let is = |square: Square, kind: Kind| pieces[square.index()] == Some(Piece { color, kind });
    let Some(king_from) = board.squares().find(|&square| is(square, game.king)) else {
        return Vec::new();
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
        let (Some(king_to), Some(partner_to)) = (at(end), at(end - direction)) else {
            continue;
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
    wings
}
