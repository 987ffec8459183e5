//! What decides a game.

use super::super::super::error::DefError;
use super::super::super::keys::{EndingKeys, GameKeys, GoalKeys};
use super::super::kinds::{FairyKinds, Name, Names, zone_key};
use super::super::parse::Entry;
use super::super::region::{Region, names};
use super::counting::{self, CountingName};
use super::draft::{Conflict, Draft, require};
use super::extinction;
use super::key::{Key, Setting, keys, one_of, words};
use super::pieces::side;
use crate::types::color::Color;
use crate::types::outcome::Points;
use crate::variant::GameDef;
use crate::variant::endings::RepetitionResult;
use crate::variant::mechanism::goal::Goal;

keys! {
    /// What decides a game. Results are from the point of view of the side to which
    /// something happens.
    EndingSettings in endings {
        checking: bool = true, "checking" => &["forbids-checks", "endings.checks"];
        counts_checks: bool = false, "checkCounting" => &["endings.checks"];
        flag_piece: Option<Name> = None, "flagPiece" => &["endings.goal"];
        flag_move: bool = false, "flagMove" => &["endings.goal"];
        flag_white: Region = Region::default(), "flagRegionWhite" => &["endings.goal"];
        flag_black: Region = Region::default(), "flagRegionBlack" => &["endings.goal"];
        perpetual_check_loses: bool = false, "perpetualCheckIllegal" => &["endings.perpetual-check-loses"];
        /// The side that repeats a position, or White.
        repetition: Points = Points::DRAW, "nFoldValue" => &["endings.repetition"];
        repetition_is_absolute: bool = false, "nFoldValueAbsolute" => &["endings.repetition"];
        stalemate_by_count: bool = false, "stalematePieceCount" => &["endings.stalemate-by-count"];
        draw: DrawOdds = DrawOdds(Points::DRAW), "materialCounting" => &["endings.draw"];
        counting: CountingName = CountingName(None), "countingRule" => &["endings.counting"];
        checkmate: Points = Points::LOSS, "checkmateValue" => &["endings.checkmate"];
        stalemate: Points = Points::DRAW, "stalemateValue" => &["endings.stalemate"];
        /// Moves of each side; 0 for no rule.
        move_rule: u32 = 50, "nMoveRule" => &["endings.move-rule", "endings.pawn-moves-reset"];
        repetitions: u32 = 3, "nFoldRule" => &["endings.repetitions"];
    }
    first {
        "whiteFlag" sets ["flagRegionWhite"], |rules, entry, kinds| rules.endings.flag_white.read(entry, kinds);
        "blackFlag" sets ["flagRegionBlack"], |rules, entry, kinds| rules.endings.flag_black.read(entry, kinds);
        "flagRegion" sets ["flagRegionWhite", "flagRegionBlack"], |rules, entry, kinds| {
            rules.endings.flag_white.read(entry, kinds)?;
            rules.endings.flag_black.read(entry, kinds)
        };
    }
}

/// White's points for a draw.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct DrawOdds(Points);

words!(DrawOdds:
    "none" = DrawOdds(Points::DRAW),
    "blackdrawodds" = DrawOdds(Points::LOSS),
    "whitedrawodds" = DrawOdds(Points::WIN)
);

/// Moves of a game without a move rule, which a definition must have. No game is as long as this.
const NO_MOVE_RULE: u32 = 10_000;

/// Repetitions of a game without a rule, which a definition must have.
const NO_REPETITIONS: u32 = 10;

