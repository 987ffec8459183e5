//! The options of the games of a match.

use std::time::Duration;

use anyhow::{Result, ensure};
use assay_cli::args::whole_number;
use assay_cli::format::count;
use assay_selfplay::game::clock::parse_seconds;
use assay_selfplay::settings::Shard;

use super::games::{DRAW_KEYS, OPENING_KEYS, RESIGN_KEYS};
use super::key_value::{Setting, setting};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Games")]
pub(super) struct GameArgs {
    /// Number of openings; each is played twice by each pairing, with colors reversed [default: 2,
    /// or with --sprt as many as it needs]
    #[arg(long, value_name = "N", value_parser = whole_number(1..=100_000_000_u64), allow_negative_numbers = true)]
    pub(super) rounds: Option<u64>,
    /// Play only shard I of N: every N-th opening, starting with the I-th
    #[arg(long, value_name = "I/N", requires = "data")]
    pub(super) shard: Option<Shard>,
    /// Games of each pairing in a round [default: 2, with colors reversed]
    ///
    /// More than 2 are several openings. Times --rounds, they must be even, unless --repeat is 1.
    #[arg(long, value_name = "N", value_parser = whole_number(1..=100_000_000_u64), allow_negative_numbers = true)]
    pub(super) games: Option<u64>,
    /// Games of each opening, 1 or 2 [default: 2]
    ///
    /// More than 2 are 2, and so is the flag without a number.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "2", value_parser = whole_number(1..=100_000_000_u64))]
    pub(super) repeat: Option<u64>,
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
    /// Random quiet moves, drawn for each round from the seed: plies=8 balance=150 setup=random.
    /// balance is the largest evaluation after the moves, in centipawns, or off; setup is the start
    /// before them. material=values or playtest makes the armies unequal as `generate` does,
    /// so that piece values can be measured with any engine.
    ///
    /// A file: file=FILE format=epd|pgn order=sequential|random start=1 plies=N, or format=polyglot
    /// plies=8, a book of chess whose moves are drawn by their weights.
    ///
    /// policy=encounter (or default) gives each pair of games an opening of its own, instead of
    /// each round.
    ///
    /// The 960 starts of fischerandom: chess960 order=random|sequential. None comes twice before
    /// all have been used.
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
    /// Adjudicate a loss: [movecount=1] score=CENTIPAWNS [twosided=true]
    ///
    /// A side loses when it reports being at least `score` centipawns behind in `movecount`
    /// consecutive moves. With twosided=true, both sides must report scores that far from zero in
    /// so many moves, and the one that has just moved a lost one. Off by default.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = setting("resign", RESIGN_KEYS))]
    pub(super) resign: Vec<Setting>,
    /// Adjudicate a draw: [movenumber=0] [movecount=1] [score=0]
    ///
    /// From move `movenumber` on, a game is drawn when both sides report scores of at most `score`
    /// centipawns in absolute value in `movecount` consecutive moves. Off by default.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = setting("draw", DRAW_KEYS))]
    pub(super) draw: Vec<Setting>,
    /// Adjudicate a draw after this many moves by each side
    #[arg(long, value_name = "N", value_parser = whole_number(1..=100_000_u32), allow_negative_numbers = true)]
    pub(super) maxmoves: Option<u32>,
    /// Seconds without an answer until an engine counts as hung
    ///
    /// This applies without a clock. An engine with a clock counts as hung at most 10 seconds after its time has run out.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    pub(super) stall: Duration,
    /// Abandon the match when an engine has crashed or hung in this many consecutive games; until
    /// then, restart it
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
    /// Give each game at the same time its own processors (Linux)
    ///
    /// A game gets as many as its engines use threads at the same time: those of one engine, and of
    /// the other if it ponders. Without enough processors, the operating system chooses. A list as
    /// in fastchess (3,5,7-11) is ignored.
    #[arg(long, value_name = "LIST", num_args = 0..=1, default_missing_value = "", value_parser = processor_list)]
    pub(super) use_affinity: Option<String>,
    /// PGN tag Event
    #[arg(long, value_name = "NAME", default_value = "Assay match")]
    pub(super) event: String,
}

impl GameArgs {
    /// Returns true if each opening is played twice.
    pub(super) fn repeats(&self) -> bool {
        self.repeat.or(self.games) != Some(1)
    }

    /// The number of openings. With `--games`, it is so many that each pairing plays `--rounds`
    /// times `--games` games, as in cutechess-cli; in fastchess there are two games to a round.
    ///
    /// # Errors
    /// If one opening would be played once and all others twice.
    pub(super) fn opening_count(&self, has_test: bool) -> Result<u64> {
        let per_opening = if self.repeats() { 2 } else { 1 };
        let is_total = self.games.is_some_and(|games| games > 2);
        let rounds = self.rounds.unwrap_or(match () {
            () if is_total => 1,
            // The test ends the match.
            () if has_test => 1_000_000,
            () => 2,
        });
        let games = self.games.unwrap_or(per_opening);
        let total = rounds.saturating_mul(games);
        ensure!(
            total.is_multiple_of(per_opening),
            "--games: found {games} in {}, expected an even number of games of each pairing: each opening is played twice; --repeat 1 \
             plays it once",
            count(rounds, "round", "rounds")
        );
        Ok(total / per_opening)
    }
}

/// fastchess's list of processors.
fn processor_list(text: &str) -> Result<String, &'static str> {
    let is_list = text.bytes().all(|byte| byte.is_ascii_digit() || b",-".contains(&byte));
    is_list.then(|| text.to_owned()).ok_or("expected a list of processors, like 3,5,7-11")
}
