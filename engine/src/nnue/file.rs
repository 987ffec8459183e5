//! Network files.
//!
//! All numbers are little-endian; a text is its length in bytes followed by UTF-8.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic bytes |
//! | 4 | version |
//! | 8 | length of the whole file |
//! | 4 + n | name of the game |
//! | 4 + n | features ([`FeatureSet::description`]) |
//! | 4 + n | source |
//! | 4 | hidden size H |
//! | 2 H | feature biases |
//! | 2 H per feature | feature weights |
//! | 2 H * 8 | output weights by bucket, one byte each: H for the side to move, H for the opponent |
//! | 4 * 8 | output biases by bucket |
//! | 32 | BLAKE3 checksum of everything before |

use std::fmt::Display;

use assay_rules::GameDef;
use assay_rules::text::excerpt;

use super::architecture::{HIDDEN_MULTIPLE, KING_BUCKETS, MAX_HIDDEN, OUTPUT_BUCKETS, is_valid_hidden};
use super::features::FeatureSet;
use super::kernels::{LANES, Lanes, to_lanes};
use super::network::Network;
use crate::file::ContentError;

/// The first byte occurs in no text file.
const MAGIC: &[u8; 8] = b"\x93AssayNN";
const VERSION: u32 = 2;
const CHECKSUM: usize = blake3::OUT_LEN;

/// A file of another length than the one that is stated in it or needed, in bytes.
fn wrong_length<T>(found: usize, expected: impl Display) -> Result<T, ContentError> {
    Err(ContentError::at("length", format_args!("{found} bytes"), expected))
}

