//! A variant as its keys describe it, and the definition file of it.

use super::super::builtin::{builtin_variant, definition_text};
use super::super::error::DefError;
use super::kinds::{ALL_ROYAL, CHESS_PAWN, ExtinctionKeys, KINDS, is_known};
use super::parse::{Section, Value, sections};
use super::write::from_game;
use crate::betza;
use crate::types::board::Board;

/// Keys that say how a program shows or evaluates the game.
const IGNORED: [&str; 5] = [
    "variantTemplate",
    "pieceToCharTable",
    "pocketSize",
    "pieceValueMg",
    "pieceValueEg",
];

/// A kind of piece.
struct Kind {
    letter: char,
    movement: String,
}

/// A variant as its keys describe it.
pub(super) struct Variant {
    files: u8,
    ranks: u8,
    /// By name, in the order in which a definition lists them.
    kinds: Vec<(String, Kind)>,
    start: String,
    pawn: char,
    promotion: [u8; 2],
    promote_to: String,
    double_step: bool,
    double_step_rank: [u8; 2],
    castling: bool,
    castling_files: [u8; 2],
    castling_rank: u8,
    castling_king: String,
    partner: String,
    drops: bool,
    captures_to_hand: bool,
    drop_loop: bool,
    first_rank_drops: bool,
    one_pawn_per_file: bool,
    forbids_checks: bool,
    counts_checks: bool,
    flag_piece: String,
    /// Squares by side, with `*` for all files of a rank.
    flag_regions: [String; 2],
    flag_move: bool,
    forces_captures: bool,
    extinction: ExtinctionKeys,
    /// Result of the side that is mated.
    checkmate: f64,
    /// Result of the side that cannot move.
    stalemate: f64,
    stalemate_by_count: bool,
    /// White's points for a draw.
    draw: f64,
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
            promote_to: String::new(),
            double_step: true,
            double_step_rank: [2, 7],
            castling: true,
            castling_files: [6, 2],
            castling_rank: 1,
            castling_king: "K".to_owned(),
            partner: "R".to_owned(),
            drops: false,
            captures_to_hand: false,
            drop_loop: false,
            first_rank_drops: false,
            one_pawn_per_file: false,
            forbids_checks: false,
            counts_checks: false,
            flag_piece: String::new(),
            flag_regions: [String::new(), String::new()],
            flag_move: false,
            forces_captures: false,
            extinction: ExtinctionKeys::none(),
            checkmate: 0.0,
            stalemate: 0.5,
            stalemate_by_count: false,
            draw: 0.5,
            move_rule: 50,
            repetitions: 3,
        }
    }
}

impl Variant {
    /// A built-in game, by the keys that Fairy-Stockfish has for it.
    pub(super) fn builtin(base: Value<'_>) -> Result<Variant, DefError> {
        let text = builtin_variant(base.text)
            .and_then(|game| from_game(&game).ok())
            .ok_or_else(|| {
                let expected =
                    "a variant above this one, or a built-in game that both programs have, such as chess or capablanca";
                let message = format!("found the base `{}`, expected {expected}", base.text);
                DefError::at(base.file, base.whole, Some(base.byte), None, message)
            })?;
        let mut game = Variant::default();
        for section in &sections(&text, base.text)? {
            game.set_all(section)?;
        }
        Ok(game)
    }

