//! Mechanisms that a new game has or has not.

use assay_rules::Color;
use assay_rules::def::keys::{
    BoardKeys, CastlingKeys, CountingKeys, DropKeys, EndingKeys, ExplosionKeys, ExtinctionKeys, GameKeys, GatingKeys,
    GoalKeys, LastMoveKeys, MaterialCountKeys, PawnKeys, PieceKeys, PiecePromotionKeys, PromotionKeys, WallKeys,
};
use assay_rules::def::{Captured, PieceClass, RepetitionResult, WallRule};
use rand::RngExt;

use super::pieces::{Context, add_piece, piece_name, random_pawn, random_piece};
use crate::random::{Rng, flag, number, pick, points, word};

/// Draws the keys of a mechanism, and changes others that it cannot go with.
type DrawMechanism = fn(&mut Rng, &Context, &mut GameKeys);

/// All mechanisms with their chances. A draft has at most one of a group, whose mechanisms mostly
/// exclude each other. Validation refuses what else is impossible.
const GROUPS: &[&[(f64, DrawMechanism)]] = &[
    &[(0.12, |_, _, keys| keys.handicaps = Some(true))],
    &[(0.15, |_, _, keys| keys.forces_captures = Some(true))],
    &[(0.16, |_, _, keys| keys.forbids_immobility = Some(true))],
    &[(0.25, |rng, context, keys| board(keys).holes = context.mirrored_squares(rng))],
    &[(0.3, |rng, context, keys| board(keys).hanging = context.mirrored_squares(rng))],
    &[(0.2, joker)],
    &[(0.28, zone)],
    &[(0.22, royal_pieces)],
    &[(0.18, no_king)],
    &[(0.1, |_, _, keys| pawns(keys).first_rank_steps = Some(true))],
    &[(1.0, promotion)],
    &[(0.15, second_pawn)],
    &[(0.25, piece_promotion), (0.16, |_, _, keys| pawns(keys).cannon = Some(true))],
    &[(0.22, drops), (0.22, gating), (0.12, explosions), (0.22, walls)],
    &[(0.18, sides)],
    &[(0.12, flying_general)],
    &[(0.38, castling), (0.2, castling_from_any_file)],
    &[(0.6, insufficient_material)],
    &[(0.4, counting)],
    &[(0.18, goal)],
    &[(0.18, extinction)],
    &[(0.2, results)],
    &[(0.1, |_, _, keys| endings(keys).bare_king_loses = Some(has_king(keys)))],
    &[
        (0.1, |_, _, keys| keys.forbids_checks = Some(true)),
        (0.15, |rng, _, keys| endings(keys).checks = number(rng, 1..=5)),
    ],
    &[(0.25, material_count), (0.1, repetition)],
];

pub(super) fn draw_mechanisms(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    for group in GROUPS {
        let mut place = rng.random_range(0.0..1.0);
        let drawn = group.iter().find(|(chance, _)| {
            place -= chance;
            place < 0.0
        });
        if let Some((_, mechanism)) = drawn {
            mechanism(rng, context, keys);
        }
    }
}

fn endings(keys: &mut GameKeys) -> &mut EndingKeys {
    keys.endings.get_or_insert_default()
}

fn pawns(keys: &mut GameKeys) -> &mut PawnKeys {
    keys.pawns.get_or_insert_default()
}

fn piece(keys: &mut GameKeys, letter: char) -> &mut PieceKeys {
    keys.pieces.entry(piece_name(letter)).or_default()
}

/// Returns true if both sides have a king.
fn has_king(keys: &GameKeys) -> bool {
    keys.pieces.values().any(|piece| piece.class == Some(PieceClass::King) && piece.side.is_none())
}

/// Letters of pieces that are not royal, each with a chance.
fn ordinary_letters(rng: &mut Rng, context: &Context, keys: &GameKeys, chance: f64) -> Option<String> {
    let is_royal = |letter: char| keys.pieces[&piece_name(letter)].class == Some(PieceClass::Royal);
    Some(context.letters.iter().filter(|&&letter| !is_royal(letter) && rng.random_bool(chance)).collect())
}

