//! Flags as fastchess and cutechess-cli have them, and those that `match` does not have.

use std::ffi::OsString;

use anyhow::Result;
use clap::error::ErrorKind;
use indexmap::IndexSet;

/// See the head of the file.
const FOREIGN: &str = include_str!("foreign.txt");

/// A line of the list.
#[derive(Clone, Copy, Debug)]
struct Foreign {
    /// `=` has no effect because `match` does so anyway, `~` is left out with a warning, `!` is an
    /// error.
    sign: &'static str,
    takes_words: bool,
    advice: Option<&'static str>,
}

/// A command line of `match` that clap can read.
#[derive(Debug)]
pub(crate) struct Normalized {
    pub(crate) words: Vec<OsString>,
    /// What was left out, for a warning; empty if nothing was.
    pub(crate) ignored: String,
}

/// Prepares the command line of `match`, program name included, for clap: adds a dash to long flags
/// that have only one, and leaves out flags of fastchess and cutechess-cli that cannot change a
/// result. `match` without arguments becomes `match --help`.
///
/// # Errors
/// If there is a flag of these programs that `match` does not have and that could change results;
/// all are named, each on a line.
pub(crate) fn normalize_flags(words: impl IntoIterator<Item = OsString>) -> Result<Normalized> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    // `--progress`, the flag of the whole program, may precede the command.
    let before = match words.get(1).and_then(|word| word.to_str()) {
        Some("--progress") => 2,
        Some(word) if word.starts_with("--progress=") => 1,
        _ => 0,
    };
    if words.get(1 + before).is_none_or(|command| command != "match" && command != "tournament") {
        return Ok(Normalized { words, ignored: String::new() });
    }
    let arguments = quick(words.split_off(before + 2));
    if arguments.is_empty() {
        words.push(OsString::from("--help"));
    }
    let (mut ignored, mut refused) = (Vec::new(), Vec::new());
    let mut report = |name: &str, Foreign { sign, advice, .. }| match sign {
        "~" => ignored.push(advice.map_or_else(|| name.to_owned(), |why| format!("{name} ({why})"))),
        "!" => refused.push(format!("{name}: `match` does not have it; {}", advice.unwrap_or_default())),
        _ => {}
    };
    // A flag that is left out takes a word, and any number of settings.
    let (mut flag, mut takes_word, mut takes_settings) = (String::new(), false, false);
    // The number of words with a flag of which a setting was left out, which goes with the last of
    // them.
    let mut emptied = usize::MAX;
    let drop_emptied = |words: &mut Vec<OsString>, emptied: usize| {
        if words.len() == emptied {
            words.pop();
        }
    };
    for word in arguments {
        let Some(text) = word.to_str() else {
            words.push(word);
            continue;
        };
        if is_flag(text) {
            drop_emptied(&mut words, std::mem::replace(&mut emptied, usize::MAX));
            let name = text.trim_start_matches('-');
            let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            // The settings of `--each` are those of `--engine`.
            flag = format!("-{}", if name == "each" { "engine" } else { name });
            // `--log=compress=true` is `--log compress=true`.
            let of_value = value.and_then(|value| Some((value, find(&format!("{flag} {value}"))?)));
            let found = find(&flag).map(|known| (flag.as_str(), known)).or(of_value);
            takes_settings = found.is_some_and(|(_, known)| known.takes_words);
            takes_word = takes_settings && value.is_none();
            match found {
                Some((name, known)) => report(name, known),
                None => words.push(format!("--{}", text.trim_start_matches('-')).into()),
            }
        } else if let Some(known) = find(&format!("{flag} {text}")) {
            report(text, known);
            if words.last().is_some_and(|last| is_flag(&last.to_string_lossy())) {
                emptied = words.len();
            }
        } else if !(std::mem::take(&mut takes_word) || takes_settings && text.contains('=')) {
            words.push(word);
        }
    }
    drop_emptied(&mut words, emptied);
    if refused.is_empty() {
        let ignored: IndexSet<String> = ignored.into_iter().collect();
        let ignored: Vec<String> = ignored.into_iter().collect();
        return Ok(Normalized { words, ignored: ignored.join(", ") });
    }
    refused.dedup();
    Err(clap::Error::raw(ErrorKind::UnknownArgument, refused.join("\n") + "\n").into())
}

/// A dash or two and a letter; a shorter word is a short flag, or a number.
fn is_flag(word: &str) -> bool {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-').filter(|name| name.len() > 1));
    name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())) || word == "-v"
}

/// Replaces fastchess's `-quick cmd=A cmd=B book=FILE` by the flags for which it stands.
fn quick(words: Vec<OsString>) -> Vec<OsString> {
    const STANDS_FOR: &str = "-each tc=10+0.1 -rounds 25000 -draw movenumber=30 movecount=8 score=8 -concurrency";
    let mut all = Vec::new();
    let mut is_quick = false;
    for word in words {
        let text = word.to_string_lossy();
        if is_flag(&text) {
            is_quick = text.trim_start_matches('-') == "quick";
        }
        match text.split_once('=') {
            _ if !is_quick => all.push(word),
            Some(("cmd", _)) => all.extend(["-engine".into(), word]),
            Some(("book", file)) => {
                all.extend(["-openings".into(), format!("file={file}").into(), "order=random".into()]);
            }
            None if is_flag(&text) => {
                let processors = std::thread::available_parallelism().map_or(1, usize::from);
                all.extend(STANDS_FOR.split(' ').map(OsString::from));
                all.push(processors.saturating_sub(2).max(1).to_string().into());
            }
            _ => all.push(word),
        }
    }
    all
}

