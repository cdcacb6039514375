//! Parts of a whole, as one bar each.

use crate::scale::Scale;
use crate::svg::{Svg, rectangle, width_of};
use crate::{Caption, Chart, Tick};

/// A part of a bar.
#[derive(Debug, Clone)]
pub struct Part {
    /// What it is; parts of one label look alike in all bars.
    pub label: String,
    /// How long.
    pub value: f64,
    /// The value for people.
    pub text: String,
}

/// A bar.
#[derive(Debug, Clone)]
pub struct Bar {
    /// What it is about; may be empty.
    pub label: String,
    /// From left to right.
    pub parts: Vec<Part>,
}

const THICK: f64 = 30.0;
const LINE: f64 = 18.0;
const GAP: f64 = 14.0;

/// Bars of parts, with a line to compare them with if there is one.
pub fn stacked_bars(caption: Caption<'_>, bars: &[Bar], limit: Option<&Part>, tick: Tick<'_>) -> Chart {
    let mut svg = Svg::new(caption);
    let fits = |part: &&Part| part.value.is_finite() && part.value > 0.0;
    let total = |bar: &Bar| bar.parts.iter().filter(fits).map(|part| part.value).sum::<f64>();
    let longest =
        bars.iter().map(total).chain(limit.filter(fits).map(|limit| limit.value)).fold(0.0, f64::max);
    // Room for half a label at either end.
    let x = Scale::linear(0.0, longest * 1.02, 2.0, caption.width - 28.0);
    let top = if limit.is_some() { LINE + 6.0 } else { 4.0 };
    let head = |bar: &Bar| if bar.label.is_empty() { 0.0 } else { LINE };
    let bottom = top + bars.iter().map(|bar| head(bar) + THICK + GAP).sum::<f64>();
    svg.x_axis(x, (Some(top), bottom), (caption.width / 90.0) as usize, tick);
    let mut labels: Vec<String> = Vec::new();
    let mut y = top;
    for bar in bars {
        if !bar.label.is_empty() {
            svg.text("chart-label", 2.0, y + 13.0, "start", &bar.label);
            y += LINE;
        }
        let mut done = 0.0;
        for part in bar.parts.iter().filter(fits) {
            let series = labels.iter().position(|label| *label == part.label).unwrap_or_else(|| {
                labels.push(part.label.clone());
                labels.len() - 1
            });
            let (from, to) = (x.at(done), x.at(done + part.value));
            let name = format!("{}: {}", part.label, part.text);
            svg.area(series, &rectangle(from, y, to - from, THICK), &name);
            let says = if bar.label.is_empty() { name } else { format!("{}, {name}", bar.label) };
            svg.mark([from, y, to - from, THICK], says);
            // Letters on a hatching are hard to read: only the plain one carries them.
            if series == 0 && width_of(&part.text) + 10.0 < to - from {
                svg.text("chart-inside", (from + to) / 2.0, y + 19.5, "middle", &part.text);
            }
            done += part.value;
        }
        y += THICK + GAP;
    }
    if let Some(limit) = limit.filter(fits) {
        let at = x.at(limit.value);
        svg.rule("chart-limit", (at, top - 4.0), (at, bottom));
        svg.centred("chart-label", at, top - 9.0, &format!("{}: {}", limit.label, limit.text));
    }
    // One value can stand in the key; of several each is in the table.
    let key = |(series, label): (usize, &String)| {
        let of_label: Vec<&Part> =
            bars.iter().flat_map(|bar| &bar.parts).filter(|part| part.label == *label).collect();
        match of_label[..] {
            // The number and its unit stay on one line.
            [part] => (series, format!("{label} {}", part.text.replace(' ', "\u{a0}"))),
            _ => (series, label.clone()),
        }
    };
    let height = svg.legend(bottom + 26.0, labels.iter().enumerate().map(key));
    svg.finish(height.max(bottom + 22.0))
}
