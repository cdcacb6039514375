//! The browser's own kernels: SIMD128 on the CPU, WebGPU through the browser. Runs in Chromium.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops at the first fault")]

use std::rc::Rc;

use napkin_engine::cpu::Cpu;
use napkin_engine::gpu::{Gpu, GpuOptions};
use napkin_engine::measure::{Machine, Options, Probe, Survey};
use napkin_engine::random::{Generator, Philox};
use napkin_engine::{DType, Device, Result, Scalar, Tensor};
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// (m, k, n): nothing at all, less than a tile, a tile and a bit, several tiles.
const SHAPES: [(usize, usize, usize); 9] = [
    (0, 3, 5),
    (3, 0, 5),
    (1, 1, 1),
    (3, 17, 2),
    (17, 3, 63),
    (64, 64, 64),
    (63, 65, 127),
    (65, 129, 17),
    (129, 127, 130),
];

/// Compares products, plain and of transposes, with f64: |error| <= 2 k eps (|A||B|), and never NaN.
async fn check_products(device: &Device) {
    for (m, k, n) in SHAPES {
        let mut generator = Generator::new(7);
        let (a, b) = (generator.randn(m * k), generator.randn(k * n));
        let x = Tensor::from_slice(&a, &[m, k], DType::F32, device).unwrap();
        let y = Tensor::from_slice(&b, &[k, n], DType::F32, device).unwrap();
        let product = x.matmul(&y).unwrap().to_vec().await.unwrap();
        assert_eq!(product.len(), m * n);
        let swapped = y.transpose(0, 1).unwrap().matmul(&x.transpose(0, 1).unwrap()).unwrap();
        let swapped = swapped.to_vec().await.unwrap();
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let terms = (0..k).map(|p| f64::from(a[i * k + p]) * f64::from(b[p * n + j]));
            let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), t| (sum + t, size + t.abs()));
            let bound = 2.0 * k as f64 * f64::from(f32::EPSILON) * size;
            for got in [product[i * n + j], swapped[j * m + i]] {
                let error = (f64::from(got) - sum).abs();
                assert!(error <= bound, "{device}, ({m}, {k}) @ ({k}, {n}) at ({i}, {j}): {got} for {sum}");
            }
        }
    }
}

#[wasm_bindgen_test]
async fn simd_products_match_f64() {
    check_products(&Device::cpu()).await;
}

#[wasm_bindgen_test]
async fn webgpu_products_match_f64() {
    let gpu = Gpu::open(GpuOptions::default()).await.expect("Chromium runs with SwiftShader here");
    check_products(&Device::new(gpu)).await;
}

/// One of each other kernel: whole numbers of 64 bits, indices, order, running sums, random numbers, functions.
fn results(device: &Device) -> Result<Vec<Tensor>> {
    let whole: Vec<Scalar> = (0..600).map(|i| Scalar::Int((i - 300) * 0x1234_5678_9abc)).collect();
    let whole = Tensor::from_scalars(&whole, &[20, 30], DType::I64, device)?;
    let real = Tensor::from_slice(&Generator::new(3).randn(2400), &[600, 4], DType::F32, device)?;
    real.set_requires_grad(true)?;
    let rows: Vec<Scalar> = (0..50).map(|i| Scalar::Int(i * i % 13)).collect();
    let rows = Tensor::from_scalars(&rows, &[50], DType::I64, device)?;
    real.embedding(&rows)?.to_dtype(DType::BF16)?.sum()?.backward()?;
    let (sorted, places) = real.detach().sort(0, true)?;
    let mut generator = Philox::new(1 << 40);
    let gradient = real.grad().into_iter();
    Ok([
        whole.mul(&whole)?.sub(7)?,
        whole.floor_divide(-1001)?,
        whole.remainder(1i64 << 33)?.to_dtype(DType::I32)?,
        whole.gt(5)?,
        whole.to_dtype(DType::F32)?,
        whole.sum_dims(&[1], false)?,
        whole.matmul(&whole.transpose(0, 1)?)?,
        whole.to_dtype(DType::U8)?.pow(3)?,
        sorted,
        places,
        real.detach().argmin(Some(0), true)?,
        real.detach().reshape(&[-1])?.cumsum(0)?,
        generator.rand(&[1000], device)?,
        generator.randn(&[1000], device)?,
        real.detach().mul(1e4)?.sin()?,
        real.detach().mul(1e3)?.remainder(0.1)?,
        real.detach().abs()?.pow(1.7)?,
        real.detach().exp()?,
    ]
    .into_iter()
    .chain(gradient)
    .collect())
}

