//! Games made around one piece: an ordinary army in which it takes the place of another kind.

use std::sync::Arc;

use assay_engine::Weights;
use assay_rules::def::{DefError, PieceClass};
use assay_rules::{GameDef, Kind};

/// An ordinary army on its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostArmy {
    /// Chess, 8x8.
    Chess,
    /// Capablanca's array, 10x8.
    Capablanca,
    /// Grand Chess, 10x10, without castling.
    Grand,
}

/// The piece's letter, which no ordinary piece has.
const LETTER: char = 'X';

impl HostArmy {
    /// The definition but for the piece and the start.
    fn army(self) -> &'static str {
        match self {
            HostArmy::Chess => "[board]\nfiles = 8\nranks = 8\n",
            HostArmy::Capablanca => {
                "[board]\nfiles = 10\nranks = 8\n\n[pieces.king]\nmove = \"KisO3\"\n\n[pieces.archbishop]\nletter = \"A\"\nmove = \"BN\"\nvalue = 7\n\n\
                 [pieces.chancellor]\nletter = \"C\"\nmove = \"RN\"\nvalue = 8\n\n[promotion]\n8 = { to = \"QCARBN\" }\n"
            }
            HostArmy::Grand => {
                "[board]\nfiles = 10\nranks = 10\n\n[pieces.king]\nmove = \"K\"\n\n[pieces.archbishop]\nletter = \"A\"\nmove = \"BN\"\nvalue = 7\n\n\
                 [pieces.chancellor]\nletter = \"C\"\nmove = \"RN\"\nvalue = 8\n\n[pawns]\nhome-rank = 3\n\n[promotion]\n10 = { to = \"QCARBN\" }\n"
            }
        }
    }

    fn start(self) -> &'static str {
        match self {
            HostArmy::Chess => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            HostArmy::Capablanca => "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1",
            HostArmy::Grand => "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R w - - 0 1",
        }
    }
}

/// The definition of a game in which both armies have the piece in the place of the kind whose computed value is nearest.
///
/// # Errors
/// When the movement is none.
pub fn game_with(movement: &str, board: HostArmy) -> Result<String, DefError> {
    // First without the piece in the start, to see what it is like.
    let alone = GameDef::from_toml(&text(movement, board, board.start()), "--piece")?;
    let game = Arc::new(alone);
    let weights = Weights::computed(&game);
    let value = |kind: Kind| {
        weights
            .terms()
            .material(kind)
            .map_or(0.0, |term| weights.get(term).middlegame)
    };
    let Some(piece) = game.kind_by_letter(LETTER) else {
        unreachable!("the definition has the piece");
    };
    // Rooks stay: kings castle with them.
    let ordinary = game.all_kinds().filter(|&kind| {
        let def = game.kind(kind);
        kind != piece && def.letter != 'R' && !matches!(def.class, PieceClass::King | PieceClass::Pawn)
    });
    let far = |kind: &Kind| (value(*kind) - value(piece)).abs();
    let nearest = ordinary.min_by(|one, other| far(one).total_cmp(&far(other)));
    let letter = nearest.map_or('N', |kind| game.kind(kind).letter);
    let (pieces, rest) = board.start().split_once(' ').unwrap_or((board.start(), ""));
    let pieces = pieces
        .replace(letter, &LETTER.to_string())
        .replace(letter.to_ascii_lowercase(), &LETTER.to_ascii_lowercase().to_string());
    let definition = text(movement, board, &format!("{pieces} {rest}"));
    GameDef::from_toml(&definition, "--piece")?;
    Ok(definition)
}

fn text(movement: &str, board: HostArmy, start: &str) -> String {
    // A basic TOML string: whatever was typed stays one string.
    let quoted: String = movement
        .chars()
        .flat_map(|letter| match letter {
            '"' | '\\' => vec!['\\', letter],
            letter if letter.is_control() => vec![' '],
            letter => vec![letter],
        })
        .collect();
    format!(
        "name = \"weigh\"\ntitle = \"{quoted} in an ordinary army\"\nbase = \"chess\"\nsource = \"customary values; the piece has none\"\n\n{}\n\
         [pieces.piece]\nletter = \"{LETTER}\"\nmove = \"{quoted}\"\n\n[[starts]]\nid = \"1\"\ntitle = \"with the piece\"\nfen = \"{start}\"\n",
        board.army()
    )
}

#[cfg(test)]
mod tests {
    use assay_rules::Position;
    use assay_selfplay::openings::Plan;

    use super::*;

    fn fen(movement: &str, board: HostArmy) -> String {
        let game = Arc::new(GameDef::from_toml(&game_with(movement, board).unwrap(), "test").unwrap());
        let start = Position::start(&game);
        // Its value can be measured, by both methods.
        Plan::values(&start).unwrap();
        Plan::playtest(&start).unwrap();
        start.fen()
    }

    #[test]
    fn the_piece_stands_where_its_like_stood() {
        assert!(
            fen("N", HostArmy::Chess).starts_with("rxbqkbxr/"),
            "{}",
            fen("N", HostArmy::Chess)
        );
        assert!(
            fen("QN", HostArmy::Chess).starts_with("rnbxkbnr/"),
            "{}",
            fen("QN", HostArmy::Chess)
        );
        for board in [HostArmy::Capablanca, HostArmy::Grand] {
            assert!(fen("KmRcpR", board).contains('X'));
        }
    }

    #[test]
    fn what_is_no_movement_is_told() {
        let error = game_with("N?", HostArmy::Chess).unwrap_err().to_string();
        assert!(error.contains("--piece"), "{error}");
        assert!(game_with("\"]", HostArmy::Chess).is_err());
    }
}
