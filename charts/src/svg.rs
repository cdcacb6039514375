//! Writing SVG.

use napkin_accounting::escaped;

use crate::scale::Scale;
use crate::{Caption, Chart, Mark, Tick};

/// Colours on paper, one for each series; a style sheet knows them as `chart-series-0` and so on.
const SERIES: [&str; 6] = ["#2f43b0", "#b8410f", "#0b6b61", "#855c00", "#84268c", "#545868"];
/// How series are hatched beside their colour, as paths in a square of 8; the first is plain.
const HATCHES: [&str; 6] = ["", "M0 8 8 0", "M0 0 8 8", "M4 0V8", "M0 4H8", "M0 0 8 8M0 8 8 0"];
/// How lines are broken beside their colour; the first is whole.
const DASHES: [&str; 6] = ["none", "7 4", "2 3", "10 3 2 3", "14 3", "1 5"];
pub(crate) const LETTER: f64 = 12.0;
/// Width of a letter of that size, on average and generously.
const LETTER_WIDTH: f64 = 6.7;
/// Digits are wider than letters are on average.
const DIGIT_WIDTH: f64 = 7.8;

pub(crate) fn width_of(text: &str) -> f64 {
    text.chars().map(|letter| if letter.is_ascii_digit() { DIGIT_WIDTH } else { LETTER_WIDTH }).sum()
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

/// A chart that is being written. Coordinates have as many digits as a screen shows.
pub(crate) struct Svg<'a> {
    pub(crate) caption: Caption<'a>,
    body: String,
    hatches: Vec<usize>,
    marks: Vec<Mark>,
}

impl<'a> Svg<'a> {
    pub(crate) fn new(caption: Caption<'a>) -> Self {
        Self { caption, body: String::new(), hatches: Vec::new(), marks: Vec::new() }
    }

    pub(crate) fn mark(&mut self, area: [f64; 4], says: String) {
        self.marks.push(Mark { area, says });
    }

