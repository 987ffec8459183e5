//! Move diagrams: the squares that a piece can reach from the middle of a small empty board.

use std::collections::BTreeMap;

use super::svg::{SIDE, draw_piece, escape, sprite_id};
use crate::types::color::Color;
use crate::types::movement::{Delta, Path, PathKind};
use crate::types::piece::{Kind, Piece};
use crate::variant::GameDef;
use crate::variant::kinds::PieceClass;

/// Minimum number of squares to each side of the piece.
const MIN_REACH: i8 = 2;
/// Maximum number of squares to each side of the piece. Longer leaps are not drawn.
const MAX_REACH: i8 = 4;
/// Color of the marks.
const INK: &str = "#123c4a";
/// Color of the marks for jumping over a piece.
const HOP_INK: &str = "#a33c00";
const HOP_DASHES: &str = " stroke-dasharray=\"16 14\"";

/// What the marks of [`svg_moves`] mean, for a legend.
pub const MOVES_LEGEND: [(&str, &str); 5] = [
    ("both", "moves or captures"),
    ("move", "moves only"),
    ("capture", "captures only"),
    ("hop", "captures by jumping over a piece"),
    ("initial", "first move only"),
];

/// What a piece can do on a square.
#[derive(Clone, Copy, Debug, Default)]
struct Target {
    moves: bool,
    captures: bool,
    /// Moves or captures by jumping over a piece.
    hops: bool,
    /// True if every path to the square is for the first move only.
    initial: bool,
}

/// Draws the moves of a kind as an SVG document, White's forward direction at the top.
///
/// A disc marks squares to which the piece moves or captures, a ring squares to which it only
/// moves, a cross squares where it only captures, and a diamond those that it reaches by jumping
/// over a piece. Pale marks are for first moves. A line with an arrow is a ride to the edge of the
/// board. Castling, en passant and cannon captures are not drawn. With `embedded`, the picture has
/// no size and no namespace, and its piece is one of [`super::svg::svg_sprites`].
///
/// ```
/// use assay_rules::GameDef;
/// use assay_rules::moves_diagram::svg_moves;
///
/// let chess = GameDef::builtin("chess").unwrap();
/// let knight = chess.kinds.by_letter('N').unwrap();
/// assert_eq!(svg_moves(&chess, knight, false).matches("class=\"both\"").count(), 8);
/// ```
pub fn svg_moves(game: &GameDef, kind: Kind, embedded: bool) -> String {
    let paths = &game.kind(kind).movement.paths;
    let reach = reach(paths);
    let side = i32::from(2 * reach + 1) * SIDE;
    let name = escape(&game.kind(kind).name);
    let mut text = if embedded {
        format!("<svg class=\"moves\" viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"Moves of the {name}\">\n")
    } else {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{0}\" viewBox=\"0 0 {side} {side}\" role=\"img\">\n\
             <title>Moves of the {name}</title>\n",
            side / 4
        )
    };
    for rank in -reach..=reach {
        for file in -reach..=reach {
            let (x, y) = center(reach, Delta::new(file, rank));
            let fill = if (file + rank) % 2 == 0 { "#e9e5d8" } else { "#cfd8cf" };
            text += &format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\"/>\n",
                x - SIDE / 2,
                y - SIDE / 2
            );
        }
    }
    for path in paths {
        draw_line(&mut text, reach, path);
    }
    // The piece's own square, without lines.
    let corner = i32::from(reach) * SIDE;
    text += &format!("<rect x=\"{corner}\" y=\"{corner}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#e9e5d8\"/>\n");
    for (&delta, &target) in &targets(paths, reach) {
        draw_mark(&mut text, center(reach, delta), target);
    }
    let piece = Piece { color: Color::White, kind };
    let (x, y) = center(reach, Delta::new(0, 0));
    if embedded {
        let id = sprite_id(game, piece);
        text += &format!("<use href=\"#{id}\" x=\"{corner}\" y=\"{corner}\" width=\"{SIDE}\" height=\"{SIDE}\"/>\n");
    } else {
        text += &draw_piece(game, piece, x, y, "");
    }
    // A joker has no moves of its own.
    if game.kind(kind).class == PieceClass::Joker {
        for delta in [(-1, 1), (1, 1), (-1, -1), (1, -1)].map(|(file, rank)| Delta::new(file, rank)) {
            let (x, y) = center(reach, delta);
            text += &format!(
                "<path d=\"M{x} {}v4m0-18c0-16 20-16 20-34a20 20 0 0 0-40 0\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"9\" \
                     stroke-linecap=\"round\"/>\n",
                y + 30
            );
        }
    }
    text += "</svg>\n";
    text
}

