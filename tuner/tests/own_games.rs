//! Games of users whose pieces, values or numbers of games are unusual: one piece that cannot be
//! measured leaves the others, values may change after the games, and every result can be read
//! again.

use std::path::Path;

use assay_rules::GameDef;
use assay_tuner::report::{measurement, summary};
use assay_tuner::values::analysis::{AnalysisOptions, analyze};
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::results::MeasurementReport;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{error, joined, json, printed};
use crate::simulation::{Simulation, near_published_values};

const VALUES: &str = "pawn.value = 1
knight.value = 3
bishop = { value = 3, pair = 0.5 }
rook.value = 5
queen.value = 9
";

/// Chess with a color-bound piece of a published value: its places in the start, and what pawns
/// promote to.
fn with_adjutant(folder: &Path, board: &str, promotion: &str) {
    let text = format!(
        "name = \"own\"\ntitle = \"Own\"\nbase = \"chess\"\nsource = \"a test\"\n\
         [pieces]\n{VALUES}adjutant = {{ letter = \"A\", move = \"FA\", value = 4 }}\n\
         [promotion]\n8 = {{ to = \"{promotion}\" }}\n\
         [[starts]]\nid = \"1\"\ntitle = \"the only start\"\nfen = \"{board} w KQkq - 0 1\"\n"
    );
    std::fs::write(folder.join("own.toml"), text).unwrap();
}

fn row<'r>(report: &'r Value, table: &str, piece: &str) -> Option<&'r Value> {
    report.pointer(table)?.as_array()?.iter().find(|row| row["piece"] == piece)
}

#[test]
fn a_piece_that_cannot_be_measured_leaves_the_others() {
    let queens = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let single = queens.replace('q', "a").replace('Q', "A");
    let one_side = queens.replace('Q', "A");
    // Board, promotion, and whether the adjutant is measured.
    for (board, promotion, is_measured) in [
        (single.as_str(), "QRBNA", true),
        (one_side.as_str(), "QRBN", true),
        (queens, "QRBNA", true),
        (queens, "QRBN", false),
    ] {
        let folder = TempDir::new().unwrap();
        with_adjutant(folder.path(), board, promotion);
        // Openings exchange pieces for adjutants, if the game has them.
        let few = "validate own.toml --games 120 --nodes 10 --playtest 0 --resamples 0 --data own.db";
        let report = json(few, folder.path());
        let adjutant = row(&report, "/tables/0/values", "adjutant");
        assert!(adjutant.is_none_or(|adjutant| adjutant["with_half_pair"] == false), "{board}");
        assert!(adjutant.is_some() || !is_measured, "{board}");
        assert!(row(&report, "/bonuses", "adjutant pair").is_none(), "{board}: {report}");
        let text = printed("fit own.db --resamples 0", folder.path());
        assert!(text.contains("\nadjutant ") && text.contains("\nrook "), "{text}");
    }
}

#[test]
fn a_piece_that_no_game_has_gets_a_row_that_says_so() {
    let game = GameDef::builtin("chess").unwrap();
    let planted = Simulation { positions: 6, ..Simulation::synthetic(&game, near_published_values(&game, 0.4), 250) };
    let mut data = planted.data(1);
    // One kind is never a difference.
    for game in &mut data.games {
        game.samples.iter_mut().for_each(|sample| {
            sample.values =
                sample.values.iter().enumerate().map(|(at, &value)| if at == 1 { 0.0 } else { value }).collect();
        });
    }
    let report = analyze(&data, &AnalysisOptions { resamples: 0, ..AnalysisOptions::default() }).unwrap();
    let unmeasured = report.unmeasured().into_iter().map(|kind| planted.game.kind(kind).name.as_str());
    let unmeasured: Vec<&str> = unmeasured.collect();
    assert_eq!(unmeasured.len(), 1, "{unmeasured:?}");
    let text = summary(&report, &[]);
    let named = format!("because one side has more of it in too few games: {}.", unmeasured[0]);
    assert!(joined(&text).contains(&named), "{text}");
    let line = text.lines().find(|line| line.starts_with(unmeasured[0])).unwrap();
    assert!(line.contains("not measured"), "{text}");
    assert!(measurement(&report, None, None).html().contains("not measured: too few games in which one side has more"));
}

