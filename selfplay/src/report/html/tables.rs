//! Tables of the HTML report.

use assay_cli::format::{grouped, percent};
use maud::{Markup, html};

use crate::game::NamedCounts;
use crate::game::{FaultKind, FaultRecord, GameRecord};
use crate::report::MatchReport;
use crate::settings::RunSettings;

/// Limit on the openings and faults listed one by one.
const MAX_ROWS: usize = 500;

/// Histograms of the results of pairs and of games.
pub(super) fn counts(report: &MatchReport) -> Markup {
    let histogram = |title: &str, counts: &[u64], max_points: f64| {
        let total: u64 = counts.iter().sum();
        let largest = counts.iter().copied().max().unwrap_or(0).max(1);
        let points = |index: usize| max_points * index as f64 / (counts.len() - 1) as f64;
        html! {
            table.bars {
                thead { tr { th { (title) } th.number { "count" } th.number { "share" } th {} } }
                tbody {
                    @for (index, &count) in counts.iter().enumerate() {
                        tr {
                            td { (points(index)) }
                            td.number { (grouped(count)) }
                            td.number { (percent(count as f64 / total.max(1) as f64, 1)) }
                            td.wide { div.bar style=(format!("width:{:.1}%", 100.0 * count as f64 / largest as f64)) {} }
                        }
                    }
                }
            }
        }
    };
    html! {
        @if let Some(pairs) = &report.pairs { (histogram("points of a pair", pairs, 2.0)) }
        (histogram("points of a game", &report.results, 1.0))
    }
}

/// Faults by engine and kind, then one by one.
pub(super) fn faults(settings: &RunSettings, engines: &[(&str, &NamedCounts)], games: &[GameRecord]) -> Markup {
    if engines.iter().all(|(_, counts)| counts.values().all(|&count| count == 0)) {
        return html! { p { "None: every game ended by the rules or by adjudication." } };
    }
    let cases = games.iter().filter_map(|game| Some((game, game.fault.as_ref()?)));
    let cases: Vec<(&GameRecord, &FaultRecord)> = cases.take(MAX_ROWS).collect();
    html! {
        div.scroll { table {
            thead { tr { th { "engine" } @for kind in FaultKind::ALL { th.number { (kind.plural()) } } } }
            tbody { @for (name, counts) in engines {
                tr { td { (name) } @for count in counts.values() { td.number { (grouped(count)) } } }
            } }
        } }
        div.scroll { table {
            thead { tr { th.number { "game" } th { "engine" } th { "fault" } th { "details" } } }
            tbody { @for (game, fault) in cases { (case(settings, game, fault)) } }
        } }
    }
}

fn case(settings: &RunSettings, game: &GameRecord, fault: &FaultRecord) -> Markup {
    let engine = settings.players.of_pair(game.pair)[fault.player];
    html! {
        tr {
            td.number { (game.index + 1) }
            td { (settings.players.all()[engine].name) }
            td { (game.end) }
            td {
                (fault.what)
                @if let Some(dispute) = &fault.dispute {
                    br; code { (dispute.fen) } br; "engine: " code { (dispute.found) } br; "legal: " code { (dispute.legal.join(" ")) }
                }
                @if !fault.stderr.is_empty() { br; code { (fault.stderr.join(" / ")) } }
            }
        }
    }
}

/// Openings with the points of the first engine.
pub(super) fn openings(report: &MatchReport, games: &[GameRecord]) -> Markup {
    let rounds = games.chunk_by(|left, right| left.pair == right.pair);
    let shown = rounds.clone().count().min(MAX_ROWS);
    html! {
        @if shown < rounds.clone().count() { p.note { "The first " (shown) " of " (grouped(rounds.clone().count())) " openings." } }
        div.scroll { table {
            thead { tr { th.number { "round" } th { "opening" } th { "position" } th.number { (report.engines[0]) ", points" } th { "endings" } } }
            tbody { @for round in rounds.take(MAX_ROWS) {
                tr {
                    td.number { (round[0].pair + 1) }
                    td { (round[0].opening) }
                    td { code { (round[0].start_fen) } }
                    td.number { @for (at, game) in round.iter().enumerate() { @if at > 0 { " + " } (game.points_of(0)) } }
                    td { @for (at, game) in round.iter().enumerate() { @if at > 0 { ", " } (game.end) } }
                }
            } }
        } }
    }
}
