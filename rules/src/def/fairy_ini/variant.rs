//! A variant as its keys describe it, and the definition file of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use indexmap::IndexSet;

use super::super::builtin::builtin_variant;
use super::super::error::DefError;
use super::counting;
use super::kinds::{
    ALL_ROYAL, CHESS_PAWN, CUSTOM_PIECES, ExtinctionKeys, KINDS, PAWN_WITHOUT_DOUBLE_STEP, TORPEDO_PAWN, is_known,
    zone_keys,
};
use super::parse::{Section, Value, sections};
use super::write::{en_passant_region, from_game};
use crate::betza;
use crate::types::board::Board;

/// Keys that say how a program shows or evaluates the game.
const IGNORED: [&str; 5] = ["variantTemplate", "pieceToCharTable", "pocketSize", "pieceValueMg", "pieceValueEg"];

/// Keys that others specify further, whatever stands first. The board comes first, then former
/// names of keys.
const GENERAL: [&str; 11] = [
    "maxFile",
    "maxRank",
    "promotionRank",
    "doubleStepRankMin",
    "doubleStepRank",
    "whiteFlag",
    "blackFlag",
    "castlingRookPiece",
    "promotionPieceTypes",
    "flagRegion",
    "pawnTypes",
];

/// Moves of a game without a move rule, which a definition must have. No game is as long as this.
const NO_MOVE_RULE: u32 = 10_000;

/// From where pawns make double steps.
#[derive(Clone, Copy)]
enum DoubleSteps {
    None,
    /// Rank that each side sees; `first`: from its first rank, too.
    From {
        home: u8,
        first: bool,
    },
    Everywhere,
}

/// The number of `customPiece1` among the kinds, less one.
const CUSTOM: usize = KINDS.len();

/// A kind of piece.
#[derive(Clone)]
struct Kind {
    letter: char,
    movement: String,
}

/// A variant as its keys describe it. Rules name pieces by their kinds, not by letters: a variant
/// that gives a letter to another kind inherits no rule for it.
#[derive(Clone)]
pub(super) struct Variant {
    files: u8,
    ranks: u8,
    /// By name, in the order in which a definition lists them.
    kinds: Vec<(String, Kind)>,
    /// Number of custom pieces of the built-in game: the keys with these numbers may be other
    /// pieces of Fairy-Stockfish's.
    base_custom_pieces: usize,
    /// True if the king of the base becomes a wall when it captures. There it is a commoner.
    base_petrifies_king: bool,
    /// Squares that kinds can move to, by side.
    zones: BTreeMap<String, [String; 2]>,
    start: String,
    /// The pawn that is captured en passant.
    en_passant_pawn: Option<String>,
    /// The pawn whose moves begin the count of the move rule anew.
    reset_pawn: Option<String>,
    /// Squares by side, with `*` for all files of a rank.
    promotion: [String; 2],
    /// Kinds by side.
    promote_to: [Vec<String>; 2],
    /// The pawn that promotes to them; none in shogi.
    promotion_pawn: Option<String>,
    promotion_is_optional: bool,
    promotion_limits: Vec<(String, u8)>,
    /// A kind and the one that it promotes to as a piece.
    promoted: Vec<(String, String)>,
    promoted_by_capture: bool,
    promoted_by_force: bool,
    demotes: bool,
    forbids_immobility: bool,
    drops_promoted: bool,
    double_step: bool,
    /// Squares by side, with `*` for all files of a rank.
    double_step_regions: [String; 2],
    /// All squares if empty.
    en_passant_region: String,
    castling: bool,
    castling_files: [u8; 2],
    castling_rank: u8,
    castling_king: String,
    chess960: bool,
    partners: Vec<String>,
    /// `gating` and `seirawanGating`.
    gates: [bool; 2],
    drops: bool,
    captures_to_hand: bool,
    drop_loop: bool,
    first_rank_drops: bool,
    /// Kinds of which a file has no more.
    limited: Vec<String>,
    pawns_per_file: u32,
    pawn_mate: bool,
    promotion_zone_drops: bool,
    forbids_checks: bool,
    flying_general: bool,
    counts_checks: bool,
    /// Kind that a goal is for; empty for none.
    flag_piece: String,
    /// Squares by side, with `*` for all files of a rank.
    flag_regions: [String; 2],
    flag_move: bool,
    forces_captures: bool,
    explosions: bool,
    /// Name of the rule of walls; empty for none.
    walls: String,
    /// Kinds that become walls when they capture.
    petrified: Vec<String>,
    /// Kinds that survive explosions, and those that do not capture their like.
    immune: [Vec<String>; 2],
    /// All but the types.
    extinction: ExtinctionKeys,
    /// Kinds; all together without.
    extinct: Option<Vec<String>>,
    /// Result of the side that is mated.
    checkmate: f64,
    /// Result of the side that cannot move.
    stalemate: f64,
    stalemate_by_count: bool,
    /// White's points for a draw.
    draw: f64,
    move_rule: u32,
    repetitions: u32,
    repetition: &'static str,
    repetition_is_absolute: bool,
    perpetual_check_loses: bool,
    /// Name of the rule of counting; empty for none.
    counting: String,
}

impl Default for Variant {
    fn default() -> Variant {
        Variant {
            files: 8,
            ranks: 8,
            kinds: Vec::new(),
            base_custom_pieces: 0,
            base_petrifies_king: false,
            zones: BTreeMap::new(),
            start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            en_passant_pawn: Some("pawn".to_owned()),
            reset_pawn: Some("pawn".to_owned()),
            promotion: ["*8", "*1"].map(str::to_owned),
            promotion_limits: Vec::new(),
            promote_to: [Vec::new(), Vec::new()],
            promotion_pawn: Some("pawn".to_owned()),
            promotion_is_optional: false,
            promoted: Vec::new(),
            promoted_by_capture: false,
            promoted_by_force: false,
            demotes: false,
            forbids_immobility: false,
            drops_promoted: false,
            double_step: true,
            double_step_regions: ["*2", "*7"].map(str::to_owned),
            en_passant_region: String::new(),
            castling: true,
            castling_files: [6, 2],
            castling_rank: 1,
            castling_king: "king".to_owned(),
            chess960: false,
            partners: vec!["rook".to_owned()],
            gates: [false; 2],
            drops: false,
            captures_to_hand: false,
            drop_loop: false,
            first_rank_drops: false,
            limited: Vec::new(),
            pawns_per_file: 1,
            pawn_mate: true,
            promotion_zone_drops: false,
            forbids_checks: false,
            flying_general: false,
            counts_checks: false,
            flag_piece: String::new(),
            flag_regions: [String::new(), String::new()],
            flag_move: false,
            forces_captures: false,
            explosions: false,
            walls: String::new(),
            petrified: Vec::new(),
            immune: [Vec::new(), Vec::new()],
            extinction: ExtinctionKeys::none(),
            extinct: Some(Vec::new()),
            checkmate: 0.0,
            stalemate: 0.5,
            stalemate_by_count: false,
            draw: 0.5,
            move_rule: 50,
            repetitions: 3,
            repetition: "draw",
            repetition_is_absolute: false,
            perpetual_check_loses: false,
            counting: String::new(),
        }
    }
}

