//! Node counts of `assay bench` at a low depth, pinned for each built-in game.
//!
//! A failure means that search, evaluation or weights have changed. If that is intended, update the
//! numbers here and give the new total of `assay bench` in the commit message.

use std::sync::atomic::AtomicBool;

use assay_engine::bench::{BenchSettings, positions, search_positions};

const SETTINGS: BenchSettings = BenchSettings { depth: 8, threads: 1 };

const SIGNATURES: [(&str, u64); 6] = [
    ("chess", 36_716),
    ("berolina", 26_871),
    ("gamma2", 46_316),
    ("gunnery", 26_851),
    ("scorpion", 28_664),
    ("apothecary2", 45_979),
];

#[test]
fn node_counts_are_unchanged() {
    let found: Vec<(String, u64)> = positions()
        .map(|(game, fens)| {
            let count = search_positions(&game, &fens, SETTINGS, &AtomicBool::new(false)).unwrap();
            (game.name.clone(), count.nodes)
        })
        .collect();
    assert_eq!(found, SIGNATURES.map(|(name, nodes)| (name.to_owned(), nodes)));
}
