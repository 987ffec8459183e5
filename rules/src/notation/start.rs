//! Start positions by identifier, with optional handicaps: `14`, `14+pawn:e4`, `1+two-moves:black`.
//!
//! ```
//! use assay_rules::{GameDef, Position};
//!
//! let game = GameDef::builtin("apothecary2").unwrap();
//! let position = Position::from_start(&game, "14+pawn:e4").unwrap();
//! assert!(position.piece_at(game.board.parse_square("e4").unwrap()).is_some());
//! ```

use std::sync::Arc;

use thiserror::Error;

use crate::notation::fen::FenError;
use crate::types::color::Color;
use crate::types::piece::{Kind, Piece};
use crate::types::square::Square;
use crate::types::turn::Turn;
use crate::variant::GameDef;
use crate::variant::{Position, Setup};

/// The forms of a handicap, as an error names them.
const HANDICAPS: &str = "expected two-moves:white, two-moves:black, pawn:e4, bishop:d2:d4,e4 or rook:a1:d4,e4:e8";

/// The reason for rejecting a start: an unknown identifier, a handicap that is malformed, that the game
/// does not have or that does not fit the start, or an impossible position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct StartError(String);

impl Position {
    /// Creates a start position from `ID`, or `ID+HANDICAP` with any number of handicaps:
    /// two-moves:white, two-moves:black, pawn:SQUARE, bishop:SQUARE:SQUARE,SQUARE or
    /// rook:SQUARE:SQUARE,SQUARE:SQUARE.
    ///
    /// # Errors
    /// Returns an error if the identifier is unknown, or a handicap is malformed or cannot be
    /// applied.
    pub fn from_start(game: &Arc<GameDef>, text: &str) -> Result<Position, StartError> {
        let mut parts = text.split('+');
        let id = parts.next().unwrap_or_default();
        let start = game.start(id).ok_or_else(|| {
            let known = game.starts.iter().map(|start| start.id.as_str()).collect::<Vec<_>>().join(" ");
            StartError(format!("unknown start `{id}`, expected one of {known}"))
        })?;
        let impossible = |error: FenError| StartError(format!("start `{text}`: {error}"));
        let mut setup = Setup::from_fen(game, &start.fen).map_err(impossible)?;
        for part in parts {
            if game.mechanisms.handicaps.is_none() {
                return Err(StartError(format!("{} has no handicaps, found `{part}`", game.name)));
            }
            let applied = apply_handicap(game, &mut setup, part);
            applied.map_err(|why| StartError(format!("handicap `{part}`: {why}")))?;
        }
        // Removing a piece removes its rights. That is part of the handicap, so warnings are not
        // needed.
        let (position, _) = Position::from_setup(game, &setup).map_err(|errors| impossible(errors.into()))?;
        Ok(position)
    }
}

/// Makes a start position unequal; the error says why it cannot be done.
///
/// With two moves at the first turn, Black may not capture. A pawn is added on its side's 4th rank.
/// A bishop or a rook is given for two such pawns, a rook also for a pawn of the other side.
fn apply_handicap(game: &GameDef, setup: &mut Setup, text: &str) -> Result<(), String> {
    let square = |name: &str| game.board.parse_square(name).ok_or(HANDICAPS);
    let parts: Vec<&str> = text.split(':').collect();
    match parts.as_slice() {
        ["two-moves", side @ ("white" | "black")] => {
            if setup.turn != Turn::Single(Color::White) {
                return Err("a two-move handicap is already set".to_owned());
            }
            setup.turn = if *side == "white" { Turn::WhiteTwice } else { Turn::WhiteThenBlackTwice };
        }
        ["pawn", added] => {
            let added = square(added)?;
            let owner = owner_of_fourth_rank(game, added)?;
            add_pawn(game, setup, added, owner)?;
        }
        [piece, given, added, pawn @ ..] if matches!((*piece, pawn.len()), ("bishop", 0) | ("rook", 1)) => {
            let (first, second) = added.split_once(',').ok_or(HANDICAPS)?;
            let (given, added) = (square(given)?, [square(first)?, square(second)?]);
            let pawn = pawn.first().map(|name| square(name)).transpose()?;
            let giver = remove(game, setup, given, kind_named(game, piece)?)?;
            for square in added {
                add_pawn(game, setup, square, giver)?;
            }
            if let Some(pawn) = pawn
                && remove(game, setup, pawn, game.first_pawn())? == giver
            {
                return Err(format!("the pawn on {} does not belong to the opponent", game.board.square_name(pawn)));
            }
        }
        _ => return Err(HANDICAPS.to_owned()),
    }
    Ok(())
}

fn kind_named(game: &GameDef, name: &str) -> Result<Kind, String> {
    game.kinds.all().find(|&kind| game.kind(kind).name == name).ok_or_else(|| format!("{} has no {name}", game.name))
}

/// Removes a piece of the given kind and returns its owner.
fn remove(game: &GameDef, setup: &mut Setup, square: Square, kind: Kind) -> Result<Color, String> {
    let piece = setup.pieces[square.index()].filter(|piece| piece.kind == kind);
    let piece = piece.ok_or_else(|| format!("no {} on {}", game.kind(kind).name, game.board.square_name(square)))?;
    setup.pieces[square.index()] = None;
    Ok(piece.color)
}

fn add_pawn(game: &GameDef, setup: &mut Setup, square: Square, color: Color) -> Result<(), String> {
    let name = game.board.square_name(square);
    if owner_of_fourth_rank(game, square)? != color {
        return Err(format!("{name} is not on {color}'s {} rank", ordinal(game.pawns.home_rank + 1)));
    }
    let slot = &mut setup.pieces[square.index()];
    if slot.is_some() {
        return Err(format!("{name} is occupied"));
    }
    *slot = Some(Piece { color, kind: game.first_pawn() });
    Ok(())
}

/// The side for which `square` is on the rank in front of its pawns.
fn owner_of_fourth_rank(game: &GameDef, square: Square) -> Result<Color, String> {
    let rank = game.pawns.home_rank + 1;
    let owner = Color::ALL.into_iter().find(|&color| game.board.relative_rank(color, square) == rank);
    owner.ok_or_else(|| format!("{} is on neither side's {} rank", game.board.square_name(square), ordinal(rank)))
}

fn ordinal(number: u8) -> String {
    let ending = match number {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
