//! `assay-tuner weigh`.

use assay_selfplay::settings::GameSource;
use assay_tuner::values::candidate::{HostArmy, game_with};

use super::JSON_HELP;
use super::validate::{Extent, run_on};

const LONG: &str = "\
Measures what a piece is worth that you make up: its movement in XBetza, among the pieces of an ordinary army.

On 8x8 the army is that of chess, on 10x8 Capablanca's, on 10x10 that of Grand Chess. The piece (letter X) stands in both armies in \
the place of the kind that is worth most nearly as much by what the engine computes from its movement, and is measured against all \
others as `validate` does it.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner weigh --piece KmRcpR --board 10x8
  assay-tuner weigh --piece WD --games 20000 --report woody-rook.html
  assay-tuner weigh --piece NmG --board 10x10 --precision 0.1
";

/// What `weigh` is told.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
pub(crate) struct Args {
    /// The piece's movement in XBetza (`NmG`, `KmRcpR`)
    #[arg(long, value_name = "XBETZA")]
    piece: String,
    /// The board
    #[arg(long, value_enum, default_value_t = BoardChoice::B8x8)]
    board: BoardChoice,
    #[command(flatten)]
    extent: Extent,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum BoardChoice {
    /// The army of chess
    #[value(name = "8x8")]
    B8x8,
    /// Capablanca's army
    #[value(name = "10x8")]
    B10x8,
    /// The army of Grand Chess
    #[value(name = "10x10")]
    B10x10,
}

/// Plays what is missing, and measures.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (board, name) = match args.board {
        BoardChoice::B8x8 => (HostArmy::Chess, "8x8"),
        BoardChoice::B10x8 => (HostArmy::Capablanca, "10x8"),
        BoardChoice::B10x10 => (HostArmy::Grand, "10x10"),
    };
    let text = game_with(&args.piece, board)?;
    let source = GameSource::from_text(text, "--piece")?;
    // What a file system may not like stays out of the name.
    let piece: String = args.piece.chars().filter(char::is_ascii_alphanumeric).collect();
    let command = format!("weigh --piece '{}' --board {name}", args.piece);
    run_on(&source, &format!("assay-{piece}-{name}.db"), &command, &args.extent)
}
