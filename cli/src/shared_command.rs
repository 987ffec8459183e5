//! Subcommands that every program has.

use anyhow::Result;
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
}

impl SharedCommand {
    /// Runs the subcommand for the program `P`.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run<P: CommandFactory>(&self) -> Result<Exit> {
        let SharedCommand::Completions { shell } = self;
        output::print(completions(*shell, &mut P::command()))?;
        Ok(Exit::Success)
    }
}

/// The completion script of a program.
fn completions(shell: Shell, command: &mut clap::Command) -> String {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, command, &name, &mut script);
    let script = String::from_utf8_lossy(&script);
    match shell {
        // clap_complete writes a hyphen of the program's name in two ways, so that no subcommand is
        // found.
        Shell::Bash => script.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__")),
        _ => script.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use clap::Parser;

    use super::*;

    /// A program with a hyphen in its name as the real ones.
    #[derive(Parser)]
    #[command(name = "assay-sample")]
    enum Sample {
        Export {
            #[arg(long)]
            out: String,
        },
        #[command(flatten)]
        Shared(SharedCommand),
    }

    /// Words typed before the Tab key, and a completion that the shell must offer.
    const COMPLETIONS: [(&str, &str); 3] = [
        ("assay-sample com", "completions"),
        ("assay-sample export --o", "--out"),
        ("assay-sample export --", "--help"),
    ];

    const BASH: &str = r#"source $0; words=($1); COMP_WORDS=("${words[@]}"); COMP_CWORD=$((${#words[@]} - 1))
        complete=$(complete -p assay-sample); function=${complete#*-F }; ${function%% *} assay-sample "${words[-1]}" "${words[-2]}"
        echo "${COMPREPLY[@]}""#;
    const FISH: &str = "source $argv[1]; complete -C $argv[2]";
    /// Completions of zsh need a terminal. Reading ends when the completion appears, or when the
    /// time is over.
    const ZSH: &str = r#"zmodload zsh/zpty; zpty shell zsh -f -i
        zpty -w shell "PS1=; autoload -U compinit; compinit -u -D; source $0; compdef _assay-sample assay-sample; echo $((6 * 7))ready"
        zpty -r -m shell text "*42ready*"; zpty -w -n shell "$1"$'\t'; zpty -r -m shell text "*${2#${1##* }}*"; echo $2"#;

    #[test]
    fn shells_complete_after_a_subcommand() {
        let folder = tempfile::tempdir().unwrap();
        for (shell, name, flag, program) in
            [(Shell::Bash, "bash", "-c", BASH), (Shell::Fish, "fish", "-c", FISH), (Shell::Zsh, "zsh", "-fc", ZSH)]
        {
            let script = folder.path().join(name);
            std::fs::write(&script, completions(shell, &mut Sample::command())).unwrap();
            for (typed, completion) in COMPLETIONS {
                let mut command = Command::new("timeout");
                command.args(["60", name, flag, program]).arg(&script).args([typed, completion]);
                let output = command.output().unwrap();
                if output.status.code() == Some(127) {
                    eprintln!("skipped: {name} is not installed");
                    break;
                }
                let offered = String::from_utf8_lossy(&output.stdout).into_owned();
                assert!(
                    offered.split_whitespace().any(|word| word == completion),
                    "{name}, {typed}: {offered}{}",
                    String::from_utf8_lossy(&output.stderr)
                );
            }
        }
    }
}
