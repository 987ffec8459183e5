//! A definition in sentences.

use crate::notation::fen;
use crate::text::with_article;
use crate::types::board::Board;
use crate::types::color::Color;
use crate::types::definition::{
    BoardCount, Captured, Castling, CountingRule, Drops, Endings, Explosions, Extinction, GameDef, Gating, Goal,
    MaterialCount, PieceClass, PiecePromotion, PromotionRank, RepetitionResult, Results, WallRule, Walls,
};
use crate::types::outcome::Points;
use crate::types::piece::Kind;
use crate::types::square::SquareSet;
use crate::types::turn::MAX_COUNT;

/// The rules of a definition as sentences, without the moves of its pieces.
pub fn sentences(game: &GameDef) -> Vec<String> {
    // Every field is named, so that a new one cannot be forgotten.
    let GameDef {
        name: _,
        title: _,
        source: _,
        board,
        kinds: _,
        king,
        pawn,
        pawn_home_rank,
        first_rank_steps,
        hanging_pawn_squares: _,
        has_pawn_cannon,
        promotion,
        promotion_squares: _,
        promotion_limits,
        piece_promotion,
        forbids_immobility,
        castling,
        gating,
        forbids_shielding: _,
        drops,
        joker,
        has_handicaps,
        forbids_checks,
        forces_captures,
        explosions,
        walls,
        flying_general,
        endings,
        counting,
        results,
        repetition_result,
        perpetual_check_loses,
        goal,
        checks,
        bare_king_loses,
        extinction,
        rights: _,
        starts,
        default_start,
    } = game;
    let name = |kind: Kind| &game.kind(kind).name;
    let mut said = vec![board_sentence(board)];
    said.extend(side_sentences(game));
    said.extend(royalty_sentences(game, *king, *flying_general));
    said.extend(zone_sentences(game));
    let has_pawns = can_have_pawns(game);
    if has_pawns {
        said.extend(first_move_sentences(game, *pawn, *pawn_home_rank, *first_rank_steps));
    }
    if *has_pawn_cannon && has_pawns {
        said.push("A pawn also captures like a cannon, straight ahead over a piece of its own, and is removed with what it hits.".to_owned());
    }
    if has_pawns {
        said.extend(promotion.iter().map(|rank| promotion_sentence(game, rank)));
        said.extend(limit_sentences(game, promotion_limits));
    }
    said.extend(piece_promotion.iter().map(|rule| piece_promotion_sentence(game, rule)));
    if *forbids_immobility {
        said.push("No piece may be put where it could move again only by a capture, or never.".to_owned());
    }
    said.extend(castling.iter().map(|castling| castling_sentence(game, castling)));
    if castling.is_none() {
        said.push("Nobody castles.".to_owned());
    }
    said.extend(gating.iter().map(|gating| gating_sentence(game, gating)));
    said.extend(drops.iter().map(|drops| drops_sentence(game, drops)));
    said.extend(joker.map(|joker| format!("A {} moves like the piece that the opponent moved last.", name(joker))));
    if *has_handicaps {
        said.push("A start may give one side two moves in a row.".to_owned());
    }
    if *forbids_checks {
        said.push("A move that gives check is illegal.".to_owned());
    }
    if *forces_captures {
        said.push("A side that can capture must capture.".to_owned());
    }
    said.extend(explosions.iter().map(|rule| explosion_sentence(game, rule)));
    said.extend(walls.iter().flat_map(|walls| wall_sentences(game, walls)));
    said.extend(ending_sentences(game, endings, *results));
    said.extend(counting.as_ref().map(|rule| counting_sentence(game, rule)));
    said.extend(repetition_sentences(*repetition_result, *perpetual_check_loses));
    said.extend(goal.iter().map(|goal| goal_sentence(game, goal)));
    said.extend(checks.map(|checks| format!("The side that has given {checks} checks wins.")));
    if *bare_king_loses {
        said.push(
            "A side with only its king loses: at once against two pieces or more besides the king, else unless its next move leaves the other \
             king bare, too, which is a draw."
                .to_owned(),
        );
    }
    said.extend(extinction.iter().map(|rule| extinction_sentence(game, rule)));
    let default = &starts[*default_start];
    said.push(match starts.len() {
        1 => format!("The game starts from {}.", default.fen),
        count => {
            format!("There are {count} start positions; without another choice, {} ({}).", default.id, default.fen)
        }
    });
    said
}

