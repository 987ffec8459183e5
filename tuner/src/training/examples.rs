//! Training data: positions as examples for one kind of evaluation, the files that they come from,
//! and which positions count.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use assay_engine::{CompiledRuleset, Move, Position, Score, Tables, Visitor, dispatch};
use assay_rules::{Color, GameDef, Move as RulesMove, Position as RulesPosition};
use assay_selfplay::GameRecord;
use assay_selfplay::game::{Eval, ReplayError};
use serde::Serialize;

use crate::values::data::DataFile;

/// How files are read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The game of all files; `None` for that of the run files, or chess if there are none.
    pub game: Option<Arc<GameDef>>,
    /// Factor, at least 0 and below 1, of the weights of later scores: the expected points of a
    /// label are a mean of the scores from the position to the game's end, whose weights fall by
    /// this factor with each ply. Labelled positions have one score at most.
    pub decay: f64,
    /// Faulty records of labelled positions are skipped.
    pub skips_faults: bool,
    /// Labelled positions are used as they are given: a position without a move counts even if it
    /// is not quiet, and one whose game is not named is a group of its own, instead of one of
    /// [`BLOCKS`](super::labelled::BLOCKS) blocks.
    pub as_given: bool,
}

/// The label that an evaluation is trained to predict: points, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Target {
    /// By the game's result.
    pub result: f32,
    /// Expected by the search of this position and of later ones.
    pub expected: f32,
    /// Opening pair or block of labelled positions, numbered without gaps from 0 over all files.
    pub pair: u32,
}

impl Target {
    /// The target from the point of view of a side. The points are White's.
    pub(super) fn of(side: Color, result: f64, expected: f64, pair: u32) -> Target {
        let [result, expected] = [result, expected].map(|white| seen_by(side, white) as f32);
        Target { result, expected, pair }
    }

    /// The mixture of both: `lambda` is the weight of the result, 0 to 1.
    #[inline]
    pub fn label(&self, lambda: f32) -> f32 {
        lambda * self.result + (1.0 - lambda) * self.expected
    }
}

/// A training position as one kind of evaluation sees it: a head and any number of entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Example<H, E> {
    pub target: Target,
    pub head: H,
    pub entries: Box<[E]>,
}

/// Head and entries of an example.
pub type Contents<H, E> = (H, Box<[E]>);

/// Number of occurrences of each term of the linear evaluation, weighted by the middlegame share
/// and by the endgame share of the position. Empty for networks.
pub type Occurrences = Vec<[f64; 2]>;

/// Adds the occurrences of other positions.
pub(super) fn add_occurrences(sums: &mut Occurrences, more: &Occurrences) {
    sums.resize(more.len().max(sums.len()), [0.0; 2]);
    for (sum, more) in sums.as_flattened_mut().iter_mut().zip(more.as_flattened()) {
        *sum += more;
    }
}

/// Makes examples for one kind of evaluation.
pub trait Extract: Copy + Send + Sync + 'static {
    type Head: Send;
    type Entry: Send;

    /// The side from whose point of view examples are.
    fn view(side_to_move: Color) -> Color;

    /// A function that keeps the contents of a position, or leaves it out, and counts its terms.
    /// White's expected points are those by the search of this position alone.
    fn extractor<R: CompiledRuleset>(
        self,
        tables: &Arc<Tables<R>>,
    ) -> impl Fn(&Position<R>, f64, &mut Occurrences) -> Option<Contents<Self::Head, Self::Entry>> + Send + Sync + use<Self, R>;
}

/// A position of a game, and what is kept of it.
pub(super) struct Seen<H, E> {
    pub side: Color,
    /// White's points, 0 to 1, by the search of this position; `None` without a score.
    pub expected: Option<f64>,
    /// `None` if it is no training position.
    pub contents: Option<Contents<H, E>>,
}

/// Looks at the positions of one game, whatever its ruleset: only this is compiled for each.
pub(super) trait Extractor<H, E>: Send + Sync {
    /// The positions in which moves were played.
    fn of_game(&self, record: &GameRecord, occurrences: &mut Occurrences) -> Result<Vec<Seen<H, E>>, ReplayError>;

    /// A position with the score of a search and a move, if they are known. `is_taken` is true if
    /// it counts even if it is no training position.
    fn of_labelled(
        &self,
        position: &RulesPosition,
        eval: Option<Eval>,
        best: Option<RulesMove>,
        is_taken: bool,
        occurrences: &mut Occurrences,
    ) -> Seen<H, E>;
}

/// The extractor of a game.
pub(super) fn extractor<X: Extract>(game: &Arc<GameDef>, extract: X) -> Box<dyn Extractor<X::Head, X::Entry>> {
    dispatch(game, Make(extract))
}

struct Make<X>(X);

