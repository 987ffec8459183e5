//! The report on claims: for each game a plot of every number with its interval beside what is claimed of it, and the words.

use maud::{DOCTYPE, Markup, html};

use super::axis::Axis;
use super::style;
use crate::report::words;
use crate::values::claims::{Claimed, Claims, Finding, Verdict, text};
use crate::values::inference::fieller::Region;

const WIDTH: f64 = 920.0;
const LEFT: f64 = 360.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 44.0;
const ROW: f64 = 48.0;

/// The whole page.
pub fn page(claims: &Claims) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "What the inventors claim, held against games" }
                style { (style::CSS) }
            }
            body {
                header {
                    h1 { "What the inventors claim, held against games" }
                    p.lead { (text::headline(claims)) }
                    p.note { b { "Verdicts. " } (text::VERDICTS) }
                }
                @for findings in text::by_game(claims) { (game(findings)) }
                (manifest(claims))
            }
        }
    }
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "inside",
        Verdict::DoesNotHold => "outside",
        Verdict::TooFew => "wide",
    }
}

fn game(findings: &[Finding]) -> Markup {
    html! {
        section {
            h2 { (text::title(&findings[0].game)) }
            p.note { "Each line has a scale of its own: its middle is the claim. A claimed number is a triangle; where more or less than a \
                      number is claimed, the side on which that lies is shaded." }
            (plot(findings))
            @for same in findings.chunk_by(|one, other| one.quote == other.quote) {
                p { "\u{201c}" (same[0].quote) "\u{201d} " span.note { "(" (same[0].document) ")" } }
                (table(same))
            }
        }
    }
}

fn table(findings: &[Finding]) -> Markup {
    html! {
        div.scroll { table {
            thead { tr {
                th { "claim" } th.number { "claimed" } th.number { "measured" } th.number { "95% interval" } th { "verdict" } th.number { "games" }
            } }
            tbody { @for finding in findings {
                tr {
                    td { (finding.claim) div.note { (finding.unit) @if let Some(note) = &finding.note { "; " (note) } } }
                    td.number { (text::claimed(finding.claimed)) }
                    td.number { b { (text::measured(finding)) } }
                    td.number { (text::interval(finding)) }
                    td.(class(finding.verdict)) { (finding.verdict.text()) }
                    td.number { (words::thousands(finding.games)) }
                }
            } }
        } }
    }
}

/// The claims of a game that have a number, a line each.
fn plot(findings: &[Finding]) -> Markup {
    let rows: Vec<&Finding> = findings.iter().filter(|finding| finding.measured.is_some()).collect();
    let bottom = TOP + ROW * rows.len() as f64;
    html! {
        @if !rows.is_empty() {
            svg viewBox=(format!("0 0 {WIDTH} {}", bottom + 10.0)) role="img" aria-label="Claims, measured numbers and their intervals" {
                text.soft x=(LEFT - 14.0) y=(TOP - 14.0) text-anchor="end" { "claim" }
                text.soft x=(f64::midpoint(LEFT, RIGHT)) y=(TOP - 14.0) text-anchor="middle" { "less \u{2190} claimed \u{2192} more" }
                text.soft x=(RIGHT + 24.0) y=(TOP - 14.0) { "measured (95% interval), verdict" }
                @for (index, finding) in rows.iter().enumerate() {
                    @if index % 2 == 0 { rect.row x="0" y=(TOP + ROW * index as f64) width=(WIDTH) height=(ROW) {} }
                    (line(finding, TOP + ROW * (index as f64 + 0.5)))
                }
            }
        }
    }
}

/// The number that a line is centred on.
fn centre(claimed: Claimed) -> f64 {
    match claimed {
        Claimed::Equal { value, .. }
        | Claimed::Near { value, .. }
        | Claimed::MoreThan { value }
        | Claimed::LessThan { value } => value,
        Claimed::Together { .. } => 0.0,
    }
}

/// As far to both sides as anything to show lies from the claim.
fn axis(finding: &Finding) -> Axis {
    let centre = centre(finding.claimed);
    let mut reach = match finding.claimed {
        Claimed::Near { within, .. } => within,
        _ => 0.0,
    };
    reach = finding
        .measured
        .map_or(reach, |measured| reach.max((measured - centre).abs()));
    if let Some(Region::Bounded { low, high }) = finding.interval {
        reach = reach.max((low - centre).abs()).max((high - centre).abs());
    }
    let reach = if reach > 0.0 { 1.15 * reach } else { 1.0 };
    Axis {
        range: (centre - reach, centre + reach),
        pixels: (LEFT, RIGHT),
    }
}

fn line(finding: &Finding, y: f64) -> Markup {
    let axis = axis(finding);
    let class = class(finding.verdict);
    let middle = axis.at(centre(finding.claimed));
    let (low, high) = axis.range;
    let band = match finding.claimed {
        Claimed::Near { value, within } => Some((value - within, value + within)),
        Claimed::MoreThan { value } => Some((value, high)),
        Claimed::LessThan { value } => Some((low, value)),
        Claimed::Equal { .. } | Claimed::Together { .. } => None,
    };
    html! {
        // Long claims take two lines.
        @let (first, second) = halves(&finding.claim);
        text x=(LEFT - 14.0) y=(if second.is_empty() { y + 5.0 } else { y - 3.0 }) text-anchor="end" { (first) }
        @if !second.is_empty() { text x=(LEFT - 14.0) y=(y + 14.0) text-anchor="end" { (second) } }
        @if let Some((from, to)) = band {
            rect.claimed x=(axis.at(from)) y=(y - 15.0) width=(format!("{:.1}", axis.at(to) - axis.at(from))) height="30" {}
        }
        line.axis x1=(middle) x2=(middle) y1=(y - 15.0) y2=(y + 15.0) {}
        @match finding.interval {
            Some(Region::Bounded { low, high }) => { line.bar.(class) x1=(axis.at(low)) x2=(axis.at(high).max(axis.at(low) + 2.0)) y1=(y) y2=(y) {} }
            Some(_) => { line.bar.(class).later x1=(LEFT) x2=(RIGHT) y1=(y) y2=(y) {} }
            None => {}
        }
        @if let Some(measured) = finding.measured { circle.dot.(class) cx=(axis.at(measured)) cy=(y) r="7" {} }
        @if matches!(finding.claimed, Claimed::Equal { .. }) {
            path.claim d=(format!("M{middle:.1} {:.1} l-8 -14 h16 z", y - 5.0)) {}
        }
        text x=(RIGHT + 24.0) y=(y - 3.0) { (text::measured(finding)) " (" (text::interval(finding)) ")" }
        text.(class) x=(RIGHT + 24.0) y=(y + 14.0) { (finding.verdict.text()) }
    }
}

/// A text in two lines, when it is too long for one.
fn halves(text: &str) -> (&str, &str) {
    const LONGEST: usize = 46;
    if text.chars().count() <= LONGEST {
        return (text, "");
    }
    let half = text.len() / 2;
    let breaks = text
        .char_indices()
        .filter(|&(_, letter)| letter == ' ')
        .map(|(at, _)| at);
    breaks
        .min_by_key(|at| at.abs_diff(half))
        .map_or((text, ""), |at| (&text[..at], &text[at + 1..]))
}

fn manifest(claims: &Claims) -> Markup {
    html! {
        section {
            h2 { "To repeat this" }
            @if let Some(command) = &claims.command { pre { (command) } }
            dl {
                dt { "Assay" } dd { (claims.assay) }
                @for file in &claims.files { (super::file(file)) }
            }
        }
    }
}
