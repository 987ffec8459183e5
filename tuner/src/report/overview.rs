//! Measurements of several games: a section for each, and one picture of all for documents.

use assay_cli::chart::{Axis, Ends, SMALL_TEXT, Scale, TEXT, forest, text_width, widest};
use assay_cli::format::count;
use assay_cli::page::{Block, Page, Section, finished};
use maud::{PreEscaped, html};

use super::format::{self, verdict_class};
use super::html::board;
use super::html::pieces::{self, shown};
use super::summary::first_table;
use super::{comparison, sentences};
use crate::values::comparison::Comparison;
use crate::values::data::DataFile;
use crate::values::distinct;
use crate::values::inference::{MeasuredValue, Unit};
use crate::values::results::MeasurementReport;

/// A section for each measurement, with the address of its own page if there is one. Measurements
/// of one game are also compared if they can be.
pub fn overview(entries: &[(MeasurementReport, Option<String>)]) -> Page {
    let names = distinct(entries.iter().map(|(report, _)| &report.game)).into_iter();
    let games = names.map(|name| entries.iter().filter(|(report, _)| report.game == *name).collect());
    let games: Vec<Vec<&(MeasurementReport, Option<String>)>> = games.collect();
    let total: usize = entries.iter().map(|(report, _)| report.games.games).sum();
    let rules: Vec<_> = games.iter().map(|same| same[0].0.rules()).collect();
    let pictures = html! {
        (board::sprites(rules.iter().map(AsRef::as_ref)))
        p.note { "Each picture shows the measured value divided by the published one, with an interval; those of a game hold together in 95% of measurements. At 1 both are equal." }
    };
    let mut sections = vec![Section::new("", vec![Block::Picture(pictures)])];
    for same in &games {
        sections.extend(same.iter().map(|(report, link)| measurement(report, link.clone())));
        let reports = (1..).zip(same).map(|(number, entry)| (format!("{number}"), entry.0.clone()));
        // Measurements from the same games, or without the unit, are shown one by one only.
        let compared = Comparison::of(&reports.collect::<Vec<_>>(), Unit::default());
        sections.extend(compared.iter().map(comparison::section));
    }
    Page {
        title: "What the pieces of chess variants are worth".to_owned(),
        lead: format!(
            "{}, measured by Assay from {}.",
            count(games.len(), "game", "games"),
            count(total, "game played", "games played")
        ),
        sections,
    }
}

/// The first screen of a measurement, with a picture.
fn measurement(report: &MeasurementReport, link: Option<String>) -> Section {
    let said =
        [Some(sentences::headline(report)), sentences::values_that_change(report), sentences::second_method(report)];
    let blocks = vec![
        Block::Text(sentences::paragraph(said)),
        Block::Picture(pieces::ratios(report)),
        Block::Table(first_table(report)),
    ];
    Section { link, ..Section::new(heading(report), blocks) }
}

/// Title of the game, and the games behind the measurement:
/// `Gamma2 Chess (20,000 games, 500 nodes per move)`.
fn heading(report: &MeasurementReport) -> String {
    let mut players: Vec<String> = report.files.iter().map(DataFile::players_or_nodes).collect();
    players.sort_unstable();
    players.dedup();
    format!("{} ({}, {})", report.title, count(report.games.games, "game", "games"), players.join(" and "))
}

const MARGIN: f64 = 14.0;
const GAP: f64 = 20.0;
const PLOT: f64 = 430.0;
const TOP: f64 = 66.0;
const ROW: f64 = 25.0;
const HEADING: f64 = 38.0;

