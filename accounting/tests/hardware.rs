//! A lint of the hardware catalogue.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_accounting::hardware::{Catalogue, Figure, Mark, catalogue, device};
use napkin_accounting::{DType, Error, Sparsity};

fn figures(catalogue: &'static Catalogue) -> Vec<(String, &'static Figure)> {
    let mut all = Vec::new();
    for device in &catalogue.devices {
        let mut push = |what: &str, figure| all.push((format!("{} {what}", device.id), figure));
        for peak in &device.peaks {
            push(peak.dtype.name(), &peak.figure);
        }
        if let Some(sparse) = &device.sparse {
            push("sparse", &sparse.figure);
        }
        for (what, figure) in
            [("memory", &device.memory_bytes), ("bandwidth", &device.bandwidth_bytes_per_sec)]
        {
            if let Some(figure) = figure {
                push(what, figure);
            }
        }
    }
    all
}

#[test]
fn the_file_parses_as_a_whole() {
    let read: Result<Catalogue, _> = serde_json::from_str(include_str!("../data/hardware.json"));
    assert_eq!(read.unwrap().devices.len(), catalogue().devices.len());
    assert!(catalogue().devices.len() > 30);
}

#[test]
fn every_figure_has_a_plausible_value_sources_with_dates_and_a_mark_they_bear_out() {
    for (name, figure) in figures(catalogue()) {
        assert!(figure.value.is_finite() && figure.value > 0.0, "{name}");
        assert!(!figure.sources.is_empty(), "{name} has no source");
        let cited = figure.sources.iter().chain(figure.alternatives.iter().map(|other| &other.source));
        for key in cited {
            let source =
                catalogue().sources.get(key).unwrap_or_else(|| panic!("{name} cites {key}, unknown"));
            assert!(!source.title.is_empty() && source.date.contains("20"), "{key} has no title or date");
        }
        match figure.mark {
            Mark::Verified => assert!(figure.sources.len() >= 2, "{name} is verified by one source only"),
            Mark::Conflict => {
                assert!(!figure.alternatives.is_empty(), "{name} conflicts with nothing");
            }
            Mark::Single | Mark::Derived | Mark::Unverified => {}
        }
        for other in &figure.alternatives {
            assert!(
                other.value > 0.0 && other.value != figure.value,
                "{name}: {} is no alternative",
                other.value
            );
        }
    }
}

#[test]
fn units_are_base_units() {
    for device in &catalogue().devices {
        for peak in &device.peaks {
            let range = 1e12..=2e16;
            assert!(range.contains(&peak.figure.value), "{} {}", device.id, peak.dtype);
        }
        let memory = device.memory_bytes.as_ref().map_or(1e10, |figure| figure.value);
        assert!((1e10..1e12).contains(&memory), "{}", device.id);
        let bandwidth = device.bandwidth_bytes_per_sec.as_ref().map_or(1e12, |figure| figure.value);
        assert!((5e10..1e13).contains(&bandwidth), "{}", device.id);
    }
}

#[test]
fn ids_are_unique_and_typeable() {
    let mut ids: Vec<&str> = catalogue().devices.iter().map(|device| device.id.as_str()).collect();
    for id in &ids {
        let plain = id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        assert!(plain, "{id}");
    }
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
    assert_eq!(device(" H100-SXM ").unwrap().id, "h100-sxm");
}

#[test]
fn sparse_is_twice_dense_where_it_applies() {
    let mut sparse_rates = 0;
    for device in &catalogue().devices {
        for dtype in DType::ALL.into_iter().filter(|&dtype| dtype != DType::Int8) {
            let applies = device.sparse.as_ref().is_some_and(|sparse| sparse.dtypes.contains(&dtype));
            match (device.peak(dtype, Sparsity::Dense), device.peak(dtype, Sparsity::Sparse)) {
                (Ok(dense), Ok(sparse)) => {
                    assert!(applies, "{} {dtype}", device.id);
                    assert_eq!(sparse.flop_per_sec(), dense.flop_per_sec() * 2.0);
                    sparse_rates += 1;
                }
                (_, Err(_)) => assert!(!applies, "{} {dtype} gains, but has no peak", device.id),
                (Err(_), Ok(_)) => panic!("{} {dtype}: a sparse rate without a dense one", device.id),
            }
        }
        if device.id.starts_with("tpu") || device.id.starts_with("apple") {
            assert!(device.sparse.is_none(), "{}", device.id);
        }
    }
    assert!(sparse_rates > 50);
}

#[test]
fn no_peak_where_the_hardware_lacks_the_dtype() {
    // Which generations multiply fp8 and fp4 at all, apart from what the file says.
    let fp8 = ["h100", "h200", "gh200", "b200", "gb200", "b300", "gb300", "mi3", "tpu-v6", "tpu-v7", "rtx"];
    let fp4 = ["b200", "gb200", "b300", "gb300", "mi355x", "rtx-5090"];
    for device in &catalogue().devices {
        for (dtype, having) in [(DType::Fp8, &fp8[..]), (DType::Fp4, &fp4[..])] {
            if device.peak(dtype, Sparsity::Dense).is_ok() {
                assert!(having.iter().any(|prefix| device.id.starts_with(prefix)), "{} {dtype}", device.id);
            }
        }
        for peak in &device.peaks {
            assert!(!device.lacks.contains(&peak.dtype), "{} lacks {} and has it", device.id, peak.dtype);
        }
    }
}

#[test]
fn figures_that_other_tables_get_wrong() {
    let bf16 =
        |id: &str| device(id).unwrap().peak(DType::Bf16, Sparsity::Dense).unwrap().flop_per_sec().value();
    assert_eq!(bf16("h100-sxm"), 1979e12 / 2.0);
    assert_eq!(bf16("a100-sxm"), 312e12);
    assert_eq!(bf16("b200-sxm"), 2250e12);
    assert_eq!(bf16("rtx-4090"), 165.2e12);
    assert_eq!(device("b200-sxm").unwrap().memory().unwrap().value(), 180e9);
}

#[test]
fn what_is_missing_is_an_error_with_the_reason() {
    let peak = |id: &str, dtype, sparsity| device(id).unwrap().peak(dtype, sparsity).unwrap_err().to_string();
    let lacking = peak("a100-sxm", DType::Fp8, Sparsity::Dense);
    assert_eq!(
        lacking,
        "NVIDIA A100 SXM 80 GB has no fp8 peak: the hardware does not multiply in it; it has fp32, tf32, fp16, bf16"
    );
    assert!(peak("apple-m5", DType::Fp32, Sparsity::Dense).contains("nobody has published one; it has none"));
    assert!(
        peak("tpu-v5e", DType::Bf16, Sparsity::Sparse).starts_with("Google TPU v5e has no sparse bf16 peak")
    );
    assert!(peak("h100-sxm", DType::Int8, Sparsity::Dense).contains("OP/s"));
    assert!(matches!(device("apple-m5").unwrap().memory(), Err(Error::Unpublished { .. })));
    let unknown = device("h1000").unwrap_err().to_string();
    assert!(unknown.starts_with("no GPU is called \"h1000\"; known are a100-sxm"), "{unknown}");
}

#[test]
fn sources_say_how_far_to_trust() {
    let b200 = device("b200-sxm").unwrap();
    let fp32 = b200.peaks.iter().find(|peak| peak.dtype == DType::Fp32).unwrap();
    let cited = fp32.figure.cite();
    assert_eq!(cited[0].note, "sources disagree; elsewhere 75e12: Stanford CS336, lecture 2, spring 2026");
    assert_eq!(cited[0].date, "2026-08-22");
}
