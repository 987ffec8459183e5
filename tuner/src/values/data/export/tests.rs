//! Exported positions read back unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use assay_rules::fen::Epd;
use assay_rules::{GameDef, san};
use assay_selfplay::settings::{GameSource, RunOptions, SelfPlay};
use assay_selfplay::{Store, run_games};

use super::*;

/// A run of four short games with `nodes` nodes per move.
fn played(name: &str, nodes: u64) -> Store {
    let choices =
        SelfPlay { seed: 3, nodes, hash_mb: 1, opening_plies: Some(4), balance: Some(None), ..SelfPlay::default() };
    let settings = choices.settings(GameSource::builtin(name).unwrap()).unwrap();
    let options = RunOptions::self_play(4, 1);
    run_games(&settings, &options, None, false, |_| {}, &AtomicBool::new(false)).unwrap().1
}

#[test]
fn epd_and_csv_round_trip() {
    for name in ["apothecary2", "gamma2"] {
        let run = played(name, 200);
        let mut kept = Vec::new();
        let mut csv = PositionWriter::Csv(Box::new(csv::Writer::from_writer(Vec::new())));
        let mut epd = PositionWriter::Epd(Vec::new());
        let written = export(&[&run], |positions, _| -> Result<(), DataError> {
            kept.extend_from_slice(positions);
            csv.write(positions).unwrap();
            epd.write(positions).unwrap();
            Ok(())
        });
        written.unwrap();
        let (PositionWriter::Csv(csv), PositionWriter::Epd(epd)) = (csv, epd) else {
            unreachable!("made so above");
        };
        let csv = csv.into_inner().unwrap();
        assert!(kept.len() > 50, "{}", kept.len());
        let game = GameDef::builtin(name).unwrap();
        let (csv, epd) = (String::from_utf8(csv).unwrap(), String::from_utf8(epd).unwrap());
        assert_eq!(epd.lines().count(), kept.len());
        for (line, row) in epd.lines().zip(&kept) {
            let position = Epd::read(&game, line).unwrap().position;
            assert_eq!(position.fen(), row.fen);
            assert_eq!(position.side_to_move() == Color::White, row.side == "w");
            assert_eq!(Ply::from(&position).material.pieces(), row.pieces as usize);
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

/// Two runs with the same seed have pairs and games with the same numbers.
#[test]
fn pairs_of_different_runs_differ() {
    let [one, other] = [100, 200].map(|nodes| played("chess", nodes));
    let pairs_of = |runs: &[&dyn RecordedRun]| {
        let mut games: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let count = |positions: &[QuietPosition], _| -> Result<(), DataError> {
            for position in positions {
                let games = games.entry(position.pair.clone()).or_default();
                games.insert(position.game.clone());
            }
            Ok(())
        };
        export(runs, count).unwrap();
        games
    };
    let both = pairs_of(&[&one, &other]);
    let [one, other] = [one, other].map(|run| pairs_of(&[&run]));
    assert_eq!(both.len(), 4, "{both:?}");
    assert!(both.values().all(|games| games.len() == 2), "{both:?}");
    // A pair keeps its identifier whichever other files are exported.
    assert_eq!(both, one.into_iter().chain(other).collect());
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_round_trips() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::RowAccessor;

    let folder = tempfile::tempdir().unwrap();
    let run = played("gamma2", 200);
    let place = folder.path().join("rows.parquet");
    let mut kept = Vec::new();
    let mut file = ParquetWriter::new(std::fs::File::create(&place).unwrap()).unwrap();
    let keep = |positions: &[QuietPosition], _| -> Result<(), DataError> {
        kept.extend_from_slice(positions);
        file.write(positions).unwrap();
        Ok(())
    };
    export(&[&run], keep).unwrap();
    file.finish().unwrap();
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
