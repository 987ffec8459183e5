//! Random definitions, biased toward games that can be played.

mod array;
mod mechanisms;
mod pieces;

use std::sync::Arc;

use assay_rules::def::keys::{GameKeys, PawnKeys, PieceKeys, StartKeys};
use assay_rules::{GameDef, Position, Setup};
use rand::{RngExt, SeedableRng};

use crate::random::{Rng, pick};
use array::random_array;
use mechanisms::draw_mechanisms;
use pieces::{Context, plain_game, random_pawn, random_piece};

/// The text of a valid definition file whose default start is a game in progress. The same seed
/// gives the same text.
///
/// # Panics
/// Never: all keys have a form in TOML.
pub fn definition(seed: u64) -> String {
    keys(seed).to_toml().expect("keys have a form in TOML")
}

/// The keys of [`definition`]. Drafts that validation refuses are drawn again.
pub fn keys(seed: u64) -> GameKeys {
    let mut rng = Rng::seed_from_u64(seed);
    loop {
        let draft = if rng.random_bool(0.24) { changed_builtin(&mut rng) } else { new_game(&mut rng) };
        let draft = GameKeys {
            name: Some(format!("random-{seed}")),
            title: Some(format!("Random game {seed}")),
            source: Some("made up for the tests".to_owned()),
            default_start: Some("1".to_owned()),
            ..draft
        };
        if let Some(keys) = with_rights(draft) {
            return keys;
        }
    }
}

/// Gives each start all rights that its pieces can have. `None` if the definition is invalid or
/// the game is over at once.
fn with_rights(mut keys: GameKeys) -> Option<GameKeys> {
    let game = Arc::new(GameDef::from_keys(keys.clone(), "random").ok()?);
    let letters: String = game.rights.iter().map(|right| right.letter).collect();
    for fen in keys.starts.iter_mut().filter_map(|start| start.fen.as_mut()).filter(|_| !letters.is_empty()) {
        let setup = Setup::from_fen(&game, &fen.replace(" w - ", &format!(" w {letters} "))).ok()?;
        *fen = Position::from_setup(&game, &setup).ok()?.0.fen();
    }
    let game = Arc::new(GameDef::from_keys(keys.clone(), "random").ok()?);
    Position::start(&game).outcome().is_none().then_some(keys)
}

/// A built-in game with different movements for some pieces.
fn changed_builtin(rng: &mut Rng) -> GameKeys {
    let name = pick(rng, &["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2"]);
    let base = GameDef::builtin(name).expect("the game is built in");
    let mut keys = GameKeys { base: Some(name.to_owned()), ..GameKeys::default() };
    for kind in base.kinds.all().filter(|&kind| Some(kind) != base.kinds.king() && Some(kind) != base.kinds.joker()) {
        if rng.random_bool(0.4) {
            let movement = Some(if kind == base.first_pawn() { random_pawn(rng) } else { random_piece(rng) });
            keys.pieces.insert(base.kind(kind).name.clone(), PieceKeys { movement, ..PieceKeys::default() });
        }
    }
    if rng.random_bool(0.3) {
        keys.pawns = Some(PawnKeys { cannon: Some(rng.random_bool(0.5)), ..PawnKeys::default() });
    }
    let start = pick(rng, &base.starts.iter().map(|start| start.fen.as_str()).collect::<Vec<_>>());
    let board = start.split(' ').next().unwrap_or_default();
    keys.starts = starts([format!("{board} w - - 0 1")]);
    keys
}

/// A game without a base.
fn new_game(rng: &mut Rng) -> GameKeys {
    let context = Context::random(rng);
    let mut keys = plain_game(rng, &context);
    draw_mechanisms(rng, &context, &mut keys);
    let count = rng.random_range(1..=2);
    let fens: Vec<String> = (0..count).map(|_| random_array(rng, &context, &mut keys)).collect();
    keys.starts = starts(fens);
    keys
}

fn starts(fens: impl IntoIterator<Item = String>) -> Vec<StartKeys> {
    let start = |(id, fen)| StartKeys {
        id: Some(format!("{id}")),
        title: Some(format!("start {id}")),
        fen: Some(fen),
        ..StartKeys::default()
    };
    (1..).zip(fens).map(start).collect::<Vec<StartKeys>>()
}
