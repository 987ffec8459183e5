//! Kinds of pieces.

use super::super::keys::{GameKeys, PieceKeys};
use crate::betza;
use crate::types::board::Board;
use crate::types::color::ByColor;
use crate::types::movement::Movement;
use crate::types::piece::{Kind, MAX_KINDS};
use crate::variant::kinds::{KindDef, Kinds, PieceClass};
use crate::variant::mechanism::{KeyError, forbid, required, squares};

/// The least and the greatest published value: beyond these, sums and ratios of values would not be
/// numbers.
const LEAST_VALUE: f64 = 0.001;
const MOST_VALUE: f64 = 1e6;

impl GameKeys {
    /// Key of a kind's movement, for error messages.
    pub(super) fn piece_key(&self, kind: Kind) -> String {
        let name = self.pieces.keys().nth(kind.index()).map_or("", String::as_str);
        format!("pieces.{name}.move")
    }

    pub(super) fn kinds(&self, board: &Board) -> Result<Kinds, KeyError> {
        let pieces = &self.pieces;
        let message = format!("found {} kinds, expected 1 to {MAX_KINDS}", pieces.len());
        forbid(pieces.is_empty() || pieces.len() > MAX_KINDS, "pieces", message)?;
        let mut kinds: Vec<KindDef> = Vec::new();
        for (key, raw) in pieces {
            let kind = self.kind_def(board, key, raw)?;
            let letter = raw.letter.as_deref().unwrap_or_default();
            let mut others = pieces.values().zip(&kinds);
            if let Some((_, other)) = others.find(|(other, _)| other.letter.as_deref() == Some(letter)) {
                let message = format!("found `{letter}`, the letter of the {}, expected another letter", other.name);
                return Err(KeyError::new(format!("pieces.{key}.letter"), message));
            }
            let message = format!("found the name `{}`, expected a name of its own for each piece", kind.name);
            let is_taken = kinds.iter().any(|other| other.name == kind.name);
            forbid(kind.name.is_empty() || is_taken, format!("pieces.{key}.name"), message)?;
            kinds.push(kind);
        }
        self.find_unpromoted(&mut kinds)?;
        for (class, word) in [(PieceClass::King, "king"), (PieceClass::Joker, "joker")] {
            let message = format!("found more than one piece with class = \"{word}\", expected at most one");
            forbid(kinds.iter().filter(|kind| kind.class == class).count() > 1, "pieces", message)?;
        }
        Ok(Kinds::new(kinds))
    }

    /// Finds the kind X of each kind that is written `+X`.
    fn find_unpromoted(&self, kinds: &mut [KindDef]) -> Result<(), KeyError> {
        let is_promoted = |raw: &PieceKeys| raw.letter.as_ref().is_some_and(|letter| letter.starts_with('+'));
        for (index, (key, raw)) in self.pieces.iter().enumerate() {
            if !is_promoted(raw) {
                continue;
            }
            let letter = kinds[index].letter;
            let mut unpromoted = self.pieces.values().zip(kinds.iter());
            let base = unpromoted.position(|(other, kind)| !is_promoted(other) && kind.letter == letter);
            let can_promote = |base: &usize| !matches!(kinds[*base].class, PieceClass::King | PieceClass::Joker);
            let Some(base) = base.filter(can_promote) else {
                let message = format!(
                    "found `+{letter}`, expected after the `+` the letter of a piece that is neither king nor joker"
                );
                return Err(KeyError::new(format!("pieces.{key}.letter"), message));
            };
            let message = "found king, pawn or joker, expected another class: the piece is promoted";
            let has_role = matches!(kinds[index].class, PieceClass::King | PieceClass::Pawn | PieceClass::Joker);
            forbid(has_role, format!("pieces.{key}.class"), message)?;
            kinds[index].unpromoted = Some(Kind(base as u8));
        }
        Ok(())
    }

