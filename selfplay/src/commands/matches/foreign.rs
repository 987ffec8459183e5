//! Flags as fastchess and cutechess-cli have them, and those that `match` does not have.

use std::ffi::OsString;

use anyhow::Result;
use clap::error::ErrorKind;

/// A flag, or a flag and one of its words, a colon, and advice on each line. A word that ends in `=` stands for any value.
const ADVICE: &str = include_str!("foreign.txt");

/// Prepares the command line of `match`, program name included, for clap: adds a dash to long flags that have only one.
/// `match` without arguments becomes `match --help`.
///
/// # Errors
/// If there is a flag of fastchess or cutechess-cli that `match` does not have.
pub(crate) fn normalize_flags(words: impl IntoIterator<Item = OsString>) -> Result<Vec<OsString>> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    // `--progress`, the flag of the whole program, may precede the command.
    let before = match words.get(1).and_then(|word| word.to_str()) {
        Some("--progress") => 2,
        Some(word) if word.starts_with("--progress=") => 1,
        _ => 0,
    };
    if words.get(1 + before).is_none_or(|command| command != "match" && command != "tournament") {
        return Ok(words);
    }
    for word in &mut words[before + 2..] {
        let is_flag = word
            .to_str()
            .and_then(|text| text.strip_prefix('-'))
            .is_some_and(|name| name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic()));
        if is_flag {
            *word = format!("-{}", word.to_string_lossy()).into();
        }
    }
    check(&words[before + 2..])?;
    if words.len() == before + 2 {
        words.push(OsString::from("--help"));
    }
    Ok(words)
}

