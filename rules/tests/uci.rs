//! Moves in the notation of UCI.

use assay_rules::uci::{self, UciError};
use assay_rules::{GameDef, Position};

#[test]
fn promotion_letters_are_lower_case() {
    let chess = GameDef::builtin("chess").unwrap();
    let position = Position::from_fen(&chess, "8/4P3/8/8/8/k7/8/4K3 w - - 0 1").unwrap();
    let read = |text: &str| uci::parse(&position, text).map(|mv| uci::format(&chess, mv));
    assert_eq!(read("e7e8q"), Ok("e7e8q".to_owned()));
    assert!(matches!(read("e7e8Q"), Err(UciError::Syntax { .. })));
}

#[test]
fn walls_may_be_missing_where_there_is_one_square() {
    let read = |game: &str, text: &str| {
        let position = Position::start(&GameDef::builtin(game).unwrap());
        uci::parse(&position, text).map_or_else(|error| error.to_string(), |mv| uci::format(position.game(), mv))
    };
    assert_eq!(read("snailtrail", "a1b2"), "a1b2,b2a1");
    assert_eq!(read("duck", "e2e4,e4e3"), "e2e4,e4e3");
    for text in ["e2e4", "e2e4,e4d2", "e2e4,e3d5", "e2e4,e4"] {
        let expected = "expected a comma, the target and an empty square for the wall, like `e2e4,e4d5`";
        assert_eq!(read("duck", text), format!("illegal move `{text}`: {expected}"));
    }
    assert!(read("duck", "e2e5,e5e4").ends_with("legal moves of the piece on e2: e2e3 e2e4"));
    assert!(read("chess", "e2e4,e4e3").starts_with("malformed move `e2e4,e4e3`"));
}
