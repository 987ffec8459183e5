//! Random games pass all checks, and have all features of definitions.

use std::collections::BTreeMap;

use assay_rules::GameDef;
use assay_rules::def::{Captured, Drops, PieceClass, RightKind, WallRule};
use assay_rules::movement::{Path, PathKind};
use assay_usergames::{Checks, check, definition, keys};

#[test]
fn random_games_pass_all_checks() {
    for seed in 1..=24 {
        let text = definition(seed);
        let of_keys = GameDef::from_keys(keys(seed), "random").expect("the keys are valid");
        assert_eq!(GameDef::from_toml(&text, "random"), Ok(of_keys), "seed {seed}\n\n{text}");
        if let Err(failure) = check(&text, seed, &Checks::BRIEF) {
            panic!("seed {seed}: {failure}\n\n{text}");
        }
    }
}

/// Each feature, each pair of mechanisms that can go together, and boards of all sizes are among
/// the games.
#[test]
fn random_games_have_all_features() {
    let mut counts = BTreeMap::<&str, u32>::new();
    let mut pairs = BTreeMap::<(&str, &str), u32>::new();
    for seed in 1..=8_000 {
        let game = GameDef::from_toml(&definition(seed), "random").expect("the definition is valid");
        for (name, has) in minor_features(&game) {
            *counts.entry(name).or_default() += u32::from(has);
        }
        let mechanisms = mechanisms(&game);
        for (index, &(one, has_one)) in mechanisms.iter().enumerate() {
            *counts.entry(one).or_default() += u32::from(has_one);
            for &(other, has_other) in &mechanisms[..index] {
                *pairs.entry((other, one)).or_default() += u32::from(has_one && has_other);
            }
        }
    }
    let rare: Vec<_> = counts.iter().filter(|(_, count)| **count < 4).collect();
    // A game has either gating or drops, and no cannons if pieces promote.
    pairs.remove(&("gating", "drops"));
    pairs.remove(&("cannon", "piece promotion"));
    pairs.remove(&("gating that must not shield", "drops"));
    pairs.remove(&("pieces of one side", "drops"));
    pairs.remove(&("one king", "drops"));
    // A king does not explode: it is royal then, or ordinary.
    for other in ["cannon", "gating", "gating that must not shield", "drops", "one king", "castling from any file"] {
        pairs.remove(&(other, "explosions"));
    }
    for other in ["gating", "gating that must not shield", "initial moves", "handicaps", "no king"] {
        pairs.remove(&("castling from any file", other));
    }
    pairs.remove(&("one king", "no king"));
    // Only two kings face each other, and no other royal pieces.
    for other in ["no king", "one king", "royal pieces", "explosions"] {
        pairs.remove(&(other, "facing kings"));
    }
    // The field of en passant has the limit of a count, and a count takes two kings that are all
    // that is left.
    for other in [
        "double step",
        "torpedo",
        "drops",
        "explosions",
        "gating",
        "gating that must not shield",
        "no king",
        "one king",
    ] {
        pairs.remove(&(other, "counted moves"));
    }
    // Games with hanging squares or pockets have no walls, and games with royal pieces no wall with
    // each move.
    for walls in ["duck", "past", "petrified pieces"] {
        for other in ["cannon", "hanging squares", "gating", "gating that must not shield", "drops", "explosions"] {
            pairs.remove(&(other, walls));
        }
    }
    for walls in ["duck", "past"] {
        for other in ["castling from any file", "one king", "royal pieces", "facing kings", "counted moves"] {
            pairs.remove(&(other, walls));
        }
    }
    pairs.remove(&("duck", "past"));
    pairs.remove(&("duck", "petrified pieces"));
    let missing: Vec<_> = pairs.iter().filter(|(_, count)| **count == 0).collect();
    assert!(rare.is_empty() && missing.is_empty(), "rare: {rare:?}; missing: {missing:?}");
}

/// Mechanisms that the generators must combine.
fn mechanisms(game: &GameDef) -> Vec<(&'static str, bool)> {
    let hanging = !game.board.hanging().is_empty();
    let paths = || game.kinds.iter().flat_map(|kind| &kind.movement.paths);
    let pawn_paths = || game.kind(game.first_pawn()).movement.paths.iter();
    let is_double_step = |path: &&Path| game.is_double_step(game.first_pawn(), path);
    vec![
        ("double step", pawn_paths().filter(is_double_step).any(|path| path.initial)),
        ("torpedo", pawn_paths().filter(is_double_step).any(|path| !path.initial)),
        ("cannon", game.mechanisms.cannon.is_some()),
        ("castling", game.mechanisms.castling.is_some()),
        ("castling from any file", game.mechanisms.castling.as_ref().is_some_and(|castling| castling.from_any_file)),
        ("gating", game.mechanisms.gating.is_some()),
        ("gating that must not shield", game.mechanisms.gating.as_ref().is_some_and(|gating| gating.forbids_shielding)),
        ("pieces of one side", game.kinds.iter().any(|kind| kind.side.is_some())),
        ("one king", game.kinds.king().is_some_and(|king| game.kind(king).side.is_some())),
        ("first-rank steps", game.pawns.first_rank_steps),
        ("drops", game.mechanisms.drops.is_some()),
        ("joker", game.kinds.joker().is_some()),
        ("hanging squares", hanging),
        ("holes", !game.board.holes().is_empty()),
        ("early promotion", game.pawns.promotion.len() > 1),
        ("piece promotion", game.mechanisms.piece_promotion.is_some()),
        ("hop", paths().any(|path| matches!(path.kind, PathKind::HopRide { .. }))),
        ("initial moves", game.kinds.all().any(|kind| game.has_initial_moves(kind))),
        ("handicaps", game.mechanisms.handicaps.is_some()),
        ("no king", game.kinds.king().is_none()),
        ("royal pieces", game.kinds.has_several_royals()),
        ("forced captures", game.mechanisms.forced_captures.is_some()),
        ("explosions", game.mechanisms.explosions.is_some()),
        ("zones", game.kinds.iter().any(|kind| kind.zone.is_some())),
        ("facing kings", game.mechanisms.flying_general.is_some()),
        ("counted moves", game.mechanisms.counting.is_some()),
        ("duck", game.wall_rule() == Some(WallRule::Duck)),
        ("past", game.wall_rule() == Some(WallRule::Past)),
        ("petrified pieces", game.kinds.all().any(|kind| game.is_petrified(kind))),
    ]
}

