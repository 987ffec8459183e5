//! The keys of a definition file: one structure that TOML, `variants.ini` and programs fill, and
//! that is written as TOML again.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::types::color::Color;
use crate::variant::kinds::PieceClass;

pub use crate::variant::endings::{EndingKeys, MaterialCountKeys};
pub use crate::variant::mechanism::castling::CastlingKeys;
pub use crate::variant::mechanism::counting::CountingKeys;
pub use crate::variant::mechanism::drops::DropKeys;
pub use crate::variant::mechanism::explosions::ExplosionKeys;
pub use crate::variant::mechanism::extinction::ExtinctionKeys;
pub use crate::variant::mechanism::gating::{GatingKeys, LastMoveKeys};
pub use crate::variant::mechanism::goal::GoalKeys;
pub use crate::variant::mechanism::piece_promotion::PiecePromotionKeys;
pub use crate::variant::mechanism::walls::WallKeys;

/// Definition of a game for Assay. A file with a `base` gives only what differs from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GameKeys {
    /// Name of the game for programs: lower-case letters, digits, `-` and `_`.
    #[schemars(example = &"wide-chess")]
    pub name: Option<String>,
    /// Name of the game for people.
    #[schemars(example = &"Chess on a wide board")]
    pub title: Option<String>,
    /// Built-in game to inherit from: all keys except name, title and the published values of
    /// pieces.
    #[schemars(example = &"chess")]
    pub base: Option<String>,
    /// Source of the rules.
    #[schemars(example = &"https://www.chessvariants.com/")]
    pub source: Option<String>,
    /// Id of the start that is played by default; the first of `starts` without the key.
    #[schemars(example = &"1")]
    pub default_start: Option<String>,
    /// Whether handicap starts are allowed, like `1+pawn:e4`.
    pub handicaps: Option<bool>,
    /// Board, with pieces on at most 128 squares.
    pub board: Option<BoardKeys>,
    /// Kinds of pieces, up to 26, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub pieces: IndexMap<String, PieceKeys>,
    /// Rules of pawns that movement notation cannot express.
    pub pawns: Option<PawnKeys>,
    /// Ranks on which pawns promote, counted from the side of each player. Replaces the table of
    /// the base as a whole. Needed in a game without `piece-promotion`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub promotion: IndexMap<String, PromotionKeys>,
    /// Promotion of every piece X to `+X`, by a move that begins or ends in a zone, as in shogi.
    pub piece_promotion: Option<PiecePromotionKeys>,
    /// Whether moves and drops are illegal to squares that the piece could never leave without a
    /// capture. The zone of the piece does not count.
    pub forbids_immobility: Option<bool>,
    /// Castling, which the movement of the king must contain (`isO2`).
    pub castling: Option<CastlingKeys>,
    /// Pieces that enter from a pocket, on the square that an unmoved piece leaves. A game has
    /// either drops or gating.
    pub gating: Option<GatingKeys>,
    /// Drops from a pocket. The table alone makes the drops of Crazyhouse. Pieces are dropped on
    /// empty squares that do not hang.
    pub drops: Option<DropKeys>,
    /// Endings of the game, and their results.
    pub endings: Option<EndingKeys>,
    /// Whether moves that give check are illegal.
    pub forbids_checks: Option<bool>,
    /// Whether a side that can capture must capture.
    pub forces_captures: Option<bool>,
    /// Captures that explode: the capturing piece and its neighbors, pawns excepted, vanish with
    /// the captured piece.
    pub explosions: Option<ExplosionKeys>,
    /// Walls: squares that no piece enters or passes, `*` in a FEN. The table alone allows them in
    /// the starts. They take neither squares that hang, cannon pawns nor pockets.
    pub walls: Option<WallKeys>,
    /// Whether a king attacks along its file like a rook, so that kings must not face each other.
    pub flying_general: Option<bool>,
    /// Start positions; at least one. Replaces those of the base as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<StartKeys>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoardKeys {
    /// Number of files, 3 to 16.
    #[schemars(example = 10)]
    pub files: Option<u8>,
    /// Number of ranks, at least 4.
    #[schemars(example = 8)]
    pub ranks: Option<u8>,
    /// Number of the lowest rank: 0 or 1.
    #[schemars(extend("default" = 1), example = 0)]
    pub first_rank: Option<u8>,
    /// Squares that do not exist.
    #[schemars(extend("default" = ""), example = &"a1 h1")]
    pub holes: Option<String>,
    /// Squares that can be entered only by capture.
    #[schemars(extend("default" = ""), example = &"a0 j0")]
    pub hanging: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PieceKeys {
    /// Display name, instead of the name of the table.
    #[schemars(example = &"amazon")]
    pub name: Option<String>,
    /// Letter in FEN and SAN, or `+X` for the piece that X promotes to.
    #[schemars(example = &"Q")]
    pub letter: Option<String>,
    /// Movement in XBetza notation. A joker has none.
    #[schemars(example = &"RB")]
    #[serde(rename = "move")]
    pub movement: Option<String>,
    /// Role in the rules. `king`: each side has one, which must not be left attacked. `royal`: no
    /// piece of the kind may be left attacked, however many there are. `pawn`: each game has such a
    /// kind, and may have several. `joker`: moves as the piece that the opponent moved last.
    /// `major`, `average`, `minor`: only for the material count. Without the key the piece has no
    /// role.
    #[schemars(with = "Option<String>", extend("enum" = ["king", "royal", "pawn", "joker", "major", "average", "minor"]))]
    pub class: Option<PieceClass>,
    /// The only squares that White's pieces of the kind move to (`*1`: rank 1); Black's are turned
    /// by 180 degrees. Without the key, all. Neither for the joker nor for a piece that castles.
    #[schemars(example = &"*1 d2")]
    pub zone: Option<String>,
    /// The only side that can have the piece: pawns of the other side do not promote to it. Without
    /// the key, both.
    #[schemars(with = "Option<String>", extend("enum" = ["white", "black"]))]
    pub side: Option<Color>,
    /// Letters of the pieces that a kind of pawn promotes to, of those in `promotion`. Without the
    /// key, all.
    #[schemars(example = &"QRB")]
    pub promotes_to: Option<String>,
    /// Published value, in the inventor's units: 0.001 to 1000000.
    #[schemars(example = 3.25)]
    pub value: Option<f64>,
    /// Published value as the inventor rounds it ("1.05, or 1 approx.").
    #[schemars(example = 3)]
    pub rounded: Option<f64>,
    /// Published bonus for a pair, in the same units.
    #[schemars(example = 0.5)]
    pub pair: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PawnKeys {
    /// Rank from which pawns have their initial moves.
    #[schemars(example = 2)]
    pub home_rank: Option<u8>,
    /// White's squares besides the home rank from which pawns have their initial moves.
    #[schemars(example = &"b3 c3")]
    pub home_squares: Option<String>,
    /// Whether pawns have their initial moves on the first rank, too. They are not captured en
    /// passant there.
    pub first_rank_steps: Option<bool>,
    /// Pieces that a side may have on the board: with as many, no pawn promotes to that piece.
    /// Replaces the table of the base as a whole. Without the key there is no limit.
    #[schemars(extend("default" = {}, "examples" = [{ "Q": 1, "R": 2 }]))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub promotion_limits: BTreeMap<String, u8>,
    /// Whether pawns capture by cannon, as in Gunnery Chess.
    pub cannon: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PromotionKeys {
    /// Letters of the pieces to choose from.
    #[schemars(example = &"QRBN")]
    pub to: Option<String>,
    /// Whether the pawn may stay a pawn; only on a rank before the last.
    pub optional: Option<bool>,
    /// White's squares of promotion, if they are not the whole rank; they may be on other ranks.
    /// Only for a single entry, of the last rank.
    #[schemars(example = &"c8 d8 e8 f8")]
    pub squares: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartKeys {
    /// Name for options and programs: letters, digits and `-`.
    #[schemars(example = &"1")]
    pub id: Option<String>,
    /// Name for people.
    #[schemars(example = &"array")]
    pub title: Option<String>,
    /// Position.
    #[schemars(example = &"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")]
    pub fen: Option<String>,
    /// In the only start, with the array of chess: whether the game has the 960 arrays of Chess960
    /// as starts, whose ids are their numbers. `id` is then that of the default start.
    pub shuffled: Option<bool>,
}

impl GameKeys {
    /// The text of a definition file with these keys.
    ///
    /// # Errors
    /// If a text has no form in TOML; none does.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }
}

/// The JSON Schema of definition files: type, meaning, default and examples of every key, which
/// editors use for completion.
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
    settings.into_generator().into_root_schema_for::<GameKeys>()
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
