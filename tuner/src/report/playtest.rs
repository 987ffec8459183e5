//! The playtest: alone, and as the second method beside a regression.

use assay_cli::format::{count, decimals, grouped};
use assay_cli::page::{Block, Page, Section};
use assay_cli::{Cell, Table, row};

use super::format::{self, verdict_class};
use super::html::charts;
use super::sentences;
use crate::values::inference::Unit;
use crate::values::playtest::{Playtest, PlaytestComparison};
use crate::values::results::MeasurementReport;

/// The report on a playtest; `None` if its game does not have the unit.
pub fn playtest(playtest: &Playtest, unit: Unit) -> Option<Page> {
    let values = playtest.values(unit)?;
    let rows = values.values.iter().map(|value| {
        let cells = [
            format::value(value.published, 2),
            format::value(Some(value.measured.value), 2),
            format::interval(value.measured, 2),
            value.verdict.to_string(),
        ];
        row(&value.piece, cells)
    });
    let headings = ["piece", "published", unit.name(), "95% interval", "verdict"];
    let definition = format!(
        "{}: {}. The value of a piece is that of the first of its kind that a full army loses, which includes the bonus for a pair.",
        unit.name(),
        values.definition
    );
    let mut blocks = vec![Block::Table(Table::of("", headings, rows)), Block::Note(definition)];
    blocks.extend(sentences::goodness_of_fit(playtest).map(Block::Text));
    blocks.push(Block::Table(comparisons(playtest)));
    Some(Page {
        title: format!(
            "{}: values by matches between unequal armies ({} in pairs)",
            playtest.game,
            count(playtest.games, "game", "games")
        ),
        lead: String::new(),
        sections: vec![Section::new("", blocks)],
    })
}

/// The playtest of a measurement, beside its regression.
pub(super) fn second_method(report: &MeasurementReport) -> Section {
    let mut blocks = Vec::new();
    let both = report.agreement.as_ref().zip(report.playtest.as_ref());
    if let Some(((agreement, playtest), table)) = both.zip(both_methods(report)) {
        blocks.push(Block::Text(format!(
            "A playtest of {} from armies that differ by a few pieces measures what it costs a full army to lose its first piece of each \
             kind, without a regression. Verdicts are on the regression's value beside the playtest's: about the same if the interval of \
             their difference lies within a quarter of the value; not clear yet if these games do not tell.",
            count(playtest.games, "game", "games")
        )));
        blocks.extend([
            Block::Picture(charts::both_methods(agreement)),
            Block::Table(table),
            Block::Text(format!(
                "One unit is worth {:.3} log-odds (standard error {:.3}).",
                playtest.unit_log_odds, playtest.unit_log_odds_standard_error
            )),
            Block::Picture(charts::playtest_scores(playtest)),
        ]);
        blocks.extend(sentences::goodness_of_fit(playtest).map(Block::Text));
        let rules = report.rules();
        let unmeasured = format::unmeasured(report).map(|(kind, _)| kind);
        let kinds = report.fitted().kinds().into_iter().chain(unmeasured);
        let letters = kinds.map(|kind| format!("{} {}", rules.kind(kind).letter, rules.kind(kind).name));
        let note = format!(
            "-N means that a knight is missing, +N that one is added: {}.",
            letters.collect::<Vec<_>>().join(", ")
        );
        blocks.extend([Block::Table(comparisons(playtest)), Block::Note(note)]);
    }
    Section::new("Check by a second method", blocks)
}

fn comparisons(playtest: &Playtest) -> Table {
    let of_comparison = |comparison: &PlaytestComparison| {
        let behind = match comparison.advantage {
            Some(advantage) => format::measured(Some(advantage), 2),
            None if comparison.score.value > 0.0 && comparison.score.value < 1.0 => "all pairs equal".to_owned(),
            None => "one side won all".to_owned(),
        };
        let score = format::measured(Some(comparison.score), 3);
        let cells = [grouped(comparison.pairs), score, behind, decimals(comparison.fitted, 2)];
        row(&comparison.material, cells)
    };
    let headings = ["first / second army", "pairs", "score of the first", "behind by score", "by the values"];
    let caption = "All comparisons, and by how much the first army is behind, in shares of the army";
    Table { is_folded: true, ..Table::of(caption, headings, playtest.comparisons.iter().map(of_comparison)) }
}

/// Both methods' values of the first piece of each kind that a full army loses; `None` without a
/// playtest.
pub fn both_methods(report: &MeasurementReport) -> Option<Table> {
    let rows = report.agreement.as_ref()?.values.iter().map(|value| {
        vec![
            value.piece.as_str().into(),
            format::measured(Some(value.regression), 2).into(),
            format::measured(Some(value.playtest), 2).into(),
            format::value(value.z, 1).into(),
            Cell::from(format::method_word(value.verdict)).class(verdict_class(value.verdict)),
        ]
    });
    let headings = ["piece", "regression", "playtest", "standard errors apart", ""];
    let caption = "First piece of its kind that a full army loses, in shares of the army";
    Some(Table::of(caption, headings, rows))
}
