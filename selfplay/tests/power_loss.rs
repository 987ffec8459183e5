//! A file survives a power failure at any moment: every game that was reported is there, and the
//! run is continued to the same games.
//!
//! SQLite reaches the disk through its VFS. The test records what it writes, synchronizes, creates
//! and deletes there, and when games are reported. Then it rebuilds the files as they may be after
//! a power failure: what was synchronized is there, and of the rest nothing, everything, or any
//! sectors.
#![cfg(unix)]

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs;
use std::path::Path;
use std::ptr::null_mut;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard};

use assay_selfplay::seed::{Purpose, Stream};
use assay_selfplay::settings::Material;
use assay_selfplay::{GameRecord, Progress, Store, generate};
use common::{games, options, settings};
use rusqlite::ffi;
use tempfile::TempDir;

/// An operation on the files in the folder of a run file.
#[derive(Clone, Debug)]
enum Event {
    Create(String),
    Delete(String),
    Write {
        name: String,
        offset: usize,
        bytes: Vec<u8>,
    },
    Truncate {
        name: String,
        length: usize,
    },
    /// The contents of a file are on the disk.
    Sync(String),
    /// The names of the files are on the disk.
    SyncFolder,
    /// The runner has reported these games.
    Reported(Vec<u64>),
}

/// A VFS that records and passes everything on to SQLite's own.
mod recorder {
    use super::*;

    struct OpenFile {
        name: String,
        methods: &'static ffi::sqlite3_io_methods,
        /// The first synchronization of a new journal synchronizes the folder, too
        /// (`UNIXFILE_DIRSYNC` in SQLite's `os_unix.c`).
        is_new_journal: bool,
    }

    #[derive(Default)]
    struct State {
        /// `None` while nothing is recorded.
        events: Option<Vec<Event>>,
        /// By the address of SQLite's structure.
        files: HashMap<usize, OpenFile>,
    }

    static STATE: Mutex<Option<State>> = Mutex::new(None);

    fn with<T>(action: impl FnOnce(&mut State) -> T) -> T {
        let mut state: MutexGuard<'_, Option<State>> = STATE.lock().unwrap();
        action(state.get_or_insert_default())
    }

    pub(super) fn record(event: Event) {
        with(|state| state.events.as_mut().map(|events| events.push(event)));
    }

    /// Starts recording.
    pub(super) fn start() {
        with(|state| state.events = Some(Vec::new()));
    }

    /// Stops recording.
    pub(super) fn stop() -> Vec<Event> {
        with(|state| state.events.take().unwrap())
    }

    /// Makes the recorder the VFS of all connections that are opened from now on.
    pub(super) fn install() {
        // SAFETY: SQLite is initialized first, its own VFS lives as long as the process, and so
        // does the leaked copy.
        unsafe {
            assert_eq!(ffi::sqlite3_initialize(), ffi::SQLITE_OK);
            let mut vfs = *ffi::sqlite3_vfs_find(c"unix".as_ptr());
            vfs.pNext = null_mut();
            vfs.zName = c"recorder".as_ptr();
            vfs.xOpen = Some(open);
            vfs.xDelete = Some(delete);
            assert_eq!(ffi::sqlite3_vfs_register(Box::leak(Box::new(vfs)), 1), ffi::SQLITE_OK);
        }
    }

    unsafe fn base() -> *mut ffi::sqlite3_vfs {
        // SAFETY: the name ends with a zero.
        unsafe { ffi::sqlite3_vfs_find(c"unix".as_ptr()) }
    }

    /// File name without the folder.
    unsafe fn file_name(path: *const c_char) -> String {
        // SAFETY: SQLite's paths end with a zero.
        let path = unsafe { CStr::from_ptr(path) }.to_str().unwrap();
        Path::new(path).file_name().unwrap().to_str().unwrap().to_owned()
    }

