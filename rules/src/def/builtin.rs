//! The built-in games: their files, compiled into the crate.

use std::sync::{Arc, OnceLock};

use crate::variant::GameDef;

/// Passes the list of built-in games to a macro: the name of each game and its ruleset in
/// `assay-engine`.
///
/// A game NAME has the files `NAME.toml`, `NAME.bench.epd` and `NAME.claims.toml` in `variants/`.
#[macro_export]
macro_rules! for_each_builtin {
    ($macro:ident) => {
        $macro! {
            chess Chess,
            berolina Berolina,
            gamma2 Gamma2,
            gunnery Gunnery,
            scorpion Scorpion,
            apothecary2 Apothecary2,
        }
    };
}

/// The files of a built-in game.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinFiles {
    /// Name of the game.
    pub name: &'static str,
    /// The definition (TOML).
    pub definition: &'static str,
    /// Positions that the engine's bench searches: a FEN on each line, or a comment that starts
    /// with `#`.
    pub bench: &'static str,
    /// Claims of the game's inventor that games can test (TOML).
    pub claims: &'static str,
}

macro_rules! list {
    ($($name:ident $ruleset:ident,)+) => {
        /// Names of the built-in games.
        pub const BUILTIN_NAMES: [&str; [$(stringify!($name)),+].len()] = [$(stringify!($name)),+];

        /// Files of the built-in games, in the order of [`BUILTIN_NAMES`].
        pub const BUILTIN_FILES: [BuiltinFiles; BUILTIN_NAMES.len()] = [$(BuiltinFiles {
            name: stringify!($name),
            definition: include_str!(concat!("../../variants/", stringify!($name), ".toml")),
            bench: include_str!(concat!("../../variants/", stringify!($name), ".bench.epd")),
            claims: include_str!(concat!("../../variants/", stringify!($name), ".claims.toml")),
        }),+];
    };
}
for_each_builtin!(list);

macro_rules! data_games {
    ($($name:literal,)+) => {
        /// Names of the further built-in games. They are definition files only: a general ruleset
        /// plays them, and they have no weights, networks, bench positions or claims.
        pub const DATA_NAMES: [&str; [$($name),+].len()] = [$($name),+];

        /// Name and definition of each of them.
        const DATA_FILES: [(&str, &str); DATA_NAMES.len()] =
            [$(($name, include_str!(concat!("../../variants/", $name, ".toml")))),+];
    };
}

data_games! {
    "3check",
    "5check",
    "ai-wok",
    "almost",
    "amazon",
    "antichess",
    "armageddon",
    "asean",
    "atomar",
    "atomic",
    "breakthrough",
    "capablanca",
    "capahouse",
    "caparandom",
    "centaur",
    "chancellor",
    "chaturanga",
    "checkshogi",
    "chessgi",
    "chigorin",
    "codrus",
    "coregal",
    "courier",
    "crazyhouse",
    "duck",
    "embassy",
    "euroshogi",
    "extinction",
    "fischerandom",
    "gardner",
    "georgian",
    "giveaway",
    "gorogoro",
    "gothic",
    "grand",
    "grasshopper",
    "gustav3",
    "hoppelpoppel",
    "horde",
    "janus",
    "jesonmor",
    "joust",
    "judkins",
    "kinglet",
    "kingofthehill",
    "knightmate",
    "kyotoshogi",
    "legan",
    "loop",
    "losalamos",
    "losers",
    "makruk",
    "manchu",
    "micro",
    "mini",
    "minishogi",
    "minixiangqi",
    "misere",
    "modern",
    "newzealand",
    "nightrider",
    "nocastle",
    "nocheckatomic",
    "okisakishogi",
    "omicron",
    "opulent",
    "paradigm",
    "pawnback",
    "pawnsideways",
    "perfect",
    "petrified",
    "placement",
    "pocketknight",
    "raazuvaa",
    "racingkings",
    "seirawan",
    "shako",
    "shatranj",
    "shogi",
    "snailtrail",
    "sortofalmost",
    "suicide",
    "tencubed",
    "threekings",
    "torishogi",
    "torpedo",
    "troitzky",
    "wolf",
    "xiangqi",
    "yarishogi",
}

