//! The program where its output, its disk or its memory fails.
#![cfg(unix)]

use assay_cli::testing::Program;
use assay_selfplay::settings::{Material, RunOptions, SelfPlay};

use crate::common::{play, self_play};

#[test]
fn outputs_disks_and_memory_that_fail() {
    let program = Program::new(env!("CARGO_BIN_EXE_assay-tuner"), "");
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let measured = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/values/chess.json");
    let playtest = SelfPlay { nodes: 5, material: Material::Playtest, ..SelfPlay::default() };
    play(&folder.join("games.db"), playtest, &RunOptions::self_play(100, 1));
    let fitted = "fit games.db";
    // Files of the kind that the option writes, which it may replace.
    for (old, contents) in [("old.html", "<!DOCTYPE html>old"), ("old.svg", "<svg old")] {
        std::fs::write(folder.join(old), contents).unwrap();
    }
    program.check_lost_output(
        folder,
        &["--help", "--version", "completions zsh", fitted, &format!("{fitted} --json"), &format!("report {measured}")],
    );
    program.check_full_disk(
        folder,
        &[
            (&format!("report {measured} --html old.html"), "old.html: File too large"),
            (&format!("report {measured} --svg old.svg"), "old.svg: File too large"),
            ("validate chess --games 4 --nodes 20 --data new.db", "new.db: "),
        ],
    );
    #[cfg(target_os = "linux")]
    program.check_little_memory(folder, &[(fitted, 0), (&format!("report {measured}"), 0)]);
}

/// A run file at which a careless reader would never end.
#[test]
fn commands_end_at_hostile_files() {
    let program = Program::new(env!("CARGO_BIN_EXE_assay-tuner"), "");
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    self_play(&folder.join("games.db"), 4);
    let endless = "DROP TABLE games; CREATE VIEW games AS
        WITH RECURSIVE n(a) AS (SELECT 0 UNION ALL SELECT a + 1 FROM n) SELECT a AS idx FROM n";
    let database = rusqlite::Connection::open(folder.join("games.db")).unwrap();
    let change = format!("PRAGMA legacy_alter_table = ON; {endless}");
    database.execute_batch(&change).unwrap();
    drop(database);
    program.check_rejections(
        folder,
        &[("fit games.db", "games.db: "), ("validate chess --games 4 --nodes 20 --data games.db", "games.db: ")],
    );
}
