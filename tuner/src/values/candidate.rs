//! Game definitions that test pieces: in an army, each replaces the piece of the nearest value, in
//! a start of its own. So each piece is measured against the same pieces of the army, and all of
//! them by one fit.

use std::sync::Arc;

use assay_cli::text::enumeration;
use assay_engine::Weights;
use assay_rules::def::{DefError, PieceClass, definition_text, parse_toml};
use assay_rules::piece::MAX_KINDS;
use assay_rules::{GameDef, Kind, Position, betza};
use assay_selfplay::settings::GameSource;
use toml::{Table, Value};

/// Name of the games that test pieces.
pub const GAME: &str = "weigh";

/// A standard army and its board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostArmy {
    /// The army of chess
    #[default]
    Chess,
    /// Capablanca's army
    Capablanca,
    /// The army of Grand Chess (Freeling 1984), which cannot castle
    Grand,
    /// Capablanca's army with two archbishops and chancellors
    Wide,
}

assay_cli::named!(HostArmy: Chess = "8x8", Capablanca = "10x8", Grand = "10x10", Wide = "12x10");

/// A game whose army is to receive the pieces.
#[derive(Clone, Debug)]
pub struct Host {
    /// Text of its definition.
    definition: String,
    /// The army's name in the title of the new game: `an ordinary army`.
    title: String,
}

impl From<HostArmy> for Host {
    fn from(army: HostArmy) -> Host {
        let definition = match army {
            HostArmy::Chess => builtin("chess"),
            HostArmy::Capablanca => include_str!("candidate/10x8.toml"),
            HostArmy::Grand => include_str!("candidate/10x10.toml"),
            HostArmy::Wide => include_str!("candidate/12x10.toml"),
        };
        Host { definition: definition.to_owned(), title: "an ordinary army".to_owned() }
    }
}

impl From<&GameSource> for Host {
    fn from(source: &GameSource) -> Host {
        let text = source.text.as_deref();
        Host {
            definition: text.unwrap_or_else(|| builtin(&source.game.name)).to_owned(),
            title: source.game.title.clone(),
        }
    }
}

impl Host {
    /// The keys of the definition.
    pub(super) fn table(&self) -> Result<Table, DefError> {
        parse_toml(&self.definition, "definition")
    }

    /// The game.
    ///
    /// # Errors
    /// If the definition is invalid.
    pub fn game(&self) -> Result<Arc<GameDef>, DefError> {
        Ok(Arc::new(GameDef::from_toml(&self.definition, "definition")?))
    }
}

fn builtin(name: &str) -> &'static str {
    definition_text(name).unwrap_or_default()
}

/// The armies that have the tested pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    Both,
    /// White's. The armies of a pair of games are exchanged, so that each color has it once.
    One,
}

