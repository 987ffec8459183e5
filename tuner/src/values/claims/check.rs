//! Checks that games can decide a statement, before any game is played.

use std::collections::BTreeSet;
use std::sync::Arc;

use assay_cli::format::count;
use assay_rules::{GameDef, Position};
use assay_selfplay::settings::GameSource;

use super::run_cache::RunKind;
use super::scores::Handicap;
use super::solved_endgames;
use super::values::Scale;
use super::{Claimed, Statement, Test};

/// The longest claim in a table of a report, in characters.
const MAX_CLAIM: usize = 120;

/// The longest name of a handicap, in characters: a claim contains two.
const MAX_HANDICAP_NAME: usize = 60;

/// The largest distance from the center, in files: more than any board has.
const MAX_FROM_CENTER: f64 = 100.0;

/// Checks everything that a statement about `game` refers to, and its numbers. `defined` are the games that earlier statements of the file define.
///
/// # Errors
/// If the test refers to something that does not exist, or a number is out of range. The text states what was found and what was expected.
pub(super) fn check(statement: &Statement, game: &Arc<GameDef>, defined: &[GameSource]) -> Result<(), String> {
    let test = &statement.test;
    check_texts(test)?;
    check_kinds(test, game)?;
    check_numbers(test)?;
    check_test(test, game)?;
    check_handicaps(test)?;
    check_games(statement, game)?;
    check_names_of_games(test, game, defined)
}

/// Checks the names that reports show.
fn check_texts(test: &Test) -> Result<(), String> {
    if let Some(claim) = test.claim() {
        check_text("claim", claim, MAX_CLAIM)?;
    }
    let mut names = test.handicaps().into_iter().map(|handicap| &handicap.name);
    names.try_for_each(|name| check_text("name", name, MAX_HANDICAP_NAME))
}

fn check_text(key: &str, text: &str, most: usize) -> Result<(), String> {
    let length = text.chars().count();
    if text.trim().is_empty() {
        return Err(format!("{key}: found a blank text, expected a few words"));
    }
    if length > most {
        return Err(format!("{key}: found {length} characters, expected at most {most}"));
    }
    Ok(())
}

/// Returns true if the published values have ratios: those of two pieces, or of a piece and the pawn.
pub(super) fn has_ratios(game: &GameDef) -> bool {
    let is_published = game.kind(game.pawn).value.is_some();
    Scale::of_army(game, None).pieces() + usize::from(is_published) > 1
}

/// Checks that the game has the pieces.
fn check_kinds(test: &Test, game: &GameDef) -> Result<(), String> {
    let known: Vec<&str> = game.all_kinds().map(|kind| game.kind(kind).name.as_str()).collect();
    for name in test.kinds() {
        if !known.contains(&name.as_str()) {
            return Err(format!(
                "found `{name}`, expected a piece of the game: {}",
                known.join(", ")
            ));
        }
        let has_value = *name != game.kind(game.king).name;
        if !has_value && !matches!(test, Test::CannotForceMate(_) | Test::ReplacedPiece { .. }) {
            return Err(format!(
                "found `{name}`, expected a piece other than the king, which has no value"
            ));
        }
    }
    Ok(())
}

fn check_numbers(test: &Test) -> Result<(), String> {
    match test {
        Test::Ratio { claimed, .. } | Test::PawnCost { claimed, .. } | Test::ComparePlay { claimed, .. } => {
            check_claimed(*claimed).map_err(|error| format!("claimed: {error}"))
        }
        Test::RelativeValue { unit, claimed, .. } => {
            check_positive("unit", *unit)?;
            check_positive("claimed", *claimed)
        }
        Test::ReplacedPiece { claimed, .. } => check_positive("claimed", *claimed),
        Test::Setup { claimed, .. } => check_not_negative("claimed", *claimed),
        _ => Ok(()),
    }
}

fn check_claimed(claimed: Claimed) -> Result<(), String> {
    match claimed {
        Claimed::Equal { value, max_width } => {
            check_finite("value", value)?;
            check_positive("max-width", max_width)
        }
        Claimed::Near { value, within } => {
            check_finite("value", value)?;
            check_positive("within", within)
        }
        Claimed::MoreThan { value, margin } | Claimed::LessThan { value, margin } => {
            check_finite("value", value)?;
            check_not_negative("margin", margin)
        }
        Claimed::Joint { .. } => Ok(()),
    }
}

fn check_finite(key: &str, number: f64) -> Result<(), String> {
    if number.is_finite() {
        return Ok(());
    }
    Err(format!("{key}: found {number}, expected a finite number"))
}

