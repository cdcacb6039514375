//! Operations of the engine, timed as they are: what they cost by the clock, and what the ledger counts meanwhile.

use super::evaluate::compute;
use super::expression::{self, Parsed};
use super::record::{Measured, Operation};
use super::timing::time;
use crate::autograd::no_grad;
use crate::backend::{Backend, Operand};
use crate::ledger::Totals;
use crate::meta::Meta;
use crate::program::{Binary, Compute, Program};
use crate::random::Philox;
use crate::size::written;
use crate::{DType, Device, Error, Layout, Result, Tensor};

/// What an expression may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Bytes of all its tensors together, at their peak.
    pub memory_bytes: u64,
    /// Seconds of one run, estimated before it is begun: what has begun on a GPU cannot be stopped.
    pub run_secs: f64,
    /// Seconds of all samples, about.
    pub budget_secs: f64,
}

impl Default for Limits {
    /// A quarter of a gigabyte, and what nobody minds to wait for.
    fn default() -> Self {
        Self { memory_bytes: 1 << 28, run_secs: 1.0, budget_secs: 0.2 }
    }
}

/// Times an expression such as `einsum("b i d, b j d -> b i j", 8x128x64, 8x128x64)` or `gelu([4096] * 2)` on a
/// device. Each shape is a tensor of `dtype` with normal random numbers, which PyTorch's functions are applied to;
/// only these are timed.
///
/// # Errors
/// A sentence that names the argument and the rule: what cannot be read, what PyTorch refuses, what exceeds the
/// limits; or the device's own.
pub async fn expression(device: &Device, text: &str, dtype: DType, limits: &Limits) -> Result<Operation> {
    let planned = Planned::new(text, dtype, limits)?;
    let speed = Speed::measure(device.backend(), &planned.counted).await?;
    planned.run(device, limits, speed).await
}

/// An expression that can be run, with what the ledger counts where nothing is allocated or computed: PyTorch's
/// errors, and those of memory, come before anything is done.
pub(super) struct Planned<'a> {
    text: &'a str,
    parsed: Parsed,
    dtype: DType,
    counted: Totals,
    kernels: Vec<String>,
}

impl<'a> Planned<'a> {
    pub(super) fn new(text: &'a str, dtype: DType, limits: &Limits) -> Result<Self> {
        let parsed = expression::parse(text)?;
        let device = Device::new(Meta);
        let rule = format!("an expression may take {} here", written(limits.memory_bytes.into()));
        let refuse = |bytes: u128| Error::out_of_memory(bytes, "this device", &*rule);
        let numel = |shape: &Vec<usize>| shape.iter().map(|&size| size as u128).product::<u128>();
        let bytes = parsed.shapes.iter().map(numel).sum::<u128>() * dtype.size_bytes() as u128;
        if bytes > limits.memory_bytes.into() {
            return Err(refuse(bytes));
        }
        let inputs = parsed.shapes.iter().map(|shape| Tensor::empty(shape, dtype, &device));
        let inputs = inputs.collect::<Result<Vec<_>>>()?;
        no_grad(|| compute(&parsed.expr, &inputs, limits.memory_bytes))?;
        let (counted, operations) = (device.ledger().totals(), device.ledger().by_operation());
        if counted.peak_bytes > limits.memory_bytes {
            return Err(refuse(counted.peak_bytes.into()));
        }
        let kernels = operations.iter().map(|operation| operation.name.to_owned()).collect();
        Ok(Self { text: text.trim(), parsed, dtype, counted, kernels })
    }

