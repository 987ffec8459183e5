//! Scales, axes, curves and interval bars shared by all charts.
//!
//! Charts in a page have no fixed width. Horizontal positions are percentages, vertical positions
//! and texts are in pixels, so a chart fills a phone or a desktop window and its text keeps its
//! size. Margins come from measured labels.
//!
//! No plotting crate is used. `plotters` writes colors into every element, which rules out dark
//! mode, and its text metrics are either a rough box or those of the machine's fonts, so the same
//! data would give different files. `charming` needs a JavaScript engine or a script from the
//! network.

pub mod forest;

use maud::{Markup, html};

/// Lower end, estimate and upper end. An end without a bound is infinite.
pub type Ends = (f64, f64, f64);

/// Size of tick labels and axis titles in pixels.
pub const SMALL_TEXT: f64 = 13.0;

/// Size of other texts in pixels.
pub const TEXT: f64 = 14.0;

/// Space between an axis and its labels in pixels.
const LABEL_GAP: f64 = 8.0;

/// Length of the line from the end of a curve to its label in pixels.
const LEADER: f64 = 14.0;

/// A mapping from numbers to positions along one direction of a chart.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    domain: (f64, f64),
    range: (f64, f64),
    is_logarithmic: bool,
    unit: &'static str,
}

impl Scale {
    pub fn pixels(domain: (f64, f64), range: (f64, f64)) -> Scale {
        Scale { domain, range, is_logarithmic: false, unit: "" }
    }

    /// A scale over the whole width of a chart, in percent.
    pub fn width(domain: (f64, f64)) -> Scale {
        Scale { unit: "%", ..Scale::pixels(domain, (0.0, 100.0)) }
    }

    /// The same scale with logarithmic spacing; the domain must be positive.
    #[must_use]
    pub fn logarithmic(self) -> Scale {
        Scale { is_logarithmic: true, ..self }
    }

    /// Returns true if the number lies on the scale.
    pub fn contains(&self, number: f64) -> bool {
        (self.domain.0..=self.domain.1).contains(&number)
    }

    /// Position of a number; numbers outside the domain are clamped.
    pub fn at(&self, number: f64) -> f64 {
        let on = |number: f64| if self.is_logarithmic { number.ln() } else { number };
        let (low, high) = (on(self.domain.0), on(self.domain.1));
        let share = (on(number) - low) / (high - low);
        // Without a width, or with a logarithm of a negative number, there is no share.
        let share = if share.is_nan() { 0.5 } else { share.clamp(0.0, 1.0) };
        let (from, to) = self.range;
        // A tenth of a pixel or of a percent is precise enough and keeps the file readable.
        ((from + share * (to - from)) * 10.0).round() / 10.0
    }

    /// Position of a number as an SVG coordinate.
    pub fn coordinate(&self, number: f64) -> String {
        format!("{}{}", self.at(number), self.unit)
    }

    /// Round numbers inside the domain: about `count` of them on a linear scale, and 1, 2 and 5
    /// times powers of ten on a logarithmic one.
    pub fn ticks(&self, count: f64) -> Vec<f64> {
        let (low, high) = self.domain;
        if self.is_logarithmic {
            if low <= 0.0 {
                return Vec::new();
            }
            let powers = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
            let numbers = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|factor: f64| times_power_of_ten(factor, power)));
            return numbers.filter(|number| (low..=high).contains(number)).collect();
        }
        let rough = (high - low) / count;
        if rough <= 0.0 {
            return Vec::new();
        }
        let power = rough.log10().floor() as i32;
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| times_power_of_ten(factor, power));
        let step = steps.into_iter().find(|&step| step >= rough).unwrap_or(steps[3]);
        let first = (low / step).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        (first..=last).map(|tick| tick as f64 * step).collect()
    }
}

/// Division by a positive power keeps 0.2 from becoming 0.20000000000000001.
fn times_power_of_ten(factor: f64, power: i32) -> f64 {
    if power < 0 { factor / 10_f64.powi(-power) } else { factor * 10_f64.powi(power) }
}

/// The number without trailing zeros, with at most three decimals.
pub fn tick_label(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Estimated width of a text in pixels when set in a sans-serif font of `size` pixels.
///
/// The widths are those of DejaVu Sans, the widest font of the style sheet, so that text in any
/// other font is narrower.
pub fn text_width(text: &str, size: f64) -> f64 {
    let width = |letter: char| match letter {
        'i' | 'j' | 'l' | '\'' | '|' => 0.28,
        ' ' | '.' | ',' | ':' | ';' | '/' | 'I' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '-' => 0.41,
        'm' | 'w' | 'M' | 'W' | '%' | '\u{2014}' => 1.0,
        '\u{b1}' | '=' | '+' | '<' | '>' | '\u{2190}' | '\u{2192}' => 0.84,
        letter if letter.is_uppercase() => 0.75,
        _ => 0.64,
    };
    size * text.chars().map(width).sum::<f64>()
}

/// Width of the widest of some texts, rounded up to whole pixels.
pub fn widest<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, size: f64) -> f64 {
    let widths = texts.into_iter().map(|text| text_width(text.as_ref(), size));
    widths.fold(0.0, f64::max).ceil()
}

