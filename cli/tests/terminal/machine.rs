//! What runs on this machine: info, bench, train, on the CPU and on a GPU (llvmpipe will do).

use crate::harness::{json, run, stderr, stdout};
use serde_json::Value;

/// GPU tests never pass by not running.
fn has_gpu() {
    let adapters = &json("info --json")["adapters"];
    assert!(
        !adapters.as_array().unwrap().is_empty(),
        "no GPU adapter: install the package mesa-vulkan-drivers, which brings llvmpipe"
    );
}

#[test]
fn info_describes_processor_and_adapters() {
    has_gpu();
    let report = json("info --json");
    assert!(!report["cpu"]["name"].as_str().unwrap().is_empty());
    assert!(report["cpu"]["threads"].as_u64().unwrap() >= 1);
    for adapter in report["adapters"].as_array().unwrap() {
        assert!(!adapter["name"].as_str().unwrap().is_empty());
        assert!(adapter["limits"]["max_buffer_bytes"].as_u64().unwrap() >= 1 << 27);
        assert!(adapter["limits"]["max_workgroup_invocations"].as_u64().unwrap() >= 256);
        assert!(adapter["features"]["shader_f16"].is_boolean());
    }
    let text = stdout("info");
    assert!(text.contains("workgroup memory") && text.starts_with("CPU"), "{text}");
}

/// Twice what rounding the result alone may cost, relative to the largest element.
fn error_bound(dtype: &str) -> f64 {
    match dtype {
        "f32" => 2e-6,
        "f16" => 2f64.powi(-10),
        "bf16" => 2f64.powi(-7),
        other => panic!("no bound for {other}"),
    }
}

fn check_rows(rows: &Value, device: &str, expected: &[(u64, &str)]) {
    let rows = rows.as_array().unwrap();
    let found: Vec<_> =
        rows.iter().map(|row| (row["n"].as_u64().unwrap(), row["dtype"].as_str().unwrap())).collect();
    assert_eq!(found, expected);
    for row in rows {
        assert!(row["error"].is_null(), "{row}");
        assert_eq!((&row["m"], &row["k"]), (&row["n"], &row["n"]));
        assert_eq!(row["device"], device);
        assert!(!row["adapter"].as_str().unwrap().is_empty() && !row["kernel"].as_str().unwrap().is_empty());
        let error = row["max_rel_err"].as_f64().unwrap();
        let bound = error_bound(row["dtype"].as_str().unwrap());
        assert!(error <= bound, "{row}: {error} exceeds {bound}");
        let (median, min) = (&row["median_ms"], &row["min_ms"]);
        assert!(median["fence"].is_f64(), "{row}");
        let clock = if median["timestamp"].is_f64() { "timestamp" } else { "fence" };
        for clock in ["fence", clock] {
            let (median, min) = (median[clock].as_f64().unwrap(), min[clock].as_f64().unwrap());
            assert!(min > 0.0 && min <= median, "{row}");
        }
        let ms = median[clock].as_f64().unwrap();
        let n = row["n"].as_f64().unwrap();
        let speed = row["gflop_per_sec"].as_f64().unwrap();
        assert!((speed / (2.0 * n.powi(3) / (ms * 1e6)) - 1.0).abs() < 1e-9, "{row}");
    }
}

#[test]
fn bench_on_the_cpu_checks_every_product() {
    let rows = json("bench matmul --n 1,17,64,129 --dtype f32,f16,bf16 --device cpu --secs 0.05 --json");
    let sizes = [1, 17, 64, 129];
    let expected: Vec<_> = ["f32", "f16", "bf16"].iter().flat_map(|d| sizes.map(|n| (n, *d))).collect();
    check_rows(&rows, "cpu", &expected);
    assert!(rows[0]["median_ms"]["timestamp"].is_null());
}

