//! What is in the charts: everything that was given, where it belongs, and nothing that is no number.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use napkin_accounting::calc::{Areas, Band, Figure, Heat, HeatRow, Layer, Point, Roof, Roofline};
use napkin_accounting::{Derivation, Expr, Number, Unit};
use napkin_charts::{
    Axis, Bar, Caption, Chart, Line, Mark, Part, heat_map, histogram, line_plot, roofline, shades,
    stacked_areas, stacked_bars,
};

const PHONE: Caption<'static> =
    Caption { id: "c", title: "A <title>", description: "What & how", width: 320.0 };
const DESK: Caption<'static> = Caption { width: 760.0, ..PHONE };

fn tick(value: f64) -> String {
    format!("{value:e}")
}

fn part(label: &str, value: f64) -> Part {
    Part { label: label.to_owned(), value, text: format!("{value}") }
}

fn figure(title: &'static str, value: f64) -> Figure {
    let (value, expr) = (Number::Double(value), Expr::size("n", "n", "n", 1));
    let (title, sources) = (title.into(), Vec::new());
    Arc::new(Derivation { name: "n", symbol: "n", title, value, unit: Unit::NONE, expr, sources })
}

fn areas(times: Vec<f64>, layers: Vec<Layer>) -> Areas {
    Areas { times, layers, bands: Vec::new(), causes: Vec::new(), unit: Unit::NONE, limit: None }
}

/// What holds for every chart.
fn check(svg: &str) {
    roxmltree::Document::parse(svg).unwrap();
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{svg}");
    for bad in ["NaN", "inf", "undefined"] {
        assert!(!svg.contains(bad), "{bad} in {svg}");
    }
    assert!(svg.contains("role=\"img\""), "{svg}");
    assert!(svg.contains("<title>A &lt;title&gt;</title><desc>What &amp; how</desc>"), "{svg}");
}

/// The value of an attribute of each element that has that class.
fn attributes(svg: &str, class: &str, name: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let has_class = |it: &roxmltree::Node| {
        it.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
    };
    document.descendants().filter(has_class).filter_map(|it| it.attribute(name)).map(str::to_owned).collect()
}

fn numbers(svg: &str, class: &str, name: &str) -> Vec<f64> {
    attributes(svg, class, name).iter().filter_map(|text| text.parse().ok()).collect()
}

fn said(marks: &[Mark]) -> Vec<&str> {
    marks.iter().map(|mark| &*mark.says).collect()
}

#[test]
fn parts_lie_side_by_side_and_are_as_long_as_they_say() {
    let adam = vec![part("weights", 30.0), part("state", 60.0), part("rest", f64::NAN)];
    let sgd = vec![part("weights", 30.0), part("rest", 0.0)];
    let bars = [Bar { label: "adam".into(), parts: adam }, Bar { label: "sgd".into(), parts: sgd }];
    for caption in [PHONE, DESK] {
        let Chart { svg, marks, .. } = stacked_bars(caption, &bars, Some(&part("memory", 80.0)), &tick);
        check(&svg);
        assert_eq!(said(&marks), ["adam, weights: 30", "adam, state: 60", "sgd, weights: 30"]);
        let [weights, state, below] = [0, 1, 2].map(|at: usize| marks[at].area);
        assert!((weights[0] + weights[2] - state[0]).abs() < 0.05, "{marks:?}");
        assert!((state[2] / weights[2] - 2.0).abs() < 0.01, "{marks:?}");
        assert!(weights[2] == below[2] && below[1] > weights[1], "{marks:?}");
        // The line stands at 80 of what is 90 long.
        let at: f64 =
            attributes(&svg, "chart-limit", "d")[0][1..].split(' ').next().unwrap().parse().unwrap();
        assert!((at - weights[0] - 80.0 * weights[2] / 30.0).abs() < 0.05, "{at} {weights:?}");
        assert!(state[0] + state[2] < caption.width);
        assert!(svg.contains("memory: 80") && svg.contains("url(#c-hatch-1)"), "{svg}");
    }
}

