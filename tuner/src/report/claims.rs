//! Findings on claims, as text for a terminal and as a page: the verdicts by game, then for each
//! game a forest plot of the measured claims and the inventor's statements with their tests.
//! Statements are counted, not their parts.

use std::sync::Arc;

use assay_cli::chart::Scale;
use assay_cli::chart::forest::{self, MIDDLE, Row};
use assay_cli::format::{count, decimals, grouped};
use assay_cli::page::{Block, Page, Section};
use assay_cli::text::{enumeration, wrap};
use assay_cli::{Cell, Table};
use assay_rules::GameDef;
use maud::{Markup, html};

use super::format;
use super::html::board;
use super::sentences;
use crate::values::claims::{ClaimVerdict, Claimed, Claims, Finding, StatedAs};
use crate::values::data::clusters_of_imports;

/// Findings grouped by game.
fn by_game(claims: &Claims) -> impl Iterator<Item = &[Finding]> {
    claims.findings.chunk_by(|one, other| one.game == other.game)
}

/// A finding's parts, or the finding itself if it has none.
fn parts(finding: &Finding) -> &[Finding] {
    match &finding.parts[..] {
        [] => std::slice::from_ref(finding),
        parts => parts,
    }
}

/// The claimed number or range: `3.25`, `> 0`, `0.50 ± 0.02`.
fn claimed(claimed: Claimed) -> String {
    match claimed {
        Claimed::Equal { value, .. } => format!("{value:.2}"),
        Claimed::Near { value, within } => format!("{value:.2} ± {within:.2}"),
        Claimed::MoreThan { value, .. } => format!("> {value}"),
        Claimed::LessThan { value, .. } => format!("< {value}"),
        Claimed::Joint { .. } => "jointly".to_owned(),
    }
}

/// Decimals of a finding's numbers: as many as its interval deserves, and more for rare positions.
fn places(finding: &Finding) -> usize {
    let is_whole = |number: f64| number.fract().abs() < f64::EPSILON;
    match (finding.positions, finding.interval) {
        (Some(_), _) if finding.measured.is_some_and(is_whole) => 0,
        (Some(_), _) => 5,
        (None, Some([low, high])) if high - low < 1.0 => 3,
        (None, _) => 2,
    }
}

/// The estimate, or the p-value of a test of all parts.
fn measured(finding: &Finding) -> String {
    match (finding.measured, finding.p) {
        (Some(measured), _) => decimals(measured, places(finding)),
        (None, Some(p)) => format::p_value(p),
        (None, None) => format::NONE.to_owned(),
    }
}

/// The 95% interval; `exact` if there is no error.
fn interval(finding: &Finding) -> String {
    match finding.interval {
        None if finding.positions.is_some() => "exact".to_owned(),
        None if finding.measured.is_some() => "unbounded".to_owned(),
        None => format::NONE.to_owned(),
        Some([low, high]) => format::range(low, high, places(finding)),
    }
}

/// Number of games or, for a number that is exact, of positions behind a finding; the formula, if
/// the claim has a label instead; and the note.
fn note(finding: &Finding) -> String {
    let evidence = match (finding.positions, finding.games) {
        (Some(positions), _) => Some(count(positions, "position", "positions")),
        (None, 0) => None,
        (None, games) => Some(count(games, "game", "games")),
    };
    let formula = Some(&finding.formula).filter(|&formula| *formula != finding.claim && finding.parts.is_empty());
    let parts: Vec<&str> = evidence.iter().chain(formula).chain(&finding.note).map(String::as_str).collect();
    parts.join("; ")
}

/// The verdict in words, with the bound of an effect.
fn verdict(finding: &Finding) -> String {
    match (finding.verdict, finding.claimed) {
        (ClaimVerdict::NoEffect, Claimed::MoreThan { margin, .. } | Claimed::LessThan { margin, .. }) => {
            format!("no effect larger than {margin}")
        }
        (ClaimVerdict::NotTested, _) => "not tested, the players hardly do it".to_owned(),
        (verdict, _) => verdict.text().to_owned(),
    }
}

/// The document of a finding, and how it states what is tested.
fn source(finding: &Finding) -> String {
    let stated_as = match finding.stated_as {
        StatedAs::Claim => "",
        StatedAs::Table => ", a table",
        StatedAs::Aim => ", an aim",
        StatedAs::Concession => ", a concession",
    };
    format!("{}{stated_as}", finding.document)
}