    pub(super) fn set_all(&mut self, section: &Section<'_>) -> Result<(), DefError> {
        section
            .entries
            .iter()
            .try_for_each(|&(key, value)| self.set(key, value))
    }

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
            "maxRank" => self.ranks = value.rank_number(key)?,
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
            "mandatoryPawnPromotion" => value.only(key, "true")?,
            "checking" => self.forbids_checks = !value.is_true(key)?,
            "checkCounting" => self.counts_checks = value.is_true(key)?,
            "flagPiece" => self.flag_piece = value.letters(),
            "flagRegion" => self.flag_regions = [value.text, value.text].map(str::to_owned),
            "flagRegionWhite" => value.text.clone_into(&mut self.flag_regions[0]),
            "flagRegionBlack" => value.text.clone_into(&mut self.flag_regions[1]),
            "flagMove" => self.flag_move = value.is_true(key)?,
            "doubleStep" => self.double_step = value.is_true(key)?,
            "doubleStepRegionWhite" => self.double_step_rank[0] = value.rank(key)?,
            "doubleStepRegionBlack" => self.double_step_rank[1] = value.rank(key)?,
            "castling" => self.castling = value.is_true(key)?,
            "castlingKingsideFile" => self.castling_files[0] = value.file_index(key)?,
            "castlingQueensideFile" => self.castling_files[1] = value.file_index(key)?,
            "castlingRank" => self.castling_rank = value.rank_number(key)?,
            "castlingKingPiece" => self.castling_king = value.letters(),
            "castlingRookPieces" => self.partner = value.letters(),
            "pieceDrops" => self.drops = value.is_true(key)?,
            "capturesToHand" => self.captures_to_hand = value.is_true(key)?,
            "dropLoop" => self.drop_loop = value.is_true(key)?,
            "firstRankPawnDrops" => self.first_rank_drops = value.is_true(key)?,
            "promotionZonePawnDrops" => value.only(key, "false")?,
            "dropNoDoubled" => {
                self.one_pawn_per_file = value.letters() == self.pawn.to_string();
                if !self.one_pawn_per_file {
                    value.only(key, "-")?;
                }
            }
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
            "extinctionValue" => {
                if !["win", "loss", "none"].contains(&value.text) {
                    return Err(value.error(key, "win, loss or none"));
                }
                value.text.clone_into(&mut self.extinction.value);
            }
            "extinctionClaim" => self.extinction.claim = value.is_true(key)?,
            "extinctionPseudoRoyal" => self.extinction.pseudo_royal = value.is_true(key)?,
            "extinctionPieceTypes" => {
                let all = value.text.contains('*');
                self.extinction.types = if all { "*".to_owned() } else { value.letters() };
            }
            "extinctionPieceCount" => self.extinction.count = value.number(key)?,
            "extinctionOpponentPieceCount" => self.extinction.opponent_count = value.number(key)?,
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
        let (letter, movement) = if let Some((letter, movement)) = value.text.split_once(':') {
            (letter.trim(), movement.trim())
        } else {
            let named = KINDS.iter().find(|(name, _)| *name == key);
            let named = named.ok_or_else(|| value.error(key, "a letter and a movement, such as a:mRcN"))?;
            (value.text, named.1)
        };
        // The movement of the named pawn depends on other keys.
        if !movement.is_empty() {
            let parsed = betza::parse(movement).map_err(|error| value.error(key, &format!("a movement: {error}")))?;
            if !parsed.paths.iter().all(is_known) {
                return Err(value.error(
                    key,
                    "a movement that Fairy-Stockfish has, without leaps of more than three squares and their rides",
                ));
            }
        }
        let mut letters = letter.chars();
        let (Some(letter), None) = (letters.next().filter(char::is_ascii_alphabetic), letters.next()) else {
            return Err(value.error(key, "one letter"));
        };
        let letter = letter.to_ascii_uppercase();
        // A new kind takes the letter from an old one.
        self.kinds.retain(|(_, kind)| kind.letter != letter);
        self.kinds.push((
            key.to_owned(),
            Kind {
                letter,
                movement: movement.to_owned(),
            },
        ));
        Ok(())
    }

    /// The definition file.
    pub(super) fn definition(&self, name: &str, source: &str) -> Result<String, String> {
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
        if definition_text(&file_name).is_some() {
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
        for (key, _) in [
            ("forbids-checks", self.forbids_checks),
            ("forces-captures", self.forces_captures),
        ]
        .into_iter()
        .filter(|(_, is_set)| *is_set)
        {
            text = text.replacen("\n[board]", &format!("{key} = true\n\n[board]"), 1);
        }
        let royals = self.royals()?;
        let mut has_pawn = false;
        for (name, Kind { letter, movement }) in &self.kinds {
            let is_pawn = *letter == self.pawn;
            has_pawn |= is_pawn;
            let movement = match (name.as_str(), distance) {
                (_, Some(distance)) if self.castling_king == letter.to_string() => format!("{movement}isO{distance}"),
                ("pawn", _) if movement.is_empty() && self.double_step => CHESS_PAWN.to_owned(),
                ("pawn", _) if movement.is_empty() => "fmWfcF".to_owned(),
                _ => movement.clone(),
            };
            let class = match name.as_str() {
                "king" => "\nclass = \"king\"",
                _ if is_pawn => "\nclass = \"pawn\"",
                _ if royals.contains(*letter) => "\nclass = \"royal\"",
                _ => "",
            };
            text += &format!("\n[pieces.{name}]\nletter = \"{letter}\"\nmove = {movement:?}{class}\n");
        }
        if !has_pawn {
            return Err("found no pawn, expected one: a definition must have a kind of pawn".to_owned());
        }
        self.check()?;
        let ([first, _], [white, _]) = (self.double_step_rank, self.promotion);
        text += &format!("\n[pawns]\nhome-rank = {first}\n");
        let is_kind = |letter: &char| self.kinds.iter().any(|(_, kind)| kind.letter == *letter);
        let promote_to: String = self.promote_to.chars().filter(is_kind).collect();
        text += &format!("\n[promotion]\n{white} = {{ to = {promote_to:?} }}\n");
        if castles {
            text += &format!("\n[castling]\npartner = {:?}\n", self.partner);
        }
        if self.drops {
            let captured = if self.captures_to_hand { "capturer" } else { "none" };
            text += &format!(
                "\n[drops]\ncaptured = {captured:?}\npromoted-revert = {}\none-pawn-per-file = {}\n",
                self.captures_to_hand && !self.drop_loop,
                self.one_pawn_per_file
            );
            if self.first_rank_drops {
                text += &format!("ranks = {{ {} = [1, {}] }}\n", self.pawn, white - 1);
            }
        }
        self.put_endings(&mut text)?;
        text += &format!(
            "\n[[starts]]\nid = \"1\"\ntitle = \"start\"\nfen = {:?}",
            self.complete_start(castles)?
        );
        Ok(text)
    }

    /// Checks what definitions cannot express.
    fn check(&self) -> Result<(), String> {
        let [first, last] = self.double_step_rank;
        if self.double_step && first.checked_add(last) != self.ranks.checked_add(1) {
            return Err(format!(
                "found double steps from rank {first} for White and {last} for Black, expected the same rank for both"
            ));
        }
        let [white, black] = self.promotion;
        if white.checked_add(black) != self.ranks.checked_add(1) {
            return Err(format!(
                "found promotion on rank {white} for White and {black} for Black, expected the same rank for both"
            ));
        }
        Ok(())
    }

    /// The start with all six fields.
    fn complete_start(&self, castles: bool) -> Result<String, String> {
        let mut fields: Vec<&str> = self.start.split_whitespace().collect();
        if fields.is_empty() {
            return Err("found an empty startFen, expected a FEN".to_owned());
        }
        // Rights and en passant may be missing before the counters, and everything may be missing at the end.
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
        // A definition must have both rules. No game is as long as this.
        let move_rule = if self.move_rule == 0 { 10_000 } else { self.move_rule };
        let repetitions = if self.repetitions == 0 { 10 } else { self.repetitions };
        let minor = |(name, kind): &(&String, &Kind)| *name != "king" && ["B", "N"].contains(&kind.movement.as_str());
        let minors = self.kinds.iter().map(|(name, kind)| (name, kind)).filter(minor);
        // Captured pieces can be dropped, so no material is insufficient.
        let returns = self.drops && self.captures_to_hand;
        let minors = minors.map(|(_, kind)| kind.letter.to_string());
        let armies: Vec<String> = std::iter::once(String::new())
            .chain(minors)
            .filter(|_| !returns && self.king().is_some())
            .collect();
        *text += &format!(
            "\n[endings]\nstalemate = {:?}\nmove-rule = {move_rule}\nrepetitions = {repetitions}\ninsufficient-material = {armies:?}\n\
             checkmate = {:?}\ndraw = {:?}\n",
            1.0 - self.stalemate,
            1.0 - self.checkmate,
            self.draw
        );
        if self.stalemate_by_count {
            if self.stalemate < 1.0 {
                return Err("found stalematePieceCount, expected also stalemateValue = win".to_owned());
            }
            *text += "stalemate-by-count = true\n";
        }
        if self.counts_checks {
            // As the start says, else three.
            let given = self
                .start
                .split(' ')
                .find_map(|field| field.split_once('+'))
                .and_then(|(white, _)| white.parse().ok());
            *text += &format!("checks = {}\n", given.unwrap_or(3_u8));
        }
        if !self.flag_regions.concat().is_empty() {
            let [white, black] = self.flag_regions.each_ref().map(|region| self.squares(region));
            // Another piece than the king wins if it is still there when its side is to move again.
            let is_king = self.king().is_some_and(|letter| letter.to_string() == self.flag_piece);
            let (last_turn, held) = (self.flag_move && is_king, self.flag_move && !is_king);
            *text += &format!(
                "goal = {{ piece = {:?}, squares = {white:?}, black-squares = {black:?}, last-turn = {last_turn}, held = {held} }}\n",
                self.flag_piece
            );
        }
        self.put_extinction(text)
    }

    fn put_extinction(&self, text: &mut String) -> Result<(), String> {
        let keys = &self.extinction;
        if keys.value == "none" {
            return Ok(());
        }
        if *keys == ExtinctionKeys::bare_king() {
            *text += "bare-king-loses = true\n";
            return Ok(());
        }
        if keys.claim || keys.opponent_count > 0 {
            let expected = ExtinctionKeys::bare_king().text().trim_end().replace('\n', ", ");
            return Err(format!(
                "found extinctionClaim or extinctionOpponentPieceCount, expected neither, or: {expected}"
            ));
        }
        // Royal pieces cannot be captured, so their number does not shrink.
        if keys.pseudo_royal {
            return Ok(());
        }
        let known = self.kinds.iter().map(|(_, kind)| kind.letter);
        let all = keys.types == "*";
        let pieces: String = known.filter(|letter| all || keys.types.contains(*letter)).collect();
        let score = u8::from(keys.value == "win");
        *text += &format!(
            "extinction = {{ pieces = {pieces:?}, together = {all}, at-most = {}, score = {score} }}\n",
            keys.count
        );
        Ok(())
    }

    fn king(&self) -> Option<char> {
        self.kinds
            .iter()
            .find_map(|(name, kind)| (name == "king").then_some(kind.letter))
    }

    /// Letters of the pieces that are royal besides the king: all of a kind, or the only one that a side can have.
    fn royals(&self) -> Result<&str, String> {
        let keys = &self.extinction;
        if !keys.pseudo_royal || keys.value == "none" {
            return Ok("");
        }
        let board = self.start.split([' ', '[']).next().unwrap_or_default();
        let is_only = |letter: char| {
            let is_one = |letter: char| board.matches(letter).count() == 1;
            is_one(letter) && is_one(letter.to_ascii_lowercase()) && !self.promote_to.contains(letter) && !self.drops
        };
        let are_all_royal = keys.count >= ALL_ROYAL || keys.count == 0 && keys.types.chars().all(is_only);
        if keys.value == "loss" && are_all_royal && keys.types != "*" {
            Ok(&keys.types)
        } else {
            Err(format!(
                "found extinctionPseudoRoyal for {} of several pieces, expected kinds of which each side has one, or \
                 extinctionPieceCount = {ALL_ROYAL}",
                keys.types
            ))
        }
    }

    /// Names of squares, without `*`.
    fn squares(&self, region: &str) -> String {
        let squares = region.split(' ').flat_map(|square| match square.strip_prefix('*') {
            Some(rank) => (0..self.files)
                .map(|file| format!("{}{rank}", Board::file_letter(file)))
                .collect(),
            None => vec![square.to_owned()],
        });
        squares.collect::<Vec<_>>().join(" ")
    }

    /// Files that the king travels, from its place in the start position.
    fn castling_distance(&self) -> Result<u8, String> {
        let board = self.start.split_whitespace().next().unwrap_or_default();
        let rank = board.rsplit('/').nth(usize::from(self.castling_rank) - 1);
        let before = rank
            .and_then(|rank| rank.split_once(&self.castling_king))
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
