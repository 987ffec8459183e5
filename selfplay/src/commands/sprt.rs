//! `assay-selfplay sprt`: evaluates result counts, or simulates a test to measure its error rates.

use anyhow::{Context, Result, anyhow, bail};
use assay_cli::args::{JsonArg, SeedArg, ThreadsArg, decimal, whole_number};
use assay_cli::{Exit, Progress, interrupt, output};
use assay_selfplay::statistics::elo::los_text;
use assay_selfplay::statistics::pair_model::PairModel;
use assay_selfplay::statistics::simulation::SprtSimulation;
use assay_selfplay::statistics::{ConfidenceInterval, EloEstimate, EloModel, ResultCounts, Sprt};
use clap::ArgGroup;
use serde_json::json;

use super::matches::exit_of;
use super::start_threads;

const EXAMPLES: &str = "\
Examples:
  assay-selfplay sprt --counts 758,38802,84253,39511,772 --elo0 0 --elo1 2
      Elo, LOS and LLR of a finished match
  assay-selfplay sprt --simulate 10000 --elo0 0 --elo1 10 --elo 0 --draw-ratio 0.4
      How often does the test accept H1 if both engines are equally strong? Expect at most alpha
  assay-selfplay sprt --simulate 10000 --elo0 0 --elo1 10 --elo 10 --draw-ratio 0.4
      How often does it accept H0 if the first engine is 10 Elo stronger? Expect at most beta

Exit status with --exit-verdict: 0 if H1 is accepted, 1 if H0 is accepted, 3 if the test is undecided.";

/// Compute Elo, LOS and LLR from result counts, or simulate an SPRT to measure its error rates
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES, group(ArgGroup::new("input").required(true).args(["counts", "simulate"])))]
pub(crate) struct Args {
    /// Result counts, lowest score first: losses,draws,wins of games; or pairs that scored 0, 0.5,
    /// 1, 1.5 and 2 points; or nine counts of pairs by quarter points
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', value_parser = whole_number(0..=u64::MAX))]
    counts: Vec<u64>,
    /// Simulate this many tests and count their errors
    #[arg(long, value_name = "TESTS", value_parser = whole_number(1..=100_000_000_u32))]
    simulate: Option<u32>,
    /// Elo of H0
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, value_parser = decimal, default_value_t = 0.0)]
    elo0: f64,
    /// Elo of H1
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, value_parser = decimal, default_value_t = 5.0)]
    elo1: f64,
    /// Probability of a false positive: H1 accepted although H0 is true
    #[arg(long, value_name = "P", value_parser = decimal, default_value_t = 0.05)]
    alpha: f64,
    /// Probability of a false negative: H0 accepted although H1 is true
    #[arg(long, value_name = "P", value_parser = decimal, default_value_t = 0.05)]
    beta: f64,
    /// Scale of elo0 and elo1
    #[arg(long, value_enum, default_value_t)]
    model: EloModel,
    /// Simulation: true Elo difference, on the scale of the test
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, value_parser = decimal, default_value_t = 0.0)]
    elo: f64,
    /// Simulation: fraction of games that equal engines draw
    #[arg(long, value_name = "P", value_parser = decimal, default_value_t = 0.4)]
    draw_ratio: f64,
    /// Simulation: standard deviation of White's advantage from the opening, in Elo
    #[arg(long, value_name = "ELO", value_parser = decimal, default_value_t = 100.0)]
    bias: f64,
    /// Simulation: pairs between two decisions
    #[arg(long, value_name = "PAIRS", default_value_t = 1, value_parser = whole_number(1..=u64::MAX))]
    batch: u64,
    /// Simulation: stop an undecided test after this many pairs
    #[arg(long, value_name = "PAIRS", default_value_t = 1_000_000, value_parser = whole_number(1..=u64::MAX))]
    max_pairs: u64,
    #[command(flatten)]
    seed: SeedArg,
    /// Report the decision as the exit status
    #[arg(long, conflicts_with = "simulate")]
    exit_verdict: bool,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> Result<Exit> {
    start_threads(args.threads)?;
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model)?;
    match args.simulate {
        Some(tests) => simulate(args, sprt, tests),
        None => evaluate(args, sprt),
    }
}

