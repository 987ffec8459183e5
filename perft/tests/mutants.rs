//! Generators with one wrong rule each, and the proof that the built-in positions, which `compare`
//! begins with, show each of them at its default depth. `mutants.md` says which position shows
//! which; `UPDATE_SNAPSHOTS=1` writes it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use assay_perft::generator::{self, CountMode, GeneratorKind};
use assay_perft::suite::{Entry, Games, read_embedded};
use assay_perft::walk::positions::random_position;
use assay_rules::def::RightKind;
use assay_rules::movement::PathKind;
use assay_rules::position::{EnPassantField, Setup};
use assay_rules::{Color, GameDef, Kind, Move, Piece, Position, Square, uci};

/// Depth of `compare` by default.
const DEPTH: u32 = 3;

pub(crate) struct Mutant {
    game: &'static str,
    /// What is wrong.
    rule: &'static str,
    fault: Fault,
}

/// A wrong generator: the reference generator with a wrong definition, other moves, or another
/// position after a move.
enum Fault {
    Nothing,
    Definition(fn(&mut GameDef)),
    Moves(fn(&State, &mut Vec<Move>)),
    Successor(fn(&State, Move, &mut Setup)),
}

/// A position, how it came about, and whether an en passant square that no legal capture uses was
/// written or made.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) position: Position,
    /// The position with that square.
    marked: Position,
    history: Vec<(Position, Move)>,
}

impl State {
    /// Reads a FEN.
    pub(crate) fn new(game: &Arc<GameDef>, fen: &str) -> State {
        let setup = Setup::from_fen(game, fen).unwrap();
        let position = Position::from_setup(game, &setup).unwrap().0;
        let marked = marked(game, setup).unwrap_or_else(|| position.clone());
        State { position, marked, history: Vec::new() }
    }

    fn side(&self) -> Color {
        self.position.side_to_move()
    }

    fn king(&self) -> Square {
        self.position.king(self.side()).unwrap()
    }

    fn is(&self, square: Square, letter: char) -> bool {
        let game = self.position.game();
        self.position.piece_at(square).is_some_and(|piece| Some(piece.kind) == game.kinds.by_letter(letter))
    }

    fn moves(&self, mv: Move, letter: char) -> bool {
        let game = self.position.game();
        self.position.moved_piece(mv).is_some_and(|piece| Some(piece.kind) == game.kinds.by_letter(letter))
    }
}

/// The position with the en passant square of the setup: the one before the double step, and the
/// double step.
fn marked(game: &Arc<GameDef>, mut setup: Setup) -> Option<Position> {
    let EnPassantField::One(passed) = setup.en_passant else { return None };
    let mover = !setup.turn.color();
    let board = &game.board;
    setup.en_passant = EnPassantField::None;
    board.squares().find_map(|from| {
        let mut before = setup.clone();
        let to = board.square_at(
            2 * i16::from(board.file(passed)) - i16::from(board.file(from)),
            2 * i16::from(board.rank(passed)) - i16::from(board.rank(from)),
        )?;
        before.pieces[from.index()] = Some(before.pieces[to.index()].take()?);
        before.turn = assay_rules::Turn::Single(mover);
        let before = Position::from_setup(game, &before).ok()?.0;
        before
            .pseudo_legal_moves()
            .into_iter()
            .find(|mv| matches!(mv, Move::DoubleStep { to: end, passed: over, .. } if *end == to && *over == passed))
            .map(|mv| before.play_unchecked(mv))
    })
}

impl Mutant {
    /// The game as the mutant knows it.
    pub(crate) fn game(&self) -> Arc<GameDef> {
        let mut game = (*GameDef::builtin(self.game).unwrap()).clone();
        if let Fault::Definition(change) = self.fault {
            change(&mut game);
        }
        Arc::new(game)
    }

    /// The beginning of the mutant's row in `mutants.md`, up to the position.
    fn row(&self) -> String {
        format!("| {} | {} | `", self.game, self.rule)
    }

    fn legal_moves(&self, state: &State) -> Vec<Move> {
        let mut moves = state.position.legal_moves();
        if let Fault::Moves(change) = self.fault {
            change(state, &mut moves);
            moves.sort_unstable();
            moves.dedup();
        }
        moves
    }

    pub(crate) fn play(&self, state: &State, mv: Move) -> State {
        let mut position = state.position.play(mv);
        let mut marked = state.position.play_unchecked(mv);
        if let Fault::Successor(change) = self.fault {
            let mut setup = position.setup().clone();
            change(state, mv, &mut setup);
            if let Ok((changed, _)) = Position::from_setup(position.game(), &setup) {
                (position, marked) = (changed.clone(), changed);
            }
        }
        let history = state.history.iter().cloned().chain([(state.position.clone(), mv)]).collect();
        State { position, marked, history }
    }

    fn perft(&self, state: &State, depth: u32) -> u64 {
        let moves = self.legal_moves(state);
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.into_iter().map(|mv| self.perft(&self.play(state, mv), depth - 1)).sum(),
        }
    }

    /// Counts by root move.
    pub(crate) fn divide(&self, state: &State, depth: u32) -> BTreeMap<String, u64> {
        let game = state.position.game();
        let below = |mv| (uci::format(game, mv), self.perft(&self.play(state, mv), depth - 1));
        self.legal_moves(state).into_iter().map(below).collect()
    }
}

/// Finds a mutant by `GAME: RULE`.
pub(crate) fn find(name: &str) -> &'static Mutant {
    MUTANTS.iter().find(|mutant| format!("{}: {}", mutant.game, mutant.rule) == name).expect("a mutant")
}

fn right_divide(position: &Position, depth: u32) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    let stop = std::sync::atomic::AtomicBool::new(false);
    generator::new(GeneratorKind::Engine, position.game()).node(position).for_each_child(&mut |mv, child| {
        let count = child.perft(depth - 1, &CountMode::default(), &stop).unwrap();
        counts.insert(uci::format(position.game(), mv), count);
    });
    counts
}

