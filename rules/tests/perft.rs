//! The reference generator against every perft suite in `perft/suites`, up to a node budget a
//! count.
//!
//! `assay-perft verify` runs the same suites with both generators and to greater depth.

use std::path::Path;
use std::sync::Arc;

use assay_rules::perft::perft;
use assay_rules::{GameDef, Position};

/// Larger counts are left to `assay-perft verify`.
const BUDGET: u64 = 20_000;

fn load(folder: &Path, name: &str) -> Arc<GameDef> {
    GameDef::builtin(name).unwrap_or_else(|| {
        let text = std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Arc::new(GameDef::from_toml(&text, name).unwrap_or_else(|error| panic!("{error}")))
    })
}

#[test]
fn suites_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../perft/suites");
    let mut counts = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "epd") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let place = format!("{}:{}", path.display(), index + 1);
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().unwrap();
            let fields: Vec<(&str, &str)> = parts.filter_map(|part| part.split_once(' ')).collect();
            let name =
                fields.iter().find(|(key, _)| *key == "variant").unwrap_or_else(|| panic!("{place}: no variant")).1;
            let position =
                Position::from_fen(&load(&folder, name), fen).unwrap_or_else(|error| panic!("{place}: {error}"));
            for (depth, nodes) in fields.iter().filter_map(|(key, nodes)| Some((key.strip_prefix('D')?, nodes))) {
                let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.trim().parse().unwrap());
                if nodes <= BUDGET {
                    assert_eq!(perft(&position, depth), nodes, "{place}: {fen} at depth {depth}");
                    counts += 1;
                }
            }
        }
    }
    assert!(counts >= 300, "only {counts} counts within the budget in {}", folder.display());
}
