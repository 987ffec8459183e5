//! Retrograde analysis: positions won in n + 1 plies are found among the predecessors of those
//! decided in n plies.
//!
//! A move generator has no moves backwards. So one pass over all positions records which squares
//! each kind of piece moves between anywhere; that gives candidates for predecessors, each of which
//! is confirmed by its legal moves.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrayvec::ArrayVec;
use assay_rules::piece::{Kind, Piece};
use assay_rules::position::Setup;
use assay_rules::square::MAX_SQUARES;
use assay_rules::{Color, GameDef, Square, SquareSet};

use super::numbering::{Arrangement, BARE_KING, FIRST_PIECE, MAX_PIECES, Numbering};
use super::{EndgameError, EndgameProgress, EndgameTally};
use crate::moves::{Move, MoveKind, MoveList};
use crate::position::{CompiledPosition, Position};
use crate::tables::Tables;

/// Longest distance to mate that a byte can hold, in plies.
pub(super) const MAX_PLIES: u8 = 253;

/// Number of arrangements between two looks at the stop flag.
const STOP_INTERVAL: usize = 1 << 14;

/// Distances to mate of the positions with one side to move, indexed by the number of the
/// arrangement: plies to mate plus one, 0 if no mate is known, [`Distances::ILLEGAL`] if the
/// position is illegal.
#[derive(Debug, Default)]
pub(super) struct Distances(Vec<u8>);

impl Distances {
    const ILLEGAL: u8 = u8::MAX;

    fn new(len: usize) -> Result<Distances, EndgameError> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len)?;
        bytes.resize(len, Distances::ILLEGAL);
        Ok(Distances(bytes))
    }

    /// True for a legal position without a known mate.
    #[inline]
    fn is_open(&self, number: usize) -> bool {
        self.0[number] == 0
    }

    /// The distance to mate in plies; `None` if no mate is known.
    #[inline]
    pub(super) fn plies(&self, number: usize) -> Option<u8> {
        let byte = self.0[number];
        (byte != Distances::ILLEGAL).then(|| byte.checked_sub(1)).flatten()
    }

    #[inline]
    fn set_open(&mut self, number: usize) {
        self.0[number] = 0;
    }

    #[inline]
    fn set(&mut self, number: usize, plies: u8) {
        self.0[number] = plies + 1;
    }

    pub(super) fn tally(&self) -> EndgameTally {
        let mut bytes = [0_u64; 256];
        for &byte in &self.0 {
            bytes[usize::from(byte)] += 1;
        }
        let (decided, rest) = (&bytes[1..usize::from(Distances::ILLEGAL)], bytes[0]);
        let mut tally = EndgameTally { legal: rest + decided.iter().sum::<u64>(), mates: Vec::new() };
        for (plies, &positions) in decided.iter().enumerate().filter(|(_, positions)| **positions > 0) {
            let moves = plies.div_ceil(2);
            if tally.mates.len() <= moves {
                tally.mates.resize(moves + 1, 0);
            }
            tally.mates[moves] += positions;
        }
        tally
    }
}

/// Distances to mate of all positions of an endgame.
#[derive(Debug)]
pub(super) struct SolvedTable {
    pub(super) numbering: Numbering,
    /// With the attacker to move.
    pub(super) attacker: Distances,
    /// With the bare king to move.
    pub(super) defender: Distances,
}

impl SolvedTable {
    /// FEN of the first position with the attacker to move and the longest mate.
    pub(super) fn longest_mate<R: CompiledPosition>(&self, tables: &Arc<Tables<R>>) -> Option<String> {
        let numbers = 0..self.numbering.len();
        let longest = numbers.clone().filter_map(|number| self.attacker.plies(number)).max()?;
        let number = numbers.into_iter().find(|&number| self.attacker.plies(number) == Some(longest))?;
        let mut board = Board::new(tables, &self.numbering)?;
        board.arrange(Color::White, &self.numbering.arrangement(number)?);
        Some(board.position.to_rules().fen())
    }
}