// Helpers of the faults.

/// Adds pseudo-legal moves that leave a royal piece attacked, by these pieces, if they are wanted.
fn add_illegal(state: &State, moves: &mut Vec<Move>, is_wanted: impl Fn(Move, &Position, &[Square]) -> bool) {
    let side = state.side();
    for mv in state.marked.pseudo_legal_moves() {
        let after = state.marked.play_unchecked(mv);
        let attackers = after.checkers(side);
        if !attackers.is_empty() && is_wanted(mv, &after, &attackers) {
            moves.push(mv);
        }
    }
}

/// Adds the moves that a pin by a piece of this kind forbids.
fn add_pinned(state: &State, moves: &mut Vec<Move>, pinner: char) {
    let king = state.king();
    add_illegal(state, moves, |mv, _, attackers| {
        !state.position.in_check() && mv.from() != king && attackers.iter().all(|&square| state.is(square, pinner))
    });
}

/// Adds all moves while the only check is by a piece of this kind.
fn add_in_check_by(state: &State, moves: &mut Vec<Move>, checker: char) {
    let checkers = state.position.checkers(state.side());
    if !checkers.is_empty() && checkers.iter().all(|&square| state.is(square, checker)) {
        add_illegal(state, moves, |mv, _, _| mv.from() != state.king());
    }
}

fn royal(position: &Position, side: Color) -> Option<Square> {
    position.royals(side).next()
}

fn is_en_passant(mv: Move) -> bool {
    matches!(mv, Move::EnPassant { .. })
}

fn is_castle(mv: Move) -> bool {
    matches!(mv, Move::Castle { .. })
}

/// Adds captures en passant that a pin forbids; `is_line` gets the distances of the pinning piece
/// in files and ranks.
fn add_pinned_en_passant(state: &State, moves: &mut Vec<Move>, is_line: fn(i16, i16) -> bool) {
    let (board, king) = (&state.position.game().board, state.king());
    add_illegal(state, moves, |mv, _, attackers| {
        let is_on_line = |&square: &Square| {
            is_line(
                (i16::from(board.file(square)) - i16::from(board.file(king))).abs(),
                (i16::from(board.rank(square)) - i16::from(board.rank(king))).abs(),
            )
        };
        is_en_passant(mv) && !state.position.in_check() && attackers.iter().all(is_on_line)
    });
}

/// Why the mutant castles where it must not.
#[derive(Clone, Copy, PartialEq)]
enum Excuse {
    /// The king is in check.
    Check,
    /// The king passes an attacked square.
    Path,
    /// Something stands next to the partner, on a square that the king does not cross.
    Blocked,
    /// King or partner have moved.
    NoRight,
}

fn add_castling(state: &State, moves: &mut Vec<Move>, excuse: Excuse) {
    let (game, side) = (Arc::clone(state.position.game()), state.side());
    let wings = game.castling_wings().iter().enumerate();
    for (index, wing) in wings.filter(|(_, wing)| wing.color == side) {
        let stands = |square: Square, kind: Option<Kind>| {
            state.position.piece_at(square).is_some_and(|piece| piece.color == side && Some(piece.kind) == kind)
        };
        if !stands(wing.king_from, game.kinds.king()) || !stands(wing.partner_from, Some(wing.partner)) {
            continue;
        }
        let mut setup = state.position.setup().clone();
        let has_right = has_right(&game, &setup, side, wing.partner_from);
        let is_occupied = |square: &&Square| state.position.piece_at(**square).is_some();
        let pieces: Vec<Square> = wing.empty.iter().filter(is_occupied).copied().collect();
        let is_blocked = !pieces.is_empty();
        let is_crossed = pieces.iter().any(|&square| wing.crossed.contains(&square) || square == wing.king_to);
        let castle = Move::Castle { wing: index, from: wing.king_from, to: wing.target, gate: None, wall: None };
        let is_allowed = match excuse {
            Excuse::Check => has_right && !is_blocked && state.position.in_check(),
            Excuse::Path => has_right && !is_blocked && !state.position.in_check(),
            Excuse::Blocked => {
                has_right && is_blocked && !is_crossed && {
                    for square in &pieces {
                        setup.pieces[square.index()] = None;
                    }
                    Position::from_setup(&game, &setup).is_ok_and(|(open, _)| open.is_legal(castle))
                }
            }
            Excuse::NoRight => {
                !has_right && {
                    let rights = 0..game.rights.len();
                    rights.filter(|&right| is_right(&game, right, side, wing.partner_from)).for_each(|right| {
                        setup.rights.insert(right);
                    });
                    Position::from_setup(&game, &setup).is_ok_and(|(with, _)| with.is_legal(castle))
                }
            }
        };
        let is_safe = || state.position.play_unchecked(castle).checkers(side).is_empty();
        if is_allowed && (excuse == Excuse::NoRight || excuse == Excuse::Blocked || is_safe()) {
            moves.push(castle);
        }
    }
}

fn is_right(game: &GameDef, right: usize, side: Color, partner: Square) -> bool {
    game.rights[right].color == side && game.rights[right].kind == RightKind::Castle(partner)
}

fn has_right(game: &GameDef, setup: &Setup, side: Color, partner: Square) -> bool {
    setup.rights.iter().any(|right| is_right(game, right, side, partner))
}

