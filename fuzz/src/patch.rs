//! Changes to a file that an input describes.

/// Applies the changes that `patches` describes: five bytes each, which are an operation, a place
/// (24 bits) and a value.
///
/// Operations: 0 replaces the byte at a place from the beginning, 1 at a place from the end, 2
/// truncates there, 3 inserts a byte, 4 removes one; any other number counts modulo 5. Places
/// beyond the end wrap around.
pub fn patch(bytes: &mut Vec<u8>, patches: &[u8]) {
    for &[operation, a, b, c, value] in patches.as_chunks().0 {
        if bytes.is_empty() {
            return;
        }
        let at = (u32::from_be_bytes([0, a, b, c]) as usize) % bytes.len();
        match operation % 5 {
            0 => bytes[at] = value,
            1 => {
                let at = bytes.len() - 1 - at;
                bytes[at] = value;
            }
            2 => bytes.truncate(at),
            3 => bytes.insert(at, value),
            _ => drop(bytes.remove(at)),
        }
    }
}