/// The estimates have the scale of the atlas, which a game without published values does not have.
#[test]
fn moves_say_nothing_where_no_value_is_published() {
    let folder = TempDir::new().unwrap();
    let citadel = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/games/citadel.toml");
    std::fs::copy(citadel, folder.path().join("own.toml")).unwrap();
    let few = "validate own.toml --games 60 --nodes 10 --playtest 0 --resamples 0 --data own.db";
    let report = json(few, folder.path());
    assert!(report["tables"].as_array().is_some_and(|tables| !tables.is_empty()));
    assert_eq!(report.get("by_moves"), None);
}

/// Values are no rule: those of the definition count, also of games that were played before.
#[test]
fn values_that_changed_after_the_games_are_used() {
    let folder = TempDir::new().unwrap();
    let write = |queen: &str, more: &str| {
        let values = VALUES.replace("queen.value = 9", queen);
        let text =
            format!("name = \"own\"\ntitle = \"Own\"\nbase = \"chess\"\nsource = \"a test\"\n[pieces]\n{values}{more}");
        std::fs::write(folder.path().join("own.toml"), text).unwrap();
    };
    let validate =
        "validate own.toml --games 60 --nodes 10 --playtest 0 --phase-model constant --resamples 0 --data own.db";
    let published =
        |command: &str| row(&json(command, folder.path()), "/tables/0/values", "queen").unwrap()["published"].clone();
    write("queen.value = 9", "");
    assert_eq!(published(validate), 9.0);
    write("queen.value = 12.5", "");
    assert_eq!(published(validate), 12.5);
    // The file keeps them.
    assert_eq!(published("fit own.db --phase-model constant --resamples 0"), 12.5);
    // Claims read the files without playing.
    write("queen.value = 11", "");
    let claims = printed("claims own.toml --from own.db --json", folder.path());
    assert!(claims.contains("11"), "{claims}");
    // Other rules are another game.
    write("queen = { value = 11, move = \"R\" }", "");
    let stderr = error(validate, folder.path());
    assert!(stderr.contains("rules_hash"), "{stderr}");
}

/// A ladder of a game in which one value is published, so that this piece is the unit, has no
/// number that is not finite.
#[test]
fn the_only_published_piece_of_a_ladder_is_its_unit() {
    let folder = TempDir::new().unwrap();
    let text = "name = \"own\"\ntitle = \"Own\"\nbase = \"chess\"\nsource = \"a test\"\n[pieces]\nqueen.value = 9\n";
    std::fs::write(folder.path().join("own.toml"), text).unwrap();
    let ladder = "validate own.toml --nodes 5,20 --games 60 --match-games 0 --phase-model constant --resamples 0";
    std::fs::write(folder.path().join("ladder.json"), json(ladder, folder.path()).to_string()).unwrap();
    let text = printed(ladder, folder.path());
    assert!(text.contains("\nqueen ") && !text.contains("NaN") && !text.contains("inf"), "{text}");
    assert_eq!(printed("report ladder.json", folder.path()), text);
}

/// Whatever few games give can be read, and no page has a number that is none or that fills a line.
/// `SEEDS` is the number of data sets.
#[test]
fn results_of_any_few_games_can_be_read() {
    let seeds = std::env::var("SEEDS").map_or(30, |seeds| seeds.parse().unwrap());
    let mut measured = 0;
    for seed in 0..seeds {
        let game = GameDef::builtin(["chess", "gamma2", "apothecary2"][seed as usize % 3]).unwrap();
        let planted = Simulation {
            positions: 1 + seed as u32 % 5,
            thresholds: vec![0.7; game.endings.material_count.as_ref().map_or(1, |_| 2)],
            ..Simulation::synthetic(
                &game,
                near_published_values(&game, 0.1 + 0.1 * (seed % 7) as f64),
                14 + seed as usize % 40,
            )
        };
        let phase_model = if seed % 2 == 0 { PhaseModel::Constant } else { PhaseModel::Piecewise };
        let Ok(report) = analyze(&planted.data(seed), &AnalysisOptions { phase_model, resamples: 20 }) else {
            continue;
        };
        measured += 1;
        let json = serde_json::to_string(&report).unwrap();
        let read =
            MeasurementReport::parse(&json, Path::new("few.json")).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let text = summary(&read, &[]) + &measurement(&read, None, None).text();
        assert!(!text.contains("NaN") && !text.contains(" inf"), "{seed}: {text}");
        let is_long = |word: &str| word.chars().filter(char::is_ascii_digit).count() > 12;
        assert!(!text.split([' ', '\n']).any(|word| is_long(word) && word.parse::<f64>().is_ok()), "{seed}: {text}");
    }
    assert!(measured > seeds / 3, "{measured}");
    eprintln!("{measured} of {seeds} data sets were measured");
}
