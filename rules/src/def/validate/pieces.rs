//! Kinds of pieces.

use super::super::keys::{GameKeys, PieceKeys};
use crate::betza;
use crate::types::board::Board;
use crate::types::color::ByColor;
use crate::types::movement::{Movement, Path};
use crate::types::piece::{Kind, MAX_KINDS};
use crate::variant::kinds::{KindDef, Kinds, PieceClass};
use crate::variant::mechanism::{KeyError, required, squares};

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
        if pieces.is_empty() || pieces.len() > MAX_KINDS {
            return Err(KeyError::new("pieces", format!("found {} kinds, expected 1 to {MAX_KINDS}", pieces.len())));
        }
        let mut kinds: Vec<KindDef> = Vec::new();
        for (key, raw) in pieces {
            let kind = self.kind_def(board, key, raw)?;
            let letter = raw.letter.as_deref().unwrap_or_default();
            let mut others = pieces.values().zip(&kinds);
            if let Some((_, other)) = others.find(|(other, _)| other.letter.as_deref() == Some(letter)) {
                let message = format!("found `{letter}`, the letter of the {}, expected another letter", other.name);
                return Err(KeyError::new(format!("pieces.{key}.letter"), message));
            }
            if kind.name.is_empty() || kinds.iter().any(|other| other.name == kind.name) {
                let message = format!("found the name `{}`, expected a name of its own for each piece", kind.name);
                return Err(KeyError::new(format!("pieces.{key}.name"), message));
            }
            kinds.push(kind);
        }
        self.find_unpromoted(&mut kinds)?;
        for (class, word) in [(PieceClass::King, "king"), (PieceClass::Joker, "joker")] {
            if kinds.iter().filter(|kind| kind.class == class).count() > 1 {
                let message = format!("found more than one piece with class = \"{word}\", expected at most one");
                return Err(KeyError::new("pieces", message));
            }
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
            if matches!(kinds[index].class, PieceClass::King | PieceClass::Pawn | PieceClass::Joker) {
                let message = "found king, pawn or joker, expected another class: the piece is promoted";
                return Err(KeyError::new(format!("pieces.{key}.class"), message));
            }
            kinds[index].unpromoted = Some(Kind(base as u8));
        }
        Ok(())
    }

    fn kind_def(&self, board: &Board, name: &str, raw: &PieceKeys) -> Result<KindDef, KeyError> {
        let key = |field: &str| format!("pieces.{name}.{field}");
        let letter_text = required(&key("letter"), raw.letter.as_ref())?;
        let mut letters = letter_text.strip_prefix('+').unwrap_or(letter_text).chars();
        let letter = match (letters.next(), letters.next()) {
            (Some(letter), None) if letter.is_ascii_uppercase() => letter,
            _ => {
                return Err(KeyError::new(
                    key("letter"),
                    format!(
                        "found `{letter_text}`, expected one upper-case letter, or `+` and the letter of the piece that promotes to this one"
                    ),
                ));
            }
        };
        let (class, side) = (raw.class.unwrap_or(PieceClass::Piece), raw.side);
        let stays = self.drops.is_none() && !letter_text.starts_with('+') && class != PieceClass::Pawn;
        if side.is_some() && !stays {
            let message = "found a side, expected none for pawns, for promoted pieces, and in games with drops";
            return Err(KeyError::new(key("side"), message));
        }
        let (betza, movement) = if class == PieceClass::Joker {
            if raw.movement.is_some() {
                return Err(KeyError::new(
                    key("move"),
                    "found a movement, expected none: a joker imitates the opponent's last moved piece",
                ));
            }
            (String::new(), Movement::default())
        } else {
            let text = required(&key("move"), raw.movement.clone())?;
            let movement = betza::parse(&text).map_err(|error| KeyError::new(key("move"), error.to_string()))?;
            (text, movement)
        };
        check_movement(name, class, &movement)?;
        let zone = squares(board, &key("zone"), raw.zone.as_deref().unwrap_or_default())?;
        let is_useless = zone.is_empty() || class == PieceClass::Joker || movement.castling.is_some();
        if raw.zone.is_some() && is_useless {
            let message = "found a zone, expected squares, of a piece that neither castles nor is the joker";
            return Err(KeyError::new(key("zone"), message));
        }
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
        if raw.rounded.is_some() && raw.value.is_none() {
            return Err(KeyError::new(
                key("rounded"),
                "found a rounded value, expected also the `value` that it rounds",
            ));
        }
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
    if movement.castling.is_some() && class == PieceClass::Pawn {
        return Err(KeyError::new(&key, "found castling (`O`) of the pawn, expected it in the king's movement"));
    }
    let moves_by = |path: &Path, delta| path.delta == delta && path.modality.moves;
    for path in &movement.paths {
        if path.modality.en_passant && movement.paths.iter().any(|other| moves_by(other, path.delta)) {
            let message = "found a move and an en passant capture (`e`) in the same direction, expected only one of them: their UCI moves would be equal";
            return Err(KeyError::new(&key, message));
        }
        if path.modality.en_passant && class != PieceClass::Pawn {
            return Err(KeyError::new(
                &key,
                "found a capture en passant (`e`), expected it only in the pawn's movement",
            ));
        }
        if path.initial && path.rides() {
            return Err(KeyError::new(&key, "found an initial move (`i`) that slides, expected a leap"));
        }
    }
    Ok(())
}
