//! Endgames of a king and a few pieces without pawns against a bare king, solved exactly by
//! retrograde analysis.
//!
//! All arrangements of the pieces are numbered (`numbering`) and solved backwards from the
//! checkmates (`retrograde`), as Ströhlein (1970) and Thompson (1986) did. Moves come from the move
//! generator of the game, so every game and every piece is solved by its own rules.
//!
//! White is the attacker, Black has the bare king. Distances are to mate with best play. The move
//! rule, repetitions and endings by insufficient material are ignored. A position counts as legal
//! if the king of the side not to move cannot be captured, even if no game leads to it.

mod numbering;
mod retrograde;

use std::collections::TryReserveError;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_rules::def::PieceClass;
use assay_rules::{Color, GameDef, Kind};
use thiserror::Error;

use crate::registry::{CompiledRuleset, Visitor, dispatch};
use crate::tables::Tables;
use numbering::Numbering;
use retrograde::SolvedTable;

/// Most pieces besides the kings.
pub const MAX_PIECES: usize = 4;

/// Largest number of arrangements: each needs two bytes.
pub const MAX_ARRANGEMENTS: u64 = 1 << 28;

/// An endgame that cannot be solved.
#[derive(Debug, Error)]
pub enum EndgameError {
    #[error("found {found} pieces, expected 1 to {MAX_PIECES} besides the king")]
    Count { found: usize },
    /// Pawns change into other pieces, and a joker moves like the piece that moved last.
    #[error("found `{piece}`, expected pieces other than {excluded}")]
    Piece { piece: String, excluded: String },
    #[error("found a game in which captured pieces can be dropped, expected one in which they are gone")]
    Drops,
    #[error("found {found} arrangements of the pieces, expected at most {MAX_ARRANGEMENTS}: use fewer pieces")]
    TooLarge { found: u64 },
    #[error("found a game with walls or one that other rules decide, expected one that only mate decides")]
    Decided,
    #[error("not enough memory: {0}")]
    Memory(#[from] TryReserveError),
    #[error("found a mate in more than {} moves, expected shorter ones", retrograde::MAX_PLIES / 2)]
    TooLong,
    #[error("stopped before the endgame was solved")]
    Stopped,
}

/// Progress of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndgameProgress {
    /// The legal moves of all arrangements are generated: this many of all.
    Arrangements { done: u64, total: u64 },
    /// Mates in this many moves are found.
    Mates { moves: u32 },
}

/// Number of positions with one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndgameTally {
    /// Legal positions.
    pub legal: u64,
    /// Positions in which the attacker can force mate, by the number of moves that it takes; 0 if
    /// it is mate already.
    pub mates: Vec<u64>,
}

impl EndgameTally {
    /// Number of positions in which the attacker can force mate.
    pub fn won(&self) -> u64 {
        self.mates.iter().sum()
    }

    /// Number of moves of the longest mate; `None` if no mate can be forced.
    pub fn longest(&self) -> Option<usize> {
        self.mates.iter().rposition(|&positions| positions > 0)
    }
}

/// All positions of an endgame, solved.
#[derive(Debug)]
pub struct SolvedEndgame {
    table: SolvedTable,
    example: Option<String>,
}

impl SolvedEndgame {
    /// Positions with the attacker to move.
    pub fn attacker_to_move(&self) -> EndgameTally {
        self.table.attacker.tally()
    }

    /// Positions with the bare king to move.
    pub fn defender_to_move(&self) -> EndgameTally {
        self.table.defender.tally()
    }

    /// FEN of a position with the attacker to move and the longest mate; `None` if no mate can be
    /// forced.
    pub fn longest_mate(&self) -> Option<&str> {
        self.example.as_deref()
    }

    /// Number of plies to mate with best play; `None` if no mate can be forced, or if the position
    /// does not belong to this endgame. White is the attacker.
    pub fn plies_to_mate(&self, position: &assay_rules::Position) -> Option<u8> {
        let number = self.table.numbering.number_of(position)?;
        match position.side_to_move() {
            Color::White => self.table.attacker.plies(number),
            Color::Black => self.table.defender.plies(number),
        }
    }
}

/// Checks that an endgame can be solved.
///
/// # Errors
/// If it has a king, a pawn, a joker or a piece that promotes, or no or too many pieces.
pub fn check(game: &GameDef, pieces: &[Kind]) -> Result<(), EndgameError> {
    if !(1..=MAX_PIECES).contains(&pieces.len()) {
        return Err(EndgameError::Count { found: pieces.len() });
    }
    if game.captures_return() {
        return Err(EndgameError::Drops);
    }
    let is_excluded = |kind: Kind| {
        Some(kind) == game.kinds.king()
            || game.pawns.contains(kind)
            || game.kind(kind).class == PieceClass::Joker
            || game.turned(kind).is_some()
    };
    if let Some(&kind) = pieces.iter().find(|&&kind| is_excluded(kind)) {
        let excluded = game.kinds.all().filter(|&kind| is_excluded(kind));
        let excluded: Vec<&str> = excluded.map(|kind| game.kind(kind).name.as_str()).collect();
        return Err(EndgameError::Piece { piece: game.kind(kind).name.clone(), excluded: excluded.join(", ") });
    }
    let is_decided_by_mate =
        game.kinds.king().is_some() && !game.kinds.has_several_royals() && game.endings.has_usual_results();
    let is_decided_otherwise =
        game.mechanisms.goal.is_some() || game.mechanisms.check_count.is_some() || game.mechanisms.extinction.is_some();
    let has_other_rules = game.mechanisms.forbidden_checks.is_some()
        || game.mechanisms.forced_captures.is_some()
        || game.mechanisms.bare_king.is_some()
        || game.mechanisms.counting.is_some()
        || game.mechanisms.walls.is_some();
    if !is_decided_by_mate || is_decided_otherwise || has_other_rules {
        return Err(EndgameError::Decided);
    }
    let squares = game.board.squares().count() as u64;
    let found = squares.saturating_pow(pieces.len() as u32 + 2);
    if found > MAX_ARRANGEMENTS {
        return Err(EndgameError::TooLarge { found });
    }
    Ok(())
}

/// Solves the endgame of king and `pieces` against a bare king, and all smaller ones into which the
/// bare king can capture.
///
/// # Errors
/// If the endgame cannot be solved (see [`check`]), or `stop` was set before it was.
///
/// ```
/// use assay_engine::{endgame, load_game};
///
/// let chess = load_game("chess")?;
/// let rook = chess.kinds.by_letter('R').unwrap();
/// let solved = endgame::solve(&chess, &[rook], &false.into(), &mut |_| {})?;
/// assert_eq!(solved.attacker_to_move().longest(), Some(16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    game: &Arc<GameDef>,
    pieces: &[Kind],
    stop: &AtomicBool,
    report: &mut dyn FnMut(EndgameProgress),
) -> Result<SolvedEndgame, EndgameError> {
    check(game, pieces)?;
    dispatch(game, Solve { pieces, stop, report })
}

struct Solve<'s> {
    pieces: &'s [Kind],
    stop: &'s AtomicBool,
    report: &'s mut dyn FnMut(EndgameProgress),
}

impl Visitor for Solve<'_> {
    type Output = Result<SolvedEndgame, EndgameError>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let numbering = Numbering::new(&tables.game().board, self.pieces);
        let table = retrograde::solve(&tables, &numbering, self.stop, self.report)?;
        let example = table.longest_mate(&tables);
        Ok(SolvedEndgame { table, example })
    }
}