impl<X: Extract> Visitor for Make<X> {
    type Output = Box<dyn Extractor<X::Head, X::Entry>>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        Box::new(OfRuleset { extract: self.0.extractor(&tables), tables })
    }
}

struct OfRuleset<R: CompiledRuleset, F> {
    tables: Arc<Tables<R>>,
    extract: F,
}

impl<R, H, E, F> Extractor<H, E> for OfRuleset<R, F>
where
    R: CompiledRuleset,
    F: Fn(&Position<R>, f64, &mut Occurrences) -> Option<Contents<H, E>> + Send + Sync,
{
    fn of_game(&self, record: &GameRecord, occurrences: &mut Occurrences) -> Result<Vec<Seen<H, E>>, ReplayError> {
        let mut seen = Vec::with_capacity(record.moves.len());
        record.visit_positions(&self.tables, |position, next| {
            if let Some((played, mv)) = next {
                let side = position.side_to_move();
                let expected = played.eval.map(|eval| white_expects(eval, side));
                let searched = expected.filter(|_| is_training_position(position, played.eval, Some(mv)));
                let contents = searched.and_then(|expected| (self.extract)(position, expected, occurrences));
                seen.push(Seen { side, expected, contents });
            }
            ControlFlow::Continue(())
        })?;
        Ok(seen)
    }

    fn of_labelled(
        &self,
        position: &RulesPosition,
        eval: Option<Eval>,
        best: Option<RulesMove>,
        is_taken: bool,
        occurrences: &mut Occurrences,
    ) -> Seen<H, E> {
        let position = Position::new(&self.tables, position);
        let side = position.side_to_move();
        let best = best.map(|mv| position.from_rules_move(mv));
        let expected = eval.map(|eval| white_expects(eval, side));
        let is_used = is_taken || is_training_position(&position, eval, best) && position.has_legal_move();
        // Without a score nothing is known of the position that could exclude it.
        let contents = is_used.then(|| (self.extract)(&position, expected.unwrap_or(0.5), occurrences));
        Seen { side, expected, contents: contents.flatten() }
    }
}

/// White's points as points of a side.
pub(super) fn seen_by(side: Color, white: f64) -> f64 {
    match side {
        Color::White => white,
        Color::Black => 1.0 - white,
    }
}

/// White's expected points by the score of a search for the side to move, 0 to 1.
pub(super) fn white_expects(eval: Eval, side: Color) -> f64 {
    let points = match eval {
        Eval::Centipawns(centipawns) => Score::from_centipawns(centipawns).expected_points(),
        Eval::Mate(moves) => f64::from(u8::from(moves > 0)),
    };
    seen_by(side, points)
}

/// In a training position the side to move is not in check, the move played neither captures nor
/// promotes, and the search found no mate: the engine evaluates only such positions, at the leaves
/// of quiescence search. A move or score that is not known is not tested.
fn is_training_position<R: CompiledRuleset>(position: &Position<R>, eval: Option<Eval>, best: Option<Move>) -> bool {
    !matches!(eval, Some(Eval::Mate(_)))
        && !position.in_check()
        && best.is_none_or(|mv| mv.promotion().is_none() && !position.is_capture(mv))
}

/// The training positions of files.
#[derive(Clone, Debug)]
pub struct TrainingData<H, E> {
    pub game: Arc<GameDef>,
    /// Run files.
    pub files: Vec<DataFile>,
    pub position_files: Vec<PositionFile>,
    /// Number of opening pairs and of blocks of labelled positions.
    pub pairs: usize,
    /// Those of run files first, in the order of files and games.
    pub examples: Vec<Example<H, E>>,
    pub occurrences: Occurrences,
}

/// A file of labelled positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PositionFile {
    pub path: PathBuf,
    /// Positions of the file, without those that were skipped.
    pub positions: usize,
    /// Those of the positions that count.
    pub used: usize,
    /// Those that count and whose game and opening are not named.
    pub unnamed: usize,
    /// Positions with a move.
    pub moves: usize,
    /// Positions with a score.
    pub scores: usize,
    /// Different games that the file names; `None` if it names none.
    pub games: Option<usize>,
    /// Different openings of positions whose game is not named, and positions without either.
    #[serde(skip)]
    pub others: usize,
    /// Records that are faulty and were skipped.
    pub skipped: usize,
    /// The first fault of these, with its place.
    pub first_fault: Option<String>,
    /// BLAKE3 hash, in hexadecimal, of the records.
    pub hash: String,
}

impl PositionFile {
    /// Games, for a prior that counts each as one observation. Where the game is not named, each
    /// opening counts, and without that each position: public sets have few positions of each game.
    pub fn observations(&self) -> usize {
        self.games.unwrap_or(0) + self.others
    }

    /// The file as the source of an evaluation names it.
    pub fn label(&self) -> String {
        format!("{} labelled positions (hash {})", self.positions, &self.hash[..16])
    }
}
