//! Report on claims: the verdicts by game, then for each game a forest plot of the measured claims and the inventor's statements with their
//! tests.

use assay_cli::chart::Scale;
use assay_rules::{GameDef, Position};
use maud::{Markup, html};

use super::{self as text, claim_class};
use crate::report::html::forest::{self, MIDDLE, Row};
use crate::report::html::{block, board, document, table};
use crate::report::measurement::file_facts;
use crate::report::page::Block;
use crate::values::claims::{Claimed, Claims, Finding, StatedAs};
use crate::values::inference::fieller::ConfidenceRegion;

const TITLE: &str = "The inventors' claims, tested on games";

/// The whole page.
pub fn page(claims: &Claims) -> String {
    let definitions = text::by_game(claims).filter_map(|findings| GameDef::builtin(&findings[0].game));
    let definitions: Vec<_> = definitions.collect();
    let body = html! {
        header {
            h1 { (TITLE) }
            p.lead { (text::headline(claims)) }
        }
        main {
            (board::sprites(definitions.iter().map(AsRef::as_ref)))
            section {
                (table(&text::verdicts_by_game(text::by_game(claims))))
                (legend())
            }
            @for findings in text::by_game(claims) { (self::game(findings)) }
            section {
                h2 { "Method" }
                p { b { "Verdicts. " } (text::VERDICTS) }
                p {
                    "Games between equal armies, games in which the armies lack different pieces, and games with handicaps are played by \
                     Assay against itself. Every opening is played twice, with colors or armies exchanged. Results hold for players of this \
                     strength."
                }
            }
            (manifest(claims))
        }
    };
    document(TITLE, &body)
}

/// Legend of the forest plots.
fn legend() -> Markup {
    let scale = Scale::width((0.0, 1.0));
    html! {
        p.legend {
            span { svg width="44" height="16" aria-hidden="true" { (forest::interval(&scale, 8.0, "plain", (0.0, 0.5, 1.0))) } "measured, with 95% interval" }
            span { svg width="16" height="16" aria-hidden="true" { (forest::reference(&scale, 0.5, 14.0)) } "claimed number" }
            span { svg width="44" height="16" aria-hidden="true" { rect.claimed x="0" y="0" width="44" height="16" {} } "claimed range" }
        }
        p.note { "In the pictures, each claim has its own scale, centered on what is claimed." }
    }
}

/// All claims about one game.
fn game(findings: &[Finding]) -> Markup {
    let title = &findings[0].title;
    let rules = GameDef::builtin(&findings[0].game);
    let rows: Vec<Row> = findings
        .iter()
        .filter(|finding| finding.measured.is_some())
        .map(row)
        .collect();
    html! {
        section {
            h2 { (title) }
            div.with-board[rules.is_some() && !rows.is_empty()] {
                @if let Some(rules) = &rules {
                    figure.start aria-label=(format!("Start position of {title}")) { (board::board(&Position::start(rules))) }
                }
                @if !rows.is_empty() {
                    (forest::without_axis(&format!("{title}: measured numbers with 95% intervals, and the claims"), &rows))
                }
            }
            h3 { "Statements and their tests" }
            @for same in findings.chunk_by(|one, other| one.quote == other.quote) {
                figure.quote {
                    blockquote { p { "\u{201c}" (same[0].quote) "\u{201d}" } }
                    figcaption.note { (text::source(&same[0])) }
                }
                (table(&text::tests(same)))
            }
        }
    }
}

/// The number that a row is centered on.
fn center(claimed: Claimed) -> f64 {
    claimed.value().unwrap_or(0.0)
}

/// A scale that shows everything and has the claim in its middle.
fn scale(finding: &Finding) -> Scale {
    let center = center(finding.claimed);
    let mut reach = match finding.claimed {
        Claimed::Near { within, .. } => within,
        _ => 0.0,
    };
    reach = finding
        .measured
        .map_or(reach, |measured| reach.max((measured - center).abs()));
    if let Some(ConfidenceRegion::Bounded { low, high }) = finding.interval {
        reach = reach.max((low - center).abs()).max((high - center).abs());
    }
    let reach = if reach > 0.0 { 1.15 * reach } else { 1.0 };
    Scale::width((center - reach, center + reach))
}

fn row(finding: &Finding) -> Row {
    let scale = scale(finding);
    let class = claim_class(finding.verdict);
    let band = match finding.claimed {
        Claimed::Near { value, within } => Some((scale.at(value - within), scale.at(value + within))),
        Claimed::MoreThan { value, .. } => Some((scale.at(value), 100.0)),
        Claimed::LessThan { value, .. } => Some((0.0, scale.at(value))),
        Claimed::Equal { .. } | Claimed::Joint { .. } => None,
    };
    let drawing = html! {
        @if let Some((from, to)) = band {
            rect.claimed x=(format!("{from}%")) y="6" width=(format!("{:.1}%", to - from)) height=(2.0 * (MIDDLE - 6.0)) {}
        }
        line.axis x1="50%" x2="50%" y1="6" y2=(2.0 * MIDDLE - 6.0) {}
        @match (finding.interval, finding.measured) {
            (Some(ConfidenceRegion::Bounded { low, high }), Some(measured)) => { (forest::interval(&scale, MIDDLE, class, (low, measured, high))) }
            (Some(_), _) => { (forest::unbounded(MIDDLE, class)) }
            (None, Some(measured)) => { circle.dot.(class) cx=(scale.coordinate(measured)) cy=(MIDDLE) r="6" {} }
            (None, None) => {}
        }
        @if let Claimed::Equal { value, .. } = finding.claimed { (forest::reference(&scale, value, MIDDLE - 5.0)) }
    };
    let stated_as = match finding.stated_as {
        StatedAs::Claim | StatedAs::Table => "",
        StatedAs::Aim => " (an aim)",
        StatedAs::Concession => " (a concession)",
    };
    let numbers = html! {
        div { b { (text::measured(finding)) } " (" (text::interval(finding)) ")" }
        div { span.(class) { (text::verdict(finding)) } " \u{b7} claimed " (text::claimed(finding.claimed)) (stated_as) }
    };
    Row {
        name: finding.claim.clone(),
        picture: None,
        drawing,
        numbers,
    }
}

fn manifest(claims: &Claims) -> Markup {
    let mut facts = vec![("Assay", claims.assay.clone())];
    facts.extend(claims.files.iter().flat_map(file_facts));
    html! {
        section {
            h2 { "Reproduce this report" }
            @if let Some(command) = &claims.command { pre { (command) } }
            (block(&Block::Facts(facts)))
        }
    }
}