/// Castles with whatever stands on the partner's square, after a move of the other side that took
/// the right away.
fn add_castling_after(state: &State, moves: &mut Vec<Move>, took: fn(&GameDef, &Position, Move, Square) -> bool) {
    let (game, side) = (Arc::clone(state.position.game()), state.side());
    for (before, mv) in &state.history {
        let wings = game.castling_wings().iter();
        for wing in wings.filter(|wing| wing.color == side) {
            let had = has_right(&game, &before.setup().clone(), side, wing.partner_from);
            let mut path = wing.empty.iter().chain(&wing.crossed).chain([&wing.king_to]);
            let is_free = path.all(|&square| state.position.is_empty(square) || square == wing.partner_from);
            let king = Move::normal(wing.king_from, wing.king_to);
            if had
                && took(&game, before, *mv, wing.partner_from)
                && is_free
                && state.king() == wing.king_from
                && !state.position.in_check()
                && state.position.play_unchecked(king).checkers(side).is_empty()
            {
                moves.push(king);
            }
        }
    }
}

/// Pawns of the side to move, and the square so many squares from each, forward and to the right.
fn pawns(state: &State) -> impl Iterator<Item = (Square, Piece)> {
    let (side, pawn) = (state.side(), state.position.game().first_pawn());
    state.position.pieces().filter(move |(_, piece)| piece.color == side && piece.kind == pawn)
}

/// Adds double steps in these directions (files of each step) that `is_wanted`, given the rank and
/// whether a piece is passed.
fn add_double_steps(state: &State, moves: &mut Vec<Move>, files: &[i16], is_wanted: fn(u8, bool) -> bool) {
    let game = state.position.game();
    let (board, side) = (&game.board, state.side());
    let forward = if side == Color::White { 1 } else { -1 };
    for (from, _) in pawns(state) {
        for file in files {
            let step = |times: i16| {
                board.square_at(
                    i16::from(board.file(from)) + times * file,
                    i16::from(board.rank(from)) + times * forward,
                )
            };
            let (Some(passed), Some(to)) = (step(1), step(2)) else { continue };
            let is_home = state.position.piece_at(to).is_none() && game.promotion_on(side, to).is_none();
            let mv = Move::DoubleStep { from, to, passed, wall: None };
            if is_home
                && is_wanted(board.relative_rank(side, from), state.position.piece_at(passed).is_some())
                && state.position.play_unchecked(mv).checkers(side).is_empty()
            {
                moves.push(mv);
            }
        }
    }
}

/// Adds captures en passant of every pawn that could just have made its double step.
fn add_stale_en_passant(state: &State, moves: &mut Vec<Move>) {
    let setup = state.position.setup().clone();
    if setup.en_passant != EnPassantField::None {
        return;
    }
    let board = &state.position.game().board;
    for square in board.squares() {
        let field = EnPassantField::One(square);
        let with = Setup { en_passant: field, ..setup.clone() };
        if let Ok((position, _)) = Position::from_setup(state.position.game(), &with) {
            moves.extend(position.legal_moves().into_iter().filter(|&mv| is_en_passant(mv)));
        }
    }
}

/// The position without the piece on a square.
fn without(state: &State, square: Square) -> Option<Position> {
    let mut setup = state.position.setup().clone();
    setup.pieces[square.index()] = None;
    Position::from_setup(state.position.game(), &setup).ok().map(|(position, _)| position)
}

fn is_pinned(state: &State, square: Square) -> bool {
    square != state.king() && !state.position.in_check() && without(state, square).is_some_and(|open| open.in_check())
}

fn captures(state: &State, mv: Move) -> bool {
    state.position.is_capture(mv)
}

/// Pieces between two squares of a line.
fn between(state: &State, from: Square, to: Square) -> Vec<Piece> {
    let board = &state.position.game().board;
    let (files, ranks) = (
        i16::from(board.file(to)) - i16::from(board.file(from)),
        i16::from(board.rank(to)) - i16::from(board.rank(from)),
    );
    let steps = files.abs().max(ranks.abs());
    if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
        return Vec::new();
    }
    let square = |step: i16| {
        board.square_at(
            i16::from(board.file(from)) + step * files.signum(),
            i16::from(board.rank(from)) + step * ranks.signum(),
        )
    };
    (1..steps).filter_map(|step| state.position.piece_at(square(step)?)).collect()
}

/// Removes the promotions to a kind.
fn no_promotion_to(game: &mut GameDef, letter: char) {
    let kind = game.kinds.by_letter(letter).unwrap();
    game.pawns.promotion.iter_mut().for_each(|rank| rank.kinds.retain(|&choice| game.kinds[choice].letter != letter));
    assert!(!game.pawns.promotion.iter().any(|rank| rank.kinds.contains(&kind)));
}

/// Removes the paths of a kind that are not wanted.
fn keep_paths(game: &mut GameDef, letter: char, is_wanted: impl Fn(&assay_rules::movement::Path) -> bool) {
    let kind = game.kinds.by_letter(letter).unwrap();
    let paths = &mut game.kinds[kind].movement.paths;
    let before = paths.len();
    paths.retain(|path| is_wanted(path));
    assert!(paths.len() < before);
}

const fn moves(game: &'static str, rule: &'static str, change: fn(&State, &mut Vec<Move>)) -> Mutant {
    Mutant { game, rule, fault: Fault::Moves(change) }
}

const fn definition(game: &'static str, rule: &'static str, change: fn(&mut GameDef)) -> Mutant {
    Mutant { game, rule, fault: Fault::Definition(change) }
}

const fn successor(game: &'static str, rule: &'static str, change: fn(&State, Move, &mut Setup)) -> Mutant {
    Mutant { game, rule, fault: Fault::Successor(change) }
}

