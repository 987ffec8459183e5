use std::fmt;

/// An evaluation from the side to move's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Hundredths of the game's own pawn.
    Centipawns(i32),
    /// Mate in this many moves: positive if the side to move mates, negative if it is mated.
    Mate(i32),
}

impl Eval {
    /// The score of a search, or `None` if the search did not finish its first iteration.
    pub fn of_search(found: &assay_engine::SearchResult) -> Option<Eval> {
        if found.depth == 0 {
            return None;
        }
        match found.score.mate() {
            Some(moves) => Some(Eval::Mate(moves)),
            None => found.score.centipawns().map(Eval::Centipawns),
        }
    }
}

/// As PGN comments write it: pawns with two decimals, `+0.35`; a mate in 3 is `+M3`, or `-M3` for
/// the side that is mated.
impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |number: i32| if number < 0 { '-' } else { '+' };
        match *self {
            Eval::Centipawns(value) => {
                let size = value.unsigned_abs();
                write!(f, "{}{}.{:02}", sign(value), size / 100, size % 100)
            }
            Eval::Mate(moves) => write!(f, "{}M{}", sign(moves), moves.unsigned_abs()),
        }
    }
}
