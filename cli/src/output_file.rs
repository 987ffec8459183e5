//! Output files: checked before the work, and replaced only as a whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use tempfile::NamedTempFile;

/// First bytes of the files that an option writes, by which an existing file of the same kind is
/// recognized.
fn beginnings(option: &str) -> &'static [&'static [u8]] {
    match option {
        "--html" => &[b"<!DOCTYPE html"],
        "--svg" => &[b"<svg "],
        "--junit" => &[b"<?xml "],
        "--csv" => &[b"pair,game,"],
        // Weights and networks.
        "--out" => &[b"# Evaluation weights" as &[u8], b"\x93AssayNN"],
        _ => &[],
    }
}

/// Checks before any work is done that the `outputs` of a command could be written afterwards and
/// would overwrite neither an input, nor each other, nor a file of another kind than the option
/// writes, such as a definition. An output is an option with its path, if it is given.
///
/// # Errors
/// As [`check_places`], and if an output is an existing file of another kind.
pub fn check(
    outputs: &[(&str, Option<&Path>)],
    inputs: impl IntoIterator<Item = impl AsRef<Path>, IntoIter: Clone>,
) -> Result<()> {
    check_places(outputs, inputs)?;
    for (option, path) in outputs {
        let Some(path) = path.filter(|path| path.is_file()) else {
            continue;
        };
        let mut start = Vec::new();
        let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut start));
        read.with_context(|| format!("{option} {}", path.display()))?;
        ensure!(
            start.is_empty() || beginnings(option).iter().any(|begin| start.starts_with(begin)),
            "{option} {}: found a file of another kind; remove it or choose another name",
            path.display()
        );
    }
    Ok(())
}

/// Checks that `outputs` could be written and would overwrite neither an input nor each other.
///
/// # Errors
/// If an output is `-`, its folder does not exist or cannot be written, it is a folder, or it is
/// the same file as one of `inputs` or another output.
pub fn check_places(
    outputs: &[(&str, Option<&Path>)],
    inputs: impl IntoIterator<Item = impl AsRef<Path>, IntoIter: Clone>,
) -> Result<()> {
    let inputs = inputs.into_iter();
    let given = || outputs.iter().filter_map(|&(option, path)| Some((option, path?)));
    for (index, (option, path)) in given().enumerate() {
        let named = || format!("{option} {}", path.display());
        check_name(path).with_context(|| option.to_owned())?;
        check_place(path).with_context(named)?;
        if is_device(path) {
            continue;
        }
        ensure!(
            !inputs.clone().any(|input| is_same_file(path, input.as_ref())),
            "{}: found an input file, expected another file",
            named()
        );
        if let Some((other, _)) = given().take(index).find(|(_, other)| is_same_file(path, other)) {
            bail!("{}: found the file of {other}, expected another file", named());
        }
        // Created and removed at once.
        PartFile::create(&target(path)).with_context(named)?;
    }
    Ok(())
}

/// Checks that a path is the name of a file. `-` means standard output to many programs; one that
/// cannot write there must not create a file of that name.
///
/// # Errors
/// If the path is `-`.
pub fn check_name(path: &Path) -> Result<()> {
    ensure!(path != Path::new("-"), "found `-`, expected the name of a file");
    Ok(())
}

fn check_place(path: &Path) -> Result<()> {
    let folder = folder(path);
    ensure!(folder.is_dir(), "found no folder {}, expected one that exists", folder.display());
    ensure!(!path.is_dir(), "found a folder, expected the name of a file");
    Ok(())
}

/// The folder of a file; `.` for a bare name.
fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Returns true for a device or a pipe, such as `/dev/stdout`, which holds nothing that could be
/// overwritten.
fn is_device(path: &Path) -> bool {
    path.exists() && !path.is_file()
}

