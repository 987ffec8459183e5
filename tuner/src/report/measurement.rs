//! The report on a measurement: everything that was measured, in sections.

use std::collections::BTreeMap;

use assay_cli::chart::extent;
use assay_cli::format::{count, percent};
use assay_cli::page::{Block, Page, Section};
use assay_cli::{Cell, Table, row};

use super::format::{self, verdict_class};
use super::html::{charts, maps, pieces, viewer};
use super::summary::first_table;
use super::{ladder, playtest, sentences};
use crate::values::comparison::players_of;
use crate::values::data::Regressor;
use crate::values::design::PhaseModel;
use crate::values::distinct;
use crate::values::inference::{
    Diagnostics, GivenDifference, GivenMaterial, GroupResidual, MeasuredValue, Unit, ValueTable, ValueVerdict,
};
use crate::values::ladder::Ladder;
use crate::values::results::MeasurementReport;

/// Everything that was measured. The first table and pictures show `unit`, or without one shares of
/// the army. With a ladder of the same game, the report also shows
/// how the values depend on strength.
pub fn measurement(report: &MeasurementReport, unit: Option<Unit>, ladder: Option<&Ladder>) -> Page {
    let rules = report.rules();
    let maps = maps::pictures(&rules).map(Block::Picture);
    let has_games = !report.sample_games.is_empty();
    let games = has_games.then(|| Block::Picture(viewer::pictures(report, &rules)));
    let mut sections = vec![
        first(report, unit),
        values(report, unit),
        trust(report),
        phases(report, unit.unwrap_or_default()),
        playtest::second_method(report),
    ];
    sections.extend(ladder.map(ladder::section));
    sections.extend([
        material(report),
        residuals(report),
        given_material(report),
        Section::new("Where the pieces stand best", maps.into_iter().collect()),
        Section::new("Games", games.into_iter().collect()),
        more_games(report),
        results(report),
        method(report),
        sources(report),
    ]);
    Page { title: format!("{}: what the pieces are worth", report.title), lead: sentences::headline(report), sections }
}

fn first(report: &MeasurementReport, unit: Option<Unit>) -> Section {
    let shares = sentences::shares(report).filter(|_| unit.is_none());
    let mut blocks = vec![
        Block::Picture(pieces::picture(report, unit.or(Some(Unit::Army)))),
        Block::Text(format!("Measured by Assay from {}", sentences::amount(report))),
    ];
    blocks.extend(shares.map(Block::Note));
    Section::new("", blocks)
}

fn values(report: &MeasurementReport, unit: Option<Unit>) -> Section {
    let mut values = report.tables.iter().flat_map(|table| &table.values).chain(&report.bonuses);
    let has_source = values.any(|value| value.published.is_some());
    let first = match unit.and_then(|unit| Some((unit, report.table(Some(unit))?))) {
        Some((unit, table)) => Some(in_unit(report, unit, table)),
        None => report
            .table(None)
            .map(|_| Table { caption: "Values in shares of the army".to_owned(), ..first_table(report) }),
    };
    let mut blocks: Vec<Block> = first.map(Block::Table).into_iter().collect();
    blocks.extend([
        Block::Note(sentences::units(report)),
        Block::Table(pawns(report)),
        Block::Note(sentences::verdicts(report)),
        Block::Note(sentences::INTERVALS.to_owned()),
    ]);
    if has_source {
        blocks.push(Block::Note(format!("Source of the published values: {}.", report.source)));
    }
    Section::new("Measured and published values", blocks)
}

/// Published value, measured value and verdict in a unit.
fn in_unit(report: &MeasurementReport, unit: Unit, table: &ValueTable) -> Table {
    let rows = table.values.iter().map(|value| {
        vec![
            format::piece(&value.piece, value.with_half_pair).into(),
            format::published(value.published).into(),
            Cell::from(format::measured(Some(value.measured), 2)).class("measured"),
            verdict(report, value),
        ]
    });
    Table::of(format!("Values in the unit {}", unit.name()), ["piece", "published", unit.name(), "verdict"], rows)
}

