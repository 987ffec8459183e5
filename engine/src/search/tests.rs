use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_rules::def::BUILTIN_NAMES;
use assay_rules::{GameDef, Position as RulesPosition, uci};

use super::*;
use crate::moves::MoveList;
use crate::registry::{Visitor, dispatch};

static NEVER: AtomicBool = AtomicBool::new(false);

fn game(name: &str) -> Arc<GameDef> {
    GameDef::builtin(name).unwrap()
}

/// Searches a position: best move as text, and the result.
struct Find<'f> {
    fen: &'f str,
    limits: Limits,
}

impl Visitor for Find<'_> {
    type Output = (String, SearchResult);

    fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let game = tables.game();
        let rules = match self.fen {
            "" => RulesPosition::start(game),
            fen => RulesPosition::from_fen(game, fen).unwrap(),
        };
        let position = Position::new(&tables, &rules);
        let result = Searcher::new(&tables, 4).search(&position, &self.limits, &NEVER, &mut |_| {});
        let text = result.best.map(|mv| uci::format(game, position.to_rules_move(mv)));
        (text.unwrap_or_default(), result)
    }
}

fn find(name: &str, fen: &str, limits: Limits) -> (String, SearchResult) {
    dispatch(&game(name), Find { fen, limits })
}

#[test]
fn mates_are_found() {
    for (name, fen, depth, mv, mate) in [
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 2, "a1a8", 1),
        (
            "chess",
            "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1",
            8,
            "d2h6",
            2,
        ),
        ("chess", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 9, "f6a6", 3),
        // A ship gives mate over its screen.
        (
            "gamma2",
            "8B1/1a1Q6/1k3P4/2p7/RP5S1p/6K2p/4b3P1/3b2R3 w - - 2 80",
            8,
            "h4h6",
            2,
        ),
        // The mating move is a cannon.
        (
            "gunnery",
            "b6Q/2r5/1p6/RP5R/1N1p4/1B1pk3/8/4K3 b - - 2 48",
            8,
            "c7c1",
            2,
        ),
        (
            "gunnery",
            "r1bq1bnr/1ppkpp2/3p2n1/3P2pp/p5PP/2Q1PP2/PPP5/RNB1KBNR w KQ - 5 10",
            8,
            "f1b5",
            2,
        ),
        (
            "scorpion",
            "rnb1kbnr/ss2s3/4ss2/2s5/1SS1S3/2Sq1s1N/S2SB3/RNBQK2R b KQ - 0 12",
            8,
            "d3e4",
            2,
        ),
        // White's joker moves as whatever Black moves.
        (
            "apothecary2",
            "***4***/3l1r4/1r3kz2c/5ppp2/1p1n3Pbp/Ae1qn1P1pP/1J3P4/1a8/1PPbP1ZRP1/1B8/ER1KE4C/***4***[:Kn] b f - 12 58",
            8,
            "b4c2",
            2,
        ),
    ] {
        let (best, result) = find(name, fen, Limits::depth(depth));
        assert_eq!((best.as_str(), result.score.mate()), (mv, Some(mate)), "{name}: {fen}");
    }
}

