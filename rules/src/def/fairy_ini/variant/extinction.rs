//! Extinction: kinds whose loss decides, and royal pieces besides the king.

use super::super::super::keys::{EndingKeys, ExtinctionKeys};
use super::super::kinds::{Name, Names};
use super::draft::{Conflict, Draft, require};
use super::key::{Key, Setting, keys};
use crate::types::outcome::Points;
use crate::types::piece::Kind;
use crate::variant::kinds::PieceClass;
use crate::variant::{GameDef, mechanism};

keys! {
    /// Extinction.
    ExtinctionSettings in extinction {
        /// Result of the side that is extinct; `None` without extinction.
        value: Option<Points> = None, "extinctionValue" => EXTINCTION;
        claim: bool = false, "extinctionClaim" => EXTINCTION;
        pseudo_royal: bool = false, "extinctionPseudoRoyal" => EXTINCTION;
        /// Kinds, each alone; `None` for all together.
        types: Option<Vec<Name>> = Some(Vec::new()), "extinctionPieceTypes" => EXTINCTION;
        count: u32 = 0, "extinctionPieceCount" => EXTINCTION;
        opponent_count: u32 = 0, "extinctionOpponentPieceCount" => EXTINCTION;
    }
    first {}
}

const EXTINCTION: &[&str] = &["endings.extinction", "endings.bare-king-loses", "pieces", "walls", "flying-general"];

/// A number of pieces that no side has: all of them are royal.
const ALL_ROYAL: u32 = 64;

impl ExtinctionSettings {
    /// A bare king loses.
    fn bare_king() -> ExtinctionSettings {
        let value = Some(Points::LOSS);
        ExtinctionSettings { value, claim: true, pseudo_royal: false, types: None, count: 1, opponent_count: 2 }
    }
}

/// Kinds that are royal besides the king: all of a kind, or the only one that a side can have.
pub(super) fn royals(draft: &Draft<'_>) -> Result<Vec<Name>, Conflict> {
    let ExtinctionSettings { value, pseudo_royal, types, count, .. } = &draft.rules.extinction;
    if !pseudo_royal || value.is_none() {
        return Ok(Vec::new());
    }
    require(
        draft.rules.endings.checking || draft.kinds.letter("king").is_some(),
        &["checking", "king"],
        "found checking = false, expected true: there is no king, and checks to others do not count",
    )?;
    let pawns = &draft.rules.pawns;
    let is_only = |name: &Name| {
        let is_one = |letter| draft.ranks.iter().flat_map(|squares| squares.matches(letter)).count() == 1;
        draft.kinds.letter(name).is_some_and(|letter| is_one(letter) && is_one(letter.to_ascii_lowercase()))
            && !pawns.promotion_white.contains(name)
            && !pawns.promotion_black.contains(name)
            && !draft.rules.drops.is_allowed
    };
    let are_royal = |names: &Vec<Name>| *count >= ALL_ROYAL || *count == 0 && names.iter().all(is_only);
    match types {
        Some(names) if *value == Some(Points::LOSS) && are_royal(names) => Ok(names.clone()),
        _ => {
            let message = format!(
                "found extinctionPseudoRoyal for several pieces, expected kinds in extinctionPieceTypes of which each side has one, or \
                 extinctionPieceCount = {ALL_ROYAL}"
            );
            Err(Conflict::new(&["extinctionPseudoRoyal", "extinctionPieceTypes", "extinctionPieceCount"], message))
        }
    }
}

pub(super) fn define(draft: &Draft<'_>, endings: &mut EndingKeys) -> Result<(), Conflict> {
    let ExtinctionSettings { value, claim, pseudo_royal, types, count, opponent_count } = &draft.rules.extinction;
    let Some(value) = value.filter(|_| types.as_ref().is_none_or(|types| !types.is_empty())) else { return Ok(()) };
    if *claim || *opponent_count > 0 {
        let is_bare_king = types.is_none() && !pseudo_royal && *claim;
        if is_bare_king && (value, *count, *opponent_count) == (Points::LOSS, 1, 2) {
            endings.bare_king_loses = Some(true);
            return Ok(());
        }
        let all = KEYS.iter().map(|key| key.name).collect::<Vec<_>>();
        let message = "found extinctionClaim or extinctionOpponentPieceCount, expected neither, or: extinctionValue = loss, extinctionClaim = true, extinctionPseudoRoyal = false, extinctionPieceTypes = *, extinctionPieceCount = 1, extinctionOpponentPieceCount = 2";
        return Err(Conflict::new(&all, message));
    }
    // Royal pieces cannot be captured, so their number does not shrink unless they explode.
    if *pseudo_royal && !draft.rules.captures.explode {
        return Ok(());
    }
    let pieces = match types {
        None => draft.kinds.0.values().map(|kind| kind.letter).collect(),
        Some(names) => {
            if let Some(missing) = names.iter().find(|name| draft.kinds.letter(name).is_none()) {
                let (why, key) = draft.variant.why_missing(missing);
                let message =
                    format!("found extinctionPieceTypes with a {missing}, which the variant does not have{why}");
                return Err(Conflict::new(&["extinctionPieceTypes", missing, key], message));
            }
            draft.kinds.letters(names)
        }
    };
    endings.extinction = Some(ExtinctionKeys {
        pieces: Some(pieces),
        together: Some(types.is_none()),
        at_most: Some(*count),
        score: Some(value),
    });
    Ok(())
}

pub(super) fn fill(game: &GameDef, names: &Names, extinction: &mut ExtinctionSettings) -> Result<(), String> {
    let is_royal = |&kind: &Kind| game.kind(kind).class == PieceClass::Royal;
    let royals: Vec<_> = game.kinds.all().filter(is_royal).collect();
    *extinction = match (&game.mechanisms.extinction, game.mechanisms.bare_king.is_some()) {
        (None, true) if royals.is_empty() => ExtinctionSettings::bare_king(),
        (None, false) if royals.is_empty() => ExtinctionSettings::default(),
        (None, false) => ExtinctionSettings {
            value: Some(Points::LOSS),
            pseudo_royal: true,
            types: Some(names.of(&royals)),
            count: ALL_ROYAL,
            ..ExtinctionSettings::default()
        },
        // All are royal whose number can shrink to none.
        (Some(rule), false) if royals.is_empty() || game.mechanisms.explosions.is_some() => {
            let mechanism::extinction::Extinction { kinds, together, at_most, score } = rule;
            let is_royal = !royals.is_empty();
            if is_royal && (kinds, *at_most, *score) != (&royals, 0, Points::LOSS) {
                return Err("extinction of other pieces than the royal ones".to_owned());
            }
            let are_all = *together && kinds.len() == game.kinds.letters().len();
            if *together && !are_all && kinds.len() > 1 {
                return Err("some kinds, but not all, that are counted together".to_owned());
            }
            ExtinctionSettings {
                value: Some(*score),
                pseudo_royal: is_royal,
                types: (!are_all).then(|| names.of(kinds)),
                count: *at_most,
                ..ExtinctionSettings::default()
            }
        }
        _ => return Err("extinction besides royal pieces or lost bare kings".to_owned()),
    };
    Ok(())
}
