//! Findings on claims as text for a terminal, and the words that the HTML report shares with it.

use assay_cli::format::{count, decimals};
use assay_cli::text::wrap;
use assay_cli::{Align, Table};
use assay_rules::GameDef;

use crate::report::format;
use crate::report::text::file;
use crate::values::claims::{ClaimVerdict, Claimed, Claims, Finding};
use crate::values::inference::fieller::ConfidenceRegion;

/// Title of a game; its name if it is not built in.
pub fn title(game: &str) -> String {
    GameDef::builtin(game).map_or_else(|| game.to_owned(), |def| def.title.clone())
}

/// Findings grouped by game.
pub fn by_game(claims: &Claims) -> impl Iterator<Item = &[Finding]> {
    claims.findings.chunk_by(|one, other| one.game == other.game)
}

/// The claimed number or range: `3.25`, `> 0`, `0.50 ± 0.02`.
pub fn claimed(claimed: Claimed) -> String {
    match claimed {
        Claimed::Equal { value, .. } => format!("{value:.2}"),
        Claimed::Near { value, within } => format!("{value:.2} ± {within:.2}"),
        Claimed::MoreThan { value } => format!("> {value}"),
        Claimed::LessThan { value } => format!("< {value}"),
        Claimed::Joint { .. } => "jointly".to_owned(),
    }
}

/// Decimals of a finding's numbers: scores and shares need three.
fn places(finding: &Finding) -> usize {
    let is_small = finding.unit.contains("point") || finding.unit.contains("score") || finding.unit.contains("share");
    if is_small { 3 } else { 2 }
}

/// The estimate, or the p-value of a joint test.
pub fn measured(finding: &Finding) -> String {
    match (finding.measured, finding.p) {
        (Some(measured), _) => decimals(measured, places(finding)),
        (None, Some(p)) => format::p_value(p),
        (None, None) => format::NONE.to_owned(),
    }
}

/// The 95% interval.
pub fn interval(finding: &Finding) -> String {
    let places = places(finding);
    match finding.interval {
        Some(ConfidenceRegion::Bounded { low, high }) => {
            format!("{} to {}", decimals(low, places), decimals(high, places))
        }
        other => format::interval(other),
    }
}

/// One-sentence summary of the verdicts.
pub fn headline(claims: &Claims) -> String {
    let of = |verdict: ClaimVerdict| {
        let findings = claims.findings.iter().filter(|finding| finding.verdict == verdict);
        findings.count()
    };
    let verb =
        |count: usize, singular: &str, plural: &str| format!("{count} {}", if count == 1 { singular } else { plural });
    format!(
        "Of {}, {}, {} and {}.",
        count(claims.findings.len() as u64, "claim", "claims"),
        verb(of(ClaimVerdict::Holds), "holds", "hold"),
        verb(of(ClaimVerdict::DoesNotHold), "does not hold", "do not hold"),
        verb(of(ClaimVerdict::NeedsMoreGames), "needs more games", "need more games")
    )
}

/// Explanation of the verdicts.
pub const VERDICTS: &str = "holds: the interval contains the claimed number and is narrow enough to support it (a quarter of a value to each \
    side, half of a bonus, 0.02 points around an even score), or lies entirely in the claimed range. does not hold: the interval excludes \
    the claim. Intervals are 95% confidence intervals for each claim by itself, with standard errors clustered by opening pair: about one \
    true claim in twenty will seem not to hold. The joint tests account for that.";

/// The text for a terminal.
pub fn text(claims: &Claims) -> String {
    let mut text = String::new();
    for findings in by_game(claims) {
        text += &format!("{}\n", title(&findings[0].game));
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
                finding.verdict.text().to_owned(),
            ]);
        }
        text += &table.to_string();
        text.push('\n');
        for same in findings.chunk_by(|one, other| one.quote == other.quote) {
            let quote = format!("\u{201c}{}\u{201d} ({})", same[0].quote, same[0].document);
            text += &wrap("  ", &quote);
            for finding in same {
                let note = finding
                    .note
                    .as_ref()
                    .map(|note| format!("; {note}"))
                    .unwrap_or_default();
                let games = count(finding.games, "game", "games");
                text += &wrap("    - ", &format!("{}: {}; {games}{note}", finding.claim, finding.unit));
            }
        }
        text.push('\n');
    }
    text += &wrap("- ", &headline(claims));
    text += &wrap("- ", &format!("Verdicts. {VERDICTS}"));
    for played in &claims.files {
        text += &file(played);
    }
    text
}
