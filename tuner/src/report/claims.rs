//! Findings on claims as text for a terminal, and the words that the HTML report shares with it.

mod page;

use assay_cli::format::{count, decimals, grouped};
use assay_cli::text::wrap;
use assay_cli::{Align, Table};

use crate::report::format;
use crate::report::measurement::file_facts;
use crate::report::page::{self as tables, Cell};
use crate::values::claims::{ClaimVerdict, Claimed, Claims, Finding, StatedAs};
use crate::values::inference::fieller::ConfidenceRegion;
pub use page::page;

/// Findings grouped by game.
pub fn by_game(claims: &Claims) -> impl Iterator<Item = &[Finding]> {
    claims.findings.chunk_by(|one, other| one.game == other.game)
}

/// The claimed number or range: `3.25`, `> 0`, `0.50 ± 0.02`.
pub fn claimed(claimed: Claimed) -> String {
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
    match (
        finding.positions,
        finding.interval.and_then(|interval| interval.width()),
    ) {
        (Some(_), _) if finding.measured.is_some_and(is_whole) => 0,
        (Some(_), _) => 5,
        (None, Some(width)) if width < 1.0 => 3,
        (None, _) => 2,
    }
}

/// The estimate, or the p-value of a joint test.
pub fn measured(finding: &Finding) -> String {
    match (finding.measured, finding.p) {
        (Some(measured), _) => decimals(measured, places(finding)),
        (None, Some(p)) => format::p_value(p),
        (None, None) => format::NONE.to_owned(),
    }
}

/// The 95% interval; `exact` if there is no error.
pub fn interval(finding: &Finding) -> String {
    let places = places(finding);
    match finding.interval {
        None if finding.positions.is_some() => "exact".to_owned(),
        Some(ConfidenceRegion::Bounded { low, high }) => {
            format!("{} to {}", decimals(low, places), decimals(high, places))
        }
        other => format::interval(other, places),
    }
}

/// The formula, if the claim has a label instead, and the note.
fn explanation(finding: &Finding) -> String {
    let formula = Some(&finding.formula).filter(|&formula| *formula != finding.claim);
    let parts: Vec<&str> = formula.into_iter().chain(&finding.note).map(String::as_str).collect();
    parts.join("; ")
}

/// Number of games or, for a number that is exact, of positions behind a finding; `None` if there are no games yet.
fn evidence(finding: &Finding) -> Option<String> {
    match (finding.positions, finding.games) {
        (Some(positions), _) => Some(count(positions, "position", "positions")),
        (None, 0) => None,
        (None, games) => Some(count(games, "game", "games")),
    }
}

/// One verdict in words, with the bound of an effect.
fn words(finding: &Finding, verdict: ClaimVerdict) -> String {
    match (verdict, finding.claimed) {
        (ClaimVerdict::NoEffect, Claimed::MoreThan { margin, .. } | Claimed::LessThan { margin, .. }) => {
            format!("no effect larger than {margin}")
        }
        _ => verdict.text().to_owned(),
    }
}

/// The verdict, and the one after the correction for the number of tests if it differs.
pub fn verdict(finding: &Finding) -> String {
    let verdict = words(finding, finding.verdict);
    match finding.corrected_verdict {
        Some(corrected) if corrected != finding.verdict => {
            format!("{verdict} (corrected: {})", words(finding, corrected))
        }
        _ => verdict,
    }
}

/// The document of a finding, and how it states what is tested.
pub fn source(finding: &Finding) -> String {
    let stated_as = match finding.stated_as {
        StatedAs::Claim => "",
        StatedAs::Table => ", a table",
        StatedAs::Aim => ", an aim",
        StatedAs::Concession => ", a concession",
    };
    format!("{}{stated_as}", finding.document)
}

