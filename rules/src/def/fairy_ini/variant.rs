//! A variant as its keys describe it, read from a file or a game, and the definition of it.
//!
//! Each mechanism has a module with its keys, a function that fills them from a game, and one that
//! fills the keys of a definition from them.

mod captures;
mod castling;
mod counting;
mod draft;
mod drops;
mod endings;
mod extinction;
mod immobility;
mod key;
mod layout;
mod pawns;
mod pieces;
mod promoted;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use self::draft::Conflict;
use self::draft::Draft;
use self::key::Key;
use super::super::error::DefError;
use super::super::keys::GameKeys;
use super::kinds::{CUSTOM_PIECES, FairyKind, FairyKinds, Name, is_custom, kind_name, order, zone_key, zone_of};
use super::parse::{Entry, Section};
use super::region::Region;
use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::square::Square;
use crate::variant::GameDef;

/// The keys of all mechanisms. Rows are read in this order, the board first.
const TABLE: [&[Key]; 9] = [
    layout::KEYS,
    pieces::KEYS,
    pawns::KEYS,
    promoted::KEYS,
    castling::KEYS,
    drops::KEYS,
    captures::KEYS,
    endings::KEYS,
    extinction::KEYS,
];

/// The values of the keys in the table.
#[derive(Clone, Default)]
struct Rules {
    layout: layout::LayoutSettings,
    pieces: pieces::PieceSettings,
    pawns: pawns::PawnSettings,
    promoted: promoted::PromotedSettings,
    castling: castling::CastlingSettings,
    drops: drops::DropSettings,
    captures: captures::CaptureSettings,
    endings: endings::EndingSettings,
    extinction: extinction::ExtinctionSettings,
}

/// The values of all keys of a variant.
#[derive(Clone, Default)]
pub(super) struct Variant {
    kinds: FairyKinds,
    /// Squares that kinds can move to.
    zones: BTreeMap<Name, ByColor<Region>>,
    rules: Rules,
    /// Kinds that were removed, with the key that removed each.
    removed: BTreeMap<Name, Name>,
    /// Number of custom pieces of the built-in game: the keys with these numbers may be other
    /// pieces of Fairy-Stockfish's.
    base_custom_pieces: usize,
    /// True if the king of the base becomes a wall when it captures. There it is a commoner.
    base_petrifies_king: bool,
}

impl Variant {
    /// The keys that Fairy-Stockfish would have for a built-in game.
    ///
    /// # Errors
    /// Names what no key can say.
    pub(super) fn builtin(game: &GameDef) -> Result<Variant, String> {
        let mut variant = Variant::of_game(game)?;
        variant.base_custom_pieces = variant.kinds.0.keys().filter(|name| is_custom(name)).count();
        let petrified = &mut variant.rules.captures.petrified;
        let king = variant.kinds.0.get_mut("king").filter(|king| king.movement == "mK" && !petrified.is_empty());
        if let Some(king) = king {
            "K".clone_into(&mut king.movement);
            petrified.push("king");
            variant.base_petrifies_king = true;
        }
        // Without a rule that counts moves, a definition does not say that such pawns do not begin
        // its count anew.
        let pawns = &mut variant.rules.pawns;
        pawns.move_rule_types = pawns.move_rule_types.filter(|&name| name == "pawn" || is_custom(name));
        Ok(variant)
    }

    /// Reads the entries of a section. Their order does not matter; of equal keys, the last counts.
    pub(super) fn read(&mut self, section: &Section<'_>) -> Result<(), DefError> {
        let mut seen = BTreeSet::new();
        let mut entries: Vec<&Entry<'_>> =
            section.entries.iter().rev().filter(|entry| seen.insert(entry.key)).collect();
        entries.reverse();
        let mut kinds: Vec<_> = entries.iter().filter_map(|entry| Some((kind_name(entry.key)?, *entry))).collect();
        kinds.sort_by_key(|&(name, _)| order(name));
        kinds.into_iter().try_for_each(|(name, entry)| self.read_kind(name, entry))?;
        // The definition lists them in the order of the file.
        for name in entries.iter().filter_map(|entry| kind_name(entry.key)) {
            if let Some(kind) = self.kinds.0.shift_remove(name) {
                self.kinds.0.insert(name, kind);
            }
        }
        let mut rows = Vec::new();
        for entry in entries.into_iter().filter(|entry| kind_name(entry.key).is_none()) {
            if entry.key.starts_with("mobilityRegion") {
                self.read_zone(entry)?;
                continue;
            }
            let row = TABLE.into_iter().flatten().enumerate().find(|(_, row)| row.name == entry.key);
            let (index, row) = row.ok_or_else(|| entry.error("no such key: Assay has no counterpart of it"))?;
            rows.push((index, row, entry));
        }
        rows.sort_by_key(|&(index, ..)| index);
        rows.into_iter().try_for_each(|(_, row, entry)| (row.read)(&mut self.rules, entry, &self.kinds))
    }

