//! Charts and tables of a lecture, each with its numbers in a table.

use maud::{Markup, PreEscaped, html};
use napkin_accounting::{Unit, format};
use napkin_charts::{Axis, Bar, Caption, Line, Part, histogram, line_plot, shades, stacked_bars};
use napkin_notebook::trace::{Json, Value};

use crate::values::data;

/// Charts are made for the room that they have on a phone; where there is more they grow, and their letters do not.
const WIDTH: f64 = 340.0;
/// Squares of a tensor have no letters: they shrink where there is less room.
const HEAT_WIDTH: f64 = 420.0;
/// Rows of the table beside a chart.
const MOST_ROWS: usize = 200;

fn tick(value: f64) -> String {
    format::short(value, Unit::NONE)
}

fn text<'a>(json: &'a Json, name: &str) -> &'a str {
    json.get(name).and_then(Json::text).unwrap_or_default()
}

fn or<'a>(text: &'a str, other: &'a str) -> &'a str {
    if text.is_empty() { other } else { text }
}

fn figure(title: &str, svg: String, numbers: &Markup) -> Markup {
    html! {
        figure.drawing {
            @if !title.is_empty() { figcaption { (title) } }
            (PreEscaped(svg))
            details { summary { "As a table" } (numbers) }
        }
    }
}

/// Rows of cells under heads, the first of each row its name.
pub(crate) fn grid<'a>(
    label: &str,
    columns: impl IntoIterator<Item = &'a str>,
    rows: impl IntoIterator<Item = Vec<Markup>>,
) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label=(label) {
            table.numbers {
                thead { tr { @for column in columns { th scope="col" { (column) } } } }
                tbody { @for row in rows { tr {
                    @for (at, cell) in row.iter().enumerate() {
                        @if at == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                    }
                } } }
            }
        }
    }
}

pub(crate) fn table(of: &Json) -> Option<Markup> {
    let (columns, rows) = (of.get("columns")?.items(), of.get("rows")?.items());
    let columns: Vec<&str> = columns.iter().map(|column| column.text().unwrap_or_default()).collect();
    let cells = |row: &Json| -> Vec<Markup> {
        let units = columns.iter().map(|column| crate::number::unit_of(column));
        row.items()
            .iter()
            .zip(units.chain(std::iter::repeat(Unit::NONE)))
            .map(|(cell, unit)| data(cell, unit))
            .collect()
    };
    Some(
        html! { figure.drawing { (grid(or(text(of, "title"), "Table"), columns.iter().copied(), rows.iter().map(cells))) } },
    )
}

pub(crate) fn plot(of: &Json, id: &str) -> Option<Markup> {
    let number = |json: Option<&Json>| json.and_then(Json::number).unwrap_or(f64::NAN);
    let point = |pair: &Json| (number(pair.items().first()), number(pair.items().get(1)));
    let series = of.get("series")?.entries();
    let lines: Vec<Line> = series
        .iter()
        .map(|(label, points)| Line {
            label: label.clone(),
            points: points.items().iter().map(point).collect(),
        })
        .collect();
    let [title, xlabel, ylabel, log] = ["title", "xlabel", "ylabel", "log"].map(|name| text(of, name));
    let axis = |label, letter| Axis { label, is_log: log.contains(letter), tick: &tick };
    let names: Vec<&str> = lines.iter().map(|line| line.label.as_str()).collect();
    let [x, y] = [or(xlabel, "x"), or(ylabel, "y")];
    let description = format!("{y} over {x}: {}.", names.join(", "));
    let caption = Caption { id, title: or(title, &description), description: &description, width: WIDTH };
    let rows = series.iter().flat_map(|(label, points)| {
        points.items().iter().map(move |pair| {
            let numbers = pair.items().iter().take(2).map(|number| data(number, Unit::NONE));
            std::iter::once(html! { (label) }).chain(numbers).collect()
        })
    });
    let svg = line_plot(caption, &lines, [axis(xlabel, 'x'), axis(ylabel, 'y')]);
    Some(figure(title, svg, &grid(or(title, "Points"), ["line", x, y], rows.take(MOST_ROWS))))
}

