//! Tables without borders.

use std::fmt;

/// Alignment of a column: words to the left, numbers to the right.
pub use comfy_table::CellAlignment as Align;
use comfy_table::{ContentArrangement, presets};

/// A table without borders: columns two spaces apart, no trailing spaces, never wrapped.
///
/// ```
/// use assay_cli::{Align, Table};
///
/// let mut table = Table::new([("piece", Align::Left), ("value", Align::Right)]);
/// table.row(["queen", "9.50"]);
/// table.row(["pawn", "1.00"]);
/// assert_eq!(table.to_string(), "piece  value\nqueen   9.50\npawn    1.00\n");
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    inner: comfy_table::Table,
}

impl Table {
    /// A table with a heading and an alignment for each column.
    pub fn new<H: Into<String>>(columns: impl IntoIterator<Item = (H, Align)>) -> Table {
        let (headings, alignments): (Vec<String>, Vec<Align>) =
            columns.into_iter().map(|(heading, align)| (heading.into(), align)).unzip();
        let mut inner = comfy_table::Table::new();
        inner.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).set_header(headings);
        for (column, align) in inner.column_iter_mut().zip(alignments) {
            column.set_padding((0, 2)).set_cell_alignment(align);
        }
        Table { inner }
    }

    /// Adds a row, a cell for each column.
    pub fn row<C: ToString>(&mut self, cells: impl IntoIterator<Item = C>) {
        let cells: Vec<String> = cells.into_iter().map(|cell| cell.to_string()).collect();
        self.inner.add_row(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.lines().try_for_each(|line| writeln!(f, "{}", line.trim_end()))
    }
}