    fn kind_def(&self, board: &Board, name: &str, raw: &PieceKeys) -> Result<KindDef, KeyError> {
        let key = |field: &str| format!("pieces.{name}.{field}");
        let letter_text = required(&key("letter"), raw.letter.as_ref())?;
        let mut letters = letter_text.strip_prefix('+').unwrap_or(letter_text).chars();
        let (Some(letter @ 'A'..='Z'), None) = (letters.next(), letters.next()) else {
            let expected = "one upper-case letter, or `+` and the letter of the piece that promotes to this one";
            return Err(KeyError::new(key("letter"), format!("found `{letter_text}`, expected {expected}")));
        };
        let (class, side) = (raw.class.unwrap_or(PieceClass::Piece), raw.side);
        let stays = self.drops.is_none() && !letter_text.starts_with('+') && class != PieceClass::Pawn;
        let message = "found a side, expected none for pawns, for promoted pieces, and in games with drops";
        forbid(side.is_some() && !stays, key("side"), message)?;
        let (betza, movement) = if class == PieceClass::Joker {
            let message = "found a movement, expected none: a joker imitates the opponent's last moved piece";
            forbid(raw.movement.is_some(), key("move"), message)?;
            (String::new(), Movement::default())
        } else {
            let text = required(&key("move"), raw.movement.clone())?;
            let movement = betza::parse(&text).map_err(|error| KeyError::new(key("move"), error.to_string()))?;
            (text, movement)
        };
        check_movement(name, class, &movement)?;
        let zone = squares(board, &key("zone"), raw.zone.as_deref().unwrap_or_default())?;
        let is_useless = zone.is_empty() || class == PieceClass::Joker || movement.castling.is_some();
        let message = "found a zone, expected squares, of a piece that neither castles nor is the joker";
        forbid(raw.zone.is_some() && is_useless, key("zone"), message)?;
        let zone = raw.zone.is_some().then(|| ByColor([zone, board.rotated(zone)]));
        let numbers =
            [("value", raw.value, LEAST_VALUE), ("rounded", raw.rounded, LEAST_VALUE), ("pair", raw.pair, -MOST_VALUE)];
        for (name, value, least) in numbers {
            if let Some(bad) = value.filter(|value| !(least..=MOST_VALUE).contains(value)) {
                // In full, 1e308 would fill lines.
                let bad = if bad.abs() < 1e9 { bad.to_string() } else { format!("{bad:e}") };
                let message = format!("found {bad}, expected a number from {least} to {MOST_VALUE}");
                return Err(KeyError::new(key(name), message));
            }
        }
        let message = "found a rounded value, expected also the `value` that it rounds";
        forbid(raw.rounded.is_some() && raw.value.is_none(), key("rounded"), message)?;
        let name = raw.name.clone().unwrap_or_else(|| name.to_owned());
        Ok(KindDef {
            name,
            letter,
            betza,
            movement,
            class,
            zone,
            side,
            value: raw.value,
            rounded: raw.rounded,
            pair: raw.pair,
            copy_of: None,
            unpromoted: None,
        })
    }
}

fn check_movement(name: &str, class: PieceClass, movement: &Movement) -> Result<(), KeyError> {
    let key = format!("pieces.{name}.move");
    let message = "found castling (`O`) of the pawn, expected it in the king's movement";
    forbid(movement.castling.is_some() && class == PieceClass::Pawn, &key, message)?;
    for path in &movement.paths {
        let message = "found a move and an en passant capture (`e`) in the same direction, expected only one of them: their UCI moves would be equal";
        let moves_there = movement.paths.iter().any(|other| other.delta == path.delta && other.modality.moves);
        forbid(path.modality.en_passant && moves_there, &key, message)?;
        let message = "found a capture en passant (`e`), expected it only in the pawn's movement";
        forbid(path.modality.en_passant && class != PieceClass::Pawn, &key, message)?;
        forbid(path.initial && path.rides(), &key, "found an initial move (`i`) that slides, expected a leap")?;
    }
    Ok(())
}