/// Names of all built-in games: first [`BUILTIN_NAMES`], then [`DATA_NAMES`].
pub fn game_names() -> impl Iterator<Item = &'static str> {
    BUILTIN_NAMES.into_iter().chain(DATA_NAMES)
}

/// The built-in games as an error message names them.
pub fn known_games() -> String {
    format!("{}, others: assay-perft show", BUILTIN_NAMES.join(", "))
}

/// Name and definition of all built-in games.
fn definitions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let files = BUILTIN_FILES.into_iter().map(|files| (files.name, files.definition));
    files.chain(DATA_FILES)
}

/// The definition file of a built-in game.
pub fn definition_text(name: &str) -> Option<&'static str> {
    definitions().find_map(|(known, text)| (known == name).then_some(text))
}

impl GameDef {
    /// Returns a built-in game by its name; see [`game_names`].
    ///
    /// # Panics
    /// Panics if a built-in definition file is invalid, which the tests rule out.
    ///
    /// ```
    /// use assay_rules::GameDef;
    ///
    /// let chess = GameDef::builtin("chess").unwrap();
    /// assert_eq!((chess.board.files(), chess.kinds.len()), (8, 6));
    /// assert!(GameDef::builtin("janggi").is_none());
    /// ```
    pub fn builtin(name: &str) -> Option<Arc<GameDef>> {
        const COUNT: usize = BUILTIN_NAMES.len() + DATA_NAMES.len();
        static LOADED: [OnceLock<Arc<GameDef>>; COUNT] = [const { OnceLock::new() }; COUNT];
        let ((_, text), loaded) = definitions().zip(&LOADED).find(|((known, _), _)| *known == name)?;
        let game = loaded.get_or_init(|| {
            let file = format!("{name}.toml");
            Arc::new(GameDef::from_toml(text, &file).unwrap_or_else(|error| panic!("{error}")))
        });
        Some(Arc::clone(game))
    }

    /// Returns true for a built-in game. A user's game may have the name of one and still differ
    /// from it.
    pub fn is_builtin(&self) -> bool {
        GameDef::builtin(&self.name).is_some_and(|builtin| *builtin == *self)
    }

    /// Returns true for a user's game with the name of a built-in one, which a program that lists
    /// the name would play instead.
    pub fn shadows_builtin(&self) -> bool {
        GameDef::builtin(&self.name).is_some_and(|builtin| *builtin != *self)
    }
}

/// Names that chess.com, lichess, python-chess, XBoard, cutechess and others use for games that
/// have another name here: their letters and digits, with `chess` at the end of a name optional.
const OTHER_NAMES: &[(&str, &[&str])] = &[
    ("chess", &["standard", "normal", "fromposition", "orthodox", "classical", "regular"]),
    ("fischerandom", &["chess960", "960", "fischerrandom", "fischerrandomchess960", "frc", "freestyle"]),
    ("3check", &["threecheck", "threechecks", "3checks"]),
    ("5check", &["fivecheck", "fivechecks", "5checks"]),
    ("kingofthehill", &["koth"]),
    ("racingkings", &["racingking"]),
    ("crazyhouse", &["zh"]),
    ("antichess", &["anti"]),
    ("capablanca", &["capa"]),
    ("caparandom", &["capablancarandom"]),
    ("seirawan", &["s"]),
    ("shogi", &["japanese"]),
    ("xiangqi", &["chinese", "c"]),
    ("makruk", &["thai"]),
    ("nocastle", &["nocastling"]),
];

/// Returns the built-in game that the `Variant` tag of a PGN names: by its name or title, or a name
/// that other programs use for it. Case, spaces and punctuation do not count.
pub fn builtin_variant(name: &str) -> Option<Arc<GameDef>> {
    let simple = simple_name(name);
    let base = simple.strip_suffix("chess").filter(|base| !base.is_empty()).unwrap_or(&simple);
    let is_same = |other: &str| [simple.as_str(), base].contains(&other);
    if let Some((game, _)) = OTHER_NAMES.iter().find(|(_, names)| names.iter().any(|other| is_same(other))) {
        return GameDef::builtin(game);
    }
    let is_named = |game: &Arc<GameDef>| is_same(&simple_name(&game.name)) || simple == simple_name(&game.title);
    game_names().filter_map(GameDef::builtin).find(is_named)
}

/// The letters and digits of a name, in lower case.
fn simple_name(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
