//! The report: one HTML file that needs nothing else, to be understood by someone who only looks.

mod axis;
mod claims;
mod convergence_plot;
mod course;
mod diagnostics;
pub mod overview;
mod overview_plot;
mod playtest_plot;
mod results_plot;
mod style;
pub mod table;
mod values_plot;
pub mod words;

pub use claims::page as claims;
pub use overview_plot::overview;

use maud::{DOCTYPE, Markup, html};

use crate::values::data::File;
use crate::values::inference::estimate::Value;
use crate::values::inference::verdict::Verdict;
use crate::values::results::Analysis;

/// The whole page.
pub fn html(analysis: &Analysis) -> Markup {
    let title = format!("{}: what the pieces are worth", analysis.title);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (style::CSS) }
            }
            body {
                header {
                    h1 { (title) }
                    p.lead { (words::headline(analysis)) }
                    p { "Measured by Assay from " (words::amount(analysis)) }
                }
                section {
                    h2 { "Measured values and the inventor's" }
                    (values_plot::plot(&analysis.values))
                    (table(analysis))
                    p.note { b { "Verdicts. " } (words::VERDICTS) }
                    p.note { b { "Intervals. " } (words::ERRORS) }
                    p.note { b { "The inventor's values: " } (analysis.source) "." }
                }
                section {
                    h2 { "Do the values hold up?" }
                    ul {
                        @if let Some(joint) = words::joint(analysis) { li { (joint) } }
                        li { (words::unseen(analysis)) }
                        li { (words::scale(analysis)) }
                        @if let Some(agreement) = words::agreement(analysis) { li { (agreement) } }
                        @if let Some(course) = words::course(analysis) { li { (course) } }
                        @if let Some(resampling) = words::resampling(analysis) { li { (resampling) } }
                        li { (words::description(analysis)) }
                        @if let Some(omitted) = words::omitted(analysis) { li { (omitted) } }
                    }
                }
                (course::section(analysis))
                (diagnostics::section(analysis))
                section {
                    h2 { "How many games a sharper answer needs" }
                    p { (words::halving(analysis)) }
                    (convergence_plot::plot(analysis))
                }
                section {
                    h2 { "How the games ended" }
                    (results_plot::plot(&analysis.games))
                }
                (method(analysis))
                (manifest(analysis))
            }
        }
    }
}

/// The class that colours a verdict; the words say the same.
fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Inside => "inside",
        Verdict::Above | Verdict::Below => "outside",
        Verdict::TooWide => "wide",
        Verdict::NoClaim | Verdict::Unit | Verdict::Unmeasurable => "plain",
    }
}

fn table(analysis: &Analysis) -> Markup {
    html! {
        div.scroll { table {
            thead { tr {
                th { "piece" }
                th.number { "inventor, as published" }
                th.number { "inventor, in pawns" }
                th.number { "measured, in pawns" }
                th.number { "95% interval" }
                th { "verdict" }
            } }
            tbody { @for value in &analysis.values { (row(value)) } }
        } }
    }
}

fn row(value: &Value) -> Markup {
    html! {
        tr {
            td.piece { (value.piece) @if let Some(letter) = value.letter { " " span.letter { (letter) } } }
            td.number { (words::published(value.inventor_raw)) }
            td.number { (words::decimals(value.inventor)) }
            td.number { b { (words::decimals(value.measured)) } }
            td.number { (words::interval(value.interval)) }
            td.(class(value.verdict)) { (value.verdict.text()) }
        }
    }
}

fn method(analysis: &Analysis) -> Markup {
    html! {
        section {
            h2 { "How it was measured" }
            p {
                "Assay played against itself from openings in which each side misses other pieces. Every opening was played \
                 twice, the second time with the armies swapped, so that having White cannot pass for having a better army. \
                 From each game all quiet positions were taken, each game weighing the same in each of three stages (with 3/4 of the pieces and more, with 1/4 and more, with fewer): nobody in check, no pieces captured or \
                 promoted for two plies nor by the move then played, and no mate in sight. The game's result is explained by "
                (analysis.fit.model) ": one latent scale, cut into the results, on which each side's pieces add up, \
                 plus who is to move and who is White. A piece's value is its coefficient over the pawn's, its interval \
                 Fieller's. The king is not measured: each side always has one."
            }
            p {
                "These are values between two players of Assay's strength at this number of nodes, averaged over the course \
                 of the game."
            }
        }
    }
}

fn manifest(analysis: &Analysis) -> Markup {
    html! {
        section {
            h2 { "To repeat this" }
            @if let Some(command) = &analysis.command { pre { (command) } }
            dl {
                dt { "Assay" } dd { (analysis.assay) }
                dt { "Game" } dd { (analysis.game) }
                @for file in &analysis.files { (self::file(file)) }
                @if let Some(played) = analysis.playtest.as_ref().and_then(|playtest| playtest.data.as_ref()) { (self::file(played)) }
                dt { "Fit" } dd {
                    (analysis.fit.model) ", gradient " (format!("{:.0e}", analysis.fit.gradient)) " after "
                    (analysis.fit.iterations) " steps; errors clustered by "
                    (words::thousands(analysis.games.pairs as u64)) " opening pairs, intervals of "
                    (format!("{:.3}", analysis.fit.reach)) " standard errors"
                }
            }
        }
    }
}

/// What is known of a file of games, as terms and descriptions.
fn file(file: &File) -> Markup {
    html! {
        dt { "File" } dd { (file.path.display()) ", " (words::thousands(file.games as u64)) " games" }
        dt { "Hash of its games" } dd { code { (file.hash) } " (BLAKE3)" }
        dt { "Settings" } dd {
            "seed " (file.seed) ", " (file.nodes) " nodes a move, " (file.hash_mb) " MB of search table, start "
            (file.setup) ", "
            (file.opening_plies) " random plies, balance "
            @match file.balance { Some(limit) => { (limit) " centipawns" } None => { "not asked for" } }
            ", material " (file.material) ", the player's own piece values off by up to " (file.jitter) "%"
        }
        dt { "Player" } dd { (file.player) }
    }
}
