//! Estimates, verdicts and the files of games as reports print them; plain numbers are formatted by
//! `assay_cli::format`.

use assay_cli::format::{count, decimals, grouped, plus_minus, signed};
use assay_cli::page::{Block, Section};
use assay_rules::Kind;

use crate::values::data::DataFile;
use crate::values::inference::{Estimate, MeasuredValue, ValueVerdict};
use crate::values::results::MeasurementReport;

/// Shown where a number does not exist.
pub const NONE: &str = "\u{2014}";

/// Intervals narrower than this have no width but by rounding.
pub(super) const NO_WIDTH: f64 = 1e-9;

/// Name of a piece, and whether half of its pair's bonus is included in its value.
pub fn piece(name: &str, with_half_pair: bool) -> String {
    let half_pair = if with_half_pair { " + \u{bd} pair" } else { "" };
    format!("{name}{half_pair}")
}

/// A number, or a dash.
pub fn value(number: Option<f64>, places: usize) -> String {
    number.map_or_else(|| NONE.to_owned(), |number| decimals(number, places))
}

/// A published value with the digits it was published with.
pub fn published(number: Option<f64>) -> String {
    // A value converted to another unit and back has rounding errors.
    number.map_or_else(|| NONE.to_owned(), |number| ((number * 1e6).round() / 1e6).to_string())
}

/// A value with the half-width of its interval: `3.10 ± 0.20`.
pub fn measured(measured: Option<Estimate>, places: usize) -> String {
    match measured.map(|measured| (measured.value, measured.half_width())) {
        None => NONE.to_owned(),
        Some((value, Some(half_width))) => plus_minus(value, half_width, places),
        Some((_, None)) => "unbounded".to_owned(),
    }
}

/// A value whose interval stands beside it; a dash if that is unbounded, so that nothing is known.
pub fn point(measured: Estimate, places: usize) -> String {
    value(measured.ends().map(|(_, value, _)| value), places)
}

/// Half of an interval's width; a dash for a reference, which has no error.
pub fn half_width(measured: Estimate) -> String {
    match measured.width() {
        Some(width) if width < NO_WIDTH => NONE.to_owned(),
        Some(width) => decimals(width / 2.0, 2),
        None => "unbounded".to_owned(),
    }
}

/// An interval: `2.91 to 3.40`, or `unbounded`.
pub fn interval(measured: Estimate, places: usize) -> String {
    measured.interval.map_or_else(|| "unbounded".to_owned(), |[low, high]| range(low, high, places))
}

/// Two ends: `2.91 to 3.40`.
pub fn range(low: f64, high: f64, places: usize) -> String {
    format!("{} to {}", decimals(low, places), decimals(high, places))
}

/// The highest and the lowest rank: `2`, or `2 to 4`.
pub(super) fn ranks([highest, lowest]: [usize; 2]) -> String {
    if highest == lowest { highest.to_string() } else { format!("{highest} to {lowest}") }
}

/// A sentence that ends with a list: `Not measured: a, b.`; `None` if nothing is listed.
pub(super) fn listed(what: &str, items: impl IntoIterator<Item: Into<String>>) -> Option<String> {
    let items: Vec<String> = items.into_iter().map(Into::into).collect();
    (!items.is_empty()).then(|| format!("{what}: {}.", items.join(", ")))
}

/// A p-value: `p = 0.042`, or `p < 0.001`.
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// The difference of a ratio from 1: `+14%`.
pub fn change(ratio: f64) -> String {
    format!("{}%", signed(100.0 * (ratio - 1.0), 0))
}

/// A piece beside its published value: `19% more`, `about the same`, `about the same (+8%)` if the
/// difference is certain but small, or `not clear yet`.
pub fn word(value: &MeasuredValue) -> String {
    let Some(deviation) = value.deviation() else {
        return value.verdict.to_string();
    };
    let percent = format!("{:.0}%", 100.0 * deviation.value.abs());
    match value.verdict {
        ValueVerdict::Above => format!("{percent} more"),
        ValueVerdict::Below => format!("{percent} less"),
        ValueVerdict::Agrees if !deviation.contains(0.0) => {
            format!("{} ({})", value.verdict, change(1.0 + deviation.value))
        }
        verdict => verdict.to_string(),
    }
}