/// Returns true if a start has a pawn, or pawns come from a pocket or by a handicap.
fn can_have_pawns(game: &GameDef) -> bool {
    let on_board = |fen: &str| {
        let pieces = fen::read_pieces(game, fen).unwrap_or_default();
        pieces.iter().flatten().any(|piece| piece.kind == game.pawn)
    };
    game.has_handicaps
        || game.pocket_kinds().contains(&game.pawn)
        || game.starts.iter().any(|start| on_board(&start.fen))
}

fn zone_sentences(game: &GameDef) -> impl Iterator<Item = String> {
    game.kinds.iter().filter_map(|kind| {
        let zone = zone_text(&game.board, kind.zone.as_ref()?[Color::White]);
        Some(format!("The {} moves only to {zone} (Black: turned by 180 degrees).", kind.name))
    })
}

/// Squares by name, but whole ranks next to each other as ranks.
fn zone_text(board: &Board, squares: SquareSet) -> String {
    let is_whole = |rank: &u8| board.squares().all(|square| board.rank(square) != *rank || squares.contains(square));
    let whole: Vec<u8> = (0..board.ranks()).filter(is_whole).collect();
    let (Some(low), Some(high)) = (whole.first(), whole.last()) else {
        return square_names(board, squares);
    };
    if usize::from(high - low) + 1 > whole.len() {
        return square_names(board, squares);
    }
    let ranks = ranks_text(low + board.first_rank(), high + board.first_rank());
    let single: SquareSet = squares.iter().filter(|&square| !whole.contains(&board.rank(square))).collect();
    if single.is_empty() {
        return ranks;
    }
    format!("{} and {ranks}", square_names(board, single))
}

fn limit_sentences(game: &GameDef, limits: &[(Kind, u8)]) -> impl Iterator<Item = String> {
    limits.iter().map(|&(kind, most)| {
        let name = &game.kind(kind).name;
        format!("A pawn becomes {} only while its side has fewer than {most} of them.", with_article(name))
    })
}

fn side_sentences(game: &GameDef) -> impl Iterator<Item = String> {
    Color::ALL.into_iter().filter_map(|side| {
        let is_own = |&kind: &Kind| game.kind(kind).side == Some(side);
        let own: Vec<Kind> = game.all_kinds().filter(is_own).collect();
        (!own.is_empty()).then(|| format!("Only {side} can have: {}.", names(game, &own)))
    })
}

fn first_move_sentences(game: &GameDef, pawn: Kind, home_rank: u8, first_rank_steps: bool) -> Vec<String> {
    let mut said = Vec::new();
    if game.kind(pawn).movement.paths.iter().any(|path| path.initial) {
        said.push(format!(
            "A {} on rank {home_rank} has its first moves. Black counts ranks from its own side.",
            game.kind(pawn).name
        ));
        if first_rank_steps {
            said.push("It has them on the first rank, too, where it cannot be captured en passant.".to_owned());
        }
    }
    if game.has_en_passant() {
        said.push(
            "A pawn can be captured en passant, on the square that it passed over with a double step.".to_owned(),
        );
    }
    said
}

fn royalty_sentences(game: &GameDef, king: Option<Kind>, flying_general: bool) -> Vec<String> {
    let king = king.map(|king| {
        let owner = game.kind(king).side.map_or("Each side".to_owned(), |side| side.to_string());
        format!("{owner} has one {}, which must not be left in check.", game.kind(king).name)
    });
    let is_royal = |&kind: &Kind| game.kind(kind).class == PieceClass::Royal;
    let royals: Vec<Kind> = game.all_kinds().filter(is_royal).collect();
    let others = match (royals.is_empty(), &king) {
        (false, _) => Some(format!("No {} may be left attacked, however many there are.", names(game, &royals))),
        (true, None) => Some("No piece is royal: any can be left attacked, and captured.".to_owned()),
        (true, Some(_)) => None,
    };
    let facing =
        flying_general.then(|| "The kings must not face each other on a file without pieces between them.".to_owned());
    king.into_iter().chain(others).chain(facing).collect()
}

fn repetition_sentences(result: RepetitionResult, perpetual_check_loses: bool) -> Vec<String> {
    let result = match result {
        RepetitionResult::Draw => None,
        RepetitionResult::WhiteLoses => Some("White loses by repetition.".to_owned()),
        RepetitionResult::MoverLoses => Some("The side that repeats the position loses.".to_owned()),
    };
    let perpetual = perpetual_check_loses.then(|| {
        "A side that has given check with each move since the first occurrence loses by repetition.".to_owned()
    });
    result.into_iter().chain(perpetual).collect()
}