fn check_positive(key: &str, number: f64) -> Result<(), String> {
    check_finite(key, number)?;
    if number > 0.0 {
        return Ok(());
    }
    Err(format!("{key}: found {number}, expected more than 0"))
}

fn check_not_negative(key: &str, number: f64) -> Result<(), String> {
    check_finite(key, number)?;
    if number >= 0.0 {
        return Ok(());
    }
    Err(format!("{key}: found {number}, expected 0 or more"))
}

/// Checks what only one kind of test needs.
fn check_test(test: &Test, game: &GameDef) -> Result<(), String> {
    match test {
        Test::Values if !has_ratios(game) => Err(format!(
            "found fewer than two values in the definition of {}, expected at least two besides the king's",
            game.name
        )),
        Test::Pair(name) => check_pair(game, name),
        Test::JokerAgainstMajors if game.joker.is_none() => {
            Err(format!("found no joker in {}, expected a game with one", game.name))
        }
        Test::RelativeValue { kind, others, .. } | Test::GainsInEndgame { kind, others } => {
            check_pieces("others", others)?;
            if others.contains(kind) {
                return Err(format!("others: found `{kind}`, expected pieces other than `kind`"));
            }
            Ok(())
        }
        Test::PawnAmongPieces { others, .. } => {
            check_pieces("others", others)?;
            let pawn = &game.kind(game.pawn).name;
            if others.contains(pawn) {
                return Err(format!(
                    "others: found `{pawn}`, expected pieces other than king and pawn"
                ));
            }
            Ok(())
        }
        Test::Ratio { of, to, .. } => {
            check_pieces("of", of)?;
            check_pieces("to", to)?;
            let times = |names: &[String], name: &String| names.iter().filter(|other| *other == name).count();
            let mut names = of.iter().chain(to);
            if names.all(|name| times(of, name) * to.len() == times(to, name) * of.len()) {
                return Err(
                    "of, to: found the same pieces in the same proportions, expected a ratio that games can change"
                        .to_owned(),
                );
            }
            Ok(())
        }
        Test::ReplacedPiece {
            kind, game: replaced, ..
        } => check_replaced_piece(game, kind, &replaced.game),
        Test::CannotForceMate(endgames) => {
            if endgames.is_empty() {
                return Err("found no list of pieces, expected at least one".to_owned());
            }
            endgames.iter().try_for_each(|pieces| {
                solved_endgames::check(game, pieces)
                    .map_err(|error| format!("{}: {error}", solved_endgames::name(pieces)))
            })
        }
        Test::FairStarts if game.starts.len() < 2 => Err(format!(
            "found {} in {}, expected two or more",
            count(game.starts.len() as u64, "start", "starts"),
            game.name
        )),
        Test::RuleHelpsBlack { with, without } => check_rule(with, without),
        _ => Ok(()),
    }
}

/// Checks that a list of pieces is not empty.
fn check_pieces(key: &str, names: &[String]) -> Result<(), String> {
    if names.is_empty() {
        return Err(format!("{key}: found none, expected at least one piece"));
    }
    Ok(())
}

/// Checks that there is a bonus for a pair, and a scale for it.
fn check_pair(game: &GameDef, name: &str) -> Result<(), String> {
    let mut kinds = game.all_kinds().map(|kind| game.kind(kind));
    let Some(bonus) = kinds.find(|kind| kind.name == name).and_then(|kind| kind.pair) else {
        return Err(format!(
            "pair: found no bonus for a pair of `{name}` in the definition of {}, expected one",
            game.name
        ));
    };
    check_positive("pair", bonus)?;
    if Scale::of_army(game, None).pieces() == 0 {
        return Err(format!(
            "pair: found no piece of {} with a published value besides king and pawn, expected at least one as the scale",
            game.name
        ));
    }
    Ok(())
}

/// Checks that two games differ in their rules and have the same board, so that they can be played from the same openings.
fn check_rule(with: &GameSource, without: &GameSource) -> Result<(), String> {
    if with.game.name == without.game.name {
        return Err(format!(
            "with, without: found two games named {}, expected different names",
            with.game.name
        ));
    }
    if with.game.board != without.game.board {
        return Err("with, without: found different boards, expected the same board".to_owned());
    }
    let mut renamed = GameDef::clone(&without.game);
    renamed.name.clone_from(&with.game.name);
    let renamed = GameSource {
        game: Arc::new(renamed),
        text: None,
    };
    if renamed.rules_hash() == with.rules_hash() {
        return Err("with, without: found the same rules, expected games that differ in a rule".to_owned());
    }
    Ok(())
}

