//! The program `assay-tuner`.

use std::process::ExitCode;

fn main() -> ExitCode {
    assay_tuner::main()
}
