//! Programs are traced as CPython's sys.settrace sees them: traces/*.json were written by traces/write.py.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use napkin_python::{Options, Session};
use napkin_trace::trace::Trace;
use serde_json::{Map, Value, json};

fn traced(source: &str, path: &str) -> Trace {
    Session::new(Options::default()).trace(source, path).0
}

/// What the reference has of a value: objects whose text has an address are told by their class alone.
fn known(ours: &Value, theirs: &Value) -> Value {
    let (Value::Object(ours), Value::Object(theirs)) = (ours, theirs) else { return ours.clone() };
    let pairs = ours.iter().filter(|(name, _)| theirs.contains_key(*name) || !theirs.contains_key("dtype"));
    let kept = pairs.map(|(name, value)| {
        let reference = theirs.get(name).unwrap_or(&Value::Null);
        let is_address = name == "contents" && reference.is_null();
        (name.clone(), if is_address { Value::Null } else { known(value, reference) })
    });
    Value::Object(kept.collect::<Map<_, _>>())
}

#[test]
fn programs_are_traced_as_cpython_traces_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let mut checked = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path.with_extension("py").file_name().unwrap().to_string_lossy().into_owned();
        let source = fs::read_to_string(path.with_extension("py")).unwrap();
        let expected: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let trace = traced(&source, &name);
        assert_eq!(trace.failure, None, "{name}");
        for (at, (step, expected)) in trace.steps.iter().zip(&expected).enumerate() {
            let stack: Vec<_> =
                step.stack.iter().map(|it| json!([it.line_number, it.function_name])).collect();
            let place = format!("{name}, step {at}, {:?}", step.stack.last().unwrap());
            assert_eq!(Value::from(stack), expected["stack"], "{place}");
            assert_eq!(step.stdout, expected["stdout"], "{place}");
            for (what, ours) in [("env", json!(step.env)), ("changed", json!(step.changed))] {
                assert_eq!(known(&ours, &expected[what]), expected[what], "{place}: {what}");
            }
        }
        assert_eq!(trace.steps.len(), expected.len(), "{name}");
        let text = serde_json::to_string(&trace).unwrap();
        assert_eq!(serde_json::from_str::<Trace>(&text).unwrap(), trace, "{name} as JSON");
        checked += 1;
    }
    assert!(checked > 2);
}