fn board(keys: &mut GameKeys) -> &mut BoardKeys {
    keys.board.get_or_insert_default()
}

fn joker(_: &mut Rng, _: &Context, keys: &mut GameKeys) {
    add_piece(keys, "J", None, Some(PieceClass::Joker));
}

/// Some piece stays on the near ranks.
fn zone(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    let high = rng.random_range(context.ranks / 2..context.ranks);
    let ranks: Vec<String> = (0..=high).map(|rank| format!("*{}", context.first_rank + rank)).collect();
    let letters: Vec<char> = context.letters.iter().copied().chain(['K', 'P']).collect();
    piece(keys, pick(rng, &letters)).zone = Some(ranks.join(" "));
}

/// A second kind of pawns, which may promote to fewer pieces, and squares of first moves.
fn second_pawn(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    add_piece(keys, "O", Some(random_pawn(rng)), Some(PieceClass::Pawn));
    let choices: Vec<&str> = keys.promotion.values().filter_map(|rank| rank.to.as_deref()).collect();
    let first = choices.first().copied().unwrap_or_default();
    let common: String = first.chars().filter(|&letter| choices.iter().all(|to| to.contains(letter))).collect();
    if common.len() > 1 && rng.random_bool(0.6) {
        piece(keys, 'O').promotes_to = Some(common[1..].to_owned());
    }
    if rng.random_bool(0.4) {
        let file = rng.random_range(0..context.files);
        pawns(keys).home_squares = Some(context.square(file, context.home + 1));
    }
}

fn royal_pieces(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    for _ in 0..rng.random_range(1..=2) {
        piece(keys, pick(rng, &context.letters)).class = Some(PieceClass::Royal);
    }
}

fn no_king(rng: &mut Rng, _: &Context, keys: &mut GameKeys) {
    piece(keys, 'K').class = Some(pick(rng, &[PieceClass::Royal, PieceClass::Minor]));
}

/// The kings must not face each other. There are no other royal pieces.
fn flying_general(_: &mut Rng, _: &Context, keys: &mut GameKeys) {
    remove_class(keys, PieceClass::Royal);
    keys.flying_general = Some(has_king(keys));
}

fn remove_class(keys: &mut GameKeys, class: PieceClass) {
    let pieces = keys.pieces.values_mut();
    pieces.filter(|piece| piece.class == Some(class)).for_each(|piece| piece.class = None);
}

/// Some kinds belong to one side, but no pieces that are dropped or gated.
fn sides(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    if keys.drops.is_some() {
        return;
    }
    let pocket = keys.gating.as_ref().and_then(|gating| gating.pocket.clone()).unwrap_or_default();
    for &letter in context.letters.iter().chain(&['K']).filter(|&&letter| !pocket.contains(letter)) {
        piece(keys, letter).side = pick(rng, &[None, None, Some(Color::White), Some(Color::Black)]);
    }
}

/// Promotion on the last rank, and at will on the one before in half of the games: to pieces, the
/// joker now and then, or a king that is not royal.
fn promotion(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    let ranks = [(context.last_rank(), None), (context.last_rank() - 1, Some(true))];
    for (rank, optional) in ranks.into_iter().take(rng.random_range(1..=2)) {
        let mut to = context.some_letters(rng);
        if keys.pieces.contains_key(&piece_name('J')) && rng.random_bool(0.3) {
            to.push('J');
        }
        if piece(keys, 'K').class != Some(PieceClass::King) && rng.random_bool(0.5) {
            to.push('K');
        }
        keys.promotion.insert(rank.to_string(), PromotionKeys { to: Some(to), optional, squares: None });
    }
}

