//! What measuring the adapter's limits needs: dispatches of shaders/fma.wgsl and shaders/stream.wgsl.

use super::Gpu;
use super::core::Dispatch;
use super::kernels::HEADER_WORDS;
use super::lanes::THREADS;
use super::operand::{own, word};
use super::storage::GpuStorage;
use super::template::{Variables, expand};
use crate::DType;
use crate::backend::{Pending, Storage};
use crate::error::{Error, Result};
use crate::measure::{Access, Chains, Probe, QUAD_BYTES, ROUND, Stream, Traits};

/// Invocations per workgroup of a pass over memory.
const STREAMING: usize = 256;

/// Quads per invocation of a pass over memory.
const EACH: usize = 16;

/// A quad's share of the work of a submission, in floating-point operations: so that a slow memory's submission ends,
/// too.
const QUAD_FLOPS: u64 = 64;

impl Probe for Gpu {
    fn traits(&self) -> Traits {
        let info = self.info();
        let mut chains = vec![(DType::F32, 1), (DType::F32, 4)];
        if info.has_shader_f16 {
            chains.extend([(DType::F16, 1), (DType::F16, 4)]);
        }
        Traits {
            backend: info.backend.clone(),
            driver: info.driver.clone(),
            is_software: info.is_software,
            submits: true,
            threads: 1,
            max_storage_bytes: info.max_buffer_bytes.min(info.max_binding_bytes),
            chains,
        }
    }

    fn beside(&self, width: usize) -> usize {
        if width == 4 { 8 } else { 16 }
    }

    fn fma(&self, chains: &Chains, out: &dyn Storage) -> Result<()> {
        const OP: &str = "fma";
        let core = &self.core;
        let scalar = match chains.dtype {
            DType::F32 => "f32",
            DType::F16 if self.info().has_shader_f16 => "f16",
            other => return Err(refused(OP, format!("this adapter's shaders do not compute in {other}"))),
        };
        let beside = self.beside(chains.width);
        let out = room(own(core, OP, out)?, OP, chains.lanes * size_of::<f32>())?;
        let vector = format!("vec4<{scalar}>");
        let number = match chains.width {
            1 => scalar,
            4 => &vector,
            width => return Err(refused(OP, format!("there are no vectors of {width}"))),
        };
        let name = format!("fma {number}");
        let kernel = core.kernels.get(&core.device, &core.faults, &name, &[true], || {
            let variables = Variables::default()
                .with("SCALAR", scalar)
                .with("T", number)
                .with("WIDTH", chains.width)
                .with("CHAINS", beside)
                .with("ROUND", ROUND);
            expand(OP, shader!("fma"), &variables)
        })?;
        let mut params = vec![0; HEADER_WORDS];
        params.extend([word(OP, chains.lanes)?, word(OP, chains.rounds)?]);
        params.extend([chains.a.to_bits(), chains.b.to_bits()]);
        core.dispatch(Dispatch {
            kernel: &kernel,
            buffers: &[out],
            params,
            workgroups: chains.lanes.div_ceil(THREADS) as u64,
            flops: chains.flop(beside),
        })
    }

    fn sums(&self, quads: usize) -> usize {
        STREAMING * quads.div_ceil(STREAMING * EACH)
    }

    fn stream(&self, stream: &Stream, x: &dyn Storage, out: &dyn Storage) -> Result<()> {
        const OP: &str = "stream";
        let core = &self.core;
        let bytes = stream.quads * QUAD_BYTES;
        let written =
            if stream.access == Access::Read { self.sums(stream.quads) * size_of::<u32>() } else { bytes };
        let out = room(own(core, OP, out)?, OP, written)?;
        let mut buffers = vec![out];
        if stream.access != Access::Write {
            buffers.push(room(own(core, OP, x)?, OP, bytes)?);
        }
        let access = &[true, false][..buffers.len()];
        let name = format!("stream {}", stream.access.name());
        let kernel = core.kernels.get(&core.device, &core.faults, &name, access, || {
            let variables = Variables::default().with("ACCESS", stream.access.name()).with("EACH", EACH);
            expand(OP, shader!("stream"), &variables)
        })?;
        let mut params = vec![0; HEADER_WORDS];
        params.extend([word(OP, stream.quads)?, stream.value, 0, 0]);
        core.dispatch(Dispatch {
            kernel: &kernel,
            buffers: &buffers,
            params,
            workgroups: stream.quads.div_ceil(STREAMING * EACH) as u64,
            flops: QUAD_FLOPS * stream.quads as u64,
        })
    }

    fn submit(&self) {
        self.flush();
    }

    fn tune(&self, [m, n, k]: [usize; 3], dtype: DType) -> Pending<'_, ()> {
        Box::pin(async move {
            if self.is_tuned(m, n, k, dtype) { Ok(()) } else { Gpu::tune(self, &[(m, n, k)], dtype).await }
        })
    }
}

fn room<'a>(storage: &'a GpuStorage, op: &'static str, bytes: usize) -> Result<&'a GpuStorage> {
    if storage.size_bytes() >= bytes {
        return Ok(storage);
    }
    Err(refused(op, format!("{bytes} bytes do not fit into a storage of {}", storage.size_bytes())))
}

fn refused(op: &'static str, message: String) -> Error {
    Error::Value { op, message }
}
