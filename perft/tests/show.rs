//! `show`.

use crate::common::{json, run};

#[test]
fn shows_fen_check_and_moves() {
    let value = json(&["show", "gunnery", "--fen", "4k3/8/8/8/8/4N3/4P3/4K3 b - - 3 9"], 0);
    assert_eq!(value["fen"], "4k3/8/8/8/8/4N3/4P3/4K3 b - - 3 9");
    assert_eq!((&value["check"], &value["outcome"]), (&true.into(), &serde_json::Value::Null));
    let moves = value["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4, "the king leaves the file: {moves:?}");
    assert!(moves.iter().any(|mv| mv["uci"] == "e8d8" && mv["san"] == "Kd8"));
}

#[test]
fn shows_outcomes() {
    let outcome = |game: &str, fen: &str| json(&["show", game, "--fen", fen], 0)["outcome"].clone();
    let mate = outcome("chess", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!((&mate["reason"], &mate["score"]), (&"checkmate".into(), &1.0.into()));
    let stalemate = outcome("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!((&stalemate["reason"], &stalemate["score"]), (&"stalemate".into(), &0.5.into()));
    let dead = outcome("chess", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1");
    assert_eq!(dead["reason"], "dead-position");
    let clock = outcome("apothecary2", "***4***/10/5k4/10/10/10/10/10/10/5K4/R9/***4***[:--] b - - 200 150");
    assert_eq!((&clock["reason"], &clock["score"]), (&"move-rule".into(), &0.75.into()));
}

#[test]
fn plays_uci_and_san_moves_and_detects_repetition() {
    let value = json(&["show", "chess", "--moves", "Nf3", "g8f6", "f3g1", "Ng8", "Nf3", "Nf6", "Ng1", "f6g8"], 0);
    assert_eq!(value["outcome"]["reason"], "repetition");
    let value = json(&["show", "apothecary2", "--setup", "14", "--moves", "c2d4j"], 0);
    let fen = value["fen"].as_str().unwrap();
    assert!(fen.contains("[j:N-] b ABDEFGHIJ"), "{fen}");
}

#[test]
fn prints_warnings_on_standard_error() {
    let (status, out, err) = run(&["show", "berolina", "--fen", "4k3/8/8/8/8/8/8/4K2R w KQ e3f4 0 1"]);
    assert_eq!(status, 0);
    assert!(err.contains("warning: right `Q` ignored") && err.contains("warning: en passant `e3f4` ignored"), "{err}");
    assert!(out.contains("FEN: 4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "{out}");
    assert!(out.contains("Check: no") && out.contains("Legal moves: 15"), "{out}");
}

#[test]
fn writes_svg() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.svg");
    let (status, _, _) = run(&["show", "gamma2", "--svg", &path.display().to_string()]);
    assert_eq!(status, 0);
    assert!(std::fs::read_to_string(path).unwrap().starts_with("<svg"));
}
