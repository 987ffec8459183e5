//! Perft of chess compared with `cozy-chess`, in one run.
//!
//! Both count the last ply in bulk. `cozy-chess` needs `RUSTFLAGS="-C target-cpu=native"` to use
//! the processor's bit instructions; Assay detects them at run time. "baseline" is Assay without
//! them.

use std::sync::Arc;

use assay_engine::ruleset::Chess;
use assay_engine::{Position, Tables};
use assay_rules::GameDef;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Standard perft positions: name, FEN, depth, count.
const POSITIONS: [(&str, &str, u32, u64); 5] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    ("position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ("position 6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
];

fn cozy_chess_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut after = board.clone();
                after.play_unchecked(mv);
                nodes += cozy_chess_perft(&after, depth - 1);
            }
        }
        false
    });
    nodes
}

fn perft(criterion: &mut Criterion) {
    let game = GameDef::builtin("chess").expect("chess is built in");
    let ways: [(&str, Arc<Tables<Chess>>); 2] =
        [("assay", Tables::new(&game)), ("assay without PEXT", Tables::without_pext(&game))];
    for (name, fen, depth, count) in POSITIONS {
        let mut group = criterion.benchmark_group(format!("chess {name} perft {depth}"));
        group.throughput(Throughput::Elements(count)).sample_size(20);
        let from = assay_rules::Position::from_fen(&game, fen).expect("the position is playable");
        for (way, tables) in &ways {
            let mut position = Position::new(tables, &from);
            group.bench_function(*way, |bencher| {
                bencher.iter(|| assert_eq!(position.perft(depth), count));
            });
        }
        let board: cozy_chess::Board = fen.parse().expect("cozy-chess reads the FEN");
        group.bench_function("cozy-chess", |bencher| {
            bencher.iter(|| assert_eq!(cozy_chess_perft(&board, depth), count));
        });
        group.finish();
    }
}

criterion_group!(benches, perft);
criterion_main!(benches);
