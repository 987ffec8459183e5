//! Hot paths of positions in each game: generation, making moves, checks and perft, with results
//! asserted.
//!
//! Compare two builds, or a ruleset with the general one, side by side in one run; absolute times
//! say little.

use std::hint::black_box;
use std::sync::Arc;

use assay_engine::CompiledRuleset;
use assay_engine::{MoveList, Position, Tables, Visitor, dispatch, dispatch_general};
use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A middlegame position of each game, and its perft to depth 2.
const POSITIONS: [(&str, &str, u64); 6] = [
    ("chess", "b7/r2kn3/PPp2ppR/3np1P1/4P3/b2P4/1R1p1p2/1N1K2Q1 b - - 0 43", 880),
    ("berolina", "r1q2kb1/p1ppn3/1Pn5/4NB1r/2P1P1Q1/2N1P1P1/Pp1B4/R3KR2 b Q - 0 28", 1_609),
    ("gamma2", "rn2k1q1sr/a1bp1b1n1p/2p2p4/RP2ppAP2/2PppP1PS1/3PBP2P1/1P1N3Pp1/3BKR4 b - - 1 33", 2_309),
    ("gunnery", "B1rk4/p5bN/4pqp1/2n1Pn2/Pp2bBPP/6NK/1p2QPR1/R7 b - - 1 40", 2_345),
    ("scorpion", "2kr3r/8/3SS3/n3bSS1/2s2s2/8/Ss3QK1/R6B b - - 1 41", 1_408),
    (
        "apothecary2",
        "***4***/3ear4/rzb1cklb2/1ppp3Enp/1P1j1p2q1/p2N4p1/P1ZnP3PP/4AP4/3PQ1PP1J/BN5E2/4C1K1BR/***3L***[:Pq] w BJZch - 1 49",
        7_258,
    ),
];

struct Bench<'c> {
    criterion: &'c mut Criterion,
    label: String,
    fen: &'static str,
    count: u64,
}

impl Visitor for Bench<'_> {
    type Output = ();

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) {
        let from = assay_rules::Position::from_fen(tables.game(), self.fen).expect("the positions are playable");
        let mut position = Position::new(&tables, &from);
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let mut group = self.criterion.benchmark_group(&self.label);
        group.throughput(Throughput::Elements(self.count));
        group.bench_function("perft 2", |bencher| {
            bencher.iter(|| assert_eq!(position.perft(2), self.count));
        });
        group.bench_function("perft 2, every leaf made", |bencher| {
            bencher.iter(|| assert_eq!(position.perft_full(2), self.count));
        });
        group.throughput(Throughput::Elements(moves.len() as u64));
        let mut list = MoveList::new();
        group.bench_function("legal moves", |bencher| {
            bencher.iter(|| {
                black_box(&position).legal_moves(&mut list);
                assert_eq!(list.len(), moves.len());
            });
        });
        group.bench_function("legal captures", |bencher| {
            bencher.iter(|| black_box(&position).legal_captures(&mut list));
        });
        group.bench_function("make and unmake", |bencher| {
            bencher.iter(|| {
                for mv in &moves {
                    position.make(mv);
                    black_box(position.hash());
                    position.unmake();
                }
            });
        });
        group.bench_function("attacks on every square", |bencher| {
            let occupied = position.occupied();
            bencher.iter(|| {
                let squares = tables.game().board.squares();
                let count = |square| position.attackers_to(square, occupied, position.side_to_move()).count();
                black_box(squares.map(count).sum::<u32>())
            });
        });
        group.bench_function("gives check", |bencher| {
            bencher.iter(|| {
                let squares = black_box(&position).check_squares();
                moves.iter().filter(|&&mv| position.gives_check(&squares, mv)).count()
            });
        });
        group.bench_function("is legal", |bencher| {
            bencher.iter(|| assert!(moves.iter().all(|&mv| black_box(&position).is_legal(mv))));
        });
        group.finish();
    }
}

fn positions(criterion: &mut Criterion) {
    assert_eq!(POSITIONS.map(|(name, _, _)| name), BUILTIN_NAMES);
    for (name, fen, count) in POSITIONS {
        let game = GameDef::builtin(name).expect("the game is built in");
        dispatch(&game, Bench { criterion, label: name.to_owned(), fen, count });
        dispatch_general(&game, Bench { criterion, label: format!("{name} (general)"), fen, count });
    }
}

criterion_group!(benches, positions);
criterion_main!(benches);
