//! Validation: from a [`Setup`] to a [`Position`].

use std::sync::Arc;

use super::mechanism::castling::{Castling, CastlingWing};
use super::mechanism::walls::WallRule;
use super::{EnPassant, EnPassantField, GameDef, Position, Setup, SetupError, SetupErrors, SetupWarning};
use crate::types::color::Color;
use crate::types::piece::{Kind, Piece};
use crate::types::rights::RightKind;
use crate::types::square::Square;
use crate::types::turn::Turn;

/// Maximum number of pieces on the board and in pockets, so that one byte can count them.
const MAX_PIECES: usize = 255;

impl Position {
    /// Validates a setup. Rights without their pieces and impossible en passant fields are ignored
    /// with a warning.
    ///
    /// A possible en passant field is ignored without a warning if no legal capture can use it.
    ///
    /// # Errors
    /// Returns all reasons why the position is impossible.
    pub fn from_setup(game: &Arc<GameDef>, setup: &Setup) -> Result<(Position, Vec<SetupWarning>), SetupErrors> {
        let mut errors = Vec::new();
        let mut warnings = setup.warnings.clone();
        check_kings(game, setup, &mut errors);
        check_sides(game, setup, &mut errors);
        check_pawns(game, setup, &mut errors);
        check_walls(game, setup, &mut errors);
        let pieces = setup.pieces.iter().flatten().count() + setup.pockets.0.iter().map(Vec::len).sum::<usize>();
        if pieces > MAX_PIECES {
            errors.push(SetupError::TooManyPieces { found: pieces });
        }
        if !matches!(setup.turn, Turn::Single(_)) && setup.fullmove_number != 1 {
            errors.push(SetupError::LateHandicap { turn: setup.turn.text(), number: setup.fullmove_number });
        }
        if !errors.is_empty() {
            return Err(SetupErrors(errors));
        }
        let valid = Setup { en_passant: EnPassantField::None, warnings: Vec::new(), ..setup.clone() };
        let mut position = Position { game: Arc::clone(game), setup: valid };
        position.drop_invalid_rights(&mut warnings);
        position.add_implied_rights(&mut warnings);
        let opponent = !position.side_to_move();
        // A capture that has exploded the last royal piece of a side may leave royal pieces of the
        // other side attacked.
        let is_over = game.mechanisms.explosions.is_some() && position.royals(!opponent).next().is_none();
        for royal in position.royals(opponent).filter(|_| !is_over) {
            let attacker = position
                .pieces()
                .find(|&(square, piece)| piece.color != opponent && position.attacks(square, piece, royal));
            errors.extend(attacker.map(|(attacker, _)| SetupError::KingCapturable {
                color: opponent,
                piece: position.piece_at(royal).map_or(String::new(), |piece| game.kind(piece.kind).name.clone()),
                square: game.board.square_name(royal),
                attacker: game.board.square_name(attacker),
            }));
        }
        let step = position.resolve_en_passant(setup.en_passant, &mut errors, &mut warnings);
        position.setup.en_passant =
            step.map_or(EnPassantField::None, |step| EnPassantField::Two(step.passed, step.victim));
        if !errors.is_empty() {
            return Err(SetupErrors(errors));
        }
        position.clear_unusable_en_passant();
        Ok((position, warnings))
    }

