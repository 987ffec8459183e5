//! A report as a list of sections, built once from a typed result.
//!
//! [`Page::text`] renders the list for a terminal and [`Page::html`] as a page with pictures.

use assay_cli::Align;
use assay_cli::text::wrap;
use maud::Markup;

/// A report.
pub struct Page {
    pub title: String,
    /// The answer in a few sentences; empty if the sections give it.
    pub lead: String,
    pub sections: Vec<Section>,
}

impl Page {
    /// The report for a terminal.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}", self.title, paragraph(&self.lead));
        for section in &self.sections {
            let blocks = section.blocks.iter().map(Block::text);
            let blocks: Vec<String> = blocks.filter(|block| !block.is_empty()).collect();
            if blocks.is_empty() {
                continue;
            }
            if !section.title.is_empty() {
                let line = "-".repeat(section.title.chars().count());
                text += &format!("\n{}\n{line}", section.title);
            }
            text += &format!("\n{}", blocks.join("\n"));
        }
        text
    }
}

/// A part of a report. A section without blocks is not shown.
pub struct Section {
    /// Empty for a section that continues what stands before it.
    pub title: String,
    /// Address of a page about the same.
    pub link: Option<String>,
    pub blocks: Vec<Block>,
}

impl Section {
    pub fn new(title: impl Into<String>, blocks: Vec<Block>) -> Section {
        Section { title: title.into(), link: None, blocks }
    }
}

/// A piece of a section.
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A paragraph that explains a table or picture; small on a page.
    Note(String),
    List(Vec<String>),
    /// Names and what they stand for.
    Facts(Vec<(&'static str, String)>),
    Table(Table),
    /// A chart, board or game with its explanation, for pages only.
    Picture(Markup),
}

impl Block {
    fn text(&self) -> String {
        match self {
            Block::Text(text) | Block::Note(text) => paragraph(text),
            Block::List(items) => items.iter().map(|item| wrap("- ", item)).collect(),
            Block::Facts(facts) => {
                let facts = facts.iter().map(|(name, fact)| format!("{name}: {fact}"));
                facts.map(|fact| paragraph(&fact)).collect()
            }
            Block::Table(table) if table.caption.is_empty() => table.text(),
            Block::Table(table) => format!("{}:\n{}", table.caption, table.text()),
            Block::Picture(_) => String::new(),
        }
    }
}

pub(crate) fn paragraph(text: &str) -> String {
    if text.is_empty() { String::new() } else { wrap("", text) }
}

/// A table. The first column names the rows.
pub struct Table {
    pub caption: String,
    pub headings: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
    /// True for a table of many rows, which a page shows on demand only.
    pub is_folded: bool,
}

impl Table {
    pub fn new<H: Into<String>>(
        caption: impl Into<String>,
        headings: impl IntoIterator<Item = H>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Table {
        Table {
            caption: caption.into(),
            headings: headings.into_iter().map(Into::into).collect(),
            rows: rows.into_iter().collect(),
            is_folded: false,
        }
    }

    /// The headings with the alignments of their columns. The first column and verdicts are words,
    /// all others numbers.
    pub(super) fn columns(&self) -> impl Iterator<Item = (&str, Align)> {
        self.headings.iter().enumerate().map(|(index, heading)| {
            let is_words = index == 0 || heading.is_empty() || heading == "verdict";
            (heading.as_str(), if is_words { Align::Left } else { Align::Right })
        })
    }

    /// The rows with their headings, without the caption.
    pub fn text(&self) -> String {
        let mut table = assay_cli::Table::new(self.columns());
        for row in &self.rows {
            table.row(row.iter().map(|cell| &cell.text));
        }
        table.to_string()
    }
}

/// A row with its name.
pub(crate) fn row<C: Into<Cell>>(name: impl Into<Cell>, cells: impl IntoIterator<Item = C>) -> Vec<Cell> {
    std::iter::once(name.into()).chain(cells.into_iter().map(Into::into)).collect()
}

/// A cell of a table. Pages color it.
#[derive(Clone, Default)]
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
    pub(super) fn class(self, class: &'static str) -> Cell {
        Cell { class, ..self }
    }

    pub(super) fn note(self, note: String) -> Cell {
        Cell { note, ..self }
    }
}
