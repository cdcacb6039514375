//! What a device must be able to run so that its limits can be measured, beside what every backend can.

use serde::{Deserialize, Serialize};

use crate::backend::{Backend, Storage};
use crate::{DType, Result};

/// Steps of [`Chains`] in one turn of their loop, written out so that the loop itself costs next to nothing.
pub const ROUND: usize = 8;

/// Bytes of a quad, what memory is read and written in.
pub const QUAD_BYTES: usize = 16;

/// Chains of multiply-adds, `x = a · x + b`: several in each lane, beside each other, so that none waits for another.
/// Lane i starts its c-th chain from `(i + c) mod 64`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chains {
    /// What they compute in.
    pub dtype: DType,
    /// Numbers in each chain: 1, or 4 where the device has vectors of its own; they are equal.
    pub width: usize,
    /// Lanes, all alike but for their start.
    pub lanes: usize,
    /// Rounds of [`ROUND`] steps.
    pub rounds: usize,
    /// What x is multiplied by.
    pub a: f32,
    /// What is added.
    pub b: f32,
    /// Who computes.
    pub threads: Threads,
}

impl Chains {
    /// Multiply-adds in each chain.
    #[must_use]
    pub fn steps(&self) -> usize {
        ROUND * self.rounds
    }

    /// Floating-point operations, two for each multiply-add, with so many chains `beside` each other in a lane.
    #[must_use]
    pub fn flop(&self, beside: usize) -> u64 {
        2 * (self.lanes * beside * self.width) as u64 * self.steps() as u64
    }
}

/// What is done to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Everything is read, and little written: sums.
    Read,
    /// Everything is written.
    Write,
    /// Half is read, half is written.
    Copy,
}

impl Access {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Copy];

    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Copy => "copy",
        }
    }
}

/// How much of a device works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Threads {
    /// A single core.
    One,
    /// Everything there is.
    All,
}

/// What tells devices apart in a plan of measurements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traits {
    /// The API or the kind of code that kernels run through: `vulkan`, `webgpu`, `native`, `wasm`.
    pub backend: String,
    /// Driver and version, or the instruction set.
    pub driver: String,
    /// Whether the device is a program that acts as a GPU.
    pub is_software: bool,
    /// Whether work is handed over in submissions.
    pub submits: bool,
    /// Number of cores that [`Threads::All`] stands for; 1 where they cannot be told apart.
    pub threads: usize,
    /// Bytes that one storage may have.
    pub max_storage_bytes: u64,
    /// The kinds of chains that it can compute: dtype and width.
    pub chains: Vec<(DType, usize)>,
}

/// A device whose limits can be measured. Calls return when the work is queued, as those of [`Backend`].
pub trait Probe: Backend {
    /// What it is.
    fn traits(&self) -> Traits;

    /// Chains that run beside each other in a lane.
    fn beside(&self, width: usize) -> usize;

    /// Runs chains and stores the total of each lane, float32, in `out`.
    ///
    /// # Errors
    /// If the device cannot compute them, `out` is too small, or the device fails.
    fn fma(&self, chains: &Chains, out: &dyn Storage) -> Result<()>;

    /// Words of 32 bits that reading so many quads writes.
    fn sums(&self, quads: usize) -> usize;

    /// Reads, writes or copies so many quads: sums of what is in `x` into `out` (modulo 2³², [`Probe::sums`] of them),
    /// `value` into every word of `out`, or `x` into `out`.
    ///
    /// # Errors
    /// If `x` or `out` is too small, or the device fails.
    fn stream(&self, stream: &Stream, x: &dyn Storage, out: &dyn Storage) -> Result<()>;

    /// Hands over what is queued, without waiting; nothing where there are no submissions.
    fn submit(&self) {}

    /// Picks the fastest kernel for such products, where there are several. Takes up to seconds.
    ///
    /// # Errors
    /// If the device fails.
    fn tune(&self, _shape: [usize; 3], _dtype: DType) -> crate::backend::Pending<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// A pass over memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream {
    /// What is done.
    pub access: Access,
    /// How much: pieces of [`QUAD_BYTES`].
    pub quads: usize,
    /// What is written.
    pub value: u32,
    /// Who does it.
    pub threads: Threads,
}

impl Stream {
    /// Bytes read and written, with so many words of `sums`.
    #[must_use]
    pub fn bytes(&self, sums: usize) -> u64 {
        let once = (self.quads * QUAD_BYTES) as u64;
        match self.access {
            Access::Read => once + (sums * size_of::<u32>()) as u64,
            Access::Write => once,
            Access::Copy => 2 * once,
        }
    }
}
