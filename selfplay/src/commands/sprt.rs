//! `assay-selfplay sprt`: what counts of results say, and how often a test errs.

use std::io::{IsTerminal, stderr};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use assay_selfplay::report::{Number, verdict_name};
use assay_selfplay::statistics::simulate::{Share, Simulation};
use assay_selfplay::statistics::{Estimate, Model, Sample, Sprt, Verdict};
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde::Serialize;

use super::{DIFFERS, UNDECIDED, print, print_json};

const EXAMPLES: &str = "\
Examples:
  assay-selfplay sprt --counts 758,38802,84253,39511,772 --elo0 0 --elo1 2
      pairs worth 0, 0.5, 1, 1.5, 2 points (three counts are losses, draws, wins; nine are pairs by quarter points)
  assay-selfplay sprt --simulate 10000 --elo0 0 --elo1 10 --elo 0 --draw-ratio 0.4
      how often does the test accept H1 when the engines are equal? At most alpha, or the test is no test
  assay-selfplay sprt --simulate 10000 --elo0 0 --elo1 10 --elo 10 --draw-ratio 0.4

Exit status with --exit-verdict: 0 when H1 is accepted, 1 when H0 is, 3 when neither is.";

/// What `sprt` is told.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The counts, least score first
    #[arg(
        long,
        value_name = "N,N,...",
        value_delimiter = ',',
        required_unless_present = "simulate",
        conflicts_with = "simulate"
    )]
    counts: Vec<u64>,
    /// Play the test so many times instead, and count its errors
    #[arg(long, value_name = "TESTS", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    simulate: Option<u32>,
    /// Elo of H0
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, default_value_t = 0.0)]
    elo0: f64,
    /// Elo of H1
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, default_value_t = 5.0)]
    elo1: f64,
    /// Probability to accept H1 though H0 holds
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// Probability to accept H0 though H1 holds
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// What Elo is measured in: normalized, logistic, bayesian
    #[arg(long, value_name = "MODEL", default_value = "normalized", value_parser = model)]
    model: Model,
    /// Simulation: the true difference, in the model's Elo
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, default_value_t = 0.0)]
    elo: f64,
    /// Simulation: the share of drawn games
    #[arg(long, value_name = "P", default_value_t = 0.4)]
    draw_ratio: f64,
    /// Simulation: how much openings favour White, as a standard deviation in Elo
    #[arg(long, value_name = "ELO", default_value_t = 100.0)]
    bias: f64,
    /// Simulation: pairs between two looks at the test
    #[arg(long, value_name = "PAIRS", default_value_t = 1)]
    batch: u64,
    /// Simulation: pairs after which a test is given up
    #[arg(long, value_name = "PAIRS", default_value_t = 1_000_000)]
    most_pairs: u64,
    /// Simulation: the number that all random choices follow from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Tell the verdict by the exit status
    #[arg(long, conflicts_with = "simulate")]
    exit_verdict: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

fn model(name: &str) -> Result<Model, String> {
    Model::from_name(name).ok_or_else(|| "expected normalized, logistic or bayesian".to_owned())
}

/// Calculates or simulates.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model)?;
    match args.simulate {
        Some(tests) => simulate(args, sprt, tests),
        None => calculate(args, sprt),
    }
}

#[derive(Serialize)]
struct Calculated {
    counts: Vec<u64>,
    games: u64,
    score: f64,
    elo: Number,
    normalized_elo: Number,
    los: f64,
    draw_ratio: Option<f64>,
    llr: f64,
    lower: f64,
    upper: f64,
    verdict: &'static str,
}

