//! A match report as text. The first block has the form of fastchess's results.

use std::fmt::Write as _;

use assay_cli::{Table, format, row};
use assay_rules::Color;

use super::{MatchReport, SprtReport};
use crate::game::{FaultKind, NamedCounts};
use crate::statistics::SprtDecision;
use crate::statistics::elo::los_text;
use crate::tournament::search_totals::SearchReport;

/// The line above and below the results.
const RULE: &str = "--------------------------------------------------";

fn conditions(report: &MatchReport) -> String {
    let [first, second] = &report.limits;
    let limits = if first == second { first.clone() } else { format!("{first} vs {second}") };
    // Nothing is known of the limits of an imported game.
    let known = [limits, report.game.clone(), report.openings.clone()].into_iter().filter(|part| !part.is_empty());
    known.collect::<Vec<_>>().join(", ")
}

/// `LLR: 0.15 (5.2%) (-2.94, 2.94) [0.00, 5.00]`: the ratio, its share of the way to the nearer
/// bound, the bounds, and the hypotheses.
pub fn llr_line(sprt: &SprtReport) -> String {
    let SprtReport { llr, lower, upper, .. } = *sprt;
    let share = if llr < 0.0 { -llr / lower } else { llr / upper };
    format!(
        "LLR: {llr:.2} ({:.1}%) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]",
        100.0 * share,
        sprt.test.elo0,
        sprt.test.elo1
    )
}

/// Score, Elo, LLR and faults in one line, for progress displays.
pub fn progress_line(report: &MatchReport) -> String {
    let mut parts = vec![format!("{}/{} points", report.points, format::grouped(report.counted))];
    parts.extend(report.elo.map(|elo| format!("Elo {}", elo.with_error())));
    parts.extend(report.sprt.as_ref().map(llr_line));
    if report.total_faults() > 0 {
        parts.push(format::count(report.total_faults(), "fault", "faults"));
    }
    parts.join(", ")
}

fn games_line(report: &MatchReport) -> String {
    let results = match *report.results {
        [losses, draws, wins] => format!("Wins: {wins}, Losses: {losses}, Draws: {draws}"),
        [losses, disadvantages, draws, advantages, wins] => format!(
            "Wins: {wins}, Advantages: {advantages}, Draws: {draws}, Disadvantages: {disadvantages}, Losses: {losses}"
        ),
        _ => String::new(),
    };
    let decimals = if report.has_five_results() { 2 } else { 1 };
    let percent = 100.0 * report.score.unwrap_or(0.0);
    format!("Games: {}, {results}, Points: {:.decimals$} ({percent:.2} %)", report.counted, report.points)
}

/// `3 of 5 pairs repeat an earlier pair and are not counted`.
fn repeated_line(report: &MatchReport) -> String {
    let (unit, games) = (report.unit(), if report.is_paired() { 2 } else { 1 });
    let repeated = report.repeated_pairs;
    let (repeat, are) = if repeated == 1 { ("repeats", "is") } else { ("repeat", "are") };
    format!(
        "{} of {} {repeat} an earlier {unit} and {are} not counted",
        format::grouped(repeated),
        format::count(report.counted / games + repeated, unit, &format!("{unit}s"))
    )
}

/// `Lost on time: a 6, b 2`; `None` if neither engine lost a game on time.
fn time_loss_line(report: &MatchReport) -> Option<String> {
    let losses = report.faults.iter().map(|faults| faults[FaultKind::TimeLoss.name()]);
    let lost = report.engines.iter().zip(losses).filter(|&(_, losses)| losses > 0);
    let lost: Vec<String> = lost.map(|(name, losses)| format!("{name} {}", format::grouped(losses))).collect();
    (!lost.is_empty()).then(|| format!("Lost on time: {}", lost.join(", ")))
}