/// Definition of a game with these pieces, given by their XBetza movements. Each has a start in
/// which it replaces the piece with the nearest computed value in the armies of these sides.
///
/// # Errors
/// If a movement is invalid or given twice, there are more pieces than letters, or no piece can be replaced by one of them.
pub fn definition_with_pieces<M: AsRef<str>>(movements: &[M], host: &Host, sides: Sides) -> Result<String, DefError> {
    let error = |message: String| DefError::at("--piece", "", None, None, message);
    let movements: Vec<&str> = movements.iter().map(AsRef::as_ref).collect();
    for (index, movement) in movements.iter().enumerate() {
        betza::parse(movement).map_err(|fault| error(format!("{movement}: {fault}")))?;
        if movements[..index].contains(movement) {
            return Err(error(format!("found {movement} twice, expected different pieces")));
        }
    }
    let army = host.game()?;
    let letters = free_letters(&army);
    if movements.len() > letters.len() {
        return Err(error(format!(
            "found {} pieces, expected at most {}: a game has {MAX_KINDS} kinds at most, and {} of them are the army's",
            movements.len(),
            letters.len(),
            army.kinds.len()
        )));
    }
    let mut table = host.table()?;
    table.insert("name".to_owned(), GAME.into());
    let title = format!("{} in {}", enumeration(&movements), host.title);
    table.insert("title".to_owned(), title.into());
    for (movement, letter) in movements.iter().zip(&letters) {
        let piece = table_of([("letter", letter.to_string()), ("move", (*movement).to_owned())]);
        part(&mut table, "pieces").insert((*movement).to_owned(), piece);
    }
    let game =
        Arc::new(GameDef::from_toml(&table.to_string(), "").map_err(|fault| error_of_option("--piece", &fault))?);
    let start = |((movement, &letter), number): ((&&str, &char), usize)| {
        let fen = fen_with_piece(&game, letter, sides).ok_or_else(|| {
            let army = &army.title;
            error(format!("found no piece of {army} that {movement} could replace, expected an army with one"))
        });
        let title = format!("with {movement}");
        Ok(table_of([("id", number.to_string()), ("title", title), ("fen", fen?)]))
    };
    let starts = movements.iter().zip(&letters).zip(1..).map(start);
    let starts: Vec<Value> = starts.collect::<Result<_, DefError>>()?;
    set_starts(&mut table, starts);
    let definition = table.to_string();
    GameDef::from_toml(&definition, "").map_err(|fault| error_of_option("--piece", &fault))?;
    Ok(definition)
}

/// An error in a definition that nobody wrote, as one in the option that the definition is made
/// from. A piece is named by its movement; lines and keys are left out.
pub(super) fn error_of_option(option: &str, error: &DefError) -> DefError {
    let piece = error.key.as_deref().and_then(|key| Some(key.strip_prefix("pieces.")?.rsplit_once('.')?.0));
    let message = piece.map_or_else(|| error.message.clone(), |piece| format!("{piece}: {}", error.message));
    DefError::at(option, "", None, None, message)
}

/// The letters that no piece of a game has.
pub(super) fn free_letters(game: &GameDef) -> Vec<char> {
    let is_free = |letter: &char| game.kinds.iter().all(|kind| kind.letter != *letter);
    ('X'..='Z').chain('A'..='W').filter(is_free).collect()
}

/// The table with this name in the keys of a valid definition; an empty one is added if it is
/// missing.
pub(super) fn part<'t>(table: &'t mut Table, name: &str) -> &'t mut Table {
    let part = table.entry(name).or_insert_with(|| Table::new().into());
    part.as_table_mut().expect("the definition is valid")
}

/// Replaces the starts of a definition. The first of them is the default.
pub(super) fn set_starts(table: &mut Table, starts: Vec<Value>) {
    table.insert("starts".to_owned(), starts.into());
    table.insert("default-start".to_owned(), "1".into());
}

/// A table of texts.
pub(super) fn table_of<const N: usize>(entries: [(&str, String); N]) -> Value {
    let entries = entries.map(|(key, value)| (key.to_owned(), value.into()));
    Value::Table(entries.into_iter().collect())
}

/// The start of a game in which the piece with this letter, which no army has yet, replaces the
/// piece of the nearest value that it can replace.
fn fen_with_piece(game: &Arc<GameDef>, letter: char, sides: Sides) -> Option<String> {
    let weights = Weights::computed(game);
    let value = |kind: Kind| {
        let material = weights.terms().material(kind);
        material.map_or(0.0, |term| weights.get(term).middlegame)
    };
    let piece = game.kinds.by_letter(letter)?;
    // The king's partners in castling stay.
    let wings = || game.mechanisms.castling.iter().flat_map(|castling| &castling.wings);
    let is_replaceable = |kind: &Kind| {
        let class = game.kind(*kind).class;
        !wings().any(|wing| wing.partner == *kind)
            && !matches!(class, PieceClass::King | PieceClass::Pawn | PieceClass::Joker)
    };
    let mut others: Vec<Kind> = game.kinds.all().filter(is_replaceable).collect();
    let distance = |kind: &Kind| (value(*kind) - value(piece)).abs();
    others.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    let fen = Position::start(game).fen();
    // Pockets and the other fields of the FEN stay.
    let (board, rest) = fen.split_at(fen.find(['[', ' '])?);
    let replaced = |kind: Kind| {
        let old = game.kind(kind).letter;
        let mut board = board.replace(old, &letter.to_string());
        if sides == Sides::Both {
            board = board.replace(old.to_ascii_lowercase(), &letter.to_ascii_lowercase().to_string());
        }
        board + rest
    };
    let mut fens = others.into_iter().map(replaced).filter(|replaced| *replaced != fen);
    // The position leaves out rights that the replaced piece had and the new one has not.
    fens.find_map(|replaced| Some(Position::from_fen(game, &replaced).ok()?.fen()))
}

