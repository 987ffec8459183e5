//! The command line of an engine, and the files that it names.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The command line of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineCommand {
    /// The program as typed.
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Working directory; `None` for the current one.
    pub folder: Option<PathBuf>,
}

/// A command line without a program.
#[derive(Debug, Error)]
#[error("command: found `{0}`, expected a program and its arguments")]
pub struct CommandError(String);

impl FromStr for EngineCommand {
    type Err = CommandError;

    /// Splits a command line into words as a shell does; quotes keep a word together.
    fn from_str(text: &str) -> Result<EngineCommand, CommandError> {
        let mut words = shell_words::split(text).unwrap_or_default().into_iter();
        let program = words.next().ok_or_else(|| CommandError(text.to_owned()))?;
        Ok(EngineCommand { program: PathBuf::from(program), arguments: words.collect(), folder: None })
    }
}

/// Finds the file of a program. A path is relative to the working directory of the engine; a name
/// without folder is searched in `PATH`.
pub fn find_program(command: &EngineCommand) -> Option<PathBuf> {
    let program = &command.program;
    if program.components().count() > 1 {
        return Some(in_folder(command, program));
    }
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Finds the regular file that the value of a string option names: in the engine's working
/// directory, or beside the program, where Stockfish also searches.
pub fn find_option_file(command: &EngineCommand, value: &str) -> Option<PathBuf> {
    let beside_program = || Some(find_program(command)?.parent()?.join(value));
    let in_folder = Some(in_folder(command, Path::new(value))).filter(|path| path.is_file());
    in_folder.or_else(|| beside_program().filter(|path| path.is_file()))
}

/// A path as the engine sees it.
fn in_folder(command: &EngineCommand, path: &Path) -> PathBuf {
    command.folder.as_ref().map_or_else(|| path.to_owned(), |folder| folder.join(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_files_as_the_engine_does() {
        let folder = tempfile::tempdir().unwrap();
        let command = |program: &str, folder: Option<&Path>| EngineCommand {
            program: PathBuf::from(program),
            arguments: Vec::new(),
            folder: folder.map(Path::to_owned),
        };
        for name in ["engine", "a.network"] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        let inside = command("./engine", Some(folder.path()));
        assert_eq!(find_program(&inside), Some(folder.path().join("./engine")));
        let network = folder.path().join("a.network");
        assert_eq!(find_option_file(&inside, "a.network"), Some(network.clone()));
        let outside = command(folder.path().join("engine").to_str().unwrap(), None);
        assert_eq!(find_option_file(&outside, "a.network"), Some(network));
        for value in ["", "<empty>", "b.network", "."] {
            assert_eq!(find_option_file(&inside, value), None, "{value}");
        }
    }
}
