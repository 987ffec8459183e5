//! What a run file holds, and whether it is intact.

mod details;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use crate::game::GameRecord;
use crate::import::ImportedMatch;
use crate::report::Report;
use crate::runner::redraw::Redraw;
use crate::standings::Standings;
use crate::statistics::Anchor;
use crate::store::{Store, StoreError};
use crate::tally::{GameSummary, Tally};

pub use details::{Details, Endgame, EndgameFilter, GameShare};

/// The contents of a run file; it serializes to the JSON of `assay-selfplay info --json`.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// Settings and players as the file has them; see `docs/data.md`.
    pub run: Value,
    /// The intact games.
    #[serde(flatten)]
    pub games: GameSummary,
    /// Number of games of the run, or of the shard in the file, that are still to be played.
    pub missing: u64,
    /// `match` or `tournament` in JSON; `None` in self-play.
    #[serde(flatten)]
    pub report: Option<Report>,
    /// Statistics with errors, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Details>,
    /// Faults of the file; empty if it is intact.
    pub problems: Vec<String>,
}

impl Info {
    /// Reads the whole file, as the match to which imported games belong; an anchor counts in
    /// tournaments only. Damaged games are among [`Info::problems`].
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(store: &Store, anchor: Option<Anchor>) -> Result<Info, StoreError> {
        let run = store.header();
        let imported = ImportedMatch::read(store)?;
        let settings = imported.as_ref().map_or(&run.settings, |imported| &imported.settings);
        let (mut tally, mut standings) = (Tally::new(&run.settings), Standings::new(settings));
        for game in store.intact_games() {
            tally.add(&game);
            match &imported {
                Some(imported) => imported.add(&mut standings, &game),
                None => standings.add(&game),
            }
        }
        let played = store.indices()?.partition_point(|&index| index < run.games) as u64;
        Ok(Info {
            run: store.json(),
            games: tally.summary(),
            missing: run.shard_games().saturating_sub(played),
            report: Report::new(settings, &tally, &standings, anchor),
            details: None,
            problems: store.problems()?,
        })
    }

    /// Replays every intact game by the rules and, in self-play, draws its opening again; adds the
    /// contradictions to [`Info::problems`]. Returns false if another version of the engine played
    /// the run, which may judge openings differently, so that they could not be drawn again.
    pub fn replay(&mut self, store: &Store) -> bool {
        let game = &store.source().game;
        // People need not claim a draw, so their games may go on where the rules would end them.
        let is_imported = store.header().settings.import().is_some();
        self.problems.extend(in_chunks(store, |games| {
            let check = |record: &GameRecord| {
                if is_imported { record.replay(game).err() } else { record.verify(game).err() }
            };
            let errors = games.par_iter().filter_map(check);
            errors.map(|error| error.to_string()).collect()
        }));
        let redraw = match Redraw::new(store.header()) {
            Ok(Some(redraw)) => redraw,
            Ok(None) => return is_imported || !store.header().settings.players.is_self_play(),
            Err(error) => {
                self.problems.push(error.to_string());
                return true;
            }
        };
        self.problems.extend(in_chunks(store, |games| {
            let pairs: Vec<&[GameRecord]> = games.chunk_by(|left, right| left.pair == right.pair).collect();
            let problems = pairs.par_iter().map_init(
                || redraw.player(),
                |player, games| match player {
                    Ok(player) => redraw.problems(player.as_mut(), games),
                    Err(error) => vec![error.to_string()],
                },
            );
            problems.flatten_iter().collect()
        }));
        true
    }
}

/// The results of `check` for all intact games, a chunk at a time.
fn in_chunks(store: &Store, check: impl Fn(&[GameRecord]) -> Vec<String>) -> Vec<String> {
    let intact = |chunk: Vec<Result<GameRecord, StoreError>>| chunk.into_iter().flatten().collect::<Vec<_>>();
    store.chunks().flat_map(|chunk| check(&intact(chunk))).collect()
}