/// The file that a link points to, or the path itself.
fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns true if both paths lead to the same file, or would if it existed: through links, too.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let resolved = |path: &Path| -> io::Result<PathBuf> {
        fs::canonicalize(path).or_else(|_| {
            let folder = fs::canonicalize(folder(path))?;
            Ok(folder.join(path.file_name().unwrap_or_default()))
        })
    };
    match (resolved(one), resolved(other)) {
        (Ok(one), Ok(other)) => one == other || is_hard_link(&one, &other),
        _ => false,
    }
}

#[cfg(unix)]
fn is_hard_link(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()));
    matches!((identity(one), identity(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(not(unix))]
fn is_hard_link(_: &Path, _: &Path) -> bool {
    false
}

/// Writes a temporary file beside `path` and renames it when its contents are on disk, so that a
/// failure leaves an existing file unchanged. Through a symbolic link, the file that it points to
/// is replaced. A device or a pipe, such as `/dev/stdout`, is written directly. As those of
/// `std::fs`, the errors do not name the file: the caller does.
///
/// # Errors
/// Those of `write`, and if the file cannot be written.
pub fn write<T>(path: &Path, write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>) -> Result<T> {
    if is_device(path) {
        let mut out = BufWriter::new(File::create(path)?);
        let value = write(&mut out)?;
        out.flush()?;
        return Ok(value);
    }
    let part = PartFile::create(&target(path))?;
    let mut out = BufWriter::new(part.handle()?);
    let value = write(&mut out)?;
    out.flush()?;
    part.replace()?;
    Ok(value)
}

/// Writes the file that an option names, as [`write()`] does; the errors begin with the option and
/// the path.
///
/// # Errors
/// If the file cannot be written.
pub fn write_contents(option: &str, path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    write(path, |out| Ok(out.write_all(contents.as_ref())?)).with_context(|| format!("{option} {}", path.display()))
}

/// A file that is being written beside its final path, under a name that no other file has. It is
/// removed when it is dropped.
#[derive(Debug)]
pub struct PartFile {
    file: NamedTempFile,
    path: PathBuf,
}

impl PartFile {
    /// Creates a temporary file in the folder of `path`.
    ///
    /// # Errors
    /// If `path` has no file name or the file cannot be created.
    pub fn create(path: &Path) -> Result<PartFile> {
        let mut prefix = path.file_name().context("found a path without a file name")?.to_owned();
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".part");
        // The permissions of other new files, instead of those of temporary files, which only their
        // owner may read.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        Ok(PartFile { file: builder.tempfile_in(folder(path))?, path: path.to_owned() })
    }

    /// The path of the temporary file, for what writes by path.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// A handle to write through.
    ///
    /// # Errors
    /// If the system has no more handles.
    pub fn handle(&self) -> io::Result<File> {
        self.file.as_file().try_clone()
    }

    /// Renames the file to its final path when its contents are on disk; replaces an existing file.
    ///
    /// # Errors
    /// If the file cannot be written or renamed.
    pub fn replace(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path)?;
        Ok(())
    }

    /// Renames the file to its final path when its contents are on disk, unless a file exists
    /// there.
    ///
    /// # Errors
    /// If a file exists, or the file cannot be written or renamed.
    pub fn place_new(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        match self.file.persist_noclobber(&self.path) {
            Ok(_) => Ok(()),
            // Some file systems can neither link nor rename without replacing.
            Err(failed) if failed.error.kind() != io::ErrorKind::AlreadyExists && !self.path.exists() => {
                failed.file.persist(&self.path)?;
                Ok(())
            }
            Err(failed) => Err(failed.error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_text(path: &Path, text: &str) -> Result<()> {
        write(path, |out| Ok(out.write_all(text.as_bytes())?))
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_failure_keeps_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_text(&path, "old").unwrap();
        let failure: Result<()> = write(&path, |out| {
            out.write_all(b"new")?;
            bail!("no more")
        });
        assert_eq!(failure.unwrap_err().to_string(), "no more");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn other_files_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a.txt"), folder.path().join("a.txt.part"));
        fs::write(&other, "other").unwrap();
        write_text(&path, "one").unwrap();
        write_text(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_to_string(&other).unwrap(), "other");
        assert_eq!(names(folder.path()), ["a.txt", "a.txt.part"]);
    }

    #[test]
    fn a_new_file_replaces_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        PartFile::create(&path).unwrap().place_new().unwrap();
        let error = PartFile::create(&path).unwrap().place_new().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    #[cfg(unix)]
    fn permissions_are_those_of_a_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("a.txt"), folder.path().join("b.txt"));
        write_text(&one, "").unwrap();
        fs::write(&other, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&one), mode(&other));
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_text(&path, "old").unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_text(&link, "new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    fn error(outputs: &[(&str, Option<&Path>)], inputs: &[&Path]) -> String {
        format!("{:#}", check(outputs, inputs).unwrap_err())
    }

    #[test]
    fn missing_folders_are_found_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let error = |path: &Path| error(&[("--csv", None), ("--svg", Some(path))], &[]);
        let path = folder.path();
        let expected = format!("--svg {}: found a folder, ", path.display());
        assert!(error(path).starts_with(&expected), "{}", error(path));
        let path = &folder.path().join("none/a.txt");
        let expected = format!("--svg {}: found no folder ", path.display());
        assert!(error(path).starts_with(&expected), "{}", error(path));
        check(&[("--svg", Some(Path::new("a.txt"))), ("--csv", None)], [] as [&Path; 0]).unwrap();
    }

    #[test]
    fn standard_output_is_not_a_file() {
        let found = error(&[("--svg", Some(Path::new("-")))], &[]);
        assert_eq!(found, "--svg: found `-`, expected the name of a file");
        check(&[("--svg", Some(Path::new("./-")))], [] as [&Path; 0]).unwrap();
    }

    #[test]
    fn inputs_and_other_outputs_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("in.db"), "games").unwrap();
        fs::hard_link(path("in.db"), path("hard")).unwrap();
        fs::create_dir(path("sub")).unwrap();
        let inputs = [path("in.db"), path("later.db")];
        let inputs = [inputs[0].as_path(), inputs[1].as_path()];
        let mut same = vec!["in.db", "sub/../in.db", "later.db", "sub/../later.db"];
        if cfg!(unix) {
            same.push("hard");
        }
        for name in same {
            let found = error(&[("--csv", Some(&path(name)))], &inputs);
            assert!(found.ends_with(&format!("{name}: found an input file, expected another file")), "{found}");
        }
        let found = error(&[("--svg", Some(&path("new"))), ("--html", Some(&path("sub/../new")))], &inputs);
        assert!(found.ends_with("sub/../new: found the file of --svg, expected another file"), "{found}");
        check(&[("--svg", Some(&path("one"))), ("--html", Some(&path("two")))], inputs).unwrap();
    }

    #[test]
    fn only_files_of_the_same_kind_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my-game.toml");
        for (text, is_kept) in [
            ("name = \"my-game\"\n", true),
            ("# Evaluation weights in centipawns\n", false),
            ("", false),
            ("<svg xmlns=", true),
            ("SQLite format 3\0", true),
        ] {
            fs::write(&path, text).unwrap();
            let checked = check(&[("--out", Some(&path))], [] as [&Path; 0]);
            assert_eq!(checked.is_err(), is_kept, "{text}");
            check_places(&[("--out", Some(&path))], [] as [&Path; 0]).unwrap();
        }
    }

    #[test]
    #[cfg(unix)]
    fn links_to_inputs_are_inputs_and_devices_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("in.db"), folder.path().join("link"));
        fs::write(&path, "games").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(error(&[("--csv", Some(&link))], &[&path]).contains("found an input file"));
        assert!(error(&[("--csv", Some(&path))], &[&link]).contains("found an input file"));
        let null = Path::new("/dev/null");
        check(&[("--csv", Some(null)), ("--svg", Some(null))], [null]).unwrap();
    }
}
