//! Snapshots of help and error texts: `tests/snapshots/`.

use assay_cli::testing::Program;

fn program() -> Program {
    let snapshots = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots");
    Program::new(env!("CARGO_BIN_EXE_assay-selfplay"), snapshots)
}

#[test]
fn help_texts_match_snapshots() {
    program().check_help();
}

#[test]
fn error_texts_match_snapshots() {
    let engines = ["-engine", "builtin", "nodes=1", "-engine", "builtin", "nodes=1"];
    for (name, arguments) in [
        ("error-match-unknown-flag", &["match", "chess", "-enigne", "builtin"][..]),
        ("error-match-unknown-key", &["match", "chess", "-engine", "builtin", "nmae=x"]),
        ("error-match-time-control", &["match", "chess", "-engine", "builtin", "tc=fast", "-engine", "builtin"]),
        ("error-match-one-engine", &["match", "chess", "-engine", "builtin", "nodes=1", "-rounds", "1"]),
        (
            "error-match-sprt-engines",
            &[&["match", "chess", "-sprt", "elo0=0", "elo1=5"], &engines[..], &engines[..3]].concat(),
        ),
        (
            "error-match-anchor",
            &[&["match", "chess", "-rounds", "1", "-anchor", "x=2800"], &engines[..], &engines[..3]].concat(),
        ),
        (
            "error-match-seeds",
            &[&["match", "chess", "-tournament", "gauntlet", "-seeds", "3"], &engines[..], &engines[..3]].concat(),
        ),
        ("error-match-unknown-game", &[&["match", "ches", "-rounds", "1"], &engines[..]].concat()),
        ("error-match-sprt-order", &[&["match", "chess", "-sprt", "elo0=5", "elo1=5"], &engines[..]].concat()),
        ("error-sprt-counts", &["sprt", "--counts", "1,2,3,4"]),
        ("error-generate-no-games", &["generate", "chess", "--data", "new.db"]),
        ("error-info-no-file", &["info", "none.db"]),
    ] {
        program().check_error(name, arguments);
    }
}
