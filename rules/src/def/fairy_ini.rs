//! Variant files of Fairy-Stockfish (`variants.ini`): conversion of a variant to a definition file.
//!
//! A variant inherits from another one of the file, or from a built-in one. Every key that a variant has must be one of those below: a key
//! that is not understood would make another game of it.

use std::fmt::Write;

use super::error::DefError;
use crate::text::without_bom;

/// Built-in variants of Fairy-Stockfish that others can inherit from, by the same keys.
const PRESETS: &str = include_str!("fairy_ini/presets.ini");

/// Movements of the named kinds of pieces, in XBetza; that of a pawn depends on other keys.
const KINDS: [(&str, &str); 35] = [
    ("pawn", ""),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "ffN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("clobber", "cW"),
    ("breakthrough", "fmWfF"),
    ("cannon", "mRcpR"),
    ("janggiCannon", "pR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
    ("king", "K"),
];

/// Keys that say how a program shows or evaluates the game.
const IGNORED: [&str; 5] = [
    "variantTemplate",
    "pieceToCharTable",
    "pocketSize",
    "pieceValueMg",
    "pieceValueEg",
];

/// A value with its place.
#[derive(Clone, Copy)]
struct Value<'t> {
    text: &'t str,
    file: &'t str,
    /// Text of the file, and the byte at which the value begins.
    whole: &'t str,
    byte: usize,
}

struct Section<'t> {
    name: &'t str,
    base: Option<Value<'t>>,
    entries: Vec<(&'t str, Value<'t>)>,
}

/// Splits the name of a game in a variant file, `my.ini:mygame`, into file and variant. The variant may be missing. `None` for any other
/// name.
pub fn split_name(name: &str) -> Option<(&str, Option<&str>)> {
    if name.ends_with(".ini") {
        return Some((name, None));
    }
    let (file, variant) = name.rsplit_once(':')?;
    file.ends_with(".ini").then_some((file, Some(variant)))
}

/// The variants of a file, in its order.
///
/// # Errors
/// If a line is neither a section, nor a key with a value, nor a comment.
pub fn variants<'t>(text: &'t str, file: &'t str) -> Result<Vec<&'t str>, DefError> {
    Ok(sections(text, file)?.into_iter().map(|section| section.name).collect())
}

