//! `assay-selfplay match`.

mod engines;
mod foreign;
mod games;
mod intervals;
mod key_value;
mod log;
mod tournament;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use assay_cli::args::{definition_file, whole_number};
use assay_cli::{Exit, Progress, format, interrupt, output, output_file};
use assay_rules::def::{builtin_variant, known_games};
use assay_selfplay::export::{Format, export};
use assay_selfplay::game::clock::parse_seconds;
use assay_selfplay::report::html;
use assay_selfplay::settings::{EvalJitter, OpeningSource, RunOptions, RunSettings, Shard};
use assay_selfplay::statistics::{Anchor, SprtDecision};
use assay_selfplay::{GameSource, Store, Summary, run_games};
use clap::ValueHint;

use super::{check_outputs, exit_of_error, games_done, new_games};
use engines::EngineArgs;
use games::{DRAW_KEYS, OPENING_KEYS, RESIGN_KEYS, SPRT_KEYS};
use intervals::IntervalArgs;
use key_value::{Setting, setting};
pub(crate) use tournament::{NamedAnchor, parse_anchor};
use tournament::{Report, TournamentArgs};

const LONG: &str = "\
Play a match between two engines, or a tournament of up to 64, under Assay's rules, and estimate their Elo.

Flags have the names of fastchess and may have one dash or two: -rounds 50 equals --rounds 50. A flag with KEY=VALUE \
settings takes several of them, separated by spaces.

A pair whose games equal those of an earlier pair, move by move, is stored but not counted: deterministic engines repeat their \
games when an opening is repeated. `repeated_pairs` in the JSON is the number of these pairs.

With more than two engines, everyone plays everyone in each round (-tournament roundrobin), the first engines play all others \
(-tournament gauntlet), or whoever loses a match is out (-tournament knockout). All pairings of a round have the same opening. The result is a table of ratings, with intervals that hold for \
all engines at once; `assay-selfplay info FILE --crosstable` has the rest.

After Ctrl-C, the same command with --resume plays the remaining games. With --shard I/N, each of N machines plays its part of the \
match, and `assay-selfplay merge` joins the parts.";

const EXAMPLES: &str = "\
Examples:
  assay-selfplay match gamma2 -engine cmd=./new name=new -engine cmd=./old name=old \\
      -each tc=8+0.08 option.Hash=16 -sprt elo0=0 elo1=5 -concurrency 4 -data test.db
      Is the new engine stronger? The match ends when the test is decided
  assay-selfplay match chess -engine builtin name=deep nodes=4000 \\
      -engine builtin name=shallow nodes=2000 -rounds 200
      Fixed nodes and a seed: the same games on every machine
  assay-selfplay match gamma2 -engine cmd=./v3 -engine cmd=./v2 -engine cmd=./v1 \\
      -each tc=8+0.08 -rounds 100 -concurrency 4 -data versions.db -html versions.html
      A tournament: 100 openings, which each of the three pairings plays twice
  assay-selfplay match gamma2 -tournament gauntlet -engine cmd=./new -engine cmd=./a \\
      -engine cmd=./b name=B -each tc=8+0.08 -rounds 100 -anchor B=2800 -data gauntlet.db
      One engine against all others, with ratings relative to B
  assay-selfplay match gamma2 -tournament knockout -seeds 2 -engine cmd=./a -engine cmd=./b \\
      -engine cmd=./c -engine cmd=./d -engine cmd=./e -each tc=8+0.08 -rounds 4 -data cup.db
      Each match has four openings, and more if it is tied; a and b can only meet in the final
  assay-selfplay match gamma2 -engine builtin \\
      -engine cmd=fairy-stockfish option.VariantPath=gamma2.ini \\
      -each tc=10+0.1 -rounds 200 -data fsf.db -pgnout file=fsf.pgn -html fsf.html
  assay-selfplay match chess -engine builtin name=deep nodes=4000 \\
      -engine builtin name=shallow nodes=2000 -rounds 200 -shard 2/4 -data match-2.db
      On the second of four machines; `assay-selfplay merge match.db match-*.db` joins the files

Exit status: 0 if the match is complete, 2 for errors, 4 if it was abandoned because an engine kept failing, 130 if it was \
stopped. With --exit-verdict: 0 if H1 is accepted, 1 if H0 is accepted, 3 if the test is undecided.

See also: `assay-selfplay info FILE`, `assay-selfplay export FILE --pgn -`, `assay-selfplay sprt --counts ...`";

