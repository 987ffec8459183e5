//! Claims files with errors.

use assay_selfplay::settings::GameSource;

use super::parse;
use crate::values::claims::StatedAs;
use crate::values::claims::file::GameClaims;

/// Each error names file, line, column, what was found and what was expected.
#[test]
fn errors_name_place_and_expectation() {
    let mut wrong = Vec::new();
    let pieces = "expected a piece of chess: king, queen, rook, bishop, knight, pawn";
    for (claim, expected) in [
        (
            "claim = 'queen > bishp'",
            format!("5:18: claims.claim: found `bishp`, {pieces}; or a measure: draws, white_score, "),
        ),
        (
            "claim = 'queen >'",
            "5:17: claims.claim: found the end, expected a piece, a measure, a number or `(`".to_owned(),
        ),
        ("claim = \"\"\"queen > \\\n  rok\"\"\"", format!("5:9: claims.claim: found `rok`, {pieces}")),
        (
            "claim = 'king > rook'",
            "5:10: claims.claim: found `king`, expected a piece other than the king, which".to_owned(),
        ),
        ("claim = 'queen = 9'", "5:18: claims.claim: found values of pieces compared with numbers".to_owned()),
        ("claim = 'queen > gunnery: queen'", "5:18: claims.claim: found values of pieces compared with".to_owned()),
        (
            "claim = 'queen + 1 > rook'",
            "5:10: claims.claim: found a value in chess + a number, expected values of".to_owned(),
        ),
        (
            "claim = 'queen + gunnery: rook > rook'",
            "5:10: claims.claim: found a value in chess + a value in gunnery".to_owned(),
        ),
        (
            "claim = '1 / queen > 1'",
            "5:10: claims.claim: found a number / a value in chess, expected values".to_owned(),
        ),
        (
            "claim = 'mean(queen, 1) > 1'",
            "5:10: claims.claim: found a `mean` of different units, expected values of".to_owned(),
        ),
        (
            "claim = 'median(queen, rook) > rook'",
            "found the function `median` of 2 arguments, expected one of `mean`".to_owned(),
        ),
        (
            "claim = 'log_odds(draws) > 1'",
            "5:10: claims.claim: found the log-odds of a number, expected those of".to_owned(),
        ),
        ("claim = '1 > 0'", "5:14: claims.claim: found numbers only, expected a piece or a measure".to_owned()),
        ("claim = 'draws < 1 / 0'", "5:18: claims.claim: found a division by zero, or a number beyond 1e12".to_owned()),
        (
            "claim = 'draws < janggi: draws'",
            "5:18: claims.claim: found `janggi`, expected `full`, `few`, a game under".to_owned(),
        ),
        (
            "claim = 'draws < few: chess: draws'",
            "5:30: claims.claim: found `draws` after `full:` or `few:`, expected values of pieces only".to_owned(),
        ),
        (
            "claim = 'full: score(1) > 50%'",
            "5:16: claims.claim: found `score` after `full:` or `few:`, expected values of pieces only".to_owned(),
        ),
        (
            "claim = 'pair(knight) > 0 * pawn'",
            "found `pair(knight)`, expected a piece bound to squares of one color".to_owned(),
        ),
        ("claim = 'against_majors(rook) > pawn'", "found `against_majors(rook)`, expected a joker".to_owned()),
        ("claim = 'score(2) > 0.5'", "5:10: claims.claim: start `2`: ".to_owned()),
        (
            "claim = 'score() > 0.5'",
            "5:10: claims.claim: found no start in `score()`, expected at least one".to_owned(),
        ),
        (
            "claim = 'forced_mates(pawn) < 1%'",
            "forced_mates: found `pawn`, expected pieces other than king, pawn".to_owned(),
        ),
        (
            "claim = 'draws < 1'\nwithin = '5'",
            "6:10: claims.within: found `5`, expected a number or a percentage such as".to_owned(),
        ),
        ("claim = 'draws < 1'\nwithin = -1", "6:10: claims.within: found -1, expected more than 0 and at".to_owned()),
        ("claim = 'draws < 1'\nwithin = nan", "6:10: claims.within: found NaN, expected more than 0 and at".to_owned()),
        ("claim = 'draws < 1'\nlabel = ' '", "6:9: claims.label: found 0 characters, expected 1 to 120".to_owned()),
        ("claim = 'each > rook'\neach = ['quen']", format!("5:10: claims.claim: found `quen`, {pieces}")),
        (
            "claim = 'published'\nlabel = 'x'",
            "5:10: claims.claim: found `published` with `label` or `each`, expected at most `within`".to_owned(),
        ),
        ("claim = 'draws < 1'\nstated-as = 'rumor'", "found `rumor`, expected one of: `claim`, `table`".to_owned()),
        ("tset = 1", "5:1: claims.0.tset: unknown key, expected one of `quote`, `claim`, `each`".to_owned()),
        (
            "claim = 'draws < 1'\n[games.chess]\nbase = 'gunnery'",
            "6:8: games.chess: found the name of the game of the".to_owned(),
        ),
        ("claim = 'draws < 1'\n[games.x]\n", "6:8: games.x: source: missing".to_owned()),
    ] {
        let found = parse(GameSource::builtin("chess").unwrap(), claim).unwrap_err();
        if !found.starts_with("my.claims.toml:") || !found.contains(&expected) {
            wrong.push(format!("{claim}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let text = "name = 'x'\ntitle = 'x'\nbase = 'chess'\n";
    let source = GameSource::from_text(text.to_owned(), "x").unwrap();
    let found = parse(source, "claim = 'published'").unwrap_err();
    assert!(found.contains("5:10: claims.claim: found fewer than two values in the definition of x"), "{found}");
}

#[test]
fn numbers_beyond_what_can_be_measured_are_refused() {
    for (claim, expected) in [
        (
            "claim = 'draws < 1'\nwithin = 1e300",
            "6:10: claims.within: found 1e300, expected more than 0 and at most 1e12",
        ),
        ("claim = 'draws < 1e6 * 1e7'", "5:18: claims.claim: found a division by zero, or a number beyond 1e12"),
        ("claim = 'draws < 1e400'", "5:18: claims.claim: found `1e400`, expected a number up to 1e12"),
        (
            "claim = 'draws < 1'\nneeds = 'draws > 1e400'",
            "6:18: claims.needs: found `1e400`, expected a number up to 1e12",
        ),
        ("claim = 'draws = 0 / 1e400'", "5:22: claims.claim: found `1e400`, expected a number up to 1e12"),
    ] {
        let found = parse(GameSource::builtin("chess").unwrap(), claim).unwrap_err();
        assert!(found.contains(expected), "{claim}: {found}");
    }
}

#[test]
fn measures_are_refused_in_games_without_what_they_count() {
    for (measure, needed) in [("late_placements", "gating"), ("endgame_shot_gain", "pawns that capture by cannon")] {
        let claim = format!("claim = 'draws < apothecary2: draws / chess: {measure}'");
        let found = parse(GameSource::builtin("chess").unwrap(), &claim).unwrap_err();
        let expected = format!("5:46: claims.claim: found `{measure}`, expected a game with {needed}");
        assert!(found.contains(&expected), "{found}");
    }
}

#[test]
fn document_and_quote_must_not_be_blank() {
    let parse = |text: &str| GameClaims::parse(text, "my.claims.toml", GameSource::builtin("chess").unwrap());
    let error = |text: &str| parse(text).unwrap_err().to_string();
    let claim = |quote: &str| format!("[[claims]]\nquote = '{quote}'\nclaim = 'draws < 1'\n");
    let expected = "expected the title or address of the document that is quoted";
    assert_eq!(error(&claim("b")), format!("my.claims.toml: document: missing: {expected}"));
    assert_eq!(
        error(&format!("document = ' '\n{}", claim("b"))),
        format!("my.claims.toml:1:12: document: found a blank text, {expected}")
    );
    assert_eq!(
        error(&format!("document = 'a'\n{}", claim(" "))),
        "my.claims.toml:3:9: claims.quote: found a blank text, expected the words of the document"
    );
    assert!(parse("document = ''\n").unwrap().statements.is_empty());
    let stated = parse("document = 'a'\n[[claims]]\nquote = 'b'\nclaim = 'draws < 1'\nstated-as = 'aim'\n").unwrap();
    assert_eq!(stated.statements[0].stated_as, StatedAs::Aim);
}