const MUTANTS: &[Mutant] = &[
    // En passant.
    moves("chess", "en passant ignores a pin along the rank", |state, moves| {
        add_pinned_en_passant(state, moves, |_, ranks| ranks == 0);
    }),
    moves("chess", "en passant ignores a pin along the diagonal", |state, moves| {
        add_pinned_en_passant(state, moves, |files, ranks| files == ranks);
    }),
    moves("chess", "en passant ignores a pin along the file", |state, moves| {
        add_pinned_en_passant(state, moves, |files, _| files == 0);
    }),
    moves("chess", "no en passant", |_, moves| moves.retain(|&mv| !is_en_passant(mv))),
    moves("chess", "no en passant in check", |state, moves| {
        moves.retain(|&mv| !is_en_passant(mv) || !state.position.in_check());
    }),
    moves("chess", "en passant at any later move", add_stale_en_passant),
    moves("chess", "no en passant for Black", |state, moves| {
        moves.retain(|&mv| !is_en_passant(mv) || state.side() == Color::White);
    }),
    moves("chess", "no en passant to the left", |state, moves| {
        let board = &state.position.game().board;
        moves.retain(|&mv| !is_en_passant(mv) || board.file(mv.to()) > board.file(mv.from()));
    }),
    successor("chess", "en passant leaves the pawn", |state, mv, setup| {
        if let Move::EnPassant { victim, .. } = mv {
            setup.pieces[victim.index()] = state.position.piece_at(victim);
        }
    }),
    // Pawns.
    moves("chess", "double step over a piece", |state, moves| {
        add_double_steps(state, moves, &[0], |rank, over| rank == 2 && over);
    }),
    moves("chess", "double step from the third rank", |state, moves| {
        add_double_steps(state, moves, &[0], |rank, over| rank == 3 && !over);
    }),
    moves("chess", "no double step", |_, moves| moves.retain(|mv| !matches!(mv, Move::DoubleStep { .. }))),
    moves("chess", "no double step in check", |state, moves| {
        moves.retain(|mv| !matches!(mv, Move::DoubleStep { .. }) || !state.position.in_check());
    }),
    definition("chess", "no promotion to a knight", |game| no_promotion_to(game, 'N')),
    definition("chess", "no promotion to a bishop", |game| no_promotion_to(game, 'B')),
    definition("chess", "no promotion to a rook", |game| no_promotion_to(game, 'R')),
    moves("chess", "underpromotions do not capture", |state, moves| {
        let queen = state.position.game().kinds.by_letter('Q');
        moves.retain(|&mv| mv.promotion().is_none() || mv.promotion() == queen || !captures(state, mv));
    }),
    moves("chess", "no promotion by a capture", |state, moves| {
        moves.retain(|&mv| mv.promotion().is_none() || !captures(state, mv));
    }),
    moves("chess", "no promotion in check", |state, moves| {
        moves.retain(|&mv| mv.promotion().is_none() || !state.position.in_check());
    }),
    // Castling.
    moves("chess", "castling out of check", |state, moves| add_castling(state, moves, Excuse::Check)),
    moves("chess", "castling through check", |state, moves| add_castling(state, moves, Excuse::Path)),
    moves("chess", "castling into check", |state, moves| add_illegal(state, moves, |mv, _, _| is_castle(mv))),
    moves("chess", "castling over a piece beside the rook", |state, moves| add_castling(state, moves, Excuse::Blocked)),
    moves("chess", "castling without the right", |state, moves| add_castling(state, moves, Excuse::NoRight)),
    moves("chess", "no long castling if b1 or b8 is attacked", |state, moves| {
        let board = &state.position.game().board;
        moves.retain(|&mv| {
            let Move::Castle { from, to, .. } = mv else { return true };
            let beside = board.square_at(1, i16::from(board.rank(from)));
            let is_attacked = beside.is_some_and(|square| {
                let king = Move::normal(from, square);
                !state.position.play_unchecked(king).checkers(state.side()).is_empty()
            });
            board.file(to) > board.file(from) || !is_attacked
        });
    }),
    moves("chess", "no castling for a side whose rook is attacked", |state, moves| {
        let wings = state.position.game().castling_wings();
        moves.retain(|&mv| {
            let Move::Castle { wing, from, .. } = mv else { return true };
            let rook = Move::normal(from, wings[wing].partner_from);
            state.position.play_unchecked(rook).checkers(state.side()).is_empty()
        });
    }),
    moves("chess", "no long castling", |state, moves| {
        let board = &state.position.game().board;
        moves.retain(|&mv| !is_castle(mv) || board.file(mv.to()) > board.file(mv.from()));
    }),
    moves("chess", "the right stays when the rook moves", |state, moves| {
        add_castling_after(state, moves, |_, _, mv, partner| mv.from() == partner);
    }),
    moves("chess", "the right stays when the rook is captured", |state, moves| {
        add_castling_after(state, moves, |_, _, mv, partner| mv.to() == partner && mv.promotion().is_none());
    }),
    moves("chess", "the right stays when a promoting pawn captures the rook", |state, moves| {
        add_castling_after(state, moves, |_, _, mv, partner| mv.to() == partner && mv.promotion().is_some());
    }),
    successor("chess", "both rights go when one rook moves", |state, mv, setup| {
        if state.moves(mv, 'R') {
            let game = state.position.game();
            let of_side: Vec<usize> =
                setup.rights.iter().filter(|&right| game.rights[right].color == state.side()).collect();
            let had = state.position.rights().iter().filter(|&right| game.rights[right].color == state.side()).count();
            if of_side.len() < had {
                for right in of_side {
                    setup.rights.remove(right);
                }
            }
        }
    }),
    successor("chess", "the rook stays when castling", |state, mv, setup| {
        if let Move::Castle { wing, .. } = mv {
            let wing = &state.position.game().castling_wings()[wing];
            setup.pieces[wing.partner_from.index()] = setup.pieces[wing.partner_to.index()].take();
        }
    }),
    // Checks and pins.
    moves("chess", "pins by bishops are ignored", |state, moves| add_pinned(state, moves, 'B')),
    moves("chess", "pins by rooks are ignored", |state, moves| add_pinned(state, moves, 'R')),
    moves("chess", "pins by queens are ignored", |state, moves| add_pinned(state, moves, 'Q')),
    moves("chess", "pinned knights move", |state, moves| {
        add_illegal(state, moves, |mv, _, _| state.moves(mv, 'N') && !state.position.in_check());
    }),
    moves("chess", "pinned pawns capture", |state, moves| {
        add_illegal(state, moves, |mv, _, _| {
            state.moves(mv, 'P') && captures(state, mv) && !is_en_passant(mv) && !state.position.in_check()
        });
    }),
    moves("chess", "pinned pawns advance", |state, moves| {
        add_illegal(state, moves, |mv, _, _| {
            state.moves(mv, 'P') && !captures(state, mv) && !state.position.in_check()
        });
    }),
    moves("chess", "pinned pieces do not move along the pin", |state, moves| {
        let pinned: Vec<Square> =
            state.position.pieces().map(|(square, _)| square).filter(|&square| is_pinned(state, square)).collect();
        moves.retain(|mv| !pinned.contains(&mv.from()));
    }),
    moves("chess", "a pinned piece does not capture its pinner", |state, moves| {
        moves.retain(|&mv| !captures(state, mv) || !is_pinned(state, mv.from()));
    }),
    moves("chess", "a double check is answered as a single one", |state, moves| {
        let checkers = state.position.checkers(state.side());
        add_illegal(state, moves, |mv, _, attackers| {
            checkers.len() > 1 && mv.from() != state.king() && attackers.len() < checkers.len()
        });
    }),
    moves("chess", "the king steps back along the ray of the check", |state, moves| {
        let checkers = state.position.checkers(state.side());
        add_illegal(state, moves, |mv, _, attackers| {
            mv.from() == state.king()
                && !captures(state, mv)
                && attackers.iter().all(|attacker| checkers.contains(attacker))
                && attackers.iter().all(|&attacker| {
                    let board = &state.position.game().board;
                    board.distance(attacker, mv.to()) > board.distance(attacker, mv.from())
                })
        });
    }),
    moves("chess", "the king captures a protected piece", |state, moves| {
        add_illegal(state, moves, |mv, _, _| mv.from() == state.king() && captures(state, mv));
    }),
    moves("chess", "the kings touch", |state, moves| {
        add_illegal(state, moves, |mv, _, attackers| {
            mv.from() == state.king() && attackers.iter().all(|&square| state.is(square, 'K'))
        });
    }),
    moves("chess", "the king steps to squares that pawns attack", |state, moves| {
        add_illegal(state, moves, |mv, _, attackers| {
            mv.from() == state.king() && attackers.iter().all(|&square| state.is(square, 'P'))
        });
    }),
    moves("chess", "checks by knights are ignored", |state, moves| add_in_check_by(state, moves, 'N')),
    moves("chess", "checks by pawns are ignored", |state, moves| add_in_check_by(state, moves, 'P')),
    moves("chess", "checks are not blocked", |state, moves| {
        moves.retain(|&mv| !state.position.in_check() || mv.from() == state.king() || captures(state, mv));
    }),
    moves("chess", "the checking piece is captured by the king only", |state, moves| {
        moves.retain(|&mv| !state.position.in_check() || mv.from() == state.king() || !captures(state, mv));
    }),
    definition("chess", "bishops move six squares at most", |game| {
        let bishop = game.kinds.by_letter('B').unwrap();
        for path in &mut game.kinds[bishop].movement.paths {
            path.kind = PathKind::Ride { range: std::num::NonZeroU8::new(6) };
        }
    }),
    definition("chess", "knights lack a leap", |game| {
        keep_paths(game, 'N', |path| (path.delta.file, path.delta.rank) != (2, -1));
    }),
    // Berolina pawns.
    moves("berolina", "en passant ignores pins", |state, moves| {
        add_illegal(state, moves, |mv, _, _| is_en_passant(mv) && !state.position.in_check());
    }),
    moves("berolina", "no en passant", |_, moves| moves.retain(|&mv| !is_en_passant(mv))),
    moves("berolina", "no en passant of a pawn on the right", |state, moves| {
        let board = &state.position.game().board;
        moves.retain(|&mv| match mv {
            Move::EnPassant { to, victim, .. } => board.file(victim) < board.file(to),
            _ => true,
        });
    }),
    successor("berolina", "en passant leaves the pawn", |state, mv, setup| {
        if let Move::EnPassant { victim, .. } = mv {
            setup.pieces[victim.index()] = state.position.piece_at(victim);
        }
    }),
    moves("berolina", "double step over a piece", |state, moves| {
        add_double_steps(state, moves, &[-1, 1], |rank, over| rank == 2 && over);
    }),
    moves("berolina", "double step from the third rank", |state, moves| {
        add_double_steps(state, moves, &[-1, 1], |rank, over| rank == 3 && !over);
    }),
    moves("berolina", "double step to the right only", |state, moves| {
        let board = &state.position.game().board;
        moves.retain(|mv| !matches!(mv, Move::DoubleStep { from, to, .. } if board.file(*to) < board.file(*from)));
    }),
    moves("berolina", "no promotion by a capture", |state, moves| {
        moves.retain(|&mv| mv.promotion().is_none() || !captures(state, mv));
    }),
    moves("berolina", "checks by pawns are ignored", |state, moves| add_in_check_by(state, moves, 'P')),
    moves("berolina", "the king steps to squares that pawns attack", |state, moves| {
        add_illegal(state, moves, |mv, _, attackers| {
            mv.from() == state.king() && attackers.iter().all(|&square| state.is(square, 'P'))
        });
    }),
    // Hoppers of Gamma2.
    moves("gamma2", "pins by ships are ignored", |state, moves| add_pinned(state, moves, 'S')),
    moves("gamma2", "pins by archers are ignored", |state, moves| add_pinned(state, moves, 'A')),
    moves("gamma2", "ships hop over their own pieces only", |state, moves| {
        let side = state.side();
        moves.retain(|&mv| {
            !state.moves(mv, 'S')
                || !captures(state, mv)
                || between(state, mv.from(), mv.to()).iter().all(|screen| screen.color == side)
        });
    }),
    moves("gamma2", "archers hop over enemy pieces only", |state, moves| {
        let side = state.side();
        moves.retain(|&mv| {
            !state.moves(mv, 'A')
                || !captures(state, mv)
                || between(state, mv.from(), mv.to()).iter().all(|screen| screen.color != side)
        });
    }),
    moves("gamma2", "a check over a screen is ignored if a piece becomes the screen", |state, moves| {
        let king = state.king();
        add_illegal(state, moves, |mv, _, attackers| {
            !state.position.in_check()
                && mv.from() != king
                && attackers.iter().all(|&square| {
                    let screens = between(state, square, king);
                    screens.is_empty() && (state.is(square, 'S') || state.is(square, 'A'))
                })
        });
    }),
    moves("gamma2", "the screen of a check does not move away", |state, moves| {
        let king = state.king();
        let checkers = state.position.checkers(state.side());
        moves.retain(|&mv| {
            checkers.is_empty()
                || mv.from() == king
                || captures(state, mv)
                || !checkers.iter().any(|&checker| {
                    without(state, mv.from()).is_some_and(|open| !open.checkers(state.side()).contains(&checker))
                })
        });
    }),
    definition("gamma2", "the king castles through check on its third square", |game| {
        for wing in &mut game.mechanisms.castling.as_mut().unwrap().wings {
            wing.crossed.truncate(1);
        }
    }),
    definition("gamma2", "ships move like rooks only", |game| {
        keep_paths(game, 'S', |path| path.kind != PathKind::Leap);
    }),
    definition("gamma2", "no promotion to an archer", |game| no_promotion_to(game, 'A')),
    // Cannons of Gunnery.
    moves("gunnery", "no cannons", |_, moves| moves.retain(|mv| !matches!(mv, Move::Cannon { .. }))),
    moves("gunnery", "no cannons in check", |state, moves| {
        moves.retain(|mv| !matches!(mv, Move::Cannon { .. }) || !state.position.in_check());
    }),
    moves("gunnery", "cannons do not capture pawns", |state, moves| {
        moves.retain(|mv| !matches!(mv, Move::Cannon { target, .. } if state.is(*target, 'P')));
    }),
    moves("gunnery", "checks by cannons are ignored", |state, moves| add_in_check_by(state, moves, 'P')),
    moves("gunnery", "pinned cannons fire", |state, moves| {
        add_illegal(state, moves, |mv, _, _| matches!(mv, Move::Cannon { .. }) && !state.position.in_check());
    }),
    moves("gunnery", "a piece becomes the screen of a cannon at the king", |state, moves| {
        add_illegal(state, moves, |mv, _, attackers| {
            !state.position.in_check()
                && mv.from() != state.king()
                && attackers.iter().all(|&square| state.is(square, 'P'))
        });
    }),
    successor("gunnery", "a cannon that fires stays", |state, mv, setup| {
        if let Move::Cannon { from, .. } = mv {
            setup.pieces[from.index()] = state.position.piece_at(from);
        }
    }),
    successor("gunnery", "a rook that a cannon captures keeps its right", |state, mv, setup| {
        if let Move::Cannon { target, .. } = mv
            && state.is(target, 'R')
        {
            setup.pieces[target.index()] = state.position.piece_at(target);
            setup.rights = state.position.rights();
        }
    }),
    // Scorpions.
    moves("scorpion", "scorpions do not leap sideways", |state, moves| {
        let board = &state.position.game().board;
        moves.retain(|&mv| !state.moves(mv, 'S') || board.file(mv.from()).abs_diff(board.file(mv.to())) < 2);
    }),
    moves("scorpion", "scorpions do not promote by leaping", |state, moves| {
        let board = &state.position.game().board;
        moves.retain(|&mv| mv.promotion().is_none() || board.file(mv.from()).abs_diff(board.file(mv.to())) < 2);
    }),
    moves("scorpion", "en passant ignores pins", |state, moves| {
        add_illegal(state, moves, |mv, _, _| is_en_passant(mv) && !state.position.in_check());
    }),
    moves("scorpion", "checks by scorpions are ignored", |state, moves| add_in_check_by(state, moves, 'S')),
    // Apothecary Chess 2.
    moves("apothecary2", "the joker never moves as a king", |state, moves| {
        let game = state.position.game();
        if state.position.last_moved_as(!state.side()) == game.kinds.king() {
            moves.retain(|&mv| !state.moves(mv, 'J'));
        }
    }),
    moves("apothecary2", "the joker never moves as a pawn", |state, moves| {
        if state.position.last_moved_as(!state.side()) == Some(state.position.game().first_pawn()) {
            moves.retain(|&mv| !state.moves(mv, 'J'));
        }
    }),
    moves("apothecary2", "the joker does not capture", |state, moves| {
        moves.retain(|&mv| !state.moves(mv, 'J') || !captures(state, mv));
    }),
    moves("apothecary2", "checks by the joker are ignored", |state, moves| add_in_check_by(state, moves, 'J')),
    successor("apothecary2", "the joker keeps its power", |state, _, setup| {
        let mover = state.side();
        setup.last_moved_as[mover] = state.position.last_moved_as(mover);
    }),
    moves("apothecary2", "no gating by a capture", |state, moves| {
        moves.retain(|&mv| mv.gate().is_none() || !captures(state, mv));
    }),
    moves("apothecary2", "no gating in check", |state, moves| {
        moves.retain(|&mv| mv.gate().is_none() || !state.position.in_check());
    }),
    definition("apothecary2", "gating a move too long", |game| {
        game.mechanisms.gating.as_mut().unwrap().last_move.0.iter_mut().for_each(|last| *last += 1);
    }),
    successor("apothecary2", "the right to gate stays after a move", |state, mv, setup| {
        if mv.gate().is_none() && !captures(state, mv) && state.position.in_check() {
            setup.pockets = assay_rules::ByColor([Vec::new(), Vec::new()]);
        }
    }),
    moves("apothecary2", "hanging squares are not captured on", |state, moves| {
        let hanging = state.position.game().board.hanging();
        moves.retain(|&mv| !hanging.contains(mv.to()));
    }),
    moves("apothecary2", "hanging squares are not left", |state, moves| {
        let hanging = state.position.game().board.hanging();
        moves.retain(|&mv| !hanging.contains(mv.from()));
    }),
    moves("apothecary2", "pawns must promote where they may", |_, moves| {
        let promotions: Vec<(Square, Square)> =
            moves.iter().filter(|mv| mv.promotion().is_some()).map(|mv| (mv.from(), mv.to())).collect();
        moves.retain(|mv| mv.promotion().is_some() || !promotions.contains(&(mv.from(), mv.to())));
    }),
    definition("apothecary2", "no promotion on the eighth rank", |game| {
        game.pawns.promotion.retain(|rank| rank.rank != 8);
    }),
    definition("apothecary2", "elephants lack their first leap of four squares", |game| {
        keep_paths(game, 'E', |path| path.delta.file.abs() != 4 && path.delta.rank.abs() != 4);
    }),
    definition("apothecary2", "zebras have their first moves always", |game| {
        let zebra = game.kinds.by_letter('Z').unwrap();
        game.kinds[zebra].movement.paths.iter_mut().for_each(|path| path.initial = false);
    }),
    // Drops.
    definition("crazyhouse", "pawns are dropped on the last rank", |game| {
        let pawn = game.first_pawn();
        let all: Vec<Square> = game.board.squares().collect();
        let zones = &mut game.mechanisms.drops.as_mut().unwrap().zones[pawn.index()];
        for color in Color::ALL {
            let last = if color == Color::White { game.board.ranks() - 1 } else { 0 };
            all.iter()
                .filter(|&&square| game.board.rank(square) == last)
                .for_each(|&square| zones[color].insert(square));
        }
    }),
    moves("crazyhouse", "no check by a drop", |state, moves| {
        moves.retain(|&mv| !matches!(mv, Move::Drop { .. }) || !state.position.play(mv).in_check());
    }),
    moves("crazyhouse", "no drop blocks a check", |state, moves| {
        moves.retain(|mv| !matches!(mv, Move::Drop { .. }) || !state.position.in_check());
    }),
    moves("crazyhouse", "drops do not answer a check", |state, moves| {
        let side = state.side();
        let drops = state.position.pseudo_legal_moves().into_iter().filter(|mv| matches!(mv, Move::Drop { .. }));
        moves.extend(drops.filter(|&mv| !state.position.play_unchecked(mv).checkers(side).is_empty()));
    }),
    successor("crazyhouse", "a captured promoted piece stays what it is", |state, mv, setup| {
        let game = state.position.game();
        let victim = state.position.piece_at(mv.to()).filter(|_| captures(state, mv));
        if let Some(copied) = victim.and_then(|victim| game.kind(victim.kind).copy_of) {
            let pocket = &mut setup.pockets[state.side()];
            let pawn = pocket.iter().position(|&kind| kind == game.first_pawn()).unwrap();
            pocket[pawn] = copied;
            pocket.sort_unstable();
        }
    }),
    successor("crazyhouse", "a piece captured by a pawn is lost", |state, mv, setup| {
        if state.moves(mv, 'P') {
            setup.pockets[state.side()] = state.position.pocket(state.side()).to_vec();
        }
    }),
    // Other variants.
    successor("atomic", "explosions spare knights", |state, mv, setup| {
        for (square, _) in state.position.pieces().filter(|&(square, _)| state.is(square, 'N')) {
            let is_near = state.position.game().board.distance(square, mv.to()) == 1;
            if captures(state, mv) && is_near && square != mv.from() && square != mv.to() {
                setup.pieces[square.index()] = state.position.piece_at(square);
            }
        }
    }),
    successor("atomic", "explosions remove pawns", |state, mv, setup| {
        for (square, _) in state.position.pieces().filter(|&(square, _)| state.is(square, 'P')) {
            if captures(state, mv) && state.position.game().board.distance(square, mv.to()) == 1 {
                setup.pieces[square.index()] = None;
            }
        }
    }),
    moves("atomic", "a capture may explode the own king", |state, moves| {
        let side = state.side();
        let all = state.position.pseudo_legal_moves().into_iter();
        moves
            .extend(all.filter(|&mv| captures(state, mv) && royal(&state.position.play_unchecked(mv), side).is_none()));
    }),
    moves("atomic", "exploding the king does not answer a check", |state, moves| {
        let side = state.side();
        moves.retain(|&mv| !state.position.in_check() || royal(&state.position.play_unchecked(mv), !side).is_some());
    }),
    moves("atomic", "kings that touch are in check", |state, moves| {
        let board = Arc::clone(state.position.game());
        moves.retain(|&mv| {
            let after = state.position.play_unchecked(mv);
            let kings = (royal(&after, Color::White), royal(&after, Color::Black));
            !matches!(kings, (Some(white), Some(black)) if board.board.distance(white, black) == 1)
        });
    }),
    successor("3check", "the last check does not win", |state, _, setup| {
        let left = &mut setup.checks_left[state.side()];
        *left = (*left).max(1);
    }),
    definition("racingkings", "moves may give check", |game| game.mechanisms.forbidden_checks = None),
    definition("racingkings", "the last rank does not win", |game| game.mechanisms.goal = None),
    definition("kingofthehill", "the center does not win", |game| game.mechanisms.goal = None),
    definition("antichess", "captures are not forced", |game| game.mechanisms.forced_captures = None),
    definition("antichess", "no promotion to a king", |game| no_promotion_to(game, 'K')),
    moves("horde", "no double steps from the first rank", |state, moves| {
        let board = &state.position.game().board;
        moves.retain(|mv| {
            let is_step = state.moves(*mv, 'P') && board.distance(mv.from(), mv.to()) == 2;
            !is_step || board.relative_rank(state.side(), mv.from()) != board.first_rank()
        });
    }),
    moves("seirawan", "no gating on the rook's square when castling", |_, moves| {
        moves.retain(|mv| !matches!(mv, Move::Castle { from, gate: Some((_, square)), .. } if square != from));
    }),
    moves("seirawan", "no gating by a capture", |state, moves| {
        moves.retain(|&mv| mv.gate().is_none() || !captures(state, mv));
    }),
    moves("fischerandom", "no castling if the king stays in place", |state, moves| {
        let wings = state.position.game().castling_wings();
        moves.retain(|mv| !matches!(mv, Move::Castle { wing, from, .. } if wings[*wing].king_to == *from));
    }),
    moves("fischerandom", "castling through check", |state, moves| add_castling(state, moves, Excuse::Path)),
    definition("shogi", "two pawns on a file", |game| game.mechanisms.drops.as_mut().unwrap().pawns_per_file = None),
    definition("shogi", "a dropped pawn may mate", |game| game.mechanisms.drops.as_mut().unwrap().pawn_mate = true),
    definition("xiangqi", "kings may face each other", |game| game.mechanisms.flying_general = None),
    definition("duck", "the duck may stay", |game| game.mechanisms.walls = None),
];