/// Converts a variant, or without a name the only one of the file, to the text of a definition file.
///
/// # Errors
/// If the file has no such variant, a base is unknown, or a key has no counterpart in definitions.
pub fn to_toml(text: &str, file: &str, variant: Option<&str>) -> Result<String, DefError> {
    let text = without_bom(text);
    let own = sections(text, file)?;
    let variant = match (variant, own.as_slice()) {
        (Some(variant), _) => variant,
        (None, [only]) => only.name,
        (None, _) => {
            let known: Vec<&str> = own.iter().map(|section| section.name).collect();
            let message = format!(
                "found no variant, expected {file}:NAME with one of: {}",
                known.join(", ")
            );
            return Err(DefError::at(file, text, None, None, message));
        }
    };
    let presets = sections(PRESETS, "built-in variants")?;
    let mut chain = Vec::new();
    let mut wanted = variant;
    let mut place = None;
    loop {
        let found = if chain.is_empty() {
            None
        } else {
            presets.iter().find(|section| section.name == wanted)
        };
        // A base stands before the variants that inherit from it, so there are no circles.
        let before = chain
            .last()
            .map_or(own.len(), |&(index, _): &(usize, &Section<'_>)| index);
        let in_file = own[..before]
            .iter()
            .enumerate()
            .rev()
            .find(|(_, section)| section.name == wanted);
        let (index, section) = match (in_file, found) {
            (Some(found), _) => found,
            (None, Some(preset)) => (0, preset),
            (None, None) => {
                let known: Vec<&str> = own.iter().map(|section| section.name).collect();
                let message = match place {
                    None => format!("found no variant `{wanted}`, expected one of: {}", known.join(", ")),
                    Some(_) => {
                        let builtin: Vec<&str> = presets.iter().map(|section| section.name).collect();
                        format!(
                            "found the base `{wanted}`, expected a variant above this one, or a built-in one: {}",
                            builtin.join(", ")
                        )
                    }
                };
                let byte = place.map(|place: Value<'_>| place.byte);
                return Err(DefError::at(file, text, byte, None, message));
            }
        };
        chain.push((index, section));
        match section.base {
            Some(base) => (wanted, place) = (base.text, Some(base)),
            None => break,
        }
    }
    let mut game = Variant::default();
    for (_, section) in chain.iter().rev() {
        for &(key, value) in &section.entries {
            game.set(key, value)?;
        }
    }
    game.definition(variant, &format!("{file}, variant {variant} of Fairy-Stockfish"))
        .map_err(|message| DefError::at(file, text, None, Some(variant), message))
}

fn sections<'t>(text: &'t str, file: &'t str) -> Result<Vec<Section<'t>>, DefError> {
    let mut sections: Vec<Section<'t>> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = |part: &'t str| Value {
            text: part,
            file,
            whole: text,
            byte: part.as_ptr() as usize - text.as_ptr() as usize,
        };
        let trimmed = line.trim();
        let error = |message: &str| {
            DefError::at(
                file,
                text,
                Some(start),
                None,
                format!("found `{trimmed}`, expected {message}"),
            )
        };
        if let Some(inner) = trimmed.strip_prefix('[') {
            let inner = inner
                .strip_suffix(']')
                .ok_or_else(|| error("a section: [variant] or [variant:base]"))?;
            let (name, base) = match inner.split_once(':') {
                Some((name, base)) => (name.trim(), Some(at(base.trim()))),
                None => (inner.trim(), None),
            };
            sections.push(Section {
                name,
                base,
                entries: Vec::new(),
            });
        } else if !trimmed.is_empty() && !trimmed.starts_with(['#', ';']) {
            let (key, value) = trimmed.split_once('=').ok_or_else(|| error("`key = value`"))?;
            let section = sections.last_mut().ok_or_else(|| error("a section [variant] first"))?;
            section.entries.push((key.trim(), at(value.trim())));
        }
        start += line.len();
    }
    Ok(sections)
}

impl Value<'_> {
    fn error(self, key: &str, expected: &str) -> DefError {
        let message = format!("found `{}`, expected {expected}", self.text);
        DefError::at(self.file, self.whole, Some(self.byte), Some(key), message)
    }

    fn number(self, key: &str) -> Result<u32, DefError> {
        self.text.parse().map_err(|_| self.error(key, "a number"))
    }

    fn is_true(self, key: &str) -> Result<bool, DefError> {
        match self.text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.error(key, "true or false")),
        }
    }

    /// The number of a file, from 0: `g`, or counted from 1.
    fn file_index(self, key: &str) -> Result<u8, DefError> {
        let by_letter = match self.text.as_bytes() {
            [letter] if letter.is_ascii_lowercase() => Some(letter - b'a'),
            _ => self.text.parse().ok().and_then(|number: u8| number.checked_sub(1)),
        };
        by_letter.ok_or_else(|| self.error(key, "a file: a letter, or a number from 1"))
    }

    /// The number of a complete rank: `*8`.
    fn rank(self, key: &str) -> Result<u8, DefError> {
        let rank = self.text.strip_prefix('*').and_then(|rank| rank.parse().ok());
        rank.ok_or_else(|| {
            self.error(
                key,
                "one complete rank, such as *8: a definition cannot express other regions",
            )
        })
    }

    /// Upper-case letters of pieces; `-` for none.
    fn letters(self) -> String {
        self.text
            .chars()
            .filter(char::is_ascii_alphabetic)
            .map(|letter| letter.to_ascii_uppercase())
            .collect()
    }

    fn only(self, key: &str, allowed: &str) -> Result<(), DefError> {
        if self.text == allowed {
            Ok(())
        } else {
            Err(self.error(key, &format!("{allowed}: a definition cannot express this")))
        }
    }
}

/// A kind of piece.
struct Kind {
    letter: char,
    movement: String,
}

/// A variant as its keys describe it.
struct Variant {
    files: u8,
    ranks: u8,
    /// By name, in the order in which a definition lists them.
    kinds: Vec<(String, Kind)>,
    start: String,
    pawn: char,
    promotion: [u8; 2],
    promote_to: String,
    double_step: bool,
    double_step_rank: u8,
    castling: bool,
    castling_files: [u8; 2],
    partner: String,
    /// Result of the side that cannot move.
    stalemate: f64,
    move_rule: u32,
    repetitions: u32,
}

