//! Flags and keys of fastchess and cutechess-cli that `match` does not have.

use std::ffi::OsString;

use anyhow::{Result, bail};

/// A flag or setting, a colon, and advice on each line. A setting that ends in `=` stands for any value.
const ADVICE: &str = include_str!("foreign.txt");

/// Rejects flags and settings that `match` does not have, with the alternative. `words` are those after `match`, with
/// two dashes before each flag.
///
/// # Errors
/// The first one that is found.
pub(super) fn check(words: &[OsString]) -> Result<()> {
    let lines = || ADVICE.lines().filter_map(|line| line.split_once(": "));
    for word in words.iter().filter_map(|word| word.to_str()) {
        let name = match word.strip_prefix('-').filter(|flag| flag.starts_with('-')) {
            Some(flag) => flag.split('=').next().unwrap_or(flag),
            None => word,
        };
        let is_meant = |known: &str| name == known || known.ends_with('=') && name.starts_with(known);
        if let Some((_, advice)) = lines().find(|(known, _)| is_meant(known)) {
            bail!("{name}: `match` does not have it; {advice}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::super::{Args, normalize_flags};
    use super::*;

    fn error(words: &str) -> Option<String> {
        let words = format!("assay-selfplay {words}");
        let words = normalize_flags(words.split_whitespace().map(OsString::from));
        words.err().map(|error| error.to_string())
    }

    #[test]
    fn flags_of_other_programs_name_the_alternative() {
        assert_eq!(
            error("match chess -wait 3 -engine cmd=x").as_deref(),
            Some("-wait: `match` does not have it; games begin without a pause")
        );
        assert_eq!(
            error("match chess --log=file=x"),
            error("match chess -log file=x realtime=false")
        );
        let restart = error("match chess -engine cmd=x restart=on").unwrap();
        assert!(
            restart.starts_with("restart=on: `match` does not have it; "),
            "{restart}"
        );
        let protocol = error("--progress json match chess -engine cmd=x proto=xboard").unwrap();
        assert!(protocol.contains("expected a UCI engine"), "{protocol}");
        for words in [
            "match chess -engine cmd=x variant=chess proto=uci -rounds 2",
            "export -variant",
            "match -help",
        ] {
            assert_eq!(error(words), None, "{words}");
        }
    }

    #[test]
    fn no_flag_of_match_is_rejected() {
        for argument in Args::augment_args(clap::Command::new("match")).get_arguments() {
            let names = argument.get_long().into_iter();
            for name in names.chain(argument.get_all_aliases().unwrap_or_default()) {
                let flag = format!("\n-{name}: ");
                assert!(!ADVICE.contains(&flag), "{name}");
            }
        }
    }
}