fn verdict(report: &MeasurementReport, value: &MeasuredValue) -> Cell {
    Cell::from(format::verdict(report, value)).class(verdict_class(value.verdict))
}

/// The pieces in pawns, then the effects of pairs, second pieces and hands.
fn in_pawns(report: &MeasurementReport) -> impl Iterator<Item = &MeasuredValue> {
    report.table(Some(Unit::Pawns)).into_iter().flat_map(|table| &table.values).chain(&report.bonuses)
}

fn pawns(report: &MeasurementReport) -> Table {
    let game = report.rules();
    let regressors = Regressor::all(&game).into_iter().map(|regressor| (regressor.name(&game), regressor));
    let regressors: BTreeMap<String, Regressor> = regressors.collect();
    let measured = in_pawns(report).map(|value| {
        let published = regressors.get(&value.piece).and_then(|regressor| regressor.published_raw(&game));
        let interval = Some(value.measured).filter(|_| value.verdict != ValueVerdict::Unit);
        vec![
            format::piece(&value.piece, value.with_half_pair).into(),
            format::published(published).into(),
            format::value(value.published, 2).into(),
            Cell::from(format::point(value.measured, 2)).class("measured"),
            interval.map_or_else(|| format::NONE.to_owned(), |measured| format::interval(measured, 2)).into(),
            verdict(report, value),
        ]
    });
    let unmeasured = format::unmeasured(report).map(|(kind, reason)| {
        let kind = Regressor::Kind(kind);
        vec![
            kind.name(&game).into(),
            format::published(kind.published_raw(&game)).into(),
            format::value(kind.published_in_pawns(&game), 2).into(),
            Cell::from(format::NONE).class("measured"),
            format::NONE.into(),
            Cell::from(reason).class("plain"),
        ]
    });
    let rows = measured.chain(unmeasured);
    let headings = ["piece", "published", "in pawns", "measured", "95% interval", "verdict"];
    Table::of("Values in pawns, with bonuses", headings, rows)
}

fn trust(report: &MeasurementReport) -> Section {
    let sentences = [
        sentences::imported_values(report),
        sentences::few_openings(report),
        sentences::separated(&report.fit.separated),
        Some(sentences::held_out(report)),
        sentences::second_method(report),
        sentences::phase_model(report).map(str::to_owned),
        sentences::feedback(report),
        sentences::bootstrap(report),
        Some(sentences::calibration(report)),
        sentences::given_material(report),
        sentences::omitted(report),
        sentences::by_moves(report),
    ];
    let list = Block::List(sentences.into_iter().flatten().collect());
    Section::new("How far to trust the values", vec![list])
}

fn phases(report: &MeasurementReport, unit: Unit) -> Section {
    let changes = report.fit.phase_model != PhaseModel::Constant;
    let picture = changes.then(|| Block::Picture(charts::phases(report, unit)));
    let measured = in_pawns(report).filter(|value| value.verdict != ValueVerdict::Unit);
    let rows = measured.map(|value| {
        let phases = [value.full_board, value.few_pieces].map(|at| format::measured(at, 2));
        row(format::piece(&value.piece, value.with_half_pair), phases)
    });
    let table = Table::of("Values in pawns by game phase", ["piece", "full board", "1/4 of pieces"], rows);
    let mut blocks: Vec<Block> = picture.into_iter().chain([Block::Table(table)]).collect();
    if let Some(table) = models(report) {
        blocks.extend([Block::Table(table), Block::Note(sentences::models(report))]);
    }
    Section::new("Values by game phase", blocks)
}