#[wasm_bindgen_test]
async fn webgpu_computes_what_the_cpu_does() {
    let gpu = Gpu::open(GpuOptions::default()).await.expect("Chromium runs with SwiftShader here");
    let (here, there) = (results(&Device::new(gpu)).unwrap(), results(&Device::cpu()).unwrap());
    assert_eq!((here.len(), there.len()), (19, 19));
    for (i, (got, want)) in here.iter().zip(&there).enumerate() {
        let (got, want) = (got.to_scalars().await.unwrap(), want.to_scalars().await.unwrap());
        let same = |(got, want): (&Scalar, &Scalar)| match (got, want) {
            (Scalar::Float(got), Scalar::Float(want)) => (got - want).abs() <= 1e-5 * want.abs().max(10.0),
            _ => got == want,
        };
        assert!(
            got.len() == want.len() && got.iter().zip(&want).all(same),
            "result {i}: {got:?}, not {want:?}"
        );
    }
}

#[wasm_bindgen_test]
async fn webgpu_reports_indices_out_of_bounds() {
    let gpu =
        Device::new(Gpu::open(GpuOptions::default()).await.expect("Chromium runs with SwiftShader here"));
    let table = Tensor::ones(&[3, 4], DType::F32, &gpu).unwrap();
    let index = Tensor::from_scalars(&[Scalar::Int(1), Scalar::Int(3)], &[2], DType::I64, &gpu).unwrap();
    let error = table.embedding(&index).unwrap().to_vec().await.unwrap_err().to_string();
    assert!(error.contains("index 3 is out of bounds for dimension 0 with size 3"), "{error}");
}

/// Everything there is to measure, with the browser's clock.
async fn survey(device: &Device, probe: Rc<dyn Probe>) -> Machine {
    let options =
        Options { memory_bytes: 16 << 20, measurement_secs: 0.01, ..Options::new("today", "Chromium") };
    let mut survey = Survey::new(device, probe, options);
    while let Some(next) = survey.next() {
        survey.step().await.unwrap_or_else(|error| panic!("{}: {error}", next.what));
    }
    survey.finish()
}

fn check_machine(machine: &Machine) {
    assert_eq!(machine.skipped, [], "{machine:?}");
    let rates = machine.fma.iter().map(|rate| rate.measured.flop_per_sec());
    let rates = rates.chain(machine.products.iter().map(|product| product.measured.flop_per_sec()));
    let rates = rates.chain(machine.bandwidth.iter().map(|pass| pass.measured.bytes_per_sec()));
    let rates: Vec<f64> =
        rates.chain(machine.operations.iter().map(|o| o.measured.bytes_per_sec())).collect();
    assert!(rates.iter().all(|rate| rate.is_finite() && *rate > 0.0), "{machine:?}");
    console_log!(
        "{}, {}: {:.3e} FLOP/s in products, {:.3e} bytes/s, clock {:.0e} s",
        machine.device,
        machine.driver,
        machine.product_flop_per_sec("float32").unwrap(),
        machine.bytes_per_sec(None).unwrap(),
        machine.clock_step_secs
    );
}

#[wasm_bindgen_test]
async fn the_processor_is_measured() {
    check_machine(&survey(&Device::cpu(), Rc::new(Cpu::new())).await);
}

#[wasm_bindgen_test]
async fn the_gpu_is_measured() {
    let gpu = Gpu::open(GpuOptions::default()).await.expect("Chromium runs with SwiftShader here");
    check_machine(&survey(&Device::new(gpu.clone()), Rc::new(gpu)).await);
}

/// Parameters beyond the 4 GiB of a browser's memory, which `meta` only counts.
#[wasm_bindgen_test]
fn a_model_on_meta_may_be_larger_than_memory() {
    let device = Device::meta();
    let embedding = Tensor::zeros(&[128_256, 16_384], DType::F32, &device).unwrap();
    let twice = embedding.add(&embedding).unwrap();
    assert_eq!((twice.numel(), twice.storage_bytes()), (2_101_346_304, 8_405_385_216));
    let totals = device.ledger().totals();
    assert_eq!((totals.allocated_bytes, totals.written_bytes), (2 * 8_405_385_216, 2 * 8_405_385_216));
    let refused = |device| Tensor::empty(&[128_256, 16_384], DType::F32, device).unwrap_err().to_string();
    assert!(refused(&Device::cpu()).contains(
        "cannot allocate 8.405 GB for a tensor of shape [128256, 16384], torch.float32 on cpu: one block of a"
    ));
    let too_many = Tensor::empty(&[1 << 16, 1 << 15], DType::F32, &device).unwrap_err().to_string();
    assert!(
        too_many.contains("a tensor of shape [65536, 32768] has 2^31 elements or more, 8.59 GB in float32")
    );
}