    /// The fields of the position's FEN.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    fn drop_invalid_rights(&mut self, warnings: &mut Vec<SetupWarning>) {
        let game = Arc::clone(&self.game);
        for index in self.rights().iter() {
            let right = &game.rights[index];
            let has = |square: Square, fits: &dyn Fn(Kind) -> bool| {
                self.piece_at(square).is_some_and(|piece| piece.color == right.color && fits(piece.kind))
            };
            let is_valid = match right.kind {
                RightKind::Castle(partner) => {
                    let wings = game.castling_wings().iter();
                    let mut open = wings.filter(|wing| wing.color == right.color && Castling::is_possible(self, wing));
                    // Of two partners on the same side of the king, the outer one castles.
                    let is_outer = |wing: &CastlingWing| {
                        let inner = wing.partner_from.min(wing.king_from)..=wing.partner_from.max(wing.king_from);
                        wing.partner_from == partner || inner.contains(&partner)
                    };
                    open.clone().any(|wing| wing.partner_from == partner)
                        && !open.any(|wing| wing.partner_from != partner && is_outer(wing))
                }
                RightKind::Gate(square) => game
                    .mechanisms
                    .gating
                    .as_ref()
                    .is_some_and(|gating| has(square, &|kind| gating.movers.contains(&kind))),
                RightKind::InitialMove(square) => has(square, &|kind| game.has_initial_moves(kind)),
            };
            if !is_valid {
                self.setup.rights.remove(index);
                warnings.push(SetupWarning::Right { letter: right.letter });
            }
        }
    }

    /// Pieces that can castle have not moved, so they can also gate, and a king and partner that
    /// can gate have not moved, so they can castle. As in Seirawan chess, a FEN need not say it.
    fn add_implied_rights(&mut self, warnings: &mut Vec<SetupWarning>) {
        let game = Arc::clone(&self.game);
        let has = |right: &RightKind, color: Color| {
            let is_it = |index: usize| game.rights[index].kind == *right && game.rights[index].color == color;
            self.rights().iter().any(is_it)
        };
        let gates = |square: Square, kind: Kind| {
            let color = self.piece_at(square).filter(|piece| piece.kind == kind).map(|piece| piece.color);
            color.filter(|&color| has(&RightKind::Gate(square), color))
        };
        let king = game.kinds.castling_king().filter(|_| game.mechanisms.gating.is_some());
        let kings = || game.board.squares().filter_map(|square| Some((square, gates(square, king?)?)));
        let mut implied = Vec::new();
        for (king_square, color) in kings() {
            let wings = game.castling_wings().iter();
            let wings: Vec<&CastlingWing> = wings.filter(|wing| wing.color == color).collect();
            let is_unmoved = |square: Square| {
                let is_beside = game.board.rank(square) == game.board.rank(king_square);
                is_beside && wings.iter().any(|wing| gates(square, wing.partner) == Some(color))
            };
            for partner in game.board.squares().filter(|&square| is_unmoved(square)) {
                let from = |wing: &&&CastlingWing| (wing.king_from, wing.partner_from) == (king_square, partner);
                let right = wings.iter().find(from).and_then(|wing| game.castling_right(wing));
                let warning = SetupWarning::Castling { color };
                match right {
                    Some(right) => implied.push(right),
                    None if warnings.contains(&warning) => {}
                    None => warnings.push(warning),
                }
            }
        }
        for right in implied {
            self.setup.rights.insert(right);
        }
        for index in game.rights_implied_by_castling(self.rights()).iter() {
            self.setup.rights.insert(index);
        }
    }

    /// Finds the double step that explains the en passant field.
    fn resolve_en_passant(
        &self,
        field: EnPassantField,
        errors: &mut Vec<SetupError>,
        warnings: &mut Vec<SetupWarning>,
    ) -> Option<EnPassant> {
        let board = &self.game.board;
        let (candidates, text) = match field {
            EnPassantField::None => return None,
            EnPassantField::One(passed) => (self.possible_double_steps(passed), board.square_name(passed)),
            EnPassantField::Two(first, second) => {
                let fits = |passed: Square, victim: Square| {
                    self.possible_double_steps(passed).into_iter().filter(move |step| step.victim == victim)
                };
                let candidates = fits(first, second).chain(fits(second, first)).collect();
                (candidates, board.square_name(first) + &board.square_name(second))
            }
        };
        match candidates.as_slice() {
            [] if matches!(field, EnPassantField::One(_)) && self.game.double_step_is_ambiguous() => {
                errors.push(SetupError::NoVictim { square: text });
                None
            }
            [] => {
                warnings.push(SetupWarning::EnPassant { text });
                None
            }
            [step] => Some(*step),
            several => {
                let victims: Vec<String> = several.iter().map(|chance| board.square_name(chance.victim)).collect();
                errors.push(SetupError::AmbiguousVictim { square: text, victims: victims.join(" or ") });
                None
            }
        }
    }

    /// Double steps over `passed` that can have been the last move.
    fn possible_double_steps(&self, passed: Square) -> Vec<EnPassant> {
        let game = &self.game;
        let board = &game.board;
        let mover = !self.side_to_move();
        let empty = |square: Square| self.piece_at(square).is_none();
        if !game.has_en_passant() || !empty(passed) {
            return Vec::new();
        }
        let steps = game.pawns.kinds.iter().flat_map(|&pawn| {
            let paths = game.kind(pawn).movement.paths.iter();
            paths.filter_map(move |path| {
                let over = path.passed_offset()?;
                let origin = board.step(passed, over.times(-1), mover)?;
                let victim = board.step(origin, path.delta, mover)?;
                let is_there = self.piece_at(victim) == Some(Piece { color: mover, kind: pawn });
                let rank = board.relative_rank(mover, origin);
                let can_start =
                    if path.initial { game.pawns.home[mover].contains(origin) } else { rank >= game.first_pawn_rank() };
                (is_there && empty(origin) && can_start).then_some(EnPassant { passed, victim })
            })
        });
        steps.collect()
    }
}