#[test]
fn long_names_of_keys_are_broken_before_their_figure() {
    let part = |label: &str| Part { text: "60.64 GB".to_owned(), ..part(label, 60.64) };
    let long = "Activations and temporary buffers at the peak of a step";
    let bar = Bar { label: String::new(), parts: vec![part("weights"), part(long), part("state")] };
    let svg = stacked_bars(PHONE, &[bar], None, &tick).svg;
    check(&svg);
    let document = roxmltree::Document::parse(&svg).unwrap();
    let keys = document.descendants().filter(|it| it.attribute("class") == Some("chart-key"));
    let keys: Vec<(&str, &str)> =
        keys.map(|key| (key.attribute("y").unwrap(), key.text().unwrap())).collect();
    let texts: Vec<&str> = keys.iter().map(|(_, text)| *text).collect();
    assert_eq!(
        texts,
        [
            "weights 60.64\u{a0}GB",
            "Activations and temporary buffers at the",
            "peak of a step 60.64\u{a0}GB",
            "state 60.64\u{a0}GB"
        ]
    );
    let heights: Vec<f64> = keys.iter().map(|(y, _)| y.parse().unwrap()).collect();
    assert!(heights.windows(2).all(|pair| pair[1] >= pair[0] + 12.0), "{heights:?}");
}

#[test]
fn points_lie_where_their_numbers_say() {
    let roof = |label: &str, peak_flop_per_sec, bandwidth_bytes_per_sec, is_measured| Roof {
        label: label.into(),
        peak_flop_per_sec,
        bandwidth_bytes_per_sec,
        is_measured,
    };
    let point = |label: &str, intensity_flop_per_byte, flop_per_sec| Point {
        label: label.into(),
        intensity_flop_per_byte,
        flop_per_sec,
        is_measured: true,
    };
    let roofs = vec![
        roof("H100", 989.5e12, 3.35e12, false),
        roof("here", 2e12, 1e11, true),
        roof("broken", f64::INFINITY, 1.0, true),
    ];
    let points = vec![
        point("ridge", 989.5e12 / 3.35e12, 989.5e12),
        point("slope", 1.0, 3.35e12),
        point("slope, and with a name that is too long for one line of a narrow chart", 1.0, 3.35e12),
        point("ten", 10.0, 33.5e12),
        point("nowhere", 0.0, 1e12),
    ];
    let of = Roofline { roofs, points };
    for caption in [Caption { width: 240.0, ..PHONE }, PHONE, DESK] {
        let svg = roofline(caption, &of).svg;
        check(&svg);
        let dots = attributes(&svg, "chart-dot", "d");
        let dots = dots.iter().filter_map(|path| path[1..].split_once('m')?.0.split_once(' '));
        let (x, y): (Vec<f64>, Vec<f64>) =
            dots.map(|(x, y)| (x.parse::<f64>().unwrap(), y.parse::<f64>().unwrap())).unzip();
        assert_eq!(x.len(), 4, "the point without intensity is left out");
        // Ten times as much is the same distance everywhere.
        let decades = 295.373_f64.log10();
        assert!((x[0] - x[1] - (x[3] - x[1]) * decades).abs() < 0.1, "{x:?}");
        assert!((y[1] - y[0] - (y[1] - y[3]) * decades).abs() < 0.1, "{y:?}");
        // The roof bends exactly at the point on its ridge.
        let path = &attributes(&svg, "chart-line", "d")[0];
        assert!(path.contains(&format!("L{:.2} {:.2}H", x[0], y[0])), "{path} bends at {} {}", x[0], y[0]);
        // Of each point the number beside it, and that before its name; of one place they stand below each other.
        let heights = numbers(&svg, "chart-name", "y");
        assert!((heights[4] - heights[2]).abs() >= 12.0, "{heights:?}");
        let dashes = attributes(&svg, "chart-line", "stroke-dasharray");
        assert!(["none", "7 4"].iter().all(|dash| dashes.iter().any(|one| one == dash)), "{dashes:?}");
        assert!(svg.contains("H100, promised") && svg.contains("here, measured") && !svg.contains("broken"));
        // Nothing is written beyond the edges, by the same generous measure of letters.
        let names = svg.split("class=\"chart-key\"").skip(1).filter_map(|rest| rest.split(['<', '>']).nth(1));
        for (start, text) in numbers(&svg, "chart-key", "x").into_iter().zip(names) {
            assert!(start + text.chars().count() as f64 * 6.7 <= caption.width, "{text:?} is too wide");
        }
        let ridges = svg.split("<text ").filter(|text| text.contains(">ridge "));
        for start in ridges.map(|text| text.split('"').nth(3).unwrap().parse::<f64>().unwrap()) {
            assert!(start + "ridge 295.4".len() as f64 * 6.7 <= caption.width, "ridge at {start}");
        }
        // What begins left of the corner begins below the slope.
        let ridge = svg.split("<text ").find(|text| text.contains(">ridge 295.4<")).unwrap();
        let [left, base] = [3, 5].map(|at| ridge.split('"').nth(at).unwrap().parse::<f64>().unwrap());
        let slope = y[0] + (x[0] - left).max(0.0) * (y[1] - y[0]) / (x[0] - x[1]);
        assert!(base - 11.0 > slope, "ridge at {left} {base}, slope at {slope}");
    }
}

