//! Definitions of games: reading, editing, and what there is to show of them.

use std::str::FromStr;
use std::sync::Arc;

use assay_perft::suspicions::{occurs, suspicions};
use assay_rules::def::{BUILTIN_NAMES, GameKeys, PieceClass, definition_text, fairy_ini, game_names};
use assay_rules::description::sentences;
use assay_rules::moves_diagram::svg_moves;
use assay_rules::svg::{SvgOptions, embedded_corners, sprite_id, svg_board, svg_sprites};
use assay_rules::{ByColor, Color, GameDef, Kind, Mark, Piece, Position, Square, SquareSet, marks};
use assay_selfplay::settings::GameSource;
use assay_tuner::values::atlas::Atlas;
use assay_tuner::values::candidate::{HostArmy, Sides, definition_with_pieces};
use assay_tuner::values::estimate::{EstimateModel, features};
use serde::Serialize;
use serde_json::{Value, json};
use toml_edit::{DocumentMut, Item, Table};
use wasm_bindgen::prelude::*;

use crate::{definition_fault, fault, json, read};

/// Name of the text in messages of the reader; the page shows line and column by itself.
const FILE: &str = "definition";

/// A valid definition.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Definition {
    pub(crate) source: GameSource,
}

#[derive(Serialize)]
struct Info<'g> {
    name: &'g str,
    title: &'g str,
    files: u8,
    ranks: u8,
    names: Vec<String>,
    holes: Vec<u8>,
    corners: Vec<(i32, i32)>,
    size: Vec<f64>,
    pieces: Vec<PieceInfo<'g>>,
    starts: Vec<Value>,
    rules: Vec<String>,
    suspicions: Vec<String>,
}

#[derive(Serialize)]
struct PieceInfo<'g> {
    name: &'g str,
    symbol: String,
    movement: &'g str,
    value: Option<f64>,
    royal: bool,
    pawn: bool,
    occurs: bool,
    sprite: Value,
}

/// The built-in games, those with an engine of their own first.
#[wasm_bindgen]
pub fn games() -> String {
    let others = game_names().filter(|name| !BUILTIN_NAMES.contains(name));
    let games = BUILTIN_NAMES.into_iter().chain(others).filter_map(GameDef::builtin).map(|game| {
        let (files, ranks) = (game.board.files(), game.board.ranks());
        json!({ "name": game.name, "title": game.title, "files": files, "ranks": ranks })
    });
    json(&games.collect::<Vec<_>>())
}

#[wasm_bindgen]
impl Definition {
    pub fn builtin(name: &str) -> Result<Definition, String> {
        let source = GameSource::builtin(name).ok_or_else(|| fault(format!("found no game named {name}")))?;
        Ok(Definition { source })
    }

    /// Reads a text; `kind` is `toml` or `ini`.
    pub fn read(text: String, kind: &str, variant: Option<String>) -> Result<Definition, String> {
        let text = match (kind, variant) {
            ("ini", None) => {
                let last = fairy_ini::variants(&text, FILE).map_err(definition_fault)?.pop().map(str::to_owned);
                fairy_ini::to_toml(&text, FILE, last.as_deref()).map_err(definition_fault)?
            }
            ("ini", variant) => fairy_ini::to_toml(&text, FILE, variant.as_deref()).map_err(definition_fault)?,
            _ => text,
        };
        // A built-in game has its own ruleset, and its runs have no definition.
        let builtin = game_names().find(|name| definition_text(name) == Some(&text)).and_then(GameSource::builtin);
        let read = || GameSource::from_text(text, FILE).map_err(definition_fault);
        Ok(Definition { source: builtin.map_or_else(read, Ok)? })
    }

    /// The text as it was given.
    pub fn text(&self) -> String {
        self.source.text.clone().or_else(|| definition_text(&self.game().name).map(str::to_owned)).unwrap_or_default()
    }