#[test]
fn bench_on_a_gpu_checks_every_product_and_remembers_the_kernels() {
    has_gpu();
    let args = "bench matmul --n 17,65 --dtype f32,f16 --device gpu --secs 0.05 --json";
    let rows = json(args);
    check_rows(&rows, "gpu", &[(17, "f32"), (65, "f32"), (17, "f16"), (65, "f16")]);
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache/napkin/tuning");
    let remembered: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!remembered.is_empty());
    let kernels = |rows: &Value| -> Vec<String> {
        rows.as_array().unwrap().iter().map(|row| row["kernel"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kernels(&json(args)), kernels(&rows), "the second run chose other kernels");
}

#[test]
fn info_shows_what_is_known_of_the_kernels() {
    has_gpu();
    let rows = json("bench matmul --n 33 --dtype f32 --device gpu --secs 0.01 --json");
    let records = json("info --kernels --json");
    let known =
        records.as_array().unwrap().iter().find(|record| !record["chosen"].as_array().unwrap().is_empty());
    let known = known.expect("one adapter has been measured");
    let chosen = known["chosen"].as_array().unwrap();
    let is_of_33 = |entry: &&Value| entry["products"] == "m 9–96, n 9–96, k 9–96, 32 bits";
    let entry = chosen.iter().find(is_of_33).unwrap();
    assert_eq!(entry["kernel"], rows[0]["kernel"]);
    let checked = known["checked"].as_array().unwrap();
    let of = |kernel: &str| checked.iter().find(|check| check["kernel"] == kernel && check["dtype"] == "f32");
    assert!(of("register_8x8_8x8").unwrap()["set_aside"].is_null(), "the plain kernel is right here");
    let text = stdout("info --kernels");
    assert!(text.contains("fastest kernel") && text.contains("beside the plain one"), "{text}");
    // What a driver made of a kernel on an earlier run is said as it was found.
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache/napkin/tuning");
    for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text + "aside tiled_32x32x16_4x4 float16 compiling it took 61 s\n").unwrap();
    }
    let text = stdout("info --kernels");
    assert!(text.contains("set aside: compiling it took 61 s"), "{text}");
    assert_eq!(run("info --kernels --measure").status.code(), Some(2));
}

#[test]
fn a_doctor_reports_every_kernel() {
    has_gpu();
    let report = json("doctor gpu --baseline --json");
    let findings = report["findings"].as_array().unwrap();
    for kernel in ["tiled_64x64x16_4x4", "register_8x8_8x8", "skinny_64x4", "map", "softmax"] {
        let dtypes =
            findings.iter().filter(|finding| finding["kernel"] == kernel).map(|finding| &finding["dtype"]);
        assert_eq!(dtypes.collect::<Vec<_>>(), ["f32", "f16", "bf16", "e4m3", "e5m2"], "{kernel}");
    }
    for finding in findings {
        assert!(finding["fault"].is_null() && finding["secs"].as_f64().unwrap() > 0.0, "{finding}");
    }
    assert_eq!(report["adapter"]["limits"]["max_workgroup_bytes"], 16 << 10);
    assert_eq!(report["verdict"], format!("all {} are right", findings.len()));
    let output = run("doctor gpu --adapter voodoo2");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("voodoo2"), "{}", stderr(&output));
}

#[test]
fn bench_speaks_in_a_table_too() {
    let output = run("bench matmul --n 16 --dtype f32 --device cpu --secs 0.01");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(text.starts_with("m×k×n") && text.contains("16×16×16"), "{text}");
    assert!(stderr(&output).contains("runs on cpu: CPU ("), "{}", stderr(&output));
}

#[test]
fn a_product_too_large_for_the_device_is_a_row_that_says_so() {
    has_gpu();
    let rows = json("bench matmul --n 8,65536 --dtype f32 --device gpu --secs 0.01 --json");
    assert!(rows[0]["error"].is_null() && rows[0]["max_rel_err"].is_f64());
    assert!(rows[1]["error"].as_str().unwrap().starts_with("cannot allocate"), "{}", rows[1]);
    assert!(rows[1]["median_ms"].is_null() && rows[1]["gflop_per_sec"].is_null());
    let output = run("bench matmul --n 65536 --dtype f32 --device gpu --json");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("error: nothing could be timed: cannot allocate"),
        "{}",
        stderr(&output)
    );
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(rows[0]["error"].is_string());
}

fn losses(report: &Value) -> Vec<f64> {
    report["losses"].as_array().unwrap().iter().map(|pair| pair[1].as_f64().unwrap()).collect()
}

