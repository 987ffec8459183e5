use super::*;
use crate::moves::MoveList;
use crate::registry::{Visitor, dispatch};
use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;

/// Plays pseudo-random moves from the start and visits every position.
struct RandomWalk<F>(F);

impl<F: FnMut(&str, &Trace, &Weights, Score, Color)> Visitor for RandomWalk<F> {
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
fn trace_agrees_with_the_evaluator() {
    for name in BUILTIN_NAMES {
        let game = GameDef::builtin(name).unwrap();
        dispatch(
            &game,
            RandomWalk(
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
fn start_positions_are_worth_the_tempo() {
    for name in BUILTIN_NAMES {
        let game = GameDef::builtin(name).unwrap();
        let mut first = true;
        dispatch(
            &game,
            RandomWalk(|name: &str, _: &Trace, weights: &Weights, score: Score, _: Color| {
                if std::mem::take(&mut first) {
                    let tempo = weights.get(weights.terms().general.tempo).middlegame;
                    assert!((f64::from(score.centipawns().unwrap()) - tempo).abs() <= 1.0, "{name}");
                }
            }),
        );
    }
}

#[test]
fn tapered_scores_do_not_mix() {
    for (middlegame, endgame) in [(3.0, -5.0), (-3.0, 5.0), (-9000.0, -9000.0), (0.0, -0.1)] {
        let sum = Tapered(Tapered::new(Weight { middlegame, endgame }).0 * 3);
        assert_eq!(sum.middlegame(), (middlegame * UNIT).round() as i32 * 3);
        assert_eq!(sum.endgame(), (endgame * UNIT).round() as i32 * 3);
    }
}