/// Solves an endgame, after the smaller ones into which the bare king can capture.
pub(super) fn solve<R: CompiledPosition>(
    tables: &Arc<Tables<R>>,
    numbering: &Numbering,
    stop: &AtomicBool,
    report: &mut dyn FnMut(EndgameProgress),
) -> Result<SolvedTable, EndgameError> {
    let mut solved: BTreeMap<Vec<Kind>, SolvedTable> = BTreeMap::new();
    solve_all(tables, numbering, &mut solved, stop, report)?;
    Ok(solved.remove(numbering.pieces()).expect("the endgame was solved last"))
}

fn solve_all<R: CompiledPosition>(
    tables: &Arc<Tables<R>>,
    numbering: &Numbering,
    solved: &mut BTreeMap<Vec<Kind>, SolvedTable>,
    stop: &AtomicBool,
    report: &mut dyn FnMut(EndgameProgress),
) -> Result<(), EndgameError> {
    if solved.contains_key(numbering.pieces()) {
        return Ok(());
    }
    // Bare kings cannot mate, so there is nothing to solve below one piece.
    if numbering.pieces().len() > 1 {
        for piece in 0..numbering.pieces().len() {
            solve_all(tables, &numbering.without(piece), solved, stop, report)?;
        }
    }
    let table = SolvedTable {
        numbering: numbering.clone(),
        attacker: Distances::new(numbering.len())?,
        defender: Distances::new(numbering.len())?,
    };
    let table = match Board::new(tables, numbering) {
        // No position is legal.
        None => table,
        Some(board) => {
            let mut analysis = Analysis {
                board,
                table,
                smaller: solved,
                reach: vec![[SquareSet::EMPTY; MAX_SQUARES]; numbering.pieces().len() + FIRST_PIECE],
                captures: BTreeMap::new(),
                moves: MoveList::new(),
                stop,
            };
            analysis.generate_all(report)?;
            analysis.find_mates(report)?;
            analysis.table
        }
    };
    solved.insert(numbering.pieces().to_vec(), table);
    Ok(())
}

/// A position on which arrangements are set up.
struct Board<R: CompiledPosition> {
    position: Position<R>,
    /// By slot of an arrangement.
    pieces: ArrayVec<Piece, MAX_PIECES>,
}

impl<R: CompiledPosition> Board<R> {
    /// Returns `None` if the kings cannot stand on any two squares.
    fn new(tables: &Arc<Tables<R>>, numbering: &Numbering) -> Option<Board<R>> {
        let game = tables.game();
        let squares = || game.board.squares();
        let position = squares()
            .flat_map(|bare| squares().map(move |king| (bare, king)))
            .find_map(|(bare, king)| kings(game, bare, king))?;
        let of = |color, kind| Piece { color, kind };
        let king = game.kinds.king()?;
        let mut pieces = ArrayVec::from_iter([of(Color::Black, king), of(Color::White, king)]);
        pieces.extend(numbering.pieces().iter().map(|&kind| of(Color::White, kind)));
        Some(Board { position: Position::new(tables, &position), pieces })
    }

    #[inline]
    fn arrange(&mut self, side: Color, arrangement: &Arrangement) {
        let pieces: ArrayVec<(Square, Piece), MAX_PIECES> =
            arrangement.iter().copied().zip(self.pieces.iter().copied()).collect();
        self.position.arrange(side, &pieces);
    }
}

/// The position of two kings; `None` if it is illegal.
fn kings(game: &Arc<GameDef>, bare: Square, king: Square) -> Option<assay_rules::Position> {
    if bare == king {
        return None;
    }
    let mut setup = Setup::empty(&game.board);
    let kind = game.kinds.king()?;
    for (square, color) in [(bare, Color::Black), (king, Color::White)] {
        setup.pieces[square.index()] = Some(Piece { color, kind });
    }
    Some(assay_rules::Position::from_setup(game, &setup).ok()?.0)
}