impl Network {
    /// Returns true if the bytes start with the magic bytes of network files.
    pub fn is_file(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a network file for a game.
    ///
    /// # Errors
    /// Fails if the bytes are not a network file, are damaged, or are for another game.
    pub fn read(game: &GameDef, bytes: &[u8]) -> Result<Network, ContentError> {
        if !Network::is_file(bytes) {
            let message = "found another kind of file, expected a network file";
            return Err(ContentError(message.to_owned()));
        }
        if game.mechanisms.drops.is_some() {
            let message =
                "found a network for a game with drops, expected weights: networks do not count the pieces in pockets";
            return Err(ContentError(message.to_owned()));
        }
        let mut reader = Reader { bytes: &bytes[MAGIC.len()..], read: MAGIC.len() };
        let found = u32::from_le_bytes(reader.array()?);
        if found != VERSION {
            return Err(ContentError::at("format", format_args!("version {found}"), VERSION));
        }
        let stated = u64::from_le_bytes(reader.array()?);
        if bytes.len() as u64 != stated {
            return wrong_length(bytes.len(), stated);
        }
        reader.bytes = reader.verify_checksum(bytes)?;
        let found = reader.text("game")?;
        if found != game.name {
            let (found, expected) = (format!("`{}`", excerpt(found)), format!("`{}`", game.name));
            return Err(ContentError::at("game", found, expected));
        }
        let found = reader.text("features")?;
        let possible = [1, KING_BUCKETS].map(|king_buckets| FeatureSet::new(game, king_buckets));
        let Some(features) = possible.iter().find(|features| features.description() == found) else {
            let (found, expected) = (format!("`{}`", excerpt(found)), possible[0].description());
            let expected = format!("`{expected}`");
            return Err(ContentError::at("features", found, expected));
        };
        let source = reader.text("source")?.to_owned();
        let hidden = u32::from_le_bytes(reader.array()?) as usize;
        if !is_valid_hidden(hidden) {
            let expected = format!("a multiple of {HIDDEN_MULTIPLE} up to {MAX_HIDDEN}");
            return Err(ContentError::at("hidden size", hidden, expected));
        }
        let network = Network {
            game: game.name.clone(),
            feature_bias: reader.rows(hidden)?,
            feature_weights: reader.rows(hidden * features.inputs())?,
            output_weights: reader.short_rows(hidden * 2 * OUTPUT_BUCKETS)?,
            output_bias: reader.biases()?,
            features: features.clone(),
            source,
        };
        if !reader.bytes.is_empty() {
            return wrong_length(bytes.len(), reader.read + CHECKSUM);
        }
        Ok(network)
    }

    /// Writes a network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        let length = bytes.len();
        bytes.extend(0u64.to_le_bytes());
        for text in [&self.game, &self.features.description(), &self.source] {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes.extend((self.hidden() as u32).to_le_bytes());
        for row in self.feature_bias.iter().chain(&self.feature_weights) {
            bytes.extend(row.0.iter().flat_map(|number| number.to_le_bytes()));
        }
        for row in &self.output_weights {
            bytes.extend(row.0.iter().map(|&number| number as i8 as u8));
        }
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        let whole = (bytes.len() + CHECKSUM) as u64;
        bytes[length..length + 8].copy_from_slice(&whole.to_le_bytes());
        let checksum = blake3::hash(&bytes);
        bytes.extend(checksum.as_bytes());
        bytes
    }
}

/// The unread part of a file.
struct Reader<'b> {
    bytes: &'b [u8],
    /// Number of bytes already read.
    read: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, length: usize) -> Result<&'b [u8], ContentError> {
        match self.bytes.split_at_checked(length) {
            Some((taken, rest)) => {
                self.bytes = rest;
                self.read += length;
                Ok(taken)
            }
            None => wrong_length(self.read + self.bytes.len(), self.read + length),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ContentError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// Verifies the checksum and returns the unread part without it.
    fn verify_checksum(&self, bytes: &[u8]) -> Result<&'b [u8], ContentError> {
        let Some((rest, expected)) = self.bytes.split_last_chunk::<CHECKSUM>() else {
            return wrong_length(bytes.len(), self.read + CHECKSUM);
        };
        let found = blake3::hash(&bytes[..bytes.len() - CHECKSUM]);
        let expected = blake3::Hash::from_bytes(*expected);
        if found == expected {
            Ok(rest)
        } else {
            let expected = format!("{}: the file is damaged", &expected.to_hex()[..12]);
            Err(ContentError::at("checksum", &found.to_hex()[..12], expected))
        }
    }

    fn text(&mut self, field: &str) -> Result<&'b str, ContentError> {
        let length = u32::from_le_bytes(self.array()?) as usize;
        std::str::from_utf8(self.take(length)?).map_err(|_| ContentError::at(field, "invalid UTF-8", "text"))
    }

    fn rows(&mut self, numbers: usize) -> Result<Vec<Lanes>, ContentError> {
        let (pairs, _) = self.take(2 * numbers)?.as_chunks();
        let numbers: Vec<i16> = pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect();
        Ok(to_lanes(&numbers))
    }

    fn short_rows(&mut self, numbers: usize) -> Result<Vec<Lanes>, ContentError> {
        let (rows, _) = self.take(numbers)?.as_chunks::<LANES>();
        Ok(rows.iter().map(|row| Lanes(row.map(|byte| i16::from(byte as i8)))).collect())
    }

    fn biases(&mut self) -> Result<[i32; OUTPUT_BUCKETS], ContentError> {
        let mut biases = [0; OUTPUT_BUCKETS];
        for bias in &mut biases {
            *bias = i32::from_le_bytes(self.array()?);
        }
        Ok(biases)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::nnue::tests::random_network;

    fn chess() -> std::sync::Arc<GameDef> {
        GameDef::builtin("chess").unwrap()
    }

    /// Changes a valid file, corrects its length and checksum, and returns the error of reading it.
    fn error_after(change: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut bytes = random_network(&chess(), 16, 1).quantize(&chess()).to_bytes();
        bytes.truncate(bytes.len() - CHECKSUM);
        change(&mut bytes);
        let length = (bytes.len() + CHECKSUM) as u64;
        bytes[12..20].copy_from_slice(&length.to_le_bytes());
        let checksum = blake3::hash(&bytes);
        bytes.extend(checksum.as_bytes());
        Network::read(&chess(), &bytes).unwrap_err().to_string()
    }

    #[test]
    fn files_round_trip() {
        for name in assay_rules::def::BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            let network = random_network(&game, 48, 9).quantize(&game);
            let bytes = network.to_bytes();
            assert!(Network::is_file(&bytes));
            assert_eq!(Network::read(&game, &bytes), Ok(network), "{name}");
        }
    }

    #[test]
    fn source_with_control_characters_round_trips() {
        let mut network = random_network(&chess(), 16, 1);
        network.source = "fu\u{1b}[31m\r\nz".to_owned();
        let bytes = network.quantize(&chess()).to_bytes();
        assert_eq!(Network::read(&chess(), &bytes).unwrap().to_bytes(), bytes);
    }

    #[test]
    fn rejects_networks_of_other_games() {
        let bytes = random_network(&chess(), 16, 1).quantize(&chess()).to_bytes();
        let read = |game: &GameDef| Network::read(game, &bytes).unwrap_err().to_string();
        let gamma2 = GameDef::builtin("gamma2").unwrap();
        assert_eq!(read(&gamma2), "game: found `chess`, expected `gamma2`");
        let mut namesake = (*gamma2).clone();
        namesake.name = "chess".to_owned();
        let error = read(&namesake);
        assert!(
            error.starts_with("features: found `8x8 board, kinds ")
                && error.contains("`, expected `10x8 board, kinds "),
            "{error}"
        );
    }

    #[test]
    fn rejects_damaged_files() {
        let bytes = random_network(&chess(), 16, 1).quantize(&chess()).to_bytes();
        let read = |bytes: &[u8]| Network::read(&chess(), bytes).unwrap_err().to_string();
        let whole = bytes.len();
        for length in [20, 40, whole / 2, whole - 1] {
            let error = read(&bytes[..length]);
            assert_eq!(error, format!("length: found {length} bytes, expected {whole}"));
        }
        assert_eq!(read(&bytes[..10]), "length: found 10 bytes, expected 12");
        assert!(read(&bytes[..7]).starts_with("found another kind of file"));
        assert!(read(b"game = \"chess\"").starts_with("found another kind of file"));
        let longer = [bytes.as_slice(), &[0]].concat();
        assert_eq!(read(&longer), format!("length: found {} bytes, expected {whole}", whole + 1));
        let mut damaged = bytes.clone();
        damaged[whole / 2] ^= 1;
        assert!(read(&damaged).starts_with("checksum: found "), "{}", read(&damaged));
        let mut newer = bytes;
        newer[8] = 3;
        assert_eq!(read(&newer), "format: found version 3, expected 2");
    }

    #[test]
    fn rejects_malformed_files_with_valid_checksum() {
        let text = 4 + "chess".len() + 4 + FeatureSet::new(&chess(), KING_BUCKETS).description().len();
        let source = 20 + text;
        let hidden = source + 4 + "random numbers, seed 1".len();
        let set = |at: usize, number: u32| {
            move |bytes: &mut Vec<u8>| bytes[at..at + 4].copy_from_slice(&number.to_le_bytes())
        };
        assert_eq!(error_after(set(hidden, 24)), "hidden size: found 24, expected a multiple of 16 up to 512");
        assert!(error_after(set(hidden, 32)).starts_with("length: found "));
        assert!(error_after(set(source, u32::MAX)).starts_with("length: found "));
        assert!(error_after(|bytes| bytes[source + 4] = 0xff).starts_with("source: found invalid UTF-8"));
        assert!(error_after(|bytes| bytes.push(0)).starts_with("length: found "));
    }

    proptest! {
        #[test]
        fn never_panics_on_random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), whole in any::<bool>()) {
            let mut file = MAGIC.to_vec();
            if whole {
                file.extend(VERSION.to_le_bytes());
                file.extend((20 + bytes.len() as u64 + CHECKSUM as u64).to_le_bytes());
            }
            file.extend(bytes);
            if whole {
                let checksum = blake3::hash(&file);
                file.extend(checksum.as_bytes());
            }
            prop_assert!(Network::read(&chess(), &file).is_err());
        }
    }
}
