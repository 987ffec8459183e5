mod smp;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_rules::def::BUILTIN_NAMES;
use assay_rules::{GameDef, Kind, Position as RulesPosition, uci};

use super::*;
use crate::eval::Score;
use crate::moves::{Move, MoveList};
use crate::nnue::tests::random_network;
use crate::position::Position;
use crate::registry::{Visitor, dispatch};
use crate::tables::Tables;

static NO_STOP: AtomicBool = AtomicBool::new(false);

fn game(name: &str) -> Arc<GameDef> {
    GameDef::builtin(name).unwrap()
}

/// Searches a position; returns the best move as text and the result.
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
        let result = Searcher::new(&tables, 4).unwrap().search(&position, &self.limits, &NO_STOP, &mut |_| {});
        let text = result.best_move.map(|mv| uci::format(game, position.to_rules_move(mv)));
        (text.unwrap_or_default(), result)
    }
}

fn find(name: &str, fen: &str, limits: Limits) -> (String, SearchResult) {
    dispatch(&game(name), Find { fen, limits })
}

#[test]
fn finds_mates() {
    for (name, fen, depth, mv, mate) in [
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 2, "a1a8", 1),
        ("chess", "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 8, "d2h6", 2),
        ("chess", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 9, "f6a6", 3),
        // A ship mates over its screen.
        ("gamma2", "8B1/1a1Q6/1k3P4/2p7/RP5S1p/6K2p/4b3P1/3b2R3 w - - 2 80", 8, "h4h6", 2),
        // The mating move is a cannon shot.
        ("gunnery", "b6Q/2r5/1p6/RP5R/1N1p4/1B1pk3/8/4K3 b - - 2 48", 8, "c7c1", 2),
        ("gunnery", "r1bq1bnr/1ppkpp2/3p2n1/3P2pp/p5PP/2Q1PP2/PPP5/RNB1KBNR w KQ - 5 10", 8, "f1b5", 2),
        ("scorpion", "rnb1kbnr/ss2s3/4ss2/2s5/1SS1S3/2Sq1s1N/S2SB3/RNBQK2R b KQ - 0 12", 8, "d3e4", 2),
        // White's joker moves as the piece that Black moves.
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
fn checkmate_and_stalemate_have_no_best_move() {
    let (best, result) = find("chess", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Limits::depth(3));
    assert_eq!((best.as_str(), result.best_move, result.score), ("", None, Score::mated(0)));
    let (_, result) = find("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Limits::depth(3));
    assert_eq!((result.best_move, result.score), (None, Score::DRAW));
}

#[test]
fn stalemate_scores_three_quarters_in_apothecary2() {
    // A lone camel cannot mate, but c6-c7 stalemates.
    let fen = "***4***/k9/10/1K8/10/2L7/10/10/10/10/10/***4***[:Kk] w - - 0 60";
    let (best, result) = find("apothecary2", fen, Limits::depth(4));
    assert_eq!((best.as_str(), result.score), ("c6c7", Score::ADVANTAGE));
    // The losing side prefers being stalemated, for 0.25 points, to a mate.
    assert!(-Score::ADVANTAGE > Score::mated(40) && -Score::ADVANTAGE < Score::DRAW);
}

#[test]
fn goals_checks_and_extinction_win_like_mates() {
    for (name, fen, depth, mv, mate) in [
        ("kingofthehill", "7k/8/8/8/8/3K4/8/8 w - - 0 1", 1, "", 1),
        ("kingofthehill", "rnb5/8/8/k7/8/8/3K4/8 w - - 0 1", 4, "", 2),
        // The queen is lost, but the check is the third.
        ("3check", "r3k3/8/8/8/8/8/8/Q3K3 w - - 1+3 0 1", 1, "", 1),
        ("3check", "k7/8/8/8/8/8/1q6/6QK w - - 2+3 0 1", 6, "", 2),
        ("racingkings", "8/1K6/8/8/8/8/8/7k w - - 0 1", 2, "", 1),
        ("breakthrough", "8/P7/8/8/8/8/p7/8 w - - 0 1", 1, "", 1),
        // The knight is in the center when White is to move again.
        ("jesonmor", "n8/9/9/9/9/9/5N3/9/9 w - - 0 1", 3, "f3e5", 1),
        ("extinction", "rnbqkbnr/ppp1pppp/8/8/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1", 1, "d1d8", 1),
        ("kinglet", "4k3/p7/8/8/8/8/7P/R3K3 w - - 0 1", 1, "a1a7", 1),
        // The knight attacks king and queen.
        ("coregal", "4k3/8/8/8/3n4/8/8/Q3K3 b - - 0 1", 2, "d4c2", 1),
        // The rook explodes with the king, and it does not matter that the own king is in check.
        ("atomic", "3k4/3p4/8/8/8/8/3RK3/r7 w - - 0 1", 1, "d2d7", 1),
        ("nocheckatomic", "3k4/3p4/8/8/8/8/3RK3/r7 w - - 0 1", 1, "d2d7", 1),
        // The king may not step on the file of the other.
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", 2, "a1d1", 1),
        // Black must capture the last piece.
        ("antichess", "8/8/8/8/8/1p6/8/K7 w - - 0 1", 3, "a1a2", 1),
    ] {
        let (best, result) = find(name, fen, Limits::depth(depth));
        assert_eq!(result.score.mate(), Some(mate), "{name}: {fen}: {best}");
        assert!(mv.is_empty() || mv == best, "{name}: {fen}: {best}");
    }
    // Black reaches the eighth rank, too.
    let (_, result) = find("racingkings", "8/1K5k/8/8/8/8/8/8 w - - 0 1", Limits::depth(4));
    assert!(result.score.centipawns().is_some(), "{}", result.score);
    let (best, result) = find("racingkings", "1K6/7k/8/8/8/8/8/8 b - - 0 1", Limits::depth(3));
    assert_eq!(result.score, Score::DRAW, "{best}");
    // The game is over.
    for (name, fen, score) in [
        ("kingofthehill", "8/8/8/3K4/8/8/8/7k b - - 0 1", Score::mated(0)),
        ("kingofthehill", "8/8/8/3k4/8/8/8/7K w - - 0 1", Score::mated(0)),
        ("misere", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Score::mating(0)),
        ("armageddon", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::mating(0)),
        ("suicide", "8/8/p7/p7/P7/8/8/8 w - - 0 1", Score::mating(0)),
        ("losers", "k7/8/8/8/8/8/1K6/7R b - - 0 1", Score::mating(0)),
    ] {
        let (_, result) = find(name, fen, Limits::depth(2));
        assert_eq!((result.best_move, result.score), (None, score));
    }
}

#[test]
fn stalemate_can_win_or_lose() {
    for (points, stalemated, before) in [("1", Score::mated(0), Score::mating(1)), ("0", Score::mating(0), Score::DRAW)]
    {
        let text =
            format!("name = \"x\"\ntitle = \"X\"\nbase = \"chess\"\nsource = \"test\"\nendings.stalemate = {points}\n");
        let game = Arc::new(GameDef::from_toml(&text, "test").unwrap());
        let find = |fen, depth| {
            let limits = Limits::depth(depth);
            dispatch(&game, Find { fen, limits }).1.score
        };
        assert_eq!(find("k7/P7/1K6/8/8/8/8/8 b - - 0 1", 2), stalemated);
        // Only king to b6 keeps the pawn, and it stalemates.
        assert_eq!(find("k7/P7/2K5/8/8/8/8/8 w - - 0 1", 4), before);
        // The last pawn is captured, with stalemate by a knight that could not win otherwise.
        let after_capture = find("k7/8/1KN5/8/8/8/8/8 b - - 0 1", 2);
        assert_eq!(after_capture, stalemated);
        let captures = find("k7/8/1Kp5/8/3N4/8/8/8 w - - 0 1", 4);
        assert_eq!(captures == Score::mating(1), points == "1", "{captures}");
    }
}

#[test]
fn losing_side_takes_perpetual_check() {
    // White is a queen down but has a perpetual check.
    let (_, result) = find("chess", "6k1/6p1/8/6KQ/1r6/q7/8/8 w - - 0 1", Limits::depth(9));
    assert_eq!(result.score, Score::DRAW);
}

#[test]
fn move_rule_ends_games() {
    // One ply before the 50-move rule only a mate wins.
    let (_, result) = find("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", Limits::depth(4));
    assert_eq!(result.score, Score::DRAW);
    let (best, result) = find("chess", "4k3/R7/4K3/8/8/8/8/8 w - - 99 80", Limits::depth(4));
    assert_eq!((best.as_str(), result.score.mate()), ("a7a8", Some(1)));
    // Apothecary 2 counts material when the move rule ends the game.
    let fen = "***4***/2k7/10/10/10/10/10/10/10/10/R8K/***4***[:Kk] w - - 199 150";
    let (_, result) = find("apothecary2", fen, Limits::depth(3));
    assert_eq!(result.score, Score::ADVANTAGE);
}

#[test]
fn node_limited_searches_are_exact_and_reproducible() {
    for name in BUILTIN_NAMES {
        for nodes in [1, 7, 100, 3000] {
            let (_, first) = find(name, "", Limits::nodes(nodes));
            let (_, second) = find(name, "", Limits::nodes(nodes));
            assert_eq!(first, second, "{name}");
            assert_eq!(first.nodes, nodes, "{name}");
            assert!(first.best_move.is_some());
        }
    }
}

#[test]
fn search_moves_restrict_the_root() {
    struct OneMove;
    impl Visitor for OneMove {
        type Output = ();
        fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) {
            let position = Position::new(&tables, &RulesPosition::start(tables.game()));
            let mut list = MoveList::new();
            position.legal_moves(&mut list);
            let mv = list[3];
            let limits = Limits { search_moves: vec![mv], ..Limits::depth(3) };
            let result = Searcher::new(&tables, 1).unwrap().search(&position, &limits, &NO_STOP, &mut |_| {});
            assert_eq!(result.best_move, Some(mv));
        }
    }
    dispatch(&game("scorpion"), OneMove);
}

/// Plays random games and searches every position. Returns the number of positions with a mate in
/// one, each of which must be found.
struct RandomGames {
    games: u64,
    plies: usize,
}

impl Visitor for RandomGames {
    type Output = u32;

    fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) -> u32 {
        let game = tables.game();
        let mut searcher = Searcher::new(&tables, 1).unwrap();
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
                let result = searcher.search(&position, &Limits::depth(2), &NO_STOP, &mut |_| {});
                let best = result.best_move.expect("there are legal moves");
                assert!(list.contains(&best), "{}: {}: illegal {best:?}", game.name, position.to_rules().fen());
                if list.iter().any(|&mv| is_mate_in_one(&position, mv)) {
                    mates += 1;
                    assert_eq!(result.score.mate(), Some(1), "{}: {}", game.name, position.to_rules().fen());
                    assert!(is_mate_in_one(&position, best));
                }
                // The principal variation must be legal.
                let mut line = position.clone();
                for &mv in &result.pv {
                    line.legal_moves(&mut list);
                    assert!(list.contains(&mv), "{}: {}: line {:?}", game.name, position.to_rules().fen(), result.pv);
                    line.make(mv);
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

fn is_mate_in_one<R: CompiledSearch>(position: &Position<R>, mv: Move) -> bool {
    let mut after = position.clone();
    after.make(mv);
    after.in_check() && !after.has_legal_move()
}

#[test]
fn finds_every_mate_in_one_of_random_games() {
    let mut mates = 0;
    for name in BUILTIN_NAMES {
        let games = if name == "apothecary2" { 2 } else { 6 };
        mates += dispatch(&game(name), RandomGames { games, plies: 150 });
    }
    assert!(mates > 20, "only {mates} positions with a mate in one");
}

#[test]
fn searches_two_move_handicaps() {
    for handicap in ["two-moves:white", "two-moves:black"] {
        struct TwoMoves<'h>(&'h str);
        impl Visitor for TwoMoves<'_> {
            type Output = ();
            fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) {
                let start = RulesPosition::from_start(tables.game(), &format!("1+{}", self.0)).unwrap();
                let mut position = Position::new(&tables, &start);
                let mut searcher = Searcher::new(&tables, 1).unwrap();
                for _ in 0..4 {
                    let result = searcher.search(&position, &Limits::depth(6), &NO_STOP, &mut |_| {});
                    assert!(result.score.centipawns().unwrap().abs() < 300, "{}: {}", self.0, result.score);
                    position.make(result.best_move.unwrap());
                }
            }
        }
        dispatch(&game("apothecary2"), TwoMoves(handicap));
    }
}

#[test]
fn stops_at_once_with_the_flag_set() {
    let best = {
        struct Stopped;
        impl Visitor for Stopped {
            type Output = bool;
            fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) -> bool {
                let position = Position::new(&tables, &RulesPosition::start(tables.game()));
                let stop = AtomicBool::new(true);
                let limits = Limits { infinite: true, ..Limits::default() };
                let result = Searcher::new(&tables, 1).unwrap().search(&position, &limits, &stop, &mut |_| {});
                result.best_move.is_some()
            }
        }
        dispatch(&game("chess"), Stopped)
    };
    assert!(best);
}

