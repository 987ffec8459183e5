//! Files of games as what a network sees of their quiet positions.

use std::path::PathBuf;
use std::sync::Arc;

use assay_engine::nnue::Layout;
use assay_engine::{CompiledRuleset, Evaluator, Tables, Visitor, Weights, dispatch};
use assay_rules::{Color, GameDef};
use assay_selfplay::GameRecord;
use assay_selfplay::store::ReplayError;

use crate::training::weights::TuneError;
use crate::training::weights::collect::{Games, gather, quiet};
use crate::values::data::DataFile;

/// What is known of a position besides its features. Points are the side to move's, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// In the game that it is from.
    pub result: f32,
    /// As the search expected them.
    pub expected: f32,
    /// As the linear evaluation expects them without search.
    pub linear: f32,
    /// The set of output weights.
    pub bucket: u8,
    /// The opening pair that its game belongs to, numbered without gaps from 0.
    pub cluster: u32,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct View<'v> {
    /// What is known of it.
    pub head: &'v Head,
    /// Its features as the side to move sees them.
    pub own: &'v [u16],
    /// Its features as the other side sees them.
    pub other: &'v [u16],
}

/// Positions one after the other, their features in one list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Views {
    heads: Vec<Head>,
    /// Where each position's features end.
    ends: Vec<usize>,
    /// The side to move's view, then as many of the other's.
    features: Vec<u16>,
}

impl Views {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// None?
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The position of that number.
    ///
    /// # Panics
    /// When there are not so many.
    #[inline]
    pub fn get(&self, index: usize) -> View<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let features = &self.features[start..self.ends[index]];
        let (own, other) = features.split_at(features.len() / 2);
        View {
            head: &self.heads[index],
            own,
            other,
        }
    }

    /// Adds a position with as many features in both views.
    ///
    /// # Panics
    /// When the views differ in number.
    pub fn push(&mut self, head: Head, own: &[u16], other: &[u16]) {
        assert_eq!(own.len(), other.len(), "both sides see the same pieces");
        self.features.extend_from_slice(own);
        self.features.extend_from_slice(other);
        self.ends.push(self.features.len());
        self.heads.push(head);
    }

    fn append(&mut self, more: &Views) {
        let base = self.features.len();
        self.features.extend_from_slice(&more.features);
        self.ends.extend(more.ends.iter().map(|end| base + end));
        self.heads.extend_from_slice(&more.heads);
    }
}

/// The positions of all games.
#[derive(Clone, Debug)]
pub struct Collected {
    /// The game that they are from.
    pub game: Arc<GameDef>,
    /// The files.
    pub files: Vec<DataFile>,
    /// The positions, in the order of the games.
    pub views: Views,
    /// How many opening pairs there are.
    pub clusters: usize,
}

/// Reads files of games and takes their quiet positions, the same that [`crate::training::weights::collect()`] takes.
///
/// # Errors
/// When a file is unreadable, holds another game than the first one or the same run as another, or games that cannot be;
/// when no position is left.
pub fn collect(paths: &[PathBuf]) -> Result<Collected, TuneError> {
    let gathered = gather(paths, |game, games| dispatch(game, Look(games)))?;
    let mut views = Views::default();
    gathered.parts.iter().for_each(|part| views.append(part));
    if views.is_empty() {
        return Err(TuneError::Empty { files: paths.to_vec() });
    }
    Ok(Collected {
        game: gathered.game,
        files: gathered.files,
        views,
        clusters: gathered.clusters,
    })
}

struct Look<'r>(Games<'r>);

impl Visitor for Look<'_> {
    type Output = Result<Vec<Views>, ReplayError>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let layout = Layout::of(tables.game());
        let evaluator = Evaluator::new(&tables, &Weights::for_game(tables.game()));
        self.0
            .each(|record, cluster| views(&tables, &layout, &evaluator, record, cluster))
    }
}

fn views<R: CompiledRuleset>(
    tables: &Arc<Tables<R>>,
    layout: &Layout,
    evaluator: &Evaluator<R>,
    record: &GameRecord,
    cluster: u32,
) -> Result<Views, ReplayError> {
    let mut views = Views::default();
    let result = record.result.as_f64();
    quiet(tables, record, |position, expected| {
        let black = position.side_to_move() == Color::Black;
        let turned = |white: f64| (if black { 1.0 - white } else { white }) as f32;
        let features = layout.features(position).map(narrow);
        let head = Head {
            result: turned(result),
            expected: turned(expected),
            linear: evaluator.evaluate(position).expected_points() as f32,
            bucket: layout.bucket(position) as u8,
            cluster,
        };
        let own = usize::from(black);
        views.push(head, &features[own], &features[1 - own]);
    })?;
    Ok(views)
}

/// Features in 16 bits: no board of 128 squares with 24 kinds has more.
fn narrow(features: Vec<u32>) -> Vec<u16> {
    let narrow = |feature: u32| u16::try_from(feature).expect("a game has fewer than 65536 features");
    features.into_iter().map(narrow).collect()
}
