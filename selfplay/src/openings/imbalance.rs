//! Material imbalances: pieces removed or exchanged at the start, so that games compare the values
//! of kinds.

use std::fmt;

use assay_rules::piece::Kind;
use assay_rules::{ByColor, Color, GameDef, Piece, Position};

use crate::material;
use crate::seed::Stream;

/// The change of one army.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The kinds of the removed pieces, one entry per piece.
    pub lost: Vec<Kind>,
    /// The kinds that replace the first of them.
    pub gained: Vec<Kind>,
}

/// The changes of both armies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imbalance {
    game_letters: Vec<char>,
    pub changes: ByColor<Change>,
}

impl Imbalance {
    /// The number of pieces of each kind in White's, then Black's army of a start with this
    /// imbalance.
    pub fn armies(&self, start: &Position) -> [Vec<usize>; 2] {
        Color::ALL.map(|color| {
            let mut pieces = material::pieces_of(start, color);
            let change = &self.changes[color];
            for kind in &change.lost {
                pieces[kind.index()] -= 1;
            }
            for kind in &change.gained {
                pieces[kind.index()] += 1;
            }
            pieces
        })
    }

    /// White's change, then Black's.
    pub(super) fn new(game: &GameDef, changes: [Change; 2]) -> Imbalance {
        Imbalance { game_letters: game.kinds.iter().map(|kind| kind.letter).collect(), changes: ByColor(changes) }
    }

    /// The same with the colors exchanged.
    #[must_use]
    pub fn swapped(&self) -> Imbalance {
        let [white, black] = self.changes.0.clone();
        Imbalance { game_letters: self.game_letters.clone(), changes: ByColor([black, white]) }
    }

    /// Applies the imbalance to random pieces of its kinds, including those in pockets; `None` if
    /// they do not exist or the position becomes impossible.
    pub(super) fn apply(&self, position: &Position, stream: &mut Stream) -> Option<Position> {
        let mut setup = position.setup().clone();
        for color in Color::ALL {
            let change = &self.changes[color];
            let mut gained = change.gained.iter();
            for &kind in &change.lost {
                if let Some(waiting) = setup.pockets[color].iter().position(|&waiting| waiting == kind) {
                    setup.pockets[color].remove(waiting);
                    continue;
                }
                let lost = Piece { color, kind };
                let standing: Vec<usize> =
                    (0..setup.pieces.len()).filter(|&at| setup.pieces[at] == Some(lost)).collect();
                let at = *stream.pick(&standing)?;
                setup.pieces[at] = gained.next().map(|&kind| Piece { color, kind });
            }
        }
        let (position, _rights_of_lost_pieces) = Position::from_setup(position.game(), &setup).ok()?;
        Some(position)
    }
}

impl fmt::Display for Imbalance {
    /// White's losses and gains, a slash, and Black's: `-NP/-B`, `-B+N/`, or `/` for equal armies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            if color == Color::Black {
                f.write_str("/")?;
            }
            let change = &self.changes[color];
            for (sign, kinds) in [('-', &change.lost), ('+', &change.gained)] {
                if kinds.is_empty() {
                    continue;
                }
                write!(f, "{sign}")?;
                for kind in kinds {
                    write!(f, "{}", self.game_letters[kind.index()])?;
                }
            }
        }
        Ok(())
    }
}
