//! The report on two armies.

use assay_cli::Table;
use assay_cli::format::{count, decimals, percent};
use assay_cli::text::wrap;

use super::{format, sentences};
use crate::values::armies::{ArmiesReport, Handicap};
use crate::values::inference::Estimate;

/// The text for a terminal: the stronger army, its advantage in pawns, and the scores with
/// handicaps.
pub fn armies(report: &ArmiesReport) -> String {
    let [one, other] = &report.armies;
    let mut text = format!("A: {one}\nB: {other}\n{}", count(report.games, "game", "games"));
    if let [file] = report.files.as_slice() {
        text += &format!(" of {}, seed {}", file.players_or_nodes(), file.seed);
    }
    text +=
        &format!("; {}, each played twice with the armies exchanged\n\n", count(report.pairs, "opening", "openings"));
    let [low, high] = report.score.interval.unwrap_or([0.0, 1.0]);
    let is_a = report.score.value > 0.5;
    let (stronger, weaker) = if is_a { ("A", "B") } else { ("B", "A") };
    let pawns = report.advantage.map(|advantage| {
        let ends = advantage.interval.map(|[low, high]| if is_a { [low, high] } else { [-high, -low] });
        let interval = ends.map_or_else(|| "unbounded".to_owned(), |[low, high]| format::range(low, high, 2));
        format!("by {} pawns (95%: {interval})", decimals(advantage.value.abs(), 2))
    });
    let behind = |mark: &str| pawns.as_ref().map_or_else(String::new, |pawns| format!("{mark}{pawns}"));
    let verdict = if low <= 0.5 && 0.5 <= high {
        format!("It is not clear yet which army is stronger. The best estimate is {stronger}{}.", behind(", "))
    } else {
        format!("{stronger} is stronger than {weaker}{}.", behind(" "))
    };
    let nearest = &report.handicaps[report.nearest];
    let even = match (&report.advantage, given(nearest, stronger, weaker)) {
        (None, _) => "These games do not tell what a pawn is worth, so there are no handicaps yet.".to_owned(),
        (_, None) => "No handicap of pawns or of the first move is nearer to even.".to_owned(),
        (_, Some(given)) => format!("Nearest to even: {given}."),
    };
    text += &wrap("", &format!("{verdict} {even}"));
    let rows = report.handicaps.iter().take(report.nearest + 3).map(|handicap| {
        let given = given(handicap, stronger, weaker);
        [given.unwrap_or_else(|| "none".to_owned()), share(&handicap.score)]
    });
    let rows = rows.map(|row| row.map(Into::into).to_vec());
    text += &format!("\n{}", Table::of("", ["handicap", "score of A (95%)"], rows));
    text.extend(sentences::separated(&report.separated).map(|sentence| wrap("", &sentence)));
    if !report.has_castling {
        text += &wrap("", "Neither side castles.");
    }
    text
}

/// A score with its interval, in percent.
fn share(score: &Estimate) -> String {
    let [low, high] = score.interval.unwrap_or([0.0, 1.0]).map(|end| percent(end, 1));
    format!("{} ({low} to {high})", percent(score.value, 1))
}

/// A handicap in words: `A gives a pawn, B has White`; `None` without one.
fn given(handicap: &Handicap, stronger: &str, weaker: &str) -> Option<String> {
    let pawns = match handicap.pawns {
        0 => None,
        1 => Some(format!("{stronger} gives a pawn")),
        pawns => Some(format!("{stronger} gives {pawns} pawns")),
    };
    let first_move = handicap.first_move.then(|| format!("{weaker} has White"));
    let given: Vec<String> = pawns.into_iter().chain(first_move).collect();
    (!given.is_empty()).then(|| given.join(", "))
}
