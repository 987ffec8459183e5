use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_rules::{GameDef, Position as RulesPosition};

use crate::eval::Score;
use crate::position::Position;
use crate::registry::{Visitor, dispatch};
use crate::search::CompiledSearch;
use crate::search::{Bound, Limits, SearchInfo, Searcher};
use crate::tables::Tables;

static NO_STOP: AtomicBool = AtomicBool::new(false);

/// A test with a searcher and the start position of a game.
trait SearcherTest {
    fn run<R: CompiledSearch>(searcher: &mut Searcher<R>, start: &Position<R>);
}

struct Run<T>(T);

impl<T: SearcherTest> Visitor for Run<T> {
    type Output = ();

    fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) {
        let start = Position::new(&tables, &RulesPosition::start(tables.game()));
        T::run(&mut Searcher::new(&tables, 2).unwrap(), &start);
    }
}

fn run<T: SearcherTest>(game: &str, test: T) {
    dispatch(&GameDef::builtin(game).unwrap(), Run(test));
}

#[test]
fn threads_search_and_stop_together() {
    struct Together;
    impl SearcherTest for Together {
        fn run<R: CompiledSearch>(searcher: &mut Searcher<R>, start: &Position<R>) {
            let single = searcher.search(start, &Limits::nodes(2000), &NO_STOP, &mut |_| {});
            assert_eq!(single.nodes, 2000);
            for threads in [4, 2, 3] {
                searcher.set_threads(threads).unwrap();
                assert_eq!(searcher.threads(), threads);
                let result = searcher.search(start, &Limits::depth(7), &NO_STOP, &mut |_| {});
                assert_eq!(result.depth, 7);
                assert!(result.nodes > 0 && result.best_move == result.pv.first().copied());
                // Every thread notices the limit at its next check, after at most 32 nodes, and
                // counts none after that.
                let limit = 10_000;
                for _ in 0..20 {
                    let result = searcher.search(start, &Limits::nodes(limit), &NO_STOP, &mut |_| {});
                    let most = limit + 32 * threads as u64;
                    assert!((limit..=most).contains(&result.nodes), "{}", result.nodes);
                }
                let stop = AtomicBool::new(true);
                let infinite = Limits { infinite: true, ..Limits::default() };
                assert!(searcher.search(start, &infinite, &stop, &mut |_| {}).best_move.is_some());
            }
            // A single thread with cleared tables reproduces the first result.
            searcher.set_threads(1).unwrap();
            searcher.clear();
            assert_eq!(searcher.search(start, &Limits::nodes(2000), &NO_STOP, &mut |_| {}), single);
        }
    }
    run("gamma2", Together);
    run("apothecary2", Together);
}

/// The line of the last iteration must not be reported as one of the unfinished iteration.
#[test]
fn stopped_search_reports_the_depth_of_its_line() {
    struct Stopped;
    impl SearcherTest for Stopped {
        fn run<R: CompiledSearch>(searcher: &mut Searcher<R>, start: &Position<R>) {
            let mut repeated = 0;
            for nodes in 1..400 {
                searcher.clear();
                let mut lines = Vec::new();
                let result = searcher.search(start, &Limits::nodes(nodes), &NO_STOP, &mut |report| {
                    if let SearchInfo::Pv(line) = report {
                        lines.push((line.depth, line.score, line.pv.to_vec()));
                    }
                });
                let (depth, _, line) = lines.last().unwrap();
                assert_eq!(line, &result.pv, "{nodes} nodes");
                assert!((result.depth..=result.depth + 1).contains(depth), "{nodes} nodes");
                if let [.., before, last] = lines.as_slice() {
                    repeated += usize::from(before == last);
                }
            }
            assert!(repeated > 100, "{repeated}");
        }
    }
    run("chess", Stopped);
}

#[test]
fn multi_pv_lines_are_ordered_and_distinct() {
    struct Lines;
    impl SearcherTest for Lines {
        fn run<R: CompiledSearch>(searcher: &mut Searcher<R>, start: &Position<R>) {
            searcher.set_multi_pv(4);
            let mut last: Vec<(usize, Score, Vec<crate::Move>)> = Vec::new();
            let result = searcher.search(start, &Limits::depth(6), &NO_STOP, &mut |report| {
                if let SearchInfo::Pv(line) = report
                    && line.bound == Bound::Exact
                {
                    if line.multipv == 1 {
                        last.clear();
                    }
                    last.push((line.multipv, line.score, line.pv.to_vec()));
                }
            });
            let numbers: Vec<usize> = last.iter().map(|line| line.0).collect();
            assert_eq!(numbers, [1, 2, 3, 4]);
            assert!(last.is_sorted_by(|a, b| a.1 >= b.1), "{last:?}");
            for (index, line) in last.iter().enumerate() {
                assert!(last[..index].iter().all(|other| other.2[0] != line.2[0]), "{last:?}");
            }
            assert_eq!((result.best_move, result.score), (Some(last[0].2[0]), last[0].1));
            // At most one line for each legal move.
            searcher.set_multi_pv(1000);
            let mut most = 0;
            searcher.search(start, &Limits::depth(1), &NO_STOP, &mut |report| {
                if let SearchInfo::Pv(line) = report {
                    most = most.max(line.multipv);
                }
            });
            assert_eq!(most, 20);
        }
    }
    run("chess", Lines);
}

#[test]
fn pondering_ends_on_ponderhit() {
    struct Ponder;
    impl SearcherTest for Ponder {
        fn run<R: CompiledSearch>(searcher: &mut Searcher<R>, start: &Position<R>) {
            for threads in [1, 2] {
                searcher.set_threads(threads).unwrap();
                let pondering = Arc::new(AtomicBool::new(true));
                searcher.set_pondering(pondering.clone());
                // Both limits are reached long before the ponderhit.
                let limits = Limits { movetime: Some(Duration::from_millis(1)), ..Limits::depth(2) };
                let hit = AtomicBool::new(false);
                let result = std::thread::scope(|scope| {
                    scope.spawn(|| {
                        std::thread::sleep(Duration::from_millis(50));
                        hit.store(true, Ordering::SeqCst);
                        pondering.store(false, Ordering::SeqCst);
                    });
                    let result = searcher.search(start, &limits, &NO_STOP, &mut |_| {});
                    assert!(hit.load(Ordering::SeqCst), "ended before the ponderhit");
                    result
                });
                assert_eq!(result.depth, 2);
                // The next search does not ponder.
                assert_eq!(searcher.search(start, &Limits::depth(1), &NO_STOP, &mut |_| {}).depth, 1);
            }
        }
    }
    run("berolina", Ponder);
}
