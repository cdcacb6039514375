//! What reading a text token by token takes: its cache, its time, on one device and across several.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod asked;

use asked::{ask, close, refusal, value};

#[test]
fn a_cache_across_devices_has_a_head_on_each() {
    // 80 blocks, 8 heads of 128, keys and values, 8 bits: 16 devices hold a head each and not half of one.
    let cache = 80.0 * 2.0 * 8.0 * 128.0 * 8192.0;
    let llama = "kv architecture=llama-3.1-70b sequence=8192 cache-dtype=fp8 weight-dtype=fp8";
    close(llama, "kv_bytes", cache);
    for (ways, share) in [(2.0, 2.0), (8.0, 8.0), (16.0, 8.0), (64.0, 8.0)] {
        close(&format!("{llama} tp={ways}"), "kv_bytes_per_gpu", cache / share);
        close(&format!("{llama} tp={ways}"), "weight_bytes_per_gpu", 70_553_706_496.0 / ways);
    }
    close(
        &format!("{llama} tp=8"),
        "sequences_that_fit",
        f64::floor((80e9 - 70_553_706_496.0 / 8.0) / (cache / 8.0)),
    );
    // A latent is on every device, and so are the matrices that lead to it.
    let deepseek = "kv architecture=deepseek-v3 tp=16 gpu=h200-sxm";
    assert_eq!(value(deepseek, "kv_bytes"), value(deepseek, "kv_bytes_per_gpu"));
    let latents = 61.0 * 7168.0 * 2112.0;
    close(deepseek, "weight_bytes_per_gpu", 2.0 * ((671_026_419_200.0 - latents) / 16.0 + latents));
    assert!(
        refusal("kv architecture=llama-3.2-3b tp=3").contains("a divisor or a multiple of the heads of keys")
    );
}

#[test]
fn decoding_takes_as_long_as_weights_and_cache_take() {
    // 64 sequences on 8 devices: all weights but the embedding, a 1/8 each, and the cache.
    let (cache, weights) = (64.0 * 80.0 * 2048.0 * 4096.0, 70_553_706_496.0 - 128_256.0 * 8192.0);
    let secs = (weights + cache) / 8.0 / 3.35e12;
    let eight = "kv architecture=llama-3.1-70b sequence=4096 batch=64 cache-dtype=fp8 weight-dtype=fp8 tp=8";
    near(eight, "decode_secs", secs);
    near(eight, "decode_tokens_per_sec", 64.0 / secs);
}

#[test]
fn products_are_bound_by_arithmetic_from_the_ridge_on() {
    // In 16 bits a weight is 2 bytes, and 2 FLOPs for every sequence: the ridge itself, 989.5e12 / 3.35e12.
    let ridge = 989.5e12 / 3.35e12;
    let dense = "roofline decoded=llama-3.1-8b gpu=h100-sxm";
    near(dense, "critical_batch", ridge);
    near("roofline decoded=llama-3.1-8b gpu=h100-sxm dtype=fp8", "critical_batch", ridge);
    // Where all experts are met, but a token passes few of them, as many more sequences are needed.
    let (active, more) = (37_552_297_472.0 - 129_280.0 * 7168.0, 58.0 * 248.0 * 3.0 * 7168.0 * 2048.0);
    near("roofline decoded=deepseek-v3 gpu=h100-sxm", "critical_batch", ridge * (active + more) / active);
    // 15 GFLOP of Llama 3.1 8B are 53 MB at the ridge; 1024 tokens of cache are 134 MB, 128 are 17.
    let bound = |tokens: u32| {
        let (_, sheet) = ask(&format!("{dense} sequence={tokens}"));
        sheet.remarks.iter().any(|remark| remark.text.contains("however many sequences"))
    };
    assert_eq!((bound(128), bound(1024)), (false, true));
    // A step takes the longer of both.
    let (flop, bytes) = (value(dense, "decode_flop"), value(dense, "decode_bytes"));
    near(dense, "bound_secs", f64::max(flop / 989.5e12, bytes / 3.35e12));
    near(dense, "decode_tokens_per_sec", 3.35e12 / bytes);
}

fn near(question: &str, name: &str, expected: f64) {
    let value = value(question, name);
    assert!((value / expected - 1.0).abs() < 1e-12, "{question}: {name} is {value}, not {expected}");
}