pub(super) fn define(draft: &Draft<'_>, keys: &mut GameKeys) -> Result<(), Conflict> {
    let endings = &draft.rules.endings;
    keys.forbids_checks = (!endings.checking).then_some(true);
    check_zones(draft)?;
    let repetition = match (endings.repetition, endings.repetition_is_absolute) {
        (Points::DRAW, _) => RepetitionResult::Draw,
        (Points::LOSS, true) => RepetitionResult::WhiteLoses,
        (Points::WIN, false) => RepetitionResult::MoverLoses,
        _ => {
            let message = "found another value of repetition, expected nFoldValue = loss with nFoldValueAbsolute = true, or win without";
            return Err(Conflict::new(&["nFoldValue", "nFoldValueAbsolute"], message));
        }
    };
    require(
        !endings.stalemate_by_count || endings.stalemate == Points::WIN,
        &["stalematePieceCount", "stalemateValue"],
        "found stalematePieceCount, expected also stalemateValue = win",
    )?;
    let move_rule = if endings.move_rule == 0 { NO_MOVE_RULE } else { endings.move_rule };
    let resets = draft.rules.pawns.move_rule_types == Some(draft.pawn) || move_rule >= NO_MOVE_RULE;
    let letter = |movement: &str| {
        let named = draft.kinds.0.iter().filter(|(name, _)| !name.starts_with("customPiece"));
        named.map(|(_, kind)| kind).find(|kind| kind.movement == movement).map(|kind| kind.letter)
    };
    let mut ending_keys = EndingKeys {
        checkmate: Some(endings.checkmate.flipped()),
        stalemate: Some(endings.stalemate.flipped()),
        stalemate_by_count: endings.stalemate_by_count.then_some(true),
        draw: Some(endings.draw.0),
        move_rule: Some(move_rule),
        pawn_moves_reset: (!resets).then_some(false),
        repetitions: Some(if endings.repetitions == 0 { NO_REPETITIONS } else { endings.repetitions }),
        repetition: Some(repetition),
        perpetual_check_loses: Some(endings.perpetual_check_loses),
        insufficient_material: Some(insufficient_material(draft)),
        goal: goal(draft),
        checks: endings.counts_checks.then(|| checks(draft)),
        counting: counting::keys(endings.counting, letter),
        ..EndingKeys::default()
    };
    extinction::define(draft, &mut ending_keys)?;
    keys.endings = Some(ending_keys);
    Ok(())
}

/// Refuses rules about checks with regions: there a piece also gives check outside of its region.
fn check_zones(draft: &Draft<'_>) -> Result<(), Conflict> {
    let EndingSettings { checking, counts_checks, .. } = &draft.rules.endings;
    let is_limited = |(_, region): &(Color, &Region)| draft.squares(region).len() < draft.board.squares().count();
    let zones = draft.variant.zones.iter().filter(|(name, _)| draft.kinds.letter(name).is_some());
    let mut limited = zones.flat_map(|(name, zone)| {
        Color::ALL.into_iter().zip(&zone.0).filter(is_limited).map(|(color, _)| zone_key(color, name))
    });
    let (rule, key) =
        if *checking { ("checkCounting = true", "checkCounting") } else { ("checking = false", "checking") };
    let Some(zone) = limited.next().filter(|_| !checking || *counts_checks) else { return Ok(()) };
    let message =
        format!("found {rule} with {zone}, expected regions of the whole board: there they do not limit checks");
    Err(Conflict::new(&[key, &zone], message))
}

/// Armies that cannot win: the bare king, and a bishop or knight that does not promote.
fn insufficient_material(draft: &Draft<'_>) -> Vec<String> {
    // Captured pieces can be dropped, so no material is insufficient.
    let returns = draft.rules.drops.is_allowed && draft.rules.drops.captures_to_hand;
    let have_kings = draft.kinds.letter("king").is_some_and(|king| matches!(side(draft, "king", king), Ok(None)));
    if returns || !have_kings {
        return Vec::new();
    }
    let takes_part = |name: Name| draft.rules.promoted.kinds.0.iter().any(|(from, to)| [*from, *to].contains(&name));
    let minors =
        draft.kinds.0.iter().filter(|(name, kind)| {
            **name != "king" && ["B", "N"].contains(&kind.movement.as_str()) && !takes_part(name)
        });
    [String::new()].into_iter().chain(minors.map(|(_, kind)| kind.letter.to_string())).collect()
}

