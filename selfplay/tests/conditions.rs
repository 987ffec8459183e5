//! The program where its output, its disk or its memory fails.
#![cfg(unix)]

use crate::common::printed;
use assay_cli::testing::Program;
use tempfile::TempDir;

#[test]
fn outputs_disks_and_memory_that_fail() {
    let program = Program::new(env!("CARGO_BIN_EXE_assay-selfplay"), "");
    let temporary = TempDir::new().unwrap();
    let folder = temporary.path();
    let generate = "generate chess --games 4 --nodes 20 --hash 1 --data games.db";
    printed(&generate.split(' ').collect::<Vec<_>>(), folder);
    for old in ["old.pgn", "old.epd", "old.html"] {
        std::fs::write(folder.join(old), "old").unwrap();
    }
    let played = "match chess -engine builtin nodes=1 -engine builtin nodes=1 -rounds 1";
    program.check_lost_output(
        folder,
        &[
            "--help",
            "--version",
            "completions bash",
            "sprt --counts 1,2,3,4,5",
            "info games.db",
            "info games.db --json",
            "export games.db --pgn -",
            "export games.db --epd /dev/stdout",
            "export games.db --quiet --csv -",
            generate,
            played,
        ],
    );
    program.check_full_disk(
        folder,
        &[
            ("export games.db --pgn old.pgn --force", "old.pgn: "),
            ("export games.db --epd old.epd --force", "old.epd: "),
            ("export games.db --quiet --csv new.csv", "new.csv: "),
            ("generate chess --games 4 --nodes 20 --hash 1 --data new.db", "new.db: "),
            (&format!("{played} -pgnout old.pgn"), "old.pgn: "),
            (&format!("{played} -html old.html"), "old.html: "),
            (&format!("{played} -data match.db"), "match.db: "),
        ],
    );
    #[cfg(target_os = "linux")]
    program.check_little_memory(
        folder,
        &[
            ("generate chess --games 4 --nodes 20 --data little.db", 0),
            ("generate chess --games 4 --nodes 20 --hash 400 --data none.db", 2),
            ("generate chess --games 400 --threads 100 --nodes 20 --hash 1 --data none.db", 2),
            ("info games.db --replay", 0),
            (played, 0),
        ],
    );
}

/// Run files at which a careless reader would never end, or would fill the memory.
const HOSTILE: [&str; 4] = [
    "DROP TABLE games; CREATE VIEW games AS WITH RECURSIVE n(a) AS (SELECT 0 UNION ALL SELECT a + 1 FROM n) SELECT a AS idx FROM n",
    "DROP TABLE run; CREATE VIEW run AS WITH RECURSIVE n(a) AS (SELECT 0 UNION ALL SELECT a + 1 FROM n) SELECT a AS key, a AS value FROM n",
    "CREATE TRIGGER t AFTER INSERT ON games BEGIN INSERT INTO games SELECT * FROM games; END",
    "UPDATE games SET start = hex(zeroblob(9 << 20)) WHERE idx = 1",
];

#[test]
fn commands_end_at_hostile_files() {
    let program = Program::new(env!("CARGO_BIN_EXE_assay-selfplay"), "");
    let temporary = TempDir::new().unwrap();
    let folder = temporary.path();
    let generate = "generate chess --games 4 --nodes 20 --hash 1 --seed 1 --shard 1/1 --data games.db";
    let played = "match chess -engine builtin nodes=1 -engine builtin nodes=1 -rounds 2 -data match.db";
    for command in [generate, played] {
        printed(&command.split(' ').collect::<Vec<_>>(), folder);
    }
    let honest = ["games.db", "match.db"].map(|name| std::fs::read(folder.join(name)).unwrap());
    for change in HOSTILE {
        for (name, bytes) in ["games.db", "match.db"].iter().zip(&honest) {
            std::fs::write(folder.join(name), bytes).unwrap();
            let database = rusqlite::Connection::open(folder.join(name)).unwrap();
            database.execute_batch(&format!("PRAGMA legacy_alter_table = ON; {change}")).unwrap();
        }
        program.check_rejections(
            folder,
            &[
                ("info games.db", "games.db: "),
                ("info match.db --replay", "match.db: "),
                ("export games.db --pgn -", "games.db: "),
                ("merge all.db games.db", "games.db: "),
                (generate, "games.db: "),
                (&format!("{played} -resume"), "match.db: "),
            ],
        );
    }
}
