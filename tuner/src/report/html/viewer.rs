//! A viewer of games: board, moves and evaluation. Without scripts it shows the start, the moves
//! and the graph.

use std::sync::Arc;

use assay_rules::svg::{embedded_corners, sprite_id};
use assay_rules::{Color, GameDef, Position, Square, san, uci};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use crate::values::data::{SampleGame, SampleReason};
use crate::values::results::MeasurementReport;

/// The script of the viewer.
const SCRIPT: &str = include_str!("../viewer.js");

/// Evaluations beyond this many pawns are drawn at the edge of the graph.
const MAX_PAWNS: f64 = 10.0;

/// Height of the graph in pixels.
const HEIGHT: f64 = 90.0;

/// What the script needs to know about a game.
#[derive(Serialize)]
struct Replay {
    /// Corner of each square's box by square number.
    corners: Vec<(i32, i32)>,
    start: Vec<Change>,
    plies: Vec<Ply>,
}

/// A square with the symbol of the piece on it; an empty string for none.
type Change = (usize, String);

#[derive(Serialize)]
struct Ply {
    text: String,
    /// Number and move, for the line above the board.
    label: String,
    /// Evaluation in pawns before the move.
    eval: Option<f64>,
    from: usize,
    to: usize,
    changes: Vec<Change>,
}

/// Instructive games, played by the rules of their game.
pub(in crate::report) fn pictures(report: &MeasurementReport, game: &Arc<GameDef>) -> Markup {
    html! {
        @for (index, shown) in report.sample_games.iter().enumerate() {
            @match replay(game, shown) {
                Ok((start, replay)) => { (viewer(index, shown, &start, &replay)) }
                Err(fault) => { p { "Game " (shown.number) " cannot be shown: " (fault) "." } }
            }
        }
        script { (PreEscaped(SCRIPT)) }
    }
}

/// The squares that differ between two positions; without `before`, those of all pieces.
fn changes(before: Option<&Position>, after: &Position) -> Vec<Change> {
    let symbol = |position: &Position, square: Square| {
        let piece = position.piece_at(square).map(|piece| sprite_id(position.game(), piece));
        piece.unwrap_or_default()
    };
    let squares = after.game().board.squares().filter_map(|square| {
        let was = before.map_or_else(String::new, |before| symbol(before, square));
        let is = symbol(after, square);
        (is != was).then(|| (square.index(), is))
    });
    squares.collect()
}

/// Plays a game by the rules; the error says which move is illegal.
fn replay(game: &Arc<GameDef>, shown: &SampleGame) -> Result<(Position, Replay), String> {
    let start = Position::from_fen(game, &shown.start_fen).map_err(|error| error.to_string())?;
    let mut position = start.clone();
    let mut plies = Vec::new();
    for (at, text) in shown.moves.iter().enumerate() {
        let mv = uci::parse(&position, text).map_err(|error| format!("move {}: {error}", at + 1))?;
        let after = position.play(mv);
        let number = position.fullmove_number();
        let is_white = position.side_to_move() == Color::White;
        let dots = if is_white { "." } else { "\u{2026}" };
        let text = san::format(&position, mv);
        let eval = shown.evals.get(at).copied().flatten();
        plies.push(Ply {
            label: format!("{number}{dots} {text}"),
            text,
            eval: eval.map(|centipawns| f64::from(centipawns) / 100.0),
            from: mv.from().index(),
            to: mv.to().index(),
            changes: changes(Some(&position), &after),
        });
        position = after;
    }
    let replay = Replay { corners: embedded_corners(game), start: changes(None, &start), plies };
    Ok((start, replay))
}

