//! Labelled positions: what Assay exports is read back as the same training positions, and planted
//! piece values are found.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::LazyLock;

use assay_rules::{GameDef, Position};
use assay_selfplay::Store;
use assay_selfplay::export::{Format, PositionFormat, Positions, export};
use assay_selfplay::settings::{Material, RunOptions, SelfPlay};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use tempfile::TempDir;

use crate::common;
use crate::tune::play;

/// Writes the run of these tests, whose games have enough nodes that every move has a score.
fn write_games(path: &Path) {
    static GAMES: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("games.db");
        play(&path, 1_500);
        fs::read(path).unwrap()
    });
    fs::write(path, &*GAMES).unwrap();
}

fn assay_tuner(args: &str, folder: &Path) -> String {
    let output = common::assay_tuner(args, folder);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args}: {stderr}");
    String::from_utf8(output.stdout).unwrap() + &stderr
}

fn json(args: &str, folder: &Path) -> Value {
    // Lines of progress follow.
    let printed = assay_tuner(&format!("{args} --json"), folder);
    let mut values = serde_json::Deserializer::from_str(&printed).into_iter();
    values.next().unwrap().unwrap()
}

/// Weights without their source.
fn weights(path: &Path) -> toml::Table {
    let mut table: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
    assert!(table.remove("source").is_some());
    table
}

fn write(store: &Store, format: PositionFormat, positions: Positions, path: &Path) {
    export(store, Format::Positions(format, positions), |_| true, &mut File::create(path).unwrap()).unwrap();
}

#[test]
fn exported_positions_are_read_back() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    write_games(&folder.join("games.db"));
    let expected = json("tune games.db --out games.toml", folder);
    let store = Store::open_read(&folder.join("games.db")).unwrap();
    for (name, format) in [
        ("games.epd", PositionFormat::Epd),
        ("games.txt", PositionFormat::Bullet),
        ("games.plain", PositionFormat::Plain),
    ] {
        write(&store, format, Positions::All, &folder.join(name));
        let read = json(&format!("tune gamma2 {name} --out read.toml"), folder);
        assert_eq!(read["positions"], expected["positions"], "{name}");
        assert_eq!(read["position_files"][0]["skipped"], 0, "{name}");
        // Only EPD names the games and openings, so only there the same positions are held out.
        if format == PositionFormat::Epd {
            assert_eq!(read["pairs"], expected["pairs"]);
            assert_eq!(weights(&folder.join("read.toml")), weights(&folder.join("games.toml")));
        } else {
            assert_eq!(read["pairs"], 100, "{name}");
        }
    }
    let epd = fs::read(folder.join("games.epd")).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&epd).unwrap();
    fs::write(folder.join("games.epd.gz"), gzip.finish().unwrap()).unwrap();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    // Two frames, as parallel compressors write.
    let (first, second) = epd.split_at(epd.len() / 2);
    let frames = [first, second].map(|part| ruzstd::encoding::compress_to_vec(part, level));
    fs::write(folder.join("games.epd.zst"), frames.concat()).unwrap();
    let hash = |name: &str| {
        json(&format!("tune --game gamma2 {name} --material"), folder)["position_files"][0]["hash"].clone()
    };
    assert_eq!(hash("games.epd.gz"), hash("games.epd"));
    assert_eq!(hash("games.epd.zst"), hash("games.epd"));
}

#[test]
fn exported_quiet_positions_are_read_back() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    write_games(&folder.join("games.db"));
    let store = Store::open_read(&folder.join("games.db")).unwrap();
    let files = [
        ("rows.csv", PositionFormat::Csv),
        ("rows.epd", PositionFormat::Epd),
        ("rows.parquet", PositionFormat::Parquet),
    ];
    let files = if cfg!(feature = "parquet") { &files[..] } else { &files[..2] };
    for &(name, format) in files {
        write(&store, format, Positions::Quiet, &folder.join(name));
    }
    let rows = fs::read_to_string(folder.join("rows.epd")).unwrap().lines().count();
    for (name, _) in files {
        let read = json(&format!("tune gamma2 {name}"), folder);
        assert_eq!((&read["positions"], &read["pairs"]), (&rows.into(), &12.into()), "{name}");
        assert_eq!(read["position_files"][0]["scores"], rows, "{name}");
    }
    // With the games themselves, and a network.
    let both = json("tune games.db rows.epd", folder);
    assert_eq!((&both["games"], &both["pairs"]), (&24.into(), &24.into()));
    assay_tuner("network gamma2 games.db rows.csv --epochs 1 --hidden 16", folder);
}

