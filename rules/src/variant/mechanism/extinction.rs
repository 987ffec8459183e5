//! Extinction: a side that has lost its pieces of some kind has won or lost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KeyError, Mechanism, Parts, forbid, kinds_of, required};
use crate::types::color::Color;
use crate::types::outcome::{Outcome, Points, Termination};
use crate::types::piece::Kind;
use crate::variant::{GameDef, Position};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExtinctionKeys {
    /// Letters of the kinds.
    #[schemars(example = &"KQ")]
    pub pieces: Option<String>,
    /// Whether all of them count together, or each kind alone.
    pub together: Option<bool>,
    /// Number of pieces with which, or with fewer, a side is extinct.
    #[schemars(extend("default" = 0), example = 1)]
    pub at_most: Option<u32>,
    /// Points of the extinct side: 0 or 1.
    #[schemars(with = "Option<f64>", extend("default" = 0.0), example = 1)]
    pub score: Option<Points>,
}

/// A side that has lost its pieces of some kind has won or lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Extinction {
    /// The kinds that count, in ascending order. Promoted copies count as their kinds.
    pub kinds: Vec<Kind>,
    /// True if the pieces of all these kinds are counted together, otherwise any one kind decides.
    pub together: bool,
    /// Largest number of pieces that decides.
    pub at_most: u32,
    /// Points for the side that has no more pieces than this: all or none.
    pub score: Points,
}

impl ExtinctionKeys {
    pub(crate) fn build(&self, parts: Parts<'_>) -> Result<Extinction, KeyError> {
        let key = "endings.extinction.pieces";
        let mut kinds = kinds_of(parts.kinds, key, required(key, self.pieces.as_ref())?)?;
        forbid(kinds.is_empty(), key, "found no letter, expected at least one")?;
        kinds.sort_unstable();
        let score = self.score.unwrap_or(Points::LOSS);
        let message = format!("found {score}, expected 0 or 1");
        forbid(![Points::WIN, Points::LOSS].contains(&score), "endings.extinction.score", message)?;
        let (together, at_most) = (self.together.unwrap_or(false), self.at_most.unwrap_or(0));
        Ok(Extinction { kinds, together, at_most, score })
    }
}

impl Extinction {
    /// Returns true if a side has too few pieces of some kind, or of all kinds together. Pieces in
    /// its pocket count.
    fn is_extinct(&self, position: &Position, side: Color) -> bool {
        let on_board = position.pieces().filter(|(_, piece)| piece.color == side);
        let kinds = on_board.map(|(_, piece)| position.game().kinds.original(piece.kind));
        let owned: Vec<Kind> = kinds.chain(position.pocket(side).iter().copied()).collect();
        let is_few =
            |counts: &dyn Fn(Kind) -> bool| owned.iter().filter(|&&kind| counts(kind)).count() <= self.at_most as usize;
        if self.together {
            is_few(&|kind| self.kinds.contains(&kind))
        } else {
            self.kinds.iter().any(|&kind| is_few(&|owned| owned == kind))
        }
    }
}

impl Mechanism for Extinction {
    fn sentences(&self, game: &GameDef) -> Vec<String> {
        let Extinction { kinds, together, at_most, score } = self;
        let few = match at_most {
            0 => "none".to_owned(),
            most => format!("no more than {most}"),
        };
        let any_of = if kinds.len() == 1 || *together { "of" } else { "of any one of" };
        let verb = if *score == Points::WIN { "wins" } else { "loses" };
        vec![format!("A side {verb} when it has {few} left {any_of}: {}.", game.kinds.names(kinds))]
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let waiting = !position.side_to_move();
        let extinct = [waiting, !waiting].into_iter().find(|&side| self.is_extinct(position, side))?;
        Some(Outcome { termination: Termination::Extinction, white: self.score.for_white(extinct) })
    }
}
