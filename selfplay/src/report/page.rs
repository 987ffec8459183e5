//! The pages of matches and tournaments.

use std::fmt::Display;

use assay_cli::chart::forest::{self, Row};
use assay_cli::chart::{Axis, Plot, Scale, extent};
use assay_cli::format::{count, grouped, percent};
use assay_cli::page::{Block, Page, Section};
use assay_cli::{Align, Cell, Table, row};
use maud::{Markup, html};

use super::tournament::TournamentReport;
use super::tournament::text as tables;
use super::{MatchReport, Report, chart, text};
use crate::game::{FaultRecord, GameRecord, NamedCounts};
use crate::settings::RunSettings;
use crate::standings::Standings;
use crate::statistics::SprtDecision;

/// Limit on the openings and faults listed one by one.
const MAX_ROWS: usize = 500;

/// Height of the plot of lengths in pixels, and its bars.
const HEIGHT: f64 = 200.0;
const BARS: usize = 24;

impl Report {
    /// The page about games with these standings. `facts` describe the run.
    ///
    /// # Panics
    /// If the standings are of another run.
    pub fn page(
        &self,
        settings: &RunSettings,
        standings: &Standings,
        games: &[GameRecord],
        facts: Vec<(&'static str, String)>,
    ) -> Page {
        let (title, lead, mut sections) = match self {
            Report::Match(report) => {
                let score = standings.match_score().expect("a match has a score");
                let title = format!("{}: {} against {}", report.game, report.engines[0], report.engines[1]);
                (title, headline(report), match_sections(report, &chart::history(score)))
            }
            Report::Tournament(report) => {
                let engines = count(report.engines.len(), "engine", "engines");
                let title = format!("{}: tournament of {engines}", report.game);
                (title, leader(report), tournament_sections(report, games))
            }
        };
        sections.push(Section::new("Faults", faults(settings, self.faults(), games)));
        if let Report::Match(report) = self {
            sections.push(Section::new("Openings", openings(report, games)));
        }
        sections.push(Section::new("Settings", vec![Block::Facts(facts)]));
        Page { title, lead, sections }
    }

    /// Faults by engine.
    fn faults(&self) -> Vec<(&String, &NamedCounts)> {
        match self {
            Report::Match(report) => report.engines.iter().zip(&report.faults).collect(),
            Report::Tournament(report) => report.engines.iter().map(|engine| (&engine.name, &engine.faults)).collect(),
        }
    }
}

fn match_sections(report: &MatchReport, history: &[chart::Point]) -> Vec<Section> {
    let (first, unit) = (&report.engines[0], report.unit());
    let [limits, others] = &report.limits;
    let against = if limits == others { String::new() } else { format!(" against {others}") };
    let conditions = format!("{limits}{against}; openings: {}", report.openings);
    let elo_note = format!(
        "Elo of {first} after each {unit}, with its 95% confidence interval. The order is that of the {unit} numbers, not of the end of the games."
    );
    let mut sections = vec![
        Section::new("", vec![Block::Note(conditions)]),
        Section::new("Elo over time", vec![Block::Picture(chart::elo(history, unit)), Block::Note(elo_note)]),
    ];
    sections.extend(report.sprt.as_ref().map(|sprt| {
        let note = "Log-likelihood ratio. The test accepts H1 at the upper bound and H0 at the lower bound.".to_owned();
        Section::new("Sequential test (SPRT)", vec![Block::Picture(chart::llr(history, sprt, unit)), Block::Note(note)])
    }));
    let points = |counts: &[u64], most: f64| {
        let last = (counts.len() - 1) as f64;
        let points = counts.iter().enumerate().map(|(index, &count)| (most * index as f64 / last, count));
        points.collect::<Vec<_>>()
    };
    let pairs = report.pairs.iter().map(|pairs| shares("points of a pair", points(pairs, 2.0)));
    let mut results: Vec<Block> = pairs.collect();
    let text = html! { pre { (text::results(report)) (text::details(report)) } };
    results.extend([shares("points of a game", points(&report.results, 1.0)), Block::Picture(text)]);
    sections.push(Section::new("Results", results));
    sections
}

fn tournament_sections(report: &TournamentReport, games: &[GameRecord]) -> Vec<Section> {
    let note = |text: &str| Block::Note(text.to_owned());
    let endings = report.endings.iter().map(|(name, &games)| (*name, games));
    vec![
        Section::new("", vec![Block::Note(format!("{}; openings: {}", report.format, report.openings))]),
        Section::new(
            "Ratings",
            vec![
                Block::Picture(ratings(report)),
                Block::Table(tables::ratings(report)),
                Block::Note(tables::note(report)),
            ],
        ),
        Section::new(
            "Cross table",
            vec![
                Block::Table(tables::cross_table(report)),
                note("Points and games of the engine in the row against that in the column."),
            ],
        ),
        Section::new(
            "Likelihood of superiority",
            vec![
                Block::Table(tables::superiority(report)),
                note(
                    "How likely the engine in the row is stronger than that in the column, in percent, for these two alone.",
                ),
            ],
        ),
        Section::new("Pairings", vec![Block::Table(tables::pairings(report))]),
        Section::new("Length of the games", vec![Block::Picture(lengths(games))]),
        Section::new("Endings", vec![shares("ending", endings.collect())]),
    ]
}

/// The main result of a match in a sentence.
fn headline(report: &MatchReport) -> String {
    let [first, second] = &report.engines;
    let Some(elo) = report.elo else {
        return format!("No games of {first} and {second} count yet.");
    };
    let games = count(report.counted, "game", "games");
    let decision = match report.decision() {
        SprtDecision::Continue => String::new(),
        decision => format!(" The SPRT is over: {decision}."),
    };
    let [low, high] = elo.bounds();
    let comparison = if low > 0.0 {
        format!("{first} is stronger than {second}")
    } else if high < 0.0 {
        format!("{first} is weaker than {second}")
    } else {
        format!("{first} and {second} do not differ significantly")
    };
    // No signed number is infinite: a side without a bound is not mentioned.
    let interval = match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("95% interval {low:+.1} to {high:+.1}"),
        (true, false) => format!("at least {low:+.1} Elo with 95% confidence"),
        (false, true) => format!("at most {high:+.1} Elo with 95% confidence"),
        (false, false) => "the error is unknown".to_owned(),
    };
    let elo = if elo.value.is_finite() { format!("{:+.1} Elo ({interval})", elo.value) } else { interval };
    format!("{comparison}: {elo} after {games}.{decision}")
}

