//! The few kinds of mark that the report's drawings are made of, as SVG.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, Render, html};

/// Room left of the data for the y axis.
const LEFT: f64 = 58.0;
/// Room right of the data.
const RIGHT: f64 = 16.0;
/// Room right of the data for the names of levels.
pub const FOR_LEVELS: f64 = 118.0;
/// Room above the data.
const TOP: f64 = 14.0;
/// Room below the data for the x axis.
const BELOW: f64 = 42.0;
/// Mean width of a letter at the style's size for drawings, rather too wide than too narrow.
const LETTER: f64 = 7.4;

/// Scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    from: f64,
    to: f64,
    log: bool,
    /// Whether only whole numbers are written at it.
    whole: bool,
}

impl Axis {
    /// From `from` to a round value at or above `to`.
    pub fn rounded(from: f64, to: f64) -> Self {
        let to = if to > from { to } else { from + 1.0 };
        let step = step_of(to - from, 5);
        Self { from, to: from + ((to - from) / step - 1e-9).ceil() * step, log: false, whole: false }
    }

    /// Exactly from `from` to `to`.
    pub fn exact(from: f64, to: f64) -> Self {
        Self { from, to: if to > from { to } else { from + 1.0 }, log: false, whole: false }
    }

    /// For things numbered from 1.
    pub fn numbered(count: usize) -> Self {
        Self { whole: true, ..Self::exact(0.5, count as f64 + 0.5) }
    }

    /// By powers of ten, from one of them to another.
    pub fn log(from: f64, to: f64) -> Self {
        let from = from.max(1e-6).log10().floor();
        let to = to.max(1e-6).log10().ceil().max(from + 1.0);
        Self { from: 10f64.powf(from), to: 10f64.powf(to), log: true, whole: false }
    }

    /// The last value.
    #[cfg(test)]
    fn to(self) -> f64 {
        self.to
    }

    /// Position of a value, 0 at the beginning and 1 at the end; values outside are put on the edge.
    fn place(self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(self.from).log10() - self.from.log10()) / (self.to.log10() - self.from.log10())
        } else {
            (value - self.from) / (self.to - self.from)
        };
        share.clamp(0.0, 1.0)
    }

    fn ticks(self, about: usize) -> Vec<f64> {
        if self.log {
            let (from, to) = (self.from.log10().round() as i32, self.to.log10().round() as i32);
            return (from..=to).map(|power| 10f64.powi(power)).collect();
        }
        let step = step_of(self.to - self.from, about).max(if self.whole { 1.0 } else { 0.0 });
        let first = (self.from / step - 1e-9).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

/// A round step (1, 2 or 5 times a power of ten) that divides `span` into about so many.
fn step_of(span: f64, about: usize) -> f64 {
    let raw = (span / about.max(1) as f64).max(1e-12);
    let power = 10f64.powf(raw.log10().floor());
    let lead = raw / power;
    power
        * if lead < 1.5 {
            1.0
        } else if lead < 3.5 {
            2.0
        } else if lead < 7.5 {
            5.0
        } else {
            10.0
        }
}

/// A number as people write it: as few decimals as needed, thousands apart.
pub fn number(value: f64) -> String {
    let magnitude = value.abs();
    let decimals = if magnitude >= 100.0 || value == value.round() {
        0
    } else if magnitude >= 1.0 {
        1
    } else {
        2
    };
    let text = format!("{value:.decimals$}");
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("\u{2212}", rest));
    let (whole, rest) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let mut grouped = String::from(sign);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) && whole.len() > 4 {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    rest.map_or(grouped.clone(), |rest| format!("{grouped}.{rest}"))
}

/// A length or a place in a drawing. Unit: pixels.
#[derive(Clone, Copy)]
pub struct Px(pub f64);

impl Render for Px {
    fn render_to(&self, text: &mut String) {
        // Writing into a String cannot fail, here and below.
        let _ = write!(text, "{:.1}", self.0);
    }
}

/// A drawing in the making.
pub struct Plot {
    width: f64,
    height: f64,
    x: Axis,
    y: Axis,
    /// Room right of the data.
    right: f64,
    /// End of the name of the last upright line.
    named_to: f64,
    body: String,
}

impl Plot {
    /// Begins a drawing with axes and their names. `title` describes it for those who do not see it.
    pub fn new(title: &str, size: (u32, u32), x: (Axis, &str), y: (Axis, &str)) -> Self {
        Self::with_room(title, size, x, y, RIGHT)
    }

