//! The table of values for a terminal.

use crate::analysis::Analysis;
use crate::words;

/// The terminal's text: table, what it rests on, and what a sharper answer needs.
pub fn text(analysis: &Analysis) -> String {
    let mut text = format!("{}: what the men are worth (pawn = 1)\n", analysis.title);
    text += &wrapped("", &words::amount(analysis));
    text.push('\n');
    text += &values(analysis);
    text.push('\n');
    let paragraphs = [
        Some(words::headline(analysis)),
        Some(words::ERRORS.replace("the joint test below", "the next line")),
        words::joint(analysis),
        Some(words::unseen(analysis)),
        Some(words::scale(analysis)),
        Some(words::halving(analysis)),
        Some(format!("Verdicts. {}", words::VERDICTS)),
    ];
    for paragraph in paragraphs.into_iter().flatten() {
        text += &wrapped("- ", &paragraph);
    }
    for file in &analysis.files {
        text += &format!(
            "Data: {} ({} games, seed {}, {} nodes a move, hash {})\n",
            file.path.display(),
            words::thousands(file.games as u64),
            file.seed,
            file.nodes,
            &file.hash[..16]
        );
    }
    text
}

fn values(analysis: &Analysis) -> String {
    const HEADER: [&str; 6] = ["piece", "inventor", "in pawns", "measured", "95% interval", "verdict"];
    let mut rows = vec![HEADER.map(str::to_owned)];
    rows.extend(analysis.values.iter().map(|value| {
        [
            value.piece.clone(),
            words::published(value.inventor_raw),
            words::decimals(value.inventor),
            words::decimals(value.measured),
            words::interval(value.interval),
            value.verdict.text().to_owned(),
        ]
    }));
    let widths: Vec<usize> = (0..HEADER.len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, width))| {
                let space = " ".repeat(width - cell.chars().count());
                // Numbers align at their ends, words at their beginnings.
                if (1..=4).contains(&column) {
                    space + cell
                } else {
                    format!("{cell}{space}")
                }
            })
            .collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// The longest line.
const WIDTH: usize = 110;

/// Breaks a paragraph into lines; `bullet` stands before the first, and the others are indented as far.
fn wrapped(bullet: &str, paragraph: &str) -> String {
    let mut text = String::new();
    let mut line = bullet.to_owned();
    for word in paragraph.split_whitespace() {
        if line.chars().count() + word.chars().count() > WIDTH {
            text += line.trim_end();
            text.push('\n');
            line = " ".repeat(bullet.len());
        }
        line += word;
        line.push(' ');
    }
    text + line.trim_end() + "\n"
}
