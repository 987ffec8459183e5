//! What captures do: explosions, and walls.

use super::super::super::error::DefError;
use super::super::super::keys::{ExplosionKeys, GameKeys, WallKeys};
use super::super::kinds::{FairyKinds, Name, Names};
use super::super::parse::Entry;
use super::draft::{Conflict, Draft, require};
use super::key::{Key, Setting, keys, one_of, words};
use crate::variant::GameDef;
use crate::variant::mechanism::explosions::Explosions;
use crate::variant::mechanism::walls::{WallRule, Walls};

keys! {
    /// What captures do.
    CaptureSettings in captures {
        are_forced: bool = false, "mustCapture" => &["forces-captures"];
        explode: bool = false, "blastOnCapture" => &["explosions", "pieces", "walls"];
        walls: Option<WallRule> = None, "wallingRule" => &["walls"];
        /// Kinds that become walls when they capture.
        petrified: Vec<Name> = Vec::new(), "petrifyOnCaptureTypes" => &["walls"];
        /// Kinds that survive explosions.
        immune: Vec<Name> = Vec::new(), "blastImmuneTypes" => &["explosions"];
        /// Kinds that do not capture their like.
        mutually_immune: Vec<Name> = Vec::new(), "mutuallyImmuneTypes" => &["explosions"];
    }
    first {}
}

words!(Option<WallRule>: "duck" = Some(WallRule::Duck), "past" = Some(WallRule::Past), "none" = None);

pub(super) fn define(draft: &Draft<'_>, keys: &mut GameKeys) -> Result<(), Conflict> {
    let captures = &draft.rules.captures;
    keys.forces_captures = captures.are_forced.then_some(true);
    require(
        captures.immune == captures.mutually_immune && (captures.explode || captures.immune.is_empty()),
        &["blastImmuneTypes", "mutuallyImmuneTypes", "blastOnCapture"],
        "found blastImmuneTypes or mutuallyImmuneTypes, expected both, of the same pieces, with blastOnCapture = true",
    )?;
    if captures.explode {
        keys.explosions = Some(ExplosionKeys { immune: Some(draft.kinds.letters(&captures.immune)) });
    }
    if captures.walls.is_some() || !captures.petrified.is_empty() || draft.is_placed('*') {
        let petrified: Vec<Name> = captures.petrified.iter().copied().filter(|name| *name != "king").collect();
        keys.walls = Some(WallKeys { each_move: captures.walls, petrified: Some(draft.kinds.letters(&petrified)) });
    }
    Ok(())
}

pub(super) fn fill(game: &GameDef, names: &Names, captures: &mut CaptureSettings) {
    captures.are_forced = game.mechanisms.forced_captures.is_some();
    if let Some(Explosions { immune }) = &game.mechanisms.explosions {
        captures.explode = true;
        captures.immune = names.of(immune);
        captures.mutually_immune.clone_from(&captures.immune);
    }
    if let Some(Walls { rule, petrified }) = &game.mechanisms.walls {
        captures.walls = *rule;
        captures.petrified = names.of(petrified);
    }
}
