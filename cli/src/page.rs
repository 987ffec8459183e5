//! A report as a list of sections, built once from a typed result.
//!
//! [`Page::text`] renders the list for a terminal and [`Page::html`] as one file with pictures and
//! without external resources.

use assay_rules::text::printable;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::text::wrap;
use crate::{Align, Cell, Table};

const STYLE: &str = include_str!("page/style.css");

/// Columns beyond which a heat map is scrolled sideways.
const MANY_COLUMNS: usize = 9;

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
        let mut text = format!("{}\n{}", self.title, wrap("", &self.lead));
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

    /// The report as one HTML file.
    pub fn html(&self) -> String {
        let sections = self.sections.iter().filter(|section| !section.blocks.is_empty());
        finished(&html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        h1 { (self.title) }
                        @if !self.lead.is_empty() { p.lead { (self.lead) } }
                    }
                    main { @for section in sections { (section.html()) } }
                }
            }
        })
    }
}

/// The contents of a file. Markup is escaped where it is made; control characters, which HTML and
/// XML forbid, are escaped here.
pub fn finished(markup: &Markup) -> String {
    printable(&markup.0).into_owned()
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

    fn html(&self) -> Markup {
        html! {
            section {
                @match &self.link {
                    Some(link) => { h2 { a href=(link) { (self.title) } } }
                    None if self.title.is_empty() => {}
                    None => { h2 { (self.title) } }
                }
                @for block in &self.blocks { (block.html()) }
            }
        }
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
            Block::Text(text) | Block::Note(text) => wrap("", text),
            Block::List(items) => items.iter().map(|item| wrap("- ", item)).collect(),
            Block::Facts(facts) => facts.iter().map(|(name, fact)| wrap("", &format!("{name}: {fact}"))).collect(),
            Block::Table(table) => table.to_string(),
            Block::Picture(_) => String::new(),
        }
    }

    fn html(&self) -> Markup {
        match self {
            Block::Text(text) => html! { p { (text) } },
            Block::Note(text) => html! { p.note { (text) } },
            Block::List(items) => html! { ul { @for item in items { li { (item) } } } },
            Block::Facts(facts) => html! { dl { @for (name, fact) in facts { dt { (name) } dd { (fact) } } } },
            Block::Table(table) if table.is_folded => {
                html! { details { summary { (table.caption) } (self::table(table)) } }
            }
            // Too wide for many windows.
            Block::Table(table) if table.columns.len() > MANY_COLUMNS && is_heat_map(table) => {
                html! { div.scroll { (self::table(table)) } }
            }
            Block::Table(table) => self::table(table),
            Block::Picture(picture) => picture.clone(),
        }
    }
}

/// Narrow windows show each row as a list, whose labels are the headings.
fn table(table: &Table) -> Markup {
    let class = |align: Align, class: &str| {
        let number = if align == Align::Right { "number" } else { "" };
        Some(format!("{number} {class}").trim().to_owned()).filter(|class| !class.is_empty())
    };
    let is_heat_map = is_heat_map(table);
    html! {
        table.list[!is_heat_map].heat[is_heat_map] role="table" {
            caption { (table.caption) }
            thead role="rowgroup" { tr role="row" { @for (heading, align) in &table.columns {
                th scope="col" role="columnheader" class=[class(*align, "")] { (heading) }
            } } }
            tbody role="rowgroup" { @for row in &table.rows { tr role="row" {
                @for (index, (cell, (heading, align))) in row.iter().zip(&table.columns).enumerate() {
                    @if index == 0 {
                        th scope="row" role="rowheader" class=[class(*align, cell.class)] {
                            (cell.text) @if !cell.note.is_empty() { div.note { (cell.note) } }
                        }
                    } @else {
                        td role="cell" class=[class(*align, cell.class)] data-label=(heading) style=[shade(cell)] { (cell.text) }
                    }
                }
            } } }
        }
    }
}

fn is_heat_map(table: &Table) -> bool {
    table.rows.iter().flatten().any(|cell| cell.shade.is_some())
}

fn shade(cell: &Cell) -> Option<String> {
    let shade = cell.shade?;
    let color = if shade < 0.0 { "minus" } else { "plus" };
    let percent = 40.0 * shade.abs();
    Some(format!("background: color-mix(in srgb, var(--{color}) {percent:.0}%, var(--paper))"))
}