    pub fn info(&self) -> String {
        let game = self.game();
        let board = svg_board(&Position::start(game), &SvgOptions { embedded: true, ..SvgOptions::default() });
        let view_box = board.split("viewBox=\"0 0 ").nth(1).and_then(|rest| rest.split('"').next());
        let squares = || (0..game.board.box_size()).map(|index| Square(index as u8));
        let starts = game.starts.iter();
        json(&Info {
            name: &game.name,
            title: &game.title,
            files: game.board.files(),
            ranks: game.board.ranks(),
            names: squares().map(|square| game.board.square_name(square)).collect(),
            holes: squares().filter(|&square| game.board.holes().contains(square)).map(|square| square.0).collect(),
            corners: embedded_corners(game),
            size: view_box.unwrap_or_default().split(' ').filter_map(|size| size.parse().ok()).collect(),
            pieces: game.kinds.all().map(|kind| PieceInfo::of(game, kind)).collect(),
            starts: starts.map(|start| json!({ "id": start.id, "title": start.title, "fen": start.fen })).collect(),
            rules: sentences(game),
            suspicions: suspicions(game),
        })
    }

    pub fn sprites(&self) -> String {
        svg_sprites([&**self.game()])
    }

    /// The whole definition as TOML, without a base.
    pub fn toml(&self) -> Result<String, String> {
        GameKeys::whole(&self.text(), FILE).map_err(definition_fault)?.to_toml().map_err(fault)
    }

    /// The game for Fairy-Stockfish.
    pub fn ini(&self) -> Result<String, String> {
        fairy_ini::from_game(self.game()).map_err(fault)
    }

    /// The squares that a piece reaches from another, with friends and enemies on the board.
    pub fn marks(&self, symbol: &str, square: u8, friends: &[u8], enemies: &[u8]) -> Result<String, String> {
        let game = self.game();
        let is_known = |square: &u8| game.board.squares().any(|known| known.0 == *square);
        if let Some(wrong) = [square].iter().chain(friends).chain(enemies).find(|square| !is_known(square)) {
            return Err(fault(format!("found no square {wrong}")));
        }
        let set = |squares: &[u8]| squares.iter().map(|&square| Square(square)).collect::<SquareSet>();
        let marks = marks(game, self.piece(symbol)?, Square(square), set(friends), set(enemies));
        let mark = |(square, Mark { moves, captures, hops, lame, rides, initial }): (Square, Mark)| {
            json!({ "square": square, "move": moves, "capture": captures, "hop": hops, "lame": lame, "slide": rides,
                "initial": initial })
        };
        Ok(json(&marks.into_iter().map(mark).collect::<Vec<_>>()))
    }

    /// The movement diagram of reports.
    pub fn diagram(&self, symbol: &str) -> Result<String, String> {
        Ok(svg_moves(self.game(), self.piece(symbol)?.kind, true))
    }

    /// Estimated values of the pieces, from their moves alone.
    pub fn estimates(&self) -> String {
        let (game, model) = (self.game(), EstimateModel::of_atlas());
        let is_estimated = |kind: &Kind| {
            let kind = game.kind(*kind);
            !matches!(kind.class, PieceClass::King | PieceClass::Royal | PieceClass::Pawn | PieceClass::Joker)
                && !kind.movement.paths.is_empty()
        };
        let estimate = |kind: Kind| {
            let found = model.predict(&features(game, kind));
            let [low, high] = found.interval.unwrap_or([found.value; 2]);
            json!({ "piece": game.kind(kind).name, "value": found.value, "low": low, "high": high,
                "unit": "a knight of chess is worth 3" })
        };
        let kinds = game.kinds.all().filter(|&kind| game.kinds.original(kind) == kind).filter(is_estimated);
        json(&kinds.map(estimate).collect::<Vec<_>>())
    }
}

impl Definition {
    pub(crate) fn game(&self) -> &Arc<GameDef> {
        &self.source.game
    }

    fn piece(&self, symbol: &str) -> Result<Piece, String> {
        let kind = self.game().kinds.parse(symbol).filter(|(_, rest)| rest.is_empty());
        let (kind, _) = kind.ok_or_else(|| fault(format!("found no piece {symbol}")))?;
        let is_black = symbol.chars().any(char::is_lowercase);
        Ok(Piece { color: if is_black { Color::Black } else { Color::White }, kind })
    }
}

