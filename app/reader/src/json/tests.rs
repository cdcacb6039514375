//! Against `serde_json`, which reads the same types from the same texts.

use napkin_notebook::python::{Event, Request};
use napkin_notebook::trace::{Json, LedgerDelta, Trace};

use super::{Fault, data, read};

/// Every part of a trace, with what JSON can do to texts and numbers.
const TRACE: &str = r#" {
    "files": {"b.py": "é\n\t\"\\\/\b\f\r\u00e9\ud83d\ude00 😀", "a.py": "", "10": "", "9": ""},
    "hidden_line_numbers": {"b.py": [1, 22]},
    "steps": [{
        "stack": [{"path": "b.py", "line_number": 3, "function_name": "<module>", "code": null},
                  {"path": "b.py", "line_number": 4, "function_name": "f", "code": "x", "end_line_number": 5}],
        "env": {"x": {"type": "torch.Tensor", "contents": [[1.0, 2e-7], [-0.0, "…"]], "shape": [2, 2],
                "stride": [2, 1], "offset": 0, "storage": 3, "dtype": "torch.float32", "requires_grad": true},
                "gone": null},
        "renderings": [{"type": "plot", "data": {"2": 1, "1": [true, false, null]}, "style": {}, "more": 1}],
        "stdout": "a", "changed": {"y": {"type": "int", "contents": "100000000000000000000"}},
        "ledger": {"cpu": {"ops": 1, "flops": 9007199254740993, "read_bytes": 0, "written_bytes": 7,
                   "allocated": {"gradients": -12}}}
    }],
    "sliders": {"b.py": [{"line_number": 1, "function_name": "", "name": "n", "value": "1", "min": 0, "max": 1E3,
                "step": null}]},
    "predictions": {"b.py": [{"line_number": 1, "function_name": "", "name": "n", "question": "?", "choices": []}]},
    "warnings": ["w"], "failure": "Traceback", "truncated": true, "unknown": {"deep": [[[]]]}
} "#;

#[test]
fn a_trace_is_what_serde_json_makes_of_it() {
    let trace: Trace = read(TRACE).unwrap();
    assert_eq!(trace, serde_json::from_str(TRACE).unwrap());
    let names: Vec<&str> = trace.files.0.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["b.py", "a.py", "10", "9"]);
    assert_eq!(trace, read(&serde_json::to_string(&trace).unwrap()).unwrap());
}

#[test]
fn every_beginning_of_a_trace_ends_in_the_middle() {
    let text = TRACE.trim();
    let beginnings = text.char_indices().map(|(at, _)| &text[..at]);
    for beginning in beginnings {
        assert_eq!(read::<Trace>(beginning), Err(Fault::Ends), "{beginning}");
    }
}

/// A damaged text is refused by both readers, or means the same to both.
#[test]
fn damaged_traces_are_what_they_are_to_serde_json() {
    let text: Vec<char> = TRACE.chars().collect();
    for at in 0..text.len() {
        for other in ["", "\"", "{", "]", ",", ":", "0", "-", ".", "e", "\\", "\n", "é", "null"] {
            let damaged: String = text[..at]
                .iter()
                .copied()
                .chain(other.chars())
                .chain(text[at + 1..].iter().copied())
                .collect();
            let [ours, theirs] = [read(&damaged).ok(), serde_json::from_str::<Trace>(&damaged).ok()];
            assert_eq!(ours, theirs, "{damaged}");
        }
    }
}

#[test]
fn data_are_what_they_are_to_serde_json() {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let texts = [
        "null",
        "true",
        "tru",
        "nul",
        "nulll",
        "True",
        "NaN",
        "Infinity",
        "-",
        "0",
        "-0",
        "-0.0",
        "00",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "1e+",
        "1e5",
        "1E-5",
        "1.5e+3",
        "1e400",
        "-1e400",
        "1e-400",
        "5e-324",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "18446744073709551616",
        "0.1",
        "1.7976931348623157e308",
        "\"\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud83d\\ude00\"",
        "\"\\u12\"",
        "\"\\u+123\"",
        "\"\\x\"",
        "\"\t\"",
        "\"\u{7f}\"",
        "[]",
        "[ ]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{}",
        "{,}",
        "{\"a\":1,}",
        "{\"a\"}",
        "{1:2}",
        "{\"a\":1,\"a\":2}",
        "",
        " ",
        "1 1",
        "1 ]",
        "\u{feff}1",
        "\u{a0}1",
    ];
    for text in texts.into_iter().map(str::to_owned).chain([deep(127), deep(128), deep(100_000)]) {
        assert_eq!(data(&text).ok(), serde_json::from_str::<Json>(&text).ok(), "{text:.40}");
    }
}

#[test]
fn counts_beyond_those_with_a_sign_are_the_nearest_doubles() {
    let text =
        r#"{"ops": 0, "flops": 9223372036854775808, "read_bytes": 1, "written_bytes": 2, "allocated": {}}"#;
    let delta: LedgerDelta = read(text).unwrap();
    assert_eq!(delta, serde_json::from_str(text).unwrap());
    assert!(read::<LedgerDelta>(&text.replace("9223372036854775808", "18446744073709551616")).is_err());
}

#[test]
fn messages_are_what_serde_json_makes_of_them() {
    for text in [
        r#"{"Steps": {"id": 1, "from": 3, "steps": [{"stack": []}]}}"#,
        r#"{"Output": {"id": 1, "stream": "Error", "text": "x"}}"#,
        r#"{"Ready": {"version": 1, "gpu": {"Err": "none"}, "has_suspension": false}}"#,
        r#"{"Crashed": {"message": "x"}}"#,
        r#"{"Output": {"id": 1, "stream": "None", "text": "x"}}"#,
        r#"{"Steps": {}, "Crashed": {"message": "x"}}"#,
        r#""Steps""#,
        "{}",
        "3",
    ] {
        assert_eq!(read::<Event>(text).ok(), serde_json::from_str::<Event>(text).ok(), "{text}");
    }
    assert!(read::<Request>(r#"{"Download": {"id": 2, "path": "a.py"}}"#).is_ok());
}

#[test]
fn faults_say_where_and_what() {
    assert_eq!(read::<Trace>("{\n\n\"a\" 1}").unwrap_err().to_string(), "its line 3 is no JSON");
    assert_eq!(read::<Trace>("{}").unwrap_err().to_string(), "missing field `files`");
    let wrong = read::<Trace>(r#"{"files": {}, "steps": 1.5}"#).unwrap_err();
    assert_eq!(wrong.to_string(), "there should be a sequence");
}