fn square_names(board: &Board, squares: SquareSet) -> String {
    squares.iter().map(|square| board.square_name(square)).collect::<Vec<_>>().join(" ")
}

fn board_sentence(board: &Board) -> String {
    let mut text = format!("The board has {} files and {} ranks", board.files(), board.ranks());
    if !board.holes().is_empty() {
        text += &format!(", without {}", square_names(board, board.holes()));
    }
    if !board.hanging().is_empty() {
        text += &format!("; {} can be entered only by capturing", square_names(board, board.hanging()));
    }
    text + "."
}

fn names(game: &GameDef, kinds: &[Kind]) -> String {
    kinds.iter().map(|&kind| game.kind(game.original(kind)).name.as_str()).collect::<Vec<_>>().join(", ")
}

fn promotion_sentence(game: &GameDef, rank: &PromotionRank) -> String {
    let verb = if rank.optional { "may become" } else { "becomes" };
    let kinds = names(game, &rank.kinds);
    let kinds = if rank.kinds.len() > 1 { format!("one of: {kinds}") } else { with_article(&kinds) };
    let place = match &game.promotion_squares {
        None => format!("rank {}", rank.rank),
        Some(squares) => square_names(&game.board, squares[Color::White]),
    };
    let is_restricted = rank.kinds.iter().any(|&kind| game.kind(kind).side.is_some());
    let owned = if is_restricted { " (those that its side can have)" } else { "" };
    format!("On {place}, a pawn {verb} {kinds}{owned}.")
}

fn piece_promotion_sentence(game: &GameDef, rule: &PiecePromotion) -> String {
    let PiecePromotion { zones, forced, by_capture, demotes } = rule;
    let pairs = game.all_kinds().filter_map(|kind| Some((kind, game.promoted(kind)?)));
    let pairs = pairs.map(|(kind, promoted)| format!("{} to {}", game.kind(kind).name, game.kind(promoted).name));
    let (low, high) = game.board.rank_range(zones[Color::White]).unwrap_or_default();
    let verb = if *forced { "must" } else { "may" };
    let what = if *by_capture { "a capture" } else { "a move" };
    let back = if *demotes { ", and turns back in the same way" } else { "" };
    format!(
        "A piece {verb} promote with {what} that begins or ends on {}{back}: {}.",
        ranks_text(low, high),
        pairs.collect::<Vec<_>>().join(", ")
    )
}

fn ranks_text(low: u8, high: u8) -> String {
    if low == high { format!("rank {low}") } else { format!("ranks {low} to {high}") }
}

fn castling_sentence(game: &GameDef, castling: &Castling) -> String {
    let square = |square| game.board.square_name(square);
    let Castling { wings, from_any_file } = castling;
    let Some(first) = wings.first() else {
        return String::new();
    };
    let (color, partner) = (first.color, &game.kind(first.partner).name);
    let own = || wings.iter().filter(|wing| wing.color == color);
    if *from_any_file {
        let toward = |right: bool| own().find(move |wing| (wing.partner_from > wing.king_from) == right);
        let ends = [true, false].into_iter().filter_map(toward);
        let ends: Vec<String> =
            ends.map(|wing| format!("{} and {}", square(wing.king_to), square(wing.partner_to))).collect();
        return format!("{color} castles with the {partner}, from any files, to {}.", ends.join(", or "));
    }
    let wings = own().map(|wing| {
        format!(
            "{}-{} with the {} {}-{}",
            square(wing.king_from),
            square(wing.king_to),
            game.kind(wing.partner).name,
            square(wing.partner_from),
            square(wing.partner_to)
        )
    });
    format!("{color} castles {}.", wings.collect::<Vec<_>>().join(", or "))
}

fn gating_sentence(game: &GameDef, gating: &Gating) -> String {
    let Gating { pocket, movers, last_move } = gating;
    let until = match (last_move[Color::White], last_move[Color::Black]) {
        (MAX_COUNT, MAX_COUNT) => String::new(),
        (white, black) => format!(", until move {white} for White and {black} for Black"),
    };
    let alone = if game.forbids_shielding { " The move must be legal without that piece, too." } else { "" };
    format!(
        "With its first move, a {} may be replaced on its square by a piece from the pocket ({}){until}.{alone}",
        names(game, movers),
        names(game, pocket),
    )
}

