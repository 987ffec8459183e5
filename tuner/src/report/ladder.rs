//! A ladder as text.

use assay_cli::format::{count, decimals, grouped};
use assay_cli::text::wrap;
use assay_cli::{Align, Table};

use crate::report::format;
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
    let mut headings = vec![
        ("piece".to_owned(), Align::Left),
        ("published".to_owned(), Align::Right),
    ];
    for level in &ladder.levels {
        headings.push((format!("{} nodes", grouped(level.nodes)), Align::Right));
    }
    headings.push(("per doubling".to_owned(), Align::Right));
    headings.push((format!("at {} nodes", grouped(ladder.target)), Align::Right));
    let mut table = Table::new(headings);
    let number = |measured: &Measured| {
        format!(
            "{} \u{b1} {}",
            decimals(measured.value, 2),
            decimals(measured.half_width(), 2)
        )
    };
    for piece in &ladder.pieces {
        let mut row = vec![piece.piece.clone(), format::value(piece.published)];
        row.extend(piece.values.iter().map(number));
        row.push(format!(
            "{:+.3} \u{b1} {}",
            piece.per_doubling.value,
            decimals(piece.per_doubling.half_width(), 3)
        ));
        row.push(format!(
            "{} ({} to {})",
            decimals(piece.at_target, 2),
            decimals(piece.low, 2),
            decimals(piece.high, 2)
        ));
        table.row(row);
    }
    let mut elo = vec!["Elo".to_owned(), format::NONE.to_owned()];
    elo.extend(ladder.levels.iter().map(|level| {
        level.elo.as_ref().map_or_else(
            || format::NONE.to_owned(),
            |elo| format!("{:.0} \u{b1} {:.0}", elo.value, elo.half_width()),
        )
    }));
    elo.extend([format::NONE.to_owned(), format::NONE.to_owned()]);
    table.row(elo);
    text += &table.to_string();
    text += &wrap(
        "",
        &format!(
            "{} Elo: over the lowest level, in matches between neighboring levels. per doubling: change for each doubling of the nodes. at {} \
             nodes: mean of a straight line in the logarithm of the nodes and a curve that levels off with their square root; the interval \
             contains the 95% intervals of both.",
            format_args!("{}: {}.", ladder.unit.name(), ladder.definition),
            grouped(ladder.target)
        ),
    );
    text.push('\n');
    for sentence in sentences(ladder) {
        text += &wrap("- ", &sentence);
    }
    text
}

/// Which values change with strength, and which curves the values contradict.
fn sentences(ladder: &Ladder) -> Vec<String> {
    let changed: Vec<String> = ladder
        .pieces
        .iter()
        .filter(|piece| piece.change.low > 0.0 || piece.change.high < 0.0)
        .map(|piece| {
            format!(
                "{} {:+.2} ({:+.2} to {:+.2})",
                piece.piece, piece.change.value, piece.change.low, piece.change.high
            )
        })
        .collect();
    let mut sentences = vec![if changed.is_empty() {
        "No value is shown to change between the lowest and the highest level.".to_owned()
    } else {
        format!("Changed from the lowest to the highest level: {}.", changed.join(", "))
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
