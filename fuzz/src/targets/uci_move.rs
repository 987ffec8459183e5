//! Moves in UCI notation: what is read is legal, and is read back from what is printed.

use assay_rules::uci;

use super::common;

pub fn target(data: &[u8]) {
    let Some((position, text)) = common::position_and_text(data) else {
        return;
    };
    let Ok(mv) = uci::parse(position, &text) else { return };
    assert!(position.is_legal(mv), "{mv:?}");
    assert_eq!(uci::parse(position, &uci::format(position.game(), mv)), Ok(mv));
}

pub fn seeds() -> Vec<Vec<u8>> {
    common::notation_seeds(|case| &case.uci)
}
