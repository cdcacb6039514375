//! Writing SVG.

use std::fmt::Write;

use crate::Caption;

/// Colours on paper, one for each series; a style sheet knows them as `chart-series-0` and so on.
const SERIES: [&str; 6] = ["#2f43b0", "#b8410f", "#0b6b61", "#855c00", "#84268c", "#545868"];
/// How series are hatched beside their colour, as paths in a square of 8; the first is plain.
const HATCHES: [&str; 6] = ["", "M0 8 8 0", "M0 0 8 8", "M4 0V8", "M0 4H8", "M0 0 8 8M0 8 8 0"];
/// How lines are broken beside their colour; the first is whole.
const DASHES: [&str; 6] = ["", "7 4", "2 3", "10 3 2 3", "14 3", "1 5"];
/// Size of letters.
pub(crate) const LETTER: f64 = 12.0;
/// Width of a letter of that size, on average and generously.
const LETTER_WIDTH: f64 = 6.7;

/// How wide a text will be.
pub(crate) fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER_WIDTH
}

/// A text as lines that are no wider than that, but for single words.
pub(crate) fn wrapped(text: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width_of(line) + width_of(word) + LETTER_WIDTH <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A chart that is being written.
pub(crate) struct Svg<'a> {
    caption: Caption<'a>,
    body: String,
    hatches: Vec<usize>,
}

/// Where a text is anchored.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl<'a> Svg<'a> {
    pub(crate) fn new(caption: Caption<'a>) -> Self {
        Self { caption, body: String::new(), hatches: Vec::new() }
    }

    pub(crate) fn width(&self) -> f64 {
        self.caption.width
    }

    /// The whole of it.
    pub(crate) fn finish(self, height: f64) -> String {
        let Caption { id, title, description, width } = self.caption;
        let mut defs = String::new();
        for series in self.hatches {
            let _ = write!(
                defs,
                "<pattern id=\"{}-hatch-{series}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">\
                 <path class=\"chart-hatch\" d=\"{}\" fill=\"none\" stroke=\"#fffdf8\" stroke-width=\"1.5\" \
                 stroke-opacity=\"0.55\"/></pattern>",
                escaped(id),
                HATCHES[series],
            );
        }
        if !defs.is_empty() {
            defs = format!("<defs>{defs}</defs>");
        }
        // Who cannot see it hears the first two elements: so it needs no id.
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" font-family=\"Inter, system-ui, \
             sans-serif\" font-size=\"12\"><title>{}</title><desc>{}</desc>\
             {defs}<rect class=\"chart-sheet\" width=\"{w}\" height=\"{h}\" fill=\"#fffdf8\"/>{}</svg>",
            escaped(title),
            escaped(description),
            self.body,
            w = number(width),
            h = number(height),
        )
    }

    pub(crate) fn text(&mut self, class: &str, x: f64, y: f64, anchor: Anchor, text: &str) {
        let (anchor, fill) = (
            match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            },
            if class == "chart-inside" { "#ffffff" } else { "#1c2130" },
        );
        let _ = write!(
            self.body,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{}</text>",
            number(x),
            number(y),
            escaped(text),
        );
    }

    /// A line that is no data: an axis, a tick.
    pub(crate) fn rule(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let dash = if class == "chart-limit" { " stroke-dasharray=\"6 4\" stroke-width=\"2\"" } else { "" };
        let colour = if class == "chart-grid" { "#ddd3bf" } else { "#545868" };
        let _ = write!(
            self.body,
            "<path class=\"{class}\" d=\"M{} {}L{} {}\" fill=\"none\" stroke=\"{colour}\"{dash}/>",
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1),
        );
    }

    /// A filled shape of a series, with its hatching over it; `name` is said on hovering.
    pub(crate) fn area(&mut self, series: usize, path: &str, name: &str) {
        let index = series % SERIES.len();
        let _ = write!(
            self.body,
            "<path class=\"chart-area chart-series-{index}\" d=\"{path}\" fill=\"{}\" stroke=\"#fffdf8\">\
             <title>{}</title></path>",
            SERIES[index],
            escaped(name),
        );
        if index > 0 {
            if !self.hatches.contains(&index) {
                self.hatches.push(index);
            }
            let id = escaped(self.caption.id);
            let _ = write!(
                self.body,
                "<path d=\"{path}\" fill=\"url(#{id}-hatch-{index})\" pointer-events=\"none\"/>"
            );
        }
    }

    /// A line of a series, drawn with that one of [`DASHES`].
    pub(crate) fn line(&mut self, series: usize, path: &str, dash: usize) {
        let index = series % SERIES.len();
        let dash = match DASHES[dash % DASHES.len()] {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        let _ = write!(
            self.body,
            "<path class=\"chart-line chart-series-{index}\" d=\"{path}\" fill=\"none\" stroke=\"{}\" \
             stroke-width=\"2\"{dash}/>",
            SERIES[index],
        );
    }

    /// A point: a disc, or a square on its corner for what was measured.
    pub(crate) fn dot(&mut self, x: f64, y: f64, is_measured: bool, name: &str) {
        let (x, y) = (number(x), number(y));
        let title = escaped(name);
        let _ = if is_measured {
            write!(
                self.body,
                "<path class=\"chart-dot\" d=\"M{x} {y}m0 -6l6 6l-6 6l-6 -6z\" fill=\"#1c2130\">\
                 <title>{title}</title></path>"
            )
        } else {
            write!(
                self.body,
                "<circle class=\"chart-dot\" cx=\"{x}\" cy=\"{y}\" r=\"4.5\" fill=\"#1c2130\"><title>{title}</title>\
                 </circle>"
            )
        };
    }

    /// A square whose darkness from 0 to 1 is a value, in the colour of a series.
    pub(crate) fn shade(&mut self, series: usize, [x, y, width, height]: [f64; 4], share: f64) {
        let index = series % SERIES.len();
        let _ = write!(
            self.body,
            "<rect class=\"chart-shade chart-series-{index}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" \
             fill-opacity=\"{}\"/>",
            number(x),
            number(y),
            number(width),
            number(height),
            SERIES[index],
            number(share),
        );
    }

    /// Rows of keys to the series. Returns the height below the last.
    pub(crate) fn legend(&mut self, top: f64, keys: &[(usize, String)]) -> f64 {
        let (mut x, mut y) = (0.0, top);
        for (series, label) in keys {
            let wide = 20.0 + width_of(label) + 16.0;
            if x > 0.0 && x + wide > self.caption.width {
                (x, y) = (0.0, y + 20.0);
            }
            self.area(*series, &rectangle(x, y, 13.0, 13.0), label);
            self.text("chart-key", x + 19.0, y + 11.0, Anchor::Start, label);
            x += wide;
        }
        if keys.is_empty() { top } else { y + 20.0 }
    }
}

/// The path of a rectangle.
pub(crate) fn rectangle(x: f64, y: f64, width: f64, height: f64) -> String {
    format!("M{} {}h{}v{}h{}z", number(x), number(y), number(width), number(height), number(-width))
}

/// A coordinate with as many digits as a screen shows.
pub(crate) fn number(value: f64) -> String {
    // What is not finite has no place and becomes 0; callers leave it out before it comes here. Whole numbers, since
    // to write floating-point ones takes a program many times as large as this.
    let hundredths = (value * 100.0).round() as i64;
    let (sign, size) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    match (size / 100, size % 100) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, part) if part % 10 == 0 => format!("{sign}{whole}.{}", part / 10),
        (whole, part) => format!("{sign}{whole}.{part:02}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