#[test]
fn layers_lie_upon_each_other() {
    let layer = |label: &str, values: [f64; 3]| Layer { label: label.into(), values: values.into() };
    let layers = vec![layer("parameters", [4.0, 4.0, 4.0]), layer("activations", [0.0, 4.0, f64::NAN])];
    let mut areas = areas(vec![0.0, 1.0, 2.0], layers);
    let svg = stacked_areas(PHONE, &areas).svg;
    check(&svg);
    // The second begins on the first, in the middle between 240 and 20, and goes up to twice its height.
    let path = &attributes(&svg, "chart-series-1", "d")[0];
    assert!(path.contains(" 130.00H") && path.contains("V20.00"), "{path}");
    // A level above all of them makes room for itself; bands have their names above.
    areas.limit = Some(figure("by the formula", 16.0));
    let band = |label: &str, start| Band { label: label.into(), start, end: start + 1.0 };
    areas.bands = vec![band("forward", 0.0), band("backward", 1.0)];
    let svg = stacked_areas(PHONE, &areas).svg;
    check(&svg);
    assert_eq!(attributes(&svg, "chart-limit", "d")[0].matches(" 20.00").count(), 2, "{svg}");
    for label in [">forward<", ">backward<", ">By the formula: 16<"] {
        assert!(svg.contains(label), "{label} in {svg}");
    }
}

#[test]
fn squares_carry_their_numbers_and_columns_that_are_too_many_become_rows() {
    let row = |label: &str, cells| HeatRow { label: label.into(), cells };
    let share = |value| Some(figure("share", value));
    let rows = vec![row("bf16", vec![share(0.25), share(1.3)]), row("fp32", vec![None, share(f64::NAN)])];
    let svg = heat_map(PHONE, &Heat { columns: vec!["64".into(), "128".into()], rows }).svg;
    check(&svg);
    assert_eq!(numbers(&svg, "chart-shade", "fill-opacity"), [0.25, 1.0]);
    assert!(svg.contains(">0.25<") && svg.contains(">1.3<") && svg.matches(">–<").count() == 2, "{svg}");

    let columns = (0..9).map(|n| format!("{n}×64×2048")).collect();
    let shares = || (0..9).map(|n| share(0.1 * f64::from(n))).collect();
    let heat = Heat { columns, rows: vec![row("float32", shares()), row("bfloat16", shares())] };
    for (caption, in_other_columns) in [(PHONE, 9), (DESK, 16)] {
        let svg = heat_map(caption, &heat).svg;
        check(&svg);
        let x = numbers(&svg, "chart-shade", "x");
        let across = x.iter().filter(|&&at| (at - x[0]).abs() > 1.0).count();
        assert_eq!((x.len(), across), (18, in_other_columns), "at {}", caption.width);
        assert!(heat.columns.iter().all(|column| svg.contains(&format!(">{column}<"))), "{svg}");
    }
}