impl PieceInfo<'_> {
    fn of(game: &GameDef, kind: Kind) -> PieceInfo<'_> {
        let definition = game.kind(kind);
        let sprite = ByColor::new_with(|color| sprite_id(game, Piece { color, kind }));
        PieceInfo {
            name: &definition.name,
            symbol: game.kinds.symbol(kind, Color::White),
            movement: &definition.betza,
            value: definition.value,
            royal: game.kinds.is_royal(kind),
            pawn: game.pawns.contains(kind),
            occurs: occurs(game, game.kinds.original(kind)),
            sprite: json!({ "white": sprite[Color::White], "black": sprite[Color::Black] }),
        }
    }
}

/// All keys of a definition, with those of its base.
#[wasm_bindgen]
pub fn keys(text: &str) -> Result<String, String> {
    Ok(json(&GameKeys::whole(text, FILE).map_err(definition_fault)?))
}

/// The text of a definition with another value for one key, or without it if `value` is empty. The
/// rest of the text stays as it is. `path` and `value` are JSON: a list of names, and any value.
#[wasm_bindgen]
pub fn edit(text: &str, path: &str, value: &str) -> Result<String, String> {
    let mut document = DocumentMut::from_str(text).map_err(fault)?;
    let path: Vec<String> = read(path)?;
    let (last, tables) = path.split_last().ok_or_else(|| fault("found no key"))?;
    let mut table = document.as_table_mut() as &mut dyn toml_edit::TableLike;
    for name in tables {
        let entry = table.entry(name).or_insert_with(|| {
            // No header for a table that only holds others.
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        table = entry.as_table_like_mut().ok_or_else(|| fault(format!("{name}: found a value, expected a table")))?;
    }
    if value.is_empty() {
        table.remove(last);
    } else {
        table.insert(last, item(read(value)?));
    }
    Ok(document.to_string())
}

/// A JSON value as one of TOML. A list of tables has a header for each.
fn item(value: Value) -> Item {
    match value {
        Value::Object(entries) => {
            let mut table = Table::new();
            for (key, value) in entries.into_iter().filter(|(_, value)| !value.is_null()) {
                table.insert(&key, item(value));
            }
            Item::Table(table)
        }
        Value::Array(entries) if entries.first().is_some_and(Value::is_object) => {
            let tables = entries.into_iter().filter_map(|entry| item(entry).into_table().ok());
            Item::ArrayOfTables(tables.collect())
        }
        Value::Array(entries) => {
            let values = entries.into_iter().filter_map(|entry| item(entry).into_value().ok());
            Item::Value(values.collect())
        }
        Value::Bool(value) => toml_edit::value(value),
        Value::Number(number) => match number.as_i64() {
            Some(number) => toml_edit::value(number),
            None => toml_edit::value(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => toml_edit::value(text),
        Value::Null => Item::None,
    }
}

/// The names of the variants in a `variants.ini`.
#[wasm_bindgen]
pub fn variants(text: &str) -> Result<String, String> {
    Ok(json(&fairy_ini::variants(text, FILE).map_err(definition_fault)?))
}

/// The definition of a game that tests pieces, given by their movements, in the army of a board.
#[wasm_bindgen]
pub fn weighing(pieces: &str, board: &str) -> Result<String, String> {
    let army: HostArmy = board.parse().map_err(fault)?;
    let movements: Vec<String> = read(pieces)?;
    definition_with_pieces(&movements, &army.into(), Sides::Both).map_err(|error| {
        let message = error.to_string();
        fault(message.trim_start_matches("--piece: "))
    })
}

/// The pieces of the atlas with their measured values.
///
/// # Panics
/// Never: a test reads them.
#[wasm_bindgen]
pub fn atlas() -> String {
    let atlas: Atlas = serde_json::from_str(include_str!("../../testdata/atlas/atlas.json")).expect("it is valid");
    let piece = |piece: &assay_tuner::values::atlas::MeasuredPiece| {
        let value = piece.value;
        let [low, high] = value.interval.unwrap_or([value.value; 2]);
        json!({ "name": piece.name, "movement": piece.movement, "board": piece.board, "value": value.value, "low": low,
            "high": high })
    };
    json(&atlas.pieces.iter().map(piece).collect::<Vec<_>>())
}
