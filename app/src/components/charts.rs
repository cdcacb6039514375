//! Charts of a lecture: lines, distributions, memory, tensors in colours.

use leptos::prelude::*;
use napkin_accounting::{Unit, format};
use napkin_charts::{Axis, Bar, Caption, Line, Part, histogram, line_plot, shades, stacked_bars};
use napkin_trace::trace::{Histogram, Json, Map, Plot, Points, Value};

use super::chart::{ChartFigure, Pointable};
use super::disclosure::Disclosure;
use super::export::Export;
use super::number::{number_of, repr, tick};
use super::or;
use super::table::Grid;
use super::tensor::{TensorView, items};

/// Charts are made for the room that they have on a phone; where there is more they grow, and their letters do not.
const WIDTH: f64 = 340.0;
/// Squares of a tensor have no letters: they shrink where there is less room.
const HEAT_WIDTH: f64 = 420.0;

/// Lines over two axes; `id` begins the ids in it, here and below.
#[component]
pub fn PlotView(plot: Plot, id: String) -> impl IntoView {
    let number = |json: Option<&Json>| json.and_then(Json::as_f64).unwrap_or(f64::NAN);
    let point = |pair: &Vec<Json>| (number(pair.first()), number(pair.get(1)));
    let line = |(label, points): (&String, &Points)| Line {
        label: label.clone(),
        points: points.0.iter().map(point).collect(),
    };
    let lines: Vec<Line> = plot.series.iter().map(line).collect();
    let names: Vec<&str> = plot.series.keys().map(String::as_str).collect();
    let [x, y] = [or(&plot.xlabel, "x"), or(&plot.ylabel, "y")];
    let description = format!("{y} over {x}: {}.", names.join(", "));
    let caption =
        Caption { id: &id, title: or(&plot.title, &description), description: &description, width: WIDTH };
    let axis = |label, letter| Axis { label, is_log: plot.log.contains(letter), tick: &tick };
    let chart = line_plot(caption, &lines, [axis(&plot.xlabel, 'x'), axis(&plot.ylabel, 'y')]);
    let rows = plot.series.iter().flat_map(|(label, points)| {
        points.0.iter().map(|pair| [&[label.as_str().into()], &pair[..pair.len().min(2)]].concat())
    });
    let grid = Grid::new(or(&plot.title, "Points"), &["line", x, y], rows.collect());
    view! { <ChartFigure title=plot.title chart grid /> }
}

/// How many elements of a tensor are how large.
#[component]
pub fn HistogramView(of: Histogram, id: String) -> impl IntoView {
    let Histogram { title, edges, counts, nan, infinite } = of;
    let all: f64 = counts.iter().filter(|count| count.is_finite()).sum();
    let description = format!("{} elements by their size.", tick(all));
    let name = or(&title, "Distribution");
    let caption = Caption { id: &id, title: name, description: &description, width: WIDTH };
    let chart = histogram(caption, &edges, &counts, [&tick, &tick]);
    let rows = edges
        .windows(2)
        .zip(&counts)
        .map(|(ends, count)| vec![ends[0].into(), ends[1].into(), (*count).into()]);
    let grid = Grid::new(name, &["from", "to", "elements"], rows.collect());
    let left_out: Vec<String> = [(nan, "nan"), (infinite, "infinite")]
        .into_iter()
        .filter(|(count, _)| *count > 0.0)
        .map(|(count, word)| format!("{} {word}", tick(count)))
        .collect();
    let note = (!left_out.is_empty())
        .then(|| view! { <p class="note">{format!("Not in it: {}.", left_out.join(", "))}</p> });
    view! {
        <ChartFigure title chart grid />
        {note}
    }
}

/// What is held on each device, by what for.
#[component]
pub fn MemoryView(held: Map<Map<f64>>, id: String) -> impl IntoView {
    let bytes = |value: f64| format::short(value, Unit::BYTE);
    let part =
        |(label, value): (&String, &f64)| Part { label: label.clone(), value: *value, text: bytes(*value) };
    let bar = |(device, parts): (&String, &Map<f64>)| Bar {
        label: device.clone(),
        parts: parts.iter().map(part).collect(),
    };
    let bars: Vec<Bar> = held.iter().map(bar).collect();
    let description = "What is held, by what it is held for.";
    let caption = Caption { id: &id, title: "Memory", description, width: WIDTH };
    let chart = stacked_bars(caption, &bars, None, &bytes);
    let rows = held.iter().flat_map(|(device, parts)| {
        let held = parts.iter().filter(|(_, value)| **value > 0.0);
        held.map(|(label, value)| vec![Json::from(device.as_str()), label.as_str().into(), (*value).into()])
    });
    let grid = Grid::new("Memory", &["device", "held for", "bytes"], rows.collect());
    view! { <ChartFigure title="Memory".to_owned() chart grid /> }
}

/// A tensor of one dimension or two in colours; the largest magnitude is the darkest.
#[component]
pub fn Heat(
    /// The tensor's name; may be empty.
    name: String,
    tensor: Value,
) -> impl IntoView {
    let contents = items(&tensor.contents);
    let is_flat = contents.iter().any(|item| items(item).is_empty());
    let cells: Vec<Vec<Json>> = match is_flat {
        true => vec![contents.to_vec()],
        false => contents.iter().map(|row| items(row).to_vec()).collect(),
    };
    let rows: Vec<Vec<Option<f64>>> = cells.iter().map(|row| row.iter().map(number_of).collect()).collect();
    let values = rows.iter().flatten().flatten().copied().filter(|value| value.is_finite());
    let (least, most) =
        values.fold((0.0_f64, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
    let title = or(&name, "A tensor in colours").to_owned();
    let description = format!("From {} to {}; the darker, the larger.", tick(least), tick(most));
    // Nothing in it is hatched.
    let caption = Caption { id: "", title: &title, description: &description, width: HEAT_WIDTH };
    let chart = shades(caption, &rows, &|row, column, value| match is_flat {
        true => format!("[{column}] = {}", repr(value)),
        false => format!("[{row}, {column}] = {}", repr(value)),
    });
    let picture = chart.clone();
    let width = cells.iter().map(Vec::len).max().unwrap_or(0);
    let columns: Vec<String> = (0..width).map(|at| at.to_string()).collect();
    let grid = Grid::new(&title, &columns, cells);
    view! {
        <figure class="drawing heat">
            <Pointable label=title chart />
            <figcaption class="note">{description}</figcaption>
            <Export grid picture />
        </figure>
    }
}

/// A tensor that a lecture shows in colours, with its elements.
#[component]
pub fn HeatView(tensor: Value) -> impl IntoView {
    let elements = StoredValue::new(tensor.clone());
    view! {
        <Heat name=String::new() tensor />
        <div class="drawing">
            <Disclosure summary="As a table">
                <TensorView name="" tensor=elements.get_value() />
            </Disclosure>
        </div>
    }
}
