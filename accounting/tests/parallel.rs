//! What training holds and sends across devices.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod asked;

use asked::{ask, close, refusal, value};

#[test]
fn zero_splits_what_its_stage_says() {
    let held = |zero: u8, name: &str| value(&format!("parallel dp=4 zero={zero}"), name);
    for (name, from) in
        [("optimizer_bytes_per_gpu", 1), ("gradient_bytes_per_gpu", 2), ("weight_bytes_per_gpu", 3)]
    {
        for zero in 0..=3 {
            let share = if zero >= from { 4.0 } else { 1.0 };
            assert_eq!(held(zero, name) * share, held(0, name), "{name} at stage {zero}");
        }
    }
    // Rajbhandari et al., section 7: stage 3 sends half as much again.
    let sent = |zero: u8| value(&format!("parallel dp=4 zero={zero}"), "data_parallel_bytes");
    assert_eq!(sent(0), sent(2));
    assert_eq!(sent(3), 1.5 * sent(0));
    close("parallel pp=4 microbatches=8 architecture=llama-3.1-8b", "pipeline_bubble", 0.375);
}

#[test]
fn float32_weights_need_no_copy() {
    for (more, bytes) in [
        ("", 16.0),
        (" weight-dtype=fp32 grad-dtype=fp32", 16.0),
        (" weight-dtype=fp32 grad-dtype=fp32 master-dtype=fp32", 20.0),
        (" master-dtype=none", 12.0),
    ] {
        close(&format!("memory{more}"), "bytes_per_param", bytes);
        let held = ["weight", "gradient", "optimizer"]
            .map(|of| value(&format!("parallel{more}"), &format!("{of}_bytes_per_gpu")));
        assert_eq!(held.iter().sum::<f64>(), bytes * 8_030_261_248.0, "{more}");
    }
}

#[test]
fn what_is_spread_over_devices_is_spread() {
    let spread = "parallel architecture=deepseek-v3 dp=64 tp=8 zero=1 ep=64";
    // Of the matrices that lead to latents, 61 of 7168 × (1536 + 512 + 64), every device has all.
    let latents = 61.0 * 7168.0 * 2112.0;
    close(spread, "weight_bytes_per_gpu", 6_833_743_232.0 + 2.0 * latents * 7.0 / 8.0);
    assert!(refusal("parallel architecture=deepseek-v3 dp=1 ep=256").contains("a divisor of"));
    // Gradients that are not kept whole are sent for every microbatch, and so are weights.
    let sent = |rest: &str| value(&format!("parallel dp=4 {rest}"), "data_parallel_bytes");
    assert_eq!(sent("zero=3 microbatches=8"), 8.0 * sent("zero=3"));
    assert_eq!(sent("zero=1 grad-dtype=fp32"), sent("zero=2 grad-dtype=fp32"));
    // Whole blocks computed again: an input for each of 80 blocks, and three more of one, are on every device.
    let again = |tp: u32| {
        let question = format!("parallel architecture=llama-3.1-70b dp=1 recompute=full tp={tp}");
        value(&question, "activation_bytes_per_gpu")
    };
    let kept = 5_570_035_712.0;
    assert!((again(8) - (kept + (again(1) - kept) / 8.0)).abs() < 1.0);
    // Forward again sends again.
    let reduced = |recompute: &str| {
        let question = format!("parallel architecture=llama-3.1-8b dp=1 tp=8 recompute={recompute}");
        value(&question, "tensor_parallel_bytes")
    };
    assert_eq!(reduced("full"), 1.5 * reduced("none"));
}

#[test]
fn of_a_pipeline_the_stage_that_holds_most_counts() {
    let llama = "parallel architecture=llama-3.1-8b dp=1 flash=on recompute=full";
    let heading = |question: &str| {
        let parts = ask(question).1.parts;
        parts.into_iter().find(|part| part.id == "parts").map(|part| part.title)
    };
    // By hand: two blocks with one norm, and the embedding or the head. 16 bytes for each parameter; the inputs of two
    // blocks of 4096 tokens in 16 bits, and the logits with their gradient in float32.
    let (block, words, norm) = (218_112_000.0, 128_256.0 * 4096.0, 4096.0);
    let input = 4096.0 * 4096.0 * 2.0;
    let last = 16.0 * (2.0 * block + words + norm) + 2.0 * input + 2.0 * input + 8.0 * 4096.0 * 128_256.0;
    for stages in [16, 31] {
        let question = format!("{llama} pp={stages} microbatches=16");
        close(&question, "bytes_per_gpu", last);
        assert_eq!(heading(&question).as_deref(), Some("What a device of the last stage holds"));
    }
    // In the first stage as many microbatches are under way as there are stages.
    let first =
        |microbatches: u32| format!("{llama} pp=16 sequence=32768 batch=8 tp=8 microbatches={microbatches}");
    let grown = value(&first(16), "activation_bytes_per_gpu") - value(&first(8), "activation_bytes_per_gpu");
    assert_eq!(heading(&first(16)).as_deref(), Some("What a device of the first stage holds"));
    assert_eq!(grown, 8.0 * 2.0 * (64.0 * input));
    assert_eq!(value(&first(64), "bytes_per_gpu"), value(&first(16), "bytes_per_gpu"));
    assert_eq!(heading(llama).as_deref(), Some("What a device holds"));
    // Of 58 blocks with experts one stage may have 21, and no block without.
    let mixed = "parallel architecture=deepseek-v3 dp=1 pp=3";
    let experts = 256.0 * 3.0 * 7168.0 * 2048.0;
    assert!(value(mixed, "weight_bytes_per_gpu") > 2.0 * 21.0 * experts);
    // A matrix that embedding and head share is in both stages; Muon moves no head.
    let muon = "parallel architecture=gpt-2 dp=1 pp=12 optimizer=muon master-dtype=none";
    let (block, words) = (12.0 * 768.0 * 768.0, 50_257.0 * 768.0);
    let vectors = 13.0 * 768.0 + 2.0 * 768.0;
    close(muon, "weight_bytes_per_gpu", 2.0 * (block + vectors + words));
    close(muon, "optimizer_bytes_per_gpu", 4.0 * (block + 2.0 * (vectors + words)));
}

