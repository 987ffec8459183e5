//! Parser of UCI commands and Assay's extensions.

use thiserror::Error;

use super::go;
use crate::bench::BenchSettings;
use crate::protocol::genfens::GenfensArgs;
use crate::protocol::options::THREADS;
use crate::protocol::refusal::{Refusal, parse_number, quoted};
use crate::protocol::session::job::StartPosition;
use crate::protocol::session::search_request::SearchRequest;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: Option<String>,
    },
    Position {
        start: StartPosition,
        moves: Vec<String>,
    },
    Go(SearchRequest, Option<Refusal>),
    PonderHit,
    Genfens(GenfensArgs),
    Perft(u32),
    Bench(BenchSettings),
    Show,
    Eval,
    Stop,
    Quit,
    /// Panics in the worker, for tests.
    #[cfg(debug_assertions)]
    Panic,
}

/// A line that is refused.
#[derive(Debug, Error)]
pub(super) enum CommandError {
    /// The first word is no command.
    #[error("{0}")]
    Unknown(Refusal),
    /// A `go` that starts no search.
    #[error("{0}; no search")]
    Go(Refusal),
    /// A `position` that sets up nothing.
    #[error("{0}")]
    Position(Refusal),
    #[error("{0}")]
    Other(#[from] Refusal),
}

/// Maximum depth of perft and bench, in plies.
const MAX_DEPTH: u32 = 100;

impl Command {
    /// Parses a line from a GUI. Unknown words before a command are skipped, as UCI requires, and
    /// returned.
    pub(super) fn parse_after_unknown(line: &str) -> (Option<&str>, Result<Option<Command>, CommandError>) {
        let line = line.trim();
        let mut rest = line;
        loop {
            match Command::parse(rest) {
                Err(CommandError::Unknown(_)) => {}
                parsed => {
                    let skipped = line[..line.len() - rest.len()].trim_end();
                    return ((!skipped.is_empty()).then_some(skipped), parsed);
                }
            }
            match rest.split_once(char::is_whitespace) {
                Some((_, after)) => rest = after.trim_start(),
                None => return (None, Command::parse(line)),
            }
        }
    }

    /// Parses a line; `None` for blank lines and commands without effect.
    pub(super) fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        let command = match word {
            // No debug output, no registration.
            "" | "debug" | "register" => return Ok(None),
            // A second command in the line would be lost.
            "uci" | "ucinewgame" | "d" | "eval" if !rest.is_empty() => {
                return Err(Refusal::new(word, rest, "nothing after it").into());
            }
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "setoption" => set_option(rest)?,
            "position" => position(rest).map_err(CommandError::Position)?,
            "go" => go_or_perft(rest)?,
            "perft" => perft("perft", Some(rest))?,
            "bench" => bench(rest)?,
            "d" => Command::Show,
            "eval" => Command::Eval,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "genfens" => Command::Genfens(GenfensArgs::parse(rest)?),
            "quit" => Command::Quit,
            #[cfg(debug_assertions)]
            "panic" => Command::Panic,
            other => {
                return Err(CommandError::Unknown(Refusal::because(format_args!(
                    "found {}, expected a command: uci, isready, ucinewgame, setoption, position, go, stop, ponderhit, quit, d, eval, \
                     bench, genfens",
                    quoted(other)
                ))));
            }
        };
        Ok(Some(command))
    }
}

fn bench(rest: &str) -> Result<Command, Refusal> {
    let mut settings = BenchSettings::default();
    let (depth, threads) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if !depth.is_empty() {
        settings.depth = parse_number("bench", Some(depth), 1..=MAX_DEPTH)?;
    }
    if !threads.is_empty() {
        settings.threads = parse_number("bench", Some(threads.trim()), THREADS)?;
    }
    Ok(Command::Bench(settings))
}

fn set_option(rest: &str) -> Result<Command, Refusal> {
    let error = || Refusal::new("setoption", rest, "`name NAME` or `name NAME value VALUE`");
    let named = rest.strip_prefix("name").filter(|named| named.starts_with(char::is_whitespace)).ok_or_else(error)?;
    // The name ends at the first word `value`.
    let mut rest = named.trim();
    let mut name = Vec::new();
    let mut value = None;
    while !rest.is_empty() {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if word == "value" {
            value = Some(after.trim().to_owned());
            break;
        }
        name.push(word);
        rest = after.trim_start();
    }
    let name = name.join(" ");
    if name.is_empty() { Err(error()) } else { Ok(Command::SetOption { name, value }) }
}

