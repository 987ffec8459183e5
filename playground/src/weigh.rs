//! Measuring values: workers play pairs of games, and one of them measures from all.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use assay_rules::Points;
use assay_selfplay::game::{GameEnd, GameRecord, codec};
use assay_selfplay::openings::Openings;
use assay_selfplay::pgn::{PgnDetails, game_text};
use assay_selfplay::play::play_pair;
use assay_selfplay::players::builtin::{BuiltinPlayer, builtin_players};
use assay_selfplay::settings::{BuiltinEngine, EngineKind, Evaluation, Material, RunSettings, SelfPlay};
use assay_selfplay::{MemoryRun, RecordedRun};
use assay_tuner::report;
use assay_tuner::values::analysis::{AnalysisOptions, analyze};
use assay_tuner::values::data::Dataset;
use assay_tuner::values::inference::{Precision, Unit};
use assay_tuner::values::results::MeasurementReport;
use serde::{Deserialize, Serialize};
use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::definition::Definition;
use crate::{fault, read};

/// The settings of a run besides the game.
#[derive(Deserialize)]
struct Run {
    seed: u64,
    /// Nodes for each move.
    nodes: u64,
    evaluation: Option<String>,
}

/// The settings of `assay-tuner validate`.
fn settings(definition: &Definition, run: &str) -> Result<RunSettings, String> {
    let Run { seed, nodes, evaluation } = read(run)?;
    let evaluation = evaluation.map(|name| name.parse::<Evaluation>()).transpose().map_err(fault)?;
    let choices = SelfPlay { seed, nodes, evaluation, material: Material::Values, ..SelfPlay::default() };
    choices.settings(definition.source.clone()).map_err(fault)
}

/// The engine that plays both sides.
fn engine(settings: &RunSettings) -> Result<BuiltinEngine, String> {
    match settings.players.all()[0].kind {
        EngineKind::Builtin(engine) => Ok(engine),
        _ => Err(fault("found another engine, expected the built-in one")),
    }
}

/// A game as the workers pass it on.
#[derive(Deserialize, Serialize)]
struct Packed {
    index: u64,
    pair: u64,
    white: usize,
    start_fen: String,
    opening: String,
    material: Option<String>,
    moves: Vec<u8>,
    result: Points,
    end: String,
}

impl Packed {
    fn of(record: GameRecord) -> Packed {
        let GameRecord { index, pair, white, start_fen, opening, material, moves, result, end, .. } = record;
        let (moves, end) = (codec::encode(&moves), end.name().to_owned());
        Packed { index, pair, white, start_fen, opening, material, moves, result, end }
    }

    fn unpack(self) -> Result<GameRecord, String> {
        let Packed { index, pair, white, start_fen, opening, material, moves, result, end } = self;
        let end = GameEnd::all().find(|known| known.name() == end).ok_or_else(|| format!("found the end {end}"))?;
        let moves = codec::decode(&moves)?;
        let (fault, ended) = (None, None);
        Ok(GameRecord { index, pair, white, start_fen, opening, material, moves, result, end, fault, ended })
    }
}

/// The player of a run and its openings.
#[wasm_bindgen]
pub struct Pairs {
    settings: RunSettings,
    openings: Openings,
    player: Box<dyn BuiltinPlayer>,
}

#[wasm_bindgen]
impl Pairs {
    #[wasm_bindgen(constructor)]
    pub fn new(definition: &Definition, run: &str) -> Result<Pairs, String> {
        let settings = settings(definition, run)?;
        let openings = Openings::new(&settings).map_err(fault)?;
        let limits = settings.players.all()[0].limits;
        let player = builtin_players(settings.game()).player(engine(&settings)?, limits).map_err(fault)?;
        Ok(Pairs { settings, openings, player })
    }

    /// The games of a pair, which depend on the run and the number alone.
    pub fn play(&mut self, pair: u32) -> Result<Vec<u8>, String> {
        let never = AtomicBool::new(false);
        let played = play_pair(&self.settings, &self.openings, &mut *self.player, u64::from(pair), &never);
        let games = played.map_err(fault)?.unwrap_or_default();
        postcard::to_allocvec(&games.into_iter().map(Packed::of).collect::<Vec<_>>()).map_err(fault)
    }
}

