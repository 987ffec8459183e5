//! Precision of a measurement, and the number of games that a better one needs.

use super::{Unit, ValueTable};

/// The widest interval of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Precision {
    /// Piece with this interval.
    pub piece: String,
    /// Half-width in percent of the army.
    pub percent: f64,
}

impl Precision {
    /// The precision of values; `None` if nothing is measured or an interval is
    /// unbounded.
    pub fn of(tables: &[ValueTable]) -> Option<Precision> {
        let army = ValueTable::in_unit(tables, Some(Unit::Army))?;
        let mut widest: Option<Precision> = None;
        for value in &army.values {
            let percent = 100.0 * value.measured.width()? / 2.0 / army.total;
            if widest.as_ref().is_none_or(|widest| percent > widest.percent) {
                let piece = value.piece.clone();
                widest = Some(Precision { piece, percent });
            }
        }
        widest
    }

    /// Total number of games with which every interval reaches at most `wanted` percent of the army
    /// to each side, by the square-root law.
    pub fn games_needed(&self, games: u64, wanted: f64) -> u64 {
        (games as f64 * (self.percent / wanted).powi(2)).ceil() as u64
    }
}

/// Total number of games at the end of the next round of a measurement that ends at a precision of
/// `wanted` percent; `None` if it is reached. A round adds at least 200 games and, except for that,
/// at most doubles their number.
///
/// ```
/// use assay_tuner::values::inference::precision::{Precision, next_round};
///
/// let next = |percent| {
///     let piece = "queen".to_owned();
///     next_round(Some(&Precision { piece, percent }), 1_000, 1_000, 1.0)
/// };
/// assert_eq!(next(1.0), None);
/// assert_eq!(next(1.001), Some(1_200));
/// assert_eq!(next(1.2), Some(1_440));
/// assert_eq!(next(3.0), Some(2_000));
/// assert_eq!(next_round(None, 1_000, 1_000, 1.0), Some(1_250));
/// assert_eq!(next_round(None, 10, 10, 1.0), Some(210));
/// ```
pub fn next_round(found: Option<&Precision>, played: u64, planned: u64, wanted: f64) -> Option<u64> {
    let next = match found {
        Some(found) if found.percent <= wanted => return None,
        Some(found) => found.games_needed(played, wanted).min(2 * planned).max(planned + 200),
        None => planned + (planned / 4).max(200),
    };
    // Only complete pairs are played.
    Some(next.next_multiple_of(2))
}
