//! Piece-square tables of the engine's tuned evaluation as heat maps.

use std::sync::Arc;

use assay_engine::Weights;
use assay_engine::eval::Section;
use assay_rules::{Board, Color, GameDef, Kind, Square};
use maud::{Markup, html};

/// Steps of color in each direction.
const STEPS: i32 = 6;

/// Size of a square in drawing units.
const SIDE: i32 = 10;

/// A heat map for each piece, in the opening and in the endgame; `None` if the engine has no tuned
/// weights for the game.
pub(in crate::report) fn pictures(game: &Arc<GameDef>) -> Option<Markup> {
    let weights = Weights::for_game(game);
    weights.source().starts_with("tuned").then(|| html! {
        p { "What the engine's tuned evaluation adds for a White piece on each square, in hundredths of the engine's pawn: \
             " b { "blue" } " squares gain, " b { "orange" } " squares lose, and the strongest color stands for the number below each map. \
             The engine played with these weights; they are no result of the games measured here." }
        div.maps {
            @for kind in game.kinds.all() {
                @let name = &game.kind(kind).name;
                figure {
                    figcaption { (name) }
                    div.pair {
                        (map(&game.board, name, "opening", &squares(&weights, kind, false)))
                        (map(&game.board, name, "endgame", &squares(&weights, kind, true)))
                    }
                }
            }
        }
    })
}

/// Weight of a piece of White on each square.
fn squares(weights: &Weights, kind: Kind, endgame: bool) -> Vec<(Square, f64)> {
    let (board, terms) = (&weights.game().board, weights.terms());
    let weights_of = |part: &str| -> Vec<f64> {
        let of_part = terms.all().filter(|&term| {
            let name = terms.name(term);
            name.section == Section::Piece(kind) && name.name == part
        });
        let weights = of_part.map(|term| weights.get(term));
        weights.map(|weight| if endgame { weight.endgame } else { weight.middlegame }).collect()
    };
    let (ranks, files) = (weights_of("ranks"), weights_of("files"));
    let on = |square: Square| {
        let file = board.file(square).min(board.files() - 1 - board.file(square));
        let rank = board.relative_rank(Color::White, square);
        ranks.get(usize::from(rank)).unwrap_or(&0.0) + files.get(usize::from(file)).unwrap_or(&0.0)
    };
    board.squares().map(|square| (square, on(square))).collect()
}

fn map(board: &Board, piece: &str, stage: &str, squares: &[(Square, f64)]) -> Markup {
    let largest = squares.iter().map(|(_, weight)| weight.abs()).fold(1.0, f64::max);
    let (width, height) = (i32::from(board.files()) * SIDE, i32::from(board.ranks()) * SIDE);
    let outline = |square: Square| {
        let x = i32::from(board.file(square)) * SIDE;
        let y = (i32::from(board.ranks()) - 1 - i32::from(board.rank(square))) * SIDE;
        format!("M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z")
    };
    let with_level = |level: i32| -> String {
        let has_level = |weight: f64| (weight / largest * f64::from(STEPS)).round() as i32 == level;
        let squares = squares.iter().filter(|&&(_, weight)| has_level(weight));
        squares.map(|&(square, _)| outline(square)).collect()
    };
    let order = |one: &&(Square, f64), other: &&(Square, f64)| one.1.total_cmp(&other.1);
    let ends = squares.iter().max_by(order).zip(squares.iter().min_by(order));
    let label = ends.map(|(&(best, most), &(worst, least))| {
        let [best, worst] = [best, worst].map(|square| board.square_name(square));
        format!("{piece}, {stage}: best {best} {most:+.0}, worst {worst} {least:+.0}")
    });
    html! {
        div {
            svg viewBox=(format!("-1 -1 {} {}", width + 2, height + 2)) role="img" aria-label=[label] {
                @for level in -STEPS..=STEPS {
                    @let squares = with_level(level);
                    @if !squares.is_empty() {
                        path class=(if level < 0 { "square minus" } else { "square plus" })
                            fill-opacity=(format!("{:.2}", f64::from(level.abs()) / f64::from(STEPS))) d=(squares) {}
                    }
                }
            }
            div.note { (stage) " \u{b1}" (format!("{largest:.0}")) }
        }
    }
}