struct Analysis<'s, R: CompiledPosition> {
    board: Board<R>,
    table: SolvedTable,
    /// Solved endgames by pieces.
    smaller: &'s BTreeMap<Vec<Kind>, SolvedTable>,
    /// By [group](Numbering::group) and target: the squares from which such a piece moves there in
    /// some position.
    reach: Vec<[SquareSet; MAX_SQUARES]>,
    /// Positions in which the bare king can capture into a lost endgame, by the distance to mate
    /// after the capture.
    captures: BTreeMap<u8, Vec<u32>>,
    moves: MoveList,
    stop: &'s AtomicBool,
}

impl<R: CompiledPosition> Analysis<'_, R> {
    fn check_stop(&self, number: usize) -> Result<(), EndgameError> {
        if number.is_multiple_of(STOP_INTERVAL) && self.stop.load(Ordering::Relaxed) {
            return Err(EndgameError::Stopped);
        }
        Ok(())
    }

    /// Finds the legal positions, the checkmates, and the squares that pieces move between.
    fn generate_all(&mut self, report: &mut dyn FnMut(EndgameProgress)) -> Result<(), EndgameError> {
        let total = self.table.numbering.len();
        for number in 0..total {
            self.check_stop(number)?;
            if number.is_multiple_of(STOP_INTERVAL) {
                report(EndgameProgress::Arrangements { done: number as u64, total: total as u64 });
            }
            if let Some(arrangement) = self.table.numbering.arrangement(number) {
                self.generate_attacker(number, &arrangement);
                self.generate_defender(number, &arrangement);
            }
        }
        Ok(())
    }

    fn generate_attacker(&mut self, number: usize, arrangement: &Arrangement) {
        self.board.arrange(Color::White, arrangement);
        if self.board.position.can_capture_king() {
            return;
        }
        self.table.attacker.set_open(number);
        self.board.position.legal_moves(&mut self.moves);
        for mv in &self.moves {
            let slot = slot_of(arrangement, mv.from());
            self.reach[self.table.numbering.group(slot)][mv.to().index()].insert(mv.from());
        }
    }

    fn generate_defender(&mut self, number: usize, arrangement: &Arrangement) {
        self.board.arrange(Color::Black, arrangement);
        if self.board.position.can_capture_king() {
            return;
        }
        self.table.defender.set_open(number);
        self.board.position.legal_moves(&mut self.moves);
        if self.moves.is_empty() && self.board.position.in_check() {
            self.table.defender.set(number, 0);
        }
        for mv in &self.moves {
            self.reach[BARE_KING][mv.to().index()].insert(mv.from());
            if let Some(slot) = arrangement.iter().position(|&square| square == mv.to())
                && let Some(plies) = self.plies_after_capture(arrangement, slot)
            {
                self.captures.entry(plies).or_default().push(number as u32);
            }
        }
    }

    /// The distance to mate after the bare king has captured a piece.
    fn plies_after_capture(&self, arrangement: &Arrangement, slot: usize) -> Option<u8> {
        let mut pieces = self.table.numbering.pieces().to_vec();
        pieces.remove(slot.checked_sub(FIRST_PIECE)?);
        let smaller = self.smaller.get(&pieces)?;
        let mut after = arrangement.clone();
        after[BARE_KING] = after.remove(slot);
        smaller.attacker.plies(smaller.numbering.number(&after))
    }

    /// Finds all mates, in order of their length.
    fn find_mates(&mut self, report: &mut dyn FnMut(EndgameProgress)) -> Result<(), EndgameError> {
        for plies in 0..MAX_PLIES {
            let found = if plies.is_multiple_of(2) {
                report(EndgameProgress::Mates { moves: u32::from(plies) / 2 + 1 });
                self.find_won(plies)?
            } else {
                self.find_lost(plies)?
            };
            let may_capture = self.captures.range(plies + 1..).next().is_some();
            if found == 0 && !may_capture {
                return Ok(());
            }
        }
        Err(EndgameError::TooLong)
    }

    /// Finds the positions in which the attacker has a move to a position that is lost for the bare
    /// king in `plies`.
    fn find_won(&mut self, plies: u8) -> Result<u64, EndgameError> {
        let mut found = 0;
        for number in 0..self.table.numbering.len() {
            self.check_stop(number)?;
            if self.table.defender.plies(number) != Some(plies) {
                continue;
            }
            let Some(arrangement) = self.table.numbering.arrangement(number) else {
                continue;
            };
            for slot in BARE_KING + 1..arrangement.len() {
                let to = arrangement[slot];
                for from in self.reach[self.table.numbering.group(slot)][to.index()].iter() {
                    let Some((before, earlier)) = self.earlier(&arrangement, slot, from) else {
                        continue;
                    };
                    if !self.table.attacker.is_open(earlier) {
                        continue;
                    }
                    self.board.arrange(Color::White, &before);
                    if self.board.position.is_legal(Move::new(MoveKind::Normal, from, to)) {
                        self.table.attacker.set(earlier, plies + 1);
                        found += 1;
                    }
                }
            }
        }
        Ok(found)
    }

    /// Finds the positions in which every move of the bare king leads to a position that is won in
    /// at most `plies`.
    fn find_lost(&mut self, plies: u8) -> Result<u64, EndgameError> {
        let mut found = 0;
        for number in self.captures.remove(&plies).unwrap_or_default() {
            found += u64::from(self.set_if_lost(number as usize, plies));
        }
        for number in 0..self.table.numbering.len() {
            self.check_stop(number)?;
            if self.table.attacker.plies(number) != Some(plies) {
                continue;
            }
            let Some(arrangement) = self.table.numbering.arrangement(number) else {
                continue;
            };
            for from in self.reach[BARE_KING][arrangement[BARE_KING].index()].iter() {
                if let Some((_, earlier)) = self.earlier(&arrangement, BARE_KING, from) {
                    found += u64::from(self.set_if_lost(earlier, plies));
                }
            }
        }
        Ok(found)
    }

    /// The arrangement in which the piece of a slot is still on `from`, and its number; `None` if
    /// that square is occupied.
    #[inline]
    fn earlier(&self, arrangement: &Arrangement, slot: usize, from: Square) -> Option<(Arrangement, usize)> {
        if arrangement.contains(&from) {
            return None;
        }
        let mut before = arrangement.clone();
        before[slot] = from;
        let number = self.table.numbering.number(&before);
        Some((before, number))
    }

    /// Stores that a position is lost for the bare king if every move leads to a mate in at most
    /// `plies`.
    fn set_if_lost(&mut self, number: usize, plies: u8) -> bool {
        if !self.table.defender.is_open(number) {
            return false;
        }
        let Some(arrangement) = self.table.numbering.arrangement(number) else {
            return false;
        };
        self.board.arrange(Color::Black, &arrangement);
        self.board.position.legal_moves(&mut self.moves);
        let is_won = |mv: Move| {
            let after = if let Some(slot) = arrangement.iter().position(|&square| square == mv.to()) {
                self.plies_after_capture(&arrangement, slot)
            } else {
                let mut after = arrangement.clone();
                after[BARE_KING] = mv.to();
                self.table.attacker.plies(self.table.numbering.number(&after))
            };
            after.is_some_and(|after| after <= plies)
        };
        let is_lost = self.moves.into_iter().all(is_won) && !self.moves.is_empty();
        if is_lost {
            self.table.defender.set(number, plies + 1);
        }
        is_lost
    }
}

/// The slot of the piece that stands on a square.
///
/// # Panics
/// If the square is empty.
fn slot_of(arrangement: &Arrangement, square: Square) -> usize {
    let slot = arrangement.iter().position(|&other| other == square);
    slot.expect("a piece on the origin square")
}
