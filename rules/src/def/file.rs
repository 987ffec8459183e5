//! The TOML structure of a definition file, and inheritance from another game (`base`).

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use toml::Table;
use toml::de::{DeTable, DeValue};

use super::error::{DefError, parse_toml, plain_message};
use crate::text::without_bom;

/// Definition of a game for Assay. A file with a `base` gives only what differs from it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawGame {
    /// Name of the game for programs: lower-case letters, digits, `-` and `_`.
    #[schemars(example = &"wide-chess")]
    pub(super) name: Option<String>,
    /// Name of the game for people.
    #[schemars(example = &"Chess on a wide board")]
    pub(super) title: Option<String>,
    /// Built-in game to inherit from: all keys except name, title and the published values of pieces.
    #[schemars(example = &"chess")]
    pub(super) base: Option<String>,
    /// Source of the rules.
    #[schemars(example = &"https://www.chessvariants.com/")]
    pub(super) source: Option<String>,
    /// Id of the start that is played by default; the first of `starts` without the key.
    #[schemars(example = &"1")]
    pub(super) default_start: Option<String>,
    /// Whether handicap starts are allowed, like `1+pawn:e4`.
    pub(super) handicaps: Option<bool>,
    /// Board, with pieces on at most 128 squares.
    pub(super) board: Option<RawBoard>,
    /// Kinds of pieces, up to 26, by name.
    #[serde(default)]
    pub(super) pieces: IndexMap<String, RawPiece>,
    /// Rules of pawns that movement notation cannot express.
    pub(super) pawns: Option<RawPawns>,
    /// Ranks on which pawns promote, counted from the side of each player. Replaces the table of the base as a whole. Needed
    /// in a game without `piece-promotion`.
    #[serde(default)]
    pub(super) promotion: IndexMap<String, RawPromotion>,
    /// Promotion of every piece X to `+X`, by a move that begins or ends in a zone, as in shogi.
    pub(super) piece_promotion: Option<RawPiecePromotion>,
    /// Whether moves and drops are illegal to squares that the piece could never leave without a capture. The zone of the piece does not count.
    pub(super) forbids_immobility: Option<bool>,
    /// Castling, which the movement of the king must contain (`isO2`).
    pub(super) castling: Option<RawCastling>,
    /// Pieces that enter from a pocket, on the square that an unmoved piece leaves. A game has either drops or gating.
    pub(super) gating: Option<RawGating>,
    /// Drops from a pocket. The table alone makes the drops of Crazyhouse. Pieces are dropped on empty squares that do not
    /// hang.
    pub(super) drops: Option<RawDrops>,
    /// Endings of the game, and their results.
    pub(super) endings: Option<RawEndings>,
    /// Whether moves that give check are illegal.
    pub(super) forbids_checks: Option<bool>,
    /// Whether a side that can capture must capture.
    pub(super) forces_captures: Option<bool>,
    /// Captures that explode: the capturing piece and its neighbors, pawns excepted, vanish with the captured piece.
    pub(super) explosions: Option<RawExplosions>,
    /// Walls: squares that no piece enters or passes, `*` in a FEN. The table alone allows them in the starts. They take neither
    /// squares that hang, cannon pawns nor pockets.
    pub(super) walls: Option<RawWalls>,
    /// Whether a king attacks along its file like a rook, so that kings must not face each other.
    pub(super) flying_general: Option<bool>,
    /// Start positions; at least one. Replaces those of the base as a whole.
    #[serde(default)]
    pub(super) starts: Vec<RawStart>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawBoard {
    /// Number of files, 3 to 16.
    #[schemars(example = 10)]
    pub(super) files: Option<u8>,
    /// Number of ranks, at least 4.
    #[schemars(example = 8)]
    pub(super) ranks: Option<u8>,
    /// Number of the lowest rank: 0 or 1.
    #[schemars(extend("default" = 1), example = 0)]
    pub(super) first_rank: Option<u8>,
    /// Squares that do not exist.
    #[schemars(extend("default" = ""), example = &"a1 h1")]
    pub(super) holes: Option<String>,
    /// Squares that can be entered only by capture.
    #[schemars(extend("default" = ""), example = &"a0 j0")]
    pub(super) hanging: Option<String>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawPiece {
    /// Display name, instead of the name of the table.
    #[schemars(example = &"amazon")]
    pub(super) name: Option<String>,
    /// Letter in FEN and SAN, or `+X` for the piece that X promotes to.
    #[schemars(example = &"Q")]
    pub(super) letter: Option<String>,
    /// Movement in XBetza notation. A joker has none.
    #[schemars(example = &"RB")]
    #[serde(rename = "move")]
    pub(super) movement: Option<String>,
    /// Role in the rules. `king`: each side has one, which must not be left attacked. `royal`: no piece of the kind may be
    /// left attacked, however many there are. `pawn`: each game has this kind. `joker`: moves as the piece that the opponent
    /// moved last. `major`, `average`, `minor`: only for the material count. Without the key the piece has no role.
    #[schemars(extend("enum" = ["king", "royal", "pawn", "joker", "major", "average", "minor"]))]
    pub(super) class: Option<String>,
    /// The only squares that White's pieces of the kind move to (`*1`: rank 1); Black's are turned by 180 degrees. Without
    /// the key, all. Neither for the joker nor for a piece that castles.
    #[schemars(example = &"*1 d2")]
    pub(super) zone: Option<String>,
    /// The only side that can have the piece: pawns of the other side do not promote to it. Without the key, both.
    #[schemars(extend("enum" = ["white", "black"]))]
    pub(super) side: Option<String>,
    /// Published value, in the inventor's units: 0.001 to 1000000.
    #[schemars(example = 3.25)]
    pub(super) value: Option<f64>,
    /// Published value as the inventor rounds it ("1.05, or 1 approx.").
    #[schemars(example = 3)]
    pub(super) rounded: Option<f64>,
    /// Published bonus for a pair, in the same units.
    #[schemars(example = 0.5)]
    pub(super) pair: Option<f64>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawPawns {
    /// Rank from which pawns have their initial moves.
    #[schemars(example = 2)]
    pub(super) home_rank: Option<u8>,
    /// Whether pawns have their initial moves on the first rank, too. They are not captured en passant there.
    pub(super) first_rank_steps: Option<bool>,
    /// Pieces that a side may have on the board: with as many, no pawn promotes to that piece. Replaces the table of the base
    /// as a whole. Without the key there is no limit.
    #[schemars(extend("examples" = [{ "Q": 1, "R": 2 }]))]
    #[serde(default)]
    pub(super) promotion_limits: BTreeMap<String, u8>,
    /// Whether pawns capture by cannon, as in Gunnery Chess.
    pub(super) cannon: Option<bool>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawPromotion {
    /// Letters of the pieces to choose from.
    #[schemars(example = &"QRBN")]
    pub(super) to: Option<String>,
    /// Whether the pawn may stay a pawn; only on a rank before the last.
    pub(super) optional: Option<bool>,
    /// White's squares of promotion, if they are not the whole rank; they may be on other ranks. Only for a single entry, of
    /// the last rank.
    #[schemars(example = &"c8 d8 e8 f8")]
    pub(super) squares: Option<String>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawPiecePromotion {
    /// First and last rank of the zone.
    #[schemars(extend("examples" = [[7, 9]]))]
    pub(super) ranks: Option<[u8; 2]>,
    /// Whether a piece must promote.
    pub(super) forced: Option<bool>,
    /// Whether only captures promote.
    pub(super) by_capture: Option<bool>,
    /// Whether `+X` turns back to X by the same rules.
    pub(super) demotes: Option<bool>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawCastling {
    /// Letter of the piece that the king castles with, or letters of several.
    #[schemars(example = &"R")]
    pub(super) partner: Option<String>,
    /// File to which the king castles toward the last file, in place of the distance of its `O`.
    #[schemars(example = &"g")]
    pub(super) kingside_file: Option<String>,
    /// File to which the king castles toward the first file.
    #[schemars(example = &"c")]
    pub(super) queenside_file: Option<String>,
    /// Whether king and partner may begin on any files of their rank, as in Chess960. Takes both files and one partner, and neither
    /// gating nor handicaps.
    pub(super) from_any_file: Option<bool>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawExplosions {
    /// Letters of kinds that survive explosions, and do not capture their own kind.
    #[schemars(example = &"K", extend("default" = ""))]
    pub(super) immune: Option<String>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawWalls {
    /// Wall that each move makes. `duck`: on any empty square, in place of the one before; `past`: on the square that the piece leaves,
    /// for good. Takes neither royal pieces, explosions nor castling from any files. Without the key moves make none.
    #[schemars(extend("enum" = ["duck", "past"]))]
    pub(super) each_move: Option<String>,
    /// Letters of kinds that become walls when they capture, neither royal pieces nor the pawn. Not with a duck or explosions.
    #[schemars(example = &"QRBN", extend("default" = ""))]
    pub(super) petrified: Option<String>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawGating {
    /// Letters of the pieces in the pocket of each side.
    #[schemars(example = &"HE")]
    pub(super) pocket: Option<String>,
    /// Letters of the kinds that gate.
    #[schemars(example = &"KQRBN")]
    pub(super) movers: Option<String>,
    /// Number of the last move in which each side may gate.
    pub(super) last_move: Option<RawLastMove>,
    /// Whether the move must be legal without the gated piece, too, which then cannot shield the king.
    pub(super) forbids_shielding: Option<bool>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLastMove {
    /// White's last move.
    #[schemars(example = 5)]
    pub(super) white: Option<u32>,
    /// Black's last move.
    #[schemars(example = 6)]
    pub(super) black: Option<u32>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawDrops {
    /// Letters of the kinds that can be dropped; all but royal kinds and the joker without the key.
    #[schemars(example = &"PNBRQ")]
    pub(super) kinds: Option<String>,
    /// Whose pocket a captured piece goes to. `none`: it is removed.
    #[schemars(extend("default" = "capturer", "enum" = ["capturer", "owner", "none"]))]
    pub(super) captured: Option<String>,
    /// Whether a captured promoted piece becomes a pawn again, or keeps its kind.
    #[schemars(extend("default" = true))]
    pub(super) promoted_revert: Option<bool>,
    /// First and last rank of the drops of a kind. Without an entry, pawns are dropped from the second rank to the one before
    /// the first promotion, other pieces anywhere. Replaces the table of the base as a whole.
    #[schemars(extend("examples" = [{ "P": [2, 6] }]))]
    #[serde(default)]
    pub(super) ranks: BTreeMap<String, [u8; 2]>,
    /// Whether a piece X may also be dropped as `+X`.
    pub(super) promoted: Option<bool>,
    /// Pawns of a side on a file with which no other is dropped there. Without the key there is no limit.
    #[schemars(example = 1)]
    pub(super) pawns_per_file: Option<u8>,
    /// Whether a dropped pawn may give checkmate.
    #[schemars(extend("default" = true))]
    pub(super) pawn_mate: Option<bool>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawEndings {
    /// Points of the side that gives checkmate: 0, 0.25, 0.5, 0.75 or 1.
    #[schemars(extend("default" = 1.0), example = 0)]
    pub(super) checkmate: Option<f64>,
    /// Points of the side that gives stalemate: 0, 0.25, 0.5, 0.75 or 1.
    #[schemars(example = 0.5)]
    pub(super) stalemate: Option<f64>,
    /// Whether instead stalemate wins for the side with fewer pieces, and is a draw if both have as many.
    pub(super) stalemate_by_count: Option<bool>,
    /// White's points for a draw: 0, 0.25, 0.5, 0.75 or 1. Black gets the rest.
    #[schemars(extend("default" = 0.5), example = 0)]
    pub(super) draw: Option<f64>,
    /// Moves of each side, none a capture or pawn move, that end the game.
    #[schemars(example = 50)]
    pub(super) move_rule: Option<u32>,
    /// Whether a pawn's move that it cannot undo begins that count again, as a capture does; `false` only where it can undo some.
    #[schemars(extend("default" = true))]
    pub(super) pawn_moves_reset: Option<bool>,
    /// Occurrences of a position that end the game, 2 to 10.
    #[schemars(example = 3)]
    pub(super) repetitions: Option<u32>,
    /// Result of a repetition. `mover-loses`: for the side whose move repeats the position.
    #[schemars(extend("default" = "draw", "enum" = ["draw", "white-loses", "mover-loses"]))]
    pub(super) repetition: Option<String>,
    /// Whether a side loses by repetition if each of its moves since the first occurrence gave check.
    pub(super) perpetual_check_loses: Option<bool>,
    /// Armies that cannot win against a bare king, each as a text of letters; empty for the bare king itself.
    #[schemars(extend("examples" = [["", "B", "N"]]))]
    pub(super) insufficient_material: Option<Vec<String>>,
    /// Points that decide the game at a repetition or by the move rule.
    pub(super) material_count: Option<RawMaterialCount>,
    /// Squares that a piece wins by reaching.
    pub(super) goal: Option<RawGoal>,
    /// Number of checks that wins, 1 to 9. Without the key checks are not counted.
    #[schemars(example = 3)]
    pub(super) checks: Option<u8>,
    /// Whether a bare king loses, unless the other king has one piece and loses it with the next move.
    pub(super) bare_king_loses: Option<bool>,
    /// Kinds whose loss decides the game.
    pub(super) extinction: Option<RawExtinction>,
    /// Count of moves within which a side that is ahead must mate, as in makruk; then the game is a draw. Takes a king on both sides,
    /// and neither pockets nor en passant, whose field of the FEN has the limit of the count.
    pub(super) counting: Option<RawCounting>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawGoal {
    /// Letter of the piece.
    #[schemars(example = &"K")]
    pub(super) piece: Option<String>,
    /// Squares of the goal.
    #[schemars(example = &"d4 e4 d5 e5")]
    pub(super) squares: Option<String>,
    /// Black's squares of the goal; White's without the key.
    #[schemars(example = &"a1 b1")]
    pub(super) black_squares: Option<String>,
    /// Whether a goal that White reaches leaves Black one move to reach it, too, which draws.
    pub(super) last_turn: Option<bool>,
    /// Whether the piece must still be there when its side is to move again.
    pub(super) held: Option<bool>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawExtinction {
    /// Letters of the kinds.
    #[schemars(example = &"KQ")]
    pub(super) pieces: Option<String>,
    /// Whether all of them count together, or each kind alone.
    pub(super) together: Option<bool>,
    /// Number of pieces with which, or with fewer, a side is extinct.
    #[schemars(extend("default" = 0), example = 1)]
    pub(super) at_most: Option<u32>,
    /// Points of the extinct side: 0 or 1.
    #[schemars(extend("default" = 0.0), example = 1)]
    pub(super) score: Option<f64>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawCounting {
    /// Moves of each side in the count against a side that has more than its king. Without the key there is none.
    #[schemars(example = 64)]
    pub(super) moves: Option<u32>,
    /// Largest number of pieces, with the king, of a side against which `moves` are counted. Without the key, any number, but
    /// only when no pawn is on the board.
    #[schemars(example = 3)]
    pub(super) most_pieces: Option<u32>,
    /// Moves in the count against a bare king when no pawn is on the board, by pieces that the other side must at least have. The
    /// smallest number that applies counts. Replaces the table of the base as a whole.
    #[schemars(extend("examples" = [{ "R": 16, "RR": 8 }]))]
    #[serde(default)]
    pub(super) armies: BTreeMap<String, u32>,
    /// Whether the count against a bare king begins at the number of pieces on the board, otherwise at zero.
    pub(super) from_pieces: Option<bool>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawMaterialCount {
    /// Points of a piece of class `major`.
    #[schemars(example = 4)]
    pub(super) major: Option<u32>,
    /// Points of a piece of class `average`.
    #[schemars(example = 4)]
    pub(super) average: Option<u32>,
    /// Points of a piece of class `minor`.
    #[schemars(example = 4)]
    pub(super) minor: Option<u32>,
    /// Points of the joker.
    #[schemars(example = 4)]
    pub(super) joker: Option<u32>,
    /// Points of the joker if the opponent has more major than minor pieces.
    #[schemars(example = 4)]
    pub(super) joker_against_majors: Option<u32>,
    /// Points of a pawn.
    #[schemars(example = 4)]
    pub(super) pawn: Option<u32>,
    /// Points of a pawn on a rank, instead of `pawn`. Replaces the table of the base as a whole.
    #[schemars(extend("examples" = [{ "7": 3 }]))]
    #[serde(default)]
    pub(super) pawn_on_rank: BTreeMap<String, u32>,
    /// Lead in points that decides the game.
    #[schemars(example = 5)]
    pub(super) lead: Option<u32>,
    /// Result of the side with the lead: 0, 0.25, 0.5, 0.75 or 1.
    #[schemars(example = 0.75)]
    pub(super) score: Option<f64>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStart {
    /// Name for options and programs: letters, digits and `-`.
    #[schemars(example = &"1")]
    pub(super) id: Option<String>,
    /// Name for people.
    #[schemars(example = &"array")]
    pub(super) title: Option<String>,
    /// Position.
    #[schemars(example = &"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")]
    pub(super) fen: Option<String>,
    /// In the only start, with the array of chess: whether the game has the 960 arrays of Chess960 as starts, whose ids are their
    /// numbers. `id` is then that of the default start.
    pub(super) shuffled: Option<bool>,
}

/// The JSON Schema of definition files: type, meaning, default and examples of every key, which editors use for completion.
///
/// ```
/// let schema = assay_rules::def::schema().to_value();
/// assert_eq!(schema["properties"]["board"]["properties"]["first-rank"]["default"], 1);
/// ```
pub fn schema() -> Schema {
    let settings = SchemaSettings::draft07().with(|settings| {
        settings.inline_subschemas = true;
        settings.transforms.push(Box::new(RecursiveTransform(adapt_to_toml)));
    });
    settings.into_generator().into_root_schema_for::<RawGame>()
}

/// TOML has no null, and a switch that is not given is off unless its field says otherwise.
fn adapt_to_toml(schema: &mut Schema) {
    schema.remove("format");
    if let Some(types) = schema.get_mut("type").and_then(|types| types.as_array_mut()) {
        let not_null = types.swap_remove(0);
        schema.insert("type".to_owned(), not_null);
    }
    if schema.get("type").is_some_and(|found| found == "boolean") && schema.get("default").is_none() {
        schema.insert("default".to_owned(), false.into());
    }
}

/// A definition file merged with its base, and its text for error positions.
pub(super) struct Source<'t> {
    pub(super) file: &'t str,
    pub(super) text: &'t str,
    pub(super) raw: RawGame,
    /// The file and its base as tables, if it has a base.
    inheritance: Option<Inheritance>,
}

struct Inheritance {
    /// Name of the base.
    base: String,
    /// Keys of the file itself.
    own: Table,
    /// Keys of the base.
    inherited: Table,
}

/// Tables that depend on the board or the pieces. They replace the base's table as a whole.
const REPLACED_TABLES: [&str; 5] = ["promotion", "promotion-limits", "pawn-on-rank", "ranks", "armies"];

impl Inheritance {
    /// The key in the file that would replace the inherited value of `key`. `None` if the value is the file's own, or missing.
    fn replacing_key<'k>(&self, key: &'k str) -> Option<&'k str> {
        let mut end = 0;
        let (mut own, mut inherited) = (Some(&self.own), &self.inherited);
        for part in key.split('.') {
            end += part.len() + usize::from(end > 0);
            let value = inherited.get(part)?;
            let own_value = own.and_then(|own| own.get(part));
            match value {
                toml::Value::Table(table) if !REPLACED_TABLES.contains(&part) => {
                    (own, inherited) = (own_value.and_then(toml::Value::as_table), table);
                    if end == key.len() {
                        return own_value.is_none().then_some(key);
                    }
                }
                _ => return own_value.is_none().then_some(&key[..end]),
            }
        }
        None
    }
}

impl<'t> Source<'t> {
    /// Parses the file and merges it with its base.
    pub(super) fn read(text: &'t str, file: &'t str) -> Result<Source<'t>, DefError> {
        let text = without_bom(text);
        let own: RawGame = parse_toml(text, file)?;
        let Some(base) = &own.base else {
            return Ok(Source { file, text, raw: own, inheritance: None });
        };
        let mut source = Source { file, text, raw: own.clone(), inheritance: None };
        // Name and title identify a game, so they are never inherited.
        for (key, value) in [("name", &own.name), ("title", &own.title)] {
            if value.is_none() {
                return Err(source.error(key, "missing: name and title are not inherited from the base"));
            }
        }
        // The base's source does not publish the values of this file.
        let has_values = |piece: &RawPiece| piece.value.is_some() || piece.pair.is_some();
        if own.source.is_none()
            && let Some((name, _)) = own.pieces.iter().find(|(_, piece)| has_values(piece))
        {
            return Err(source.error(
                &format!("pieces.{name}"),
                "found a value, expected also a source of the values, which is not inherited from the base",
            ));
        }
        let table = resolve_base(base, 0).ok_or_else(|| {
            let known = super::known_games();
            source.error("base", format!("found `{base}`, expected a built-in game: {known}"))
        })?;
        let (own_table, inherited): (Table, _) = (parse_toml(text, file)?, without_values(table));
        source.raw = merge(inherited.clone(), own_table.clone()).try_into().map_err(|error: toml::de::Error| {
            source.error("base", format!("cannot be combined with this file: {}", plain_message(&error)))
        })?;
        source.inheritance = Some(Inheritance { base: base.clone(), own: own_table, inherited });
        Ok(source)
    }

    /// Creates an error at a key, with the line of that key or of its closest enclosing table. The error of an inherited value
    /// is at `base` and says how to replace the value.
    pub(super) fn error(&self, key: &str, message: impl Into<String>) -> DefError {
        let message = message.into();
        if let Some(inheritance) = &self.inheritance
            && let Some(replacing) = inheritance.replacing_key(key)
        {
            let base = &inheritance.base;
            let message = format!("{message}; the value is inherited from `{base}`: give {replacing} in this file");
            return DefError::at(self.file, self.text, self.locate("base"), Some(key), message);
        }
        DefError::at(self.file, self.text, self.locate(key), Some(key), message)
    }

    /// Byte offset of the value of a dotted key, or of its closest enclosing table if the file does not contain the key.
    fn locate(&self, key: &str) -> Option<usize> {
        let root = DeTable::parse(self.text).ok()?;
        let mut found = None;
        let mut parts = key.split('.');
        let first = parts.next()?;
        let (_, mut value) = root.get_ref().iter().find(|(name, _)| name.get_ref() == first)?;
        found = Some(value.span().start).or(found);
        for part in parts {
            value = match value.get_ref() {
                DeValue::Table(table) => match table.iter().find(|(name, _)| name.get_ref() == part) {
                    Some((_, inner)) => inner,
                    None => return found,
                },
                DeValue::Array(array) => match part.parse::<usize>().ok().and_then(|index| array.get(index)) {
                    Some(inner) => inner,
                    None => return found,
                },
                _ => return found,
            };
            found = Some(value.span().start);
        }
        found
    }
}

/// The table of a built-in game, merged with its own base. The depth limit guards against circular bases.
fn resolve_base(name: &str, depth: usize) -> Option<Table> {
    let table: Table = toml::from_str(super::definition_text(name)?).ok()?;
    match table.get("base").and_then(|base| base.as_str()) {
        Some(base) if depth < 8 => Some(merge(without_values(resolve_base(base, depth + 1)?), table.clone())),
        Some(_) => None,
        None => Some(table),
    }
}

/// A base without the values of its pieces: what is published for one game is not published for another.
fn without_values(mut base: Table) -> Table {
    let pieces = base.get_mut("pieces").and_then(toml::Value::as_table_mut);
    let tables = pieces.into_iter().flat_map(|pieces| pieces.iter_mut());
    for piece in tables.filter_map(|(_, piece)| piece.as_table_mut()) {
        piece.remove("value");
        piece.remove("rounded");
        piece.remove("pair");
    }
    base
}

/// Merges tables key by key; any other value is replaced, and so are [`REPLACED_TABLES`].
fn merge(mut base: Table, file: Table) -> Table {
    for (key, value) in file {
        match (base.get_mut(&key), value) {
            (Some(toml::Value::Table(inherited)), toml::Value::Table(own))
                if !REPLACED_TABLES.contains(&key.as_str()) =>
            {
                *inherited = merge(std::mem::take(inherited), own);
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
    base
}
