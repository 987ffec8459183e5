//! The report on an atlas of pieces: for each board bars that can be sorted and searched, and a
//! table and one picture of all.

use std::collections::BTreeSet;

use assay_cli::chart::{Axis, Scale, TEXT, forest, widest};
use assay_cli::format::{count, decimals, grouped, percent};
use assay_cli::page::{Block, Page, Section, finished};
use assay_cli::text::{enumeration, wrap};
use assay_cli::{Table, row};
use maud::{PreEscaped, html};

use super::format;
use super::overview::STYLE;
use crate::values::atlas::{Atlas, Doubt, MeasuredPiece};
use crate::values::distinct;
use crate::values::estimate::{EstimateModel, PieceEstimate};

const SCRIPT: &str = include_str!("atlas.js");

const TITLE: &str = "What fairy chess pieces are worth";

/// The boards with their pieces.
fn boards(atlas: &Atlas) -> impl Iterator<Item = &[MeasuredPiece]> {
    atlas.pieces.chunk_by(|one, other| one.board == other.board)
}

fn label(piece: &MeasuredPiece) -> String {
    format!("{} ({})", piece.name, piece.movement)
}

/// Published values: `1.5 (Muller), 1.43 (formula)`.
fn published(piece: &MeasuredPiece) -> String {
    let published = piece.published.iter();
    let published: Vec<String> = published.map(|known| format!("{} ({})", known.value, known.by)).collect();
    published.join(", ")
}

/// The report on estimated values, for a terminal.
pub fn estimates(model: &EstimateModel, estimates: &[PieceEstimate]) -> String {
    let rows = estimates.iter().map(|estimate| {
        let ends = estimate.value.interval;
        let range = match ends {
            _ if estimate.defines_scale => "defines the scale".to_owned(),
            Some([low, high]) => format::range(low, high, 1),
            None => String::new(),
        };
        row(&estimate.piece, [decimals(estimate.value.value, 1), range])
    });
    let table = Table::of("", ["piece", "estimate", "95%"], rows);
    let accuracy = accuracy(model).unwrap_or_default();
    let note = format!(
        "Estimates from the moves alone; no game was played. The scale: queen 9, rook 5, bishop 3, knight 3. The model is fitted to {} \
         of the atlas. {accuracy} Without --estimate, games measure the value.",
        count(model.values, "measured value", "measured values")
    );
    format!("{}\n{}", table, wrap("", &note))
}

/// A sentence on the predictions of held-out pieces.
fn accuracy(model: &EstimateModel) -> Option<String> {
    let all = model.held_out.first()?;
    Some(format!(
        "Of pieces that are held out, {} of {} are within their interval, and half of them within {} of their estimate.",
        all.covered,
        all.values,
        percent(all.median_deviation, 0)
    ))
}

/// The model: its coefficients, and how well it predicts.
fn model_section(model: &EstimateModel) -> Section {
    let rows = model.coefficients.iter().map(|coefficient| {
        let number = |number: f64| decimals(number, 3);
        row(&coefficient.feature, [number(coefficient.value), number(2.0 * coefficient.standard_error)])
    });
    let spread = |value: f64| percent(2.0 * model.spread / value.sqrt(), 0);
    let mut sentences = vec![format!(
        "The value of a piece that is not measured, by its average number of moves on its board (`weigh --estimate`): the sum of the \
         numbers below times their coefficients is its logarithm. Pieces vary around it by what the numbers do not tell about them: \
         \u{b1} {} (95%) if they are worth 1, {} if they are worth 3, and {} if they are worth 9.",
        spread(1.0),
        spread(3.0),
        spread(9.0)
    )];
    sentences.extend(accuracy(model));
    let held_out = model.held_out.iter().map(|held_out| {
        let [deviation, bias] = [held_out.median_deviation, held_out.median_bias].map(|share| percent(share, 0));
        row(&held_out.pieces, [held_out.values.to_string(), held_out.covered.to_string(), deviation, bias])
    });
    let headings = ["pieces", "values", "within 95%", "median deviation", "median bias"];
    Section::new(
        "What the moves tell",
        vec![
            Block::Text(sentences.join(" ")),
            Block::Table(Table::of("", ["number", "coefficient", "\u{b1} 95%"], rows)),
            Block::Table(Table::of("Held out, by board and by estimate", headings, held_out)),
        ],
    )
}

/// Values on all boards, one row for each piece.
pub fn table(atlas: &Atlas) -> Table {
    let boards: Vec<&str> = boards(atlas).map(|pieces| &*pieces[0].board).collect();
    let rows = distinct(atlas.pieces.iter().map(|piece| (&piece.name, &piece.movement))).into_iter().map(
        |(name, movement)| {
            let on =
                |board: &str| atlas.pieces.iter().find(|piece| piece.movement == *movement && piece.board == board);
            let measured = boards.iter().map(|board| {
                on(board).map_or_else(String::new, |piece| {
                    let mark = if piece.doubt.is_some() { " ?" } else { "" };
                    format!("{} \u{b1} {}{mark}", decimals(piece.value.value, 2), format::half_width(piece.value))
                })
            });
            let published = boards.iter().find_map(|board| on(board)).map(published);
            row(name, std::iter::once(movement.clone()).chain(measured).chain(published))
        },
    );
    let headings = ["piece", "XBetza"].into_iter().chain(boards.iter().copied()).chain(["published"]);
    Table::of("", headings, rows)
}

