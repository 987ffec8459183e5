//! Flags and keys of fastchess and cutechess-cli that `match` does not have.

use std::ffi::OsString;

use anyhow::{Result, bail};

/// Flags, without dashes, and what to do instead.
const FLAGS: &[(&str, &str)] = &[
    (
        "affinity",
        "the operating system places the engines; `taskset` restricts the processors",
    ),
    ("autosaveinterval", "every game is saved at once with -db FILE"),
    ("bookmode", "the book is read as a whole: -openings file=FILE"),
    ("config", "-db FILE stores the command, and -resume continues it"),
    ("crc32", "-pgnout FILE is replaced as a whole, when it is complete"),
    (
        "debug",
        "the faults of engines are in the run file (-db FILE) and in the report (-html FILE)",
    ),
    (
        "epdout",
        "`assay-selfplay export FILE --epd OUT` writes the positions of a run file (-db FILE)",
    ),
    ("force-concurrency", "any -concurrency is accepted"),
    (
        "livepgnout",
        "every game is saved at once with -db FILE, and -pgnout FILE is written at the end",
    ),
    (
        "log",
        "the games are in the run file (-db FILE), with the faults of engines",
    ),
    (
        "noswap",
        "the colors of a pair are always reversed; -norepeat plays each opening once",
    ),
    (
        "output",
        "the results have the form of fastchess; --json prints them as JSON",
    ),
    ("ponder", "engines do not ponder in matches"),
    ("quick", "expected two -engine, -each, -rounds and -concurrency"),
    (
        "ratinginterval",
        "Elo is always shown; --progress json prints it regularly",
    ),
    (
        "randomseed",
        "-seed N is the seed, 1 if it is absent; it is stored, so that the match can be repeated",
    ),
    ("report", "pairs are always reported; -html FILE writes a report"),
    ("reverse", "exchange the two -engine"),
    (
        "scoreinterval",
        "the score is always shown; --progress json prints it regularly",
    ),
    ("seeds", "a match has two engines"),
    (
        "show-latency",
        "timemargin=MS behind -engine or -each is the tolerance for late answers",
    ),
    ("site", "the PGN tag Site is always `?`; -event NAME sets the tag Event"),
    ("startup-ms", "an engine has a minute to start"),
    ("strict", "every fault of an engine loses its game"),
    (
        "tb",
        "games end by the rules, or by -resign, -draw and -maxmoves; there are no tablebases",
    ),
    (
        "tbadjudicate",
        "games end by the rules, or by -resign, -draw and -maxmoves; there are no tablebases",
    ),
    ("tbignore50", "there are no tablebases"),
    ("tbpieces", "there are no tablebases"),
    (
        "testEnv",
        "it concerns the output of fastchess; --json prints the results, --progress json their progress",
    ),
    ("tournament", "a match has two engines"),
    (
        "use-affinity",
        "the operating system places the engines; `taskset` restricts the processors",
    ),
    ("wait", "games begin without a pause"),
];

/// Settings behind flags, as typed or up to their `=`, and what to do instead.
const SETTINGS: &[(&str, &str)] = &[
    ("append=", "-pgnout FILE is replaced as a whole"),
    ("min=", "-pgnout FILE has the evaluation, depth and time of each move"),
    ("ponder", "engines do not ponder in matches"),
    ("proto=cecp", "expected a UCI engine (proto=uci, which is the default)"),
    (
        "proto=winboard",
        "expected a UCI engine (proto=uci, which is the default)",
    ),
    (
        "proto=xboard",
        "expected a UCI engine (proto=uci, which is the default)",
    ),
    (
        "restart=",
        "an engine runs until it crashes or hangs, and is then started again",
    ),
    ("whitepov=", "the results are from the first engine's point of view"),
];

/// Rejects flags and settings of fastchess and cutechess-cli that `match` does not have, with the alternative. `words` is the whole command
/// line with [normalized](super::normalize_flags) flags.
pub(crate) fn check_flags(words: &[OsString]) -> Result<()> {
    if words.get(1).is_none_or(|command| command != "match") {
        return Ok(());
    }
    for word in words[2..].iter().filter_map(|word| word.to_str()) {
        let flag = word
            .strip_prefix("--")
            .map(|flag| flag.split('=').next().unwrap_or(flag));
        if let Some((name, advice)) = FLAGS.iter().find(|(name, _)| flag == Some(name)) {
            bail!("-{name}: found a flag that `match` does not have; {advice}");
        }
        let is_setting = |name: &str| word == name || name.ends_with('=') && word.starts_with(name);
        if let Some((_, advice)) = SETTINGS.iter().find(|(name, _)| is_setting(name)) {
            bail!("found `{word}`, which `match` does not have; {advice}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::{StoredCommand, normalize_flags};
    use super::*;

    fn error(words: &str) -> Option<String> {
        let words = format!("assay-selfplay {words}");
        let words = normalize_flags(words.split_whitespace().map(OsString::from));
        check_flags(&words).err().map(|error| error.to_string())
    }

    #[test]
    fn flags_of_other_programs_name_the_alternative() {
        assert!(
            error("match chess -seeds 3 -engine cmd=x")
                .unwrap()
                .starts_with("-seeds: found a flag that `match` does not have; ")
        );
        assert_eq!(
            error("match chess --log=file=x"),
            error("match chess -log file=x realtime=false")
        );
        assert!(
            error("match chess -engine cmd=x restart=on")
                .unwrap()
                .starts_with("found `restart=on`, ")
        );
        assert!(
            error("match chess -engine cmd=x proto=xboard")
                .unwrap()
                .contains("expected a UCI engine")
        );
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
        for argument in StoredCommand::command().get_arguments() {
            let names = argument.get_long().into_iter();
            let names: Vec<&str> = names.chain(argument.get_all_aliases().unwrap_or_default()).collect();
            assert!(FLAGS.iter().all(|(flag, _)| !names.contains(flag)), "{names:?}");
        }
    }
}