/// The main result of a tournament in a sentence.
fn leader(report: &TournamentReport) -> String {
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
            tables::los_cell(Some(los))
        ),
    }
}

/// The ratings with their intervals, the strongest engine first.
fn ratings(report: &TournamentReport) -> Markup {
    let rows = report.engines.iter().filter_map(|engine| {
        let elo = engine.elo?;
        let [value, error] = tables::elo_cells(engine.elo);
        Some(Row {
            name: engine.name.clone(),
            estimates: vec![("inside", elo.all_ends())],
            numbers: html! { (value) " ± " (error) },
            ..Row::default()
        })
    });
    let rows: Vec<Row> = rows.collect();
    let ends = rows.iter().flat_map(|row| &row.estimates).flat_map(|(_, (low, _, high))| [*low, *high]);
    let Some((low, high)) = extent(ends.filter(|end| end.is_finite())) else {
        return html! { p { "No " (report.unit()) " counts yet." } };
    };
    let room = ((high - low) * 0.05).max(1.0);
    let axis = Axis::new(Scale::width((low - room, high + room)), 6.0, "Elo");
    forest::plot_on("Ratings with their intervals", &axis, &rows)
}

/// Counts with their shares of the total.
fn shares(name: &str, counts: Vec<(impl Display, u64)>) -> Block {
    let total = counts.iter().map(|&(_, count)| count).sum::<u64>().max(1);
    let rows = counts.into_iter().map(|(name, count)| {
        let share = count as f64 / total as f64;
        row(name.to_string(), [Cell::from(grouped(count)), Cell::from(percent(share, 1)).shade(Some(share))])
    });
    Block::Table(Table::of("", [name, "count", "share"], rows))
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
            rect.plus x=(x.coordinate((at * width) as f64)) width=(format!("{:.2}%", 92.0 / bars.len() as f64)) y=(top) height=(HEIGHT - top) {
                title { (at * width) " to " ((at + 1) * width - 1) " plies: " (count(games, "game", "games")) }
            }
        }
    };
    let plot = Plot {
        description: "Number of games by length",
        x: Axis::new(x, 6.0, "plies"),
        y: Axis::new(y, 4.0, "games"),
        height: HEIGHT,
        curves: Vec::new(),
        points: &[],
        marks,
    };
    html! { (plot.draw()) p.note { "The games have " (format!("{mean:.1}")) " plies on average." } }
}

