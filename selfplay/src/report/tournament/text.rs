//! A tournament report as text: the rating table first.

use std::fmt::Write as _;

use assay_cli::format::{count, decimals, grouped, percent};
use assay_cli::{Align, Cell, Table, row};

use super::{EngineReport, TournamentReport};
use crate::report::text::{endings_line, faults};
use crate::statistics::Estimate;

/// A rating and half its interval, as `85.2` and `30.1`; `>= 75.5` if there is only a bound; `-` if
/// nothing is known.
pub fn elo_cells(elo: Option<Estimate>) -> [String; 2] {
    let unknown = || "-".to_owned();
    let Some(elo) = elo else {
        return [unknown(), unknown()];
    };
    let [low, high] = elo.bounds();
    match (low.is_finite(), high.is_finite()) {
        (true, true) => [decimals(elo.value, 1), decimals((high - low) / 2.0, 1)],
        (true, false) => [format!(">= {}", decimals(low, 1)), unknown()],
        (false, true) => [format!("<= {}", decimals(high, 1)), unknown()],
        (false, false) => [unknown(), unknown()],
    }
}

/// A likelihood of superiority in percent, which is never rounded to certainty; `-` if nothing is
/// known.
pub fn los_cell(los: Option<f64>) -> String {
    let Some(los) = los else { return "-".to_owned() };
    match 100.0 * los {
        high if high >= 99.95 => ">99.9".to_owned(),
        low if low < 0.05 => "<0.1".to_owned(),
        percent => format!("{percent:.1}"),
    }
}

/// `12.5/20`: points and games; `-` if the engines are not paired.
fn result_cell(result: Option<(f64, u64)>) -> String {
    result.map_or_else(|| "-".to_owned(), |(points, games)| format!("{points}/{games}"))
}

/// The share of games with a score of one half.
fn draws(engine: &EngineReport) -> String {
    match engine.games {
        0 => "-".to_owned(),
        games => percent(engine.results[engine.results.len() / 2] as f64 / games as f64, 1),
    }
}

/// What the numbers of the rating table mean, in a sentence.
pub fn note(report: &TournamentReport) -> String {
    let reference = match &report.anchor {
        Some(name) => format!("relative to {name}"),
        None => "of mean 0".to_owned(),
    };
    format!(
        "Elo {reference}; all intervals hold at once with 95% confidence. LOS: stronger than the next engine, in percent."
    )
}

/// The engines by rank.
pub fn ratings(report: &TournamentReport) -> Table {
    let headings = ["Elo", "+/-", "Games", "Points", "Score", "Draws", "LOS"].map(|name| (name, Align::Right));
    let mut table = Table::new([("Rank", Align::Right), ("Engine", Align::Left)].into_iter().chain(headings));
    for (rank, engine) in report.engines.iter().enumerate() {
        let [elo, error] = elo_cells(engine.elo);
        table.row([
            (rank + 1).to_string(),
            engine.name.clone(),
            elo,
            error,
            grouped(engine.games),
            engine.points.to_string(),
            engine.score.map_or_else(|| "-".to_owned(), |score| percent(score, 1)),
            draws(engine),
            if rank + 1 < report.engines.len() { los_cell(report.los[rank][rank + 1]) } else { String::new() },
        ]);
    }
    table
}

/// The rating table with the conditions above it.
pub fn results(report: &TournamentReport) -> String {
    let engines = count(report.engines.len(), "engine", "engines");
    let conditions = format!("{}, {}, {}", report.format, report.game, report.openings);
    format!("Results of {engines} ({conditions}):\n{}{}\n", ratings(report), note(report))
}

/// The lines after the rating table: repeated pairs, endings, faults.
pub fn details(report: &TournamentReport) -> String {
    let mut text = String::new();
    if report.uncounted() > 0 {
        let games = count(report.uncounted(), "finished game", "finished games");
        let _ = writeln!(text, "Not counted: {games}; their pair or an earlier one is incomplete");
    }
    if report.repeated_pairs > 0 {
        let unit = report.unit();
        let repeated = count(report.repeated_pairs, unit, &format!("{unit}s"));
        let _ = writeln!(text, "{repeated} not counted, with the games of an earlier {unit}");
    }
    text += &endings_line(&report.endings);
    let engines = report.engines.iter().filter(|engine| engine.faults.values().any(|&faults| faults > 0));
    text + &faults(engines.map(|engine| (&engine.name, &engine.faults)))
}

/// Points and games of each engine against each other one.
pub fn cross_table(report: &TournamentReport) -> Table {
    matrix(report, "Cross table", |row, column| {
        let result = report.result(row, column);
        let share = result.filter(|&(_, games)| games > 0).map(|(points, games)| points / games as f64);
        (result_cell(result), share)
    })
}

/// The likelihoods of superiority.
pub fn superiority(report: &TournamentReport) -> Table {
    matrix(report, "LOS (%)", |row, column| (los_cell(report.los[row][column]), report.los[row][column]))
}

/// A table of engines against engines. A page makes the ground of a cell darker, the larger its
/// share is.
fn matrix(report: &TournamentReport, title: &str, cell: impl Fn(usize, usize) -> (String, Option<f64>)) -> Table {
    let engines = &report.engines;
    let numbers = (1..=engines.len()).map(|number| (number.to_string(), Align::Right));
    let columns = [(String::new(), Align::Right), (title.to_owned(), Align::Left)];
    let mut table = Table::new(columns.into_iter().chain(numbers));
    for (row, engine) in engines.iter().enumerate() {
        let cells = (0..engines.len()).map(|column| match cell(row, column) {
            _ if row == column => Cell::default(),
            (text, share) => Cell::from(text).shade(share),
        });
        table.row([(row + 1).to_string(), engine.name.clone()].map(Cell::from).into_iter().chain(cells));
    }
    table
}

/// The pairs of each pairing by points.
pub fn pairings(report: &TournamentReport) -> Table {
    let rows = report.pairings.iter().map(|pairing| {
        let counts = pairing.pairs.as_ref().unwrap_or(&pairing.results);
        let cells = [
            result_cell(Some((pairing.points, pairing.games))),
            pairing.elo.map_or_else(|| "-".to_owned(), |elo| elo.with_error()),
            format!("[{}]", counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
        ];
        row(pairing.engines.join(" - "), cells)
    });
    Table::of("", ["Pairings", "Score", "Elo", points_heading(report)], rows)
}

/// The heading of the counts of pairs, or of games.
fn points_heading(report: &TournamentReport) -> &'static str {
    let has_five_results = report.engines.iter().any(|engine| engine.results.len() == 5);
    match (report.is_paired, has_five_results) {
        (true, false) => "Ptnml(0-2)",
        (true, true) => "Pairs(0-2 by 0.25)",
        (false, false) => "Games(0-1)",
        (false, true) => "Games(0-1 by 0.25)",
    }
}
