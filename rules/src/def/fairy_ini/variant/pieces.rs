//! Kinds of pieces, and where they may be.

use super::super::super::error::DefError;
use super::super::super::keys::{GameKeys, PieceKeys};
use super::super::kinds::{
    CHESS_PAWN, CUSTOM_PIECES, FairyKind, FairyKinds, KINDS, Name, Names, PAWN_WITHOUT_DOUBLE_STEP, TORPEDO_PAWN,
    is_custom, is_known, zone_key,
};
use super::super::parse::Entry;
use super::super::region::{Region, names};
use super::Variant;
use super::draft::{Conflict, DoubleSteps, Draft, require};
use super::extinction;
use super::key::{Key, Setting, keys};
use crate::betza;
use crate::types::color::{ByColor, Color};
use crate::types::piece::Kind;
use crate::variant::GameDef;
use crate::variant::kinds::PieceClass;

keys! {
    /// What moves no piece, or all kings, may make.
    PieceSettings in pieces {
        forbids_immobility: bool = false, "immobilityIllegal" => &["forbids-immobility"];
        flying_general: bool = false, "flyingGeneral" => &["flying-general"];
    }
    first {}
}

/// Reads `n`, `a:mRcN` for a key without a movement of its own, or either for a king.
pub(super) fn read(name: Name, entry: &Entry<'_>) -> Result<FairyKind, DefError> {
    let is_free = name == "king" || is_custom(name);
    let named = KINDS.iter().find(|(known, _)| *known == name);
    let (letter, movement) = match (entry.text.split_once(':').filter(|_| is_free), named) {
        (Some((letter, movement)), _) => (letter.trim(), movement.trim()),
        (None, Some((_, movement))) => (entry.text, *movement),
        (None, None) => return Err(entry.error("a letter and a movement, such as a:mRcN")),
    };
    if !movement.is_empty() {
        let parsed = betza::parse(movement).map_err(|error| entry.error(&format!("a movement: {error}")))?;
        if !is_known(movement, &parsed) {
            return Err(entry.error(
                "a movement that Fairy-Stockfish has, without longer leaps than of three squares and their rides, bent moves, K or Q with mixed directions (fs), limited hops, g with a number, rides or hops of several kinds along a line, and leaps that others can block besides the same that they cannot",
            ));
        }
    }
    let mut letters = letter.chars();
    let (Some(letter), None) = (letters.next().filter(char::is_ascii_alphabetic), letters.next()) else {
        return Err(entry.error("one letter"));
    };
    Ok(FairyKind { letter: letter.to_ascii_uppercase(), movement: movement.to_owned() })
}

/// The value that [`read`] reads.
pub(super) fn text(name: Name, kind: &FairyKind) -> String {
    let letter = kind.letter.to_ascii_lowercase();
    if name == "king" || is_custom(name) { format!("{letter}:{}", kind.movement) } else { letter.to_string() }
}

/// Fills the tables of the pieces. The king castles if the variant does.
pub(super) fn define(draft: &Draft<'_>, keys: &mut GameKeys) -> Result<(), Conflict> {
    let PieceSettings { forbids_immobility, flying_general } = draft.rules.pieces;
    keys.forbids_immobility = forbids_immobility.then_some(true);
    keys.flying_general = flying_general.then_some(true);
    let royals = extinction::royals(draft)?;
    for (&name, kind) in draft.kinds.0.iter().filter(|(name, kind)| !is_only_promoted(draft, name, kind.letter)) {
        let class = match name {
            "king" => Some(PieceClass::King),
            _ if name == draft.pawn => Some(PieceClass::Pawn),
            _ if royals.contains(&name) => Some(PieceClass::Royal),
            _ => None,
        };
        let piece = PieceKeys {
            letter: Some(kind.letter.to_string()),
            movement: Some(movement(draft, name, kind)?),
            class,
            side: side(draft, name, kind.letter)?,
            zone: zone(draft, name),
            ..PieceKeys::default()
        };
        keys.pieces.insert(name.to_owned(), piece);
    }
    let pawn = draft.rules.pawns.types().next();
    let (why, key) = pawn.map(|name| draft.variant.why_missing(name)).unwrap_or_default();
    require(
        keys.pieces.contains_key(draft.pawn),
        &["pawn", "pawnTypes", key],
        format!("found no pawn{why}, expected one: pawnTypes names the kind that promotes and makes double steps"),
    )?;
    check_zones(draft)
}

