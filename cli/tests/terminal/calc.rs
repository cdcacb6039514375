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
fn json_is_one_object_with_the_same_digits() {
    let text = stdout(&format!("{LECTURE} --json"));
    for (key, value) in [
        ("value", 143.926_593_818_426_82),
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
    assert_eq!(report["unit"], "day");
    let inputs = &report["inputs"];
    for (name, value) in [("params", 70e9), ("tokens", 15e12), ("gpus", 1024.0), ("mfu", 0.5)] {
        assert_eq!(inputs[name].as_f64(), Some(value), "{name}");
    }
    assert_eq!(inputs["gpu"], "h100-sxm");
    assert_eq!(inputs["dtype"], "bf16");
    assert_eq!(inputs["sparse"], false);
    let steps = report["derivation"].as_array().unwrap();
    assert_eq!(steps.last().unwrap()["formula"], "C / F");
    let sources = report["sources"].as_array().unwrap();
    assert!(sources.iter().any(|source| source["title"].as_str().unwrap().contains("CS336")), "{sources:?}");
}

#[test]
fn a_result_is_explained_in_every_notation() {
    let text = stdout(&format!("{LECTURE} --explain"));
    assert!(text.contains("  = 6 FLOP/param/token × 70 B params × 15 T tokens\n"), "{text}");
    assert!(text.contains("source: Stanford CS336"), "{text}");
    for (form, part) in [
        ("tex", r"\begin{align*}"),
        ("mathml", "<math xmlns="),
        ("markdown", "$$"),
        ("python", "print(days)"),
    ] {
        let text = stdout(&format!("{LECTURE} --explain={form}"));
        assert!(text.contains(part), "{form}: {text}");
    }
    let other = stdout(&format!("{LECTURE} --python --of gpu_hours"));
    assert!(other.ends_with("print(gpu_hours)\n"), "{other}");
    assert!(stdout(&format!("{LECTURE} --markdown")).contains("| training time | 143.9 days |"));
    assert!(stdout(&format!("{LECTURE} --csv")).contains("days,training time,143.92659381842682,day\n"));
}

#[test]
fn every_calculator_has_its_command() {
    for (command, value) in [
        ("size --gpus 8 --gpu h100-sxm", 40e9),
        ("params --model llama-3.1-70b", 70_553_706_496.0),
        ("params --model DeepSeek-V3", 671_026_419_200.0),
        ("kv --model llama-3.1-70b --context 131072", 42_949_672_960.0),
        ("tensor --shape 49152x12288 --dtype fp32", 2_415_919_104.0),
        ("matmul --m 1024 --d 256 --n 64", 33_554_432.0),
        ("roofline --gpu h100-sxm --dtype bf16", 989.5e12 / 3.35e12),
        ("backward --b 1024 --d 256 --k 64", 335_544_320.0),
        ("linear --batch 2 --dim 4 --layers 2 --optimizer adagrad", 496.0),
    ] {
        let report = json(&format!("calc {command} --json"));
        assert_eq!(report["value"].as_f64(), Some(value), "{command}");
    }
    for command in ["flops", "memory", "parallel", "optimal", "reality"] {
        let report = json(&format!("calc {command} --json"));
        assert!(report["value"].as_f64().is_some_and(|value| value > 0.0), "{command}");
    }
}

#[test]
fn a_config_from_a_file_is_a_model() {
    let config = r#"{"model_type": "llama", "hidden_size": 8192, "num_hidden_layers": 80,
        "num_attention_heads": 64, "num_key_value_heads": 8, "intermediate_size": 28672, "vocab_size": 128256,
        "max_position_embeddings": 131072, "torch_dtype": "bfloat16", "architectures": ["LlamaForCausalLM"]}"#;
    let path = std::env::temp_dir().join(format!("napkin-config-{}.json", std::process::id()));
    std::fs::write(&path, config).unwrap();
    let report = json(&format!("calc params --config {} --json", path.display()));
    assert_eq!(report["value"].as_f64(), Some(70_553_706_496.0));
    // Some editors begin a file with a byte order mark.
    std::fs::write(&path, format!("\u{feff}{config}")).unwrap();
    let report = json(&format!("calc params --config {} --json", path.display()));
    assert_eq!(report["value"].as_f64(), Some(70_553_706_496.0));
    std::fs::write(&path, config.replace("\"vocab_size\": 128256,", "")).unwrap();
    let output = run(&format!("calc params --config {}", path.display()));
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(message.contains("error: --config: vocab_size is missing"), "{message}");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn shells_can_complete() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&format!("completions {shell}"));
        assert!(script.contains("roofline") && script.contains("mfu"), "{shell}");
    }
}

#[test]
fn sparse_halves_the_days_and_other_dtypes_change_the_peak() {
    let sparse = json(&format!("{LECTURE} --sparse --json"));
    assert_eq!(sparse["days"].as_f64(), Some(143.926_593_818_426_82 / 2.0));
    let fp8 = json(&format!("{LECTURE} --dtype fp8 --json"));
    assert_eq!(fp8["days"].as_f64(), Some(143.926_593_818_426_82 / 2.0));
}

#[test]
fn an_mfu_above_one_is_computed_and_explained() {
    let args = LECTURE.replace("0.5", "2");
    let output = run(&format!("{args} --json"));
    assert!(output.status.success());
    assert!(stderr(&output).contains("An MFU above 1"));
    let report = json(&format!("{args} --json"));
    assert_eq!(report["days"].as_f64(), Some(143.926_593_818_426_82 / 4.0));
    assert_eq!(report["remarks"][0]["kind"], "warning");
}

#[test]
fn python_computes_the_days() {
    let code = stdout(&format!("{LECTURE} --python"));
    assert!(code.contains("total_flop = 6 * params * tokens"), "{code}");
    assert!(code.ends_with("print(days)\n"), "{code}");
}
