//! SVG pictures without fonts, images or scripts.

use std::collections::BTreeMap;

use super::glyphs;
use super::pieces::Look;
use crate::types::board::Board;
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::Piece;
use crate::types::square::Square;
use crate::variant::GameDef;
use crate::variant::Position;

/// Size of a square in drawing units.
pub(super) const SIDE: i32 = 100;
/// Margin with coordinates, in drawing units.
const MARGIN: i32 = 56;
/// Margin without coordinates, in drawing units.
const BARE_MARGIN: i32 = 14;
/// Width of the panel with pockets and last moved kinds, in drawing units.
const PANEL: i32 = 150;
/// Width of the panel that only shows the side to move, in drawing units.
const NARROW_PANEL: i32 = 56;

/// Options for [`svg_board`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgOptions {
    /// Size of a square in pixels, at least 1.
    pub square_size: u32,
    /// Last move, whose squares are highlighted.
    pub last_move: Option<Move>,
    /// True to draw Black at the bottom.
    pub flipped: bool,
    /// True to draw file letters and rank numbers.
    pub coordinates: bool,
    /// True to highlight a king in check.
    pub check: bool,
    /// True for a part of a web page: without size, namespace and panel, and with pieces that refer
    /// to [`svg_sprites`].
    pub embedded: bool,
}

impl Default for SvgOptions {
    /// Squares of 48 pixels, White at the bottom, with coordinates and check, without a last move.
    fn default() -> SvgOptions {
        SvgOptions { square_size: 48, last_move: None, flipped: false, coordinates: true, check: true, embedded: false }
    }
}

/// The pieces of some games as symbols, to which the embedded pictures of a web page refer.
pub fn svg_sprites<'g>(games: impl IntoIterator<Item = &'g GameDef>) -> String {
    let mut symbols = BTreeMap::new();
    for game in games {
        for (color, kind) in Color::ALL.into_iter().flat_map(|color| game.kinds.all().map(move |kind| (color, kind))) {
            let look = Look::new(game, Piece { color, kind });
            symbols.insert(look.id(), look.draw(false));
        }
    }
    let mut text = format!("<svg width=\"0\" height=\"0\" aria-hidden=\"true\">\n{CHECK}");
    for (id, drawing) in symbols {
        text += &format!("<symbol id=\"{id}\" viewBox=\"0 0 {SIDE} {SIDE}\">{drawing}</symbol>\n");
    }
    text + "</svg>\n"
}

/// Identifier of a piece's symbol in [`svg_sprites`]. Pieces that look alike in several games share
/// one.
pub fn sprite_id(game: &GameDef, piece: Piece) -> String {
    Look::new(game, piece).id()
}

/// Draws one piece as an SVG document of 100 by 100 units, without ground. A light rim shows dark
/// pieces on dark pages.
///
/// ```
/// use assay_rules::svg::svg_piece;
/// use assay_rules::{Color, GameDef, Piece};
///
/// let chess = GameDef::builtin("chess").unwrap();
/// let kind = chess.kinds.by_letter('N').unwrap();
/// assert!(svg_piece(&chess, Piece { color: Color::Black, kind }).contains("<title>Black knight</title>"));
/// ```
pub fn svg_piece(game: &GameDef, piece: Piece) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\" role=\"img\">\n\
         <title>{} {}</title>\n{}</svg>\n",
        piece.color,
        escape(&game.kind(piece.kind).name),
        Look::new(game, piece).draw(true)
    )
}

/// Upper left corner of each square's box in an embedded picture with coordinates, by square
/// number; a box is 100 units wide.
pub fn embedded_corners(game: &GameDef) -> Vec<(i32, i32)> {
    let board = &game.board;
    let corner = |square: usize| {
        let (file, rank) = (square % usize::from(board.files()), square / usize::from(board.files()));
        (MARGIN + file as i32 * SIDE, BARE_MARGIN + (i32::from(board.ranks()) - 1 - rank as i32) * SIDE)
    };
    (0..board.box_size()).map(corner).collect()
}

/// Draws a position as an SVG document.
///
/// Holes are left blank. Hanging squares are pink, and crossed out if they are empty and can never
/// be entered again. The panel on the right marks the side to move and shows, in games that have
/// them, each side's pocket and, after `=`, the kind it last moved as.
///
/// ```
/// use assay_rules::svg::{SvgOptions, svg_board};
/// use assay_rules::{GameDef, Position};
///
/// let start = Position::start(&GameDef::builtin("chess").unwrap());
/// assert!(svg_board(&start, &SvgOptions::default()).starts_with("<svg "));
/// ```
pub fn svg_board(position: &Position, options: &SvgOptions) -> String {
    let mut picture = Picture::new(position, options);
    picture.write_header();
    picture.draw_squares();
    picture.draw_highlights();
    if options.coordinates {
        picture.draw_coordinates();
    }
    if options.embedded {
        picture.text += "<g class=\"pieces\">\n";
    }
    for (square, piece) in position.pieces() {
        let (x, y) = picture.center(square);
        picture.draw_piece(piece, x, y, &position.game().board.square_name(square));
    }
    if options.embedded {
        picture.text += "</g>\n";
    } else {
        for color in Color::ALL {
            picture.draw_panel(color);
        }
    }
    picture.text += "</svg>\n";
    picture.text
}