/// The verdicts in their order, as predicates of one statement and of several.
const PREDICATES: [(ClaimVerdict, &str, &str); 5] = [
    (ClaimVerdict::Holds, "holds", "hold"),
    (ClaimVerdict::DoesNotHold, "does not hold", "do not hold"),
    (ClaimVerdict::NoEffect, "has no effect", "have no effect"),
    (ClaimVerdict::NotEnoughGames, "needs more games", "need more games"),
    (ClaimVerdict::NotTested, "is not tested", "are not tested"),
];

/// Number of findings with a verdict.
fn with_verdict<'f>(findings: impl Iterator<Item = &'f Finding>, verdict: ClaimVerdict) -> usize {
    findings.filter(|finding| finding.verdict == verdict).count()
}

/// Number of statements by verdict: `6 hold, 4 do not hold`.
fn verdict_counts(findings: &[Finding]) -> String {
    let parts = PREDICATES.map(|(verdict, one, many)| (with_verdict(findings.iter(), verdict), one, many));
    let parts = parts.into_iter().filter(|&(number, ..)| number > 0);
    parts.map(|(number, one, many)| count(number, one, many)).collect::<Vec<_>>().join(", ")
}

/// Summary of the verdicts. Aims and concessions are no claims.
pub fn headline(claims: &Claims) -> String {
    let stated = claims.findings.iter().filter(|finding| finding.stated_as.is_counted());
    let parts = PREDICATES.map(|(verdict, one, many)| {
        let (one, many) = match verdict {
            ClaimVerdict::NoEffect => {
                ("claims an effect larger than the games allow", "claim effects larger than the games allow")
            }
            _ => (one, many),
        };
        count(with_verdict(stated.clone(), verdict), one, many)
    });
    let stated = stated.count();
    let others = claims.findings.len() - stated;
    let mut text = format!("Of {}, {}.", count(stated, "statement", "statements"), enumeration(&parts));
    if others > 0 {
        let others = count(others, "aim or concession is", "aims or concessions are");
        text += &format!(" {others} not counted.");
    }
    text + &looks(claims)
}

/// The correction for the number of looks, after more than one look at games whose number grew.
fn looks(claims: &Claims) -> String {
    let most = claims.findings.iter().map(|finding| finding.alpha).max_by_key(|alpha| alpha.looks);
    most.filter(|alpha| alpha.looks > 1).map_or_else(String::new, |alpha| {
        format!(
            " The verdicts have been looked at before, with fewer games: this is look {}. All looks together may err in 5% of measurements; \
             this one has {}% of that, so its intervals are of {}% by themselves.",
            alpha.looks,
            decimals(100.0 * alpha.share, 1),
            decimals(100.0 * alpha.confidence(), 2)
        )
    })
}

/// CSS class that colors the verdict on a claim.
fn claim_class(verdict: ClaimVerdict) -> &'static str {
    match verdict {
        ClaimVerdict::Holds => "inside",
        ClaimVerdict::DoesNotHold | ClaimVerdict::NoEffect => "outside",
        ClaimVerdict::NotEnoughGames | ClaimVerdict::NotTested => "wide",
    }
}

/// Tests of statements, each with its parts below it.
fn tests(findings: &[Finding]) -> Table {
    let row = |finding: &Finding, name: String| {
        vec![
            Cell::from(name).note(note(finding)),
            claimed(finding.claimed).into(),
            Cell::from(measured(finding)).class("measured"),
            interval(finding).into(),
            Cell::from(verdict(finding)).class(claim_class(finding.verdict)),
        ]
    };
    let rows = findings.iter().flat_map(|finding| {
        let parts = finding.parts.iter();
        let parts = parts.map(|part| row(part, format!("  \u{b7} {}", part.claim)));
        std::iter::once(row(finding, finding.claim.clone())).chain(parts)
    });
    Table::of("", ["statement", "claimed", "measured", "95% interval", "verdict"], rows)
}