impl Default for Variant {
    fn default() -> Variant {
        Variant {
            files: 8,
            ranks: 8,
            kinds: Vec::new(),
            start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            pawn: 'P',
            promotion: [8, 1],
            promote_to: "NBRQ".to_owned(),
            double_step: true,
            double_step_rank: 2,
            castling: true,
            castling_files: [6, 2],
            partner: "R".to_owned(),
            stalemate: 0.5,
            move_rule: 50,
            repetitions: 3,
        }
    }
}

impl Variant {
    fn set(&mut self, key: &str, value: Value<'_>) -> Result<(), DefError> {
        if KINDS.iter().any(|(name, _)| *name == key)
            || key
                .strip_prefix("customPiece")
                .is_some_and(|number| number.parse::<u8>().is_ok())
        {
            return self.set_kind(key, value);
        }
        match key {
            "maxFile" => self.files = value.file_index(key)? + 1,
            "maxRank" => self.ranks = value.number(key)?.try_into().map_err(|_| value.error(key, "a rank"))?,
            "startFen" => value.text.clone_into(&mut self.start),
            "pawnTypes" | "promotionPawnTypes" | "enPassantTypes" | "nMoveRuleTypes" => {
                let letters = value.letters();
                let mut letters = letters.chars();
                match (letters.next(), letters.next()) {
                    (Some(letter), None) => self.pawn = letter,
                    _ => return Err(value.error(key, "one kind of pawn: a definition has no other number")),
                }
            }
            "promotionRegionWhite" => self.promotion[0] = value.rank(key)?,
            "promotionRegionBlack" => self.promotion[1] = value.rank(key)?,
            "promotionPieceTypes" => self.promote_to = value.letters(),
            "mandatoryPawnPromotion" | "checking" => value.only(key, "true")?,
            "doubleStep" => self.double_step = value.is_true(key)?,
            "doubleStepRegionWhite" => self.double_step_rank = value.rank(key)?,
            // Checked with the ranks of the board.
            "doubleStepRegionBlack" => drop(value.rank(key)?),
            "castling" => self.castling = value.is_true(key)?,
            "castlingKingsideFile" => self.castling_files[0] = value.file_index(key)?,
            "castlingQueensideFile" => self.castling_files[1] = value.file_index(key)?,
            "castlingRookPieces" => self.partner = value.letters(),
            "stalemateValue" => {
                self.stalemate = match value.text {
                    "win" => 1.0,
                    "draw" => 0.5,
                    "loss" => 0.0,
                    _ => return Err(value.error(key, "win, draw or loss")),
                }
            }
            "nMoveRule" => self.move_rule = value.number(key)?,
            "nFoldRule" => self.repetitions = value.number(key)?,
            _ if IGNORED.contains(&key) => {}
            _ => return Err(value.error(key, "no such key: Assay has no counterpart of it")),
        }
        Ok(())
    }

    /// `knight = n`, `customPiece1 = a:mRcN`, or `knight = -`.
    fn set_kind(&mut self, key: &str, value: Value<'_>) -> Result<(), DefError> {
        self.kinds.retain(|(name, _)| name != key);
        if value.text == "-" {
            return Ok(());
        }
        let (letter, movement) = match value.text.split_once(':') {
            Some((letter, movement)) => (letter.trim(), movement.trim().to_owned()),
            None => {
                let named = KINDS
                    .iter()
                    .find(|(name, _)| *name == key)
                    .map(|(_, movement)| *movement);
                let movement = named.ok_or_else(|| value.error(key, "a letter and a movement, such as a:mRcN"))?;
                (value.text, movement.to_owned())
            }
        };
        let mut letters = letter.chars();
        let (Some(letter), None) = (letters.next().filter(char::is_ascii_alphabetic), letters.next()) else {
            return Err(value.error(key, "one letter"));
        };
        let letter = letter.to_ascii_uppercase();
        // A new kind takes the letter from an old one.
        self.kinds.retain(|(_, kind)| kind.letter != letter);
        self.kinds.push((key.to_owned(), Kind { letter, movement }));
        Ok(())
    }

