//! `napkin train text`: it learns, on the CPU and on a GPU (llvmpipe will do), and goes on after it was killed.

use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::harness::{json, napkin, run, stderr, stdout};

/// A folder of this test's own with a text that has rules to learn: `napkin` counts.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let text: String = (0..400).map(|i| format!("{i} tokens are {} bytes.\n", 2 * i)).collect();
    fs::write(folder.join("text.txt"), text).unwrap();
    folder
}

const SMALL: &str = "--layers 1 --heads 2 --dim 16 --context 16 --batch 4 --warmup 5 --sample 40";

fn losses(report: &Value, of: &str) -> Vec<f64> {
    let all = report[of].as_array().unwrap();
    all.iter().map(|pair| pair[1].as_f64().unwrap()).collect()
}

#[test]
fn a_transformer_learns_alike_on_both_devices() {
    let file = folder("learns").join("text.txt");
    let of = |device: &str, more: &str| {
        let file = file.display();
        let report =
            json(&format!("train text {file} --device {device} {SMALL} --lr 1e-2 --steps 60 --json {more}"));
        let losses = losses(&report, "losses");
        assert!(losses[59] < 0.7 * losses[0], "{device} {more}: {losses:?}");
        assert_eq!(report["held_out_losses"].as_array().unwrap().len(), 10);
        assert_eq!(report["sample"].as_str().unwrap().chars().count(), 40);
        losses
    };
    let (cpu, gpu) = (of("cpu", "--dropout 0.1"), of("gpu", "--dropout 0.1"));
    // Rounding drifts apart with the steps.
    for (step, (a, b)) in cpu.iter().zip(&gpu).enumerate() {
        assert!((a - b).abs() < 1e-4 * (1.0 + step as f64), "step {step}: {a} on the CPU, {b} on the GPU");
    }
    for dtype in ["bf16", "f16", "fp8"] {
        let narrow = of("cpu", &format!("--dtype {dtype} --accumulate 2"));
        assert!((narrow[0] - cpu[0]).abs() < 0.05, "{dtype}: {narrow:?}");
    }
}

/// Killed again and again, anywhere, it ends with the same file, byte by byte, as the run that was left alone.
#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    let folder = folder("killed");
    let arguments = |name: &str| {
        let (text, file) = (folder.join("text.txt"), folder.join(name));
        let (text, file) = (text.display(), file.display());
        format!(
            "train text {text} --device cpu {SMALL} --dropout 0.2 --steps 400 --every 7 --checkpoint {file} --json"
        )
    };
    stdout(&arguments("whole.safetensors"));
    let broken = folder.join("broken.safetensors");
    let (mut kills, mut attempts) = (0, 0);
    loop {
        let resume = if broken.exists() { "--resume" } else { "" };
        let mut child = napkin(&format!("{} {resume}", arguments("broken.safetensors")));
        let mut child =
            child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
        // A little later each time, so that the run comes to its end, and not before it was killed a few times.
        for _ in 0..20 + 4 * attempts {
            sleep(Duration::from_millis(2));
            if child.try_wait().unwrap().is_some() {
                break;
            }
        }
        match child.try_wait().unwrap() {
            Some(status) => {
                assert!(status.success(), "{status}");
                break;
            }
            None => {
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
            }
        }
        attempts += 1;
    }
    assert!(kills > 2, "the run was only killed {kills} times");
    let bytes = |name: &str| fs::read(folder.join(name)).unwrap();
    assert!(bytes("broken.safetensors") == bytes("whole.safetensors"), "after {kills} kills");
}

#[test]
fn what_is_there_is_not_lost() {
    let folder = folder("kept");
    let (text, file) = (folder.join("text.txt"), folder.join("run.safetensors"));
    let train = |more: &str| {
        run(&format!(
            "train text {} --device cpu {SMALL} --checkpoint {} {more}",
            text.display(),
            file.display()
        ))
    };
    assert!(train("--steps 3").status.success());
    let saved = fs::read(&file).unwrap();
    let refused = |more: &str, words: &[&str]| {
        let output = train(more);
        let told = stderr(&output);
        assert!(!output.status.success(), "{more} was accepted");
        assert!(words.iter().all(|word| told.contains(word)), "{more}: {told}");
        assert!(!told.contains("panicked"), "{more}: {told}");
        assert!(fs::read(&file).unwrap() == saved, "{more} changed the checkpoint");
    };
    refused("--steps 3", &["run.safetensors exists", "--resume"]);
    refused("--steps 5 --resume", &["steps = 3", "5"]);
    refused("--steps 3 --resume --seed 2", &["seed = 1", "2"]);
    // A loss beyond all numbers ends the run; what was saved before stays.
    let diverges = folder.join("diverges.safetensors");
    let output = run(&format!(
        "train text {} --device cpu {SMALL} --lr 1e30 --steps 50 --checkpoint {}",
        text.display(),
        diverges.display()
    ));
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("the loss of step"), "{}", stderr(&output));
    assert!(!diverges.exists());

    fs::write(&text, [b'a', 0xff]).unwrap();
    refused("--steps 3 --resume", &["text.txt", "UTF-8", "byte 1"]);
    fs::write(&text, "too short").unwrap();
    refused("--steps 3 --resume", &["context is 16", "9 characters"]);
    fs::remove_file(&text).unwrap();
    refused("--steps 3 --resume", &["text.txt"]);
}

#[test]
fn a_step_is_measured() {
    let step = |device: &str| {
        json(&format!(
            "bench step --device {device} --layers 2 --heads 2 --dim 32 --context 16 --batch 2 --steps 2 --json"
        ))
    };
    let (cpu, gpu) = (step("cpu"), step("gpu"));
    for report in [&cpu, &gpu] {
        let bytes = |name: &str| report[name].as_u64().unwrap();
        assert_eq!(bytes("parameter_bytes"), 4 * bytes("num_params"));
        assert_eq!(bytes("gradient_bytes"), 4 * bytes("num_params"));
        assert_eq!(bytes("optimizer_state_bytes"), 8 * bytes("num_params"));
        assert_eq!(report["matmul_flops"], cpu["matmul_flops"]);
    }
    assert_eq!(gpu["submissions"].as_f64(), Some(1.0), "one submission per step");
    assert!(cpu["dispatches"].is_null());
}
