//! Choosing what runs the kernels, and saying so.

use clap::{Args, ValueEnum};
use napkin_engine::Device;
use napkin_engine::gpu::{Gpu, GpuOptions, Software};

use crate::failure::Failure;
use crate::{cpu, output, tuning};

/// Where kernels run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeviceKind {
    /// Through Vulkan, Metal or DX12
    Gpu,
    /// On the processor
    Cpu,
}

impl DeviceKind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::Cpu => "cpu",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DeviceArgs {
    /// What to run on; the GPU if there is one in hardware, else the CPU
    #[arg(long, value_name = "DEVICE")]
    pub(crate) device: Option<DeviceKind>,
    /// Only a GPU adapter whose name contains this, as `napkin info` lists them
    #[arg(long, value_name = "NAME")]
    pub(crate) adapter: Option<String>,
}

/// A device, with the words for it.
pub(crate) struct Chosen {
    pub(crate) device: Device,
    pub(crate) kind: DeviceKind,
    /// The adapter's name, or the processor's.
    pub(crate) adapter: String,
    /// The adapter, if it is a GPU.
    pub(crate) gpu: Option<Gpu>,
}

/// Opens what was asked for, and says so.
pub(crate) fn choose(args: &DeviceArgs) -> Result<Chosen, Failure> {
    let chosen = find(args)?;
    output::note(&format!("runs on {}: {}", chosen.kind.name(), chosen.device.backend().name()));
    if chosen.gpu.as_ref().is_some_and(|gpu| gpu.info().is_software) {
        output::note("note: this adapter is a program on the CPU; --device cpu is faster");
    }
    Ok(chosen)
}

/// Opens what was asked for. Without a wish it is a GPU if there is one in hardware, else the CPU:
/// a GPU emulated on the CPU is slower than the CPU itself.
pub(crate) fn find(args: &DeviceArgs) -> Result<Chosen, Failure> {
    let open = |software| {
        let options = GpuOptions { software, name: args.adapter.clone(), ..GpuOptions::default() };
        pollster::block_on(Gpu::open(options))
    };
    if args.device == Some(DeviceKind::Cpu) && args.adapter.is_some() {
        return Err(Failure::Usage("--adapter: names a GPU, and --device is cpu".to_owned()));
    }
    let wish = args.device.or(args.adapter.as_ref().map(|_| DeviceKind::Gpu));
    Ok(match wish {
        Some(DeviceKind::Cpu) => on_cpu(),
        Some(DeviceKind::Gpu) => on_gpu(open(Software::Allowed).map_err(|error| {
            let argument = if args.adapter.is_some() { "--adapter" } else { "--device gpu" };
            Failure::Work(format!("{argument}: {error}"))
        })?),
        None => open(Software::Refused).map_or_else(|_| on_cpu(), on_gpu),
    })
}

fn on_cpu() -> Chosen {
    Chosen { device: Device::cpu(), kind: DeviceKind::Cpu, adapter: cpu::name(), gpu: None }
}

fn on_gpu(gpu: Gpu) -> Chosen {
    tuning::recall(&gpu);
    Chosen {
        device: Device::new(gpu.clone()),
        kind: DeviceKind::Gpu,
        adapter: gpu.info().to_string(),
        gpu: Some(gpu),
    }
}
