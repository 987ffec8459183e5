//! The tables of the report.

use maud::{Markup, html};

use crate::game::fault::FaultKind;
use crate::game::match_record::MatchGame;
use crate::report::Names;
use crate::tournament::score::MatchScore;

/// Openings and faults that are listed one by one.
const MOST_ROWS: usize = 500;

/// Points without needless zeros.
fn points(quarters: usize) -> String {
    (quarters as f64 / 4.0).to_string()
}

/// How often each score of a pair and of a game occurred, as bars.
pub(super) fn counts(standing: &MatchScore) -> Markup {
    let bars = |title: &str, counts: &[u64], best: usize| {
        let all: u64 = counts.iter().sum();
        let most = counts.iter().copied().max().unwrap_or(0).max(1);
        html! {
            table.bars {
                thead { tr { th { (title) } th.number { "count" } th.number { "share" } th {} } }
                tbody {
                    @for (at, &count) in counts.iter().enumerate() {
                        tr {
                            td { (points(at * best / (counts.len() - 1))) }
                            td.number { (count) }
                            td.number { (format!("{:.1} %", 100.0 * count as f64 / all.max(1) as f64)) }
                            td.wide { div.bar style=(format!("width:{:.1}%", 100.0 * count as f64 / most as f64)) {} }
                        }
                    }
                }
            }
        }
    };
    html! {
        @if standing.is_paired() { (bars("points of a pair", standing.sample().counts(), 8)) }
        (bars("points of a game", standing.singles().counts(), 4))
    }
}

/// What each engine did wrong, then each case.
pub(super) fn faults(names: &Names, standing: &MatchScore, games: &[MatchGame]) -> Markup {
    if standing.all_faults() == 0 {
        return html! { p { "None: every game was played to its end by the rules or by agreement." } };
    }
    let cases: Vec<&MatchGame> = games
        .iter()
        .filter(|game| game.detail.is_some())
        .take(MOST_ROWS)
        .collect();
    html! {
        div.scroll { table {
            thead { tr { th { "engine" } @for kind in FaultKind::ALL { th.number { (kind.words()) } } } }
            tbody { @for (engine, name) in names.engines.iter().enumerate() {
                tr { td { (name) } @for kind in FaultKind::ALL { td.number { (standing.faults(engine, kind)) } } }
            } }
        } }
        div.scroll { table {
            thead { tr { th.number { "game" } th { "engine" } th { "fault" } th { "what happened" } } }
            tbody { @for game in cases { (case(names, game)) } }
        } }
    }
}

fn case(names: &Names, game: &MatchGame) -> Markup {
    let name = game.culprit.map_or("?", |engine| names.engines[engine].as_str());
    html! {
        tr {
            td.number { (game.index + 1) }
            td { (name) }
            td { (game.ending) }
            td {
                @if let Some(detail) = &game.detail {
                    (detail.what)
                    @if let Some(dispute) = &detail.dispute {
                        br; code { (dispute.fen) } br; "the engine: " code { (dispute.found) } br; "legal: " code { (dispute.legal.join(" ")) }
                    }
                    @if !detail.stderr.is_empty() { br; code { (detail.stderr.join(" / ")) } }
                }
            }
        }
    }
}

/// Each opening with what the first engine got from it.
pub(super) fn openings(names: &Names, games: &[MatchGame]) -> Markup {
    let rounds = games.chunk_by(|left, right| left.round == right.round);
    let shown = rounds.clone().count().min(MOST_ROWS);
    html! {
        @if shown < rounds.clone().count() { p.note { "The first " (shown) " of " (rounds.clone().count()) "." } }
        div.scroll { table {
            thead { tr { th.number { "round" } th { "opening" } th { "position" } th.number { (names.engines[0]) ", points" } th { "endings" } } }
            tbody { @for round in rounds.take(MOST_ROWS) {
                tr {
                    td.number { (round[0].round + 1) }
                    td { (round[0].opening) }
                    td { code { (round[0].start) } }
                    td.number { @for (at, game) in round.iter().enumerate() { @if at > 0 { " + " } (game.score_of(0)) } }
                    td { @for (at, game) in round.iter().enumerate() { @if at > 0 { ", " } (game.ending) } }
                }
            } }
        } }
    }
}