/// What the list says about `-FLAG` or `-FLAG WORD`; `None` for what `match` reads.
fn find(found: &str) -> Option<Foreign> {
    FOREIGN.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let (sign, rest) = line.split_once(' ')?;
        let (known, advice) = rest.split_once(": ").map_or((rest, None), |(known, advice)| (known, Some(advice)));
        let (known, takes_words) = known.strip_suffix(" VALUE").map_or((known, false), |flag| (flag, true));
        let is_meant = found == known || known.ends_with('=') && found.starts_with(known);
        is_meant.then_some(Foreign { sign, takes_words, advice })
    })
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::super::Args;
    use super::*;

    fn normalized(words: &str) -> Result<Normalized> {
        let words = format!("assay-selfplay {words}");
        normalize_flags(words.split_whitespace().map(OsString::from))
    }

    fn ignored(words: &str) -> String {
        normalized(words).unwrap().ignored
    }

    fn error(words: &str) -> Option<String> {
        let error = normalized(words).err()?.to_string();
        Some(error.trim_start_matches("error: ").trim_end().to_owned())
    }

    #[test]
    fn flags_of_other_programs_name_the_alternative() {
        assert_eq!(
            error("match chess -engine cmd=x -tb /tables -tbpieces 5").as_deref(),
            Some(
                "-tb: `match` does not have it; games are not adjudicated by endgame tables; -draw, -resign and -maxmoves end them early\n\
                 -tbpieces: `match` does not have it; games are not adjudicated by endgame tables"
            )
        );
        let both = error("--progress json match chess -engine cmd=x whitepov -config file=x").unwrap();
        let lines: Vec<&str> = both.lines().collect();
        assert_eq!(lines.len(), 2, "{both}");
        assert!(lines[0].starts_with("whitepov: `match` does not have it; "), "{both}");
        assert!(lines[1].starts_with("file=x: `match` does not have it; "), "{both}");
        for words in [
            "match chess -engine cmd=x variant=chess proto=uci -rounds 2",
            "match chess -engine cmd=x proto=xboard -log file=x append=true",
            "export -variant",
            "match -help",
        ] {
            assert_eq!(error(words), None, "{words}");
        }
    }

    #[test]
    fn what_changes_no_result_is_left_out() {
        let left = |words| {
            let words = normalized(words).unwrap().words;
            words.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        let words = "match -testEnv gamma2 -site here -each tc=1 stderr=x -debug all -reverse -pgnout a.pgn fi min=true -recover";
        assert_eq!(left(words), "assay-selfplay match gamma2 --each tc=1 --pgnout a.pgn");
        assert_eq!(
            ignored(words),
            "-testEnv, -site, stderr=x (reports of faults have the last lines), -debug (-log FILE has what engines are sent and answer), \
             -reverse (engines exchange colors), min=true"
        );
        assert_eq!(
            left("match -each stderr=x -rounds 2 -each trust tc=1 -log compress=true"),
            "assay-selfplay match --rounds 2 --each tc=1"
        );
        assert_eq!(left("match -site here gamma2 -config discard=true stats=false"), "assay-selfplay match gamma2");
        assert_eq!(left("match -site=here gamma2 -rounds 2"), "assay-selfplay match gamma2 --rounds 2");
        assert_eq!(ignored("match --outcomeinterval=4 -log=compress=true"), "-outcomeinterval, compress=true");
        assert_eq!(ignored("match gamma2 -engine cmd=x -rounds 2"), "");
        let quick = left("match -quick cmd=./a cmd=./b book=c.epd -srand 3");
        assert!(quick.contains("--engine cmd=./a --engine cmd=./b --openings file=c.epd order=random"), "{quick}");
        assert!(
            quick.starts_with("assay-selfplay match --each tc=10+0.1 ") && quick.ends_with(" --srand 3"),
            "{quick}"
        );
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
    fn table() -> Vec<(Vec<&'static str>, bool, bool)> {
        let rows = include_str!("../../../../docs/matches.md").lines().filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let example = cells.get(1)?.strip_prefix('`')?.strip_suffix('`')?;
            Some((example.split(' ').collect(), !cells[3].starts_with("no;"), cells[3].starts_with("ignored")))
        });
        rows.collect()
    }

    #[test]
    fn every_option_of_the_other_programs_is_documented_as_it_is_treated() {
        let table = table();
        for (example, is_known, is_ignored) in &table {
            let game = if example[0] == "-variant" { "" } else { "chess" };
            let words = format!("match {game} {}", example.join(" "));
            let parsed = normalized(&words).map(|normalized| {
                let command = Args::augment_args(clap::Command::new("match"));
                command
                    .try_get_matches_from(&normalized.words[1..])
                    .map_or_else(|error| error.kind(), |_| ErrorKind::DisplayHelp)
            });
            match parsed {
                // Of its flag, only the word that is left out may be there.
                Ok(_) if *is_ignored => assert_ne!(ignored(&words), "", "{words}"),
                Ok(parsed) => assert!(*is_known && parsed == ErrorKind::DisplayHelp, "{words}: {parsed:?}"),
                Err(error) => assert!(!is_known, "{words}: {error}"),
            }
        }
        for option in OTHERS.iter().flat_map(|options| options.split_whitespace()) {
            let (flag, keys) = option.split_once(':').unwrap_or((option, ""));
            for key in keys.split(',') {
                let is_key = |word: &&str| word.split('=').next() == Some(key);
                let has_row = |(example, ..): &(Vec<&str>, bool, bool)| {
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
                assert!(find(&format!("-{name}")).is_none(), "{name}");
            }
        }
    }
}
