//! Subcommands that every program has.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{CommandFactory, Subcommand};
use clap_complete::Shell;

use crate::{Exit, output};

/// Subcommands that every program has; add them with `#[command(flatten)]`.
#[derive(Clone, Debug, Subcommand)]
pub enum SharedCommand {
    /// Print a completion script for a shell
    ///
    /// For bash, save it as ~/.local/share/bash-completion/completions/PROGRAM; for fish, as
    /// ~/.config/fish/completions/PROGRAM.fish; for zsh, as _PROGRAM in a folder of $fpath.
    Completions {
        /// Shell that reads the script
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write man pages, one file for each subcommand
    Man {
        /// Folder to write to; created if missing
        #[arg(long, value_name = "DIR", default_value = ".", value_hint = clap::ValueHint::DirPath)]
        out: PathBuf,
    },
}

impl SharedCommand {
    /// Runs the subcommand for the program `P`.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run<P: CommandFactory>(&self) -> Result<Exit> {
        let mut command = P::command();
        match self {
            SharedCommand::Completions { shell } => {
                let name = command.get_name().to_owned();
                let mut script = Vec::new();
                clap_complete::generate(*shell, &mut command, name, &mut script);
                output::print(String::from_utf8_lossy(&script))?;
            }
            SharedCommand::Man { out } => {
                let write = || {
                    std::fs::create_dir_all(out)?;
                    clap_mangen::generate_to(command, out)
                };
                write().with_context(|| format!("--out {}", out.display()))?;
            }
        }
        Ok(Exit::Success)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    /// A program of one subcommand.
    #[derive(Parser)]
    #[command(name = "sample")]
    struct Sample {
        #[command(subcommand)]
        command: SharedCommand,
    }

    #[test]
    fn writes_a_man_page_for_each_subcommand() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new/man1");
        let sample = Sample::parse_from(["sample", "man", "--out", out.to_str().unwrap()]);
        assert_eq!(sample.command.run::<Sample>().unwrap(), Exit::Success);
        let mut names: Vec<_> = std::fs::read_dir(&out)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["sample-completions.1", "sample-man.1", "sample.1"]);
    }
}
