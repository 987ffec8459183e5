//! Run files with changed bytes: opened or rejected, read or reported, without a panic.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;

use assay_selfplay::Store;
use tempfile::TempDir;

use super::record;
use crate::patch::patch;

pub fn target(data: &[u8]) {
    thread_local! {
        static FILE: RefCell<File> = RefCell::new(File::new());
    }
    FILE.with_borrow(|file| file.check(data));
}

struct File {
    path: PathBuf,
    valid: Vec<u8>,
    _folder: TempDir,
}

impl File {
    fn new() -> File {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("games.db");
        record::create(&path);
        let valid = fs::read(&path).expect("a run file");
        File { path, valid, _folder: folder }
    }

    fn check(&self, patches: &[u8]) {
        let mut bytes = self.valid.clone();
        patch(&mut bytes, patches);
        fs::write(&self.path, bytes).expect("a temporary file");
        // A changed header may make SQLite create a log.
        for suffix in ["-wal", "-shm", "-journal"] {
            let _ = fs::remove_file(self.path.with_extension(format!("db{suffix}")));
        }
        match Store::open_read(&self.path) {
            Ok(store) => {
                let _ = (store.count(), store.problems());
                for game in store.games() {
                    let Ok(game) = game else { break };
                    let _ = game.verify(&store.source().game);
                }
            }
            Err(error) => assert!(error.to_string().contains("games.db"), "{error}"),
        }
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    // The header of the file, its first pages, and its end.
    [[0, 0, 0, 18, 1], [0, 0, 0, 100, 9], [0, 0, 16, 8, 3], [0, 0, 60, 200, 77], [1, 0, 0, 40, 5], [2, 0, 40, 0, 0]]
        .map(|patch| patch.to_vec())
        .to_vec()
}
