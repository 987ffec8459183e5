//! Page with the picture of a ladder: values by nodes per move, their extrapolation, and published values.

use assay_cli::chart::{Axis, Curve, Plot, Scale, series_point};
use assay_cli::format::grouped;
use maud::{Markup, html};

use crate::report::{format, ladder as tables};
use crate::values::ladder::{Ladder, PieceLadder};

/// Height of a panel.
const HEIGHT: f64 = 190.0;

/// Wider panels than on other pages, because curves have labels.
const WIDE: &str = "grid-template-columns: repeat(auto-fill, minmax(min(400px, 100%), 1fr))";

/// The whole page.
pub fn page(ladder: &Ladder) -> String {
    let title = format!("{}: values by strength of the players", ladder.title);
    let body = html! {
        header { h1 { (title) } }
        main {
            (section(ladder))
            @if let Some(command) = &ladder.command { section { h2 { "Reproduce this page" } pre { (command) } } }
        }
    };
    super::page(&title, &body)
}

/// Pictures and tables of the values by level.
pub(super) fn section(ladder: &Ladder) -> Markup {
    html! {
        section {
            h2 { "Values by nodes per move" }
            p {
                "Discs are measured values with their 95% intervals. The diamond is the extrapolation to " (grouped(ladder.target))
                " nodes per move with its interval; dashed lines lead to the two curves that it is the mean of."
                @if has_published_values(ladder) { " Horizontal lines are published values." }
            }
            div.panels style=(WIDE) { @for piece in &ladder.pieces { (panel(ladder, piece)) } }
            (tables::values(ladder).table().html("Values by level"))
            @if let Some(table) = tables::references(ladder) { (table.table().html("Published values, and measured minus published value in standard errors")) }
            p.note { (tables::definitions(ladder)) }
            ul { @for sentence in tables::sentences(ladder) { li { (sentence) } } }
            @if !ladder.references.is_empty() {
                h3 { "Sources" }
                dl { @for reference in &ladder.references { dt { (reference.name) } dd { (reference.source) } } }
            }
        }
    }
}

fn has_published_values(ladder: &Ladder) -> bool {
    !ladder.references.is_empty() || ladder.pieces.iter().any(|piece| piece.published.is_some())
}

fn panel(ladder: &Ladder, piece: &PieceLadder) -> Markup {
    let nodes = |level: usize| ladder.levels[level].nodes as f64;
    let target = ladder.target as f64;
    let references = ladder.references.iter().zip(&piece.references);
    let mut references: Vec<(&str, f64)> = references
        .filter_map(|(reference, found)| Some((reference.name.as_str(), found.as_ref()?.value)))
        .collect();
    if ladder.references.is_empty() {
        references.extend(piece.published.map(|published| ("published", published)));
    }
    let ends = piece.values.iter().map(|value| (value.low, value.high));
    let ends = ends.chain([(piece.low, piece.high)]);
    let ends = ends.chain(references.iter().map(|&(_, value)| (value, value)));
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), (low, high)| {
        (least.min(low), most.max(high))
    });
    let margin = (0.1 * (high - low)).max(0.02);
    let edges = (nodes(0) / 1.4, target.max(nodes(ladder.levels.len() - 1)) * 1.4);
    let x = Scale::width(edges).logarithmic();
    let y = Scale::pixels((low - margin, high + margin), (HEIGHT, 0.0));
    let measured: Vec<(f64, f64)> = piece
        .values
        .iter()
        .enumerate()
        .map(|(level, value)| (nodes(level), value.value))
        .collect();
    let mut curves: Vec<Curve> = vec![Curve {
        points: measured.clone(),
        ..Curve::default()
    }];
    let last = measured[measured.len() - 1];
    curves[0].extension.extend(
        piece
            .curves
            .iter()
            .flat_map(|curve| [last, (target, curve.at_target.value)]),
    );
    curves.extend(references.iter().map(|&(name, value)| Curve {
        points: vec![(edges.0, value), (edges.1, value)],
        label: name.to_owned(),
        ..Curve::default()
    }));
    let ticks = ladder.levels.iter().map(|level| level.nodes).chain([ladder.target]);
    let plot = Plot {
        description: &format!("Value of the {} by nodes per move", piece.piece),
        x: Axis {
            scale: x,
            ticks: ticks.map(|nodes| (nodes as f64, short(nodes))).collect(),
            title: "nodes per move".to_owned(),
        },
        y: Axis::new(y, 4.0, ladder.unit.name()),
        height: HEIGHT,
        curves,
        marks: html! {
            @for (level, value) in piece.values.iter().enumerate() {
                (series_point((&x, &y), 0, nodes(level), (value.low, value.value, value.high)))
            }
            (series_point((&x, &y), 1, target, (piece.low, piece.at_target, piece.high)))
        },
    };
    html! { figure { figcaption { (format::piece(&piece.piece, piece.with_half_pair)) } (plot.draw()) } }
}

/// Nodes as a tick label: `500`, `4k`, `1.6M`.
fn short(nodes: u64) -> String {
    let scaled = |divisor: f64, letter: char| {
        let text = format!("{:.1}", nodes as f64 / divisor);
        format!("{}{letter}", text.trim_end_matches('0').trim_end_matches('.'))
    };
    match nodes {
        0..1_000 => nodes.to_string(),
        1_000..1_000_000 => scaled(1e3, 'k'),
        _ => scaled(1e6, 'M'),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn tick_labels_are_short() {
        assert_eq!(
            [80, 1_000, 1_600, 32_000, 2_500_000].map(short),
            ["80", "1k", "1.6k", "32k", "2.5M"]
        );
    }
}
