//! What is in the charts: everything that was given, where it belongs, and nothing that is no number.

use napkin_charts::{
    Axis, Band, Bar, Caption, HeatRow, Layer, Level, Line, Part, Point, Roof, heat_map, histogram, line_plot,
    roofline, shades, stacked_areas, stacked_bars,
};

const WIDTHS: [f64; 2] = [320.0, 760.0];

fn caption(width: f64) -> Caption<'static> {
    Caption { id: "c", title: "A <title>", description: "What & how", width }
}

fn tick(value: f64) -> String {
    format!("{value:e}")
}

fn part(label: &str, value: f64) -> Part {
    Part { label: label.to_owned(), value, text: format!("{value}") }
}

/// What holds for every chart.
fn check(svg: &str) {
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{svg}");
    for bad in ["NaN", "inf", "undefined"] {
        assert!(!svg.contains(bad), "{bad} in {svg}");
    }
    assert!(svg.contains("role=\"img\""), "{svg}");
    assert!(svg.contains("<title>A &lt;title&gt;</title><desc>What &amp; how</desc>"), "{svg}");
    // Every element that is opened is closed.
    for tag in ["svg", "text", "title", "desc", "defs", "pattern"] {
        let opened = svg.matches(&format!("<{tag} ")).count() + svg.matches(&format!("<{tag}>")).count();
        assert_eq!(opened, svg.matches(&format!("</{tag}>")).count(), "{tag} in {svg}");
    }
}

