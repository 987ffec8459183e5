//! What an engine says while it plays.

use assay_rules::Color;

/// A line of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message<'l> {
    /// The engine's move.
    Move(&'l str),
    /// Depth, score, time, nodes and variation.
    Thinking,
    /// The engine gives up: `resign`, or the result in which it loses.
    Resignation,
    /// A result that the engine claims.
    Claim,
    /// The answer to `ping`.
    Pong(u32),
    /// Draw offers, comments and texts for the user.
    Other,
}

impl<'l> Message<'l> {
    /// Reads a line of the engine that plays `color`.
    pub(super) fn parse(line: &'l str, color: Color) -> Message<'l> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let loss = if color == Color::White { "0-1" } else { "1-0" };
        match word {
            // A line without a move is shown as it is.
            "move" if rest.is_empty() => Message::Move(line),
            "move" => Message::Move(rest),
            "resign" => Message::Resignation,
            _ if word == loss => Message::Resignation,
            _ if is_result(word) => Message::Claim,
            "pong" => rest.parse().map_or(Message::Other, Message::Pong),
            // Protocol 1: `12. ... e7e5`.
            _ if word.ends_with('.') && rest.starts_with("...") => Message::Move(rest.trim_start_matches(['.', ' '])),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => Message::Thinking,
            _ => Message::Other,
        }
    }
}

/// Returns true if a line is the result of a game.
pub(super) fn is_result(line: &str) -> bool {
    let word = line.split(char::is_whitespace).next();
    word.is_some_and(|word| matches!(word, "1-0" | "0-1" | "1/2-1/2"))
}

/// Whether a line says that an option or the game is unknown. Other commands without effect, such
/// as `accepted`, need not be known.
pub(super) fn is_option_error(line: &str) -> bool {
    let error = line.strip_prefix("Error (").and_then(|rest| rest.split_once("): "));
    let commands = ["option", "variant", "memory", "cores", "egtpath"];
    error.is_some_and(|(kind, about)| {
        kind.contains("variant") || commands.iter().any(|&command| about.split(' ').next() == Some(command))
    })
}

/// Whether a line says that a move or position is illegal. Engines complain about unknown commands
/// in the same way, so the line must end with what was sent; an illegal position need not be
/// repeated.
pub(super) fn rejects(line: &str, sent: &str) -> bool {
    if sent.is_empty() {
        return false;
    }
    let is_position = sent.contains('/');
    let is_error = line.starts_with("Illegal move") || line.starts_with("Error (");
    line.starts_with("tellusererror Illegal position") && is_position || is_error && line.ends_with(sent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let white = |line| Message::parse(line, Color::White);
        assert_eq!(white("move e2e4"), Message::Move("e2e4"));
        assert_eq!(white("move"), Message::Move("move"));
        assert_eq!(white("12. ... Nf6"), Message::Move("Nf6"));
        assert_eq!(white("5. +15 3 17318 1. ...  d5"), Message::Thinking);
        assert_eq!(white("pong 17"), Message::Pong(17));
        for line in ["resign", "0-1 {White resigns}"] {
            assert_eq!(white(line), Message::Resignation);
        }
        for line in ["1-0 {White mates}", "1/2-1/2 {Draw by repetition}"] {
            assert_eq!(white(line), Message::Claim);
        }
        assert_eq!(Message::parse("1-0", Color::Black), Message::Resignation);
        for line in ["offer draw", "# move e2e4", "tellall I move", "pong", "moves", "e2e4", ""] {
            assert_eq!(white(line), Message::Other, "{line}");
        }
    }

    #[test]
    fn only_errors_of_options_and_games_matter() {
        assert!(is_option_error("Error (unknown variant): gothic"));
        assert!(is_option_error("Error (bad value): option Hash=x"));
        assert!(!is_option_error("Error (unknown command): accepted ping"));
        assert!(!is_option_error("Error (unknown command): force"));
    }

    #[test]
    fn only_complaints_about_what_was_sent_are_rejections() {
        assert!(rejects("Illegal move: e2e4", "e2e4"));
        assert!(rejects("Illegal move (no such piece): e2e4", "e2e4"));
        assert!(rejects("Error (Illegal move or unknown command): usermove e2e4", "e2e4"));
        assert!(rejects("tellusererror Illegal position: no king", "8/8/8/8 w - - 0 1"));
        assert!(!rejects("Illegal move: sd 4", "e2e4"));
        assert!(!rejects("Error (unknown command): easy", ""));
        assert!(!rejects("tellusererror Illegal position: no king", "e2e4"));
    }
}
