//! Charts that a lecture describes in Vega-Lite: lines, points and bars over two fields. Of any other the data is shown,
//! with a sentence that says what is not drawn.

use leptos::prelude::*;
use napkin_charts::{Axis, Bar, Caption, Line, Part, line_plot, stacked_bars};
use napkin_trace::trace::{Json, Map};

use super::charts::{ChartFigure, WIDTH};
use super::grid::{Grid, plain};
use super::number::tick;
use super::or;
use super::table::TableFigure;
use super::tensor::items;

/// A field that goes along one axis.
#[derive(Debug, Clone, Default, PartialEq)]
struct Channel {
    field: String,
    title: String,
    is_log: bool,
}

/// How the rows are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Line,
    Point,
    Bar,
}

/// What is drawn of a description.
#[derive(Debug, PartialEq)]
struct Spec<'a> {
    title: String,
    mark: Mark,
    x: Channel,
    y: Channel,
    /// The field whose values are lines, or parts of bars.
    series: Option<String>,
    rows: Vec<&'a Json>,
}

/// What of Vega-Lite changes a chart altogether.
const WHOLES: [&str; 7] = ["layer", "hconcat", "vconcat", "concat", "facet", "repeat", "transform"];

impl<'a> Spec<'a> {
    /// Reads a description, or says what of it is not drawn.
    fn read(spec: &'a Json) -> Result<Self, String> {
        if let Some(what) = WHOLES.into_iter().find(|what| spec.get(*what).is_some()) {
            return Err(format!("“{what}”"));
        }
        let mark = spec.get("mark").map(|it| it.get("type").unwrap_or(it)).and_then(Json::as_str);
        let mark = match mark.unwrap_or_default() {
            "line" => Mark::Line,
            "point" | "circle" | "square" => Mark::Point,
            "bar" => Mark::Bar,
            other => return Err(format!("the mark “{other}”")),
        };
        let data = spec.get("data").unwrap_or(&Json::Null);
        if data.get("url").is_some() {
            return Err("data at an address, which is not fetched".to_owned());
        }
        let rows: Vec<&Json> = items(data.get("values").unwrap_or(data)).iter().collect();
        if rows.is_empty() {
            return Err("data without “values”".to_owned());
        }
        let encoding = spec.get("encoding").unwrap_or(&Json::Null);
        let known =
            ["x", "y", "color", "shape", "detail", "tooltip", "strokeDash", "opacity", "size", "order"];
        if let Some(other) =
            encoding.as_object().and_then(|it| it.keys().find(|name| !known.contains(&name.as_str())))
        {
            return Err(format!("the channel “{other}”"));
        }
        let mut series = ["color", "shape", "detail", "strokeDash"].into_iter();
        Ok(Self {
            title: text(spec.get("title").map_or(&Json::Null, |it| it.get("text").unwrap_or(it))),
            mark,
            x: channel(encoding, "x")?,
            y: channel(encoding, "y")?,
            series: series.find_map(|name| Some(encoding.get(name)?.get("field")?.as_str()?.to_owned())),
            rows,
        })
    }

