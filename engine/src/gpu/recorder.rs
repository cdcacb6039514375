//! One encoder with one compute pass, open over many kernels.

use super::info::GpuInfo;
use super::kernels::{HEADER_WORDS, Kernel, UNIFORM_WINDOW};

/// Passes that one timing can span.
const MAX_TIMED_PASSES: u32 = 256;

pub(crate) struct Recorder {
    // The pass is declared first: it must go before its encoder.
    pass: Option<wgpu::ComputePass<'static>>,
    encoder: Option<wgpu::CommandEncoder>,
    uniforms: wgpu::Buffer,
    /// What the uniform buffer will hold when the encoder is submitted.
    arena: Vec<u8>,
    alignment: usize,
    flops: u64,
    submission: u64,
    dispatches: u64,
    timer: Option<Timer>,
    has_timestamps: bool,
}

/// Timestamps at both ends of every pass recorded since timing began.
pub(crate) struct Timer {
    pub(crate) queries: wgpu::QuerySet,
    /// Passes so far, even those beyond the query set.
    pub(crate) passes: u32,
}

impl Timer {
    /// Queries written, or none if there were too many passes.
    pub(crate) fn written(&self) -> Option<u32> {
        (1..=MAX_TIMED_PASSES).contains(&self.passes).then_some(2 * self.passes)
    }
}

impl Recorder {
    pub(crate) fn new(uniforms: wgpu::Buffer, alignment: usize, info: &GpuInfo) -> Self {
        Self {
            pass: None,
            encoder: None,
            uniforms,
            arena: Vec::new(),
            alignment,
            flops: 0,
            submission: 1,
            dispatches: 0,
            timer: None,
            has_timestamps: info.has_timestamps,
        }
    }

    /// The number of the submission that is being recorded.
    pub(crate) fn submission(&self) -> u64 {
        self.submission
    }

    /// Whether a kernel of that many operations still fits into this submission.
    pub(crate) fn has_room(&self, flops: u64, budget: u64) -> bool {
        let fits = self.arena.len() as u64 + UNIFORM_WINDOW as u64 <= self.uniforms.size();
        fits && (self.flops == 0 || self.flops.saturating_add(flops) <= budget)
    }

    pub(crate) fn add_flops(&mut self, flops: u64) {
        self.flops = self.flops.saturating_add(flops);
    }

    /// The encoder, outside of any pass.
    pub(crate) fn encoder(&mut self, device: &wgpu::Device) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        self.encoder
            .get_or_insert_with(|| device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default()))
    }

    pub(crate) fn record(
        &mut self,
        device: &wgpu::Device,
        kernel: &Kernel,
        group: &wgpu::BindGroup,
        uniform_group: &wgpu::BindGroup,
        params: &[u32],
        (x, y): (u32, u32),
    ) {
        debug_assert!(params.len() >= HEADER_WORDS && 4 * params.len() <= UNIFORM_WINDOW);
        let offset = self.arena.len();
        self.arena.extend_from_slice(bytemuck::cast_slice(params));
        self.arena.resize(self.arena.len().next_multiple_of(self.alignment), 0);
        if self.pass.is_none() {
            self.pass = Some(self.begin_pass(device));
        }
        if let Some(pass) = &mut self.pass {
            pass.set_pipeline(&kernel.pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.set_bind_group(1, uniform_group, &[offset as u32]);
            pass.dispatch_workgroups(x, y, 1);
            self.dispatches += 1;
        }
    }

    fn begin_pass(&mut self, device: &wgpu::Device) -> wgpu::ComputePass<'static> {
        let encoder = self
            .encoder
            .get_or_insert_with(|| device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default()));
        let timestamp_writes = self.timer.as_mut().and_then(|timer| {
            let pass = timer.passes;
            timer.passes += 1;
            (pass < MAX_TIMED_PASSES).then_some(wgpu::ComputePassTimestampWrites {
                query_set: &timer.queries,
                beginning_of_pass_write_index: Some(2 * pass),
                end_of_pass_write_index: Some(2 * pass + 1),
            })
        });
        encoder
            .begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes })
            .forget_lifetime()
    }

    /// Kernels recorded so far.
    pub(crate) fn dispatches(&self) -> u64 {
        self.dispatches
    }

    /// Submits what was recorded, if anything.
    pub(crate) fn submit(&mut self, queue: &wgpu::Queue) -> Option<wgpu::SubmissionIndex> {
        self.pass = None;
        let encoder = self.encoder.take()?;
        if !self.arena.is_empty() {
            queue.write_buffer(&self.uniforms, 0, &self.arena);
            self.arena.clear();
        }
        let index = queue.submit([encoder.finish()]);
        self.flops = 0;
        self.submission += 1;
        Some(index)
    }

    /// Times every pass from here on, if the device can. The pass before has been submitted.
    pub(crate) fn begin_timing(&mut self, device: &wgpu::Device) {
        self.timer = self.has_timestamps.then(|| Timer {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2 * MAX_TIMED_PASSES,
            }),
            passes: 0,
        });
    }

    /// Ends the timing and hands out its timestamps.
    pub(crate) fn end_timing(&mut self) -> Option<Timer> {
        self.pass = None;
        self.timer.take()
    }
}