#[test]
fn a_mated_side_knows_it() {
    let (best, result) = find("chess", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Limits::depth(3));
    assert_eq!((best.as_str(), result.best, result.score), ("", None, Score::mated(0)));
    let (_, result) = find("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Limits::depth(3));
    assert_eq!((result.best, result.score), (None, Score::DRAW));
}

#[test]
fn a_stalemate_is_worth_three_quarters_where_the_rules_say_so() {
    // A lone camel cannot mate, but c6-c7 stalemates.
    let fen = "***4***/k9/10/1K8/10/2L7/10/10/10/10/10/***4***[:Kk] w - - 0 60";
    let (best, result) = find("apothecary2", fen, Limits::depth(4));
    assert_eq!((best.as_str(), result.score), ("c6c7", Score::ADVANTAGE));
    // Of two evils the stalemated side chooses 0.25 before a mate.
    assert!(-Score::ADVANTAGE > Score::mated(40) && -Score::ADVANTAGE < Score::DRAW);
}

#[test]
fn repetition_is_a_draw_for_who_is_losing() {
    // White is a queen down but has a perpetual check.
    let (_, result) = find("chess", "6k1/6p1/8/6KQ/1r6/q7/8/8 w - - 0 1", Limits::depth(9));
    assert_eq!(result.score, Score::DRAW);
}

#[test]
fn the_move_rule_ends_games() {
    // One ply before the 50th move nothing but a mate would help.
    let (_, result) = find("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", Limits::depth(4));
    assert_eq!(result.score, Score::DRAW);
    let (best, result) = find("chess", "4k3/R7/4K3/8/8/8/8/8 w - - 99 80", Limits::depth(4));
    assert_eq!((best.as_str(), result.score.mate()), ("a7a8", Some(1)));
    // Points are counted where the rules say so.
    let fen = "***4***/2k7/10/10/10/10/10/10/10/10/R8K/***4***[:Kk] w - - 199 150";
    let (_, result) = find("apothecary2", fen, Limits::depth(3));
    assert_eq!(result.score, Score::ADVANTAGE);
}

#[test]
fn fixed_nodes_are_exact_and_the_same_each_time() {
    for name in BUILTIN_NAMES {
        for nodes in [1, 7, 100, 3000] {
            let (_, first) = find(name, "", Limits::nodes(nodes));
            let (_, second) = find(name, "", Limits::nodes(nodes));
            assert_eq!(first, second, "{name}");
            assert_eq!(first.nodes, nodes, "{name}");
            assert!(first.best.is_some());
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    struct Only;
    impl Visitor for Only {
        type Output = ();
        fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) {
            let position = Position::new(&tables, &RulesPosition::start(tables.game()));
            let mut list = MoveList::new();
            position.legal_moves(&mut list);
            let mv = list[3];
            let limits = Limits {
                search_moves: vec![mv],
                ..Limits::depth(3)
            };
            let result = Searcher::new(&tables, 1).search(&position, &limits, &NEVER, &mut |_| {});
            assert_eq!(result.best, Some(mv));
        }
    }
    dispatch(&game("scorpion"), Only);
}

/// Plays games at random, and searches every position.
struct RandomGames {
    games: u64,
    plies: usize,
}

impl Visitor for RandomGames {
    type Output = u32;

    /// Gives the number of mates in one move seen, all of which must be found.
    fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) -> u32 {
        let game = tables.game();
        let mut searcher = Searcher::new(&tables, 1);
        let mut mates = 0;
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..self.games {
            let mut position = Position::new(&tables, &RulesPosition::start(game));
            for _ in 0..self.plies {
                let mut list = MoveList::new();
                position.legal_moves(&mut list);
                if list.is_empty() || position.outcome().is_some() {
                    break;
                }
                let result = searcher.search(&position, &Limits::depth(2), &NEVER, &mut |_| {});
                let best = result.best.expect("there are legal moves");
                assert!(
                    list.contains(&best),
                    "{}: {}: illegal {best:?}",
                    game.name,
                    position.to_rules().fen()
                );
                if list.iter().any(|&mv| mates_at_once(&position, mv)) {
                    mates += 1;
                    assert_eq!(
                        result.score.mate(),
                        Some(1),
                        "{}: {}",
                        game.name,
                        position.to_rules().fen()
                    );
                    assert!(mates_at_once(&position, best));
                }
                // The line must be playable.
                let mut along = position.clone();
                for &mv in &result.pv {
                    along.legal_moves(&mut list);
                    assert!(
                        list.contains(&mv),
                        "{}: {}: line {:?}",
                        game.name,
                        position.to_rules().fen(),
                        result.pv
                    );
                    along.make(mv);
                }
                position.legal_moves(&mut list);
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                position.make(list[(random % list.len() as u64) as usize]);
            }
        }
        mates
    }
}

fn mates_at_once<R: CompiledSearch>(position: &Position<R>, mv: Move) -> bool {
    let mut after = position.clone();
    after.make(mv);
    after.in_check() && !after.has_legal_move()
}

#[test]
fn random_games_meet_no_illegal_move_and_no_overlooked_mate() {
    let mut mates = 0;
    for name in BUILTIN_NAMES {
        let games = if name == "apothecary2" { 2 } else { 6 };
        mates += dispatch(&game(name), RandomGames { games, plies: 150 });
    }
    assert!(mates > 20, "only {mates} mates were there to be found");
}

#[test]
fn two_moves_in_a_row_are_searched() {
    for handicap in ["two-moves:white", "two-moves:black"] {
        struct Twice<'h>(&'h str);
        impl Visitor for Twice<'_> {
            type Output = ();
            fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) {
                let start = RulesPosition::from_start(tables.game(), &format!("1+{}", self.0)).unwrap();
                let mut position = Position::new(&tables, &start);
                let mut searcher = Searcher::new(&tables, 1);
                for _ in 0..4 {
                    let result = searcher.search(&position, &Limits::depth(4), &NEVER, &mut |_| {});
                    assert!(
                        result.score.centipawns().unwrap().abs() < 300,
                        "{}: {}",
                        self.0,
                        result.score
                    );
                    position.make(result.best.unwrap());
                }
            }
        }
        dispatch(&game("apothecary2"), Twice(handicap));
    }
}

#[test]
fn a_stop_flag_stops() {
    let best = {
        struct Stopped;
        impl Visitor for Stopped {
            type Output = bool;
            fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) -> bool {
                let position = Position::new(&tables, &RulesPosition::start(tables.game()));
                let stop = AtomicBool::new(true);
                let limits = Limits {
                    infinite: true,
                    ..Limits::default()
                };
                let result = Searcher::new(&tables, 1).search(&position, &limits, &stop, &mut |_| {});
                result.best.is_some()
            }
        }
        dispatch(&game("chess"), Stopped)
    };
    assert!(best);
}
