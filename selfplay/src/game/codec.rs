//! The binary format of a game's moves. `docs/data.md` documents it.

use assay_rules::Square;
use assay_rules::piece::Kind;

use crate::game::{Eval, PackedMove, PlayedMove};

/// The bit of the first number that says whether a time follows.
const TIMED: u64 = 1 << 2;

/// The moves of a game as bytes.
pub fn encode(moves: &[PlayedMove]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 * moves.len());
    for played in moves {
        bytes.extend(played.mv.bytes());
        let timed = played.time_ms.map_or(0, |_| TIMED);
        put(&mut bytes, pack_eval(played.eval) | timed);
        put(&mut bytes, u64::from(played.seldepth) << 32 | u64::from(played.depth));
        put(&mut bytes, played.nodes);
        if let Some(time) = played.time_ms {
            put(&mut bytes, time);
        }
    }
    bytes
}

/// The moves that [`encode`] wrote.
///
/// # Errors
/// The first thing that is not valid.
pub fn decode(bytes: &[u8]) -> Result<Vec<PlayedMove>, String> {
    let mut moves = Vec::new();
    let mut reader = Reader { bytes, at: 0 };
    while reader.at < bytes.len() {
        let mv = reader.mv()?;
        let head = reader.number()?;
        let depths = reader.number()?;
        moves.push(PlayedMove {
            mv,
            eval: unpack_eval(head & !TIMED).map_err(|()| reader.invalid("evaluation"))?,
            depth: depths as u32,
            seldepth: (depths >> 32) as u32,
            nodes: reader.number()?,
            time_ms: if head & TIMED == 0 { None } else { Some(reader.number()?) },
        });
    }
    Ok(moves)
}

/// Bits 0 and 1: the kind of evaluation (0 none, 1 centipawns, 2 mate). From bit 3: its value in
/// zigzag encoding.
fn pack_eval(eval: Option<Eval>) -> u64 {
    let zigzag = |value: i32| u64::from((value << 1 ^ value >> 31) as u32);
    match eval {
        None => 0,
        Some(Eval::Centipawns(value)) => zigzag(value) << 3 | 1,
        Some(Eval::Mate(value)) => zigzag(value) << 3 | 2,
    }
}

fn unpack_eval(packed: u64) -> Result<Option<Eval>, ()> {
    let zigzag = u32::try_from(packed >> 3).map_err(|_| ())?;
    let value = (zigzag >> 1) as i32 ^ -((zigzag & 1) as i32);
    match packed & 3 {
        0 if packed == 0 => Ok(None),
        1 => Ok(Some(Eval::Centipawns(value))),
        2 => Ok(Some(Eval::Mate(value))),
        _ => Err(()),
    }
}

/// Appends a number in LEB128: seven bits per byte, lowest first; the high bit says that more
/// follow.
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
    fn invalid(&self, what: &str) -> String {
        format!("moves, byte {}: found no valid {what}", self.at)
    }

    fn byte(&mut self) -> Result<u8, String> {
        let byte = self.bytes.get(self.at).copied();
        let byte = byte.ok_or_else(|| format!("moves: found the end at byte {}, expected more of a move", self.at))?;
        self.at += 1;
        Ok(byte)
    }

    fn mv(&mut self) -> Result<PackedMove, String> {
        let (from, to, extra) = (Square(self.byte()?), Square(self.byte()?), self.byte()?);
        Ok(PackedMove {
            from,
            to,
            extra: (extra & 0x7f).checked_sub(1).map(Kind),
            wall: if extra & 0x80 == 0 { None } else { Some(Square(self.byte()?)) },
        })
    }

    fn number(&mut self) -> Result<u64, String> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(self.invalid("number"));
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.invalid("number"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_move() -> impl Strategy<Value = PlayedMove> {
        let option = proptest::option::of;
        let packed = (0_u8..128, 0_u8..128, option(0_u8..26), option(0_u8..128));
        let packed = packed.prop_map(|(from, to, extra, wall)| PackedMove {
            from: Square(from),
            to: Square(to),
            extra: extra.map(Kind),
            wall: wall.map(Square),
        });
        let eval = prop_oneof![
            Just(None),
            any::<i32>().prop_map(|value| Some(Eval::Centipawns(value))),
            any::<i32>().prop_map(|value| Some(Eval::Mate(value))),
        ];
        let time = proptest::option::of(any::<u64>());
        let depths = (any::<u32>(), any::<u32>());
        (packed, eval, depths, any::<u64>(), time).prop_map(|(mv, eval, (depth, seldepth), nodes, time_ms)| {
            PlayedMove { mv, eval, depth, seldepth, nodes, time_ms }
        })
    }

    proptest! {
        #[test]
        fn moves_round_trip(moves in proptest::collection::vec(any_move(), 0..20)) {
            prop_assert_eq!(decode(&encode(&moves)), Ok(moves));
        }

        #[test]
        fn never_panics_on_garbage(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = decode(&bytes);
        }

        #[test]
        fn detects_truncated_games(moves in proptest::collection::vec(any_move(), 1..5), cut in 1_usize..6) {
            let bytes = encode(&moves);
            prop_assert_ne!(decode(&bytes[..bytes.len() - cut]), Ok(moves));
        }
    }

    /// The bytes that `docs/data.md` gives as its example.
    #[test]
    fn encodes_the_documented_example() {
        let e2e4 = PackedMove { from: Square(12), to: Square(28), extra: None, wall: None };
        let played = PlayedMove {
            mv: e2e4,
            eval: Some(Eval::Centipawns(-31)),
            depth: 9,
            seldepth: 0,
            nodes: 1_000,
            time_ms: Some(250),
        };
        assert_eq!(encode(&[played]), [0x0c, 0x1c, 0x00, 0xed, 0x03, 0x09, 0xe8, 0x07, 0xfa, 0x01]);
    }
}