/// Pieces promote; in half of the games pawns, too, only so.
fn piece_promotion(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    let by_rank = rng.random_bool(0.5);
    if !by_rank {
        keys.promotion.clear();
    }
    keys.piece_promotion = Some(PiecePromotionKeys {
        ranks: Some([rng.random_range(context.first_rank..=context.last_rank()), context.last_rank()]),
        forced: flag(rng, 0.3),
        by_capture: flag(rng, 0.2),
        demotes: flag(rng, if by_rank { 0.0 } else { 0.4 }),
    });
    let mut letters: Vec<char> = context.letters.iter().copied().chain(['P']).collect();
    letters.retain(|_| rng.random_bool(0.6));
    for letter in letters {
        add_piece(keys, &format!("+{letter}"), Some(random_piece(rng)), None);
    }
}

fn drops(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    let has_promoted = keys.piece_promotion.is_some();
    let pieces = context.some_letters(rng) + pick(rng, &["P", "P", ""]);
    let letter: String = pick(rng, &pieces.chars().collect::<Vec<_>>()).into();
    let ranks = rng.random_bool(0.3).then(|| (letter, [1, rng.random_range(2..=4)]));
    keys.drops = Some(DropKeys {
        kinds: rng.random_bool(0.4).then_some(pieces),
        captured: pick(rng, &[None, Some(Captured::ToCapturer), Some(Captured::ToOwner), Some(Captured::Removed)]),
        promoted_revert: flag(rng, if has_promoted { 1.0 } else { 0.75 }),
        ranks: ranks.into_iter().collect(),
        promoted: flag(rng, if has_promoted { 0.6 } else { 0.0 }),
        pawns_per_file: pick(rng, &[None, None, None, None, Some(1), Some(2)]),
        pawn_mate: flag(rng, 0.5),
        ..DropKeys::default()
    });
    if rng.random_bool(0.4) {
        drop_phase(rng, keys);
    }
}

/// Drops as a phase of the game: forced ones, of kings and by the colors of squares.
fn drop_phase(rng: &mut Rng, keys: &mut GameKeys) {
    let is_king = piece(keys, 'K').class == Some(PieceClass::King);
    let Some(drops) = &mut keys.drops else { return };
    drops.forced = flag(rng, 0.6);
    if let Some(kinds) = &mut drops.kinds {
        let pieces: Vec<char> = kinds.chars().filter(|&letter| letter != 'P').collect();
        drops.opposite_colors = (rng.random_bool(0.6) && !pieces.is_empty()).then(|| pick(rng, &pieces).into());
        kinds.push_str(if is_king && rng.random_bool(0.7) { "K" } else { "" });
    }
}

fn gating(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    let has_joker = keys.pieces.contains_key(&piece_name('J')) && rng.random_bool(0.7);
    let pocket = if has_joker { Some("J".to_owned()) } else { ordinary_letters(rng, context, keys, 0.7) };
    let movers = Some(context.some_letters(rng) + pick(rng, &["", "K", "K"]));
    let last_move = Some(LastMoveKeys { white: number(rng, 1..=11), black: number(rng, 1..=11) });
    keys.gating = Some(GatingKeys { pocket, movers, last_move, forbids_shielding: flag(rng, 0.4) });
}

/// Captures explode, also on boards with walls. There are neither cannons nor kings, which could
/// explode.
fn explosions(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    no_king(rng, context, keys);
    pawns(keys).cannon = None;
    keys.explosions = Some(ExplosionKeys { immune: ordinary_letters(rng, context, keys, 0.2) });
    if rng.random_bool(0.3) {
        board(keys).hanging = None;
        keys.walls = Some(WallKeys::default());
    }
}

/// Walls, on boards without hanging squares and cannons. If each move makes one, no kind is royal.
fn walls(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    board(keys).hanging = None;
    pawns(keys).cannon = None;
    // A duck has many moves: too many on larger boards.
    let is_small = context.files * context.ranks <= 36;
    let rule = if is_small { WallRule::Duck } else { WallRule::Past };
    let each_move = rng.random_bool(if is_small { 0.9 } else { 0.5 }).then_some(rule);
    if each_move.is_some() {
        remove_class(keys, PieceClass::King);
        remove_class(keys, PieceClass::Royal);
    }
    let chance = if each_move == Some(WallRule::Duck) { 0.0 } else { 0.4 };
    keys.walls = Some(WallKeys { each_move, petrified: ordinary_letters(rng, context, keys, chance) });
}

