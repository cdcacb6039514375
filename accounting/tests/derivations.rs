//! Derivations: text, JSON, and Python that prints the same double.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::io::ErrorKind;
use std::process::Command;

use napkin_accounting::{
    Count, DType, Derivation, FlopPerSec, Gpus, Matmul, Mfu, Number, Params, Peak, Sparsity, Tokens,
    TrainingTime, hardware, mfu, ridge, time_bound,
};
use serde_json::Value;

/// Every closed form, once with round and once with awkward numbers.
fn with_every_form(check: &dyn Fn(&Derivation)) {
    let device = hardware::device("h100-sxm").unwrap();
    let bandwidth = device.bandwidth().unwrap();
    for (params, tokens, utilization, gpus) in
        [(70e9, 15e12, 0.5, 1024.0), (70_553_706_496.0, 1.0 / 3.0, 0.1, 7.0)]
    {
        for sparsity in [Sparsity::Dense, Sparsity::Sparse] {
            let peak = device.peak(DType::Bf16, sparsity).unwrap();
            let (params, tokens) = (Params::new(params), Tokens::new(tokens));
            let run =
                TrainingTime::new(params, tokens, &peak, Mfu::new(utilization), Gpus::new(gpus)).unwrap();
            check(&run.days);
            check(&run.gpu_hours);
        }
    }
    for (b, d, k) in [(1024.0, 256.0, 64.0), (94_906_267.0, 94_906_265.0, 3.0)] {
        let product = Matmul { b: Count::new(b), d: Count::new(d), k: Count::new(k), dtype: DType::Fp4 };
        let peak = device.peak(DType::Fp8, Sparsity::Dense).unwrap();
        check(&product.intensity().unwrap());
        let (work, data) = (product.flop().unwrap(), product.bytes().unwrap());
        check(&time_bound(&work, &data, &peak, &bandwidth).unwrap().time);
        check(&ridge(&peak, &bandwidth).unwrap());
    }
    check(&mfu(FlopPerSec::new(2.735e14), &Peak::new(FlopPerSec::new(9.895e14), "bf16 peak")).unwrap());
}

fn run_python(code: &str) -> String {
    let output = match Command::new("python3").args(["-c", code]).output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("this test runs the rendered Python: install the package python3")
        }
        Err(error) => panic!("python3 does not start: {error}"),
    };
    assert!(output.status.success(), "{code}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn python_prints_the_same_double() {
    with_every_form(&|derivation| {
        let code = derivation.to_python();
        let printed = run_python(&code);
        match derivation.value {
            Number::Whole(whole) => assert_eq!(printed, whole.to_string(), "{code}"),
            Number::Double(double) => {
                assert_eq!(printed.parse::<f64>().unwrap().to_bits(), double.to_bits(), "{code}");
            }
        }
    });
}

#[test]
fn names_mean_one_thing_each() {
    with_every_form(&|derivation| {
        let code = derivation.to_python();
        let mut names: Vec<&str> =
            code.lines().filter_map(|line| line.split_once(" = ")).map(|(n, _)| n).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "a name is assigned twice:\n{code}");
    });
}

#[test]
fn text_shows_formula_numbers_and_sources() {
    let peak = hardware::device("h100-sxm").unwrap().peak(DType::Bf16, Sparsity::Dense).unwrap();
    let run =
        TrainingTime::new(Params::new(70e9), Tokens::new(15e12), &peak, Mfu::new(0.5), Gpus::new(1024.0));
    let text = run.unwrap().days.to_text();
    for line in [
        "N = 70 B params  parameters",
        "C = 6·N·D",
        "  = 6 FLOP/param/token × 70 B params × 15 T tokens",
        "  = 6.3e24 FLOP",
        "P = 989.5 TFLOP/s/GPU  dense bf16 peak of one NVIDIA H100 SXM 80 GB",
        "F = P·u·G·86400",
        "  = 989.5 TFLOP/s/GPU × 0.5 × 1024 GPUs × 86400 s/day",
        "  = 4.37723136e22 FLOP/day ≈ 4.377e22 FLOP/day",
        "T = C / F",
        "  = 143.92659381842682 days ≈ 143.9 days",
    ] {
        assert!(text.lines().any(|l| l == line), "{line:?} is missing in\n{text}");
    }
    assert!(text.contains("source: Stanford CS336, lecture 2, spring 2025"), "{text}");
}

#[test]
fn json_has_every_step_once() {
    with_every_form(&|derivation| {
        let text = serde_json::to_string(&derivation.in_order()).unwrap();
        let steps: Value = serde_json::from_str(&text).unwrap();
        let mut known: Vec<&str> = Vec::new();
        for step in steps.as_array().unwrap() {
            for key in ["symbol", "title", "unit", "formula", "substituted"] {
                assert!(step[key].is_string(), "{key}: {step}");
            }
            for input in step["inputs"].as_array().unwrap() {
                assert!(input["value"].is_number() && input["sources"].is_array(), "{input}");
            }
            for used in step["uses"].as_array().unwrap() {
                assert!(known.contains(&used.as_str().unwrap()), "{used} is used before it is told");
            }
            known.push(step["name"].as_str().unwrap());
        }
        assert_eq!(known.last(), Some(&derivation.name));
    });
}
