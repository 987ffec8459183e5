//! `assay-tuner weigh`.

use anyhow::anyhow;
use assay_cli::args::name_of;
use assay_rules::betza;
use assay_selfplay::settings::GameSource;

use super::JSON_HELP;
use super::validate::{Extent, run_on};
use crate::values::candidate::{HostArmy, definition_with_piece};

const EXAMPLES: &str = "\
Examples:
  assay-tuner weigh --piece KmRcpR --board 10x8
  assay-tuner weigh --piece WD --games 20000 --html woody-rook.html
  assay-tuner weigh --piece NmG --board 10x10 --precision 2
";

#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
pub(crate) struct Args {
    /// Movement of the piece in XBetza (NmG, KmRcpR)
    #[arg(long, value_name = "XBETZA")]
    piece: String,
    /// Board and army
    #[arg(long, value_enum, default_value_t)]
    board: HostArmy,
    #[command(flatten)]
    extent: Extent,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let board = name_of(&args.board);
    // An error in the definition would name a line that nobody wrote.
    betza::parse(&args.piece).map_err(|error| anyhow!("--piece: {error}"))?;
    let text = definition_with_piece(&args.piece, args.board)?;
    let source = GameSource::from_text(text, "--piece")?;
    // Only characters that every file system accepts.
    let piece: String = args.piece.chars().filter(char::is_ascii_alphanumeric).collect();
    let command = format!("weigh --piece '{}' --board {board}", args.piece);
    run_on(
        &source,
        None,
        &format!("assay-{piece}-{board}.db"),
        &command,
        &args.extent,
    )
}
