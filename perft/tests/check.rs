//! `check` and `show --piece`.

use crate::common::{json, run};

const GAME: &str = r#"
name = "guards"
title = "Chess with guards"
source = "a test"
base = "chess"
[pieces.bishop]
name = "guard"
letter = "G"
move = "WsD"
[promotion]
8 = { to = "QRGN" }
[endings]
insufficient-material = ["", "N", "G"]
[[starts]]
id = "1"
title = "array"
fen = "rngqkgnr/pppppppp/8/8/8/8/PPPPPPPP/RNGQKGNR w KQkq - 0 1"
"#;

#[test]
fn says_what_a_definition_means() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("guards.toml");
    std::fs::write(&path, GAME).unwrap();
    let path = path.to_str().unwrap();
    let (status, out, err) = run(&["check", path, "--games", "20", "--seed", "3"]);
    assert_eq!(status, 0, "{err}");
    for part in [
        "Chess with guards",
        "On rank 8, a pawn becomes one of: queen, rook, guard, knight.",
        "White castles e1-g1 with the rook h1-f1, or e1-c1 with the rook a1-d1.",
        "Checkmate wins. Stalemate is a draw.",
        "guard (G): WsD\n    . . . . .\n    . . * . .\n    * * G * *",
        "1: 20\n2: 400\n",
        "all agree: 20 games",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let value = json(&["check", path, "--games", "5"], 0);
    assert_eq!(value["perft"].as_array().unwrap().len(), 4);
    assert_eq!(value["walk"]["agree"], true);
    assert_eq!(value["pieces"][3]["letter"], "G");
}

#[test]
fn without_games_prints_the_sentences_alone() {
    let (status, out, _) = run(&["check", "gamma2", "--games", "0"]);
    assert_eq!(status, 0);
    let is_sentence = |line: &str| line.starts_with("- ") || line.starts_with("  ");
    assert!(out.lines().count() > 5 && out.lines().all(is_sentence), "{out}");
    let value = json(&["check", "gamma2", "--games", "0"], 0);
    assert_eq!(value["rules"].as_array().unwrap().len(), out.lines().filter(|line| line.starts_with("- ")).count());
}

/// Names that begin with a vowel, and a game that begins without pawns.
#[test]
fn sentences_are_of_the_pieces_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("archers.toml");
    let game = GAME.replace("\"guard\"", "\"archer\"").replace("letter = \"G\"", "letter = \"A\"").replace("QRGN", "A");
    let game = game.replace("[\"\", \"N\", \"G\"]", "[\"\"]").replace("rngqkgnr/pppppppp", "rnaqkanr/8");
    std::fs::write(&path, game.replace("PPPPPPPP/RNGQKGNR", "8/RNAQKANR")).unwrap();
    let (status, out, err) = run(&["check", path.to_str().unwrap(), "--games", "0"]);
    assert_eq!(status, 0, "{err}");
    assert!(!out.contains("a pawn becomes") && !out.contains("A pawn"), "{out}");
    std::fs::write(&path, std::fs::read_to_string(&path).unwrap().replace("rnaqkanr/8", "rnaqkanr/pppppppp")).unwrap();
    let (_, out, _) = run(&["check", path.to_str().unwrap(), "--games", "0"]);
    assert!(out.contains("On rank 8, a pawn becomes an archer."), "{out}");
}

#[test]
fn names_what_is_suspicious() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("guards.toml");
    std::fs::write(&path, GAME.replace("WsD", "sWsD")).unwrap();
    let value = json(&["check", path.to_str().unwrap(), "--games", "1"], 0);
    let suspicions = value["suspicions"].to_string();
    assert!(suspicions.contains("The guard never leaves its rank."), "{suspicions}");
}

#[test]
fn draws_a_piece() {
    let (status, out, _) = run(&["show", "--piece", "mRcpR"]);
    assert_eq!(status, 0);
    assert!(out.contains("+ + m X m + +") && out.contains("X m + +"), "{out}");
    let (status, out, err) = run(&["show", "--piece", "Y?"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("--piece `Y?`"), "{err}");
    let (status, out, _) = run(&["show"]);
    assert!(status == 0 && out.contains("gamma2"), "{out}");
}
