//! Letters and digits as strokes, so that pictures do not depend on fonts.

/// Text centered at a point; `scale` is the size of a glyph unit in drawing units.
pub(super) fn draw(word: &str, x: f64, y: f64, scale: f64, color: &str) -> String {
    /// Distance between characters in glyph units.
    const ADVANCE: f64 = 13.5;
    let width = (word.chars().count() as f64 - 1.0) * ADVANCE + 10.0;
    // Lower-case letters fill only the lower part of the box.
    let middle = if word.chars().all(|c| c.is_ascii_lowercase()) { 9.0 } else { 7.0 };
    let (left, top) = (x - width * scale / 2.0, y - middle * scale);
    let mut group = format!(
        "<g transform=\"translate({left:.2} {top:.2}) scale({scale})\" fill=\"none\" stroke=\"{color}\" \
         stroke-width=\"1.9\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    );
    for (index, c) in word.chars().enumerate() {
        let strokes = strokes(c);
        let shift = index as f64 * ADVANCE;
        group += &match index {
            0 => format!("<path d=\"{strokes}\"/>"),
            _ => format!("<path transform=\"translate({shift})\" d=\"{strokes}\"/>"),
        };
    }
    group + "</g>\n"
}

/// Strokes of a character as SVG path data.
///
/// Capital letters and digits fill a box 10 wide and 14 high with its corner at the origin.
/// Lower-case letters have the same baseline (14) and may extend below it. Any other character is
/// an empty box.
fn strokes(character: char) -> &'static str {
    match character {
        'A' => "M0 14L5 0L10 14M2 9H8",
        'B' => "M1 0V14M1 0H5.5A3.5 3.5 0 0 1 5.5 7H1M5.5 7A3.5 3.5 0 0 1 5.5 14H1",
        'C' => "M9.2 3.2A5 7 0 1 0 9.2 10.8",
        'D' => "M1 0V14M1 0H3.5A6 7 0 0 1 3.5 14H1",
        'E' => "M9 0H1.5V14H9M1.5 7H7.5",
        'F' => "M9 0H1.5V14M1.5 7H7.5",
        'G' => "M9.2 3.2A5 7 0 1 0 9.9 8.4V7.6H5.8",
        'H' => "M1 0V14M9 0V14M1 7H9",
        'I' => "M5 0V14M2.5 0H7.5M2.5 14H7.5",
        'J' => "M8.5 0V9.7A3.85 4.3 0 0 1 .8 9.7M4.5 0H8.5",
        'K' => "M1 0V14M9.3 0L1 8.6M4.2 5.4L9.5 14",
        'L' => "M1.5 0V14H9",
        'M' => "M0 14V0L5 8L10 0V14",
        'N' => "M1 14V0L9 14V0",
        'O' => "M5 0A5 7 0 1 1 5 14A5 7 0 1 1 5 0Z",
        'P' => "M1.5 14V0H5.5A4 4 0 0 1 5.5 8H1.5",
        'Q' => "M5 0A5 7 0 1 1 5 14A5 7 0 1 1 5 0ZM6.2 10L10 14.8",
        'R' => "M1 14V0H5.3A4 4 0 0 1 5.3 8H1M5.3 8L9.5 14",
        'S' => {
            "M8.8 2.6C8 .8 6.6 0 5 0C2.7 0 1 1.5 1 3.5C1 5.6 2.6 6.3 5 7C7.4 7.7 9.2 8.5 9.2 10.6\
             C9.2 12.6 7.4 14 5 14C3.2 14 1.6 13.1 .8 11.3"
        }
        'T' => "M0 0H10M5 0V14",
        'U' => "M1 0V9.2A4 4.8 0 0 0 9 9.2V0",
        'V' => "M0 0L5 14L10 0",
        'W' => "M-.5 0L2.3 14L5 4L7.7 14L10.5 0",
        'X' => "M.5 0L9.5 14M9.5 0L.5 14",
        'Y' => "M.5 0L5 7.5V14M9.5 0L5 7.5",
        'Z' => "M1 0H9L1 14H9",
        '0' => "M5 0A4 7 0 1 1 5 14A4 7 0 1 1 5 0Z",
        '1' => "M2 3L5.5 0V14",
        '2' => "M1.2 3.7A3.9 3.7 0 0 1 9 3.7C9 7 1 10 1 14H9",
        '3' => "M1.5 0H8.5L4.6 5.6C7.3 5.4 9 7.3 9 9.7C9 12.3 7.2 14 4.8 14C3 14 1.6 13.2 1 11.8",
        '4' => "M7 14V0L1 9.8H9.4",
        '5' => "M8.6 0H2.2L1.6 6.2C5 4.2 9.2 5.8 9.2 9.6C9.2 12.3 7.3 14 5 14C3 14 1.6 13.2 .9 11.6",
        '6' => "M8.2 .9C4.2 -.9 1 2.9 1 9.5A4 4.5 0 1 0 9 9.5A4 4.5 0 1 0 1 9.5",
        '7' => "M1 0H9L4 14",
        '8' => "M5 0A3.4 3.4 0 1 1 5 6.8A3.4 3.4 0 1 1 5 0ZM5 6.8A4 3.6 0 1 1 5 14A4 3.6 0 1 1 5 6.8Z",
        '9' => "M1.8 13.1C5.8 14.9 9 11.1 9 4.5A4 4.5 0 1 0 1 4.5A4 4.5 0 1 0 9 4.5",
        'a' => "M9 5V14M9 9.5A4 4.5 0 1 0 1 9.5A4 4.5 0 1 0 9 9.5",
        'b' => "M1 0V14M9 9.5A4 4.5 0 1 0 1 9.5A4 4.5 0 1 0 9 9.5",
        'c' => "M8.3 7A4 4.5 0 1 0 8.3 12",
        'd' => "M9 0V14M9 9.5A4 4.5 0 1 0 1 9.5A4 4.5 0 1 0 9 9.5",
        'e' => "M1 9.5H9A4 4.5 0 1 0 8 12.5",
        'f' => "M8 .6C5.5 -.4 4 .8 4 3.5V14M1 5.5H7.5",
        'g' => "M9 5V14.5C9 18.6 3.5 19 1.5 16.8M9 9.5A4 4.5 0 1 0 1 9.5A4 4.5 0 1 0 9 9.5",
        'h' => "M1 0V14M1 9C1.6 3.8 9 3.4 9 9V14",
        'i' => "M5 5V14M5 1.2V1.4",
        'j' => "M5.5 5V15C5.5 17.5 4 18.3 2 17.8M5.5 1.2V1.4",
        'k' => "M1.5 0V14M8.5 5L1.5 10.5M4.3 8.4L9 14",
        'l' => "M5 0V14",
        'm' => "M0 5V14M0 8.5C.5 4.2 5 4 5 8.5V14M5 8.5C5.5 4.2 10 4 10 8.5V14",
        'n' => "M1 5V14M1 9C1.6 3.8 9 3.4 9 9V14",
        'o' => "M9 9.5A4 4.5 0 1 0 1 9.5A4 4.5 0 1 0 9 9.5",
        'p' => "M1 5V18M9 9.5A4 4.5 0 1 0 1 9.5A4 4.5 0 1 0 9 9.5",
        '=' => "M1 5H9M1 9.5H9",
        '-' => "M1.5 7.5H8.5",
        _ => "M0 0H10V14H0Z",
    }
}
