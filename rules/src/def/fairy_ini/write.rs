//! Writes a game as a variant file.

use super::counting::name_of as counting_name;
use super::kinds::{CHESS_PAWN, ExtinctionKeys, KINDS, PAWN_WITHOUT_DOUBLE_STEP, TORPEDO_PAWN, is_known, zone_keys};
use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::definition::{
    Captured, CastlingWing, Drops, Explosions, Extinction, GameDef, Gating, Goal, PieceClass, PiecePromotion,
    RepetitionResult, WallRule, Walls,
};
use crate::types::outcome::Points;
use crate::types::piece;
use crate::types::square::{Square, SquareSet};

/// A game as a variant file for Fairy-Stockfish.
///
/// # Errors
/// Names what such a file cannot say.
pub fn from_game(game: &GameDef) -> Result<String, String> {
    let no = |what: &str| Err(inexpressible(game, what));
    // Every field is named, so that a new one cannot be forgotten.
    let GameDef {
        name,
        title,
        source: _,
        board,
        kinds: _,
        king: _,
        pawn: _,
        pawn_home_rank: _,
        first_rank_steps: _,
        hanging_pawn_squares: _,
        has_pawn_cannon,
        promotion: _,
        promotion_squares: _,
        promotion_limits: _,
        piece_promotion: _,
        forbids_immobility: _,
        castling: _,
        gating,
        forbids_shielding: _,
        drops,
        joker,
        has_handicaps: _,
        forbids_checks: _,
        forces_captures: _,
        explosions: _,
        walls,
        flying_general,
        endings,
        results: _,
        repetition_result: _,
        perpetual_check_loses: _,
        goal,
        checks: _,
        bare_king_loses: _,
        extinction: _,
        counting,
        rights: _,
        starts,
        default_start,
    } = game;
    // Squares that do not exist are walls in the start.
    if !board.hanging().is_empty() || board.first_rank() != 1 {
        return no("hanging squares or a rank 0");
    }
    if *has_pawn_cannon || joker.is_some() || endings.material_count.is_some() {
        return no("a cannon pawn, a joker or a count of material");
    }
    let ends = |gating: &Gating| Color::ALL.into_iter().any(|color| gating.last_move[color] < 1000);
    if gating.as_ref().is_some_and(|gating| ends(gating) || !game.forbids_shielding) {
        return no("gating that ends after some moves, or that shields the king");
    }
    if board.files() > 12 || board.ranks() > 10 {
        return no("a board of more than 12 files or 10 ranks");
    }
    if let Some(goal) = goal {
        let is_king = Some(goal.kind) == game.king;
        if goal.last_turn && !is_king || goal.held && is_king {
            return no("a last turn for another piece than the king, or a goal that a king must hold");
        }
    }
    let value = |points: Points| match points {
        Points::WIN => Ok("loss"),
        Points::DRAW => Ok("draw"),
        Points::LOSS => Ok("win"),
        _ => Err(inexpressible(game, "mate or stalemate that is worth 0.25 or 0.75")),
    };
    let stalemate = if game.results.stalemate_by_count { "win" } else { value(game.endings.stalemate)? };
    let checkmate = value(game.results.checkmate)?;
    let mut text = format!(
        "# {title}\n[{name}:chess]\nmaxRank = {}\nmaxFile = {}\n{}",
        board.ranks(),
        board.files(),
        pieces(game)?
    );
    text += &promotion_keys(game)?;
    text += &first_move_keys(game);
    if *flying_general {
        text += "flyingGeneral = true\n";
    }
    text += &castling_keys(game);
    if let Some(drops) = drops {
        text += &drop_keys(game, drops)?;
    }
    if let Some(rule) = counting {
        let name = counting_name(game, rule).ok_or_else(|| inexpressible(game, "a count of moves of its own"))?;
        text += &format!("countingRule = {name}\n");
    }
    text += &decision_keys(game)?;
    if gating.is_some() {
        text += "gating = true\nseirawanGating = true\n";
    }
    text.extend(walls.iter().map(|walls| wall_keys(game, walls)));
    text += &format!(
        "checkmateValue = {checkmate}\nstalemateValue = {stalemate}\nnMoveRule = {}\nnFoldRule = {}\nstartFen = {}\n",
        endings.move_rule / 2,
        endings.repetitions,
        start(game, &starts[*default_start].fen)
    );
    Ok(text)
}

