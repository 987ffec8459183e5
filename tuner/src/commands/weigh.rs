//! `assay-tuner weigh`.

use assay_cli::args::{definition_file, name_of};
use assay_selfplay::settings::GameSource;

use super::JSON_HELP;
use super::validate::{Extent, run_on};
use crate::values::candidate::{Host, HostArmy, definition_with_pieces};

const EXAMPLES: &str = "\
Examples:
  assay-tuner weigh --piece KmRcpR --board 10x8
  assay-tuner weigh --piece WD --games 20000 --html woody-rook.html
  assay-tuner weigh --piece BN --piece WD --piece F
      ranks three pieces and those of chess, on one scale
  assay-tuner weigh --piece NmG --game gamma2 --precision 2
";

#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
pub(crate) struct Args {
    /// Movement of the piece in XBetza (NmG, KmRcpR)
    ///
    /// Several pieces, each with an option of its own, are measured by one run. Each has openings
    /// in which it replaces the piece of the nearest value in both armies; the other pieces
    /// are the same for all. A game has at most 26 kinds of pieces, so the army of chess
    /// leaves room for 20, the larger ones for 18.
    #[arg(long = "piece", value_name = "XBETZA", required = true)]
    pieces: Vec<String>,
    /// Board and army
    #[arg(long, value_enum, default_value_t)]
    board: HostArmy,
    /// Any game instead: a built-in one, or the path of a definition file (.toml)
    #[arg(long, value_name = "GAME", conflicts_with = "board")]
    game: Option<String>,
    #[command(flatten)]
    extent: Extent,
}

/// Characters of the pieces in the name of the default file.
const LONGEST_NAME: usize = 100;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (host, army, option) = if let Some(game) = &args.game {
        let source = GameSource::load(game)?;
        (Host::from(&source), source.game.name.clone(), format!("--game {game}"))
    } else {
        let board = name_of(&args.board);
        (args.board.into(), board.clone(), format!("--board {board}"))
    };
    let text = definition_with_pieces(&args.pieces, &host)?;
    let source = GameSource::from_text(text, "--piece")?;
    // Only characters that every file system accepts.
    let mut name = args.pieces.join("-");
    name.retain(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    name.truncate(LONGEST_NAME);
    let pieces: String = args.pieces.iter().map(|piece| format!(" --piece '{piece}'")).collect();
    run_on(
        &source,
        args.game.as_deref().and_then(definition_file),
        &format!("assay-{name}-{army}.db"),
        &format!("weigh{pieces} {option}"),
        &args.extent,
    )
}