/// Number of statements by game and verdict.
fn verdicts_by_game(claims: &Claims) -> Table {
    let headings = std::iter::once("game").chain(PREDICATES.map(|(verdict, ..)| verdict.text()));
    let rows = by_game(claims).map(|findings| {
        let stated = findings.iter().filter(|finding| finding.stated_as.is_counted());
        let counts = PREDICATES.map(|(verdict, ..)| match with_verdict(stated.clone(), verdict) {
            0 => Cell::from(format::NONE),
            number => Cell::from(grouped(number)).class(claim_class(verdict)),
        });
        assay_cli::row(&findings[0].title, counts)
    });
    Table::of("Number of statements by game and verdict", headings, rows)
}

/// Explanation of the verdicts.
const VERDICTS: &str = "holds: the interval contains the claimed number and is narrow enough to support it (a quarter of a value to \
    each side, half of a bonus, 0.02 points around an even score), or lies entirely in the claimed range. does not hold: the interval \
    excludes the claimed number, or lies entirely outside of the claimed range. no effect larger than d: the games show neither \
    direction, and the interval lies within d of no effect. Intervals are 95% confidence intervals for each number by itself, with standard errors clustered by \
    opening pair. If games are added, the intervals of all looks hold together at 95%, and p-values are multiplied to match: the first \
    look at all planned games has intervals of 96% by themselves, each other look wider ones. A statement with several parts has one \
    verdict. It does not hold if a test of all parts rejects it, whose p-value is shown: a joint test of the numbers that are claimed \
    exactly, combined with those of directions and ranges (Bonferroni). It holds if all of its parts are supported. A statement counts \
    as rejected only after a correction for the number of statements in this report (Holm 1979), so that all true ones remain in 95 of 100 \
    reports. The verdicts on parts, by themselves, are not counted: one of many may miss by chance. That an equality holds, or that there \
    is no effect, is judged one by one. not tested: the players hardly do what the statement is about, so their games say nothing. Numbers of solved endgames and of start positions are exact.";

/// The text for a terminal: a line for each statement and each part, and with `details` the
/// sources, the evidence and what the verdicts mean.
pub fn text(claims: &Claims, details: bool) -> String {
    let mut text = String::new();
    for findings in by_game(claims) {
        text += &format!("{}: {}\n{}\n", findings[0].title, verdict_counts(findings), tests(findings));
        if !details {
            continue;
        }
        for finding in findings {
            let quote = format!("\u{201c}{}\u{201d} ({})", finding.quote, source(finding));
            text += &wrap("  ", &quote);
            for test in std::iter::once(finding).chain(&finding.parts) {
                text += &wrap("    - ", &format!("{}: {}", test.claim, note(test)));
            }
        }
        text.push('\n');
    }
    if !details {
        text += &imported(claims).map_or_else(String::new, |note| wrap("", &note));
        text += &wrap("", &headline(claims));
        return text + &wrap("", "More: --details (sources, number of games, what the verdicts mean)");
    }
    text += &imported(claims).map_or_else(String::new, |note| wrap("- ", &note));
    text += &wrap("- ", &headline(claims));
    text += &wrap("- ", &format!("Verdicts. {VERDICTS}"));
    let facts = claims.files.iter().flat_map(format::file_facts);
    text + &facts.map(|(name, fact)| wrap("", &format!("{name}: {fact}"))).collect::<String>()
}

fn imported(claims: &Claims) -> Option<String> {
    let clusters = clusters_of_imports(&claims.files);
    sentences::imported(&clusters, "a verdict is about these players and openings")
}

/// The whole page.
pub fn page(claims: &Claims) -> String {
    let definitions: Vec<_> = by_game(claims).filter_map(builtin_rules).collect();
    let legend = html! {
        p.legend {
            (forest::reference_legend("claimed number"))
            span { svg width="44" height="16" aria-hidden="true" { rect.claimed x="0" y="0" width="44" height="16" {} } "claimed range" }
        }
        p.note { "In the pictures, each claim has its own scale, centered on what is claimed." }
    };
    let first = vec![
        Block::Picture(board::sprites(definitions.iter().map(AsRef::as_ref))),
        Block::Table(verdicts_by_game(claims)),
        Block::Picture(legend),
    ];
    let method = "Games between equal armies, games in which the armies lack different pieces, and games with handicaps are played by \
        Assay against itself. Every opening is played twice, with colors or armies exchanged. Results hold for players of this \
        strength.";
    let method = vec![
        Block::Text(format!("Verdicts. {VERDICTS}")),
        Block::Text(imported(claims).unwrap_or_else(|| method.to_owned())),
    ];
    let facts = [("Assay", claims.assay.clone())].into_iter();
    let facts = facts.chain(claims.files.iter().flat_map(format::file_facts));
    let mut sections = vec![Section::new("", first)];
    sections.extend(by_game(claims).map(game));
    sections.extend([Section::new("Method", method), format::reproduce(claims.command.as_ref(), facts)]);
    let report = Page { title: "The inventors' claims, tested on games".to_owned(), lead: headline(claims), sections };
    report.html()
}

