//! SAN: what is read is legal, and is read back from what is printed; errors have a column of the
//! text.

use assay_rules::san::{self, SanError};

use super::common;

pub fn target(data: &[u8]) {
    let Some((position, text)) = common::position_and_text(data) else {
        return;
    };
    match san::parse(position, &text) {
        Ok(mv) => {
            assert!(position.is_legal(mv), "{mv:?}");
            assert_eq!(san::parse(position, &san::format(position, mv)), Ok(mv));
        }
        Err(SanError::Syntax { column, .. }) => {
            assert!((1..=text.chars().count() + 1).contains(&column), "column {column}");
        }
        Err(SanError::Ambiguous { candidates, .. }) => assert!(candidates.len() > 1, "{candidates:?}"),
        Err(SanError::Uci { san, .. }) => assert!(san::parse(position, &san).is_ok(), "{san}"),
        Err(SanError::Illegal { .. }) => {}
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    common::notation_seeds(|case| &case.san)
}