    /// `mobilityRegionWhiteFers = d1 f1`.
    fn read_zone(&mut self, entry: &Entry<'_>) -> Result<(), DefError> {
        let expected = "mobilityRegionWhite or mobilityRegionBlack, with the name of a piece";
        let (color, name) = zone_of(entry.key).ok_or_else(|| entry.error(expected))?;
        self.check_number(name, entry)?;
        self.zones.entry(name).or_default()[color] = Region::read(entry)?;
        Ok(())
    }

    /// Refuses a custom piece that the base may have: there it may be another one than here.
    fn check_number(&self, name: Name, entry: &Entry<'_>) -> Result<(), DefError> {
        let taken = &CUSTOM_PIECES[..self.base_custom_pieces];
        let free = taken.len() + 1;
        let error = || entry.error(&format!("customPiece{free} or above: the base has such pieces"));
        if taken.contains(&name) { Err(error()) } else { Ok(()) }
    }

    /// `knight = n`, `customPiece1 = a:mRcN`, or `knight = -`.
    fn read_kind(&mut self, name: Name, entry: &Entry<'_>) -> Result<(), DefError> {
        self.check_number(name, entry)?;
        if self.base_petrifies_king && ["king", "commoner"].contains(&name) {
            return Err(entry.error("no such key: the king of the base is a commoner that becomes a wall"));
        }
        if entry.text == "-" {
            self.remove_kinds(name, |known, _| known == name);
            return Ok(());
        }
        let kind = pieces::read(name, entry)?;
        // A new kind takes the letter from an old one, even from itself.
        self.remove_kinds(name, |_, known| known.letter == kind.letter);
        self.kinds.0.shift_remove(name);
        self.kinds.0.insert(name, kind);
        Ok(())
    }

    /// Removes kinds because of a key. Pawns do not promote to a kind that was removed, even if it
    /// comes back.
    fn remove_kinds(&mut self, key: Name, is_removed: impl Fn(Name, &FairyKind) -> bool) {
        for (name, _) in self.kinds.0.extract_if(.., |name, kind| is_removed(name, kind)) {
            self.removed.insert(name, key);
            for kinds in [&mut self.rules.pawns.promotion_white, &mut self.rules.pawns.promotion_black] {
                kinds.retain(|kind| *kind != name);
            }
        }
    }

    /// Says why the variant does not have a kind, with the key of another kind that replaced it.
    fn why_missing(&self, name: Name) -> (String, Name) {
        let key = self.removed.get(name).filter(|key| **key != name);
        key.map(|key| (format!(" since {key} has its letter"), *key)).unwrap_or_default()
    }

    /// The keys of a definition of the variant, with the name of the variant and the source of the
    /// definition.
    ///
    /// # Errors
    /// What a definition cannot express, with the keys.
    pub(super) fn definition(&self, name: &str, source: &str) -> Result<GameKeys, Conflict> {
        let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
        let mut keys = GameKeys {
            name: Some(name.chars().map(letter).collect()),
            title: Some(name.to_owned()),
            source: Some(source.to_owned()),
            ..GameKeys::default()
        };
        layout::define_board(self, &mut keys);
        // Without a board, its size is the error of the definition.
        let Some(draft) = self.draft()? else { return Ok(keys) };
        pieces::define(&draft, &mut keys)?;
        pawns::define(&draft, &mut keys)?;
        promoted::define(&draft, &mut keys)?;
        castling::define(&draft, &mut keys)?;
        drops::define(&draft, &mut keys)?;
        captures::define(&draft, &mut keys)?;
        endings::define(&draft, &mut keys)?;
        layout::define_start(&draft, &mut keys)?;
        Ok(keys)
    }

