//! Claims files: statements of a document about a game, each with its test. `docs/claims.md` describes the format.

use std::sync::Arc;

use assay_rules::GameDef;
use assay_rules::def::{BUILTIN_FILES, DefError, parse_toml};
use assay_selfplay::settings::GameSource;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::{Spanned, Table};

use super::check::{check, has_ratios};
use super::{Claimed, StatedAs, Statement, Test};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimsFile {
    document: Option<Spanned<String>>,
    #[serde(default)]
    claims: Vec<Claim>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    quote: Spanned<String>,
    #[serde(default, rename = "stated-as")]
    stated_as: StatedAs,
    test: Spanned<Test>,
}

/// Reads a claims file; `file` is its name in error messages.
///
/// # Errors
/// If the file is malformed, a test refers to a piece, game or start that does not exist, no games could decide it, or two different games have one
/// name.
pub fn parse(text: &str, file: &str, game: &Arc<GameDef>) -> Result<Vec<Statement>, DefError> {
    let ClaimsFile { document, claims } = parse_toml(text, file)?;
    if claims.is_empty() {
        return Ok(Vec::new());
    }
    let expected = "expected the title or address of the document that is quoted";
    let Some(document) = document else {
        let message = format!("missing: {expected}");
        return Err(DefError::at(file, text, None, Some("document"), message));
    };
    let at = |byte: usize, key: &str, message: String| DefError::at(file, text, Some(byte), Some(key), message);
    if document.get_ref().trim().is_empty() {
        let message = format!("found a blank text, {expected}");
        return Err(at(document.span().start, "document", message));
    }
    let mut statements = Vec::new();
    let mut defined: Vec<GameSource> = Vec::new();
    for claim in claims {
        if claim.quote.get_ref().trim().is_empty() {
            let message = "found a blank text, expected the words of the document";
            return Err(at(claim.quote.span().start, "claims.quote", message.to_owned()));
        }
        let byte = claim.test.span().start;
        let statement = Statement {
            quote: claim.quote.into_inner(),
            document: document.get_ref().clone(),
            stated_as: claim.stated_as,
            test: claim.test.into_inner(),
        };
        check(&statement, game, &defined).map_err(|message| at(byte, "claims.test", message))?;
        defined.extend(statement.test.games().into_iter().cloned());
        statements.push(statement);
    }
    Ok(statements)
}

/// The statements about a built-in game; empty if its document claims nothing that games can test.
///
/// # Panics
/// Panics if the built-in claims file is invalid, which the tests rule out.
pub fn builtin(game: &Arc<GameDef>) -> Vec<Statement> {
    let files = BUILTIN_FILES.iter().find(|files| files.name == game.name);
    files.map_or_else(Vec::new, |files| {
        let file = format!("{}.claims.toml", files.name);
        parse(files.claims, &file, game).unwrap_or_else(|error| panic!("{error}"))
    })
}

/// The claims about a game without a claims file: the values in its definition, if there are any.
pub fn values_in_definition(game: &GameDef) -> Vec<Statement> {
    let statement = has_ratios(game).then(|| Statement {
        quote: "the values in the definition".to_owned(),
        document: "the definition".to_owned(),
        stated_as: StatedAs::Table,
        test: Test::Values,
    });
    statement.into_iter().collect()
}

/// Reads a game defined within a claims file.
pub(super) fn game<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameSource, D::Error> {
    let text = Table::deserialize(deserializer)?.to_string();
    // Line and column would refer to another text.
    GameSource::from_text(text, "").map_err(|error| match error.key {
        Some(key) => D::Error::custom(format_args!("{key}: {}", error.message)),
        None => D::Error::custom(error.message),
    })
}

/// The forms of a [`Claimed`] number in a claims file.
#[derive(Deserialize)]
#[serde(
    tag = "shape",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum ClaimedNumber {
    Equal {
        value: f64,
        max_width: f64,
    },
    Near {
        value: f64,
        within: f64,
    },
    MoreThan {
        value: f64,
        #[serde(default)]
        margin: f64,
    },
    LessThan {
        value: f64,
        #[serde(default)]
        margin: f64,
    },
}

