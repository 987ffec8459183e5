//! Findings in words, for the terminal and the report.

use assay_rules::GameDef;

use super::{Claimed, Claims, Finding, Verdict};
use crate::report::table::{columns, wrapped};
use crate::report::words;
use crate::values::inference::fieller::Region;

/// A game's proper name.
pub fn title(game: &str) -> String {
    GameDef::builtin(game).map_or_else(|| game.to_owned(), |def| def.title.clone())
}

/// Findings by game, in their order.
pub fn by_game(claims: &Claims) -> impl Iterator<Item = &[Finding]> {
    claims.findings.chunk_by(|one, other| one.game == other.game)
}

/// What is said of the number: `3.25`, `more than 0`, `0.50, give or take 0.02`.
pub fn claimed(claimed: Claimed) -> String {
    match claimed {
        Claimed::Equal { value, .. } => format!("{value:.2}"),
        Claimed::Near { value, within } => format!("{value:.2} \u{b1} {within:.2}"),
        Claimed::MoreThan { value } => format!("> {value}"),
        Claimed::LessThan { value } => format!("< {value}"),
        Claimed::Together { .. } => "together".to_owned(),
    }
}

/// Digits that numbers of this size are told with: scores and shares are small.
fn digits(finding: &Finding) -> usize {
    let is_small = finding.unit.contains("point") || finding.unit.contains("score") || finding.unit.contains("share");
    if is_small { 3 } else { 2 }
}

/// The best estimate, or the probability of a joint test.
pub fn measured(finding: &Finding) -> String {
    let digits = digits(finding);
    match (finding.measured, finding.p) {
        (Some(measured), _) => format!("{measured:.digits$}"),
        (None, Some(p)) if p < 0.001 => "p < 0.001".to_owned(),
        (None, Some(p)) => format!("p = {p:.3}"),
        (None, None) => "\u{2014}".to_owned(),
    }
}

/// The interval.
pub fn interval(finding: &Finding) -> String {
    let digits = digits(finding);
    match finding.interval {
        Some(Region::Bounded { low, high }) => format!("{low:.digits$} to {high:.digits$}"),
        other => words::interval(other),
    }
}

/// The answer in a sentence.
pub fn headline(claims: &Claims) -> String {
    let count = |verdict: Verdict| {
        claims
            .findings
            .iter()
            .filter(|finding| finding.verdict == verdict)
            .count()
    };
    format!(
        "Of {} statements {} hold, {} do not; on {} there are too few games to say.",
        claims.findings.len(),
        count(Verdict::Holds),
        count(Verdict::DoesNotHold),
        count(Verdict::TooFew)
    )
}

/// What verdicts mean.
pub const VERDICTS: &str = "holds: the interval holds the number that is claimed and is narrow enough to mean something (a quarter of a \
    value to each side, half of a bonus; within 0.02 points of an even score), or lies wholly on the claimed side. does not hold: the interval excludes what \
    is claimed. Intervals are at 95%, one statement at a time, with errors by opening pair; of many statements that are true one in \
    twenty will seem not to hold, and the joint tests allow for that.";

/// The terminal's text.
pub fn text(claims: &Claims) -> String {
    let mut text = String::new();
    for findings in by_game(claims) {
        let game = &findings[0].game;
        text += &format!("{}\n", title(game));
        let header = ["claim", "claimed", "measured", "95% interval", "verdict"];
        let mut rows = vec![header.map(str::to_owned)];
        rows.extend(findings.iter().map(|finding| {
            [
                finding.claim.clone(),
                claimed(finding.claimed),
                measured(finding),
                interval(finding),
                finding.verdict.text().to_owned(),
            ]
        }));
        text += &columns(&rows, |column| (1..=3).contains(&column));
        text.push('\n');
        for same in findings.chunk_by(|one, other| one.quote == other.quote) {
            text += &wrapped(
                "  ",
                &format!("\u{201c}{}\u{201d} ({})", same[0].quote, same[0].document),
            );
            for finding in same {
                let games = words::thousands(finding.games);
                let note = finding
                    .note
                    .as_deref()
                    .map(|note| format!("; {note}"))
                    .unwrap_or_default();
                text += &wrapped(
                    "    - ",
                    &format!("{}: in {}; {games} games{note}", finding.claim, finding.unit),
                );
            }
        }
        text.push('\n');
    }
    text += &wrapped("- ", &headline(claims));
    text += &wrapped("- ", &format!("Verdicts. {VERDICTS}"));
    for file in &claims.files {
        text += &words::data(file);
    }
    text
}
