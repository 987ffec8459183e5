//! The page of a tournament: ratings, cross table, pairings, lengths and endings of the games.

use assay_cli::chart::{Axis, Plot, Scale, marker, widest};
use assay_cli::format::{count, grouped, percent};
use maud::{Markup, html};

use super::tables;
use crate::game::GameRecord;
use crate::report::tournament::text::{draws, elo_cells, los_cell, note, points_heading, result_cell};
use crate::report::tournament::{EngineReport, TournamentReport};
use crate::run::RunHeader;

/// Height of an engine's row in the rating plot, and of the plot of lengths, in pixels.
const ROW: f64 = 30.0;
const HEIGHT: f64 = 200.0;

/// Bars of the chart of lengths.
const BARS: usize = 24;

/// The body of the page.
pub(super) fn body(run: &RunHeader, report: &TournamentReport, games: &[GameRecord]) -> Markup {
    let title = title(report);
    html! {
        header {
            h1 { (title) }
            p.lead { (headline(report)) }
            p.note { (report.format) "; openings: " (report.openings) }
        }
        section {
            h2 { "Ratings" }
            (rating_plot(report))
            (rating_table(report))
            p.note { (note(report)) }
        }
        section {
            h2 { "Cross table" }
            (matrix(report, &|row, column| result_cell(report.result(row, column)), &|row, column| {
                report.result(row, column).filter(|&(_, games)| games > 0).map(|(points, games)| points / games as f64)
            }))
            p.note { "Points and games of the engine in the row against that in the column." }
        }
        section {
            h2 { "Likelihood of superiority" }
            (matrix(report, &|row, column| los_cell(report.los[row][column]), &|row, column| report.los[row][column]))
            p.note { "How likely the engine in the row is stronger than that in the column, in percent, for these two alone." }
        }
        section { h2 { "Pairings" } (pairings(report)) }
        section { h2 { "Length of the games" } (lengths(games)) }
        section { h2 { "Endings" } (endings(report)) }
        section { h2 { "Faults" } (faults(run, report, games)) }
    }
}

pub(super) fn title(report: &TournamentReport) -> String {
    format!("{}: tournament of {}", report.game, count(report.engines.len(), "engine", "engines"))
}

/// The main result in a sentence.
fn headline(report: &TournamentReport) -> String {
    let games = count(report.counted, "game", "games");
    let [first, second, ..] = report.engines.as_slice() else {
        return String::new();
    };
    match report.los[0][1] {
        None => format!("{games} so far do not tell which engine is the strongest."),
        Some(los) => format!(
            "{} leads after {games}; it is stronger than {} with a likelihood of {}%.",
            first.name,
            second.name,
            los_cell(Some(los))
        ),
    }
}

/// The ratings as points with their intervals, the strongest engine above. A bound is an arrow.
fn rating_plot(report: &TournamentReport) -> Markup {
    let rated: Vec<&EngineReport> = report.engines.iter().filter(|engine| engine.elo.is_some()).collect();
    let ends = rated.iter().filter_map(|engine| engine.elo).flat_map(|elo| [elo.low, elo.high]);
    let Some((low, high)) = assay_cli::chart::extent(ends.filter(|end| end.is_finite())) else {
        return html! { p { "No " (report.unit()) " counts yet." } };
    };
    let room = ((high - low) * 0.05).max(1.0);
    let x = Axis::new(Scale::width((low - room, high + room)), 5.0, "Elo");
    let height = ROW * rated.len() as f64;
    let names = widest(rated.iter().map(|engine| &engine.name), 14.0).min(140.0);
    let place = |row: usize| ROW * (row as f64 + 0.5);
    html! {
        div.plot style=(format!("padding: 8px 24px 0 {}px", names + 12.0)) {
            svg height=(height + 46.0) role="img" aria-label="Ratings with their intervals" {
                @for (tick, label) in &x.ticks {
                    line.grid x1=(x.scale.coordinate(*tick)) x2=(x.scale.coordinate(*tick)) y1="0" y2=(height) {}
                    text.soft x=(x.scale.coordinate(*tick)) y=(height + 18.0) text-anchor="middle" { (label) }
                }
                line.axis x1="0" x2="100%" y1=(height) y2=(height) {}
                text.soft x="50%" y=(height + 40.0) text-anchor="middle" { "Elo" }
                @for (row, engine) in rated.iter().enumerate() {
                    @let elo = engine.elo.expect("it is rated");
                    text x="-12" y=(place(row) + 5.0) text-anchor="end" { (shortened(&engine.name)) }
                    line.whisker x1=(x.scale.coordinate(elo.low)) x2=(x.scale.coordinate(elo.high)) y1=(place(row)) y2=(place(row)) {
                        title { (interval(engine)) }
                    }
                    @if elo.value.is_finite() {
                        svg x=(x.scale.coordinate(elo.value)) y=(place(row)) overflow="visible" { (marker(0)) }
                    } @else {
                        @let bound = if elo.low.is_finite() { elo.low } else { elo.high };
                        svg x=(x.scale.coordinate(bound)) y=(place(row)) overflow="visible" { line.whisker x1="0" x2="0" y1="-6" y2="6" {} }
                    }
                }
            }
        }
    }
}

/// A name that fits beside the rating plot. Versions of an engine differ at the end.
fn shortened(name: &str) -> String {
    const LONGEST: usize = 15;
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= LONGEST {
        return name.to_owned();
    }
    let [begin, end] = [&letters[..LONGEST / 2], &letters[letters.len() - LONGEST / 2..]];
    let [begin, end] = [begin, end].map(|part| part.iter().collect::<String>());
    format!("{begin}…{end}")
}

