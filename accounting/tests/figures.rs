//! The lecture's figures, to the last digit.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_accounting::{
    BytesPerSec, Count, DType, Error, FlopPerSec, Gpus, Matmul, Mfu, Params, Peak, Quantity, Sourced,
    Sparsity, Tokens, TrainingTime, Value, hardware, mfu, ridge, time_bound,
};

fn h100(sparsity: Sparsity) -> Peak {
    hardware::device("h100-sxm").unwrap().peak(DType::Bf16, sparsity).unwrap()
}

fn bandwidth() -> Value<BytesPerSec> {
    hardware::device("h100-sxm").unwrap().bandwidth().unwrap().value("bandwidth", "W").unwrap()
}

fn lecture_run(sparsity: Sparsity) -> TrainingTime {
    run(70e9, 15e12, &h100(sparsity), 1024.0).unwrap()
}

fn run(params: f64, tokens: f64, peak: &Peak, gpus: f64) -> Result<TrainingTime, Error> {
    TrainingTime::new(
        &Value::given("params", "N", "parameters", Params::new(params))?,
        &Value::given("tokens", "D", "training tokens", Tokens::new(tokens))?,
        peak,
        &Value::given("mfu", "u", "MFU", Mfu::new(0.5))?,
        &Value::given("gpus", "G", "devices", Gpus::new(gpus))?,
    )
}

fn matmul(b: f64, d: f64, k: f64, dtype: DType) -> Matmul {
    Matmul { b: Count::new(b), d: Count::new(d), k: Count::new(k), dtype }
}

#[test]
fn training_time() {
    let run = lecture_run(Sparsity::Dense);
    assert_eq!(run.total.value, 6.3e24);
    assert_eq!(run.per_day.value, 4.377_231_36e22);
    assert_eq!(run.days.value, 143.926_593_818_426_82);
    assert_eq!(run.gpu_hours.value, 143.926_593_818_426_82 * 24.0 * 1024.0);
    assert_eq!(run.total.to_string(), "6.3e24 FLOP");
    assert_eq!(run.per_day.to_string(), "4.377e22 FLOP/day");
    assert_eq!(run.days.to_string(), "143.9 days");
    assert_eq!(run.gpu_hours.to_string(), "3.537 M GPU-hours");
}

#[test]
fn counting_sparse_flops_as_dense_halves_the_time() {
    let run = lecture_run(Sparsity::Sparse);
    assert_eq!(run.per_day.value, 8.754_462_72e22);
    assert_eq!(run.days.value, 143.926_593_818_426_82 / 2.0);
    assert!(run.days.to_text().contains("P₂ = 2·P"), "{}", run.days.to_text());
}

#[test]
fn products() {
    assert_eq!(matmul(1024.0, 256.0, 64.0, DType::Fp32).flop().unwrap().value, 33_554_432.0);
    let large = matmul(16_384.0, 32_768.0, 8192.0, DType::Bf16);
    assert_eq!(large.flop().unwrap().value, 8_796_093_022_208.0);
    // x is 2³⁰ bytes, w and y are 2²⁹ and 2²⁸.
    assert_eq!(large.bytes().unwrap().value, f64::from((1 << 30) + (1 << 29) + (1 << 28)));
}

#[test]
fn bytes_depend_on_the_dtype() {
    for (dtype, bytes) in
        [(DType::Fp32, 4.0), (DType::Tf32, 4.0), (DType::Bf16, 2.0), (DType::Fp8, 1.0), (DType::Fp4, 0.5)]
    {
        let elements = 3.0 * 17.0 + 17.0 * 65.0 + 3.0 * 65.0;
        assert_eq!(matmul(3.0, 17.0, 65.0, dtype).bytes().unwrap().value, elements * bytes, "{dtype}");
    }
}

#[test]
fn a_square_product_has_an_intensity_of_a_third_of_its_size_in_16_bit() {
    let intensity = matmul(3000.0, 3000.0, 3000.0, DType::Bf16).intensity().unwrap();
    assert_eq!(intensity.value, 1000.0);
    assert_eq!(intensity.to_string(), "1000 FLOP/byte");
}

#[test]
fn a_product_of_nothing_has_no_intensity() {
    let nothing = matmul(0.0, 0.0, 5.0, DType::Fp32);
    assert_eq!(nothing.flop().unwrap().value, 0.0);
    let error = nothing.intensity().unwrap_err().to_string();
    assert!(error.starts_with("arithmetic intensity has no finite value"), "{error}");
}

#[test]
fn h100_ridge() {
    let bandwidth = bandwidth();
    let ridge = ridge(&h100(Sparsity::Dense), &bandwidth).unwrap();
    assert_eq!(ridge.value, 989.5e12 / 3.35e12);
    assert_eq!(ridge.to_string(), "295.4 FLOP/byte");
}

#[test]
fn the_roofline_bounds_small_products_by_memory_and_large_ones_by_arithmetic() {
    let (peak, bandwidth) = (h100(Sparsity::Dense), bandwidth());
    let bound = |n| {
        let product = matmul(n, n, n, DType::Bf16);
        time_bound(&product.flop().unwrap(), &product.bytes().unwrap(), &peak, &bandwidth).unwrap()
    };
    let (small, large) = (bound(512.0), bound(8192.0));
    assert!(!small.is_compute_bound());
    assert_eq!(small.time.value, 3.0 * 512.0 * 512.0 * 2.0 / 3.35e12);
    assert!(large.is_compute_bound());
    assert_eq!(large.time.value, 2.0 * 8192f64.powi(3) / 989.5e12);
}

fn share(actual: f64, promised: f64) -> napkin_accounting::Derived<Mfu> {
    let actual = Value::given("actual", "A", "actual FLOP/s", FlopPerSec::new(actual)).unwrap();
    mfu(&actual, &Peak::new(Sourced::new(FlopPerSec::new(promised), "peak"))).unwrap()
}

#[test]
fn mfu_of_the_lecture() {
    let reached = share(5.4e13, 6.75e13);
    assert_eq!(reached.value, 0.8);
    assert_eq!(reached.quantity().remark(), None);
    let above = share(236e12, 209.5e12);
    assert_eq!(above.to_string(), "1.126");
    assert!(above.quantity().remark().unwrap().contains("rated"));
}

#[test]
fn what_has_no_finite_value_is_an_error_that_names_it() {
    let peak = h100(Sparsity::Dense);
    let error = run(1e200, 1e200, &peak, 8.0).unwrap_err().to_string();
    assert!(error.starts_with("FLOPs of the whole training has no finite value"), "{error}");
    let error = run(-1.0, 1e12, &peak, 8.0).unwrap_err().to_string();
    assert_eq!(error, "params must be finite and not negative; got \"-1\"");
    assert!(run(1.0, 1.0, &peak, 0.0).is_err());
    let still = Value::given("bandwidth", "W", "no memory", BytesPerSec::of(0.0.into())).unwrap();
    assert!(ridge(&peak, &still).is_err());
}
