//! Variants of built-in games that claims about single rules are tested with.

use assay_selfplay::settings::GameSource;

/// Variant of a built-in game that differs in one rule.
///
/// The variant that keeps the rule still has a separate name. The engine has no tuned weights for it, so both variants are played with
/// weights computed from the pieces' movement.
pub fn variant(name: &str) -> Option<GameSource> {
    let (base, rule) = match name {
        "apothecary2-12-18" => ("apothecary2", "[gating]\nlast-move = { white = 12, black = 18 }"),
        "apothecary2-12-12" => ("apothecary2", "[gating]\nlast-move = { white = 12, black = 12 }"),
        _ => return None,
    };
    let text = format!("name = \"{name}\"\ntitle = \"{name}\"\nbase = \"{base}\"\n\n{rule}\n");
    GameSource::from_text(text, name).ok()
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;

    use super::variant;

    #[test]
    fn variants_differ_only_in_the_gating_rule() {
        let [with, without] = ["apothecary2-12-18", "apothecary2-12-12"].map(|name| variant(name).unwrap().game);
        let apothecary = GameDef::builtin("apothecary2").unwrap();
        assert_eq!(with.gating, apothecary.gating);
        assert_ne!(without.gating, apothecary.gating);
        assert_eq!(with.starts, without.starts);
        assert_eq!(with.kinds, apothecary.kinds);
    }
}