fn check_kings(game: &GameDef, setup: &Setup, errors: &mut Vec<SetupError>) {
    let Some(kind) = game.kinds.king() else { return };
    for color in Color::ALL.into_iter().filter(|&color| game.kinds.has_king(color)) {
        let on_board = setup.pieces.iter().flatten().filter(|&&piece| piece == Piece { color, kind });
        let in_pocket = setup.pockets[color].iter().filter(|&&other| other == kind && game.drops_kings());
        let found = on_board.count() + in_pocket.count();
        if found != 1 {
            errors.push(SetupError::Kings { color, found });
        }
    }
}

fn check_sides(game: &GameDef, setup: &Setup, errors: &mut Vec<SetupError>) {
    for (index, piece) in setup.pieces.iter().enumerate() {
        if let Some(Piece { color, kind }) = piece.filter(|piece| !game.kinds.may_own(piece.color, piece.kind)) {
            errors.push(SetupError::Side {
                color,
                piece: game.kind(kind).name.clone(),
                square: game.board.square_name(Square(index as u8)),
            });
        }
    }
}

fn check_walls(game: &GameDef, setup: &Setup, errors: &mut Vec<SetupError>) {
    let empty = |&square: &Square| setup.pieces[square.index()].is_none();
    let most = match (&game.mechanisms.walls, game.wall_rule()) {
        (None, _) => 0,
        (_, Some(WallRule::Duck)) => 1,
        _ => game.board.squares().filter(empty).count(),
    };
    let found = setup.walls.len();
    let are_on_empty = setup.walls.iter().all(|square| empty(&square));
    if found > most || !are_on_empty {
        errors.push(SetupError::Walls { found, most });
    }
}

fn check_pawns(game: &GameDef, setup: &Setup, errors: &mut Vec<SetupError>) {
    let board = &game.board;
    for (index, piece) in setup.pieces.iter().enumerate() {
        let Some(piece) = piece.filter(|piece| game.pawns.contains(piece.kind)) else {
            continue;
        };
        let square = Square(index as u8);
        let rank = board.relative_rank(piece.color, square);
        let hanging = board.hanging().contains(square);
        let why = if hanging && !game.pawns.hanging_squares[piece.color].contains(square) {
            "no pawn can reach this hanging square"
        } else if game.promotion_on(piece.color, square).is_some_and(|promotion| !promotion.optional) {
            "a pawn must promote on this rank"
        } else if rank < game.first_pawn_rank() {
            "no pawn can be behind its home rank"
        } else {
            continue;
        };
        errors.push(SetupError::Pawn { color: piece.color, square: board.square_name(square), why });
    }
}
