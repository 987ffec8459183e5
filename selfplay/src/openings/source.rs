//! The openings of a run, from any source.

use std::sync::atomic::AtomicBool;

use assay_rules::Position;
use thiserror::Error;

use super::book::{Book, BookError};
use super::random::{Opening, OpeningError, OpeningGenerator};
use crate::game::Start;
use crate::players::OpeningEvaluator;
use crate::settings::{OpeningSource, RunSettings};

/// Why a run has no openings.
#[derive(Debug, Error)]
pub enum SourceError {
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// Random openings of an unruled game.
    #[error("random openings need rules, and {game} is unruled; give -openings file=..., or begin with `startpos`")]
    Unruled { game: String },
}

/// The openings of a run.
pub enum Openings {
    Random(Box<OpeningGenerator>),
    Book(Book),
    Start(Start),
}

/// The starts of a pair of games.
#[derive(Clone, Debug)]
pub struct PairStarts {
    pub first: Start,
    pub second: Start,
    /// What the armies lost or gained in each game.
    pub material: [Option<String>; 2],
    /// The source of the opening, for example `random 3` or `line 7`.
    pub opening: String,
}

impl Openings {
    /// Reads the book, or prepares random openings.
    ///
    /// # Errors
    /// If the settings allow no openings.
    pub fn new(settings: &RunSettings) -> Result<Openings, SourceError> {
        let game = settings.game();
        match (&settings.openings, game) {
            (OpeningSource::Random(random), Some(game)) => {
                let generator = OpeningGenerator::new(game, random, settings.seed)?;
                Ok(Openings::Random(Box::new(generator)))
            }
            (OpeningSource::Random(_), None) => Err(SourceError::Unruled {
                game: settings.rules.name().to_owned(),
            }),
            (OpeningSource::Book(book), _) => Ok(Openings::Book(Book::read(book, settings.seed, game)?)),
            (OpeningSource::Start, Some(game)) => Ok(Openings::Start(Start::Position(Box::new(Position::start(game))))),
            (OpeningSource::Start, None) => Ok(Openings::Start(Start::Text("startpos".to_owned()))),
        }
    }

    /// The hash of the book; `None` without one.
    pub fn book_hash(&self) -> Option<&str> {
        match self {
            Openings::Book(book) => Some(book.hash()),
            _ => None,
        }
    }

    /// Returns true if drawing an opening needs an evaluator.
    pub fn needs_evaluator(&self) -> bool {
        matches!(self, Openings::Random(_))
    }

    /// The starts of a pair: with the armies exchanged in the second game if `swap_armies`, else twice the same position.
    /// `None` if `stop` was raised.
    ///
    /// # Errors
    /// If no random opening is usable.
    ///
    /// # Panics
    /// If openings need an evaluator and there is none.
    pub fn draw(
        &self,
        pair: u64,
        swap_armies: bool,
        evaluator: Option<&mut dyn OpeningEvaluator>,
        stop: &AtomicBool,
    ) -> Result<Option<PairStarts>, SourceError> {
        let twice = |(start, opening): (Start, String)| PairStarts {
            second: start.clone(),
            first: start,
            material: [None, None],
            opening,
        };
        match self {
            Openings::Random(generator) => {
                let evaluator = evaluator.expect("random openings are drawn with an evaluator");
                let Some(drawn) = generator.draw(pair, evaluator, stop)? else {
                    return Ok(None);
                };
                let material =
                    [false, swap_armies].map(|swapped| drawn.imbalance(swapped).map(|text| text.to_string()));
                let Opening { first, second, .. } = drawn;
                let second = if swap_armies { second } else { first.clone() };
                Ok(Some(PairStarts {
                    first: Start::Position(Box::new(first)),
                    second: Start::Position(Box::new(second)),
                    material,
                    opening: format!("random {}", pair + 1),
                }))
            }
            Openings::Book(book) => Ok(Some(twice(book.opening(pair)))),
            Openings::Start(start) => Ok(Some(twice((start.clone(), "start".to_owned())))),
        }
    }
}
