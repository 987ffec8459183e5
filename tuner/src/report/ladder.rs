//! The report on a ladder: values by nodes per move, their extrapolation, and published values.

use assay_cli::chart::{Axis, Curve, Ends, Scale, tick_label};
use assay_cli::format::{count, decimals, grouped, signed};
use assay_cli::page::{Block, Page, Section};
use assay_cli::{Table, row};
use maud::{Markup, html};

use super::format;
use super::html::charts;
use crate::values::inference::Estimate;
use crate::values::ladder::{Ladder, PieceLadder};

/// The values by level, and what they say.
pub fn ladder(ladder: &Ladder) -> Page {
    let games: usize = ladder.levels.iter().map(|level| level.games).sum();
    Page {
        title: format!(
            "{}: values by strength of the players ({} at {})",
            ladder.title,
            count(games, "game", "games"),
            count(ladder.levels.len(), "level", "levels")
        ),
        lead: String::new(),
        sections: vec![section(ladder), format::reproduce(ladder.command.as_ref(), [])],
    }
}

/// Pictures and tables of the values by level.
pub(super) fn section(ladder: &Ladder) -> Section {
    let definitions = format!(
        "{}: {}. Elo: over the lowest level, in matches between neighboring levels. per doubling: change for each doubling of the nodes. at {} \
         nodes: mean of a straight line in the logarithm of the nodes and a curve that levels off with their square root; the interval \
         contains the 95% intervals of both.",
        ladder.unit.name(),
        ladder.definition,
        grouped(ladder.target)
    );
    let mut blocks = vec![Block::Picture(pictures(ladder)), Block::Table(values(ladder)), Block::Note(definitions)];
    let mut published = ladder.pieces.iter().flat_map(|piece| &piece.references);
    if published.any(Option::is_some) {
        let sources = ladder.references.iter();
        let sources = sources.map(|reference| format!("{}: {}.", reference.name, reference.source));
        blocks.push(Block::Table(references(ladder)));
        blocks.extend((!ladder.joint_p.is_empty()).then(|| Block::Table(joint_tests(ladder))));
        blocks.extend(sources.map(Block::Note));
    }
    blocks.push(Block::List(sentences(ladder)));
    Section::new("Values by nodes per move", blocks)
}

/// Values by level, their change and the value at the target, with the levels' Elo.
fn values(ladder: &Ladder) -> Table {
    let pieces = ladder.pieces.iter().map(|piece| {
        let level = |measured: &Estimate| format::measured(Some(*measured), 2);
        let change = &piece.per_doubling;
        let mut cells = vec![format::value(piece.published, 2)];
        cells.extend(piece.values.iter().map(level));
        cells.extend([
            format!("{} \u{b1} {}", signed(change.value, 3), format::value(change.half_width(), 3)),
            format!("{} ({})", decimals(piece.at_target.value, 2), format::interval(piece.at_target, 2)),
        ]);
        row(format::piece(&piece.piece, piece.with_half_pair), cells)
    });
    let none = || format::NONE.to_owned();
    let elo = ladder.levels.iter().map(|level| format::measured(level.elo, 0));
    let elo = row("Elo", std::iter::once(none()).chain(elo).chain([none(), none()]));
    let unmeasured = ladder.unmeasured.iter().map(|piece| {
        let mut cells = vec![none(); ladder.levels.len() + 2];
        cells.push("not measured".to_owned());
        row(piece, cells)
    });
    let headings = ["piece".to_owned(), "published".to_owned()].into_iter().chain(level_headings(ladder));
    let headings = headings.chain(["per doubling".to_owned(), format!("at {} nodes", grouped(ladder.target))]);
    Table::of("", headings, pieces.chain(unmeasured).chain([elo]))
}

fn level_headings(ladder: &Ladder) -> impl Iterator<Item = String> {
    let levels = ladder.levels.iter();
    levels.map(|level| format!("{} nodes", grouped(level.nodes)))
}

/// Values that others published, with the distances of the highest level and of the value at the
/// target in standard errors.
fn references(ladder: &Ladder) -> Table {
    let highest = ladder.levels.last().map(|level| level.nodes);
    let nodes = highest.into_iter().chain([ladder.target]);
    let nodes: Vec<String> = nodes.map(|nodes| format!("at {}", grouped(nodes))).collect();
    let distance = |distance: Option<f64>| distance.map_or_else(|| format::NONE.to_owned(), |number| signed(number, 1));
    let rows = ladder.pieces.iter().map(|piece| {
        let cells = piece.references.iter().flat_map(|reference| {
            let reference = reference.as_ref();
            let highest = reference.and_then(|reference| reference.distances.as_ref()?.last().copied());
            [
                format::value(reference.map(|reference| reference.value), 2),
                distance(highest),
                distance(reference.and_then(|reference| reference.at_target)),
            ]
        });
        row(format::piece(&piece.piece, piece.with_half_pair), cells)
    });
    let mut headings = vec!["piece".to_owned()];
    for reference in &ladder.references {
        headings.push(reference.name.clone());
        headings.extend(nodes.iter().cloned());
    }
    let caption = "Published values, and measured minus published value in standard errors";
    Table::of(caption, headings, rows)
}