/// Values by other models in shares of the army, with the spread over all models; `None` if there
/// are none.
fn models(report: &MeasurementReport) -> Option<Table> {
    let army = report.table(Some(Unit::Army))?;
    if report.alternatives.is_empty() {
        return None;
    }
    let rows = army.values.iter().map(|value| {
        let mut all = vec![Some(value.measured.value)];
        all.extend(report.alternatives.iter().map(|model| model.values.get(&value.piece).copied()));
        let spread = extent(all.iter().flatten().copied());
        let spread = spread.map_or_else(|| format::NONE.to_owned(), |(least, most)| format::range(least, most, 2));
        let models = all.iter().map(|&value| format::value(value, 2));
        row(&value.piece, models.chain([spread]))
    });
    let others = report.alternatives.iter().map(|model| model.model.as_str());
    let headings = ["piece", "this model"].into_iter().chain(others).chain(["spread"]);
    Some(Table::of("Shares of the army by other models", headings, rows))
}

fn material(report: &MeasurementReport) -> Section {
    let picture = charts::material(report);
    let mut blocks = vec![Block::Text(sentences::scale(report))];
    blocks.extend(picture.map(Block::Picture));
    Section::new("What material is worth in results", blocks)
}

fn residuals(report: &MeasurementReport) -> Section {
    let Diagnostics { by_phase, by_kind, .. } = &report.diagnostics;
    let mut pieces: Vec<&str> = by_kind.iter().map(|residual| residual.group.as_str()).collect();
    pieces.dedup();
    let mut rows = Vec::new();
    for piece in pieces {
        let of = |phase: Option<&str>| {
            let mut all = by_kind.iter();
            all.find(|residual| residual.group == piece && residual.phase.as_deref() == phase)
        };
        let phases = by_phase.iter().map(|phase| of(Some(&phase.group)));
        rows.push(residual_row(piece, of(None), phases));
    }
    rows.push(residual_row("any material", None, by_phase.iter().map(Some)));
    let phases = by_phase.iter().map(|phase| phase.group.trim_end_matches(" of the pieces left"));
    let headings = ["ahead in", "all phases"].into_iter().chain(phases);
    let text = "A residual is the actual score minus the predicted one, in points per game, for the side that has more of a piece or more \
        material. Columns: share of the pieces left.";
    Section::new(
        "Calibration and residuals",
        vec![
            Block::Picture(charts::calibration(report)),
            Block::Text(text.to_owned()),
            Block::Table(Table::of("Residuals of the side ahead, with 95% intervals", headings, rows)),
        ],
    )
}

fn residual_row<'r>(
    name: &str,
    average: Option<&'r GroupResidual>,
    by_phase: impl Iterator<Item = Option<&'r GroupResidual>>,
) -> Vec<Cell> {
    let cells = std::iter::once(average).chain(by_phase).map(|residual| {
        let Some(residual) = residual.map(|residual| residual.residual) else {
            return format::NONE.into();
        };
        let half_width = residual.half_width();
        let half_width = half_width.map_or_else(String::new, |half_width| format!(" \u{b1} {half_width:.3}"));
        let mark = if residual.is_beyond(3.0) { " *" } else { "" };
        let errors = (residual.mean / residual.standard_error).clamp(-6.0, 6.0);
        Cell {
            shade: Some(errors / 6.0).filter(|shade| shade.is_finite()),
            ..Cell::from(format!("{:+.3}{half_width}{mark}", residual.mean))
        }
    });
    row(name, cells)
}

