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
    /// Definition of the army's game with the tested piece, whose movement is `MOVEMENT`, but without it in the start.
    const fn template(self) -> &'static str {
        match self {
            HostArmy::Chess => include_str!("candidate/8x8.toml"),
            HostArmy::Capablanca => include_str!("candidate/10x8.toml"),
            HostArmy::Grand => include_str!("candidate/10x10.toml"),
        }
    }
}

/// Definition of a game in which a piece with this XBetza movement replaces the standard piece with the nearest computed value in both
/// armies.
///
/// # Errors
/// If the movement is invalid.
pub fn definition_with_piece(movement: &str, board: HostArmy) -> Result<String, DefError> {
    // Escape the movement as a basic TOML string.
    let quoted: String = movement
        .chars()
        .flat_map(|letter| match letter {
            '"' | '\\' => vec!['\\', letter],
            letter if letter.is_control() => vec![' '],
            letter => vec![letter],
        })
        .collect();
    // Compute the piece's value from a definition that has it but not in the start.
    let alone = board.template().replace("MOVEMENT", &quoted);
    let game = Arc::new(GameDef::from_toml(&alone, "--piece")?);
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
    let start = alone.rfind("fen = ").map_or(0, |at| at + "fen = \"".len());
    let (pieces, rest) = alone[start..].split_once(' ').unwrap_or_default();
    let pieces = pieces
        .replace(letter, &LETTER.to_string())
        .replace(letter.to_ascii_lowercase(), &LETTER.to_ascii_lowercase().to_string());
    let definition = format!("{}{pieces} {rest}", &alone[..start]);
    GameDef::from_toml(&definition, "--piece")?;
    Ok(definition)
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