/// The least and the greatest of some numbers; `None` if there are none.
pub fn extent(numbers: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let ends = numbers.into_iter().map(|number| (number, number));
    ends.reduce(|(least, most), (number, _)| (least.min(number), most.max(number)))
}

/// Moves labels apart until neighbors are at least `gap` from each other, by as little as possible
/// and in their order.
pub fn spread_labels(desired: &[f64], gap: f64, (min, max): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..desired.len()).collect();
    order.sort_by(|&one, &other| desired[one].total_cmp(&desired[other]));
    let mut places = desired.to_vec();
    let mut floor = min;
    for &label in &order {
        places[label] = places[label].max(floor);
        floor = places[label] + gap;
    }
    let mut ceiling = max;
    for &label in order.iter().rev() {
        places[label] = places[label].min(ceiling);
        ceiling = places[label] - gap;
    }
    places
}

/// Positions and labels of an axis, with its title.
pub struct Axis {
    pub scale: Scale,
    pub ticks: Vec<(f64, String)>,
    pub title: String,
}

impl Axis {
    /// An axis with about `count` ticks.
    pub fn new(scale: Scale, count: f64, title: &str) -> Axis {
        let ticks = scale.ticks(count);
        Axis { ticks: ticks.into_iter().map(|tick| (tick, tick_label(tick))).collect(), scale, title: title.to_owned() }
    }
}

/// A chart with two axes. Horizontal positions are percentages, vertical ones pixels from 0 at the
/// top to `height`.
pub struct Plot<'a> {
    /// Description for screen readers.
    pub description: &'a str,
    pub x: Axis,
    pub y: Axis,
    /// Height of the plotting area in pixels.
    pub height: f64,
    /// Curves with labels at their right ends.
    pub curves: Vec<Curve>,
    /// By series: points with the lower end, the middle and the upper end of a vertical error bar.
    /// Those off the scales are left out.
    pub points: &'a [Vec<(f64, Ends)>],
    /// Anything else, drawn above the curves.
    pub marks: Markup,
}

/// A line through points, with an optional continuation and confidence band.
#[derive(Default)]
pub struct Curve {
    /// Points in axis units.
    pub points: Vec<(f64, f64)>,
    /// Continuation drawn as a dashed line.
    pub extension: Vec<(f64, f64)>,
    /// Empty for a curve without a label.
    pub label: String,
    /// Confidence band: x, lower and upper end.
    pub band: Vec<(f64, f64, f64)>,
}

impl Curve {
    fn end(&self) -> Option<f64> {
        self.extension.last().or(self.points.last()).map(|&(_, y)| y)
    }
}

