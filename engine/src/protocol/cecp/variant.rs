//! Description of a variant for XBoard: `setup` and `piece` lines.

use std::sync::Arc;

use assay_rules::fen::FenError;
use assay_rules::piece::Kind;
use assay_rules::position::SetupWarning;
use assay_rules::{Color, GameDef, Position, Setup};

use super::betza;

/// Letters of XBoard's piece table, in its order.
const PIECE_LETTERS: &str = "PNBRQFEACWMOHIJGDVLSUK";

/// Variants that XBoard knows by the same name.
const XBOARD_VARIANTS: [&str; 1] = ["berolina"];

/// Returns the lines that describe a game: `setup` with piece table, board and start position, then
/// `piece` for each kind.
pub(super) fn describe(game: &Arc<GameDef>) -> Vec<String> {
    let board = &game.board;
    let table = piece_table(game);
    let white: String = table.iter().map(|letter| letter.unwrap_or('.')).collect();
    // Pieces in pockets come from the holdings, as in Seirawan chess. Holdings of size n take the
    // first n pieces of the table.
    let pocket = game.pocket_kinds();
    let is_held = |letter: &Option<char>| pocket.iter().any(|&kind| Some(game.kind(kind).letter) == *letter);
    let holdings = table.iter().rposition(is_held).map_or(0, |last| last + 1);
    let mut lines = vec![format!(
        "setup ({white}{}) {}x{}+{holdings}_{} {}",
        white.to_ascii_lowercase(),
        board.files(),
        board.ranks(),
        parent(game),
        xboard_fen(game)
    )];
    for kind in game.kinds.all().filter(|&kind| game.kinds.original(kind) == kind) {
        let def = game.kind(kind);
        if !moves_by_definition(game, kind) {
            lines.push(format!("# {}: movement cannot be described", def.name));
            continue;
        }
        let described = betza::describe(&def.movement);
        if let Some(text) = described.text {
            lines.push(format!("piece {}& {text}", game.kinds.symbol(kind, Color::White)));
        }
        if !described.omitted.is_empty() {
            lines.push(format!("# {}: {} movement paths cannot be described", def.name, described.omitted.len()));
        }
    }
    lines
}

/// All kinds but promoted ones, whose letters XBoard knows already.
fn unpromoted(game: &GameDef) -> impl Iterator<Item = Kind> {
    game.kinds.all().filter(|&kind| game.kinds.unpromoted(kind) == kind)
}

/// Returns the variant whose rules XBoard applies by default.
fn parent(game: &GameDef) -> &str {
    if game.mechanisms.piece_promotion.is_some() {
        "shogi"
    } else if game.mechanisms.drops.is_some() {
        "crazyhouse"
    } else if game.mechanisms.gating.is_some() {
        "seirawan"
    } else if game.mechanisms.forced_captures.is_some() && game.kinds.king().is_none() {
        "giveaway"
    } else if XBOARD_VARIANTS.contains(&game.name.as_str()) {
        // With another parent, XBoard would treat it as a different variant, which opponents do not
        // offer.
        &game.name
    } else {
        "fairy"
    }
}

/// Returns true if the movement of a kind describes its moves completely; not for jokers and cannon
/// pawns. Their legal moves are only shown by `highlight`.
fn moves_by_definition(game: &GameDef, kind: Kind) -> bool {
    Some(kind) != game.kinds.joker() && !(kind == game.first_pawn() && game.mechanisms.cannon.is_some())
}

