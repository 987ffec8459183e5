//! Checks that every game must pass.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_engine::{CompiledRuleset, Limits, Searcher, Tables, Visitor, dispatch};
use assay_perft::generator::Generators;
use assay_perft::walk::lockstep::{WalkSettings, play_game};
use assay_rules::{Game, GameDef, Position, betza, san, uci};
use assay_selfplay::runner::{RunError, run_games};
use assay_selfplay::settings::{GameSource, RunOptions, SelfPlay};
use rand::{RngExt, SeedableRng};

use crate::movement::movement_text;
use crate::random::Rng;

/// How thoroughly to check a game.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Random games in which both generators are compared.
    pub walks: u64,
    /// Length of the longest such game in plies.
    pub walk_plies: usize,
    /// Games of self-play.
    pub self_play_games: u64,
}

impl Checks {
    /// For nightly runs.
    pub const FULL: Checks = Checks { walks: 6, walk_plies: 80, self_play_games: 20 };

    /// For `cargo test`.
    pub const BRIEF: Checks = Checks { walks: 1, walk_plies: 40, self_play_games: 2 };
}

/// Checks a game. Panics are failures, too.
///
/// # Errors
/// The first failure, with the name of the check.
pub fn check(text: &str, seed: u64, checks: &Checks) -> Result<(), String> {
    let game = Arc::new(GameDef::from_toml(text, "random").map_err(|error| format!("definition: {error}"))?);
    let parts: [(&str, &dyn Fn() -> Result<(), String>); 5] = [
        ("movement", &|| check_movements(&game)),
        ("notation", &|| check_notation(&game, seed)),
        ("walk", &|| check_walks(&game, seed, checks)),
        ("search", &|| dispatch(&game, Search)),
        ("self-play", &|| check_self_play(&game, text, seed, checks)),
    ];
    for (name, part) in parts {
        catch_unwind(AssertUnwindSafe(part))
            .unwrap_or_else(|_| Err("panicked".to_owned()))
            .map_err(|failure| format!("{name}: {failure}"))?;
    }
    Ok(())
}

/// The text of each movement parses back to the same movement.
fn check_movements(game: &GameDef) -> Result<(), String> {
    for kind in game.kinds.iter().filter(|kind| !kind.betza.is_empty()) {
        let Some(text) = movement_text(&kind.movement) else {
            continue;
        };
        let read = betza::parse(&text).map_err(|error| format!("{text} for {}: {error}", kind.betza))?;
        let is_same = read.castling == kind.movement.castling
            && read.paths.len() == kind.movement.paths.len()
            && read.paths.iter().all(|path| kind.movement.paths.contains(path));
        if !is_same {
            return Err(format!("{} is read back differently as {text}", kind.betza));
        }
    }
    Ok(())
}

/// All moves of the start and of a later position have distinct texts, which parse back to the same
/// moves. Of very many moves, some are tested.
fn check_notation(game: &Arc<GameDef>, seed: u64) -> Result<(), String> {
    let mut rng = Rng::seed_from_u64(seed);
    let mut played = Game::start(game);
    check_move_texts(played.position())?;
    for _ in 0..rng.random_range(1..40) {
        let legal = played.position().legal_moves();
        if legal.is_empty() {
            break;
        }
        played.play(legal[rng.random_range(0..legal.len())]);
    }
    check_move_texts(played.position())
}

fn check_move_texts(position: &Position) -> Result<(), String> {
    let mut texts = HashSet::new();
    let legal = position.legal_moves();
    for &mv in legal.iter().step_by(legal.len().div_ceil(300).max(1)) {
        let (uci_text, san_text) = (uci::format(position.game(), mv), san::format(position, mv));
        if uci::parse(position, &uci_text) != Ok(mv) || san::parse(position, &san_text) != Ok(mv) {
            return Err(format!("{uci_text} {san_text} is not read back in {}", position.fen()));
        }
        if !texts.insert(san_text.clone()) {
            return Err(format!("two moves are written {san_text} in {}", position.fen()));
        }
    }
    Ok(())
}

/// Both generators agree on random games.
fn check_walks(game: &Arc<GameDef>, seed: u64, checks: &Checks) -> Result<(), String> {
    let generators = Generators::new(game);
    let settings = WalkSettings { seed, max_plies: checks.walk_plies, perft_depth: 2 };
    for index in 0..checks.walks {
        if let Some(found) = play_game(game, &generators, &settings, index, &AtomicBool::new(false)).difference {
            let what = &found.difference.what;
            let lines = found.difference.move_lines().join("\n");
            let (start, moves) = (found.start, found.moves.join(" "));
            return Err(format!("{what} at {}\n{lines}\n  start: {start}\n  moves: {moves}", found.fen));
        }
    }
    Ok(())
}

/// A search finds a legal move.
struct Search;

impl Visitor for Search {
    type Output = Result<(), String>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let start = Position::start(tables.game());
        let position = assay_engine::Position::new(&tables, &start);
        let limits = Limits::nodes(1_000);
        let mut searcher = Searcher::new(&tables, 1).map_err(|error| error.to_string())?;
        let found = searcher.search(&position, &limits, &AtomicBool::new(false), &mut |_| {});
        let mut replay = position.clone();
        for mv in found.pv {
            if !replay.is_legal(mv) {
                return Err(format!("the principal variation has an illegal move: {mv:?}"));
            }
            replay.make(mv);
        }
        match found.best_move {
            Some(mv) if position.is_legal(mv) => Ok(()),
            other => Err(format!("best move {other:?}")),
        }
    }
}

/// Self-play ends without a fault, and its games can be replayed. Games without quiet openings are
/// not played.
fn check_self_play(game: &Arc<GameDef>, text: &str, seed: u64, checks: &Checks) -> Result<(), String> {
    let source = GameSource { game: Arc::clone(game), text: Some(text.to_owned()), path: None };
    let choices =
        SelfPlay { seed, nodes: 40, hash_mb: 1, opening_plies: Some(4), balance: Some(None), ..SelfPlay::default() };
    let mut settings = choices.settings(source).map_err(|error| error.to_string())?;
    settings.adjudication.max_moves = Some(40);
    let options = RunOptions::self_play(checks.self_play_games, 1);
    let (_, store) = match run_games(&settings, &options, None, false, |_| {}, &AtomicBool::new(false)) {
        Err(RunError::Openings(_)) => return Ok(()),
        run => run.map_err(|error| error.to_string())?,
    };
    for record in store.games() {
        let record = record.map_err(|error| error.to_string())?;
        record.verify(game).map_err(|error| format!("game {}: {error}", record.index))?;
    }
    Ok(())
}
