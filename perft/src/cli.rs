//! The command line.

use anyhow::Result;
use assay_cli::Exit;
use assay_cli::args::ProgressArg;
use clap::{Parser, Subcommand};

use crate::commands;

/// Count, verify, compare and benchmark Assay's two move generators
///
/// A GAME is a built-in game (`assay-perft show`) or the path of a definition file (.toml).
/// Results go to standard output, everything else to standard error.
///
/// Exit status: 0 if everything agrees, 1 if something differs, 2 for errors, 130 if interrupted.
#[derive(Debug, Parser)]
#[command(name = "assay-perft", version, max_term_width = assay_cli::MAX_WIDTH)]
pub struct Cli {
    #[command(flatten)]
    pub progress: ProgressArg,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count the move sequences of each length up to a depth
    ///
    /// Checkmate, stalemate, and a goal, a number of checks, a bare king or extinction that decides
    /// the game end a line; repetitions and move-count rules do not.
    Run(commands::run::Args),
    /// Check the known counts of test suites
    ///
    /// A suite has one position per line: `FEN ;variant NAME ;D1 20 ;D2 400`. NAME is a built-in
    /// game or the path of a definition file (.toml) relative to the suite. The FEN may have four
    /// fields, `D2 400` may be written `perft 2 = 400`, and `#` begins a comment. Blocks of lines
    /// `id NAME`, `epd FEN` and `perft 2 400` are read, too. Without FILES, the built-in suites are
    /// checked. All files are read before counting starts.
    ///
    /// If a count differs, the two generators are compared position by position to find the first
    /// difference. If both are checked and all counts are right, their moves must also agree in the
    /// position and after each of its moves.
    Verify(commands::verify::Args),
    /// Check the generators against each other in random games
    ///
    /// In every position, both generators must agree on the legal moves, the positions after each
    /// move, check and outcome. The engine's incremental hash must equal the hash computed from
    /// scratch, and two positions must have equal hashes if and only if they are equal for the
    /// repetition rule. FEN, UCI and SAN must read back what they wrote. Rare kinds of moves are
    /// chosen more often than others. The same seed gives the same games with any number of
    /// threads.
    Walk(commands::walk::Args),
    /// Compare counts with another UCI engine that has `go perft`
    ///
    /// Positions come from a suite, by default the built-in one of the game, and from random games
    /// that prefer rare moves. The FENs of a suite are sent as they are written. The counts of each
    /// root move and of each move after it must agree, and must add up to the total.
    ///
    /// A difference is followed down to the deepest position that shows it, both with
    /// `position fen FROM moves ...` and with the FEN of each position, with and without an en
    /// passant square that no capture can use. The report says if the difference vanishes in one of
    /// these ways.
    Compare(commands::compare::Args),
    /// Show a position: board, FEN, check, outcome, legal moves; without a GAME, the built-in games
    ///
    /// Moves are read as UCI (`e2e4`, `e7e8q`, with gating `b2c4j`), or as SAN if they are not in
    /// that format.
    Show(commands::show::Args),
    /// Check a game's definition: say what it means, what is suspicious, and whether the generators
    /// agree on it
    ///
    /// Prints the rules in sentences and the moves of each piece as a diagram, then what the author
    /// may not have meant, the number of legal games of 1 to 4 plies, and which rules occurred in
    /// random games that compared both generators as `walk` does.
    Check(commands::check::Args),
    /// Print a game as a definition file, or the keys that such files have
    ///
    /// A variant of a file for Fairy-Stockfish is converted: `variants.ini:mygame`. A key without a
    /// counterpart in definitions is an error.
    Convert(commands::convert::Args),
    /// Measure the speed of the generators
    ///
    /// Counts from the start position and from positions of random games, the same in every run, as
    /// deep as the time allows. Rates depend on the machine and its load: compare only rows of the
    /// same run.
    Bench(commands::bench::Args),
    #[command(flatten)]
    Shared(assay_cli::SharedCommand),
}

impl Cli {
    /// Runs the subcommand.
    ///
    /// # Errors
    /// If an argument or an input is wrong, or a file, thread or other program fails.
    pub fn run(&self) -> Result<Exit> {
        self.progress.apply()?;
        match &self.command {
            Command::Run(args) => commands::run::run(args),
            Command::Verify(args) => commands::verify::run(args),
            Command::Walk(args) => commands::walk::run(args),
            Command::Compare(args) => commands::compare::run(args),
            Command::Show(args) => commands::show::run(args),
            Command::Check(args) => commands::check::run(args),
            Command::Convert(args) => commands::convert::run(args),
            Command::Bench(args) => commands::bench::run(args),
            Command::Shared(shared) => shared.run::<Cli>(),
        }
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