/// Play a match between two engines, or a tournament of more, and estimate their Elo
#[derive(Debug, clap::Args)]
#[command(visible_alias = "tournament", long_about = LONG, after_long_help = EXAMPLES, args_override_self = true)]
pub(crate) struct Args {
    /// A built-in game or the path of a definition file (.toml)
    #[arg(value_hint = ValueHint::FilePath)]
    game: Option<String>,
    /// The game by its name in fastchess and cutechess: standard is chess
    #[arg(long, value_name = "NAME", conflicts_with = "game")]
    variant: Option<String>,
    #[command(flatten)]
    engines: EngineArgs,
    #[command(flatten)]
    games: GameArgs,
    #[command(flatten)]
    tournament: TournamentArgs,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    files: FileArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Games")]
struct GameArgs {
    /// Number of openings; each is played twice by each pairing, with colors reversed
    #[arg(long, value_name = "N", value_parser = whole_number(1..=100_000_000_u64), allow_negative_numbers = true)]
    rounds: Option<u64>,
    /// Play only shard I of N: every N-th opening, starting with the I-th
    #[arg(long, value_name = "I/N", requires = "data")]
    shard: Option<Shard>,
    /// Games per opening: 2 reverses the colors (the default), 1 does not
    #[arg(long, value_name = "N", value_parser = whole_number(1..=2_u8), allow_negative_numbers = true)]
    games: Option<u8>,
    /// Play each opening twice (the default)
    #[arg(long, value_name = "2", num_args = 0..=1, default_missing_value = "2", value_parser = whole_number(2..=2_u8))]
    repeat: Option<u8>,
    /// Games played at the same time
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = whole_number(1..=1024_usize),
        allow_negative_numbers = true
    )]
    concurrency: usize,
    /// Openings: random moves (the default), a file, or the start position
    ///
    /// Random quiet moves, drawn for each round from the seed: plies=8 balance=150 setup=random. balance is the largest
    /// evaluation after the moves, in centipawns, or off; setup is the start before them. material=odds, values or playtest makes
    /// the armies unequal as `generate` does, so that piece values can be measured with any engine.
    ///
    /// A file: file=FILE format=epd|pgn order=sequential|random start=1 plies=N, or format=polyglot plies=8, a book of chess
    /// whose moves are drawn by their weights.
    ///
    /// The game's start position: none.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = setting("openings", OPENING_KEYS))]
    openings: Vec<Setting>,
    /// Seed of all random choices
    #[arg(
        long,
        alias = "srand",
        value_name = "N",
        default_value_t = 1,
        value_parser = whole_number(0..=u64::MAX),
        allow_negative_numbers = true
    )]
    seed: u64,
    /// Adjudicate a loss: movecount=3 score=CENTIPAWNS [twosided=true]
    ///
    /// A side loses when it reports being at least `score` centipawns behind in `movecount` consecutive moves; with
    /// twosided=true, the opponent must report being as far ahead. Off by default.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = setting("resign", RESIGN_KEYS))]
    resign: Vec<Setting>,
    /// Adjudicate a draw: movenumber=N movecount=N score=CENTIPAWNS
    ///
    /// From move `movenumber` on, a game is drawn when both sides report scores of at most `score` centipawns in absolute
    /// value in `movecount` consecutive moves. Off by default.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = setting("draw", DRAW_KEYS))]
    draw: Vec<Setting>,
    /// Adjudicate a draw after this many moves by each side
    #[arg(long, value_name = "N", value_parser = whole_number(1..=100_000_u32), allow_negative_numbers = true)]
    maxmoves: Option<u32>,
    /// Silence after which an engine without a clock counts as hung, in seconds
    ///
    /// An engine with a clock counts as hung at most 10 seconds after its time has run out.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    stall: Duration,
    /// Abandon the match when an engine has crashed or hung in this many consecutive games; until then, restart it
    #[arg(
        long,
        value_name = "N",
        default_value_t = 6,
        value_parser = whole_number(1..=1_000_000_u32),
        allow_negative_numbers = true
    )]
    maxfaults: u32,
    /// Ignored, for compatibility with fastchess: engines that crash are always restarted
    #[arg(long)]
    recover: bool,
    /// PGN tag Event
    #[arg(long, value_name = "NAME", default_value = "Assay match")]
    event: String,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Test")]