/// The games of a run so far.
#[wasm_bindgen]
pub struct Weighing {
    settings: RunSettings,
    identity: String,
    /// By their numbers in the run.
    games: BTreeMap<u64, GameRecord>,
}

#[derive(Serialize)]
struct Row {
    piece: String,
    symbol: String,
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
    published: Option<f64>,
    verdict: String,
}

#[wasm_bindgen]
impl Weighing {
    #[wasm_bindgen(constructor)]
    pub fn new(definition: &Definition, run: &str) -> Result<Weighing, String> {
        let settings = settings(definition, run)?;
        let identity = builtin_players(settings.game()).identity(engine(&settings)?.evaluation).map_err(fault)?;
        Ok(Weighing { settings, identity, games: BTreeMap::new() })
    }

    /// Identifier of the run's games: a hash of the program and the settings.
    pub fn id(&self) -> String {
        self.run().header().id()
    }

    /// Adds the games of a pair that [`Pairs::play`] has played. A game that is there already is
    /// left as it is.
    pub fn add(&mut self, games: &[u8]) -> Result<(), String> {
        let packed: Vec<Packed> = postcard::from_bytes(games).map_err(fault)?;
        for game in packed {
            let game = game.unpack().map_err(fault)?;
            game.replay(self.settings.game()).map_err(fault)?;
            self.games.entry(game.index).or_insert(game);
        }
        Ok(())
    }

    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The values measured from the games so far.
    pub fn table(&self) -> Result<String, String> {
        let report = self.measure()?;
        let game = self.settings.game();
        let army = report.table(Some(Unit::Army)).ok_or_else(|| fault("found too few games to measure anything"))?;
        let rows = army.values.iter().map(|value| {
            let interval = value.measured.interval;
            let kind = game.kinds.all().find(|&kind| game.kind(kind).name == value.piece);
            let on_scale = report.table(None).and_then(|scale| scale.of(&value.piece)).unwrap_or(value);
            Row {
                piece: report::format::piece(&value.piece, value.with_half_pair),
                symbol: kind.map_or_else(String::new, |kind| game.kinds.symbol(kind, assay_rules::Color::White)),
                value: value.measured.value,
                low: interval.map(|[low, _]| low),
                high: interval.map(|[_, high]| high),
                published: value.published,
                verdict: report::format::word(on_scale),
            }
        });
        let percent = Precision::of(&report.tables).map(|precision| precision.percent);
        Ok(json!({
            "unit": army.definition, "rows": rows.collect::<Vec<_>>(), "games": report.games.games, "percent": percent,
            "answer": report::sentences::headline(&report),
            "remarks": [report::remarks(&report), report::sentences::halving(&report)],
        })
        .to_string())
    }

    /// The text of `assay-tuner validate`.
    pub fn report(&self) -> Result<String, String> {
        Ok(report::summary(&self.measure()?, &[]))
    }

    /// The report as an HTML page.
    pub fn page(&self) -> Result<String, String> {
        Ok(report::measurement(&self.measure()?, None, None).html())
    }

    pub fn pgn(&self) -> Result<String, String> {
        let run = self.run();
        let text = |game: &GameRecord| game_text(run.header(), game, PgnDetails::default()).map_err(fault);
        self.games.values().map(text).collect()
    }
}

impl Weighing {
    fn run(&self) -> MemoryRun {
        MemoryRun::new(
            "games",
            self.settings.clone(),
            vec![self.identity.clone()],
            self.games.values().cloned().collect(),
        )
    }

    /// Without the bootstrap, which checks the intervals and does not change them.
    fn measure(&self) -> Result<MeasurementReport, String> {
        let data = Dataset::read(&[&self.run()]).map_err(fault)?;
        analyze(&data, &AnalysisOptions { resamples: 0, ..AnalysisOptions::default() }).map_err(fault)
    }
}
