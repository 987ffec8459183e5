//! Drawing the openings of a run again, to check those of its games.

use std::sync::atomic::AtomicBool;

use assay_engine::HashError;

use super::RunError;
use crate::game::GameRecord;
use crate::openings::Openings;
use crate::play::draw_opening;
use crate::players::builtin::{BuiltinPlayer, BuiltinPlayers, builtin_players};
use crate::run::RunHeader;
use crate::settings::{BuiltinEngine, EngineKind, PlayerSlots};

/// Draws the openings of a self-play run.
pub(crate) struct Redraw<'r> {
    run: &'r RunHeader,
    engine: BuiltinEngine,
    openings: Openings,
    builtin: Box<dyn BuiltinPlayers>,
}

impl<'r> Redraw<'r> {
    /// `None` if the openings depend on more than the settings: on a book, on the engines of a
    /// match, or on another version of the player, which may judge openings differently.
    ///
    /// # Errors
    /// If the settings allow no openings.
    pub(crate) fn new(run: &'r RunHeader) -> Result<Option<Redraw<'r>>, RunError> {
        let settings = &run.settings;
        let (Some(_), PlayerSlots::Shared(player)) = (settings.random_openings(), &settings.players) else {
            return Ok(None);
        };
        let EngineKind::Builtin(engine) = player.kind else {
            return Ok(None);
        };
        let builtin = builtin_players(settings.game());
        if run.identities != [builtin.identity(engine.evaluation)?] {
            return Ok(None);
        }
        Ok(Some(Redraw { run, engine, openings: Openings::new(settings)?, builtin }))
    }

    /// A player that judges openings as that of the run did.
    ///
    /// # Errors
    /// If there is no memory for its transposition table.
    pub(crate) fn player(&self) -> Result<Box<dyn BuiltinPlayer>, HashError> {
        let limits = self.run.settings.players.all()[0].limits;
        self.builtin.player(self.engine, limits)
    }

    /// The games of a pair that do not begin with its opening, in words.
    pub(crate) fn problems(&self, player: &mut dyn BuiltinPlayer, games: &[GameRecord]) -> Vec<String> {
        let settings = &self.run.settings;
        let Some(first) = games.first() else {
            return Vec::new();
        };
        let drawn = match draw_opening(settings, &self.openings, player, first.pair, &AtomicBool::new(false)) {
            Ok(Some(drawn)) => drawn,
            Ok(None) => return Vec::new(),
            Err(error) => return vec![error.to_string()],
        };
        let starts = drawn.starts.map(|start| start.fen());
        let material = drawn.imbalances.map(|imbalance| imbalance.map(|text| text.to_string()));
        let problem = |game: &GameRecord| {
            let number = (game.index % settings.games_per_opening()) as usize;
            let (found, expected) = (&game.start_fen, &starts[number]);
            let is_drawn = found == expected && game.material == material[number];
            (!is_drawn).then(|| {
                let (index, seed) = (game.index, settings.seed);
                format!("game {index}: found start {found}, expected {expected}, which seed {seed} gives")
            })
        };
        games.iter().filter_map(problem).collect()
    }
}
