//! From a set-up to a playable position: what is refused, and what is dropped with a warning.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::{EnPassant, Position, Turn};
use crate::color::{ByColor, Color};
use crate::def::{GameDef, RightKind};
use crate::movement::Delta;
use crate::piece::Kind;
use crate::setup::{EnPassantField, Setup};
use crate::square::Square;

/// One reason why a set-up cannot be played from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// Not exactly one king on the board.
    #[error("{color} has {found} kings, expected 1")]
    Kings {
        /// Whose.
        color: Color,
        /// How many.
        found: usize,
    },
    /// The king of the side that has just moved could be captured.
    #[error("{color} is not to move, but its king on {king} can be captured by the piece on {attacker}")]
    Capturable {
        /// Whose king.
        color: Color,
        /// Its square.
        king: String,
        /// Where one of the attackers stands.
        attacker: String,
    },
    /// A pawn where none can be.
    #[error("{color} pawn on {square}: {why}")]
    Pawn {
        /// Whose.
        color: Color,
        /// Its square.
        square: String,
        /// Why no pawn can stand there.
        why: &'static str,
    },
    /// The en passant field leaves open which pawn can be captured.
    #[error("en passant square {square} has more than one possible victim ({victims}); write it behind the square")]
    Victims {
        /// The passed square.
        square: String,
        /// The squares of the possible victims.
        victims: String,
    },
    /// The en passant field names a passed square alone, and no pawn can be its victim. (Where the square alone tells the
    /// victim, such a field is only dropped: [`SetupWarning::EnPassant`].)
    #[error("en passant square {square} has no possible victim: no pawn can have passed there on the last move")]
    NoVictim {
        /// The passed square.
        square: String,
    },
    /// A two-move handicap after the first turn.
    #[error("turn `{turn}` at move {number}: two moves in a row are for move 1 only")]
    LateHandicap {
        /// The turn as the FEN writes it.
        turn: &'static str,
        /// The move number.
        number: u32,
    },
}

/// Everything that is wrong with a set-up; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupErrors(pub Vec<SetupError>);

impl fmt::Display for SetupErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            let gap = if index > 0 { "; " } else { "" };
            write!(f, "{gap}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupErrors {}

/// Something in a set-up that cannot be true and was left out of the position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupWarning {
    /// A right whose pieces are not where they would be unmoved.
    #[error("right `{letter}` dropped: its pieces do not stand on their first squares")]
    Right {
        /// The right's letter.
        letter: char,
    },
    /// An en passant field that no double step can have left.
    #[error("en passant `{text}` dropped: no pawn can have passed there on the last move")]
    EnPassant {
        /// The field.
        text: String,
    },
}

impl Position {
    /// Makes a set-up playable: rights without their pieces and untrue en passant fields are dropped with a warning.
    ///
    /// An en passant chance that is true but that no legal capture can use is dropped without one: positions never record it.
    ///
    /// # Errors
    /// All faults at once, when the position is impossible.
    pub fn from_setup(game: &Arc<GameDef>, setup: &Setup) -> Result<(Position, Vec<SetupWarning>), SetupErrors> {
        let mut faults = Vec::new();
        let mut warnings = Vec::new();
        let kings = find_kings(game, setup, &mut faults);
        check_pawns(game, setup, &mut faults);
        if !matches!(setup.turn, Turn::Single(_)) && setup.fullmove_number != 1 {
            faults.push(SetupError::LateHandicap {
                turn: setup.turn.text(),
                number: setup.fullmove_number,
            });
        }
        let Some(kings) = kings else {
            return Err(SetupErrors(faults));
        };
        let mut position = Position {
            game: Arc::clone(game),
            pieces: setup.pieces.clone(),
            kings,
            turn: setup.turn,
            rights: setup.rights,
            en_passant: None,
            pockets: setup.pockets.clone(),
            last_moved_as: setup.last_moved_as,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
        };
        position.drop_empty_rights(&mut warnings);
        let waiting = !position.side_to_move();
        if let Some(&attacker) = position.checkers(waiting).first() {
            faults.push(SetupError::Capturable {
                color: waiting,
                king: game.board.square_name(kings[waiting]),
                attacker: game.board.square_name(attacker),
            });
        }
        position.en_passant = position.believe_en_passant(setup.en_passant, &mut faults, &mut warnings);
        if !faults.is_empty() {
            return Err(SetupErrors(faults));
        }
        position.forget_idle_en_passant();
        Ok((position, warnings))
    }