    /// The definition file.
    fn definition(&self, name: &str, source: &str) -> Result<String, String> {
        let mut file_name: String = name
            .chars()
            .map(|letter| {
                if letter.is_ascii_alphanumeric() {
                    letter.to_ascii_lowercase()
                } else {
                    '-'
                }
            })
            .collect();
        if super::definition_text(&file_name).is_some() {
            file_name += "-ini";
        }
        let mut text = format!(
            "name = {file_name:?}\ntitle = {name:?}\nsource = {source:?}\n\n[board]\nfiles = {}\nranks = {}\n",
            self.files, self.ranks
        );
        let castles = self.castling
            && self
                .start
                .split(' ')
                .nth(2)
                .is_some_and(|rights| rights != "-" && rights != "0");
        let distance = if castles { Some(self.castling_distance()?) } else { None };
        let mut has_pawn = false;
        for (name, Kind { letter, movement }) in &self.kinds {
            let is_pawn = *letter == self.pawn;
            has_pawn |= is_pawn;
            let movement = match (name.as_str(), distance) {
                ("king", Some(distance)) => format!("{movement}isO{distance}"),
                ("pawn", _) if movement.is_empty() && self.double_step => "fmWfceFifmnD".to_owned(),
                ("pawn", _) if movement.is_empty() => "fmWfcF".to_owned(),
                _ => movement.clone(),
            };
            let class = match name.as_str() {
                "king" => "\nclass = \"king\"",
                _ if is_pawn => "\nclass = \"pawn\"",
                _ => "",
            };
            put(
                &mut text,
                format_args!("\n[pieces.{name}]\nletter = \"{letter}\"\nmove = {movement:?}{class}\n"),
            );
        }
        if !has_pawn {
            return Err("found no pawn, expected one: a definition must have a kind of pawn".to_owned());
        }
        let [white, black] = self.promotion;
        if white.checked_add(black) != self.ranks.checked_add(1) {
            return Err(format!(
                "found promotion on rank {white} for White and {black} for Black, expected the same rank for both"
            ));
        }
        put(
            &mut text,
            format_args!("\n[pawns]\nhome-rank = {}\n", self.double_step_rank),
        );
        let is_kind = |letter: &char| self.kinds.iter().any(|(_, kind)| kind.letter == *letter);
        let promote_to: String = self.promote_to.chars().filter(is_kind).collect();
        put(
            &mut text,
            format_args!("\n[promotion]\n{white} = {{ to = {promote_to:?} }}\n"),
        );
        if castles {
            put(&mut text, format_args!("\n[castling]\npartner = {:?}\n", self.partner));
        }
        self.put_endings(&mut text);
        let mut fields: Vec<&str> = self.start.split(' ').collect();
        // Rights and en passant may be missing before the counters, and everything may be missing at the end.
        if fields.len() == 4 && fields[2..].iter().all(|field| field.parse::<u32>().is_ok()) {
            fields.splice(2..2, ["-", "-"]);
        }
        fields.extend(["w", "-", "-", "0", "1"].iter().skip(fields.len() - 1));
        put(
            &mut text,
            format_args!(
                "\n[[starts]]\nid = \"1\"\ntitle = \"start\"\nfen = {:?}",
                fields.join(" ")
            ),
        );
        Ok(text)
    }

    fn put_endings(&self, text: &mut String) {
        // A definition must have both rules. No game is as long as this.
        let move_rule = if self.move_rule == 0 { 10_000 } else { self.move_rule };
        let repetitions = if self.repetitions == 0 { 10 } else { self.repetitions };
        let minor = |&(_, kind): &(&String, &Kind)| ["B", "N"].contains(&kind.movement.as_str());
        let minors = self.kinds.iter().map(|(name, kind)| (name, kind)).filter(minor);
        let minors: Vec<String> = minors.map(|(_, kind)| format!(", \"{}\"", kind.letter)).collect();
        put(
            text,
            format_args!(
                "\n[endings]\nstalemate = {:?}\nmove-rule = {move_rule}\nrepetitions = {repetitions}\ninsufficient-material = [\"\"{}]\n",
                1.0 - self.stalemate,
                minors.concat()
            ),
        );
    }