/// A verdict with the interval of the deviation that it is about, if it is about one:
/// `more (+9% to +20%)`.
pub fn verdict(report: &MeasurementReport, value: &MeasuredValue) -> String {
    let verdict = value.verdict;
    let deviation = report.table(None).and_then(|table| table.of(&value.piece)?.deviation());
    match deviation.and_then(|deviation| deviation.interval) {
        Some([low, high]) if high - low < NO_WIDTH => {
            format!("{verdict} (reference)")
        }
        Some([low, high]) if verdict != ValueVerdict::Unit => {
            format!("{verdict} ({} to {})", change(1.0 + low), change(1.0 + high))
        }
        _ => verdict.to_string(),
    }
}

/// The pieces without a measured value, the king last, and why they have none.
pub(super) fn unmeasured(report: &MeasurementReport) -> impl Iterator<Item = (Kind, &'static str)> {
    let unmeasured = report.unmeasured().into_iter();
    let king = report.rules().kinds.king();
    unmeasured
        .map(|kind| (kind, "not measured: too few games in which one side has more"))
        .chain(king.map(|king| (king, "not measurable: each side always has one")))
}

/// Whether two methods agree. The words of verdicts would be read as verdicts on the published
/// value.
pub(super) const fn method_word(verdict: ValueVerdict) -> &'static str {
    match verdict {
        ValueVerdict::Agrees => "agree",
        ValueVerdict::Above | ValueVerdict::Below => "differ",
        _ => "needs more games",
    }
}

/// CSS class that colors a verdict. The text states it, too.
pub(super) fn verdict_class(verdict: ValueVerdict) -> &'static str {
    match verdict {
        ValueVerdict::Agrees => "inside",
        ValueVerdict::Above | ValueVerdict::Below => "outside",
        ValueVerdict::Inconclusive => "wide",
        ValueVerdict::Unpublished | ValueVerdict::Unit => "plain",
    }
}

/// Settings of a file of games.
pub(super) fn file_facts(file: &DataFile) -> Vec<(&'static str, String)> {
    let balance = file.balance.map_or_else(
        || "openings not balanced".to_owned(),
        |limit| format!("openings balanced within {limit} centipawns"),
    );
    let settings = format!(
        "seed {}, {} nodes per move, {} MiB transposition table, start: {}, {} random plies, {balance}, material: {}, evaluation jitter up \
         to {}%",
        file.seed,
        grouped(file.nodes),
        file.hash_mb,
        file.setup,
        file.opening_plies,
        file.material,
        file.jitter
    );
    let games = count(file.games, "game", "games");
    let settings = file.imported.as_ref().map_or(settings, |import| {
        format!("{import} (texts {}), clusters by {} {}", import.hash, import.cluster, import.filters)
    });
    let mut facts = vec![
        ("Games", format!("{}, {games}", file.path)),
        ("Hash", format!("{} (BLAKE3)", file.hash)),
        ("Settings", settings),
    ];
    facts.extend(file.players.iter().map(|player| {
        let text = format!("{}; {} ({})", player.label(), player.identity, player.settings);
        ("Player", text)
    }));
    if file.players.is_empty() {
        facts.push(("Player", file.player.clone()));
    }
    facts
}

/// The section on repeating a report: the command, if it is known, and other facts.
pub(super) fn reproduce(command: Option<&String>, facts: impl IntoIterator<Item = (&'static str, String)>) -> Section {
    let command = command.map(|command| ("Command", command.clone()));
    Section::new("Reproduce this report", vec![Block::Facts(command.into_iter().chain(facts).collect())])
}
