//! Features of a definition that its author may not have meant.

use assay_rules::color::Color;
use assay_rules::def::{RightKind, Start};
use assay_rules::movement::{Delta, Path, PathKind};
use assay_rules::text::with_article;
use assay_rules::{GameDef, Kind, Points, Position, Setup, Square, SquareSet};

/// Suspicious features of a definition, in sentences; empty for an ordinary game.
pub fn suspicions(game: &GameDef) -> Vec<String> {
    let mut found = Vec::new();
    for kind in game.kinds.all().filter(|&kind| game.kinds.original(kind) == kind) {
        found.extend(unreachable_squares(game, kind));
        found.extend(immobile_in_zone(game, kind));
        found.extend(unreachable_promotions(game, kind));
        found.extend(missing(game, kind));
        found.extend(first_moves(game, kind));
    }
    found.extend(Color::ALL.into_iter().filter_map(|color| unreachable_goal(game, color)));
    match game.endings.stalemate {
        Points::WIN => found.push("Stalemate wins for the side that can still move.".to_owned()),
        Points::LOSS => found.push("Stalemate wins for the side that cannot move.".to_owned()),
        _ => {}
    }
    if game.endings.checkmate == Points::LOSS {
        found.push("Checkmate loses: the side that is mated wins.".to_owned());
    }
    let is_royal = game.kinds.all().any(|kind| game.kinds.is_royal(kind));
    if !is_royal && game.mechanisms.extinction.is_none() && game.mechanisms.goal.is_none() {
        found.push("No piece is royal, and neither extinction nor a goal decides the game.".to_owned());
    }
    found.extend(game.starts.iter().filter_map(|start| start_faults(game, &start.id)));
    found
}

/// A piece that stays on few squares, or on its rank or file, wherever it stands.
fn unreachable_squares(game: &GameDef, kind: Kind) -> Option<String> {
    let (name, paths) = (&game.kind(kind).name, &game.kind(kind).movement.paths);
    if game.pawns.contains(kind) || Some(kind) == game.kinds.joker() {
        return None;
    }
    if paths.is_empty() {
        return Some(format!("The {name} cannot move."));
    }
    let stays = |along: fn(Delta) -> i8| paths.iter().all(|path| along(path.delta) == 0);
    if stays(|delta| delta.rank) {
        return Some(format!("The {name} never leaves its rank."));
    }
    if stays(|delta| delta.file) {
        return Some(format!("The {name} never leaves its file."));
    }
    let all = game.board.squares().count();
    // A zone, such as a palace, may be small.
    let most = game.board.squares().map(|from| reachable(game, kind, [from], |_| true).len()).max()?;
    // A colorbound piece reaches half of the squares, an alfil an eighth.
    (most * 8 < all).then(|| format!("From any square, the {name} reaches no more than {most} of {all} squares."))
}

/// A piece that no move takes from one square of its zone to another.
fn immobile_in_zone(game: &GameDef, kind: Kind) -> Option<String> {
    let definition = game.kind(kind);
    let zone = definition.zone.as_ref()?[Color::White];
    let paths = &definition.movement.paths;
    let stays = |from| paths.iter().any(|path| destinations(game, path, from).iter().any(|&to| zone.contains(to)));
    let is_immobile = !paths.is_empty() && !zone.iter().any(stays);
    is_immobile.then(|| format!("No move of the {} leads from a square of its zone to another.", definition.name))
}

/// Returns true if a game can have a piece of this kind on the board: a start has one, or another
/// piece becomes one.
pub fn occurs(game: &GameDef, kind: Kind) -> bool {
    let symbol = game.kinds.symbol(kind, Color::White);
    let is_placed = game
        .starts
        .iter()
        .any(|start| start.fen.split(' ').next().is_some_and(|board| board.to_ascii_uppercase().contains(&symbol)));
    let is_promoted_to =
        game.pawns.promotion.iter().any(|rank| rank.kinds.iter().any(|&choice| game.kinds.original(choice) == kind));
    let is_turned_to = game.kinds.all().any(|other| game.turned(other) == Some(kind));
    is_placed || is_promoted_to || is_turned_to
}

