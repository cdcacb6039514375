//! Timed products: refused where they would take too long, tuned for where they run on the GPU.

use std::rc::Rc;

use napkin_engine::backend::{Backend, Operand, Storage};
use napkin_engine::{DType, Error, Layout, Result, bench};
use napkin_notebook::{BenchResult, BenchSpec, MatmulSpec, MatmulTiming, fill};

use crate::clock::now_secs;
use crate::devices::{Hardware, explain};

/// Time for the samples of one measurement.
const BUDGET_SECS: f64 = 1.0;
/// A single product that is expected to take longer is refused: nothing can stop it but ending the worker.
const LONGEST_SECS: f64 = 5.0;
/// Products up to this long are worth trying with every kernel.
const TUNABLE_SECS: f64 = 0.3;
/// A sample of the benchmark lasts about this long, as those of the libraries it is compared with.
const SAMPLE_SECS: f64 = 0.06;

/// Times a product of random matrices.
///
/// # Errors
/// A sentence: sizes or dtype that cannot be, a product that would take too long, a device that fails.
pub async fn time_matmul(hardware: &Hardware, spec: MatmulSpec) -> Result<MatmulTiming, String> {
    let dtype =
        DType::from_name(&spec.dtype).ok_or_else(|| format!("There is no dtype named {:?}.", spec.dtype))?;
    let device = hardware.device(spec.device)?;
    let (m, n, k) = (spec.m, spec.n, spec.k);
    let timing = async {
        let product = bench::MatmulSpec { m, n, k, dtype };
        let expected_secs = product.flop() / flop_per_sec(device.backend(), product.flop()).await?;
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
            hardware.tune(spec.device, (m, n, k), dtype).await?;
        }
        bench::matmul(device.backend(), product, BUDGET_SECS).await
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
///
/// # Errors
/// As [`time_matmul`].
pub async fn bench_matmul(hardware: &Hardware, spec: BenchSpec) -> Result<(BenchResult, Vec<f32>), String> {
    let device = hardware.device(spec.device)?;
    let n = spec.n;
    let timed = async {
        hardware.tune(spec.device, (n, n, n), DType::F32).await?;
        let square = Square::new(device.backend(), n, &fill(n * n, spec.seed_a), &fill(n * n, spec.seed_b))?;
        square.secs(2).await?;
        let products = (SAMPLE_SECS / square.secs(1).await?.max(1e-6)).clamp(1.0, 10_000.0);
        let secs = square.secs(products as usize).await?;
        let bytes = device.backend().download(&*square.product).await?;
        let product = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let result =
            BenchResult { ms: secs * 1e3, kernel: square.kernel(), adapter: device.backend().name() };
        Ok((result, product))
    };
    timed.await.map_err(|error: Error| explain(spec.device, &error))
}

/// About how fast the device multiplies: measured on growing products, since small ones measure launching.
async fn flop_per_sec(device: &dyn Backend, flop: f64) -> Result<f64> {
    const LONG_ENOUGH_SECS: f64 = 0.02;
    let mut rate = f64::INFINITY;
    for n in [128, 512, 2048] {
        let work = 2.0 * (n as f64).powi(3);
        // What is itself done in no time needs no expectation.
        if work > flop {
            break;
        }
        let ones = vec![1.0; n * n];
        let square = Square::new(device, n, &ones, &ones)?;
        square.secs(1).await?;
        let secs = square.secs(1).await?.max(1e-6);
        rate = work / secs;
        if secs > LONG_ENOUGH_SECS {
            break;
        }
    }
    Ok(rate)
}

/// A product of square f32 matrices, ready to run.
struct Square<'a> {
    device: &'a dyn Backend,
    layout: Layout,
    a: Rc<dyn Storage>,
    b: Rc<dyn Storage>,
    product: Rc<dyn Storage>,
}

impl<'a> Square<'a> {
    fn new(device: &'a dyn Backend, n: usize, a: &[f32], b: &[f32]) -> Result<Self> {
        let upload = |values: &[f32]| {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            device.upload(&bytes)
        };
        Ok(Self {
            device,
            layout: Layout::contiguous(&[n, n])?,
            a: upload(a)?,
            b: upload(b)?,
            product: device.allocate(n * n * size_of::<f32>())?,
        })
    }

    fn operands(&self) -> [Operand<'_>; 3] {
        [&self.a, &self.b, &self.product].map(|storage| Operand {
            storage: &**storage,
            layout: &self.layout,
            dtype: DType::F32,
        })
    }

    fn kernel(&self) -> String {
        let [a, b, out] = self.operands();
        self.device.matmul_kernel(a, b, out)
    }

    /// Seconds per product of so many queued at once, until the last is done.
    async fn secs(&self, products: usize) -> Result<f64> {
        let [a, b, out] = self.operands();
        let start_secs = now_secs();
        for _ in 0..products {
            self.device.matmul(a, b, out)?;
        }
        self.device.synchronize().await?;
        Ok((now_secs() - start_secs) / products as f64)
    }
}

#[cfg(test)]
mod tests {
    use napkin_notebook::DeviceKind;
    use pollster::block_on;

    use super::*;

    fn spec(m: usize, n: usize, k: usize, dtype: &str) -> MatmulSpec {
        MatmulSpec { device: DeviceKind::Cpu, m, n, k, dtype: dtype.into() }
    }

    #[test]
    fn products_are_timed_and_checked() {
        let hardware = Hardware::without_gpu("the address says device=cpu");
        let timing = block_on(time_matmul(&hardware, spec(65, 17, 33, "float32"))).unwrap();
        assert!(timing.median_secs > 0.0 && timing.min_secs <= timing.median_secs, "{timing:?}");
        assert!(timing.max_rel_err < 1e-5, "{timing:?}");
    }

    #[test]
    fn what_cannot_be_timed_is_a_sentence() {
        let hardware = Hardware::without_gpu("the address says device=cpu");
        let refused = |spec| block_on(time_matmul(&hardware, spec)).unwrap_err();
        assert!(refused(spec(0, 1, 1, "float32")).contains("m = 0"));
        assert!(refused(spec(1, 1, 1, "float99")).contains("float99"));
        assert!(refused(spec(1 << 15, 1 << 15, 1 << 17, "float32")).contains("would take about"));
        let gpu = MatmulSpec { device: DeviceKind::Gpu, ..spec(1, 1, 1, "float32") };
        assert!(refused(gpu).contains("device=cpu"));
    }

    #[test]
    fn the_benchmark_multiplies_what_fill_makes() {
        let hardware = Hardware::without_gpu("the address says device=cpu");
        let n = 17;
        let bench = BenchSpec { device: DeviceKind::Cpu, n, seed_a: 1, seed_b: 2 };
        let (result, product) = block_on(bench_matmul(&hardware, bench)).unwrap();
        assert!(result.ms > 0.0 && !result.kernel.is_empty(), "{result:?}");
        let (a, b) = (fill(n * n, 1), fill(n * n, 2));
        for (at, got) in product.iter().enumerate() {
            let (i, j) = (at / n, at % n);
            let want: f64 = (0..n).map(|p| f64::from(a[i * n + p]) * f64::from(b[p * n + j])).sum();
            assert!((f64::from(*got) - want).abs() < 1e-5, "{at}: {got} for {want}");
        }
    }
}
