//! Everything that a match is told.

use std::path::PathBuf;
use std::time::Duration;

use assay_rules::{GameDef, Points};

use crate::players::fen_dialect::FenDialect;
use crate::players::limits::EngineLimits;
use crate::settings::{GameSource, OpeningSettings};
use crate::statistics::{EloModel, Sprt};
use crate::tournament::adjudication::Adjudication;

/// Who knows the rules.
#[derive(Clone, Debug)]
pub enum Rules {
    /// Assay does, and its rules are the arbiter.
    Known(GameSource),
    /// Only the engines do; they are believed.
    Unruled {
        /// The game's name, as `UCI_Variant` says it.
        name: String,
    },
}

impl Rules {
    /// The game's name.
    pub fn name(&self) -> &str {
        match self {
            Rules::Known(source) => &source.game.name,
            Rules::Unruled { name } => name,
        }
    }

    /// Different results that a game can have: 3, or 5 where something is worth 0.75.
    pub fn results(&self) -> usize {
        match self {
            Rules::Known(source) if has_five_results(&source.game) => 5,
            _ => 3,
        }
    }
}

fn has_five_results(game: &GameDef) -> bool {
    let is_between = |score: Points| !score.quarters().is_multiple_of(2);
    is_between(game.endings.stalemate)
        || game
            .endings
            .material_count
            .as_ref()
            .is_some_and(|points| is_between(points.score))
}

/// What sort of engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineSort {
    /// Assay's own, in this process.
    Builtin {
        /// Megabytes of its table.
        hash_mb: usize,
        /// Time lost with each move outside of the search.
        overhead: Duration,
    },
    /// Any program that speaks UCI.
    Uci {
        /// The program, as it was typed.
        program: PathBuf,
        /// Its arguments.
        arguments: Vec<String>,
        /// The folder that it runs in.
        folder: Option<PathBuf>,
        /// Its options, the game's apart.
        options: Vec<(String, String)>,
        /// What it calls the game; `None`: as Assay does.
        variant: Option<String>,
        /// A file that defines the game for it.
        variant_path: Option<String>,
        /// How it writes positions; `None`: as its name lets expect.
        dialect: Option<FenDialect>,
    },
}

/// An engine of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// What the match calls it.
    pub name: String,
    /// What it is.
    pub sort: EngineSort,
    /// When it has to move.
    pub limits: EngineLimits,
}

/// In which order a book is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As it stands in the file.
    Sequential,
    /// At random, each opening once before any comes again.
    Random,
}

/// What a file of openings holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// A FEN a line, with whatever behind a `;`.
    Epd,
    /// Games.
    Pgn,
}

/// Where the openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// Random quiet moves, looked at by Assay's engine for balance.
    Random(OpeningSettings),
    /// A file.
    Book {
        /// The file.
        path: PathBuf,
        /// What it holds.
        format: BookFormat,
        /// In which order.
        order: Order,
        /// The first opening that is used, counted from 1.
        start: usize,
        /// Plies of a game that are played; `None`: all.
        plies: Option<usize>,
    },
    /// Every game begins with the game's start.
    Start,
}

/// Everything that a match is told.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// Who knows the rules.
    pub rules: Rules,
    /// The two engines; results are the first one's.
    pub engines: [EngineSettings; 2],
    /// Where openings come from.
    pub openings: OpeningSource,
    /// Is each opening played twice, with the sides exchanged?
    pub repeat: bool,
    /// The seed of all random choices.
    pub seed: u64,
    /// The test that may end the match.
    pub sprt: Option<Sprt>,
    /// What ends games besides the rules.
    pub adjudication: Adjudication,
    /// How long an engine may be silent.
    pub stall: Duration,
    /// Openings played; does not change the games.
    pub rounds: u64,
    /// Games played at a time; does not change the games where no clock is involved.
    pub concurrency: usize,
    /// Games in a row that one engine may lose by crashing or stalling before the match is given up.
    pub most_faults: u32,
    /// What the match is called in PGN.
    pub event: String,
}

impl MatchSettings {
    /// Games of a round.
    pub fn games_each(&self) -> u64 {
        if self.repeat { 2 } else { 1 }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.rounds * self.games_each()
    }