/// A start with the number of checks that win, behind the en passant square.
fn start(game: &GameDef, fen: &str) -> String {
    match (game.checks, fen.split(' ').collect::<Vec<_>>().as_slice()) {
        (Some(checks), [fields @ .., halfmoves, number]) if fields.len() == 4 => {
            format!("{} {checks}+{checks} {halfmoves} {number}", fields.join(" "))
        }
        _ => fen.to_owned(),
    }
}

/// The ranks from which pawns have their initial moves.
fn first_move_keys(game: &GameDef) -> String {
    let (home, ranks) = (game.pawn_home_rank, game.board.ranks());
    let black = ranks + 1 - home;
    if game.kind(game.pawn).betza == TORPEDO_PAWN {
        let all: String = (1..=ranks).map(|rank| format!(" *{rank}")).collect();
        return format!("doubleStepRegionWhite ={all}\ndoubleStepRegionBlack ={all}\n");
    }
    if !game.kind(game.pawn).movement.paths.iter().any(|path| path.initial) {
        return "doubleStep = false\n".to_owned();
    }
    if !game.first_rank_steps {
        return format!("doubleStepRegionWhite = *{home}\ndoubleStepRegionBlack = *{black}\n");
    }
    format!(
        "doubleStepRegionWhite = *1 *{home}\ndoubleStepRegionBlack = *{black} *{ranks}\nenPassantRegion = {}\n",
        en_passant_region(home, ranks)
    )
}

/// The ranks on which pawns are captured en passant if those that step from the first rank are not.
pub(super) fn en_passant_region(home_rank: u8, ranks: u8) -> String {
    let passed = (home_rank.saturating_add(1)..=ranks.saturating_sub(home_rank)).map(|rank| format!("*{rank}"));
    passed.collect::<Vec<_>>().join(" ")
}

/// The kinds of pieces, by the names that Fairy-Stockfish has for them: variants that inherit this
/// one may remove or replace them.
fn pieces(game: &GameDef) -> Result<String, String> {
    let mut text = String::new();
    let king = game.king.is_none().then_some("king");
    for base in ["pawn", "knight", "bishop", "rook", "queen"].into_iter().chain(king) {
        text += &format!("{base} = -\n");
    }
    let is_named = |name: &&str, movement: &str| *name != "king" && KINDS.contains(&(*name, movement));
    let (mut number, mut used) = (0, Vec::new());
    let is_written = |&kind: &piece::Kind| game.original(kind) == kind && written_for(game, kind).is_none();
    for kind in game.all_kinds().filter(is_written) {
        let (definition, letter) = (game.kind(kind), fairy_letter(game, kind));
        let movement = definition.betza.split("isO").next().unwrap_or_default();
        let is_initial = definition.movement.paths.iter().any(|path| path.initial);
        if !is_known(movement, &definition.movement) {
            return Err(inexpressible(game, &format!("{}, the movement of the {}", definition.betza, definition.name)));
        }
        if is_initial && kind != game.pawn || movement.contains('O') {
            return Err(inexpressible(game, &format!("{}, the movement of the {}", definition.betza, definition.name)));
        }
        let named = KINDS.iter().map(|(name, _)| *name).find(|name| {
            let same = if kind == game.pawn && !is_shogi_pawn(game) {
                *name == "pawn" && is_chess_pawn(game)
            } else {
                is_named(name, movement)
            };
            same && !used.contains(name)
        });
        let key = match named {
            _ if Some(kind) == game.king => {
                text += &format!("king = {letter}:{movement}\n");
                "king".to_owned()
            }
            Some(named) => {
                used.push(named);
                text += &format!("{named} = {letter}\n");
                named.to_owned()
            }
            None => {
                number += 1;
                text += &format!("customPiece{number} = {letter}:{movement}\n");
                format!("customPiece{number}")
            }
        };
        if let Some(zone) = &definition.zone {
            for (color, key) in Color::ALL.into_iter().zip(zone_keys(&key)) {
                text += &format!("{key} = {}\n", region(&game.board, zone[color]));
            }
        }
    }
    Ok(text)
}

