//! `napkin count` runs a step and puts it beside the closed forms.

use crate::harness::{json, run, stderr, stdout};

const SMALL: &str = "count transformer --layers 1 --heads 2 --dim 8 --vocab 17 --context 5 --batch 3";

/// How far counts are from formulas, row by row.
fn off(report: &serde_json::Value, table: &str) -> Vec<String> {
    let rows = report["tables"][table].as_array().unwrap().iter();
    rows.filter_map(|row| row["off"].as_str()).map(str::to_owned).collect()
}

#[test]
fn a_step_agrees_with_the_formulas_on_every_device() {
    for device in ["cpu", "gpu"] {
        for command in ["count linear --batch 3 --dim 17 --bias", SMALL] {
            for how in ["", "--dtype bf16 --optimizer muon --accumulate 2"] {
                let args = format!("{command} {how} --device {device} --json");
                let report = json(&args);
                assert_eq!((&report["device"], &report["value"]), (&device.into(), &report["counted_flop"]));
                let products = off(&report, "products");
                assert!(products.len() > 6 && products.iter().all(|off| off == "0"), "{args}: {products:?}");
                let memory = off(&report, "memory");
                let exact = memory.iter().filter(|off| *off == "0").count();
                assert!(exact >= 4, "{args}: {memory:?}");
                let record = &report["record"];
                assert_eq!(record["parameters"], report["params"], "{args}");
                assert!(record["timeline"].as_array().unwrap().len() > 20, "{args}");
                assert!(record["worst_error"].as_f64().unwrap() < 0.25, "{args}");
            }
        }
    }
}

#[test]
fn tables_and_derivations() {
    let output = run(&format!("{SMALL} --device cpu --checkpointing --explain"));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    for part in ["feed-forward, forward again", "Memory over the step", "optimizer", "Korthikanti"] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert!(stderr(&output).contains("counted a step: loss "), "{}", stderr(&output));
    assert!(stdout("count linear --device cpu --python").ends_with("print(step_flop)\n"));
}

#[test]
fn what_cannot_be_counted_is_one_line() {
    for (args, words) in [
        ("count linear --dim 5000", "--dim is 5000; it must be from 1 to 4096"),
        ("count linear --dim 4096 --layers 1 --batch 1000", "--batch is 1000; it must be at most 255 "),
        ("count linear --batch -1", "--batch"),
        ("count transformer --heads 3", "--heads must be a divisor of --dim, which is 64"),
        ("count transformer --context 8192", "--context is 8192; it must be smaller"),
        ("count transformer --dtype fp8", "--dtype"),
        ("count transformer --layers 33", "--layers"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "napkin {args}");
        assert!(stderr(&output).contains(words), "napkin {args}: {}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}