/// Faults by engine and kind, then one by one.
fn faults(settings: &RunSettings, engines: Vec<(&String, &NamedCounts)>, games: &[GameRecord]) -> Vec<Block> {
    let Some(table) = text::fault_table(engines.into_iter()) else {
        return vec![Block::Text("None: every game ended by the rules or by adjudication.".to_owned())];
    };
    let columns = [("game", Align::Right), ("engine", Align::Left), ("fault", Align::Left), ("details", Align::Left)];
    let mut cases = Table::new(columns);
    for (game, fault) in games.iter().filter_map(|game| Some((game, game.fault.as_ref()?))).take(MAX_ROWS) {
        let engine = settings.players.of_pair(game.pair)[fault.player];
        let name = &settings.players.all()[engine].name;
        cases.row([(game.index + 1).to_string(), name.clone(), game.end.to_string(), details(fault)]);
    }
    vec![Block::Table(table), Block::Table(cases)]
}

fn details(fault: &FaultRecord) -> String {
    let dispute = fault.dispute.as_ref().map(|dispute| {
        format!("position {}; engine: {}; legal: {}", dispute.fen, dispute.found, dispute.legal.join(" "))
    });
    let stderr = (!fault.stderr.is_empty()).then(|| fault.stderr.join(" / "));
    [Some(fault.what.clone()), dispute, stderr].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Openings with the points of the first engine.
fn openings(report: &MatchReport, games: &[GameRecord]) -> Vec<Block> {
    let rounds = games.chunk_by(|left, right| left.pair == right.pair);
    let all = rounds.clone().count();
    let note = format!("The first {MAX_ROWS} of {} openings.", grouped(all));
    let words = ["opening", "position", "endings"].map(|heading| (heading.to_owned(), Align::Left));
    let points = format!("{}, points", report.engines[0]);
    let columns = [("round".to_owned(), Align::Right)].into_iter().chain(words).chain([(points, Align::Right)]);
    let mut table = Table::new(columns);
    for round in rounds.take(MAX_ROWS) {
        let list = |texts: Vec<String>, separator: &str| Cell::from(texts.join(separator));
        table.row([
            Cell::from((round[0].pair + 1).to_string()),
            Cell::from(round[0].opening.as_str()),
            Cell::from(round[0].start_fen.as_str()).class("code"),
            list(round.iter().map(|game| game.end.to_string()).collect(), ", "),
            list(round.iter().map(|game| game.points_of(0).to_string()).collect(), " + "),
        ]);
    }
    (all > MAX_ROWS).then_some(Block::Note(note)).into_iter().chain([Block::Table(table)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example_match;
    use crate::statistics::Estimate;
    use crate::tally::Tally;

    #[test]
    fn headline_has_no_infinite_numbers() {
        let settings = example_match();
        let mut report = MatchReport::new(&settings, &Tally::default(), &settings.new_score());
        assert_eq!(headline(&report), "No games of a and b count yet.");
        report.counted = 10;
        let mut headline_of = |value, low, high| {
            report.elo = Some(Estimate { value, interval: Some([low, high]) });
            headline(&report)
        };
        let (below, above) = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(
            headline_of(above, 183.1, above),
            "a is stronger than b: at least +183.1 Elo with 95% confidence after 10 games."
        );
        assert_eq!(
            headline_of(0.0, below, above),
            "a and b do not differ significantly: +0.0 Elo (the error is unknown) after 10 games."
        );
        assert_eq!(
            headline_of(20.0, 5.0, 35.0),
            "a is stronger than b: +20.0 Elo (95% interval +5.0 to +35.0) after 10 games."
        );
    }
}
