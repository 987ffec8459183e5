//! Units of values that do not depend on one cheap pawn.
//!
//! The army is the primary unit: of the three, values in it have the smallest standard errors in all
//! six games (half of those in pawns), and they change least or nearly least over the phases of the
//! game.

use assay_rules::def::PieceClass;
use assay_rules::{GameDef, Kind};

/// A unit of piece values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Share of the army: one piece of each kind with a published value, without king and pawn,
    /// scaled to the sum of these values; 100 for one of each kind if none is published
    ///
    /// The pawn is left out so that a wrong published pawn does not change the judgment of the
    /// pieces.
    #[default]
    Army,
    /// The pawn
    Pawns,
    /// Mean of the minor pieces: the kinds of class minor, in chess bishop and knight
    MinorPieces,
}

assay_cli::named!(Unit: Army = "army", Pawns = "pawns", MinorPieces = "minor-pieces");

impl Unit {
    /// All units, the primary one first.
    pub const ALL: [Unit; 3] = [Unit::Army, Unit::Pawns, Unit::MinorPieces];

    /// Heading of a column.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Army => "army",
            Unit::Pawns => "pawns",
            Unit::MinorPieces => "minor pieces",
        }
    }

    /// Those of some kinds whose sum is the unit, and the value of that sum in the unit; `None` if
    /// the game does not have the unit.
    pub fn reference(self, game: &GameDef, kinds: &[Kind]) -> Option<(Vec<Kind>, f64)> {
        let of_class = |includes: fn(PieceClass) -> bool| -> Vec<Kind> {
            let kinds = kinds.iter().copied();
            kinds.filter(|&kind| includes(game.kind(kind).class)).collect()
        };
        let (kinds, sum) = match self {
            Unit::Army => {
                let mut army = of_class(|class| class != PieceClass::Pawn);
                // A piece without a published value, such as a joker, is measured against those
                // that have one.
                if army.iter().any(|&kind| game.kind(kind).value.is_some()) {
                    army.retain(|&kind| game.kind(kind).value.is_some());
                }
                let sum = published_sum(game, &army).map_or(100.0, |sum| sum / divisor(game, &army));
                (army, sum)
            }
            Unit::Pawns => (of_class(|class| class == PieceClass::Pawn), 1.0),
            Unit::MinorPieces => {
                let minors = of_class(|class| class == PieceClass::Minor);
                let count = minors.len() as f64;
                (minors, count)
            }
        };
        (!kinds.is_empty()).then_some((kinds, sum))
    }

    /// What the unit of this [`Unit::reference`] is, in words.
    pub fn definition(self, game: &GameDef, reference: &[Kind], sum: f64) -> String {
        let names: Vec<&str> = reference.iter().map(|&kind| game.kind(kind).name.as_str()).collect();
        match self {
            Unit::Army if published_sum(game, reference).is_some() => {
                let divided = match divisor(game, reference) {
                    1.0 => String::new(),
                    divisor => format!(" divided by {divisor}"),
                };
                let sum = (100.0 * sum).round() / 100.0;
                format!("{} together are worth {sum}, the sum of their published values{divided}", names.join(", "))
            }
            Unit::Army => format!("{} together are worth 100", names.join(", ")),
            Unit::Pawns => "a pawn is worth 1".to_owned(),
            Unit::MinorPieces => format!("{} are worth 1 on average", names.join(", ")),
        }
    }
}

/// Sum of the published values of some kinds; `None` if one has none.
pub fn published_sum(game: &GameDef, kinds: &[Kind]) -> Option<f64> {
    kinds.iter().map(|&kind| game.kind(kind).value).sum()
}

/// The [`published_divisor`] of some kinds.
fn divisor(game: &GameDef, kinds: &[Kind]) -> f64 {
    published_divisor(kinds.iter().filter_map(|&kind| game.kind(kind).value))
}

/// Power of ten by which published values are divided, so that the least is below 10: inventors may
/// count in hundredths. 1 if there are no values.
pub(in crate::values) fn published_divisor(values: impl Iterator<Item = f64>) -> f64 {
    let least = values.reduce(f64::min).unwrap_or(1.0);
    10_f64.powf(least.max(1.0).log10().floor())
}
