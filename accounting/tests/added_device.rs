//! Devices that a reader adds: what is taken and what is refused, and how.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_accounting::calc::{CALCULATORS, Inputs, Naming, to_markdown};
use napkin_accounting::hardware::{Device, device};
use napkin_accounting::{DType, Quantity, Sparsity};
use proptest::prelude::*;
use serde_json::{Value, json};

mod spoil;

#[test]
fn a_reader_adds_a_device() {
    let text = r#"{"id": "my-card", "name": "My card", "peaks": [{"dtype": "bf16", "figure": {"value": 1e14}}],
        "memory_bytes": {"value": 48e9, "mark": "single", "sources": ["its sheet"]}}"#;
    let card = Device::from_json(text).unwrap();
    let peak = card.peak(DType::Bf16, Sparsity::Dense).unwrap();
    assert_eq!(peak.flop_per_sec().value(), 1e14);
    assert_eq!(card.memory().unwrap().quantity.number().to_f64(), 48e9);
    let cited = card.peaks[0].figure.cite();
    assert_eq!((cited[0].title.as_str(), cited[0].note.as_str()), ("no source given", "unverified"));
    let cited = card.memory_bytes.as_ref().unwrap().cite();
    assert_eq!((cited[0].title.as_str(), cited[0].note.as_str()), ("its sheet", "one source only"));
}

#[test]
fn a_text_of_a_record_stays_on_its_line() {
    let evil = "a\nimport os\r\u{1b}[31m|\u{2028}b";
    let figure = |value: f64| json!({"value": value, "sources": [evil], "note": evil});
    let device = json!({"id": "x", "name": "X | Y", "peaks": [{"dtype": "bf16", "figure": figure(1e14)}],
        "memory_bytes": {"value": 8e10, "alternatives": [{"value": 7e10, "source": evil, "note": evil}]},
        "bandwidth_bytes_per_sec": figure(1e12),
        "links": [{"name": evil, "to": "devices", "bytes_per_sec": figure(1e10)}]});
    let config = json!({"name": evil, "model_type": "gpt2", "n_embd": 64, "n_layer": 1, "n_head": 4, "vocab_size": 9,
        "n_positions": 64});
    let model =
        json!({"id": "y", "name": "Y", "config": config, "training_tokens": figure(1e9), "remarks": [evil]});
    let mut tables = 0;
    for calculator in CALCULATORS {
        for model in [&config, &model] {
            // A record of a model brings them along.
            let tokens = if calculator.id == "time" && *model != config { "" } else { "1e9" };
            let record = model.to_string();
            let texts = [
                ("gpu", device.to_string()),
                ("model", record.clone()),
                ("architecture", record.clone()),
                ("decoded", record),
                ("tokens", tokens.to_owned()),
                ("tp", "2".to_owned()),
            ];
            let inputs = Inputs::new(Naming::Option, texts.map(|(key, text)| (key.to_owned(), text)).into());
            let sheet =
                calculator.answer(&inputs).unwrap_or_else(|error| panic!("{}: {error}", calculator.id));
            let remarks = sheet.remarks.iter().map(|remark| remark.text.clone());
            let figures = sheet.figures().into_iter().flat_map(|figure| {
                [
                    figure.to_python(),
                    figure.to_text(),
                    figure.to_markdown(),
                    figure.to_tex(),
                    figure.to_mathml(),
                ]
            });
            let markdown = to_markdown(calculator, &inputs, &sheet);
            for text in remarks.chain(figures).chain([markdown.clone(), sheet.to_csv()]) {
                let is_plain = |c: char| (c == '\n' || !c.is_control()) && c != '\u{2028}';
                assert!(text.chars().all(is_plain), "{}: {text:?}", calculator.id);
                assert!(!text.lines().any(|line| line.starts_with("import os")), "{}: {text}", calculator.id);
            }
            // A bar in a cell would be the end of it.
            let bars = |line: &str| line.replace("\\|", "").matches('|').count();
            let lines: Vec<&str> = markdown.lines().collect();
            for pair in lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with('|'))) {
                assert_eq!(bars(pair[0]), bars(pair[1]), "{}: {pair:?}", calculator.id);
                tables += 1;
            }
        }
    }
    assert!(tables > 100, "{tables}");
}

