//! `run`.

use crate::common::{json, run};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn run_counts_every_depth() {
    let value = json(&["run", "chess", "--depth", "4", "--threads", "2"], 0);
    let nodes: Vec<u64> =
        value["depths"].as_array().unwrap().iter().map(|row| row["nodes"].as_u64().unwrap()).collect();
    assert_eq!(nodes, [20, 400, 8_902, 197_281]);
    assert_eq!((&value["game"], &value["generator"]), (&"chess".into(), &"engine".into()));
    assert_eq!(value["complete"], true);
}

#[test]
fn all_count_modes_agree() {
    for extra in [
        &[][..],
        &["--full"],
        &["--hash", "8"],
        &["--threads", "1"],
        &["--threads", "3", "--hash", "1"],
        &["--generator", "rules"],
        &["--generator", "rules", "--full", "--threads", "1"],
    ] {
        let args = [&["run", "chess", "--depth", "3", "--fen", KIWIPETE], extra].concat();
        let value = json(&args, 0);
        assert_eq!(value["depths"][2]["nodes"], 97_862, "{args:?}");
    }
}

#[test]
fn hash_table_serves_one_depth_only() {
    // Gating ends at a certain move number, so a table kept from one depth to the next would be
    // wrong here.
    let fen = "***4***/r8r/5k4/10/10/10/10/10/10/5K4/R8R/***4***[Jj:--] w AFJafj - 0 11";
    let plain = json(&["run", "apothecary2", "--depth", "4", "--fen", fen], 0);
    let hashed = json(&["run", "apothecary2", "--depth", "4", "--fen", fen, "--hash", "16"], 0);
    for depth in 0..4 {
        assert_eq!(plain["depths"][depth]["nodes"], hashed["depths"][depth]["nodes"], "depth {}", depth + 1);
    }
}

#[test]
fn run_prints_settings_and_a_table() {
    let (status, out, err) = run(&["run", "gunnery", "--depth", "3", "--threads", "1"]);
    assert_eq!(status, 0);
    assert!(out.lines().any(|line| line.split_whitespace().take(2).eq(["D3", "8,986"])), "{out}");
    assert!(err.contains(concat!("assay-perft ", env!("CARGO_PKG_VERSION"), " run: game gunnery")), "{err}");
    assert!(err.contains("position: rnbqkbnr/"), "{err}");
}

#[test]
fn divide_prints_the_format_that_perft_tools_read() {
    let (status, out, _) = run(&["run", "berolina", "--divide", "--depth", "2"]);
    assert_eq!(status, 0);
    let (moves, total) = out.split_once("\n\n").expect("an empty line before the total");
    assert_eq!(moves.lines().count(), 30);
    assert!(moves.lines().any(|line| line == "e2g4: 30"), "{moves}");
    assert_eq!(total.trim_end(), "Nodes searched: 900");
}

#[test]
fn both_generators_divide_alike() {
    for (game, setup) in [("scorpion", "1"), ("apothecary2", "7"), ("apothecary2", "14+two-moves:white")] {
        let args = ["run", game, "--divide", "--depth", "2", "--setup", setup];
        let engine = json(&args, 0);
        let rules = json(&[&args[..], &["--generator", "rules"]].concat(), 0);
        assert_eq!(engine["moves"], rules["moves"], "{game} {setup}");
        assert_eq!(engine["nodes"], rules["nodes"]);
    }
}

#[test]
fn counts_nothing_without_legal_moves() {
    let mate = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
    let value = json(&["run", "chess", "--depth", "3", "--fen", mate], 0);
    assert_eq!(value["depths"][2]["nodes"], 0);
    let (status, out, _) = run(&["run", "chess", "--divide", "--depth", "2", "--fen", mate]);
    assert_eq!((status, out.trim()), (0, "Nodes searched: 0"));
}

#[test]
fn counts_games_given_by_path() {
    let value = json(&["run", "perft/suites/gunnery10.toml", "--depth", "3"], 0);
    assert_eq!(value["game"], "gunnery10");
    assert_eq!(value["depths"][2]["nodes"], 25_460);
}

#[test]
fn warns_of_ignored_rights_in_a_fen() {
    let (status, _, err) = run(&["run", "chess", "--depth", "1", "--fen", "4k3/8/8/8/8/8/8/4K3 w K - 0 1"]);
    assert_eq!(status, 0);
    assert!(err.contains("warning: right `K` ignored"), "{err}");
}