    unsafe extern "C" fn open(
        _: *mut ffi::sqlite3_vfs,
        path: *const c_char,
        file: *mut ffi::sqlite3_file,
        flags: c_int,
        flags_out: *mut c_int,
    ) -> c_int {
        // SAFETY: the arguments are SQLite's own, for its own VFS. That has opened the file if it
        // succeeds, and does not read the table of methods, which is replaced by one that differs
        // in what is recorded.
        unsafe {
            let is_recorded =
                flags & (ffi::SQLITE_OPEN_MAIN_DB | ffi::SQLITE_OPEN_MAIN_JOURNAL | ffi::SQLITE_OPEN_WAL) != 0;
            let is_journal = flags & ffi::SQLITE_OPEN_MAIN_DB == 0;
            let is_new = is_recorded && !Path::new(CStr::from_ptr(path).to_str().unwrap()).exists();
            let result = (*base()).xOpen.unwrap()(base(), path, file, flags, flags_out);
            if result != ffi::SQLITE_OK || !is_recorded {
                return result;
            }
            let name = file_name(path);
            if is_new {
                record(Event::Create(name.clone()));
            }
            let methods: &'static ffi::sqlite3_io_methods = &*(*file).pMethods;
            let mut recording = *methods;
            // Without memory-mapped files.
            recording.iVersion = 2;
            recording.xClose = Some(close);
            recording.xWrite = Some(write);
            recording.xTruncate = Some(truncate);
            recording.xSync = Some(sync);
            (*file).pMethods = Box::leak(Box::new(recording));
            let open_file = OpenFile { name, methods, is_new_journal: is_new && is_journal };
            with(|state| state.files.insert(file as usize, open_file));
            result
        }
    }

    unsafe extern "C" fn delete(_: *mut ffi::sqlite3_vfs, path: *const c_char, sync_folder: c_int) -> c_int {
        // SAFETY: as in `open`.
        unsafe {
            let result = (*base()).xDelete.unwrap()(base(), path, sync_folder);
            if result == ffi::SQLITE_OK {
                record(Event::Delete(file_name(path)));
                if sync_folder != 0 {
                    record(Event::SyncFolder);
                }
            }
            result
        }
    }

    fn opened(file: *mut ffi::sqlite3_file) -> (String, &'static ffi::sqlite3_io_methods) {
        with(|state| {
            let open_file = &state.files[&(file as usize)];
            (open_file.name.clone(), open_file.methods)
        })
    }

    unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
        let open_file = with(|state| state.files.remove(&(file as usize)).unwrap());
        // SAFETY: the file was opened with these methods.
        unsafe {
            (*file).pMethods = open_file.methods;
            open_file.methods.xClose.unwrap()(file)
        }
    }

    unsafe extern "C" fn write(file: *mut ffi::sqlite3_file, data: *const c_void, length: c_int, offset: i64) -> c_int {
        let (name, methods) = opened(file);
        // SAFETY: SQLite passes as many bytes as it says, and the file was opened with these
        // methods.
        unsafe {
            let bytes = std::slice::from_raw_parts(data.cast::<u8>(), length as usize).to_vec();
            let offset_of = offset as usize;
            record(Event::Write { name, offset: offset_of, bytes });
            methods.xWrite.unwrap()(file, data, length, offset)
        }
    }

    unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, length: i64) -> c_int {
        let (name, methods) = opened(file);
        record(Event::Truncate { name, length: length as usize });
        // SAFETY: the file was opened with these methods.
        unsafe { methods.xTruncate.unwrap()(file, length) }
    }

    unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
        let (name, methods) = opened(file);
        // SAFETY: the file was opened with these methods.
        let result = unsafe { methods.xSync.unwrap()(file, flags) };
        record(Event::Sync(name));
        let is_new_journal = |state: &mut State| {
            let open_file = state.files.get_mut(&(file as usize)).unwrap();
            std::mem::take(&mut open_file.is_new_journal)
        };
        if with(is_new_journal) {
            record(Event::SyncFolder);
        }
        result
    }
}

/// Sectors are written whole or not at all.
const SECTOR: usize = 512;