fn castling(rng: &mut Rng, _: &Context, keys: &mut GameKeys) {
    let king = piece(keys, 'K');
    king.movement.get_or_insert_default().push_str(pick(rng, &["isO2", "isO2", "isO3", "isO3", "irO2"]));
    king.zone = None;
    keys.castling = Some(CastlingKeys { partner: Some("R".to_owned()), ..CastlingKeys::default() });
}

fn castling_from_any_file(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    castling(rng, context, keys);
    if piece(keys, 'K').class != Some(PieceClass::King) || keys.gating.is_some() {
        return;
    }
    keys.handicaps = None;
    let mut file = || Some(char::from(b'a' + rng.random_range(0..context.files)).to_string());
    let castling = keys.castling.get_or_insert_default();
    (castling.kingside_file, castling.queenside_file) = (file(), file());
    castling.from_any_file = Some(true);
}

fn insufficient_material(rng: &mut Rng, _: &Context, keys: &mut GameKeys) {
    if has_king(keys) && keys.drops.is_none() {
        let armies: &[&str] = pick(rng, &[&[""], &["", "R"], &["", "R", "PP"]]);
        endings(keys).insufficient_material = Some(armies.iter().copied().map(str::to_owned).collect());
    }
}

/// A count of moves. The field of en passant has its limit, so pawns do not capture in passing.
fn counting(rng: &mut Rng, _: &Context, keys: &mut GameKeys) {
    if !has_king(keys) || keys.drops.is_some() || keys.gating.is_some() {
        return;
    }
    let pawn = piece(keys, 'P').movement.get_or_insert_default();
    pawn.retain(|letter| letter != 'e');
    let armies = ["RR", "R", ""].map(|army| (army.to_owned(), rng.random_range(1..30)));
    endings(keys).counting = Some(CountingKeys {
        moves: number(rng, 1..=29),
        most_pieces: pick(rng, &[None, Some(3), Some(9)]),
        armies: armies.into_iter().filter(|_| rng.random_bool(0.7)).collect(),
        from_pieces: flag(rng, 0.5),
    });
}

fn goal(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    let squares = [(); 3].map(|()| context.random_square(rng)).map(|(file, rank)| context.square(file, rank));
    let (last_turn, held) = pick(rng, &[(None, None), (Some(true), None), (Some(true), None), (None, Some(true))]);
    let (piece, squares) = (word(rng, &["K", "K", "P", "R"]), Some(squares.join(" ")));
    endings(keys).goal = Some(GoalKeys { piece, squares, last_turn, held, black_squares: None });
}

fn extinction(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    let (pieces, together) = (Some(context.some_letters(rng)), flag(rng, 0.5));
    let (at_most, score) = (number(rng, 0..=2), points(rng, &[0, 4]));
    endings(keys).extinction = Some(ExtinctionKeys { pieces, together, at_most, score });
}

/// Results other than in chess.
fn results(rng: &mut Rng, _: &Context, keys: &mut GameKeys) {
    endings(keys).checkmate = points(rng, &[0, 3, 4]);
    endings(keys).draw = points(rng, &[0, 1, 2, 4]);
    endings(keys).stalemate_by_count = flag(rng, 0.5);
}

fn material_count(rng: &mut Rng, context: &Context, keys: &mut GameKeys) {
    let mut number = |most: u32| number(rng, 1..=most);
    endings(keys).material_count = Some(MaterialCountKeys {
        major: number(9),
        average: number(6),
        minor: number(4),
        joker: number(4),
        joker_against_majors: number(5),
        pawn: number(2),
        pawn_on_rank: [((context.last_rank() - 1).to_string(), 4)].into(),
        lead: number(5),
        score: points(rng, &[3, 4]),
    });
}

fn repetition(rng: &mut Rng, _: &Context, keys: &mut GameKeys) {
    endings(keys).repetition = pick(rng, &[Some(RepetitionResult::WhiteLoses), Some(RepetitionResult::MoverLoses)]);
    endings(keys).perpetual_check_loses = flag(rng, 0.5);
}
