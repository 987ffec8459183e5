//! `claims` from games to verdicts, on a few games with few nodes.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{error, joined, json, printed, read};

#[test]
fn claims_are_tested_and_their_games_are_kept() {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("games")).unwrap();
    let small = "claims gunnery --nodes 20 --folder games --games 60";
    let first = json(&format!("{small} --html claims.html"), folder.path());
    let findings = first["findings"].as_array().unwrap();
    // Three pieces and a ratio, draws, open files, a pawn in two units, two measures of tactics,
    // tactics in three phases, shots, two measures again, and an opening move.
    let parts = findings.iter().map(|finding| finding["parts"].as_array().map_or(0, Vec::len));
    assert_eq!(parts.collect::<Vec<_>>(), [4, 0, 0, 2, 2, 3, 0, 2, 0], "{findings:#?}");
    for finding in findings {
        assert_eq!(finding["game"], "gunnery");
        assert_eq!(finding["document"], "gunnery-chess.txt");
        assert!(!finding["quote"].as_str().unwrap().is_empty());
        let verdict = finding["verdict"].as_str().unwrap();
        assert!(["holds", "does-not-hold", "no-effect", "not-enough-games"].contains(&verdict), "{finding}");
    }
    let draws = findings.iter().find(|finding| finding["claim"] == "draws < chess: draws");
    assert_eq!(draws.unwrap()["games"], 120);
    let page = read(folder.path(), "claims.html");
    for expected in ["<!DOCTYPE html>", "<svg", "the risk of draw", "assay-tuner claims gunnery"] {
        assert!(page.contains(expected), "{expected} missing");
    }
    // Boards refer to patterns of the same page.
    let page = page.replace("url(#", "");
    for outside in ["http", "src=", "<link", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside} in the page");
    }

    // No game is played twice.
    let mut names: Vec<String> = std::fs::read_dir(folder.path().join("games"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "db"))
        .collect();
    names.sort();
    let expected = [
        "assay-chess-e3-from-1.db",
        "assay-chess-e4-from-1.db",
        "assay-chess-playtest.db",
        "assay-chess-stats.db",
        "assay-chess.db",
        "assay-gunnery-e3-from-1.db",
        "assay-gunnery-e4-from-1.db",
        "assay-gunnery-playtest.db",
        "assay-gunnery-stats.db",
        "assay-gunnery.db",
    ];
    assert_eq!(names, expected);
    let again = json(&format!("{small} --budget 1s"), folder.path());
    assert!(again["findings"][0]["games"].as_u64() >= first["findings"][0]["games"].as_u64());

    // Other commands use the same files.
    let playtest = json("fit games/assay-gunnery-playtest.db", folder.path());
    assert!(playtest["games"].as_u64().unwrap() > 2, "{playtest}");
}

#[test]
fn values_of_a_definition_file_are_claims() {
    let folder = TempDir::new().unwrap();
    let definition = "name = \"mine\"\ntitle = \"Mine\"\nbase = \"chess\"\nsource = \"nobody\"\n\n[pieces.pawn]\nvalue = 1\n\n[pieces.queen]\nvalue = 9\n\n[pieces.rook]\nvalue = 5\n";
    std::fs::write(folder.path().join("mine.toml"), definition).unwrap();
    let text = printed("claims mine.toml --nodes 20 --games 200", folder.path());
    for ratio in ["  \u{b7} queen / rook = 9 / 5", "  \u{b7} rook / pawn = 5 / 1"] {
        assert!(text.contains(ratio), "{text}");
    }
    assert!(text.contains("Of 1 statement, "), "{text}");
    assert!(folder.path().join("assay-mine.db").exists());
    // Published values may have changed since. Games by other rules of the same name say nothing
    // about these claims.
    let from = "claims mine.toml --from assay-mine.db";
    let change = |rook: &str| {
        std::fs::write(folder.path().join("mine.toml"), definition.replace("value = 5", rook)).unwrap();
    };
    change("value = 4");
    let text = printed(from, folder.path());
    assert!(text.contains("queen / rook = 9 / 4"), "{text}");
    change("value = 5\nmove = \"R3\"");
    let stderr = error(from, folder.path());
    assert!(stderr.contains("assay-mine.db: found games of other rules of mine"), "{stderr}");
}

