//! `assay-tuner claims`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use assay_cli::args::definition_file;
use assay_cli::interrupt::{self, stop_flag, without_stop_flag};
use assay_cli::text::wrap;
use assay_cli::{Progress, output, output_file};
use assay_engine::endgame::EndgameProgress;
use assay_engine::file::{MAX_DEFINITION, read_text};
use assay_rules::def::BUILTIN_NAMES;
use assay_selfplay::settings::{GameSource, Material, StartChoice};
use assay_selfplay::{RecordedRun, Store, StoreError};

use super::playing::{self, PlannedRun, budget_note, openings_from, play, play_shard, random_openings};
use super::{ReportArgs, file_names};
use crate::report::claims as report;
use crate::values::claims::file::GameClaims;
use crate::values::claims::runs::{Runs, source_named};
use crate::values::claims::terms::{Run, RunKind};
use crate::values::claims::{Claims, Statement, correct_for_number_of_tests};
use crate::values::data::other_definitions;

/// Each start with a handicap gets --games divided by this number of games.
const START_DIVISOR: u64 = 10;

/// Arguments of `claims`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/claims.txt"))]
pub(crate) struct Args {
    /// Built-in games or definition files [default: all built-in games with claims]
    #[arg(value_name = "GAME")]
    games_of: Vec<String>,
    #[command(flatten)]
    run: playing::RunArgs,
    /// Folder for the run files
    #[arg(long = "folder", value_name = "FOLDER", default_value = ".")]
    data: PathBuf,
    /// Test the claims on the games of these files and play none
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["games", "nodes", "evaluation", "seed", "shard", "data", "budget"]
    )]
    from: Vec<PathBuf>,
    #[command(flatten)]
    output: ReportArgs,
    /// Print the sources, the number of games and what the verdicts mean
    #[arg(long)]
    details: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let nodes = args.run.nodes()?;
    anyhow::ensure!(
        args.data.is_dir(),
        "--folder {}: found no such folder, expected a folder for run files",
        args.data.display()
    );
    let claimed = claimed_games(&args.games_of)?;
    let sources: Vec<GameSource> = claimed.iter().flat_map(GameClaims::sources).cloned().collect();
    let statements = claimed.iter().flat_map(|game| &game.statements);
    let mut runs: Vec<Run> = statements.flat_map(Statement::runs).cloned().collect();
    runs.sort();
    runs.dedup();
    if args.from.is_empty() {
        check_files(&runs)?;
    }
    check_output(args, &runs)?;
    args.run.check_shard(&[("--html", args.output.html.is_some()), ("--json", args.output.json)])?;
    // Before the first game is played: not every game has a network, least of all one that a claims
    // file defines.
    let to_play = runs.iter().filter(|_| args.from.is_empty());
    let planned = to_play
        .map(|run| plan(args, &sources, run, args.run.games()).with_context(|| format!("games of {}", run.game)));
    let planned: Vec<PlannedRun> = planned.collect::<anyhow::Result<_>>()?;
    if let Some(shard) = args.run.shard {
        return play_shard(shard, &planned);
    }
    let (is_stopped, note) = if args.from.is_empty() { play_all(args, &sources, &runs)? } else { (false, None) };
    let mut files = without_stop_flag(|| open(args, &runs))?;
    let is_interim = is_stopped || !args.from.is_empty() && are_parts(&files)?;
    look(&mut files, is_interim)?;
    let mut games: BTreeMap<Run, Vec<&dyn RecordedRun>> = BTreeMap::new();
    for (store, runs) in &files {
        for run in runs {
            games.entry(run.clone()).or_default().push(store);
        }
    }
    games.values().flat_map(|games| other_definitions(games)).for_each(output::warning);
    let mut cache = Runs::new(games, sources);

    solve_endgames(&claimed, &mut cache);
    let mut findings = Vec::new();
    without_stop_flag(|| {
        for game in &claimed {
            for statement in &game.statements {
                findings.push(statement.finding(game.name(), &mut cache));
            }
        }
    });
    correct_for_number_of_tests(&mut findings);
    if let Some(error) = cache.take_error() {
        return Err(error.into());
    }
    let claims = Claims {
        assay: env!("CARGO_PKG_VERSION").to_owned(),
        findings,
        files: cache.files(),
        command: Some(command(args, nodes, &runs)),
    };
    let mut text = report::text(&claims, args.details);
    text.extend(note.map(|note| wrap("", &note)));
    args.output.write(|| report::page(&claims), text, &claims)
}

/// Fails if two runs would be played in one file.
fn check_files(runs: &[Run]) -> anyhow::Result<()> {
    let mut named: BTreeMap<String, &Run> = BTreeMap::new();
    for run in runs {
        if let Some(other) = named.insert(run.file_name(), run) {
            anyhow::bail!(
                "found games of {} and of {} that would both be in {}, expected other names of games or starts",
                other.game,
                run.game,
                run.file_name()
            );
        }
    }
    Ok(())
}