fn explosion_sentence(game: &GameDef, rule: &Explosions) -> String {
    let Explosions { immune } = rule;
    let mut text = "A capture removes the capturing piece and all pieces around it except pawns.".to_owned();
    if game.has_several_royals() {
        text += " It must spare the royal pieces of its side, so pieces next to them attack nothing royal.";
    }
    if !immune.is_empty() {
        let immune = names(game, immune);
        text += &format!(" It does not remove: {immune}. None of these captures one of its kind.");
    }
    text
}

fn wall_sentences(game: &GameDef, walls: &Walls) -> Vec<String> {
    let Walls { rule, petrified } = walls;
    let mut said =
        vec!["No piece enters or passes a wall; pieces that hop over others hop over walls, too.".to_owned()];
    said.extend(rule.map(|rule| match rule {
        WallRule::Duck => {
            "After a move, the same side puts the only wall, the duck, on another square that is empty.".to_owned()
        }
        WallRule::Past => "The square that a piece leaves becomes a wall.".to_owned(),
    }));
    if !petrified.is_empty() {
        let letters = names(game, petrified);
        said.push(format!("A piece that captures becomes a wall on that square: {letters}."));
    }
    said
}

fn drops_sentence(game: &GameDef, drops: &Drops) -> String {
    let Drops { kinds, zones: _, captured, promoted, pawns_per_file, pawn_mate } = drops;
    let mut captured = match captured {
        Captured::ToCapturer => "A captured piece goes to the capturer's pocket".to_owned(),
        Captured::ToOwner => "A captured piece goes to its owner's pocket".to_owned(),
        Captured::Removed => "Captured pieces are gone".to_owned(),
    };
    if game.kinds.iter().any(|kind| kind.copy_of.is_some()) {
        captured += ", a promoted one as a pawn";
    } else if game.kinds.iter().any(|kind| kind.unpromoted.is_some()) {
        captured += ", a promoted one unpromoted";
    }
    let mut text = format!(
        "Instead of moving, a side may put a piece from its pocket ({}) on an empty square. {captured}.",
        names(game, kinds)
    );
    let everywhere = (game.board.first_rank(), game.board.first_rank() + game.board.ranks() - 1);
    for &kind in kinds {
        if let Some((low, high)) = drops.ranks(&game.board, kind).filter(|&ranks| ranks != everywhere) {
            let ranks = ranks_text(low, high);
            text += &format!(" A {} is dropped on {ranks}.", game.kind(kind).name);
        }
    }
    if *promoted {
        text += " It may be dropped promoted or not.";
    }
    match pawns_per_file {
        None => {}
        Some(1) => text += " No pawn is dropped on a file with another one of its side.",
        Some(most) => text += &format!(" No pawn is dropped on a file with {most} others of its side."),
    }
    if !pawn_mate {
        text += " A dropped pawn must not give checkmate.";
    }
    text
}

fn ending_sentences(game: &GameDef, endings: &Endings, results: Results) -> Vec<String> {
    let Endings { stalemate, move_rule, pawn_moves_reset, repetitions, insufficient_material, material_count } =
        endings;
    let Results { checkmate, stalemate_by_count, draw } = results;
    let stalemated = match *stalemate {
        _ if stalemate_by_count => "wins for the side with fewer pieces, and is a draw if both have as many".to_owned(),
        Points::DRAW => "is a draw".to_owned(),
        Points::WIN => "wins for the side that can still move".to_owned(),
        Points::LOSS => "wins for the side that cannot move".to_owned(),
        points => {
            format!("gives {points} points to the side that can still move, and {} to the other", points.flipped())
        }
    };
    let counted = if material_count.is_some() { "ends by a count of material" } else { "is a draw" };
    let has_royals = game.all_kinds().any(|kind| game.is_royal(kind));
    let mate = match checkmate {
        _ if game.forbids_checks || !has_royals => String::new(),
        Points::WIN => "Checkmate wins. ".to_owned(),
        Points::LOSS => "Checkmate loses: the side that is mated wins. ".to_owned(),
        points => format!("Checkmate gives {points} points. "),
    };
    let resets = match (game.drops.is_some(), pawn_moves_reset) {
        (true, true) => "capture, drop or pawn's move",
        (true, false) => "capture or drop",
        (false, true) => "capture or pawn's move",
        (false, false) => "capture",
    };
    let mut said = vec![
        format!("{mate}Stalemate {stalemated}."),
        format!(
            "If a position occurs {repetitions} times, or after {} moves without a {resets}, the game {counted}.",
            move_rule / 2
        ),
    ];
    if draw != Points::DRAW {
        said.push(format!("For a draw, White gets {draw} points, and Black {}.", draw.flipped()));
    }
    said.extend(material_count.as_ref().map(|count| count_sentence(game, count)));
    if !insufficient_material.is_empty() {
        let armies = insufficient_material.iter().map(|army| match army.as_slice() {
            [] => "nothing else".to_owned(),
            army => names(game, army),
        });
        said.push(format!(
            "The game is also a draw if one side has only its king, and the other its king and {}.",
            armies.collect::<Vec<_>>().join("; or ")
        ));
    }
    said
}