/// The built-in game that claims are about. A user's game may have its name.
fn builtin_rules(findings: &[Finding]) -> Option<Arc<GameDef>> {
    GameDef::builtin(&findings[0].game).filter(|game| game.title == findings[0].title)
}

/// All claims about one game.
fn game(findings: &[Finding]) -> Section {
    let title = &findings[0].title;
    let rules = builtin_rules(findings);
    let rows: Vec<Markup> = findings.iter().flat_map(parts).filter_map(row).collect();
    let picture = html! {
        div.with-board[rules.is_some() && !rows.is_empty()] {
            @if let Some(rules) = &rules { (board::start(rules, title, false)) }
            @if !rows.is_empty() {
                figure.forest.claims aria-label=(format!("{title}: measured numbers with 95% intervals, and the claims")) {
                    @for row in &rows { (row) }
                }
            }
        }
        h3 { "Statements and their tests" }
    };
    let mut blocks = vec![Block::Picture(picture)];
    for finding in findings {
        let quote = html! {
            figure.quote {
                blockquote { p { "\u{201c}" (finding.quote) "\u{201d}" } }
                figcaption.note { (source(finding)) }
            }
        };
        blocks.extend([Block::Picture(quote), Block::Table(tests(std::slice::from_ref(finding)))]);
    }
    Section::new(title, blocks)
}

/// The row of a measured claim, on a scale that shows everything and has the claim in its middle.
fn row(finding: &Finding) -> Option<Markup> {
    let value = finding.measured?;
    // A number without an interval is exact.
    let (low, high) = finding.interval.map_or((value, value), Into::into);
    let center = finding.claimed.value().unwrap_or(0.0);
    let (mark, range) = match finding.claimed {
        Claimed::Equal { value, .. } => (Some(value), None),
        Claimed::Near { value, within } => (None, Some((value - within, value + within))),
        Claimed::MoreThan { value, .. } => (None, Some((value, f64::INFINITY))),
        Claimed::LessThan { value, .. } => (None, Some((f64::NEG_INFINITY, value))),
        Claimed::Joint { .. } => (None, None),
    };
    let range_ends = range.into_iter().flat_map(|(from, to)| [from, to]).filter(|end| end.is_finite());
    let distances = [low, value, high].into_iter().chain(range_ends).map(|number| (number - center).abs());
    let reach = distances.fold(0.0, f64::max);
    let reach = if reach > 0.0 { 1.15 * reach } else { 1.0 };
    let scale = Scale::width((center - reach, center + reach));
    let ground = html! {
        @if let Some((from, to)) = range.map(|(from, to)| (scale.at(from), scale.at(to))) {
            rect.claimed x=(format!("{from}%")) y="6" width=(format!("{:.1}%", to - from)) height=(2.0 * (MIDDLE - 6.0)) {}
        }
        line.axis x1="50%" x2="50%" y1="6" y2=(2.0 * MIDDLE - 6.0) {}
    };
    let class = claim_class(finding.verdict);
    let stated_as = match finding.stated_as {
        StatedAs::Claim | StatedAs::Table => "",
        StatedAs::Aim => " (an aim)",
        StatedAs::Concession => " (a concession)",
    };
    let row = Row {
        name: finding.claim.clone(),
        picture: None,
        estimates: vec![(class, (low, value, high))],
        mark,
        numbers: html! {
            div { b { (measured(finding)) } " (" (interval(finding)) ")" }
            div { span.(class) { (verdict(finding)) } " \u{b7} claimed " (claimed(finding.claimed)) (stated_as) }
        },
    };
    Some(row.draw(&scale, &ground))
}