fn check_handicaps(test: &Test) -> Result<(), String> {
    let handicaps = test.handicaps();
    for handicap in &handicaps {
        check_handicap(handicap).map_err(|error| format!("{}: {error}", handicap.name))?;
    }
    let mut seen = BTreeSet::new();
    let mut starts = handicaps.iter().flat_map(|handicap| &handicap.starts);
    if let Some(twice) = starts.find(|start| !seen.insert(start.as_str())) {
        return Err(format!("starts: found `{twice}` twice, expected each start once"));
    }
    if matches!(test, Test::Handicaps(_) | Test::CentralPawns(_)) && handicaps.len() < 2 {
        return Err(format!(
            "found {}, expected at least two",
            count(handicaps.len() as u64, "handicap", "handicaps")
        ));
    }
    let mut distances = handicaps.iter().map(|handicap| handicap.from_center);
    if matches!(test, Test::CentralPawns(_)) && distances.all(|at| (at - handicaps[0].from_center).abs() <= 0.0) {
        return Err("from-center: found the same distance in all handicaps, expected different distances".to_owned());
    }
    Ok(())
}

fn check_handicap(handicap: &Handicap) -> Result<(), String> {
    let Some(first) = handicap.starts.first() else {
        return Err("starts: found none, expected at least one".to_owned());
    };
    let distance = handicap.from_center;
    if !(0.0..=MAX_FROM_CENTER).contains(&distance) {
        return Err(format!(
            "from-center: found {distance}, expected 0 to {MAX_FROM_CENTER} files"
        ));
    }
    // The side's score is measured against that from the setup of all starts.
    let Some(setup) = handicap.base() else {
        return Ok(());
    };
    for start in &handicap.starts {
        let (other, handicaps) = start.split_once('+').unwrap_or((start.as_str(), ""));
        if handicaps.is_empty() {
            return Err(format!("starts: found `{start}`, expected a handicap after `+`"));
        }
        if other != setup {
            return Err(format!(
                "starts: found the setups of `{first}` and `{start}`, expected the same setup"
            ));
        }
    }
    Ok(())
}

/// Checks that the games and starts of all runs exist.
fn check_games(statement: &Statement, game: &Arc<GameDef>) -> Result<(), String> {
    if statement.test.other_game() == Some(&game.name) {
        return Err(format!(
            "found `{}` as the other game, expected another than that of the claims",
            game.name
        ));
    }
    let defined = statement.test.games();
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
    if let Some(other) = statement.test.other_game().and_then(|name| GameDef::builtin(name)) {
        check_common_kinds(&statement.test, game, &other)?;
    }
    Ok(())
}

/// Checks the names of the games that a test defines: files of games are named after them.
fn check_names_of_games(test: &Test, game: &GameDef, defined: &[GameSource]) -> Result<(), String> {
    for source in test.games() {
        let name = &source.game.name;
        if *name == game.name {
            return Err(format!(
                "found `{name}` as the name of another game, expected another name than that of the game of the claims"
            ));
        }
        if defined
            .iter()
            .any(|other| other.game.name == *name && other.game != source.game)
        {
            return Err(format!(
                "found two different games named `{name}`, expected different names"
            ));
        }
    }
    Ok(())
}

/// Checks that both games have the pieces that a test compares.
fn check_common_kinds(test: &Test, game: &GameDef, other: &GameDef) -> Result<(), String> {
    let in_other = |name: &str| other.all_kinds().any(|kind| other.kind(kind).name == name);
    if let Test::PawnAmongPieces { others, .. } = test
        && let Some(missing) = others.iter().find(|name| !in_other(name))
    {
        return Err(format!(
            "others: found `{missing}`, expected pieces that {} has, too",
            other.name
        ));
    }
    let pieces = game.all_kinds().filter(|&kind| kind != game.pawn && kind != game.king);
    let common = pieces.filter(|&kind| in_other(&game.kind(kind).name)).count();
    let least = if matches!(test, Test::SameValues(_)) { 2 } else { 0 };
    if common < least {
        return Err(format!(
            "found {} in common with {}, expected two or more besides king and pawn",
            count(common as u64, "piece", "pieces"),
            other.name
        ));
    }
    Ok(())
}

/// Checks that a game differs from another only in the movement of one kind, and that there is a scale for its value.
fn check_replaced_piece(game: &GameDef, replaced: &str, other: &GameDef) -> Result<(), String> {
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
