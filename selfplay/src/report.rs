//! How a match stands, in words and numbers: fastchess's words where it has them.

pub mod html;

use std::fmt::Write as _;

use assay_rules::{Color, Points};
use serde::Serialize;

use crate::game::fault::FaultKind;
use crate::statistics::{ConfidenceInterval, EloEstimate, SprtDecision};
use crate::tournament::score::MatchScore;

/// The line around results.
const RULE: &str = "--------------------------------------------------";

/// What the match is called in reports.
#[derive(Clone, Debug, Serialize)]
pub struct Names {
    /// The game.
    pub game: String,
    /// The engines.
    pub engines: [String; 2],
    /// What they think within.
    pub limits: [String; 2],
    /// Where openings are from.
    pub openings: String,
}

impl Names {
    fn conditions(&self) -> String {
        let [first, second] = &self.limits;
        let limits = if first == second {
            first.clone()
        } else {
            format!("{first} vs {second}")
        };
        format!("{limits}, {}, {}", self.game, self.openings)
    }
}

/// A number as reports print it: `inf` for what has no bound.
fn number(value: f64) -> String {
    if value.is_infinite() {
        if value > 0.0 {
            "inf".to_owned()
        } else {
            "-inf".to_owned()
        }
    } else {
        format!("{value:.2}")
    }
}

fn with_error(interval: ConfidenceInterval) -> String {
    let half = interval.half_width();
    let half = if half.is_finite() {
        format!("{half:.2}")
    } else {
        "inf".to_owned()
    };
    format!("{} +/- {half}", number(interval.value))
}

/// `LLR: 0.15 (5.2%) (-2.94, 2.94) [0.00, 5.00]`, where the share is that of the way to the nearer bound.
pub fn llr_line(standing: &MatchScore) -> Option<String> {
    let sprt = standing.sprt()?;
    let (lower, upper) = sprt.bounds();
    let llr = standing.llr();
    let share = if llr < 0.0 { llr / lower } else { llr / upper } * if llr < 0.0 { -1.0 } else { 1.0 };
    Some(format!(
        "LLR: {llr:.2} ({:.1}%) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]",
        100.0 * share,
        sprt.elo0(),
        sprt.elo1()
    ))
}

/// `+8.69 +- 27.04` for a progress bar; nothing before the first pair.
pub fn elo_short(standing: &MatchScore) -> Option<String> {
    let elo = EloEstimate::from_counts(standing.sample())?.elo;
    Some(format!("{} +- {}", number(elo.value), number(elo.half_width())))
}

/// The first engine's wins, losses and draws, and what lies between where there are five results.
fn games_line(standing: &MatchScore) -> String {
    let singles = standing.singles();
    let points = singles.points();
    let percent = 100.0 * singles.mean().unwrap_or(0.0);
    let counts = singles.counts();
    let games = singles.games();
    let results = match *counts {
        [losses, draws, wins] => format!("Wins: {wins}, Losses: {losses}, Draws: {draws}"),
        [losses, disadvantages, draws, advantages, wins] => format!(
            "Wins: {wins}, Advantages: {advantages}, Draws: {draws}, Disadvantages: {disadvantages}, Losses: {losses}"
        ),
        _ => String::new(),
    };
    let decimals = if counts.len() == 5 { 2 } else { 1 };
    format!("Games: {games}, {results}, Points: {points:.decimals$} ({percent:.2} %)")
}

/// How the match stands, as fastchess prints it.
pub fn results(names: &Names, standing: &MatchScore) -> String {
    let mut text = format!("{RULE}\n");
    let [first, second] = &names.engines;
    let _ = writeln!(text, "Results of {first} vs {second} ({}):", names.conditions());
    if let Some(estimate) = EloEstimate::from_counts(standing.sample()) {
        let sample = standing.sample();
        let _ = writeln!(
            text,
            "Elo: {}, nElo: {}",
            with_error(estimate.elo),
            with_error(estimate.normalized_elo)
        );
        let ratio = sample.win_loss_ratio().map_or_else(|| "-".to_owned(), number);
        let ratio = if standing.is_paired() {
            format!(", PairsRatio: {ratio}")
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "LOS: {:.2} %, DrawRatio: {:.2} %{ratio}",
            100.0 * estimate.los,
            100.0 * sample.draw_ratio().unwrap_or(0.0)
        );
    }
    let _ = writeln!(text, "{}", games_line(standing));
    if standing.is_paired() {
        let counts: Vec<String> = standing.sample().counts().iter().map(ToString::to_string).collect();
        let title = if standing.results() == 5 {
            "Pairs(0-2 by 0.25)"
        } else {
            "Ptnml(0-2)"
        };
        let _ = writeln!(text, "{title}: [{}]", counts.join(", "));
    }
    if let Some(line) = llr_line(standing) {
        let _ = writeln!(text, "{line}");
    }
    text + RULE + "\n"
}

