//! The ceilings of a roofline: multiply-adds in registers, and memory.

use super::probe::{Access, Chains, Probe, QUAD_BYTES, Stream, Threads};
use super::record::{Bandwidth, FmaRate, Measured};
use super::timing::time;
use crate::size::written;
use crate::twin;
use crate::{DType, Error, Result};

/// Rounds of each chain. Adding 1 so often is exact even in float16, so that any step left out shows.
const ROUNDS: usize = 64;

/// Lanes repeat after so many.
const PERIOD: usize = 64;

/// Lanes to begin with, and at most: 16 MiB of totals.
const LANES: std::ops::RangeInclusive<usize> = 1 << 10..=1 << 22;

/// A run of chains lasts at least this long: then launching it and its last lanes do not count.
const RUN_SECS: f64 = 0.002;

/// Times chains of multiply-adds in a dtype for about `budget_secs`.
///
/// # Errors
/// If the device cannot compute them, computes them wrongly, or fails.
pub async fn fma(
    probe: &dyn Probe,
    dtype: DType,
    width: usize,
    threads: Threads,
    budget_secs: f64,
) -> Result<FmaRate> {
    let mut chains = Chains { dtype, width, lanes: *LANES.start(), rounds: ROUNDS, a: 1.0, b: 1.0, threads };
    let out = probe.allocate(LANES.end() * size_of::<f32>())?;
    // One run must be long enough by itself: a queue of short ones would measure launching.
    while chains.lanes < *LANES.end() {
        let (once, _) = time(probe, 0.0, &mut || probe.fma(&chains, &*out)).await?;
        if once.min_secs >= RUN_SECS {
            break;
        }
        chains.lanes *= 4;
    }
    let (fence, timestamp) = time(probe, budget_secs, &mut || probe.fma(&chains, &*out)).await?;
    let totals = probe.download(&*out).await?;
    let totals = totals.as_chunks().0.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes)));
    let want = twin::fma::fma(&Chains { lanes: PERIOD, ..chains }, probe.beside(width));
    if !totals.take(chains.lanes).zip(want.iter().cycle()).all(|(got, want)| got == *want) {
        return Err(wrong(&format!("chains of {dtype} do not add up")));
    }
    let measured = Measured { flop: chains.flop(probe.beside(width)), bytes: 0, fence, timestamp };
    Ok(FmaRate { dtype: dtype.name().to_owned(), width, threads, measured })
}

/// Times passes over `bytes` of memory (of each of two such blocks where it copies) for about `budget_secs`.
///
/// # Errors
/// If memory does not suffice, the device does not do what it should, or fails.
pub async fn bandwidth(
    probe: &dyn Probe,
    access: Access,
    threads: Threads,
    bytes: u64,
    budget_secs: f64,
) -> Result<Bandwidth> {
    const VALUE: u32 = 0x9e37_79b9;
    let too_many = || {
        let rule = format!("a block has at most {} here", written(isize::MAX as u128));
        Error::out_of_memory(bytes.into(), probe.name(), rule)
    };
    let quads = usize::try_from(bytes).map_err(|_| too_many())? / QUAD_BYTES;
    let written = probe.allocate(quads * QUAD_BYTES)?;
    let sums = probe.allocate(probe.sums(quads) * size_of::<u32>())?;
    let pass = |access, value, threads| Stream { access, quads, value, threads };
    probe.stream(&pass(Access::Write, VALUE, Threads::All), &*written, &*written)?;
    let copied = if access == Access::Copy { Some(probe.allocate(quads * QUAD_BYTES)?) } else { None };
    let stream = pass(access, !VALUE, threads);
    let out = match access {
        Access::Read => &sums,
        Access::Write => &written,
        Access::Copy => copied.as_ref().unwrap_or(&written),
    };
    let (fence, timestamp) =
        time(probe, budget_secs, &mut || probe.stream(&stream, &*written, &**out)).await?;
    // What was written is read, so that all of it is looked at.
    if access != Access::Read {
        probe.stream(&pass(Access::Read, 0, Threads::All), &**out, &*sums)?;
    }
    let found = probe.download(&*sums).await?;
    let words = found.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
    let word = if access == Access::Write { !VALUE } else { VALUE };
    let words_in_all = (quads * QUAD_BYTES / size_of::<u32>()) as u32;
    if words.fold(0, u32::wrapping_add) != word.wrapping_mul(words_in_all) {
        return Err(wrong(&format!("what a {} leaves is not what it should", access.name())));
    }
    let measured = Measured { flop: 0, bytes: stream.bytes(probe.sums(quads)), fence, timestamp };
    let blocks = if access == Access::Copy { 2 } else { 1 };
    let working_set_bytes = blocks * (quads * QUAD_BYTES) as u64;
    Ok(Bandwidth { access, threads, working_set_bytes, measured })
}

fn wrong(message: &str) -> Error {
    Error::Value { op: "measure", message: format!("{message}: this device computes wrongly") }
}
