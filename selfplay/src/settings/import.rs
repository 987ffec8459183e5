use std::fmt;
use std::str::FromStr;

#[cfg(feature = "runs")]
use assay_cli::args::whole_number;
use assay_rules::Points;
use serde::{Deserialize, Serialize};

use crate::game::{GameRecord, GameTags, result_marker};

/// Which imported games are one cluster: their results are not independent, so standard errors must
/// not count them as if they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterBy {
    /// Games with the same start and the same first plies; shorter games with the same moves.
    Opening { plies: usize },
    /// Games of the same two players, whoever has White.
    Players,
}

impl Default for ClusterBy {
    fn default() -> ClusterBy {
        ClusterBy::Opening { plies: 8 }
    }
}

/// As it is typed: `opening:8` or `players`.
impl fmt::Display for ClusterBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterBy::Opening { plies } => write!(f, "opening:{plies}"),
            ClusterBy::Players => f.write_str("players"),
        }
    }
}

impl FromStr for ClusterBy {
    type Err = String;

    fn from_str(text: &str) -> Result<ClusterBy, String> {
        let opening = || text.strip_prefix("opening:")?.parse().ok();
        match text {
            "players" => Ok(ClusterBy::Players),
            _ => match opening() {
                Some(plies @ 1..=1_000) => Ok(ClusterBy::Opening { plies }),
                _ => Err(format!(
                    "found `{text}`, expected `opening:N` with 1 to 1000 plies, like opening:8, or `players`"
                )),
            },
        }
    }
}

assay_cli::serde_by_text!(ClusterBy);

/// Which games are imported. The default takes all that have a result and a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "runs", derive(clap::Args))]
pub struct Filters {
    /// Only games in which both players have at least this rating
    #[cfg_attr(feature = "runs", arg(long, value_name = "ELO", value_parser = whole_number(1..=10_000_u32)))]
    pub min_elo: Option<u32>,
    /// Only games whose searches have at least this mean depth
    #[cfg_attr(feature = "runs", arg(long, value_name = "PLIES", value_parser = whole_number(1..=1_000_u32)))]
    pub min_depth: Option<u32>,
    /// Only games with one of these time controls as their tags have them, like 600+0
    #[cfg_attr(feature = "runs", arg(long = "time-control", value_name = "TC", value_delimiter = ','))]
    pub time_controls: Vec<String>,
    /// Only games with one of these results: 1-0, 0-1, 1/2-1/2
    #[cfg_attr(feature = "runs", arg(long = "result", value_name = "RESULT", value_delimiter = ',', value_parser = ["1-0", "0-1", "1/2-1/2"]))]
    pub results: Vec<String>,
    #[cfg_attr(feature = "runs", arg(long, value_name = "N", value_parser = whole_number(0..=100_000_usize), help = "Only games with at least this many moves of either side [default: 1]"))]
    pub min_plies: Option<usize>,
    /// Only games with at most this many moves of either side
    #[cfg_attr(feature = "runs", arg(long, value_name = "N", value_parser = whole_number(1..=100_000_usize)))]
    pub max_plies: Option<usize>,
    /// Only games whose tag Event contains this text, in any case
    #[cfg_attr(feature = "runs", arg(long, value_name = "TEXT"))]
    pub event: Option<String>,
}

impl Filters {
    /// The option that leaves out a game with these tags and this result, if one does.
    pub fn option_against_tags(&self, tags: &GameTags, white: Points) -> Option<&'static str> {
        let is_weak = |elo: u32| !tags.ratings().is_some_and(|ratings| ratings.iter().all(|&rating| rating >= elo));
        let is_other_event = |part: &String| {
            let event = tags.get("Event").unwrap_or_default().to_lowercase();
            !event.contains(&part.to_lowercase())
        };
        let is_missing = |wanted: &[String], found: Option<&str>| {
            !wanted.is_empty() && !wanted.iter().any(|wanted| Some(wanted.as_str()) == found)
        };
        let checks = [
            ("--min-elo", self.min_elo.is_some_and(is_weak)),
            ("--time-control", is_missing(&self.time_controls, tags.get("TimeControl"))),
            ("--result", is_missing(&self.results, Some(result_marker(white)))),
            ("--event", self.event.as_ref().is_some_and(is_other_event)),
        ];
        checks.into_iter().find_map(|(option, is_against)| is_against.then_some(option))
    }

    /// The option that leaves out a game with these moves, if one does.
    pub fn option_against_moves(&self, game: &GameRecord) -> Option<&'static str> {
        let plies = game.moves.len();
        let depths = || game.moves.iter().filter(|played| played.depth > 0).map(|played| u64::from(played.depth));
        let is_shallow = |depth: u32| {
            let searches = depths().count() as u64;
            searches == 0 || depths().sum::<u64>() < searches * u64::from(depth)
        };
        let checks = [
            ("--min-plies", plies < self.min_plies.unwrap_or(1)),
            ("--max-plies", self.max_plies.is_some_and(|most| plies > most)),
            ("--min-depth", self.min_depth.is_some_and(is_shallow)),
        ];
        checks.into_iter().find_map(|(option, is_against)| is_against.then_some(option))
    }
}

/// Where imported games come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportSettings {
    /// The names of the files, without folders; `-` for standard input.
    pub files: Vec<String>,
    /// First 12 hexadecimal digits of the BLAKE3 of their texts, decompressed.
    pub hash: String,
    pub cluster: ClusterBy,
    pub filters: Filters,
}

/// In one line, as reports show it.
impl fmt::Display for ImportSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 3;
        f.write_str("imported from ")?;
        f.write_str(&self.files[..self.files.len().min(SHOWN)].join(", "))?;
        if self.files.len() > SHOWN {
            write!(f, " and {} more files", self.files.len() - SHOWN)?;
        }
        Ok(())
    }
}

impl fmt::Display for Filters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |option: &str, number: Option<u64>| number.map(|number| format!("--{option} {number}"));
        let list = |option: &str, list: &[String]| (!list.is_empty()).then(|| format!("--{option} {}", list.join(",")));
        let parts = [
            number("min-elo", self.min_elo.map(u64::from)),
            number("min-depth", self.min_depth.map(u64::from)),
            list("time-control", &self.time_controls),
            list("result", &self.results),
            number("min-plies", self.min_plies.map(|plies| plies as u64)),
            number("max-plies", self.max_plies.map(|plies| plies as u64)),
            self.event.as_ref().map(|event| format!("--event `{event}`")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}
