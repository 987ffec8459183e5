//! Claims files: statements of a document about a game, each with its test. `docs/claims.md` describes the format.

use std::sync::Arc;

use assay_rules::def::{BUILTIN_FILES, DefError, parse_toml};
use assay_rules::{GameDef, Position};
use assay_selfplay::settings::GameSource;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::{Spanned, Table};

use super::run_cache::RunKind;
use super::solved_endgames;
use super::values::Scale;
use super::{Claimed, StatedAs, Statement, Test};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimsFile {
    #[serde(default)]
    document: String,
    #[serde(default)]
    claims: Vec<Claim>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    quote: String,
    #[serde(default, rename = "stated-as")]
    stated_as: StatedAs,
    test: Spanned<Test>,
}

/// Reads a claims file; `file` is its name in error messages.
///
/// # Errors
/// If the file is malformed, or a test refers to a piece, game or start that does not exist.
pub fn parse(text: &str, file: &str, game: &Arc<GameDef>) -> Result<Vec<Statement>, DefError> {
    let ClaimsFile { document, claims } = parse_toml(text, file)?;
    if document.is_empty() && !claims.is_empty() {
        let message = "missing: expected the title or address of the document that is quoted";
        return Err(DefError::at(file, text, None, Some("document"), message));
    }
    let statement = |claim: Claim| {
        let byte = claim.test.span().start;
        let statement = Statement {
            quote: claim.quote,
            document: document.clone(),
            stated_as: claim.stated_as,
            test: claim.test.into_inner(),
        };
        match check(&statement, game) {
            Ok(()) => Ok(statement),
            Err(message) => Err(DefError::at(file, text, Some(byte), Some("claims.test"), message)),
        }
    };
    claims.into_iter().map(statement).collect()
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

/// Returns true if the published values have ratios: those of two pieces, or of a piece and the pawn.
fn has_ratios(game: &GameDef) -> bool {
    let is_published = game.kind(game.pawn).value.is_some();
    Scale::of_army(game, None).pieces() + usize::from(is_published) > 1
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

/// Checks everything that a test refers to.
fn check(statement: &Statement, game: &Arc<GameDef>) -> Result<(), String> {
    let test = &statement.test;
    for name in test.kinds() {
        let mut known = game.all_kinds().map(|kind| game.kind(kind).name.as_str());
        if !known.any(|known| known == name) {
            let known: Vec<&str> = game.all_kinds().map(|kind| game.kind(kind).name.as_str()).collect();
            return Err(format!(
                "found `{name}`, expected a piece of the game: {}",
                known.join(", ")
            ));
        }
    }
    match test {
        Test::Values if !has_ratios(game) => {
            return Err(format!(
                "found fewer than two values in the definition of {}, expected at least two besides the king's",
                game.name
            ));
        }
        Test::RelativeValue { others, .. }
        | Test::GainsInEndgame { others, .. }
        | Test::PawnAmongPieces { others, .. }
            if others.is_empty() =>
        {
            return Err("others: expected at least one piece".to_owned());
        }
        Test::Ratio { of, to, .. } if of.is_empty() || to.is_empty() => {
            return Err("of, to: expected at least one piece each".to_owned());
        }
        Test::PawnCost {
            claimed: Claimed::Joint { .. },
            ..
        }
        | Test::Ratio {
            claimed: Claimed::Joint { .. },
            ..
        }
        | Test::ComparePlay {
            claimed: Claimed::Joint { .. },
            ..
        } => {
            return Err("claimed: found the shape `joint`, expected equal, near, more-than or less-than".to_owned());
        }
        Test::ReplacedPiece {
            kind,
            game: replaced,
            claimed,
            ..
        } => check_replaced_piece(game, kind, &replaced.game, *claimed)?,
        Test::CannotForceMate(endgames) if endgames.is_empty() => {
            return Err("expected at least one list of pieces".to_owned());
        }
        Test::CannotForceMate(endgames) => {
            for pieces in endgames {
                solved_endgames::check(game, pieces)
                    .map_err(|error| format!("{}: {error}", solved_endgames::name(pieces)))?;
            }
        }
        Test::Handicaps(handicaps) if handicaps.len() < 2 => {
            return Err("expected at least two handicaps".to_owned());
        }
        Test::CentralPawns(handicaps)
            if handicaps
                .iter()
                .all(|one| one.from_center.total_cmp(&handicaps[0].from_center).is_eq()) =>
        {
            return Err("from-center: expected different distances".to_owned());
        }
        _ => {}
    }
    if let Some(handicap) = test.handicaps().iter().find(|handicap| handicap.starts.is_empty()) {
        return Err(format!("{}: starts: expected at least one start", handicap.name));
    }
    let defined = test.games();
    for run in statement.runs(&game.name) {
        let is_known = run.game == game.name
            || defined.iter().any(|source| source.game.name == run.game)
            || GameDef::builtin(&run.game).is_some();
        if !is_known {
            let known = assay_rules::def::BUILTIN_NAMES.join(", ");
            return Err(format!("found `{}`, expected a built-in game: {known}", run.game));
        }
        if let RunKind::Start(start) = &run.kind {
            Position::from_start(game, start).map_err(|error| format!("start `{start}`: {error}"))?;
        }
    }
    Ok(())
}

/// Checks that a game differs from another only in the movement of one kind, and that there is a scale for its value.
fn check_replaced_piece(game: &GameDef, replaced: &str, other: &GameDef, claimed: f64) -> Result<(), String> {
    if !(claimed.is_finite() && claimed > 0.0) {
        return Err(format!("claimed: found {claimed}, expected a number above 0"));
    }
    if other.board != game.board {
        return Err(format!("game: found another board, expected that of {}", game.name));
    }
    let movement = |game: &GameDef, name: &str| {
        let kind = game.all_kinds().find(|&kind| game.kind(kind).name == name)?;
        Some(game.kind(kind).movement.clone())
    };
    let differs = |name: &str| movement(other, name) != movement(game, name);
    let mut kinds = game.kinds.iter().chain(&other.kinds);
    if let Some(kind) = kinds.find(|kind| kind.name != replaced && differs(&kind.name)) {
        return Err(format!(
            "game: found another movement of `{}`, expected one of `{replaced}` only",
            kind.name
        ));
    }
    if !differs(replaced) {
        return Err(format!(
            "game: found the same movement of `{replaced}` as in {}, expected another",
            game.name
        ));
    }
    if [game.king, game.pawn]
        .iter()
        .any(|&kind| game.kind(kind).name == replaced)
    {
        return Err(format!(
            "kind: found `{replaced}`, expected a piece other than king and pawn"
        ));
    }
    if Scale::of_army(game, Some(replaced)).pieces() == 0 {
        return Err(format!(
            "kind: found no other piece of {} with a published value, expected at least one as the scale",
            game.name
        ));
    }
    Ok(())
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

    #[test]
    fn errors_name_line_and_expectation() {
        let game = GameDef::builtin("chess").unwrap();
        let error = |test: &str| {
            let text = format!("document = \"a\"\n\n[[claims]]\nquote = \"b\"\n{test}\n");
            parse(&text, "my.claims.toml", &game).unwrap_err().to_string()
        };
        let handicap = |start: &str| format!("{{ name = \"x\", starts = [{start}], favors = \"white\" }}");
        let replaced = |kind: &str, change: &str| {
            let game = format!("{{ name = \"x\", title = \"x\", base = \"chess\", {change} }}");
            format!("test.replaced-piece = {{ kind = \"{kind}\", game = {game}, claimed = 3, claim = \"x\" }}")
        };
        let cases = [
            (
                "test.pair = \"bishp\"".to_owned(),
                "claims.test: found `bishp`, expected a piece of the game: king, queen, rook, bishop, knight, pawn",
            ),
            (
                "test = \"value\"".to_owned(),
                "5:8: unknown variant `value`, expected one of `values`",
            ),
            (
                "test.relative-value = { kind = \"queen\" }".to_owned(),
                "missing field `others`",
            ),
            (
                "test.ratio = { of = [], to = [\"rook\"], claimed = { shape = \"more-than\", value = 1 }, claim = \"x\" }".to_owned(),
                "claims.test: of, to: expected at least one piece each",
            ),
            (
                "stated-as = \"rumor\"\ntest = \"values\"".to_owned(),
                "unknown variant `rumor`, expected one of `claim`, `table`, `aim`, `concession`",
            ),
            (
                "test.same-values = \"shogi\"".to_owned(),
                "claims.test: found `shogi`, expected a built-in game: chess, ",
            ),
            (
                format!("test.handicaps = [{}]", handicap("\"1\"")),
                "claims.test: expected at least two handicaps",
            ),
            (
                format!(
                    "test.larger-handicap = {{ claim = \"x\", more = {0}, less = {0} }}",
                    handicap("")
                ),
                "claims.test: x: starts: expected at least one start",
            ),
            (
                format!(
                    "test.larger-handicap = {{ claim = \"x\", more = {0}, less = {0} }}",
                    handicap("\"2\"")
                ),
                "claims.test: start `2`: ",
            ),
            (
                format!("test.central-pawns = [{0}, {0}]", handicap("\"1\"")),
                "claims.test: from-center: expected different distances",
            ),
            (
                "test.cannot-force-mate = []".to_owned(),
                "claims.test: expected at least one list of pieces",
            ),
            (
                "test.cannot-force-mate = [[\"rook\"], [\"pawn\", \"rook\"]]".to_owned(),
                "claims.test: king, pawn and rook: found `pawn`, expected pieces other than king, pawn",
            ),
            (
                "test.compare-play = { than = \"berolina\", measure = \"beauty\", claimed = { shape = \"more-than\", value = 1 }, claim = \"x\" }".to_owned(),
                "unknown variant `beauty`, expected one of `forcing-moves`, `score-changes`, `length`",
            ),
            (
                replaced("knight", "pieces.knight.move = \"N\""),
                "claims.test: game: found the same movement of `knight` as in chess, expected another",
            ),
            (
                replaced("knight", "pieces.rook.move = \"K\""),
                "claims.test: game: found another movement of `rook`, expected one of `knight` only",
            ),
            (
                replaced("pawn", "pieces.pawn.move = \"fmWfcF\""),
                "claims.test: kind: found `pawn`, expected a piece other than king and pawn",
            ),
            (
                "test.rule-helps-black = { with = { name = \"x\" } }".to_owned(),
                "board: missing",
            ),
            (
                "tset = 1".to_owned(),
                "5:1: unknown field `tset`, expected one of `quote`, `stated-as`, `test`",
            ),
        ];
        for (test, expected) in cases {
            let found = error(&test);
            assert!(
                found.starts_with("my.claims.toml:5:") && found.contains(expected),
                "{test}: {found}"
            );
        }
    }
}
