//! Validation: from a definition file to a [`GameDef`].

mod board;
mod counting;
mod drops;
mod endings;
mod exclusions;
mod pieces;
mod rights;
mod starts;
mod walls;

use std::sync::Arc;

use super::error::DefError;
use super::file::Source;
use super::keys::GameKeys;
use crate::types::color::ByColor;
use crate::types::definition::{Endings, GameDef, PieceClass, RepetitionResult, Results};
use crate::types::outcome::Points;
use crate::types::piece::Kind;

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
        let source = self;
        let raw = &source.raw;
        let board = source.board()?;
        let kinds = source.kinds(&board)?;
        let pawns = raw.pawns.as_ref().ok_or_else(|| source.error("pawns", "missing: expected the table [pawns]"))?;
        let mut game = GameDef {
            name: source.name()?,
            title: source.required("title", raw.title.clone())?,
            source: source.required("source", raw.source.clone())?,
            king: source.unique_class(&kinds, PieceClass::King, "king")?,
            pawn: source
                .unique_class(&kinds, PieceClass::Pawn, "pawn")?
                .ok_or_else(|| source.error("pieces", "found no piece with class = \"pawn\", expected one"))?,
            joker: source.unique_class(&kinds, PieceClass::Joker, "joker")?,
            pawn_home_rank: source.required("pawns.home-rank", pawns.home_rank)?,
            first_rank_steps: pawns.first_rank_steps.unwrap_or(false),
            hanging_pawn_squares: ByColor::default(),
            has_pawn_cannon: pawns.cannon.unwrap_or(false),
            has_handicaps: raw.handicaps.unwrap_or(false),
            forbids_checks: raw.forbids_checks.unwrap_or(false),
            forces_captures: raw.forces_captures.unwrap_or(false),
            explosions: None,
            walls: None,
            flying_general: raw.flying_general.unwrap_or(false),
            forbids_immobility: raw.forbids_immobility.unwrap_or(false),
            board,
            kinds,
            promotion: Vec::new(),
            promotion_squares: None,
            promotion_limits: Vec::new(),
            piece_promotion: None,
            castling: None,
            gating: None,
            forbids_shielding: false,
            drops: None,
            endings: Endings {
                stalemate: Points::DRAW,
                move_rule: 0,
                pawn_moves_reset: true,
                repetitions: 0,
                insufficient_material: Vec::new(),
                material_count: None,
            },
            results: Results::default(),
            repetition_result: RepetitionResult::Draw,
            perpetual_check_loses: false,
            goal: None,
            checks: None,
            bare_king_loses: false,
            extinction: None,
            counting: None,
            rights: Vec::new(),
            starts: Vec::new(),
            default_start: 0,
        };
        source.piece_promotion(&mut game)?;
        source.promotion(&mut game)?;
        source.promotion_limits(&mut game)?;
        source.drops(&mut game)?;
        source.pawn_rules(&game)?;
        source.hanging_pawn_squares(&mut game)?;
        source.endings(&mut game)?;
        source.gating(&mut game)?;
        source.counting(&mut game)?;
        source.explosions(&mut game)?;
        source.walls(&mut game)?;
        source.starts(&mut game)?;
        source.rights(&mut game)?;
        source.exclusions(&game)?;
        // A position needs a shared definition, so the starts are validated with a copy.
        source.validate_starts(&Arc::new(game.clone()))?;
        Ok(game)
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

    /// Parses a list of letters of pieces, each at most once.
    fn kinds_of(&self, game: &GameDef, key: &str, letters: &str) -> Result<Vec<Kind>, DefError> {
        let mut kinds = Vec::new();
        for letter in letters.chars() {
            let known = game.letters();
            let kind = game
                .kind_by_letter(letter)
                .filter(|_| letter.is_ascii_uppercase())
                .ok_or_else(|| self.error(key, format!("found `{letter}`, expected letters of pieces: {known}")))?;
            if kinds.contains(&kind) {
                return Err(self.error(key, format!("found `{letter}` twice, expected each letter once")));
            }
            kinds.push(kind);
        }
        Ok(kinds)
    }
}
