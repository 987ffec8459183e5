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
            RandomWalk(|name: &str, trace: &Trace, weights: &Weights, score: Score, side: Color| {
                let traced = trace.evaluate(|term| weights.get(term));
                let white = score.centipawns().unwrap() * if side == Color::White { 1 } else { -1 };
                assert!((f64::from(white) - traced).abs() < 4.0, "{name}: evaluated {white}, traced {traced}");
            }),
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

/// Evaluates positions of chess for White, as the evaluator and the trace do.
struct ForWhite<'f>(&'f [&'f str]);

impl Visitor for ForWhite<'_> {
    type Output = Vec<i32>;

    fn visit<R: CompiledPosition>(self, tables: Arc<Tables<R>>) -> Vec<i32> {
        let weights = Weights::for_game(tables.game());
        let evaluator = Evaluator::new(&tables, &weights);
        let tracer = Tracer::<R>::new(tables.game());
        let score = |fen: &&str| {
            let position = assay_rules::Position::from_fen(tables.game(), fen).unwrap();
            let position = Position::new(&tables, &position);
            let score = evaluator.evaluate(&position).centipawns().unwrap();
            let white = if position.side_to_move() == Color::White { score } else { -score };
            let traced = tracer.trace(&position).evaluate(|term| weights.get(term));
            assert!((f64::from(white) - traced).abs() < 4.0, "{fen}: {white}, traced {traced}");
            white
        };
        self.0.iter().map(score).collect()
    }
}

fn for_white<const N: usize>(fens: [&str; N]) -> [i32; N] {
    let chess = GameDef::builtin("chess").unwrap();
    dispatch(&chess, ForWhite(&fens)).try_into().unwrap()
}

#[test]
fn a_bare_king_is_driven_to_a_corner_that_the_bishop_attacks() {
    let [center, right, wrong] = for_white([
        "8/8/8/4k3/8/3KB3/8/3N4 w - - 0 1",
        "7k/8/8/8/8/3KB3/8/3N4 w - - 0 1",
        "k7/8/8/8/8/3KB3/8/3N4 w - - 0 1",
    ]);
    assert!(right > center + 200 && right > wrong + 500, "{center} {right} {wrong}");
    // A rook mates in any corner.
    let [one, other] = for_white(["7k/8/8/8/4K3/4B3/8/3R4 w - - 0 1", "k7/8/8/8/4K3/4B3/8/3R4 w - - 0 1"]);
    assert!((one - other).abs() < 100, "{one} {other}");
    // The same with the colors exchanged.
    let [white, black] = for_white(["7k/8/8/8/8/3KB3/8/3N4 w - - 0 1", "3n4/8/3kb3/8/8/8/8/7K b - - 0 1"]);
    assert_eq!(white, -black);
}

#[test]
fn a_pawn_is_not_given_up_for_a_bare_king() {
    let [knights, with_pawn] = for_white(["7k/8/5K2/8/8/8/8/3NN3 w - - 0 1", "7k/8/5K2/8/8/8/P7/3NN3 w - - 0 1"]);
    assert!(with_pawn > knights, "{knights} {with_pawn}");
    let [rook, with_pawn] = for_white(["7k/8/5K2/8/8/8/8/3R4 w - - 0 1", "7k/8/5K2/8/8/8/P7/3R4 w - - 0 1"]);
    assert!(with_pawn > rook, "{rook} {with_pawn}");
    let [pawn] = for_white(["7k/8/8/8/8/4K3/4P3/8 w - - 0 1"]);
    assert!(pawn < 500, "{pawn}");
}