/// The built-in positions of a game, those with the smallest counts first.
fn builtin(game: &str) -> Vec<Entry> {
    let game = GameDef::builtin(game).unwrap();
    let suites = read_embedded(Some(&game), &mut Games::default()).unwrap();
    let mut entries: Vec<Entry> = suites.into_iter().flat_map(|suite| suite.entries).collect();
    let count =
        |entry: &Entry| entry.counts.iter().find(|count| count.depth == DEPTH).map_or(u64::MAX, |count| count.nodes);
    entries.sort_by_key(count);
    entries
}

/// The counts of the right generator and of the mutant, if they differ.
fn difference(mutant: &Mutant, entry: &Entry) -> Option<[u64; 2]> {
    let right = right_divide(&entry.position, DEPTH);
    let wrong = mutant.divide(&State::new(&mutant.game(), &entry.fen), DEPTH);
    (right != wrong).then(|| [right, wrong].map(|counts| counts.values().sum()))
}

#[test]
fn every_mutant_is_found_in_the_builtin_positions() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutants.md");
    let update = std::env::var_os("UPDATE_SNAPSHOTS").is_some();
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let mut suites: BTreeMap<&str, Vec<Entry>> = BTreeMap::new();
    let mut text = "# Wrong rules and the positions that show them\n\n\
        Each row is a move generator with one wrong rule, and a built-in position in which it counts wrong at depth 3, the\n\
        default of `assay-perft compare`. `perft/tests/mutants.rs` has the generators, checks the table, and writes it with\n\
        `UPDATE_SNAPSHOTS=1`.\n\n| game | wrong rule | position | right | wrong |\n|---|---|---|---:|---:|\n"
        .to_owned();
    let mut survivors = Vec::new();
    for mutant in MUTANTS {
        let entries = suites.entry(mutant.game).or_insert_with(|| builtin(mutant.game));
        let row = mutant.row();
        let is_known = |entry: &&Entry| before.contains(&format!("{row}{}`", entry.fen));
        let others = entries.iter().filter(|entry| update && !is_known(entry));
        let found =
            entries.iter().filter(is_known).chain(others).find_map(|entry| Some((entry, difference(mutant, entry)?)));
        match found {
            Some((entry, [right, wrong])) => writeln!(text, "{row}{}` | {right} | {wrong} |", entry.fen).unwrap(),
            None => survivors.push(format!("{}: {}", mutant.game, mutant.rule)),
        }
    }
    if update {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(survivors, [""; 0]);
    assert!(update || text == before, "tests/mutants.md is not of these mutants: run with UPDATE_SNAPSHOTS=1");
    assert!(MUTANTS.len() >= 100);
}

