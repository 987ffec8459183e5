//! Playing moves in standard algebraic notation with the engine's generator, which is many times
//! faster than the reference.

use std::sync::Arc;

use assay_engine::{CompiledRuleset, Move, MoveList, Position, Tables, Visitor, dispatch};
use assay_rules::{GameDef, Kind, Outcome, Square};

use crate::game::PackedMove;

/// Makes boards of one game from their starts.
pub(super) type Boards = Box<dyn Fn(&assay_rules::Position) -> Box<dyn Board> + Send + Sync>;

/// A position of a game with those before it. Behind a trait, so that what reads moves is compiled
/// once, not for every ruleset.
pub(super) trait Board {
    /// Passes the legal moves to a square to `look`, or for `None` those of castling, with their
    /// numbers for [`Board::play`].
    fn moves(&mut self, to: Option<Square>, look: &mut dyn FnMut(usize, &Candidate));

    /// Plays one of the moves that were looked at.
    fn play(&mut self, number: usize) -> PackedMove;

    /// Plays a move; returns false if it is not legal.
    fn play_packed(&mut self, mv: PackedMove) -> bool;

    /// The outcome if the rules end the game here.
    fn outcome(&self) -> Option<Outcome>;
}

/// What moves in notation are compared with.
pub(super) struct Candidate {
    from: Square,
    /// The kind that moves, whether promoted or not.
    kind: Kind,
    promotion: Option<Kind>,
    is_capture: bool,
    /// For castling, whether the king moves toward the last file.
    castles_toward_last_file: Option<bool>,
    /// False for what only the reference reads: drops, gating and shots of cannons.
    is_plain: bool,
}

/// The boards of a game.
pub(super) fn boards(game: &Arc<GameDef>) -> Boards {
    struct Make;
    impl Visitor for Make {
        type Output = Boards;

        fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Boards {
            Box::new(move |start| {
                Box::new(EngineBoard { position: Position::new(&tables, start), legal: MoveList::new() })
            })
        }
    }
    dispatch(game, Make)
}

struct EngineBoard<R: CompiledRuleset> {
    position: Position<R>,
    legal: MoveList,
}

impl<R: CompiledRuleset> EngineBoard<R> {
    fn candidate(&self, mv: Move) -> Candidate {
        let position = &self.position;
        let game = position.game();
        let castles_toward_last_file = mv.is_castle().then(|| {
            let mv = position.to_rules_move(mv);
            game.board.file(mv.to()) > game.board.file(mv.from())
        });
        Candidate {
            from: mv.from(),
            kind: game.kinds.original(position.moved_kind(mv)),
            promotion: mv.promotion().map(|kind| game.kinds.original(kind)),
            is_capture: position.is_capture(mv),
            castles_toward_last_file,
            is_plain: mv.gate().is_none() && mv.wall().is_none() && mv.dropped().is_none() && !mv.is_cannon(),
        }
    }
}

impl<R: CompiledRuleset> Board for EngineBoard<R> {
    fn moves(&mut self, to: Option<Square>, look: &mut dyn FnMut(usize, &Candidate)) {
        self.position.legal_moves(&mut self.legal);
        for (number, &mv) in self.legal.as_slice().iter().enumerate() {
            if to.map_or(mv.is_castle(), |to| !mv.is_castle() && mv.to() == to) {
                look(number, &self.candidate(mv));
            }
        }
    }

    fn play(&mut self, number: usize) -> PackedMove {
        let mv = self.legal.as_slice()[number];
        let packed = PackedMove::of_engine(mv, self.position.game());
        self.position.make(mv);
        packed
    }

    fn play_packed(&mut self, mv: PackedMove) -> bool {
        self.position.legal_moves(&mut self.legal);
        let game = self.position.game();
        let found = self.legal.into_iter().find(|&legal| PackedMove::of_engine(legal, game) == mv);
        if let Some(mv) = found {
            self.position.make(mv);
        }
        found.is_some()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }
}

/// Plays a move as most programs write it: a piece's letter, the file or rank of its origin where
/// needed, `x`, the target, `=` and a promotion, or castling. `None` for anything else and for
/// moves that are not exactly one legal move: the reference reads them.
pub(super) fn play_san(game: &GameDef, board: &mut dyn Board, text: &str) -> Option<PackedMove> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let castling = match text {
        "O-O" => Some(true),
        "O-O-O" => Some(false),
        _ => None,
    };
    let mut found = None;
    let mut count = 0;
    let mut add = |number: usize, fits: bool| {
        if fits {
            (found, count) = (Some(number), count + 1);
        }
    };
    if castling.is_some() {
        board.moves(None, &mut |number, candidate| {
            add(number, candidate.is_plain && candidate.castles_toward_last_file == castling);
        });
    } else {
        let (kind, rest) = if text.starts_with(|c: char| c.is_ascii_uppercase()) {
            game.kinds.parse(text)?
        } else {
            (game.first_pawn(), text)
        };
        let (squares, promotion) = match rest.split_once('=') {
            None => (rest, None),
            Some((squares, letter)) => (squares, Some(game.kinds.parse(letter).filter(|(_, rest)| rest.is_empty())?.0)),
        };
        let target = squares.rfind(|c: char| c.is_ascii_lowercase())?;
        let to = game.board.parse_square(&squares[target..])?;
        let (origin, captures) = match squares[..target].strip_suffix('x') {
            Some(origin) => (origin, true),
            None => (&squares[..target], false),
        };
        let file = origin.bytes().next().filter(u8::is_ascii_lowercase).map(|letter| letter - b'a');
        let rank = &origin[usize::from(file.is_some())..];
        let rank = match rank {
            "" => None,
            rank => Some((0..game.board.ranks()).find(|&number| game.board.rank_number(number).to_string() == rank)?),
        };
        if kind == game.first_pawn() && captures && file.is_none() {
            return None;
        }
        board.moves(Some(to), &mut |number, candidate| {
            let fits = candidate.is_plain
                && candidate.kind == kind
                && candidate.promotion == promotion
                && candidate.is_capture == captures
                && file.is_none_or(|file| game.board.file(candidate.from) == file)
                && rank.is_none_or(|rank| game.board.rank(candidate.from) == rank);
            add(number, fits);
        });
    }
    found.filter(|_| count == 1).map(|number| board.play(number))
}
