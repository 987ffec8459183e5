//! The command line.

use assay_cli::args::ProgressArg;
use assay_cli::{Exit, SharedCommand};
use clap::{Parser, Subcommand};

use crate::commands::{claims, fit, report, train, validate, weigh};

/// Measure what chess pieces are worth, with confidence intervals, and compare with the values that
/// inventors published
#[derive(Debug, Parser)]
#[command(name = "assay-tuner", version, max_term_width = assay_cli::MAX_WIDTH, after_long_help = crate::commands::EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    progress: ProgressArg,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games, measure the value of every piece, and compare with the published values
    ///
    /// Assay plays against itself from openings in which the two armies lack different pieces.
    /// Every opening is played twice with the armies swapped. A proportional odds regression
    /// explains the results by the material in quiet positions; intervals are 95% confidence
    /// intervals, clustered by opening pair. Values are shares of the army unless --unit names
    /// another unit. A second, independent method measures the values by matches between unequal
    /// armies, and the report says whether both agree.
    ///
    /// Games are kept in a file. Run the same command with more --games to continue it. After
    /// Ctrl-C, values are measured from the games played so far.
    ///
    /// Several numbers of --nodes, in ascending order, measure how values change with the players'
    /// strength. Neighboring levels also play a match, from which the levels get an Elo scale. Two
    /// curves are fitted to the values of each piece, a straight line in the logarithm of the nodes
    /// and a curve that levels off, and give the value at --target. For orthodox chess, the values
    /// of Kaufman and of AlphaZero are printed for comparison. The highest level gets --games
    /// games. The numbers of the lower ones minimize the error of the value at the target for the
    /// nodes spent, with at least a quarter of --games each.
    Validate(validate::Args),
    /// Measure pieces of your own, given in XBetza, in a standard army
    ///
    /// The army is that of chess on 8x8, of Capablanca chess on 10x8, of Grand Chess on 10x10, and
    /// a larger one on 12x10. The new piece (letter X) replaces, in both armies, the kind whose
    /// value is closest by the engine's estimate from movement. All pieces are then measured as by
    /// `validate`.
    Weigh(weigh::Args),
    /// Test what the inventors' documents claim: values, draws, first move, handicaps, setups
    ///
    /// A claim is a formula such as `queen = rook + bishop + pawn` or `draws < chess: draws`
    /// (docs/claims.md): about values, draws, how tactical or long games are, the first move,
    /// handicaps, setups and endgames. Each claim gets a measured number, a 95% interval (clustered
    /// by opening pair) and a verdict: holds, does not hold, no effect larger than a bound, or not
    /// enough games. Claims that a piece cannot force mate are decided exactly, by solving the
    /// endgame, and claims about the setup by counting.
    ///
    /// Missing games are played and kept in files named after the game and their purpose.
    /// `validate` with the same settings uses the same files. With --budget, the time is divided among all files; the same command continues them. After Ctrl-C, claims
    /// are tested on the games played and the endgames solved so far.
    ///
    /// --games is the number of games for each run for values or between equal armies. The playtest gets a third, and each start
    /// with a handicap a tenth of it.
    ///
    /// --evaluation network needs a network of every game that is played, also of those that claims define.
    Claims(claims::Args),
    /// Measure values from existing run files
    ///
    /// The files are made by `validate` or `assay-selfplay generate` and must contain the same
    /// game. Runs with different seeds or settings are pooled; their openings count as different.
    ///
    /// Files of a playtest (`generate --material playtest`) are measured by the second method,
    /// without a regression if there are no others: a fractional logit over all pairs of games
    /// between unequal armies gives the cost of each piece, and a value is its cost divided by that
    /// of the unit. Standard errors are those of pair scores (pentanomial) and of that conversion.
    Fit(fit::Args),
    /// Tune the weights of the engine's evaluation
    ///
    /// Works on run files of `assay-selfplay generate` and on labelled positions: public tuning
    /// sets, EPD, bullet's and Stockfish's text formats, CSV. Writes a weights file.
    ///
    /// The evaluation is a sum of terms, each with a middlegame and an endgame weight. Tuning finds
    /// the weights that best predict a mixture of the game's result and the search's score, in
    /// positions in which the side to move is not in check, the move played neither captures nor
    /// promotes, and no mate is in sight. Newton's method finds the maximum of the likelihood with
    /// a prior that keeps rarely seen weights near their start. Openings are divided into folds,
    /// each of which is predicted by the others.
    ///
    /// `fit` measures what a piece is worth, with confidence intervals. `tune` makes the engine stronger: the weight of a piece is what
    /// remains after its mobility, its square and all other terms have been counted. With
    /// --material, no other term is counted and there is no prior: the classical way to tune piece
    /// values, with standard errors, beside the published values and those of `fit`.
    ///
    /// Centipawns are not rescaled: +300 means an expected score of 0.75 before and after, so the
    /// weight of a pawn may differ from 100.
    Tune(train::tune::Args),
    /// Train a small neural network for the engine
    ///
    /// Works on run files of `assay-selfplay generate` and on labelled positions, as `tune` does.
    ///
    /// Its inputs are the pieces on their squares. It predicts, in the positions of `tune`, a
    /// mixture of the game's result and the search's score. Positions with a score above 15 pawns
    /// are left out. One opening in twenty is held out; the log-loss on its positions is printed
    /// for the network and for the linear evaluation.
    Network(train::network::Args),
    /// Report on stored results, as text and as a page: one measurement, several side by side, a
    /// ladder, claims
    ///
    /// Reads the output of other commands with --json, and needs no games. Several measurements of
    /// one game are compared: values of every piece side by side, and a joint test of whether those
    /// of the first measurement and of each other one differ. Measurements of several games are
    /// listed. A measurement and a ladder of the same game become one report.
    Report(report::Args),
    #[command(flatten)]
    Shared(SharedCommand),
}

impl Cli {
    /// Runs the command.
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        self.progress.apply()?;
        let done = match self.command {
            Command::Validate(args) => validate::run(&args),
            Command::Weigh(args) => weigh::run(&args),
            Command::Claims(args) => claims::run(&args),
            Command::Fit(args) => fit::run(&args),
            Command::Tune(args) => return train::tune::run(&args),
            Command::Network(args) => return train::network::run(&args),
            Command::Report(args) => report::run(&args),
            Command::Shared(shared) => return shared.run::<Cli>(),
        };
        done.map(|()| Exit::Success)
    }
}

#[cfg(test)]
mod tests {
    use assay_cli::testing::check_help_lines;
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn lines_of_tables_and_examples_in_help_fit() {
        check_help_lines(&Cli::command());
    }
}