struct TestArgs {
    /// Stop as soon as an SPRT decides: elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=normalized|logistic|bayesian]
    ///
    /// H0: the first engine is elo0 stronger. H1: it is elo1 stronger. Pairs are counted in the order of their numbers, so the
    /// decision does not depend on --concurrency.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = setting("sprt", SPRT_KEYS))]
    sprt: Vec<Setting>,
    /// Report the test's decision as the exit status
    #[arg(long)]
    exit_verdict: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct FileArgs {
    /// Run file for the games (SQLite); without it they are kept in memory
    ///
    /// Every game is on disk before it is counted: a killed match loses only the games in progress.
    #[arg(long, value_name = "FILE", value_parser = file_name, value_hint = ValueHint::FilePath)]
    data: Option<PathBuf>,
    /// Continue the match in the file: the same command with this flag
    ///
    /// The settings and the engines must be those of the file; --rounds may be larger. --force replaces the PGN and HTML files
    /// that were written before.
    #[arg(long, requires = "data")]
    resume: bool,
    /// Write all games to a PGN file at the end: FILE [nodes=true] [seldepth=true] [nps=true]
    ///
    /// The comment of a move has evaluation, depth and time; nodes, seldepth and nps (nodes per second) add n=, sd= and nps=.
    /// notation=san, the default, is the only notation.
    #[arg(long, alias = "pgn", value_name = "FILE|KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = pgn_setting, value_hint = ValueHint::FilePath)]
    pgnout: Vec<Setting>,
    /// Log what programs are sent and answer, with the seconds since the start: FILE [append=true] [faults=N]
    ///
    /// With faults=N only the last N lines of games in which an engine is at fault. fastchess's keys level=, realtime= and
    /// engine=true change nothing: all lines are written, and at once.
    #[arg(long, value_name = "FILE|KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = log::parse_setting, value_hint = ValueHint::FilePath)]
    log: Vec<Setting>,
    /// Write an HTML report to this file at the end
    #[arg(long, value_name = "FILE", value_parser = file_name, value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,
    #[command(flatten)]
    intervals: IntervalArgs,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

/// A setting of `--pgnout`; a word without `=` is the file.
fn pgn_setting(word: &str) -> Result<Setting, String> {
    // cutechess-cli's word for what is always so: only finished games are written.
    if word == "fi" {
        return setting("pgnout", games::PGN_KEYS)(word);
    }
    setting("pgnout", games::PGN_KEYS)(&with_key("file", word))
}

/// The word itself if it has a key, or `KEY=WORD`.
fn with_key(key: &str, word: &str) -> String {
    if word.contains('=') {
        word.to_owned()
    } else {
        format!("{key}={word}")
    }
}

/// A path; fastchess's `file=` before it is optional.
#[expect(clippy::unnecessary_wraps, reason = "the signature of clap's value parsers")]
fn file_name(text: &str) -> Result<PathBuf, String> {
    Ok(PathBuf::from(text.strip_prefix("file=").unwrap_or(text)))
}

/// Prepares the command line of `match`, program name included, for clap: adds a dash to long flags that have only one.
/// `match` without arguments becomes `match --help`.
///
/// # Errors
/// If there is a flag of fastchess or cutechess-cli that `match` does not have.
pub(crate) fn normalize_flags(words: impl IntoIterator<Item = OsString>) -> Result<Vec<OsString>> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    // `--progress`, the flag of the whole program, may precede the command.
    let before = match words.get(1).and_then(|word| word.to_str()) {
        Some("--progress") => 2,
        Some(word) if word.starts_with("--progress=") => 1,
        _ => 0,
    };
    if words
        .get(1 + before)
        .is_none_or(|command| command != "match" && command != "tournament")
    {
        return Ok(words);
    }
    for word in &mut words[before + 2..] {
        let is_flag = word
            .to_str()
            .and_then(|text| text.strip_prefix('-'))
            .is_some_and(|name| name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic()));
        if is_flag {
            *word = format!("-{}", word.to_string_lossy()).into();
        }
    }
    foreign::check(&words[before + 2..])?;
    if words.len() == before + 2 {
        words.push(OsString::from("--help"));
    }
    Ok(words)
}

