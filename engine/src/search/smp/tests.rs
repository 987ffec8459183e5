use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_rules::{GameDef, Position as RulesPosition};

use super::CompiledSearch;
use crate::position::Position;
use crate::registry::{Visitor, dispatch};
use crate::search::{Bound, Limits, Score, SearchInfo, Searcher};
use crate::tables::Tables;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Does something with a searcher and the start position of a game.
trait Trial {
    fn run<R: CompiledSearch>(searcher: &mut Searcher<R>, start: &Position<R>);
}

struct With<T>(T);

impl<T: Trial> Visitor for With<T> {
    type Output = ();

    fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) {
        let start = Position::new(&tables, &RulesPosition::start(tables.game()));
        T::run(&mut Searcher::new(&tables, 2), &start);
    }
}

fn run<T: Trial>(game: &str, trial: T) {
    dispatch(&GameDef::builtin(game).unwrap(), With(trial));
}

#[test]
fn threads_search_together_and_stop() {
    struct Together;
    impl Trial for Together {
        fn run<R: CompiledSearch>(searcher: &mut Searcher<R>, start: &Position<R>) {
            let alone = searcher.search(start, &Limits::nodes(2000), &NEVER, &mut |_| {});
            assert_eq!(alone.nodes, 2000);
            for threads in [4, 2, 3] {
                searcher.set_threads(threads);
                assert_eq!(searcher.threads(), threads);
                let result = searcher.search(start, &Limits::depth(7), &NEVER, &mut |_| {});
                assert_eq!(result.depth, 7);
                assert!(result.nodes > 0 && result.best == result.pv.first().copied());
                let result = searcher.search(start, &Limits::nodes(20_000), &NEVER, &mut |_| {});
                assert!(result.nodes >= 20_000, "{}", result.nodes);
                let stop = AtomicBool::new(true);
                let endless = Limits {
                    infinite: true,
                    ..Limits::default()
                };
                assert!(searcher.search(start, &endless, &stop, &mut |_| {}).best.is_some());
            }
            // Alone again, and with nothing learned, it finds what it found first.
            searcher.set_threads(1);
            searcher.clear();
            assert_eq!(searcher.search(start, &Limits::nodes(2000), &NEVER, &mut |_| {}), alone);
        }
    }
    run("gamma2", Together);
    run("apothecary2", Together);
}

#[test]
fn several_lines_begin_with_different_moves_and_are_ordered() {
    struct Lines;
    impl Trial for Lines {
        fn run<R: CompiledSearch>(searcher: &mut Searcher<R>, start: &Position<R>) {
            searcher.set_multi_pv(4);
            let mut last: Vec<(usize, Score, Vec<crate::Move>)> = Vec::new();
            let result = searcher.search(start, &Limits::depth(6), &NEVER, &mut |report| {
                if let SearchInfo::Pv(line) = report
                    && line.bound == Bound::Exact
                {
                    if line.number == 1 {
                        last.clear();
                    }
                    last.push((line.number, line.score, line.pv.to_vec()));
                }
            });
            let numbers: Vec<usize> = last.iter().map(|line| line.0).collect();
            assert_eq!(numbers, [1, 2, 3, 4]);
            assert!(last.is_sorted_by(|a, b| a.1 >= b.1), "{last:?}");
            for (index, line) in last.iter().enumerate() {
                assert!(last[..index].iter().all(|other| other.2[0] != line.2[0]), "{last:?}");
            }
            assert_eq!((result.best, result.score), (Some(last[0].2[0]), last[0].1));
            // More lines than moves: as many as there are.
            searcher.set_multi_pv(1000);
            let mut most = 0;
            searcher.search(start, &Limits::depth(1), &NEVER, &mut |report| {
                if let SearchInfo::Pv(line) = report {
                    most = most.max(line.number);
                }
            });
            assert_eq!(most, 20);
        }
    }
    run("chess", Lines);
}

#[test]
fn pondering_ends_only_when_told() {
    struct Ponder;
    impl Trial for Ponder {
        fn run<R: CompiledSearch>(searcher: &mut Searcher<R>, start: &Position<R>) {
            for threads in [1, 2] {
                searcher.set_threads(threads);
                let pondering = Arc::new(AtomicBool::new(true));
                searcher.set_pondering(pondering.clone());
                // Both limits are reached long before the opponent moves.
                let limits = Limits {
                    movetime: Some(Duration::from_millis(1)),
                    ..Limits::depth(2)
                };
                let told = AtomicBool::new(false);
                let result = std::thread::scope(|scope| {
                    scope.spawn(|| {
                        std::thread::sleep(Duration::from_millis(50));
                        told.store(true, Ordering::SeqCst);
                        pondering.store(false, Ordering::SeqCst);
                    });
                    let result = searcher.search(start, &limits, &NEVER, &mut |_| {});
                    assert!(told.load(Ordering::SeqCst), "ended before it was told to");
                    result
                });
                assert_eq!(result.depth, 2);
                // The next search is on its own time again.
                assert_eq!(searcher.search(start, &Limits::depth(1), &NEVER, &mut |_| {}).depth, 1);
            }
        }
    }
    run("berolina", Ponder);
}
