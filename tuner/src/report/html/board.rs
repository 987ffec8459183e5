//! The board of a game and the moves of its pieces.

use std::sync::Arc;

use assay_rules::moves_diagram::{MOVES_LEGEND, svg_moves};
use assay_rules::svg::{SvgOptions, svg_board, svg_sprites};
use assay_rules::{GameDef, Position};
use maud::{Markup, PreEscaped, html};

use crate::values::data::material::kind_named;

/// The shapes of the pieces, to which all boards of a page refer.
pub(in crate::report) fn sprites<'g>(games: impl IntoIterator<Item = &'g GameDef>) -> Markup {
    PreEscaped(svg_sprites(games))
}

/// The start position of a game, with a legend of the diagrams of moves if the page has any.
pub(in crate::report) fn start(game: &Arc<GameDef>, title: &str, with_legend: bool) -> Markup {
    html! {
        figure.start aria-label=(format!("Start position of {title}")) {
            (board(&Position::start(game)))
            @if with_legend { (moves_legend(game)) }
        }
    }
}

pub(in crate::report) fn board(position: &Position) -> Markup {
    let options = SvgOptions { embedded: true, ..SvgOptions::default() };
    PreEscaped(svg_board(position, &options))
}

/// The moves of a piece; nothing for a name that is not a piece's.
pub(in crate::report) fn moves(game: &GameDef, piece: &str) -> Markup {
    PreEscaped(kind_named(game, piece).map_or_else(String::new, |kind| svg_moves(game, kind, true)))
}

/// The marks that occur in the diagrams of a game.
fn moves_legend(game: &GameDef) -> Markup {
    let drawn: String = game.kinds.all().map(|kind| svg_moves(game, kind, true)).collect();
    let is_drawn = |class: &str| match class {
        "initial" => drawn.contains("opacity=\".45\""),
        _ => drawn.contains(&format!("class=\"{class}\"")),
    };
    html! {
        p.legend.note {
            @for (class, meaning) in MOVES_LEGEND.into_iter().filter(|(class, _)| is_drawn(class)) {
                span { svg width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true" { (mark(class)) } (meaning) }
            }
        }
    }
}

/// A mark as the diagrams draw it, but in the color of text.
fn mark(class: &str) -> Markup {
    html! {
        @match class {
            "both" => { circle.ink r="5" {} }
            "move" => { circle.outline r="5" {} }
            "capture" => { path.outline d="M-4-4l8 8m0-8l-8 8" {} }
            "hop" => { path.outline d="M0-6l6 6l-6 6l-6-6z" {} }
            _ => { circle.outline r="5" opacity=".45" {} }
        }
    }
}
