//! All measurements of a device, one after the other: who asks for them shows what comes, and may stop after each.

use std::collections::VecDeque;
use std::rc::Rc;

use super::operation::{Limits, Planned, Speed};
use super::probe::{Access, Probe, Threads, Traits};
use super::record::{Cost, Direction, FORMAT, Machine, Measured, Product, Skipped};
use super::timing::clock_step_secs;
use super::{link, peak};
use crate::bench::{self, MatmulSpec};
use crate::{DType, Device, Error, Result};

/// Square products, from what caches hold to what fills a large device.
const SIZES: [usize; 6] = [128, 256, 512, 1024, 2048, 4096];

/// Products `(m, k) @ (k, n)` as `[m, n, k]` that do little with each byte: one token, a few tokens, a low rank.
const THIN: [[usize; 3]; 3] = [[1, 2048, 2048], [16, 2048, 2048], [2048, 2048, 16]];

/// What products are stored in.
const DTYPES: [DType; 3] = [DType::F32, DType::F16, DType::BF16];

/// A run that is expected to take longer is left out, and larger ones with it.
const LONGEST_RUN_SECS: f64 = 0.1;

/// Bytes of a transfer.
const TRANSFERS: [usize; 5] = [4, 4 << 10, 256 << 10, 4 << 20, 64 << 20];

/// The smallest working set that is read, as the first level of no cache is smaller.
const SMALLEST_SET: u64 = 16 << 10;

/// What the caller knows and wants.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Today: `2026-11-21`.
    pub date: String,
    /// The name of the processor or of the adapter.
    pub adapter: String,
    /// Memory that measurements may take at a time, in bytes: far more than caches hold, and less than is free.
    pub memory_bytes: u64,
    /// Seconds of samples in each measurement, about.
    pub measurement_secs: f64,
}

impl Options {
    /// What a machine of today can give: some 70 measurements of 0.06 s and what they need beside samples.
    #[must_use]
    pub fn new(date: impl Into<String>, adapter: impl Into<String>) -> Self {
        Self { date: date.into(), adapter: adapter.into(), memory_bytes: 1 << 30, measurement_secs: 0.06 }
    }
}

/// One measurement.
#[derive(Clone)]
enum Step {
    Fma(DType, usize, Threads),
    Bandwidth(Access, Threads),
    Cache(u64),
    Transfer(Direction, usize),
    Latency(Cost),
    Product([usize; 3], DType),
    Operation(Sketch, DType),
}

/// An operation whose size depends on how fast the device is.
type Sketch = fn(usize) -> String;

/// The lecture's operations, over `n × n` elements where n fits the device's memory.
const OPERATIONS: [Sketch; 12] = [
    |n| format!("relu({n}x{n})"),
    |n| format!("add({n}x{n}, {n}x{n})"),
    |n| format!("gelu({n}x{n})"),
    |n| format!("sum({n}x{n})"),
    |n| format!("dot({}, {})", n * n, n * n),
    |n| format!("mv({n}x{n}, {n})"),
    |n| format!("softmax({n}x{n})"),
    |n| format!("layer_norm({n}x{n}, {n}, {n})"),
    |n| format!("matmul({}x{}, {}x{})", n / 16, n / 16, n / 16, n / 16),
    |n| format!("matmul({}x{}, {}x{})", n / 4, n / 4, n / 4, n / 4),
    |n| format!("attention(8x{}x64)", n / 4),
    |n| format!("einsum(\"b i d, b j d -> b i j\", 8x{}x64, 8x{}x64)", n / 8, n / 8),
];

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What will be measured.
    pub what: String,
    /// Measurements done.
    pub done: usize,
    /// Measurements in all.
    pub of: usize,
}

/// A device that is being measured. Call [`Survey::step`] until [`Survey::next`] has nothing more, or as long as there
/// is patience; what has been measured is complete in itself.
pub struct Survey {
    device: Device,
    probe: Rc<dyn Probe>,
    options: Options,
    traits: Traits,
    plan: VecDeque<Step>,
    of: usize,
    machine: Machine,
}

