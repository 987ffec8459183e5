//! Random changes to the engine's own piece values.
//!
//! An engine that overvalues a piece protects it well, which makes the piece worth more. Random
//! values, drawn for each opening pair and equal for both sides, keep the engine's own values from
//! determining the measured ones.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use assay_engine::Weights;
use assay_engine::eval::Section;
use assay_rules::{GameDef, Kind};

use crate::seed::{Purpose, Stream};

/// The largest change in percent.
const MAX_PERCENT: u32 = 90;

/// Changes to the piece values of the evaluation, equal for both sides. A network has no piece
/// values: it gets offsets of the size by which the values of the linear evaluation change.
///
/// As text: `20`, or `20,N+20,B-10` with kinds by letter and their bias, in percent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvalJitter {
    /// Each kind's value is multiplied by a factor within this many percent of 1, drawn for each
    /// opening pair.
    pub jitter: u32,
    /// Kinds, by letter, whose value is changed by this many percent in all games.
    pub bias: Vec<(char, i32)>,
}

impl EvalJitter {
    /// Returns true if no value is changed.
    pub fn is_none(&self) -> bool {
        self.jitter == 0 && self.bias.is_empty()
    }

    /// The factor of each kind's value in the games of a pair.
    pub fn factors(&self, game: &GameDef, seed: u64, pair: u64) -> Vec<f64> {
        let random = self.random_factors(game, seed, pair).into_iter();
        random.zip(self.biases(game)).map(|(random, bias)| random * bias).collect()
    }

    /// The random part of each kind's factor in the games of a pair.
    pub fn random_factors(&self, game: &GameDef, seed: u64, pair: u64) -> Vec<f64> {
        let mut stream = Stream::new(Purpose::EvalJitter, seed, pair);
        let jitter = f64::from(self.jitter) / 100.0;
        game.kinds.all().map(|_| 1.0 + jitter * (2.0 * stream.unit() - 1.0)).collect()
    }

    /// The constant part of each kind's factor.
    pub fn biases(&self, game: &GameDef) -> Vec<f64> {
        game.kinds.all().map(|kind| self.bias_of(game, kind)).collect()
    }

    fn bias_of(&self, game: &GameDef, kind: Kind) -> f64 {
        let letter = game.kind(kind).letter;
        let percent = self.bias.iter().find(|(biased, _)| *biased == letter);
        percent.map_or(1.0, |&(_, percent)| 1.0 + f64::from(percent) / 100.0)
    }

    /// The first letter that is not a kind of the game.
    pub fn unknown_letter(&self, game: &GameDef) -> Option<char> {
        let known = |letter: char| game.kinds.by_letter(letter).is_some();
        self.bias.iter().map(|&(letter, _)| letter).find(|&letter| !known(letter))
    }
}

impl FromStr for EvalJitter {
    type Err = String;

    fn from_str(text: &str) -> Result<EvalJitter, String> {
        let mut parts = text.split(',');
        let jitter = parts.next().unwrap_or_default();
        let jitter = jitter
            .parse()
            .ok()
            .filter(|jitter| *jitter <= MAX_PERCENT)
            .ok_or_else(|| format!("found `{jitter}`, expected percent from 0 to {MAX_PERCENT}"))?;
        let mut bias: Vec<(char, i32)> = Vec::new();
        for part in parts {
            let mut letters = part.chars();
            let letter = letters.next().filter(char::is_ascii_alphabetic);
            let percent = letters.as_str().parse().ok();
            let percent = percent.filter(|percent: &i32| percent.unsigned_abs() <= MAX_PERCENT);
            let (letter, percent) = letter
                .map(|letter| letter.to_ascii_uppercase())
                .zip(percent)
                .ok_or_else(|| format!("found `{part}`, expected a kind's letter and percent, like N+20"))?;
            if bias.iter().any(|&(known, _)| known == letter) {
                return Err(format!("found `{part}`, expected each kind once"));
            }
            bias.push((letter, percent));
        }
        Ok(EvalJitter { jitter, bias })
    }
}

assay_cli::serde_by_text!(EvalJitter);

impl fmt::Display for EvalJitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.jitter)?;
        for (letter, percent) in &self.bias {
            write!(f, ",{letter}{percent:+}")?;
        }
        Ok(())
    }
}

