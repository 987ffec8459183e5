//! `assay-tuner coverage`.

use std::path::PathBuf;

use assay_cli::args::{self, JsonArg, SeedArg};
use assay_cli::format::{count, decimals, grouped};
use assay_cli::text::wrap;
use assay_cli::{Align, Exit, Progress, Table, output};
use assay_tuner::values::coverage::{SubsetCoverage, WholeSet};
use assay_tuner::values::data::{Dataset, count_games};
use assay_tuner::values::inference::monte_carlo::CoverageVerdict;
use serde::Serialize;

use super::show_read_games;

const EXAMPLES: &str = "\
Examples:
  assay-tuner coverage assay-chess.db
  assay-tuner coverage assay-gamma2.db --sizes 600,1500,6000 --subsets 600 --json

The values are checked in the unit army and in pawns. The Monte Carlo error of a coverage comes from the variance between whole \
partitions of the games, because the subsets of one partition depend on each other; with a single partition they count as independent. \
It is the error of the random division, not of the choice of games. A bias is seen only if it depends on the number of games; `simulate` \
sees others, too. Intervals are too narrow where few opening pairs determine a value: `simulate --pairs 300`, with games whose material never \
changes, has coverages of about 0.91.

Exit status: 0 if every subset can be fitted, no coverage lies outside 0.93 to 0.97 and no share of subsets with a greater value than all \
games outside 0.46 to 0.54 by more than its Monte Carlo error (Bonferroni for all values of a size); 1 if not, or if there are too few \
subsets to detect a coverage of 0.90; 2 if the command line or an input is wrong.

Keys of --json: game, games, seed, pair_correlation (of the residuals of a pair's two games), sizes (for each: games, partitions, \
subsets, design_effect (variance between partitions over that of independent subsets), failed, first_error, verdict (passed, undecided, \
failed), values (a row for each unit, piece and phase: piece, unit (army, pawns), phase, value of all games, coverage, \
coverage_interval, above (share of subsets with a greater value: 0.5 without bias), unbounded))
";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Run files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Games of a subset; several sizes are separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "600,1500", value_parser = args::whole_number(2..=u64::MAX), allow_negative_numbers = true)]
    sizes: Vec<u64>,
    /// Subsets to fit for each size; all games are divided anew until there are so many
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = args::whole_number(2..=100_000_u32), allow_negative_numbers = true)]
    subsets: u32,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    json: JsonArg,
}

#[derive(Serialize)]
struct Report {
    game: String,
    games: usize,
    seed: u64,
    pair_correlation: f64,
    sizes: Vec<SubsetCoverage>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let progress = Progress::new(count_games(&args.files)?, "games");
    progress.set_message("reading");
    let data = Dataset::read_watched(&args.files, &mut show_read_games(&progress))?;
    progress.finish();
    let pairs = data.games.len() / 2;
    for &size in &args.sizes {
        anyhow::ensure!(
            size.is_multiple_of(2) && size / 2 <= pairs as u64 / 2,
            "--sizes: found {size}, expected an even number, at most half of the {}",
            count(data.games.len() as u64, "game", "games")
        );
    }
    let whole = WholeSet::fit(&data)?;
    let mut sizes = Vec::new();
    for &size in &args.sizes {
        let progress = Progress::new(u64::from(args.subsets), "subsets");
        progress.set_message(format!("{} games each", grouped(size)));
        let subsets = whole.subsets(size as usize, args.subsets as usize, args.seed.seed, || progress.inc(1))?;
        sizes.push(subsets.coverage());
        progress.finish();
    }
    let report = Report {
        game: data.game.name.clone(),
        games: data.games.len(),
        seed: args.seed.seed,
        pair_correlation: whole.pair_correlation(),
        sizes,
    };
    if args.json.json {
        output::json(&report)?;
    } else {
        output::print(text(&data.game.title, &report))?;
    }
    let passed = report.sizes.iter().all(|size| size.verdict == CoverageVerdict::Passed);
    Ok(Exit::success_if(passed))
}

fn text(title: &str, report: &Report) -> String {
    let mut text = format!(
        "{title}: share of the 95% intervals of subsets that contain the value of all {}, seed {}\n\n",
        count(report.games as u64, "game", "games"),
        report.seed
    );
    let headings: Vec<String> = report
        .sizes
        .iter()
        .map(|size| format!("{} games", grouped(size.games as u64)))
        .collect();
    let columns = [
        ("piece", Align::Left),
        ("unit", Align::Left),
        ("phase", Align::Left),
        ("all games", Align::Right),
    ]
    .into_iter();
    let mut table = Table::new(columns.chain(headings.iter().map(|heading| (heading.as_str(), Align::Right))));
    for (index, row) in report.sizes[0].values.iter().enumerate() {
        let coverages = report.sizes.iter().map(|size| decimals(size.values[index].coverage, 3));
        let value = decimals(row.value, 2);
        let start = [
            row.piece.clone(),
            row.unit.name().to_owned(),
            row.phase.to_owned(),
            value,
        ];
        table.row(start.into_iter().chain(coverages));
    }
    text += &format!("{table}\n");
    for size in &report.sizes {
        let error = (0.95_f64 * 0.05 * size.design_effect / size.subsets as f64).sqrt();
        let failures = match &size.first_error {
            Some(error) => format!(
                "{} could not be fitted. First error: {error}",
                count(size.failed as u64, "subset", "subsets")
            ),
            None => "All could be fitted.".to_owned(),
        };
        let verdict = match size.verdict {
            CoverageVerdict::Passed => "Passed",
            CoverageVerdict::Undecided => "Undecided: too few subsets to detect a coverage of 0.90",
            CoverageVerdict::Failed => "Failed",
        };
        let errors_from = if size.partitions > 1 {
            format!(
                "from the variance between partitions: design effect {:.2}",
                size.design_effect
            )
        } else {
            "the subsets count as independent".to_owned()
        };
        let above = size.values.iter().map(|row| row.above);
        let (least, most) = above.fold((1.0_f64, 0.0_f64), |(least, most), share| {
            (least.min(share), most.max(share))
        });
        let unbounded: usize = size.values.iter().map(|row| row.unbounded).sum();
        text += &wrap(
            "- ",
            &format!(
                "{} from {}: Monte Carlo error of a coverage {error:.3} ({errors_from}); {}. Values are greater than those of all games \
                 in a share of {} to {} (0.5 without bias). {failures} {verdict}.",
                count(
                    size.subsets as u64,
                    &format!("subset of {} games", grouped(size.games as u64)),
                    &format!("subsets of {} games", grouped(size.games as u64))
                ),
                count(size.partitions as u64, "partition", "partitions"),
                count(unbounded as u64, "unbounded interval", "unbounded intervals"),
                decimals(least, 2),
                decimals(most, 2),
            ),
        );
    }
    text + &wrap(
        "- ",
        &format!(
            "A subset of a share s of the games overlaps with all of them, so its covariance is multiplied by 1 - s. The residuals of a \
             pair's two games have a correlation of {}.",
            decimals(report.pair_correlation, 3)
        ),
    )
}
