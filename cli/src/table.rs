//! Tables of words and numbers, as text and on pages.

use std::fmt;

/// Alignment of a column: words to the left, numbers to the right.
pub use comfy_table::CellAlignment as Align;
use comfy_table::{ContentArrangement, presets};

/// A table. The first column names the rows.
///
/// As text it has no borders: columns two spaces apart, no trailing spaces, never wrapped.
///
/// ```
/// use assay_cli::{Align, Table};
///
/// let mut table = Table::new([("piece", Align::Left), ("value", Align::Right)]);
/// table.row(["queen", "9.50"]);
/// table.row(["pawn", "1.00"]);
/// assert_eq!(table.to_string(), "piece  value\nqueen   9.50\npawn    1.00\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub caption: String,
    /// Heading and alignment of each column.
    pub columns: Vec<(String, Align)>,
    pub rows: Vec<Vec<Cell>>,
    /// True for a table of many rows, which a page shows on demand only.
    pub is_folded: bool,
}

impl Table {
    /// A table without rows, with a heading and an alignment for each column.
    pub fn new<H: Into<String>>(columns: impl IntoIterator<Item = (H, Align)>) -> Table {
        let columns = columns.into_iter().map(|(heading, align)| (heading.into(), align));
        Table { columns: columns.collect(), ..Table::default() }
    }

    /// A table of rows. The first column and verdicts are words, all others numbers.
    pub fn of<H: Into<String>>(
        caption: impl Into<String>,
        headings: impl IntoIterator<Item = H>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Table {
        let columns = headings.into_iter().map(Into::into).enumerate().map(|(index, heading): (usize, String)| {
            let is_words = index == 0 || heading.is_empty() || heading == "verdict";
            (heading, if is_words { Align::Left } else { Align::Right })
        });
        Table { caption: caption.into(), rows: rows.into_iter().collect(), ..Table::new(columns) }
    }

    /// Adds a row, a cell for each column.
    pub fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.caption.is_empty() {
            writeln!(f, "{}:", self.caption)?;
        }
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(self.columns.iter().map(|(heading, _)| heading));
        for (column, &(_, align)) in table.column_iter_mut().zip(&self.columns) {
            column.set_padding((0, 2)).set_cell_alignment(align);
        }
        for row in &self.rows {
            table.add_row(row.iter().map(|cell| &cell.text));
        }
        table.lines().try_for_each(|line| writeln!(f, "{}", line.trim_end()))
    }
}

/// A row with its name.
pub fn row<C: Into<Cell>>(name: impl Into<Cell>, cells: impl IntoIterator<Item = C>) -> Vec<Cell> {
    std::iter::once(name.into()).chain(cells.into_iter().map(Into::into)).collect()
}

/// A cell of a table. Pages color it.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    pub text: String,
    /// CSS class.
    pub class: &'static str,
    /// A small line below the text, on pages only.
    pub note: String,
    /// Strength of the ground's color, from -1 (orange) to 1 (blue).
    pub shade: Option<f64>,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }
}

impl Cell {
    #[must_use]
    pub fn class(self, class: &'static str) -> Cell {
        Cell { class, ..self }
    }

    #[must_use]
    pub fn note(self, note: String) -> Cell {
        Cell { note, ..self }
    }

    #[must_use]
    pub fn shade(self, shade: Option<f64>) -> Cell {
        Cell { shade, ..self }
    }
}
