//! The keys of a variant that cause an error in its definition.

use std::collections::BTreeSet;

use super::super::error::DefError;
use super::kinds::zone_keys;
use super::parse::Section;

/// Beginnings of keys of a definition, and those of the keys that they come from. The first that fits counts.
const ORIGINS: [(&str, &[&str]); 24] = [
    ("board", &["maxFile", "maxRank"]),
    ("castling", &["castling", "chess960"]),
    (
        "drops",
        &["drop", "firstRankPawnDrops", "promotionZonePawnDrops", "pieceDrops", "capturesToHand", "shogiPawnDrop"],
    ),
    ("endings.bare-king-loses", &["extinction"]),
    ("endings.checkmate", &["checkmateValue"]),
    ("endings.checks", &["checkCounting"]),
    ("endings.counting", &["countingRule"]),
    ("endings.extinction", &["extinction"]),
    ("endings.goal", &["flag"]),
    ("endings.move-rule", &["nMoveRule"]),
    ("endings.pawn-moves-reset", &["nMoveRuleTypes"]),
    ("endings.repetition", &["nFold"]),
    ("endings.stalemate", &["stalemate"]),
    ("explosions", &["blast"]),
    ("flying-general", &["flyingGeneral"]),
    ("forbids-checks", &["checking"]),
    ("pawns.promotion-limits", &["promotionLimit"]),
    ("pawns", &["doubleStep", "enPassant", "pawn"]),
    ("piece-promotion", &["promotedPieceType", "promotionRegion", "pieceDemotion", "mandatoryPiece", "piecePromotion"]),
    ("promotion", &["promotionPieceTypes", "promotionRegion", "promotionLimit", "mandatoryPawnPromotion"]),
    ("starts", &["startFen"]),
    ("walls.each-move", &["wallingRule"]),
    ("walls.petrified", &["petrifyOnCaptureTypes"]),
    ("walls", &["wallingRule", "petrifyOnCaptureTypes", "startFen"]),
];

/// The error of a variant that has no definition, at the key that the message names.
pub(super) fn of_message(chain: &[&Section<'_>], message: &str) -> DefError {
    let words: BTreeSet<&str> = message.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    at_cause(chain, |key| words.contains(key), message.to_owned())
}

/// The error of a variant whose definition is wrong, at the key that the wrong one comes from.
pub(super) fn of_definition(chain: &[&Section<'_>], error: &DefError) -> DefError {
    let wrong = error.key.as_deref().unwrap_or_default();
    let piece = wrong.strip_prefix("pieces.").and_then(|rest| rest.split('.').next());
    let is_origin = |key: &str| match piece {
        Some(piece) if piece.starts_with("promoted-") => key == "promotedPieceType",
        Some(piece) if wrong.rsplit('.').next() == Some("zone") => zone_keys(piece).iter().any(|zone| zone == key),
        Some(piece) => key == piece,
        None => {
            let origins = ORIGINS.iter().find(|(beginning, _)| wrong.starts_with(beginning));
            origins.is_some_and(|(_, keys)| keys.iter().any(|&beginning| key.starts_with(beginning)))
        }
    };
    let place = if wrong.is_empty() { String::new() } else { format!("{wrong}: ") };
    at_cause(chain, is_origin, format!("as a definition, {place}{}", error.message))
}

/// An error at the last of the keys that `is_cause` accepts, or at the name of the variant.
fn at_cause(chain: &[&Section<'_>], is_cause: impl Fn(&str) -> bool, message: String) -> DefError {
    let mut entries = chain.iter().flat_map(|section| section.entries.iter().rev());
    let (key, value) = match entries.find(|(key, _)| is_cause(key)) {
        Some(&(key, value)) => (key, value),
        None => (chain[0].name.text, chain[0].name),
    };
    DefError::at(value.file, value.whole, Some(value.byte), Some(key), message)
}