impl Variant {
    /// A built-in game, by the keys that Fairy-Stockfish has for it.
    pub(super) fn builtin(base: Value<'_>) -> Result<Variant, DefError> {
        let text = builtin_variant(base.text).and_then(|game| from_game(&game).ok()).ok_or_else(|| {
            let expected =
                "a variant above this one, or a built-in game that both programs have, such as chess or capablanca";
            let message = format!("found the base `{}`, expected {expected}", base.text);
            DefError::at(base.file, base.whole, Some(base.byte), None, message)
        })?;
        let mut game = Variant::default();
        for section in &sections(&text, base.text)? {
            game.set_all(section)?;
        }
        game.base_custom_pieces = game.kinds.iter().filter(|(name, _)| name.starts_with("customPiece")).count();
        let king = game.kinds.iter_mut().find(|(name, kind)| name == "king" && kind.movement == "mK");
        if let Some((name, king)) = king.filter(|_| !game.petrified.is_empty()) {
            "K".clone_into(&mut king.movement);
            game.petrified.push(name.clone());
            game.base_petrifies_king = true;
        }
        // Without a rule that counts moves, a definition does not say that such pawns do not begin
        // its count anew.
        game.reset_pawn = game.reset_pawn.filter(|name| name == "pawn" || name.starts_with("customPiece"));
        Ok(game)
    }

