//! `assay-tuner weigh`.

use assay_selfplay::settings::GameSource;
use assay_tuner::values::candidate::{HostArmy, definition_with_piece};

use super::JSON_HELP;
use super::validate::{Extent, run_on};

const LONG: &str = "\
Measures the value of a piece of your own in a standard army. The piece is given by its movement in XBetza.

The army is that of chess on 8x8, of Capablanca chess on 10x8 and of Grand Chess on 10x10. The new piece (letter X) replaces, in both \
armies, the kind whose value is closest by the engine's estimate from movement. All pieces are then measured as by `validate`.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner weigh --piece KmRcpR --board 10x8
  assay-tuner weigh --piece WD --games 20000 --report woody-rook.html
  assay-tuner weigh --piece NmG --board 10x10 --precision 0.1
";

/// Arguments of `weigh`.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
pub(crate) struct Args {
    /// Movement of the piece in XBetza (NmG, KmRcpR)
    #[arg(long, value_name = "XBETZA")]
    piece: String,
    /// Board and army
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

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (board, name) = match args.board {
        BoardChoice::B8x8 => (HostArmy::Chess, "8x8"),
        BoardChoice::B10x8 => (HostArmy::Capablanca, "10x8"),
        BoardChoice::B10x10 => (HostArmy::Grand, "10x10"),
    };
    let text = definition_with_piece(&args.piece, board)?;
    let source = GameSource::from_text(text, "--piece")?;
    // Only characters that every file system accepts.
    let piece: String = args.piece.chars().filter(char::is_ascii_alphanumeric).collect();
    let command = format!("weigh --piece '{}' --board {name}", args.piece);
    run_on(&source, &format!("assay-{piece}-{name}.db"), &command, &args.extent)
}
