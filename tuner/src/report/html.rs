//! Reports as HTML: one file without external resources, with a chart on its first screen.

mod claims;
mod comparison;
mod convergence;
mod diagnostics;
mod first;
mod forest;
mod game;
mod index;
mod ladder;
mod material;
mod overview;
mod phases;
mod playtest;
mod results;
mod style;
mod values;

pub use claims::page as claims;
pub use comparison::page as comparison;
pub use index::{IndexEntry, page as index};
pub use ladder::page as ladder;
pub use overview::picture as overview;

use assay_cli::format::{count, grouped, percent};
use assay_cli::output::printable;
use maud::{DOCTYPE, Markup, html};

use crate::report::{sentences, tables};
use crate::values::comparison::players_of;
use crate::values::data::DataFile;
use crate::values::inference::units::Unit;
use crate::values::ladder::Ladder;
use crate::values::results::MeasurementReport;

/// The report on one game's values. Pictures show them in `unit`; without one, the first picture is on the inventor's
/// scale if values are published. With a ladder of the same game, the page also shows how the values depend on strength.
pub fn measurement(report: &MeasurementReport, unit: Option<Unit>, ladder: Option<&Ladder>) -> String {
    let unit_of_tables = unit.unwrap_or_default();
    let title = format!("{}: what the pieces are worth", report.title);
    let rules = report.rules();
    let body = html! {
        header {
            h1 { (title) }
            p.lead { (sentences::headline(report)) }
        }
        main {
            (first::section(report, &rules, unit))
            section {
                h2 { "Measured and published values" }
                @if let Some(units) = tables::units(report, unit_of_tables) {
                    (units.html("Values in all units"))
                    p.note { b { "Units. " } (sentences::units(report)) }
                    h3 { "In pawns, with bonuses" }
                }
                (tables::values(report).html("Values in pawns"))
                p.note { (sentences::verdicts(report)) }
                p.note { b { "Intervals. " } (sentences::INTERVALS) }
                @if report.values.iter().any(|value| value.published_raw.is_some()) { p.note { b { "Source of the published values: " } (report.source) "." } }
            }
            section {
                h2 { "How far to trust the values" }
                ul {
                    @if let Some(few_openings) = sentences::few_openings(report) { li { (few_openings) } }
                    li { (sentences::held_out(report)) }
                    @if let Some(agreement) = sentences::agreement(report) { li { (agreement) } }
                    @if let Some(phase_model) = sentences::phase_model(report) { li { (phase_model) } }
                    @if let Some(bootstrap) = sentences::bootstrap(report) { li { (bootstrap) } }
                    li { (sentences::calibration(report)) }
                    @if let Some(given) = sentences::given_material(report) { li { (given) } }
                    @if let Some(omitted) = sentences::omitted(report) { li { (omitted) } }
                }
            }
            (phases::section(report, unit_of_tables))
            @if let Some(ladder) = ladder { (ladder::section(ladder)) }
            @if let Some(material) = material::section(report) { (material) }
            (diagnostics::section(report))
            @if let Some(table) = tables::given_material(report) { (given_material(&table)) }
            @if let Some(maps) = game::square_maps(&rules) { (maps) }
            @if let Some(games) = game::sample_games(report, &rules) { (games) }
            section {
                h2 { "Games needed for narrower intervals" }
                p { (sentences::halving(report)) }
                (convergence::plot(report))
            }
            section {
                h2 { "Results of the games" }
                (results::plot(&report.games))
                p {
                    "White scored " (percent(report.games.white_score, 1)) ". The mean length of a game was "
                    (format!("{:.0}", report.games.mean_plies)) " plies. Terminations: " (results::terminations(&report.games)) "."
                }
                p { (sentences::scale(report)) }
            }
            (method(report))
            (manifest(report))
        }
    };
    page(&title, &body)
}

/// A whole page.
fn page(title: &str, body: &Markup) -> String {
    finished(&html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (maud::PreEscaped(style::CSS)) }
            }
            body {
                (body)
                script { (maud::PreEscaped(game::SCRIPT)) }
            }
        }
    })
}