/// Reads a claimed number or range.
pub(super) fn claimed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Claimed, D::Error> {
    Ok(match ClaimedNumber::deserialize(deserializer)? {
        ClaimedNumber::Equal { value, max_width } => Claimed::Equal { value, max_width },
        ClaimedNumber::Near { value, within } => Claimed::Near { value, within },
        ClaimedNumber::MoreThan { value, margin } => Claimed::MoreThan { value, margin },
        ClaimedNumber::LessThan { value, margin } => Claimed::LessThan { value, margin },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtin_claims_can_be_tested() {
        for files in BUILTIN_FILES {
            let game = GameDef::builtin(files.name).unwrap();
            assert_eq!(builtin(&game).is_empty(), files.name == "chess");
        }
    }

    #[test]
    fn variants_differ_only_in_the_gating_rule() {
        let apothecary = GameDef::builtin("apothecary2").unwrap();
        let statements = builtin(&apothecary);
        let games: Vec<&GameSource> = statements.iter().flat_map(|statement| statement.test.games()).collect();
        let [with, without] = games.as_slice() else {
            panic!("{games:?}")
        };
        assert_eq!(with.game.gating, apothecary.gating);
        assert_ne!(without.game.gating, apothecary.gating);
        assert_eq!(with.game.starts, without.game.starts);
        let pieces = |game: &GameDef| -> Vec<_> {
            game.kinds
                .iter()
                .map(|kind| (kind.name.clone(), kind.movement.clone()))
                .collect()
        };
        assert_eq!(pieces(&with.game), pieces(&apothecary));
    }

    /// The error of a claim about chess whose test begins in line 5.
    fn error(test: &str) -> String {
        let game = GameDef::builtin("chess").unwrap();
        let text = format!("document = \"a\"\n\n[[claims]]\nquote = \"b\"\n{test}\n");
        parse(&text, "my.claims.toml", &game).unwrap_err().to_string()
    }

    /// Checks the errors of claims about chess.
    fn assert_errors<S: AsRef<str>>(cases: &[(S, &str)]) {
        for (test, expected) in cases {
            let (test, found) = (test.as_ref(), error(test.as_ref()));
            assert!(
                found.starts_with("my.claims.toml:5:") && found.contains(expected),
                "{test}: {found}"
            );
        }
    }

    #[test]
    fn errors_name_line_and_expectation() {
        assert_errors(&[
            (
                "test.pair = \"bishp\"",
                "claims.test: found `bishp`, expected a piece of the game: king, queen, rook, bishop, knight, pawn",
            ),
            (
                "test = \"value\"",
                "5:8: unknown variant `value`, expected one of `values`",
            ),
            ("test.relative-value = { kind = \"queen\" }", "missing field `others`"),
            (
                "stated-as = \"rumor\"\ntest = \"values\"",
                "unknown variant `rumor`, expected one of `claim`, `table`, `aim`, `concession`",
            ),
            (
                "tset = 1",
                "5:1: unknown field `tset`, expected one of `quote`, `stated-as`, `test`",
            ),
            (
                "test.same-values = \"shogi\"",
                "claims.test: found `shogi`, expected a built-in game: chess, ",
            ),
            (
                "test.same-values = \"chess\"",
                "claims.test: found `chess` as the other game, expected another than that of the claims",
            ),
            (
                "test.compare-play = { than = \"berolina\", measure = \"beauty\", claimed = { shape = \"more-than\", value = 1 }, claim = \"x\" }",
                "unknown variant `beauty`, expected one of `forcing-moves`, `score-changes`, `length`",
            ),
            (
                "test.pair = \"knight\"",
                "claims.test: pair: found no bonus for a pair of `knight` in the definition of chess, expected one",
            ),
            (
                "test = \"joker-against-majors\"",
                "claims.test: found no joker in chess, expected a game with one",
            ),
            (
                "test = \"fair-starts\"",
                "claims.test: found 1 start in chess, expected two or more",
            ),
            (
                "test.relative-value = { kind = \"queen\", others = [], unit = 9, claimed = 9 }",
                "claims.test: others: found none, expected at least one piece",
            ),
            (
                "test.relative-value = { kind = \"queen\", others = [\"rook\"], unit = 0, claimed = 9 }",
                "claims.test: unit: found 0, expected more than 0",
            ),
            (
                "test.relative-value = { kind = \"queen\", others = [\"queen\"], unit = 9, claimed = 9 }",
                "claims.test: others: found `queen`, expected pieces other than `kind`",
            ),
            (
                "test.pawn-among-pieces = { than = \"gamma2\", others = [\"pawn\"] }",
                "claims.test: others: found `pawn`, expected pieces other than king and pawn",
            ),
            (
                "test.cannot-force-mate = []",
                "claims.test: found no list of pieces, expected at least one",
            ),
            (
                "test.cannot-force-mate = [[\"rook\"], [\"pawn\", \"rook\"]]",
                "claims.test: king, pawn and rook: found `pawn`, expected pieces other than king, pawn",
            ),
            (
                "test.setup = { measure = \"pieces\", claimed = nan, claim = \"x\" }",
                "claims.test: claimed: found NaN, expected a finite number",
            ),
            (
                "test.setup = { measure = \"pieces\", claimed = -1, claim = \"x\" }",
                "claims.test: claimed: found -1, expected 0 or more",
            ),
            (
                "test.setup = { measure = \"pieces\", claimed = 1, claim = \" \" }",
                "claims.test: claim: found a blank text, expected a few words",
            ),
        ]);
    }

    #[test]
    fn ratios_must_be_able_to_change() {
        let ratio = |of: &str, to: &str, claimed: &str| {
            format!("test.ratio = {{ of = [{of}], to = [{to}], claimed = {{ {claimed} }}, claim = \"x\" }}")
        };
        let more = "shape = \"more-than\", value = 1";
        let number = |claimed: &str| ratio("\"queen\"", "\"rook\"", claimed);
        assert_errors(&[
            (
                ratio("", "\"rook\"", more),
                "claims.test: of: found none, expected at least one piece",
            ),
            (
                ratio("\"rook\"", "", more),
                "claims.test: to: found none, expected at least one piece",
            ),
            (
                ratio("\"king\"", "\"rook\"", more),
                "claims.test: found `king`, expected a piece other than the king, which has no value",
            ),
            (
                ratio("\"rook\", \"pawn\"", "\"pawn\", \"rook\"", more),
                "claims.test: of, to: found the same pieces in the same proportions, expected a ratio that games can change",
            ),
            (
                ratio("\"queen\", \"queen\"", "\"queen\"", more),
                "claims.test: of, to: found the same pieces in the same proportions",
            ),
            (
                number("shape = \"more-than\", value = nan"),
                "claims.test: claimed: value: found NaN, expected a finite number",
            ),
            (
                number("shape = \"more-than\", value = 1, margin = -1"),
                "claims.test: claimed: margin: found -1, expected 0 or more",
            ),
            (
                number("shape = \"near\", value = 1, within = 0"),
                "claims.test: claimed: within: found 0, expected more than 0",
            ),
            (
                number("shape = \"equal\", value = 1, max-width = inf"),
                "claims.test: claimed: max-width: found inf, expected a finite number",
            ),
            (
                number("shape = \"joint\", values = 3"),
                "unknown variant `joint`, expected one of `equal`, `near`, `more-than`, `less-than`",
            ),
            (
                number(more).replace("\"x\"", &format!("\"{}\"", "x".repeat(121))),
                "claims.test: claim: found 121 characters, expected at most 120",
            ),
        ]);
    }

    #[test]
    fn pairs_need_a_bonus_and_a_scale() {
        let parse_pair = |values: &str| {
            let text = format!("name = 'x'\ntitle = 'x'\nbase = 'chess'\nsource = 'nobody'\n{values}");
            let game = GameSource::from_text(text, "x").unwrap().game;
            let claims = "document = 'a'\n[[claims]]\nquote = 'b'\ntest.pair = 'bishop'\n";
            parse(claims, "x.claims.toml", &game).map_err(|error| error.to_string())
        };
        for (values, expected) in [
            (
                "pieces.bishop = { value = 3, pair = 0 }",
                "claims.test: pair: found 0, expected more than 0",
            ),
            (
                "pieces.bishop = { pair = 0.5 }",
                "claims.test: pair: found no piece of x with a published value besides king and pawn",
            ),
        ] {
            let found = parse_pair(values).unwrap_err();
            assert!(
                found.starts_with("x.claims.toml:4:") && found.contains(expected),
                "{found}"
            );
        }
        assert!(parse_pair("pieces.bishop = { value = 3, pair = 0.5 }").is_ok());
    }

    #[test]
    fn handicaps_must_differ() {
        let handicap = |starts: &str, favors: &str, from_center: &str| {
            format!("{{ name = \"x\", starts = [{starts}], favors = \"{favors}\", from-center = {from_center} }}")
        };
        let white = |starts: &str| handicap(starts, "white", "1");
        let both = |starts: &str| handicap(starts, "white-in-both-games", "1");
        let larger = |more: &str, less: &str| {
            format!("test.larger-handicap = {{ claim = \"x\", more = {more}, less = {less} }}")
        };
        let central = |one: &str, other: &str| format!("test.central-pawns = [{one}, {other}]");
        let (first, second) = (white("\"1\""), white("\"2\""));
        assert_errors(&[
            (
                format!("test.handicaps = [{first}]"),
                "claims.test: found 1 handicap, expected at least two",
            ),
            (
                "test.central-pawns = []".to_owned(),
                "claims.test: found 0 handicaps, expected at least two",
            ),
            (
                larger(&white(""), &first),
                "claims.test: x: starts: found none, expected at least one",
            ),
            (larger(&first, &second), "claims.test: start `2`: "),
            (
                larger(&white("\"1\", \"1\""), &second),
                "claims.test: starts: found `1` twice, expected each start once",
            ),
            (
                larger(&first, &first),
                "claims.test: starts: found `1` twice, expected each start once",
            ),
            (
                format!("test.handicaps = [{first}, {second}, {first}]"),
                "claims.test: starts: found `1` twice, expected each start once",
            ),
            (
                larger(&both("\"1\""), &second),
                "claims.test: x: starts: found `1`, expected a handicap after `+`",
            ),
            (
                larger(&both("\"1+pawn:e4\", \"2+pawn:e4\""), &second),
                "claims.test: x: starts: found the setups of `1+pawn:e4` and `2+pawn:e4`, expected the same setup",
            ),
            (
                central(&first, &second),
                "claims.test: from-center: found the same distance in all handicaps, expected different distances",
            ),
            (
                central(&handicap("\"1\"", "white", "0.0"), &handicap("\"2\"", "white", "-0.0")),
                "claims.test: from-center: found the same distance in all handicaps",
            ),
            (
                central(&handicap("\"1\"", "white", "nan"), &second),
                "claims.test: x: from-center: found NaN, expected 0 to 100 files",
            ),
            (
                central(&handicap("\"1\"", "white", "-1"), &second),
                "claims.test: x: from-center: found -1, expected 0 to 100 files",
            ),
            (
                larger(&first.replace("\"x\"", "\"\""), &second),
                "claims.test: name: found a blank text, expected a few words",
            ),
            (
                larger(&first.replace("\"x\"", &format!("\"{}\"", "x".repeat(61))), &second),
                "claims.test: name: found 61 characters, expected at most 60",
            ),
        ]);
    }

    #[test]
    fn games_in_a_file_must_differ_in_name_and_rules() {
        let game =
            |name: &str, change: &str| format!("{{ name = \"{name}\", title = \"{name}\", base = \"chess\"{change} }}");
        let replaced = |kind: &str, game: &str| {
            format!("test.replaced-piece = {{ kind = \"{kind}\", game = {game}, claimed = 3, claim = \"x\" }}")
        };
        let piece = |kind: &str, movement: &str| format!(", pieces.{kind}.move = \"{movement}\"");
        let rule =
            |with: &str, without: &str| format!("test.rule-helps-black = {{ with = {with}, without = {without} }}");
        let (king, ferz) = (piece("knight", "K"), piece("knight", "F"));
        assert_errors(&[
            (
                "test.rule-helps-black = { with = { name = \"x\" } }".to_owned(),
                "board: missing",
            ),
            (
                replaced("knight", &game("x", &piece("knight", "N"))),
                "claims.test: game: found the same movement of `knight` as in chess, expected another",
            ),
            (
                replaced("knight", &game("x", &piece("rook", "K"))),
                "claims.test: game: found another movement of `rook`, expected one of `knight` only",
            ),
            (
                replaced("pawn", &game("x", &piece("pawn", "fmWfcF"))),
                "claims.test: kind: found `pawn`, expected a piece other than king and pawn",
            ),
            (
                replaced("knight", &game("gunnery", &king)),
                "name: found `gunnery`, the name of a built-in game",
            ),
            (
                rule(&game("x", ""), &game("x", &king)),
                "claims.test: with, without: found two games named x, expected different names",
            ),
            (
                rule(&game("x", ""), &game("y", "")),
                "claims.test: with, without: found the same rules, expected games that differ in a rule",
            ),
            // Values are no rule.
            (
                rule(&game("x", ""), &game("y", ", source = \"z\", pieces.rook.value = 5")),
                "claims.test: with, without: found the same rules",
            ),
        ]);
        let commoner = replaced("knight", &game("x", &king));
        let two = |second: &str| {
            let chess = GameDef::builtin("chess").unwrap();
            let claim = |test: &str| format!("[[claims]]\nquote = \"b\"\n{test}\n");
            let text = format!("document = \"a\"\n{}{}", claim(&commoner), claim(second));
            parse(&text, "my.claims.toml", &chess).map_err(|error| error.to_string())
        };
        assert!(two(&commoner).is_ok());
        for second in [
            replaced("knight", &game("x", &ferz)),
            rule(&game("x", ""), &game("y", &king)),
        ] {
            let found = two(&second).unwrap_err();
            assert!(
                found.starts_with("my.claims.toml:7:")
                    && found.contains("claims.test: found two different games named `x`, expected different names"),
                "{found}"
            );
        }
    }

    /// The name of the game of the claims is that of a file of games.
    #[test]
    fn a_game_in_a_file_has_another_name_than_the_game_of_the_claims() {
        let text = "name = 'mine'\ntitle = 'x'\nbase = 'chess'\nsource = 'nobody'\n\
                    pieces.rook.value = 5\npieces.queen.value = 9\n";
        let mine = GameSource::from_text(text.to_owned(), "mine.toml").unwrap().game;
        let changed = "{ name = 'mine', title = 'x', base = 'chess', pieces.knight.move = 'K' }";
        let other = "{ name = 'other', title = 'x', base = 'chess' }";
        for test in [
            format!("test.replaced-piece = {{ kind = 'knight', game = {changed}, claimed = 3, claim = 'x' }}"),
            format!("test.rule-helps-black = {{ with = {changed}, without = {other} }}"),
        ] {
            let claims = format!("document = 'a'\n[[claims]]\nquote = 'b'\n{test}\n");
            let found = parse(&claims, "mine.claims.toml", &mine).unwrap_err().to_string();
            assert!(
                found.starts_with("mine.claims.toml:4:")
                    && found.contains("found `mine` as the name of another game, expected another name"),
                "{found}"
            );
        }
    }

    #[test]
    fn document_and_quote_must_not_be_blank() {
        let game = GameDef::builtin("chess").unwrap();
        let error = |text: &str| parse(text, "my.claims.toml", &game).unwrap_err().to_string();
        let claim = |quote: &str| format!("[[claims]]\nquote = '{quote}'\ntest = 'values'\n");
        assert_eq!(
            error(&claim("b")),
            "my.claims.toml: document: missing: expected the title or address of the document that is quoted"
        );
        assert_eq!(
            error(&format!("document = ' '\n{}", claim("b"))),
            "my.claims.toml:1:12: document: found a blank text, expected the title or address of the document that is quoted"
        );
        assert_eq!(
            error(&format!("document = 'a'\n{}", claim(" "))),
            "my.claims.toml:3:9: claims.quote: found a blank text, expected the words of the document"
        );
        assert!(parse("document = ''\n", "my.claims.toml", &game).unwrap().is_empty());
    }
}
