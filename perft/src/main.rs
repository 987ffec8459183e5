//! The program `assay-perft`.

use std::process::ExitCode;

fn main() -> ExitCode {
    assay_perft::main()
}
