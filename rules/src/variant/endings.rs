//! How games end other than by a mechanism: checkmate, stalemate, dead positions, repetition, the
//! move rule, and a count of material.

mod material_count;

use std::cmp::Ordering;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GameDef;
use super::mechanism::counting::CountingKeys;
use super::mechanism::extinction::ExtinctionKeys;
use super::mechanism::goal::GoalKeys;
use super::mechanism::{KeyError, Parts, forbid, required};
use crate::types::color::Color;
use crate::types::outcome::Points;
use crate::types::piece::Kind;

pub use self::material_count::{MaterialCount, MaterialCountKeys};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EndingKeys {
    /// Points of the side that gives checkmate: 0, 0.25, 0.5, 0.75 or 1.
    #[schemars(with = "Option<f64>", extend("default" = 1.0), example = 0)]
    pub checkmate: Option<Points>,
    /// Points of the side that gives stalemate: 0, 0.25, 0.5, 0.75 or 1.
    #[schemars(with = "Option<f64>", example = 0.5)]
    pub stalemate: Option<Points>,
    /// Whether instead stalemate wins for the side with fewer pieces, and is a draw if both have as
    /// many.
    pub stalemate_by_count: Option<bool>,
    /// White's points for a draw: 0, 0.25, 0.5, 0.75 or 1. Black gets the rest.
    #[schemars(with = "Option<f64>", extend("default" = 0.5), example = 0)]
    pub draw: Option<Points>,
    /// Moves of each side, none a capture or pawn move, that end the game.
    #[schemars(example = 50)]
    pub move_rule: Option<u32>,
    /// Whether a pawn's move that it cannot undo begins that count again, as a capture does;
    /// `false` only where it can undo some.
    #[schemars(extend("default" = true))]
    pub pawn_moves_reset: Option<bool>,
    /// Occurrences of a position that end the game, 2 to 10.
    #[schemars(example = 3)]
    pub repetitions: Option<u32>,
    /// Result of a repetition. `mover-loses`: for the side whose move repeats the position.
    #[schemars(with = "Option<String>", extend("default" = "draw", "enum" = ["draw", "white-loses", "mover-loses"]))]
    pub repetition: Option<RepetitionResult>,
    /// Whether a side loses by repetition if each of its moves since the first occurrence gave
    /// check.
    pub perpetual_check_loses: Option<bool>,
    /// Armies that cannot win against a bare king, each as a text of letters; empty for the bare
    /// king itself.
    #[schemars(extend("examples" = [["", "B", "N"]]))]
    pub insufficient_material: Option<Vec<String>>,
    /// Points that decide the game at a repetition or by the move rule.
    pub material_count: Option<MaterialCountKeys>,
    /// Squares that a piece wins by reaching.
    pub goal: Option<GoalKeys>,
    /// Number of checks that wins, 1 to 9. Without the key checks are not counted.
    #[schemars(example = 3)]
    pub checks: Option<u8>,
    /// Whether a bare king loses, unless the other king has one piece and loses it with the next
    /// move.
    pub bare_king_loses: Option<bool>,
    /// Kinds whose loss decides the game.
    pub extinction: Option<ExtinctionKeys>,
    /// Count of moves within which a side that is ahead must mate, as in makruk; then the game is a
    /// draw. Requires a king on both sides; not with pockets or en passant, whose field of the FEN
    /// has the limit of the count.
    pub counting: Option<CountingKeys>,
}

/// Result of a repetition that no count of material decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepetitionResult {
    Draw,
    WhiteLoses,
    /// The side loses whose move has repeated the position.
    MoverLoses,
}

impl RepetitionResult {
    /// White's points in a position with `side_to_move`.
    pub fn white(self, side_to_move: Color) -> Points {
        match self {
            RepetitionResult::Draw => Points::DRAW,
            RepetitionResult::WhiteLoses => Points::LOSS,
            RepetitionResult::MoverLoses => Points::WIN.for_white(side_to_move),
        }
    }
}

/// How games end other than by a mechanism, and what the ends are worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Endings {
    /// Result for the side that gives checkmate.
    pub checkmate: Points,
    /// Result for the side that gives stalemate.
    pub stalemate: Points,
    /// True if stalemate wins for the side with fewer pieces, and is a draw if both have as many.
    pub stalemate_by_count: bool,
    /// White's points for a draw.
    pub draw: Points,
    /// Plies without a capture or pawn move that end the game (100 for the fifty-move rule).
    pub move_rule: u32,
    /// True if a pawn's move begins that count again.
    pub pawn_moves_reset: bool,
    /// Number of occurrences of a position that ends the game.
    pub repetitions: u32,
    pub repetition: RepetitionResult,
    /// True if a side loses by repetition when each of its moves since the first occurrence has
    /// given check.
    pub perpetual_check_loses: bool,
    /// Armies that cannot win against a bare king: sorted lists of the kinds besides the king.
    pub insufficient_material: Vec<Vec<Kind>>,
    /// Material count at repetition and at the move rule. Without one, the move rule is a draw.
    pub material_count: Option<MaterialCount>,
}