/// Fails before any game is played or read if the report could not be written afterwards or would
/// overwrite a file of games, a definition or its claims.
fn check_output(args: &Args, runs: &[Run]) -> anyhow::Result<()> {
    let definitions = args.games_of.iter().filter_map(|game| definition_file(game));
    let definitions = definitions.flat_map(|file| [file.to_owned(), claims_file(file)]);
    let played = runs.iter().map(|run| path(args, run));
    let inputs: Vec<PathBuf> = definitions.chain(played).chain(args.from.iter().cloned()).collect();
    output_file::check(&[("--html", args.output.html.as_deref())], &inputs)
}

/// The file of the claims about the game of a definition.
fn claims_file(definition: &Path) -> PathBuf {
    definition.with_extension("claims.toml")
}

/// The requested games, each once.
fn claimed_games(names: &[String]) -> anyhow::Result<Vec<GameClaims>> {
    let builtin = BUILTIN_NAMES.into_iter().filter_map(GameSource::builtin).map(GameClaims::builtin);
    let builtin: Vec<GameClaims> = builtin.filter(|game| !game.statements.is_empty()).collect();
    if names.is_empty() {
        return Ok(builtin);
    }
    let mut games: Vec<GameClaims> = Vec::new();
    for name in names {
        let game = claims_of(name, GameSource::load(name)?)?;
        anyhow::ensure!(
            !game.statements.is_empty(),
            "{name}: found no claims about {}, expected one of {}, or a definition with values or a claims file",
            game.name(),
            builtin.iter().map(GameClaims::name).collect::<Vec<_>>().join(", ")
        );
        check_names(&games, &game).with_context(|| name.clone())?;
        if games.iter().all(|other| other.name() != game.name()) {
            games.push(game);
        }
    }
    Ok(games)
}

/// Checks that the games of `next`, among each other and with those of `earlier`, have different
/// names or equal definitions: files of games are named after them.
fn check_names(earlier: &[GameClaims], next: &GameClaims) -> anyhow::Result<()> {
    for source in next.sources() {
        let differs = |other: &GameSource| other.game.name == source.game.name && other.game != source.game;
        anyhow::ensure!(
            !earlier.iter().flat_map(GameClaims::sources).any(differs),
            "found two different games named {}, expected different names",
            source.game.name
        );
    }
    Ok(())
}

/// Claims about a game: for a definition `GAME.toml` those of `GAME.claims.toml`, or the values of
/// the definition.
fn claims_of(name_or_path: &str, source: GameSource) -> anyhow::Result<GameClaims> {
    if source.text.is_none() {
        return Ok(GameClaims::builtin(source));
    }
    let path = claims_file(Path::new(name_or_path));
    if !path.exists() {
        return Ok(GameClaims::of_definition(source));
    }
    let file = path.display().to_string();
    let text = read_text(&path, MAX_DEFINITION).with_context(|| file.clone())?;
    let claims = GameClaims::parse(&text, &file, source)?;
    anyhow::ensure!(!claims.statements.is_empty(), "{file}: found no claims, expected at least one");
    Ok(claims)
}

/// The file of a run.
fn path(args: &Args, run: &Run) -> PathBuf {
    args.data.join(run.file_name())
}

/// The files with games, each with the runs that it has games of: those of --from, or else those
/// that were played. Fails for a file of --from whose games no claim is tested on.
fn open(args: &Args, runs: &[Run]) -> anyhow::Result<Vec<(Store, Vec<Run>)>> {
    if args.from.is_empty() {
        let played = runs.iter().map(|run| (path(args, run), run)).filter(|(path, _)| path.exists());
        return played.map(|(path, run)| Ok((Store::open_read(&path)?, vec![run.clone()]))).collect();
    }
    let named = args.from.iter().map(|path| {
        let store = Store::open_read(path)?;
        let found: Vec<Run> = Run::all_of(&store).into_iter().filter(|run| runs.contains(run)).collect();
        anyhow::ensure!(
            !found.is_empty(),
            "{}: found games that no claim is tested on, expected games like those that `claims` plays, or imported ones",
            path.display()
        );
        Ok((store, found))
    });
    named.collect()
}

/// Returns true if the files have fewer games of a run than are planned.
fn are_parts(files: &[(Store, Vec<Run>)]) -> Result<bool, StoreError> {
    let mut missing: BTreeMap<String, u64> = BTreeMap::new();
    for (store, _) in files {
        let left = missing.entry(store.header().id()).or_insert(store.header().games);
        *left = left.saturating_sub(store.count()?);
    }
    Ok(missing.values().any(|&left| left > 0))
}

