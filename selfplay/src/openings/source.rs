//! The openings of a run, from any source.

use std::sync::atomic::AtomicBool;

use assay_rules::Position;
use thiserror::Error;

use super::book::{Book, BookError};
use super::random::{Opening, OpeningError, OpeningGenerator};
use crate::players::OpeningEvaluator;
use crate::settings::{OpeningSource, RunSettings};

/// Why a run has no openings.
#[derive(Debug, Error)]
pub enum SourceError {
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
}

/// The openings of a run.
pub enum Openings {
    Random(Box<OpeningGenerator>),
    Book(Book),
    Start(Box<Position>),
}

/// The starts of a pair of games.
#[derive(Clone, Debug)]
pub struct PairStarts {
    pub first: Position,
    pub second: Position,
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
        Ok(match &settings.openings {
            OpeningSource::Random(random) => {
                let generator = OpeningGenerator::new(game, random, settings.seed)?;
                Openings::Random(Box::new(generator))
            }
            OpeningSource::Book(book) => Openings::Book(Book::read(book, settings.seed, game)?),
            OpeningSource::Start => Openings::Start(Box::new(Position::start(game))),
        })
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
        let twice = |(start, opening): (Position, String)| PairStarts {
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
                    first,
                    second,
                    material,
                    opening: format!("random {}", pair + 1),
                }))
            }
            Openings::Book(book) => Ok(Some(twice(book.opening(pair)))),
            Openings::Start(start) => Ok(Some(twice((Position::clone(start), "start".to_owned())))),
        }
    }
}
