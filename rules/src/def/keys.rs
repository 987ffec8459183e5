//! The keys of a definition file: one structure that TOML, `variants.ini` and programs fill, and that
//! is written as TOML again.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::types::color::Color;
use crate::types::definition::{Captured, PieceClass, RepetitionResult, WallRule};
use crate::types::outcome::Points;

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
    /// Built-in game to inherit from: all keys except name, title and the published values of pieces.
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
    #[serde(default)]
    pub pieces: IndexMap<String, PieceKeys>,
    /// Rules of pawns that movement notation cannot express.
    pub pawns: Option<PawnKeys>,
    /// Ranks on which pawns promote, counted from the side of each player. Replaces the table of the base as a whole. Needed
    /// in a game without `piece-promotion`.
    #[serde(default)]
    pub promotion: IndexMap<String, PromotionKeys>,
    /// Promotion of every piece X to `+X`, by a move that begins or ends in a zone, as in shogi.
    pub piece_promotion: Option<PiecePromotionKeys>,
    /// Whether moves and drops are illegal to squares that the piece could never leave without a capture. The zone of the piece does not count.
    pub forbids_immobility: Option<bool>,
    /// Castling, which the movement of the king must contain (`isO2`).
    pub castling: Option<CastlingKeys>,
    /// Pieces that enter from a pocket, on the square that an unmoved piece leaves. A game has either drops or gating.
    pub gating: Option<GatingKeys>,
    /// Drops from a pocket. The table alone makes the drops of Crazyhouse. Pieces are dropped on empty squares that do not
    /// hang.
    pub drops: Option<DropKeys>,
    /// Endings of the game, and their results.
    pub endings: Option<EndingKeys>,
    /// Whether moves that give check are illegal.
    pub forbids_checks: Option<bool>,
    /// Whether a side that can capture must capture.
    pub forces_captures: Option<bool>,
    /// Captures that explode: the capturing piece and its neighbors, pawns excepted, vanish with the captured piece.
    pub explosions: Option<ExplosionKeys>,
    /// Walls: squares that no piece enters or passes, `*` in a FEN. The table alone allows them in the starts. They take neither
    /// squares that hang, cannon pawns nor pockets.
    pub walls: Option<WallKeys>,
    /// Whether a king attacks along its file like a rook, so that kings must not face each other.
    pub flying_general: Option<bool>,
    /// Start positions; at least one. Replaces those of the base as a whole.
    #[serde(default)]
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
    /// Role in the rules. `king`: each side has one, which must not be left attacked. `royal`: no piece of the kind may be
    /// left attacked, however many there are. `pawn`: each game has this kind. `joker`: moves as the piece that the opponent
    /// moved last. `major`, `average`, `minor`: only for the material count. Without the key the piece has no role.
    #[schemars(with = "Option<String>", extend("enum" = ["king", "royal", "pawn", "joker", "major", "average", "minor"]))]
    pub class: Option<PieceClass>,
    /// The only squares that White's pieces of the kind move to (`*1`: rank 1); Black's are turned by 180 degrees. Without
    /// the key, all. Neither for the joker nor for a piece that castles.
    #[schemars(example = &"*1 d2")]
    pub zone: Option<String>,
    /// The only side that can have the piece: pawns of the other side do not promote to it. Without the key, both.
    #[schemars(with = "Option<String>", extend("enum" = ["white", "black"]))]
    pub side: Option<Color>,
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
    /// Whether pawns have their initial moves on the first rank, too. They are not captured en passant there.
    pub first_rank_steps: Option<bool>,
    /// Pieces that a side may have on the board: with as many, no pawn promotes to that piece. Replaces the table of the base
    /// as a whole. Without the key there is no limit.
    #[schemars(extend("examples" = [{ "Q": 1, "R": 2 }]))]
    #[serde(default)]
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
    /// White's squares of promotion, if they are not the whole rank; they may be on other ranks. Only for a single entry, of
    /// the last rank.
    #[schemars(example = &"c8 d8 e8 f8")]
    pub squares: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PiecePromotionKeys {
    /// First and last rank of the zone.
    #[schemars(extend("examples" = [[7, 9]]))]
    pub ranks: Option<[u8; 2]>,
    /// Whether a piece must promote.
    pub forced: Option<bool>,
    /// Whether only captures promote.
    pub by_capture: Option<bool>,
    /// Whether `+X` turns back to X by the same rules.
    pub demotes: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CastlingKeys {
    /// Letter of the piece that the king castles with, or letters of several.
    #[schemars(example = &"R")]
    pub partner: Option<String>,
    /// File to which the king castles toward the last file, in place of the distance of its `O`.
    #[schemars(example = &"g")]
    pub kingside_file: Option<String>,
    /// File to which the king castles toward the first file.
    #[schemars(example = &"c")]
    pub queenside_file: Option<String>,
    /// Whether king and partner may begin on any files of their rank, as in Chess960. Takes both files and one partner, and neither
    /// gating nor handicaps.
    pub from_any_file: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplosionKeys {
    /// Letters of kinds that survive explosions, and do not capture their own kind.
    #[schemars(example = &"K", extend("default" = ""))]
    pub immune: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WallKeys {
    /// Wall that each move makes. `duck`: on any empty square, in place of the one before; `past`: on the square that the piece leaves,
    /// for good. Takes neither royal pieces, explosions nor castling from any files. Without the key moves make none.
    #[schemars(with = "Option<String>", extend("enum" = ["duck", "past"]))]
    pub each_move: Option<WallRule>,
    /// Letters of kinds that become walls when they capture, neither royal pieces nor the pawn. Not with a duck or explosions.
    #[schemars(example = &"QRBN", extend("default" = ""))]
    pub petrified: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GatingKeys {
    /// Letters of the pieces in the pocket of each side.
    #[schemars(example = &"HE")]
    pub pocket: Option<String>,
    /// Letters of the kinds that gate.
    #[schemars(example = &"KQRBN")]
    pub movers: Option<String>,
    /// Number of the last move in which each side may gate.
    pub last_move: Option<LastMoveKeys>,
    /// Whether the move must be legal without the gated piece, too, which then cannot shield the king.
    pub forbids_shielding: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LastMoveKeys {
    /// White's last move.
    #[schemars(example = 5)]
    pub white: Option<u32>,
    /// Black's last move.
    #[schemars(example = 6)]
    pub black: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DropKeys {
    /// Letters of the kinds that can be dropped; all but royal kinds and the joker without the key.
    #[schemars(example = &"PNBRQ")]
    pub kinds: Option<String>,
    /// Whose pocket a captured piece goes to. `none`: it is removed.
    #[schemars(with = "Option<String>", extend("default" = "capturer", "enum" = ["capturer", "owner", "none"]))]
    pub captured: Option<Captured>,
    /// Whether a captured promoted piece becomes a pawn again, or keeps its kind.
    #[schemars(extend("default" = true))]
    pub promoted_revert: Option<bool>,
    /// First and last rank of the drops of a kind. Without an entry, pawns are dropped from the second rank to the one before
    /// the first promotion, other pieces anywhere. Replaces the table of the base as a whole.
    #[schemars(extend("examples" = [{ "P": [2, 6] }]))]
    #[serde(default)]
    pub ranks: BTreeMap<String, [u8; 2]>,
    /// Whether a piece X may also be dropped as `+X`.
    pub promoted: Option<bool>,
    /// Pawns of a side on a file with which no other is dropped there. Without the key there is no limit.
    #[schemars(example = 1)]
    pub pawns_per_file: Option<u8>,
    /// Whether a dropped pawn may give checkmate.
    #[schemars(extend("default" = true))]
    pub pawn_mate: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EndingKeys {
    /// Points of the side that gives checkmate: 0, 0.25, 0.5, 0.75 or 1.
    #[schemars(with = "Option<f64>", extend("default" = 1.0), example = 0)]
    pub checkmate: Option<Points>,
    /// Points of the side that gives stalemate: 0, 0.25, 0.5, 0.75 or 1.
    #[schemars(with = "Option<f64>", example = 0.5)]
    pub stalemate: Option<Points>,
    /// Whether instead stalemate wins for the side with fewer pieces, and is a draw if both have as many.
    pub stalemate_by_count: Option<bool>,
    /// White's points for a draw: 0, 0.25, 0.5, 0.75 or 1. Black gets the rest.
    #[schemars(with = "Option<f64>", extend("default" = 0.5), example = 0)]
    pub draw: Option<Points>,
    /// Moves of each side, none a capture or pawn move, that end the game.
    #[schemars(example = 50)]
    pub move_rule: Option<u32>,
    /// Whether a pawn's move that it cannot undo begins that count again, as a capture does; `false` only where it can undo some.
    #[schemars(extend("default" = true))]
    pub pawn_moves_reset: Option<bool>,
    /// Occurrences of a position that end the game, 2 to 10.
    #[schemars(example = 3)]
    pub repetitions: Option<u32>,
    /// Result of a repetition. `mover-loses`: for the side whose move repeats the position.
    #[schemars(with = "Option<String>", extend("default" = "draw", "enum" = ["draw", "white-loses", "mover-loses"]))]
    pub repetition: Option<RepetitionResult>,
    /// Whether a side loses by repetition if each of its moves since the first occurrence gave check.
    pub perpetual_check_loses: Option<bool>,
    /// Armies that cannot win against a bare king, each as a text of letters; empty for the bare king itself.
    #[schemars(extend("examples" = [["", "B", "N"]]))]
    pub insufficient_material: Option<Vec<String>>,
    /// Points that decide the game at a repetition or by the move rule.
    pub material_count: Option<MaterialCountKeys>,
    /// Squares that a piece wins by reaching.
    pub goal: Option<GoalKeys>,
    /// Number of checks that wins, 1 to 9. Without the key checks are not counted.
    #[schemars(example = 3)]
    pub checks: Option<u8>,
    /// Whether a bare king loses, unless the other king has one piece and loses it with the next move.
    pub bare_king_loses: Option<bool>,
    /// Kinds whose loss decides the game.
    pub extinction: Option<ExtinctionKeys>,
    /// Count of moves within which a side that is ahead must mate, as in makruk; then the game is a draw. Takes a king on both sides,
    /// and neither pockets nor en passant, whose field of the FEN has the limit of the count.
    pub counting: Option<CountingKeys>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GoalKeys {
    /// Letter of the piece.
    #[schemars(example = &"K")]
    pub piece: Option<String>,
    /// Squares of the goal.
    #[schemars(example = &"d4 e4 d5 e5")]
    pub squares: Option<String>,
    /// Black's squares of the goal; White's without the key.
    #[schemars(example = &"a1 b1")]
    pub black_squares: Option<String>,
    /// Whether a goal that White reaches leaves Black one move to reach it, too, which draws.
    pub last_turn: Option<bool>,
    /// Whether the piece must still be there when its side is to move again.
    pub held: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExtinctionKeys {
    /// Letters of the kinds.
    #[schemars(example = &"KQ")]
    pub pieces: Option<String>,
    /// Whether all of them count together, or each kind alone.
    pub together: Option<bool>,
    /// Number of pieces with which, or with fewer, a side is extinct.
    #[schemars(extend("default" = 0), example = 1)]
    pub at_most: Option<u32>,
    /// Points of the extinct side: 0 or 1.
    #[schemars(with = "Option<f64>", extend("default" = 0.0), example = 1)]
    pub score: Option<Points>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CountingKeys {
    /// Moves of each side in the count against a side that has more than its king. Without the key there is none.
    #[schemars(example = 64)]
    pub moves: Option<u32>,
    /// Largest number of pieces, with the king, of a side against which `moves` are counted. Without the key, any number, but
    /// only when no pawn is on the board.
    #[schemars(example = 3)]
    pub most_pieces: Option<u32>,
    /// Moves in the count against a bare king when no pawn is on the board, by pieces that the other side must at least have. The
    /// smallest number that applies counts. Replaces the table of the base as a whole.
    #[schemars(extend("examples" = [{ "R": 16, "RR": 8 }]))]
    #[serde(default)]
    pub armies: BTreeMap<String, u32>,
    /// Whether the count against a bare king begins at the number of pieces on the board, otherwise at zero.
    pub from_pieces: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MaterialCountKeys {
    /// Points of a piece of class `major`.
    #[schemars(example = 4)]
    pub major: Option<u32>,
    /// Points of a piece of class `average`.
    #[schemars(example = 4)]
    pub average: Option<u32>,
    /// Points of a piece of class `minor`.
    #[schemars(example = 4)]
    pub minor: Option<u32>,
    /// Points of the joker.
    #[schemars(example = 4)]
    pub joker: Option<u32>,
    /// Points of the joker if the opponent has more major than minor pieces.
    #[schemars(example = 4)]
    pub joker_against_majors: Option<u32>,
    /// Points of a pawn.
    #[schemars(example = 4)]
    pub pawn: Option<u32>,
    /// Points of a pawn on a rank, instead of `pawn`. Replaces the table of the base as a whole.
    #[schemars(extend("examples" = [{ "7": 3 }]))]
    #[serde(default)]
    pub pawn_on_rank: BTreeMap<String, u32>,
    /// Lead in points that decides the game.
    #[schemars(example = 5)]
    pub lead: Option<u32>,
    /// Result of the side with the lead: 0, 0.25, 0.5, 0.75 or 1.
    #[schemars(with = "Option<f64>", example = 0.75)]
    pub score: Option<Points>,
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
    /// In the only start, with the array of chess: whether the game has the 960 arrays of Chess960 as starts, whose ids are their
    /// numbers. `id` is then that of the default start.
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