fn goal(draft: &Draft<'_>) -> Option<GoalKeys> {
    let endings = &draft.rules.endings;
    let [white, black] = [&endings.flag_white, &endings.flag_black].map(|region| draft.squares(region));
    if white.is_empty() && black.is_empty() {
        return None;
    }
    // Another piece than the king wins if it is still there when its side is to move again.
    let is_king = endings.flag_piece == Some("king");
    let letter = endings.flag_piece.and_then(|piece| draft.kinds.letter(piece));
    Some(GoalKeys {
        piece: Some(letter.map(String::from).unwrap_or_default()),
        squares: Some(names(&draft.board, white)),
        black_squares: Some(names(&draft.board, black)),
        last_turn: Some(endings.flag_move && is_king),
        held: Some(endings.flag_move && !is_king),
    })
}

/// The number of checks that the start says, else one. Checks that were given, as in `+0+1`, count
/// from three.
fn checks(draft: &Draft<'_>) -> u8 {
    let given = draft.rules.layout.start.split(' ').skip(1).find_map(|field| field.split_once('+'));
    match given {
        Some(("", _)) => 3,
        Some((white, black)) => white.parse().unwrap_or(1).max(black.parse().unwrap_or(1)),
        None => 1,
    }
}

pub(super) fn fill(game: &GameDef, names: &Names, endings: &mut EndingSettings) -> Result<(), String> {
    if game.endings.material_count.is_some() {
        return Err("a count of material".to_owned());
    }
    endings.checking = game.mechanisms.forbidden_checks.is_none();
    endings.counts_checks = game.mechanisms.check_count.is_some();
    let squares = game.board.squares().count();
    let has_zone = |kind| game.kind(kind).zone.as_ref().is_some_and(|zone| zone[Color::White].len() < squares);
    if (!endings.checking || endings.counts_checks) && game.kinds.all().any(has_zone) {
        return Err("checks that are forbidden or counted, and zones, which do not limit checks there".to_owned());
    }
    if let Some(Goal { kind, squares, last_turn, held }) = &game.mechanisms.goal {
        let is_king = Some(*kind) == game.kinds.king();
        if *last_turn && !is_king || *held && is_king {
            return Err("a last turn for another piece than the king, or a goal that a king must hold".to_owned());
        }
        endings.flag_piece = Some(names[*kind]);
        endings.flag_move = *last_turn || *held;
        [endings.flag_white, endings.flag_black] = squares.0.map(|squares| Region::of_squares(&game.board, squares));
    }
    endings.perpetual_check_loses = game.endings.perpetual_check_loses;
    (endings.repetition, endings.repetition_is_absolute) = match game.endings.repetition {
        RepetitionResult::Draw => (Points::DRAW, false),
        RepetitionResult::WhiteLoses => (Points::LOSS, true),
        RepetitionResult::MoverLoses => (Points::WIN, false),
    };
    endings.stalemate_by_count = game.endings.stalemate_by_count;
    let stalemate = if endings.stalemate_by_count { Points::LOSS } else { game.endings.stalemate };
    (endings.checkmate, endings.stalemate) = (game.endings.checkmate.flipped(), stalemate.flipped());
    let has_words = |points: Points| [Points::WIN, Points::DRAW, Points::LOSS].contains(&points);
    if !has_words(endings.checkmate) || !has_words(endings.stalemate) {
        return Err("mate or stalemate that is worth 0.25 or 0.75".to_owned());
    }
    endings.draw = DrawOdds(game.endings.draw);
    if !has_words(game.endings.draw) {
        return Err("draws that are worth 0.25 or 0.75".to_owned());
    }
    if let Some(rule) = &game.mechanisms.counting {
        endings.counting = counting::name_of(game, rule).ok_or("a count of moves of its own")?;
    }
    endings.move_rule = game.endings.move_rule / 2;
    endings.repetitions = game.endings.repetitions;
    Ok(())
}
