//! The devices of this machine, found once when the worker starts.

use napkin_engine::gpu::{Gpu, GpuOptions};
use napkin_engine::{DType, Device, Error, Result};
use napkin_notebook::{DeviceInfo, DeviceKind, Devices};

/// The CPU, and the GPU or the sentence that says why there is none.
pub struct Hardware {
    cpu: Device,
    gpu: Result<(Device, Gpu), String>,
}

impl Hardware {
    /// Opens what there is. A GPU is really asked for, since a browser that offers WebGPU may still have
    /// no adapter.
    pub async fn find() -> Self {
        match Gpu::open(GpuOptions::default()).await {
            Ok(gpu) => Self { cpu: Device::cpu(), gpu: Ok((Device::new(gpu.clone()), gpu)) },
            Err(Error::Gpu(reason)) => Self::without_gpu(&reason),
            Err(error) => Self::without_gpu(&error.to_string()),
        }
    }

    /// The CPU alone, and why.
    #[must_use]
    pub fn without_gpu(reason: &str) -> Self {
        Self { cpu: Device::cpu(), gpu: Err(format!("No GPU is used: {reason}.")) }
    }

    /// The device of that kind.
    ///
    /// # Errors
    /// The sentence that says why there is no GPU.
    pub fn device(&self, kind: DeviceKind) -> Result<&Device, String> {
        match kind {
            DeviceKind::Cpu => Ok(&self.cpu),
            DeviceKind::Gpu => self.gpu.as_ref().map(|(device, _)| device).map_err(Clone::clone),
        }
    }

    /// The GPU itself.
    ///
    /// # Errors
    /// The sentence that says why there is none.
    pub fn gpu(&self) -> Result<&Gpu, String> {
        self.gpu.as_ref().map(|(_, gpu)| gpu).map_err(Clone::clone)
    }

    /// Makes sure that the GPU uses its fastest kernel for products like that one; nothing on the CPU.
    ///
    /// # Errors
    /// If memory does not suffice or the device fails.
    pub async fn tune(&self, kind: DeviceKind, shape: (usize, usize, usize), dtype: DType) -> Result<()> {
        match &self.gpu {
            Ok((_, gpu)) if kind == DeviceKind::Gpu => {
                let (m, n, k) = shape;
                if gpu.is_tuned(m, n, k, dtype) { Ok(()) } else { gpu.tune(&[shape], dtype).await }
            }
            _ => Ok(()),
        }
    }

    /// What is known about the GPU's kernels; `None` where there is no GPU.
    #[must_use]
    pub fn tuning(&self) -> Option<String> {
        self.gpu.as_ref().ok().map(|(_, gpu)| gpu.tuning())
    }

    /// Takes over what [`Hardware::tuning`] said in an earlier life.
    pub fn use_tuning(&self, text: &str) {
        if let Ok((_, gpu)) = &self.gpu {
            gpu.load_tuning(text);
        }
    }

    /// Why the GPU is lost, if it was there and is.
    #[must_use]
    pub fn lost(&self) -> Option<String> {
        self.gpu.as_ref().ok().and_then(|(_, gpu)| gpu.lost())
    }

    /// What the page is told.
    #[must_use]
    pub fn describe(&self) -> Devices {
        let cpu = DeviceInfo {
            kind: DeviceKind::Cpu,
            name: self.cpu.backend().name(),
            software: false,
            features: Vec::new(),
        };
        let gpu = self.gpu.as_ref().map_err(Clone::clone).map(|(_, gpu)| {
            let info = gpu.info();
            let features = [(info.has_timestamps, "timestamp-query"), (info.has_shader_f16, "shader-f16")];
            DeviceInfo {
                kind: DeviceKind::Gpu,
                name: info.name.clone(),
                software: info.is_software,
                features: features
                    .iter()
                    .filter(|(has, _)| *has)
                    .map(|(_, name)| (*name).to_owned())
                    .collect(),
            }
        });
        Devices { cpu, gpu }
    }
}

/// An error of a device as a sentence.
#[must_use]
pub fn explain(kind: DeviceKind, error: &Error) -> String {
    let reason = match error {
        // The message names the input itself, and the sentence the device.
        Error::Value { message, .. } | Error::Gpu(message) => message.clone(),
        error => error.to_string(),
    };
    format!("On the {}: {}.", kind.label(), reason.trim_end_matches('.'))
}
