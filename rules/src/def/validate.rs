//! Validation: from a definition file to a [`GameDef`].

mod board;
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
use crate::variant::mechanism::{KeyError, Mechanisms, Parts, piece_promotion};
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

    /// Validates the keys of a definition. `name` is that of the game for error messages, which have
    /// no position.
    ///
    /// # Errors
    /// Returns the first error, with its key.
    pub fn from_keys(keys: GameKeys, name: &str) -> Result<GameDef, DefError> {
        Source::of_keys(keys, name)?.game()
    }
}

impl Source<'_> {
    fn game(&self) -> Result<GameDef, DefError> {
        let keys = &self.raw;
        let name = self.name()?;
        let title = self.required("title", keys.title.clone())?;
        let source = self.required("source", keys.source.clone())?;
        let board = self.board()?;
        let kinds = self.kinds(&board)?;
        let pawns = self.pawns(&board, &kinds)?;
        let (kinds, pawns) = match &keys.drops {
            None => (kinds, pawns),
            Some(drops) => self.at(drops.with_copies(kinds, pawns))?,
        };
        let parts = Parts { board: &board, kinds: &kinds, pawns: &pawns };
        let mechanisms = self.mechanisms(parts)?;
        self.check_pawn_rules(parts, &mechanisms)?;
        let first_pawn_rank = mechanisms.first_pawn_rank(parts);
        let hanging_squares = self.hanging_pawn_squares(parts, first_pawn_rank)?;
        let (vital, pawn_ranks) = (mechanisms.vital_kind(&kinds), first_pawn_rank..pawns.last_rank(&board));
        let endings = self.at(self.ending_keys()?.build(parts, vital, pawn_ranks))?;
        let (starts, default_start) = self.starts()?;
        let pawns = Pawns { hanging_squares, ..pawns };
        // What the starts say is read with the rest of the definition.
        let rights = Vec::new();
        let game =
            GameDef { name, title, source, board, kinds, pawns, mechanisms, endings, rights, starts, default_start };
        let boards = self.start_boards(&game)?;
        let castling = self.castling(&game, &boards)?;
        let game = GameDef { mechanisms: Mechanisms { castling, ..game.mechanisms }, ..game };
        let game = GameDef { rights: self.rights(&game, &boards)?, ..game };
        self.check_exclusions(&game)?;
        let game = Arc::new(game);
        self.validate_starts(&game)?;
        Ok(Arc::unwrap_or_clone(game))
    }

    /// All mechanisms but castling, which depends on the starts.
    fn mechanisms(&self, parts: Parts<'_>) -> Result<Mechanisms, DefError> {
        let (keys, endings) = (&self.raw, self.ending_keys()?);
        let forbids_immobility = keys.forbids_immobility.unwrap_or(false);
        let king_key = parts.kinds.king().map(|king| self.piece_key(king).replace(".move", ".class"));
        let explosions = keys.explosions.as_ref();
        let explosions = explosions.map(|keys| keys.build(parts, &king_key.unwrap_or_default()));
        Ok(Mechanisms {
            cannon: is_on(keys.pawns.as_ref().and_then(|pawns| pawns.cannon), Cannon),
            piece_promotion: self.at(piece_promotion::build(keys.piece_promotion.as_ref(), parts))?,
            immobility: forbids_immobility.then_some(ForbiddenImmobility),
            castling: None,
            drops: self.built(keys.drops.as_ref().map(|keys| keys.build(parts, forbids_immobility)))?,
            extinction: self.built(endings.extinction.as_ref().map(|keys| keys.build(parts)))?,
            goal: self.built(endings.goal.as_ref().map(|keys| keys.build(parts)))?,
            check_count: self.built(endings.checks.map(CheckCount::new))?,
            bare_king: is_on(endings.bare_king_loses, BareKing),
            gating: self.built(keys.gating.as_ref().map(|keys| keys.build(parts)))?,
            counting: self.built(endings.counting.as_ref().map(|keys| keys.build(parts)))?,
            explosions: self.built(explosions)?,
            walls: self.built(keys.walls.as_ref().map(|keys| keys.build(parts)))?,
            joker: parts.kinds.joker().map(Joker),
            handicaps: is_on(keys.handicaps, Handicaps),
            forbidden_checks: is_on(keys.forbids_checks, ForbiddenChecks),
            forced_captures: is_on(keys.forces_captures, ForcedCaptures),
            flying_general: is_on(keys.flying_general, FlyingGeneral),
        })
    }

    fn ending_keys(&self) -> Result<&EndingKeys, DefError> {
        self.raw.endings.as_ref().ok_or_else(|| self.error("endings", "missing: expected the table [endings]"))
    }

    /// The error of a key with its place in the file.
    fn at<T>(&self, result: Result<T, KeyError>) -> Result<T, DefError> {
        result.map_err(|KeyError { key, message }| self.error(&key, message))
    }

    fn built<T>(&self, mechanism: Option<Result<T, KeyError>>) -> Result<Option<T>, DefError> {
        self.at(mechanism.transpose())
    }

    fn required<T>(&self, key: &str, value: Option<T>) -> Result<T, DefError> {
        value.ok_or_else(|| self.error(key, "missing"))
    }

    fn name(&self) -> Result<String, DefError> {
        let name = self.required("name", self.raw.name.clone())?;
        let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(is_allowed) {
            return Err(self.error("name", format!("found `{name}`, expected lower-case letters, digits, `-` and `_`")));
        }
        Ok(name)
    }
}

/// A mechanism whose only key is a switch.
fn is_on<T>(key: Option<bool>, mechanism: T) -> Option<T> {
    key.unwrap_or(false).then_some(mechanism)
}
