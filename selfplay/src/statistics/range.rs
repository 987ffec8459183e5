//! Ranges of the numbers in stored results, beside the fields that they belong to:
//! `#[serde(deserialize_with = "range::share")]`. Numbers are finite, since JSON has no others.
//!
//! A field may be a number, an interval, or an option, list or map of them. Errors say what was found
//! and what was expected; serde adds the place.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::marker::PhantomData;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Larger numbers are typing errors, and would fill a page.
const LARGEST: f64 = 1e15;

/// Four times the games of the largest run.
const MOST_GAMES: f64 = (4_u64 << 40) as f64;

/// The least and the greatest number of a field, and what they are in words.
trait Range {
    const RANGE: (f64, f64, &'static str);

    fn check<E: Error>(number: f64, found: impl Debug) -> Result<(), E> {
        let (least, most, expected) = Self::RANGE;
        if (least..=most).contains(&number) {
            return Ok(());
        }
        Err(E::custom(format_args!("found {found:?}, expected {expected}")))
    }
}

/// Numbers of a field that have a range.
trait Ranged: Sized {
    fn within<'de, R: Range, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// A part of a field.
struct Within<T, R>(T, PhantomData<R>);

impl<'de, T: Ranged, R: Range> Deserialize<'de> for Within<T, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Within<T, R>, D::Error> {
        Ok(Within(T::within::<R, D>(deserializer)?, PhantomData))
    }
}

/// A function and a type for each range.
macro_rules! ranges {
    ($($name:ident $range:ident: $least:expr, $most:expr, $expected:expr;)*) => { $(
        struct $range;

        impl Range for $range {
            const RANGE: (f64, f64, &'static str) = ($least, $most, $expected);
        }

        /// Reads a field in this range.
        ///
        /// # Errors
        /// If a number is outside, and what was expected.
        #[allow(private_bounds)]
        pub fn $name<'de, T: Ranged, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
            T::within::<$range, D>(deserializer)
        }
    )* };
}

ranges! {
    any Any: -LARGEST, LARGEST, "a number between -1e15 and 1e15";
    non_negative NonNegative: 0.0, LARGEST, "0 or more, up to 1e15";
    positive Positive: f64::MIN_POSITIVE, LARGEST, "more than 0, up to 1e15";
    // Probabilities, scores and shares.
    share Share: 0.0, 1.0, "a number from 0 to 1";
    // Games, pairs of games, and what is done with them.
    count Count: 0.0, MOST_GAMES, "a count from 0 to 2^42";
    positive_count PositiveCount: 1.0, MOST_GAMES, "a count from 1 to 2^42";
    // Quantiles of Student's t and of the normal distribution: that of 95% with a single degree of
    // freedom is 12.7.
    critical_value CriticalValue: 0.0, 100.0, "a number from 0 to 100";
}

/// Checks a number while it is read: only then does an error have its place.
struct NumberIn<R, N>(PhantomData<(R, N)>);

macro_rules! ranged_numbers {
    ($($number:ty, $deserialize:ident: $($visit:ident $read:ty),+;)*) => { $(
        impl<R: Range> Visitor<'_> for NumberIn<R, $number> {
            type Value = $number;

            fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
                formatter.write_str(R::RANGE.2)
            }

            $(
                fn $visit<E: Error>(self, read: $read) -> Result<$number, E> {
                    let number = read as $number;
                    R::check(number as f64, number)?;
                    Ok(number)
                }
            )+
        }

        impl Ranged for $number {
            fn within<'de, R: Range, D: Deserializer<'de>>(deserializer: D) -> Result<$number, D::Error> {
                deserializer.$deserialize(NumberIn::<R, $number>(PhantomData))
            }
        }
    )* };
}

ranged_numbers! {
    f64, deserialize_f64: visit_f64 f64, visit_u64 u64, visit_i64 i64;
    u64, deserialize_u64: visit_u64 u64;
    usize, deserialize_u64: visit_u64 u64;
}

/// Checks the ends of an interval while they are read.
struct EndsIn<R>(PhantomData<R>);

impl<'de, R: Range> Visitor<'de> for EndsIn<R> {
    type Value = [f64; 2];

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("two numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut ends: A) -> Result<[f64; 2], A::Error> {
        let mut next = |index| {
            let end: Option<Within<f64, R>> = ends.next_element()?;
            end.map(|end| end.0).ok_or_else(|| Error::invalid_length(index, &self))
        };
        let (low, high) = (next(0)?, next(1)?);
        if low > high {
            return Err(Error::custom(format_args!("found {low} to {high}, expected the lower end first")));
        }
        Ok([low, high])
    }
}

impl Ranged for [f64; 2] {
    fn within<'de, R: Range, D: Deserializer<'de>>(deserializer: D) -> Result<[f64; 2], D::Error> {
        deserializer.deserialize_tuple(2, EndsIn::<R>(PhantomData))
    }
}

impl<T: Ranged> Ranged for Option<T> {
    fn within<'de, R: Range, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        Ok(Option::<Within<T, R>>::deserialize(deserializer)?.map(|part| part.0))
    }
}

impl<T: Ranged> Ranged for Vec<T> {
    fn within<'de, R: Range, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        Ok(Vec::<Within<T, R>>::deserialize(deserializer)?.into_iter().map(|part| part.0).collect())
    }
}

impl<T: Ranged> Ranged for BTreeMap<String, T> {
    fn within<'de, R: Range, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error> {
        let parts = BTreeMap::<String, Within<T, R>>::deserialize(deserializer)?;
        Ok(parts.into_iter().map(|(name, part)| (name, part.0)).collect())
    }
}

/// A covariance matrix by rows: square, with variances of 0 or more.
///
/// # Errors
/// The place of the first fault, what was found there, and what was expected.
pub fn covariance<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<f64>>, D::Error> {
    deserializer.deserialize_seq(Covariance)
}

/// Checks a matrix while it is read.
struct Covariance;

impl<'de> Visitor<'de> for Covariance {
    type Value = Vec<Vec<f64>>;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("the rows of a matrix")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, rows: A) -> Result<Vec<Vec<f64>>, A::Error> {
        let rows: Vec<Vec<f64>> = any(SeqAccessDeserializer::new(rows))?;
        for (index, row) in rows.iter().enumerate() {
            if row.len() != rows.len() {
                let (found, expected) = (row.len(), rows.len());
                return Err(Error::custom(format_args!("[{index}]: found {found} numbers, expected {expected}")));
            }
            if row[index] < 0.0 {
                let found = row[index];
                let fault = format_args!("[{index}][{index}]: found {found}, expected a variance of 0 or more");
                return Err(Error::custom(fault));
            }
            for (column, (&found, expected)) in
                row.iter().zip(rows.iter().map(|other| other[index])).enumerate().take(index)
            {
                if (found - expected).abs() > 1e-9 * (row[index] * rows[column][column]).sqrt() {
                    return Err(Error::custom(format_args!(
                        "[{index}][{column}]: found {found}, expected {expected} as at [{column}][{index}]"
                    )));
                }
            }
        }
        Ok(rows)
    }
}
