//! The engine, for a worker: a search blocks it, and ends early when the worker is terminated.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use assay_engine::{
    CompiledRuleset, Limits, Position as EnginePosition, PvInfo, SearchInfo, Searcher, Strength, Tables, Visitor,
    dispatch,
};
use assay_rules::{Color, Game, Position, san, uci};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::definition::Definition;
use crate::play::position;
use crate::{fault, json, read};

/// Limits and options of a search.
#[derive(Deserialize)]
struct Request {
    /// Milliseconds.
    movetime: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    /// A rating within [`Strength::ELO`]; full strength without it.
    elo: Option<u32>,
    /// Number of principal variations.
    lines: Option<usize>,
}

#[derive(Serialize)]
struct Info {
    depth: u32,
    line: usize,
    /// Centipawns from White's point of view.
    score: Option<i32>,
    /// Moves to mate; negative if Black mates.
    mate: Option<i32>,
    nodes: u64,
    milliseconds: u64,
    uci: Vec<String>,
    san: Vec<String>,
}

#[derive(Serialize)]
struct Best {
    uci: Option<String>,
    san: Option<String>,
}

/// An engine that plays one game.
#[wasm_bindgen]
pub struct Engine {
    definition: Definition,
    searches: Box<dyn Searches>,
}

/// A searcher of any ruleset.
trait Searches {
    fn search(&mut self, game: &Game, request: &Request, report: &mut dyn FnMut(Info)) -> Best;
}

struct OfRuleset<R: CompiledRuleset> {
    tables: Arc<Tables<R>>,
    searcher: Searcher<R>,
}

struct NewSearcher {
    hash_mb: usize,
}

impl Visitor for NewSearcher {
    type Output = Result<Box<dyn Searches>, String>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let searcher = Searcher::new(&tables, self.hash_mb).map_err(fault)?;
        Ok(Box::new(OfRuleset { tables, searcher }))
    }
}

impl<R: CompiledRuleset> Searches for OfRuleset<R> {
    fn search(&mut self, game: &Game, request: &Request, report: &mut dyn FnMut(Info)) -> Best {
        let mut position = EnginePosition::new(&self.tables, &game.positions()[0]);
        for &mv in game.moves() {
            let mv = position.from_rules_move(mv);
            position.make(mv);
        }
        // Its errors differ from move to move, and are the same in the same game.
        let strength = request.elo.map(|elo| Strength::from_elo(elo, game.moves().len() as u64));
        self.searcher.set_strength(strength);
        self.searcher.set_multi_pv(request.lines.unwrap_or(1));
        let limits = Limits {
            movetime: request.movetime.map(Duration::from_millis),
            nodes: request.nodes,
            depth: request.depth,
            ..Limits::default()
        };
        let mut show = |info: &SearchInfo<'_>| {
            if let SearchInfo::Pv(info) = info {
                report(Info::of(info, game.position(), &position));
            }
        };
        let found = self.searcher.search(&position, &limits, &AtomicBool::new(false), &mut show);
        let mv = found.best_move.map(|mv| position.to_rules_move(mv));
        Best {
            uci: mv.map(|mv| uci::format(game.position().game(), mv)),
            san: mv.map(|mv| san::format(game.position(), mv)),
        }
    }
}

impl Info {
    fn of<R: CompiledRuleset>(info: &PvInfo<'_>, start: &Position, engine: &EnginePosition<R>) -> Info {
        let for_white = |score: i32| if start.side_to_move() == Color::White { score } else { -score };
        let (mut uci, mut san) = (Vec::new(), Vec::new());
        let (mut position, mut engine) = (start.clone(), engine.clone());
        for &mv in info.pv {
            let rules_move = engine.to_rules_move(mv);
            uci.push(uci::format(position.game(), rules_move));
            san.push(san::format(&position, rules_move));
            position = position.play(rules_move);
            engine.make(mv);
        }
        Info {
            depth: info.depth,
            line: info.multipv,
            score: info.score.centipawns().map(for_white),
            mate: info.score.mate().map(for_white),
            nodes: info.nodes,
            milliseconds: info.elapsed.as_millis() as u64,
            uci,
            san,
        }
    }
}

#[wasm_bindgen]
impl Engine {
    #[wasm_bindgen(constructor)]
    pub fn new(definition: &Definition, hash_mb: usize) -> Result<Engine, String> {
        let searches = dispatch(definition.game(), NewSearcher { hash_mb })?;
        Ok(Engine { definition: definition.clone(), searches })
    }

    /// The lowest and the highest rating of limited strength, as JSON.
    #[wasm_bindgen(js_name = eloRange)]
    pub fn elo_range() -> String {
        json(&[Strength::ELO.start(), Strength::ELO.end()])
    }

    /// Searches the position after some moves, in UCI notation, from a start. `on_info` is called
    /// with JSON after each iteration.
    pub fn search(
        &mut self,
        start: &str,
        moves: &str,
        request: &str,
        on_info: &js_sys::Function,
    ) -> Result<String, String> {
        self.search_reporting(start, moves, request, &mut |info| {
            // The page's function does not fail.
            let _ = on_info.call1(&JsValue::NULL, &JsValue::from_str(&info));
        })
    }
}

impl Engine {
    /// [`Engine::search`] with any function for the reports.
    pub fn search_reporting(
        &mut self,
        start: &str,
        moves: &str,
        request: &str,
        on_info: &mut dyn FnMut(String),
    ) -> Result<String, String> {
        let request: Request = read(request)?;
        let mut game = Game::new(position(self.definition.game(), start)?);
        for mv in moves.split_whitespace() {
            let mv = uci::parse(game.position(), mv).map_err(fault)?;
            game.play(mv);
        }
        Ok(json(&self.searches.search(&game, &request, &mut |info| on_info(json(&info)))))
    }
}
