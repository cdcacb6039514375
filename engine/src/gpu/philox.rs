//! Random numbers: dispatches of shaders/philox.wgsl.

use super::core::{Core, Dispatch};
use super::kernels::HEADER_WORDS;
use super::lanes::THREADS;
use super::operand::{functions, storage, word};
use super::template::{Variables, expand};
use crate::backend::{Distribution, Operand};
use crate::error::Result;

pub(super) fn philox(
    core: &Core,
    seed: u64,
    counter: u128,
    distribution: Distribution,
    out: Operand<'_>,
) -> Result<()> {
    const OP: &str = "philox";
    distribution.check(out)?;
    let buffer = storage(core, OP, out)?;
    let count = out.layout.numel();
    let kind = match distribution {
        Distribution::Bits => "bits",
        Distribution::Uniform => "uniform",
        Distribution::Normal => "normal",
    };
    let name = format!("philox {kind}");
    let kernel = core.kernels.get(&core.device, &core.faults, &name, &[true], || {
        let variables = Variables::default().with("KIND", kind).with("ARITHMETIC", functions());
        expand(OP, shader!("philox"), &variables)
    })?;
    let mut params = vec![0; HEADER_WORDS];
    params.extend([word(OP, count)?, word(OP, out.layout.offset())?, seed as u32, (seed >> 32) as u32]);
    params.extend((0..4).map(|i| (counter >> (32 * i)) as u32));
    let workgroups = count.div_ceil(4 * THREADS) as u64;
    core.dispatch(Dispatch {
        kernel: &kernel,
        buffers: &[buffer],
        params,
        workgroups,
        flops: 40 * count as u64,
    })
}
