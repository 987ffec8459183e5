//! Validation: from a definition file to a [`GameDef`].

mod board;
mod castling;
mod exclusions;
mod pawns;
mod pieces;
mod rights;
mod starts;

use std::sync::Arc;

use super::error::DefError;
use super::file::Source;
use super::keys::{EndingKeys, GameKeys};
use crate::variant::GameDef;
use crate::variant::mechanism::bare_king::BareKing;
use crate::variant::mechanism::cannon::Cannon;
use crate::variant::mechanism::check_count::CheckCount;
use crate::variant::mechanism::flying_general::FlyingGeneral;
use crate::variant::mechanism::forbidden_checks::ForbiddenChecks;
use crate::variant::mechanism::forced_captures::ForcedCaptures;
use crate::variant::mechanism::handicaps::Handicaps;
use crate::variant::mechanism::immobility::ForbiddenImmobility;
use crate::variant::mechanism::joker::Joker;
use crate::variant::mechanism::{KeyError, Mechanisms, Parts, forbid, piece_promotion, required};
use crate::variant::pawns::Pawns;

impl GameDef {
    /// Parses and validates a definition file. `file` is its name for error messages.
    ///
    /// # Errors
    /// Returns the first error, with the file, line and key.
    ///
    /// ```
    /// use assay_rules::{GameDef, Position};
    ///
    /// let text = r#"
    ///     name = "wide-knights"
    ///     title = "Chess with camels"
    ///     base = "chess"
    ///     pieces.knight = { name = "camel", letter = "C", move = "C" }
    ///     promotion.8 = { to = "QRBC" }
    ///     endings.insufficient-material = ["", "B"]
    ///     [[starts]]
    ///     id = "1"
    ///     title = "array"
    ///     fen = "rcbqkbcr/pppppppp/8/8/8/8/PPPPPPPP/RCBQKBCR w KQkq - 0 1"
    /// "#;
    /// let game = GameDef::from_toml(text, "camels.toml").unwrap().into();
    /// assert_eq!(Position::start(&game).legal_moves().len(), 20);
    ///
    /// let error = GameDef::from_toml("name = 3", "bad.toml").unwrap_err();
    /// assert_eq!((error.line, error.column), (Some(1), Some(8)));
    /// ```
    pub fn from_toml(text: &str, file: &str) -> Result<GameDef, DefError> {
        Source::read(text, file)?.game()
    }

    /// Validates the keys of a definition. Error messages have `name` for the file, and no
    /// position.
    ///
    /// # Errors
    /// Returns the first error, with its key.
    pub fn from_keys(keys: GameKeys, name: &str) -> Result<GameDef, DefError> {
        Source::of_keys(keys, name)?.game()
    }
}

impl Source<'_> {
    fn game(&self) -> Result<GameDef, DefError> {
        self.raw.build().map_err(|KeyError { key, message }| self.error(&key, message))
    }
}

impl GameKeys {
    fn build(&self) -> Result<GameDef, KeyError> {
        let name = self.name()?;
        let title = required("title", self.title.clone())?;
        let source = required("source", self.source.clone())?;
        let board = self.board()?;
        let kinds = self.kinds(&board)?;
        let pawns = self.pawns(&board, &kinds)?;
        let (kinds, pawns) = match &self.drops {
            None => (kinds, pawns),
            Some(drops) => drops.with_copies(kinds, pawns)?,
        };
        let parts = Parts { board: &board, kinds: &kinds, pawns: &pawns };
        let mechanisms = self.mechanisms(parts)?;
        self.check_pawn_rules(parts, &mechanisms)?;
        let first_pawn_rank = mechanisms.first_pawn_rank(parts);
        let hanging_squares = pawns::hanging_squares(parts, first_pawn_rank)?;
        let (vital, pawn_ranks) = (mechanisms.vital_kind(&kinds), first_pawn_rank..pawns.last_rank(&board));
        let endings = self.ending_keys()?.build(parts, vital, pawn_ranks)?;
        let (starts, default_start) = self.starts()?;
        let pawns = Pawns { hanging_squares, ..pawns };
        // What the starts say is read with the rest of the definition.
        let rights = Vec::new();
        let game =
            GameDef { name, title, source, board, kinds, pawns, mechanisms, endings, rights, starts, default_start };
        let boards = rights::start_boards(&game)?;
        let castling = self.castling(&game, &boards)?;
        let game = GameDef { mechanisms: Mechanisms { castling, ..game.mechanisms }, ..game };
        let game = GameDef { rights: rights::derive(&game, &boards)?, ..game };
        exclusions::check(&game)?;
        let game = Arc::new(game);
        starts::check(&game)?;
        Ok(Arc::unwrap_or_clone(game))
    }

    /// All mechanisms but castling, which depends on the starts.
    fn mechanisms(&self, parts: Parts<'_>) -> Result<Mechanisms, KeyError> {
        let endings = self.ending_keys()?;
        let forbids_immobility = self.forbids_immobility.unwrap_or(false);
        let king_key = parts.kinds.king().map(|king| self.piece_key(king).replace(".move", ".class"));
        let explosions = self.explosions.as_ref();
        let explosions = explosions.map(|keys| keys.build(parts, &king_key.unwrap_or_default()));
        Ok(Mechanisms {
            cannon: is_on(self.pawns.as_ref().and_then(|pawns| pawns.cannon), Cannon),
            piece_promotion: piece_promotion::build(self.piece_promotion.as_ref(), parts)?,
            immobility: forbids_immobility.then_some(ForbiddenImmobility),
            castling: None,
            drops: self.drops.as_ref().map(|keys| keys.build(parts, forbids_immobility)).transpose()?,
            extinction: endings.extinction.as_ref().map(|keys| keys.build(parts)).transpose()?,
            goal: endings.goal.as_ref().map(|keys| keys.build(parts)).transpose()?,
            check_count: endings.checks.map(CheckCount::new).transpose()?,
            bare_king: is_on(endings.bare_king_loses, BareKing),
            gating: self.gating.as_ref().map(|keys| keys.build(parts)).transpose()?,
            counting: endings.counting.as_ref().map(|keys| keys.build(parts)).transpose()?,
            explosions: explosions.transpose()?,
            walls: self.walls.as_ref().map(|keys| keys.build(parts)).transpose()?,
            joker: parts.kinds.joker().map(Joker),
            handicaps: is_on(self.handicaps, Handicaps),
            forbidden_checks: is_on(self.forbids_checks, ForbiddenChecks),
            forced_captures: is_on(self.forces_captures, ForcedCaptures),
            flying_general: is_on(self.flying_general, FlyingGeneral),
        })
    }

    fn ending_keys(&self) -> Result<&EndingKeys, KeyError> {
        self.endings.as_ref().ok_or_else(|| KeyError::new("endings", "missing: expected the table [endings]"))
    }

    fn name(&self) -> Result<String, KeyError> {
        let name = required("name", self.name.clone())?;
        let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
        let message = format!("found `{name}`, expected lower-case letters, digits, `-` and `_`");
        forbid(name.is_empty() || !name.chars().all(is_allowed), "name", message)?;
        Ok(name)
    }
}

/// A mechanism whose only key is a switch.
fn is_on<T>(key: Option<bool>, mechanism: T) -> Option<T> {
    key.unwrap_or(false).then_some(mechanism)
}