/// Returns true for a kind that others promote to, and that is nowhere else.
fn is_only_promoted(draft: &Draft<'_>, name: Name, letter: char) -> bool {
    let pawns = &draft.rules.pawns;
    let cases = [letter, letter.to_ascii_lowercase()];
    draft.rules.promoted.kinds.0.iter().any(|(_, to)| *to == name)
        && !pawns.promotion_white.contains(&name)
        && !pawns.promotion_black.contains(&name)
        && !cases.into_iter().any(|letter| draft.is_placed(letter) || draft.pockets.contains(letter))
}

fn movement(draft: &Draft<'_>, name: Name, kind: &FairyKind) -> Result<String, Conflict> {
    let movement = match name {
        "pawn" if kind.movement.is_empty() => match draft.double_steps {
            DoubleSteps::None => PAWN_WITHOUT_DOUBLE_STEP,
            DoubleSteps::Everywhere => TORPEDO_PAWN,
            DoubleSteps::From { .. } => CHESS_PAWN,
        },
        "king" if draft.rules.captures.petrified.contains(&name) => {
            require(
                draft.variant.base_petrifies_king,
                &["petrifyOnCaptureTypes", "king"],
                "found petrifyOnCaptureTypes with the king, expected other pieces",
            )?;
            // A king that captures would become a wall.
            "mK"
        }
        _ => &kind.movement,
    };
    let castling = if draft.castles && draft.rules.castling.king == Some(name) { "isO2" } else { "" };
    let movement = format!("{movement}{castling}");
    // There, such moves begin on the ranks of the pawns' double steps, whether or not the piece has
    // moved.
    let is_initial = betza::parse(&movement).is_ok_and(|parsed| parsed.paths.iter().any(|path| path.initial));
    require(
        !is_initial || name == draft.pawn && matches!(draft.double_steps, DoubleSteps::From { .. }),
        &[name, "pawn", "enPassantTypes", "doubleStep"],
        format!(
            "found the initial moves {movement} of the {name}, expected them only of the pawn of enPassantTypes, with doubleStep = true"
        ),
    )?;
    Ok(movement)
}

/// The squares that White's pieces of a kind may move to, if not all.
pub(super) fn zone(draft: &Draft<'_>, name: Name) -> Option<String> {
    draft.variant.zones.get(name).map(|zone| names(&draft.board, draft.squares(&zone[Color::White])))
}

/// The only side that can have a kind: that whose pawns promote to it, or which has the only king.
pub(super) fn side(draft: &Draft<'_>, name: Name, letter: char) -> Result<Option<Color>, Conflict> {
    let pawns = &draft.rules.pawns;
    let promotes = [&pawns.promotion_white, &pawns.promotion_black].map(|kinds| kinds.contains(&name));
    let has = ByColor::new_with(|color: Color| draft.is_placed(color.case(letter)));
    let side = match if name == "king" { has.0 } else { promotes } {
        [true, false] => Color::White,
        [false, true] => Color::Black,
        _ => return Ok(None),
    };
    let message = format!(
        "found pieces {letter} of promotionPieceTypes{side}, but not of promotionPieceTypes{}, expected such pieces in the startFen only for {side}",
        !side
    );
    let keys = ["promotionPieceTypesWhite", "promotionPieceTypesBlack", "startFen"];
    require(!has[!side], &keys, message)?;
    Ok(Some(side))
}

fn check_zones(draft: &Draft<'_>) -> Result<(), Conflict> {
    let zones = &draft.variant.zones;
    if draft.rules.pieces.flying_general {
        let ranks = |region: &Region| -> Vec<u8> {
            draft.squares(region).iter().map(|square| draft.board.rank(square)).collect()
        };
        let are_apart = |ByColor([white, black]): &ByColor<Region>| {
            let black = ranks(black);
            !ranks(white).iter().any(|rank| black.contains(rank))
        };
        require(
            zones.get("king").is_some_and(are_apart),
            &["flyingGeneral", "mobilityRegionWhiteKing", "mobilityRegionBlackKing"],
            "found flyingGeneral = true, expected mobilityRegionWhiteKing and mobilityRegionBlackKing on different ranks: there kings also face each other along a rank",
        )?;
    }
    let zones = zones.iter().filter(|(name, _)| draft.kinds.letter(name).is_some());
    for (name, zone) in zones {
        let keys = Color::ALL.map(|color| zone_key(color, name));
        draft.check_turned(keys.each_ref().map(String::as_str), zone.0.each_ref())?;
    }
    Ok(())
}

