//! From a definition file to a [`GameDef`]: every key checked, everything derived that the generators need.

mod castling;
mod endings;
mod pieces;
mod squares;
mod starts;

use std::sync::Arc;

use super::error::DefError;
use super::file::Source;
use super::{Endings, GameDef, Points};
use crate::piece::Kind;

impl GameDef {
    /// Reads a definition file; `file` is its name for error messages.
    ///
    /// # Errors
    /// At the first thing that is wrong, with the file, the line where there is one, the key, and the reason.
    pub fn from_toml(text: &str, file: &str) -> Result<GameDef, DefError> {
        let source = Source::read(text, file)?;
        let raw = &source.raw;
        let board = source.board()?;
        let kinds = source.kinds()?;
        let pawns = raw
            .pawns
            .as_ref()
            .ok_or_else(|| source.error("pawns", "missing: expected the table [pawns]"))?;
        let mut game = GameDef {
            name: source.name()?,
            title: source.required("title", raw.title.clone())?,
            source: source.required("source", raw.source.clone())?,
            king: source.only_class(&kinds, super::PieceClass::King)?,
            pawn: source.only_class(&kinds, super::PieceClass::Pawn)?,
            joker: source.joker(&kinds)?,
            pawn_home_rank: source.required("pawns.home-rank", pawns.home_rank)?,
            pawn_cannon: pawns.cannon.unwrap_or(false),
            handicaps: raw.handicaps.unwrap_or(false),
            board,
            kinds,
            promotion: Vec::new(),
            castling: None,
            gating: None,
            endings: Endings {
                stalemate: Points::DRAW,
                move_rule: 0,
                repetitions: 0,
                insufficient_material: Vec::new(),
                material_count: None,
            },
            rights: Vec::new(),
            starts: Vec::new(),
            default_start: 0,
        };
        source.promotion(&mut game)?;
        source.pawn_rules(&game)?;
        source.endings(&mut game)?;
        source.gating(&mut game)?;
        source.starts(&mut game)?;
        source.rights(&mut game)?;
        // Positions hold their game, so the starts are tried on a copy.
        let tried = Arc::new(game.clone());
        source.try_starts(&tried)?;
        Ok(game)
    }
}

impl Source<'_> {
    fn required<T>(&self, key: &str, value: Option<T>) -> Result<T, DefError> {
        value.ok_or_else(|| self.error(key, "missing"))
    }

    fn name(&self) -> Result<String, DefError> {
        let name = self.required("name", self.raw.name.clone())?;
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(fits) {
            return Err(self.error(
                "name",
                format!("found `{name}`, expected lower-case letters, digits, `-` and `_`"),
            ));
        }
        let own_text = super::builtin::text(&name) == Some(self.text);
        if super::BUILTIN_NAMES.contains(&name.as_str()) && !own_text {
            return Err(self.error("name", format!("`{name}` is a built-in game; choose another name")));
        }
        Ok(name)
    }

    /// The kinds that a list of letters names, each once.
    fn kinds_of(&self, game: &GameDef, key: &str, letters: &str) -> Result<Vec<Kind>, DefError> {
        let mut kinds = Vec::new();
        for letter in letters.chars() {
            let known: String = game.kinds.iter().map(|kind| kind.letter).collect();
            let kind = game
                .kind_by_letter(letter)
                .filter(|_| letter.is_ascii_uppercase())
                .ok_or_else(|| self.error(key, format!("found `{letter}`, expected letters of pieces: {known}")))?;
            if kinds.contains(&kind) {
                return Err(self.error(key, format!("`{letter}` stands twice")));
            }
            kinds.push(kind);
        }
        Ok(kinds)
    }
}
