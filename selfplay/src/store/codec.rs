//! The moves of a game as bytes.
//!
//! One move after the other: origin and target square (a byte each: the square's number), what is promoted to or dropped
//! (a byte: 0 for nothing, else the kind's number + 1), then three numbers in LEB128 (seven bits a byte, lowest first, the
//! high bit set when more follow): evaluation, depth, nodes. The evaluation's two lowest bits tell its sort (0 none, 1
//! centipawns, 2 mate), the rest is its value, with negative numbers as `-2n - 1` and others as `2n`.

use assay_rules::Square;
use assay_rules::piece::Kind;

use super::record::{PackedMove, PlayedMove};
use crate::players::player::Eval;

/// The bytes of the moves.
pub(super) fn encode(moves: &[PlayedMove]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 * moves.len());
    for played in moves {
        let PackedMove { from, to, extra } = played.mv;
        bytes.extend([from.0, to.0, extra.map_or(0, |kind| kind.0 + 1)]);
        put(&mut bytes, pack_eval(played.eval));
        put(&mut bytes, u64::from(played.depth));
        put(&mut bytes, played.nodes);
    }
    bytes
}

/// The moves of the bytes, or what is wrong with them.
pub(super) fn decode(bytes: &[u8]) -> Result<Vec<PlayedMove>, String> {
    let mut moves = Vec::new();
    let mut reader = Reader { bytes, at: 0 };
    while reader.at < bytes.len() {
        let [from, to, extra] = [reader.byte()?, reader.byte()?, reader.byte()?];
        let eval = reader.number()?;
        let depth = reader.number()?;
        moves.push(PlayedMove {
            mv: PackedMove {
                from: Square(from),
                to: Square(to),
                extra: extra.checked_sub(1).map(Kind),
            },
            eval: unpack_eval(eval).map_err(|()| reader.fault("evaluation"))?,
            depth: u32::try_from(depth).map_err(|_| reader.fault("depth"))?,
            nodes: reader.number()?,
        });
    }
    Ok(moves)
}

fn pack_eval(eval: Option<Eval>) -> u64 {
    let zigzag = |value: i32| u64::from((value << 1 ^ value >> 31) as u32);
    match eval {
        None => 0,
        Some(Eval::Centipawns(value)) => zigzag(value) << 2 | 1,
        Some(Eval::Mate(value)) => zigzag(value) << 2 | 2,
    }
}

fn unpack_eval(packed: u64) -> Result<Option<Eval>, ()> {
    let zigzag = u32::try_from(packed >> 2).map_err(|_| ())?;
    let value = (zigzag >> 1) as i32 ^ -((zigzag & 1) as i32);
    match packed & 3 {
        0 if packed == 0 => Ok(None),
        1 => Ok(Some(Eval::Centipawns(value))),
        2 => Ok(Some(Eval::Mate(value))),
        _ => Err(()),
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn fault(&self, what: &str) -> String {
        format!("moves, byte {}: found no valid {what}", self.at)
    }

    fn byte(&mut self) -> Result<u8, String> {
        let byte = self.bytes.get(self.at).copied();
        let byte = byte.ok_or_else(|| format!("moves: found the end at byte {}, expected more of a move", self.at))?;
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u64, String> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(self.fault("number"));
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.fault("number"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_move() -> impl Strategy<Value = PlayedMove> {
        let eval = prop_oneof![
            Just(None),
            any::<i32>().prop_map(|value| Some(Eval::Centipawns(value))),
            any::<i32>().prop_map(|value| Some(Eval::Mate(value))),
        ];
        let squares = (0_u8..128, 0_u8..128, proptest::option::of(0_u8..26));
        (squares, eval, any::<u32>(), any::<u64>()).prop_map(|((from, to, extra), eval, depth, nodes)| PlayedMove {
            mv: PackedMove {
                from: Square(from),
                to: Square(to),
                extra: extra.map(Kind),
            },
            eval,
            depth,
            nodes,
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(moves in proptest::collection::vec(any_move(), 0..20)) {
            prop_assert_eq!(decode(&encode(&moves)), Ok(moves));
        }

        #[test]
        fn garbage_is_an_error_or_moves_but_never_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = decode(&bytes);
        }

        #[test]
        fn a_torn_game_is_seen(moves in proptest::collection::vec(any_move(), 1..5), cut in 1_usize..6) {
            let bytes = encode(&moves);
            let torn = &bytes[..bytes.len() - cut];
            prop_assert_ne!(decode(torn), Ok(moves));
        }
    }
}