fn viewer(index: usize, shown: &SampleGame, start: &Position, replay: &Replay) -> Markup {
    let data = serde_json::to_string(replay).unwrap_or_default().replace('<', "\\u003c");
    let last = replay.plies.len();
    html! {
        div.viewer {
            h3 { (title(shown)) }
            p.note { (description(shown)) }
            div.stage {
                div {
                    (super::board::board(start))
                    p.now aria-live="polite" { "Start position" }
                    div.controls {
                        (button("first", "Start position", "M7-6L-3 0L7 6zM-6-6v12"))
                        (button("back", "Previous move", "M4-6L-6 0L4 6z"))
                        input type="range" min="0" max=(last) value="0" aria-label=(format!("Move of game {}", index + 1));
                        (button("next", "Next move", "M-4-6L6 0L-4 6z"))
                        (button("last", "Last position", "M-7-6L3 0L-7 6zM6-6v12"))
                    }
                }
                div {
                    (graph(&replay.plies))
                    p.movetext { @for (ply, played) in replay.plies.iter().enumerate() {
                        @if ply == 0 || !played.label.contains('\u{2026}') { span.number { (played.label.split(' ').next().unwrap_or_default()) } " " }
                        span data-ply=(ply + 1) { (played.text) } " "
                    } (result(shown)) }
                }
            }
            script type="application/json" { (PreEscaped(data)) }
        }
    }
}

/// A button with a drawn sign, since few fonts have such signs.
fn button(step: &str, label: &str, sign: &str) -> Markup {
    html! {
        button type="button" data-step=(step) aria-label=(label) {
            svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true" { path.sign d=(sign) {} }
        }
    }
}

fn result(shown: &SampleGame) -> &'static str {
    let quarters = (shown.white * 4.0).round() as usize;
    ["0-1", "1/4-3/4", "1/2-1/2", "3/4-1/4", "1-0"][quarters.min(4)]
}

fn title(shown: &SampleGame) -> &'static str {
    match shown.reason {
        SampleReason::Upset => "Won against the most material",
        SampleReason::Comeback => "The greatest comeback",
        SampleReason::QuickMate => "The quickest mate",
    }
}

fn description(shown: &SampleGame) -> String {
    let winner = if shown.white > 0.5 { "White" } else { "Black" };
    let material = shown.material.as_deref().and_then(|note| note.split_once('/'));
    let (white, black) = material.unwrap_or_default();
    let material = [("White", white), ("Black", black)].map(|(side, note)| match note.strip_prefix('-') {
        None | Some("") => String::new(),
        Some(missing) if !missing.contains('+') => format!("{side} began without {missing}; "),
        Some(_) => format!("{side} began with {note}; "),
    });
    format!(
        "Game {}: {}{winner} won by {} after {} plies.",
        shown.number,
        material.concat(),
        shown.termination.replace('-', " "),
        shown.moves.len()
    )
}

/// Evaluation by ply.
fn graph(plies: &[Ply]) -> Markup {
    let last = plies.len().max(1) as f64;
    let y = |pawns: f64| HEIGHT / 2.0 - pawns.clamp(-MAX_PAWNS, MAX_PAWNS) / MAX_PAWNS * (HEIGHT / 2.0 - 4.0);
    let mut path = String::new();
    for (at, ply) in plies.iter().enumerate() {
        if let Some(pawns) = ply.eval {
            let command = if path.is_empty() { 'M' } else { 'L' };
            path += &format!("{command}{:.1} {:.1}", at as f64 / last * 100.0, y(pawns));
        }
    }
    html! {
        div.graph {
            svg height=(HEIGHT) viewBox=(format!("0 0 100 {HEIGHT}")) preserveAspectRatio="none" role="img"
                aria-label="Evaluation by move, from -10 to +10 pawns, White's advantage at the top" {
                rect.card width="100" height=(HEIGHT) {}
                line.axis x1="0" x2="100" y1=(HEIGHT / 2.0) y2=(HEIGHT / 2.0) vector-effect="non-scaling-stroke" {}
                path.curve.c0 d=(path) {}
                line.cursor x1="0" x2="0" y1="0" y2=(HEIGHT) vector-effect="non-scaling-stroke" {}
            }
            p.note { "Evaluation from \u{2212}10 (bottom) to +10 pawns (top)" }
        }
    }
}