    /// Sets the keys of a section. Their order does not matter; of equal keys, the last counts.
    pub(super) fn set_all(&mut self, section: &Section<'_>) -> Result<(), DefError> {
        let mut seen = BTreeSet::new();
        let last = section.entries.iter().rev().filter(|(key, _)| seen.insert(*key));
        let mut entries: Vec<&(&str, Value<'_>)> = last.collect();
        entries.reverse();
        let mut kinds: Vec<(usize, &(&str, Value<'_>))> =
            entries.iter().filter_map(|&entry| Some((kind_number(entry.0)?, entry))).collect();
        kinds.sort_by_key(|&(number, _)| number);
        kinds.iter().try_for_each(|&(_, &(key, value))| self.set_kind(key, value))?;
        // The definition lists them in the order of the file.
        for (key, _) in &entries {
            if let Some(index) = self.kinds.iter().position(|(name, _)| name == key) {
                let kind = self.kinds.remove(index);
                self.kinds.push(kind);
            }
        }
        entries.retain(|(key, _)| kind_number(key).is_none());
        entries.sort_by_key(|(key, _)| GENERAL.iter().position(|general| general == key).unwrap_or(GENERAL.len()));
        entries.into_iter().try_for_each(|&(key, value)| self.set(key, value))
    }

    fn set(&mut self, key: &str, value: Value<'_>) -> Result<(), DefError> {
        match key {
            "maxFile" => self.files = value.file_index(key)? + 1,
            "maxRank" => self.ranks = value.rank_number(key)?,
            "startFen" => value.text.clone_into(&mut self.start),
            "promotionPawnTypes" | "enPassantTypes" | "nMoveRuleTypes" => {
                let pawn = self.only_pawn(key, value)?;
                match key {
                    "promotionPawnTypes" => self.promotion_pawn = pawn,
                    "enPassantTypes" => self.en_passant_pawn = pawn,
                    _ => self.reset_pawn = pawn,
                }
            }
            "pawnTypes" => {
                let pawn = self.only_pawn(key, value)?;
                (self.promotion_pawn, self.en_passant_pawn, self.reset_pawn) = (pawn.clone(), pawn.clone(), pawn);
            }
            "promotionRank" => self.promotion = self.ranks_by_side(value.rank_number(key)?..=self.ranks),
            "doubleStepRankMin" => self.double_step_regions = self.ranks_by_side(value.rank_number(key)?..=2),
            "doubleStepRank" => self.double_step_regions = self.ranks_by_side(2..=value.rank_number(key)?),
            "promotionRegionWhite" => self.promotion[0] = value.region(key)?,
            "promotionRegionBlack" => self.promotion[1] = value.region(key)?,
            "flyingGeneral" => self.flying_general = value.is_true(key)?,
            _ if key.starts_with("mobilityRegion") => self.set_zone(key, value)?,
            "promotionLimit" => {
                let limit = |(letter, most): (char, &str)| Some((self.name_of(letter)?, most.parse().ok()?));
                let limits: Option<Vec<(String, u8)>> = value.pairs(key)?.into_iter().map(limit).collect();
                // Kinds that are not named keep what they inherit; 0 is no limit.
                for (name, most) in limits.ok_or_else(|| value.error(key, "limits of pieces, such as q:1 r:2"))? {
                    self.promotion_limits.retain(|(limited, _)| *limited != name);
                    self.promotion_limits.extend((most > 0).then_some((name, most)));
                }
            }
            "promotedPieceType" => self.set_promoted(key, value)?,
            "piecePromotionOnCapture" => self.promoted_by_capture = value.is_true(key)?,
            "mandatoryPiecePromotion" => self.promoted_by_force = value.is_true(key)?,
            "pieceDemotion" => self.demotes = value.is_true(key)?,
            "immobilityIllegal" => self.forbids_immobility = value.is_true(key)?,
            "dropPromoted" => self.drops_promoted = value.is_true(key)?,
            "dropNoDoubledCount" => match value.number(key)? {
                0 => return Err(value.error(key, "1 or more")),
                number => self.pawns_per_file = number,
            },
            "shogiPawnDropMateIllegal" => self.pawn_mate = !value.is_true(key)?,
            "promotionPieceTypes" => self.promote_to = [self.named(key, value)?, self.named(key, value)?],
            "promotionPieceTypesWhite" => self.promote_to[0] = self.named(key, value)?,
            "promotionPieceTypesBlack" => self.promote_to[1] = self.named(key, value)?,
            "mandatoryPawnPromotion" => self.promotion_is_optional = !value.is_true(key)?,
            "checking" => self.forbids_checks = !value.is_true(key)?,
            "checkCounting" => self.counts_checks = value.is_true(key)?,
            "flagPiece" => self.flag_piece = self.only_named(key, value)?,
            "flagRegion" => self.flag_regions = [value.region(key)?, value.region(key)?],
            "flagRegionWhite" | "whiteFlag" => self.flag_regions[0] = value.region(key)?,
            "flagRegionBlack" | "blackFlag" => self.flag_regions[1] = value.region(key)?,
            "flagMove" => self.flag_move = value.is_true(key)?,
            "doubleStep" => self.double_step = value.is_true(key)?,
            "doubleStepRegionWhite" => self.double_step_regions[0] = value.region(key)?,
            "doubleStepRegionBlack" => self.double_step_regions[1] = value.region(key)?,
            "enPassantRegion" => self.en_passant_region = value.region(key)?,
            "castling" => self.castling = value.is_true(key)?,
            "castlingKingsideFile" => self.castling_files[0] = value.file_index(key)?,
            "castlingQueensideFile" => self.castling_files[1] = value.file_index(key)?,
            "castlingRank" => self.castling_rank = value.rank_number(key)?,
            "chess960" => self.chess960 = value.is_true(key)?,
            "castlingKingPiece" => self.castling_king = self.only_named(key, value)?,
            "castlingRookPieces" | "castlingRookPiece" => self.partners = self.named(key, value)?,
            "gating" => self.gates[0] = value.is_true(key)?,
            "seirawanGating" => self.gates[1] = value.is_true(key)?,
            "pieceDrops" => self.drops = value.is_true(key)?,
            "capturesToHand" => self.captures_to_hand = value.is_true(key)?,
            "dropLoop" => self.drop_loop = value.is_true(key)?,
            "firstRankPawnDrops" => self.first_rank_drops = value.is_true(key)?,
            "promotionZonePawnDrops" => self.promotion_zone_drops = value.is_true(key)?,
            "dropNoDoubled" => self.limited = self.named(key, value)?,
            _ => self.set_ending(key, value)?,
        }
        Ok(())
    }

    /// Sets a key of what decides a game.
    fn set_ending(&mut self, key: &str, value: Value<'_>) -> Result<(), DefError> {
        match key {
            "checkmateValue" => self.checkmate = value.result(key)?,
            "stalemateValue" => self.stalemate = value.result(key)?,
            "stalematePieceCount" => self.stalemate_by_count = value.is_true(key)?,
            "materialCounting" => {
                self.draw = match value.text {
                    "none" => 0.5,
                    "blackdrawodds" => 0.0,
                    "whitedrawodds" => 1.0,
                    _ => return Err(value.error(key, "none, blackdrawodds or whitedrawodds")),
                }
            }
            "mustCapture" => self.forces_captures = value.is_true(key)?,
            "blastOnCapture" => self.explosions = value.is_true(key)?,
            "wallingRule" => {
                self.walls = match value.text {
                    "none" => String::new(),
                    "duck" | "past" => value.text.to_owned(),
                    _ => return Err(value.error(key, "duck, past or none")),
                }
            }
            "petrifyOnCaptureTypes" => self.petrified = self.named(key, value)?,
            "blastImmuneTypes" => self.immune[0] = self.named(key, value)?,
            "mutuallyImmuneTypes" => self.immune[1] = self.named(key, value)?,
            "extinctionValue" => {
                if !["win", "loss", "none"].contains(&value.text) {
                    return Err(value.error(key, "win, loss or none"));
                }
                value.text.clone_into(&mut self.extinction.value);
            }
            "extinctionClaim" => self.extinction.claim = value.is_true(key)?,
            "extinctionPseudoRoyal" => self.extinction.pseudo_royal = value.is_true(key)?,
            "extinctionPieceTypes" => {
                self.extinct = if value.text == "*" { None } else { Some(self.named(key, value)?) };
            }
            "extinctionPieceCount" => self.extinction.count = value.number(key)?,
            "extinctionOpponentPieceCount" => self.extinction.opponent_count = value.number(key)?,
            "nMoveRule" => self.move_rule = value.number(key)?,
            "nFoldRule" => self.repetitions = value.number(key)?,
            "nFoldValue" => {
                self.repetition = match value.text {
                    "draw" => "draw",
                    "loss" => "white-loses",
                    "win" => "mover-loses",
                    _ => return Err(value.error(key, "win, draw or loss")),
                }
            }
            "nFoldValueAbsolute" => self.repetition_is_absolute = value.is_true(key)?,
            "countingRule" => {
                self.counting = match value.text {
                    "none" => String::new(),
                    name if counting::is_known(name) => name.to_owned(),
                    _ => return Err(value.error(key, "makruk, cambodian, asean or none")),
                }
            }
            "perpetualCheckIllegal" => self.perpetual_check_loses = value.is_true(key)?,
            _ if IGNORED.contains(&key) => {}
            _ => return Err(value.error(key, "no such key: Assay has no counterpart of it")),
        }
        Ok(())
    }

    /// `mobilityRegionWhiteFers = d1 f1`.
    fn set_zone(&mut self, key: &str, value: Value<'_>) -> Result<(), DefError> {
        let of_side = |side: &str| key.strip_prefix("mobilityRegion")?.strip_prefix(side);
        let known = |(side, named): (usize, Option<&str>)| {
            let (first, rest) = named?.split_at_checked(1)?;
            let name = first.to_ascii_lowercase() + rest;
            kind_number(&name).map(|_| (side, name))
        };
        match [of_side("White"), of_side("Black")].into_iter().enumerate().find_map(known) {
            Some((side, name)) => {
                self.check_number(key, &name, value)?;
                self.zones.entry(name).or_default()[side] = value.region(key)?;
            }
            None => {
                return Err(value.error(key, "mobilityRegionWhite or mobilityRegionBlack, with the name of a piece"));
            }
        }
        Ok(())
    }

    /// Name of the kind that has a letter.
    fn name_of(&self, letter: char) -> Option<String> {
        self.kinds.iter().find(|(_, kind)| kind.letter == letter.to_ascii_uppercase()).map(|(name, _)| name.clone())
    }

    /// Letter of a kind, if the variant has it.
    fn letter_of(&self, name: &str) -> Option<char> {
        self.kinds.iter().find(|(known, _)| known == name).map(|(_, kind)| kind.letter)
    }

    /// Letters of the kinds that the variant has.
    fn letters_of(&self, names: &[String]) -> String {
        names.iter().filter_map(|name| self.letter_of(name)).collect()
    }

    /// Names of the kinds whose letters are listed; none for `-`.
    fn named(&self, key: &str, value: Value<'_>) -> Result<Vec<String>, DefError> {
        let letters = value.text.chars().filter(|letter| !letter.is_whitespace());
        let names: Option<IndexSet<String>> = letters.map(|letter| self.name_of(letter)).collect();
        match names {
            _ if value.text == "-" => Ok(Vec::new()),
            Some(names) if !names.is_empty() => Ok(names.into_iter().collect()),
            _ => {
                let known: String = self.kinds.iter().map(|(_, kind)| kind.letter).collect();
                Err(value.error(key, &format!("letters of pieces ({known}), or - for none")))
            }
        }
    }

    /// The pawn that a list has; none for `-`.
    fn only_pawn(&self, key: &str, value: Value<'_>) -> Result<Option<String>, DefError> {
        let mut named = self.named(key, value)?;
        if named.len() > 1 {
            return Err(value.error(key, "one kind of pawn: a definition has no other number"));
        }
        Ok(named.pop())
    }

    /// The kind of pawn that the variant has.
    fn pawn(&self) -> &str {
        let pawns = [&self.en_passant_pawn, &self.promotion_pawn, &self.reset_pawn];
        pawns.into_iter().flatten().find(|name| self.letter_of(name).is_some()).map_or("", String::as_str)
    }

    fn only_named(&self, key: &str, value: Value<'_>) -> Result<String, DefError> {
        let [only] = self.named(key, value)?.try_into().map_err(|_| value.error(key, "one letter"))?;
        Ok(only)
    }

    /// `p:g s:g`: kinds with those that they promote to as pieces.
    fn set_promoted(&mut self, key: &str, value: Value<'_>) -> Result<(), DefError> {
        let pair = |(kind, to): (char, &str)| {
            let to = if to == "-" { None } else { Some(self.name_of(to.parse().ok()?)?) };
            Some((self.name_of(kind)?, to))
        };
        let pairs: Option<Vec<(String, Option<String>)>> = value.pairs(key)?.into_iter().map(pair).collect();
        // Kinds that are not named keep what they inherit.
        for (name, to) in pairs.ok_or_else(|| value.error(key, "pairs of letters of pieces, such as p:g s:g"))? {
            self.promoted.retain(|(kind, _)| *kind != name);
            self.promoted.extend(to.map(|to| (name, to)));
        }
        Ok(())
    }

    /// Refuses a custom piece that the base may have: there it may be another one than here.
    fn check_number(&self, key: &str, name: &str, value: Value<'_>) -> Result<(), DefError> {
        let number = kind_number(name).and_then(|number| number.checked_sub(CUSTOM));
        if number.is_some_and(|number| (1..=self.base_custom_pieces).contains(&number)) {
            let free = self.base_custom_pieces + 1;
            return Err(value.error(key, &format!("customPiece{free} or above: the base has such pieces")));
        }
        Ok(())
    }

    /// `knight = n`, `customPiece1 = a:mRcN`, or `knight = -`.
    fn set_kind(&mut self, key: &str, value: Value<'_>) -> Result<(), DefError> {
        self.check_number(key, key, value)?;
        if self.base_petrifies_king && ["king", "commoner"].contains(&key) {
            return Err(value.error(key, "no such key: the king of the base is a commoner that becomes a wall"));
        }
        if value.text == "-" {
            self.remove_kinds(|name, _| name == key);
            return Ok(());
        }
        let is_free = key == "king" || key.starts_with("customPiece");
        let (letter, movement) = if let Some((letter, movement)) = value.text.split_once(':').filter(|_| is_free) {
            (letter.trim(), movement.trim())
        } else {
            let named = KINDS.iter().find(|(name, _)| *name == key);
            let named = named.ok_or_else(|| value.error(key, "a letter and a movement, such as a:mRcN"))?;
            (value.text, named.1)
        };
        // The movement of the named pawn depends on other keys.
        if !movement.is_empty() {
            let parsed = betza::parse(movement).map_err(|error| value.error(key, &format!("a movement: {error}")))?;
            if !is_known(movement, &parsed) {
                return Err(value.error(
                    key,
                    "a movement that Fairy-Stockfish has, without longer leaps than of three squares and their rides, bent moves, K or Q with mixed directions (fs), limited hops, and rides or hops of several kinds along a line",
                ));
            }
        }
        let mut letters = letter.chars();
        let (Some(letter), None) = (letters.next().filter(char::is_ascii_alphabetic), letters.next()) else {
            return Err(value.error(key, "one letter"));
        };
        let letter = letter.to_ascii_uppercase();
        // A new kind takes the letter from an old one, even from itself.
        self.remove_kinds(|_, kind| kind.letter == letter);
        self.kinds.retain(|(name, _)| name != key);
        self.kinds.push((key.to_owned(), Kind { letter, movement: movement.to_owned() }));
        Ok(())
    }

    /// Pawns do not promote to a kind that was removed, even if it comes back.
    fn remove_kinds(&mut self, is_removed: impl Fn(&str, &Kind) -> bool) {
        let removed = self.kinds.extract_if(.., |(name, kind)| is_removed(name, kind));
        for (name, _) in removed {
            for kinds in &mut self.promote_to {
                kinds.retain(|kind| *kind != name);
            }
        }
    }

    /// The definition file.
    pub(super) fn definition(mut self, name: &str, source: &str) -> Result<String, String> {
        self.trim_regions();
        let file_name: String = name
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
            .collect();
        let mut text = format!(
            "name = {file_name:?}\ntitle = {}\nsource = {}\n\n[board]\nfiles = {}\nranks = {}\n",
            quoted(name),
            quoted(source),
            self.files,
            self.ranks
        );
        let castles = self.castling
            && self.start.split(' ').nth(2).is_some_and(|rights| rights != "-" && rights != "0")
            && self.letter_of(&self.castling_king).is_some()
            && !self.letters_of(&self.partners).is_empty();
        for (key, is_set) in [
            ("forbids-checks", self.forbids_checks),
            ("forces-captures", self.forces_captures),
            ("flying-general", self.flying_general),
            ("forbids-immobility", self.forbids_immobility),
        ] {
            if is_set {
                text = text.replacen("\n[board]", &format!("{key} = true\n\n[board]"), 1);
            }
        }
        self.put_pieces(&mut text, castles)?;
        self.check()?;
        if self.explosions {
            text += &format!("\n[explosions]\nimmune = {:?}\n", self.letters_of(&self.immune[0]));
        }
        self.put_walls(&mut text);
        let (home_rank, first_rank_steps) = match self.double_steps()? {
            DoubleSteps::From { home, first } => (home, first),
            _ => (self.home_rank(), false),
        };
        text += &format!("\n[pawns]\nhome-rank = {home_rank}\nfirst-rank-steps = {first_rank_steps}\n");
        self.put_promotions(&mut text)?;
        if castles {
            self.put_castling(&mut text)?;
        }
        if self.drops {
            self.put_drops(&mut text)?;
        }
        if self.gates != [false; 2] {
            self.put_gating(&mut text)?;
        }
        self.put_endings(&mut text)?;
        text +=
            &format!("\n[[starts]]\nid = \"1\"\ntitle = \"start\"\nfen = {}", quoted(&self.complete_start(castles)?));
        Ok(text)
    }

    fn put_walls(&self, text: &mut String) {
        let board = self.start.split(' ').next().unwrap_or_default();
        if !self.walls.is_empty() || !self.petrified.is_empty() || board.contains('*') {
            let petrified: Vec<String> = self.petrified.iter().filter(|name| *name != "king").cloned().collect();
            *text += &format!("\n[walls]\npetrified = {:?}\n", self.letters_of(&petrified));
            if !self.walls.is_empty() {
                *text += &format!("each-move = {:?}\n", self.walls);
            }
        }
    }

    /// The tables of the pieces. The king castles if the variant does.
    fn put_pieces(&self, text: &mut String, castles: bool) -> Result<(), String> {
        let royals = self.royals()?;
        let steps = self.double_steps()?;
        let mut has_pawn = false;
        // Kinds that others promote to, and that are nowhere else.
        let is_only_promoted = |name: &String, letter: char| {
            self.promoted.iter().any(|(_, to)| to == name)
                && !self.promote_to.concat().contains(name)
                && !self.start.split(' ').next().is_some_and(|board| board.to_ascii_uppercase().contains(letter))
        };
        let placed = self.kinds.iter().filter(|(name, kind)| !is_only_promoted(name, kind.letter));
        for (name, Kind { letter, movement }) in placed {
            let is_pawn = name == self.pawn();
            has_pawn |= is_pawn;
            let movement = match name.as_str() {
                "pawn" if movement.is_empty() => match steps {
                    DoubleSteps::None => PAWN_WITHOUT_DOUBLE_STEP,
                    DoubleSteps::Everywhere => TORPEDO_PAWN,
                    DoubleSteps::From { .. } => CHESS_PAWN,
                },
                // A king that captures would become a wall.
                "king" if self.petrified.contains(name) && self.base_petrifies_king => "mK",
                "king" if self.petrified.contains(name) => {
                    return Err("found petrifyOnCaptureTypes with the king, expected other pieces".to_owned());
                }
                _ => movement,
            };
            let castling = if castles && self.castling_king == *name { "isO2" } else { "" };
            let movement = format!("{movement}{castling}");
            // There, such moves begin on the ranks of the pawns' double steps, whether or not the
            // piece has moved.
            let is_initial = betza::parse(&movement).is_ok_and(|parsed| parsed.paths.iter().any(|path| path.initial));
            if is_initial && !(is_pawn && matches!(steps, DoubleSteps::From { .. })) {
                return Err(format!(
                    "found the initial moves {movement} of the {name}, expected them only of the pawn, with doubleStep = true"
                ));
            }
            let class = match name.as_str() {
                "king" => "\nclass = \"king\"",
                _ if is_pawn => "\nclass = \"pawn\"",
                _ if royals.contains(name) => "\nclass = \"royal\"",
                _ => "",
            };
            *text += &format!("\n[pieces.{name}]\nletter = \"{letter}\"\nmove = {movement:?}{class}\n");
            if let Some(side) = self.side(name, *letter)? {
                *text += &format!("side = \"{side}\"\n");
            }
            if let Some([white, _]) = self.zones.get(name) {
                *text += &format!("zone = {}\n", quoted(white));
            }
        }
        if !has_pawn {
            return Err(
                "found no pawn, expected one: pawnTypes names the kind that promotes and makes double steps".to_owned()
            );
        }
        Ok(())
    }

    fn put_castling(&self, text: &mut String) -> Result<(), String> {
        let board = self.start.split([' ', '[']).next().unwrap_or_default();
        let mut ranks: Vec<&str> = board.split('/').collect();
        let of_black = ranks.get(usize::from(self.castling_rank) - 1).copied().unwrap_or_default();
        ranks.reverse();
        let of_white = ranks.get(usize::from(self.castling_rank) - 1).copied().unwrap_or_default();
        let king = self.letter_of(&self.castling_king).unwrap_or_default();
        // One side may have no king.
        if !of_white.contains(king) && !of_black.contains(king.to_ascii_lowercase()) {
            return Err(format!("found castlingRank = {}, expected the rank of the king", self.castling_rank));
        }

        let partners = self.letters_of(&self.partners);
        let [kingside, queenside] = self.castling_files.map(Board::file_letter);
        *text += &format!(
            "\n[castling]\npartner = {partners:?}\nkingside-file = \"{kingside}\"\nqueenside-file = \"{queenside}\"\nfrom-any-file = {}\n",
            self.chess960
        );
        Ok(())
    }

    fn put_drops(&self, text: &mut String) -> Result<(), String> {
        let pawn_promotes = self.promotion_pawn.as_deref() == Some(self.pawn()) && !self.promote_to.concat().is_empty();
        if pawn_promotes && self.pawn() != "pawn" {
            return Err("found pieceDrops with another pawn than that of chess, which may be dropped on all ranks, expected another game".to_owned());
        }
        if !self.limited.is_empty() && self.limited != [self.pawn()] {
            return Err("found dropNoDoubled of other pieces, expected the pawn or -".to_owned());
        }
        if self.drops_promoted && !self.limited.is_empty() {
            return Err(
                "found dropPromoted and dropNoDoubled, expected one of them: there it also limits promoted pawns"
                    .to_owned(),
            );
        }
        let captured = if self.captures_to_hand { "capturer" } else { "none" };
        *text += &format!(
            "\n[drops]\ncaptured = {captured:?}\npromoted-revert = {}\npromoted = {}\npawn-mate = {}\n",
            self.turns() || self.captures_to_hand && !self.drop_loop,
            self.drops_promoted,
            self.pawn_mate
        );
        if !self.limited.is_empty() {
            *text += &format!("pawns-per-file = {}\n", self.pawns_per_file);
        }
        // Only the pawn of chess has these restrictions.
        if let Some(pawn) = self.letter_of("pawn").filter(|_| self.pawn() == "pawn") {
            let zone = self.promotion_ranks()?;
            if self.promotion_zone_drops && !self.forbids_immobility {
                return Err("found promotionZonePawnDrops = true, expected immobilityIllegal = true, too: no pawn of a definition is on the last rank".to_owned());
            }
            if !self.promotion_zone_drops && zone.last() != Some(&self.ranks) {
                return Err(format!(
                    "found promotionRegionWhite = {} with pieceDrops, expected the last rank in it: there pawns are dropped beyond",
                    self.promotion[0]
                ));
            }
            let low = if self.first_rank_drops { 1 } else { 2 };
            let high = if self.promotion_zone_drops { self.ranks } else { zone[0] };
            *text += &format!("ranks = {{ {pawn} = [{low}, {}] }}\n", high - 1);
        }
        Ok(())
    }

    /// Pieces that enter from the pocket, on the squares that pieces of the castling rank leave.
    fn put_gating(&self, text: &mut String) -> Result<(), String> {
        let board = self.start.split(' ').next().unwrap_or_default();
        let (board, pocket) = board.trim_end_matches(']').split_once('[').unwrap_or((board, ""));
        let of_side = |is_own: fn(&char) -> bool| pocket.chars().filter(is_own).map(|c| c.to_ascii_uppercase());
        let pocket: IndexSet<char> = of_side(char::is_ascii_uppercase).collect();
        let twice = of_side(char::is_ascii_uppercase).count() > pocket.len();
        if self.gates != [true; 2]
            || self.drops
            || pocket.is_empty()
            || twice
            || !of_side(char::is_ascii_lowercase).eq(pocket.iter().copied())
        {
            return Err("found gating or seirawanGating, expected both, without pieceDrops, and in the startFen the same pieces in both hands, each once".to_owned());
        }
        let rank = board.rsplit('/').nth(usize::from(self.castling_rank) - 1).unwrap_or_default();
        let movers: IndexSet<char> = rank.chars().filter(char::is_ascii_uppercase).collect();
        *text += &format!(
            "\n[gating]\npocket = {:?}\nmovers = {:?}\nlast-move = {{ white = 1000000, black = 1000000 }}\nforbids-shielding = true\n",
            String::from_iter(pocket),
            String::from_iter(movers)
        );
        Ok(())
    }

    /// Checks what definitions cannot express.
    fn check(&self) -> Result<(), String> {
        if self.repetition != "draw" && self.repetition_is_absolute != (self.repetition == "white-loses") {
            return Err("found another value of repetition, expected nFoldValue = loss with nFoldValueAbsolute = true, or win without".to_owned());
        }
        if self.immune[0] != self.immune[1] || !self.explosions && !self.immune[0].is_empty() {
            return Err("found blastImmuneTypes or mutuallyImmuneTypes, expected both, of the same pieces, with blastOnCapture = true".to_owned());
        }
        if self.flying_general {
            let ranks = |zone: &str| -> BTreeSet<String> {
                self.squares(zone)
                    .split(' ')
                    .map(|square| square.trim_start_matches(char::is_alphabetic).to_owned())
                    .collect()
            };
            if self.zones.get("king").is_none_or(|[white, black]| !ranks(white).is_disjoint(&ranks(black))) {
                return Err("found flyingGeneral = true, expected mobilityRegionWhiteKing and mobilityRegionBlackKing on different ranks: there kings also face each other along a rank".to_owned());
            }
        }
        let region = match self.double_steps()? {
            DoubleSteps::From { home, first: true } => en_passant_region(home, self.ranks),
            _ => String::new(),
        };
        if self.en_passant_region != region {
            return Err(format!(
                "found enPassantRegion = {}, expected `{region}` for these double steps",
                self.en_passant_region
            ));
        }
        let turned = |square: &str| {
            let file = square.bytes().next()?.checked_sub(b'a')?;
            let rank = (self.ranks + 1).checked_sub(square.get(1..)?.parse().ok()?)?;
            Some(format!("{}{rank}", Board::file_letter(self.files.checked_sub(file + 1)?)))
        };
        // There the zone has the square that a double step passes, too.
        if let (Some([zone, _]), DoubleSteps::From { home, .. }) = (self.zones.get("pawn"), self.double_steps()?) {
            let zone = self.squares(zone);
            let on_rank =
                |rank: u8| zone.split(' ').filter_map(move |square| square.strip_suffix(rank.to_string().as_str()));
            let passed: BTreeSet<&str> = on_rank(home + 1).collect();
            if self.letter_of("pawn").is_some() && on_rank(home + 2).any(|file| !passed.contains(file)) {
                return Err("found mobilityRegionWhitePawn without a square that a double step passes, expected it or doubleStep = false".to_owned());
            }
        }
        let zones = self.zones.iter().filter(|(name, _)| self.letter_of(name).is_some());
        let zones = zones.map(|(name, zone)| (zone_keys(name), zone));
        let promotion = ["promotionRegionWhite", "promotionRegionBlack"].map(str::to_owned);
        for (keys, regions) in zones.chain([(promotion, &self.promotion)]) {
            let [white, black] = regions.each_ref().map(|region| self.squares(region));
            let of_white: Option<BTreeSet<String>> = white.split_whitespace().map(turned).collect();
            if of_white != Some(black.split_whitespace().map(str::to_owned).collect()) {
                return Err(format!(
                    "found {} = {} and {} = {}, expected the same squares as each side sees them",
                    keys[0], regions[0], keys[1], regions[1]
                ));
            }
        }
        Ok(())
    }

    /// The ranks from which pawns make double steps, the same for both sides.
    fn double_steps(&self) -> Result<DoubleSteps, String> {
        let [white, black] = &self.double_step_regions;
        let ranks_of = |region: &str| -> Option<BTreeSet<u8>> {
            region.split(' ').filter(|rank| !rank.is_empty()).map(|rank| rank.strip_prefix('*')?.parse().ok()).collect()
        };
        let as_white =
            |ranks: BTreeSet<u8>| ranks.into_iter().map(|rank| self.ranks + 1 - rank).collect::<BTreeSet<u8>>();
        let of_black = ranks_of(black).map(as_white);
        let (Some(ranks), Some(of_black)) = (ranks_of(white), of_black) else { return Err(self.wrong_double_steps()) };
        let everywhere: BTreeSet<u8> = (2..self.ranks - 1).collect();
        // With steps of White from the first rank, Black's may begin only on its second.
        let without_first = &ranks - &BTreeSet::from([1]);
        match ranks.iter().copied().collect::<Vec<_>>().as_slice() {
            _ if !self.double_step => Ok(DoubleSteps::None),
            [] if of_black.is_empty() => Ok(DoubleSteps::None),
            _ if everywhere.len() > 1 && everywhere.is_subset(&ranks) && everywhere.is_subset(&of_black) => {
                Ok(DoubleSteps::Everywhere)
            }
            &[home] if of_black == ranks => Ok(DoubleSteps::From { home, first: false }),
            &[1, home] if of_black == ranks || of_black == without_first => Ok(DoubleSteps::From { home, first: true }),
            _ => Err(self.wrong_double_steps()),
        }
    }

    fn wrong_double_steps(&self) -> String {
        let [white, black] = &self.double_step_regions;
        format!(
            "found doubleStepRegionWhite = {white} and doubleStepRegionBlack = {black}, expected one rank, and perhaps the first, as each side sees it, or all"
        )
    }

    /// Rank on which pawns without double steps begin: it says only whether pawns can be on the
    /// first.
    fn home_rank(&self) -> u8 {
        let board = self.start.split([' ', '[']).next().unwrap_or_default();
        let first_rank = board.rsplit('/').next().unwrap_or_default();
        if self.letter_of(self.pawn()).is_some_and(|pawn| first_rank.contains(pawn)) { 1 } else { 2 }
    }

    /// Ranks that a side counts from its own, for both sides, as regions.
    fn ranks_by_side(&self, ranks: RangeInclusive<u8>) -> [String; 2] {
        let region = |side: &dyn Fn(u8) -> u8| {
            ranks.clone().map(|rank| format!("*{}", side(rank))).collect::<Vec<_>>().join(" ")
        };
        [region(&|rank| rank), region(&|rank| (self.ranks + 1).saturating_sub(rank))]
    }

    /// Removes the squares beyond the board from all regions.
    fn trim_regions(&mut self) {
        let (files, ranks) = (self.files, self.ranks);
        let is_on_board = |square: &&str| {
            let (file, rank) = square.split_at(1);
            let on_files = file == "*" || file.as_bytes()[0] - b'a' < files;
            on_files && rank.parse::<u8>().is_ok_and(|rank| (1..=ranks).contains(&rank))
        };
        let regions = self.zones.values_mut().flatten().chain(&mut self.promotion).chain(&mut self.double_step_regions);
        for region in regions.chain(&mut self.flag_regions).chain([&mut self.en_passant_region]) {
            *region =
                region.split(' ').filter(|square| !square.is_empty()).filter(is_on_board).collect::<Vec<_>>().join(" ");
        }
    }

    /// The ranks of promotion in ascending order.
    fn promotion_ranks(&self) -> Result<Vec<u8>, String> {
        let region = &self.promotion[0];
        let rank = |text: &str| text.strip_prefix('*').and_then(|rank| rank.parse().ok()).filter(|&rank| rank > 0);
        let ranks: Option<Vec<u8>> = region.split_whitespace().map(rank).collect();
        let mut ranks = ranks.unwrap_or_default();
        ranks.sort_unstable();
        if ranks.is_empty() || ranks.windows(2).any(|pair| pair[1] - pair[0] != 1) {
            return Err(format!(
                "found promotionRegionWhite = {region}, expected complete ranks side by side, such as *7 *8"
            ));
        }
        Ok(ranks)
    }

    /// Returns true if all pawns of the start are below a rank, as their side sees it, and enter it
    /// before any rank above.
    fn enters_at(&self, rank: u8) -> Result<bool, String> {
        let pawn = self.letter_of(self.pawn()).unwrap_or_default();
        let board = self.start.split([' ', '[']).next().unwrap_or_default();
        let top = usize::from((self.ranks + 1).saturating_sub(rank));
        let is_above = board.split('/').take(top).any(|squares| squares.contains(pawn))
            || board.rsplit('/').take(top).any(|squares| squares.contains(pawn.to_ascii_lowercase()));
        let is_stepping = match self.double_steps()? {
            DoubleSteps::None => true,
            DoubleSteps::From { home, .. } => home + 2 <= rank,
            DoubleSteps::Everywhere => false,
        };
        Ok(self.pawn() == "pawn" && is_stepping && !is_above)
    }

    /// Promotion of pawns, and of pieces to their promoted kinds.
    fn put_promotions(&self, text: &mut String) -> Result<(), String> {
        let [white, black] = &self.promote_to;
        let only_black = black.iter().filter(|name| !white.contains(name)).cloned();
        let promote_to = self.letters_of(&white.iter().cloned().chain(only_black).collect::<Vec<_>>());
        let promotion_pawn = self.promotion_pawn.as_ref().filter(|name| self.letter_of(name).is_some());
        let pawns = [&self.en_passant_pawn, &self.promotion_pawn, &self.reset_pawn];
        let is_other = |name: &&String| self.letter_of(name).is_some() && *name != self.pawn();
        let has_pawn = self.letter_of("pawn").is_some();
        if pawns.into_iter().flatten().any(|name| is_other(&name)) || has_pawn && self.promotion_pawn.is_none() {
            return Err("found promotionPawnTypes, enPassantTypes or nMoveRuleTypes without the pawn, or with different kinds, expected one pawn".to_owned());
        }
        if promotion_pawn.is_some() && !promote_to.is_empty() {
            let limits = self.promotion_limits.iter().filter_map(|(name, most)| Some((self.letter_of(name)?, most)));
            let limits = limits.filter(|(letter, _)| promote_to.contains(*letter));
            let limits: Vec<String> = limits.map(|(letter, most)| format!("{letter} = {most}")).collect();
            *text += &format!("promotion-limits = {{ {} }}\n\n[promotion]\n", limits.join(", "));
            let squares = |region: &str| format!(", squares = {}", quoted(&self.squares(region)));
            let (ranks, squares) = match self.promotion_ranks() {
                // No pawn passes the first of the ranks.
                Ok(ranks)
                    if ranks.last() == Some(&self.ranks)
                        && ranks.len() > 1
                        && !self.promotion_is_optional
                        && self.enters_at(ranks[0])? =>
                {
                    (vec![self.ranks], squares(&format!("*{}", ranks[0])))
                }
                Ok(ranks) if ranks.last() == Some(&self.ranks) => (ranks, String::new()),
                _ => (vec![self.ranks], squares(&self.promotion[0])),
            };
            if self.promotion_is_optional != (ranks.len() > 1) {
                return Err(
                    "found mandatoryPawnPromotion on several ranks, or none on the last, expected it on the last only"
                        .to_owned(),
                );
            }
            for rank in &ranks {
                let optional = *rank < ranks[ranks.len() - 1];
                *text += &format!("{rank} = {{ to = {promote_to:?}, optional = {optional}{squares} }}\n");
            }
        }
        if !self.turns() {
            return Ok(());
        }
        let ranks = self.promotion_ranks()?;
        *text += &format!(
            "\n[piece-promotion]\nranks = [{}, {}]\nforced = {}\nby-capture = {}\ndemotes = {}\n",
            ranks[0],
            ranks[ranks.len() - 1],
            self.promoted_by_force,
            self.promoted_by_capture,
            self.demotes
        );
        for (name, to) in &self.promoted {
            let Some(letter) = self.letter_of(name) else { continue };
            let Some((_, kind)) = self.kinds.iter().find(|(known, _)| known == to) else {
                return Err(format!("found promotedPieceType {letter} to a {to}, which the variant does not have"));
            };
            *text += &format!("\n[pieces.promoted-{name}]\nletter = \"+{letter}\"\nmove = {:?}\n", kind.movement);
            if let Some([white, _]) = self.zones.get(to) {
                *text += &format!("zone = {}\n", quoted(white));
            }
        }
        Ok(())
    }

    /// The start with all six fields.
    fn complete_start(&self, castles: bool) -> Result<String, String> {
        // Empty pockets may be written as in XBoard.
        let start = self.start.replace("[-]", "[]");
        let mut fields: Vec<&str> = start.split_whitespace().collect();
        if fields.is_empty() {
            return Err("found an empty startFen, expected a FEN".to_owned());
        }
        // Rights and en passant may be missing before the counters, and everything may be missing
        // at the end.
        if fields.len() == 4 && fields[2..].iter().all(|field| field.parse::<u32>().is_ok()) {
            fields.splice(2..2, ["-", "-"]);
        }
        fields.extend(["w", "-", "-", "0", "1"].iter().skip(fields.len() - 1));
        if !castles {
            // Fairy-Stockfish ignores them.
            fields[2] = "-";
        }
        Ok(fields.join(" "))
    }

    fn put_endings(&self, text: &mut String) -> Result<(), String> {
        // A definition must have both rules.
        let move_rule = if self.move_rule == 0 { NO_MOVE_RULE } else { self.move_rule };
        let repetitions = if self.repetitions == 0 { 10 } else { self.repetitions };
        let takes_part = |name: &String| self.promoted.iter().any(|(from, to)| [from, to].contains(&name));
        let minor = |(name, kind): &(&String, &Kind)| {
            *name != "king" && ["B", "N"].contains(&kind.movement.as_str()) && !takes_part(name)
        };
        let minors = self.kinds.iter().map(|(name, kind)| (name, kind)).filter(minor);
        // Captured pieces can be dropped, so no material is insufficient.
        let returns = self.drops && self.captures_to_hand;
        let minors = minors.map(|(_, kind)| kind.letter.to_string());
        let armies: Vec<String> = std::iter::once(String::new())
            .chain(minors)
            .filter(|_| !returns && self.letter_of("king").is_some_and(|king| self.side("king", king) == Ok(None)))
            .collect();
        *text += &format!(
            "\n[endings]\nstalemate = {:?}\nmove-rule = {move_rule}\nrepetitions = {repetitions}\ninsufficient-material = {armies:?}\n\
             checkmate = {:?}\ndraw = {:?}\n",
            1.0 - self.stalemate,
            1.0 - self.checkmate,
            self.draw
        );
        if self.reset_pawn.as_deref() != Some(self.pawn()) && move_rule < NO_MOVE_RULE {
            *text += "pawn-moves-reset = false\n";
        }
        if self.stalemate_by_count {
            if self.stalemate < 1.0 {
                return Err("found stalematePieceCount, expected also stalemateValue = win".to_owned());
            }
            *text += "stalemate-by-count = true\n";
        }
        *text +=
            &format!("repetition = {:?}\nperpetual-check-loses = {}\n", self.repetition, self.perpetual_check_loses);
        if self.counts_checks {
            // As the start says, else one. Checks that were given, as in `+0+1`, count from three.
            let given = self.start.split(' ').skip(1).find_map(|field| field.split_once('+'));
            let checks = match given {
                Some(("", _)) => 3,
                Some((white, black)) => white.parse().unwrap_or(1).max(black.parse().unwrap_or(1)),
                None => 1_u8,
            };
            *text += &format!("checks = {checks}\n");
        }
        if !self.flag_regions.concat().is_empty() {
            let [white, black] = self.flag_regions.each_ref().map(|region| quoted(&self.squares(region)));
            // Another piece than the king wins if it is still there when its side is to move again.
            let is_king = self.flag_piece == "king";
            let piece = self.letter_of(&self.flag_piece).map(String::from).unwrap_or_default();
            let (last_turn, held) = (self.flag_move && is_king, self.flag_move && !is_king);
            *text += &format!(
                "goal = {{ piece = {piece:?}, squares = {white}, black-squares = {black}, last-turn = {last_turn}, held = {held} }}\n"
            );
        }
        self.put_extinction(text)?;
        let letter = |movement: &str| {
            let named = self.kinds.iter().filter(|(name, _)| !name.starts_with("customPiece"));
            named.map(|(_, kind)| kind).find(|kind| kind.movement == movement).map(|kind| kind.letter)
        };
        *text += &counting::table(&self.counting, letter);
        Ok(())
    }

    fn put_extinction(&self, text: &mut String) -> Result<(), String> {
        let keys = &self.extinction;
        if keys.value == "none" || self.extinct.as_ref().is_some_and(Vec::is_empty) {
            return Ok(());
        }
        if self.extinct.is_none() && *keys == (ExtinctionKeys { types: String::new(), ..ExtinctionKeys::bare_king() }) {
            *text += "bare-king-loses = true\n";
            return Ok(());
        }
        if keys.claim || keys.opponent_count > 0 {
            let expected = ExtinctionKeys::bare_king().text().trim_end().replace('\n', ", ");
            return Err(format!(
                "found extinctionClaim or extinctionOpponentPieceCount, expected neither, or: {expected}"
            ));
        }
        // Royal pieces cannot be captured, so their number does not shrink unless they explode.
        if keys.pseudo_royal && !self.explosions {
            return Ok(());
        }
        let pieces = match &self.extinct {
            None => self.kinds.iter().map(|(_, kind)| kind.letter).collect(),
            Some(names) => {
                if let Some(missing) = names.iter().find(|name| self.letter_of(name).is_none()) {
                    return Err(format!(
                        "found extinctionPieceTypes with a {missing}, which the variant does not have"
                    ));
                }
                self.letters_of(names)
            }
        };
        let all = self.extinct.is_none();
        let score = u8::from(keys.value == "win");
        *text += &format!(
            "extinction = {{ pieces = {pieces:?}, together = {all}, at-most = {}, score = {score} }}\n",
            keys.count
        );
        Ok(())
    }

    /// The only side that can have a piece with this letter: that which pawns promote to it, or
    /// which has the only king.
    fn side(&self, name: &str, letter: char) -> Result<Option<&'static str>, String> {
        let board = self.start.split([' ', '[']).next().unwrap_or_default();
        let promotes = self.promote_to.each_ref().map(|to| to.iter().any(|kind| kind == name));
        let has = [letter, letter.to_ascii_lowercase()].map(|letter| board.contains(letter));
        let owners = if name == "king" { has } else { promotes };
        let side = match owners {
            [true, false] => "white",
            [false, true] => "black",
            _ => return Ok(None),
        };
        if has[usize::from(side == "white")] {
            return Err(format!(
                "found pieces {letter} that only the pawns of {side} become, expected such pieces in the start only for {side}"
            ));
        }
        Ok(Some(side))
    }

    /// Kinds that are royal besides the king: all of a kind, or the only one that a side can have.
    fn royals(&self) -> Result<&[String], String> {
        let keys = &self.extinction;
        if !keys.pseudo_royal || keys.value == "none" {
            return Ok(&[]);
        }
        if self.forbids_checks && self.letter_of("king").is_none() {
            return Err(
                "found checking = false, expected true: there is no king, and checks to others do not count".to_owned()
            );
        }
        let board = self.start.split([' ', '[']).next().unwrap_or_default();
        let is_only = |name: &String| {
            let is_one = |letter: char| board.matches(letter).count() == 1;
            self.letter_of(name).is_some_and(|letter| is_one(letter) && is_one(letter.to_ascii_lowercase()))
                && !self.promote_to.concat().contains(name)
                && !self.drops
        };
        match &self.extinct {
            Some(kinds)
                if keys.value == "loss"
                    && (keys.count >= ALL_ROYAL || keys.count == 0 && kinds.iter().all(is_only)) =>
            {
                Ok(kinds)
            }
            _ => Err(format!(
                "found extinctionPseudoRoyal for several pieces, expected kinds in extinctionPieceTypes of which each side has one, or \
                 extinctionPieceCount = {ALL_ROYAL}"
            )),
        }
    }

    /// Returns true if pieces promote.
    fn turns(&self) -> bool {
        self.promoted.iter().any(|(name, _)| self.letter_of(name).is_some())
    }

    /// Names of squares, without `*`.
    fn squares(&self, region: &str) -> String {
        let squares = region.split_whitespace().flat_map(|square| match square.strip_prefix('*') {
            Some(rank) => (0..self.files).map(|file| format!("{}{rank}", Board::file_letter(file))).collect(),
            None => vec![square.to_owned()],
        });
        squares.collect::<Vec<_>>().join(" ")
    }
}

/// Number of a kind in the order in which Fairy-Stockfish gives letters; `None` for other keys.
fn kind_number(key: &str) -> Option<usize> {
    let custom =
        || (1..=CUSTOM_PIECES).find(|number| key.strip_prefix("customPiece") == Some(number.to_string().as_str()));
    match KINDS.iter().position(|(name, _)| *name == key) {
        Some(_) if key == "king" => Some(CUSTOM + CUSTOM_PIECES + 1),
        Some(index) => Some(index),
        None => custom().map(|number| CUSTOM + number),
    }
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