    /// Files that the king travels, from its place in the start position.
    fn castling_distance(&self) -> Result<u8, String> {
        let board = self.start.split(' ').next().unwrap_or_default();
        let before = board
            .rsplit('/')
            .next()
            .and_then(|rank| rank.split_once('K'))
            .map_or("", |(before, _)| before);
        // Empty squares are counted, pieces are letters.
        let empty = before
            .split(|letter: char| !letter.is_ascii_digit())
            .filter_map(|number| number.parse::<u8>().ok());
        let pieces = before.chars().filter(char::is_ascii_alphabetic).count();
        let file = empty.fold(pieces as u8, u8::saturating_add);
        let [kingside, queenside] = self.castling_files.map(|to| to.abs_diff(file));
        if kingside == queenside {
            Ok(kingside)
        } else {
            Err(format!(
                "found castling that moves the king {kingside} and {queenside} files, expected the same number on both sides"
            ))
        }
    }
}

fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameDef, Position};

    fn game(text: &str, name: &str) -> GameDef {
        let text = to_toml(text, "test.ini", Some(name)).unwrap();
        GameDef::from_toml(&text, "test.ini").unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    #[test]
    fn a_variant_inherits_from_those_above() {
        let text = "# comment\n[minister:chess]\nqueen = -\narchbishop = a\npromotionPieceTypes = arbn\n\
                    startFen = rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1\n\n[quick:minister]\nnMoveRule = 20\nstalemateValue = loss\n";
        assert_eq!(variants(text, "test.ini").unwrap(), ["minister", "quick"]);
        let quick = game(text, "quick");
        let letters: String = quick.kinds.iter().map(|kind| kind.letter).collect();
        assert_eq!(letters, "KRBNPA");
        assert_eq!(
            (quick.endings.move_rule, quick.endings.stalemate),
            (40, crate::Points::WIN)
        );
        assert_eq!(quick.castling.as_ref().unwrap().wings.len(), 4);
    }

    #[test]
    fn the_committed_file_is_gamma2() {
        let text = include_str!("../../../python/tests/fairy_stockfish.ini");
        let converted = std::sync::Arc::new(game(text, "gamma2"));
        let built_in = GameDef::builtin("gamma2").unwrap();
        let moves = |game: &std::sync::Arc<GameDef>| {
            let position = Position::start(game);
            let moves = position
                .legal_moves()
                .into_iter()
                .map(|mv| crate::uci::format(game, mv));
            moves.collect::<Vec<_>>()
        };
        assert_eq!(moves(&converted), moves(&built_in));
        assert_eq!(
            converted.castling.as_ref().unwrap().wings,
            built_in.castling.as_ref().unwrap().wings
        );
    }

    #[test]
    fn presets_are_games() {
        for name in variants(PRESETS, "presets").unwrap() {
            game(&format!("[test:{name}]\n"), "test");
        }
    }

    #[test]
    fn errors_name_line_key_and_what_was_expected() {
        let error = |text: &str| to_toml(text, "my.ini", Some("x")).unwrap_err().to_string();
        assert_eq!(
            error("[x:chess]\nblastOnCapture = true\n"),
            "my.ini:2:18: blastOnCapture: found `true`, expected no such key: Assay has no counterpart of it"
        );
        assert_eq!(
            error("[x:chess]\ncastling = yes\n"),
            "my.ini:2:12: castling: found `yes`, expected true or false"
        );
        assert!(
            error("[x:nothing]\n").starts_with("my.ini:1:4: found the base `nothing`"),
            "{}",
            error("[x:nothing]\n")
        );
        assert!(error("[x:x]\n").starts_with("my.ini:1:4: found the base `x`"));
        assert!(error("[y:chess]\n").contains("found no variant `x`, expected one of: y"));
        assert!(error("[x:chess\n").starts_with("my.ini:1:1: found `[x:chess`, expected a section"));
        assert!(error("king = k\n").contains("expected a section [variant] first"));
        assert!(error("[x]\nking = k\n").contains("found no pawn"));
    }
}