/// A kind that never [occurs].
fn missing(game: &GameDef, kind: Kind) -> Option<String> {
    (!occurs(game, kind))
        .then(|| format!("No start position has {}, and no pawn becomes one.", with_article(&game.kind(kind).name)))
}

/// A piece with first moves that no start gives it a right for.
fn first_moves(game: &GameDef, kind: Kind) -> Option<String> {
    if game.pawns.contains(kind) || !game.kind(kind).movement.paths.iter().any(|path| path.initial) {
        return None;
    }
    let shared = std::sync::Arc::new(game.clone());
    let is_given = |start: &Start| {
        let Ok(setup) = Setup::from_fen(&shared, &start.fen) else { return false };
        let mut given = game.rights.iter().enumerate().filter(|&(index, _)| setup.rights.contains(index));
        given.any(|(_, right)| match right.kind {
            RightKind::InitialMove(square) => setup.pieces[square.index()].is_some_and(|piece| piece.kind == kind),
            _ => false,
        })
    };
    (!game.starts.iter().any(is_given)).then(|| {
        let name = &game.kind(kind).name;
        format!("No {name} has its first moves: the rights of no start have the letters of its files.")
    })
}

fn unreachable_promotions(game: &GameDef, kind: Kind) -> Option<String> {
    if !game.pawns.contains(kind) {
        return None;
    }
    let board = &game.board;
    let on_rank = |rank: u8| board.squares().filter(move |&square| board.relative_rank(Color::White, square) == rank);
    let may_enter = |square| game.kinds.may_enter(kind, Color::White, square);
    let reached = reachable(game, kind, on_rank(game.pawns.home_rank), may_enter);
    let last = game.pawns.promotion.last()?.rank;
    let arrives = on_rank(last).any(|square| reached.contains(square));
    (!arrives).then(|| format!("No {} can reach rank {last}, where it would promote.", game.kind(kind).name))
}

/// A goal of which no square can have the piece: the piece promotes there or may not enter it.
fn unreachable_goal(game: &GameDef, color: Color) -> Option<String> {
    let goal = game.mechanisms.goal.as_ref()?;
    let promotes = |square| {
        let promotion = game.promotion_on(color, square).filter(|promotion| !promotion.optional);
        game.pawns.contains(goal.kind) && promotion.is_some()
    };
    let can_stand = |square| !promotes(square) && game.kinds.may_enter(goal.kind, color, square);
    let name = &game.kind(goal.kind).name;
    let is_reachable = goal.squares[color].iter().any(can_stand);
    (!is_reachable).then(|| {
        format!("{color} cannot reach its goal: the {name} promotes on, or may not enter, each of its squares.")
    })
}

fn start_faults(game: &GameDef, id: &str) -> Option<String> {
    let game = std::sync::Arc::new(game.clone());
    let position = Position::from_start(&game, id).ok()?;
    if let Some(goal) = &game.mechanisms.goal {
        let mut pieces = position.pieces().filter(|(_, piece)| game.kinds.original(piece.kind) == goal.kind);
        if pieces.any(|(square, piece)| goal.squares[piece.color].contains(square)) {
            let piece = with_article(&game.kind(goal.kind).name);
            return Some(format!("In the start position {id} {piece} is already on its goal."));
        }
    }
    if position.legal_moves().is_empty() {
        return Some(format!("In the start position {id} no move is legal."));
    }
    position.in_check().then(|| format!("The start position {id} is a check."))
}