#[test]
fn a_split_sequence_is_sent_in_parts() {
    let sent = |name: &str, more: &str| {
        let question = format!("parallel architecture=qwen3-30b-a3b dp=8 ep=8 tp=4 pp=2 zero=1 {more}");
        value(&question, name)
    };
    for name in ["pipeline_bytes", "expert_parallel_bytes"] {
        assert_eq!(sent(name, ""), 4.0 * sent(name, "sp=on"), "{name}");
    }
    assert_eq!(sent("tensor_parallel_bytes", ""), sent("tensor_parallel_bytes", "sp=on"));
}

#[test]
fn fsdp_gathers_two_blocks_and_a_gradient_at_a_time() {
    // By hand: a block of Llama 3.1 70B, all in 16 bits; of Llama 3.1 8B the head is more than a block.
    let block = 2.0 * 8192.0 * (8192.0 + 1024.0) + 3.0 * 8192.0 * 28_672.0 + 2.0 * 8192.0;
    let head: f64 = 128_256.0 * 8192.0;
    assert!(head > block);
    let llama = "parallel architecture=llama-3.1-70b dp=64 zero=3";
    close(llama, "gathered_bytes_per_gpu", 2.0 * (2.0 * head + block));
    close(&format!("{llama} tp=8"), "gathered_bytes_per_gpu", 2.0 * (2.0 * head + block) / 8.0);
    let parts = ["weight", "gradient", "optimizer", "gathered", "activation"];
    let sum: f64 = parts.iter().map(|part| value(llama, &format!("{part}_bytes_per_gpu"))).sum();
    close(llama, "bytes_per_gpu", sum);
    // With experts a block is far more, unless they are spread.
    let (attention, router) = (2048.0 * (2.0 * 4096.0 + 2.0 * 512.0) + 2.0 * 128.0, 128.0 * 2048.0);
    let block = |experts: f64| attention + 2.0 * 2048.0 + router + experts * 3.0 * 2048.0 * 768.0;
    let head = 151_936.0 * 2048.0;
    let qwen = "parallel architecture=qwen3-30b-a3b dp=64 zero=3";
    close(qwen, "gathered_bytes_per_gpu", 6.0 * block(128.0));
    close(&format!("{qwen} ep=64"), "gathered_bytes_per_gpu", 2.0 * (2.0 * head + block(2.0)));
    // Nothing is gathered where every copy has it.
    for question in ["parallel zero=2 dp=64", "parallel zero=3 dp=1"] {
        assert!(ask(question).1.figures().iter().all(|figure| figure.name != "gathered_bytes_per_gpu"));
    }
}

#[test]
fn every_device_has_a_head_of_keys_and_values() {
    // 32 blocks of 4096 tokens with 8 heads of 128 of keys and as many of values, in 16 bits: of 16 devices each keeps a head
    // of both and not half of them.
    let kept = |more: &str| value(&format!("parallel dp=1 flash=on {more}"), "activation_bytes_per_gpu");
    let head = 32.0 * 4096.0 * 2.0 * 128.0 * 2.0;
    for split in ["", "sp=on"] {
        let (one, eight, sixteen) =
            (kept("tp=1"), kept(&format!("tp=8 {split}")), kept(&format!("tp=16 {split}")));
        // From 8 devices to 16 half of what is split goes, but for keys and values.
        let whole = if split.is_empty() { (8.0 * eight - one) / 7.0 } else { 0.0 };
        let expected = whole + (one - whole) / 16.0 + head / 2.0;
        assert!((sixteen - expected).abs() < 2.0, "{split}: {sixteen} is not {expected}");
    }
    assert!(refusal("parallel architecture=llama-3.2-3b tp=3 dp=1").contains("a divisor or a multiple of"));
}
