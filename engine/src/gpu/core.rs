//! The device under the backend: buffers, pipelines, and one open compute pass into which every kernel
//! is recorded until somebody waits.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::{Rc, Weak};

use web_time::Instant;

use super::alarm::{self, ALARM_BYTES, Alarm};
use super::fault::Faults;
use super::info::GpuInfo;
use super::kernels::{HEADER_WORDS, Kernel, Kernels};
use super::pool::{Block, Pool, size_class};
use super::recorder::Recorder;
use super::storage::GpuStorage;
use super::wait::{Signal, signal};
use crate::backend::Storage;
use crate::error::{Error, Result};
use crate::size::written;

/// Bytes of uniforms per submission; a full arena is submitted.
const UNIFORM_ARENA: u64 = 256 << 10;

/// Floating-point operations per submission. Drivers reset a device that is silent for seconds, and a
/// browser shares it with the rest of the screen.
const SUBMIT_FLOPS_DISCRETE: u64 = 200_000_000_000;
const SUBMIT_FLOPS: u64 = 20_000_000_000;
const SUBMIT_FLOPS_SOFTWARE: u64 = 10_000_000_000;

/// One kernel with its operands.
pub(crate) struct Dispatch<'a> {
    pub(crate) kernel: &'a Kernel,
    /// In the order of their bindings.
    pub(crate) buffers: &'a [&'a GpuStorage],
    /// Uniforms, [`HEADER_WORDS`] free words first.
    pub(crate) params: Vec<u32>,
    pub(crate) workgroups: u64,
    /// An estimate, so that no submission takes long.
    pub(crate) flops: u64,
}

/// Bytes on their way from the device.
pub(crate) struct Reading {
    staging: Block,
    bytes: usize,
    /// Bytes copied for them, whole words; the alarm's follow.
    copied: u64,
    size: u64,
    /// Blocks below this had been made.
    made: u64,
    mapped: Signal<Result<(), wgpu::BufferAsyncError>>,
    submission: Option<wgpu::SubmissionIndex>,
}

pub(crate) struct Core {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) info: GpuInfo,
    pub(crate) opened: Instant,
    pub(crate) faults: Faults,
    pub(crate) kernels: Kernels,
    pub(crate) recorder: RefCell<Recorder>,
    max_bytes: u64,
    pool: RefCell<Pool>,
    staging: RefCell<Pool>,
    alarm: Alarm,
    next_id: Cell<u64>,
    /// Blocks below this have been in use when all was well.
    sound: Cell<u64>,
    /// A browser says later that there was no memory: one of these blocks has none, and none of them is used again.
    doubtful: RefCell<Range<u64>>,
    this: Weak<Self>,
}

impl Core {
    pub(crate) fn new(device: wgpu::Device, queue: wgpu::Queue, info: GpuInfo) -> Rc<Self> {
        let limits = device.limits();
        let faults = Faults::watch(&device, info.to_string());
        let uniforms = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("uniforms"),
            size: UNIFORM_ARENA,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let kernels = Kernels::new(&device, &uniforms);
        let alignment = limits.min_uniform_buffer_offset_alignment.max(16) as usize;
        let recorder = Recorder::new(uniforms, alignment, &info);
        Rc::new_cyclic(|this| Self {
            // Kernels index elements with u32, and one binding must show the whole tensor.
            max_bytes: limits
                .max_buffer_size
                .min(limits.max_storage_buffer_binding_size)
                .min(u64::from(u32::MAX))
                & !255,
            faults,
            kernels,
            recorder: RefCell::new(recorder),
            device,
            queue,
            info,
            opened: Instant::now(),
            pool: RefCell::default(),
            staging: RefCell::default(),
            alarm: Alarm::default(),
            next_id: Cell::new(0),
            sound: Cell::new(0),
            doubtful: RefCell::default(),
            this: this.clone(),
        })
    }