/// What becomes of the writes that were not synchronized.
#[derive(Clone, Copy, Debug)]
enum Survivors {
    None,
    All,
    /// Each sector with probability 1/2, in the order of writing; the first of the created and
    /// deleted names.
    Some,
}

/// A file's contents on the disk, and the changes that are not there yet.
#[derive(Clone, Default)]
struct Contents {
    synced: Vec<u8>,
    pending: Vec<Event>,
}

impl Contents {
    fn sync(&mut self) {
        for event in std::mem::take(&mut self.pending) {
            apply(&mut self.synced, &event, |_| true);
        }
    }
}

/// Applies a change to the contents of a file: those sectors that `survives` chooses by their
/// offset.
fn apply(contents: &mut Vec<u8>, event: &Event, mut survives: impl FnMut(usize) -> bool) {
    match event {
        Event::Write { offset, bytes, .. } => {
            let mut start = *offset;
            let end = offset + bytes.len();
            while start < end {
                let next = (start / SECTOR + 1) * SECTOR;
                let part = &bytes[start - offset..next.min(end) - offset];
                if survives(start) {
                    let length = contents.len().max(start + part.len());
                    contents.resize(length, 0);
                    contents[start..start + part.len()].copy_from_slice(part);
                }
                start = next;
            }
        }
        Event::Truncate { length, .. } => {
            if survives(0) {
                contents.truncate(*length);
            }
        }
        _ => unreachable!("other events change no contents"),
    }
}

/// The folder after a power failure at the end of `events`: names and contents.
fn after_power_loss(events: &[Event], survivors: Survivors, random: &mut Stream) -> BTreeMap<String, Vec<u8>> {
    let mut files: Vec<Contents> = Vec::new();
    // Names on the disk, names that the running system sees, and the changes from the one to the
    // other.
    let (mut synced, mut names) = (BTreeMap::new(), BTreeMap::new());
    let mut pending: Vec<(String, Option<usize>)> = Vec::new();
    for event in events {
        match event {
            Event::Create(name) => {
                names.insert(name.clone(), files.len());
                pending.push((name.clone(), Some(files.len())));
                files.push(Contents::default());
            }
            Event::Delete(name) => {
                names.remove(name);
                pending.push((name.clone(), None));
            }
            Event::Write { name, .. } | Event::Truncate { name, .. } => files[names[name]].pending.push(event.clone()),
            Event::Sync(name) => files[names[name]].sync(),
            Event::SyncFolder => {
                synced.clone_from(&names);
                pending.clear();
            }
            Event::Reported(_) => {}
        }
    }
    let renamed = match survivors {
        Survivors::None => 0,
        Survivors::All => pending.len(),
        Survivors::Some => random.below(pending.len() + 1),
    };
    for (name, file) in pending.drain(..renamed) {
        match file {
            Some(file) => synced.insert(name, file),
            None => synced.remove(&name),
        };
    }
    let contents = synced.into_iter().map(|(name, file)| {
        let Contents { synced: mut contents, pending } = files[file].clone();
        for event in pending {
            apply(&mut contents, &event, |_| match survivors {
                Survivors::None => false,
                Survivors::All => true,
                Survivors::Some => random.below(2) == 0,
            });
        }
        (name, contents)
    });
    contents.collect()
}

const GAMES: u64 = 24;
/// Number of events in which the file gets its schema. The run is continued from all of these
/// moments, to this many games.
const NEW_FILE: usize = 30;
const FIRST_GAMES: u64 = 6;
const FILE: &str = "games.db";

/// Plays the run in two parts and records it. The file is created by the store, before SQLite sees
/// it.
fn record_run(folder: &Path) -> Vec<Event> {
    let settings = settings("chess", Material::None);
    recorder::install();
    recorder::start();
    recorder::record(Event::Create(FILE.to_owned()));
    for games in [GAMES / 2, GAMES] {
        let report = |progress: Progress<'_>| {
            let reported = progress.new.iter().map(|game| game.index).collect();
            recorder::record(Event::Reported(reported));
        };
        generate(&settings, &options(games, 1), &folder.join(FILE), report, &AtomicBool::new(false)).unwrap();
    }
    recorder::stop()
}

