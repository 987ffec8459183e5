//! The options of the protocol.

use std::sync::Arc;
use std::time::Duration;

use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;

use crate::load::load_game;

const HASH: std::ops::RangeInclusive<usize> = 1..=65_536;
const THREADS: std::ops::RangeInclusive<usize> = 1..=256;
const LINES: std::ops::RangeInclusive<usize> = 1..=256;
const OVERHEAD: std::ops::RangeInclusive<u64> = 0..=5000;

/// What is set.
pub(super) struct Options {
    /// MiB of the transposition table.
    pub(super) hash: usize,
    /// Threads of a search.
    pub(super) threads: usize,
    /// Lines of play that a search looks for.
    pub(super) multi_pv: usize,
    /// Time lost with each move outside of the search.
    pub(super) overhead: Duration,
    /// The game being played.
    pub(super) game: Arc<GameDef>,
    /// Games that the user has loaded.
    loaded: Vec<Arc<GameDef>>,
}

/// What a set option changes.
#[derive(Debug, PartialEq)]
pub(super) enum Change {
    /// The table's size.
    Hash,
    /// The number of threads.
    Threads,
    /// The number of lines.
    MultiPv,
    /// The table is to be cleared.
    ClearHash,
    /// The time lost with each move.
    Overhead,
    /// The game.
    Game,
    /// A game can be chosen that could not before.
    Loaded(Arc<GameDef>),
    /// Nothing.
    Nothing,
}

impl Default for Options {
    fn default() -> Options {
        let game = GameDef::builtin("chess").expect("chess is built in");
        Options {
            hash: 16,
            threads: 1,
            multi_pv: 1,
            overhead: Duration::from_millis(10),
            game,
            loaded: Vec::new(),
        }
    }
}

impl Options {
    /// The lines that tell a program which options there are.
    pub(super) fn advertise(&self) -> Vec<String> {
        let variants: String = self.names().iter().map(|name| format!(" var {name}")).collect();
        vec![
            format!(
                "option name Hash type spin default 16 min {} max {}",
                HASH.start(),
                HASH.end()
            ),
            "option name Clear Hash type button".to_owned(),
            format!(
                "option name Threads type spin default 1 min {} max {}",
                THREADS.start(),
                THREADS.end()
            ),
            format!(
                "option name MultiPV type spin default 1 min {} max {}",
                LINES.start(),
                LINES.end()
            ),
            format!(
                "option name Move Overhead type spin default 10 min {} max {}",
                OVERHEAD.start(),
                OVERHEAD.end()
            ),
            format!("option name UCI_Variant type combo default chess{variants}"),
            "option name VariantPath type string default <empty>".to_owned(),
        ]
    }

    fn names(&self) -> Vec<&str> {
        BUILTIN_NAMES
            .into_iter()
            .chain(self.loaded.iter().map(|game| game.name.as_str()))
            .collect()
    }

    /// Sets an option. Names are read in any case, as the protocol wants it.
    ///
    /// # Errors
    /// A note for the user; nothing has been changed then.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, String> {
        let given = || value.ok_or_else(|| format!("option {name}: found no value, expected `value` and one"));
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash = spin(name, given()?, HASH)?;
                Ok(Change::Hash)
            }
            "clear hash" => Ok(Change::ClearHash),
            "threads" => {
                self.threads = spin(name, given()?, THREADS)?;
                Ok(Change::Threads)
            }
            "multipv" => {
                self.multi_pv = spin(name, given()?, LINES)?;
                Ok(Change::MultiPv)
            }
            "move overhead" => {
                self.overhead = Duration::from_millis(spin(name, given()?, OVERHEAD)?);
                Ok(Change::Overhead)
            }
            "uci_variant" => {
                self.game = self.variant(given()?)?;
                Ok(Change::Game)
            }
            "variantpath" => self.load(given()?),
            _ => Err(format!(
                "option: found `{name}`, expected Hash, Clear Hash, Threads, MultiPV, Move Overhead, UCI_Variant or VariantPath"
            )),
        }
    }

    fn variant(&self, name: &str) -> Result<Arc<GameDef>, String> {
        if let Some(game) = self.loaded.iter().find(|game| game.name == name) {
            return Ok(game.clone());
        }
        GameDef::builtin(name).ok_or_else(|| {
            format!(
                "UCI_Variant: found `{name}`, expected one of {}; a game of your own comes in by VariantPath",
                self.names().join(", ")
            )
        })
    }

    fn load(&mut self, path: &str) -> Result<Change, String> {
        if path.is_empty() || path == "<empty>" {
            return Ok(Change::Nothing);
        }
        if BUILTIN_NAMES.contains(&path) {
            return Err(format!(
                "VariantPath: found `{path}`, which is built in; expected the path of a definition file"
            ));
        }
        let game = load_game(path).map_err(|error| format!("VariantPath: {error}"))?;
        if BUILTIN_NAMES.contains(&game.name.as_str()) {
            return Err(format!(
                "VariantPath: {path}: found name `{}`, which is built in; expected another",
                game.name
            ));
        }
        // The file may have been edited since it was loaded before.
        self.loaded.retain(|loaded| loaded.name != game.name);
        self.loaded.push(game.clone());
        Ok(Change::Loaded(game))
    }
}

fn spin<N>(name: &str, text: &str, range: std::ops::RangeInclusive<N>) -> Result<N, String>
where
    N: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let value = text.parse().ok().filter(|value| range.contains(value));
    value.ok_or_else(|| {
        format!(
            "option {name}: found `{text}`, expected {} to {}",
            range.start(),
            range.end()
        )
    })
}

/// The line that tells a program the shape of the game, in the form that Fairy-Stockfish gives it.
pub(super) fn variant_line(game: &GameDef) -> String {
    format!(
        "info string variant {} files {} ranks {} pocket {} template fairy startpos {}",
        game.name,
        game.board.files(),
        game.board.ranks(),
        game.gating.as_ref().map_or(0, |gating| gating.pocket.len()),
        game.starts[game.default_start].fen
    )
}
