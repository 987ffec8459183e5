//! Reading a match back from its file: how it stands, what it is called, and whether its games follow the rules.

use std::sync::Arc;

use assay_rules::{Game, GameDef, Position, uci};

use crate::game::end::Ending;
use crate::game::fault::FaultKind;
use crate::game::match_record::MatchGame;
use crate::report::Names;
use crate::statistics::{EloModel, Sprt};
use crate::store::StoreError;
use crate::store::match_store::MatchStore;
use crate::tournament::score::MatchScore;

/// Reads what [`super::settings`] wrote of a test.
fn parse_sprt(text: &str) -> Option<Sprt> {
    let value = |key: &str| {
        text.split(' ')
            .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    };
    let number = |key: &str| value(key)?.parse().ok();
    let model = EloModel::from_name(value("model")?)?;
    Sprt::new(
        number("elo0")?,
        number("elo1")?,
        number("alpha")?,
        number("beta")?,
        model,
    )
    .ok()
}

impl MatchStore {
    fn text(&self, key: &'static str) -> Result<&str, StoreError> {
        self.row(key).ok_or_else(|| self.setting(key, "missing".to_owned()))
    }

    fn setting(&self, setting: &'static str, why: String) -> StoreError {
        StoreError::Setting {
            path: self.path().to_owned(),
            setting,
            why,
        }
    }

    /// How the match stands before its first game.
    ///
    /// # Errors
    /// When the file's settings make no sense.
    pub fn beginning(&self) -> Result<MatchScore, StoreError> {
        let results = match self.text("results")? {
            "3" => 3,
            "5" => 5,
            found => return Err(self.setting("results", format!("found `{found}`, expected 3 or 5"))),
        };
        let repeat = self.text("repeat")? == "true";
        let sprt = match self.text("sprt")? {
            "none" => None,
            text => {
                let wrong = || self.setting("sprt", format!("found `{text}`, expected a test"));
                Some(parse_sprt(text).ok_or_else(wrong)?)
            }
        };
        let tests_singles = sprt.is_some_and(|sprt| sprt.model() == EloModel::Bayesian);
        Ok(MatchScore::new(results, repeat, sprt, tests_singles))
    }

    /// How the match stands.
    ///
    /// # Errors
    /// When the file cannot be read, or something in it makes no sense.
    pub fn standing(&self) -> Result<MatchScore, StoreError> {
        let mut standing = self.beginning()?;
        self.games()?.iter().for_each(|game| standing.add(game));
        Ok(standing)
    }

    /// What the match is called in reports.
    ///
    /// # Errors
    /// When the file does not tell.
    pub fn names(&self) -> Result<Names, StoreError> {
        // The margin is a detail that tables need not show.
        let limits = |key| Ok(self.text(key)?.split(" (margin").next().unwrap_or_default().to_owned());
        Ok(Names {
            game: self.text("game")?.to_owned(),
            engines: [
                self.text("engine-1-name")?.to_owned(),
                self.text("engine-2-name")?.to_owned(),
            ],
            limits: [limits("engine-1-limits")?, limits("engine-2-limits")?],
            openings: self.text("openings")?.to_owned(),
        })
    }
}

impl MatchGame {
    /// Plays the game again by the rules, and sees that it ends as it is said to: by the rules where they ended it, not
    /// before; and where a move was called illegal, that it is.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn verify(&self, game: &Arc<GameDef>) -> Result<(), String> {
        let fail = |why: String| Err(format!("game {}: {why}", self.index));
        let start = match Position::from_fen(game, &self.start) {
            Ok(start) => start,
            Err(error) => return fail(format!("start: {error}")),
        };
        let mut replayed = Game::new(start);
        for (ply, played) in self.moves.iter().enumerate() {
            if let Some(outcome) = replayed.outcome() {
                return fail(format!(
                    "it is over by {} at ply {ply}, but goes on",
                    outcome.termination
                ));
            }
            match uci::parse(replayed.position(), &played.uci) {
                Ok(mv) => replayed.play(mv),
                Err(error) => return fail(format!("ply {}: {error}", ply + 1)),
            }
        }
        match (self.ending, replayed.outcome()) {
            (Ending::Rules(reason), Some(outcome)) if outcome.termination == reason && outcome.white == self.result => {
                Ok(())
            }
            (Ending::Rules(reason), found) => {
                let found = found.map_or_else(
                    || "goes on".to_owned(),
                    |outcome| format!("{} by {}", outcome.white, outcome.termination),
                );
                fail(format!("found {} by {reason}, expected that it {found}", self.result))
            }
            (ending, Some(outcome)) => fail(format!(
                "found {ending}, expected {} by {}",
                outcome.white, outcome.termination
            )),
            (Ending::Fault(FaultKind::IllegalMove), None) => {
                let dispute = self.detail.as_ref().and_then(|detail| detail.dispute.as_ref());
                match dispute {
                    Some(dispute) if uci::parse(replayed.position(), &dispute.found).is_err() => Ok(()),
                    Some(dispute) => fail(format!("found `{}` called illegal, which is legal", dispute.found)),
                    None => fail("found no illegal move, expected one".to_owned()),
                }
            }
            (_, None) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::settings::sprt_text;

    #[test]
    fn tests_are_read_back() {
        for model in EloModel::ALL {
            let sprt = Sprt::new(-2.5, 3.0, 0.05, 0.1, model).unwrap();
            assert_eq!(parse_sprt(&sprt_text(sprt)), Some(sprt));
        }
        assert_eq!(parse_sprt("elo0=5 elo1=0 alpha=0.05 beta=0.05 model=logistic"), None);
    }
}
