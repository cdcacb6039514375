//! What a machine's measurements say of themselves, and what expressions may be typed. No duration is asserted.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]

use std::rc::Rc;

use napkin_engine::cpu::Cpu;
use napkin_engine::gpu::{Gpu, GpuOptions};
use napkin_engine::measure::{
    self, Access, Clock, Cost, Limits, Machine, Measured, Options, Probe, Survey, Threads, Timing, expression,
};
use napkin_engine::{DType, Device, Error};
use pollster::block_on;

/// Every device of this machine with what it can be measured by.
fn each_machine(body: impl Fn(&Device, Rc<dyn Probe>)) {
    body(&Device::cpu(), Rc::new(Cpu::new()));
    let gpu = block_on(Gpu::open(GpuOptions::default())).unwrap();
    body(&Device::new(gpu.clone()), Rc::new(gpu));
}

fn options() -> Options {
    Options { memory_bytes: 4 << 20, measurement_secs: 1e-3, ..Options::new("2026-11-21", "a name") }
}

fn check_timing(timing: &Timing, by: Clock, what: &str) {
    assert_eq!(timing.by, by, "{what}");
    assert!(timing.samples >= 1 && timing.runs_per_sample >= 1, "{what}: {timing:?}");
    let Timing { min_secs, median_secs, max_secs, .. } = *timing;
    assert!(0.0 < min_secs && min_secs <= median_secs && median_secs <= max_secs, "{what}: {timing:?}");
    assert!(max_secs.is_finite(), "{what}: {timing:?}");
}

fn check(measured: &Measured, flop: u64, bytes: u64, what: &str) {
    assert_eq!((measured.flop, measured.bytes), (flop, bytes), "{what}");
    check_timing(&measured.fence, Clock::Fence, what);
    if let Some(stamps) = &measured.timestamp {
        check_timing(stamps, Clock::Timestamp, what);
    }
    assert_eq!(measured.best(), measured.timestamp.as_ref().unwrap_or(&measured.fence));
    for (amount, rate) in [(flop, measured.flop_per_sec()), (bytes, measured.bytes_per_sec())] {
        let want = amount as f64 / measured.best().median_secs;
        assert!(rate.is_finite() && (rate - want).abs() <= 1e-12 * want, "{what}: {rate} for {want}");
    }
}

fn survey(device: &Device, probe: Rc<dyn Probe>) -> Machine {
    let mut survey = Survey::new(device, probe, options());
    let mut done = 0;
    while let Some(next) = survey.next() {
        assert_eq!(next.done, done);
        assert!(next.of > done && !next.what.is_empty(), "{next:?}");
        block_on(survey.step()).unwrap();
        done += 1;
    }
    survey.finish()
}

