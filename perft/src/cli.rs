//! The command line.

use clap::{Parser, Subcommand};

use crate::commands;

/// Counts, proves, compares and benches Assay's two move generators.
///
/// A GAME is one of chess, berolina, gamma2, gunnery, scorpion, apothecary2, or the path of a definition file (.toml).
/// Results go to standard output (--json for machines), everything else to standard error.
///
/// Exit status: 0 everything agrees, 1 something differs, 2 misuse, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "assay-perft", version, max_term_width = 120)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count the move sequences of each length up to a depth
    ///
    /// Only mate and stalemate end a line, as perft has it everywhere; repetitions and move rules do not.
    Run(commands::run::Args),
    /// Count below each move of a position
    ///
    /// Prints `move: count` lines, an empty line and the total, the form that perft tools read.
    Divide(commands::divide::Args),
    /// Check suites of known counts
    ///
    /// A suite has one position a line: `FEN ;variant NAME ;D1 20 ;D2 400`. NAME is a built-in game or the path of a definition
    /// file (.toml) relative to the suite; `#` begins a comment. Without FILES all suites of testdata/perft/ are checked, looked
    /// for from the current folder upwards. All files are read before anything is counted.
    ///
    /// Where a count differs, the two generators are compared position by position to find where they part.
    Verify(commands::verify::Args),
    /// Prove the generators against each other in random games
    ///
    /// In every position both must have the same legal moves, the same successors, the same check and outcome; the engine's
    /// hash must equal the one computed anew and be equal just when the repetition rule says so; FEN, UCI and SAN must lead
    /// back. Rare moves are chosen more often than their share. The same seed gives the same games with any number of threads.
    Walk(commands::walk::Args),
    /// Compare counts with another program that speaks UCI and knows `go perft`
    ///
    /// Positions come from random games that like rare moves, or from suites. Where counts differ, the first differing move is
    /// followed down to the position in which the move lists differ.
    Compare(commands::compare::Args),
    /// Show a position: board, FEN, check, outcome, legal moves
    ///
    /// Moves are read as UCI (`e2e4`, `e7e8q`, gating `b2c4j`), and as SAN when they are not of that form.
    Show(commands::show::Args),
    /// Measure the speed of the generators
    ///
    /// Counts in the start position and in positions of random games, always the same ones, as deep as the time allows. Rates
    /// depend on the machine and on what else it does: compare rows of one run only.
    Bench(commands::bench::Args),
}
