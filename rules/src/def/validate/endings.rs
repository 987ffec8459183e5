//! Endings.

use super::super::error::DefError;
use super::super::file::Source;
use super::super::keys::{ExtinctionKeys, GoalKeys, MaterialCountKeys};
use crate::types::color::ByColor;
use crate::types::definition::{
    Endings, Extinction, GameDef, Goal, MAX_CHECKS, MaterialCount, RepetitionResult, Results,
};
use crate::types::outcome::Points;

impl Source<'_> {
    pub(super) fn endings(&self, game: &mut GameDef) -> Result<(), DefError> {
        let raw =
            self.raw.endings.as_ref().ok_or_else(|| self.error("endings", "missing: expected the table [endings]"))?;
        let moves = self.required("endings.move-rule", raw.move_rule)?;
        if !(1..=10_000).contains(&moves) {
            return Err(self.error("endings.move-rule", format!("found {moves}, expected 1 to 10000 moves")));
        }
        let repetitions = self.required("endings.repetitions", raw.repetitions)?;
        if !(2..=10).contains(&repetitions) {
            return Err(self.error("endings.repetitions", format!("found {repetitions}, expected 2 to 10")));
        }
        game.repetition_result = raw.repetition.unwrap_or(RepetitionResult::Draw);
        let extinction = raw.extinction.as_ref();
        game.extinction = extinction.map(|rule| self.extinction(game, rule)).transpose()?;
        let mut insufficient_material = Vec::new();
        let armies = self.required("endings.insufficient-material", raw.insufficient_material.as_ref())?;
        for (index, army) in armies.iter().enumerate() {
            let key = format!("endings.insufficient-material.{index}");
            let mut kinds = Vec::new();
            for letter in army.chars() {
                kinds.extend(self.kinds_of(game, &key, &letter.to_string())?);
            }
            if game.vital_kind().is_some_and(|king| kinds.contains(&king)) {
                let message = format!("found `{army}`, expected the pieces besides the king, like \"B\"");
                return Err(self.error(&key, message));
            }
            kinds.sort_unstable();
            insufficient_material.push(kinds);
        }
        game.endings = Endings {
            stalemate: self.required("endings.stalemate", raw.stalemate)?,
            move_rule: moves * 2,
            pawn_moves_reset: raw.pawn_moves_reset.unwrap_or(true),
            repetitions,
            insufficient_material,
            material_count: raw.material_count.as_ref().map(|points| self.material_count(game, points)).transpose()?,
        };
        game.results = Results {
            checkmate: raw.checkmate.unwrap_or(Points::WIN),
            stalemate_by_count: raw.stalemate_by_count.unwrap_or(false),
            draw: raw.draw.unwrap_or(Points::DRAW),
        };
        game.goal = raw.goal.as_ref().map(|goal| self.goal(game, goal)).transpose()?;
        game.perpetual_check_loses = raw.perpetual_check_loses.unwrap_or(false);
        game.bare_king_loses = raw.bare_king_loses.unwrap_or(false);
        game.checks = raw.checks;
        if let Some(found) = raw.checks.filter(|checks| !(1..=MAX_CHECKS).contains(checks)) {
            return Err(self.error("endings.checks", format!("found {found}, expected 1 to {MAX_CHECKS} checks")));
        }
        Ok(())
    }

    fn goal(&self, game: &GameDef, raw: &GoalKeys) -> Result<Goal, DefError> {
        let letters = self.required("endings.goal.piece", raw.piece.as_ref())?;
        let [kind] = self.kinds_of(game, "endings.goal.piece", letters)?[..] else {
            let message = format!("found `{letters}`, expected the letter of one piece");
            return Err(self.error("endings.goal.piece", message));
        };
        let list = |key: &str, text: Option<&str>| {
            let squares = self.square_list(&game.board, key, text)?;
            if squares.is_empty() {
                return Err(self.error(key, "found no square, expected at least one, like `d4 e4`"));
            }
            Ok(squares)
        };
        self.required("endings.goal.squares", raw.squares.as_ref())?;
        let white = list("endings.goal.squares", raw.squares.as_deref())?;
        let black = match &raw.black_squares {
            None => white,
            squares => list("endings.goal.black-squares", squares.as_deref())?,
        };
        let (last_turn, held) = (raw.last_turn.unwrap_or(false), raw.held.unwrap_or(false));
        if last_turn && held {
            let message = "found true, expected false for a goal with a last turn";
            return Err(self.error("endings.goal.held", message));
        }
        Ok(Goal { kind, squares: ByColor([white, black]), last_turn, held })
    }

    fn extinction(&self, game: &GameDef, raw: &ExtinctionKeys) -> Result<Extinction, DefError> {
        let key = "endings.extinction.pieces";
        let mut kinds = self.kinds_of(game, key, self.required(key, raw.pieces.as_ref())?)?;
        if kinds.is_empty() {
            return Err(self.error(key, "found no letter, expected at least one"));
        }
        kinds.sort_unstable();
        let key = "endings.extinction.score";
        let score = raw.score.unwrap_or(Points::LOSS);
        if ![Points::WIN, Points::LOSS].contains(&score) {
            return Err(self.error(key, format!("found {score}, expected 0 or 1")));
        }
        Ok(Extinction { kinds, together: raw.together.unwrap_or(false), at_most: raw.at_most.unwrap_or(0), score })
    }

    fn material_count(&self, game: &GameDef, raw: &MaterialCountKeys) -> Result<MaterialCount, DefError> {
        let field = |name: &str, value: Option<u32>| {
            let key = format!("endings.material-count.{name}");
            let value = self.required(&key, value)?;
            if value > 1000 {
                return Err(self.error(&key, format!("found {value}, expected at most 1000 points")));
            }
            Ok(value)
        };
        let mut pawn_on_rank = Vec::new();
        for (rank, points) in &raw.pawn_on_rank {
            let key = format!("endings.material-count.pawn-on-rank.{rank}");
            let rank = self.rank(&game.board, &key, rank)?;
            let pawn_ranks = game.first_pawn_rank()..game.last_rank();
            if !pawn_ranks.contains(&rank) {
                let (first, last) = (pawn_ranks.start, pawn_ranks.end - 1);
                let message = format!("found rank {rank}, where no pawn can be, expected {first} to {last}");
                return Err(self.error(&key, message));
            }
            pawn_on_rank.push((rank, field(&format!("pawn-on-rank.{rank}"), Some(*points))?));
        }
        Ok(MaterialCount {
            major: field("major", raw.major)?,
            average: field("average", raw.average)?,
            minor: field("minor", raw.minor)?,
            joker: field("joker", raw.joker)?,
            joker_against_majors: field("joker-against-majors", raw.joker_against_majors)?,
            pawn: field("pawn", raw.pawn)?,
            pawn_on_rank,
            lead: field("lead", raw.lead)?,
            score: self.required("endings.material-count.score", raw.score)?,
        })
    }
}