    /// Same as [`Self::new`] with more room right of the data.
    pub fn with_room(
        title: &str,
        (width, height): (u32, u32),
        (x, x_name): (Axis, &str),
        (y, y_name): (Axis, &str),
        right: f64,
    ) -> Self {
        let mut plot = Self {
            width: f64::from(width),
            height: f64::from(height),
            x,
            y,
            right,
            named_to: 0.0,
            body: String::new(),
        };
        let (left, right) = (LEFT, plot.width - right);
        let (top, bottom) = (TOP, plot.height - BELOW);
        plot.add(html! { title { (title) } });
        for tick in y.ticks(5) {
            let at = bottom - y.place(tick) * (bottom - top);
            plot.add(html! {
                path class="grid" d={ "M" (Px(left)) " " (Px(at)) "H" (Px(right)) } {}
                text class="tick" x=(Px(left - 7.0)) y=(Px(at + 4.0)) text-anchor="end" { (number(tick)) }
            });
        }
        for tick in x.ticks((width / 110) as usize) {
            let at = left + x.place(tick) * (right - left);
            let text = number(tick);
            let half = width_of(&text) / 2.0;
            let middle = at.clamp(half, (plot.width - half).max(half));
            plot.add(html! {
                path class="axis" d={ "M" (Px(at)) " " (Px(bottom)) "v5" } {}
                text class="tick" x=(Px(middle)) y=(Px(bottom + 18.0)) text-anchor="middle" { (text) }
            });
        }
        let (across, up) = ((left + right) / 2.0, (top + bottom) / 2.0);
        plot.add(html! {
            path class="axis" d={ "M" (Px(left)) " " (Px(bottom)) "H" (Px(right)) } {}
            text class="name" x=(Px(across)) y=(Px(plot.height - 6.0)) text-anchor="middle" { (x_name) }
            text class="name" transform={ "translate(13 " (Px(up)) ") rotate(-90)" } text-anchor="middle" { (y_name) }
        });
        plot
    }

    fn add(&mut self, mark: Markup) {
        self.body += &mark.into_string();
    }

    fn at_x(&self, x: f64) -> f64 {
        LEFT + self.x.place(x) * (self.width - self.right - LEFT)
    }

    fn at_y(&self, y: f64) -> f64 {
        let bottom = self.height - BELOW;
        bottom - self.y.place(y) * (bottom - TOP)
    }

    /// Width of the data's field in pixels.
    pub fn columns(&self) -> usize {
        (self.width - self.right - LEFT) as usize
    }

    /// A line through points.
    pub fn line(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let path = self.path(points);
        self.add(html! { path class={ "line " (class) } d=(path) {} });
    }

    /// The field between a lower and an upper line.
    pub fn band(&mut self, class: &str, lower: &[(f64, f64)], upper: &[(f64, f64)]) {
        let path = self.path(lower.iter().chain(upper.iter().rev()).copied());
        self.add(html! { path class=(class) d={ (path) "Z" } {} });
    }

    fn path(&self, points: impl IntoIterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        for (i, (x, y)) in points.into_iter().enumerate() {
            let _ = write!(path, "{}{:.1} {:.1}", if i == 0 { 'M' } else { 'L' }, self.at_x(x), self.at_y(y));
        }
        path
    }

    /// A bar from `from` to `to` along x, from the bottom up to `y`.
    pub fn bar(&mut self, class: &str, (from, to): (f64, f64), y: f64, tip: &str) {
        let (left, right) = (self.at_x(from), self.at_x(to));
        let (top, bottom) = (self.at_y(y), self.height - BELOW);
        let (width, height) = ((right - left - 0.6).max(0.4), bottom - top);
        self.add(html! {
            rect class=(class) x=(Px(left)) y=(Px(top)) width=(Px(width)) height=(Px(height)) { title { (tip) } }
        });
    }

    /// A level line with its name right of the data.
    pub fn level(&mut self, class: &str, y: f64, name: &str) {
        let (at, right) = (self.at_y(y), self.width - self.right);
        self.add(html! { path class={ "level " (class) } d={ "M" (Px(LEFT)) " " (Px(at)) "H" (Px(right)) } {} });
        // A long name begins before the end of the data.
        let x = (right + 5.0).min(self.width - width_of(name));
        self.note(class, x, at + 4.0, name);
    }

    /// An upright line with its name at the top, right of it, or left where there is no room; the name is left out if
    /// it would overlap the last one.
    pub fn upright(&mut self, class: &str, x: f64, name: &str) {
        let (at, bottom) = (self.at_x(x), self.height - BELOW);
        self.add(html! { path class={ "level " (class) } d={ "M" (Px(at)) " " (Px(TOP)) "V" (Px(bottom)) } {} });
        let width = width_of(name);
        let x = if at + 4.0 + width > self.width { at - 4.0 - width } else { at + 4.0 };
        if x >= self.named_to {
            self.note(class, x, TOP + 10.0, name);
            self.named_to = x + width;
        }
    }

    /// A mark at a point; above the end of the axis an arrow at that end.
    pub fn point(&mut self, class: &str, x: f64, y: f64, tip: &str) {
        let (at_x, at_y) = (Px(self.at_x(x)), Px(self.at_y(y)));
        let is_above = y > self.y.to;
        self.add(html! {
            @if is_above {
                path class=(class) d={ "M" (at_x) " " (at_y) "l4 8h-8z" } { title { (tip) } }
            } @else {
                circle class=(class) cx=(at_x) cy=(at_y) r="3.2" { title { (tip) } }
            }
        });
    }

