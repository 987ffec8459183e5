//! `assay-tuner weigh`.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use assay_cli::args::{definition_file, one_of_described};
use assay_cli::{interrupt, output, output_file};
use assay_engine::file::{MAX_DEFINITION, read_text};
use assay_selfplay::Store;
use assay_selfplay::run::ReadError;
use assay_selfplay::settings::{GameSource, Material, StartChoice};
use clap::ArgGroup;
use serde_json::json;

use super::JSON_HELP;
use super::playing::{openings_from, play, play_shard, random_openings, shard_file};
use super::validate::{Extent, run_on};
use crate::report;
use crate::values::armies::{self, Army, definition_with_armies};
use crate::values::atlas::{Atlas, AtlasRun, PieceList};
use crate::values::candidate::{Host, HostArmy, Sides, definition_with_pieces};
use crate::values::data::DataError;
use crate::values::estimate::{EstimateModel, estimates};

const EXAMPLES: &str = include_str!("help/weigh.txt");

/// Options of the measurement of one game.
const OF_MEASUREMENT: [&str; 10] =
    ["one_side", "budget", "precision", "playtest", "phase_model", "resamples", "csv", "unit", "margin", "details"];

#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
#[command(group = ArgGroup::new("weighed").required(true).args(["pieces", "list", "army"]))]
pub(crate) struct Args {
    /// Movement of the piece in XBetza (NmG, KmRcpR)
    ///
    /// Several pieces, each with an option of its own, are measured by one run. Each has openings
    /// in which it replaces the piece of the nearest value in both armies; the other pieces
    /// are the same for all. A game has at most 26 kinds of pieces, so the army of chess
    /// leaves room for 20, the larger ones for 18.
    #[arg(long = "piece", value_name = "XBETZA")]
    pieces: Vec<String>,
    /// Measure a list of pieces instead, and make one table, page and picture of them: name, move
    /// (XBetza), boards, and published values with sources
    ///
    /// The list is measured by runs of up to 18 pieces, all on the scale of the customary values of
    /// the army around them. The same command continues the runs; pieces that are added to the list
    /// are measured by runs of their own.
    #[arg(long = "pieces", value_name = "FILE.toml", conflicts_with_all = OF_MEASUREMENT, conflicts_with_all = ["data", "board", "game"])]
    list: Option<PathBuf>,
    /// Folder for the run files of --pieces
    #[arg(long, value_name = "FOLDER", default_value = ".", conflicts_with_all = ["pieces", "army"])]
    folder: PathBuf,
    /// Play no games for --pieces; report on those that are there
    #[arg(long, conflicts_with_all = ["pieces", "army", "shard"])]
    no_games: bool,
    /// Write one picture of all --pieces
    #[arg(long, value_name = "FILE.svg", conflicts_with_all = ["pieces", "army"])]
    svg: Option<PathBuf>,
    /// Compare armies instead: this one, a game (built-in or a definition file) or a list of
    /// movements
    ///
    /// A list has one movement for each file, separated by spaces or commas, with K for the king:
    /// 'BD WA FAD BN K FAD WA BD'. The games say which army is stronger, by how many pawns, and
    /// which handicap evens the game. The rules are those of --game, or else of the first army
    /// that is a game, or of --board.
    #[arg(long, value_name = "ARMY", requires = "against", conflicts_with_all = OF_MEASUREMENT, conflicts_with_all = ["shard", "html", "evaluation"])]
    army: Option<String>,
    /// The other army
    #[arg(long, value_name = "ARMY", requires = "army", conflicts_with_all = ["pieces", "list"])]
    against: Option<String>,
    /// Board and army
    #[arg(long, value_parser = one_of_described::<HostArmy>(HostArmy::NAMES, BOARDS), default_value_t)]
    board: HostArmy,
    /// Any game instead: a built-in one, or the path of a definition file (.toml)
    #[arg(long, value_name = "GAME", conflicts_with = "board")]
    game: Option<String>,
    /// Only one army has the piece, White's and Black's by turns
    ///
    /// So the piece is measured against the army that it would meet in play, not against itself.
    #[arg(long)]
    one_side: bool,
    /// Play no games, but say what the moves of the pieces make them worth
    ///
    /// A model that is fitted to the measured pieces of the atlas (testdata/atlas) answers at once.
    /// The interval says how far pieces are from it.
    #[arg(long, conflicts_with_all = OF_MEASUREMENT, conflicts_with_all = ["list", "army", "shard", "html", "data", "games", "nodes", "evaluation", "seed", "threads"])]
    estimate: bool,
    #[command(flatten)]
    extent: Extent,
}

/// The choices of --board in words.
const BOARDS: &[&str] = &[
    "The army of chess",
    "Capablanca's army",
    "The army of Grand Chess (Freeling 1984), which cannot castle",
    "Capablanca's army with two archbishops and chancellors",
];

/// Random plies of games between armies: few, because they leave pieces hanging.
const PLIES: u32 = 2;

