//! Exported positions read back unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use assay_rules::fen::Epd;
use assay_rules::{Color, GameDef, san};

use super::table::Row;
use super::*;
use crate::run_games;
use crate::settings::{GameSource, RunOptions, SelfPlay};

/// A run of four short games with `nodes` nodes per move.
fn played(name: &str, nodes: u64) -> Store {
    let choices =
        SelfPlay { seed: 3, nodes, hash_mb: 1, opening_plies: Some(4), balance: Some(None), ..SelfPlay::default() };
    let settings = choices.settings(GameSource::builtin(name).unwrap()).unwrap();
    let options = RunOptions::self_play(4, 1);
    run_games(&settings, &options, None, false, |_| {}, &AtomicBool::new(false)).unwrap().1
}

fn quiet_rows(run: &Store) -> Vec<Row> {
    let games: Vec<GameRecord> = run.games().collect::<Result<_, _>>().unwrap();
    exported(run, &run.header().id(), &games, Positions::Quiet, table::rows).unwrap().concat()
}

#[test]
fn epd_and_csv_round_trip() {
    for name in ["apothecary2", "gamma2"] {
        let run = played(name, 200);
        let kept = quiet_rows(&run);
        assert!(kept.len() > 50, "{}", kept.len());
        let [epd, csv] = [PositionFormat::Epd, PositionFormat::Csv].map(|format| {
            let mut out = Vec::new();
            export(&run, Format::Positions(format, Positions::Quiet), |_| true, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        });
        let game = GameDef::builtin(name).unwrap();
        assert_eq!(epd.lines().count(), kept.len());
        for (line, row) in epd.lines().zip(&kept) {
            let position = Epd::read(&game, line).unwrap().position;
            assert_eq!(position.fen(), row.fen);
            assert_eq!(position.side_to_move() == Color::White, row.side == "w");
            assert_eq!(Ply::from(&position).material.pieces(), row.pieces);
            assert!(row.hmvc >= 2);
            let best = assay_rules::uci::parse(&position, &row.best).unwrap();
            let played = format!("; sm {}; c0 \"variant {name}\"; ", san::format(&position, best));
            assert!(line.contains(&played), "{line}");
            let game = format!("; c2 \"score {}\"; c3 \"game {}\"; c4 \"pair {}\";", row.score, row.game, row.pair);
            assert_eq!(line.contains(&format!("; ce {};", row.eval.unwrap_or(0))), row.eval.is_some(), "{line}");
            assert!(line.ends_with(&game), "{line}");
        }
        let mut lines = csv.lines();
        assert_eq!(lines.next().unwrap(), "fen,variant,side,ply,pieces,hmvc,best,eval,score,game,pair");
        assert_eq!(csv.lines().count(), kept.len() + 1);
        for (line, row) in lines.zip(&kept) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), 11, "{line}");
            assert_eq!(cells[0], row.fen);
            assert_eq!(cells[7].parse().ok(), row.eval);
            assert_eq!(cells[10], row.pair);
        }
        assert!(kept.iter().any(|row| row.eval.is_some()));
    }
}

/// Moves with walls have a comma.
#[test]
fn fields_with_commas_are_quoted() {
    let mut csv = Vec::new();
    let format = Format::Positions(PositionFormat::Csv, Positions::All);
    export(&played("duck", 20), format, |game| game == 0, &mut csv).unwrap();
    for line in String::from_utf8(csv).unwrap().lines().skip(1) {
        let parts: Vec<&str> = line.split('"').collect();
        assert_eq!(parts.len(), 3, "{line}");
        assert_eq!([0, 1, 2].map(|part| parts[part].matches(',').count()), [6, 1, 4], "{line}");
    }
}

/// Two runs with the same seed have pairs and games with the same numbers.
#[test]
fn pairs_of_different_runs_differ() {
    let mut games: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for nodes in [100, 200] {
        for row in quiet_rows(&played("chess", nodes)) {
            games.entry(row.pair).or_default().insert(row.game);
        }
    }
    assert_eq!(games.len(), 4, "{games:?}");
    assert!(games.values().all(|games| games.len() == 2), "{games:?}");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_round_trips() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::RowAccessor;

    let folder = tempfile::tempdir().unwrap();
    let run = played("gamma2", 200);
    let kept = quiet_rows(&run);
    let place = folder.path().join("rows.parquet");
    let format = Format::Positions(PositionFormat::Parquet, Positions::Quiet);
    export(&run, format, |_| true, &mut std::fs::File::create(&place).unwrap()).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&place).unwrap()).unwrap();
    let mut found = 0;
    for (read, row) in reader.get_row_iter(None).unwrap().zip(&kept) {
        let read = read.unwrap();
        assert_eq!(read.get_string(0).unwrap(), &row.fen);
        assert_eq!(read.get_int(3).unwrap(), row.ply as i32);
        assert_eq!(read.get_string(6).unwrap(), &row.best);
        assert_eq!(read.get_int(7).ok(), row.eval);
        assert!((read.get_double(8).unwrap() - row.score).abs() < 1e-12);
        assert_eq!(read.get_string(10).unwrap(), &row.pair);
        found += 1;
    }
    assert_eq!(found, kept.len());
}
