//! The match or tournament to which imported games belong, by the names of their players.

use std::collections::BTreeMap;

use assay_rules::{Color, Position};
use indexmap::IndexSet;

use super::hash_of_moves;
use crate::game::GameRecord;
use crate::game::clock::EngineLimits;
use crate::settings::{
    EngineKind, EngineSettings, MAX_PLAYERS, PlayerSlots, RunSettings, Tournament, TournamentFormat,
};
use crate::standings::Standings;
use crate::store::{Store, StoreError};

/// Imported games as a round robin.
#[derive(Clone, Debug)]
pub struct ImportedMatch {
    /// Those of the run, with the players by name, in the order of their first games.
    pub settings: RunSettings,
    /// The number and White's side of each game, by its number in the file.
    places: BTreeMap<u64, (u64, usize)>,
}

/// What is known of a game before its number.
struct Entry {
    index: u64,
    /// White and Black.
    players: [usize; 2],
    opening: u128,
}

impl ImportedMatch {
    /// The match; `None` for games that Assay has played, and unless all games name their players,
    /// 2 to 64 of them.
    ///
    /// Two games of the same players with the same opening and colors exchanged are a pair. An
    /// opening is the start and the moves before the first one that was searched, or the start
    /// alone if it is not the game's own. Where fewer than nine of ten games have a partner, games
    /// count one by one.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(store: &Store) -> Result<Option<ImportedMatch>, StoreError> {
        if store.header().settings.import().is_none() {
            return Ok(None);
        }
        let start = Position::start(&store.source().game).fen();
        let mut names: IndexSet<String> = IndexSet::new();
        let mut entries = Vec::new();
        for game in store.intact_games() {
            let tags = store.tags(game.index..=game.index).unwrap_or_default();
            let players = tags.get(&game.index).map(|tags| Color::ALL.map(|color| tags.player(color)));
            let Some([Some(white), Some(black)]) = players else { return Ok(None) };
            let players = [white, black].map(|name| names.insert_full(name.to_owned()).0);
            if players[0] == players[1] || names.len() > MAX_PLAYERS {
                return Ok(None);
            }
            entries.push(Entry { index: game.index, players, opening: opening(&game, &start) });
        }
        let engine = |name| EngineSettings { name, kind: EngineKind::Unknown, limits: EngineLimits::default() };
        let Ok(tournament) = Tournament::new(names.into_iter().map(engine).collect(), TournamentFormat::RoundRobin)
        else {
            return Ok(None);
        };
        let (places, repeat) = places(&entries, tournament.pairings());
        let settings =
            RunSettings { players: PlayerSlots::Tournament(tournament), repeat, ..store.header().settings.clone() };
        Ok(Some(ImportedMatch { settings, places }))
    }

    /// Adds a game of the file to the standings of the match.
    pub(crate) fn add(&self, standings: &mut Standings, game: &GameRecord) {
        if let Some(&(index, white)) = self.places.get(&game.index) {
            let pair = index / self.settings.games_per_opening();
            standings.add(&GameRecord { index, pair, white, ..game.clone() });
        }
    }
}

/// The number and White's side of each game in a match of these pairings, and whether games are in
/// pairs.
fn places(entries: &[Entry], pairings: &[[usize; 2]]) -> (BTreeMap<u64, (u64, usize)>, bool) {
    let pairing_of = |players: [usize; 2]| {
        let found = pairings.iter().position(|pairing| pairing.contains(&players[0]) && pairing.contains(&players[1]));
        let pairing = found.expect("everyone plays everyone");
        (pairing, usize::from(pairings[pairing][0] != players[0]))
    };
    // Games without a partner so far, by what the partner must have.
    let mut waiting: BTreeMap<(usize, usize, u128), Vec<u64>> = BTreeMap::new();
    let mut pairs: Vec<(usize, [(u64, usize); 2])> = Vec::new();
    for Entry { index, players, opening } in entries {
        let (pairing, white) = pairing_of(*players);
        let partner = waiting.get_mut(&(pairing, white, *opening)).filter(|games| !games.is_empty());
        match partner.map(|games| games.remove(0)) {
            Some(first) => pairs.push((pairing, [(first, 1 - white), (*index, white)])),
            None => waiting.entry((pairing, 1 - white, *opening)).or_default().push(*index),
        }
    }
    let is_paired = pairs.len() * 20 >= entries.len() * 9;
    let mut rounds = vec![0; pairings.len()];
    let mut next = |pairing: usize| {
        rounds[pairing] += 1;
        ((rounds[pairing] - 1) * pairings.len() + pairing) as u64
    };
    let mut places = BTreeMap::new();
    if !is_paired {
        for Entry { index, players, .. } in entries {
            let (pairing, white) = pairing_of(*players);
            places.insert(*index, (next(pairing), white));
        }
        return (places, false);
    }
    for (pairing, games) in pairs {
        let pair = next(pairing);
        for ((index, white), number) in games.into_iter().zip(0..) {
            places.insert(index, (2 * pair + number, white));
        }
    }
    for ((pairing, side, _), games) in waiting {
        for index in games {
            places.insert(index, (2 * next(pairing), 1 - side));
        }
    }
    (places, true)
}

/// Hash of the opening: a start other than the game's `start` itself, or the moves before the first
/// search.
fn opening(game: &GameRecord, start: &str) -> u128 {
    if game.start_fen != start {
        return hash_of_moves(game, 0);
    }
    let is_searched = |played: &crate::game::PlayedMove| played.depth > 0 || played.eval.is_some();
    hash_of_moves(game, game.moves.iter().position(is_searched).unwrap_or(game.moves.len()))
}
