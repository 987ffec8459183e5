//! Where the games of a match begin.

use std::sync::atomic::AtomicBool;

use assay_rules::Position;
use thiserror::Error;

use crate::game::state::GameState;
use crate::game::unruled::Unruled;
use crate::openings::book::{Begin, Book, BookError};
use crate::openings::{OpeningError, Openings, OpeningsError};
use crate::players::player::MakePlayer;
use crate::tournament::settings::{MatchSettings, OpeningSource, Rules};

/// Why a match has no openings.
#[derive(Debug, Error)]
pub enum MatchOpeningsError {
    /// The file cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The game or its start cannot be played from random openings.
    #[error("{0}; -openings file=... gives openings from a file")]
    Openings(#[from] OpeningsError),
    /// No random opening could be found.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// Random openings of an unknown game.
    #[error(
        "random openings need rules, and {game} is played on trust; give -openings file=..., or begin with `startpos`"
    )]
    Unknown {
        /// The game's name.
        game: String,
    },
}

/// The openings of a match.
pub(crate) enum MatchOpenings {
    Random(Box<Openings>),
    Book(Book),
    Start(Begin),
}

impl MatchOpenings {
    pub(crate) fn new(settings: &MatchSettings) -> Result<MatchOpenings, MatchOpeningsError> {
        let game = match &settings.rules {
            Rules::Known(source) => Some(&source.game),
            Rules::Unruled { .. } => None,
        };
        match (&settings.openings, game) {
            (OpeningSource::Random(opening), Some(game)) => {
                let openings = Openings::new(game, opening, settings.seed)?;
                Ok(MatchOpenings::Random(Box::new(openings)))
            }
            (OpeningSource::Random(_), None) => Err(MatchOpeningsError::Unknown {
                game: settings.rules.name().to_owned(),
            }),
            (
                OpeningSource::Book {
                    path,
                    format,
                    order,
                    start,
                    plies,
                },
                _,
            ) => {
                let book = Book::read(path, *format, *plies, game, (*order, *start, settings.seed))?;
                Ok(MatchOpenings::Book(book))
            }
            (OpeningSource::Start, Some(game)) => {
                Ok(MatchOpenings::Start(Begin::Position(Box::new(Position::start(game)))))
            }
            (OpeningSource::Start, None) => Ok(MatchOpenings::Start(Begin::Text("startpos".to_owned()))),
        }
    }

    /// A mark of the contents of a file of openings.
    pub(crate) fn fingerprint(&self) -> &str {
        match self {
            MatchOpenings::Book(book) => book.fingerprint(),
            _ => "",
        }
    }

    /// The opening of a round, with where it is from; `None` when `stop` was raised.
    pub(crate) fn draw(
        &self,
        round: u64,
        judge: Option<&dyn MakePlayer>,
        stop: &AtomicBool,
    ) -> Result<Option<(Begin, String)>, MatchOpeningsError> {
        match self {
            MatchOpenings::Random(openings) => {
                // Both games of a round begin with the same position, so that each engine plays both sides of it.
                let Some(judge) = judge else {
                    unreachable!("random openings have a judge")
                };
                let opening = openings.draw(round, judge.make().as_mut(), stop)?;
                Ok(opening.map(|opening| {
                    (
                        Begin::Position(Box::new(opening.first)),
                        format!("random {}", round + 1),
                    )
                }))
            }
            MatchOpenings::Book(book) => Ok(Some(book.opening(round))),
            MatchOpenings::Start(begin) => Ok(Some((begin.clone(), "start".to_owned()))),
        }
    }
}

/// A game that begins there.
pub(crate) fn state(begin: Begin) -> GameState {
    match begin {
        Begin::Position(position) => GameState::of_rules(*position),
        Begin::Text(text) => GameState::Trust(Unruled::new(&text)),
    }
}