/// The squares that a white piece can come to from any of these over squares that it enters,
/// whatever stands in the way.
fn reachable(
    game: &GameDef,
    kind: Kind,
    from: impl IntoIterator<Item = Square>,
    enters: impl Fn(Square) -> bool,
) -> SquareSet {
    let mut reached = SquareSet::EMPTY;
    let mut open: Vec<Square> = from.into_iter().collect();
    while let Some(square) = open.pop() {
        if reached.contains(square) {
            continue;
        }
        reached.insert(square);
        for path in &game.kind(kind).movement.paths {
            open.extend(destinations(game, path, square).into_iter().filter(|&to| enters(to)));
        }
    }
    reached
}

fn destinations(game: &GameDef, path: &Path, from: Square) -> Vec<Square> {
    let step = |times: i8| {
        let far = |coordinate: i8| coordinate.checked_mul(times);
        let delta = Delta::new(far(path.delta.file)?, far(path.delta.rank)?);
        game.board.step(from, delta, Color::White)
    };
    let range = match path.kind {
        PathKind::Leap | PathKind::LameLeap { .. } | PathKind::HopLeap { .. } => 1,
        PathKind::Ride { range } | PathKind::HopRide { range } => {
            range.map_or(i8::MAX, |range| range.get().min(127) as i8)
        }
        PathKind::Grasshop => i8::MAX,
    };
    (1..=range).map_while(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(change: &str) -> Vec<String> {
        let text = format!("name = \"test\"\ntitle = \"Test\"\nsource = \"a test\"\nbase = \"chess\"\n{change}");
        suspicions(&GameDef::from_toml(&text, "test.toml").unwrap())
    }

    #[test]
    fn ordinary_games_are_not_suspicious() {
        for name in assay_rules::def::BUILTIN_NAMES {
            assert_eq!(suspicions(&GameDef::builtin(name).unwrap()), [""; 0], "{name}");
        }
        assert_eq!(of(""), [""; 0]);
    }

    #[test]
    fn finds_what_nobody_means() {
        let one = |change: &str, expected: &str| {
            let found = of(change);
            assert!(found.iter().any(|found| found.contains(expected)), "{change}: {found:?}");
        };
        one("[pieces.bishop]\nmove = \"sR\"\n", "The bishop never leaves its rank.");
        one("[pieces.knight]\nmove = \"KiN\"\n", "No knight has its first moves");
        one("[pieces.rook]\nmove = \"vR\"\n", "The rook never leaves its file.");
        one("[pieces.knight]\nmove = \"G\"\n", "the knight reaches no more than");
        one("[endings]\nstalemate = 1\n", "Stalemate wins for the side that can still move");
        one("[endings]\nstalemate = 0\n", "Stalemate wins for the side that cannot move");
        one("[pieces.knight]\nzone = \"b1 g1\"\n", "No move of the knight leads from a square of its zone");
        one("[pieces.pawn]\nzone = \"*2 *3 *4 *5\"\n", "No pawn can reach rank 8");
        let guard = "[pieces.guard]\nletter = \"G\"\nclass = \"pawn\"\nmove = \"fmWfcF\"\nzone = \"*2 *3\"\n";
        one(guard, "No guard can reach rank 8");
        for (piece, squares) in [("P", "*8"), ("N", "d4")] {
            let goal = format!("[endings.goal]\npiece = \"{piece}\"\nsquares = \"{squares}\"\n");
            one(&format!("{goal}[pieces.knight]\nzone = \"*1 *2 *3\"\n"), "White cannot reach its goal");
        }
        one(
            "[endings.goal]\npiece = \"K\"\nsquares = \"e1\"\nblack-squares = \"a4\"\n",
            "In the start position 1 a king is already on",
        );
        one("[pieces.amazon]\nletter = \"A\"\nmove = \"QN\"\n", "No start position has an amazon");
        one(
            "[[starts]]\nid = \"1\"\ntitle = \"check\"\nfen = \"r3k2r/8/8/8/8/3n4/8/R3K2R w KQkq - 0 1\"\n",
            "The start position 1 is a check",
        );
    }
}
