//! A ladder as text, and its tables.

use assay_cli::Align;
use assay_cli::format::{count, decimals, grouped, plus_minus, signed};
use assay_cli::text::wrap;

use crate::report::format;
use crate::report::tables::TextTable;
use crate::values::ladder::{Ladder, Measured};

/// The table and what it says.
pub fn text(ladder: &Ladder) -> String {
    let games: usize = ladder.levels.iter().map(|level| level.games).sum();
    let mut text = format!(
        "{}: values by strength of the players ({} at {})\n\n",
        ladder.title,
        count(games as u64, "game", "games"),
        count(ladder.levels.len() as u64, "level", "levels"),
    );
    text += &values(ladder).table().text().to_string();
    text += &wrap("", &definitions(ladder));
    text.push('\n');
    if let Some(table) = references(ladder) {
        text += "Published values, and measured minus published value in standard errors:\n";
        text += &table.table().text().to_string();
        for reference in &ladder.references {
            text += &wrap("", &format!("{}: {}.", reference.name, reference.source));
        }
        text.push('\n');
    }
    for sentence in sentences(ladder) {
        text += &wrap("- ", &sentence);
    }
    text
}

/// Values by level, their change and the value at the target, with the levels' Elo.
pub(super) fn values(ladder: &Ladder) -> TextTable {
    let mut columns = vec![heading("piece", Align::Left), heading("published", Align::Right)];
    for level in &ladder.levels {
        columns.push(heading(format!("{} nodes", grouped(level.nodes)), Align::Right));
    }
    columns.push(heading("per doubling", Align::Right));
    columns.push(heading(format!("at {} nodes", grouped(ladder.target)), Align::Right));
    let places = ladder.unit.places();
    let number = |measured: &Measured| plus_minus(measured.value, measured.half_width(), places);
    let pieces = ladder.pieces.iter().map(|piece| {
        let mut row = vec![
            format::piece(&piece.piece, piece.with_half_pair),
            format::value_in(ladder.unit, piece.published),
        ];
        row.extend(piece.values.iter().map(number));
        row.push(format!(
            "{} \u{b1} {}",
            signed(piece.per_doubling.value, places + 1),
            decimals(piece.per_doubling.half_width(), places + 1)
        ));
        row.push(format!(
            "{} ({} to {})",
            decimals(piece.at_target, places),
            decimals(piece.low, places),
            decimals(piece.high, places)
        ));
        row
    });
    let mut elo = vec!["Elo".to_owned(), format::NONE.to_owned()];
    elo.extend(ladder.levels.iter().map(|level| {
        level.elo.as_ref().map_or_else(
            || format::NONE.to_owned(),
            |elo| format!("{:.0} \u{b1} {:.0}", elo.value, elo.half_width()),
        )
    }));
    elo.extend([format::NONE.to_owned(), format::NONE.to_owned()]);
    TextTable {
        columns,
        rows: pieces.chain([elo]).collect(),
    }
}

/// Values that others published, with the distances of the highest level and of the value at the target in standard errors; `None` if there are none.
pub(super) fn references(ladder: &Ladder) -> Option<TextTable> {
    if ladder.references.is_empty()
        || ladder
            .pieces
            .iter()
            .all(|piece| piece.references.iter().all(Option::is_none))
    {
        return None;
    }
    let highest = ladder.levels.last()?.nodes;
    let mut columns = vec![heading("piece", Align::Left)];
    for reference in &ladder.references {
        columns.push(heading(reference.name.as_str(), Align::Right));
        columns.push(heading(format!("at {}", grouped(highest)), Align::Right));
        columns.push(heading(format!("at {}", grouped(ladder.target)), Align::Right));
    }
    let distance = |distance: Option<f64>| distance.map_or_else(|| format::NONE.to_owned(), |number| signed(number, 1));
    let rows = ladder.pieces.iter().map(|piece| {
        let mut row = vec![format::piece(&piece.piece, piece.with_half_pair)];
        for reference in &piece.references {
            let reference = reference.as_ref();
            row.push(format::value_in(
                ladder.unit,
                reference.map(|reference| reference.value),
            ));
            let at_highest = reference.and_then(|reference| reference.distances.as_ref()?.last().copied());
            row.push(distance(at_highest));
            row.push(distance(reference.and_then(|reference| reference.at_target)));
        }
        row
    });
    Some(TextTable {
        columns,
        rows: rows.collect(),
    })
}

/// A heading that is the same on a terminal and on a page.
fn heading(text: impl Into<String>, align: Align) -> (String, Align) {
    (text.into(), align)
}

/// Definitions of the unit, the columns and the intervals.
pub(super) fn definitions(ladder: &Ladder) -> String {
    format!(
        "{}: {}. Elo: over the lowest level, in matches between neighboring levels. per doubling: change for each doubling of the nodes. at {} \
         nodes: mean of a straight line in the logarithm of the nodes and a curve that levels off with their square root; the interval \
         contains the 95% intervals of both.",
        ladder.unit.name(),
        ladder.definition,
        grouped(ladder.target)
    )
}

/// Which values change with strength, and which curves the values contradict.
pub(super) fn sentences(ladder: &Ladder) -> Vec<String> {
    // The column "per doubling" in words. The difference between the lowest and the highest level alone may say something else.
    let number = |value: f64| signed(value, ladder.unit.places() + 1);
    let changed = ladder.pieces.iter().filter_map(|piece| {
        let change = &piece.per_doubling;
        let [value, low, high] = [change.value, change.low, change.high].map(number);
        (change.low > 0.0 || change.high < 0.0).then(|| format!("{} {value} ({low} to {high})", piece.piece))
    });
    let changed: Vec<String> = changed.collect();
    let mut sentences = vec![if changed.is_empty() {
        "No value is shown to change with the nodes.".to_owned()
    } else {
        format!("Changes for each doubling of the nodes: {}.", changed.join(", "))
    }];
    for (index, name) in [
        (0, "a straight line in the logarithm of the nodes"),
        (1, "a curve that levels off"),
    ] {
        let misfits: Vec<&str> = ladder
            .pieces
            .iter()
            .filter(|piece| piece.curves[index].p.is_some_and(|p| p < 0.05))
            .map(|piece| piece.piece.as_str())
            .collect();
        if !misfits.is_empty() {
            sentences.push(format!(
                "The values of these pieces do not lie on {name} (p < 0.05): {}.",
                misfits.join(", ")
            ));
        }
    }
    sentences
}