    /// The variant with what follows from it. `None` if no board has its size.
    fn draft(&self) -> Result<Option<Draft<'_>>, Conflict> {
        let Variant { kinds, rules, .. } = self;
        let Some(board) = Board::new(rules.layout.last_file.0 + 1, rules.layout.ranks, 1) else { return Ok(None) };
        let start = rules.layout.start.split(' ').next().unwrap_or_default();
        let (placement, pockets) = start.split_once('[').unwrap_or((start, ""));
        Ok(Some(Draft {
            variant: self,
            kinds,
            rules,
            pawn: rules.pawns.kind(kinds),
            double_steps: rules.pawns.double_steps(&board)?,
            castles: rules.castling.is_possible(&rules.layout.start, kinds),
            board,
            ranks: placement.split('/').collect(),
            pockets: pockets.trim_end_matches(']'),
        }))
    }

    /// The variant of a game.
    ///
    /// # Errors
    /// Names what no key can say.
    pub(super) fn of_game(game: &GameDef) -> Result<Variant, String> {
        if game.mechanisms.cannon.is_some() || game.kinds.joker().is_some() {
            return Err("a cannon pawn or a joker".to_owned());
        }
        let is_home = |&square: &Square| game.board.relative_rank(Color::White, square) == game.pawns.home_rank;
        if game.pawns.kinds.len() > 1 || !game.pawns.home[Color::White].iter().all(|square| is_home(&square)) {
            return Err("several kinds of pawns, or first moves of pawns from single squares".to_owned());
        }
        let mut variant = Variant::default();
        layout::fill(game, &mut variant)?;
        let names = pieces::fill(game, &mut variant)?;
        let rules = &mut variant.rules;
        pawns::fill(game, &names, &mut rules.pawns)?;
        promoted::fill(game, &names, &mut rules.promoted);
        castling::fill(game, &names, &mut rules.castling);
        drops::fill(game, &names, &mut rules.drops)?;
        captures::fill(game, &names, &mut rules.captures);
        endings::fill(game, &names, &mut rules.endings)?;
        extinction::fill(game, &names, &mut rules.extinction)?;
        let difference = immobility::difference(game, rules.pieces.forbids_immobility);
        difference.map_or(Ok(variant), |difference| Err(difference.found.to_owned()))
    }

    /// The lines of a variant that inherits from chess.
    pub(super) fn text(&self, chess: &Variant) -> String {
        let mut text = String::new();
        for name in chess.kinds.0.keys().filter(|name| !self.kinds.0.contains_key(**name)) {
            text += &format!("{name} = -\n");
        }
        for (name, kind) in &self.kinds.0 {
            text += &format!("{name} = {}\n", pieces::text(name, kind));
        }
        for (name, zone) in &self.zones {
            for color in Color::ALL {
                text += &format!("{} = {}\n", zone_key(color, name), zone[color].names());
            }
        }
        // Chess loses the kinds that the variant gives anew: pawns no longer promote to them, and
        // other keys may no longer name a kind. So a key is written if it differs in chess, in
        // chess with the kinds of the variant, or in no variant at all.
        let none = Rules::default();
        let inherited = [(&chess.rules, &chess.kinds), (&chess.rules, &self.kinds), (&none, &self.kinds)];
        for row in TABLE.into_iter().flatten() {
            let Some(write) = row.write else { continue };
            let value = write(&self.rules, &self.kinds);
            if inherited.into_iter().any(|(rules, kinds)| write(rules, kinds) != value) {
                text += &format!("{} = {value}\n", row.name);
            }
        }
        text
    }
}

/// Checks what only a complete game shows.
///
/// # Errors
/// The first difference between the game and the variant, with the keys that it comes from.
pub(super) fn check(game: &GameDef) -> Result<(), Conflict> {
    let difference = immobility::difference(game, game.mechanisms.immobility.is_some());
    difference.map_or(Ok(()), |difference| Err(difference.into()))
}

/// The row of a key.
fn row(key: &str) -> Option<&'static Key> {
    TABLE.into_iter().flatten().find(|row| row.name == key)
}

/// How far a key can be from causing a conflict: 0 if it is a key of the conflict, or sets the
/// value of one. `None` if it cannot cause the conflict.
pub(super) fn distance_to_conflict(key: &str, conflict: &Conflict) -> Option<u8> {
    let sets = row(key).map_or(&[][..], |row| row.sets);
    if conflict.keys.iter().any(|cause| cause == key || sets.contains(&cause.as_str())) {
        return Some(0);
    }
    // Regions that fitted another board may not fit this one.
    let has_region = conflict.keys.iter().any(|cause| cause.contains("Region"));
    (["maxFile", "maxRank"].contains(&key) && has_region).then_some(1)
}

/// How far a key of a variant can be from causing an error at a key of a definition: 0 if it sets
/// that key, or one that contains it. `None` if it cannot cause the error.
pub(super) fn distance_to_key(key: &str, wrong: &str) -> Option<u8> {
    let is_in = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let from = |set: &str, others: &[&str]| match set {
        _ if is_in(wrong, set) => Some(0),
        _ if is_in(set, wrong) => Some(1),
        _ => others.iter().any(|other| is_in(wrong, other)).then_some(2),
    };
    if let Some((_, name)) = zone_of(key) {
        return from(&format!("pieces.{name}.zone"), &[&format!("pieces.{name}")]);
    }
    if let Some(name) = kind_name(key) {
        let promoted = from(&format!("pieces.promoted-{name}"), &[]);
        // All other keys name kinds.
        return from(&format!("pieces.{name}"), &[]).or(promoted).or(Some(3));
    }
    let rows = row(key)?.sets.iter().filter_map(|name| row(name));
    rows.filter_map(|row| from(row.fills.first()?, row.fills)).min()
}
