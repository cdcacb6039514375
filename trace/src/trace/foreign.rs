//! Traces as others write them: plain values, fields that are null or unknown, numbers that JSON does not have.

use serde::Deserialize;
use serde_json::error::Category;

use super::{Json, Map, Rendering, StackElement, Step, Trace, Value};

/// A text that is longer is none that a page could show.
pub const MOST_BYTES: usize = 64 << 20;

/// What stands for a number that is not finite until values are read: JSON has the letter, and no lecture does.
const MARK: char = '\u{7f}';

/// Reads a trace: ours, that of `edtrace`, or that of its forerunner, whose variables have plain values.
///
/// Unknown fields are passed over, and a field that is null is one that is missing. A variable that is null is shown no
/// more, as the viewers of those formats have it.
///
/// # Errors
/// With a sentence without its full stop: if the text is no JSON, with line and column; if it is no trace, with the place
/// in it; if it has more than [`MOST_BYTES`].
pub fn read(json: &str) -> Result<Trace, String> {
    if json.len() > MOST_BYTES {
        return Err(format!(
            "A trace of {} MB is too large: at most {} MB are read",
            json.len() / 1_000_000,
            MOST_BYTES / 1_000_000
        ));
    }
    if let Ok(trace) = serde_json::from_str(json) {
        return Ok(trace);
    }
    let whole: Json = serde_json::from_str(&with_marks(json)).map_err(|error| match error.classify() {
        Category::Eof => "This file ends in the middle: it is no whole trace".to_owned(),
        _ => format!("This is not JSON: {error}"),
    })?;
    trace(whole)
}

/// A program that calls itself deeper than any interpreter would.
const MOST_CALLS: usize = 1_000;