/// Value of a given piece minus that of one won in play, by stage of the game, and the joint tests.
fn given_material(report: &MeasurementReport) -> Section {
    let mut blocks = Vec::new();
    if let Some(GivenMaterial::Tested(test)) = &report.given_material {
        let pieces = distinct(test.differences.iter().map(|difference| difference.piece.as_str()));
        // As in the sentence, single differences count only if the joint test rejects.
        let is_significant = |difference: &GivenDifference| test.overall.p < 0.05 && difference.is_significant();
        let cell = |piece: &str, stage: &str| {
            let mut all = test.differences.iter();
            let found = all.find(|difference| difference.piece == piece && difference.stage == stage);
            let class = found.filter(|found| is_significant(found)).map_or("", |_| "outside");
            Cell::from(format::measured(found.and_then(|found| found.army), 2)).class(class)
        };
        let of_piece = |piece| row(piece, test.stages.iter().map(|stage| cell(piece, &stage.stage)));
        let tests = test.stages.iter().map(|stage| format::p_value(stage.test.p));
        let rows = pieces.into_iter().map(of_piece).chain([row("all together", tests)]);
        let headings = std::iter::once("piece").chain(test.stages.iter().map(|stage| stage.stage.as_str()));
        let text = "The armies differ partly because of the opening, which removes or exchanges pieces, and partly because of play. A value is \
            estimated from both. The table has the value of a piece that the opening gave minus that of one that was won in play, \
            from a regression with one more coefficient for each; the p-values are of the joint test that all of them are zero.";
        blocks.extend([
            Block::Text(text.to_owned()),
            Block::Table(Table::of("Given minus won, in shares of the army", headings, rows)),
        ]);
    }
    Section::new("Given and won material", blocks)
}

fn more_games(report: &MeasurementReport) -> Section {
    let mut blocks = vec![Block::Text(sentences::halving(report))];
    blocks.extend(charts::convergence(report).map(Block::Picture));
    Section::new("Games needed for narrower intervals", blocks)
}

fn results(report: &MeasurementReport) -> Section {
    let games = &report.games;
    let terminations = games.terminations.iter().map(|count| {
        let share = percent(count.games as f64 / games.games.max(1) as f64, 1);
        format!("{} {share}", count.termination.replace('-', " "))
    });
    let mut text = format!(
        "White scored {}. The mean length of a game was {:.0} plies. Terminations: {}.",
        percent(games.white_score, 1),
        games.mean_plies,
        terminations.collect::<Vec<_>>().join(", ")
    );
    text.extend(sentences::decided(games));
    Section::new("Results of the games", vec![Block::Picture(charts::results(report)), Block::Text(text)])
}

fn method(report: &MeasurementReport) -> Section {
    let openings = if report.files.iter().all(|file| file.imported.is_some()) {
        ""
    } else {
        " The openings are ones in which the two armies lack different pieces. Every opening was played twice, the second time with the armies \
         swapped (in a match of two players: the players)."
    };
    let games = format!(
        "Players: {}.{openings} All quiet positions of a game were used: no check, no capture or \
         promotion in the last two plies or by the next move, and no mate in sight, and at least a quarter of the pieces left. The positions \
         of a game with at least 3/4 of the pieces left have the weight 1 together, and so have those with fewer.",
        players_of(&report.files)
    );
    let model = format!(
        "A {} explains the results by the difference in pieces, the side to move and the color: all of them add up on one logistic scale, \
         which thresholds divide into the possible results. The value of a piece is its coefficient divided by that of the unit, with \
         Fieller's interval for the ratio. The king cannot be measured, because each side \
         always has one. The values hold for these players at these limits, averaged over the game.",
        report.fit.model
    );
    Section::new("Method", vec![Block::Text(games), Block::Text(model)])
}

fn sources(report: &MeasurementReport) -> Section {
    let fit = &report.fit;
    let how = format!(
        "{}, gradient {:.0e} after {}; standard errors clustered by {}",
        fit.model,
        fit.gradient,
        count(fit.iterations, "Newton step", "Newton steps"),
        count(report.games.pairs, "opening pair", "opening pairs")
    );
    let facts = [("Assay", report.assay.clone()), ("Game", report.game.clone())].into_iter();
    let played = report.playtest.iter().flat_map(|playtest| &playtest.files);
    let facts = facts.chain(report.files.iter().chain(played).flat_map(format::file_facts));
    format::reproduce(report.command.as_ref(), facts.chain([("Fit", how)]))
}