/// Games of a piece in the place of another have a file of their own; an endgame needs no games.
#[test]
fn pieces_of_defined_games_and_endgames_are_tested() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let values = ["queen", "rook", "bishop", "pawn"].map(|piece| format!("[pieces.{piece}]\nvalue = 5\n"));
    write(
        "mine.toml",
        &format!("name = 'mine'\ntitle = 'Mine'\nbase = 'chess'\nsource = 'nobody'\n{}", values.concat()),
    );
    write(
        "mine.claims.toml",
        "document = 'notes.txt'\ngames.guards = { base = 'chess', pieces.knight.move = 'K' }\n\
         [[claims]]\nquote = 'A guard is worth 4.'\nclaim = 'guards: 15 * knight / (queen + rook + bishop) = 4'\n\
         [[claims]]\nquote = 'A rook cannot force mate.'\nclaim = 'forced_mates(rook) < 0.1%'\n\
         [[claims]]\nquote = 'There are 17 pieces.'\nclaim = 'pieces = 17'\n",
    );
    let found = json("claims mine.toml --nodes 20 --games 60", folder.path());
    let (guard, rook) = (&found["findings"][0], &found["findings"][1]);
    assert_eq!(guard["claimed"]["value"], 4.0);
    assert_eq!(guard["formula"], "guards: 15 * knight / (queen + rook + bishop) = 4");
    assert!(folder.path().join("assay-guards.db").exists());
    assert_eq!(rook["verdict"], "does-not-hold");
    assert_eq!(rook["measured"], 1.0);
    assert_eq!((&rook["games"], &rook["interval"]), (&0.into(), &Value::Null));
    assert!(rook["positions"].as_u64().unwrap() > 100_000);
    let pieces = &found["findings"][2];
    assert_eq!((&pieces["verdict"], &pieces["measured"]), (&"does-not-hold".into(), &16.0.into()));
    assert_eq!((&pieces["positions"], &pieces["games"]), (&1.into(), &0.into()));

    // A game that a claim defines has no network. Nothing is played.
    let stderr = error("claims mine.toml --evaluation network --folder .", folder.path());
    assert!(stderr.contains("games of guards: ") && stderr.contains("network"), "{stderr}");
}

#[test]
fn claims_file_beside_a_definition_is_tested() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("mine.toml", "name = 'mine'\ntitle = 'Mine'\nbase = 'chess'\nsource = 'nobody'\n");
    let claims = |test: &str| format!("document = 'notes.txt'\n\n[[claims]]\nquote = 'White is better.'\n{test}\n");
    write("mine.claims.toml", &claims("claim = 'white_score > 50%'"));
    let few = "claims mine.toml --nodes 20 --games 20";
    let found = json(few, folder.path());
    let findings = found["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0]["quote"], "White is better.");
    assert_eq!(findings[0]["document"], "notes.txt");
    assert_eq!(findings[0]["games"], 20);

    // More games are another look, the same games are not.
    let alpha = |command: &str| {
        let found = json(command, folder.path());
        let alpha = &found["findings"][0]["alpha"];
        let share = alpha["share"].as_f64().unwrap();
        (alpha["looks"].as_u64().unwrap(), (100.0 * share).round())
    };
    assert_eq!((alpha(few), alpha("claims mine.toml --nodes 20 --games 40")), ((1, 80.0), (2, 10.0)));
    let from = "claims mine.toml --from assay-mine-stats.db";
    assert_eq!(alpha(from), (2, 10.0));
    let text = joined(&printed(from, folder.path()));
    let expected = "The verdicts have been looked at before, with fewer games: this is look 2.";
    assert!(text.contains(expected), "{text}");

    write("mine.claims.toml", &claims("claim = 'pair(camel) > pawn'"));
    let stderr = error(few, folder.path());
    assert!(
        stderr
            .starts_with("error: mine.claims.toml:5:10: claims.claim: found `camel`, expected a piece of mine: king,"),
        "{stderr}"
    );
}

