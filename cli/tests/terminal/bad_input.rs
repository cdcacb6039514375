//! What is typed wrong is one line on standard error that names the argument, and exit code 2.

use std::process::Stdio;

use crate::harness::{napkin, run, stderr};

const CALC: [(&str, &str); 5] =
    [("--params", "70B"), ("--tokens", "15T"), ("--gpu", "h100-sxm"), ("--gpus", "8"), ("--mfu", "0.5")];

/// The lecture's command with one argument replaced.
fn calc_with(argument: &str, value: &str) -> String {
    let given = CALC.map(|(name, good)| format!("{name} {}", if name == argument { value } else { good }));
    format!("calc time {}", given.join(" "))
}

fn refuses(args: &str, names: &[&str]) {
    let output = run(args);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "napkin {args}\n{message}");
    assert!(output.stdout.is_empty(), "napkin {args}");
    assert_eq!(message.lines().count(), 1, "napkin {args} says more than one line:\n{message}");
    for name in names {
        assert!(message.contains(name), "napkin {args}: {name:?} is missing in {message}");
    }
}

#[test]
fn numbers_of_calc() {
    for (argument, _) in CALC.iter().filter(|(name, _)| *name != "--gpu") {
        for bad in ["abc", "0", "-1", "-70B", "nan", "inf", "1e400", "1e", "--", "1,5"] {
            refuses(&calc_with(argument, bad), &[argument, "must be"]);
        }
    }
    refuses(&calc_with("--gpus", "1.5"), &["--gpus", "whole number"]);
    refuses(&calc_with("--params", "1e300"), &["--params", "from 1 param to"]);
    refuses("calc params --model gpt-5", &["--model", "gpt-5", "gpt-2"]);
    refuses("calc params --config no-such-file.json", &["--config", "no-such-file.json"]);
    refuses("calc params --config Cargo.toml", &["--config", "no JSON object"]);
    refuses("calc params --of weights", &["--of", "params"]);
    refuses("calc time --explain=latex", &["--explain", "latex"]);
}

#[test]
fn devices_and_dtypes_of_calc() {
    refuses(&calc_with("--gpu", "h1000"), &["--gpu", "h1000", "h100-sxm"]);
    let fine = calc_with("", "");
    refuses(&format!("{fine} --dtype fp7"), &["--dtype", "fp7", "bf16"]);
    refuses(&format!("{fine} --dtype fp4"), &["--dtype", "H100", "fp4"]);
    refuses(&format!("{fine} --dtype fp32 --sparse"), &["--sparse", "fp32"]);
    for form in ["--json", "--csv", "--markdown"] {
        refuses(&format!("{fine} --python {form}"), &["--python", form]);
        refuses(&format!("{fine} --explain {form}"), &["--explain", form]);
    }
}

#[test]
fn a_message_names_the_option_that_was_typed() {
    for (args, option) in [
        ("optimal --budget abc", "--budget must"),
        ("optimal --flop abc", "--flop must"),
        ("matmul --m abc", "--m must"),
        ("matmul --n=0", "--n must"),
        ("mfu --throughput abc", "--throughput must"),
        ("memory --recompute -1", "--recompute must be one of none, selective, full; got \"-1\""),
        (
            "memory --recompute \u{1b}[31m",
            "--recompute must be one of none, selective, full; got \"\\u{1b}[31m\"",
        ),
        ("tensor --shape 4294967296x4294967296x4294967296x4294967296", "--shape"),
    ] {
        refuses(&format!("calc {args}"), &[option]);
    }
    for args in
        ["calc memory --explain=\u{1b}[31m", "calc memory --\u{1b}[31m", "calc memory --config \u{1b}[31m"]
    {
        refuses(args, &[]);
        assert!(!stderr(&run(args)).trim_end().contains(char::is_control), "{args:?}");
    }
}

