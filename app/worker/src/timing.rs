//! Timed products: refused where they would take too long, tuned for where they run on the GPU.

use napkin_engine::backend::Operand;
use napkin_engine::measure::matmul_flop_per_sec;
use napkin_engine::{DType, Error, Layout, Result, bench};
use napkin_trace::{BenchResult, DeviceKind, MatmulSpec, MatmulTiming};
use web_time::Instant;

use crate::devices::{Hardware, explain};

/// Time for the samples of one measurement.
const BUDGET_SECS: f64 = 1.0;
/// A single product that is expected to take longer is refused: nothing can stop it but ending the worker.
const LONGEST_SECS: f64 = 5.0;
/// Products up to this long are worth trying with every kernel.
const TUNABLE_SECS: f64 = 0.3;
/// A sample of the benchmark lasts about this long, as those of the libraries it is compared with.
const SAMPLE_SECS: f64 = 0.06;

/// The dtype of that name in PyTorch.
pub fn dtype(name: &str) -> Result<DType, String> {
    DType::from_name(name).ok_or_else(|| format!("There is no dtype named {name:?}."))
}

/// Times a product of random matrices. It is refused with a sentence: sizes or dtype that cannot be, a product that would
/// take too long, a device that fails.
pub async fn time_matmul(hardware: &Hardware, spec: MatmulSpec) -> Result<MatmulTiming, String> {
    let dtype = dtype(&spec.dtype)?;
    let device = hardware.probe(spec.device)?;
    let (m, n, k) = (spec.m, spec.n, spec.k);
    let timing = async {
        let product = bench::MatmulSpec { m, n, k, dtype };
        let expected_secs = product.flop() / matmul_flop_per_sec(&*device, product.flop()).await?;
        if expected_secs > LONGEST_SECS {
            return Err(Error::Value {
                op: "bench",
                message: format!(
                    "this product would take about {expected_secs:.0} s here, more than the {LONGEST_SECS} s that \
                     one may take"
                ),
            });
        }
        if expected_secs < TUNABLE_SECS {
            device.tune([m, n, k], dtype).await?;
        }
        bench::matmul(&*device, product, BUDGET_SECS).await
    };
    let timing = timing.await.map_err(|error| explain(spec.device, &error))?;
    Ok(MatmulTiming {
        spec,
        adapter: timing.device,
        kernel: timing.kernel,
        median_secs: timing.fence.median_secs,
        min_secs: timing.fence.min_secs,
        timestamp_median_secs: timing.timestamp.map(|stamps| stamps.median_secs),
        max_rel_err: timing.max_rel_err,
    })
}

/// Times the product of two reproducible square matrices, and gives it.
pub async fn bench_matmul(
    hardware: &Hardware,
    kind: DeviceKind,
    n: usize,
    seeds: [u32; 2],
) -> Result<BenchResult, String> {
    let device = hardware.probe(kind)?;
    let timed = async {
        device.tune([n, n, n], DType::F32).await?;
        let layout = Layout::contiguous(&[n, n])?;
        let bytes = |seed| fill(n * n, seed).flat_map(f32::to_le_bytes).collect::<Vec<u8>>();
        let (a, b) = (device.upload(&bytes(seeds[0]))?, device.upload(&bytes(seeds[1]))?);
        let product = device.allocate(n * n * size_of::<f32>())?;
        let [a, b, out] =
            [&*a, &*b, &*product].map(|storage| Operand { storage, layout: &layout, dtype: DType::F32 });
        // Seconds per product of so many queued at once, until the last is done.
        let secs_of = async |products: usize| {
            let start = Instant::now();
            for _ in 0..products {
                device.matmul(a, b, out)?;
            }
            device.synchronize().await?;
            Ok::<_, Error>(start.elapsed().as_secs_f64() / products as f64)
        };
        secs_of(2).await?;
        let products = (SAMPLE_SECS / secs_of(1).await?.max(1e-6)).clamp(1.0, 10_000.0);
        let secs = secs_of(products as usize).await?;
        let kernel = device.matmul_kernel(a, b, out);
        let product = device.download(&*product).await?;
        Ok(BenchResult { ms: secs * 1e3, kernel, adapter: device.name(), product })
    };
    timed.await.map_err(|error: Error| explain(kind, &error))
}

/// `len` reproducible values in [−1, 1): mulberry32 started at `seed`, each 32-bit output divided by 2³².
///
/// Source: mulberry32 by Tommy Ettinger (2017, public domain), the generator that browser benchmarks use, so that the
/// same matrices can be made in JavaScript.
pub fn fill(len: usize, seed: u32) -> impl Iterator<Item = f32> {
    let mut state = seed;
    let next = move || {
        state = state.wrapping_add(0x6d2b_79f5);
        let mut t = (state ^ (state >> 15)).wrapping_mul(state | 1);
        t ^= t.wrapping_add((t ^ (t >> 7)).wrapping_mul(t | 61));
        // The last rounding is the one to f32, as storing into a Float32Array does.
        (f64::from(t ^ (t >> 14)) / 4_294_967_296.0 * 2.0 - 1.0) as f32
    };
    std::iter::repeat_with(next).take(len)
}