/// Whether each step is at a line that is there. Its callers may be in files that the trace leaves out.
///
/// # Errors
/// With a sentence without its full stop, on the first step that is not, or that is more calls deep than is read.
pub fn check_places(trace: &Trace) -> Result<(), String> {
    let lines: Map<usize> =
        trace.files.iter().map(|(path, text)| (path.clone(), text.lines().count())).collect();
    for (number, Step { stack, .. }) in trace.steps.iter().enumerate() {
        if stack.len() > MOST_CALLS {
            return Err(format!(
                "Step {number} of this trace is {} calls deep: at most {MOST_CALLS} are read",
                stack.len()
            ));
        }
        // A trace without any text shows the lines that its steps have.
        let Some(place) = stack.last().filter(|_| !lines.is_empty()) else { continue };
        match lines.get(&place.path) {
            None => {
                return Err(format!(
                    "Step {number} of this trace is in {}, whose text it does not hold",
                    place.path
                ));
            }
            Some(last) if !(1..=*last).contains(&(place.line_number as usize)) => {
                return Err(format!(
                    "Step {number} of this trace is at line {} of {}, which has {last} lines",
                    place.line_number, place.path
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The text with a marked string of the same length in place of each number that is not finite.
fn with_marks(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let (mut is_string, mut is_escaped, mut rest) = (false, false, json);
    while let Some(letter) = rest.chars().next() {
        let marked = ["NaN", "Infinity", "-Infinity"].into_iter().filter(|_| !is_string);
        if let Some(word) = marked.into_iter().find(|word| rest.starts_with(*word)) {
            let sign = match word {
                "NaN" => "",
                "Infinity" => "+",
                _ => "-",
            };
            text.push_str(&format!("{:width$}", format!("\"{MARK}{sign}\""), width = word.len()));
            rest = &rest[word.len()..];
            continue;
        }
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_string => is_escaped = true,
            '"' => is_string = !is_string,
            _ => {}
        }
        text.push(letter);
        rest = &rest[letter.len_utf8()..];
    }
    text
}

/// What a mark stands for, as our traces write it.
fn unmarked(text: &str) -> Option<&'static str> {
    match text.strip_prefix(MARK)? {
        "" => Some("nan"),
        "+" => Some("inf"),
        "-" => Some("-inf"),
        _ => None,
    }
}

/// A field, if it is there and not null.
fn field(of: &mut Json, name: &str) -> Option<Json> {
    Some(of.as_object_mut()?.get_mut(name)?.take()).filter(|it| !it.is_null())
}

/// A field that has a shape of its own; the default if it is missing.
fn known<T: Default + for<'de> Deserialize<'de>>(
    of: &mut Json,
    name: &str,
    place: &str,
) -> Result<T, String> {
    let read = |it| serde_json::from_value(it).map_err(|error| format!("{place}: “{name}”: {error}"));
    field(of, name).map_or_else(|| Ok(T::default()), read)
}

fn listed(of: &mut Json, name: &str, place: &str) -> Result<Vec<Json>, String> {
    match field(of, name) {
        None => Ok(Vec::new()),
        Some(Json::Array(items)) => Ok(items),
        Some(_) => Err(format!("{place}: “{name}” is no list")),
    }
}

fn trace(mut whole: Json) -> Result<Trace, String> {
    let place = "This is not a trace of a lecture";
    if !whole.is_object() {
        return Err(format!("{place}: it is no object"));
    }
    if whole.get("cells").is_some() && whole.get("nbformat").is_some() {
        return Err("This is a notebook: the name of its file ends in .ipynb".to_owned());
    }
    if !whole.get("steps").is_some_and(Json::is_array) {
        return Err(format!("{place}: it has no list of “steps”"));
    }
    let steps = listed(&mut whole, "steps", place)?;
    let steps = steps.into_iter().enumerate().map(|(at, it)| step(it, &format!("Step {at} of this trace")));
    Ok(Trace {
        steps: steps.collect::<Result<_, _>>()?,
        files: known(&mut whole, "files", place)?,
        hidden_line_numbers: known(&mut whole, "hidden_line_numbers", place)?,
        sliders: known(&mut whole, "sliders", place)?,
        predictions: known(&mut whole, "predictions", place)?,
        warnings: known(&mut whole, "warnings", place)?,
        failure: known(&mut whole, "failure", place)?,
        truncated: known(&mut whole, "truncated", place)?,
        is_recorded: true,
    })
}

fn step(mut it: Json, place: &str) -> Result<Step, String> {
    if !it.is_object() {
        return Err(format!("{place} is no object"));
    }
    let stack = listed(&mut it, "stack", place)?;
    let renderings = listed(&mut it, "renderings", place)?;
    Ok(Step {
        stack: stack.into_iter().map(|it| called(it, place)).collect::<Result<_, _>>()?,
        renderings: renderings.into_iter().map(|it| rendering(it, place)).collect::<Result<_, _>>()?,
        env: variables(&mut it, "env", place)?,
        changed: variables(&mut it, "changed", place)?,
        stdout: known(&mut it, "stdout", place)?,
        stderr: known(&mut it, "stderr", place)?,
        ledger: known(&mut it, "ledger", place)?,
        is_old: false,
    })
}

fn called(mut it: Json, place: &str) -> Result<StackElement, String> {
    let line = field(&mut it, "line_number").as_ref().and_then(Json::as_u64);
    let line = line.and_then(|line| u32::try_from(line).ok());
    Ok(StackElement {
        path: known(&mut it, "path", place)?,
        line_number: line.ok_or_else(|| format!("{place}: a call has no “line_number”"))?,
        function_name: known(&mut it, "function_name", place)?,
        code: known(&mut it, "code", place)?,
        end_line_number: known(&mut it, "end_line_number", place)?,
    })
}

fn rendering(mut it: Json, place: &str) -> Result<Rendering, String> {
    let kind: String = known(&mut it, "type", place)?;
    if kind.is_empty() {
        return Err(format!("{place}: a rendering has no “type”"));
    }
    let mut take = |name: &str| field(&mut it, name).map(finite).unwrap_or_default();
    Ok(Rendering {
        kind,
        data: take("data"),
        style: take("style"),
        external_link: take("external_link"),
        internal_link: take("internal_link"),
        // Whoever else writes a field of this name means something else by it.
        prepared: Json::Null,
    })
}

fn variables(of: &mut Json, name: &str, place: &str) -> Result<Map<Option<Value>>, String> {
    match field(of, name) {
        None => Ok(Map::default()),
        Some(Json::Object(all)) => {
            let read = |(name, it): (String, Json)| (name, (!it.is_null()).then(|| value(it)));
            Ok(all.into_iter().map(read).collect())
        }
        Some(_) => Err(format!("{place}: “{name}” is no object")),
    }
}

/// A value with its type, or plain.
fn value(mut json: Json) -> Value {
    let is_typed = json.get("type").is_some_and(Json::is_string)
        && json.as_object().is_some_and(|it| it.contains_key("contents"));
    if !is_typed {
        return Value::nested(&finite(json));
    }
    let contents = json.get_mut("contents").map(Json::take).map(finite).unwrap_or_default();
    match serde_json::from_value::<Value>(json) {
        // Elements are bare numbers beside the type of all of them.
        Ok(value) => Value { contents: bare(contents, value.dtype.is_some()), ..value },
        // What has more with it than a value has is still something to see.
        Err(_) => Value::nested(&contents),
    }
}

/// What is within a value, with the numbers that are not finite as our traces write them.
fn finite(json: Json) -> Json {
    match json {
        Json::String(text) => match unmarked(&text) {
            Some(number) => serde_json::json!({"type": "float", "contents": number}),
            None => Json::String(text),
        },
        Json::Array(items) => items.into_iter().map(finite).collect(),
        Json::Object(all) => {
            let all: serde_json::Map<_, _> = all.into_iter().map(|(name, it)| (name, finite(it))).collect();
            all.into()
        }
        other => other,
    }
}

/// The elements of a tensor, or the contents of a number, without types of their own.
fn bare(contents: Json, is_tensor: bool) -> Json {
    match contents {
        Json::Array(items) if is_tensor => items.into_iter().map(|it| bare(it, true)).collect(),
        Json::Object(mut one) if is_float(&one) => one.remove("contents").unwrap_or_default(),
        other => other,
    }
}

fn is_float(one: &serde_json::Map<String, Json>) -> bool {
    one.len() == 2
        && one.get("type").is_some_and(|it| it == "float")
        && one.get("contents").is_some_and(|it| matches!(it.as_str(), Some("nan" | "inf" | "-inf")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn one(env: &str) -> Value {
        let text = format!(r#"{{"files": {{}}, "steps": [{{"stack": [], "env": {{"x": {env}}}}}]}}"#);
        read(&text).unwrap().steps[0].env["x"].clone().unwrap()
    }

    #[test]
    fn values_are_typed_or_plain() {
        for (text, kind, contents) in [
            ("4", "int", json!(4)),
            ("0.5", "float", json!(0.5)),
            ("true", "bool", json!(true)),
            ("\"a\"", "str", json!("a")),
            ("[[0, 1], [2, 3]]", "list", json!([[0, 1], [2, 3]])),
            (r#"{"type": "x", "n": 1}"#, "dict", json!({"type": "x", "n": 1})),
            (r#"{"b": 1, "a": 2}"#, "dict", json!({"b": 1, "a": 2})),
            ("NaN", "float", json!("nan")),
            ("-Infinity", "float", json!("-inf")),
            (r#"{"type": "float", "contents": Infinity, "dtype": null, "more": 3}"#, "float", json!("inf")),
            (r#"{"type": "str", "contents": "NaN is \" NaN"}"#, "str", json!("NaN is \" NaN")),
        ] {
            let value = one(text);
            assert_eq!((value.kind.as_str(), &value.contents), (kind, &contents), "{text}");
        }
        let tensor =
            one(r#"{"type": "Tensor", "contents": [1.0, NaN], "dtype": "torch.float32", "shape": null}"#);
        assert_eq!(tensor.contents, json!([1.0, "nan"]));
        assert_eq!(Value::nested(&one("[1, NaN]").contents[1]).contents, json!("nan"));
    }

    #[test]
    fn what_is_null_is_missing_and_what_is_unknown_is_passed_over() {
        let text = r#"{"files": {"a.py": "x = 1"}, "hidden_line_numbers": null, "made_by": 3, "steps": [
            {"stack": [{"path": "a.py", "line_number": 1, "function_name": "<module>", "code": null, "more": 1}],
             "env": {"x": 1, "gone": null}, "renderings": null, "stdout": null, "animation": {"frame": NaN}}]}"#;
        let step = &read(text).unwrap().steps[0];
        assert_eq!(step.env["gone"], None);
        assert_eq!(step.stack[0].line_number, 1);
    }

    #[test]
    fn what_is_no_trace_is_a_sentence_with_its_place() {
        for (text, says) in [
            ("{\"steps\": [", "ends in the middle"),
            ("{\"a\": NaN,\n \"b\": ?}", "line 2 column 7"),
            ("[]", "it is no object"),
            ("{\"files\": {}}", "no list of “steps”"),
            (r#"{"cells": [], "nbformat": 4}"#, "notebook"),
            (
                r#"{"steps": [{"stack": [], "env": {"x": 1}}, {"stack": [{"path": "a.py"}]}]}"#,
                "Step 1 of this trace: a call has no",
            ),
            (r#"{"steps": [{"env": [1]}]}"#, "Step 0 of this trace: “env” is no object"),
            (r#"{"steps": [{"env": {"x": 1}, "stdout": 3}]}"#, "Step 0 of this trace: “stdout”"),
            (r#"{"steps": [{"renderings": [{"data": 1}]}]}"#, "a rendering has no “type”"),
            (r#"{"steps": [3]}"#, "Step 0 of this trace is no object"),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(says), "{text}: {why}");
        }
        assert!(read(&"[".repeat(1000)).is_err());
    }
}