fn interval(engine: &EngineReport) -> String {
    let [elo, error] = elo_cells(engine.elo);
    format!("{}: {elo} ± {error}", engine.name)
}

fn rating_table(report: &TournamentReport) -> Markup {
    html! {
        div.scroll { table {
            thead { tr {
                th.number { "rank" } th { "engine" }
                @for name in ["Elo", "±", "games", "points", "score", "draws", "LOS"] { th.number { (name) } }
                th { "limits" }
            } }
            tbody { @for (rank, engine) in report.engines.iter().enumerate() {
                tr {
                    td.number { (rank + 1) }
                    td { (engine.name) }
                    @for cell in elo_cells(engine.elo) { td.number { (cell) } }
                    td.number { (grouped(engine.games)) }
                    td.number { (engine.points) }
                    td.number { @if let Some(score) = engine.score { (percent(score, 1)) } }
                    td.number { (draws(engine)) }
                    td.number { @if rank + 1 < report.engines.len() { (los_cell(report.los[rank][rank + 1])) } }
                    td { (engine.limits) }
                }
            } }
        } }
    }
}

/// A table of engines against engines. A cell is the darker, the larger its share.
fn matrix(
    report: &TournamentReport,
    cell: &dyn Fn(usize, usize) -> String,
    share: &dyn Fn(usize, usize) -> Option<f64>,
) -> Markup {
    let engines = &report.engines;
    let color = |row, column| {
        let strength = share(row, column).map_or(0.0, |share| 40.0 * share);
        format!("background:color-mix(in srgb, var(--curve) {strength:.0}%, transparent)")
    };
    html! {
        div.scroll { table {
            thead { tr { th.number {} th {} @for number in 1..=engines.len() { th.number { (number) } } } }
            tbody { @for (row, engine) in engines.iter().enumerate() {
                tr {
                    td.number { (row + 1) }
                    td { (engine.name) }
                    @for column in 0..engines.len() {
                        @if row == column { td {} } @else { td.number style=(color(row, column)) { (cell(row, column)) } }
                    }
                }
            } }
        } }
    }
}

fn pairings(report: &TournamentReport) -> Markup {
    html! {
        div.scroll { table {
            thead { tr { th { "first" } th { "second" } th.number { "points" } th { (points_heading(report)) } th.number { "Elo" } } }
            tbody { @for pairing in &report.pairings {
                tr {
                    @for name in &pairing.engines { td { (name) } }
                    td.number { (result_cell(Some((pairing.points, pairing.games)))) }
                    td { (pairing.pairs.as_ref().unwrap_or(&pairing.results).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")) }
                    td.number { @if let Some(elo) = pairing.elo { (elo.with_error()) } }
                }
            } }
        } }
    }
}

/// A histogram of the lengths of the games.
fn lengths(games: &[GameRecord]) -> Markup {
    let plies = games.iter().map(|game| game.moves.len());
    let Some(longest) = plies.clone().max() else {
        return html! { p { "No game is finished yet." } };
    };
    let width = (longest + 1).div_ceil(BARS).max(1).next_multiple_of(2);
    let mut bars = vec![0_u64; longest / width + 1];
    for length in plies.clone() {
        bars[length / width] += 1;
    }
    let mean = plies.sum::<usize>() as f64 / games.len() as f64;
    let x = Scale::width((0.0, (bars.len() * width) as f64));
    let y = Scale::pixels((0.0, bars.iter().copied().max().unwrap_or(0) as f64 * 1.05), (HEIGHT, 0.0));
    let marks = html! {
        @for (at, &games) in bars.iter().enumerate() {
            @let top = y.at(games as f64);
            rect.column x=(x.coordinate((at * width) as f64)) width=(format!("{:.2}%", 92.0 / bars.len() as f64)) y=(top) height=(HEIGHT - top) {
                title { (at * width) " to " ((at + 1) * width - 1) " plies: " (count(games, "game", "games")) }
            }
        }
    };
    html! {
        (Plot {
            description: "Number of games by length",
            x: Axis::new(x, 6.0, "plies"),
            y: Axis::new(y, 4.0, "games"),
            height: HEIGHT,
            curves: Vec::new(),
            points: &[],
            marks,
        }.draw())
        p.note { "The games have " (format!("{mean:.1}")) " plies on average." }
    }
}

/// Bars of the games by how they ended.
fn endings(report: &TournamentReport) -> Markup {
    let largest = report.endings.values().copied().max().unwrap_or(0).max(1) as f64;
    html! {
        table.bars {
            thead { tr { th { "ending" } th.number { "games" } th.number { "share" } th {} } }
            tbody { @for (name, &games) in &report.endings {
                tr {
                    td { (name) }
                    td.number { (grouped(games)) }
                    td.number { (percent(games as f64 / report.games as f64, 1)) }
                    td.wide { div.bar style=(format!("width:{:.1}%", 100.0 * games as f64 / largest)) {} }
                }
            } }
        }
    }
}

fn faults(run: &RunHeader, report: &TournamentReport, games: &[GameRecord]) -> Markup {
    let counts = report.engines.iter().map(|engine| (engine.name.as_str(), &engine.faults));
    tables::faults(&run.settings, &counts.collect::<Vec<_>>(), games)
}
