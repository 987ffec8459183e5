//! How the games ended.

use maud::{Markup, html};

use crate::report::words;
use crate::values::results::{Games, ResultCount};

const WIDTH: f64 = 920.0;

pub(super) fn plot(games: &Games) -> Markup {
    let total = games.games.max(1) as f64;
    let mut from = 0.0;
    let mut parts = Vec::new();
    for result in &games.results {
        let width = WIDTH * result.games as f64 / total;
        parts.push((result, from, width));
        from += width;
    }
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {}", 44.0 + 24.0 * parts.len() as f64)) role="img" aria-label="Results" {
            @for &(result, from, width) in &parts {
                rect class=(class(result)) x=(format!("{from:.1}")) y="0" width=(format!("{:.1}", (width - 1.5).max(0.5))) height="30" {}
            }
            @for (index, &(result, _, _)) in parts.iter().enumerate() {
                rect class=(class(result)) x="0" y=(44.0 + 24.0 * index as f64) width="14" height="14" {}
                text x="22" y=(56.0 + 24.0 * index as f64) {
                    (name(result.white)) ": " (words::thousands(result.games as u64)) " (" (words::percent(result.games as f64 / total)) ")"
                }
            }
        }
        p {
            "White scored " (words::percent(games.white_score)) ". A game took " (format!("{:.0}", games.mean_plies)) " plies on average. Endings: "
            @for (index, count) in games.reasons.iter().enumerate() {
                @if index > 0 { ", " }
                (count.reason.replace('-', " ")) " " (words::percent(count.games as f64 / total))
            }
            "."
        }
    }
}

fn class(result: &ResultCount) -> &'static str {
    ["r0", "r1", "r2", "r3", "r4"][((result.white * 4.0).round() as usize).min(4)]
}

fn name(white: f64) -> &'static str {
    match (white * 4.0).round() as u8 {
        4 => "White won",
        3 => "Advantage to White",
        2 => "Draw",
        1 => "Advantage to Black",
        _ => "Black won",
    }
}