/// Keys of the promotion of pawns and pieces.
fn promotion_keys(game: &GameDef) -> Result<String, String> {
    let (board, promotion) = (&game.board, &game.promotion);
    let to = promotion.first().map_or(&[][..], |first| &first.kinds);
    if promotion.iter().any(|promotion| promotion.kinds != to) {
        return Err(inexpressible(game, "promotion to other pieces on some ranks"));
    }
    let letters = |kinds: &[piece::Kind]| kinds.iter().map(|&kind| game.letter(kind, Color::Black)).collect::<String>();
    let pawns = letters(&[game.pawn]);
    let [white, black] = Color::ALL.map(|color| {
        let own: Vec<_> = to.iter().copied().filter(|&kind| game.may_own(color, kind)).collect();
        if own.is_empty() { "-".to_owned() } else { letters(&own) }
    });
    let mut text = format!(
        "promotionPawnTypes = {}\nenPassantTypes = {pawns}\nnMoveRuleTypes = {}\npromotionPieceTypesWhite = {white}\n\
         promotionPieceTypesBlack = {black}\nmandatoryPawnPromotion = {}\nimmobilityIllegal = {}\n",
        if promotion.is_empty() { "-" } else { &pawns },
        if game.endings.pawn_moves_reset { &pawns } else { "-" },
        promotion.len() <= 1,
        game.forbids_immobility
    );
    let limits =
        game.promotion_limits.iter().map(|&(kind, most)| format!(" {}:{most}", game.letter(kind, Color::Black)));
    text += &format!("promotionLimit ={}\n", limits.collect::<String>());
    let of_pawns = |color| board.squares().filter(move |&square| game.promotion_on(color, square).is_some());
    let mut zones = ByColor::new_with(|color| of_pawns(color).collect::<SquareSet>());
    // There the region of makruk goes on to the last rank, which pawns without double steps never
    // reach.
    if game.kind(game.pawn).betza == PAWN_WITHOUT_DOUBLE_STEP && promotion.len() == 1 {
        for color in Color::ALL {
            let of_rank = |rank| board.squares().filter(move |&square| board.relative_rank(color, square) == rank);
            let first = zones[color].iter().map(|square| board.relative_rank(color, square)).min().unwrap_or_default();
            if of_rank(first).collect::<SquareSet>() == zones[color] {
                zones[color] = (first..=game.last_rank()).flat_map(of_rank).collect();
            }
        }
    }
    if let Some(rule) = &game.piece_promotion {
        if !promotion.is_empty() && zones != rule.zones {
            return Err(inexpressible(game, "other squares of promotion for pieces than for pawns"));
        }
        zones = rule.zones;
        text += &piece_promotion_keys(game, rule);
    }
    for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        text += &format!("promotionRegion{name} = {}\n", region(board, zones[color]));
    }
    Ok(text)
}

/// Squares as a region, with `*` for complete ranks.
fn region(board: &Board, squares: SquareSet) -> String {
    let mut names = Vec::new();
    for rank in 0..board.ranks() {
        let on_rank = |square: &Square| board.rank(*square) == rank;
        let on_rank: Vec<Square> = squares.iter().filter(on_rank).collect();
        if on_rank.len() == usize::from(board.files()) {
            names.push(format!("*{}", board.rank_number(rank)));
        } else {
            names.extend(on_rank.into_iter().map(|square| board.square_name(square)));
        }
    }
    names.join(" ")
}