impl EndingKeys {
    /// `vital` is the kind without which a side has lost; `pawn_ranks` are the ranks on which a
    /// pawn can be.
    pub(crate) fn build(
        &self,
        parts: Parts<'_>,
        vital: Option<Kind>,
        pawn_ranks: Range<u8>,
    ) -> Result<Endings, KeyError> {
        let moves = required("endings.move-rule", self.move_rule)?;
        let message = format!("found {moves}, expected 1 to 10000 moves");
        forbid(!(1..=10_000).contains(&moves), "endings.move-rule", message)?;
        let repetitions = required("endings.repetitions", self.repetitions)?;
        let message = format!("found {repetitions}, expected 2 to 10");
        forbid(!(2..=10).contains(&repetitions), "endings.repetitions", message)?;
        let mut insufficient_material = Vec::new();
        let armies = required("endings.insufficient-material", self.insufficient_material.as_ref())?;
        for (index, army) in armies.iter().enumerate() {
            let key = format!("endings.insufficient-material.{index}");
            let kinds = parts.army(&key, army)?;
            let message = format!("found `{army}`, expected the pieces besides the king, like \"B\"");
            forbid(vital.is_some_and(|vital| kinds.contains(&vital)), key, message)?;
            insufficient_material.push(kinds);
        }
        let count = self.material_count.as_ref();
        Ok(Endings {
            checkmate: self.checkmate.unwrap_or(Points::WIN),
            stalemate: required("endings.stalemate", self.stalemate)?,
            stalemate_by_count: self.stalemate_by_count.unwrap_or(false),
            draw: self.draw.unwrap_or(Points::DRAW),
            move_rule: moves * 2,
            pawn_moves_reset: self.pawn_moves_reset.unwrap_or(true),
            repetitions,
            repetition: self.repetition.unwrap_or(RepetitionResult::Draw),
            perpetual_check_loses: self.perpetual_check_loses.unwrap_or(false),
            insufficient_material,
            material_count: count.map(|count| count.build(parts, pawn_ranks)).transpose()?,
        })
    }
}

impl Endings {
    /// Result for the side that stalemates the other, by the numbers of their pieces on the board.
    pub fn stalemate_points(&self, stalemating: usize, stalemated: usize) -> Points {
        match stalemating.cmp(&stalemated) {
            _ if !self.stalemate_by_count => self.stalemate,
            Ordering::Less => Points::WIN,
            Ordering::Equal => Points::DRAW,
            Ordering::Greater => Points::LOSS,
        }
    }

    /// Returns true if checkmate wins, and draws are worth half a point to both sides.
    pub fn has_usual_results(&self) -> bool {
        self.checkmate == Points::WIN && self.draw == Points::DRAW && !self.stalemate_by_count
    }

    /// White's points for a result: a draw is worth what the game says.
    pub fn settle(&self, white: Points) -> Points {
        if white == Points::DRAW { self.draw } else { white }
    }

    /// The ends in sentences.
    pub(crate) fn sentences(&self, game: &GameDef) -> Vec<String> {
        let Endings {
            checkmate,
            stalemate,
            stalemate_by_count,
            draw,
            move_rule,
            pawn_moves_reset,
            repetitions,
            repetition,
            perpetual_check_loses,
            insufficient_material,
            material_count,
        } = self;
        let stalemated = match *stalemate {
            _ if *stalemate_by_count => {
                "wins for the side with fewer pieces, and is a draw if both have as many".to_owned()
            }
            Points::DRAW => "is a draw".to_owned(),
            Points::WIN => "wins for the side that can still move".to_owned(),
            Points::LOSS => "wins for the side that cannot move".to_owned(),
            points => {
                format!("gives {points} points to the side that can still move, and {} to the other", points.flipped())
            }
        };
        let counted = if material_count.is_some() { "ends by a count of material" } else { "is a draw" };
        let has_royals = game.kinds.all().any(|kind| game.kinds.is_royal(kind));
        let mate = match *checkmate {
            _ if game.mechanisms.forbidden_checks.is_some() || !has_royals => String::new(),
            Points::WIN => "Checkmate wins. ".to_owned(),
            Points::LOSS => "Checkmate loses: the side that is mated wins. ".to_owned(),
            points => format!("Checkmate gives {points} points. "),
        };
        let resets = match (game.mechanisms.drops.is_some(), pawn_moves_reset) {
            (true, true) => "capture, drop or pawn's move",
            (true, false) => "capture or drop",
            (false, true) => "capture or pawn's move",
            (false, false) => "capture",
        };
        let mut said = vec![
            format!("{mate}Stalemate {stalemated}."),
            format!(
                "If a position occurs {repetitions} times, or after {} moves without a {resets}, the game {counted}.",
                move_rule / 2
            ),
        ];
        if *draw != Points::DRAW {
            said.push(format!("For a draw, White gets {draw} points, and Black {}.", draw.flipped()));
        }
        said.extend(material_count.as_ref().map(|count| count.sentence(game)));
        if !insufficient_material.is_empty() {
            let armies = insufficient_material.iter().map(|army| match army.as_slice() {
                [] => "nothing else".to_owned(),
                army => game.kinds.names(army),
            });
            said.push(format!(
                "The game is also a draw if one side has only its king, and the other its king and {}.",
                armies.collect::<Vec<_>>().join("; or ")
            ));
        }
        said.extend(match repetition {
            RepetitionResult::Draw => None,
            RepetitionResult::WhiteLoses => Some("White loses by repetition.".to_owned()),
            RepetitionResult::MoverLoses => Some("The side that repeats the position loses.".to_owned()),
        });
        said.extend(perpetual_check_loses.then(|| {
            "A side that has given check with each move since the first occurrence loses by repetition.".to_owned()
        }));
        said
    }
}
