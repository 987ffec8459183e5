use super::*;
use crate::moves::MoveList;
use crate::registry::{Visitor, dispatch};
use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;

/// Plays a few pseudo-random moves from the start and looks at every position.
struct Walk<F>(F);

impl<F: FnMut(&str, &Trace, &Weights, Score, Color)> Visitor for Walk<F> {
    type Output = ();

    fn visit<R: CompiledPosition>(mut self, tables: Arc<Tables<R>>) {
        let game = tables.game().clone();
        let weights = Weights::for_game(&game);
        let evaluator = Evaluator::new(&tables, &weights);
        let tracer = Tracer::<R>::new(&game);
        let mut position = Position::new(&tables, &assay_rules::Position::start(&game));
        for step in 0..200usize {
            (self.0)(
                &game.name,
                &tracer.trace(&position),
                &weights,
                evaluator.evaluate(&position),
                position.side_to_move(),
            );
            let mut list = MoveList::new();
            position.legal_moves(&mut list);
            if list.is_empty() {
                break;
            }
            position.make(list[(step * 7919 + 13) % list.len()]);
        }
    }
}

#[test]
fn what_is_traced_is_what_is_played() {
    for name in BUILTIN_NAMES {
        let game = GameDef::builtin(name).unwrap();
        dispatch(
            &game,
            Walk(
                |name: &str, trace: &Trace, weights: &Weights, score: Score, side: Color| {
                    let traced = trace.evaluate(|term| weights.get(term));
                    let white = score.centipawns().unwrap() * if side == Color::White { 1 } else { -1 };
                    assert!(
                        (f64::from(white) - traced).abs() < 4.0,
                        "{name}: evaluated {white}, traced {traced}"
                    );
                },
            ),
        );
    }
}

#[test]
fn a_start_position_is_level_but_for_the_tempo() {
    for name in BUILTIN_NAMES {
        let game = GameDef::builtin(name).unwrap();
        let mut first = true;
        dispatch(
            &game,
            Walk(|name: &str, _: &Trace, weights: &Weights, score: Score, _: Color| {
                if std::mem::take(&mut first) {
                    let tempo = weights.get(weights.terms().general.tempo).middlegame;
                    assert!((f64::from(score.centipawns().unwrap()) - tempo).abs() <= 1.0, "{name}");
                }
            }),
        );
    }
}

#[test]
fn both_phases_keep_apart() {
    for (middle, end) in [(3.0, -5.0), (-3.0, 5.0), (-9000.0, -9000.0), (0.0, -0.1)] {
        let sum = Tapered(
            Tapered::of(Weight {
                middlegame: middle,
                endgame: end,
            })
            .0 * 3,
        );
        assert_eq!(sum.middle(), (middle * GRAIN).round() as i32 * 3);
        assert_eq!(sum.end(), (end * GRAIN).round() as i32 * 3);
    }
}
