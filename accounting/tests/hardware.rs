//! A lint of the hardware catalogue.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_accounting::catalogue::Mark;
use napkin_accounting::hardware::{
    Catalogue, DensePeak, Device, LinkEnd, PeakDerivation, catalogue, device, network,
};
use napkin_accounting::{DType, Error, Quantity, Sourced, Sparsity};
use serde_json::Value;

mod lint;

fn dense(id: &str, dtype: DType) -> f64 {
    device(id).unwrap().peak(dtype, Sparsity::Dense).unwrap().flop_per_sec().value()
}

fn amount<Q: Quantity>(sourced: &Sourced<Q>) -> f64 {
    sourced.quantity.number().to_f64()
}

fn names(device: &Device) -> (&str, &str, &[String]) {
    (&device.id, &device.name, &device.aliases)
}

#[test]
fn the_file_parses_as_a_whole() {
    let read: Catalogue = serde_json::from_str(include_str!("../data/hardware.json")).unwrap();
    assert_eq!(read.devices, catalogue().devices);
    assert_eq!(read.networks, catalogue().networks);
    assert!(read.devices.len() > 35 && read.networks.len() > 5);
    let sources: std::collections::BTreeMap<String, Value> =
        serde_json::from_str(include_str!("../data/sources.json")).unwrap();
    assert_eq!(sources.len(), napkin_accounting::catalogue::sources().len());
}

#[test]
fn every_figure_has_a_plausible_value_sources_with_dates_and_a_mark_they_bear_out() {
    for device in &catalogue().devices {
        for (field, figure) in device.figures() {
            lint::figure(&format!("{} {field}", device.id), figure);
        }
    }
    for network in &catalogue().networks {
        lint::figure(&network.id, &network.bytes_per_sec);
    }
}

#[test]
fn every_device_passes_the_check_of_added_ones_and_survives_a_link() {
    for device in &catalogue().devices {
        let shared = serde_json::to_string(device).unwrap();
        assert_eq!(&Device::from_json(&shared).unwrap(), device);
    }
}

#[test]
fn units_are_base_units() {
    for device in &catalogue().devices {
        for (field, figure) in device.figures() {
            let range = match field.split('.').next().unwrap() {
                "peaks" | "accumulate" | "matmul" => 1e12..2e16,
                "sparse" => 2.0..2.1,
                "memory_bytes" => 1e10..1e12,
                "bandwidth_bytes_per_sec" => 5e10..1e13,
                "links" => 1e10..2e12,
                "power_watts" => 50.0..3000.0,
                "price_per_gpu_hour" => 0.1..30.0,
                other => panic!("{other}"),
            };
            assert!(range.contains(&figure.value), "{} {field}: {}", device.id, figure.value);
        }
    }
}

#[test]
fn every_name_finds_its_device_or_network() {
    lint::names(catalogue().devices.iter().map(names), device, |device| &device.id);
    let networks =
        catalogue().networks.iter().map(|n| (n.id.as_str(), n.name.as_str(), n.aliases.as_slice()));
    lint::names(networks, network, |network| &network.id);
    for (spelt, id) in [
        ("H100", "h100-sxm"),
        ("a100", "a100-sxm"),
        ("4090", "rtx-4090"),
        ("NVIDIA H100 SXM 80 GB", "h100-sxm"),
    ] {
        assert_eq!(device(spelt).unwrap().id, id);
    }
}

#[test]
fn a_name_that_is_none_lists_those_that_there_are() {
    let unknown = device("h1000").unwrap_err().to_string();
    assert_eq!(unknown, "no GPU is called \"h1000\"; near it: h100-sxm");
    for (spelt, near) in [
        ("rtx 3090", "rtx-4090, rtx-5090"),
        ("H100 SMX", "h100-sxm"),
        ("mi250x", "mi"),
        ("m5 max", "apple-m1-max, apple-m2-max, apple-m3-max"),
        ("tpu v4", "tpu-v5e, tpu-v5p, tpu-v6e"),
    ] {
        let unknown = device(spelt).unwrap_err().to_string();
        assert!(unknown.contains(&format!("; near it: {near}")), "{unknown}");
        assert!(unknown.len() < 140, "{unknown}");
    }
    let nothing_near = device("quantum computer").unwrap_err().to_string();
    assert!(
        nothing_near.contains("; known are a100-sxm, ") && nothing_near.contains("tpu-v5e"),
        "{nothing_near}"
    );
    let ambiguous = device("GH 200").unwrap_err();
    assert!(matches!(ambiguous, Error::Ambiguous { .. }));
    assert_eq!(
        ambiguous.to_string(),
        "no GPU is called just \"GH 200\"; it may be one of gh200-96gb, gh200-144gb"
    );
    for nothing in ["", " ", "--", "\u{0}"] {
        assert!(matches!(device(nothing), Err(Error::Unknown { .. })), "{nothing:?}");
    }
    assert!(network("carrier pigeon").unwrap_err().to_string().starts_with("no network is called"));
}