/// What else there is to tell at the end: the verdict, how games ended, colours, faults.
pub fn more(names: &Names, standing: &MatchScore) -> String {
    let mut text = String::new();
    if let Some(sprt) = standing.sprt() {
        let what = match standing.verdict() {
            SprtDecision::Continue => "SPRT undecided".to_owned(),
            verdict => format!("SPRT: {verdict} after {} pairs", standing.history().len()),
        };
        let unit = if standing.is_paired() {
            what
        } else {
            what.replace(" pairs", " games")
        };
        let _ = writeln!(
            text,
            "{unit} ({} Elo, alpha {}, beta {})",
            sprt.model().name(),
            sprt.alpha(),
            sprt.beta()
        );
    }
    let endings: Vec<String> = standing
        .endings()
        .into_iter()
        .map(|(ending, count)| format!("{ending} {count}"))
        .collect();
    if !endings.is_empty() {
        let _ = writeln!(text, "Endings: {}", endings.join(", "));
    }
    for color in Color::ALL {
        let counts = standing.with_color(color);
        let games: u64 = counts.iter().sum();
        if games > 0 {
            let points: f64 = (0..=4)
                .filter_map(Points::from_quarters)
                .zip(counts)
                .map(|(score, count)| score.as_f64() * count as f64)
                .sum();
            let _ = writeln!(
                text,
                "{} with {color}: {points} of {games} ({:.1} %)",
                names.engines[0],
                100.0 * points / games as f64
            );
        }
    }
    text += &faults_table(names, standing);
    if standing.uncounted() > 0 {
        let _ = writeln!(
            text,
            "Not counted: {} games that are over, but whose pair or one before it is not complete{}",
            standing.uncounted(),
            if standing.verdict() == SprtDecision::Continue {
                ""
            } else {
                ", or they ended after the verdict"
            }
        );
    }
    text
}

/// A table of what each engine did wrong; one line when nobody did anything.
fn faults_table(names: &Names, standing: &MatchScore) -> String {
    if standing.all_faults() == 0 {
        return "Faults: none\n".to_owned();
    }
    let width = names.engines.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::from("Faults:\n");
    for (engine, name) in names.engines.iter().enumerate() {
        let counts: Vec<String> = FaultKind::ALL
            .iter()
            .map(|&kind| format!("{} {}", kind.words(), standing.faults(engine, kind)))
            .collect();
        let _ = writeln!(text, "  {name:<width$}  {}", counts.join(", "));
    }
    text
}

/// The match as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Json {
    /// What it is called.
    #[serde(flatten)]
    pub names: Names,
    /// All games that are over.
    pub games: u64,
    /// Games that count: those of complete pairs, in the order of pairs, up to the verdict.
    pub counted: u64,
    /// The first engine's games by its points: 0, 0.5, 1, or 0, 0.25, 0.5, 0.75, 1.
    pub results: Vec<u64>,
    /// Its points.
    pub points: f64,
    /// Pairs by its points, from 0 to 2; nothing where openings are played once.
    pub pairs: Option<Vec<u64>>,
    /// Logistic Elo.
    pub elo: Option<Number>,
    /// Normalized Elo.
    pub normalized_elo: Option<Number>,
    /// Likelihood of superiority.
    pub los: Option<f64>,
    /// The share of pairs (or games) without winner.
    pub draw_ratio: Option<f64>,
    /// Won pairs for each lost one.
    pub pairs_ratio: Option<f64>,
    /// The test.
    pub sprt: Option<JsonSprt>,
    /// Games by how they ended.
    pub endings: serde_json::Map<String, serde_json::Value>,
    /// Faults of each engine.
    pub faults: [serde_json::Map<String, serde_json::Value>; 2],
}

/// An estimate; what is infinite is nothing in JSON.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Number {
    /// The estimate.
    pub value: Option<f64>,
    /// Its 95% interval.
    pub low: Option<f64>,
    /// Its other end.
    pub high: Option<f64>,
}

/// A test and its state.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct JsonSprt {
    /// Elo of H0.
    pub elo0: f64,
    /// Elo of H1.
    pub elo1: f64,
    /// Probability to accept H1 wrongly.
    pub alpha: f64,
    /// Probability to accept H0 wrongly.
    pub beta: f64,
    /// The unit of Elo.
    pub model: &'static str,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where H0 is accepted.
    pub lower: f64,
    /// Where H1 is accepted.
    pub upper: f64,
    /// `H0`, `H1`, or `undecided`.
    pub decision: &'static str,
}

impl From<ConfidenceInterval> for Number {
    fn from(interval: ConfidenceInterval) -> Number {
        let finite = |value: f64| value.is_finite().then_some(value);
        Number {
            value: finite(interval.value),
            low: finite(interval.low),
            high: finite(interval.high),
        }
    }
}

impl Json {
    /// The match as it stands.
    pub fn new(names: &Names, standing: &MatchScore) -> Json {
        let sample = standing.sample();
        let estimate = EloEstimate::from_counts(sample);
        let sprt = standing.sprt().map(|sprt| JsonSprt {
            elo0: sprt.elo0(),
            elo1: sprt.elo1(),
            alpha: sprt.alpha(),
            beta: sprt.beta(),
            model: sprt.model().name(),
            llr: standing.llr(),
            lower: sprt.bounds().0,
            upper: sprt.bounds().1,
            decision: standing.verdict().name(),
        });
        let faults = [0, 1].map(|engine| {
            let counts = FaultKind::ALL
                .iter()
                .map(|&kind| (kind.name().to_owned(), standing.faults(engine, kind).into()));
            counts.collect()
        });
        Json {
            names: names.clone(),
            games: standing.games(),
            counted: standing.singles().games(),
            results: standing.singles().counts().to_vec(),
            points: standing.singles().points(),
            pairs: standing.is_paired().then(|| sample.counts().to_vec()),
            elo: estimate.map(|estimate| estimate.elo.into()),
            normalized_elo: estimate.map(|estimate| estimate.normalized_elo.into()),
            los: estimate.map(|estimate| estimate.los),
            draw_ratio: sample.draw_ratio(),
            pairs_ratio: sample.win_loss_ratio().filter(|ratio| ratio.is_finite()),
            sprt,
            endings: standing
                .endings()
                .into_iter()
                .map(|(ending, count)| (ending.name().to_owned(), count.into()))
                .collect(),
            faults,
        }
    }
}