/// Characters of the pieces in the name of the default file.
const LONGEST_NAME: usize = 100;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(list) = &args.list {
        return run_list(list, args);
    }
    let (host, army, option) = if let Some(game) = &args.game {
        let source = GameSource::load(game)?;
        (Host::from(&source), source.game.name.clone(), format!("--game {game}"))
    } else {
        (args.board.into(), args.board.to_string(), format!("--board {}", args.board))
    };
    if let (Some(one), Some(other)) = (&args.army, &args.against) {
        return run_armies([one, other], args);
    }
    let (sides, one_side) = if args.one_side { (Sides::One, "-one-side") } else { (Sides::Both, "") };
    let text = definition_with_pieces(&args.pieces, &host, sides)?;
    let source = GameSource::from_text(text, "--piece")?;
    if args.estimate {
        let model = EstimateModel::of_atlas();
        let armies = Host::from(HostArmy::Wide).game()?;
        let estimates = estimates(&model, &source.game, &armies, &args.pieces);
        if args.extent.output.report.json {
            let (assay, game) = (env!("CARGO_PKG_VERSION"), &source.game.name);
            return output::json(&json!({ "assay": assay, "game": game, "estimates": estimates }));
        }
        return output::print(report::atlas::estimates(&model, &estimates));
    }
    let name = file_name(&args.pieces.join("-"));
    let pieces: String = args.pieces.iter().map(|piece| format!(" --piece '{piece}'")).collect();
    run_on(
        &source,
        args.game.as_deref().and_then(definition_file),
        &format!("assay-{name}-{army}{one_side}.db"),
        &format!("weigh{pieces}{} {option}", one_side.replacen('-', " --", 1)),
        &args.extent,
    )
}

/// The text with characters only that every file system accepts.
fn file_name(text: &str) -> String {
    let mut name = text.replace([' ', ','], "-");
    name.retain(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    name.truncate(LONGEST_NAME);
    name
}

/// The file of a run of --pieces.
fn run_file(folder: &Path, board: &str, number: usize) -> PathBuf {
    folder.join(format!("atlas-{board}-{number}.db"))
}

/// Plays and measures a list of pieces.
fn run_list(list: &Path, args: &Args) -> anyhow::Result<()> {
    let (run_args, output) = (&args.extent.run, &args.extent.output.report);
    output_file::check(&[("--html", output.html.as_deref()), ("--svg", args.svg.as_deref())], [list])?;
    run_args.check_shard(&[
        ("--html", output.html.is_some()),
        ("--svg", args.svg.is_some()),
        ("--json", output.json),
    ])?;
    let file = list.display().to_string();
    let list = PieceList::parse(&read_text(list, MAX_DEFINITION).with_context(|| file.clone())?, &file)?;
    let started = |board: &str, number: usize| {
        let whole = run_file(&args.folder, board, number);
        let shard = run_args.shard.map(|shard| shard_file(&whole, shard));
        let path = shard.into_iter().chain([whole]).find(|path| path.exists());
        path.map(|path| Ok(Store::open_read(&path).map_err(ReadError::from)?.source().clone())).transpose()
    };
    let runs = list.runs(&started).with_context(|| file.clone())?;
    let path = |run: &AtlasRun<'_>| run_file(&args.folder, run.board, run.number);
    let choices = || random_openings(Material::Values);
    let planned = runs.iter().map(|run| run_args.plan(&run.source, choices(), run_args.games(), &path(run)));
    // All of them before the first game is played.
    let planned = planned.collect::<anyhow::Result<Vec<_>>>().with_context(|| file.clone())?;
    if let Some(shard) = run_args.shard {
        return play_shard(shard, &planned);
    }
    for planned in planned.iter().filter(|_| !args.no_games) {
        if !interrupt::requested() {
            play(planned, None, None)?;
        }
    }
    let mut atlas = Atlas { assay: env!("CARGO_PKG_VERSION").to_owned(), ..Atlas::default() };
    for (run, path) in runs.iter().map(|run| (run, path(run))).filter(|(_, path)| path.exists()) {
        let added = Store::open_read(&path).map_err(|error| DataError::Read(error.into()));
        // Other runs may have enough games.
        added.and_then(|store| atlas.add(run, &store)).unwrap_or_else(output::note);
    }
    atlas.judge();
    ensure!(
        !atlas.pieces.is_empty(),
        "--folder {}: found no run file of {file} with enough games to measure a piece, expected one, like {}",
        args.folder.display(),
        runs.first().map_or_else(String::new, |run| path(run).display().to_string())
    );
    if let Some(path) = &args.svg {
        output_file::write_contents("--svg", path, report::atlas::picture(&atlas))?;
    }
    output.write_page(&report::atlas::page(&atlas), &atlas)
}

/// Plays and measures two armies.
fn run_armies(given: [&String; 2], args: &Args) -> anyhow::Result<()> {
    // A game, or `None` for a list of movements.
    let game = |army: &String| (!army.contains([' ', ','])).then(|| GameSource::load(army)).transpose();
    let [one, other] = [game(given[0])?, game(given[1])?];
    let rules = match (&args.game, &one, &other) {
        (Some(rules), _, _) => Host::from(&GameSource::load(rules)?),
        (None, Some(first), _) | (None, None, Some(first)) => Host::from(first),
        (None, None, None) => args.board.into(),
    };
    let army = |text: &str, source: &Option<GameSource>| {
        let rules = rules.game()?;
        if let Some(source) = source {
            return Army::of_game(&source.game, &rules);
        }
        let movements = text.split([' ', ',']).filter(|movement| !movement.is_empty());
        Army::of_movements(&movements.collect::<Vec<_>>(), &rules)
    };
    let [one, other] = [army(given[0], &one)?, army(given[1], &other)?];
    let source = GameSource::from_text(definition_with_armies([&one, &other], &rules)?, "--army")?;
    let default = || format!("assay-{}-against-{}.db", file_name(given[0]), file_name(given[1])).into();
    let path = args.extent.data.clone().unwrap_or_else(default);
    let run = &args.extent.run;
    play(&run.plan(&source, openings_from(StartChoice::Random, PLIES), run.games(), &path)?, None, None)?;
    let report = armies::measure(&Store::open_read(&path)?, [one.title, other.title])?;
    if args.extent.output.report.json {
        return output::json(&report);
    }
    output::print(report::armies(&report))
}
