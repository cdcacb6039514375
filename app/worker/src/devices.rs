//! The devices of this machine, found once when the worker starts.

use std::rc::Rc;

use napkin_engine::cpu::Cpu;
use napkin_engine::gpu::{Gpu, GpuOptions};
use napkin_engine::measure::Probe;
use napkin_engine::{Device, Error};
use napkin_trace::{DeviceInfo, DeviceKind, Devices};

/// The CPU, and the GPU or the sentence that says why there is none.
pub struct Hardware {
    pub(crate) gpu: Result<Gpu, String>,
}

impl Hardware {
    /// Opens what there is. A GPU is really asked for, since a browser that offers WebGPU may still have no adapter.
    pub async fn find() -> Self {
        match Gpu::open(GpuOptions::default()).await {
            Ok(gpu) => Self { gpu: Ok(gpu) },
            Err(Error::Gpu(reason)) => Self::without_gpu(&reason),
            Err(error) => Self::without_gpu(&error.to_string()),
        }
    }

    /// The CPU alone, and why.
    pub fn without_gpu(reason: &str) -> Self {
        Self { gpu: Err(format!("No GPU is used: {reason}.")) }
    }

    /// The device of that kind, or why there is no GPU.
    pub fn device(&self, kind: DeviceKind) -> Result<Device, String> {
        match kind {
            DeviceKind::Cpu => Ok(Device::cpu()),
            DeviceKind::Gpu => self.gpu.clone().map(Device::new),
        }
    }

    /// Its backend.
    pub fn probe(&self, kind: DeviceKind) -> Result<Rc<dyn Probe>, String> {
        match kind {
            DeviceKind::Cpu => Ok(Rc::new(Cpu::new())),
            DeviceKind::Gpu => Ok(Rc::new(self.gpu.clone()?)),
        }
    }

    /// What the page is told.
    pub fn describe(&self) -> Devices {
        let name = Device::cpu().backend().name();
        let cpu = DeviceInfo { kind: DeviceKind::Cpu, name, software: false };
        let gpu = self.gpu.as_ref().map_err(Clone::clone).map(|gpu| {
            let info = gpu.info();
            DeviceInfo { kind: DeviceKind::Gpu, name: info.name.clone(), software: info.is_software }
        });
        Devices { cpu, gpu }
    }
}

/// An error of a device as a sentence.
pub fn explain(kind: DeviceKind, error: &Error) -> String {
    let reason = match error {
        // The message names the input itself, and the sentence the device.
        Error::Value { message, .. } | Error::Gpu(message) => message.clone(),
        error => error.to_string(),
    };
    format!("On the {}: {}.", kind.label(), reason.trim_end_matches('.'))
}