#[test]
fn a_survey_is_complete_and_consistent() {
    each_machine(|device, probe| {
        let (machine, traits) = (survey(device, probe.clone()), probe.traits());
        let of = |what: &str| format!("{device}: {what}");
        assert_eq!(machine.skipped, [], "{device}");
        assert_eq!((machine.format.as_str(), machine.date.as_str()), (measure::FORMAT, "2026-11-21"));
        assert_eq!((machine.adapter.as_str(), machine.threads), ("a name", traits.threads));
        assert!(machine.clock_step_secs > 0.0 && machine.clock_step_secs < 1e-3);
        let is_gpu = machine.device == "gpu";
        assert_eq!(is_gpu, traits.submits);

        for rate in &machine.fma {
            let beside = probe.beside(rate.width) as u64;
            let step = 2 * beside * rate.width as u64;
            assert_eq!(rate.measured.flop % step, 0, "{rate:?}");
            check(&rate.measured, rate.measured.flop, 0, &of(&rate.dtype));
        }
        let kinds = if traits.threads > 1 { 2 } else { 1 };
        assert_eq!(machine.fma.len(), kinds * traits.chains.len(), "{device}");

        assert_eq!(machine.bandwidth.len(), 3 * kinds, "{device}");
        for pass in machine.bandwidth.iter().chain(&machine.caches) {
            let quads = pass.working_set_bytes as usize / 16;
            let bytes = match pass.access {
                Access::Read => pass.working_set_bytes + 4 * probe.sums(quads) as u64,
                // Half of a copy's working set is read, the other half is written.
                Access::Write | Access::Copy => pass.working_set_bytes,
            };
            check(&pass.measured, 0, bytes, &of(pass.access.name()));
        }
        let best = machine.bytes_per_sec(None).unwrap();
        assert!(Access::ALL.iter().all(|&access| machine.bytes_per_sec(Some(access)).unwrap() <= best));

        let sets: Vec<u64> = machine.caches.iter().map(|pass| pass.working_set_bytes).collect();
        assert_eq!(sets.is_empty(), is_gpu);
        assert!(sets.windows(2).all(|pair| pair[1] == 2 * pair[0]), "{sets:?}");
        assert!(machine.caches.iter().all(|p| (p.access, p.threads) == (Access::Read, Threads::One)));

        assert_eq!(machine.transfers.is_empty(), !is_gpu);
        for transfer in &machine.transfers {
            check(&transfer.measured, 0, transfer.measured.bytes, &of("transfer"));
            assert!(transfer.measured.bytes >= 4 && transfer.measured.bytes <= 2 << 20);
        }
        let costs: Vec<Cost> = machine.latencies.iter().map(|latency| latency.cost).collect();
        let all: &[Cost] =
            if is_gpu { &[Cost::RoundTrip, Cost::Submission, Cost::Dispatch] } else { &[Cost::Dispatch] };
        assert_eq!(costs, all, "{device}");
        machine.latencies.iter().for_each(|latency| check(&latency.measured, 0, 0, &of("latency")));

        for product in &machine.products {
            let dtype = DType::from_name(&product.dtype).unwrap();
            let [m, n, k] = [product.m, product.n, product.k].map(|size| size as u64);
            let bytes = (m * k + k * n + m * n) * dtype.size_bytes() as u64;
            check(&product.measured, 2 * m * n * k, bytes, &of(&product.dtype));
            let bound = if dtype == DType::F32 { 1e-5 } else { 1e-2 };
            assert!(product.max_rel_err <= bound, "{product:?}");
        }
        for dtype in ["float32", "float16", "bfloat16"] {
            assert!(machine.product_flop_per_sec(dtype).unwrap() > 0.0, "{device} {dtype}");
            let thin =
                machine.products.iter().filter(|product| product.dtype == dtype && product.m != product.k);
            assert!(thin.count() >= 2, "{device} {dtype}");
        }
        assert_eq!(machine.operations.len(), 12);
        for operation in &machine.operations {
            check(
                &operation.measured,
                operation.measured.flop,
                operation.measured.bytes,
                &operation.expression,
            );
            assert!(operation.measured.bytes > 0 && operation.calls > 0 && !operation.kernels.is_empty());
        }
        let text = serde_json::to_string(&machine).unwrap();
        assert_eq!(serde_json::from_str::<Machine>(&text).unwrap(), machine, "{device}");
    });
}

#[test]
fn a_survey_may_stop_after_any_measurement() {
    each_machine(|device, probe| {
        let mut survey = Survey::new(device, probe, options());
        let before = survey.next().unwrap();
        block_on(survey.step()).unwrap();
        let after = survey.next().unwrap();
        assert_eq!((before.done, after.done, after.of), (0, 1, before.of));
        let machine = survey.finish();
        assert_eq!((machine.fma.len(), machine.products.len()), (1, 0));
        check(&machine.fma[0].measured, machine.fma[0].measured.flop, 0, "alone");
    });
}

fn limits() -> Limits {
    Limits { memory_bytes: 1 << 26, run_secs: 10.0, budget_secs: 1e-3 }
}

