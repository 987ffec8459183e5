//! The board and the start.

use super::super::super::keys::{BoardKeys, GameKeys, StartKeys};
use super::Variant;
use super::draft::{Conflict, Draft, require};
use super::key::{File, Key, Setting, keys};
use crate::variant::GameDef;

keys! {
    /// The board and the start.
    LayoutSettings in layout {
        last_file: File = File(7), "maxFile" => &["board", "starts"];
        ranks: u8 = 8, "maxRank" => &["board", "starts"];
        start: String = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(), "startFen" => &["starts", "endings.checks", "walls", "gating", "pieces"];
    }
    first {
        // These say how a program shows or evaluates the game.
        "variantTemplate" sets [], |_, _, _| Ok(());
        "pieceToCharTable" sets [], |_, _, _| Ok(());
        "pocketSize" sets [], |_, _, _| Ok(());
        "pieceValueMg" sets [], |_, _, _| Ok(());
        "pieceValueEg" sets [], |_, _, _| Ok(());
    }
}

pub(super) fn define_board(variant: &Variant, keys: &mut GameKeys) {
    let LayoutSettings { last_file, ranks, start: _ } = &variant.rules.layout;
    keys.board = Some(BoardKeys { files: Some(last_file.0 + 1), ranks: Some(*ranks), ..BoardKeys::default() });
}

/// The start with all six fields.
pub(super) fn define_start(draft: &Draft<'_>, keys: &mut GameKeys) -> Result<(), Conflict> {
    // Empty pockets may be written as in XBoard.
    let start = draft.rules.layout.start.replace("[-]", "[]");
    let mut fields: Vec<&str> = start.split_whitespace().collect();
    require(!fields.is_empty(), &["startFen"], "found an empty startFen, expected a FEN")?;
    // Rights and en passant may be missing before the counters, and everything may be missing at
    // the end.
    if fields.len() == 4 && fields[2..].iter().all(|field| field.parse::<u32>().is_ok()) {
        fields.splice(2..2, ["-", "-"]);
    }
    fields.extend(["w", "-", "-", "0", "1"].iter().skip(fields.len() - 1));
    if !draft.castles {
        // Fairy-Stockfish ignores them.
        fields[2] = "-";
    }
    let (id, title) = (Some("1".to_owned()), Some("start".to_owned()));
    keys.starts = vec![StartKeys { id, title, fen: Some(fields.join(" ")), shuffled: None }];
    Ok(())
}

pub(super) fn fill(game: &GameDef, variant: &mut Variant) -> Result<(), String> {
    let board = &game.board;
    // Squares that do not exist are walls in the start.
    if !board.hanging().is_empty() || board.first_rank() != 1 {
        return Err("hanging squares or a rank 0".to_owned());
    }
    if board.files() > 12 || board.ranks() > 10 {
        return Err("a board of more than 12 files or 10 ranks".to_owned());
    }
    let fen = &game.starts[game.default_start].fen;
    // The number of checks that win stands behind the en passant square.
    let start = match (game.mechanisms.check_count.map(|count| count.0), fen.split(' ').collect::<Vec<_>>().as_slice())
    {
        (Some(checks), [fields @ .., halfmoves, number]) if fields.len() == 4 => {
            format!("{} {checks}+{checks} {halfmoves} {number}", fields.join(" "))
        }
        _ => fen.clone(),
    };
    variant.rules.layout = LayoutSettings { last_file: File(board.files() - 1), ranks: board.ranks(), start };
    Ok(())
}
