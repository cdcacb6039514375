//! What there is to compute on, and which of it to use.

use serde::{Deserialize, Serialize};

/// The two kinds of device that the engine knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DeviceKind {
    /// The processor: SIMD in one thread.
    Cpu,
    /// The graphics processor, through WebGPU or the system's own API.
    Gpu,
}

impl DeviceKind {
    /// `cpu` or `gpu`, as addresses and messages spell it.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }

    /// `CPU` or `GPU`, as sentences spell it.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::Gpu => "GPU",
        }
    }

    /// The kind of that [`id`](Self::id).
    pub fn from_id(id: &str) -> Option<Self> {
        [Self::Cpu, Self::Gpu].into_iter().find(|kind| kind.id() == id)
    }
}

/// One device, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// CPU or GPU.
    pub kind: DeviceKind,
    /// What it calls itself: `CPU (SIMD)`, `Apple M2`.
    pub name: String,
    /// A GPU that the processor imitates.
    pub software: bool,
}

/// All devices of this machine that the engine can use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Devices {
    /// Always there.
    pub cpu: DeviceInfo,
    /// The GPU, or the sentence that says why there is none.
    pub gpu: Result<DeviceInfo, String>,
}

/// A device and the sentence that says why it was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What to compute on.
    pub kind: DeviceKind,
    /// For the reader.
    pub why: String,
}

impl Devices {
    /// The device of that kind, or why it cannot be used.
    pub fn get(&self, kind: DeviceKind) -> Result<&DeviceInfo, String> {
        match kind {
            DeviceKind::Cpu => Ok(&self.cpu),
            DeviceKind::Gpu => self.gpu.as_ref().map_err(Clone::clone),
        }
    }

    /// What to compute on unless the reader says otherwise in a cell: what the address asks for
    /// (`wanted`), else a real GPU, else the CPU.
    pub fn choose(&self, wanted: Option<DeviceKind>) -> Choice {
        let (kind, why) = match (&self.gpu, wanted) {
            (_, Some(DeviceKind::Cpu)) => {
                (DeviceKind::Cpu, "The address says device=cpu, so everything runs on the CPU.".to_owned())
            }
            (Ok(gpu), Some(DeviceKind::Gpu)) => {
                (DeviceKind::Gpu, format!("The address says device=gpu, so {} is used.", gpu.name))
            }
            (Ok(gpu), None) if gpu.software => (
                DeviceKind::Cpu,
                format!(
                    "The only GPU here is {}, which the processor imitates; the CPU itself is faster, so it is \
                     used unless you choose otherwise.",
                    gpu.name
                ),
            ),
            (Ok(gpu), None) => (DeviceKind::Gpu, format!("WebGPU found {}.", gpu.name)),
            (Err(reason), _) => (DeviceKind::Cpu, format!("Everything runs on the CPU. {reason}")),
        };
        Choice { kind, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_real_gpu_is_taken_unless_the_address_says_otherwise() {
        let info = |kind, software| DeviceInfo { kind, name: format!("Some {}", kind.label()), software };
        let (cpu, gpu) = (DeviceKind::Cpu, DeviceKind::Gpu);
        for (is_software, wanted, kind, why) in [
            (Ok(false), None, gpu, "WebGPU found Some GPU."),
            (Ok(true), None, cpu, "The only GPU here is Some GPU,"),
            (Ok(true), Some(gpu), gpu, "The address says device=gpu"),
            (Ok(false), Some(cpu), cpu, "The address says device=cpu"),
            (Err("WebGPU is off."), Some(gpu), cpu, "Everything runs on the CPU. WebGPU is off."),
        ] {
            let gpu = is_software.map(|is_software| info(gpu, is_software)).map_err(str::to_owned);
            let choice = Devices { cpu: info(cpu, false), gpu }.choose(wanted);
            assert_eq!(choice.kind, kind, "{}", choice.why);
            assert!(choice.why.starts_with(why), "{}", choice.why);
        }
    }
}