    /// The rows by the value of the field that tells series apart.
    fn by_series(&self) -> Map<Vec<&'a Json>> {
        let mut all: Map<Vec<&Json>> = Map::default();
        for row in &self.rows {
            let name =
                self.series.as_ref().map_or_else(|| self.y.title.clone(), |field| text(&row[field.as_str()]));
            all.entry(name).or_default().push(row);
        }
        all
    }

    /// The lines, or the points, each of which is a line of its own.
    fn lines(&self) -> Result<Vec<Line>, String> {
        let word = |channel: &Channel| format!("words along x (“{}”) but under bars", channel.field);
        let line = |(label, rows): (String, Vec<&Json>)| {
            let mut points = Vec::new();
            for row in rows {
                let at = |channel: &Channel| number(&row[channel.field.as_str()]);
                points.push((at(&self.x).ok_or_else(|| word(&self.x))?, at(&self.y).unwrap_or(f64::NAN)));
            }
            match self.mark {
                Mark::Point => {
                    points = points.into_iter().flat_map(|it| [it, (f64::NAN, f64::NAN)]).collect();
                }
                // As Vega-Lite connects them.
                _ => points.sort_by(|one, other| one.0.total_cmp(&other.0)),
            }
            Ok(Line { label, points })
        };
        self.by_series().into_iter().map(line).collect()
    }

    fn bars(&self) -> Result<Vec<Bar>, String> {
        // Bars lie: their labels are what is no number.
        let is_upright = self.rows.iter().all(|row| number(&row[self.y.field.as_str()]).is_some());
        let (label, length) = if is_upright { (&self.x, &self.y) } else { (&self.y, &self.x) };
        let mut bars: Map<Vec<Part>> = Map::default();
        for row in &self.rows {
            let value = number(&row[length.field.as_str()])
                .ok_or_else(|| format!("bars without numbers (“{}”)", length.field))?;
            if value < 0.0 {
                return Err("bars below zero".to_owned());
            }
            let part =
                self.series.as_ref().map_or_else(|| length.title.clone(), |field| text(&row[field.as_str()]));
            bars.entry(text(&row[label.field.as_str()])).or_default().push(Part {
                label: part,
                value,
                text: tick(value),
            });
        }
        Ok(bars.into_iter().map(|(label, parts)| Bar { label, parts }).collect())
    }

    /// The rows as they are.
    fn grid(&self) -> Grid {
        table(or(&self.title, "Chart"), &self.rows)
    }
}

fn channel(encoding: &Json, name: &str) -> Result<Channel, String> {
    let of = encoding.get(name).ok_or_else(|| format!("a chart without “{name}”"))?;
    for what in ["aggregate", "bin", "timeUnit"] {
        if of.get(what).is_some_and(|it| !it.is_null() && *it != false) {
            return Err(format!("“{what}”"));
        }
    }
    let field = of.get("field").and_then(Json::as_str).ok_or_else(|| format!("“{name}” without a field"))?;
    let title = of.get("title").or_else(|| of.get("axis")?.get("title")).and_then(Json::as_str);
    let scale = of.get("scale").and_then(|it| it.get("type")).and_then(Json::as_str);
    match scale {
        None | Some("linear" | "log" | "band" | "point") => {}
        Some(other) => return Err(format!("the scale “{other}”")),
    }
    Ok(Channel {
        field: field.to_owned(),
        title: title.unwrap_or(field).to_owned(),
        is_log: scale == Some("log"),
    })
}

fn number(json: &Json) -> Option<f64> {
    match json {
        Json::Null => Some(f64::NAN),
        // Numbers that are not finite have their type with them.
        other => other.as_f64().or_else(|| other.get("contents")?.as_str()?.parse().ok()),
    }
}

fn text(json: &Json) -> String {
    if json.is_null() { String::new() } else { plain(json) }
}