    pub(crate) fn allocate(&self, bytes: usize) -> Result<Rc<GpuStorage>> {
        self.storage(bytes, u64::MAX)
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<Rc<GpuStorage>> {
        // Writes of the queue run before the pass that is being recorded: only a buffer that this
        // pass has not used may be written.
        let storage = self.storage(bytes.len(), self.recorder.borrow().submission())?;
        self.fill(&storage, 0, bytes);
        Ok(storage)
    }

    /// Replaces what is in a storage from byte `at` on, once everything recorded so far has seen it.
    pub(crate) fn write(&self, storage: &GpuStorage, at: usize, bytes: &[u8]) -> Result<()> {
        let (end, size) = (at.saturating_add(bytes.len()), storage.size_bytes());
        // The queue writes words.
        if end > size || !at.is_multiple_of(4) || !(end.is_multiple_of(4) || end == size) {
            let message = format!("bytes {at} to {end} of {size} are outside, or no whole words");
            return Err(Error::Value { op: "write", message });
        }
        self.submit();
        self.fill(storage, at, bytes);
        self.faults.check()
    }

    fn fill(&self, storage: &GpuStorage, at: usize, bytes: &[u8]) {
        if let (Some(block), false) = (storage.block(), bytes.is_empty()) {
            let whole = bytes.len() & !3;
            if whole > 0 {
                self.queue.write_buffer(&block.buffer, at as u64, &bytes[..whole]);
            }
            if whole < bytes.len() {
                let mut word = [0; 4];
                word[..bytes.len() - whole].copy_from_slice(&bytes[whole..]);
                self.queue.write_buffer(&block.buffer, (at + whole) as u64, &word);
            }
        }
    }

    fn storage(&self, bytes: usize, before: u64) -> Result<Rc<GpuStorage>> {
        let class = size_class(bytes as u64).min(self.max_bytes);
        if bytes as u64 > self.max_bytes {
            let rule = format!("one buffer of this adapter has at most {}", written(self.max_bytes.into()));
            return Err(Error::out_of_memory(bytes as u128, self.info.to_string(), rule));
        }
        let idle = self.pool.borrow_mut().take(class, before);
        let block = match idle {
            Some(block) => block,
            None => self.create_block(class, bytes)?,
        };
        Ok(Rc::new(GpuStorage::new(block, bytes, self.this.clone())))
    }

    fn create_block(&self, class: u64, bytes: usize) -> Result<Block> {
        self.faults.check()?;
        self.faults.allocating(bytes as u64);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let buffer = self.create_buffer(class, usage);
        // Natively the fault is known here; in a browser the next wait reports it.
        let buffer = match self.faults.check() {
            Err(Error::OutOfMemory { .. }) => {
                self.trim();
                let buffer = self.create_buffer(class, usage);
                self.faults.check()?;
                buffer
            }
            found => found.map(|()| buffer)?,
        };
        Ok(self.block(buffer))
    }

    fn block(&self, buffer: wgpu::Buffer) -> Block {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        Block { buffer, id, last_use: 0 }
    }

    fn create_buffer(&self, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    /// Gives unused memory back to the driver.
    fn trim(&self) {
        let blocks = self.pool.borrow_mut().drain();
        for block in blocks.into_iter().chain(self.staging.borrow_mut().drain()) {
            self.kernels.forget(block.id);
        }
    }

    /// The buffer in which a kernel that is about to be recorded can report.
    pub(crate) fn alarm(&self) -> Result<Rc<GpuStorage>> {
        self.alarm.arm(|| {
            // A new buffer is all zeros.
            let block = self.create_block(size_class(ALARM_BYTES as u64), ALARM_BYTES)?;
            Ok(GpuStorage::new(block, ALARM_BYTES, self.this.clone()))
        })
    }

    /// Takes back the buffer of a tensor that is gone.
    pub(crate) fn release(&self, mut block: Block) {
        block.last_use = self.recorder.borrow().submission();
        let is_doubtful = self.doubtful.borrow().contains(&block.id);
        let dropped = if is_doubtful { Some(block) } else { self.pool.borrow_mut().put(block) };
        if let Some(block) = dropped {
            self.kernels.forget(block.id);
        }
    }

    /// Records a kernel; nothing runs before [`Core::submit`].
    pub(crate) fn dispatch(&self, dispatch: Dispatch<'_>) -> Result<()> {
        self.faults.check()?;
        let mut blocks = Vec::with_capacity(dispatch.buffers.len());
        for storage in dispatch.buffers {
            blocks.push(storage.block().ok_or_else(|| Error::Gpu("a storage without buffer".to_owned()))?);
        }
        let group = self.kernels.bind_group(&self.device, dispatch.kernel, &blocks);
        let budget = match (self.info.is_software, self.info.device_type) {
            (true, _) => SUBMIT_FLOPS_SOFTWARE,
            (false, "discrete") => SUBMIT_FLOPS_DISCRETE,
            (false, _) => SUBMIT_FLOPS,
        };
        let total =
            u32::try_from(dispatch.workgroups).map_err(|_| too_many_workgroups(dispatch.workgroups))?;
        let flops_per_workgroup = (dispatch.flops / dispatch.workgroups.max(1)).max(1);
        let most = u32::try_from(budget / flops_per_workgroup).unwrap_or(u32::MAX).max(1);
        let mut params = dispatch.params;
        let mut first = 0;
        while first < total {
            let part = most.min(total - first);
            let (x, y) = grid(part)?;
            params[..HEADER_WORDS].copy_from_slice(&[first, x, first + part, f32::NAN.to_bits()]);
            let mut recorder = self.recorder.borrow_mut();
            if !recorder.has_room(u64::from(part) * flops_per_workgroup, budget) {
                recorder.submit(&self.queue);
            }
            recorder.record(&self.device, dispatch.kernel, &group, self.kernels.uniforms(), &params, (x, y));
            recorder.add_flops(u64::from(part) * flops_per_workgroup);
            first += part;
        }
        Ok(())
    }

    /// Hands everything recorded so far to the device.
    pub(crate) fn submit(&self) {
        self.recorder.borrow_mut().submit(&self.queue);
    }

    /// Waits for everything recorded so far.
    pub(crate) async fn synchronize(&self) -> Result<()> {
        if self.alarm.is_armed() {
            return self.read(None, 0).await.map(drop);
        }
        self.submit();
        let (done, waiting) = signal();
        self.queue.on_submitted_work_done(move || done(()));
        let made = self.next_id.get();
        self.settle(waiting, None).await?;
        self.look_back(made)
    }

    /// After a wait: whether all that was done before went well, with the blocks that had been made.
    fn look_back(&self, made: u64) -> Result<()> {
        let found = self.faults.check();
        match found {
            Ok(()) => self.sound.set(made.max(self.sound.get())),
            Err(Error::OutOfMemory { .. }) => {
                self.trim();
                self.doubtful.replace(self.sound.get()..self.next_id.get());
            }
            Err(_) => {}
        }
        found
    }

    /// Measures every pass recorded from here on.
    pub(crate) fn begin_timing(&self) {
        self.submit();
        self.recorder.borrow_mut().begin_timing(&self.device);
    }

    /// Waits; seconds spent in kernels since [`Core::begin_timing`].
    pub(crate) async fn end_timing(&self) -> Result<Option<f64>> {
        let timer = self.recorder.borrow_mut().end_timing();
        let Some((timer, written)) = timer.and_then(|t| t.written().map(|w| (t, w))) else {
            self.synchronize().await?;
            return Ok(None);
        };
        let bytes = u64::from(written) * 8;
        let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let resolved = self.create_buffer(bytes, usage);
        self.recorder.borrow_mut().encoder(&self.device).resolve_query_set(
            &timer.queries,
            0..written,
            &resolved,
            0,
        );
        let raw = self.read(Some(&resolved), bytes as usize).await?;
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&raw);
        let passes = ticks.as_chunks().0.iter().map(|[begin, end]| end.checked_sub(*begin));
        // A clock that did not move is no measurement (browsers round to 100 µs), nor is one that went back.
        let sum = passes.sum::<Option<u64>>().filter(|sum| *sum > 0);
        Ok(sum.map(|sum| sum as f64 * f64::from(self.queue.get_timestamp_period()) * 1e-9))
    }

    /// The bytes of a storage, after everything recorded so far; they are on their way when this returns.
    pub(crate) fn download(&self, storage: &GpuStorage) -> Result<Option<Reading>> {
        let bytes = storage.size_bytes();
        let Some(block) = storage.block().filter(|_| bytes > 0) else {
            self.faults.check()?;
            return Ok(None);
        };
        Ok(Some(self.begin_read(Some(&block.buffer), bytes)))
    }

    async fn read(&self, buffer: Option<&wgpu::Buffer>, bytes: usize) -> Result<Vec<u8>> {
        let reading = self.begin_read(buffer, bytes);
        self.finish_read(reading).await
    }

    /// Submits everything recorded so far and a copy of the first `bytes` of a buffer after it.
    fn begin_read(&self, buffer: Option<&wgpu::Buffer>, bytes: usize) -> Reading {
        let alarm = self.alarm.take();
        let words = alarm.as_ref().and_then(|alarm| alarm.block());
        let copied = (bytes as u64).next_multiple_of(4);
        let size = copied + words.map_or(0, |_| ALARM_BYTES as u64);
        let class = size_class(size);
        let idle = self.staging.borrow_mut().take(class, u64::MAX);
        let staging = idle.unwrap_or_else(|| {
            let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
            self.faults.allocating(class);
            self.block(self.create_buffer(class, usage))
        });
        let submission = {
            let mut recorder = self.recorder.borrow_mut();
            let encoder = recorder.encoder(&self.device);
            if let Some(buffer) = buffer {
                encoder.copy_buffer_to_buffer(buffer, 0, &staging.buffer, 0, copied);
            }
            if let Some(words) = words {
                let rest = Some(ALARM_BYTES as u64);
                encoder.copy_buffer_to_buffer(&words.buffer, 0, &staging.buffer, copied, rest);
                encoder.clear_buffer(&words.buffer, 0, rest);
            }
            recorder.submit(&self.queue)
        };
        let (done, mapped) = signal();
        staging.buffer.map_async(wgpu::MapMode::Read, ..size, done);
        Reading { staging, bytes, copied, size, made: self.next_id.get(), mapped, submission }
    }

    /// The bytes; an error if a kernel reported one.
    pub(crate) async fn finish_read(&self, reading: Reading) -> Result<Vec<u8>> {
        let Reading { staging, bytes, copied, size, made, mapped, submission } = reading;
        let mapped = self.settle(mapped, submission).await;
        self.look_back(made)?;
        mapped?.map_err(|e| Error::Gpu(format!("reading back failed: {e}")))?;
        let mut out = {
            let view = staging.buffer.get_mapped_range(..size).map_err(|e| Error::Gpu(e.to_string()))?;
            view.to_vec()
        };
        staging.buffer.unmap();
        drop(self.staging.borrow_mut().put(staging));
        if size > copied {
            alarm::check(&out.split_off(copied as usize))?;
        }
        out.truncate(bytes);
        Ok(out)
    }

    /// Waits for that submission, or without one for all.
    #[cfg(not(target_arch = "wasm32"))]
    #[allow(
        clippy::unused_async,
        reason = "one signature for native, which polls, and browsers, which await"
    )]
    async fn settle<T>(&self, waiting: Signal<T>, submission: Option<wgpu::SubmissionIndex>) -> Result<T> {
        let polled = self.device.poll(wgpu::PollType::Wait { submission_index: submission, timeout: None });
        waiting.now().ok_or_else(|| match (self.faults.check(), polled) {
            (Err(fault), _) => fault,
            (_, Err(error)) => Error::Gpu(error.to_string()),
            _ => Error::Gpu("the device stopped answering".to_owned()),
        })
    }

    #[cfg(target_arch = "wasm32")]
    async fn settle<T>(&self, waiting: Signal<T>, _: Option<wgpu::SubmissionIndex>) -> Result<T> {
        Ok(waiting.await)
    }
}

/// Workgroups that WebGPU takes in one dimension.
const MAX_WORKGROUPS: u32 = 65535;

/// Workgroups in x and y.
fn grid(workgroups: u32) -> Result<(u32, u32)> {
    let y = workgroups.div_ceil(MAX_WORKGROUPS);
    if y > MAX_WORKGROUPS {
        return Err(too_many_workgroups(workgroups.into()));
    }
    Ok((workgroups.div_ceil(y), y))
}

fn too_many_workgroups(workgroups: u64) -> Error {
    const MOST: u64 = MAX_WORKGROUPS as u64 * MAX_WORKGROUPS as u64;
    Error::Gpu(format!("this takes {workgroups} workgroups, and a kernel has at most {MOST}"))
}