#[test]
fn peaks_follow_from_clock_and_units() {
    // The products as they are worked out by hand in the notes on hardware, to the digits given there.
    let worked = [
        ("h100-sxm", DType::Bf16, 989.4e12),
        ("a100-sxm", DType::Bf16, 311.9e12),
        ("mi300x", DType::Bf16, 1307.4e12),
        ("mi355x", DType::Bf16, 2516.6e12),
        ("rtx-4090", DType::Fp32, 82.58e12),
        ("rtx-5090", DType::Fp32, 104.8e12),
    ];
    let derivation = |id: &str, dtype| -> PeakDerivation {
        let peaks = &device(id).unwrap().peaks;
        peaks.iter().find(|peak| peak.dtype == dtype).unwrap().derivation.clone().unwrap()
    };
    for (id, dtype, product) in worked {
        let computed = derivation(id, dtype).flop_per_sec();
        assert!((computed / product - 1.0).abs() < 5e-4, "{id}: {computed:e}");
    }
    let mut derived = 0;
    for device in &catalogue().devices {
        let peaks = device.peaks.iter().map(|p| (p.dtype, &p.figure, p.derivation.as_ref()));
        let sums = device.accumulate.iter().map(|p| (p.dtype, &p.figure, p.derivation.as_ref()));
        for (dtype, figure, derivation) in peaks.chain(sums) {
            let Some(derivation) = derivation else {
                let formula =
                    figure.sources.iter().any(|key| key == "formula") && figure.mark == Mark::Derived;
                assert!(!formula, "{} {dtype} is derived, but from what?", device.id);
                continue;
            };
            derived += 1;
            // AMD rounds 2516.6 to 2500; everybody else keeps at least three digits.
            let rounding = if device.id == "mi355x" { 0.01 } else { 1e-3 };
            let ratio = derivation.flop_per_sec() / figure.value;
            assert!((ratio - 1.0).abs() < rounding, "{} {dtype}: {ratio}", device.id);
        }
    }
    assert!(derived > 20, "{derived}");
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
fn trap_1_no_sparse_rate_is_counted_as_dense() {
    for device in &catalogue().devices {
        let rate = |dtype| device.peaks.iter().find(|peak| peak.dtype == dtype).map(|peak| peak.figure.value);
        let Some(bf16) = rate(DType::Bf16) else { continue };
        // Integers have no accumulator to save on: their rate goes with that of fp16 sums.
        let sums =
            device.accumulate.iter().find(|peak| peak.dtype == DType::Fp16).map_or(bf16, |p| p.figure.value);
        // Blackwell Ultra has more fp4 than twice its fp8, and next to no int8.
        let fp4 = if ["b300-sxm", "gb300"].contains(&device.id.as_str()) { 6.0 } else { 4.0 };
        let fp4 = if sums > bf16 { 2.0 * fp4 } else { fp4 };
        let most = [
            (DType::Fp16, bf16),
            (DType::Tf32, bf16 / 2.0),
            (DType::Fp8, bf16 * 2.0),
            (DType::Fp4, bf16 * fp4),
            (DType::Int8, sums * 2.0),
        ];
        for (dtype, most) in most {
            // A sparse rate would be twice too much, and b200's 10000 in the table for 9000 an eighth.
            let rate = rate(dtype).unwrap_or(0.0);
            assert!(rate <= most * 1.13, "{} {dtype}: {rate:e} beside bf16's {bf16:e}", device.id);
        }
        for achieved in &device.matmul {
            let peak = rate(achieved.dtype).unwrap();
            assert!(
                (0.4..0.95).contains(&(achieved.figure.value / peak)),
                "{} {}",
                device.id,
                achieved.dtype
            );
        }
    }
    assert_eq!(dense("h100-sxm", DType::Bf16), 1979e12 / 2.0);
    assert_eq!(dense("b200-sxm", DType::Bf16), 2250e12);
    assert_eq!(dense("a100-sxm", DType::Bf16), 312e12);
}

#[test]
fn trap_2_the_vector_units_rate_is_not_the_tensor_cores() {
    let with_both = catalogue().devices.iter().filter(|device| {
        let has = |dtype| device.peaks.iter().any(|peak| peak.dtype == dtype);
        has(DType::Fp32) && has(DType::Bf16)
    });
    let mut compared = 0;
    for device in with_both {
        let ratio = dense(&device.id, DType::Bf16) / dense(&device.id, DType::Fp32);
        let least = if device.accumulate.is_empty() { 4.0 } else { 2.0 - 1e-3 };
        assert!(ratio >= least, "{}: bf16 is {ratio} times fp32", device.id);
        compared += 1;
    }
    assert!(compared > 12);
    assert_eq!((dense("a100-sxm", DType::Fp32), dense("a100-sxm", DType::Tf32)), (19.5e12, 156e12));
    assert_eq!((dense("h100-pcie", DType::Fp32), dense("h100-pcie", DType::Tf32)), (51e12, 378e12));
}

#[test]
fn trap_3_no_peak_where_the_hardware_lacks_the_dtype() {
    // Which generations multiply fp8 and fp4 at all, apart from what the file says.
    let fp8 =
        ["h100", "h200", "h800", "gh200", "b200", "gb200", "b300", "gb300", "mi3", "tpu-v6", "tpu-v7", "rtx"];
    let fp4 = ["b200", "gb200", "b300", "gb300", "mi355x", "rtx-5090"];
    for device in &catalogue().devices {
        for (dtype, having) in [(DType::Fp8, &fp8[..]), (DType::Fp4, &fp4[..])] {
            if device.peak(dtype, Sparsity::Dense).is_ok() {
                assert!(having.iter().any(|prefix| device.id.starts_with(prefix)), "{} {dtype}", device.id);
            }
        }
    }
    let lacking = device("a100-sxm").unwrap().peak(DType::Fp8, Sparsity::Dense).unwrap_err().to_string();
    assert_eq!(
        lacking,
        "no fp8 peak of NVIDIA A100 SXM 80 GB is known: the hardware does not multiply in it; its dense peaks: \
         fp32, tf32, fp16, bf16"
    );
}

#[test]
fn trap_4_gigabytes_are_decimal() {
    let memory = amount(&device("h100-sxm").unwrap().memory().unwrap());
    assert_eq!(8.0 * memory / 16.0, 40e9);
    let binary = 80.0 * f64::from(1 << 30);
    assert_eq!((8.0 * binary / 16.0 / 1e8).round(), 429.0);
    // Where documents differ by the unit only, both are there.
    for (id, gib) in [("b200-sxm", 192.0), ("tpu-v5p", 95.0), ("tpu-v6e", 32.0), ("tpu-v7x", 192.0)] {
        let memory = device(id).unwrap().memory_bytes.as_ref().unwrap();
        assert_eq!((memory.mark, memory.value % 1e9), (Mark::Conflict, 0.0), "{id}");
        assert!(memory.alternatives.iter().any(|other| other.value == gib * f64::from(1 << 30)), "{id}");
    }
}

#[test]
fn trap_5_consumer_cards_sum_in_fp32_at_half_the_rate() {
    for id in ["rtx-4090", "rtx-5090"] {
        let card = device(id).unwrap();
        for dtype in [DType::Fp16, DType::Fp8] {
            let in_fp16 = |peak: &&DensePeak| (peak.dtype, peak.accumulator) == (dtype, Some(DType::Fp16));
            let ratio = card.accumulate.iter().find(in_fp16).unwrap().figure.value / dense(id, dtype);
            assert!((ratio - 2.0).abs() < 1e-3, "{id} {dtype}: {ratio}");
        }
    }
    assert_eq!(dense("rtx-4090", DType::Bf16), 165.2e12);
}

#[test]
fn trap_6_an_a10_has_24_gb() {
    let memory = device("a10").unwrap().memory_bytes.as_ref().unwrap();
    assert_eq!(memory.value, 24e9);
    assert!(memory.alternatives.iter().any(|other| other.value == 28e9 && other.source == "llm-analysis"));
}

#[test]
fn blackwell_ultra_gave_up_int8() {
    // Half of the sparse 330e12 and 300e12; those of B200 and GB200 in the same place would be 30 times too much.
    for (id, rate) in [("gb300", 165e12), ("b300-sxm", 150e12)] {
        let peaks = &device(id).unwrap().peaks;
        let int8 = &peaks.iter().find(|peak| peak.dtype == DType::Int8).unwrap().figure;
        assert_eq!((int8.value, int8.mark), (rate, Mark::Conflict), "{id}");
    }
}

#[test]
fn what_makers_sheets_say_is_there() {
    // Dense rates; each sheet prints twice as much with sparsity.
    for (id, dtype, rate) in [
        ("a10", DType::Tf32, 62.5e12),
        ("a10", DType::Bf16, 125e12),
        ("h800-sxm", DType::Fp8, 1979e12),
        ("h100-nvl", DType::Fp8, 3341e12 / 2.0),
        ("h100-nvl", DType::Tf32, 835e12 / 2.0),
        ("mi300x", DType::Fp8, 2614.9e12),
    ] {
        assert_eq!(dense(id, dtype), rate, "{id} {dtype}");
    }
    let memory = |id: &str| amount(&device(id).unwrap().memory().unwrap());
    assert_eq!((memory("gh200-141gb"), memory("gb300")), (144e9, 279e9));
    let bandwidth = |id: &str| amount(&device(id).unwrap().bandwidth().unwrap());
    assert_eq!((bandwidth("gh200-141gb"), bandwidth("tpu-v5e")), (4.9e12, 819e9));
}

#[test]
fn trap_7_b200s_fp32_shows_both_sources() {
    let b200 = device("b200-sxm").unwrap();
    let fp32 = b200.peaks.iter().find(|peak| peak.dtype == DType::Fp32).unwrap();
    let cited = fp32.figure.cite();
    assert_eq!(cited[0].note, "sources disagree; elsewhere 7.5e13: Stanford CS336, lecture 2, spring 2026");
    assert_eq!(cited[0].date, "2026-08-22");
    assert_eq!(amount(&b200.memory().unwrap()), 180e9);
    let bandwidth = b200.bandwidth_bytes_per_sec.as_ref().unwrap();
    assert_eq!((bandwidth.value, bandwidth.mark), (8e12, Mark::Conflict));
    assert!(bandwidth.alternatives.iter().any(|other| other.value == 7.7e12));
}

#[test]
fn links_count_one_direction() {
    // Sheets give both directions; these are halves of 600, 900, 1800, 896, 1200 GB/s and of 400 Gb/s a port.
    let expected = [("a100", 300e9), ("h100", 450e9), ("b200", 900e9), ("mi300x", 448e9), ("tpu-v5p", 600e9)];
    for (id, bytes_per_sec) in expected {
        let link = device(id).unwrap().link(LinkEnd::Devices).unwrap();
        assert_eq!(amount(&link), bytes_per_sec, "{id}");
    }
    assert_eq!(amount(&network("NDR").unwrap().bandwidth()), 400e9 / 8.0);
    assert_eq!(amount(&device("h100").unwrap().link(LinkEnd::Host).unwrap()), 63e9);
    for device in &catalogue().devices {
        if let (Ok(devices), Ok(host)) = (device.link(LinkEnd::Devices), device.link(LinkEnd::Host)) {
            assert!(amount(&devices) > amount(&host), "{}", device.id);
        }
    }
    let without = device("apple-m5").unwrap().link(LinkEnd::Host).unwrap_err().to_string();
    assert_eq!(without, "the catalogue has no sourced figure for the link to its host of Apple M5");
}

#[test]
fn measured_products_stay_below_the_promise() {
    let achieved = |id: &str, dtype| {
        let device = device(id).unwrap();
        device.matmul.iter().find(|measured| measured.dtype == dtype).map(|measured| measured.figure.value)
    };
    assert_eq!(achieved("h100-sxm", DType::Bf16), Some(794.5e12));
    assert_eq!(achieved("b200", DType::Fp8), Some(3432.5e12));
    assert_eq!(achieved("h100-sxm", DType::Fp32), None);
    let measured = catalogue().devices.iter().map(|device| device.matmul.len()).sum::<usize>();
    assert!(measured >= 16, "{measured}");
}

#[test]
fn what_is_missing_is_an_error_with_the_reason() {
    let peak = |id: &str, dtype, sparsity| device(id).unwrap().peak(dtype, sparsity).unwrap_err().to_string();
    assert!(
        peak("apple-m5", DType::Fp32, Sparsity::Dense)
            .contains("the catalogue has no sourced figure; its dense peaks: none")
    );
    assert!(
        peak("tpu-v5e", DType::Bf16, Sparsity::Sparse)
            .starts_with("no sparse bf16 peak of Google TPU v5e is known")
    );
    // That sources disagree says nothing about the hardware.
    assert!(peak("b200-sxm", DType::Fp4, Sparsity::Sparse).contains("the catalogue has no sourced figure"));
    assert!(peak("h100-sxm", DType::Int8, Sparsity::Dense).contains("OP/s"));
    assert!(matches!(device("apple-m5").unwrap().memory(), Err(Error::Unpublished { .. })));
}
