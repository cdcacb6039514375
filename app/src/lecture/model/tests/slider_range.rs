//! Numbers that a reader may change.

use super::*;

fn at(range: &SliderRange, place: u32) -> String {
    range.literal(range.slider.value_at(place))
}

#[test]
fn sliders_reach_their_ends_by_steps_that_differ() {
    let cases = [
        (slider("70e9", 1e8, 1e13, None), ["1e8", "1e13"], 30),
        (slider("1024", 1.0, 100_000.0, None), ["1", "100000"], 17),
        (slider("400", 10.0, 400.0, None), ["10", "400"], 195),
        (slider("0.5", 0.05, 1.0, Some(0.01)), ["0.05", "1.0"], 95),
        (slider("4", 0.0, 3.0, None), ["0", "3"], 3),
        (slider("2.0", -1.0, 1.0, None), ["-1.0", "1.0"], 300),
        (slider("1", 1.0, 10.0, Some(4.0)), ["1", "9"], 2),
        (slider("1", 5.0, 5.0, None), ["5", "5"], 0),
    ];
    for (slider, ends, last) in cases {
        let range = SliderRange::new(&slider);
        assert_eq!([0, last].map(|place| at(&range, place)), ends, "{slider:?}");
        assert_eq!(range.slider.last(), last, "{slider:?}");
        let is_whole = slider.value.parse::<i64>().is_ok();
        for place in 0..=last {
            let written = at(&range, place);
            assert_eq!(range.slider.tick_of(number(&written).unwrap()), place, "{slider:?}: {written}");
            assert_eq!(range.read(&written).as_ref(), Ok(&written));
            assert_eq!(written.contains(['.', 'e']), !is_whole, "Python tells numbers apart by {written}");
        }
    }
    let place = |value: &str, place| at(&SliderRange::new(&slider(value, 1.0, 1e6, None)), place);
    assert_eq!([place("2", 10), place("2.0", 18)], ["1024", "1000.0"], "equal ways are equal factors");
    let damaged = SliderRange::new(&slider("1", 3.0, 1.0, Some(1e-9)));
    assert_eq!(
        (at(&damaged, 0).as_str(), damaged.slider.last()),
        ("3", 0),
        "ends that are the wrong way round"
    );
}

#[test]
fn numbers_are_read_as_python_writes_them() {
    let whole = slider("4", 1.0, 64.0, None);
    let read = |text: &str| SliderRange::new(&whole).read(text);
    for (text, written) in [(" 1_6 ", "16"), ("1e1", "10")] {
        assert_eq!(read(text).as_deref(), Ok(written), "{text}");
    }
    for (text, nearest) in [("1e999", None), ("2.5", Some("3")), ("65", Some("64")), ("-3", Some("1"))] {
        assert_eq!(read(text).unwrap_err().1.as_deref(), nearest, "{text}");
    }
    let outside = Slider { function_name: String::new(), ..whole.clone() };
    assert_eq!([slider_id(&whole), slider_id(&outside)], ["one.params", "params"]);
}
