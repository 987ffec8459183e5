//! The table of values for a terminal.

use crate::report::words;
use crate::values::results::Analysis;

/// The terminal's text: table, what it rests on, and what a sharper answer needs.
pub fn text(analysis: &Analysis) -> String {
    let mut text = format!("{}: what the pieces are worth (pawn = 1)\n", analysis.title);
    text += &wrapped("", &words::amount(analysis));
    text.push('\n');
    text += &values(analysis);
    text.push('\n');
    text += &course(analysis);
    text.push('\n');
    let paragraphs = [
        Some(words::headline(analysis)),
        words::agreement(analysis),
        words::course(analysis).map(str::to_owned),
        Some(words::ERRORS.replace("the joint test below", "the next line")),
        words::joint(analysis),
        Some(words::unseen(analysis)),
        Some(words::scale(analysis)),
        words::resampling(analysis),
        Some(words::description(analysis)),
        words::omitted(analysis),
        Some(words::halving(analysis)),
        Some(format!("Verdicts. {}", words::VERDICTS)),
    ];
    for paragraph in paragraphs.into_iter().flatten() {
        text += &wrapped("- ", &paragraph);
    }
    for file in &analysis.files {
        text += &words::data(file);
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
    // Numbers align at their ends, words at their beginnings.
    columns(&rows, |column| (1..=4).contains(&column))
}

/// Values over the course of the game, and by the other methods.
fn course(analysis: &Analysis) -> String {
    let header = [
        "over the game",
        "full board",
        "1/4 of the pieces",
        "resampled",
        "fractional",
        "games for ±0.1",
        "first to go",
        "playtest",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for value in analysis.values.iter().filter(|value| value.interval.is_some()) {
        let both = analysis
            .agreement
            .iter()
            .flat_map(|agreement| &agreement.values)
            .find(|both| both.piece == value.piece);
        rows.push(vec![
            value.piece.clone(),
            words::measured(value.full),
            words::measured(value.few),
            value
                .resampled
                .map_or_else(|| "—".to_owned(), |[low, high]| format!("{low:.2} to {high:.2}")),
            words::decimals(value.cross_check),
            words::games(value.games_needed),
            both.map_or_else(|| "—".to_owned(), |both| words::pawns(&both.regression)),
            both.map_or_else(|| "—".to_owned(), |both| words::pawns(&both.playtest)),
        ]);
    }
    if analysis.agreement.is_none() {
        for row in &mut rows {
            row.truncate(6);
        }
    }
    columns(&rows, |column| column > 0)
}

/// Rows of cells as lines, in columns two spaces apart.
pub(crate) fn columns<R: AsRef<[String]>>(rows: &[R], is_number: impl Fn(usize) -> bool) -> String {
    let count = rows.first().map_or(0, |row| row.as_ref().len());
    let widths: Vec<usize> = (0..count)
        .map(|column| {
            rows.iter()
                .map(|row| row.as_ref()[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .as_ref()
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, width))| {
                let space = " ".repeat(width - cell.chars().count());
                if is_number(column) {
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
pub(crate) fn wrapped(bullet: &str, paragraph: &str) -> String {
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
