//! Search and evaluation of each ruleset, compiled once and in this crate.
//!
//! A generic function is compiled anew in every program that uses it, and a search for eight rulesets takes its time. So what
//! other crates call goes through a trait whose functions are ordinary ones of each ruleset.

use std::sync::atomic::AtomicBool;

use super::{Limits, SearchInfo, SearchResult, Searcher};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::ruleset::{
    Apothecary2, Berolina, Chess, Gamma2, General64, General128, Gunnery, Plain64, Plain128, Ruleset, Scorpion,
};
use crate::score::Score;

/// The heavy functions of searches in a ruleset, which [`Searcher`] and [`Evaluator`] call.
pub trait CompiledSearch: Sized {
    /// Searches deeper and deeper until a limit is reached.
    fn iterate(
        searcher: &mut Searcher<Self>,
        position: &mut Position<Self>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult
    where
        Self: Ruleset;

    /// Evaluates a position for the side to move.
    fn evaluate(evaluator: &Evaluator<Self>, position: &Position<Self>) -> Score
    where
        Self: Ruleset;
}

macro_rules! compiled_search {
    ($($ruleset:ty),+) => {
        $(impl CompiledSearch for $ruleset {
            fn iterate(
                searcher: &mut Searcher<Self>,
                position: &mut Position<Self>,
                limits: &Limits,
                stop: &AtomicBool,
                report: &mut dyn FnMut(&SearchInfo<'_>),
            ) -> SearchResult {
                searcher.iterate(position, limits, stop, report)
            }

            fn evaluate(evaluator: &Evaluator<Self>, position: &Position<Self>) -> Score {
                evaluator.sum(position)
            }
        })+
    };
}

compiled_search!(
    Chess,
    Berolina,
    Gamma2,
    Gunnery,
    Scorpion,
    Apothecary2,
    Plain64,
    Plain128,
    General64,
    General128
);