/// Stores in all files that have new games that these are looked at. `is_interim` tells that fewer
/// games than planned have been played.
fn look(files: &mut [(Store, Vec<Run>)], is_interim: bool) -> Result<(), StoreError> {
    let last = files.iter().flat_map(|(store, _)| &store.header().looks).map(|look| look.number).max();
    files.iter_mut().try_for_each(|(store, _)| store.add_look(last.unwrap_or(0).saturating_add(1), is_interim))
}

/// Plays the missing games of each file, then more while there is time. Returns true if it was
/// stopped or out of time before --games, and a note if it was out of time.
fn play_all(args: &Args, sources: &[GameSource], runs: &[Run]) -> anyhow::Result<(bool, Option<String>)> {
    let deadline = args.run.budget.map(|budget| Instant::now() + budget);
    let mut games = args.run.games();
    let (mut is_interim, mut note) = (true, None);
    loop {
        let (mut done, mut planned) = (0, 0);
        for (index, run) in runs.iter().enumerate() {
            if interrupt::requested() {
                return Ok((is_interim, note));
            }
            // The remaining time is divided among the remaining files, so time that one file does
            // not need goes to the others.
            let until = deadline.map(|deadline| {
                let left = deadline.saturating_duration_since(Instant::now());
                Instant::now() + left / (runs.len() - index) as u32
            });
            let run = plan(args, sources, run, games)?;
            let wanted = run.options.games;
            // A file may have more games than this round adds.
            done += play(&run, until, None)?.done.min(wanted);
            planned += wanted;
        }
        if games == args.run.games() {
            is_interim = done < planned;
            note = budget_note(args.run.budget, done, planned, ("game", "games"));
            if let Some(note) = note.as_ref().filter(|_| !interrupt::requested()) {
                output::note(note);
            }
        }
        if deadline.is_none_or(|deadline| Instant::now() >= deadline) {
            return Ok((is_interim, note));
        }
        games = (games + (games / 2).max(20)).next_multiple_of(2);
    }
}

/// Solves the endgames that the claims need.
fn solve_endgames(games: &[GameClaims], cache: &mut Runs<'_>) {
    let statements = games.iter().flat_map(|game| &game.statements);
    for (game, pieces) in statements.flat_map(Statement::endgames) {
        let Some(source) = cache.source(game) else { continue };
        let names: Vec<&str> = pieces.iter().map(|&kind| source.game.kind(kind).name.as_str()).collect();
        let name = format!("{game}: king, {} against a bare king", names.join(", "));
        let progress = Progress::new(0, "arrangements");
        progress.set_message(&name);
        cache.solve_endgame(&source.game, pieces, stop_flag(), &mut |step| match step {
            EndgameProgress::Arrangements { done, total } => {
                progress.set_total(total);
                progress.set(done);
            }
            EndgameProgress::Mates { moves } => progress.set_message(format!("{name}, mate in {moves}")),
        });
        progress.finish();
    }
}

fn plan(args: &Args, sources: &[GameSource], run: &Run, games: u64) -> anyhow::Result<PlannedRun> {
    let source = source_named(sources, &run.game).context("a claim refers to an unknown game")?;
    let (choices, games) = match &run.kind {
        RunKind::Values => (random_openings(Material::Values), games),
        RunKind::Playtest => (random_openings(Material::Playtest), games / 3),
        RunKind::Equal => (random_openings(Material::None), games),
        RunKind::Start(start) => {
            // Random moves would spoil the comparison with an extra move, so these games start
            // without any.
            let has_extra_move = start.contains("+two-moves");
            let plies = if has_extra_move || !start.contains('+') { 0 } else { 2 };
            (openings_from(StartChoice::Named(start.clone()), plies), (games / START_DIVISOR).max(2))
        }
    };
    args.run.plan(&source, choices, games, &path(args, run))
}

/// The command that repeats the tests. How many games a budget allows depends on the machine, so
/// that only the files repeat these.
fn command(args: &Args, nodes: u64, runs: &[Run]) -> String {
    let games: String = args.games_of.iter().map(|name| format!(" {name}")).collect();
    let from = if args.run.budget.is_some() {
        let played = runs.iter().map(|run| path(args, run));
        played.filter(|path| path.exists()).collect()
    } else {
        args.from.clone()
    };
    if !from.is_empty() {
        return format!("assay-tuner claims{games} --from{}", file_names(&from));
    }
    let data = Path::new(&args.data).display();
    format!(
        "assay-tuner claims{games} --games {} --nodes {nodes}{} --seed {} --folder {data}",
        args.run.games(),
        args.run.evaluation_flag(),
        args.run.seed.seed
    )
}
