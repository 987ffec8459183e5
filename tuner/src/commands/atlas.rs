//! `assay-tuner atlas`.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use assay_cli::{interrupt, output, output_file};
use assay_engine::file::{MAX_DEFINITION, read_text};
use assay_selfplay::Store;
use assay_selfplay::settings::Material;

use super::ReportArgs;
use super::playing::{RunArgs, play, play_shard, shard_file};
use crate::report::atlas as report;
use crate::values::atlas::{Atlas, PieceList, run_file};

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/atlas.txt"))]
pub(crate) struct Args {
    /// List of pieces (.toml): name, move (XBetza), boards, and published values with sources
    #[arg(value_name = "PIECES.toml")]
    list: PathBuf,
    /// Folder for the run files
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Play no games; report on those that are there
    #[arg(long)]
    no_games: bool,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    output: ReportArgs,
    /// Write one picture of all pieces
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let outputs = [("--html", args.output.html.as_deref()), ("--svg", args.svg.as_deref())];
    output_file::check(&outputs, [&args.list])?;
    args.run.check_shard(&[
        ("--html", args.output.html.is_some()),
        ("--svg", args.svg.is_some()),
        ("--json", args.output.json),
    ])?;
    let file = args.list.display().to_string();
    let list = PieceList::parse(&read_text(&args.list, MAX_DEFINITION).with_context(|| file.clone())?, &file)?;
    let started = |board: &str, number: usize| {
        let whole = run_file(&args.folder, board, number);
        let shard = args.run.shard.map(|shard| shard_file(&whole, shard));
        let path = shard.into_iter().chain([whole]).find(|path| path.exists());
        path.map(|path| Ok(Store::open_read(&path)?.source().clone())).transpose()
    };
    let runs = list.runs(&started).with_context(|| file.clone())?;
    let planned = runs.iter().map(|run| {
        let planned = args.run.settings(&run.source, Material::Values, args.run.games())?;
        Ok((planned, run.path(&args.folder)))
    });
    // All of them before the first game is played.
    let planned = planned.collect::<anyhow::Result<Vec<_>>>().with_context(|| file.clone())?;
    if let Some(shard) = args.run.shard {
        return play_shard(shard, &planned);
    }
    for (planned, path) in planned.iter().filter(|_| !args.no_games) {
        if !interrupt::requested() {
            play(planned, path, None, None)?;
        }
    }
    let mut atlas = Atlas { assay: env!("CARGO_PKG_VERSION").to_owned(), ..Atlas::default() };
    for run in runs.iter().filter(|run| run.path(&args.folder).exists()) {
        // Other runs may have enough games.
        atlas.add(run, &args.folder).unwrap_or_else(output::note);
    }
    atlas.judge();
    ensure!(
        !atlas.pieces.is_empty(),
        "--folder {}: found no run file of {file} with enough games to measure a piece, expected one, like {}",
        args.folder.display(),
        runs.first().map_or_else(String::new, |run| run.path(&args.folder).display().to_string())
    );
    if let Some(path) = &args.svg {
        output_file::write_contents("--svg", path, report::picture(&atlas))?;
    }
    args.output.write_page(&report::page(&atlas), &atlas)
}
