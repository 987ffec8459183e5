//! `list`: the built-in games.

use anyhow::Result;
use assay_cli::args::JsonArg;
use assay_cli::{Align, Exit, Table, output};
use assay_rules::GameDef;
use assay_rules::def::game_names;
use serde::Serialize;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(flatten)]
    pub output: JsonArg,
}

#[derive(Serialize)]
struct Row {
    name: String,
    title: String,
    files: u8,
    ranks: u8,
}

/// Runs `list`.
///
/// # Errors
/// If the output cannot be written.
pub fn run(args: &Args) -> Result<Exit> {
    let games = game_names().filter_map(GameDef::builtin);
    let rows: Vec<Row> = games
        .map(|game| Row {
            name: game.name.clone(),
            title: game.title.clone(),
            files: game.board.files(),
            ranks: game.board.ranks(),
        })
        .collect();
    if args.output.json {
        output::json(&rows)?;
    } else {
        let mut table = Table::new([("name", Align::Left), ("title", Align::Left), ("board", Align::Right)]);
        for row in rows {
            table.row([row.name, row.title, format!("{}x{}", row.files, row.ranks)]);
        }
        output::print(table)?;
    }
    Ok(Exit::Success)
}