/// The contents of a file. Markup is escaped where it is made; control characters, which HTML and XML forbid, are escaped here.
fn finished(markup: &Markup) -> String {
    printable(&markup.0).into_owned()
}

fn given_material(differences: &tables::ReportTable<'_>) -> Markup {
    html! {
        section {
            h2 { "Given and won material" }
            p {
                "The armies differ partly because of the opening, which removes or exchanges pieces, and partly because of play. A value is \
                 estimated from both. The table has the value of a piece that the opening gave minus that of one that was won in play, \
                 from a regression with one more coefficient for each; the p-values are of the joint test that all of them are zero."
            }
            (differences.html("Given minus won, in shares of the army"))
        }
    }
}

fn method(report: &MeasurementReport) -> Markup {
    let is_self_play = sentences::is_self_play(report);
    html! {
        section {
            h2 { "Method" }
            p {
                @if is_self_play { "Assay played against itself" } @else { "The games are of a match (" (players_of(&report.files)) ")" }
                " from openings in which the two armies lack different pieces. Every opening was played \
                 twice, the second time with the " (if is_self_play { "armies" } else { "players" }) " swapped. All quiet positions \
                 of a game were used: no check, no capture or promotion in the last two plies or by the next move, and no mate in \
                 sight, and at least a quarter of the pieces left. The positions of a game with at least 3/4 of the pieces left have the weight 1 \
                 together, and so have those with fewer."
            }
            p {
                "A " (report.fit.model) " explains the results by the difference in pieces, the side to move and the color: all of them add \
                 up on one logistic scale, which thresholds divide into the possible results. The value of a piece is its coefficient \
                 divided by that of the unit, with Fieller's interval for the ratio; values in Elo have intervals by the delta method. The king cannot be measured, because each side always has one."
            }
            @if is_self_play {
                p { "The values hold for players of Assay's strength at this number of nodes per move, averaged over the game." }
            } @else {
                p { "The values hold for these players at these limits, averaged over the game." }
            }
        }
    }
}

fn manifest(report: &MeasurementReport) -> Markup {
    html! {
        section {
            h2 { "Reproduce this report" }
            @if let Some(command) = &report.command { pre { (command) } }
            dl {
                dt { "Assay" } dd { (report.assay) }
                dt { "Game" } dd { (report.game) }
                @for file in &report.files { (self::file(file)) }
                @for file in report.playtest.iter().flat_map(|playtest| &playtest.files) { (self::file(file)) }
                dt { "Fit" } dd {
                    (report.fit.model) ", gradient " (format!("{:.0e}", report.fit.gradient)) " after "
                    (count(report.fit.iterations as u64, "Newton step", "Newton steps")) "; standard errors clustered by "
                    (count(report.games.pairs as u64, "opening pair", "opening pairs")) "; intervals reach "
                    (format!("{:.3}", report.fit.critical_value)) " standard errors to each side"
                }
            }
        }
    }
}

/// Settings of a file of games.
fn file(file: &DataFile) -> Markup {
    html! {
        dt { "Games" } dd { (file.path.display()) ", " (count(file.games as u64, "game", "games")) }
        dt { "Hash" } dd { code { (file.hash) } " (BLAKE3)" }
        dt { "Settings" } dd {
            "seed " (file.seed) ", " (grouped(file.nodes)) " nodes per move, " (file.hash_mb) " MiB transposition table, start: "
            (file.setup) ", "
            (file.opening_plies) " random plies, "
            @match file.balance { Some(limit) => { "openings balanced within " (limit) " centipawns" } None => { "openings not balanced" } }
            ", material: " (file.material) ", evaluation jitter up to " (file.jitter) "%"
        }
        @if file.players.is_empty() { dt { "Player" } dd { (file.player) } }
        @for player in &file.players {
            dt { "Player" } dd { (player.label()) "; " (player.identity) " (" (player.settings) ")" }
        }
    }
}
