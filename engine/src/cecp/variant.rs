//! A game as XBoard has to be told of it: `setup` and `piece`.

use assay_rules::GameDef;
use assay_rules::man::Kind;

use super::betza;

/// XBoard's letters for its pictures of men, in the order of its table, pawn first, king last.
const PICTURES: &str = "PNBRQFEACWMOHIJGDVLSUK";

/// The lines that describe a game: `setup` with the men, the board and the start, then `piece` for each kind.
pub(super) fn lines(game: &GameDef) -> Vec<String> {
    let board = &game.board;
    let white = table(game);
    let mut lines = vec![format!(
        "setup ({white}{}) {}x{}+{}_fairy {}",
        white.to_ascii_lowercase(),
        board.files(),
        board.ranks(),
        game.gating.as_ref().map_or(0, |gating| gating.pocket.len()),
        fen(game)
    )];
    for kind in game.all_kinds() {
        let def = game.kind(kind);
        if !is_playable(game, kind) {
            lines.push(format!("# {}: moves in a way that cannot be described", def.name));
            continue;
        }
        let described = betza::describe(&def.movement);
        if let Some(text) = described.text {
            lines.push(format!("piece {}& {text}", def.letter));
        }
        if !described.left_out.is_empty() {
            lines.push(format!(
                "# {}: {} of its moves cannot be described",
                def.name,
                described.left_out.len()
            ));
        }
    }
    lines
}

/// Does a kind move by its movement alone? Jokers and pawns that are cannons do not: what is legal is told square by square.
fn is_playable(game: &GameDef, kind: Kind) -> bool {
    Some(kind) != game.joker && !(kind == game.pawn && game.cannon)
}

/// The letters of White's men, each in the place of a picture: pawn and king in theirs, others in that of their letter,
/// and what has no such place in the first one that is free.
fn table(game: &GameDef) -> String {
    let mut places: Vec<Option<char>> = vec![None; PICTURES.len()];
    places[0] = Some(game.kind(game.pawn).letter);
    let last = places.len() - 1;
    places[last] = Some(game.kind(game.king).letter);
    let mut others: Vec<char> = game
        .all_kinds()
        .filter(|&kind| kind != game.pawn && kind != game.king)
        .map(|kind| game.kind(kind).letter)
        .collect();
    others.retain(|&letter| {
        let place = PICTURES.find(letter).filter(|&place| places[place].is_none());
        if let Some(place) = place {
            places[place] = Some(letter);
        }
        place.is_none()
    });
    for letter in others {
        // From the end: the common pictures come first.
        if let Some(place) = places.iter().rposition(Option::is_none) {
            places[place] = Some(letter);
        }
    }
    places.into_iter().map(|letter| letter.unwrap_or('.')).collect()
}

/// The start as XBoard reads it: without powers in the bracket, and rights only where they are castlings.
fn fen(game: &GameDef) -> String {
    let start = &game.starts[game.default_start].fen;
    let mut fields: Vec<String> = start.split_whitespace().map(str::to_owned).collect();
    if let Some(board) = fields.first_mut()
        && let Some(colon) = board.find(':')
    {
        board.truncate(colon);
        board.push(']');
    }
    if let Some(rights) = fields.get_mut(2)
        && game.castling.is_none()
    {
        "-".clone_into(rights);
    }
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(name: &str) -> Vec<String> {
        lines(&GameDef::builtin(name).unwrap())
    }

    #[test]
    fn games_are_described() {
        let gamma2 = described("gamma2");
        assert_eq!(
            gamma2[0],
            "setup (PNBRQ..A...........S.Kpnbrq..a...........s.k) 10x8+0_fairy \
             rnabqkbsnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBSNR w KQkq - 0 1"
        );
        assert!(gamma2.contains(&"piece S& cWFmRcpR".to_owned()), "{gamma2:?}");
        assert!(gamma2.contains(&"piece P& fmFfceWifmnA".to_owned()), "{gamma2:?}");
        assert!(gamma2.contains(&"piece K& WFisO3".to_owned()), "{gamma2:?}");
        let scorpion = described("scorpion");
        assert!(
            scorpion[0].starts_with("setup (SNBRQ................Ksnbrq"),
            "{scorpion:?}"
        );
        assert!(scorpion.iter().all(|line| !line.starts_with("piece S")), "{scorpion:?}");
    }

    #[test]
    fn holes_and_pockets_are_told() {
        let apothecary = described("apothecary2");
        assert!(
            apothecary[0].contains(") 10x12+1_fairy ***zeel***/r8r/"),
            "{apothecary:?}"
        );
        assert!(apothecary[0].ends_with("/***ZEEL***[Jj] w - - 0 1"), "{apothecary:?}");
        assert!(apothecary.contains(&"piece E& FAmH".to_owned()), "{apothecary:?}");
        assert!(
            apothecary.iter().any(|line| line.starts_with("# elephant: ")),
            "{apothecary:?}"
        );
        assert!(
            apothecary.iter().any(|line| line.starts_with("# joker: ")),
            "{apothecary:?}"
        );
    }
}