impl Survey {
    /// A plan for a device; `probe` is its backend, and nothing runs yet.
    #[must_use]
    pub fn new(device: &Device, probe: Rc<dyn Probe>, options: Options) -> Self {
        let traits = probe.traits();
        let machine = Machine {
            format: FORMAT.to_owned(),
            date: options.date.clone(),
            device: if probe.device_type() == "cpu" { "cpu" } else { "gpu" }.to_owned(),
            adapter: options.adapter.clone(),
            backend: traits.backend.clone(),
            driver: traits.driver.clone(),
            is_software: traits.is_software,
            threads: traits.threads,
            clock_step_secs: clock_step_secs(),
            fma: Vec::new(),
            bandwidth: Vec::new(),
            caches: Vec::new(),
            transfers: Vec::new(),
            latencies: Vec::new(),
            products: Vec::new(),
            operations: Vec::new(),
            skipped: Vec::new(),
        };
        let mut survey =
            Self { device: device.clone(), probe, options, traits, plan: VecDeque::new(), of: 0, machine };
        survey.plan = survey.steps().into();
        survey.of = survey.plan.len();
        survey
    }

    fn steps(&self) -> Vec<Step> {
        let threads: &[Threads] =
            if self.traits.threads > 1 { &[Threads::One, Threads::All] } else { &[Threads::All] };
        let mut steps = Vec::new();
        for &(dtype, width) in &self.traits.chains {
            steps.extend(threads.iter().map(|&threads| Step::Fma(dtype, width, threads)));
        }
        for access in Access::ALL {
            steps.extend(threads.iter().map(|&threads| Step::Bandwidth(access, threads)));
        }
        if self.traits.submits {
            for direction in [Direction::HostToDevice, Direction::DeviceToHost] {
                let fitting = TRANSFERS.iter().filter(|&&bytes| bytes as u64 <= self.block_bytes());
                steps.extend(fitting.map(|&bytes| Step::Transfer(direction, bytes)));
            }
            steps.extend([Cost::RoundTrip, Cost::Submission].map(Step::Latency));
        } else {
            let sets = std::iter::successors(Some(SMALLEST_SET), |&bytes| Some(2 * bytes));
            steps.extend(sets.take_while(|&bytes| bytes <= self.block_bytes()).map(Step::Cache));
        }
        steps.push(Step::Latency(Cost::Dispatch));
        for dtype in DTYPES {
            let shapes = SIZES.iter().map(|&n| [n; 3]).chain(THIN);
            steps.extend(shapes.map(|shape| Step::Product(shape, dtype)));
        }
        steps.extend(OPERATIONS.map(|sketch| Step::Operation(sketch, DType::F32)));
        steps
    }

    /// Bytes of one of two blocks of memory: beyond the caches of large processors and larger GPUs. A program that acts
    /// as a GPU is slow.
    fn block_bytes(&self) -> u64 {
        let most = match (self.traits.is_software, self.traits.submits) {
            (true, _) => 32 << 20,
            (false, false) => 256 << 20,
            (false, true) => 512 << 20,
        };
        (self.options.memory_bytes / 2).min(self.traits.max_storage_bytes).min(most)
    }

    /// What the next step measures; `None` when all is done.
    #[must_use]
    pub fn next(&self) -> Option<Progress> {
        let what = match self.plan.front()? {
            Step::Fma(dtype, width, threads) => {
                let vector = if *width > 1 { format!(" in vectors of {width}") } else { String::new() };
                format!("multiply-adds in {dtype}{vector}{}", suffix(*threads, self.traits.threads))
            }
            Step::Bandwidth(access, threads) => {
                format!("memory, {}{}", access.name(), suffix(*threads, self.traits.threads))
            }
            Step::Cache(bytes) => format!("memory, {} KiB read again and again", bytes >> 10),
            Step::Transfer(Direction::HostToDevice, bytes) => format!("{bytes} bytes to the device"),
            Step::Transfer(Direction::DeviceToHost, bytes) => format!("{bytes} bytes from the device"),
            Step::Latency(Cost::RoundTrip) => "a kernel, waited for".to_owned(),
            Step::Latency(Cost::Dispatch) => "one more kernel".to_owned(),
            Step::Latency(Cost::Submission) => "one more submission".to_owned(),
            Step::Product([m, n, k], dtype) => format!("a product of {m}×{k} and {k}×{n} in {dtype}"),
            Step::Operation(sketch, _) => sketch(self.side()),
        };
        Some(Progress { what, done: self.of - self.plan.len(), of: self.of })
    }

    /// Makes the next measurement. One that cannot be made is listed as [`Machine::skipped`].
    ///
    /// # Errors
    /// [`Error::Gpu`]: the device is lost, and nothing more can be measured.
    pub async fn step(&mut self) -> Result<()> {
        let (what, Some(step)) = (self.next().map(|next| next.what), self.plan.pop_front()) else {
            return Ok(());
        };
        match self.measure(step).await {
            Ok(()) => Ok(()),
            Err(error) => {
                // What is refused is refused alone; a device that is lost answers nothing any more.
                if matches!(error, Error::Gpu(_)) {
                    self.probe.synchronize().await?;
                }
                self.machine.skipped.push(Skipped { what: what.unwrap_or_default(), why: error.to_string() });
                Ok(())
            }
        }
    }