pub(crate) fn run(args: &Args) -> Result<Exit> {
    let (settings, mut options) = args.settings()?;
    let anchor = args.tournament.anchor(&settings)?;
    let files = &args.files;
    files.check(inputs(args, &settings))?;
    options.log = log::open(&files.log, files.resume)?;
    if let Some(text) = overload(&settings, options.threads) {
        output::warning(text);
    }
    let bar = Progress::new(options.shard_games(&settings), "games");
    let mut has_repeated = false;
    let update = |progress: assay_selfplay::Progress<'_>| {
        show_progress(&bar, &settings, progress);
        for line in files.intervals.text(&settings, &progress, anchor).lines() {
            bar.println(output::escaped(line));
        }
        if progress.summary.standings.repeated() > 0 && !std::mem::replace(&mut has_repeated, true) {
            bar.println(format_args!("warning: {REPETITION}"));
        }
    };
    let played = run_games(
        &settings,
        &options,
        files.data.as_deref(),
        files.resume,
        update,
        interrupt::stop_flag(),
    );
    bar.finish();
    if let Some(error) = options.log.as_ref().and_then(|log| log.take_error()) {
        output::warning(format_args!("-log: {error}; the log is incomplete"));
    }
    let (summary, store) = match played {
        Ok(played) => played,
        Err(error) => return exit_of_error(error),
    };
    let written = files.write(&store, anchor);
    store.close()?;
    let report = Report::new(&settings, &summary, anchor)?;
    if files.json {
        output::json(&report)?;
    } else {
        output::print(text(&settings, files, options.shard, &report, &summary))?;
    }
    written?;
    Ok(if args.test.exit_verdict {
        exit_of(summary.standings.decision())
    } else {
        Exit::Success
    })
}

/// The error without `--rounds`.
const NO_ROUNDS: &str = "found no --rounds N, expected the number of openings (each is played twice)";

/// The warning when a pair repeats an earlier one.
const REPETITION: &str = "the games of a pair equal those of an earlier pair; such pairs are stored but not counted; deterministic \
                          engines need a different opening in each round";

/// The warning if more engines think at the same time than there are processors, and their time counts.
fn overload(settings: &RunSettings, concurrency: usize) -> Option<String> {
    let processors = std::thread::available_parallelism().ok()?.get();
    let engines = settings.players.all();
    let is_timed = engines
        .iter()
        .any(|engine| engine.limits.clock.is_some() || engine.limits.movetime.is_some());
    // In a game, one engine thinks at a time.
    let threads = engines.iter().map(|engine| engine.kind.threads()).max().unwrap_or(1);
    let busy = concurrency.saturating_mul(threads);
    (is_timed && busy > processors).then(|| {
        format!(
            "{} at a time with {} each on {}: engines may lose on time and play below their strength",
            format::count(concurrency, "game", "games"),
            format::count(threads, "thread", "threads"),
            format::count(processors, "processor", "processors")
        )
    })
}

/// The definition of the game and the book of openings, if they are files.
fn inputs<'a>(args: &'a Args, settings: &'a RunSettings) -> impl Iterator<Item = &'a Path> + Clone {
    let definition = args.game.as_deref().and_then(definition_file);
    let book = match &settings.openings {
        OpeningSource::Book(book) => Some(book.file.as_path()),
        _ => None,
    };
    definition.into_iter().chain(book)
}

/// Shows score, Elo and LLR so far, and a warning for each fault.
fn show_progress(bar: &Progress, settings: &RunSettings, progress: assay_selfplay::Progress<'_>) {
    let assay_selfplay::Progress { summary, new } = progress;
    if new.is_empty() {
        bar.resume_at(summary.done);
    } else {
        bar.set_total(summary.games);
        bar.set(summary.done);
    }
    let (message, half_width) = tournament::progress(settings, summary);
    bar.set_message(message);
    if let Some(half_width) = half_width {
        bar.set_precision(half_width, "Elo");
    }
    for game in new {
        if let Some(fault) = &game.fault {
            let players = summary.standings.players_of(game.pair).unwrap_or_default();
            let player = players[fault.player];
            let text = format!(
                "game {}: {}: {}: {}",
                game.index + 1,
                settings.players.all()[player].name,
                game.end,
                fault.what
            );
            bar.println(format_args!("warning: {}", output::escaped(&text)));
            for line in last_lines(&fault.stderr) {
                bar.println(format_args!("  standard error: {}", output::escaped(line)));
            }
        }
    }
}

/// The end of an engine's error output, which the run file has longer.
fn last_lines(lines: &[String]) -> &[String] {
    &lines[lines.len().saturating_sub(5)..]
}

/// The exit status that reports a decision.
pub(super) fn exit_of(decision: SprtDecision) -> Exit {
    match decision {
        SprtDecision::AcceptH1 => Exit::Success,
        SprtDecision::AcceptH0 => Exit::Differs,
        SprtDecision::Continue => Exit::Undecided,
    }
}

