//! Where games begin: random quiet moves, planned material imbalances, or a book of positions or
//! games.

pub(crate) mod book;
pub(crate) mod book_moves;
mod candidates;
mod imbalance;
mod plan;
mod playtest;
mod polyglot;
mod random;

use assay_rules::{Game, Position};

use crate::game::GameEnd;
use crate::players::OpeningEval;
use crate::settings::{OpeningSource, RunSettings};
pub use book::{Book, BookError};
pub use imbalance::{Change, Imbalance};
pub use plan::{Plan, PlanError};
pub use random::{Opening, OpeningError, OpeningGenerator};

/// The openings of a run, from any source.
pub enum Openings {
    Random(Box<OpeningGenerator>),
    Book(Book),
    Start(Position),
}

impl Openings {
    /// Reads the book, or prepares random openings.
    ///
    /// # Errors
    /// If the settings allow no openings.
    pub fn new(settings: &RunSettings) -> Result<Openings, OpeningError> {
        let game = settings.game();
        Ok(match &settings.openings {
            OpeningSource::Random(random) => {
                let generator = OpeningGenerator::new(game, random, settings.seed)?;
                Openings::Random(Box::new(generator))
            }
            OpeningSource::Book(book) => Openings::Book(Book::read(book, settings.seed, game)?),
            &OpeningSource::Chess960 { order } => Openings::Book(Book::starts(order, settings.seed, game)?),
            // No run with such openings is ever played: [`Store::open_run`](crate::Store::open_run)
            // refuses it.
            OpeningSource::Import(_) | OpeningSource::Start => {
                let start = Position::start(game);
                if let Some(end) = Game::new(start.clone()).outcome() {
                    return Err(OpeningError::Over { fen: start.fen(), end: GameEnd::Rules(end.termination).name() });
                }
                Openings::Start(start)
            }
        })
    }

    /// The hash of the book; `None` without one.
    pub fn book_hash(&self) -> Option<&str> {
        match self {
            Openings::Book(book) => book.hash.as_deref(),
            _ => None,
        }
    }

    /// Warnings about a book that can be used.
    pub fn warnings(&self) -> &[String] {
        match self {
            Openings::Book(book) => &book.warnings,
            _ => &[],
        }
    }

    /// Returns true if drawing an opening needs an evaluator.
    pub fn needs_evaluator(&self) -> bool {
        matches!(self, Openings::Random(_))
    }

    /// The opening of a pair: that of self-play if `is_self_play`, else twice the same position.
    /// Random openings are judged by `evaluate`; `None` if it returns `None`, because it was
    /// stopped.
    ///
    /// # Errors
    /// If no random opening is usable.
    pub fn draw(
        &self,
        pair: u64,
        is_self_play: bool,
        evaluate: impl FnMut(&Position) -> Option<OpeningEval>,
    ) -> Result<Option<Opening>, OpeningError> {
        Ok(Some(match self {
            Openings::Random(generator) => match generator.draw(pair, evaluate)? {
                None => return Ok(None),
                Some(drawn) if is_self_play => drawn,
                Some(Opening { starts: [start, _], imbalances: [imbalance, _], source }) => {
                    Opening::twice(start, imbalance, source)
                }
            },
            Openings::Book(book) => {
                let (start, source) = book.opening(pair);
                Opening::twice(start, None, source)
            }
            Openings::Start(start) => Opening::twice(Position::clone(start), None, "start".to_owned()),
        }))
    }
}