/// The page: for each board the bars, then the table, sources and files.
pub fn page(atlas: &Atlas) -> Page {
    let sections = boards(atlas).map(|pieces| {
        Section::new(format!("{}: {}", pieces[0].board, count(pieces.len(), "piece", "pieces")), vec![bars(pieces)])
    });
    let mut sections: Vec<Section> = sections.collect();
    sections.push(Section::new("All pieces", vec![Block::Table(table(atlas))]));
    let sources = atlas.pieces.iter().flat_map(|piece| &piece.published);
    let sources: BTreeSet<String> = sources.map(|known| format!("{}: {}", known.by, known.source)).collect();
    sections.extend(doubts(atlas).map(|list| Section::new("Values not to be relied on", vec![Block::List(list)])));
    sections.extend(atlas.estimate.as_ref().map(model_section));
    sections.push(Section::new("Sources of the published values", vec![Block::List(sources.into_iter().collect())]));
    sections.push(format::reproduce(None, atlas.files.iter().flat_map(format::file_facts)));
    let games: usize = atlas.files.iter().map(|file| file.games).sum();
    Page {
        title: TITLE.to_owned(),
        lead: format!(
            "{} on {}, measured by Assay from {} games. Values are on the scale of the army around the piece: \
             queen 9, rook 5, bishop 3, knight 3. The intervals of a run hold together (95%).",
            count(atlas.pieces.len(), "piece", "pieces"),
            count(boards(atlas).count(), "board", "boards"),
            grouped(games)
        ),
        sections,
    }
}

/// What a question mark at a value means, and the pieces that are not measured; `None` if there are none
/// of either.
fn doubts(atlas: &Atlas) -> Option<Vec<String>> {
    let meanings = [
        (Doubt::ReachesZero, "the interval reaches zero, so these games are too few to say what the piece is worth."),
        (
            Doubt::ContradictsMoves,
            "the value is outside the 95% interval that the moves of the other pieces predict; 1 in 20 is by chance.",
        ),
    ];
    let meanings = meanings.into_iter().filter_map(|(doubt, meaning)| {
        let doubtful = atlas.pieces.iter().filter(|piece| piece.doubt == Some(doubt));
        let doubtful: Vec<String> = doubtful.map(|piece| format!("{} on {}", label(piece), piece.board)).collect();
        (!doubtful.is_empty()).then(|| format!("{}: {meaning} {}.", doubt.text(), enumeration(&doubtful)))
    });
    let unmeasured = format::listed("Not measured, because the interval is unbounded", &atlas.unmeasured);
    let penalized = "From a penalized fit (Jeffreys' prior), because one side that has more of something never does worse; more games are needed";
    let separated = format::listed(penalized, &atlas.separated);
    let list: Vec<String> = meanings.chain(unmeasured).chain(separated).collect();
    (!list.is_empty()).then_some(list)
}

/// CSS class of a value's color.
fn class(piece: &MeasuredPiece) -> &'static str {
    if piece.doubt.is_some() { "wide" } else { "inside" }
}

fn rows(pieces: &[MeasuredPiece]) -> Vec<forest::Row> {
    let rows = pieces.iter().map(|piece| forest::Row {
        name: label(piece),
        estimates: vec![(class(piece), piece.value.all_ends())],
        mark: piece.published.first().map(|known| known.value),
        numbers: html! {
            (format::measured(Some(piece.value), 2))
            @if let Some(doubt) = piece.doubt { "; " (doubt.text()) }
            @if !piece.published.is_empty() { "; published " (published(piece)) }
        },
        ..forest::Row::default()
    });
    rows.collect()
}

fn bars(pieces: &[MeasuredPiece]) -> Block {
    let rows = rows(pieces);
    Block::Picture(html! {
        div.atlas {
            p { label { "Search " input type="search"; } " " label { "Sort by " select { option { "value" } option { "name" } } } }
            (forest::plot("Values with 95% intervals", "value", Some(0.0), &rows))
            script { (PreEscaped(SCRIPT)) }
        }
    })
}

const MARGIN: f64 = 14.0;
const ROW: f64 = 22.0;
const TOP: f64 = 50.0;
const PLOT: f64 = 480.0;

/// All pieces as an SVG file for documents.
pub fn picture(atlas: &Atlas) -> String {
    let name = |piece: &MeasuredPiece| format!("{}, {}", label(piece), piece.board);
    let left = MARGIN + widest(atlas.pieces.iter().map(name), TEXT) + MARGIN;
    let domain = forest::domain(&rows(&atlas.pieces), Some(0.0));
    let axis = Axis::new(Scale::pixels(domain, (left, left + PLOT)), 8.0, "value");
    let (width, height) = (left + PLOT + MARGIN, TOP + ROW * atlas.pieces.len() as f64 + 2.0 * MARGIN);
    let rows = atlas.pieces.iter().zip(0..);
    finished(&html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) role="img" aria-label=(TITLE) {
            style { (PreEscaped(STYLE)) }
            rect.paper x="0" y="0" width=(width) height=(height) {}
            text x=(MARGIN) y="26" { "Values with 95% intervals; a queen is worth 9, a rook 5, bishops and knights 3." }
            @for (tick, label) in &axis.ticks {
                line.grid x1=(axis.scale.at(*tick)) x2=(axis.scale.at(*tick)) y1=(TOP) y2=(height - 2.0 * MARGIN) {}
                text.soft x=(axis.scale.at(*tick)) y=(height - MARGIN) text-anchor="middle" { (label) }
            }
            @for (piece, number) in rows {
                @let middle = TOP + ROW * (f64::from(number) + 0.5);
                text x=(left - MARGIN) y=(middle + 5.0) text-anchor="end" { (name(piece)) }
                (forest::interval(&axis.scale, middle, class(piece), piece.value.all_ends()))
            }
        }
    })
}