    pub(crate) fn finish(self, height: f64) -> Chart {
        let Self { caption: Caption { id, title, description, width }, body, hatches, marks } = self;
        let [id, title, description] = [id, title, description].map(escaped);
        let pattern = |series: usize| {
            let path = HATCHES[series];
            format!(
                r##"<pattern id="{id}-hatch-{series}" width="8" height="8" patternUnits="userSpaceOnUse"><path class="chart-hatch" d="{path}" fill="none" stroke="#fffdf8" stroke-width="1.5" stroke-opacity="0.55"/></pattern>"##
            )
        };
        let patterns: String = hatches.into_iter().map(pattern).collect();
        // Who cannot see it hears the first two elements: so it needs no id.
        let svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" viewBox="0 0 {width:.2} {height:.2}" width="{width:.2}" height="{height:.2}" font-family="Inter, system-ui, sans-serif" font-size="12"><title>{title}</title><desc>{description}</desc><defs>{patterns}</defs><rect class="chart-sheet" width="{width:.2}" height="{height:.2}" fill="#fffdf8"/>{body}</svg>"##
        );
        Chart { svg, size: (width, height), marks }
    }

    /// A text; `anchor` says whether `x` is its start, middle or end.
    pub(crate) fn text(&mut self, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
        let fill = if class == "chart-inside" { "#ffffff" } else { "#1c2130" };
        let text = escaped(text);
        self.body += &format!(
            r#"<text class="{class}" x="{x:.2}" y="{y:.2}" text-anchor="{anchor}" fill="{fill}">{text}</text>"#
        );
    }

    /// A text around `x`, but not beyond the edges.
    pub(crate) fn centred(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let half = width_of(text) / 2.0;
        self.text(class, x.min(self.caption.width - half).max(half), y, "middle", text);
    }

    /// A line that is no data: an axis, a tick.
    pub(crate) fn rule(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let dash = if class == "chart-limit" { r#" stroke-dasharray="6 4" stroke-width="2""# } else { "" };
        let colour = if class == "chart-grid" { "#ddd3bf" } else { "#545868" };
        self.body += &format!(
            r#"<path class="{class}" d="M{x1:.2} {y1:.2}L{x2:.2} {y2:.2}" fill="none" stroke="{colour}"{dash}/>"#
        );
    }

    /// Lines across at some round values, which are written before them. Returns where they begin and end.
    pub(crate) fn y_axis(&mut self, y: Scale, most: usize, tick: Tick<'_>) -> (f64, f64) {
        let ticks: Vec<(f64, String)> = y.ticks(most).into_iter().map(|at| (y.at(at), tick(at))).collect();
        let left = ticks.iter().map(|(_, text)| width_of(text)).fold(0.0, f64::max) + 10.0;
        let right = self.caption.width - 14.0;
        for (at, text) in ticks {
            self.rule("chart-grid", (left, at), (right, at));
            self.text("chart-tick", left - 6.0, at + 4.0, "end", &text);
        }
        (left, right)
    }

    /// Some round values below `bottom`, and lines up to `top` if there is one.
    pub(crate) fn x_axis(
        &mut self,
        x: Scale,
        (top, bottom): (Option<f64>, f64),
        most: usize,
        tick: Tick<'_>,
    ) {
        for value in x.ticks(most) {
            let at = x.at(value);
            if let Some(top) = top {
                self.rule("chart-grid", (at, top), (at, bottom));
            }
            self.centred("chart-tick", at, bottom + 16.0, &tick(value));
        }
    }

    /// A filled shape of a series, with its hatching over it; `name` is said on hovering.
    pub(crate) fn area(&mut self, series: usize, path: &str, name: &str) {
        let (index, name) = (series % SERIES.len(), escaped(name));
        let colour = SERIES[index];
        self.body += &format!(
            r##"<path class="chart-area chart-series-{index}" d="{path}" fill="{colour}" stroke="#fffdf8"><title>{name}</title></path>"##
        );
        if index > 0 {
            if !self.hatches.contains(&index) {
                self.hatches.push(index);
            }
            let id = escaped(self.caption.id);
            self.body +=
                &format!(r#"<path d="{path}" fill="url(#{id}-hatch-{index})" pointer-events="none"/>"#);
        }
    }

    /// A line of a series, drawn with that one of [`DASHES`].
    pub(crate) fn line(&mut self, series: usize, path: &str, dash: usize) {
        let index = series % SERIES.len();
        let (colour, dash) = (SERIES[index], DASHES[dash % DASHES.len()]);
        self.body += &format!(
            r#"<path class="chart-line chart-series-{index}" d="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>"#
        );
    }

    /// A point: a disc, or a square on its corner for what was measured.
    pub(crate) fn dot(&mut self, x: f64, y: f64, is_measured: bool, name: &str) {
        let path = match is_measured {
            true => "m0 -6l6 6l-6 6l-6 -6z",
            false => "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
        };
        let name = escaped(name);
        self.body += &format!(
            r##"<path class="chart-dot" d="M{x:.2} {y:.2}{path}" fill="#1c2130"><title>{name}</title></path>"##
        );
    }

    /// A square whose darkness from 0 to 1 is a value, in the colour of a series.
    pub(crate) fn shade(&mut self, series: usize, [x, y, width, height]: [f64; 4], share: f64) {
        let index = series % SERIES.len();
        let colour = SERIES[index];
        self.body += &format!(
            r#"<rect class="chart-shade chart-series-{index}" x="{x:.2}" y="{y:.2}" width="{width:.2}" height="{height:.2}" fill="{colour}" fill-opacity="{share:.2}"/>"#
        );
    }

    /// Rows of keys to the series; a name that is wider than the chart has several lines. Returns the height below the
    /// last.
    pub(crate) fn legend(&mut self, top: f64, keys: impl Iterator<Item = (usize, String)>) -> f64 {
        let (mut x, mut y) = (0.0, top);
        for (series, label) in keys {
            let wide = 20.0 + width_of(&label) + 16.0;
            if x > 0.0 && x + wide > self.caption.width {
                (x, y) = (0.0, y + 20.0);
            }
            self.area(series, &rectangle(x, y, 13.0, 13.0), &label);
            for (index, line) in wrapped(&label, self.caption.width - 20.0).iter().enumerate() {
                y += if index > 0 { 15.0 } else { 0.0 };
                self.text("chart-key", x + 19.0, y + 11.0, "start", line);
            }
            x += wide;
        }
        if x > 0.0 { y + 20.0 } else { top }
    }
}

pub(crate) fn rectangle(x: f64, y: f64, width: f64, height: f64) -> String {
    format!("M{x:.2} {y:.2}h{width:.2}v{height:.2}h{:.2}z", -width)
}
