//! A count of material that decides games by repetition and by the move rule.

use assay_rules::def::{MaterialCount, PieceClass};

use super::prelude::*;

impl<R: CompiledPosition> Position<R> {
    /// White's points by the count of material; `None` in games without one.
    pub(in crate::position) fn material_count_points(&self) -> Option<Points> {
        let rule = self.game().endings.material_count.as_ref()?;
        Some(rule.result(|color| self.count_material(rule, color)))
    }

    /// Material count of a side; 0 in games that do not count material.
    pub fn material_points(&self, color: Color) -> u32 {
        self.game().endings.material_count.as_ref().map_or(0, |rule| self.count_material(rule, color))
    }

    fn count_material(&self, rule: &MaterialCount, color: Color) -> u32 {
        let game = self.game();
        let count = |side: Color, class: PieceClass| -> u32 {
            let kinds = game.kinds.all().filter(|&kind| game.kind(kind).class == class);
            kinds.map(|kind| self.pieces(side, kind).count()).sum()
        };
        let joker = if count(!color, PieceClass::Major) > count(!color, PieceClass::Minor) {
            rule.joker_against_majors
        } else {
            rule.joker
        };
        let pawns = self.pawns(color).into_iter().map(|square| {
            let rank = game.board.relative_rank(color, square);
            rule.pawn_on_rank.iter().find(|(on, _)| *on == rank).map_or(rule.pawn, |(_, points)| *points)
        });
        rule.major * count(color, PieceClass::Major)
            + rule.average * count(color, PieceClass::Average)
            + rule.minor * count(color, PieceClass::Minor)
            + joker * count(color, PieceClass::Joker)
            + pawns.sum::<u32>()
    }
}