/// The moves of all kinds as one SVG document, four pictures in a row.
pub fn svg_all_moves(game: &GameDef) -> String {
    const PICTURE: usize = 260;
    const COLUMNS: usize = 4;
    let kinds: Vec<Kind> = game.kinds.all().filter(|&kind| game.kinds.original(kind) == kind).collect();
    let (width, height) = (PICTURE * COLUMNS.min(kinds.len()), PICTURE * kinds.len().div_ceil(COLUMNS));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>Moves of the pieces of {}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        escape(&game.title)
    );
    for (index, &kind) in kinds.iter().enumerate() {
        let (x, y) = (PICTURE * (index % COLUMNS) + 10, PICTURE * (index / COLUMNS) + 20);
        text += &format!(
            "<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"15\">{}</text>\n",
            escape(&game.kind(kind).name)
        );
        text += &format!("<svg x=\"{x}\" y=\"{}\">\n", y + 8);
        text += &svg_moves(game, kind, false);
        text += "</svg>\n";
    }
    text + "</svg>\n"
}

/// Legend of the letters in [`text_moves`].
pub const TEXT_LEGEND: &str = "* moves or captures, m moves only, c captures only, h by jumping over a piece, + also by \
    jumping over a piece; a first move only: i, j, k, l, and I";

/// Draws the moves of a kind as text, White's forward direction at the top, with the marks of
/// [`TEXT_LEGEND`] and the kind's letter in the middle, or in the lower left corner of the board.
///
/// ```
/// use assay_rules::GameDef;
/// use assay_rules::moves_diagram::text_moves;
///
/// let chess = GameDef::builtin("chess").unwrap();
/// let pawn = chess.kinds.by_letter('P').unwrap();
/// assert_eq!(text_moves(&chess, pawn, false), ". . j . .\n. c m c .\n. . P . .\n. . . . .\n. . . . .\n");
/// ```
pub fn text_moves(game: &GameDef, kind: Kind, in_corner: bool) -> String {
    let paths = &game.kind(kind).movement.paths;
    let reach = reach(paths);
    let targets = targets(paths, reach);
    let cell = |delta: Delta| match targets.get(&delta) {
        _ if delta == Delta::new(0, 0) => game.kind(kind).letter,
        None => '.',
        Some(target) => {
            let marks = if target.initial { ['i', 'j', 'k', 'l', 'I'] } else { ['*', 'm', 'c', 'h', '+'] };
            match (target.moves, target.captures, target.hops) {
                (false, false, _) => marks[3],
                (_, _, true) => marks[4],
                (true, true, false) => marks[0],
                (true, false, false) => marks[1],
                (false, true, false) => marks[2],
            }
        }
    };
    let least = if in_corner { 0 } else { -reach };
    let row = |rank: i8| {
        let cells: Vec<String> = (least..=reach).map(|file| cell(Delta::new(file, rank)).to_string()).collect();
        cells.join(" ") + "\n"
    };
    (least..=reach).rev().map(row).collect()
}

/// The smallest board that shows every leap, and at least two steps of a ride.
fn reach(paths: &[Path]) -> i8 {
    let far = paths.iter().map(|path| path.delta.file.abs().max(path.delta.rank.abs()));
    let far = far.max().unwrap_or(0).clamp(MIN_REACH, MAX_REACH);
    // A hop needs a third square: origin, screen and target.
    let hops = paths.iter().any(|path| matches!(path.kind, PathKind::HopRide { .. } | PathKind::Grasshop));
    if hops { far.max(3) } else { far }
}

fn center(reach: i8, delta: Delta) -> (i32, i32) {
    let at = |steps: i8| i32::from(steps + reach) * SIDE + SIDE / 2;
    (at(delta.file), at(-delta.rank))
}

fn is_inside(reach: i8, delta: Delta) -> bool {
    delta.file.abs() <= reach && delta.rank.abs() <= reach
}