pub(crate) fn distribution(of: &Json, id: &str) -> Option<Markup> {
    let numbers = |name| {
        Some(of.get(name)?.items().iter().map(|one| one.number().unwrap_or(f64::NAN)).collect::<Vec<f64>>())
    };
    let (edges, counts) = (numbers("edges")?, numbers("counts")?);
    let title = text(of, "title");
    let left_out = |name: &str, word: &str| {
        let count = of.get(name).and_then(Json::number).filter(|count| *count > 0.0)?;
        Some(format!("{} {word}", tick(count)))
    };
    let beside: Vec<String> =
        [left_out("nan", "nan"), left_out("infinite", "infinite")].into_iter().flatten().collect();
    let description =
        format!("{} elements by their size.", tick(counts.iter().filter(|count| count.is_finite()).sum()));
    let caption = Caption { id, title: or(title, "Distribution"), description: &description, width: WIDTH };
    let rows = edges.windows(2).zip(&counts).map(|(ends, count)| {
        [ends.first(), ends.last(), Some(count)]
            .into_iter()
            .flatten()
            .map(|&value| data(&Json::Float(value), Unit::NONE))
            .collect()
    });
    let drawn = figure(
        title,
        histogram(caption, &edges, &counts, [&tick, &tick]),
        &grid(or(title, "Distribution"), ["from", "to", "elements"], rows),
    );
    Some(html! { (drawn) @if !beside.is_empty() { p.note { "Not in it: " (beside.join(", ")) "." } } })
}

/// A tensor of one dimension or two in colours; the largest magnitude is the darkest.
pub(crate) fn heat(name: &str, tensor: &Value) -> Markup {
    let number = |json: &Json| match json {
        Json::Bool(value) => Some(f64::from(u8::from(*value))),
        json => json.number(),
    };
    let is_flat = tensor.contents.items().iter().any(|item| item.items().is_empty());
    let row = |row: &Json| row.items().iter().map(number).collect::<Vec<_>>();
    let mut rows: Vec<Vec<Option<f64>>> = match is_flat {
        true => vec![row(&tensor.contents)],
        false => tensor.contents.items().iter().map(row).collect(),
    };
    let values = || rows.iter().flatten().flatten().copied().filter(|value| value.is_finite());
    let (least, most) =
        values().fold((0.0_f64, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
    let largest = most.max(-least);
    if largest > 0.0 {
        rows.iter_mut().flatten().flatten().for_each(|value| *value /= largest);
    }
    let title = or(name, "A tensor in colours");
    let description = format!("From {} to {}; the darker, the larger.", tick(least), tick(most));
    // Nothing in it is hatched.
    let svg = shades(Caption { id: "", title, description: &description, width: HEAT_WIDTH }, &rows);
    html! { figure.drawing.heat { (PreEscaped(svg)) figcaption.note { (description) } } }
}

/// What is held on each device, by what for.
pub(crate) fn memory(of: &Json, id: &str) -> Option<Markup> {
    let devices = of.entries();
    let bytes = |value: f64| format::short(value, Unit::BYTE);
    let bars: Vec<Bar> = devices
        .iter()
        .map(|(device, parts)| {
            let part = |(label, value): &(String, Json)| {
                let value = value.number().unwrap_or(0.0);
                Part { label: label.clone(), value, text: bytes(value) }
            };
            Bar { label: device.clone(), parts: parts.entries().iter().map(part).collect() }
        })
        .collect();
    if bars.is_empty() {
        return None;
    }
    let rows = bars.iter().flat_map(|bar| {
        let whole = bar.parts.iter().filter(|part| part.value > 0.0);
        whole.map(|part| {
            vec![html! { (bar.label) }, html! { (part.label) }, data(&Json::Float(part.value), Unit::BYTE)]
        })
    });
    let caption =
        Caption { id, title: "Memory", description: "What is held, by what it is held for.", width: WIDTH };
    let svg = stacked_bars(caption, &bars, None, &bytes);
    Some(figure("Memory", svg, &grid("Memory", ["device", "held for", "bytes"], rows)))
}
