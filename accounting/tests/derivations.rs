//! Derivations of every result of every calculator: as Python that prints the same number, as text, JSON, TeX, MathML.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod asked;

use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use asked::{QUESTIONS, ask};
use napkin_accounting::calc::{Document, calculator, to_markdown};
use napkin_accounting::{Derivation, Number};
use serde_json::Value;

/// Every result once for each question.
fn every_result(check: &mut dyn FnMut(&str, &Derivation)) {
    for question in QUESTIONS {
        let (_, sheet) = ask(question);
        assert!(!sheet.figures().is_empty(), "{question}");
        for figure in sheet.figures() {
            check(question, figure);
        }
    }
}

/// What each of the programs prints.
fn run_python(programs: &[String]) -> Vec<String> {
    const RUNNER: &str = "import sys, json, io, contextlib
for line in sys.stdin:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(json.loads(line), {})
    print(json.dumps(out.getvalue()))";
    let child =
        Command::new("python3").args(["-c", RUNNER]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("this test runs the rendered Python: install the package python3")
        }
        Err(error) => panic!("python3 does not start: {error}"),
    };
    let lines: String = programs.iter().map(|code| serde_json::to_string(code).unwrap() + "\n").collect();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "python3 failed");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn python_prints_the_same_number() {
    let mut programs = Vec::new();
    let mut expected = Vec::new();
    every_result(&mut |_, figure| {
        programs.push(figure.to_python());
        expected.push(figure.value);
    });
    assert!(programs.len() > 500, "{}", programs.len());
    let printed = run_python(&programs);
    assert_eq!(printed.len(), programs.len());
    for ((code, printed), expected) in programs.iter().zip(&printed).zip(&expected) {
        let printed = printed.trim();
        match expected {
            Number::Whole(whole) => assert_eq!(printed, whole.to_string(), "{code}"),
            Number::Double(double) if code.contains(" ** ") => {
                // Powers of fractions are as good as the C library: within a unit in the last place.
                let value: f64 = printed.parse().unwrap();
                assert!((value - double).abs() <= 4.0 * f64::EPSILON * double.abs(), "{code}");
            }
            Number::Double(double) => {
                assert_eq!(printed.parse::<f64>().unwrap().to_bits(), double.to_bits(), "{code}");
            }
        }
    }
}

#[test]
fn names_mean_one_thing_each() {
    every_result(&mut |question, figure| {
        let code = figure.to_python();
        let mut names: Vec<&str> =
            code.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{question}: a name is assigned twice:\n{code}");
    });
}

#[test]
fn units_of_formulas_are_those_of_their_results() {
    // `Derived::new` checks it in builds like this one; here it must at least have been looked at.
    every_result(&mut |question, figure| {
        for step in figure.in_order() {
            assert!(step.expr.unit().is_some(), "{question}: {} has no unit", step.name);
        }
    });
}

#[test]
fn text_shows_formula_numbers_and_sources() {
    let (_, sheet) = ask("time params=70B tokens=15T gpu=h100-sxm gpus=1024 mfu=0.5");
    let text = sheet.headline().unwrap().to_text();
    for line in [
        "N = 70 B params  parameters",
        "C = 6·N·D",
        "  = 6 FLOP/param/token × 70 B params × 15 T tokens",
        "  = 6.3e24 FLOP",
        "P = 989.5 TFLOP/s/GPU  dense bf16 peak of one NVIDIA H100 SXM 80 GB, quoted",
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
fn mathml_and_tex_are_balanced() {
    every_result(&mut |question, figure| {
        for step in figure.in_order() {
            let markup = step.to_mathml();
            let mut open: Vec<&str> = Vec::new();
            for tag in markup.split('<').skip(1) {
                let tag = tag.split('>').next().unwrap();
                if let Some(name) = tag.strip_prefix('/') {
                    assert_eq!(open.pop(), Some(name), "{question}: {markup}");
                } else if !tag.ends_with('/') {
                    open.push(tag.split_whitespace().next().unwrap());
                }
            }
            assert!(open.is_empty() && markup.starts_with("<math"), "{question}: {markup}");
        }
        let tex = figure.to_tex();
        let count = |what: &str| tex.matches(what).count();
        let braces = count("{") - count("\\{") == count("}") - count("\\}");
        assert!(braces && count("\\left") == count("\\right"), "{question}: {tex}");
        assert!(figure.to_markdown().contains("$$"), "{question}");
    });
}

#[test]
fn json_has_value_unit_inputs_derivation_and_sources() {
    for question in QUESTIONS {
        let (inputs, sheet) = ask(question);
        let calculator = calculator(question.split(' ').next().unwrap()).unwrap();
        let document = Document { calculator, inputs: &inputs, sheet: &sheet };
        let text = serde_json::to_string(&document).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        let headline = sheet.headline().unwrap();
        assert_eq!(json["result"], headline.name, "{question}");
        assert!(json["value"].is_number() && json["unit"].is_string() && json["inputs"].is_object());
        assert_eq!(json[headline.name], json["value"], "{question}");
        let steps = json["derivation"].as_array().unwrap();
        let mut known: Vec<&str> = Vec::new();
        for step in steps {
            for key in ["symbol", "title", "unit", "formula", "substituted"] {
                assert!(step[key].is_string(), "{question}: {key} in {step}");
            }
            for used in step["uses"].as_array().unwrap() {
                assert!(known.contains(&used.as_str().unwrap()), "{question}: {used} is told too late");
            }
            known.push(step["name"].as_str().unwrap());
        }
        assert_eq!(known.last(), Some(&headline.name), "{question}");
        assert!(json["sources"].is_array() && json["remarks"].is_array() && json["tables"].is_object());
        assert!(to_markdown(calculator, &inputs, &sheet).starts_with("## "), "{question}");
        assert!(sheet.to_csv().lines().count() > sheet.figures().len(), "{question}");
    }
}