fn calculate(args: &Args, sprt: Sprt) -> Result<ExitCode> {
    let sample = Sample::from_counts(&args.counts)?;
    if args.model == Model::Bayesian && sample.games_each() != 1 {
        bail!("--model bayesian: found counts of pairs, expected three counts: losses, draws, wins");
    }
    let (Some(estimate), Some(score)) = (Estimate::of(&sample), sample.mean()) else {
        bail!("--counts: found nothing but zeros, expected results");
    };
    let llr = sprt.llr(&sample);
    let verdict = sprt.verdict_of(llr);
    let (lower, upper) = sprt.bounds();
    if args.json {
        print_json(&Calculated {
            counts: args.counts.clone(),
            games: sample.games(),
            score,
            elo: estimate.elo.into(),
            normalized_elo: estimate.normalized.into(),
            los: estimate.superiority,
            draw_ratio: sample.draw_ratio(),
            llr,
            lower,
            upper,
            verdict: verdict_name(verdict),
        })?;
    } else {
        print(&format!(
            "Games: {}, Points: {} ({:.2} %)\n\
             Elo: {:.2} +/- {:.2}, nElo: {:.2} +/- {:.2}\n\
             LOS: {:.2} %, DrawRatio: {:.2} %\n\
             LLR: {llr:.4} ({lower:.2}, {upper:.2}) [{:.2}, {:.2}] {}, alpha {}, beta {}\n\
             {verdict}\n",
            sample.games(),
            sample.points(),
            100.0 * score,
            estimate.elo.value,
            estimate.elo.half_width(),
            estimate.normalized.value,
            estimate.normalized.half_width(),
            100.0 * estimate.superiority,
            100.0 * sample.draw_ratio().unwrap_or(0.0),
            args.elo0,
            args.elo1,
            args.model.name(),
            args.alpha,
            args.beta,
        ))?;
    }
    Ok(match (args.exit_verdict, verdict) {
        (false, _) | (true, Verdict::H1) => ExitCode::SUCCESS,
        (true, Verdict::H0) => ExitCode::from(DIFFERS),
        (true, Verdict::Undecided) => ExitCode::from(UNDECIDED),
    })
}

#[derive(Serialize)]
struct Outcome {
    tests: u64,
    elo: f64,
    pair_probabilities: [f64; 5],
    h0: u64,
    h1: u64,
    undecided: u64,
    /// Shares with their 95% intervals: value, low, high.
    h0_share: [f64; 3],
    h1_share: [f64; 3],
    games_per_test: f64,
    seed: u64,
}

fn simulate(args: &Args, sprt: Sprt, tests: u32) -> Result<ExitCode> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed))?;
    let bar = ProgressBar::new(u64::from(tests));
    if !stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let simulation = Simulation {
        sprt,
        elo: args.elo,
        draw_ratio: args.draw_ratio,
        bias: args.bias,
        tests,
        most_pairs: args.most_pairs,
        batch: args.batch,
        seed: args.seed,
    };
    let done = simulation.run(|| bar.inc(1), &stop)?;
    bar.finish_and_clear();
    let Some(done) = done else {
        eprintln!("stopped");
        return Ok(ExitCode::from(DIFFERS));
    };
    let (h0, h1) = (Share::of(done.h0, done.tests()), Share::of(done.h1, done.tests()));
    let games = done.games as f64 / done.tests() as f64;
    if args.json {
        let share = |share: Share| [share.value, share.low, share.high];
        print_json(&Outcome {
            tests: done.tests(),
            elo: args.elo,
            pair_probabilities: done.pair,
            h0: done.h0,
            h1: done.h1,
            undecided: done.undecided,
            h0_share: share(h0),
            h1_share: share(h1),
            games_per_test: games,
            seed: args.seed,
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let percent = |share: Share| {
        format!(
            "{:.2} % (95%: {:.2} to {:.2})",
            100.0 * share.value,
            100.0 * share.low,
            100.0 * share.high
        )
    };
    let pair: Vec<String> = done.pair.iter().map(|p| format!("{p:.4}")).collect();
    print(&format!(
        "{} tests of H0: {} against H1: {} {} Elo, alpha {}, beta {}, seed {}\n\
         true Elo {}, {:.0} % of games drawn, openings biased by {} Elo: pairs [{}]\n\
         H1 accepted {} times: {}{}\n\
         H0 accepted {} times: {}{}\n\
         undecided {} times, {games:.0} games a test on average\n",
        done.tests(),
        args.elo0,
        args.elo1,
        args.model.name(),
        args.alpha,
        args.beta,
        args.seed,
        args.elo,
        100.0 * args.draw_ratio,
        args.bias,
        pair.join(", "),
        done.h1,
        percent(h1),
        promise(args.elo <= args.elo0, args.alpha),
        done.h0,
        percent(h0),
        promise(args.elo >= args.elo1, args.beta),
        done.undecided,
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// What the test promises about a share, where it promises something.
fn promise(holds: bool, limit: f64) -> String {
    if holds {
        format!("; promised: at most {:.2} %", 100.0 * limit)
    } else {
        String::new()
    }
}
