//! The report of a match: one HTML file that needs nothing else.

mod chart;
mod style;
mod tables;

use maud::{DOCTYPE, Markup, html};

use crate::report::{Names, more, results};
use crate::statistics::{EloEstimate, SprtDecision};
use crate::store::StoreError;
use crate::store::match_store::MatchStore;
use crate::tournament::score::MatchScore;

/// The whole page.
///
/// # Errors
/// When the match cannot be read.
pub fn page(store: &MatchStore, names: &Names) -> Result<String, StoreError> {
    let mut standing = store.beginning()?;
    let games = store.games()?;
    for game in &games {
        standing.add(game);
    }
    let course = chart::Course::of(&standing);
    let title = format!("{}: {} against {}", names.game, names.engines[0], names.engines[1]);
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
                    p.lead { (headline(names, &standing)) }
                    p.note { (names.limits[0]) @if names.limits[0] != names.limits[1] { " against " (names.limits[1]) } "; openings: " (names.openings) }
                }
                section {
                    h2 { "Score over time" }
                    (chart::elo(&course))
                    p.note { "Logistic Elo of " (names.engines[0]) " after each " (unit(&standing)) ", with its 95% interval. " (capitalized(unit(&standing))) "s are counted in the order of their numbers." }
                }
                @if standing.sprt().is_some() {
                    section {
                        h2 { "The test" }
                        (chart::llr(&course, &standing))
                        p.note { "The log-likelihood ratio. It ends at the upper bound with H1, at the lower one with H0." }
                    }
                }
                section { h2 { "Results" } (tables::counts(&standing)) pre { (results(names, &standing)) (more(names, &standing)) } }
                section { h2 { "Faults" } (tables::faults(names, &standing, &games)) }
                section { h2 { "Openings" } (tables::openings(names, &games)) }
                section { h2 { "To repeat this" } (manifest(store)) }
            }
        }
    };
    Ok(page.into_string())
}

fn unit(standing: &MatchScore) -> &'static str {
    if standing.is_paired() { "pair" } else { "game" }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_ascii_uppercase().to_string() + letters.as_str()
    })
}

/// The one sentence that a reader takes away.
fn headline(names: &Names, standing: &MatchScore) -> String {
    let [first, second] = &names.engines;
    let Some(estimate) = EloEstimate::from_counts(standing.sample()) else {
        return format!("{first} and {second} have not finished a {} yet.", unit(standing));
    };
    let elo = estimate.elo;
    let games = standing.singles().games();
    let sure = if elo.low > 0.0 {
        format!("{first} is stronger than {second}")
    } else if elo.high < 0.0 {
        format!("{first} is weaker than {second}")
    } else {
        format!("{games} games do not tell {first} and {second} apart")
    };
    let verdict = match standing.verdict() {
        SprtDecision::Continue => String::new(),
        verdict => format!(" The sequential test is decided: {verdict}."),
    };
    format!(
        "{sure}: {:+.1} Elo (95% interval {:+.1} to {:+.1}) over {games} games.{verdict}",
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
