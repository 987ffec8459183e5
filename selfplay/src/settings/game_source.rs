use std::path::PathBuf;
use std::sync::Arc;

use assay_engine::{LoadError, read_definition};
use assay_rules::def::{DefError, definition_text, fairy_ini};
use assay_rules::{GameDef, Points};

/// A game definition and its text, so that a run file holds everything needed to read its games.
#[derive(Clone, Debug)]
pub struct GameSource {
    pub game: Arc<GameDef>,
    /// The text of a user's definition; `None` for a built-in game.
    pub text: Option<String>,
    /// The file of a user's definition, which engines can load; `None` if it is not known.
    pub path: Option<PathBuf>,
}

impl GameSource {
    /// Loads a built-in game by name, or a definition file by path.
    ///
    /// # Errors
    /// If there is neither, or the file cannot be read or is invalid.
    pub fn load(name_or_path: &str) -> Result<GameSource, LoadError> {
        let game = assay_engine::load_game(name_or_path)?;
        if definition_text(name_or_path).is_some() {
            return Ok(GameSource { game, text: None, path: None });
        }
        // Parsed again from the text that is kept.
        let source = GameSource::from_text(read_definition(name_or_path)?, name_or_path)?;
        let file = fairy_ini::split_name(name_or_path).map_or(name_or_path, |(file, _)| file);
        Ok(GameSource { path: std::path::absolute(file).ok(), ..source })
    }

    pub fn builtin(name: &str) -> Option<GameSource> {
        Some(GameSource { game: GameDef::builtin(name)?, text: None, path: None })
    }

    /// Parses a definition; `file` is its name in error messages.
    ///
    /// # Errors
    /// If the text is not a valid definition.
    pub fn from_text(text: String, file: &str) -> Result<GameSource, DefError> {
        Ok(GameSource { game: Arc::new(GameDef::from_toml(&text, file)?), text: Some(text), path: None })
    }

    /// Number of different results of a game: 3, or 5 if some end is worth 0.75 points.
    pub fn results(&self) -> usize {
        let is_quarter = |points: Points| !points.quarters().is_multiple_of(2);
        let endings = &self.game.endings;
        let material_count = endings.material_count.as_ref();
        let has_quarters = [endings.stalemate, endings.checkmate, endings.draw].into_iter().any(is_quarter)
            || material_count.is_some_and(|count| is_quarter(count.score));
        if has_quarters { 5 } else { 3 }
    }

    /// BLAKE3 hash, in hexadecimal, of everything in the definition that determines which games can
    /// be played: its serialization. It is part of every run file.
    ///
    /// # Panics
    /// Never: all keys of the serialization are texts.
    pub fn rules_hash(&self) -> String {
        let rules = serde_json::to_vec(&*self.game).expect("all keys are texts");
        blake3::hash(&rules).to_hex().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_with_quarter_points_have_five_results() {
        let results = |name| GameSource::builtin(name).unwrap().results();
        assert_eq!(results("apothecary2"), 5);
        for name in ["chess", "berolina", "gamma2", "gunnery", "scorpion"] {
            assert_eq!(results(name), 3, "{name}");
        }
    }

    /// Run files are resumed and read only if the hash is equal, so it must not change without a
    /// change of the rules.
    #[test]
    fn rules_hashes_never_change() {
        let hash = |name| GameSource::builtin(name).unwrap().rules_hash()[..16].to_owned();
        assert_eq!(
            ["chess", "gunnery", "apothecary2", "atomic", "xiangqi"].map(hash),
            ["6fd2a3c03b246e6c", "4fa50aa36be1faa1", "9f042871b3dc5998", "e3fba53b64015c70", "a028ade827277592"]
        );
    }

    #[test]
    fn explosions_walls_zones_and_facing_kings_change_the_hash() {
        let hash = |base: &str, rule: &str| {
            let text = format!("name = \"x\"\ntitle = \"X\"\nbase = \"{base}\"\nsource = \"a test\"\n{rule}\n");
            GameSource::from_text(text, "test").unwrap().rules_hash()
        };
        for (base, rule) in [
            ("xiangqi", "flying-general = false"),
            ("atomic", "[explosions]\nimmune = \"N\""),
            ("chess", "[walls]"),
            ("chess", "[pieces.knight]\nzone = \"*1 *2 *3 *4 *5 *6 *7\""),
        ] {
            assert_ne!(hash(base, rule), hash(base, ""), "{rule}");
        }
    }
}