/// Random positions whose labels follow exactly from piece values.
#[test]
fn material_finds_planted_values() {
    let planted = [
        ("pawn", 'P', 90.0),
        ("knight", 'N', 310.0),
        ("bishop", 'B', 340.0),
        ("rook", 'R', 480.0),
        ("queen", 'Q', 1010.0),
    ];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let chess = GameDef::builtin("chess").unwrap();
    let mut lines = String::new();
    let mut made = 0;
    while made < 4_000 {
        let mut board = [['.'; 8]; 8];
        let mut value = 0.0;
        for _ in 0..random.random_range(2..9) {
            let (_, letter, worth) = planted[random.random_range(0..5)];
            let square = &mut board[random.random_range(1..7)][random.random_range(0..8)];
            if *square == '.' {
                let is_white = random.random_bool(0.5);
                *square = if is_white { letter } else { letter.to_ascii_lowercase() };
                value += if is_white { worth } else { -worth };
            }
        }
        board[0][random.random_range(0..8)] = 'k';
        board[7][random.random_range(0..8)] = 'K';
        let ranks = board.map(|rank| {
            let (mut text, mut empty) = (String::new(), 0);
            for letter in rank.into_iter().chain(['/']) {
                if letter == '.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &std::mem::take(&mut empty).to_string();
                }
                text.push(letter);
            }
            text
        });
        let fen = format!("{} w - - 0 1", ranks.concat().trim_end_matches('/'));
        let points = 1.0 / (1.0 + f64::exp(-value * 3f64.ln() / 300.0));
        if Position::from_fen(&chess, &fen).is_ok() {
            lines += &format!("{fen},{points}\n");
            made += 1;
        }
    }
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("planted.csv"), lines).unwrap();
    let found = json("tune planted.csv --material --out values.toml", folder.path());
    assert_eq!(found["lambda"], 1.0);
    for (piece, _, expected) in planted {
        let values = found["values"].as_array().unwrap();
        let value = values.iter().find(|value| value["piece"] == piece).unwrap();
        let centipawns = value["centipawns"].as_f64().unwrap();
        assert!((centipawns - expected).abs() < 0.03 * expected, "{piece}: {centipawns}");
        assert!(value["fit"].is_null());
    }
    let written = weights(&folder.path().join("values.toml"));
    let knight = &written["pieces"]["knight"];
    assert!(knight["material"].as_array().is_some_and(|phases| phases[0] == phases[1]), "{written}");
}

/// Values, standard errors and log-loss are those of `testdata/tuner/material.py`, and the printed
/// gradient is that of the maximum.
#[test]
fn material_is_the_maximum_of_the_likelihood() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/tuner");
    let expected: toml::Table = fs::read_to_string(data.join("expected.toml")).unwrap().parse().unwrap();
    let numbers =
        |key: &str| expected["material"][key].as_array().unwrap().iter().map(|number| number.as_float().unwrap());
    let folder = TempDir::new().unwrap();
    let text = fs::read_to_string(data.join("labelled.epd")).unwrap();
    let unnamed: String = text.lines().map(|line| format!("{}\n", line.replace("pair ", "opening "))).collect();
    fs::write(folder.path().join("pairs.epd"), &text).unwrap();
    fs::write(folder.path().join("positions.epd"), unnamed).unwrap();
    for (file, errors, by) in
        [("pairs.epd", "by-pair", "game or opening"), ("positions.epd", "by-position", "position")]
    {
        let found = json(&format!("tune {file} --material"), folder.path());
        assert_eq!(found["positions"], text.lines().count(), "positions in check count, too");
        assert_eq!((&found["converged"], &found["clustered_by"]), (&true.into(), &by.into()));
        assert!(found["gradient"].as_f64().unwrap() < 1e-10, "{found}");
        let loss = found["log_loss"]["fitted"].as_f64().unwrap();
        assert!((loss - expected["material"]["log-loss"].as_float().unwrap()).abs() < 1e-10, "{loss}");
        for ((value, centipawns), error) in
            found["values"].as_array().unwrap().iter().zip(numbers("centipawns")).zip(numbers(errors))
        {
            let (tuned, standard_error) =
                (value["centipawns"].as_f64().unwrap(), value["standard_error"].as_f64().unwrap());
            assert!((tuned - centipawns).abs() < 1e-4 && (standard_error - error).abs() < 1e-4, "{value}: {error}");
        }
    }
}