/// Without a wrong rule, these generators count right.
#[test]
fn the_unbroken_generator_agrees() {
    for game in ["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2", "crazyhouse", "atomic"] {
        let unbroken = Mutant { game, rule: "", fault: Fault::Nothing };
        let entries = builtin(game);
        assert!(entries.len() > 3, "{game}");
        for entry in entries.iter().take(4) {
            assert_eq!(difference(&unbroken, entry), None, "{game}: {}", entry.fen);
        }
    }
}

/// Prints, for each mutant that is not in `mutants.md`, lines for the suite that do.
#[test]
#[ignore = "a tool: run it after a new mutant, and add a line"]
fn find_positions() {
    let table = include_str!("mutants.md");
    for mutant in MUTANTS.iter().filter(|mutant| !table.contains(&mutant.row())) {
        let (game, broken) = (GameDef::builtin(mutant.game).unwrap(), mutant.game());
        let unbroken = Mutant { fault: Fault::Nothing, ..*mutant };
        let shows = |position: &Position| {
            let fen = position.fen();
            let right = unbroken.divide(&State::new(&game, &fen), 2);
            right != mutant.divide(&State::new(&broken, &fen), 2)
        };
        let random = (0..3_000).map(|index| random_position(&game, 1, index));
        let mut found: Vec<(usize, Position)> =
            random.filter(shows).take(12).map(|position| (position.legal_moves().len(), position)).collect();
        found.sort_by_key(|(count, _)| *count);
        println!("# {}: {}", mutant.game, mutant.rule);
        if let Some((_, position)) = found.first() {
            let counts =
                (1..=DEPTH).map(|depth| format!(" ;D{depth} {}", right_divide(position, depth).values().sum::<u64>()));
            println!("{} ;variant {}{}", position.fen(), mutant.game, counts.collect::<String>());
        }
    }
}
