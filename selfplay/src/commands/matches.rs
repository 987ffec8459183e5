//! `assay-selfplay match`.

mod engines;
mod files;
mod foreign;
mod game_args;
mod games;
mod key_value;
mod load;
mod log;
mod progress;
mod tournament;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use assay_cli::args::definition_file;
use assay_cli::{Exit, Progress, interrupt, output};
use assay_rules::def::{builtin_variant, known_games};
use assay_selfplay::players::WITHOUT_OPTION;
use assay_selfplay::report::Report;
use assay_selfplay::runner::affinity;
use assay_selfplay::settings::{EvalJitter, OpeningSource, RunOptions, RunSettings, Shard};
use assay_selfplay::statistics::{Anchor, SprtDecision};
use assay_selfplay::tournament::adjudication::Adjudication;
use assay_selfplay::{GameSource, RunError, Store, StoreError, Summary, run_games};
use clap::ValueHint;

use super::{exit_of_error, games_done, new_games};
use engines::EngineArgs;
use files::{FileArgs, GrowingPgn};
pub(crate) use foreign::normalize_flags;
use game_args::GameArgs;
use games::SPRT_KEYS;
use key_value::{Setting, setting};
use load::{busy_threads, overload};
use progress::{show_games, show_progress};
use tournament::TournamentArgs;
pub(crate) use tournament::{NamedAnchor, parse_anchor};

const LONG: &str = include_str!("help/match-about.txt").trim_ascii_end();

const EXAMPLES: &str = include_str!("help/match.txt").trim_ascii_end();

/// Play a match between two engines, or a tournament of more, and estimate their Elo
#[derive(Debug, clap::Args)]
#[command(visible_alias = "tournament", long_about = LONG, after_long_help = EXAMPLES, args_override_self = true)]
pub(crate) struct Args {
    /// A built-in game or the path of a definition file (.toml) [default: chess]
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
#[command(next_help_heading = "Test")]
struct TestArgs {
    /// Stop as soon as an SPRT decides: elo0=E elo1=E [alpha=0.05] [beta=0.05]
    /// [model=normalized|logistic|bayesian]
    ///
    /// H0: the first engine is elo0 stronger. H1: it is elo1 stronger (elo1 may be below elo0).
    /// Pairs are counted in the order of their numbers, so the decision does not depend on
    /// --concurrency.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Set, value_parser = setting("sprt", SPRT_KEYS))]
    sprt: Vec<Setting>,
    /// Report the test's decision as the exit status
    #[arg(long)]
    exit_verdict: bool,
}

pub(crate) fn run(args: &Args) -> Result<Exit> {
    let (mut settings, mut options) = args.settings()?;
    let anchor = args.tournament.anchor(&settings)?;
    let files = &args.files;
    files.check(inputs(args, &settings))?;
    let mut pgn = files.growing_pgn()?;
    options.log = log::open(&files.log, files.resume, files.force)?;
    if let Some(text) = overload(&settings, options.threads) {
        output::warning(text);
    }
    let mut played = play(files, &settings, &options, pgn.as_mut(), anchor);
    if let Err(RunError::Start(error)) = &played
        && error.needs_start
        && args.games.openings.is_empty()
    {
        // As in both programs, where games begin at the start position without this flag.
        output::warning(error);
        settings.openings = OpeningSource::Start;
        played = play(files, &settings, &options, pgn.as_mut(), anchor);
    }
    if let Some(error) = options.log.as_ref().and_then(|log| log.take_error()) {
        output::warning(format_args!("-log: {error}; the log is incomplete"));
    }
    let (summary, store) = match played {
        Ok(played) => played,
        Err(RunError::Store(error @ StoreError::Exists { .. })) => {
            bail!("{error}; -resume continues the match in it, or choose another file")
        }
        Err(error) => return exit_of_error(error),
    };
    let report = Report::new(&settings, &summary.tally, &summary.standings, anchor).context("a match has a report")?;
    let written = files.write(&store, &report, &summary.standings);
    let written = written.and_then(|()| pgn.map_or(Ok(()), GrowingPgn::close));
    store.close()?;
    match &report {
        Report::Match(report) if files.json => output::json(report)?,
        Report::Tournament(report) if files.json => output::json(report)?,
        _ => output::print(text(&settings, files, options.shard, &report, &summary))?,
    }
    written?;
    Ok(if args.test.exit_verdict { exit_of(summary.standings.decision()) } else { Exit::Success })
}

/// Plays the games, and shows what happens.
fn play(
    files: &FileArgs,
    settings: &RunSettings,
    options: &RunOptions,
    mut pgn: Option<&mut GrowingPgn>,
    anchor: Option<Anchor>,
) -> Result<(Summary, Store), RunError> {
    let bar = Progress::new(options.shard_games(settings), "games");
    let mut has_repeated = false;
    let update = |progress: assay_selfplay::Progress<'_>| {
        if progress.new.is_empty() && progress.started.is_empty() {
            for line in files.loss_by_kill().into_iter().chain(missing_options(settings, progress.summary)) {
                bar.println(output::escaped(&line));
            }
        }
        show_games(&bar, settings, progress);
        show_progress(&bar, settings, progress);
        if let Some(error) = pgn.as_mut().and_then(|pgn| pgn.add(&progress)) {
            bar.println(format_args!("warning: {error:#}"));
        }
        for line in files.intervals.text(settings, &progress, anchor).lines() {
            bar.println(output::escaped(line));
        }
        if progress.summary.standings.repeated() > 0 && !std::mem::replace(&mut has_repeated, true) {
            bar.println(format_args!("warning: {REPETITION}"));
        }
    };
    run_games(settings, options, files.data.as_deref(), files.resume, update, interrupt::stop_flag())
}