/// Whether all values of a reference together are right, by level.
fn joint_tests(ladder: &Ladder) -> Table {
    let p_value = |p: &Option<f64>| p.map_or_else(|| format::NONE.to_owned(), format::p_value);
    let rows = ladder.references.iter().zip(&ladder.joint_p);
    let rows = rows.map(|(reference, by_level)| row(reference.name.clone(), by_level.iter().map(p_value)));
    let headings = std::iter::once("published by".to_owned()).chain(level_headings(ladder));
    let caption = "p of all published values together (small: not all of them are right)";
    Table::of(caption, headings, rows)
}

/// Which values change with strength, and which curves the values contradict.
fn sentences(ladder: &Ladder) -> Vec<String> {
    // The column "per doubling" in words. The difference between the lowest and the highest level
    // alone may say something else.
    let number = |value: f64| signed(value, 2 + 1);
    let changed = ladder.pieces.iter().filter_map(|piece| {
        let change = &piece.per_doubling;
        let [low, high] = change.interval?;
        (low > format::NO_WIDTH || high < -format::NO_WIDTH)
            .then(|| format!("{} {} ({} to {})", piece.piece, number(change.value), number(low), number(high)))
    });
    let changed = format::listed("Changes for each doubling of the nodes", changed);
    let mut sentences = vec![changed.unwrap_or_else(|| "No value is shown to change with the nodes.".to_owned())];
    let unmeasured = "Not measured, because the games of some level are too few";
    sentences.extend(format::listed(unmeasured, &ladder.unmeasured));
    let uncertain = "Too narrow, because the games of some level alone leave the value unbounded";
    sentences.extend(format::listed(uncertain, &ladder.uncertain));
    for (index, name) in [(0, "a straight line in the logarithm of the nodes"), (1, "a curve that levels off")] {
        let is_misfit = |piece: &&PieceLadder| piece.curves[index].p.is_some_and(|p| p < 0.05);
        let misfits = ladder.pieces.iter().filter(is_misfit).map(|piece| &piece.piece);
        let what = format!("The values of these pieces do not lie on {name} (p < 0.05)");
        sentences.extend(format::listed(&what, misfits));
    }
    sentences
}

fn pictures(ladder: &Ladder) -> Markup {
    html! {
        p {
            "Discs are measured values with their 95% intervals. The diamond is the extrapolation to " (grouped(ladder.target))
            " nodes per move with its interval; dashed lines lead to the two curves that it is the mean of. Horizontal lines are published \
             values."
        }
        div.panels.wide { @for piece in &ladder.pieces { (panel(ladder, piece)) } }
    }
}

fn panel(ladder: &Ladder, piece: &PieceLadder) -> Markup {
    let nodes: Vec<f64> = ladder.levels.iter().map(|level| level.nodes as f64).collect();
    let target = ladder.target as f64;
    let references = ladder.references.iter().zip(&piece.references);
    let references = references.filter_map(|(reference, found)| Some((&*reference.name, found.as_ref()?.value)));
    let mut published: Vec<(&str, f64)> = references.collect();
    if ladder.references.is_empty() {
        published.extend(piece.published.map(|value| ("published", value)));
    }
    let levels = nodes.iter().zip(&piece.values).map(|(&nodes, value)| (nodes, value.all_ends()));
    let levels: Vec<(f64, Ends)> = levels.collect();
    let extrapolated = (target, piece.at_target.all_ends());
    let ends = levels.iter().chain([&extrapolated]).flat_map(|point| [point.1.0, point.1.2]);
    let y = charts::around(ends.chain(published.iter().map(|&(_, value)| value)));
    let edges = (nodes[0] / 1.4, target.max(nodes[nodes.len() - 1]) * 1.4);
    let x = Scale::width(edges).logarithmic();
    let points: Vec<(f64, f64)> = levels.iter().map(|&(nodes, ends)| (nodes, ends.1)).collect();
    let last = points[points.len() - 1];
    let extension = piece.curves.iter().flat_map(|curve| [last, (target, curve.at_target.value)]);
    let mut curves = vec![Curve { extension: extension.collect(), ..charts::line(points) }];
    let level = |&(name, value): &(&str, f64)| Curve {
        label: name.to_owned(),
        ..charts::line(vec![(edges.0, value), (edges.1, value)])
    };
    curves.extend(published.iter().map(level));
    let ticks = ladder.levels.iter().map(|level| level.nodes).chain([ladder.target]);
    let axes = (
        charts::axis(x, ticks.map(|nodes| (nodes as f64, short(nodes))), "nodes per move"),
        Axis::new(y, 4.0, ladder.unit.name()),
    );
    let name = format::piece(&piece.piece, piece.with_half_pair);
    charts::panel(&name, axes, curves, &[levels, vec![extrapolated]])
}

/// Nodes as a tick label: `500`, `4k`, `1.6M`.
fn short(nodes: u64) -> String {
    let (divisor, letter) = match nodes {
        0..1_000 => (1.0, ""),
        1_000..1_000_000 => (1e3, "k"),
        _ => (1e6, "M"),
    };
    let tenths = (10.0 * nodes as f64 / divisor).round();
    format!("{}{letter}", tick_label(tenths / 10.0))
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn tick_labels_are_short() {
        assert_eq!([80, 1_000, 1_600, 32_000, 2_500_000].map(short), ["80", "1k", "1.6k", "32k", "2.5M"]);
    }
}