/// The kinds of pieces, by the names that Fairy-Stockfish has for them: variants that inherit the
/// game may remove or replace them.
pub(super) fn fill(game: &GameDef, variant: &mut Variant) -> Result<Names, String> {
    let mut found: Vec<Option<Name>> = vec![None; game.kinds.len()];
    let mut custom = CUSTOM_PIECES.into_iter();
    let is_written = |&kind: &Kind| game.kinds.original(kind) == kind && written_for(game, kind).is_none();
    for kind in game.kinds.all().filter(is_written) {
        let definition = game.kind(kind);
        let movement = definition.betza.split("isO").next().unwrap_or_default();
        let is_initial = definition.movement.paths.iter().any(|path| path.initial);
        if !is_known(movement, &definition.movement)
            || is_initial && kind != game.first_pawn()
            || movement.contains('O')
        {
            return Err(format!("{}, the movement of the {}", definition.betza, definition.name));
        }
        let is_named = |name: Name, known: &str| match name {
            "king" => false,
            "pawn" => kind == game.first_pawn() && is_chess_pawn(game),
            _ => known == movement && (kind != game.first_pawn() || is_shogi_pawn(game)),
        };
        let named = KINDS.into_iter().find(|&(name, known)| is_named(name, known) && !found.contains(&Some(name)));
        let (name, movement) = match named {
            _ if Some(kind) == game.kinds.king() => ("king", movement),
            Some(named) => named,
            None => (custom.next().ok_or("more than 25 pieces without names")?, movement),
        };
        found[kind.index()] = Some(name);
        let letter = letter(game, kind, &variant.kinds).ok_or("more pieces than letters")?;
        variant.kinds.0.insert(name, FairyKind { letter, movement: movement.to_owned() });
        if let Some(zone) = &definition.zone {
            let regions = ByColor::new_with(|color| Region::of_squares(&game.board, zone[color]));
            variant.zones.insert(name, regions);
        }
    }
    variant.rules.pieces = PieceSettings {
        // Only this rule keeps pawns that need not promote from staying on the last rank.
        forbids_immobility: game.mechanisms.immobility.is_some() || game.pawns.promotion.len() > 1,
        flying_general: game.mechanisms.flying_general.is_some(),
    };
    let name = |kind: Kind| {
        let original = game.kinds.original(kind);
        found[written_for(game, original).unwrap_or(original).index()].unwrap_or_default()
    };
    Ok(Names(game.kinds.all().map(name).collect()))
}

/// The kind that is written for a promoted one: in shogi the gold general, as which the pieces of
/// least value move.
fn written_for(game: &GameDef, kind: Kind) -> Option<Kind> {
    let definition = game.kind(kind);
    definition.unpromoted?;
    // Extinction, demotion and drops of promoted pieces tell the two kinds apart.
    if game.mechanisms.extinction.is_some()
        || game.mechanisms.piece_promotion.as_ref().is_some_and(|rule| rule.demotes)
        || game.mechanisms.drops.as_ref().is_some_and(|drops| drops.promoted)
    {
        return None;
    }
    game.kinds.all().find(|&other| {
        let plain = game.kind(other);
        plain.class == PieceClass::Piece
            && (plain.unpromoted.is_none(), &plain.betza, &plain.zone) == (true, &definition.betza, &definition.zone)
    })
}

/// The letter of a kind in a variant that has the kinds before it. A promoted kind must have one of
/// its own there.
fn letter(game: &GameDef, kind: Kind, before: &FairyKinds) -> Option<char> {
    let definition = game.kind(kind);
    if definition.unpromoted.is_none() {
        return Some(definition.letter);
    }
    // As in the shogi of Fairy-Stockfish, so that variants of it may have pieces with the other
    // letters.
    let own = match definition.betza.as_str() {
        "RF" => 'D',
        "BW" => 'H',
        _ => definition.name.chars().next()?.to_ascii_uppercase(),
    };
    let is_used = |letter| game.kinds.by_letter(letter).is_some() || before.with_letter(letter).is_some();
    std::iter::once(own).chain('A'..='Z').find(|&letter| letter.is_ascii_uppercase() && !is_used(letter))
}

/// Returns true if the game's pawn is the pawn of chess, with or without double steps. A pawn that
/// does not promote is another.
pub(super) fn is_chess_pawn(game: &GameDef) -> bool {
    [CHESS_PAWN, PAWN_WITHOUT_DOUBLE_STEP, TORPEDO_PAWN].contains(&game.kind(game.first_pawn()).betza.as_str())
        && !game.pawns.promotion.is_empty()
}

pub(super) fn is_shogi_pawn(game: &GameDef) -> bool {
    KINDS.contains(&("shogiPawn", &game.kind(game.first_pawn()).betza))
}