/// The kind that is written for a promoted one: in shogi the gold general, as which the pieces of
/// least value move.
fn written_for(game: &GameDef, kind: piece::Kind) -> Option<piece::Kind> {
    let definition = game.kind(kind);
    definition.unpromoted?;
    // Extinction, demotion and drops of promoted pieces tell the two kinds apart.
    if game.extinction.is_some()
        || game.piece_promotion.as_ref().is_some_and(|rule| rule.demotes)
        || game.drops.as_ref().is_some_and(|drops| drops.promoted)
    {
        return None;
    }
    game.all_kinds().find(|&other| {
        let plain = game.kind(other);
        plain.class == PieceClass::Piece
            && (plain.unpromoted.is_none(), &plain.betza, &plain.zone) == (true, &definition.betza, &definition.zone)
    })
}

/// The letter of a kind. A promoted kind must have one of its own there.
fn fairy_letter(game: &GameDef, kind: piece::Kind) -> char {
    let kind = written_for(game, kind).unwrap_or(kind);
    if game.kind(kind).unpromoted.is_none() {
        return game.letter(kind, Color::Black);
    }
    // As in the shogi of Fairy-Stockfish, so that variants of it may have pieces with the other
    // letters.
    let own = |kind: piece::Kind| match game.kind(kind).betza.as_str() {
        "RF" => 'd',
        "BW" => 'h',
        _ => game.kind(kind).name.chars().next().unwrap_or_default().to_ascii_lowercase(),
    };
    let is_free = |letter: char| letter.is_ascii_lowercase() && game.kind_by_letter(letter).is_none();
    let is_own = |kind: &piece::Kind| game.kind(*kind).unpromoted.is_some() && written_for(game, *kind).is_none();
    let mut given: Vec<(piece::Kind, char)> = Vec::new();
    for kind in game.all_kinds().filter(is_own) {
        let is_new = |letter: &char| is_free(*letter) && !given.iter().any(|(_, other)| other == letter);
        let letter = std::iter::once(own(kind)).chain('a'..='z').find(is_new);
        given.push((kind, letter.unwrap_or('-')));
    }
    given.into_iter().find(|(other, _)| *other == kind).map_or('-', |(_, letter)| letter)
}

fn piece_promotion_keys(game: &GameDef, rule: &PiecePromotion) -> String {
    let PiecePromotion { zones: _, forced, by_capture, demotes } = rule;
    let pairs = game.all_kinds().filter_map(|kind| Some((kind, game.promoted(kind)?)));
    let pairs: String = pairs
        .map(|(kind, promoted)| format!(" {}:{}", game.letter(kind, Color::Black), fairy_letter(game, promoted)))
        .collect();
    format!(
        "promotedPieceType ={pairs}\nmandatoryPiecePromotion = {forced}\npiecePromotionOnCapture = {by_capture}\n\
         pieceDemotion = {demotes}\n"
    )
}

fn castling_keys(game: &GameDef) -> String {
    let mut text = String::new();
    match &game.castling {
        None => text += "castling = false\n",
        Some(castling) => {
            for (right, side) in [(true, "Kingside"), (false, "Queenside")] {
                let is_toward = |wing: &&CastlingWing| (wing.partner_from > wing.king_from) == right;
                if let Some(wing) = castling.wings.iter().find(is_toward) {
                    let file = Board::file_letter(game.board.file(wing.king_to));
                    text += &format!("castling{side}File = {file}\n");
                }
            }
            let rank = castling.wings.first().map_or(1, |wing| game.board.relative_rank(wing.color, wing.king_from));
            text += &format!("castlingRank = {rank}\n");
            let mut partners: Vec<char> =
                castling.wings.iter().map(|wing| game.letter(wing.partner, Color::Black)).collect();
            partners.sort_unstable();
            partners.dedup();
            text += &format!("castlingRookPieces = {}\n", partners.into_iter().collect::<String>());
            if castling.from_any_file {
                text += "chess960 = true\n";
            }
            let king = game.castling_king().filter(|&king| Some(king) != game.king);
            text.extend(king.map(|king| format!("castlingKingPiece = {}\n", game.letter(king, Color::Black))));
        }
    }
    text
}

