//! Texts that may be compressed by gzip or Zstandard.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The size of a buffer of text, in bytes.
pub(crate) const BUFFER: usize = 1 << 18;

/// What a text contains after decompression, or the text itself. Its first bytes decide, not its
/// name: standard input has none.
///
/// # Errors
/// If it cannot be read. Faults of the compressed data are errors of the reader returned.
pub fn decompressed(mut source: impl BufRead + 'static) -> io::Result<Box<dyn BufRead>> {
    let beginning = source.fill_buf()?;
    if beginning.starts_with(&[0x1f, 0x8b]) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(source))));
    }
    // The magic number of a frame, or of a frame to be skipped, with which parallel compressors
    // begin.
    let is_zstd = |magic: &[u8]| {
        magic == [0x28, 0xb5, 0x2f, 0xfd] || (magic[0] & 0xf0 == 0x50 && magic[1..] == [0x2a, 0x4d, 0x18])
    };
    if beginning.get(..4).is_some_and(is_zstd) {
        let frames = ZstdFrames { source, decoder: FrameDecoder::new() };
        return Ok(Box::new(BufReader::with_capacity(BUFFER, frames)));
    }
    Ok(Box::new(source))
}

/// All frames of a zstd file, one after the other.
struct ZstdFrames<S> {
    source: S,
    decoder: FrameDecoder,
}

impl<S: BufRead> ZstdFrames<S> {
    /// Begins the next frame; returns false at the end of the file.
    fn next_frame(&mut self) -> io::Result<bool> {
        loop {
            if self.source.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    io::copy(&mut self.source.by_ref().take(u64::from(length)), &mut io::sink())?;
                }
                Err(FrameDecoderError::WindowSizeTooBig { requested, max }) => {
                    let found = format!("found Zstandard data with a window of {} MiB", requested >> 20);
                    let why = format!("{found}, expected at most {} MiB; compress it without --long", max >> 20);
                    return Err(io::Error::new(io::ErrorKind::InvalidData, why));
                }
                Err(_) => return Err(damaged()),
            }
        }
    }
}

impl<S: BufRead> Read for ZstdFrames<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            // Before the first frame, the decoder is finished, too.
            if self.decoder.is_finished() {
                if !self.next_frame()? {
                    return Ok(0);
                }
            } else {
                let blocks = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, blocks).map_err(|_| damaged())?;
            }
        }
        self.decoder.read(buffer)
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "found damaged Zstandard data, expected whole frames")
}