pub(super) const STYLE: &str = "
text { font: 14px system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; fill: #1b1f24; }
.soft { fill: #5c6670; font-size: 13px; } .heading { font-weight: 600; font-size: 15px; }
.paper { fill: #fff; } .grid { stroke: #e8ebee; } .axis { stroke: #5c6670; } .one { stroke: #1b1f24; stroke-width: 1.5; }
.bar { stroke-width: 7; } .dot { stroke: #fff; stroke-width: 2; }
line.inside { stroke: #0b6e8a; } line.outside { stroke: #b4460c; } line.wide, line.plain { stroke: #707a84; }
.dot.inside { fill: #0b6e8a; } .dot.outside { fill: #b4460c; } .dot.wide, .dot.plain { fill: #707a84; }
text.verdict { font-weight: 600; } text.inside { fill: #0b6e8a; } text.outside { fill: #b4460c; } text.wide { fill: #707a84; }
";

fn label(piece: &MeasuredValue) -> String {
    format::piece(&piece.piece, piece.with_half_pair)
}

/// All pieces of all measurements as an SVG file for documents, so with a fixed width and without a
/// dark mode.
pub fn picture<'r>(reports: &[&'r MeasurementReport]) -> String {
    // All pieces with a published value.
    let of_game = |&report: &&'r MeasurementReport| {
        let pieces = shown(report, None).0.iter();
        let pieces = pieces.filter_map(|piece| Some((piece.ratio()?.ends()?, piece)));
        (report, pieces.collect())
    };
    let games: Vec<(&MeasurementReport, Vec<(Ends, &MeasuredValue)>)> = reports.iter().map(of_game).collect();
    let pieces = || {
        let pieces = games.iter().map(|(report, pieces)| pieces.iter().map(move |piece| (*report, piece)));
        pieces.flatten()
    };
    // Columns from left to right: piece, plot, published value, measured value, verdict.
    let left = MARGIN + widest(pieces().map(|(_, (_, piece))| label(piece)), TEXT) + GAP / 2.0;
    let right = left + PLOT;
    let published = right + GAP + text_width("published", SMALL_TEXT);
    let measured = published + GAP;
    let verdict = measured + GAP / 2.0 + widest(pieces().map(|(_, (_, piece))| piece.numbers()), TEXT);
    // Bold text is about a tenth wider.
    let verdicts = pieces().map(|(report, (_, piece))| format::verdict(report, piece));
    let width = (verdict + 1.1 * widest(verdicts, TEXT) + MARGIN).ceil();
    // Wide enough for every estimate and for most intervals; longer ones are cut off.
    let (mut least, mut most) = (0.9_f64, 1.1_f64);
    for (_, &((low, ratio, high), _)) in pieces() {
        least = least.min(low.max(ratio - 0.5));
        most = most.max(high.min(ratio + 0.5));
    }
    let axis = Axis::new(Scale::pixels((least - 0.03, most + 0.03), (left, right)), 8.0, "measured / published");
    let at = |number: f64| axis.scale.at(number);
    let mut bottom = TOP;
    let drawn = html! {
        @for (report, pieces) in &games {
            text.heading x=(MARGIN) y=(bottom + 26.0) { (heading(report)) }
            ({ bottom += HEADING; "" })
            @for (ratio, piece) in pieces {
                @let class = verdict_class(piece.verdict);
                @let (middle, base) = (bottom + ROW / 2.0, bottom + ROW / 2.0 + 5.0);
                text x=(left - GAP / 2.0) y=(base) text-anchor="end" { (label(piece)) }
                (forest::interval(&axis.scale, middle, class, *ratio))
                text x=(published) y=(base) text-anchor="end" { (format::value(piece.published, 2)) }
                text x=(measured) y=(base) { (piece.numbers()) }
                text.verdict.(class) x=(verdict) y=(base) { (format::verdict(report, piece)) }
                ({ bottom += ROW; "" })
            }
        }
    };
    let height = bottom + 50.0;
    finished(&html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height)
            role="img" aria-label="Measured values of pieces divided by the published values" {
            style { (PreEscaped(STYLE)) }
            rect.paper x="0" y="0" width=(width) height=(height) {}
            text x=(MARGIN) y="26" { "Measured divided by published value, on the published scale. The intervals of a game hold together (95%)." }
            @for (tick, label) in &axis.ticks {
                line.grid x1=(at(*tick)) x2=(at(*tick)) y1=(TOP) y2=(bottom) {}
                text.soft x=(at(*tick)) y=(bottom + 20.0) text-anchor="middle" { (label) }
            }
            line.axis x1=(left) x2=(right) y1=(bottom) y2=(bottom) {}
            line.one x1=(at(1.0)) x2=(at(1.0)) y1=(TOP) y2=(bottom) {}
            text.soft x=(f64::midpoint(left, right)) y=(bottom + 40.0) text-anchor="middle" { (axis.title) }
            text.soft x=(published) y=(TOP - 8.0) text-anchor="end" { "published" }
            text.soft x=(measured) y=(TOP - 8.0) { "measured" }
            (drawn)
        }
    })
}