/// Number of claims by verdict: `6 hold, 4 do not hold`.
fn verdict_counts(findings: &[Finding]) -> String {
    let parts = [
        (ClaimVerdict::Holds, "holds", "hold"),
        (ClaimVerdict::DoesNotHold, "does not hold", "do not hold"),
        (ClaimVerdict::NoEffect, "has no effect", "have no effect"),
        (ClaimVerdict::NotEnoughGames, "needs more games", "need more games"),
    ];
    let parts = parts.into_iter().filter_map(|(verdict, one, many)| {
        let count = findings.iter().filter(|finding| finding.verdict == verdict).count();
        (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Summary of the verdicts. Aims and concessions are no claims.
pub fn headline(claims: &Claims) -> String {
    let (stated, others): (Vec<&Finding>, Vec<&Finding>) = claims
        .findings
        .iter()
        .partition(|finding| finding.stated_as.is_counted());
    let of = |verdict: ClaimVerdict| stated.iter().filter(|finding| finding.verdict == verdict).count();
    let verb =
        |count: usize, singular: &str, plural: &str| format!("{count} {}", if count == 1 { singular } else { plural });
    let mut text = format!(
        "Of {}, {}, {}, {} and {}.",
        count(stated.len() as u64, "claim", "claims"),
        verb(of(ClaimVerdict::Holds), "holds", "hold"),
        verb(of(ClaimVerdict::DoesNotHold), "does not hold", "do not hold"),
        verb(
            of(ClaimVerdict::NoEffect),
            "claims an effect larger than the games allow",
            "claim effects larger than the games allow"
        ),
        verb(of(ClaimVerdict::NotEnoughGames), "needs more games", "need more games")
    );
    if !others.is_empty() {
        let others = count(
            others.len() as u64,
            "test of an aim or concession is",
            "tests of aims or concessions are",
        );
        text += &format!(" {others} not counted.");
    }
    let changed = claims.findings.iter().filter(|finding| {
        let corrected = finding.corrected_verdict;
        corrected.is_some_and(|corrected| corrected != finding.verdict)
    });
    let changed = count(changed.count() as u64, "verdict", "verdicts");
    text + &format!(" The correction for the number of tests changes {changed}.")
}

/// CSS class that colors the verdict on a claim.
pub(super) fn claim_class(verdict: ClaimVerdict) -> &'static str {
    match verdict {
        ClaimVerdict::Holds => "inside",
        ClaimVerdict::DoesNotHold | ClaimVerdict::NoEffect => "outside",
        ClaimVerdict::NotEnoughGames => "wide",
    }
}

/// Tests of claims, for a page.
pub(super) fn tests(findings: &[Finding]) -> tables::Table {
    let rows = findings.iter().map(|finding| {
        vec![
            Cell::from(&finding.claim).note(explanation(finding)),
            claimed(finding.claimed).into(),
            Cell::from(measured(finding)).class("measured"),
            interval(finding).into(),
            Cell::from(verdict(finding)).class(claim_class(finding.verdict)),
            evidence(finding).unwrap_or_else(|| format::NONE.to_owned()).into(),
        ]
    });
    let headings = ["claim", "claimed", "measured", "95% interval", "verdict", "from"];
    tables::Table::new("", headings, rows)
}

/// Number of claims by game and verdict.
pub(super) fn verdicts_by_game<'f>(games: impl Iterator<Item = &'f [Finding]>) -> tables::Table {
    const VERDICTS: [ClaimVerdict; 4] = [
        ClaimVerdict::Holds,
        ClaimVerdict::DoesNotHold,
        ClaimVerdict::NoEffect,
        ClaimVerdict::NotEnoughGames,
    ];
    let headings = std::iter::once("game").chain(VERDICTS.map(ClaimVerdict::text));
    let rows = games.map(|findings| {
        let stated = || findings.iter().filter(|finding| finding.stated_as.is_counted());
        let with = |verdict| stated().filter(|finding| finding.verdict == verdict).count();
        let name = Cell::from(&*findings[0].title);
        let counts = VERDICTS.map(|verdict| match with(verdict) {
            0 => format::NONE.into(),
            count => Cell::from(grouped(count as u64)).class(claim_class(verdict)),
        });
        std::iter::once(name).chain(counts).collect()
    });
    tables::Table::new("Number of claims by game and verdict", headings, rows)
}

/// Explanation of the verdicts.
pub const VERDICTS: &str = "holds: the interval contains the claimed number and is narrow enough to support it (a quarter of a value to each \
    side, half of a bonus, 0.02 points around an even score), or lies entirely in the claimed range. does not hold: the interval excludes \
    the claimed number, or lies entirely outside of the claimed range. no effect larger than d: the games show neither direction, and the interval lies within d of no effect. Intervals are 95% \
    confidence intervals for each claim by itself, with standard errors clustered by opening pair: about one true claim in twenty will seem \
    not to hold. The corrected verdict counts a number as rejected only if at most one rejection in twenty is expected to be false among all \
    of this report (Benjamini and Hochberg 1995); it is shown where it differs. The correction covers rejections only: that an equality holds, \
    or that there is no effect, is judged claim by claim. Numbers of solved endgames and of start positions are exact.";

/// The text for a terminal: a line for each claim, and with `details` the sources, the evidence and what the verdicts mean.
pub fn text(claims: &Claims, details: bool) -> String {
    let mut text = String::new();
    for findings in by_game(claims) {
        text += &format!("{}: {}\n", findings[0].title, verdict_counts(findings));
        let mut table = Table::new([
            ("claim", Align::Left),
            ("claimed", Align::Right),
            ("measured", Align::Right),
            ("95% interval", Align::Right),
            ("verdict", Align::Left),
        ]);
        for finding in findings {
            table.row([
                finding.claim.clone(),
                claimed(finding.claimed),
                measured(finding),
                interval(finding),
                verdict(finding),
            ]);
        }
        text += &table.to_string();
        text.push('\n');
        if !details {
            continue;
        }
        for same in findings.chunk_by(|one, other| one.quote == other.quote) {
            let quote = format!("\u{201c}{}\u{201d} ({})", same[0].quote, source(&same[0]));
            text += &wrap("  ", &quote);
            for finding in same {
                let parts = [
                    evidence(finding),
                    Some(explanation(finding)).filter(|text| !text.is_empty()),
                ];
                let parts: Vec<String> = parts.into_iter().flatten().collect();
                text += &wrap("    - ", &format!("{}: {}", finding.claim, parts.join("; ")));
            }
        }
        text.push('\n');
    }
    if !details {
        text += &wrap("", &headline(claims));
        return text + &wrap("", "More: --details (sources, number of games, what the verdicts mean)");
    }
    text += &wrap("- ", &headline(claims));
    text += &wrap("- ", &format!("Verdicts. {VERDICTS}"));
    let facts = claims.files.iter().flat_map(file_facts);
    text + &facts
        .map(|(name, fact)| wrap("", &format!("{name}: {fact}")))
        .collect::<String>()
}