#[test]
fn bench_and_train() {
    for bad in ["abc", "0", "-64", "1e400", "64,", ",", "64,x", "1.5", "65537", "99999999999999999999"] {
        refuses(&format!("bench matmul --device cpu --n {bad}"), &["--n", "whole number from 1 to 65536"]);
    }
    refuses("bench matmul --device cpu --dtype f33", &["--dtype", "f33", "bf16"]);
    refuses("bench matmul --device tpu", &["--device", "tpu"]);
    refuses("bench op relu(8) --device cpu --adapter any", &["--adapter", "--device is cpu"]);
    refuses("roofline --device cpu --under nope", &["--under", "nope"]);
    for (argument, bad, rule) in [
        ("--dim", "0", "from 1 to"),
        ("--dim", "x", "from 1 to"),
        ("--dim", "99999999", "from 1 to"),
        ("--layers", "-1", "from 0 to"),
        ("--batch", "0", "from 1 to"),
        ("--steps", "0", "from 1 to"),
        ("--seed", "-1", "from 0 to"),
        ("--lr", "0", "greater than 0"),
        ("--lr", "-0.1", "greater than 0"),
        ("--lr", "nan", "greater than 0"),
        ("--lr", "fast", "a number"),
        ("--lr", "1e400", "finite"),
        ("--lr", "1e39", "single precision"),
        ("--optimizer", "adam", "adagrad"),
    ] {
        refuses(&format!("train linear --device cpu {argument} {bad}"), &[argument, rule]);
    }
}

#[test]
fn training_on_text() {
    for (argument, bad, rule) in [
        ("--dim", "0", "from 1 to"),
        ("--dim", "100", "a multiple of --heads, which is 8"),
        ("--heads", "-1", "from 1 to"),
        ("--context", "x", "from 1 to"),
        ("--accumulate", "0", "from 1 to"),
        ("--warmup", "-1", "from 0 to"),
        ("--every", "0", "from 1 to"),
        ("--lr", "nan", "greater than 0"),
        ("--dropout", "much", "from 0 to below 1"),
        ("--dropout", "1", "from 0 to below 1"),
        ("--dropout", "nan", "from 0 to below 1"),
        ("--dtype", "f64", "f32, f16, bf16 or fp8"),
    ] {
        refuses(&format!("train text Cargo.toml --device cpu {argument} {bad}"), &[argument, rule]);
    }
    refuses("bench step --device cpu --layers 0", &["--layers", "from 1 to"]);
    refuses("train text Cargo.toml --resume", &["--checkpoint"]);
    let lost = run("train text Cargo.toml --device cpu --checkpoint no/run.safetensors");
    assert_eq!(stderr(&lost).trim(), "error: --checkpoint no/run.safetensors: there is no folder no");
    refuses("train text", &["FILE"]);
}

#[test]
fn commands_and_options_that_do_not_exist() {
    refuses("", &["--help"]);
    refuses("calc", &["--help"]);
    refuses("clac", &["clac"]);
    refuses("info --jsno", &["--jsno"]);
}

#[test]
fn help_and_version_are_no_errors() {
    for args in [
        "--help",
        "--version",
        "help calc time",
        "bench matmul --help",
        "bench step --help",
        "train text --help",
    ] {
        let output = run(args);
        assert!(
            output.status.success() && !output.stdout.is_empty() && output.stderr.is_empty(),
            "napkin {args}"
        );
    }
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    for args in [calc_with("", "") + " --explain", "info --json".to_owned(), "--help".to_owned()] {
        let mut child = napkin(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let message = stderr(&output);
        assert!(output.status.success(), "napkin {args}: {}\n{message}", output.status);
        assert!(!message.contains("panicked") && !message.contains("error: cannot"), "{message}");
    }
}

#[test]
fn an_adapter_that_is_not_there_is_named() {
    let output = run("bench matmul --n 16 --adapter no-such-adapter");
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("--adapter") && message.contains("no-such-adapter"), "{message}");
}