/// Piece offsets change a network's evaluation by their sum over the material difference.
struct PieceOffsets;

impl Visitor for PieceOffsets {
    type Output = ();

    fn visit<R: CompiledSearch>(self, tables: Arc<Tables<R>>) {
        let game = tables.game();
        let network = Arc::new(random_network(game, 32, 7).quantize(game));
        let offsets: Vec<(Kind, i32)> = game.kinds.all().zip([-30, 17, 0, 111, -8].into_iter().cycle()).collect();
        let mut searcher = Searcher::new(&tables, 0).unwrap();
        searcher.set_network(Some(&network));
        searcher.set_piece_offsets(&offsets);
        let mut position = Position::new(&tables, &RulesPosition::start(game));
        assert_eq!(searcher.evaluate(&position), network.evaluate(&position), "{}", game.name);
        let mut changed = 0;
        let mut list = MoveList::new();
        for ply in 0..200 {
            position.legal_moves(&mut list);
            if list.is_empty() {
                break;
            }
            position.make(list[ply * 7919 % list.len()]);
            let us = position.side_to_move();
            let pieces = |color, kind| (position.pieces(color, kind).count() + position.in_pocket(color, kind)) as i32;
            let sum: i32 = offsets.iter().map(|&(kind, offset)| offset * (pieces(us, kind) - pieces(!us, kind))).sum();
            let plain = network.evaluate(&position);
            let expected = Score::from_centipawns(plain.centipawns().unwrap() + sum);
            let expected = searcher.evaluator().adjust_ending(&position, expected);
            assert_eq!(searcher.evaluate(&position), expected, "{}", position.to_rules().fen());
            changed += u32::from(sum != 0);
        }
        assert!(changed > 50, "{}: {changed}", game.name);
        searcher.set_network(Some(&network));
        let plain = searcher.evaluator().adjust_ending(&position, network.evaluate(&position));
        assert_eq!(searcher.evaluate(&position), plain);
    }
}

#[test]
fn piece_offsets_count_the_material_difference() {
    for name in BUILTIN_NAMES {
        dispatch(&game(name), PieceOffsets);
    }
}
