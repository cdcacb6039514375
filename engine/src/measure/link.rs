//! The way to a device: bytes there and back, and what it costs to have it run anything.

use super::probe::{Access, Probe, QUAD_BYTES, Stream, Threads};
use super::record::{Cost, Direction, Latency, Measured, Transfer};
use super::timing::{Timing, time, time_waits};
use crate::backend::Operand;
use crate::program::Program;
use crate::{DType, Layout, Result};

/// Times transfers of so many bytes, a multiple of 4, each waited for.
///
/// # Errors
/// If memory does not suffice or the device fails.
pub async fn transfer(
    probe: &dyn Probe,
    direction: Direction,
    bytes: usize,
    budget_secs: f64,
) -> Result<Transfer> {
    // The kernel that reads has to find a quad.
    let room = if direction == Direction::HostToDevice { bytes.max(QUAD_BYTES) } else { bytes };
    let there = probe.allocate(room)?;
    let sums = probe.allocate(probe.sums(1) * size_of::<u32>())?;
    let here: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
    // Drivers may put a write off until something reads what it wrote.
    let touch = Stream { access: Access::Read, quads: 1, value: 0, threads: Threads::All };
    probe.write(&*there, 0, &here)?;
    let fence = time_waits(budget_secs, async |runs| {
        for _ in 0..runs {
            match direction {
                Direction::HostToDevice => {
                    probe.write(&*there, 0, &here)?;
                    probe.stream(&touch, &*there, &*sums)?;
                    probe.synchronize().await?;
                }
                Direction::DeviceToHost => drop(probe.download(&*there).await?),
            }
        }
        Ok(())
    });
    let fence = fence.await?;
    Ok(Transfer { direction, measured: measured(bytes as u64, fence) })
}

/// Times what it costs to have the smallest kernel run: one that writes a single number.
///
/// # Errors
/// If the device fails.
pub async fn latency(probe: &dyn Probe, cost: Cost, budget_secs: f64) -> Result<Latency> {
    let layout = Layout::contiguous(&[1])?;
    let storage = probe.allocate(size_of::<f32>())?;
    let program = Program::fill(1.0.into(), DType::F32);
    let out = Operand { storage: &*storage, layout: &layout, dtype: DType::F32 };
    let kernel = || probe.map(&program, &[], out);
    let fence = match cost {
        // By fence alone: timestamps leave out what recording it costs the processor.
        Cost::Dispatch => time(probe, budget_secs, &mut || kernel()).await?.0,
        Cost::RoundTrip | Cost::Submission => {
            let fence = time_waits(budget_secs, async |runs| {
                for _ in 0..runs {
                    kernel()?;
                    if cost == Cost::Submission {
                        probe.submit();
                    } else {
                        probe.synchronize().await?;
                    }
                }
                probe.synchronize().await
            });
            fence.await?
        }
    };
    Ok(Latency { cost, measured: measured(0, fence) })
}

fn measured(bytes: u64, fence: Timing) -> Measured {
    Measured { flop: 0, bytes, fence, timestamp: None }
}
