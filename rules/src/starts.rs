//! Start positions by name, with handicaps: `14`, `14+pawn:e4`, `1+two-moves:black`.

use std::sync::Arc;

use thiserror::Error;

use crate::color::Color;
use crate::def::GameDef;
use crate::fen::FenError;
use crate::piece::{Kind, Piece};
use crate::position::{Position, Turn};
use crate::setup::Setup;
use crate::square::Square;

/// What a start specification may look like, for messages and help texts.
pub const START_SYNTAX: &str = "ID, or ID+HANDICAP, where HANDICAP is two-moves:white, two-moves:black, pawn:SQUARE, \
    bishop:SQUARE:SQUARE,SQUARE or rook:SQUARE:SQUARE,SQUARE:SQUARE";

/// A handicap of the games that know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handicap {
    /// This side makes two moves at its first turn; Black's may not capture.
    TwoMoves(Color),
    /// The receiver gets an extra pawn on its 4th rank.
    Pawn {
        /// Where; the rank tells whose.
        added: Square,
    },
    /// The giver takes a bishop off and adds two pawns on its 4th rank.
    Bishop {
        /// Where the giver's bishop stands.
        removed: Square,
        /// Where its pawns go.
        added: [Square; 2],
    },
    /// The giver takes a rook off and adds two pawns on its 4th rank; the receiver takes a pawn off.
    Rook {
        /// Where the giver's rook stands.
        removed: Square,
        /// Where its pawns go.
        added: [Square; 2],
        /// Where the receiver's pawn stands.
        pawn: Square,
    },
}

/// Why a text names no start position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The game has no start of that id.
    #[error("found start `{found}`, expected one of {known}")]
    Unknown {
        /// What was found.
        found: String,
        /// The game's starts.
        known: String,
    },
    /// The game knows no handicaps.
    #[error("{game} has no handicaps, found `{found}`")]
    NoHandicaps {
        /// The game's name.
        game: String,
        /// What was found.
        found: String,
    },
    /// Not of the form of a handicap.
    #[error(
        "handicap `{found}`: expected two-moves:white, two-moves:black, pawn:e4, bishop:d2:d4,e4 or rook:a1:d4,e4:e8"
    )]
    Form {
        /// What was found.
        found: String,
    },
    /// The handicap does not fit the position.
    #[error("handicap `{found}`: {why}")]
    Misfit {
        /// What was found.
        found: String,
        /// Why it does not fit.
        why: String,
    },
    /// The position that results is impossible.
    #[error("start `{found}`: {error}")]
    Position {
        /// What was found.
        found: String,
        /// What is wrong with the position.
        error: FenError,
    },
}

impl Position {
    /// A start position of the game by its id, with any number of handicaps behind it (see [`START_SYNTAX`]).
    ///
    /// # Errors
    /// When the id is unknown, or a handicap is malformed or does not fit.
    pub fn from_start(game: &Arc<GameDef>, text: &str) -> Result<Position, StartError> {
        let mut parts = text.split('+');
        let id = parts.next().unwrap_or_default();
        let start = game.start(id).ok_or_else(|| StartError::Unknown {
            found: id.to_owned(),
            known: game
                .starts
                .iter()
                .map(|start| start.id.as_str())
                .collect::<Vec<_>>()
                .join(" "),
        })?;
        let impossible = |error: FenError| StartError::Position {
            found: text.to_owned(),
            error,
        };
        let mut setup = Setup::parse(game, &start.fen).map_err(impossible)?;
        for part in parts {
            if !game.handicaps {
                return Err(StartError::NoHandicaps {
                    game: game.name.clone(),
                    found: part.to_owned(),
                });
            }
            let handicap = Handicap::parse(game, part).ok_or_else(|| StartError::Form { found: part.to_owned() })?;
            handicap.apply(game, &mut setup).map_err(|why| StartError::Misfit {
                found: part.to_owned(),
                why,
            })?;
        }
        // Rights of pieces that a handicap took off are dropped: that is what the handicap means, not something to warn of.
        let (position, _) = Position::from_setup(game, &setup).map_err(|faults| impossible(faults.into()))?;
        Ok(position)
    }
}

impl Handicap {
    /// Reads the text of one handicap.
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
            ["bishop", removed, added] => Some(Handicap::Bishop {
                removed: square(removed)?,
                added: two(added)?,
            }),
            ["rook", removed, added, pawn] => Some(Handicap::Rook {
                removed: square(removed)?,
                added: two(added)?,
                pawn: square(pawn)?,
            }),
            _ => None,
        }
    }

    /// Changes a start set-up by this handicap; the error says why it does not fit.
    fn apply(self, game: &GameDef, setup: &mut Setup) -> Result<(), String> {
        match self {
            Handicap::TwoMoves(color) => {
                if setup.turn != Turn::Single(Color::White) {
                    return Err("the turn has a handicap already".to_owned());
                }
                setup.turn = match color {
                    Color::White => Turn::WhiteTwice,
                    Color::Black => Turn::WhiteThenBlackTwice,
                };
            }
            Handicap::Pawn { added } => {
                let receiver = owner_of_fourth_rank(game, added)?;
                add_pawn(game, setup, added, receiver)?;
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
                let receiver = remove(game, setup, pawn, game.pawn)?;
                if receiver == giver {
                    return Err(format!(
                        "the pawn on {} is the giver's, not the receiver's",
                        game.board.square_name(pawn)
                    ));
                }
            }
        }
        Ok(())
    }
}

fn kind_named(game: &GameDef, name: &str) -> Result<Kind, String> {
    game.all_kinds()
        .find(|&kind| game.kind(kind).name == name)
        .ok_or_else(|| format!("{} has no {name}", game.name))
}

/// Takes the piece of that kind off its square and says whose it was.
fn remove(game: &GameDef, setup: &mut Setup, square: Square, kind: Kind) -> Result<Color, String> {
    let piece = setup.pieces[square.index()].filter(|piece| piece.kind == kind);
    let piece = piece.ok_or_else(|| {
        format!(
            "no {} stands on {}",
            game.kind(kind).name,
            game.board.square_name(square)
        )
    })?;
    setup.pieces[square.index()] = None;
    Ok(piece.color)
}

fn add_pawn(game: &GameDef, setup: &mut Setup, square: Square, color: Color) -> Result<(), String> {
    let name = game.board.square_name(square);
    if owner_of_fourth_rank(game, square)? != color {
        return Err(format!(
            "{name} is not on {color}'s {} rank",
            ordinal(game.pawn_home_rank + 1)
        ));
    }
    let place = &mut setup.pieces[square.index()];
    if place.is_some() {
        return Err(format!("{name} is occupied"));
    }
    *place = Some(Piece { color, kind: game.pawn });
    Ok(())
}

/// The side whose rank right in front of its pawns' home this square is on.
fn owner_of_fourth_rank(game: &GameDef, square: Square) -> Result<Color, String> {
    Color::ALL
        .into_iter()
        .find(|&color| game.board.relative_rank(color, square) == game.pawn_home_rank + 1)
        .ok_or_else(|| {
            format!(
                "{} is on neither side's {} rank",
                game.board.square_name(square),
                ordinal(game.pawn_home_rank + 1)
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