#[test]
fn a_wrong_device_is_a_sentence_with_field_and_rule() {
    let with = |rest: &str| format!(r#"{{"id": "x", "name": "X"{rest}}}"#);
    let peak =
        |value: &str| with(&format!(r#", "peaks": [{{"dtype": "bf16", "figure": {{"value": {value}}}}}]"#));
    let rate = "peaks.bf16 must be from 1e6 to 1e21 operations per second; got ";
    let cases = [
        (r#"{"id": "x"}"#.to_owned(), "missing field `name`"),
        (r#"{"name": "X"}"#.to_owned(), "missing field `id`"),
        (
            r#"{"id": "X y", "name": "X"}"#.to_owned(),
            "id must be small letters, digits, dots and hyphens; got \"X y\"",
        ),
        (r#"{"id": "x", "name": " "}"#.to_owned(), "name must be 1 to 80 printable characters; got \" \""),
        (with(r#", "bandwith": 1"#), "bandwith: unknown field `bandwith`, expected one of `id`"),
        (
            with(r#", "memory_bytes": {"value": 1e10, "makr": "single"}"#),
            "memory_bytes.makr: unknown field `makr`",
        ),
        (
            with(r#", "memory_bytes": {"value": "80 GB"}"#),
            "memory_bytes.value: invalid type: string \"80 GB\"",
        ),
        (
            with(r#", "memory_bytes": {"value": 80}"#),
            "memory_bytes must be from 1e6 to 1e18 bytes; got \"80\"",
        ),
        (with(r#", "lacks": ["fp7"]"#), "lacks[0]: unknown variant `fp7`, expected one of `fp32`"),
        (
            with(r#", "power_watts": {"value": -700}"#),
            "power_watts must be from 1e-2 to 1e6 watts; got \"-700\"",
        ),
        (peak("-1e14"), rate),
        (peak("0"), rate),
        (peak("989"), rate),
        (peak("1e30"), rate),
        (peak("1e999"), "number out of range"),
        (peak("NaN"), "peaks[0].figure.value"),
        (
            with(r#", "accumulate": [{"dtype": "fp16", "figure": {"value": 1e14}}]"#),
            "accumulate must be rates with an accumulator each",
        ),
        (
            with(r#", "peaks": [{"dtype": "bf16", "figure": {"value": 1e14}}], "lacks": ["bf16"]"#),
            "peaks must be one peak per dtype",
        ),
        (
            with(r#", "sparse": {"dtypes": ["fp4"], "figure": {"value": 2}}"#),
            "sparse.dtypes must be among those with a peak (none)",
        ),
        (with("") + "x", "trailing characters"),
        (String::new(), "EOF while parsing"),
        ("[".repeat(100_000), "invalid type: sequence"),
    ];
    for (text, expected) in cases {
        let error = Device::from_json(&text).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}\nand not {expected}");
        spoil::sentence(&error);
    }
}

/// Every place of every device, with everything that does not belong there.
#[test]
fn a_spoilt_device_is_noticed_or_harmless() {
    let spoilt = spoil::spoilt();
    for device in ["h100-sxm", "rtx-5090", "b300-sxm", "apple-m5"].map(|id| device(id).unwrap()) {
        let whole = serde_json::to_value(device).unwrap();
        for place in spoil::places(&whole) {
            let mut without = whole.clone();
            let (parent, key) = place.rsplit_once('/').unwrap();
            if let Some(Value::Object(map)) = without.pointer_mut(parent) {
                map.remove(key);
            }
            looks_sane_or_is_refused(&without);
            for value in &spoilt {
                let mut changed = whole.clone();
                *changed.pointer_mut(&place).unwrap() = value.clone();
                looks_sane_or_is_refused(&changed);
                if place.ends_with("/value")
                    && value.as_f64().is_none_or(|value| value <= 0.0 || value > 1e22)
                {
                    assert!(Device::from_json(&changed.to_string()).is_err(), "{place}: {value}");
                }
            }
        }
    }
}

fn looks_sane_or_is_refused(record: &Value) {
    match Device::from_json(&record.to_string()) {
        Err(error) => spoil::sentence(&error),
        Ok(device) => {
            for (field, figure) in device.figures() {
                assert!(figure.value.is_finite() && figure.value > 0.0, "{field}");
                assert!(!figure.cite().is_empty());
            }
            for dtype in DType::ALL {
                if let Err(error) = device.peak(dtype, Sparsity::Sparse) {
                    spoil::sentence(&error);
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn any_number_is_a_rate_or_a_sentence(rate in any::<f64>(), bytes in any::<f64>(), name in ".{0,90}") {
        let figure = |value: f64| json!({"value": value});
        let record = json!({
            "id": "x", "name": name, "peaks": [{"dtype": "fp16", "figure": figure(rate)}], "memory_bytes": figure(bytes),
        });
        match Device::from_json(&record.to_string()) {
            Ok(device) => {
                prop_assert!((1e6..=1e21).contains(&rate) && (1e6..=1e18).contains(&bytes));
                prop_assert_eq!(device.peaks[0].figure.value, rate);
            }
            Err(error) => spoil::sentence(&error),
        }
    }

    #[test]
    fn any_text_names_a_device_or_is_refused_in_a_sentence(name in ".{0,60}", json in ".{0,200}") {
        if let Err(error) = device(&name) {
            prop_assert!(error.to_string().contains("GPU"));
        }
        prop_assert!(Device::from_json(&json).is_err());
    }
}