/// What the ledger counts: FLOPs of products, and each operand's elements once per kernel.
#[test]
fn expressions_are_run_and_counted() {
    type Case<'a> = (&'a str, &'a [usize], u64, u64, &'a [&'a str]);
    let cases: [Case<'_>; 24] = [
        ("relu(3)", &[3], 0, 2 * 3, &["relu"]),
        ("relu(17x65)", &[17, 65], 0, 2 * 17 * 65, &["relu"]),
        ("  gelu ( [ 5 , 7 ] ) ", &[5, 7], 0, 2 * 35, &["gelu"]),
        ("gelu(5x7, approximate=\"tanh\")", &[5, 7], 0, 2 * 35, &["gelu"]),
        ("[64] + [64]", &[64], 0, 3 * 64, &["add"]),
        ("2 * [64] * 3 ** 2", &[64], 0, 4 * 64, &["mul"]),
        ("8x1 - 1x9", &[8, 9], 0, 8 + 9 + 72, &["sub"]),
        ("pow(8x3, 2)", &[8, 3], 0, 2 * 24, &["pow"]),
        ("maximum(4x4, 4)", &[4, 4], 0, 2 * 16, &["maximum"]),
        ("matmul(3x17, 17x5)", &[3, 5], 2 * 3 * 17 * 5, 51 + 85 + 15, &["mm"]),
        ("3×17 @ 17×5", &[3, 5], 2 * 3 * 17 * 5, 51 + 85 + 15, &["mm"]),
        ("bmm(2x3x4, 2x4x5)", &[2, 3, 5], 2 * 2 * 3 * 4 * 5, 24 + 40 + 30, &["bmm"]),
        ("mv(63x65, 65)", &[63], 2 * 63 * 65, 63 * 65 + 65 + 63, &["mm"]),
        ("dot(1000, 1000)", &[], 2000, 2001, &["mm"]),
        ("einsum(\"b i d, b j d -> b i j\", 2x3x4, 2x5x4)", &[2, 3, 5], 240, 24 + 40 + 30, &["bmm"]),
        ("einsum('bid,bjd->bij', 2x3x4, 2x5x4)", &[2, 3, 5], 240, 24 + 40 + 30, &["bmm"]),
        ("sum(8x16)", &[], 0, 129, &["sum"]),
        ("sum(8x16, dim=-1)", &[8], 0, 128 + 8, &["sum"]),
        ("mean(8x16, dim=0)", &[16], 0, 128 + 16, &["mean"]),
        ("softmax(8x16)", &[8, 16], 0, 256, &["_softmax"]),
        ("rms_norm(8x16)", &[8, 16], 0, 256 + 8, &["_fused_rms_norm"]),
        ("-relu(softmax(4x4 @ 4x4))", &[4, 4], 128, 48 + 32 + 32 + 32, &["mm", "_softmax", "relu", "neg"]),
        ("attention(2x3x4)", &[2, 3, 4], 2 * 2 * 2 * 3 * 3 * 4, 66 + 36 + 66, &["bmm", "_softmax"]),
        (
            "attention(2x3x4, 2x5x4, 2x5x7, is_causal=True)",
            &[2, 3, 7],
            2 * 2 * 3 * 5 * (4 + 7),
            24 + 40 + 30 + 60 + 30 + 70 + 42,
            &["bmm", "_softmax"],
        ),
    ];
    each_machine(|device, _| {
        for (text, shape, flop, elements, kernels) in cases {
            let what = format!("{device}: {text}");
            let done = block_on(expression(device, text, DType::F32, &limits()));
            let done = done.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!((done.expression.as_str(), done.dtype.as_str()), (text.trim(), "float32"));
            assert_eq!(
                (done.shape.as_slice(), done.kernels),
                (shape, kernels.iter().map(|&name| name.to_owned()).collect()),
                "{what}"
            );
            check(&done.measured, flop, 4 * elements, &what);
        }
        let half = block_on(expression(device, "relu(3x5)", DType::F16, &limits())).unwrap();
        check(&half.measured, 0, 2 * 2 * 15, "float16");
    });
}

#[test]
fn what_cannot_be_measured_is_a_sentence() {
    let cases = [
        ("", "expected a shape such as 8x128x64, a number or a function, found the end (at position 0)"),
        ("3", "a number alone has nothing to measure"),
        ("2 + 3 * 4", "a number alone has nothing to measure"),
        ("relu(", "expected a shape such as 8x128x64, a number or a function, found the end (at position 5)"),
        ("relu()", "relu() takes 1 tensor, got 0 (at position 0)"),
        ("relu(3, 4)", "relu() takes 1 tensor, got 2"),
        ("layer_norm(3, 3, 3, 3)", "layer_norm() takes at least 1 and at most 3 tensors, got 4"),
        ("relu(3) relu(3)", "expected an operator or the end, found 'r' (at position 8)"),
        ("relu 3", "relu is a function: it needs parentheses"),
        ("rleu(3)", "there is no function \"rleu\"; did you mean \"relu\"? (at position 0)"),
        ("frobnicate(3)", "there is no function \"frobnicate\"; there are relu, silu"),
        ("relu(1.5)", "relu() takes tensors here: 1.5 is no shape (at position 5)"),
        ("relu(-3)", "relu() takes tensors here: -3 is no shape"),
        ("relu(0x4)", "a tensor without elements has nothing to measure: sizes are above 0"),
        ("relu(0)", "a tensor without elements has nothing to measure"),
        ("relu([4,, 4])", "expected a size, a whole number above 0, found ','"),
        ("relu([4 4])", "expected a comma or a closing bracket, found '4'"),
        ("relu(4x)", "expected a size, a whole number above 0, found ')'"),
        (
            "relu(65536x65536)",
            "a tensor of shape [65536, 65536]: at most 2147483648 elements can be measured (at position 5)",
        ),
        (
            "relu(4294967296x4294967296)",
            "a tensor of shape [4294967296, 4294967296]: at most 2147483648 elements can be measured",
        ),
        ("relu(99999999999999999999x2)", "the size 99999999999999999999 is too large"),
        ("relu(3, dim=1)", "relu() has no option \"dim\": it takes no options (at position 8)"),
        ("softmax(3, axis=1)", "softmax() has no option \"axis\": it takes dim"),
        ("softmax(3, dim=x)", "dim is a whole number such as -1"),
        ("softmax(3x4, dim=2)", "Dimension out of range (expected to be in range of [-2, 1], but got 2)"),
        ("attention(3x4, is_causal=1)", "is_causal is True or False"),
        ("gelu(3, approximate=\"sigmoid\")", "approximate is \"none\" or \"tanh\""),
        ("einsum(3x4)", "einsum() needs a pattern in quotes"),
        ("einsum(\"ij->i, 3x4)", "a text ends with the quote that it begins with"),
        ("einsum(\"i j -> k\", 3x4)", "k"),
        ("relu(\"ij\", 3)", "relu() takes no text here"),
        ("(3x4", "expected an operator or a closing parenthesis, found the end"),
        ("3x4 @ 5x6", "mat1 and mat2 shapes cannot be multiplied (3x4 and 5x6)"),
        ("3x4 @ 2", "matmul: takes tensors, and 2 is a number"),
        ("3x4 + 5x6", "The size of tensor a (4) must match the size of tensor b (6)"),
        ("2 ** 3x4", "the base of ** is a tensor"),
        ("1e999 * 3x4", "\"1e999\" is no finite number"),
        ("mv(3x4, 5)", "size mismatch, got input (3), mat (3x4), vec (5)"),
        ("3x4 & 3x4", "expected an operator or the end, found '&'"),
        (
            "[8192, 1] + [1, 8192]",
            "cannot allocate 268.4 MB for a tensor of shape [8192, 8192], torch.float32 on ",
        ),
        ("relu(8192x8192)", "cannot allocate 268.4 MB on this device: an expression may take 67.11 MB here"),
        (
            "attention(1073741824x1)",
            "cannot allocate 4.295 GB on this device: an expression may take 67.11 MB here",
        ),
    ];
    each_machine(|device, _| {
        let fails = |text: &str, limits: &Limits| {
            let error = block_on(expression(device, text, DType::F32, limits));
            error.err().unwrap_or_else(|| panic!("{device}: {text} is no error")).to_string()
        };
        for (text, sentence) in cases {
            let error = fails(text, &limits());
            assert!(error.contains(sentence), "{device}: {text}: {error}");
        }
        let deep = format!("{}3x4{}", "(".repeat(100), ")".repeat(100));
        assert!(fails(&deep, &limits()).contains("nested deeper than 32 levels"));
        assert!(fails(&"2**".repeat(100), &limits()).contains("nested deeper than 32 levels"));
        assert!(fails(&"relu(3)+".repeat(1000), &limits()).contains("longer than 1000 bytes"));
        let soon = Limits { run_secs: 1e-9, ..limits() };
        let error = fails("matmul(512x512, 512x512)", &soon);
        assert!(error.contains("would take about") && error.contains("matmul(512x512, 512x512)"), "{error}");
        let whole = block_on(expression(device, "softmax(3)", DType::I64, &limits()));
        assert!(matches!(whole, Err(Error::NotImplemented { .. })), "{whole:?}");
        // What was refused has left nothing behind.
        assert_eq!(device.ledger().totals().allocated_bytes, 0, "{device}");
    });
}

/// Letters that were typed by a cat: errors, never a panic.
#[test]
fn no_text_panics() {
    let pieces = [
        "relu", "(", ")", "[", "]", ",", "3", "3x4", "x", "×", "*", "**", "-", "+", "@", "\"", "dim=", "é",
        "1e", ".", " ",
    ];
    let mut state = 1u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..8 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text += pieces[(state >> 33) as usize % pieces.len()];
        }
        let tiny = Limits { memory_bytes: 1, ..limits() };
        assert!(block_on(expression(&Device::cpu(), &text, DType::F32, &tiny)).is_err(), "{text}");
    }
}