    /// Runs it on a device that is about so fast.
    pub(super) async fn run(self, device: &Device, limits: &Limits, speed: Speed) -> Result<Operation> {
        let Self { text, parsed, dtype, counted, kernels } = self;
        let expected = speed.secs(&counted);
        if expected > limits.run_secs {
            let most = limits.run_secs;
            let message = format!(
                "{text} would take about {expected:.1} s here, and an expression may run for {most} s"
            );
            return Err(Error::Value { op: "measure", message });
        }
        let mut random = Philox::new(1);
        let mut input = |shape: &Vec<usize>| random.randn(shape, device)?.to_dtype(dtype);
        let inputs = parsed.shapes.iter().map(&mut input).collect::<Result<Vec<_>>>()?;
        let once = || no_grad(|| compute(&parsed.expr, &inputs, limits.memory_bytes));
        let ledger = device.ledger();
        let before = ledger.totals();
        let shape = once()?.shape().to_vec();
        let after = ledger.totals();
        let (fence, timestamp) = time(device.backend(), limits.budget_secs, &mut || once().map(drop)).await?;
        Ok(Operation {
            expression: text.to_owned(),
            dtype: dtype.name().to_owned(),
            shape,
            kernels,
            calls: after.ops - before.ops,
            measured: Measured {
                flop: after.matmul_flops - before.matmul_flops,
                bytes: moved(&after) - moved(&before),
                fence,
                timestamp,
            },
        })
    }
}

fn moved(totals: &Totals) -> u64 {
    totals.read_bytes + totals.written_bytes
}

/// About how fast a device is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speed {
    pub(super) flop_per_sec: f64,
    pub(super) bytes_per_sec: f64,
}

impl Speed {
    /// Measured by growing work, since small work measures launching, but by no more than was counted: what is
    /// itself done in no time needs no expectation.
    async fn measure(device: &dyn Backend, counted: &Totals) -> Result<Self> {
        let flop_per_sec = matmul_flop_per_sec(device, counted.matmul_flops as f64).await?;
        let mut bytes_per_sec = f64::INFINITY;
        for n in [256usize, 1024, 4096] {
            let bytes = 3 * n * n * size_of::<f32>();
            if bytes as u64 > moved(counted) || is_long(bytes as f64 / bytes_per_sec) {
                break;
            }
            let add = Program::binary(Compute::F32, Binary::Add);
            let secs = Self::secs_of(device, n, |[a, b, out]| device.map(&add, &[a, b], out)).await?;
            bytes_per_sec = bytes as f64 / secs;
        }
        Ok(Self { flop_per_sec, bytes_per_sec })
    }

    /// Seconds of one run over three square float32 matrices.
    async fn secs_of(
        device: &dyn Backend,
        n: usize,
        run: impl Fn([Operand<'_>; 3]) -> Result<()>,
    ) -> Result<f64> {
        let layout = Layout::contiguous(&[n, n])?;
        let [a, b, out] = [(); 3].map(|()| device.allocate(layout.numel() * size_of::<f32>()));
        let (a, b, out) = (a?, b?, out?);
        let operands =
            [&a, &b, &out].map(|storage| Operand { storage: &**storage, layout: &layout, dtype: DType::F32 });
        for operand in operands {
            device.map(&Program::fill(0.5.into(), DType::F32), &[], operand)?;
        }
        let (timing, _) = time(device, 0.0, &mut || run(operands)).await?;
        Ok(timing.median_secs.max(1e-9))
    }

    fn secs(&self, counted: &Totals) -> f64 {
        counted.matmul_flops as f64 / self.flop_per_sec + moved(counted) as f64 / self.bytes_per_sec
    }
}

/// About how fast a device multiplies float32 matrices, for a product of so many FLOPs.
///
/// # Errors
/// If memory does not suffice or the device fails.
pub async fn matmul_flop_per_sec(device: &dyn Backend, most_flop: f64) -> Result<f64> {
    let mut flop_per_sec = f64::INFINITY;
    for n in [128usize, 512, 2048] {
        let flop = 2.0 * (n as f64).powi(3);
        if flop > most_flop || is_long(flop / flop_per_sec) {
            break;
        }
        flop_per_sec = flop / Speed::secs_of(device, n, |[a, b, out]| device.matmul(a, b, out)).await?;
    }
    Ok(flop_per_sec)
}

/// Whether work takes long enough to tell how fast a device is.
fn is_long(secs: f64) -> bool {
    secs > 0.02
}
