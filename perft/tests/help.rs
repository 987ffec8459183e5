//! Help texts match their snapshots. `UPDATE_SNAPSHOTS=1 cargo test -p assay-perft --test all help`
//! rewrites them.

use assay_cli::testing::Program;

fn program() -> Program {
    let snapshots = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots");
    Program::new(env!("CARGO_BIN_EXE_assay-perft"), snapshots)
}

#[test]
fn help_texts_match_snapshots() {
    program().check_help();
}

#[test]
fn error_texts_match_snapshots() {
    let program = program();
    program.check_error("error-unknown-game", &["run", "ches", "--depth", "1"]);
    program.check_error("error-unknown-flag", &["run", "chess", "--dept", "1"]);
    program.check_error("error-bad-number", &["run", "chess", "--depth", "0"]);
    program.check_error("error-bad-fen", &["show", "chess", "--fen", "8/8/8/8/8/8/8 w - - 0 1"]);
    program.check_error("error-illegal-move", &["show", "chess", "--moves", "e2e5"]);
}