struct Picture<'p> {
    position: &'p Position,
    options: &'p SvgOptions,
    text: String,
    margin: i32,
    panel: i32,
}

impl<'p> Picture<'p> {
    fn new(position: &'p Position, options: &'p SvgOptions) -> Picture<'p> {
        let game = position.game();
        let margin = if options.coordinates { MARGIN } else { BARE_MARGIN };
        let panel = if options.embedded {
            BARE_MARGIN
        } else if !game.pocket_kinds().is_empty() || game.kinds.joker().is_some() {
            PANEL
        } else {
            NARROW_PANEL
        };
        Picture { position, options, text: String::new(), margin, panel }
    }

    fn board(&self) -> &'p Board {
        &self.position.game().board
    }

    fn width(&self) -> i32 {
        self.margin + i32::from(self.board().files()) * SIDE + self.panel
    }

    fn height(&self) -> i32 {
        BARE_MARGIN + i32::from(self.board().ranks()) * SIDE + self.margin
    }

    /// Upper left corner of a square or hole.
    fn corner(&self, file: u8, rank: u8) -> (i32, i32) {
        let (column, row) = if self.options.flipped {
            (self.board().files() - 1 - file, rank)
        } else {
            (file, self.board().ranks() - 1 - rank)
        };
        (self.margin + i32::from(column) * SIDE, BARE_MARGIN + i32::from(row) * SIDE)
    }

    fn center(&self, square: Square) -> (i32, i32) {
        let (x, y) = self.corner(self.board().file(square), self.board().rank(square));
        (x + SIDE / 2, y + SIDE / 2)
    }

    fn write_header(&mut self) {
        let (width, height) = (self.width(), self.height());
        let pixels = |units: i32| f64::from(units) * f64::from(self.options.square_size.max(1)) / f64::from(SIDE);
        let title = escape(&format!("{}: {}", self.position.game().title, self.position.fen()));
        if self.options.embedded {
            self.text += &format!(
                "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">\n"
            );
        } else {
            let (wide, high) = (pixels(width), pixels(height));
            self.text += &format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {width} {height}\" \
                 role=\"img\">\n<title>{title}</title>\n"
            );
            self.text += CHECK;
        }
        self.text += &format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#f7f5f0\"/>\n");
    }

    fn draw_squares(&mut self) {
        let board = self.board();
        // A darker, slightly larger square under each one frames a board of any shape.
        for square in board.squares() {
            let (x, y) = self.corner(board.file(square), board.rank(square));
            self.text += &format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\" fill=\"#5c6b62\"/>\n",
                x - 3,
                y - 3,
                SIDE + 6
            );
        }
        for square in board.squares() {
            let (x, y) = self.corner(board.file(square), board.rank(square));
            let hanging = board.hanging().contains(square);
            // a1, file 0 and rank 1, is dark.
            let dark = !(board.file(square) + board.rank_number(board.rank(square))).is_multiple_of(2);
            let fill = match (hanging, dark) {
                (false, false) => "#e9e5d8",
                (false, true) => "#9db4a6",
                (true, false) => "#f9d3dc",
                (true, true) => "#ee9fb4",
            };
            self.text += &format!("<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\"/>\n");
            if self.position.walls().contains(square) {
                self.text += &format!(
                    "<rect class=\"wall\" x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\" rx=\"14\" fill=\"#5c6b62\"/>\n",
                    x + 12,
                    y + 12,
                    SIDE - 24
                );
            }
            if hanging && self.position.piece_at(square).is_none() {
                self.text += &format!(
                    "<path d=\"M{} {}l64 64m0-64l-64 64\" stroke=\"#b06a7c\" stroke-width=\"5\" stroke-opacity=\".55\" \
                     stroke-linecap=\"round\"/>\n",
                    x + 18,
                    y + 18
                );
            }
        }
    }

    fn draw_highlights(&mut self) {
        let board = self.board();
        if let Some(mv) = self.options.last_move {
            for square in [mv.from(), mv.to()] {
                let (x, y) = self.corner(board.file(square), board.rank(square));
                self.text += &format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#f2c230\" fill-opacity=\".55\"/>\n"
                );
            }
        }
        if self.options.check && self.position.in_check() {
            let color = self.position.side_to_move();
            for square in self.position.royals(color).filter(|&square| self.position.is_attacked(square, color)) {
                let (x, y) = self.corner(board.file(square), board.rank(square));
                self.text += &format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"url(#assay-check)\"/>\n"
                );
            }
        }
    }

    fn draw_coordinates(&mut self) {
        let board = self.board();
        let below = BARE_MARGIN + i32::from(board.ranks()) * SIDE + self.margin / 2;
        for file in 0..board.files() {
            let (x, _) = self.corner(file, 0);
            self.draw_text(&Board::file_letter(file).to_string(), x + SIDE / 2, below, 2.0, "#5b5f58");
        }
        for rank in 0..board.ranks() {
            let (_, y) = self.corner(0, rank);
            self.draw_text(&board.rank_number(rank).to_string(), self.margin / 2 - 2, y + SIDE / 2, 1.9, "#5b5f58");
        }
    }

    /// Draws text centered at a point; `scale` is the size of a glyph unit in drawing units.
    fn draw_text(&mut self, word: &str, x: i32, y: i32, scale: f64, color: &str) {
        self.text += &glyphs::draw(word, f64::from(x), f64::from(y), scale, color);
    }

    /// Draws a piece centered at a point; `place` describes its location in the tooltip.
    fn draw_piece(&mut self, piece: Piece, x: i32, y: i32, place: &str) {
        if self.options.embedded {
            self.text += &format!(
                "<use href=\"#{}\" x=\"{}\" y=\"{}\" width=\"{SIDE}\" height=\"{SIDE}\"/>\n",
                sprite_id(self.position.game(), piece),
                x - SIDE / 2,
                y - SIDE / 2
            );
        } else {
            self.text += &draw_piece(self.position.game(), piece, x, y, place);
        }
    }

    /// Draws one side's half of the panel: side to move, pocket, last moved kind.
    fn draw_panel(&mut self, color: Color) {
        let game = self.position.game();
        let at_top = (color == Color::Black) != self.options.flipped;
        let x = self.width() - self.panel / 2;
        let edge = if at_top { BARE_MARGIN } else { BARE_MARGIN + i32::from(self.board().ranks()) * SIDE };
        // The panel is filled from the edge toward the middle of the board.
        let inward = |units: i32| if at_top { edge + units } else { edge - units };
        if self.position.side_to_move() == color {
            let fill = if color == Color::White { "#fffdf7" } else { "#343a44" };
            self.text += &format!(
                "<circle cx=\"{x}\" cy=\"{}\" r=\"15\" fill=\"{fill}\" stroke=\"#d9a520\" stroke-width=\"5\">\
                 <title>{color} to move</title></circle>\n",
                inward(22)
            );
        }
        let mut next = 100;
        for &kind in game.mechanisms.gating.iter().flat_map(|gating| &gating.pocket) {
            let y = inward(next);
            self.text += &format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{SIDE}\" height=\"{SIDE}\" rx=\"14\" fill=\"#eae6db\" stroke=\"#a9a598\" \
                 stroke-width=\"3\"><title>{color}'s pocket</title></rect>\n",
                x - SIDE / 2,
                y - SIDE / 2
            );
            if self.position.pocket(color).contains(&kind) {
                self.draw_piece(Piece { color, kind }, x, y, "in the pocket");
            }
            next += SIDE + 12;
        }
        for &kind in game.mechanisms.drops.iter().flat_map(|drops| &drops.kinds) {
            let count = self.position.pocket(color).iter().filter(|&&held| held == kind).count();
            if count > 0 {
                let title = escape(&format!("{count} x {} in the pocket", game.kind(kind).name));
                let drawing = Look::new(game, Piece { color, kind }).draw(false);
                let (left, y) = (x - 50, inward(next - 36));
                self.text +=
                    &format!("<g><title>{title}</title><g transform=\"translate({left} {}) scale(.5)\">\n", y - 25);
                self.text += &drawing;
                self.text += "</g>";
                self.draw_text(&count.to_string(), x + 24, y, 2.0, "#5b5f58");
                self.text += "</g>\n";
                next += 48;
            }
        }
        if game.kinds.joker().is_some() {
            let kind = self.position.last_moved_as(color);
            let letter = kind.map_or('-', |kind| game.kind(kind).letter);
            let name = kind.map_or("none", |kind| game.kind(kind).name.as_str());
            self.text += &format!("<g><title>{color} last moved as: {}</title>\n", escape(name));
            self.draw_text(&format!("={letter}"), x, inward(next - 14), 2.0, "#5b5f58");
            self.text += "</g>\n";
        }
    }
}

/// Gradient of a check.
const CHECK: &str = "<defs><radialGradient id=\"assay-check\"><stop offset=\".3\" stop-color=\"#e5322d\"/>\
    <stop offset=\"1\" stop-color=\"#e5322d\" stop-opacity=\".6\"/></radialGradient></defs>\n";

/// A piece centered at a point; `place` describes its location in the tooltip.
pub(super) fn draw_piece(game: &GameDef, piece: Piece, x: i32, y: i32, place: &str) -> String {
    let title = escape(&format!("{} {} {place}", piece.color, game.kind(piece.kind).name));
    let drawing = Look::new(game, piece).draw(false);
    let (left, top) = (x - SIDE / 2, y - SIDE / 2);
    format!("<g transform=\"translate({left} {top})\"><title>{}</title>\n{drawing}</g>\n", title.trim_end())
}

/// Escapes text content and attribute values.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
