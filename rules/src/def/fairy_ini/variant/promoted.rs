//! Promotion of pieces, as in shogi.

use super::super::super::keys::{GameKeys, PieceKeys, PiecePromotionKeys};
use super::super::kinds::{FairyKinds, Name, Names};
use super::draft::{Conflict, Draft};
use super::key::{Key, PairValue, Pairs, Setting, keys};
use super::pawns::promotion_ranks;
use super::pieces::zone;
use crate::variant::GameDef;
use crate::variant::mechanism::piece_promotion::PiecePromotion;

keys! {
    /// Promotion of pieces, in the region in which pawns promote.
    PromotedSettings in promoted {
        /// Kinds, each with the one that it promotes to.
        kinds: Pairs<Name> = Pairs::default(), "promotedPieceType" => &["piece-promotion"];
        is_mandatory: bool = false, "mandatoryPiecePromotion" => &["piece-promotion.forced"];
        by_capture: bool = false, "piecePromotionOnCapture" => &["piece-promotion.by-capture"];
        demotes: bool = false, "pieceDemotion" => &["piece-promotion.demotes"];
    }
    first {}
}

/// The kind that another one promotes to.
impl PairValue for Name {
    const EXPECTED: &'static str = "pairs of letters of pieces, such as p:g s:g";

    const NONE: &'static str = "-";

    fn read(text: &str, kinds: &FairyKinds) -> Option<Name> {
        kinds.with_letter(text.parse().ok()?)
    }

    fn write(&self, kinds: &FairyKinds) -> String {
        kinds.letter(self).unwrap_or('-').to_ascii_lowercase().to_string()
    }
}

impl PromotedSettings {
    /// Returns true if pieces promote.
    pub(super) fn is_present(&self, kinds: &FairyKinds) -> bool {
        self.kinds.0.iter().any(|(name, _)| kinds.letter(name).is_some())
    }
}

pub(super) fn define(draft: &Draft<'_>, keys: &mut GameKeys) -> Result<(), Conflict> {
    let PromotedSettings { kinds, is_mandatory, by_capture, demotes } = &draft.rules.promoted;
    if !draft.rules.promoted.is_present(draft.kinds) {
        return Ok(());
    }
    let ranks = promotion_ranks(draft)?;
    keys.piece_promotion = Some(PiecePromotionKeys {
        ranks: Some([ranks[0], ranks[ranks.len() - 1]]),
        forced: Some(*is_mandatory),
        by_capture: Some(*by_capture),
        demotes: Some(*demotes),
    });
    for (name, to) in &kinds.0 {
        let Some(letter) = draft.kinds.letter(name) else { continue };
        let Some(kind) = draft.kinds.0.get(to) else {
            let (why, key) = draft.variant.why_missing(to);
            let message = format!("found promotedPieceType {letter} to a {to}, which the variant does not have{why}");
            return Err(Conflict::new(&["promotedPieceType", to, key], message));
        };
        let piece = PieceKeys {
            letter: Some(format!("+{letter}")),
            movement: Some(kind.movement.clone()),
            zone: zone(draft, to),
            ..PieceKeys::default()
        };
        keys.pieces.insert(format!("promoted-{name}"), piece);
    }
    Ok(())
}

pub(super) fn fill(game: &GameDef, names: &Names, promoted: &mut PromotedSettings) {
    let Some(PiecePromotion { zones: _, forced, by_capture, demotes }) = game.mechanisms.piece_promotion else {
        return;
    };
    let pairs = game.kinds.all().filter_map(|kind| Some((names[kind], names[game.kinds.promoted(kind)?])));
    promoted.kinds.0 = pairs.collect();
    (promoted.is_mandatory, promoted.by_capture, promoted.demotes) = (forced, by_capture, demotes);
}
