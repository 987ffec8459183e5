//! Page on several measurements: for each a board, a sentence and all values; for one game at several strengths, a ladder.

use assay_cli::chart::{Axis, Curve, Plot, Scale, series_point};
use assay_cli::format::{count, grouped};
use maud::{Markup, html};

use super::comparison;
use super::first;
use super::game;
use super::values::{self, ShownValue};
use crate::report::overview::heading;
use crate::report::rows::{ValueRow, first_rows, rows};
use crate::report::sentences;
use crate::report::tables::verdict_class;
use crate::values::comparison::Comparison;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::units::Unit;
use crate::values::results::MeasurementReport;

const TITLE: &str = "What the pieces of chess variants are worth";

/// Height of a panel of the ladder.
const HEIGHT: f64 = 150.0;

/// A measurement and, if there is one, the address of its report.
pub struct IndexEntry<'r> {
    pub report: &'r MeasurementReport,
    pub link: Option<String>,
}

/// The whole page.
pub fn page(entries: &[IndexEntry<'_>]) -> String {
    let mut games: Vec<Vec<&IndexEntry<'_>>> = Vec::new();
    for entry in entries {
        match games.iter_mut().find(|same| same[0].report.game == entry.report.game) {
            Some(same) => same.push(entry),
            None => games.push(vec![entry]),
        }
    }
    let total: usize = entries.iter().map(|entry| entry.report.games.games).sum();
    let rules: Vec<_> = games.iter().map(|same| same[0].report.rules()).collect();
    let body = html! {
        header {
            h1 { (TITLE) }
            p.lead { (count(games.len() as u64, "game", "games")) ", measured by Assay from " (count(total as u64, "game played", "games played")) "." }
            (game::sprites(rules.iter().map(AsRef::as_ref)))
            p.note { "Each picture shows the measured value divided by the published one, on the inventor's scale, with its 95% interval. At 1 both are equal." }
        }
        main { @for same in &games {
            section {
                @for entry in same { (measurement(entry)) }
                @if same.len() > 1 { (several(same)) }
            }
        } }
    };
    super::page(TITLE, &body)
}

fn measurement(entry: &IndexEntry<'_>) -> Markup {
    let report = entry.report;
    let heading = heading(report);
    let rules = report.rules();
    let shown: Vec<ShownValue> = first_rows(report, None).rows.iter().filter_map(shown).collect();
    html! {
        article.card {
            h2 { @match &entry.link { Some(link) => { a href=(link) { (heading) } } None => { (heading) } } }
            p { (sentences::headline(report)) }
            div.with-board {
                figure.start aria-label=(format!("Start position of {}", report.title)) { (game::board(&rules)) }
                @if shown.is_empty() { p { "No value has been published." } }
                @else { (values::plot(&shown, None, "measured value / published value")) }
            }
        }
    }
}

/// A value as a multiple of the published one.
fn shown(value: &ValueRow<'_>) -> Option<ShownValue> {
    let (measured, low, high) = value.ratio()?;
    Some(ShownValue {
        label: value.label.clone(),
        picture: None,
        measured: Some(measured),
        interval: Some(ConfidenceRegion::Bounded { low, high }),
        mark: Some(1.0),
        class: verdict_class(value.verdict),
        numbers: first::numbers(value),
    })
}

/// Values of one game by nodes per move, or side by side if the players differ in more than that.
fn several(entries: &[&IndexEntry<'_>]) -> Markup {
    // The players without their nodes.
    let players = |entry: &&IndexEntry<'_>| -> Vec<String> {
        let files = entry.report.files.iter();
        files
            .map(|file| file.players_or_nodes().replace(&grouped(file.nodes), ""))
            .collect()
    };
    if entries.iter().all(|entry| players(entry) == players(&entries[0])) {
        return ladder(entries);
    }
    let reports: Vec<(String, MeasurementReport)> = (1..)
        .zip(entries)
        .map(|(number, entry)| (number.to_string(), entry.report.clone()))
        .collect();
    // Measurements from the same games, or without the unit, are shown one by one only.
    Comparison::of(&reports, Unit::default()).map_or_else(|_| html! {}, |found| comparison::section(&found))
}

fn ladder(entries: &[&IndexEntry<'_>]) -> Markup {
    let mut levels: Vec<(f64, &MeasurementReport)> = entries
        .iter()
        .filter_map(|entry| Some((entry.report.files.first()?.nodes.max(1) as f64, entry.report)))
        .collect();
    levels.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (Some(&(first, report)), Some(&(last, _))) = (levels.first(), levels.last()) else {
        return html! {};
    };
    if first >= last {
        return html! {};
    }
    let shown = rows(report, Unit::default());
    let panels = shown.rows.iter().map(|row| {
        let at = |&(nodes, report): &(f64, &MeasurementReport)| {
            let values = rows(report, shown.unit);
            let value = values.rows.iter().find(|value| value.piece == row.piece)?;
            match value.interval {
                ConfidenceRegion::Bounded { low, high } => Some((nodes, (low, value.measured, high))),
                ConfidenceRegion::Complement { .. } | ConfidenceRegion::WholeLine => None,
            }
        };
        let points: Vec<(f64, (f64, f64, f64))> = levels.iter().filter_map(at).collect();
        let low = points.iter().map(|point| point.1.0).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(|point| point.1.2).fold(f64::NEG_INFINITY, f64::max);
        let margin = (0.1 * (high - low)).max(0.05);
        let x = Scale::width((first / 1.3, last * 1.3)).logarithmic();
        let y = Scale::pixels((low - margin, high + margin), (HEIGHT, 0.0));
        let ticks = levels.iter().map(|&(nodes, _)| (nodes, grouped(nodes as u64)));
        let plot = Plot {
            description: &format!("Value of the {} by nodes per move", row.label),
            x: Axis {
                scale: x,
                ticks: ticks.collect(),
                title: "nodes per move".to_owned(),
            },
            y: Axis::new(y, 4.0, shown.unit.name()),
            height: HEIGHT,
            curves: vec![Curve {
                points: points.iter().map(|&(nodes, ends)| (nodes, ends.1)).collect(),
                ..Curve::default()
            }],
            marks: html! { @for &(nodes, ends) in &points { (series_point((&x, &y), 0, nodes, ends)) } },
        };
        html! { @if !points.is_empty() { figure { figcaption { (row.label) } (plot.draw()) } } }
    });
    html! {
        h3 { "Values by playing strength" }
        div.panels { @for panel in panels { (panel) } }
    }
}