/// Rows under the names of their fields.
fn table(title: &str, rows: &[&Json]) -> Grid {
    let mut names: Vec<&str> = Vec::new();
    for name in rows.iter().filter_map(|row| row.as_object()).flat_map(|row| row.keys()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let cells = |row: &&Json| names.iter().map(|name| row[*name].clone()).collect();
    Grid::new(title, &names, rows.iter().map(cells).collect())
}

/// A chart as Vega-Lite describes it.
#[component]
pub fn VegaView(spec: Json, id: String) -> impl IntoView {
    match draw(&spec, &id) {
        Ok(view) => view,
        Err(what) => {
            let rows: Vec<&Json> = spec.pointer("/data/values").map_or(&[][..], items).iter().collect();
            let grid = (!rows.is_empty()).then(|| table("Data of the chart", &rows));
            view! {
                <p class="note">
                    {format!("Of Vega-Lite, lines, points and bars are drawn here; this chart has {what}.")}
                </p>
                {grid.map(|grid| view! { <TableFigure grid /> })}
            }
            .into_any()
        }
    }
}

fn draw(json: &Json, id: &str) -> Result<AnyView, String> {
    let spec = Spec::read(json)?;
    let description = format!("{} over {}.", spec.y.title, spec.x.title);
    let caption =
        Caption { id, title: or(&spec.title, &description), description: &description, width: WIDTH };
    let chart = match spec.mark {
        Mark::Bar => stacked_bars(caption, &spec.bars()?, None, &tick),
        _ => {
            let axes = [&spec.x, &spec.y].map(|of| Axis { label: &of.title, is_log: of.is_log, tick: &tick });
            line_plot(caption, &spec.lines()?, axes)
        }
    };
    let grid = spec.grid();
    Ok(view! { <ChartFigure title=spec.title chart grid /> }.into_any())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn spec(more: &Json) -> Json {
        let mut spec = json!({
            "data": {"values": [{"n": 2, "t": 1.5, "k": "a"}, {"n": 1, "t": 3, "k": "a"}, {"n": 1, "t": null, "k": "b"}]},
            "mark": "line",
            "encoding": {"x": {"field": "n", "type": "quantitative", "scale": {"type": "log"}}, "y": {"field": "t", "title": "secs"}},
        });
        for (name, value) in more.as_object().unwrap() {
            spec[name] = value.clone();
        }
        spec
    }

    #[test]
    fn lines_points_and_bars_are_drawn_by_their_series() {
        let one = spec(&json!({"title": {"text": "Times"}}));
        let read = Spec::read(&one).unwrap();
        assert_eq!((read.title.as_str(), read.x.is_log, read.y.title.as_str()), ("Times", true, "secs"));
        let lines = read.lines().unwrap();
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].points[2], (2.0, 1.5));
        let mut coloured = spec(&json!({"mark": {"type": "point", "filled": true}}));
        coloured["encoding"]["color"] = json!({"field": "k"});
        let lines = Spec::read(&coloured).unwrap().lines().unwrap();
        assert_eq!(lines.iter().map(|it| it.label.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert!(lines[0].points[1].0.is_nan(), "points are not connected");
        let mut bars = spec(&json!({"mark": "bar"}));
        bars["data"]["values"] = json!([{"n": "x", "t": 1}, {"n": "y", "t": 2}]);
        let bars = Spec::read(&bars).unwrap().bars().unwrap();
        assert_eq!(
            bars.iter().map(|it| (it.label.as_str(), it.parts[0].value)).collect::<Vec<_>>(),
            [("x", 1.0), ("y", 2.0)]
        );
    }

    #[test]
    fn what_is_not_drawn_is_named() {
        for (more, what) in [
            (json!({"mark": "arc"}), "the mark “arc”"),
            (json!({"layer": []}), "“layer”"),
            (json!({"data": {"url": "https://example.org/a.csv"}}), "data at an address"),
            (json!({"data": {"values": []}}), "without “values”"),
            (json!({"encoding": {"x": {"field": "n"}}}), "without “y”"),
            (json!({"encoding": {"x": {"field": "n", "bin": true}, "y": {"field": "t"}}}), "“bin”"),
            (json!({"encoding": {"x": {"field": "n"}, "y": {"aggregate": "count"}}}), "“aggregate”"),
            (json!({"encoding": {"x": {"field": "n"}, "y": {"field": "t"}, "row": {"field": "k"}}}), "“row”"),
            (
                json!({"encoding": {"x": {"field": "n", "scale": {"type": "sqrt"}}, "y": {"field": "t"}}}),
                "“sqrt”",
            ),
        ] {
            let why = Spec::read(&spec(&more)).unwrap_err();
            assert!(why.contains(what), "{more}: {why}");
        }
        let words = spec(&json!({"data": {"values": [{"n": "x", "t": 1}]}}));
        assert!(Spec::read(&words).unwrap().lines().unwrap_err().contains("words along x"));
    }
}
