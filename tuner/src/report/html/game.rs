//! What the rules of a game show: its board, the moves of its pieces, where they stand best, and games of it.

mod maps;
mod viewer;

use std::sync::Arc;

use assay_rules::moves_diagram::{MOVES_LEGEND, svg_moves};
use assay_rules::svg::{SvgOptions, svg_board, svg_sprites};
use assay_rules::{GameDef, Position};
use maud::{Markup, PreEscaped, html};

pub(super) use maps::section as square_maps;
pub(super) use viewer::{SCRIPT, section as sample_games};

/// The shapes of the pieces, to which all boards of a page refer.
pub(super) fn sprites<'g>(games: impl IntoIterator<Item = &'g GameDef>) -> Markup {
    PreEscaped(svg_sprites(games))
}

/// The start position.
pub(super) fn board(game: &Arc<GameDef>) -> Markup {
    PreEscaped(picture(&Position::start(game)))
}

fn picture(position: &Position) -> String {
    let options = SvgOptions {
        embedded: true,
        ..SvgOptions::default()
    };
    svg_board(position, &options)
}

/// The moves of a piece; `None` for a name that is not a piece's.
pub(super) fn moves(game: &GameDef, piece: &str) -> Option<Markup> {
    let kind = game.all_kinds().find(|&kind| game.kind(kind).name == piece)?;
    Some(PreEscaped(svg_moves(game, kind, true)))
}

/// Legend of the diagrams of moves, with the marks that occur in the game.
pub(super) fn moves_legend(game: &GameDef) -> Markup {
    let drawn: String = game.all_kinds().map(|kind| svg_moves(game, kind, true)).collect();
    let is_drawn = |class: &str| {
        let attribute = format!("class=\"{class}\"");
        if class == "initial" {
            drawn.contains("opacity=\".45\"")
        } else {
            drawn.contains(&attribute)
        }
    };
    html! {
        p.legend.note {
            @for (class, meaning) in MOVES_LEGEND {
                @if is_drawn(class) {
                    span { svg width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true" { (mark(class)) } (meaning) }
                }
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