    /// Does the test of the match look at single games?
    pub fn tests_singles(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.model() == EloModel::Bayesian)
    }

    /// The settings that must be the same for a match to be continued, by the names that messages use. `identities` tell
    /// the programs apart that the same command starts, `book` the contents of the openings.
    pub(crate) fn deciding(&self, identities: &[String; 2], book: &str) -> Vec<(&'static str, String)> {
        let mut rows = vec![("sort", "match".to_owned()), ("game", self.rules.name().to_owned())];
        match &self.rules {
            Rules::Known(source) => rows.push(("definition-hash", source.fingerprint())),
            Rules::Unruled { .. } => rows.push(("definition-hash", "trusted".to_owned())),
        }
        for (engine, keys) in self.engines.iter().zip([
            ["engine-1-name", "engine-1", "engine-1-limits"],
            ["engine-2-name", "engine-2", "engine-2-limits"],
        ]) {
            rows.push((keys[0], engine.name.clone()));
            rows.push((keys[1], engine.sort.text()));
            let margin = engine.limits.margin.as_millis();
            rows.push((keys[2], format!("{} (margin {margin} ms)", engine.limits)));
        }
        rows.push(("engine-1-program", identities[0].clone()));
        rows.push(("engine-2-program", identities[1].clone()));
        rows.push(("openings", format!("{}{book}", self.openings.text())));
        rows.push(("repeat", self.repeat.to_string()));
        rows.push(("seed", self.seed.to_string()));
        rows.push(("sprt", self.sprt.map_or_else(|| "none".to_owned(), sprt_text)));
        rows.push(("adjudication", adjudication_text(self.adjudication)));
        rows.push(("stall", self.stall.as_secs_f64().to_string()));
        rows
    }
}

/// A test as a command line says it.
pub(crate) fn sprt_text(sprt: Sprt) -> String {
    format!(
        "elo0={} elo1={} alpha={} beta={} model={}",
        sprt.elo0(),
        sprt.elo1(),
        sprt.alpha(),
        sprt.beta(),
        sprt.model().name()
    )
}

fn adjudication_text(adjudication: Adjudication) -> String {
    let mut parts = Vec::new();
    if let Some(resign) = adjudication.resign {
        let two_sided = resign.two_sided;
        parts.push(format!(
            "resign movecount={} score={} twosided={two_sided}",
            resign.moves, resign.score
        ));
    }
    if let Some(draw) = adjudication.draw {
        parts.push(format!(
            "draw movenumber={} movecount={} score={}",
            draw.number, draw.moves, draw.score
        ));
    }
    parts.extend(adjudication.most_moves.map(|most| format!("maxmoves {most}")));
    if parts.is_empty() {
        "none".to_owned()
    } else {
        parts.join(", ")
    }
}

impl EngineSort {
    /// In one line, as it is stored and reported.
    pub fn text(&self) -> String {
        match self {
            EngineSort::Builtin { hash_mb, overhead } => {
                format!(
                    "builtin option.Hash={hash_mb} option.Move Overhead={}",
                    overhead.as_millis()
                )
            }
            EngineSort::Uci {
                program,
                arguments,
                folder,
                options,
                variant,
                variant_path,
                dialect,
            } => {
                let mut text = format!("cmd={}", program.display());
                if !arguments.is_empty() {
                    text += &format!(" args={}", arguments.join(" "));
                }
                let others = [
                    ("dir", folder.as_ref().map(|folder| folder.display().to_string())),
                    ("variant", variant.clone()),
                    ("option.VariantPath", variant_path.clone()),
                    ("dialect", dialect.map(|dialect| dialect.to_string())),
                ];
                for (key, value) in others {
                    if let Some(value) = value {
                        text += &format!(" {key}={value}");
                    }
                }
                for (name, value) in options {
                    text += &format!(" option.{name}={value}");
                }
                text
            }
        }
    }
}

impl OpeningSource {
    /// In one line, as it is stored and reported.
    pub fn text(&self) -> String {
        match self {
            OpeningSource::Random(settings) => {
                let balance = settings
                    .balance
                    .map_or_else(|| "off".to_owned(), |limit| limit.to_string());
                format!(
                    "random plies={} balance={balance} setup={}",
                    settings.plies, settings.start
                )
            }
            OpeningSource::Book {
                path,
                format,
                order,
                start,
                plies,
            } => {
                let format = match format {
                    BookFormat::Epd => "epd",
                    BookFormat::Pgn => "pgn",
                };
                let order = match order {
                    Order::Sequential => "sequential",
                    Order::Random => "random",
                };
                let plies = plies.map_or_else(String::new, |plies| format!(" plies={plies}"));
                // The file's contents decide, not where it lies.
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                format!("file={name} format={format} order={order} start={start}{plies}")
            }
            OpeningSource::Start => "the game's start".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_with_quarter_points_have_five_results() {
        let results = |name| Rules::Known(GameSource::builtin(name).unwrap()).results();
        assert_eq!(results("apothecary2"), 5);
        for name in ["chess", "berolina", "gamma2", "gunnery", "scorpion"] {
            assert_eq!(results(name), 3, "{name}");
        }
    }
}
