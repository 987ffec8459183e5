//! `assay-selfplay sprt`: evaluates result counts.

use anyhow::{Context, Result, bail};
use assay_cli::args::{JsonArg, decimal, one_of, whole_number};
use assay_cli::{Exit, output};
use assay_selfplay::statistics::elo::los_text;
use assay_selfplay::statistics::{EloEstimate, EloModel, ResultCounts, Sprt};
use serde_json::json;

use super::matches::exit_of;

const EXAMPLES: &str = include_str!("help/sprt.txt").trim_ascii_end();

/// Compute Elo, LOS and LLR from result counts
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Result counts, lowest score first: losses,draws,wins of games; or pairs that scored 0, 0.5,
    /// 1, 1.5 and 2 points; or nine counts of pairs by quarter points
    #[arg(long, required = true, value_name = "N,N,...", value_delimiter = ',', value_parser = whole_number(0..=u64::MAX))]
    counts: Vec<u64>,
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
    ///
    /// With `normalized`, the length of a test does not depend on the draw ratio; `logistic` is the
    /// scale of ratings; `bayesian` is `BayesElo`, of single games with three results.
    #[arg(long, value_parser = one_of::<EloModel>(EloModel::NAMES), default_value_t)]
    model: EloModel,
    /// Report the decision as the exit status
    #[arg(long)]
    exit_verdict: bool,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> Result<Exit> {
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model)?;
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
