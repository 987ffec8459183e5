//! Results of the games as a stacked bar.

use assay_cli::format::{grouped, percent};
use maud::{Markup, html};

use crate::values::results::{GameSummary, ResultCount};

pub(super) fn plot(games: &GameSummary) -> Markup {
    let total = games.games.max(1) as f64;
    let mut from = 0.0;
    let mut parts = Vec::new();
    for result in &games.results {
        let share = result.games as f64 / total;
        parts.push((result, from, share));
        from += share;
    }
    html! {
        svg.results height="30" role="img" aria-label="Results" {
            @for &(result, from, share) in &parts {
                rect class=(class(result)) x=(format!("{:.2}%", 100.0 * from)) y="0" width=(format!("{:.2}%", 100.0 * share)) height="30" {}
            }
        }
        p.legend {
            @for &(result, _, share) in &parts {
                span {
                    svg width="14" height="14" { rect class=(class(result)) width="14" height="14" {} }
                    " " (name(result.white)) ": " (grouped(result.games as u64)) " (" (percent(share, 1)) ")"
                }
            }
        }
    }
}

/// Terminations with their shares, most frequent first.
pub(super) fn terminations(games: &GameSummary) -> String {
    let total = games.games.max(1) as f64;
    let parts: Vec<String> = games
        .terminations
        .iter()
        .map(|count| {
            let share = percent(count.games as f64 / total, 1);
            format!("{} {share}", count.termination.replace('-', " "))
        })
        .collect();
    parts.join(", ")
}

fn class(result: &ResultCount) -> &'static str {
    ["r0", "r1", "r2", "r3", "r4"][((result.white * 4.0).round() as usize).min(4)]
}

fn name(white: f64) -> &'static str {
    match (white * 4.0).round() as u8 {
        4 => "White won",
        3 => "White scored 3/4",
        2 => "Draw",
        1 => "White scored 1/4",
        _ => "Black won",
    }
}