/// The results, as fastchess prints them.
pub fn results(report: &MatchReport) -> String {
    let [first, second] = &report.engines;
    let mut text = format!("{RULE}\nResults of {first} vs {second} ({}):\n", conditions(report));
    if let Some(line) = time_loss_line(report) {
        let _ = writeln!(text, "{line}");
    }
    if let (Some(elo), Some(normalized), Some(los)) = (report.elo, report.normalized_elo, report.los) {
        let _ = writeln!(text, "Elo: {}, nElo: {}", elo.with_error(), normalized.with_error());
        let _ = write!(
            text,
            "LOS: {}, DrawRatio: {:.2} %",
            los_text(los, normalized),
            100.0 * report.draw_ratio.unwrap_or(0.0)
        );
        if report.is_paired() {
            let ratio = report.pairs_ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
            let _ = write!(text, ", PairsRatio: {ratio}");
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{}", games_line(report));
    if let Some(pairs) = &report.pairs {
        let counts: Vec<String> = pairs.iter().map(ToString::to_string).collect();
        let title = if report.has_five_results() { "Pairs(0-2 by 0.25)" } else { "Ptnml(0-2)" };
        let _ = write!(text, "{title}: [{}]", counts.join(", "));
        if let Some([decided, drawn]) = report.level_pairs.filter(|[_, drawn]| *drawn > 0) {
            let _ = write!(text, ", WL/DD Ratio: {:.2}", decided as f64 / drawn as f64);
        }
        text.push('\n');
    }
    if report.repeated_pairs > 0 {
        let _ = writeln!(text, "{}", repeated_line(report));
    }
    if let Some(sprt) = &report.sprt {
        let _ = writeln!(text, "{}", llr_line(sprt));
    }
    text + RULE + "\n"
}

/// The lines after the results: the SPRT's decision, endings, colors, faults.
pub fn details(report: &MatchReport) -> String {
    let mut text = String::new();
    if let Some(sprt) = &report.sprt {
        let _ = writeln!(
            text,
            "SPRT: {} after {} ({} Elo, alpha {}, beta {})",
            sprt.decision,
            format::count(sprt.observations, report.unit(), &format!("{}s", report.unit())),
            sprt.test.model,
            sprt.test.alpha,
            sprt.test.beta
        );
    }
    text += &endings_line(&report.endings);
    for (color, side) in Color::ALL.into_iter().zip(report.by_color) {
        if side.games > 0 {
            let _ = writeln!(
                text,
                "{} with {color}: {} of {} ({:.1} %)",
                report.engines[0],
                side.points,
                format::count(side.games, "point", "points"),
                100.0 * side.points / side.games as f64
            );
        }
    }
    text += &searches(report);
    text += &faults(report.engines.iter().zip(&report.faults));
    if report.uncounted() > 0 {
        let reason =
            if report.decision() == SprtDecision::Continue { "" } else { ", or they ended after the decision" };
        let _ = writeln!(
            text,
            "Not counted: {}; their pair or an earlier one is incomplete{reason}",
            format::count(report.uncounted(), "finished game", "finished games")
        );
    }
    text
}

/// Nodes per second and mean depth of both engines, as far as they are known.
fn searches(report: &MatchReport) -> String {
    let [first, second] = &report.engines;
    let both =
        |value: fn(&SearchReport) -> Option<f64>| Some((value(&report.searches[0])?, value(&report.searches[1])?));
    let mut text = String::new();
    if let Some((one, two)) = both(|searches| searches.nodes_per_second) {
        let rate = |number: f64| format::grouped(number.round() as u64);
        let _ =
            writeln!(text, "Nodes/s: {first} {}, {second} {} ({:.2} times as many)", rate(one), rate(two), one / two);
    }
    if let Some((one, two)) = both(|searches| searches.mean_depth) {
        let _ = writeln!(text, "Mean depth: {first} {one:.1}, {second} {two:.1} plies");
    }
    if let Some((one, two)) = both(|searches| searches.seconds_per_move) {
        // Three decimals of a second say nothing about a move of a few milliseconds.
        let (factor, unit) = if one.min(two) < 0.1 { (1000.0, "ms") } else { (1.0, "s") };
        let _ = writeln!(text, "Time per move: {first} {:.3}, {second} {:.3} {unit}", factor * one, factor * two);
    }
    text
}

/// `Endings: checkmate 3, repetition 2`; empty without games.
pub(super) fn endings_line(endings: &NamedCounts) -> String {
    let endings = endings.iter().map(|(ending, count)| format!("{ending} {}", format::grouped(count)));
    let endings: Vec<String> = endings.collect();
    if endings.is_empty() { String::new() } else { format!("Endings: {}\n", endings.join(", ")) }
}

/// Faults of engines by kind; `None` if there are none.
pub(super) fn fault_table<'e>(engines: impl Iterator<Item = (&'e String, &'e NamedCounts)> + Clone) -> Option<Table> {
    let has_faults = engines.clone().any(|(_, counts)| counts.values().any(|&count| count > 0));
    let rows = engines.map(|(name, counts)| row(name, counts.values().map(format::grouped)));
    has_faults.then(|| Table::of("", ["Faults"].into_iter().chain(FaultKind::ALL.map(FaultKind::plural)), rows))
}

pub(super) fn faults<'e>(engines: impl Iterator<Item = (&'e String, &'e NamedCounts)> + Clone) -> String {
    fault_table(engines).map_or_else(|| "Faults: none\n".to_owned(), |table| table.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example_match;
    use crate::settings::RunSettings;
    use crate::tally::Tally;

    fn report(repeat: bool) -> MatchReport {
        let settings = RunSettings { repeat, ..example_match() };
        MatchReport::new(&settings, &Tally::default(), &settings.new_score())
    }

    #[test]
    fn repeated_pairs_have_a_line() {
        let mut pairs = report(true);
        assert!(!results(&pairs).contains("repeat"));
        pairs.counted = 2;
        pairs.repeated_pairs = 1;
        assert!(results(&pairs).contains("\n1 of 2 pairs repeats an earlier pair and is not counted\n"));
        pairs.repeated_pairs = 1_000;
        assert!(results(&pairs).contains("\n1,000 of 1,001 pairs repeat an earlier pair and are not counted\n"));
        let mut games = report(false);
        games.counted = 3;
        games.repeated_pairs = 2;
        assert!(results(&games).contains("\n2 of 5 games repeat an earlier game and are not counted\n"));
    }

    #[test]
    fn time_losses_are_above_the_score() {
        let mut report = report(true);
        assert_eq!(time_loss_line(&report), None);
        let losses = |losses| NamedCounts::from([(FaultKind::TimeLoss.name(), losses)]);
        report.faults = [losses(6), losses(0)];
        assert_eq!(time_loss_line(&report).as_deref(), Some("Lost on time: a 6"));
        report.faults = [losses(6), losses(2)];
        let text = results(&report);
        assert!(text.contains("\nLost on time: a 6, b 2\nGames: 0, "), "{text}");
    }

    #[test]
    fn short_times_are_in_milliseconds() {
        let mut report = report(true);
        let mut time = |one, two| {
            report.searches[0].seconds_per_move = Some(one);
            report.searches[1].seconds_per_move = Some(two);
            searches(&report)
        };
        assert_eq!(time(0.5, 1.25), "Time per move: a 0.500, b 1.250 s\n");
        assert_eq!(time(0.000_4, 1.25), "Time per move: a 0.400, b 1250.000 ms\n");
    }
}