/// The squares of a path on the diagram, nearest first.
fn squares(path: &Path, reach: i8) -> Vec<Delta> {
    let (first, range) = match path.kind {
        PathKind::Leap | PathKind::LameLeap { .. } | PathKind::HopLeap { .. } => (1, 1),
        PathKind::Ride { range } => (1, range.map_or(i8::MAX, |range| range.get().min(127) as i8)),
        PathKind::HopRide { range } => (2, range.map_or(i8::MAX, |range| range.get().min(127) as i8)),
        PathKind::Grasshop => (2, i8::MAX),
    };
    (first..=range.min(reach)).map(|steps| path.delta.times(steps)).filter(|&delta| is_inside(reach, delta)).collect()
}

fn targets(paths: &[Path], reach: i8) -> BTreeMap<Delta, Target> {
    let mut targets: BTreeMap<Delta, Target> = BTreeMap::new();
    for path in paths {
        let hops = matches!(path.kind, PathKind::HopLeap { .. } | PathKind::HopRide { .. } | PathKind::Grasshop);
        for delta in squares(path, reach) {
            let target = targets.entry(delta).or_insert(Target { initial: true, ..Target::default() });
            if hops {
                target.hops = true;
            } else {
                target.moves |= path.modality.moves;
                target.captures |= path.modality.captures;
            }
            target.initial &= path.initial;
        }
    }
    targets
}

/// The line of a ride, or of a leap that other pieces can block.
fn draw_line(text: &mut String, reach: i8, path: &Path) {
    let (range, dashes) = match path.kind {
        PathKind::Ride { range } => (range, ""),
        PathKind::HopRide { range } => (range, HOP_DASHES),
        PathKind::Grasshop => (None, HOP_DASHES),
        PathKind::LameLeap { .. } => (std::num::NonZeroU8::new(1), ""),
        PathKind::Leap | PathKind::HopLeap { .. } => return,
    };
    let Some(&end) = squares(path, reach).last() else {
        return;
    };
    let color = if dashes.is_empty() { INK } else { HOP_INK };
    let (from, to) = (center(reach, Delta::new(0, 0)), center(reach, end));
    let width = if path.initial { 5 } else { 9 };
    let through: String = match &path.kind {
        PathKind::LameLeap { via } => {
            via.iter().map(|&delta| center(reach, delta)).map(|(x, y)| format!("L{x} {y}")).collect()
        }
        _ => String::new(),
    };
    *text += &format!(
        "<path d=\"M{} {}{through}L{} {}\" fill=\"none\" stroke=\"{color}\" stroke-opacity=\".4\" stroke-width=\"{width}\"{dashes}/>\n",
        from.0, from.1, to.0, to.1
    );
    // An arrow at the edge: the ride continues.
    if range.is_none() {
        let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let length = dx.hypot(dy);
        let (ux, uy) = (dx / length, dy / length);
        let tip = (f64::from(to.0) + 47.0 * ux, f64::from(to.1) + 47.0 * uy);
        let back = |side: f64| (tip.0 - 24.0 * ux - side * 13.0 * uy, tip.1 - 24.0 * uy + side * 13.0 * ux);
        let (one, other) = (back(1.0), back(-1.0));
        *text += &format!(
            "<path d=\"M{:.0} {:.0}L{:.0} {:.0}L{:.0} {:.0}Z\" fill=\"{color}\" fill-opacity=\".75\"/>\n",
            tip.0, tip.1, one.0, one.1, other.0, other.1
        );
    }
}

fn draw_mark(text: &mut String, (x, y): (i32, i32), target: Target) {
    let opacity = if target.initial { " opacity=\".45\"" } else { "" };
    if target.hops {
        *text += &format!(
            "<path class=\"hop\"{opacity} d=\"M{x} {}l34 34l-34 34l-34-34z\" fill=\"none\" stroke=\"{HOP_INK}\" stroke-width=\"9\"/>\n",
            y - 34
        );
    }
    match (target.moves, target.captures) {
        (true, true) => {
            *text += &format!("<circle class=\"both\"{opacity} cx=\"{x}\" cy=\"{y}\" r=\"23\" fill=\"{INK}\"/>\n");
        }
        (true, false) => {
            let radius = if target.hops { 13 } else { 20 };
            *text += &format!(
                "<circle class=\"move\"{opacity} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"#fffefa\" stroke=\"{INK}\" \
                     stroke-width=\"9\"/>\n"
            );
        }
        (false, true) => {
            *text += &format!(
                "<path class=\"capture\"{opacity} d=\"M{} {}l40 40m0-40l-40 40\" stroke=\"{INK}\" stroke-width=\"13\" \
                 stroke-linecap=\"round\"/>\n",
                x - 20,
                y - 20
            );
        }
        (false, false) => {}
    }
}
