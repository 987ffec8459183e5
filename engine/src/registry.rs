//! Built-in and user-defined games by name: loading their definitions, and choosing the ruleset
//! they are played with.

mod instantiate;
mod load;

use std::sync::Arc;

use assay_rules::GameDef;

use crate::bitboard::BitboardWord;
use crate::position::CompiledPosition;
use crate::ruleset::{General64, General128, Mechanics, Plain64, Plain128};
use crate::tables::Tables;

#[cfg(not(feature = "search"))]
use crate::position::CompiledPosition as Compiled;
#[cfg(feature = "search")]
use crate::search::CompiledSearch as Compiled;

pub(crate) use load::games_in;
pub use load::{LoadError, load_game, read_definition};

/// A ruleset for which everything is compiled: positions and, with the feature `search`, search.
pub trait CompiledRuleset: Compiled {}

impl<R: Compiled> CompiledRuleset for R {}

/// A function that is generic over the ruleset, which [`dispatch()`] chooses at run time.
pub trait Visitor {
    /// Result of the function.
    type Output;

    /// Runs the function with the ruleset `R`.
    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output;
}

/// Calls `visitor` with the ruleset of a built-in game, or with a general ruleset for a
/// user-defined game.
///
/// ```
/// use std::sync::Arc;
///
/// use assay_engine::{CompiledRuleset, Position, Tables, Visitor, dispatch, load_game};
///
/// struct CountMoves;
///
/// impl Visitor for CountMoves {
///     type Output = usize;
///
///     fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> usize {
///         Position::new(&tables, &assay_rules::Position::start(tables.game())).count_moves()
///     }
/// }
///
/// let game = load_game("chess")?;
/// assert_eq!(dispatch(&game, CountMoves), 20);
/// # Ok::<(), assay_engine::LoadError>(())
/// ```
///
/// Unit tests, and whatever is built with `--cfg general_rulesets`, have only the general rulesets,
/// which compile in a third of the time; the tests in `tests/` and those of other crates have all.
#[cfg(not(any(test, general_rulesets)))]
pub fn dispatch<V: Visitor>(game: &Arc<GameDef>, visitor: V) -> V::Output {
    if !game.is_builtin() {
        return dispatch_general(game, visitor);
    }
    macro_rules! visit_builtin {
        ($($name:ident $ruleset:ident,)+) => {
            match game.name.as_str() {
                $(name if name == stringify!($name) => visitor.visit(crate::ruleset::$ruleset::tables(game)),)+
                _ => dispatch_general(game, visitor),
            }
        };
    }
    assay_rules::for_each_builtin!(visit_builtin)
}

#[cfg(any(test, general_rulesets))]
pub use dispatch_general as dispatch;

/// Calls `visitor` with a general ruleset even for a built-in game, as tests and benchmarks need
/// it.
pub fn dispatch_general<V: Visitor>(game: &Arc<GameDef>, visitor: V) -> V::Output {
    let mechanics = Mechanics::of(game);
    let is_plain = Mechanics::PLAIN.contains(mechanics);
    match (is_plain, u64::fits(&game.board)) {
        (true, true) => visitor.visit(Plain64::tables(game)),
        (true, false) => visitor.visit(Plain128::tables(game)),
        (false, true) => visitor.visit(General64::tables(game)),
        (false, false) => visitor.visit(General128::tables(game)),
    }
}
