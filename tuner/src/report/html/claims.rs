//! Report on claims: for each game a forest plot of the measured claims, then the inventor's statements with their tests.

use assay_cli::chart::Scale;
use assay_cli::format::grouped;
use maud::{Markup, html};

use super::forest::{self, MIDDLE, Row};
use crate::report::claims as text;
use crate::values::claims::{ClaimVerdict, Claimed, Claims, Finding};
use crate::values::inference::fieller::ConfidenceRegion;

const TITLE: &str = "The inventors' claims, tested on games";

/// The whole page.
pub fn page(claims: &Claims) -> String {
    let body = html! {
        header {
            h1 { (TITLE) }
            p.lead { (text::headline(claims)) }
            p.note { (text::VERDICTS) }
        }
        main {
            @for findings in text::by_game(claims) { (game(findings)) }
            (manifest(claims))
        }
    };
    super::page(TITLE, &body)
}

fn class(verdict: ClaimVerdict) -> &'static str {
    match verdict {
        ClaimVerdict::Holds => "inside",
        ClaimVerdict::DoesNotHold | ClaimVerdict::NoEffect => "outside",
        ClaimVerdict::NotEnoughGames => "wide",
    }
}

fn game(findings: &[Finding]) -> Markup {
    let measured = findings.iter().filter(|finding| finding.measured.is_some());
    let rows: Vec<Row> = measured.map(row).collect();
    html! {
        section {
            h2 { (text::title(&findings[0].game)) }
            @if !rows.is_empty() {
                p.note { "Each line has its own scale, centered on the claim. A triangle marks a claimed number; shading marks a claimed range." }
                (forest::without_axis("Measured numbers with 95% intervals, and the claims", &rows))
            }
            @for same in findings.chunk_by(|one, other| one.quote == other.quote) {
                p.quote { "\u{201c}" (same[0].quote) "\u{201d} " span.note { "(" (text::source(&same[0])) ")" } }
                (table(same))
            }
        }
    }
}

fn table(findings: &[Finding]) -> Markup {
    html! {
        table.list role="table" {
            caption { "Tests of this statement" }
            thead role="rowgroup" { tr role="row" {
                @for (heading, is_number) in [("claim", false), ("claimed", true), ("measured", true), ("95% interval", true), ("verdict", false), ("games", true)] {
                    th.number[is_number] scope="col" role="columnheader" { (heading) }
                }
            } }
            tbody role="rowgroup" { @for finding in findings {
                tr role="row" {
                    th scope="row" role="rowheader" { (finding.claim) div.note { (finding.unit) @if let Some(note) = &finding.note { "; " (note) } } }
                    td.number role="cell" data-label="claimed" { (text::claimed(finding.claimed)) }
                    td.number role="cell" data-label="measured" { b { (text::measured(finding)) } }
                    td.number role="cell" data-label="95% interval" { (text::interval(finding)) }
                    td.(class(finding.verdict)) role="cell" data-label="verdict" { (text::verdict(finding)) }
                    td.number role="cell" data-label="games" { (grouped(finding.games)) }
                }
            } }
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
    let class = class(finding.verdict);
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
            _ => {}
        }
        @if let Claimed::Equal { value, .. } = finding.claimed { (forest::reference(&scale, value, MIDDLE - 5.0)) }
    };
    let numbers = html! {
        b { (text::measured(finding)) } " (" (text::interval(finding)) ") "
        span.(class) { (text::verdict(finding)) }
    };
    Row {
        name: finding.claim.clone(),
        picture: None,
        drawing,
        numbers,
    }
}

fn manifest(claims: &Claims) -> Markup {
    html! {
        section {
            h2 { "Reproduce this report" }
            @if let Some(command) = &claims.command { pre { (command) } }
            dl {
                dt { "Assay" } dd { (claims.assay) }
                @for file in &claims.files { (super::file(file)) }
            }
        }
    }
}
