//! The one place of a program that chooses the ruleset.

use std::sync::Arc;

use assay_rules::GameDef;

use crate::ruleset::{
    Apothecary2, Berolina, Chess, Gamma2, General64, General128, Gunnery, Mechanics, Plain64, Plain128, Ruleset,
    Scorpion,
};
use crate::tables::Tables;
use crate::word::Word;

/// Work to be done in a ruleset that is chosen at run time.
pub trait Visitor {
    /// What the work gives.
    type Output;

    /// Does the work in the ruleset `R`.
    fn visit<R: Ruleset>(self, tables: Arc<Tables<R>>) -> Self::Output;
}

/// Calls `visitor` with the ruleset made for the game, or with a general one when it is a user's.
pub fn dispatch<V: Visitor>(game: &Arc<GameDef>, visitor: V) -> V::Output {
    // A user's file may bear a built-in game's name and still be another game.
    let built_in = GameDef::builtin(&game.name).is_some_and(|known| known == *game);
    if !built_in {
        return dispatch_general(game, visitor);
    }
    match game.name.as_str() {
        "chess" => visitor.visit(Tables::<Chess>::new(game)),
        "berolina" => visitor.visit(Tables::<Berolina>::new(game)),
        "gamma2" => visitor.visit(Tables::<Gamma2>::new(game)),
        "gunnery" => visitor.visit(Tables::<Gunnery>::new(game)),
        "scorpion" => visitor.visit(Tables::<Scorpion>::new(game)),
        "apothecary2" => visitor.visit(Tables::<Apothecary2>::new(game)),
        _ => dispatch_general(game, visitor),
    }
}

/// Calls `visitor` with a general ruleset, also for a built-in game: for tests and benches.
pub fn dispatch_general<V: Visitor>(game: &Arc<GameDef>, visitor: V) -> V::Output {
    let mechanics = Mechanics::of(game);
    let plain = mechanics.and(Mechanics::PLAIN) == mechanics;
    match (plain, u64::fits(&game.board)) {
        (true, true) => visitor.visit(Tables::<Plain64>::new(game)),
        (true, false) => visitor.visit(Tables::<Plain128>::new(game)),
        (false, true) => visitor.visit(Tables::<General64>::new(game)),
        (false, false) => visitor.visit(Tables::<General128>::new(game)),
    }
}
