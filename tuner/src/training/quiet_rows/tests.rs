//! Exported positions read back unchanged.

use std::sync::atomic::AtomicBool;

use assay_rules::GameDef;
use assay_rules::Position;
use assay_selfplay::generate;
use assay_selfplay::settings::{GameSource, Material, RandomOpenings, RunOptions, RunSettings, StartChoice};

use super::*;

/// A file of a few short games.
fn played(folder: &Path, name: &str) -> PathBuf {
    let openings = RandomOpenings {
        start: StartChoice::Random,
        plies: 4,
        balance: None,
        material: Material::None,
    };
    let (seed, nodes, hash_mb) = (3, 200, 1);
    let settings = RunSettings::self_play(GameSource::builtin(name).unwrap(), seed, nodes, hash_mb, openings);
    let path = folder.join("games.db");
    let stop = AtomicBool::new(false);
    generate(&settings, &RunOptions::self_play(4, 1), &path, |_| {}, &stop).unwrap();
    path
}

/// A sink that keeps all positions.
#[derive(Default)]
struct Kept<'k>(Option<&'k mut Vec<QuietPosition>>);

impl PositionSink for Kept<'_> {
    fn write(&mut self, rows: &[QuietPosition]) -> io::Result<()> {
        if let Some(kept) = &mut self.0 {
            kept.extend_from_slice(rows);
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn epd_and_csv_round_trip() {
    for name in ["apothecary2", "gamma2"] {
        let folder = tempfile::tempdir().unwrap();
        let path = played(folder.path(), name);
        let (mut kept, mut csv, mut epd) = (Vec::new(), Vec::new(), Vec::new());
        let mut sinks: Vec<Box<dyn PositionSink>> = vec![
            Box::new(Kept(Some(&mut kept))),
            Box::new(Csv::new(&mut csv)),
            Box::new(Epd::new(&mut epd)),
        ];
        let written = write(&[path], &mut sinks).unwrap();
        drop(sinks);
        assert_eq!(written, kept.len() as u64);
        assert!(written > 50, "{written}");
        let game = GameDef::builtin(name).unwrap();
        let (csv, epd) = (String::from_utf8(csv).unwrap(), String::from_utf8(epd).unwrap());
        assert_eq!(epd.lines().count(), kept.len());
        for (line, row) in epd.lines().zip(&kept) {
            let fields: Vec<&str> = line.split(';').collect();
            let position = Position::from_fen(&game, fields[0]).unwrap();
            assert_eq!(position.side_to_move(), row.side);
            assert_eq!(Ply::from(&position).material.pieces(), row.pieces as usize);
            assert_eq!(fields[1], format!("variant {name}"));
            let best = fields[2].strip_prefix("bm ").unwrap();
            assert!(assay_rules::uci::parse(&position, best).is_ok(), "{line}");
            assert_eq!(fields[3], format!("hmvc {}", row.unchanged));
            assert!(row.unchanged >= 2);
            let result = match row.score {
                score if score > 0.9 => "1-0",
                score if score < 0.1 => "0-1",
                _ => "1/2-1/2",
            };
            assert_eq!(fields[4], format!("result {result}"));
            assert_eq!(fields[5], format!("score {}", row.score));
            assert_eq!(fields[6], format!("game {}", row.game));
        }
        let mut lines = csv.lines();
        assert_eq!(lines.next().unwrap(), COLUMNS.join(","));
        for (line, row) in lines.zip(&kept) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), COLUMNS.len(), "{line}");
            assert_eq!(cells[0], row.fen);
            assert_eq!(cells[7].parse().ok(), row.eval);
            assert_eq!(cells[10].parse(), Ok(row.pair));
        }
        assert!(kept.iter().any(|row| row.eval.is_some()));
    }
}

#[test]
fn rejects_files_without_quiet_positions() {
    let error = write(&[], &mut []).unwrap_err();
    assert!(matches!(error, ExportError::Nothing { .. }), "{error}");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_round_trips() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::RowAccessor;

    let folder = tempfile::tempdir().unwrap();
    let path = played(folder.path(), "gamma2");
    let place = folder.path().join("rows.parquet");
    let mut kept = Vec::new();
    let file = super::parquet::Parquet::new(std::fs::File::create(&place).unwrap()).unwrap();
    write(&[path], &mut [Box::new(Kept(Some(&mut kept))), Box::new(file)]).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&place).unwrap()).unwrap();
    let mut found = 0;
    for (read, row) in reader.get_row_iter(None).unwrap().zip(&kept) {
        let read = read.unwrap();
        assert_eq!(read.get_string(0).unwrap(), &row.fen);
        assert_eq!(read.get_int(3).unwrap(), row.ply as i32);
        assert_eq!(read.get_string(6).unwrap(), &row.best);
        assert_eq!(read.get_int(7).ok(), row.eval);
        assert!((read.get_double(8).unwrap() - row.score).abs() < 1e-12);
        assert_eq!(read.get_long(10).unwrap(), row.pair as i64);
        found += 1;
    }
    assert_eq!(found, kept.len());
}
