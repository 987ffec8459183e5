//! Parser of CECP commands.

use std::time::Duration;

use thiserror::Error;

use super::clock::{Level, parse_seconds};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// A blank line or a command without effect.
    Ignored,
    ProtocolVersion,
    New,
    Variant(String),
    Quit,
    Force,
    Go,
    PlayOther,
    Level(Level),
    SecondsPerMove(Duration),
    Depth(u32),
    Time(Duration),
    Move(String),
    MoveNow,
    Ping(String),
    /// The GUI has ended the game.
    Result,
    SetBoard(String),
    Hint,
    Book,
    Undo,
    Remove,
    Ponder(bool),
    Post(bool),
    Analyze,
    ExitAnalysis,
    Status,
    Memory(usize),
    Cores(usize),
    Option {
        name: String,
        value: Option<String>,
    },
    Lift(String),
    Put(String),
    /// Panics in the worker, for tests.
    #[cfg(debug_assertions)]
    Panic,
}

/// An invalid line, in the protocol's form.
#[derive(Debug, PartialEq, Error)]
pub(super) enum CommandError {
    #[error("Error (unknown command): {0}")]
    Unknown(String),
    #[error("Error (wrong parameters): {0}")]
    Parameters(String),
}

impl Command {
    pub(super) fn parse(line: &str) -> Result<Command, CommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        let text = || rest.to_owned();
        let parsed = match word {
            // No effect: draw offers, chess servers, obsolete commands.
            "" | "xboard" | "accepted" | "rejected" | "random" | "white" | "black" | "draw" | "name" | "rating"
            | "ics" | "computer" | "pause" | "resume" | "egtpath" | "hover" => Some(Command::Ignored),
            "protover" => Some(Command::ProtocolVersion),
            "new" => Some(Command::New),
            "variant" => Some(Command::Variant(text())),
            "quit" => Some(Command::Quit),
            "force" => Some(Command::Force),
            "go" => Some(Command::Go),
            "playother" => Some(Command::PlayOther),
            "level" => Level::parse(rest).map(Command::Level),
            "st" => parse_seconds(rest).map(Command::SecondsPerMove),
            "sd" => rest.parse().ok().filter(|&depth| depth > 0).map(Command::Depth),
            "time" => parse_centiseconds(rest).map(Command::Time),
            // Time management does not use the opponent's clock.
            "otim" => parse_centiseconds(rest).map(|_| Command::Ignored),
            "usermove" => Some(Command::Move(text())),
            "?" => Some(Command::MoveNow),
            "ping" => Some(Command::Ping(text())),
            "result" => Some(Command::Result),
            "setboard" => Some(Command::SetBoard(text())),
            "hint" => Some(Command::Hint),
            "bk" => Some(Command::Book),
            "undo" => Some(Command::Undo),
            "remove" => Some(Command::Remove),
            "hard" => Some(Command::Ponder(true)),
            "easy" => Some(Command::Ponder(false)),
            "post" => Some(Command::Post(true)),
            "nopost" => Some(Command::Post(false)),
            "analyze" => Some(Command::Analyze),
            "exit" => Some(Command::ExitAnalysis),
            "." => Some(Command::Status),
            "memory" => rest.parse().ok().map(Command::Memory),
            "cores" => rest.parse().ok().map(Command::Cores),
            "option" => parse_option(rest),
            "lift" => Some(Command::Lift(text())),
            "put" => Some(Command::Put(text())),
            _ if looks_like_move(word) && rest.is_empty() => Some(Command::Move(word.to_owned())),
            #[cfg(debug_assertions)]
            "panic" => Some(Command::Panic),
            _ => return Err(CommandError::Unknown(line.to_owned())),
        };
        parsed.ok_or_else(|| CommandError::Parameters(line.to_owned()))
    }
}

/// Returns true for a move without `usermove`, as sent by GUIs that do not support that feature.
fn looks_like_move(word: &str) -> bool {
    let mut characters = word.chars();
    let letter = characters.next().is_some_and(|first| first.is_ascii_lowercase());
    letter
        && characters.next().is_some_and(|second| second.is_ascii_digit())
        && word.len() <= 8
        && word.chars().all(|character| character.is_ascii_alphanumeric())
}

fn parse_option(rest: &str) -> Option<Command> {
    let (name, value) = match rest.split_once('=') {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => (rest, None),
    };
    let name = name.trim().to_owned();
    (!name.is_empty()).then_some(Command::Option { name, value })
}

/// Parses centiseconds. Negative times count as 0.
fn parse_centiseconds(text: &str) -> Option<Duration> {
    let hundredths: i64 = text.parse().ok()?;
    let hundredths = u64::try_from(hundredths).unwrap_or(0).min(1 << 40);
    Some(Duration::from_millis(10 * hundredths))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_moves_with_and_without_usermove() {
        assert_eq!(Command::parse("usermove e2e4"), Ok(Command::Move("e2e4".into())));
        assert_eq!(Command::parse("a10a12q"), Ok(Command::Move("a10a12q".into())));
        assert_eq!(Command::parse("e2"), Ok(Command::Move("e2".into())));
        assert_eq!(Command::parse("castle"), Err(CommandError::Unknown("castle".into())));
    }

    #[test]
    fn parses_times() {
        assert_eq!(Command::parse("time 1234"), Ok(Command::Time(Duration::from_millis(12_340))));
        assert_eq!(Command::parse("time -3"), Ok(Command::Time(Duration::ZERO)));
        assert_eq!(Command::parse("st 2.5"), Ok(Command::SecondsPerMove(Duration::from_millis(2500))));
        for wrong in [
            "st",
            "st x",
            "st nan",
            "st 1e300",
            "sd 0",
            "time",
            "level 1",
            "memory much",
            "memory 99999999999999999999",
            "sd 99999999999",
            "time 99999999999999999999",
        ] {
            assert_eq!(Command::parse(wrong), Err(CommandError::Parameters(wrong.into())));
        }
    }

    #[test]
    fn parses_options_with_and_without_value() {
        let option = |name: &str, value: Option<&str>| {
            Ok(Command::Option { name: name.into(), value: value.map(str::to_owned) })
        };
        assert_eq!(Command::parse("option MultiPV=3"), option("MultiPV", Some("3")));
        assert_eq!(Command::parse("option VariantPath=/a b/c=d.toml"), option("VariantPath", Some("/a b/c=d.toml")));
        assert_eq!(Command::parse("option Clear Hash"), option("Clear Hash", None));
    }
}
