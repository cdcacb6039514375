//! A run beside the trace that was recorded elsewhere: which of the values that its lines show are others here, and what its
//! functions print.

use std::borrow::Cow;

use napkin_trace::trace::{Json, Map, REST, Value};

use super::lecture::Lecture;
use super::run_diff::is_same;

/// A value that a line has shown last, or all that a function has printed, there and here.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    pub path: String,
    pub line: u32,
    pub name: String,
    pub recorded: Value,
    /// None if that line has not shown it here.
    pub here: Option<Value>,
}

/// All values that lines of a recorded trace show, beside those of a run: how many, and those that are others.
pub fn beside_recorded(recorded: &Lecture, here: &Lecture) -> (usize, Vec<Pair>) {
    let (theirs, ours) = (shown(recorded), shown(here));
    let count = theirs.len();
    let pair = |(key, ((path, line, name), recorded)): (String, (Place, Cow<Value>))| {
        let here = ours.get(&key).map(|(_, it)| it);
        let is_one = here.is_some_and(|here| is_alike(&recorded.contents, &here.contents));
        let here = || here.cloned().map(Cow::into_owned);
        (!is_one).then(|| Pair { path, line, name, recorded: recorded.into_owned(), here: here() })
    };
    (count, theirs.into_iter().filter_map(pair).collect())
}

/// The file, the line of the statement, the variable.
type Place = (String, u32, String);

/// What a function has printed is called.
const PRINTED: &str = "print";

/// What each line has shown last, and what each function has printed, by its place in words.
fn shown(lecture: &Lecture) -> Map<(Place, Cow<'_, Value>)> {
    let mut all: Map<(Place, Cow<Value>)> = Map::default();
    for step in &lecture.trace.steps {
        let Some(place) = step.stack.last() else { continue };
        let line = lecture.line(place);
        for (name, value) in &step.env {
            if let Some(value) = value {
                let key = format!("{}:{line}:{name}", place.path);
                all.insert(key, ((place.path.clone(), line, name.clone()), Cow::Borrowed(value)));
            }
        }
        if !step.stdout.is_empty() {
            let key = format!("{}:{}", place.path, place.function_name);
            let place = (place.path.clone(), line, PRINTED.to_owned());
            let nothing = || Value { contents: Json::from(""), ..Value::default() };
            let (_, printed) = all.entry(key).or_insert_with(|| (place, Cow::Owned(nothing())));
            if let Json::String(text) = &mut printed.to_mut().contents {
                text.push_str(&step.stdout);
            }
        }
    }
    all
}

/// Whether two values are the same to a reader: whatever types either has with it, and as far as neither is cut.
fn is_alike(recorded: &Json, here: &Json) -> bool {
    let (recorded, here) = (contents(recorded), contents(here));
    match (recorded, here) {
        (Json::Array(a), Json::Array(b)) => {
            let (a_known, b_known) = (known(a), known(b));
            let is_cut = a_known.len() < a.len() || b_known.len() < b.len();
            (is_cut || a.len() == b.len()) && a_known.iter().zip(b_known).all(|(a, b)| is_alike(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            let is_cut = a.contains_key(REST) || b.contains_key(REST);
            let is_one = |(name, value): (&String, &Json)| match b.get(name) {
                Some(other) => is_alike(value, other),
                None => is_cut,
            };
            (is_cut || a.len() == b.len()) && a.iter().all(is_one)
        }
        (Json::String(a), Json::String(b)) => match (a.strip_suffix(REST), b.strip_suffix(REST)) {
            (Some(a), _) => b.starts_with(a),
            (_, Some(b)) => a.starts_with(b),
            _ => is_same(recorded, here),
        },
        // `None` has its name with some, and nothing with others.
        (Json::String(word), Json::Null) | (Json::Null, Json::String(word)) => word == "None",
        (_, Json::String(cut)) | (Json::String(cut), _) if cut == REST => true,
        // A recorded 2 may be the 2.0 of a float.
        (Json::Number(a), Json::Number(b)) => {
            is_same(&a.as_f64().into(), &b.as_f64().into()) || a.as_f64() == b.as_f64()
        }
        _ => recorded == here,
    }
}

/// A value without the type that it has with it.
fn contents(json: &Json) -> &Json {
    match json {
        Json::Object(it) if it.contains_key("type") && it.contains_key("contents") => {
            contents(&json["contents"])
        }
        other => other,
    }
}

/// Items without the mark of what was left out.
fn known(items: &[Json]) -> &[Json] {
    match items {
        [known @ .., last] if last == REST => known,
        all => all,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_compared_whatever_has_written_them() {
        let typed = |kind: &str, contents: Json| json!({"type": kind, "contents": contents, "dtype": null});
        for (recorded, here, is_one) in [
            (json!(2), json!(2.0), true),
            (json!(2), json!(3), false),
            (json!(0.1), json!(0.100_000_01), true),
            (json!(0.1), json!(0.2), false),
            (json!([1, 2, 3]), json!([1, 2, "…"]), true),
            (json!([1, 2, 3]), json!([1, 9, "…"]), false),
            (json!([1, 2]), json!([1, 2, 3]), false),
            (json!({"a": 1}), json!({"a": typed("int", json!(1))}), true),
            (json!({"a": 1, "b": 2}), json!({"a": 1, "…": "…"}), true),
            (json!({"a": 1}), json!({"b": 1}), false),
            (json!("a long text"), json!("a lo…"), true),
            (json!("<f at 0x12>"), json!("<f at 0x3>"), true),
            (json!("None"), json!(null), true),
            (typed("list", json!([typed("float", json!("nan"))])), json!(["nan"]), true),
            (json!(true), json!(1), false),
        ] {
            assert_eq!(is_alike(&recorded, &here), is_one, "{recorded} {here}");
        }
    }
}
