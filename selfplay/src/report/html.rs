//! A match report as one HTML file that needs no network.

mod chart;
mod style;
mod tables;

use assay_cli::format;
use assay_cli::output::printable;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{MatchReport, Names, text};
use crate::game::GameRecord;
use crate::statistics::SprtDecision;
use crate::store::{Store, StoreError, StoredRun};

/// The page.
///
/// # Errors
/// If the match cannot be read.
pub fn page(store: &Store, names: &Names) -> Result<String, StoreError> {
    let mut score = store.run().settings.new_score();
    let games: Vec<GameRecord> = store.games().collect::<Result<_, _>>()?;
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
                style { (PreEscaped(style::CSS)) }
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
                section { h2 { "Reproduce this match" } (manifest(store.run())) }
            }
        }
    };
    Ok(printable(&page.into_string()).into_owned())
}

/// The main result in a sentence.
fn headline(report: &MatchReport) -> String {
    let [first, second] = &report.names.engines;
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
    let elo = if elo.value.is_finite() {
        format!("{:+.1} Elo ({interval})", elo.value)
    } else {
        interval
    };
    format!("{comparison}: {elo} after {games}.{decision}")
}

fn manifest(run: &StoredRun) -> Markup {
    let settings = &run.settings;
    let mut rows: Vec<(String, String)> = Vec::new();
    for (number, (player, identity)) in settings.players.all().iter().zip(&run.identities).enumerate() {
        let label = format!("engine {}", number + 1);
        rows.push((label.clone(), format!("{} ({})", player.name, player.kind)));
        rows.push((format!("{label} program"), identity.clone()));
        rows.push((format!("{label} limits"), player.limits.to_string_with_margin()));
    }
    let others = [
        ("openings", settings.openings.to_string()),
        ("seed", settings.seed.to_string()),
        ("repeat", settings.repeat.to_string()),
        (
            "sprt",
            settings.sprt.map_or_else(|| "none".to_owned(), |sprt| sprt.to_string()),
        ),
        ("adjudication", settings.adjudication.text()),
        ("stall", format!("{} s", settings.stall.as_secs_f64())),
        ("program", run.program.clone()),
        ("started", run.created.clone()),
    ];
    rows.extend(others.map(|(key, value)| (key.to_owned(), value)));
    html! {
        pre { "assay-selfplay match" @for word in &run.command { " " (shell_words::quote(word)) } }
        dl { @for (key, value) in &rows { dt { (key) } dd { (value) } } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::ConfidenceInterval;
    use crate::tournament::score::MatchScore;

    #[test]
    fn headline_has_no_infinite_numbers() {
        let names = Names {
            game: "chess".to_owned(),
            engines: ["a".to_owned(), "b".to_owned()],
            limits: ["1+0.1".to_owned(), "1+0.1".to_owned()],
            openings: "none".to_owned(),
        };
        let mut report = MatchReport::new(&names, &MatchScore::new(3, true, None, false));
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
