//! Help, error texts and the list of claims.
//! `UPDATE_SNAPSHOTS=1 cargo test -p assay-tuner --test all snapshots` rewrites them.

use assay_cli::testing::Program;

fn assay_tuner() -> Program {
    Program::new(env!("CARGO_BIN_EXE_assay-tuner"), concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots"))
}

#[test]
fn help_texts_match_snapshots() {
    assay_tuner().check_help();
}

#[test]
fn error_texts_match_snapshots() {
    for (name, arguments) in [
        ("error-no-command", &[][..]),
        ("error-unknown-command", &["wiegh", "chess"]),
        ("error-unknown-game", &["validate", "gama2"]),
        ("error-unknown-option", &["validate", "chess", "--reprot", "chess.html"]),
        ("error-missing-file", &["fit", "missing.db"]),
        ("error-bad-number", &["validate", "chess", "--games", "many"]),
        ("error-bad-time", &["validate", "chess", "--budget", "30"]),
        ("error-bad-report", &["validate", "chess", "--html", "nowhere/chess.html"]),
        ("error-no-claims", &["claims", "chess"]),
    ] {
        assay_tuner().check_error(name, arguments);
    }
}

/// Statements, with their parts below them.
#[test]
fn claims_match_the_snapshot() {
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/claims.json");
    let output = assay_tuner().run(&["report", results]);
    assay_tuner().check("claims.txt", &String::from_utf8(output.stdout).unwrap());
}
