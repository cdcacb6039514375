//! `napkin calc` says what accounting computes, to the last digit.

use crate::harness::{json, run, stderr, stdout};

const LECTURE: &str = "calc time --params 70B --tokens 15T --gpu h100-sxm --gpus 1024 --mfu 0.5";

#[test]
fn the_lectures_run_in_words_and_digits() {
    let text = stdout(LECTURE);
    for part in [
        "6.3e24 FLOP",
        "4.377e22 FLOP/day",
        "43,772,313,600,000,000,000,000 FLOP/day",
        "143.9 days",
        "143.92659381842682 days",
        "3.537 M GPU-hours",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn json_has_the_same_digits_and_the_inputs() {
    let text = stdout(&format!("{LECTURE} --json"));
    for (key, value) in [
        ("params", 70e9),
        ("tokens", 15e12),
        ("gpus", 1024.0),
        ("mfu", 0.5),
        ("peak_flop_per_sec", 1979e12 / 2.0),
        ("total_flop", 6.3e24),
        ("flop_per_day", 4.377_231_36e22),
        ("days", 143.926_593_818_426_82),
    ] {
        // Read by std: serde_json may be off by one unit in the last place.
        let start = format!("  \"{key}\": ");
        let written = text.lines().find_map(|line| line.strip_prefix(&start)).unwrap().trim_end_matches(',');
        assert_eq!(written.parse(), Ok(value), "{key}");
    }
    let report = json(&format!("{LECTURE} --json"));
    assert_eq!(report["gpu"], "h100-sxm");
    assert_eq!(report["dtype"], "bf16");
    assert_eq!(report["sparse"], false);
    assert!(report["mfu_remark"].is_null());
    assert!(report.get("derivation").is_none());
}

#[test]
fn explain_derives_in_text_and_json() {
    let text = stdout(&format!("{LECTURE} --explain"));
    assert!(text.contains("  = 6 FLOP/param/token × 70 B params × 15 T tokens\n"), "{text}");
    assert!(text.contains("source: Stanford CS336"), "{text}");
    let report = json(&format!("{LECTURE} --explain --json"));
    let derivation = &report["derivation"];
    assert_eq!(derivation["value"], report["gpu_hours"]);
    assert_eq!(derivation["steps"][0]["formula"], "C / F");
    assert_eq!(derivation["steps"][0]["value"], report["days"]);
}

#[test]
fn sparse_halves_the_days_and_other_dtypes_change_the_peak() {
    let sparse = json(&format!("{LECTURE} --sparse --json"));
    assert_eq!(sparse["days"].as_f64(), Some(143.926_593_818_426_82 / 2.0));
    let fp8 = json(&format!("{LECTURE} --dtype fp8 --json"));
    assert_eq!(fp8["peak_flop_per_sec"].as_f64(), Some(1979e12));
}

#[test]
fn an_mfu_above_one_is_computed_and_explained() {
    let args = LECTURE.replace("0.5", "2");
    let output = run(&format!("{args} --json"));
    assert!(output.status.success());
    assert!(stderr(&output).contains("An MFU above 1"));
    let report = json(&format!("{args} --json"));
    assert_eq!(report["days"].as_f64(), Some(143.926_593_818_426_82 / 4.0));
    assert!(report["mfu_remark"].is_string());
}

#[test]
fn python_computes_the_days() {
    let code = stdout(&format!("{LECTURE} --python"));
    assert!(code.contains("total_flop = 6 * params * tokens"), "{code}");
    assert!(code.ends_with("print(days)\n"), "{code}");
}