/// The value of an attribute of each element that has that class.
fn attributes(svg: &str, class: &str, name: &str) -> Vec<String> {
    let elements = svg.split('<').filter(|element| {
        let classes =
            element.split("class=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        classes.split(' ').any(|one| one == class)
    });
    let start = format!(" {name}=\"");
    elements.filter_map(|element| Some(element.split(&start).nth(1)?.split('"').next()?.to_owned())).collect()
}

/// What the elements of that class say.
fn texts(svg: &str, class: &str) -> Vec<String> {
    let start = format!("class=\"{class}\"");
    let pieces = svg.split(&start).skip(1);
    pieces.filter_map(|rest| Some(rest.split('>').nth(1)?.split('<').next()?.to_owned())).collect()
}

fn numbers(svg: &str, class: &str, name: &str) -> Vec<f64> {
    attributes(svg, class, name).iter().filter_map(|text| text.parse().ok()).collect()
}

/// x, y and width of the rectangles of a series.
fn rectangles(svg: &str, series: &str) -> Vec<[f64; 3]> {
    let paths = attributes(svg, series, "d");
    let read = |path: &String| {
        let numbers: Vec<f64> =
            path.split(['M', ' ', 'h', 'v', 'z']).filter_map(|text| text.parse().ok()).collect();
        [numbers[0], numbers[1], numbers[2]]
    };
    paths.iter().map(read).collect()
}

#[test]
fn parts_lie_side_by_side_and_are_as_long_as_they_say() {
    let bars = [
        Bar {
            label: "adam".into(),
            parts: vec![part("weights", 30.0), part("state", 60.0), part("rest", f64::NAN)],
        },
        Bar { label: "sgd".into(), parts: vec![part("weights", 30.0), part("rest", 0.0)] },
    ];
    for width in WIDTHS {
        let svg = stacked_bars(caption(width), &bars, Some(&part("memory", 80.0)), &tick);
        check(&svg);
        let weights = rectangles(&svg, "chart-series-0");
        let state = rectangles(&svg, "chart-series-1");
        // The last of each is its key.
        assert_eq!((weights.len(), state.len()), (3, 2), "{svg}");
        assert!((weights[0][0] + weights[0][2] - state[0][0]).abs() < 0.05, "{weights:?} {state:?}");
        assert!((state[0][2] / weights[0][2] - 2.0).abs() < 0.01, "{weights:?} {state:?}");
        assert_eq!(weights[0][2], weights[1][2], "the same number is as long in every bar");
        assert!(weights[1][1] > weights[0][1], "bars are below each other");
        // The line stands at 80 of what is 90 long.
        let limit = attributes(&svg, "chart-limit", "d");
        let at: f64 = limit[0][1..].split(' ').next().unwrap().parse().unwrap();
        let scale = weights[0][2] / 30.0;
        assert!((at - weights[0][0] - 80.0 * scale).abs() < 0.05, "{at} {weights:?}");
        assert!(at + 1.0 < width && state[0][0] + state[0][2] < width);
        assert!(svg.contains("memory: 80") && svg.contains("url(#c-hatch-1)"), "{svg}");
    }
}

#[test]
fn points_lie_where_their_numbers_say() {
    let roofs = [
        Roof { label: "H100".into(), peak: 989.5e12, bandwidth: 3.35e12, is_measured: false },
        Roof { label: "here".into(), peak: 2e12, bandwidth: 1e11, is_measured: true },
        Roof { label: "broken".into(), peak: f64::INFINITY, bandwidth: 1.0, is_measured: true },
    ];
    let point =
        |label: &str, intensity, rate| Point { label: label.into(), intensity, rate, is_measured: false };
    let points = [
        point("ridge", 989.5e12 / 3.35e12, 989.5e12),
        point("slope", 1.0, 3.35e12),
        point("slope, and with a name that is too long for one line of a narrow chart", 1.0, 3.35e12),
        point("ten", 10.0, 33.5e12),
        point("nowhere", 0.0, 1e12),
    ];
    for width in WIDTHS {
        let svg = roofline(caption(width), &roofs, &points, &tick, &tick);
        check(&svg);
        let (x, y) = (numbers(&svg, "chart-dot", "cx"), numbers(&svg, "chart-dot", "cy"));
        assert_eq!(x.len(), 4, "the point without intensity is left out");
        // Ten times as much is the same distance everywhere, and on the slope as far up as right, in decades.
        let decade = (x[3] - x[1]) / 1.0;
        assert!((x[0] - x[1] - decade * 295.373_f64.log10()).abs() < 0.1, "{x:?}");
        let up = (y[1] - y[3]) / 1.0;
        assert!((y[1] - y[0] - up * 295.373_f64.log10()).abs() < 0.1, "{y:?}");
        // The roof bends exactly at the point on its ridge.
        let path = &attributes(&svg, "chart-line", "d")[0];
        assert!(path.contains(&format!("L{} {}H", x[0], y[0])), "{path} bends at {} {}", x[0], y[0]);
        // Labels of one place stand below each other.
        let heights = numbers(&svg, "chart-name", "y");
        // Of each point the number beside it, and that before its name.
        assert!((heights[4] - heights[2]).abs() >= 12.0, "{heights:?}");
        assert_eq!(
            attributes(&svg, "chart-line", "stroke-dasharray").len(),
            1,
            "what was measured is dashed"
        );
        assert!(svg.contains("H100, promised") && svg.contains("here, measured") && !svg.contains("broken"));
        // Nothing is written beyond the edges, by the same generous measure of letters.
        for (start, text) in numbers(&svg, "chart-key", "x").into_iter().zip(texts(&svg, "chart-key")) {
            assert!(start + text.chars().count() as f64 * 6.7 <= width, "{text:?} is too wide for {width}");
        }
    }
}

#[test]
fn layers_lie_upon_each_other() {
    let layers = [
        Layer { label: "parameters".into(), values: vec![4.0, 4.0, 4.0] },
        Layer { label: "activations".into(), values: vec![0.0, 4.0, f64::NAN] },
    ];
    for width in WIDTHS {
        let svg = stacked_areas(caption(width), &[0.0, 1.0, 2.0], &layers, &[], None, [&tick, &tick]);
        check(&svg);
        let path = &attributes(&svg, "chart-series-1", "d")[0];
        // It begins on the first layer, goes up to twice its height, and comes back to it.
        let heights: Vec<f64> = path
            .split(['M', 'H', 'V', 'z'])
            .filter_map(|text| text.split(' ').next_back()?.parse().ok())
            .collect();
        let (bottom, top) = (240.0, 20.0);
        assert!((heights[0] - (bottom + top) / 2.0).abs() < 0.05, "{path}");
        assert!(path.contains(&format!("V{top}")), "{path}");
        // A level above all of them makes room for itself; bands have their names above.
        let level = Level { label: "by the formula".into(), value: 16.0 };
        let bands =
            [Band { label: "forward".into(), start: 0.0 }, Band { label: "backward".into(), start: 1.0 }];
        let svg =
            stacked_areas(caption(width), &[0.0, 1.0, 2.0], &layers, &bands, Some(&level), [&tick, &tick]);
        check(&svg);
        let across = &attributes(&svg, "chart-limit", "d")[0];
        assert!(across.matches(&format!(" {top}")).count() == 2, "{across} lies not at {top}");
        assert!(svg.contains(">forward<") && svg.contains(">backward<") && svg.contains(">by the formula<"));
    }
}

#[test]
fn squares_carry_their_numbers() {
    let rows = [
        HeatRow {
            label: "bf16".into(),
            squares: vec![Some((0.25, "25%".into())), Some((1.3, "130%".into()))],
        },
        HeatRow { label: "fp32".into(), squares: vec![None, Some((f64::NAN, "no".into()))] },
    ];
    for width in WIDTHS {
        let svg = heat_map(caption(width), &["64".into(), "128".into()], &rows);
        check(&svg);
        assert_eq!(attributes(&svg, "chart-shade", "fill-opacity"), ["0.25", "1"]);
        assert!(svg.contains(">25%<") && svg.contains(">130%<") && svg.matches(">–<").count() == 2, "{svg}");
        let x = numbers(&svg, "chart-shade", "x");
        assert!(x[1] > x[0] && x[1] < width);
    }
}

#[test]
fn columns_that_are_too_many_become_rows() {
    let columns: Vec<String> = (0..9).map(|n| format!("{n}×2048×2048")).collect();
    let square = |n: usize| Some((0.1 * n as f64, format!("0.{n}")));
    let rows = ["float32", "bfloat16"]
        .map(|label| HeatRow { label: label.into(), squares: (0..columns.len()).map(square).collect() });
    for (width, is_turned) in WIDTHS.into_iter().zip([true, false]) {
        let svg = heat_map(caption(width), &columns, &rows);
        check(&svg);
        let x = numbers(&svg, "chart-shade", "x");
        assert_eq!(x.len(), 18);
        let across = x.iter().filter(|&&at| (at - x[0]).abs() > 1.0).count();
        assert_eq!(across, if is_turned { 9 } else { 16 }, "at {width}");
        assert!(columns.iter().all(|column| svg.contains(&format!(">{column}<"))), "{svg}");
    }
}

#[test]
fn nothing_makes_an_empty_frame() {
    for width in WIDTHS {
        check(&stacked_bars(caption(width), &[], None, &tick));
        check(&stacked_bars(caption(width), &[Bar { label: String::new(), parts: vec![] }], None, &tick));
        check(&roofline(caption(width), &[], &[], &tick, &tick));
        check(&stacked_areas(caption(width), &[], &[], &[], None, [&tick, &tick]));
        check(&stacked_areas(
            caption(width),
            &[0.0],
            &[Layer { label: "x".into(), values: vec![] }],
            &[],
            None,
            [&tick, &tick],
        ));
        check(&heat_map(caption(width), &[], &[]));
    }
}

#[test]
fn lines_have_gaps_where_there_is_no_number_and_equal_ratios_are_equal_distances() {
    let line = |label: &str, points: &[(f64, f64)]| Line { label: label.to_owned(), points: points.to_vec() };
    let lines = [
        line("a", &[(1.0, 1.0), (10.0, 10.0), (100.0, f64::NAN), (1000.0, 1000.0)]),
        line("b", &[(0.0, 5.0), (-1.0, 5.0), (10.0, 0.0)]),
    ];
    for width in WIDTHS {
        let axis = |label| Axis { label, is_log: true, tick: &tick };
        let svg = line_plot(caption(width), &lines, [axis("x"), axis("y")]);
        check(&svg);
        let paths = attributes(&svg, "chart-line", "d");
        // Nothing of the second line has a place on logarithmic axes.
        assert_eq!(paths.len(), 2, "{paths:?}");
        let xs: Vec<f64> = paths
            .iter()
            .flat_map(|path| {
                path.split(['M', 'L', 'h']).filter_map(|point| point.split_once(' ')?.0.parse().ok())
            })
            .collect();
        let [one, ten, thousand] = xs[..] else { panic!("{xs:?}") };
        assert!((thousand - one - 3.0 * (ten - one)).abs() < 0.1, "{xs:?}");
        check(&line_plot(caption(width), &[], [axis("x"), axis("y")]));
    }
}

#[test]
fn bars_of_a_histogram_are_as_high_as_their_counts() {
    for width in WIDTHS {
        let svg = histogram(caption(width), &[0.0, 1.0, 2.0, 3.0], &[2.0, 0.0, 4.0], [&tick, &tick]);
        check(&svg);
        let heights: Vec<f64> = attributes(&svg, "chart-series-0", "d")
            .iter()
            .map(|path| {
                path.split('v')
                    .nth(1)
                    .and_then(|rest| rest.split('h').next())
                    .and_then(|text| text.parse().ok())
                    .unwrap()
            })
            .collect();
        assert!(heights.len() == 2 && (heights[1] - 2.0 * heights[0]).abs() < 0.1, "{heights:?}");
        check(&histogram(caption(width), &[], &[1.0], [&tick, &tick]));
        check(&histogram(caption(width), &[f64::NAN, 1.0], &[1.0], [&tick, &tick]));
    }
}

#[test]
fn shades_tell_signs_apart() {
    let svg = shades(caption(320.0), &[vec![Some(1.0), Some(-0.5), None, Some(f64::NAN)]]);
    check(&svg);
    assert_eq!(numbers(&svg, "chart-shade", "fill-opacity"), [1.0, 0.5]);
    assert_eq!(attributes(&svg, "chart-series-1", "fill-opacity"), ["0.5"]);
}