impl Plot<'_> {
    /// Draws the chart.
    pub fn draw(&self) -> Markup {
        let (x, y, height) = (&self.x, &self.y, self.height);
        let curves = || self.curves.iter().enumerate();
        let end = |(_, curve): (usize, &Curve)| curve.end().map_or(height, |end| y.scale.at(end));
        let ends: Vec<f64> = curves().map(end).collect();
        let labels = spread_labels(&ends, TEXT + 4.0, (0.0, height));
        let labeled = || curves().filter(|(_, curve)| !curve.label.is_empty());
        let half_tick = widest(x.ticks.iter().map(|(_, label)| label), SMALL_TEXT) / 2.0;
        let left = half_tick.max(widest(y.ticks.iter().map(|(_, label)| label), SMALL_TEXT) + LABEL_GAP);
        let right = half_tick.max(widest(labeled().map(|(_, curve)| &curve.label), TEXT) + LEADER + 4.0);
        let bottom = height + 46.0;
        html! {
            div.plot style=(format!("padding: 24px {right}px 0 {left}px")) {
                svg height=(bottom) role="img" aria-label=(self.description) {
                    text.soft x=(-left) y="-10" { (y.title) }
                    @for (tick, label) in &y.ticks {
                        line.grid x1="0" x2="100%" y1=(y.scale.at(*tick)) y2=(y.scale.at(*tick)) {}
                        text.soft x=(-LABEL_GAP) y=(y.scale.at(*tick) + 4.5) text-anchor="end" { (label) }
                    }
                    @for (tick, label) in &x.ticks {
                        line.grid x1=(x.scale.coordinate(*tick)) x2=(x.scale.coordinate(*tick)) y1="0" y2=(height) {}
                        text.soft x=(x.scale.coordinate(*tick)) y=(height + 18.0) text-anchor="middle" { (label) }
                    }
                    line.axis x1="0" x2="100%" y1=(height) y2=(height) {}
                    text.soft x="50%" y=(height + 40.0) text-anchor="middle" { (x.title) }
                    // Curves cannot have percentages; their own coordinate system is stretched over
                    // the chart instead.
                    svg width="100%" height=(height) viewBox=(format!("0 0 100 {height}")) preserveAspectRatio="none" {
                        @for (index, curve) in curves() {
                            @if !curve.band.is_empty() { path class=(format!("band c{}", index % 8)) d=(self.band(&curve.band)) {} }
                            path class=(format!("curve c{}", index % 8)) d=(self.path(&curve.points)) {}
                            @if !curve.extension.is_empty() {
                                path class=(format!("curve dashed c{}", index % 8)) d=(self.path(&curve.extension)) {}
                            }
                        }
                    }
                    @for (series, points) in self.points.iter().enumerate() {
                        @for &(at, ends) in points.iter().filter(|point| x.scale.contains(point.0) && y.scale.contains(point.1.1)) {
                            (self.point(series, at, ends))
                        }
                    }
                    (self.marks)
                    @for (index, curve) in labeled() {
                        svg x="100%" overflow="visible" {
                            line class=(format!("curve c{}", index % 8)) x1="2" x2=(LEADER) y1=(ends[index]) y2=(labels[index]) {}
                            text x=(LEADER + 4.0) y=(labels[index] + 5.0) { (curve.label) }
                        }
                    }
                }
            }
        }
    }

    fn point(&self, series: usize, at: f64, (low, middle, high): Ends) -> Markup {
        let (x, y) = (self.x.scale.coordinate(at), &self.y.scale);
        html! {
            line class=(format!("whisker s{series}")) x1=(x) x2=(x) y1=(y.at(low)) y2=(y.at(high)) {}
            svg x=(x) y=(y.at(middle)) overflow="visible" { (marker(series)) }
        }
    }

    fn band(&self, band: &[(f64, f64, f64)]) -> String {
        let upper = band.iter().map(|&(x, _, high)| (x, high));
        let lower = band.iter().rev().map(|&(x, low, _)| (x, low));
        let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
        self.path(&outline) + "Z"
    }

    fn path(&self, points: &[(f64, f64)]) -> String {
        let mut text = String::new();
        for &(x, y) in points {
            let command = if text.is_empty() { 'M' } else { 'L' };
            text += &format!("{command}{} {}", self.x.scale.at(x), self.y.scale.at(y));
        }
        text
    }
}

/// The marker of a series. Series differ in shape as well as in color: discs, diamonds, triangles.
pub fn marker(series: usize) -> Markup {
    let shapes = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z", "M0-6.5L6.5 0L0 6.5L-6.5 0Z", "M0-6L6 5H-6Z"];
    html! { path class=(format!("marker s{}", series % shapes.len())) d=(shapes[series % shapes.len()]) {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let scale = Scale::width((-0.3, 12.4));
        assert_eq!(scale.ticks(8.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
        assert!((scale.at(99.0) - 100.0).abs() < 1e-9);
        let scale = Scale::width((0.09, 2.1)).logarithmic();
        assert_eq!(scale.ticks(0.0), [0.1, 0.2, 0.5, 1.0, 2.0]);
        assert!((scale.at(0.09) - 0.0).abs() < 1e-9);
        assert_eq!([-0.0001, 2.5, 40.0].map(tick_label), ["0".to_owned(), "2.5".to_owned(), "40".to_owned()]);
    }

    #[test]
    fn labels_do_not_overlap() {
        let places = spread_labels(&[50.0, 52.0, 10.0, 51.0, 99.0], 10.0, (0.0, 100.0));
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|two| two[1] - two[0] >= 10.0 - 1e-9), "{places:?}");
        assert!((places[2] - 10.0).abs() < 1e-9);
    }

    #[test]
    fn text_widths_grow_with_text_and_size() {
        assert!(text_width("above", 14.0) > text_width("abov", 14.0));
        assert!((text_width("above", 28.0) - 2.0 * text_width("above", 14.0)).abs() < 1e-9);
        // Five letters of DejaVu Sans at 14 pixels are 43 pixels wide.
        assert!((43.0..48.0).contains(&text_width("above", 14.0)));
    }
}
