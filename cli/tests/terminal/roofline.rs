//! `napkin roofline` draws what was measured.

use crate::harness::{json, run, stderr, stdout};

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../accounting/tests/asked/machine.json");

#[test]
fn a_record_is_drawn_told_and_given_to_programs() {
    let path = std::env::temp_dir().join(format!("napkin-roofline-{}.svg", std::process::id()));
    let text = stdout(&format!("roofline --from {RECORD} --under h100-sxm --svg {}", path.display()));
    for part in ["200 GFLOP/s", "17.18 GB/s", "MFU of products", "relu(1000) float32", "one more submission"]
    {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    let svg = std::fs::read_to_string(&path).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for label in ["Test adapter, float32", "H100", "relu(1000)"] {
        assert!(svg.contains(label), "{label} is missing");
    }
    std::fs::remove_file(&path).unwrap();
    let report = json(&format!("roofline --from {RECORD} --json"));
    assert_eq!(report["value"].as_f64(), Some(2e11));
    assert_eq!(report["roofline"]["points"][0]["intensity_flop_per_byte"], 0.125);
}

#[test]
fn an_expression_is_measured_and_placed() {
    let report = json(&format!("roofline --from {RECORD} --device cpu --op softmax(64x65) --json"));
    let points = report["roofline"]["points"].as_array().unwrap();
    let point = points.iter().find(|point| point["label"].as_str().unwrap().starts_with("softmax")).unwrap();
    assert_eq!(point["intensity_flop_per_byte"].as_f64(), Some(5.0 / 8.0));
    assert!(point["flop_per_sec"].as_f64().unwrap() > 0.0);
}

#[test]
fn what_cannot_be_drawn_is_one_line() {
    for (args, code, words) in [
        ("roofline --from no-such.json".to_owned(), 2, "--from"),
        (
            "roofline --from Cargo.toml".to_owned(),
            2,
            "--from Cargo.toml: this machine's record cannot be read",
        ),
        (format!("roofline --from {RECORD} --under h1000"), 2, "--under"),
        (format!("roofline --from {RECORD} --device cpu --op sofmax(3)"), 1, "sofmax"),
        (format!("roofline --from {RECORD} --svg /no/such/folder/r.svg"), 1, "--svg"),
    ] {
        let output = run(&args);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{args}: {message}");
        assert!(message.contains(words), "{args}: {message}");
    }
}
