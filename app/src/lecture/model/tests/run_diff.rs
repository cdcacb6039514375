//! Two runs beside each other.

use super::*;

#[test]
fn the_same_position_is_the_same_turn_of_the_same_line() {
    let lecture = |lines: &[u32]| {
        let steps = lines.iter().map(|line| at(&format!("<module>:18 one:{line}"))).collect();
        Lecture::new(traced(TWO, steps))
    };
    let before = lecture(&[6, 8, 9, 8, 9]);
    let cases: [(&[u32], [usize; 5]); 4] = [
        (&[6, 8, 9, 8, 9], [0, 1, 2, 3, 4]),
        (&[6, 8, 9, 8, 9, 8, 9], [0, 1, 2, 3, 4]),
        (&[6, 8, 9], [0, 1, 2, 1, 2]),
        (&[6], [0, 0, 0, 0, 0]),
    ];
    for (lines, wanted) in cases {
        let after = lecture(lines);
        let found = [0, 1, 2, 3, 4].map(|step| same_position(&before, step, &after));
        assert_eq!(found, wanted.map(Some), "{lines:?}");
    }
    let elsewhere = Lecture::new(traced(TWO, vec![at("<module>:18")]));
    assert_eq!(same_position(&before, 1, &elsewhere), None);
}

#[test]
fn what_rounding_and_memory_change_has_not_changed() {
    let cases = [
        (json!(0.1), json!(0.100_000_01), false),
        (json!(1e-8), json!(2e-8), true),
        (json!(1e-12), json!(2e-12), true),
        (json!(1.5e-11), json!(0.0), false),
        (json!(1e-8), json!(0.0), true),
        (json!(1.0), json!("nan"), true),
        (json!(100_000_000), json!(100_000_001), true),
        (json!([1.0, 1e-9]), json!([1.0, -1e-9]), false),
        (json!([1.0, 1e-9]), json!([1.0, 0.1]), true),
        (json!([1.0]), json!([1.0, 1.0]), true),
        (json!({"a": 2.0}), json!({"a": 2.000_001}), false),
        (json!({"a": 2.0}), json!({"b": 2.0}), true),
        (json!({"storage": 3}), json!({"storage": 4}), false),
        (json!("<Run object at 0x7f12>"), json!("<Run object at 0x3a>"), false),
        (json!("<Run object at 0x7f12>"), json!("<Walk object at 0x7f12>"), true),
    ];
    for (before, after, has_changed) in cases {
        let [old, new] = [&before, &after].map(|contents| Lecture::new(two(contents.clone())));
        let changed = changed_values(&old, &new, true);
        let days = changed.get(&function_key(PATH, "one")).map(|names| names.join(" "));
        assert_eq!(days.as_deref(), has_changed.then_some("days"), "{before} and {after}");
    }
}

#[test]
fn only_what_both_show_in_the_end_is_compared() {
    let lecture = |days: &[i64]| {
        let steps = days.iter().map(|days| shows(at("<module>:18 one:9"), "days", *days)).collect();
        Lecture::new(traced(TWO, steps))
    };
    for (before, after, count) in [
        (lecture(&[2, 3]), lecture(&[4, 3]), 0),
        (lecture(&[3, 2]), lecture(&[3]), 1),
        (lecture(&[]), lecture(&[3]), 0),
    ] {
        assert_eq!(changed_values(&before, &after, true).len(), count);
    }
    let mut shaped = lecture(&[3]).trace;
    shaped.steps[0].env[0].as_mut().unwrap().shape = Some(vec![1]);
    assert_eq!(changed_values(&lecture(&[3]), &Lecture::new(shaped), true).len(), 1, "it has another shape");
}

/// Another machine measures other times: who moves a slider of one cell has not changed them.
#[test]
fn what_no_change_comes_to_has_not_changed() {
    let edited = |from: &str, to: &str, called_with: i64| {
        let mut trace = two(2);
        trace.files = files(&TWO.replace(from, to));
        trace.steps[6].changed.insert("days".to_owned(), value(called_with));
        Lecture::new(trace)
    };
    let mut built = two(1);
    built.steps[6].changed.insert("days".to_owned(), value(1));
    let built = Lecture::new(built);
    for (from, to, called_with, is_other, keys) in [
        ("70e9", "7e11", 1, false, &["one"][..]),
        ("d = c", "d = c + 1", 1, false, &["two"]),
        ("70e9", "7e11", 2, false, &["one", "two"]),
        ("70e9", "70e9", 1, true, &["one", "two"]),
        ("\n\n\nmain()", "\n\nx = 1\nmain()", 1, false, &["one", "two"]),
        ("70e9", "70e9", 1, false, &[]),
    ] {
        let changed = changed_values(&built, &edited(from, to, called_with), is_other);
        let wanted: Vec<String> = keys.iter().map(|name| function_key(PATH, name)).collect();
        assert_eq!(changed.keys().cloned().collect::<Vec<_>>(), wanted, "{to} called with {called_with}");
    }
}