/// Rejects flags and settings that `match` does not have, with the alternative to each. `words` are those after `match`, with
/// two dashes before each flag.
///
/// # Errors
/// All that are found, each on a line.
fn check(words: &[OsString]) -> Result<()> {
    let mut flag = String::new();
    let mut found = Vec::new();
    for word in words.iter().filter_map(|word| word.to_str()) {
        let (name, advice) = match word.strip_prefix('-').filter(|word| word.starts_with('-')) {
            Some(word) => {
                let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
                // The settings of `--each` are those of `--engine`.
                flag = name.replace("-each", "-engine");
                // `--log=compress=true` is `--log compress=true`.
                match (advice_on(name), value) {
                    (None, Some(value)) => (value, advice_on(&format!("{flag} {value}"))),
                    (advice, _) => (name, advice),
                }
            }
            None => (word, advice_on(&format!("{flag} {word}")).or_else(|| advice_on(word))),
        };
        if let Some(advice) = advice {
            found.push(format!("{name}: `match` does not have it; {advice}"));
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    found.dedup();
    Err(clap::Error::raw(ErrorKind::UnknownArgument, found.join("\n") + "\n").into())
}

fn advice_on(found: &str) -> Option<&'static str> {
    let mut lines = ADVICE.lines().filter_map(|line| line.split_once(": "));
    let is_meant = |known: &str| found == known || known.ends_with('=') && found.starts_with(known);
    lines.find_map(|(known, advice)| is_meant(known).then_some(advice))
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::super::Args;
    use super::*;

    fn normalized(words: &str) -> Result<Vec<OsString>> {
        let words = format!("assay-selfplay {words}");
        normalize_flags(words.split_whitespace().map(OsString::from))
    }

    fn error(words: &str) -> Option<String> {
        let error = normalized(words).err()?.to_string();
        Some(error.trim_start_matches("error: ").trim_end().to_owned())
    }

    #[test]
    fn flags_of_other_programs_name_the_alternative() {
        assert_eq!(
            error("match chess -reverse -engine cmd=x").as_deref(),
            Some("-reverse: `match` does not have it; exchange the two -engine")
        );
        assert_eq!(error("match chess --outcomeinterval=4"), error("match chess -outcomeinterval 4"));
        let both = error("--progress json match chess -engine cmd=x whitepov -log x compress=true").unwrap();
        let lines: Vec<&str> = both.lines().collect();
        assert_eq!(lines.len(), 2, "{both}");
        assert!(lines[0].starts_with("whitepov: `match` does not have it; "), "{both}");
        assert!(lines[1].starts_with("compress=true: `match` does not have it; "), "{both}");
        for words in [
            "match chess -engine cmd=x variant=chess proto=uci -rounds 2",
            "match chess -engine cmd=x proto=xboard -log file=x append=true",
            "export -variant",
            "match -help",
        ] {
            assert_eq!(error(words), None, "{words}");
        }
    }

    /// The options of cutechess-cli 1.5.1 and fastchess 1.8.2, with their keys.
    const OTHERS: [&str; 2] = [
        "help version engines engine:conf,name,cmd,dir,arg,initstr,stderr,restart,trust,proto,tc,st,timemargin,book,bookdepth,\
         whitepov,depth,nodes,ponder,tscale,debug,option.Hash each variant concurrency draw:movenumber,movecount,score \
         resign:movecount,score,twosided maxmoves tb tbpieces tbignore50 tournament event games rounds \
         sprt:elo0,elo1,alpha,beta ratinginterval outcomeinterval debug openings:file,format,order,plies,start,policy bookmode \
         pgnout:min,fi epdout recover repeat noswap reverse seeds site srand wait resultformat",
        "engine:cmd,name,tc,st,timemargin,nodes,plies,depth,dir,args,restart,option.Hash,proto each \
         pgnout:file,append,nodes,seldepth,nps,hashfull,tbhits,timeleft,latency,min,notation,match_line,pv epdout:file,append \
         openings:file,format,order,plies,start,policy sprt:elo0,elo1,alpha,beta,model draw:movenumber,movecount,score \
         resign:movecount,twosided,score maxmoves tb tbpieces tbignore50 tbadjudicate autosaveinterval \
         log:file,level,append,compress,realtime,engine config:file,outname,discard,stats report:penta output:format concurrency \
         crc32:pgn force-concurrency event site games rounds wait noswap reverse ratinginterval scoreinterval srand seeds version \
         v help recover repeat variant tournament quick:cmd,book use-affinity check-mate-pvs show-latency debug compliance testEnv strict \
         startup-ms ucinewgame-ms ping-ms",
    ];

    /// The rows of the table in `docs/matches.md`: an example, and whether `match` has the option.
    fn table() -> Vec<(Vec<&'static str>, bool)> {
        let rows = include_str!("../../../../docs/matches.md").lines().filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let example = cells.get(1)?.strip_prefix('`')?.strip_suffix('`')?;
            Some((example.split(' ').collect(), !cells[3].starts_with("no;")))
        });
        rows.collect()
    }

    #[test]
    fn every_option_of_the_other_programs_is_documented_as_it_is_treated() {
        let table = table();
        for (example, is_known) in &table {
            let game = if example[0] == "-variant" { "" } else { "chess" };
            let words = format!("match {game} {}", example.join(" "));
            let parsed = normalized(&words).map(|words| {
                let command = Args::augment_args(clap::Command::new("match"));
                command.try_get_matches_from(&words[1..]).map_or_else(|error| error.kind(), |_| ErrorKind::DisplayHelp)
            });
            match parsed {
                Ok(parsed) => assert!(*is_known && parsed == ErrorKind::DisplayHelp, "{words}: {parsed:?}"),
                Err(error) => assert!(!is_known, "{words}: {error}"),
            }
        }
        for option in OTHERS.iter().flat_map(|options| options.split_whitespace()) {
            let (flag, keys) = option.split_once(':').unwrap_or((option, ""));
            for key in keys.split(',') {
                let is_key = |word: &&str| word.split('=').next() == Some(key);
                let has_row = |(example, _): &(Vec<&str>, bool)| {
                    example[0] == format!("-{flag}") && (key.is_empty() || example.iter().any(is_key))
                };
                assert!(table.iter().any(has_row), "docs/matches.md has no row for -{flag} {key}");
            }
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