/// The warning when a pair repeats an earlier one.
const REPETITION: &str = "the games of a pair equal those of an earlier pair; such pairs are stored but not counted; deterministic \
                          engines need a different opening in each round";

/// A warning for each engine that lacks an option that it was given.
fn missing_options(settings: &RunSettings, summary: &Summary) -> impl Iterator<Item = String> {
    let identities = settings.players.all().iter().zip(&summary.identities);
    identities.filter_map(|(engine, identity)| {
        let (_, options) = identity.split_once(WITHOUT_OPTION)?;
        Some(format!("warning: {}: has no option {}, which is left out", engine.name, options.trim_end_matches(')')))
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
            (None, None) => "chess".to_owned(),
        };
        let sprt = games::sprt(&self.test.sprt)?;
        ensure!(sprt.is_some() || !self.test.exit_verdict, "--exit-verdict: found no --sprt, expected a test");
        ensure!(
            sprt.is_none() || games.shard.is_none(),
            "--shard: found --sprt, whose decision needs the games of all shards; play the shards without it, merge them, and give the \
             counts that `assay-selfplay info` prints to `assay-selfplay sprt --counts`"
        );
        let source = GameSource::load(game)?;
        let rounds = games.opening_count(sprt.is_some())?;
        let settings = RunSettings {
            source,
            openings: games::openings(&games.openings)?,
            players: self.tournament.players(self.engines.settings()?)?,
            repeat: games.repeats(),
            seed: games.seed,
            eval_jitter: EvalJitter::default(),
            sprt,
            adjudication: Adjudication {
                max_moves: games.maxmoves,
                ..games::adjudication(&games.resign, &games.draw)?
            },
            stall: games.stall,
        };
        let engines = settings.players.all().len();
        ensure!(
            sprt.is_none() || engines == 2,
            "--sprt: found {engines} engines, expected two: the test compares the first with the second"
        );
        let pairings = settings.players.pairing_count();
        let options = RunOptions {
            games: rounds.saturating_mul(pairings).saturating_mul(settings.games_per_opening()),
            shard: games.shard,
            first_game: 0,
            threads: games.concurrency,
            max_faults: games.maxfaults,
            event: games.event.clone(),
            log: None,
            wait: Duration::from_millis(games.wait),
            processors: games.use_affinity.as_deref().map_or_else(Vec::new, |list| {
                let found = affinity::processors(games.concurrency, busy_threads(&settings));
                let why = found.as_ref().err().map(|error| format!("{error}; the operating system chooses"));
                if let Some(why) = why.or_else(|| (!list.is_empty()).then(|| format!("the list {list} is ignored"))) {
                    output::warning(format_args!("--use-affinity: {why}"));
                }
                found.unwrap_or_default()
            }),
        };
        ensure!(
            !matches!(settings.openings, OpeningSource::Chess960 { .. }) || settings.game().starts.len() == 960,
            "--openings chess960: found {game}, expected fischerandom, the game with these starts"
        );
        ensure!(
            !sprt.is_some_and(|sprt| sprt.tests_single_games()) || settings.source.results() == 3,
            "--sprt model=bayesian: found {game}, which has five results; expected normalized or logistic"
        );
        Ok((settings, options))
    }
}

