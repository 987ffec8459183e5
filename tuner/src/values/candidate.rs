//! Game definitions that test one piece: in a standard army it replaces the piece of the nearest value.

use std::sync::Arc;

use assay_engine::Weights;
use assay_rules::def::{DefError, PieceClass};
use assay_rules::{GameDef, Kind};

/// A standard army and its board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum HostArmy {
    /// The army of chess
    #[default]
    #[value(name = "8x8")]
    Chess,
    /// Capablanca's army
    #[value(name = "10x8")]
    Capablanca,
    /// The army of Grand Chess (Freeling 1984), which cannot castle
    #[value(name = "10x10")]
    Grand,
}

/// Letter of the tested piece; no standard piece uses it.
const LETTER: char = 'X';

impl HostArmy {
    /// Definition of board and army, without the tested piece and the start.
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

/// Definition of a game in which a piece with this XBetza movement replaces the standard piece with the nearest computed value in both armies.
///
/// # Errors
/// If the movement is invalid.
pub fn definition_with_piece(movement: &str, board: HostArmy) -> Result<String, DefError> {
    // Compute the piece's value from a definition that has it but not in the start.
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
    // Rooks stay, because castling needs them.
    let standard = game.all_kinds().filter(|&kind| {
        let def = game.kind(kind);
        kind != piece && def.letter != 'R' && !matches!(def.class, PieceClass::King | PieceClass::Pawn)
    });
    let distance = |kind: &Kind| (value(*kind) - value(piece)).abs();
    let nearest = standard.min_by(|one, other| distance(one).total_cmp(&distance(other)));
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
    // Escape the movement as a basic TOML string.
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
        let game = Arc::new(GameDef::from_toml(&definition_with_piece(movement, board).unwrap(), "test").unwrap());
        let start = Position::start(&game);
        // Both methods can measure the piece.
        Plan::values(&start).unwrap();
        Plan::playtest(&start).unwrap();
        start.fen()
    }

    #[test]
    fn replaces_the_piece_of_nearest_value() {
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
    fn rejects_invalid_movement() {
        let error = definition_with_piece("N?", HostArmy::Chess).unwrap_err().to_string();
        assert!(error.contains("--piece"), "{error}");
        assert!(definition_with_piece("\"]", HostArmy::Chess).is_err());
    }
}