/// Keys of what decides a game other than mate.
fn decision_keys(game: &GameDef) -> Result<String, String> {
    let mut text = String::new();
    if game.forbids_checks {
        text += "checking = false\n";
    }
    let (value, is_absolute) = match game.repetition_result {
        RepetitionResult::Draw => ("draw", false),
        RepetitionResult::WhiteLoses => ("loss", true),
        RepetitionResult::MoverLoses => ("win", false),
    };
    text += &format!(
        "nFoldValue = {value}\nnFoldValueAbsolute = {is_absolute}\nperpetualCheckIllegal = {}\n",
        game.perpetual_check_loses
    );
    if let Some(goal) = &game.goal {
        let Goal { kind, squares, last_turn, held } = goal;
        text += &format!("flagPiece = {}\nflagMove = {}\n", game.letter(*kind, Color::Black), *last_turn || *held);
        for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
            let squares: Vec<String> = squares[color].iter().map(|square| game.board.square_name(square)).collect();
            text += &format!("flagRegion{name} = {}\n", squares.join(" "));
        }
    }
    if game.checks.is_some() {
        text += "checkCounting = true\n";
    }
    if game.forces_captures {
        text += "mustCapture = true\n";
    }
    if let Some(Explosions { immune }) = &game.explosions {
        let immune: String = immune.iter().map(|&kind| game.letter(kind, Color::Black)).collect();
        text += "blastOnCapture = true\n";
        if !immune.is_empty() {
            text += &format!("blastImmuneTypes = {immune}\nmutuallyImmuneTypes = {immune}\n");
        }
    }
    if game.results.stalemate_by_count {
        text += "stalematePieceCount = true\n";
    }
    match game.results.draw {
        Points::DRAW => {}
        Points::LOSS => text += "materialCounting = blackdrawodds\n",
        Points::WIN => text += "materialCounting = whitedrawodds\n",
        _ => return Err(inexpressible(game, "draws that are worth 0.25 or 0.75")),
    }
    let letters = |kinds: &mut dyn Iterator<Item = piece::Kind>| kinds.map(|kind| game.kind(kind).letter).collect();
    let royal = |&kind: &piece::Kind| game.kind(kind).class == PieceClass::Royal;
    let royals: String = letters(&mut game.all_kinds().filter(royal));
    let keys = match (&game.extinction, game.bare_king_loses, royals.as_str()) {
        (None, false, "") => return Ok(text),
        (None, true, "") => ExtinctionKeys::bare_king(),
        (None, false, _) => ExtinctionKeys::royal(royals),
        // All are royal whose number can shrink to none.
        (Some(rule), false, _) if game.explosions.is_some() && !royals.is_empty() => {
            let keys = extinction_keys(game, rule, letters(&mut rule.kinds.iter().copied()))?;
            if (keys.types.as_str(), rule.at_most, rule.score) != (royals.as_str(), 0, Points::LOSS) {
                return Err(inexpressible(game, "extinction of other pieces than the royal ones"));
            }
            ExtinctionKeys { pseudo_royal: true, ..keys }
        }
        (Some(rule), false, "") => extinction_keys(game, rule, letters(&mut rule.kinds.iter().copied()))?,
        _ => {
            return Err(inexpressible(game, "extinction besides royal pieces or lost bare kings"));
        }
    };
    text += &keys.text();
    Ok(text)
}

fn wall_keys(game: &GameDef, walls: &Walls) -> String {
    let Walls { rule, petrified } = walls;
    let rule = match rule {
        None => "none",
        Some(WallRule::Duck) => "duck",
        Some(WallRule::Past) => "past",
    };
    let letters: String = petrified.iter().map(|&kind| game.letter(kind, Color::Black)).collect();
    let letters = if letters.is_empty() { "-" } else { &letters };
    format!("wallingRule = {rule}\npetrifyOnCaptureTypes = {letters}\n")
}