/// A piece whose value no likelihood determines is said to be that, and the others are fitted.
#[test]
fn material_that_is_not_identified_is_said() {
    let folder = TempDir::new().unwrap();
    let mut lines = String::new();
    // White wins with an extra queen, pawns lose and win, and a rook always comes with a bishop.
    for (board, results) in [
        ("4k3/8/8/8/8/8/8/Q3K3", ["1-0"; 4]),
        ("4k3/pp6/8/8/8/8/P7/4K3", ["1-0", "0-1", "0-1", "1/2-1/2"]),
        ("4k3/p7/8/8/8/8/PP6/4K3", ["1-0", "0-1", "1/2-1/2", "1-0"]),
        ("4k3/8/8/8/8/8/8/R1B1K3", ["1-0", "1-0", "0-1", "1-0"]),
        ("4k3/8/1n6/8/8/1N6/8/4K3", ["1/2-1/2"; 4]),
    ] {
        lines += &results.map(|result| format!("{board} w - - {result}\n")).concat();
    }
    fs::write(folder.path().join("few.epd"), lines).unwrap();
    let found = json("tune few.epd --material --out few.toml", folder.path());
    assert_eq!(found["converged"], false);
    for value in found["values"].as_array().unwrap() {
        let is_identified = value["piece"] == "pawn";
        assert_eq!((value["centipawns"].is_f64(), value["standard_error"].is_f64()), (is_identified, is_identified));
    }
    let printed = assay_tuner("tune few.epd --material", folder.path());
    for expected in [
        "warning: no position has more of one side's knight than of the other's",
        "warning: rook and bishop are always unbalanced together",
        "warning: the results are separated by queen",
        "The likelihood has no maximum",
        "not identified",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    // The engine gets what movement makes these pieces worth.
    let queen = weights(&folder.path().join("few.toml"))["pieces"]["queen"]["material"][0].as_integer().unwrap();
    assert!(queen > 500, "{queen}");
}

#[test]
fn material_is_compared_with_other_values() {
    let folder = TempDir::new().unwrap();
    let choices = SelfPlay { nodes: 30, seed: 5, material: Material::Values, ..SelfPlay::default() };
    common::play(&folder.path().join("own.db"), choices, &RunOptions::self_play(60, 1));
    let command = "tune own.db --material";
    let printed = assay_tuner(command, folder.path());
    assert!(printed.contains("what the pieces are worth") && printed.contains("published"), "{printed}");
    let found = json(command, folder.path());
    assert_eq!(found["games"], 60);
    assert_eq!(found["files"][0]["seed"], 5);
    // In the unit army the pieces with a published value have the same sum in each column.
    let sum = |column: &str| -> f64 {
        let values = found["values"].as_array().unwrap().iter();
        let pieces = values.filter(|value| value["piece"] != "pawn" && !value["published"].is_null());
        pieces.map(|value| value.pointer(column).and_then(Value::as_f64).unwrap()).sum()
    };
    assert!((sum("/tuned/value") - sum("/published")).abs() < 1e-6, "{found}");
    assert_eq!(found["clustered_by"], "opening");
}

#[test]
fn a_position_without_its_end_does_not_get_the_result_of_the_next() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let position = |board: &str, result: &str, end: &str| format!("fen {board} w - - 0 1\nresult {result}\n{end}");
    let (white, black) = ("4k3/8/8/8/8/8/4P3/4K3", "4k3/4p3/8/8/8/8/8/4K3");
    let whole = [position(white, "1", "e\n"), position(white, "0", "e\n")].concat().repeat(6);
    fs::write(folder.join("lacks.plain"), format!("{whole}fen {white} w - - 0 1\n{}", position(black, "-1", "e\n")))
        .unwrap();
    fs::write(folder.join("last.plain"), format!("{whole}{}", position(black, "-1", ""))).unwrap();
    fs::write(folder.join("twice.plain"), format!("{whole}{}", position(white, "1\nresult -1", "e\n"))).unwrap();
    for (name, positions, fault) in [
        ("lacks.plain", 13, "position: found `fen "),
        ("last.plain", 12, "position: found `fen "),
        ("twice.plain", 12, "result: found `-1`, expected one line of this name in each position"),
    ] {
        let output = common::assay_tuner(&format!("tune {name} --material"), folder);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {stderr}");
        assert!(stderr.starts_with(&format!("error: {name}:37: {fault}")), "{name}: {stderr}");
        let read = json(&format!("tune {name} --material --skip-bad"), folder);
        let file = &read["position_files"][0];
        assert_eq!((&file["positions"], &file["skipped"]), (&positions.into(), &1.into()), "{name}");
    }
}

#[test]
fn what_the_file_names_is_held_out_together_and_the_rest_in_blocks() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let board =
        |number: usize| if number.is_multiple_of(2) { "4k3/8/8/8/8/8/4P3/4K3" } else { "4k3/4p3/8/8/8/8/8/4K3" };
    let line = |number: usize, more: &str| {
        let result = ["1-0", "0-1", "1/2-1/2"][number / 2 % 3];
        format!("{} w - - c9 \"{result}\";{more}\n", board(number))
    };
    let epd = |more: &dyn Fn(usize) -> String| (0..240).map(|number| line(number, &more(number))).collect::<String>();
    let blocks = "100 blocks, since positions of a game are adjacent.";
    let named = "games or openings that the file names";
    for (name, more, held_out) in [
        ("none.epd", &(|_| String::new()) as &dyn Fn(usize) -> String, format!("Held out by {blocks}")),
        ("all.epd", &|number| format!(" c8 \"game {number}\";"), format!("Held out by {named}.")),
        ("pairs.epd", &|number| format!(" c8 \"pair {}\";", number / 4), format!("Held out by {named}.")),
        (
            "one.epd",
            &|number| if number == 5 { " c8 \"game 7\";".to_owned() } else { String::new() },
            format!("Held out by {named}, and the other positions by {blocks}"),
        ),
    ] {
        fs::write(folder.join(name), epd(more)).unwrap();
        let text = assay_tuner(&format!("tune {name}"), folder);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&held_out), "{name}: {text}");
    }
    let output = common::assay_tuner("tune none.epd none.epd", folder);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with("error: none.epd: found the same positions as in none.epd"), "{stderr}");
}
