//! The options of the games of a match.

use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use assay_cli::args::whole_number;
use assay_rules::GameDef;
use assay_selfplay::game::clock::parse_seconds;
use assay_selfplay::settings::Shard;
use assay_selfplay::tournament::tablebases::{TableResults, TableRule, Tablebases};

use super::games::{DRAW_KEYS, OPENING_KEYS, RESIGN_KEYS};
use super::key_value::{Setting, setting};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Games")]
pub(super) struct GameArgs {
    /// Number of openings; each is played twice by each pairing, with colors reversed
    #[arg(long, value_name = "N", value_parser = whole_number(1..=100_000_000_u64), allow_negative_numbers = true)]
    pub(super) rounds: Option<u64>,
    /// Play only shard I of N: every N-th opening, starting with the I-th
    #[arg(long, value_name = "I/N", requires = "data")]
    pub(super) shard: Option<Shard>,
    /// Games per opening: 2 reverses the colors (the default), 1 does not
    #[arg(long, value_name = "N", value_parser = whole_number(1..=2_u8), allow_negative_numbers = true)]
    pub(super) games: Option<u8>,
    /// Play each opening twice (the default)
    #[arg(long, value_name = "2", num_args = 0..=1, default_missing_value = "2", value_parser = whole_number(2..=2_u8))]
    pub(super) repeat: Option<u8>,
    /// Games played at the same time
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = whole_number(1..=1024_usize),
        allow_negative_numbers = true
    )]
    pub(super) concurrency: usize,
    /// Openings: random moves (the default), a file, or the start position
    ///
    /// Random quiet moves, drawn for each round from the seed: plies=8 balance=150 setup=random. balance is the largest
    /// evaluation after the moves, in centipawns, or off; setup is the start before them. material=odds, values or playtest makes
    /// the armies unequal as `generate` does, so that piece values can be measured with any engine.
    ///
    /// A file: file=FILE format=epd|pgn order=sequential|random start=1 plies=N, or format=polyglot plies=8, a book of chess
    /// whose moves are drawn by their weights.
    ///
    /// policy=encounter (or default) gives each pair of games an opening of its own, instead of each round.
    ///
    /// The 960 starts of fischerandom: chess960 order=random|sequential. None comes twice before all have been used.
    ///
    /// The game's start position: none.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = setting("openings", OPENING_KEYS))]
    pub(super) openings: Vec<Setting>,
    /// Seed of all random choices
    #[arg(
        long,
        alias = "srand",
        value_name = "N",
        default_value_t = 1,
        value_parser = whole_number(0..=u64::MAX),
        allow_negative_numbers = true
    )]
    pub(super) seed: u64,
    /// Adjudicate a loss: movecount=3 score=CENTIPAWNS [twosided=true]
    ///
    /// A side loses when it reports being at least `score` centipawns behind in `movecount` consecutive moves; with
    /// twosided=true, the opponent must report being as far ahead. Off by default.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = setting("resign", RESIGN_KEYS))]
    pub(super) resign: Vec<Setting>,
    /// Adjudicate a draw: movenumber=N movecount=N score=CENTIPAWNS
    ///
    /// From move `movenumber` on, a game is drawn when both sides report scores of at most `score` centipawns in absolute
    /// value in `movecount` consecutive moves. Off by default.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = setting("draw", DRAW_KEYS))]
    pub(super) draw: Vec<Setting>,
    /// Adjudicate a draw after this many moves by each side
    #[arg(long, value_name = "N", value_parser = whole_number(1..=100_000_u32), allow_negative_numbers = true)]
    pub(super) maxmoves: Option<u32>,
    /// Adjudicate games of chess by the Syzygy tables (*.rtbw) of these folders, separated as in PATH (Linux on x86-64, macOS)
    ///
    /// A game ends when the tables know the result of its position: after a capture or pawn's move, as they take the fifty-move rule
    /// into account. The contents of tables are trusted; check them with their publisher's checksums.
    #[arg(long, value_name = "FOLDERS")]
    pub(super) tb: Option<String>,
    /// Most pieces of positions that are looked up in tables, with kings and pawns [default: all]
    #[arg(long, value_name = "N", requires = "tb", value_parser = whole_number(3..=7_u32))]
    pub(super) tbpieces: Option<u32>,
    /// Count won positions as won even if the fifty-move rule would make them draws, at any time
    #[arg(long, requires = "tb")]
    pub(super) tbignore50: bool,
    /// Results of tables that end games
    #[arg(long, value_name = "RESULTS", requires = "tb", default_value = "BOTH", ignore_case = true)]
    pub(super) tbadjudicate: TableResults,
    /// Silence after which an engine without a clock counts as hung, in seconds
    ///
    /// An engine with a clock counts as hung at most 10 seconds after its time has run out.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    pub(super) stall: Duration,
    /// Abandon the match when an engine has crashed or hung in this many consecutive games; until then, restart it
    #[arg(
        long,
        value_name = "N",
        default_value_t = 6,
        value_parser = whole_number(1..=1_000_000_u32),
        allow_negative_numbers = true
    )]
    pub(super) maxfaults: u32,
    /// Pause between two games, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, hide_default_value = true, value_parser = whole_number(0..=86_400_000_u64), allow_negative_numbers = true)]
    pub(super) wait: u64,
    /// Give each of the games at the same time processors of its own (Linux)
    ///
    /// A game gets as many as its engines use threads at the same time: those of one engine, and of the other if it ponders.
    #[arg(long)]
    pub(super) use_affinity: bool,
    /// Ignored, for compatibility with cutechess-cli: ram or disk; books are read as a whole
    #[arg(long, value_name = "MODE", value_parser = ["ram", "disk"])]
    pub(super) bookmode: Option<String>,
    /// Ignored, for compatibility with fastchess: engines that crash are always restarted
    #[arg(long)]
    pub(super) recover: bool,
    /// PGN tag Event
    #[arg(long, value_name = "NAME", default_value = "Assay match")]
    pub(super) event: String,
}

impl GameArgs {
    /// The tables of `--tb`, and how they end games.
    pub(super) fn tables(&self, game: &GameDef) -> Result<Option<(Tablebases, TableRule)>> {
        let Some(folders) = &self.tb else { return Ok(None) };
        ensure!(
            ["chess", "fischerandom"].contains(&game.name.as_str()),
            "--tb: found {}, expected chess or fischerandom, for which there are tables",
            game.name
        );
        let tables = Tablebases::open(folders).map_err(|why| anyhow!("--tb: {why}"))?;
        let rule = TableRule {
            count: tables.count,
            pieces: self.tbpieces.unwrap_or(tables.pieces).min(tables.pieces),
            ignores_move_rule: self.tbignore50,
            results: self.tbadjudicate,
        };
        Ok(Some((tables, rule)))
    }

    /// Returns true if each opening is played twice.
    pub(super) fn repeats(&self) -> Result<bool> {
        let once = self.games == Some(1);
        ensure!(!(once && self.repeat.is_some()), "--repeat: found also --games 1, expected one of them");
        Ok(!once)
    }
}
