use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

use assay_cli::args::definition_file;
use assay_engine::{LoadError, read_definition};
use assay_rules::def::{Castling, CastlingWing, DefError, PieceClass, RepetitionResult, Results, definition_text};
use assay_rules::piece::Kind;
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
        let file = definition_file(name_or_path).and_then(|file| std::path::absolute(file).ok());
        Ok(GameSource { path: file, ..source })
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
        let results = self.game.results;
        let has_quarters = [endings.stalemate, results.checkmate, results.draw].into_iter().any(is_quarter)
            || material_count.is_some_and(|count| is_quarter(count.score));
        if has_quarters { 5 } else { 3 }
    }

    /// BLAKE3 hash, in hexadecimal, of everything in the definition that determines which games can be played. Titles, sources
    /// and published piece values do not count; classes of pieces count only in games with a material count.
    ///
    /// The hash is part of every run file. It is computed from the `Debug` output of types of
    /// `assay-rules`, so renaming one of their types, variants or fields changes it.
    pub fn rules_hash(&self) -> String {
        let game = &self.game;
        let class = |class: PieceClass| match class {
            PieceClass::Major | PieceClass::Average | PieceClass::Minor if game.endings.material_count.is_none() => {
                PieceClass::Piece
            }
            class => class,
        };
        let kinds: Vec<_> = game.kinds.iter().map(|kind| (kind.letter, &kind.betza, class(kind.class))).collect();
        let king = game.king.as_ref().map_or(&() as &dyn Debug, |king| king);
        let castling = game.castling.as_ref().map_or_else(|| "None".to_owned(), castling_text);
        // As before there was this key, unless it is false.
        let endings = format!("{:?}", game.endings).replace(" pawn_moves_reset: true,", "");
        let starts: Vec<_> = game.starts.iter().map(|start| (&start.id, &start.fen)).collect();
        let mut rules = format!(
            "{:?}",
            (
                (&game.name, &game.board, kinds, king, game.pawn, game.pawn_home_rank, game.has_pawn_cannon),
                (
                    &game.promotion,
                    format_args!("{castling}"),
                    &game.gating,
                    game.joker,
                    game.has_handicaps,
                    format_args!("{endings}"),
                    starts
                ),
            )
        );
        rules += &later_rules(game);
        blake3::hash(rules.as_bytes()).to_hex().to_string()
    }
}

/// The rules that the first games did not have, as they are hashed. A game without such a rule has
/// the same hash as before the rule existed.
fn later_rules(game: &GameDef) -> String {
    // A new field is one of these or not a rule: this names all.
    let GameDef {
        title: _,
        source: _,
        name: _,
        board: _,
        kinds,
        king: _,
        pawn: _,
        pawn_home_rank: _,
        first_rank_steps,
        hanging_pawn_squares: _,
        has_pawn_cannon: _,
        promotion: _,
        promotion_squares,
        promotion_limits,
        piece_promotion,
        forbids_immobility,
        castling: _,
        gating: _,
        forbids_shielding,
        drops,
        joker: _,
        has_handicaps: _,
        forbids_checks,
        forces_captures,
        explosions,
        walls,
        flying_general,
        endings: _,
        results,
        repetition_result,
        perpetual_check_loses,
        goal,
        checks,
        bare_king_loses,
        extinction,
        counting,
        rights: _,
        starts: _,
        default_start: _,
    } = game;
    let mut rules = String::new();
    rules.extend(drops.iter().map(|drops| format!("{drops:?}")));
    let decisions = (goal, checks, forbids_checks, bare_king_loses);
    let has_decisions = decisions != (&None, &None, &false, &false);
    rules.extend(has_decisions.then(|| format!("{decisions:?}")));
    let others = (results, extinction, forces_captures);
    let has_others = others != (&Results::default(), &None, &false);
    rules.extend(has_others.then(|| format!("{others:?}")));
    let promotions = (
        game.all_kinds().map(|kind| game.promoted(kind)).collect::<Vec<_>>(),
        piece_promotion,
        forbids_immobility,
        promotion_squares,
        promotion_limits,
    );
    let has_promotions =
        piece_promotion.is_some() || *forbids_immobility || promotion_squares.is_some() || !promotion_limits.is_empty();
    rules.extend(has_promotions.then(|| format!("{promotions:?}")));
    let sides: Vec<_> = kinds.iter().map(|kind| kind.side).collect();
    let has_sides = sides.iter().any(Option::is_some) || *first_rank_steps || *forbids_shielding;
    rules.extend(has_sides.then(|| format!("{:?}", (sides, first_rank_steps, forbids_shielding))));
    let repetition = (repetition_result, perpetual_check_loses);
    let has_repetition = repetition != (&RepetitionResult::Draw, &false);
    rules.extend(has_repetition.then(|| format!("{repetition:?}")));
    rules.extend(counting.iter().map(|rule| format!("{rule:?}")));
    rules.extend(walls.iter().map(|walls| format!("{walls:?}")));
    rules.extend(explosions.iter().map(|explosions| format!("{explosions:?}")));
    rules.extend(flying_general.then_some("flying general"));
    let zones: Vec<_> = kinds.iter().map(|kind| &kind.zone).collect();
    let has_zones = zones.iter().any(|zone| zone.is_some());
    rules.extend(has_zones.then(|| format!("{zones:?}")));
    rules
}

/// Castling as it is hashed: the partner of all wings, then the wings.
fn castling_text(castling: &Castling) -> String {
    let Castling { wings, from_any_file } = castling;
    let mut partners: Vec<Kind> = wings.iter().map(|wing| wing.partner).collect();
    partners.dedup();
    let wings = wings.iter().map(|wing| {
        let CastlingWing {
            color,
            king_from,
            king_to,
            partner: _,
            partner_from,
            partner_to,
            target: _,
            empty,
            crossed,
        } = wing;
        format!(
            "CastlingWing {{ color: {color:?}, king_from: {king_from:?}, king_to: {king_to:?}, partner_from: {partner_from:?}, \
             partner_to: {partner_to:?}, empty: {empty:?}, crossed: {crossed:?} }}"
        )
    });
    let partner = partners.iter().map(|partner| format!("{partner:?}")).collect::<Vec<_>>().join(", ");
    let any_file = if *from_any_file { " from any file" } else { "" };
    let wings = wings.collect::<Vec<_>>().join(", ");
    format!("Some(Castling {{ partner: {partner}, wings: [{wings}] }}{any_file})")
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

    /// Run files are resumed and read only if the hash is equal, so it must not change without a change of the rules.
    #[test]
    fn rules_hashes_never_change() {
        let hash = |name| GameSource::builtin(name).unwrap().rules_hash()[..16].to_owned();
        assert_eq!(
            ["chess", "gunnery", "apothecary2", "atomic", "xiangqi"].map(hash),
            ["95fbe8b586e82389", "e10c128e72f702f5", "872fd7abc56794c9", "0f463ef1eda6af75", "a9be82cbf35f5598"]
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
