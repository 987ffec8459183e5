//! A match report as one HTML file that needs no network.

mod chart;
mod style;
mod tables;

use assay_cli::format;
use maud::{DOCTYPE, Markup, html};

use super::{MatchReport, Names, text};
use crate::statistics::SprtDecision;
use crate::store::StoreError;
use crate::store::match_store::MatchStore;

/// The page.
///
/// # Errors
/// If the match cannot be read.
pub fn page(store: &MatchStore, names: &Names) -> Result<String, StoreError> {
    let mut score = store.beginning()?;
    let games = store.games()?;
    for game in &games {
        score.add(game);
    }
    let report = MatchReport::new(names, &score);
    let history = chart::History::new(&score);
    let [first, second] = &names.engines;
    let title = format!("{}: {first} against {second}", names.game);
    let unit = if report.is_paired() { "pair" } else { "game" };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (style::CSS) }
            }
            body {
                header {
                    h1 { (title) }
                    p.lead { (headline(&report)) }
                    p.note { (names.limits[0]) @if names.limits[0] != names.limits[1] { " against " (names.limits[1]) } "; openings: " (names.openings) }
                }
                section {
                    h2 { "Elo over time" }
                    (chart::elo(&history, unit))
                    p.note { "Elo of " (first) " after each " (unit) ", with its 95% confidence interval. The order is that of the " (unit) " numbers, not of the end of the games." }
                }
                @if let Some(sprt) = &report.sprt {
                    section {
                        h2 { "Sequential test (SPRT)" }
                        (chart::llr(&history, sprt, unit))
                        p.note { "Log-likelihood ratio. The test accepts H1 at the upper bound and H0 at the lower bound." }
                    }
                }
                section { h2 { "Results" } (tables::counts(&report)) pre { (text::results(&report)) (text::details(&report)) } }
                section { h2 { "Faults" } (tables::faults(&report, &games)) }
                section { h2 { "Openings" } (tables::openings(names, &games)) }
                section { h2 { "Reproduce this match" } (manifest(store)) }
            }
        }
    };
    Ok(page.into_string())
}

/// The main result in a sentence.
fn headline(report: &MatchReport) -> String {
    let [first, second] = &report.names.engines;
    let Some(elo) = report.elo else {
        return format!("No games of {first} and {second} count yet.");
    };
    let games = format::count(report.counted, "game", "games");
    let comparison = if elo.low > 0.0 {
        format!("{first} is stronger than {second}")
    } else if elo.high < 0.0 {
        format!("{first} is weaker than {second}")
    } else {
        format!("{first} and {second} do not differ significantly")
    };
    let decision = match report.decision() {
        SprtDecision::Continue => String::new(),
        decision => format!(" The SPRT is over: {decision}."),
    };
    format!(
        "{comparison}: {:+.1} Elo (95% interval {:+.1} to {:+.1}) after {games}.{decision}",
        elo.value, elo.low, elo.high
    )
}

fn manifest(store: &MatchStore) -> Markup {
    let keys = [
        "engine-1",
        "engine-1-program",
        "engine-1-limits",
        "engine-2",
        "engine-2-program",
        "engine-2-limits",
        "openings",
        "seed",
        "repeat",
        "sprt",
        "adjudication",
        "stall",
        "program",
        "created",
    ];
    let words: Vec<String> = store
        .row("words")
        .and_then(|words| serde_json::from_str(words).ok())
        .unwrap_or_default();
    html! {
        pre { "assay-selfplay match" @for word in &words { " " (quoted(word)) } }
        dl { @for key in keys { @if let Some(value) = store.row(key) { dt { (key) } dd { (value) } } } }
    }
}

fn quoted(word: &str) -> String {
    if word.contains([' ', '\'', '"', '$', '*', ';', '(', '&']) {
        format!("'{}'", word.replace('\'', "'\\''"))
    } else {
        word.to_owned()
    }
}