/// Multiplies each kind's value, on the board and in the pocket, by its factor.
pub(crate) fn scale_piece_values(plain: &Weights, factors: &[f64]) -> Weights {
    let mut weights = plain.clone();
    let terms = Arc::clone(weights.terms());
    for term in terms.all() {
        let name = terms.name(term);
        if let (Section::Piece(kind), "material" | "pocket") = (name.section, name.name) {
            let factor = factors[kind.index()];
            let mut weight = weights.get(term);
            weight.middlegame *= factor;
            weight.endgame *= factor;
            weights.set(term, weight);
        }
    }
    weights
}

/// By kind: the change of its middlegame value by its factor, rounded to centipawns; kinds without
/// a change are omitted.
pub(crate) fn piece_offsets(plain: &Weights, factors: &[f64]) -> Vec<(Kind, i32)> {
    let offsets = plain.game().kinds.all().filter_map(|kind| {
        let value = plain.get(plain.terms().material(kind)?).middlegame;
        Some((kind, ((factors[kind.index()] - 1.0) * value).round() as i32))
    });
    offsets.filter(|&(_, offset)| offset != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eval_jitter_round_trips() {
        for text in ["0", "20", "20,N+20", "0,N-20,Q+10"] {
            assert_eq!(EvalJitter::from_str(text).unwrap().to_string(), text);
        }
        for text in ["", "x", "200", "20,", "20,N", "20,+20", "20,N+200", "20,N+20,n-20"] {
            assert!(EvalJitter::from_str(text).is_err(), "{text}");
        }
    }

    #[test]
    fn factors_are_within_the_jitter_and_reproducible() {
        let game = GameDef::builtin("chess").unwrap();
        let eval_jitter = EvalJitter::from_str("20,N+50").unwrap();
        let knight = game.kinds.by_letter('N').unwrap();
        let mut least = f64::INFINITY;
        for pair in 0..200 {
            let factors = eval_jitter.factors(&game, 3, pair);
            assert_eq!(factors, eval_jitter.factors(&game, 3, pair));
            for kind in game.kinds.all() {
                let middle = if kind == knight { 1.5 } else { 1.0 };
                assert!((factors[kind.index()] / middle - 1.0).abs() <= 0.2);
            }
            least = least.min(factors[game.first_pawn().index()]);
        }
        assert!(least < 0.83, "{least}");
        assert_ne!(eval_jitter.factors(&game, 3, 0), eval_jitter.factors(&game, 4, 0));
    }

    #[test]
    fn only_piece_values_are_scaled() {
        let game = GameDef::builtin("apothecary2").unwrap();
        let plain = Weights::for_game(&game);
        let factors: Vec<f64> = game.kinds.all().map(|kind| 1.0 + f64::from(kind.0) / 100.0).collect();
        let changed = scale_piece_values(&plain, &factors);
        for term in plain.terms().all() {
            let name = plain.terms().name(term);
            let factor = match name.section {
                Section::Piece(kind) if matches!(name.name, "material" | "pocket") => factors[kind.index()],
                _ => 1.0,
            };
            assert!((changed.get(term).middlegame - factor * plain.get(term).middlegame).abs() < 1e-9);
            assert!((changed.get(term).endgame - factor * plain.get(term).endgame).abs() < 1e-9);
        }
    }

    #[test]
    fn offsets_are_changes_of_values() {
        let game = GameDef::builtin("chess").unwrap();
        let plain = Weights::for_game(&game);
        let factors: Vec<f64> = game.kinds.all().map(|kind| if kind.0 < 2 { 1.0 } else { 1.2 }).collect();
        let offsets = piece_offsets(&plain, &factors);
        let changed = scale_piece_values(&plain, &factors);
        assert!(
            offsets.len() > 2 && offsets.iter().all(|(kind, _)| kind.0 >= 2 && Some(*kind) != game.kinds.king()),
            "{offsets:?}"
        );
        for (kind, offset) in offsets {
            let material = plain.terms().material(kind).unwrap();
            let change = changed.get(material).middlegame - plain.get(material).middlegame;
            assert!((f64::from(offset) - change).abs() <= 0.5 + 1e-9);
        }
    }
}