    /// What has been measured so far.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// What has been measured.
    #[must_use]
    pub fn finish(self) -> Machine {
        self.machine
    }

    async fn measure(&mut self, step: Step) -> Result<()> {
        let (probe, secs, machine) = (&*self.probe, self.options.measurement_secs, &mut self.machine);
        match step {
            Step::Fma(dtype, width, threads) => {
                machine.fma.push(peak::fma(probe, dtype, width, threads, secs).await?);
            }
            Step::Bandwidth(access, threads) => {
                let bytes = self.block_bytes();
                self.machine.bandwidth.push(peak::bandwidth(probe, access, threads, bytes, secs).await?);
            }
            Step::Cache(bytes) => {
                let pass = peak::bandwidth(probe, Access::Read, Threads::One, bytes, secs / 2.0).await?;
                machine.caches.push(pass);
            }
            Step::Transfer(direction, bytes) => {
                machine.transfers.push(link::transfer(probe, direction, bytes, secs).await?);
            }
            Step::Latency(cost) => machine.latencies.push(link::latency(probe, cost, secs).await?),
            Step::Product(shape, dtype) => self.product(shape, dtype).await?,
            Step::Operation(sketch, dtype) => {
                let limits = Limits {
                    memory_bytes: self.options.memory_bytes,
                    run_secs: LONGEST_RUN_SECS,
                    budget_secs: secs,
                };
                let speed = self.speed(dtype);
                let text = sketch(self.side());
                let done = Planned::new(&text, dtype, &limits)?.run(&self.device, &limits, speed).await?;
                self.machine.operations.push(done);
            }
        }
        Ok(())
    }

    /// Nothing where it would take too long.
    async fn product(&mut self, [m, n, k]: [usize; 3], dtype: DType) -> Result<()> {
        let spec = MatmulSpec { m, n, k, dtype };
        let mut alike = self.machine.products.iter().rev().filter(|product| product.dtype == dtype.name());
        let square = alike.find(|product| product.m == product.n && product.n == product.k);
        let secs = square.map(|square| (square.n, spec.flop() / square.measured.flop_per_sec()));
        // Squares grow; where one was left out, so are those that are larger.
        let is_next =
            if m == n && n == k { secs.is_none_or(|(before, _)| 2 * before == n) } else { secs.is_some() };
        if !is_next || secs.is_some_and(|(_, secs)| secs > LONGEST_RUN_SECS) {
            return Ok(());
        }
        // On a program, kernels take long to compile, and the first choice is a good one.
        if !self.traits.is_software {
            self.probe.tune([m, n, k], dtype).await?;
        }
        let timed = bench::matmul(&*self.probe, spec, self.options.measurement_secs).await?;
        let elements = m * k + k * n + m * n;
        let (flop, bytes) = (spec.flop() as u64, (elements * dtype.size_bytes()) as u64);
        self.machine.products.push(Product {
            m,
            n,
            k,
            dtype: dtype.name().to_owned(),
            kernel: timed.kernel,
            max_rel_err: timed.max_rel_err,
            measured: Measured { flop, bytes, fence: timed.fence, timestamp: timed.timestamp },
        });
        Ok(())
    }

    /// What has been measured so far, for expectations.
    fn speed(&self, dtype: DType) -> Speed {
        Speed {
            flop_per_sec: self.machine.product_flop_per_sec(dtype.name()).unwrap_or(1e9),
            bytes_per_sec: self.machine.bytes_per_sec(None).unwrap_or(1e9),
        }
    }

    /// The side of a square of float32 that is read and written in a hundredth of a second, a power of 2.
    fn side(&self) -> usize {
        let bytes = (0.01 * self.speed(DType::F32).bytes_per_sec).min(self.options.memory_bytes as f64 / 8.0);
        let side = (bytes / 8.0).sqrt().clamp(256.0, 4096.0) as usize;
        1 << side.ilog2()
    }
}

fn suffix(threads: Threads, all: usize) -> String {
    match threads {
        Threads::One => ", one thread".to_owned(),
        Threads::All if all > 1 => format!(", {all} threads"),
        Threads::All => String::new(),
    }
}