#[test]
fn nothing_makes_an_empty_frame() {
    let empty = Bar { label: String::new(), parts: vec![] };
    let layer = Layer { label: "x".into(), values: vec![] };
    let axis = |label| Axis { label, is_log: true, tick: &tick };
    let charts = [
        stacked_bars(PHONE, &[], None, &tick),
        stacked_bars(PHONE, &[empty], None, &tick),
        roofline(PHONE, &Roofline { roofs: Vec::new(), points: Vec::new() }),
        heat_map(PHONE, &Heat { columns: Vec::new(), rows: Vec::new() }),
        stacked_areas(PHONE, &areas(Vec::new(), Vec::new())),
        stacked_areas(PHONE, &areas(vec![0.0], vec![layer])),
        line_plot(PHONE, &[], [axis("x"), axis("y")]),
        histogram(PHONE, &[], &[1.0], [&tick, &tick]),
        histogram(PHONE, &[f64::NAN, 1.0], &[1.0], [&tick, &tick]),
    ];
    charts.iter().for_each(|chart| check(&chart.svg));
}

#[test]
fn lines_have_gaps_where_there_is_no_number_and_equal_ratios_are_equal_distances() {
    let line = |label: &str, points: &[(f64, f64)]| Line { label: label.to_owned(), points: points.to_vec() };
    let lines = [
        line("a", &[(1.0, 1.0), (10.0, 10.0), (100.0, f64::NAN), (1000.0, 1000.0)]),
        line("b", &[(0.0, 5.0), (-1.0, 5.0), (10.0, 0.0)]),
    ];
    let axis = |label| Axis { label, is_log: true, tick: &tick };
    let Chart { svg, marks, .. } = line_plot(PHONE, &lines, [axis("x"), axis("y")]);
    check(&svg);
    // None of b has a place on logarithmic axes.
    assert_eq!(said(&marks), ["a: y 1e0 at x 1e0", "a: y 1e1 at x 1e1", "a: y 1e3 at x 1e3"]);
    let [one, ten, thousand] = [0, 1, 2].map(|at: usize| marks[at].area[0]);
    assert!((thousand - one - 3.0 * (ten - one)).abs() < 0.1, "{marks:?}");
    let paths = attributes(&svg, "chart-line", "d");
    assert!(paths.len() == 2 && paths[1].starts_with(&format!("M{thousand:.2} ")), "{paths:?}");
}

#[test]
fn bars_of_a_histogram_are_as_high_as_their_counts() {
    let Chart { svg, marks, .. } = histogram(PHONE, &[0.0, 1.0, 2.0, 3.0], &[2.0, 0.0, 4.0], [&tick, &tick]);
    check(&svg);
    let height = |path: &String| path.split(['v', 'h']).nth(2).unwrap().parse::<f64>().unwrap();
    let heights: Vec<f64> = attributes(&svg, "chart-series-0", "d").iter().map(height).collect();
    assert!(heights.len() == 2 && (heights[1] - 2.0 * heights[0]).abs() < 0.1, "{heights:?}");
    let [first, third] = &marks[..] else { panic!("{marks:?}") };
    assert!((&*first.says, &*third.says) == ("0e0 to 1e0: 2e0", "2e0 to 3e0: 4e0"), "{marks:?}");
    assert_eq!(first.area[3], third.area[3]);
}

#[test]
fn shades_tell_signs_apart() {
    let rows = [vec![Some(2.0), Some(-1.0), None, Some(f64::NAN)]];
    let Chart { svg, marks, .. } =
        shades(PHONE, &rows, &|row, column, value| format!("{row} {column} {value}"));
    check(&svg);
    assert_eq!(said(&marks), ["0 0 2", "0 1 -1"]);
    assert_eq!(numbers(&svg, "chart-shade", "fill-opacity"), [1.0, 0.5]);
    assert_eq!(attributes(&svg, "chart-series-1", "fill-opacity"), ["0.50"]);
}
