//! A lint of the published runs, and the shares of peak that they imply.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_accounting::catalogue::Mark;
use napkin_accounting::runs::{Catalogue, Run, catalogue, run};
use napkin_accounting::{DType, Sparsity, hardware, models};

mod lint;

#[test]
fn the_file_parses_as_a_whole() {
    let read: Catalogue = serde_json::from_str(include_str!("../data/runs.json")).unwrap();
    assert_eq!(read.runs, catalogue().runs);
    assert_eq!(read.landmarks, catalogue().landmarks);
    assert!(read.runs.len() >= 10 && read.landmarks.len() == 3);
}

#[test]
fn every_figure_is_backed_and_every_reference_leads_somewhere() {
    for run in &catalogue().runs {
        assert!(run.figures().count() >= 2, "{}", run.id);
        for (field, figure) in run.figures() {
            lint::figure(&format!("{} {field}", run.id), figure);
        }
        // Ids and not aliases, so that a link says the same for ever.
        if let Some(model) = &run.model {
            assert_eq!(&models::preset(model).unwrap().id, model);
        }
        if let Some(gpu) = &run.gpu {
            assert_eq!(&hardware::device(gpu).unwrap().id, gpu);
        }
    }
    for landmark in &catalogue().landmarks {
        lint::figure(&landmark.id, &landmark.flop);
    }
    lint::names(catalogue().runs.iter().map(|r| (r.id.as_str(), r.name.as_str(), &[][..])), run, |run| {
        &run.id
    });
    assert!(
        run("gpt-9")
            .unwrap_err()
            .to_string()
            .starts_with("no run is called \"gpt-9\"; known are llama-3.1-8b")
    );
}

/// 6 × parameters × tokens, over the peak of the reported hours.
fn share(run: &Run, params: f64, tokens: f64) -> f64 {
    let gpu = hardware::device(run.gpu.as_ref().unwrap()).unwrap();
    let peak = gpu.peak(DType::Bf16, Sparsity::Dense).unwrap().flop_per_sec().value();
    6.0 * params * tokens / (run.gpu_hours.as_ref().unwrap().value * 3600.0 * peak)
}

#[test]
fn reported_hours_imply_the_shares_of_the_table() {
    // Computed by hand from cards and configurations: run, parameters, share of the dense bf16 peak in per cent.
    let table = [
        ("llama-3.1-8b", 8_030_261_248.0, 13.9),
        ("llama-3.1-70b", 70_553_706_496.0, 25.5),
        ("llama-3.1-405b", 405_853_388_800.0, 33.2),
        ("llama-2-7b", 6_738_415_616.0, 39.1),
        ("llama-2-70b", 68_976_648_192.0, 42.8),
        ("deepseek-v3", 37e9, 34.6),
    ];
    for (id, params, percent) in table {
        let published = run(id).unwrap();
        let implied = 100.0 * share(published, params, published.tokens.as_ref().unwrap().value);
        assert!((implied - percent).abs() < 0.06, "{id}: {implied}");
    }
    let largest = run("llama-3.1-405b").unwrap();
    let paper = largest.tokens.as_ref().unwrap().alternatives[0].value;
    assert!((share(largest, 405_853_388_800.0, paper) * 100.0 - 34.6).abs() < 0.06);
    for (id, percent) in [("8192-gpus", 43.0), ("16384-gpus", 40.0), ("16384-gpus-long-context", 38.0)] {
        let rate =
            run(&format!("llama-3.1-405b-on-{id}")).unwrap().flop_per_sec_and_gpu.as_ref().unwrap().value;
        assert!((rate / 989.5e12 * 100.0 - percent).abs() < 0.5, "{id}");
    }
}

#[test]
fn landmarks_of_the_lecture() {
    let landmarks: Vec<(&str, f64)> =
        catalogue().landmarks.iter().map(|l| (l.id.as_str(), l.flop.value)).collect();
    assert_eq!(landmarks, [("gpt-3", 3.14e23), ("gpt-4", 2e25), ("us-reporting-threshold", 1e26)]);
    let gpt_3 = run("gpt-3").unwrap();
    assert_eq!(gpt_3.flop.as_ref().unwrap().value, 3.14e23);
    let napkin = 6.0 * 174_604_259_328.0 * gpt_3.tokens.as_ref().unwrap().value;
    assert!((napkin / 3.14e23 - 1.0).abs() < 2e-3, "{napkin:e}");
    assert_eq!(catalogue().landmarks[1].flop.mark, Mark::Unverified);
    assert!(catalogue().landmarks[2].flop.note.contains("2025"));
    // 7.0 million reported hours are twice the napkin's 3.54 million.
    let hours = run("llama-3.1-70b").unwrap().gpu_hours.as_ref().unwrap();
    assert_eq!(hours.value, 7.0e6);
    assert!(hours.note.starts_with("reported GPU-hours"));
}