fn position(rest: &str) -> Result<Command, Refusal> {
    let mut words = rest.split_whitespace().peekable();
    let first = words.next().unwrap_or_default();
    let mut fields = Vec::new();
    while let Some(word) = words.next_if(|word| *word != "moves") {
        fields.push(word);
    }
    let moves = words.skip(1).map(str::to_owned).collect();
    let start = match (first, fields.as_slice()) {
        ("startpos", []) => StartPosition::Default,
        ("startpos", [other, ..]) => {
            return Err(Refusal::new("position", other, "`moves` or nothing after `startpos`"));
        }
        ("fen", []) => {
            let why = "position: found nothing after `fen`, expected a FEN or the name of a start position";
            return Err(Refusal::because(why));
        }
        // Names of start positions have no slash, FENs always do.
        ("fen", [id]) if !id.contains('/') => StartPosition::Id((*id).to_owned()),
        ("fen", fields) => StartPosition::Fen(fields.join(" ")),
        (other, _) => return Err(Refusal::new("position", other, "`startpos` or `fen`")),
    };
    Ok(Command::Position { start, moves })
}

fn go_or_perft(rest: &str) -> Result<Command, CommandError> {
    let mut words = rest.split_whitespace();
    if words.next() == Some("perft") {
        return Ok(perft("go perft", words.next())?);
    }
    let (request, unknown) = go::parse(rest).map_err(CommandError::Go)?;
    Ok(Command::Go(request, unknown))
}

fn perft(place: &str, depth: Option<&str>) -> Result<Command, Refusal> {
    Ok(Command::Perft(parse_number(place, depth, 0..=MAX_DEPTH)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        Command::parse(line).unwrap_err().to_string()
    }

    #[test]
    fn parses_options_with_spaces() {
        let option = |line| match Command::parse(line) {
            Ok(Some(Command::SetOption { name, value })) => (name, value),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(option("setoption name Clear Hash"), ("Clear Hash".to_owned(), None));
        assert_eq!(option("setoption\tname \tHash\tvalue\t32 "), ("Hash".to_owned(), Some("32".to_owned())));
        let path = "setoption name VariantPath value /tmp/my games/a.toml";
        assert_eq!(option(path), ("VariantPath".to_owned(), Some("/tmp/my games/a.toml".to_owned())));
        assert_eq!(option("setoption name VariantPath value"), ("VariantPath".to_owned(), Some(String::new())));
        assert!(error("setoption Hash 32").contains("expected `name NAME`"));
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        for (line, skipped, is_ready) in [
            ("joho isready", Some("joho"), true),
            ("\tdo  please\tisready now", Some("do  please"), true),
            ("isready joho", None, true),
            ("joho debug on", Some("joho"), false),
        ] {
            let (found, command) = Command::parse_after_unknown(line);
            assert_eq!(found, skipped, "{line}");
            assert_eq!(command.unwrap(), is_ready.then_some(Command::IsReady), "{line}");
        }
        let (found, command) = Command::parse_after_unknown("joho depth 3");
        let error = command.unwrap_err().to_string();
        assert!(found.is_none() && error.starts_with("found `joho`, expected a command"), "{error}");
        let (_, command) = Command::parse_after_unknown("joho go perft x");
        assert!(command.unwrap_err().to_string().starts_with("go perft: found `x`"));
    }

    #[test]
    fn parses_fens_and_start_names() {
        let start = |line: &str| match Command::parse(line) {
            Ok(Some(Command::Position { start, moves })) => (start, moves),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(start("position startpos"), (StartPosition::Default, vec![]));
        assert_eq!(start("position startpos moves e2e4 e7e5").1, ["e2e4", "e7e5"]);
        assert_eq!(
            start("position fen 14+pawn:e4 moves e3e4"),
            (StartPosition::Id("14+pawn:e4".into()), vec!["e3e4".into()])
        );
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(start(&format!("position fen {fen} moves")), (StartPosition::Fen(fen.into()), vec![]));
        assert_eq!(
            start(" position\t fen  4k3/8/8/8/8/8/8/4K2R\tw K  - moves\te1g1 "),
            (StartPosition::Fen("4k3/8/8/8/8/8/8/4K2R w K -".into()), vec!["e1g1".into()])
        );
    }

    #[test]
    fn errors_name_found_and_expected_text() {
        assert_eq!(error("position"), "position: found nothing, expected `startpos` or `fen`");
        let range = "expected a whole number from 0 to 100";
        for found in ["x", "-1", "101", "99999999999999999999"] {
            assert_eq!(error(&format!("go perft {found}")), format!("go perft: found `{found}`, {range}"));
        }
        assert_eq!(error("go perft"), format!("go perft: found nothing, {range}"));
        let long = error(&"x".repeat(1000));
        assert!(long.contains("xxx...`, expected a command") && long.len() < 300, "{long}");
        assert_eq!(error("d go perft 1"), "d: found `go perft 1`, expected nothing after it");
        assert!(error("castle").starts_with("found `castle`, expected a command: uci"));
        assert!(matches!(Command::parse("   "), Ok(None)));
    }
}
