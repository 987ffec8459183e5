//! Pages: one file without external resources. Each kind of block has one form; pictures are drawn
//! by the modules below.

pub(super) mod board;
pub(super) mod charts;
pub(super) mod forest;
pub(super) mod maps;
pub(super) mod pieces;
pub(super) mod viewer;

use assay_cli::Align;
use assay_rules::text::printable;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::page::{Block, Cell, Page, Section, Table};

const STYLE: &str = include_str!("style.css");

impl Page {
    /// The report as one HTML file without external resources.
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
                    main { @for section in sections { (self::section(section)) } }
                    script { (PreEscaped(viewer::SCRIPT)) }
                }
            }
        })
    }
}

/// The contents of a file. Markup is escaped where it is made; control characters, which HTML and
/// XML forbid, are escaped here.
pub(super) fn finished(markup: &Markup) -> String {
    printable(&markup.0).into_owned()
}

fn section(section: &Section) -> Markup {
    html! {
        section {
            @match &section.link {
                Some(link) => { h2 { a href=(link) { (section.title) } } }
                None if section.title.is_empty() => {}
                None => { h2 { (section.title) } }
            }
            @for block in &section.blocks { (self::block(block)) }
        }
    }
}

fn block(block: &Block) -> Markup {
    match block {
        Block::Text(text) => html! { p { (text) } },
        Block::Note(text) => html! { p.note { (text) } },
        Block::List(items) => html! { ul { @for item in items { li { (item) } } } },
        Block::Facts(facts) => html! { dl { @for (name, fact) in facts { dt { (name) } dd { (fact) } } } },
        Block::Table(table) if table.is_folded => {
            html! { details { summary { (table.caption) } (self::table(table)) } }
        }
        Block::Table(table) => self::table(table),
        Block::Picture(picture) => picture.clone(),
    }
}

/// Narrow windows show each row as a list, whose labels are the headings.
fn table(table: &Table) -> Markup {
    let class = |align: Align, class: &str| {
        let number = if align == Align::Right { "number" } else { "" };
        Some(format!("{number} {class}").trim().to_owned()).filter(|class| !class.is_empty())
    };
    let is_heat_map = table.rows.iter().flatten().any(|cell| cell.shade.is_some());
    html! {
        table.list[!is_heat_map].heat[is_heat_map] role="table" {
            caption { (table.caption) }
            thead role="rowgroup" { tr role="row" { @for (heading, align) in table.columns() {
                th scope="col" role="columnheader" class=[class(align, "")] { (heading) }
            } } }
            tbody role="rowgroup" { @for row in &table.rows { tr role="row" {
                @for (index, (cell, (heading, align))) in row.iter().zip(table.columns()).enumerate() {
                    @if index == 0 {
                        th scope="row" role="rowheader" class=[class(align, cell.class)] {
                            (cell.text) @if !cell.note.is_empty() { div.note { (cell.note) } }
                        }
                    } @else {
                        td role="cell" class=[class(align, cell.class)] data-label=(heading) style=[shade(cell)] { (cell.text) }
                    }
                }
            } } }
        }
    }
}

fn shade(cell: &Cell) -> Option<String> {
    let shade = cell.shade?;
    let color = if shade < 0.0 { "minus" } else { "plus" };
    let percent = 40.0 * shade.abs();
    Some(format!("background: color-mix(in srgb, var(--{color}) {percent:.0}%, var(--paper))"))
}