fn evaluate(args: &Args, sprt: Sprt) -> Result<Exit> {
    let counts = ResultCounts::from_counts(&args.counts).context("--counts")?;
    if args.model == EloModel::Bayesian && counts.games_per_observation() != 1 {
        bail!("--model bayesian: found counts of pairs, expected three counts (losses, draws, wins)");
    }
    let (Some(estimate), Some(score)) = (EloEstimate::from_counts(&counts), counts.mean()) else {
        bail!("--counts: found nothing but zeros, expected results");
    };
    let llr = sprt.llr(&counts);
    let decision = sprt.decide_at(llr);
    let (lower, upper) = sprt.bounds();
    if args.json.json {
        output::json(&json!({
            "counts": args.counts,
            "games": counts.games(),
            "score": score,
            "elo": estimate.elo,
            "normalized_elo": estimate.normalized_elo,
            "los": estimate.los,
            "draw_ratio": counts.draw_ratio(),
            "llr": llr,
            "lower": lower,
            "upper": upper,
            "decision": decision,
        }))?;
    } else {
        output::print(format_args!(
            "Games: {}, Points: {} ({:.2} %)\n\
             Elo: {}, nElo: {}\n\
             LOS: {}, DrawRatio: {:.2} %\n\
             LLR: {llr:.4} ({lower:.2}, {upper:.2}) [{:.2}, {:.2}] {}, alpha {}, beta {}\n\
             {decision}\n",
            counts.games(),
            counts.points(),
            100.0 * score,
            estimate.elo.with_error(),
            estimate.normalized_elo.with_error(),
            los_text(estimate.los, estimate.normalized_elo),
            100.0 * counts.draw_ratio().unwrap_or(0.0),
            args.elo0,
            args.elo1,
            args.model,
            args.alpha,
            args.beta,
        ))?;
    }
    Ok(if args.exit_verdict { exit_of(decision) } else { Exit::Success })
}

fn simulate(args: &Args, sprt: Sprt, tests: u32) -> Result<Exit> {
    let simulation = SprtSimulation {
        sprt,
        elo: args.elo,
        pair_model: PairModel { draw_ratio: args.draw_ratio, opening_bias: args.bias },
        tests,
        max_pairs: args.max_pairs,
        batch: args.batch,
        seed: args.seed.seed,
    };
    let progress = Progress::new(u64::from(tests), "tests");
    // The errors begin with the name of the option.
    let result = simulation.run(|| progress.inc(1), interrupt::stop_flag()).map_err(|error| anyhow!("--{error}"))?;
    progress.finish();
    let Some(result) = result else {
        output::note("stopped");
        return Ok(Exit::Interrupted);
    };
    let (h0, h1) = (
        ConfidenceInterval::of_proportion(result.h0, result.tests()),
        ConfidenceInterval::of_proportion(result.h1, result.tests()),
    );
    let games = result.games as f64 / result.tests() as f64;
    if args.json.json {
        let share = |share: ConfidenceInterval| [share.value, share.low, share.high];
        output::json(&json!({
            "tests": result.tests(),
            "elo": args.elo,
            "pair_probabilities": result.pair_probabilities,
            "h0": result.h0,
            "h1": result.h1,
            "undecided": result.undecided,
            // Shares of the tests with their 95% confidence intervals.
            "h0_share": share(h0),
            "h1_share": share(h1),
            "games_per_test": games,
            "seed": args.seed.seed,
        }))?;
        return Ok(Exit::Success);
    }
    let percent = |share: ConfidenceInterval| {
        format!("{:.2} %, 95% interval {:.2} to {:.2} %", 100.0 * share.value, 100.0 * share.low, 100.0 * share.high)
    };
    // How far the truth lies beyond a hypothesis, in the direction from H0 to H1.
    let toward = |hypothesis: f64| (args.elo - hypothesis) * (args.elo1 - args.elo0);
    let pairs: Vec<String> = result.pair_probabilities.iter().map(|p| format!("{p:.4}")).collect();
    output::print(format_args!(
        "{} tests of H0: {} against H1: {} {} Elo, alpha {}, beta {}, seed {}\n\
         true Elo {}, {:.0} % of games drawn, opening bias {} Elo: pair probabilities [{}]\n\
         H1 accepted: {} ({}){}\n\
         H0 accepted: {} ({}){}\n\
         undecided: {}; games per test: {games:.0}\n",
        result.tests(),
        args.elo0,
        args.elo1,
        args.model,
        args.alpha,
        args.beta,
        args.seed.seed,
        args.elo,
        100.0 * args.draw_ratio,
        args.bias,
        pairs.join(", "),
        result.h1,
        percent(h1),
        error_limit(toward(args.elo0) <= 0.0, "alpha", args.alpha),
        result.h0,
        percent(h0),
        error_limit(toward(args.elo1) >= 0.0, "beta", args.beta),
        result.undecided,
    ))?;
    Ok(Exit::Success)
}

/// The limit on an error rate, if accepting the hypothesis is an error.
fn error_limit(is_error: bool, name: &str, limit: f64) -> String {
    if is_error { format!("; expected at most {:.2} % ({name})", 100.0 * limit) } else { String::new() }
}
