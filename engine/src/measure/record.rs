//! What was measured, as plain data: everything needed to draw this machine's roofline, in SI units.

use serde::{Deserialize, Serialize};

use super::probe::{Access, Threads};
use super::timing::Timing;

/// The version of this record; a reader refuses another.
pub const FORMAT: &str = "napkin-machine-1";

/// How long one run takes by each clock there is, and what it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Floating-point operations of one run; 0 where they are not what is measured.
    pub flop: u64,
    /// Bytes read and written in one run; 0 likewise.
    pub bytes: u64,
    /// By this program's clock, launching and waiting included.
    pub fence: Timing,
    /// By the device's own clock, where it has one.
    pub timestamp: Option<Timing>,
}

impl Measured {
    /// The device's own clock where there is one, else the fence.
    #[must_use]
    pub fn best(&self) -> &Timing {
        self.timestamp.as_ref().unwrap_or(&self.fence)
    }

    /// FLOP/s by the median of the best clock.
    #[must_use]
    pub fn flop_per_sec(&self) -> f64 {
        self.flop as f64 / self.best().median_secs
    }

    /// Bytes per second by the median of the best clock.
    #[must_use]
    pub fn bytes_per_sec(&self) -> f64 {
        self.bytes as f64 / self.best().median_secs
    }
}

/// Multiply-adds in registers: nothing computes faster here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FmaRate {
    /// What is computed in, by its name in PyTorch.
    pub dtype: String,
    /// Numbers in a vector of the shading language; 1 where the compiler finds vectors itself.
    pub width: usize,
    /// Who computed.
    pub threads: Threads,
    /// Two FLOP per multiply-add.
    pub measured: Measured,
}

/// The product `(m, k) @ (k, n)` by the engine's fastest kernel: what can be reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Product {
    /// Rows of the result.
    pub m: usize,
    /// Columns of the result.
    pub n: usize,
    /// Elements in each dot product.
    pub k: usize,
    /// Of factors and result; what is narrower than float32 is stored so and computed in float32.
    pub dtype: String,
    /// The kernel that ran.
    pub kernel: String,
    /// Largest difference from the product in f64, relative to its largest element.
    pub max_rel_err: f64,
    /// `2 m n k` FLOP.
    pub measured: Measured,
}

/// A pass over memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bandwidth {
    /// What was done.
    pub access: Access,
    /// Who did it.
    pub threads: Threads,
    /// Bytes of memory that it went over: what a cache must hold to help.
    pub working_set_bytes: u64,
    /// Bytes read and written.
    pub measured: Measured,
}

/// Which way bytes go between this program and a device with memory of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// From the call until a kernel that reads them is done.
    HostToDevice,
    /// From the call until they are in this program's memory.
    DeviceToHost,
}

/// Bytes between host and device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Transfer {
    /// Which way.
    pub direction: Direction,
    /// The bytes of one transfer, which is waited for.
    pub measured: Measured,
}

/// What a kernel costs before it does anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// One small kernel, handed over alone and waited for.
    RoundTrip,
    /// One more small kernel of many in one submission.
    Dispatch,
    /// One more submission of a single small kernel.
    Submission,
}

/// The time of one of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Of what.
    pub cost: Cost,
    /// Seconds of one; neither FLOP nor bytes.
    pub measured: Measured,
}

/// An operation of the engine, or several: FLOP and bytes are those that the ledger counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// The expression, as it was read.
    pub expression: String,
    /// Of its inputs.
    pub dtype: String,
    /// The shape of the result.
    pub shape: Vec<usize>,
    /// What ran, by its names in PyTorch, in order; each once.
    pub kernels: Vec<String>,
    /// Operations that ran.
    pub calls: u64,
    /// `flop` are those of products alone.
    pub measured: Measured,
}

/// What could not be measured, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// What it was.
    pub what: String,
    /// The sentence that says why.
    pub why: String,
}

/// One device of this machine, measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// [`FORMAT`]
    pub format: String,
    /// The day, as the caller has it: `2026-11-21`.
    pub date: String,
    /// `cpu` or `gpu`.
    pub device: String,
    /// The processor or the adapter, by its name.
    pub adapter: String,
    /// What kernels run through: `vulkan`, `metal`, `dx12`, `webgpu`, `native`, `wasm`.
    pub backend: String,
    /// Driver, or instruction set.
    pub driver: String,
    /// Whether the device is a program that acts as a GPU.
    pub is_software: bool,
    /// Cores that work together where all do; 1 for a GPU.
    pub threads: usize,
    /// The smallest step of the clock behind every fence, in seconds.
    pub clock_step_secs: f64,
    /// Multiply-adds by dtype.
    pub fma: Vec<FmaRate>,
    /// Memory beyond caches.
    pub bandwidth: Vec<Bandwidth>,
    /// Reading by a single core, from small working sets to large ones; none of a GPU.
    pub caches: Vec<Bandwidth>,
    /// Between host and device; none of a CPU.
    pub transfers: Vec<Transfer>,
    /// What launching costs.
    pub latencies: Vec<Latency>,
    /// Products by shape and dtype: squares as they grow, then thin ones.
    pub products: Vec<Product>,
    /// Operations of the lecture.
    pub operations: Vec<Operation>,
    /// What is missing in the above.
    pub skipped: Vec<Skipped>,
}

impl Machine {
    /// The highest rate of products in a dtype, in FLOP/s.
    #[must_use]
    pub fn product_flop_per_sec(&self, dtype: &str) -> Option<f64> {
        let products = self.products.iter().filter(|product| product.dtype == dtype);
        products.map(|product| product.measured.flop_per_sec()).reduce(f64::max)
    }

    /// The highest bandwidth of memory, in bytes per second; of one kind of access, or of any.
    #[must_use]
    pub fn bytes_per_sec(&self, access: Option<Access>) -> Option<f64> {
        let passes = self.bandwidth.iter().filter(|pass| access.is_none_or(|access| pass.access == access));
        passes.map(|pass| pass.measured.bytes_per_sec()).reduce(f64::max)
    }
}