#[test]
fn training_finds_the_true_weights() {
    for optimizer in ["sgd --lr 0.005 --steps 3000", "adagrad --lr 0.1 --steps 400"] {
        let args = format!(
            "train linear --device cpu --dim 8 --layers 2 --batch 16 --seed 3 --json --optimizer {optimizer}"
        );
        let report = json(&args);
        let curve = losses(&report);
        assert!(curve[curve.len() - 1] < 1e-3 * curve[0], "{optimizer}: {curve:?}");
        for (i, weight) in report["weights"].as_array().unwrap().iter().enumerate() {
            assert!(
                (weight.as_f64().unwrap() - i as f64).abs() < 0.05,
                "{optimizer}: weight {i} is {weight}"
            );
            assert_eq!(report["true_weights"][i].as_f64(), Some(i as f64));
        }
        assert!(report["steps_per_sec"].as_f64().unwrap() > 0.0);
        assert_eq!(report["num_params"], 8 * 8 * 2 + 8);
        assert_eq!(losses(&json(&args)), curve, "the same seed gave another run");
    }
}

#[test]
fn training_that_diverges_ends_and_says_so() {
    let output = run("train linear --device cpu --optimizer sgd --lr 10 --steps 100000 --json");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("a smaller --lr"), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["diverged"], true);
    assert!(report["steps"].as_u64().unwrap() < 100_000, "{}", report["steps"]);
}

#[test]
fn training_runs_alike_on_a_gpu() {
    has_gpu();
    let args = |device| {
        format!("train linear --device {device} --dim 5 --layers 1 --batch 7 --steps 20 --lr 0.1 --json")
    };
    let (cpu, gpu) = (losses(&json(&args("cpu"))), losses(&json(&args("gpu"))));
    assert_eq!(cpu.len(), gpu.len());
    for (a, b) in cpu.iter().zip(&gpu) {
        assert!((a - b).abs() <= 1e-3 * a.abs() + 1e-4, "{cpu:?}\n{gpu:?}");
    }
}

#[test]
fn training_prints_losses_weights_and_speed() {
    let text = stdout("train linear --device cpu --dim 40 --layers 0 --steps 25");
    assert!(text.contains("steps/s") && text.contains("learned") && text.contains("… and 8 more"), "{text}");
}

#[test]
fn a_device_is_measured() {
    let machine = json("info --measure --device cpu --json");
    assert_eq!((&machine["format"], &machine["device"]), (&"napkin-machine-1".into(), &"cpu".into()));
    let date: Vec<&str> = machine["date"].as_str().unwrap().split('-').collect();
    assert_eq!(date.iter().map(|part| part.len()).collect::<Vec<_>>(), [4, 2, 2], "{date:?}");
    assert!(!machine["adapter"].as_str().unwrap().is_empty() && machine["clock_step_secs"].is_f64());
    for part in ["fma", "bandwidth", "caches", "latencies", "products", "operations"] {
        for entry in machine[part].as_array().unwrap() {
            let fence = &entry["measured"]["fence"];
            assert!(
                fence["median_secs"].as_f64().unwrap() > 0.0 && fence["by"] == "fence",
                "{part}: {entry}"
            );
        }
        assert!(!machine[part].as_array().unwrap().is_empty(), "{part}");
    }
    // On a machine that is busy with something else some operations would take too long: each says so.
    for skipped in machine["skipped"].as_array().unwrap() {
        assert!(skipped["why"].as_str().unwrap().contains("would take about"), "{skipped}");
    }
}

#[test]
fn any_operation_is_timed_and_counted() {
    has_gpu();
    for device in ["cpu", "gpu"] {
        let args = format!("bench op matmul(17x65,65x3) --dtype f16 --device {device} --secs 0.05 --json");
        let operation = json(&args);
        assert_eq!(operation["measured"]["flop"], 2 * 17 * 65 * 3, "{operation}");
        assert_eq!(operation["measured"]["bytes"], 2 * (17 * 65 + 65 * 3 + 17 * 3), "{operation}");
        assert_eq!(operation["shape"], serde_json::json!([17, 3]), "{operation}");
    }
    let text = stdout("bench op softmax(65x65) --device cpu --secs 0.05");
    assert!(text.starts_with("operation") && text.contains("softmax(65x65) float32"), "{text}");
    let output = run("bench op sotfmax(65x65) --device cpu");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("did you mean \"softmax\"?"), "{}", stderr(&output));
}