#[cfg(test)]
mod tests {
    use assay_rules::def::BUILTIN_NAMES;
    use assay_selfplay::openings::Plan;

    use super::*;

    fn starts(movements: &[&str], host: &Host, sides: Sides) -> Vec<String> {
        let definition = definition_with_pieces(movements, host, sides).unwrap();
        let game = Arc::new(GameDef::from_toml(&definition, "test").unwrap());
        let start = |id: &str| {
            let start = Position::from_start(&game, id).unwrap();
            // Both methods can measure the pieces.
            Plan::values(&start).unwrap();
            Plan::playtest(&start).unwrap();
            start.fen()
        };
        game.starts.iter().map(|fen| start(&fen.id)).collect()
    }

    #[test]
    fn each_piece_replaces_the_piece_of_nearest_value() {
        let starts = starts(&["N", "QN", "WD"], &HostArmy::Chess.into(), Sides::Both);
        assert!(starts[0].starts_with("rxbqkbxr/"), "{starts:?}");
        assert!(starts[1].starts_with("rnbykbnr/"), "{starts:?}");
        assert!(starts[2].contains('Z') && starts.len() == 3, "{starts:?}");
    }

    #[test]
    fn one_side_can_have_the_pieces() {
        let starts = starts(&["N", "QN"], &HostArmy::Chess.into(), Sides::One);
        assert!(starts[0].starts_with("rnbqkbnr/") && starts[0].contains("RXBQKBXR"), "{starts:?}");
        assert!(starts[1].starts_with("rnbqkbnr/") && starts[1].contains("RNBYKBNR"), "{starts:?}");
    }

    #[test]
    fn any_game_can_be_the_host() {
        for army in [HostArmy::Capablanca, HostArmy::Grand, HostArmy::Wide] {
            assert!(starts(&["KmRcpR"], &army.into(), Sides::Both)[0].contains('X'));
        }
        for name in BUILTIN_NAMES {
            let host = Host::from(&GameSource::builtin(name).unwrap());
            for sides in [Sides::Both, Sides::One] {
                assert_eq!(starts(&["WD", "BN"], &host, sides).len(), 2, "{name}");
            }
        }
    }

    #[test]
    fn rejects_pieces_that_no_game_can_have() {
        let error = |movements: &[&str]| {
            let error = definition_with_pieces(movements, &HostArmy::Chess.into(), Sides::Both).unwrap_err();
            error.to_string()
        };
        assert!(error(&["N?"]).starts_with("--piece: N?: "), "{}", error(&["N?"]));
        assert!(error(&["\"]"]).starts_with("--piece: \"]: "), "{}", error(&["\"]"]));
        assert_eq!(error(&["W", "iR"]), "--piece: iR: found an initial move (`i`) that slides, expected a leap");
        assert_eq!(error(&["WD", "F", "WD"]), "--piece: found WD twice, expected different pieces");
        let many: Vec<String> = (1..=21).map(|steps| format!("W{steps}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(
            error(&many),
            "--piece: found 21 pieces, expected at most 20: a game has 26 kinds at most, and 6 of them are the army's"
        );
    }
}
