//! Parser of UCI commands and Assay's extensions.

use super::go;
use crate::protocol::genfens::GenfensArgs;
use crate::protocol::job::StartPosition;
use crate::protocol::number::parse_number;
use crate::protocol::search_request::SearchRequest;

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
    /// With a message about ignored parameters.
    Go(SearchRequest, Option<String>),
    PonderHit,
    GenFens(GenfensArgs),
    Perft(u32),
    Bench(Option<u32>),
    Show,
    Eval,
    Stop,
    Quit,
}

const COMMANDS: &str = "uci, isready, ucinewgame, setoption, position, go, stop, ponderhit, quit, d, eval, bench";

impl Command {
    /// Parses a line; `None` for blank lines and commands without effect.
    ///
    /// # Errors
    /// Returns a message for the user.
    pub(super) fn parse(line: &str) -> Result<Option<Command>, String> {
        let line = line.trim();
        let (word, rest) = line
            .split_once(char::is_whitespace)
            .map_or((line, ""), |(word, rest)| (word, rest.trim()));
        let command = match word {
            // No debug output, no registration.
            "" | "debug" | "register" => return Ok(None),
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "setoption" => set_option(rest)?,
            "position" => position(rest)?,
            "go" => go_or_perft(rest)?,
            "perft" => Command::Perft(parse_number("perft", Some(rest))?),
            "bench" if rest.is_empty() => Command::Bench(None),
            "bench" => Command::Bench(Some(parse_number("bench", Some(rest))?)),
            "d" => Command::Show,
            "eval" => Command::Eval,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "genfens" => Command::GenFens(GenfensArgs::parse(rest)?),
            "quit" => Command::Quit,
            other => return Err(format!("found `{other}`, expected a command: {COMMANDS}")),
        };
        Ok(Some(command))
    }
}

fn set_option(rest: &str) -> Result<Command, String> {
    let form = || format!("setoption: found `{rest}`, expected `name NAME` or `name NAME value VALUE`");
    let named = rest
        .strip_prefix("name")
        .filter(|named| named.starts_with(char::is_whitespace))
        .ok_or_else(form)?;
    // The name ends at the first word `value`.
    let named = named.trim();
    let (name, value) = match named.split_once(" value ") {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => match named.strip_suffix(" value") {
            Some(name) => (name, Some(String::new())),
            None => (named, None),
        },
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        Err(form())
    } else {
        Ok(Command::SetOption { name, value })
    }
}

fn position(rest: &str) -> Result<Command, String> {
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
            return Err(format!(
                "position: found `{other}`, expected `moves` or nothing after `startpos`"
            ));
        }
        ("fen", []) => {
            return Err(
                "position: found nothing after `fen`, expected a FEN or the name of a start position".to_owned(),
            );
        }
        // Names of start positions have no slash, FENs always do.
        ("fen", [id]) if !id.contains('/') => StartPosition::Id((*id).to_owned()),
        ("fen", fields) => StartPosition::Fen(fields.join(" ")),
        (other, _) => return Err(format!("position: found `{other}`, expected `startpos` or `fen`")),
    };
    Ok(Command::Position { start, moves })
}

fn go_or_perft(rest: &str) -> Result<Command, String> {
    let mut words = rest.split_whitespace();
    if words.next() == Some("perft") {
        return Ok(Command::Perft(parse_number("go perft", words.next())?));
    }
    go::parse(rest).map(|(request, note)| Command::Go(request, note))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        Command::parse(line).unwrap_err()
    }

    #[test]
    fn parses_options_with_spaces() {
        let option = |line| match Command::parse(line) {
            Ok(Some(Command::SetOption { name, value })) => (name, value),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(option("setoption name Clear Hash"), ("Clear Hash".to_owned(), None));
        assert_eq!(
            option("setoption name  Hash  value 32"),
            ("Hash".to_owned(), Some("32".to_owned()))
        );
        let path = "setoption name VariantPath value /tmp/my games/a.toml";
        assert_eq!(
            option(path),
            ("VariantPath".to_owned(), Some("/tmp/my games/a.toml".to_owned()))
        );
        assert_eq!(
            option("setoption name VariantPath value"),
            ("VariantPath".to_owned(), Some(String::new()))
        );
        assert!(error("setoption Hash 32").contains("expected `name NAME`"));
    }

    #[test]
    fn parses_fens_and_start_names() {
        let start = |line| match Command::parse(line) {
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
        assert_eq!(
            start(&format!("position fen {fen} moves")),
            (StartPosition::Fen(fen.into()), vec![])
        );
    }

    #[test]
    fn errors_name_found_and_expected_text() {
        assert_eq!(error("position"), "position: found ``, expected `startpos` or `fen`");
        assert_eq!(error("go perft x"), "go perft: found `x`, expected a whole number");
        assert_eq!(error("go perft"), "go perft: found nothing, expected a whole number");
        assert!(error("castle").starts_with("found `castle`, expected a command: uci"));
        assert_eq!(Command::parse("   "), Ok(None));
    }
}