impl Args {
    fn settings(&self) -> Result<(RunSettings, RunOptions)> {
        let games = &self.games;
        let game = &match (&self.game, &self.variant) {
            (Some(game), _) => game.clone(),
            (None, Some(name)) => builtin_variant(name)
                .with_context(|| {
                    let known = known_games();
                    format!("--variant: found `{name}`, expected standard or one of {known}")
                })?
                .name
                .clone(),
            (None, None) => {
                bail!("found no game, expected its name first: assay-selfplay match gamma2 -engine ...; see --help")
            }
        };
        let sprt = games::sprt(&self.test.sprt)?;
        ensure!(
            sprt.is_some() || !self.test.exit_verdict,
            "--exit-verdict: found no --sprt, expected a test"
        );
        ensure!(
            sprt.is_none() || games.shard.is_none(),
            "--shard: found --sprt, whose decision needs the games of all shards; play the shards without it, merge them, and give the \
             counts that `assay-selfplay info` prints to `assay-selfplay sprt --counts`"
        );
        let settings = RunSettings {
            source: GameSource::load(game)?,
            openings: games::openings(&games.openings)?,
            players: self.tournament.players(self.engines.settings()?, games)?,
            repeat: games.repeats()?,
            seed: games.seed,
            eval_jitter: EvalJitter::default(),
            sprt,
            adjudication: games::adjudication(&games.resign, &games.draw, games.maxmoves)?,
            stall: games.stall,
        };
        let engines = settings.players.all().len();
        ensure!(
            sprt.is_none() || engines == 2,
            "--sprt: found {engines} engines, expected two: the test compares the first with the second"
        );
        let pairings = settings.players.pairing_count();
        let rounds = match games.rounds {
            Some(rounds) => rounds,
            // The test ends the match.
            None if sprt.is_some() => 1_000_000,
            None => bail!(NO_ROUNDS),
        };
        let options = RunOptions {
            games: rounds * pairings * settings.games_per_opening(),
            shard: games.shard,
            first_game: 0,
            threads: games.concurrency,
            max_faults: games.maxfaults,
            event: games.event.clone(),
            log: None,
        };
        ensure!(
            !sprt.is_some_and(|sprt| sprt.tests_single_games()) || settings.source.results() == 3,
            "--sprt model=bayesian: found {game}, which has five results; expected normalized or logistic"
        );
        Ok((settings, options))
    }
}

impl GameArgs {
    /// Returns true if each opening is played twice.
    fn repeats(&self) -> Result<bool> {
        let once = self.games == Some(1);
        ensure!(
            !(once && self.repeat.is_some()),
            "--repeat: found also --games 1, expected one of them"
        );
        Ok(!once)
    }
}

impl FileArgs {
    /// Fails before any game is played if a file could not be written afterwards, or would overwrite another one.
    fn check<'p>(&'p self, inputs: impl Iterator<Item = &'p Path> + Clone) -> Result<()> {
        if let Some(path) = &self.data {
            output_file::check_name(path).context("--data")?;
            ensure!(
                !self.resume || path.exists(),
                "--resume: found no file {}, expected the file of an interrupted match",
                path.display()
            );
        }
        let pgn = games::pgn(&self.pgnout)?.map(|(path, _)| path);
        let log = log::path(&self.log)?;
        let mut outputs = vec![("--pgnout", pgn.as_deref()), ("--html", self.html.as_deref())];
        let inputs = inputs.chain(self.data.as_deref());
        check_outputs(&outputs, inputs.clone(), self.force)?;
        // A log that exists may be appended to.
        outputs.push(("--log", log.as_deref()));
        output_file::check(&outputs, inputs)
    }

    fn write(&self, store: &Store, anchor: Option<Anchor>) -> Result<()> {
        if let Some((path, details)) = games::pgn(&self.pgnout)? {
            let write = |out: &mut dyn std::io::Write| {
                export(store, Format::Pgn(details), |_| true, out)?;
                Ok(())
            };
            output_file::write(&path, write).with_context(|| format!("--pgnout {}", path.display()))?;
        }
        if let Some(path) = &self.html {
            let page = html::page(store, anchor)?;
            output_file::write(path, |out| Ok(out.write_all(page.as_bytes())?))
                .with_context(|| format!("--html {}", path.display()))?;
        }
        Ok(())
    }
}