    /// The set-up that this position is.
    pub fn to_setup(&self) -> Setup {
        Setup {
            pieces: self.pieces.clone(),
            pockets: self.pockets.clone(),
            last_moved_as: self.last_moved_as,
            turn: self.turn,
            rights: self.rights,
            en_passant: self.en_passant.map_or(EnPassantField::None, |chance| {
                EnPassantField::Two(chance.passed, chance.victim)
            }),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    fn drop_empty_rights(&mut self, warnings: &mut Vec<SetupWarning>) {
        let game = Arc::clone(&self.game);
        for index in self.rights.iter() {
            let right = &game.rights[index];
            let has = |square: Square, fits: &dyn Fn(Kind) -> bool| {
                self.piece_at(square)
                    .is_some_and(|piece| piece.color == right.color && fits(piece.kind))
            };
            let stands = match right.kind {
                RightKind::Castle(wing) => game.castling.as_ref().is_some_and(|castling| {
                    let wing = &castling.wings[wing];
                    has(wing.king_from, &|kind| kind == game.king)
                        && has(wing.partner_from, &|kind| kind == castling.partner)
                }),
                RightKind::Gate(square) => game
                    .gating
                    .as_ref()
                    .is_some_and(|gating| has(square, &|kind| gating.movers.contains(&kind))),
                RightKind::FirstMove(square) => has(square, &|kind| game.has_initial_moves(kind)),
            };
            if !stands {
                self.rights.remove(index);
                warnings.push(SetupWarning::Right { letter: right.letter });
            }
        }
    }

    /// Which double step, if any, can have left this field?
    fn believe_en_passant(
        &self,
        field: EnPassantField,
        faults: &mut Vec<SetupError>,
        warnings: &mut Vec<SetupWarning>,
    ) -> Option<EnPassant> {
        let board = &self.game.board;
        let (chances, text) = match field {
            EnPassantField::None => return None,
            EnPassantField::One(passed) => (self.possible_passers(passed), board.square_name(passed)),
            EnPassantField::Two(first, second) => {
                let fits = |passed: Square, victim: Square| {
                    self.possible_passers(passed)
                        .into_iter()
                        .filter(move |chance| chance.victim == victim)
                };
                let chances = fits(first, second).chain(fits(second, first)).collect();
                (chances, board.square_name(first) + &board.square_name(second))
            }
        };
        match chances.as_slice() {
            [] if matches!(field, EnPassantField::One(_)) && self.game.double_step_is_ambiguous() => {
                faults.push(SetupError::NoVictim { square: text });
                None
            }
            [] => {
                warnings.push(SetupWarning::EnPassant { text });
                None
            }
            [chance] => Some(*chance),
            several => {
                let victims: Vec<String> = several.iter().map(|chance| board.square_name(chance.victim)).collect();
                faults.push(SetupError::Victims {
                    square: text,
                    victims: victims.join(" or "),
                });
                None
            }
        }
    }

    /// All double steps that the side not to move can just have made over `passed`.
    fn possible_passers(&self, passed: Square) -> Vec<EnPassant> {
        let game = &self.game;
        let board = &game.board;
        let passer = !self.side_to_move();
        let empty = |square: Square| self.piece_at(square).is_none();
        if !game.has_en_passant() || !empty(passed) {
            return Vec::new();
        }
        let paths = game.kind(game.pawn).movement.paths.iter();
        paths
            .filter_map(|path| {
                let over = path.passed_offset()?;
                let origin = board.step(passed, over.times(-1), passer)?;
                let victim = board.step(origin, path.delta, passer)?;
                let pawn = self
                    .piece_at(victim)
                    .is_some_and(|piece| piece.color == passer && piece.kind == game.pawn);
                let true_step = pawn && empty(origin) && board.relative_rank(passer, origin) == game.pawn_home_rank;
                true_step.then_some(EnPassant { passed, victim })
            })
            .collect()
    }
}

fn find_kings(game: &GameDef, setup: &Setup, faults: &mut Vec<SetupError>) -> Option<ByColor<Square>> {
    let mut found = ByColor::<Vec<Square>>::default();
    for (index, piece) in setup.pieces.iter().enumerate() {
        if let Some(piece) = piece.filter(|piece| piece.kind == game.king) {
            found[piece.color].push(Square(index as u8));
        }
    }
    for color in Color::ALL {
        if found[color].len() != 1 {
            faults.push(SetupError::Kings {
                color,
                found: found[color].len(),
            });
        }
    }
    match (found[Color::White].as_slice(), found[Color::Black].as_slice()) {
        ([white], [black]) => Some(ByColor([*white, *black])),
        _ => None,
    }
}

fn check_pawns(game: &GameDef, setup: &Setup, faults: &mut Vec<SetupError>) {
    let board = &game.board;
    for (index, piece) in setup.pieces.iter().enumerate() {
        let Some(piece) = piece.filter(|piece| piece.kind == game.pawn) else {
            continue;
        };
        let square = Square(index as u8);
        let rank = board.relative_rank(piece.color, square);
        let why = if board.hanging().contains(square) {
            "no pawn can get to a hanging square"
        } else if rank >= game.last_rank() {
            "it must have been promoted there"
        } else if game.pawns_start_behind_nothing() && rank < game.pawn_home_rank {
            "no pawn can get behind the rank where pawns begin"
        } else {
            continue;
        };
        faults.push(SetupError::Pawn {
            color: piece.color,
            square: board.square_name(square),
            why,
        });
    }
}

impl GameDef {
    /// Do pawns begin on the second rank of the board, so that none can ever stand on the first? (Where they begin further
    /// up, a set-up may have pawns behind that rank.)
    fn pawns_start_behind_nothing(&self) -> bool {
        self.pawn_home_rank == self.board.first_rank() + 1
    }

    /// Has this kind, pawns apart, powers that only an unmoved piece has?
    pub fn has_initial_moves(&self, kind: Kind) -> bool {
        kind != self.pawn && self.kind(kind).movement.paths.iter().any(|path| path.initial)
    }

    /// One square straight ahead.
    pub const FORWARD: Delta = Delta::new(0, 1);
}
