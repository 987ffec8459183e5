//! `walk`.

use crate::common::{json, run};

#[test]
fn generators_agree_in_random_games() {
    for game in ["chess", "berolina", "gamma2", "gunnery", "scorpion"] {
        let value = json(&["walk", game, "--games", "6", "--seed", "42"], 0);
        assert_eq!((&value["agree"], &value["games_played"]), (&true.into(), &6.into()), "{game}");
        assert!(value["positions"].as_u64().unwrap() > 100, "{game}");
        assert!(value["successors"].as_u64() > value["positions"].as_u64(), "{game}");
        assert!(value["coverage"]["capture"].as_u64().unwrap() > 0, "{game}");
    }
    let value = json(&["walk", "apothecary2", "--games", "2", "--seed", "42", "--max-plies", "60"], 0);
    assert_eq!(value["agree"], true);
}

#[test]
fn walks_games_given_by_path() {
    for game in ["capablanca", "perft/suites/gunnery10.toml", "testdata/games/initial-captures.toml"] {
        let value = json(&["walk", game, "--games", "3", "--seed", "5", "--max-plies", "80"], 0);
        assert_eq!(value["agree"], true, "{game}");
    }
}

#[test]
fn same_seed_gives_same_games_with_any_number_of_threads() {
    let args = |threads| ["walk", "scorpion", "--games", "5", "--seed", "9", "--max-plies", "80", "--threads", threads];
    let (status, one, _) = run(&args("1"));
    assert_eq!(status, 0);
    assert_eq!(one, run(&args("3")).1);
    let other = run(&["walk", "scorpion", "--games", "5", "--seed", "10", "--max-plies", "80"]).1;
    assert_ne!(one, other);
}

/// Parts of a run add up to the whole.
#[test]
fn runs_are_continued() {
    let part = |first, games| {
        let words = ["walk", "berolina", "--seed", "4", "--max-plies", "40", "--perft", "3"];
        json(&[&words[..], &["--first-game", first, "--games", games]].concat(), 0)
    };
    let (whole, parts) = (part("0", "4"), [part("0", "3"), part("3", "1")]);
    for key in ["games_played", "positions", "successors", "leaf_nodes"] {
        let sum = parts.iter().map(|part| part[key].as_u64().unwrap()).sum::<u64>();
        assert_eq!(whole[key], sum, "{key}");
    }
    assert!(whole["leaf_nodes"].as_u64().unwrap() > 100_000);
}

#[test]
fn coverage_lists_the_mechanisms_of_the_game() {
    let (_, out, err) = run(&["walk", "gunnery", "--games", "1", "--seed", "1", "--max-plies", "20"]);
    let names: Vec<&str> = out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"cannon") && names.contains(&"castling"), "{out}");
    assert!(!names.contains(&"gating") && !names.contains(&"hop-capture"), "{out}");
    assert!(err.contains("seed 1"), "{err}");
}