fn text(settings: &RunSettings, files: &FileArgs, shard: Option<Shard>, report: &Report, summary: &Summary) -> String {
    let mut text = format!(
        "assay-selfplay {}: {}, seed {}, {}, {}\n",
        env!("CARGO_PKG_VERSION"),
        settings.game().name,
        settings.seed,
        games_done(report.games(), summary.games, shard),
        new_games(summary.played, summary.elapsed),
    );
    let engines = settings.players.all().iter().zip(&summary.identities);
    let engines = engines.map(|(engine, identity)| format!("{}: {identity}, {}\n", engine.name, engine.kind));
    // The ratings of many engines come first.
    text += &match report {
        Report::Match(_) => engines.chain([report.text()]).collect::<String>(),
        Report::Tournament(_) => [report.text()].into_iter().chain(engines).collect(),
    };
    if summary.is_incomplete() {
        text += match (&files.data, files.pgnout.is_empty() && files.html.is_none()) {
            (None, _) => "stopped\n",
            (Some(_), true) => "stopped; the same command with -resume plays the remaining games\n",
            (Some(_), false) => "stopped; the same command with -resume -force plays the remaining games\n",
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, FromArgMatches};

    use super::*;

    fn parse(words: &str) -> Result<Args, clap::Error> {
        let words = format!("assay-selfplay match {words}");
        let words = normalize_flags(words.split_whitespace().map(OsString::from)).unwrap();
        let command = Args::augment_args(clap::Command::new("match"));
        Args::from_arg_matches(&command.try_get_matches_from(&words[1..])?)
    }

    #[test]
    fn accepts_one_dash_and_two() {
        let args =
            parse("gamma2 -engine cmd=./x name=X -engine builtin --rounds=7 -sprt elo0=-3 elo1=0 -repeat").unwrap();
        assert_eq!(args.game.as_deref(), Some("gamma2"));
        assert_eq!(args.engines.engines.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(args.games.rounds, Some(7));
        assert!(args.games.repeat.is_some() && !args.files.json);
        assert_eq!(args.test.sprt.len(), 2);
    }

    #[test]
    fn last_flag_counts_and_each_accumulates() {
        let args =
            parse("chess -rounds 3 -sprt elo0=0 elo1=2 -each tc=1 -each nodes=3 -rounds 4 -sprt elo0=1 -json -json");
        let args = args.unwrap();
        assert_eq!((args.games.rounds, args.test.sprt.len()), (Some(4), 1));
        assert_eq!(args.engines.each.len(), 2);
    }

    #[test]
    fn suggests_similar_flags_and_keys() {
        let error = |words| parse(words).unwrap_err().to_string();
        assert!(error("chess -enigne cmd=x").contains("--engine"));
        assert!(error("chess -engine cmd=x nmae=y").contains("unknown key `nmae`; did you mean `name`?"));
        assert!(error("-resume").contains("--data <FILE>"));
    }

    #[test]
    fn warns_of_more_threads_than_processors() {
        let warning = |limits: &str, concurrency| {
            let words =
                format!("chess -engine cmd=x option.threads=100000 {limits} -engine builtin {limits} -rounds 1");
            let (settings, _) = parse(&words).unwrap().settings().unwrap();
            overload(&settings, concurrency)
        };
        assert_eq!(warning("nodes=1", 100_000), None);
        for limits in ["tc=1", "st=1"] {
            let text = warning(limits, 1).unwrap();
            assert!(
                text.starts_with("1 game at a time with 100,000 threads each on "),
                "{text}"
            );
        }
        let (settings, _) = parse("chess -engine builtin -engine builtin -each tc=1 -rounds 1")
            .unwrap()
            .settings()
            .unwrap();
        assert_eq!(overload(&settings, 1), None);
        assert!(overload(&settings, 100_000).is_some());
    }

    #[test]
    fn progress_may_precede_the_command() {
        let normalized = |words: &str| normalize_flags(words.split_whitespace().map(OsString::from)).unwrap();
        assert_eq!(
            normalized("p --progress json match chess -rounds 1")[3..],
            ["match", "chess", "--rounds", "1"]
        );
        assert_eq!(normalized("p --progress=json match -x a")[2..], ["match", "-x", "a"]);
        assert_eq!(normalized("p --progress json info -match")[3..], ["info", "-match"]);
        assert_eq!(normalized("p --progress")[1..], ["--progress"]);
    }

    #[test]
    fn command_definition_is_consistent() {
        Args::augment_args(clap::Command::new("match")).debug_assert();
    }
}
