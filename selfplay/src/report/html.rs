//! The report of a match or a tournament as one HTML file that needs no network.

mod chart;
mod tables;
mod tournament;

use assay_cli::format;
use assay_cli::output::printable;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{MatchReport, Report, text};
use crate::description::describe;
use crate::game::GameRecord;
use crate::settings::RunSettings;
use crate::standings::Standings;
use crate::statistics::{Anchor, SprtDecision};
use crate::store::{Store, StoreError};
use crate::tally::Tally;
use crate::tournament::score::MatchScore;

/// The page. An anchor counts in tournaments only.
///
/// # Errors
/// If the match cannot be read.
///
/// # Panics
/// If the run is self-play.
pub fn page(store: &Store, anchor: Option<Anchor>) -> Result<String, StoreError> {
    let settings = &store.header().settings;
    let (mut tally, mut standings) = (Tally::new(settings), Standings::new(settings));
    let games: Vec<GameRecord> = store.games().collect::<Result<_, _>>()?;
    for game in &games {
        tally.add(game);
        standings.add(game);
    }
    let report = Report::new(settings, &tally, &standings, anchor).expect("only matches and tournaments have a page");
    let (title, body) = match (&report, standings.match_score()) {
        (Report::Match(report), Some(score)) => (title(report), body(settings, report, score, &games)),
        (Report::Tournament(report), None) => {
            (tournament::title(report), tournament::body(store.header(), report, &games))
        }
        _ => unreachable!("a match has a score"),
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(include_str!("html/style.css"))) }
            }
            body {
                (body)
                section { h2 { "Settings" } dl { @for (name, text) in describe(store.header()) { dt { (name) } dd { (text) } } } }
            }
        }
    };
    Ok(printable(&page.into_string()).into_owned())
}

fn title(report: &MatchReport) -> String {
    let [first, second] = &report.engines;
    format!("{}: {first} against {second}", report.game)
}

/// The body of the page of a match.
fn body(settings: &RunSettings, report: &MatchReport, score: &MatchScore, games: &[GameRecord]) -> Markup {
    let history = chart::history(score);
    let (first, unit) = (&report.engines[0], report.unit());
    let faults: Vec<_> = report.engines.iter().map(String::as_str).zip(&report.faults).collect();
    html! {
        header {
            h1 { (title(report)) }
            p.lead { (headline(report)) }
            p.note { (report.limits[0]) @if report.limits[0] != report.limits[1] { " against " (report.limits[1]) } "; openings: " (report.openings) }
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
        section { h2 { "Results" } (tables::counts(report)) pre { (text::results(report)) (text::details(report)) } }
        section { h2 { "Faults" } (tables::faults(settings, &faults, games)) }
        section { h2 { "Openings" } (tables::openings(report, games)) }
    }
}

/// The main result in a sentence.
fn headline(report: &MatchReport) -> String {
    let [first, second] = &report.engines;
    let Some(elo) = report.elo else {
        return format!("No games of {first} and {second} count yet.");
    };
    let games = format::count(report.counted, "game", "games");
    let decision = match report.decision() {
        SprtDecision::Continue => String::new(),
        decision => format!(" The SPRT is over: {decision}."),
    };
    let comparison = if elo.low > 0.0 {
        format!("{first} is stronger than {second}")
    } else if elo.high < 0.0 {
        format!("{first} is weaker than {second}")
    } else {
        format!("{first} and {second} do not differ significantly")
    };
    // No signed number is infinite: a side without a bound is not mentioned.
    let interval = match (elo.low.is_finite(), elo.high.is_finite()) {
        (true, true) => format!("95% interval {:+.1} to {:+.1}", elo.low, elo.high),
        (true, false) => format!("at least {:+.1} Elo with 95% confidence", elo.low),
        (false, true) => format!("at most {:+.1} Elo with 95% confidence", elo.high),
        (false, false) => "the error is unknown".to_owned(),
    };
    let elo = if elo.value.is_finite() { format!("{:+.1} Elo ({interval})", elo.value) } else { interval };
    format!("{comparison}: {elo} after {games}.{decision}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example_match;
    use crate::statistics::ConfidenceInterval;

    #[test]
    fn headline_has_no_infinite_numbers() {
        let settings = example_match();
        let mut report = MatchReport::new(&settings, &Tally::default(), &settings.new_score());
        assert_eq!(headline(&report), "No games of a and b count yet.");
        report.counted = 10;
        let mut headline_of = |value, low, high| {
            report.elo = Some(ConfidenceInterval { value, low, high });
            headline(&report)
        };
        let (below, above) = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(
            headline_of(above, 183.1, above),
            "a is stronger than b: at least +183.1 Elo with 95% confidence after 10 games."
        );
        assert_eq!(
            headline_of(0.0, below, above),
            "a and b do not differ significantly: +0.0 Elo (the error is unknown) after 10 games."
        );
        assert_eq!(
            headline_of(20.0, 5.0, 35.0),
            "a is stronger than b: +20.0 Elo (95% interval +5.0 to +35.0) after 10 games."
        );
    }
}