/// Variants of the mechanisms, and features that concern the end of the game only.
fn minor_features(game: &GameDef) -> Vec<(&'static str, bool)> {
    let (files, ranks) = (game.board.files(), game.board.ranks());
    let paths = || game.kinds.iter().flat_map(|kind| &kind.movement.paths);
    let wings = || game.castling_wings().iter();
    let gates = |square| game.rights.iter().any(|right| right.kind == RightKind::Gate(square));
    let pocket = game.mechanisms.gating.as_ref().map_or(&[][..], |gating| &gating.pocket);
    let drops = |fits: fn(&Drops) -> bool| game.mechanisms.drops.as_ref().is_some_and(fits);
    let promotes_to = |kind| game.pawns.promotion.iter().any(|rank| rank.kinds.contains(&kind));
    let endings = &game.endings;
    let classless = |kind: &assay_rules::def::KindDef| kind.class == PieceClass::Piece;
    vec![
        ("king gates when castling", wings().any(|wing| wing.vacates(wing.king_from) && gates(wing.king_from))),
        (
            "partner gates when castling",
            wings().any(|wing| wing.vacates(wing.partner_from) && gates(wing.partner_from)),
        ),
        ("castling to one side", (1..=2).contains(&wings().count())),
        ("joker in the pocket", game.kinds.joker().is_some_and(|joker| pocket.contains(&joker))),
        ("piece in the pocket", pocket.iter().any(|&kind| Some(kind) != game.kinds.joker())),
        ("captured pieces return to their owner", drops(|drops| drops.captured == Captured::ToOwner)),
        ("captured pieces are gone", drops(|drops| drops.captured == Captured::Removed)),
        ("pawns per file", drops(|drops| drops.pawns_per_file.is_some())),
        ("drops of promoted pieces", drops(|drops| drops.promoted)),
        ("demotion", game.mechanisms.piece_promotion.as_ref().is_some_and(|rule| rule.demotes)),
        ("no immobility", game.mechanisms.immobility.is_some()),
        ("no mate by pawn drop", drops(|drops| !drops.pawn_mate)),
        ("forced drops", drops(|drops| drops.forced)),
        ("drops by the colors of squares", drops(|drops| !drops.opposite_colors.is_empty())),
        ("drops of kings", game.drops_kings()),
        ("castling after drops", game.mechanisms.castling.as_ref().is_some_and(|castling| castling.by_drops)),
        ("promoted copies", game.kinds.iter().any(|kind| kind.copy_of.is_some())),
        ("promotion to joker", game.kinds.joker().is_some_and(promotes_to)),
        ("Berolina pawns", game.double_step_is_ambiguous()),
        ("sideways pawns", game.has_reversible_pawns()),
        ("lame leap", paths().any(|path| matches!(path.kind, PathKind::LameLeap { .. }))),
        ("hop leap", paths().any(|path| matches!(path.kind, PathKind::HopLeap { .. }))),
        ("bent leap", paths().any(Path::is_bent)),
        ("grasshopper", paths().any(|path| path.kind == PathKind::Grasshop)),
        ("ride", paths().any(|path| matches!(path.kind, PathKind::Ride { range: None }))),
        ("short ride", paths().any(|path| matches!(path.kind, PathKind::Ride { range: Some(_) }))),
        ("handed pieces", !game.kinds.are_left_right_symmetric()),
        ("rank 0", game.board.first_rank() == 0),
        ("pawns further up", game.pawns.home_rank > game.board.first_rank() + 1),
        ("small board", files < 6),
        ("low board", ranks < 6),
        ("wide board", files > 12),
        ("two starts", game.starts.len() > 1),
        ("classless piece", game.kinds.iter().any(classless)),
        ("stalemate decides", endings.stalemate != assay_rules::Points::DRAW),
        ("material count", endings.material_count.is_some()),
        ("insufficient material", endings.insufficient_material.len() > 1),
    ]
}
