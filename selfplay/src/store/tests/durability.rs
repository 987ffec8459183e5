//! A game that was reported survives a crash of the machine.

use super::*;

/// Power fails: what was not synchronized is lost, so the log ends anywhere after the last reported
/// commit, or continues with zeros. Every game reported by then is present, and nothing is left of
/// the others.
#[test]
fn a_log_that_ends_anywhere_has_the_games_of_its_commits() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let log_of = |path: &Path| path.with_extension("db-wal");
    let mut store = open(&path).unwrap();
    let pragma = |name| store.connection.pragma_query_value(None, name, |row| row.get(0));
    assert_eq!(pragma("synchronous"), Ok(2), "each commit is synchronized");
    let mut commits = Vec::new();
    for index in 0..6 {
        store.add(&[record(index)]).unwrap();
        commits.push(log_of(&path).metadata().unwrap().len());
    }
    let (database, log) = (fs::read(&path).unwrap(), fs::read(log_of(&path)).unwrap());
    // A prime number meets all parts of the log's frames; 1 takes minutes.
    let step = std::env::var("ASSAY_LOG_STEP").map_or(997, |step| step.parse().unwrap());
    let exact = commits.iter().map(|&length| length as usize);
    for length in (0..log.len()).step_by(step).chain(exact) {
        let torn = [&log[..length], &vec![0; log.len() - length]].concat();
        for rest in [&log[..length], &torn] {
            let copy = folder.path().join("copy.db");
            fs::write(&copy, &database).unwrap();
            fs::write(log_of(&copy), rest).unwrap();
            let store = Store::open_read(&copy).unwrap();
            let reported = commits.iter().filter(|&&commit| commit <= length as u64).count() as u64;
            let expected: Vec<GameRecord> = (0..reported).map(record).collect();
            assert_eq!(all_games(&store), expected, "{length}");
            assert_eq!(store.problems().unwrap(), Vec::<String>::new(), "{length}");
            drop(store);
            // The lost games are played again.
            let mut store = open(&copy).unwrap();
            store.add(&[record(9)]).unwrap();
            store.close().unwrap();
        }
    }
}

#[test]
fn a_snapshot_is_of_one_moment() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let mut store = open(&path).unwrap();
    store.add(&[record(0)]).unwrap();
    let (snapshot, reader) = (Store::open_snapshot(&path).unwrap(), Store::open_read(&path).unwrap());
    store.add(&[record(1)]).unwrap();
    assert_eq!([snapshot.count().unwrap(), reader.count().unwrap()], [1, 2]);
}
