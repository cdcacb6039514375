//! Charts of a lecture: lines, distributions, memory.

use leptos::prelude::*;
use napkin_accounting::{Unit, format};
use napkin_charts::{Axis, Bar, Caption, Chart, Line, Part, histogram, line_plot, stacked_bars};
use napkin_trace::trace::{Histogram, Json, Map, Plot, Points};

use super::chart::Pointable;
use super::disclosure::Disclosure;
use super::export::Export;
use super::grid::Grid;
use super::number::tick;
use super::or;
use super::table::TableView;

/// Charts are made for the room that they have on a phone; where there is more they grow, and their letters do not.
pub(super) const WIDTH: f64 = 340.0;

/// A chart with its title, its numbers and what it can be saved as.
#[component]
pub fn ChartFigure(title: String, chart: Chart, grid: Grid) -> impl IntoView {
    let caption = (!title.is_empty()).then(|| view! { <figcaption>{title}</figcaption> });
    let (name, picture) = (grid.title.clone(), chart.clone());
    let table = StoredValue::new(grid.clone());
    view! {
        <figure class="drawing">
            {caption} <Pointable label=name chart />
            <Disclosure summary="As a table">
                <TableView grid=table.get_value() />
            </Disclosure>
            <Export grid picture />
        </figure>
    }
}

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
