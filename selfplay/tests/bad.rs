//! Wrong commands and damaged files, as data: `testdata/bad/selfplay.toml`.

use std::fs;
use std::path::Path;

use assay_cli::testing::Program;
use tempfile::TempDir;

use crate::common::printed;

/// Creates the files that the cases name.
fn prepare(folder: &Path) {
    let run = ["generate", "chess", "--games", "2", "--nodes", "20", "--hash", "1", "--data", "games.db"];
    printed(&run, folder);
    let whole = fs::read(folder.join("games.db")).unwrap();
    fs::write(folder.join("torn.db"), &whole[..whole.len() - 4_096]).unwrap();
    for (name, shard, games, flags) in [
        ("shard-1.db", "1/2", "4", "--seed=1"),
        ("shard-2.db", "2/2", "4", "--seed=1"),
        ("third.db", "2/3", "4", "--seed=1"),
        ("longer.db", "2/2", "8", "--seed=1"),
        ("seed-5.db", "2/2", "4", "--seed=5"),
        ("jitter.db", "2/2", "4", "--jitter=20"),
    ] {
        let run = ["generate", "chess", "--games", games, "--nodes", "20", "--hash", "1", flags];
        printed(&[&run[..], &["--shard", shard, "--data", name]].concat(), folder);
    }
    fs::copy(folder.join("shard-1.db"), folder.join("copy.db")).unwrap();
    let shard = fs::read(folder.join("shard-2.db")).unwrap();
    fs::write(folder.join("torn-2.db"), &shard[..shard.len() - 4_096]).unwrap();
    fs::write(folder.join("empty.db"), "").unwrap();
    fs::write(folder.join("text.db"), "a text, and a longer one than the sixteen bytes that a database begins with")
        .unwrap();
    fs::write(folder.join("bad-game.toml"), "name = \"mine\"\n").unwrap();
    let definition = "name = 'my-game'\ntitle = 'My Game'\nbase = 'chess'\nsource = 'nobody'\n";
    fs::write(folder.join("my-game.toml"), definition).unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    for (name, pragma) in [("newer.db", "user_version = 99"), ("foreign.db", "application_id = 77")] {
        fs::copy(folder.join("games.db"), folder.join(name)).unwrap();
        let database = rusqlite::Connection::open(folder.join(name)).unwrap();
        database.execute_batch(&format!("PRAGMA {pragma}")).unwrap();
    }
}

#[test]
fn wrong_commands_fail_with_an_explanation() {
    let folder = TempDir::new().unwrap();
    prepare(folder.path());
    Program::new(env!("CARGO_BIN_EXE_assay-selfplay"), "").check_bad_requests("selfplay", folder.path());
}