fn text(settings: &RunSettings, files: &FileArgs, shard: Option<Shard>, report: &Report, summary: &Summary) -> String {
    let mut text = format!(
        "assay-selfplay {}: {}, seed {}, {}, {}\n",
        env!("CARGO_PKG_VERSION"),
        settings.game().name,
        settings.seed,
        games_done(summary.tally.games(), summary.games, shard),
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
    use std::ffi::OsString;

    use clap::{Args as _, FromArgMatches};

    use super::*;

    fn parse(words: &str) -> Result<Args, clap::Error> {
        let words = format!("assay-selfplay match {words}");
        let words = normalize_flags(words.split_whitespace().map(OsString::from)).unwrap().words;
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
            assert!(text.starts_with("1 game at a time with 100,000 threads each on "), "{text}");
        }
        let (settings, _) =
            parse("chess -engine builtin -engine builtin -each tc=1 -rounds 1").unwrap().settings().unwrap();
        assert_eq!(overload(&settings, 1), None);
        assert!(overload(&settings, 100_000).is_some());
    }

    #[test]
    fn commands_of_other_programs_are_planned() {
        let file = include_str!("../../../testdata/match-commands.txt");
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            let parts: Vec<&str> = line.splitn(3, " | ").collect();
            let [games, ignored, words] = parts[..] else { panic!("{line}") };
            let words = shell_words::split(&format!("assay-selfplay match {words}")).unwrap();
            let normalized = normalize_flags(words.into_iter().map(OsString::from)).unwrap();
            let found: Vec<&str> = normalized.ignored.split(", ").filter_map(|text| text.split(" (").next()).collect();
            assert_eq!(found.join(", "), if ignored == "-" { "" } else { ignored }, "{line}");
            let command = Args::augment_args(clap::Command::new("match"));
            let args = Args::from_arg_matches(&command.try_get_matches_from(&normalized.words[1..]).unwrap()).unwrap();
            let (settings, options) = args.settings().unwrap();
            assert_eq!(options.shard_games(&settings).to_string(), games, "{line}");
        }
    }

    #[test]
    fn openings_that_are_played_twice_need_even_games() {
        let planned = |words: &str| {
            let words = format!("-engine builtin -engine builtin -each nodes=1 {words}");
            parse(&words).unwrap().settings().map(|(settings, options)| options.shard_games(&settings))
        };
        assert_eq!(
            planned("-rounds 3 -games 5").unwrap_err().to_string(),
            "--games: found 5 in 3 rounds, expected an even number of games of each pairing: each opening is played twice; \
             --repeat 1 plays it once"
        );
        for words in ["-games 3", "-rounds 5 -games 1 -repeat", "-rounds 1 -games 1 -repeat 2"] {
            assert!(planned(words).unwrap_err().to_string().starts_with("--games: found "), "{words}");
        }
        for (words, expected) in [("-rounds 3", 6), ("-rounds 2 -games 3", 6), ("-rounds 3 -games 1", 3)] {
            assert_eq!(planned(words).unwrap(), expected, "{words}");
        }
        assert_eq!(planned("-rounds 3 -games 5 -repeat 1").unwrap(), 15);
    }

    #[test]
    fn progress_may_precede_the_command() {
        let normalized = |words: &str| normalize_flags(words.split_whitespace().map(OsString::from)).unwrap().words;
        assert_eq!(normalized("p --progress json match chess -rounds 1")[3..], ["match", "chess", "--rounds", "1"]);
        assert_eq!(normalized("p --progress=json match -x a")[2..], ["match", "-x", "a"]);
        assert_eq!(normalized("p --progress json info -match")[3..], ["info", "-match"]);
        assert_eq!(normalized("p --progress")[1..], ["--progress"]);
    }

    #[test]
    fn command_definition_is_consistent() {
        Args::augment_args(clap::Command::new("match")).debug_assert();
    }
}
