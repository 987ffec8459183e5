//! Random games pass all checks.

use assay_usergames::{Checks, check, definition};

#[test]
fn random_games_pass_all_checks() {
    for seed in 1..=24 {
        let text = definition(seed);
        if let Err(failure) = check(&text, seed, &Checks::BRIEF) {
            panic!("seed {seed}: {failure}\n\n{text}");
        }
    }
}