fn counting_sentence(game: &GameDef, rule: &CountingRule) -> String {
    let CountingRule { board, armies, from_pieces } = rule;
    let mut said = Vec::new();
    if let Some(BoardCount { plies, most_pieces }) = board {
        let when = match most_pieces {
            Some(most) => format!("a side has at most {most} pieces"),
            None => "no pawn is on the board".to_owned(),
        };
        said.push(format!("When {when}, the game is a draw after {} more moves.", plies / 2));
    }
    if !armies.is_empty() {
        let armies = armies.iter().map(|(army, plies)| match army.as_slice() {
            [] => format!("{} against any pieces", plies / 2),
            army => format!("{} against {}", plies / 2, names(game, army)),
        });
        let from = if *from_pieces { ", counted from the number of pieces on the board" } else { "" };
        said.push(format!(
            "When a side has only its king and no pawn is on the board, the game is a draw after the smallest number of moves that \
             applies{from}: {}.",
            armies.collect::<Vec<_>>().join("; ")
        ));
    }
    said.join(" ")
}

fn goal_sentence(game: &GameDef, goal: &Goal) -> String {
    let Goal { kind, squares, last_turn, held } = goal;
    let [white, black] = [Color::White, Color::Black].map(|color| square_names(&game.board, squares[color]));
    let black = if white == black { String::new() } else { format!(" (Black: {black})") };
    let draw = if *last_turn {
        " When White has reached its goal, Black has one more move, and if it then reaches its own, the game is a draw."
    } else {
        ""
    };
    let name = &game.kind(*kind).name;
    if *held {
        return format!("A side wins when it is to move and its {name} is on one of {white}{black}.");
    }
    format!("A side wins when its {name} reaches one of {white}{black}.{draw}")
}

fn extinction_sentence(game: &GameDef, rule: &Extinction) -> String {
    let Extinction { kinds, together, at_most, score } = rule;
    let few = match at_most {
        0 => "none".to_owned(),
        most => format!("no more than {most}"),
    };
    let any_of = if kinds.len() == 1 || *together { "of" } else { "of any one of" };
    let verb = if *score == Points::WIN { "wins" } else { "loses" };
    format!("A side {verb} when it has {few} left {any_of}: {}.", names(game, kinds))
}

fn count_sentence(game: &GameDef, count: &MaterialCount) -> String {
    let MaterialCount { major, average, minor, joker, joker_against_majors, pawn, pawn_on_rank, lead, score } = count;
    let of_class =
        |class: PieceClass| game.all_kinds().filter(|&kind| game.kind(kind).class == class).collect::<Vec<_>>();
    let classes = [(PieceClass::Major, major), (PieceClass::Average, average), (PieceClass::Minor, minor)];
    let classes =
        classes.into_iter().map(|(class, points)| (of_class(class), points)).filter(|(kinds, _)| !kinds.is_empty());
    let mut points: Vec<String> = classes.map(|(kinds, points)| format!("{} {points}", names(game, &kinds))).collect();
    if game.joker.is_some() {
        points.push(format!("joker {joker} ({joker_against_majors} against more majors than minors)"));
    }
    points.push(format!("pawn {pawn}"));
    points.extend(pawn_on_rank.iter().map(|(rank, points)| format!("pawn on rank {rank} {points}")));
    format!("The count gives points for: {}. A lead of {lead} or more scores {score}.", points.join("; "))
}