/// Assigns White's letters to XBoard's piece table: pawn first, king last, other pieces at their
/// letter if possible, pocket pieces at the first free entries, and the rest at the last free
/// entries.
fn piece_table(game: &GameDef) -> Vec<Option<char>> {
    let mut table: Vec<Option<char>> = vec![None; PIECE_LETTERS.len()];
    let last = table.len() - 1;
    table[0] = Some(game.kind(game.first_pawn()).letter);
    table[last] = game.kinds.king().map(|king| game.kind(king).letter);
    let is_in_pocket = |kind: Kind| game.mechanisms.gating.is_some() && game.pocket_kinds().contains(&kind);
    let others = || unpromoted(game).filter(|&kind| kind != game.first_pawn() && Some(kind) != game.kinds.king());
    let letter = |kind: Kind| game.kind(kind).letter;
    let mut unplaced = Vec::new();
    for letter in others().filter(|&kind| !is_in_pocket(kind)).map(letter) {
        match PIECE_LETTERS.find(letter).filter(|&place| table[place].is_none()) {
            Some(place) => table[place] = Some(letter),
            None => unplaced.push(letter),
        }
    }
    for letter in others().filter(|&kind| is_in_pocket(kind)).map(letter) {
        if let Some(place) = table.iter().position(Option::is_none) {
            table[place] = Some(letter);
        }
    }
    for letter in unplaced {
        // The common pieces come first in the table.
        if let Some(place) = table.iter().rposition(Option::is_none) {
            table[place] = Some(letter);
        }
    }
    table
}

/// Reads a FEN from XBoard. For start positions of games without castling, rights, pocket and joker
/// state come from the definition, because XBoard does not know them.
pub(super) fn read_fen(game: &Arc<GameDef>, fen: &str) -> Result<(Position, Vec<SetupWarning>), FenError> {
    let setup = Setup::from_fen(game, fen)?;
    let starts = game.starts.iter().filter(|_| game.mechanisms.castling.is_none());
    let mut starts = starts.filter_map(|start| Setup::from_fen(game, &start.fen).ok());
    let is_same = |start: &Setup| start.pieces == setup.pieces && start.turn == setup.turn;
    Ok(Position::from_setup(game, starts.find(is_same).as_ref().unwrap_or(&setup))?)
}

/// Returns the start FEN for XBoard: without joker state in the bracket, and with rights only in
/// games with castling.
fn xboard_fen(game: &Arc<GameDef>) -> String {
    let start = Position::start(game).fen();
    let mut fields: Vec<String> = start.split_whitespace().map(str::to_owned).collect();
    if let Some(board) = fields.first_mut()
        && let Some(colon) = board.find(':')
    {
        board.truncate(colon);
        board.push(']');
    }
    if let Some(rights) = fields.get_mut(2)
        && game.mechanisms.castling.is_none()
    {
        "-".clone_into(rights);
    }
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn description(name: &str) -> Vec<String> {
        describe(&GameDef::builtin(name).unwrap())
    }

    #[test]
    fn describes_variants() {
        let gamma2 = description("gamma2");
        assert_eq!(
            gamma2[0],
            "setup (PNBRQ..A...........S.Kpnbrq..a...........s.k) 10x8+0_fairy \
             rnabqkbsnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBSNR w KQkq - 0 1"
        );
        assert!(gamma2.contains(&"piece S& cWFmRcpR".to_owned()), "{gamma2:?}");
        assert!(gamma2.contains(&"piece P& fmFfceWifmnA".to_owned()), "{gamma2:?}");
        assert!(gamma2.contains(&"piece K& WFisO3".to_owned()), "{gamma2:?}");
        assert!(description("berolina")[0].contains(") 8x8+0_berolina rnbqkbnr/"));
        let scorpion = description("scorpion");
        assert!(scorpion[0].starts_with("setup (SNBRQ................Ksnbrq"), "{scorpion:?}");
        assert!(scorpion.iter().all(|line| !line.starts_with("piece S")), "{scorpion:?}");
    }

    #[test]
    fn describes_holes_and_pockets() {
        let apothecary = description("apothecary2");
        assert!(apothecary[0].contains(") 10x12+6_seirawan ***zeel***/r8r/"), "{apothecary:?}");
        assert!(apothecary[0].ends_with("/***ZEEL***[Jj] w - - 0 1"), "{apothecary:?}");
        assert!(apothecary.contains(&"piece E& FAmH".to_owned()), "{apothecary:?}");
        assert!(apothecary.iter().any(|line| line.starts_with("# elephant: ")), "{apothecary:?}");
        assert!(apothecary.iter().any(|line| line.starts_with("# joker: ")), "{apothecary:?}");
    }
}
