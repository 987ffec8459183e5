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

/// A handicap that makes the start unequal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handicap {
    /// The side makes two moves at its first turn; Black's may not capture.
    TwoMoves(Color),
    /// A side gets an extra pawn on its 4th rank.
    Pawn {
        /// Square of the extra pawn; its rank determines the owner.
        added: Square,
    },
    /// A side gives a bishop for two pawns on its 4th rank.
    Bishop {
        /// Square of the bishop.
        removed: Square,
        /// Squares of the added pawns.
        added: [Square; 2],
    },
    /// A side gives a rook for two pawns on its 4th rank, and the other side removes a pawn.
    Rook {
        /// Square of the rook.
        removed: Square,
        /// Squares of the added pawns.
        added: [Square; 2],
        /// Square of the opponent's pawn.
        pawn: Square,
    },
}

/// Why a start was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The game has no start with this identifier.
    #[error("unknown start `{found}`, expected one of {known}")]
    Unknown {
        /// What was found.
        found: String,
        /// Identifiers of the game's starts.
        known: String,
    },
    /// The game has no handicaps.
    #[error("{game} has no handicaps, found `{found}`")]
    NoHandicaps {
        /// Name of the game.
        game: String,
        /// What was found.
        found: String,
    },
    /// The handicap is malformed.
    #[error(
        "handicap `{found}`: expected two-moves:white, two-moves:black, pawn:e4, bishop:d2:d4,e4 or rook:a1:d4,e4:e8"
    )]
    Syntax {
        /// What was found.
        found: String,
    },
    /// The handicap cannot be applied to the start position.
    #[error("handicap `{found}`: {why}")]
    NotApplicable {
        /// What was found.
        found: String,
        /// Why it cannot be applied.
        why: String,
    },
    /// The resulting position is impossible.
    #[error("start `{found}`: {error}")]
    Position {
        /// What was found.
        found: String,
        /// Error of the position.
        error: FenError,
    },
}

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
        let start = game.start(id).ok_or_else(|| StartError::Unknown {
            found: id.to_owned(),
            known: game.starts.iter().map(|start| start.id.as_str()).collect::<Vec<_>>().join(" "),
        })?;
        let impossible = |error: FenError| StartError::Position { found: text.to_owned(), error };
        let mut setup = Setup::from_fen(game, &start.fen).map_err(impossible)?;
        for part in parts {
            if game.mechanisms.handicaps.is_none() {
                return Err(StartError::NoHandicaps { game: game.name.clone(), found: part.to_owned() });
            }
            let handicap = Handicap::parse(game, part).ok_or_else(|| StartError::Syntax { found: part.to_owned() })?;
            handicap
                .apply(game, &mut setup)
                .map_err(|why| StartError::NotApplicable { found: part.to_owned(), why })?;
        }
        // Removing a piece removes its rights. That is part of the handicap, so warnings are not
        // needed.
        let (position, _) = Position::from_setup(game, &setup).map_err(|errors| impossible(errors.into()))?;
        Ok(position)
    }
}

impl Handicap {
    pub fn parse(game: &GameDef, text: &str) -> Option<Handicap> {
        let square = |name: &str| game.board.parse_square(name);
        let two = |names: &str| {
            let (first, second) = names.split_once(',')?;
            Some([square(first)?, square(second)?])
        };
        let parts: Vec<&str> = text.split(':').collect();
        match parts.as_slice() {
            ["two-moves", "white"] => Some(Handicap::TwoMoves(Color::White)),
            ["two-moves", "black"] => Some(Handicap::TwoMoves(Color::Black)),
            ["pawn", added] => Some(Handicap::Pawn { added: square(added)? }),
            ["bishop", removed, added] => Some(Handicap::Bishop { removed: square(removed)?, added: two(added)? }),
            ["rook", removed, added, pawn] => {
                Some(Handicap::Rook { removed: square(removed)?, added: two(added)?, pawn: square(pawn)? })
            }
            _ => None,
        }
    }

    /// Applies the handicap to a start position; the error says why it cannot be applied.
    fn apply(self, game: &GameDef, setup: &mut Setup) -> Result<(), String> {
        match self {
            Handicap::TwoMoves(color) => {
                if setup.turn != Turn::Single(Color::White) {
                    return Err("a two-move handicap is already set".to_owned());
                }
                setup.turn = match color {
                    Color::White => Turn::WhiteTwice,
                    Color::Black => Turn::WhiteThenBlackTwice,
                };
            }
            Handicap::Pawn { added } => {
                let owner = owner_of_fourth_rank(game, added)?;
                add_pawn(game, setup, added, owner)?;
            }
            Handicap::Bishop { removed, added } => {
                let giver = remove(game, setup, removed, kind_named(game, "bishop")?)?;
                for square in added {
                    add_pawn(game, setup, square, giver)?;
                }
            }
            Handicap::Rook { removed, added, pawn } => {
                let giver = remove(game, setup, removed, kind_named(game, "rook")?)?;
                for square in added {
                    add_pawn(game, setup, square, giver)?;
                }
                let opponent = remove(game, setup, pawn, game.first_pawn())?;
                if opponent == giver {
                    return Err(format!(
                        "the pawn on {} does not belong to the opponent",
                        game.board.square_name(pawn)
                    ));
                }
            }
        }
        Ok(())
    }
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
    Color::ALL
        .into_iter()
        .find(|&color| game.board.relative_rank(color, square) == game.pawns.home_rank + 1)
        .ok_or_else(|| {
            format!(
                "{} is on neither side's {} rank",
                game.board.square_name(square),
                ordinal(game.pawns.home_rank + 1)
            )
        })
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
