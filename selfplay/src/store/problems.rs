//! What is wrong with a file: its pages, each record, and records that contradict each other or the
//! settings.

use super::{Store, StoreError, open};
use crate::game::{GameEnd, GameRecord};
use crate::mirror::swap_armies;
use crate::settings::{OpeningSource, SecondGame};
use assay_rules::{GameDef, Points};
use std::sync::Arc;

impl Store {
    /// Everything that is wrong with the file, in words: SQLite's own check, then every record and
    /// its place in its pair.
    ///
    /// # Errors
    /// If the file cannot be read at all.
    pub fn problems(&self) -> Result<Vec<String>, StoreError> {
        let mut problems = open::integrity(&self.path, &self.connection, "integrity_check")?;
        let mut previous: Option<GameRecord> = None;
        let second_game = self.header.settings.second_game();
        for row in self.rows() {
            let game = match self.decode(row?) {
                Ok(game) => game,
                Err(error) => {
                    problems.push(error.to_string());
                    continue;
                }
            };
            let why = self.contradiction(&game).or_else(|| {
                let first = previous
                    .as_ref()
                    .filter(|_| self.header.settings.import().is_none())
                    .filter(|first| first.pair == game.pair)?;
                contradiction_of_pair(self.header.settings.game(), first, &game, second_game)
            });
            problems.extend(why.map(|why| self.invalid_record(game.index as i64, &why).to_string()));
            previous = Some(game);
        }
        problems.extend(self.tag_problems()?);
        Ok(problems)
    }

    /// The first contradiction between a record and the settings, or within the record.
    fn contradiction(&self, game: &GameRecord) -> Option<String> {
        let (run, settings) = (&self.header, &self.header.settings);
        // Imported games have the number of their cluster, and White is always side 0.
        let (pair, white) = if settings.import().is_some() {
            (game.pair, 0)
        } else {
            let pair = game.index / settings.games_per_opening();
            (pair, settings.white_side(game.index))
        };
        let opening = match settings.openings {
            OpeningSource::Random(_) => format!("random {}", settings.round(pair) + 1),
            OpeningSource::Start => "start".to_owned(),
            OpeningSource::Book(_) | OpeningSource::Chess960 { .. } | OpeningSource::Import(_) => game.opening.clone(),
        };
        if game.index >= run.games {
            return Some(format!("found a game that was not requested, expected {} games", run.games));
        }
        if game.pair != pair {
            return Some(format!("found pair {}, expected {pair}", game.pair));
        }
        if game.white != white {
            return Some(format!("found White for side {}, expected side {white}", game.white));
        }
        if game.opening != opening {
            return Some(format!("found opening `{}`, expected `{opening}`", game.opening));
        }
        match (&game.fault, game.end) {
            (Some(fault), GameEnd::Fault(_)) if game.points_of(fault.player) != Points::LOSS => {
                return Some(format!("found a fault of side {}, which did not lose", fault.player));
            }
            (None, GameEnd::Fault(kind)) => return Some(format!("found no fault, expected one of kind {kind}")),
            (Some(_), end) if !matches!(end, GameEnd::Fault(_)) => {
                return Some(format!("found a fault, expected none in a game that ended by {end}"));
            }
            _ => {}
        }
        let is_possible = match game.end {
            // By the rules of the game; replaying checks it.
            GameEnd::Rules(_) => true,
            GameEnd::Fault(_) | GameEnd::Resignation => {
                matches!(game.result, Points::WIN | Points::LOSS)
            }
            GameEnd::DrawAdjudication | GameEnd::MoveLimit => game.result == self.header.settings.game().endings.draw,
        };
        (!is_possible).then(|| format!("found {} for White by {}, which cannot be", game.result, game.end))
    }
}

/// The first contradiction between the games of a pair.
fn contradiction_of_pair(
    game: &Arc<GameDef>,
    first: &GameRecord,
    second: &GameRecord,
    second_game: SecondGame,
) -> Option<String> {
    let (mut start, mut material) = (first.start_fen.clone(), first.material.clone());
    match second_game {
        SecondGame::Same => {}
        SecondGame::ArmiesExchanged => {
            start = swap_armies(&first.start(game).ok()?).ok()?.fen();
            let swapped = |text: &String| text.split_once('/').map(|(white, black)| format!("{black}/{white}"));
            material = material.as_ref().and_then(swapped).or(material);
        }
        SecondGame::OwnOpening => start.clone_from(&second.start_fen),
    }
    let name = |material: &Option<String>| material.clone().unwrap_or_else(|| "none".to_owned());
    [
        ("opening", &second.opening, &first.opening),
        ("start", &second.start_fen, &start),
        ("material", &name(&second.material), &name(&material)),
    ]
    .into_iter()
    .find(|(_, found, expected)| found != expected)
    .map(|(what, found, expected)| {
        let other = first.index;
        format!("found {what} {found}, expected {expected} after game {other} of its pair")
    })
}
