//! Twin of shaders/stream.wgsl.

use crate::measure::Access;

/// Invocations per workgroup.
const THREADS: usize = 256;

/// The words that are written where each invocation has so many quads: of `x`, which are those that are read or as
/// many as are written.
#[must_use]
pub fn stream(access: Access, x: &[u32], each: usize, value: u32) -> Vec<u32> {
    match access {
        Access::Copy => x.to_vec(),
        Access::Write => vec![value; x.len()],
        Access::Read => x.chunks(4 * THREADS * each).flat_map(sums).collect(),
    }
}

/// What the invocations of a workgroup sum up.
fn sums(block: &[u32]) -> Vec<u32> {
    let mut sums = vec![0u32; THREADS];
    for (quad, words) in block.chunks(4).enumerate() {
        for word in words {
            sums[quad % THREADS] = sums[quad % THREADS].wrapping_add(*word);
        }
    }
    sums
}