/// A folder with these files.
fn write_files(files: &BTreeMap<String, Vec<u8>>) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, contents) in files {
        fs::write(folder.path().join(name), contents).unwrap();
    }
    folder
}

#[test]
fn no_reported_game_is_lost_when_the_power_fails() {
    let folder = TempDir::new().unwrap();
    let events = record_run(folder.path());
    let expected = games(&folder.path().join(FILE));
    assert_eq!(expected.len() as u64, GAMES);
    let syncs = events.iter().filter(|event| matches!(event, Event::Sync(_))).count();
    // On a busy machine a transaction has several games, so there are fewer of them.
    assert!(events.len() > 50 && syncs > 8, "{} events, {syncs} syncs", events.len());

    let mut random = Stream::new(Purpose::Test, 2_026, 0);
    // The simulated disk does lose data: without synchronization of the log, all games would be
    // lost.
    let merged = events.iter().position(|event| matches!(event, Event::Delete(name) if name.ends_with("-wal")));
    let is_report = |event: &Event| matches!(event, Event::Reported(games) if !games.is_empty());
    let last_report = events[..merged.unwrap()].iter().rposition(is_report).unwrap();
    let is_log_sync = |event: &&Event| matches!(event, Event::Sync(name) if name.ends_with("-wal"));
    let careless: Vec<Event> = events[..last_report].iter().filter(|event| !is_log_sync(event)).cloned().collect();
    let copy = write_files(&after_power_loss(&careless, Survivors::None, &mut random));
    assert_eq!(games(&copy.path().join(FILE)), []);

    let (mut moments, mut continued, mut unreadable) = (0, 0, 0);
    for moment in 0..=events.len() {
        let reported: BTreeSet<u64> = events[..moment]
            .iter()
            .filter_map(|event| match event {
                Event::Reported(games) => Some(games.iter().copied()),
                _ => None,
            })
            .flatten()
            .collect();
        let times = if moment < NEW_FILE { 6 } else { 1 };
        let some = std::iter::repeat_n(Survivors::Some, times);
        for survivors in [Survivors::None, Survivors::All].into_iter().chain(some) {
            let place = format!("{survivors:?} after {moment} events");
            let disk = after_power_loss(&events[..moment], survivors, &mut random);
            moments += 1;
            let copy = write_files(&disk);
            match Store::open_read(&copy.path().join(FILE)) {
                Ok(store) => {
                    let found: Vec<GameRecord> = store.games().collect::<Result<_, _>>().unwrap();
                    assert!(found.iter().all(|game| expected.contains(game)), "{place}");
                    let indexes: BTreeSet<u64> = found.iter().map(|game| game.index).collect();
                    assert!(reported.is_subset(&indexes), "{place}: {reported:?} {indexes:?}");
                    assert_eq!(store.problems().unwrap(), Vec::<String>::new(), "{place}");
                }
                Err(error) => {
                    assert!(reported.is_empty(), "{place}: {error}");
                    unreadable += 1;
                }
            }
            if moment < NEW_FILE || random.below(16) == 0 {
                let copy = write_files(&disk);
                let path = copy.path().join(FILE);
                let run = settings("chess", Material::None);
                let planned = if moment < NEW_FILE { FIRST_GAMES } else { GAMES };
                let played = generate(&run, &options(planned, 2), &path, |_| {}, &AtomicBool::new(false));
                assert!(played.is_ok(), "{place}: {played:?}");
                assert!(games(&path) == expected[..planned as usize], "{place}: other games");
                continued += 1;
            }
        }
    }
    println!(
        "{} events, {syncs} syncs: {moments} power failures, {unreadable} before the file was complete; {continued} runs continued",
        events.len()
    );
    assert!(continued >= 30);
}