fn extinction_keys(game: &GameDef, rule: &Extinction, letters: String) -> Result<ExtinctionKeys, String> {
    let Extinction { kinds: _, together, at_most, score } = rule;
    let all = *together && letters.len() == game.letters().len();
    if *together && !all && letters.len() > 1 {
        return Err(inexpressible(game, "some kinds, but not all, that are counted together"));
    }
    Ok(ExtinctionKeys {
        value: if *score == Points::WIN { "win" } else { "loss" }.to_owned(),
        types: if all { "*".to_owned() } else { letters },
        count: *at_most,
        ..ExtinctionKeys::none()
    })
}

/// Returns true if the game's pawn is the pawn of chess, with or without double steps. A pawn that
/// does not promote is another.
fn is_chess_pawn(game: &GameDef) -> bool {
    [CHESS_PAWN, PAWN_WITHOUT_DOUBLE_STEP, TORPEDO_PAWN].contains(&game.kind(game.pawn).betza.as_str())
        && !game.promotion.is_empty()
}

fn is_shogi_pawn(game: &GameDef) -> bool {
    KINDS.contains(&("shogiPawn", &game.kind(game.pawn).betza))
}

fn drop_keys(game: &GameDef, drops: &Drops) -> Result<String, String> {
    let Drops { kinds, zones: _, captured, promoted, pawns_per_file, pawn_mate } = drops;
    let pawn = game.letter(game.pawn, Color::Black);
    let mut text = "pieceDrops = true\n".to_owned();
    match captured {
        Captured::ToCapturer => text += "capturesToHand = true\n",
        Captured::Removed => text += "capturesToHand = false\n",
        Captured::ToOwner => return Err(inexpressible(game, "captured pieces that return to their owners")),
    }
    let others = game.all_kinds().filter(|&kind| game.unpromoted(kind) == kind && Some(kind) != game.king);
    if game.captures_return() && others.count() != kinds.len() {
        return Err(inexpressible(game, "captured pieces that cannot be dropped"));
    }
    let reverts = game.kinds.iter().any(|kind| kind.unpromoted.is_some());
    text += &format!("dropLoop = {}\n", !reverts && game.captures_return());
    for &kind in kinds {
        let ranks = drops.ranks(&game.board, kind);
        let everywhere = || {
            let zone = game.kind(kind).zone.as_ref().map(|zone| zone[Color::White]);
            let is_open = |&square: &Square| {
                zone.is_none_or(|zone| zone.contains(square))
                    && (!game.forbids_immobility || game.is_mobile(kind, Color::White, square))
            };
            let open: SquareSet = game.board.squares().filter(is_open).collect();
            open == drops.zones[kind.index()][Color::White]
        };
        let is_expressed = if kind == game.pawn && is_chess_pawn(game) {
            let first = game.first_promotion_rank();
            let zone = ranks.is_some_and(|(_, high)| high >= first);
            text += &format!("firstRankPawnDrops = {}\n", ranks.is_some_and(|(low, _)| low == 1));
            text += &format!("promotionZonePawnDrops = {zone}\n");
            let highest = if zone { game.last_rank() } else { first };
            ranks.is_some_and(|(low, high)| low <= 2 && high + 1 == highest)
        } else {
            everywhere()
        };
        if !is_expressed {
            return Err(inexpressible(game, &format!("the ranks on which a {} is dropped", game.kind(kind).name)));
        }
    }
    if let Some(most) = pawns_per_file {
        text += &format!("dropNoDoubled = {pawn}\ndropNoDoubledCount = {most}\n");
    }
    text += &format!("dropPromoted = {promoted}\n");
    if !pawn_mate {
        if !is_shogi_pawn(game) {
            return Err(inexpressible(game, "pawns of another game than shogi that must not be dropped with mate"));
        }
        text += "shogiPawnDropMateIllegal = true\n";
    }
    Ok(text)
}

fn inexpressible(game: &GameDef, what: &str) -> String {
    format!("{}: found {what}, which a file for Fairy-Stockfish cannot express", game.name)
}