    /// A spread about a point.
    pub fn whisker(&mut self, class: &str, x: f64, (low, high): (f64, f64)) {
        let (x, low, high) = (Px(self.at_x(x)), Px(self.at_y(low)), Px(self.at_y(high)));
        self.add(html! { path class={ "line " (class) } d={ "M" (x) " " (low) "V" (high) } {} });
    }

    /// Words beside a point: right of it, or left where there is no room; above it, or below.
    pub fn label(&mut self, x: f64, y: f64, above: bool, text: &str) {
        let (x, y) = (self.at_x(x), self.at_y(y));
        let (end, shift) = if x + 6.0 + width_of(text) > self.width { ("end", -6.0) } else { ("start", 6.0) };
        // No letter is cut at the top.
        let (x, y) = (x + shift, if above { (y - 7.0).max(11.0) } else { y + 15.0 });
        self.add(html! { text class="mark" x=(Px(x)) y=(Px(y)) text-anchor=(end) { (text) } });
    }

    fn note(&mut self, class: &str, x: f64, y: f64, text: &str) {
        self.add(html! { text class={ "mark " (class) } x=(Px(x)) y=(Px(y)) { (text) } });
    }

    /// The drawing, whole.
    pub fn svg(self) -> Markup {
        let Self { width, height, body, .. } = self;
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (width) " " (height) } role="img" {
                (PreEscaped(body))
            }
        }
    }
}

/// Approximate width of a text.
fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beginning and end of each text.
    fn spans(svg: &str) -> Vec<(f64, f64)> {
        let of = |piece: &str| {
            let (tag, rest) = piece.split_once('>')?;
            let x: f64 = tag.split_once(" x=\"")?.1.split_once('"')?.0.parse().ok()?;
            let width = width_of(rest.split_once('<')?.0);
            let share = if tag.contains("\"end\"") {
                1.0
            } else if tag.contains("\"middle\"") {
                0.5
            } else {
                0.0
            };
            Some((x - share * width, x + (1.0 - share) * width))
        };
        svg.split("<text").skip(1).filter_map(of).collect()
    }

    #[test]
    fn no_text_is_cut_at_an_edge_or_lies_on_its_neighbour() {
        let x = Axis::log(1.0, 100_000.0);
        let mut plot = Plot::with_room("a", (480, 260), (x, "fish"), (Axis::exact(0.0, 9.0), "ms"), FOR_LEVELS);
        plot.level("p50", 5.0, "median of all runs 123 456 ms");
        plot.upright("run", 90_000.0, "a name that is longer than the room");
        plot.label(100_000.0, 9.0, true, "123 456 789 ms");
        plot.label(1.0, 9.0, true, "1 ms");
        let svg = plot.svg().into_string();
        let spans = spans(&svg);
        assert!(spans.len() > 10, "{svg}");
        assert!(spans.iter().all(|(from, to)| *from >= 0.0 && *to <= 480.5), "{spans:?}");
        let mut plot = Plot::new("a", (480, 260), (Axis::exact(0.0, 100.0), "x"), (Axis::exact(0.0, 9.0), "ms"));
        (0..100).for_each(|run| plot.upright("run", f64::from(run), "run 1"));
        let names = plot.svg().into_string().matches(">run 1<").count();
        assert!((7..16).contains(&names), "{names} of a hundred");
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(Axis::rounded(0.0, 93.0).ticks(5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(Axis::exact(0.0, 299.0).ticks(8), [0.0, 50.0, 100.0, 150.0, 200.0, 250.0]);
        assert_eq!(Axis::numbered(3).ticks(8), [1.0, 2.0, 3.0]);
        assert_eq!(Axis::log(1.0, 30_000.0).ticks(5), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5]);
        assert_eq!(Axis::rounded(0.0, 0.0).to(), 1.0, "a span of nothing is one");
    }

    #[test]
    fn numbers_are_short_and_grouped() {
        let thin = '\u{202f}';
        assert_eq!(number(30_000.0), format!("30{thin}000"));
        assert_eq!(number(1234.5), "1234");
        assert_eq!(number(16.667), "16.7");
        assert_eq!(number(0.25), "0.25");
        assert_eq!(number(-3.0), "\u{2212}3");
    }

    #[test]
    fn what_is_outside_lies_on_the_edge() {
        let axis = Axis::exact(10.0, 20.0);
        assert_eq!((axis.place(5.0), axis.place(15.0), axis.place(99.0)), (0.0, 0.5, 1.0));
        assert!((Axis::log(1.0, 100.0).place(10.0) - 0.5).abs() < 1e-12);
        assert_eq!(Axis::log(1.0, 100.0).place(0.0), 0.0);
    }

    #[test]
    fn text_cannot_become_markup() {
        let mut plot = Plot::new("<b>", (300, 200), (Axis::exact(0.0, 1.0), "x"), (Axis::exact(0.0, 1.0), "y"));
        plot.level("p50", 0.5, "\"a\" < b & c");
        let svg = plot.svg().into_string();
        assert!(svg.contains("&lt;b&gt;") && svg.contains("&quot;a&quot; &lt; b &amp; c"), "{svg}");
    }
}