/// A look at a part of the planned games is an interim one, and merging adds no look.
#[test]
fn shards_share_the_looks_of_their_run() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("mine.toml", "name = 'mine'\ntitle = 'Mine'\nbase = 'chess'\nsource = 'nobody'\n");
    write("mine.claims.toml", "document = 'a'\n[[claims]]\nquote = 'b'\nclaim = 'white_score > 50%'\n");
    let play = "claims mine.toml --nodes 20 --games 40";
    for shard in ["1/2", "2/2"] {
        printed(&format!("{play} --shard {shard}"), folder.path());
    }
    let [one, two, all] =
        ["stats-shard-1-of-2.db", "stats-shard-2-of-2.db", "stats.db"].map(|name| format!("assay-mine-{name}"));
    let alpha = |command: &str| {
        let found = json(command, folder.path());
        let alpha = &found["findings"][0]["alpha"];
        (alpha["looks"].as_u64().unwrap(), (100.0 * alpha["share"].as_f64().unwrap()).round())
    };
    assert_eq!(alpha(&format!("claims mine.toml --from {one}")), (1, 10.0));
    assert_eq!(alpha(&format!("claims mine.toml --from {one} {two}")), (2, 80.0));
    let paths = [&one, &two].map(|name| folder.path().join(name));
    let never = std::sync::atomic::AtomicBool::new(false);
    assay_selfplay::store::merge(&folder.path().join(&all), &paths, false, |_| {}, &never).unwrap();
    assert_eq!(alpha(&format!("claims mine.toml --from {all}")), (2, 80.0));
    assert_eq!(alpha(play), (2, 80.0));
}

/// Games of one run would be played into the file of another one.
#[test]
fn runs_have_files_of_their_own() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("g2.toml", "name = 'g2'\ntitle = 'G'\nbase = 'chess'\nsource = 'nobody'\n");
    write(
        "g2.claims.toml",
        "document = 'a'\ngames.g2-stats = { base = 'chess' }\n[[claims]]\nquote = 'b'\nclaim = 'draws < g2-stats: queen / pawn'\n",
    );
    let found = error("claims g2.toml --games 2 --nodes 1", folder.path());
    assert!(found.contains("would both be in assay-g2-stats.db"), "{found}");
    assert!(!folder.path().join("assay-g2-stats.db").exists());
}

/// Files of games are named after the games, so two games of one name would share a file.
#[test]
fn games_of_one_name_are_not_mixed() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let error = |files: &str| error(&format!("claims {files}"), folder.path());
    for name in ["one", "two"] {
        let values = ["queen", "rook"].map(|piece| format!("pieces.{piece}.value = 5\n"));
        write(
            &format!("{name}.toml"),
            &format!("name = '{name}'\ntitle = 'x'\nbase = 'chess'\nsource = 'nobody'\n{}", values.concat()),
        );
    }
    let claim = |game: &str, movement: &str| {
        format!(
            "document = 'a'\ngames.{game} = {{ base = 'chess', pieces.knight.move = '{movement}' }}\n\
             [[claims]]\nquote = 'b'\nclaim = '{game}: knight / pawn > 1'\n"
        )
    };
    write("one.claims.toml", &claim("one", "K"));
    let found = error("one.toml");
    assert!(
        found.starts_with("error: one.claims.toml:2:7: games.one: found the name of the game of the claims"),
        "{found}"
    );
    write("one.claims.toml", &claim("guards", "K"));
    write("two.claims.toml", &claim("guards", "F"));
    let found = error("one.toml two.toml");
    assert!(
        found.starts_with("error: two.toml: found two different games named guards, expected different names"),
        "{found}"
    );
    // A game of a claims file with the name of a requested game.
    write("two.claims.toml", &claim("one", "F"));
    let found = error("one.toml two.toml");
    assert!(found.contains("found two different games named one"), "{found}");
    write("one.claims.toml", "document = 'a'\n");
    let found = error("one.toml");
    assert!(found.starts_with("error: one.claims.toml: found no claims, expected at least one"), "{found}");
}
