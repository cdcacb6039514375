//! Finding an adapter and opening it.

use super::Gpu;
use super::core::Core;
use super::info::{GpuInfo, MATRIX_UNITS};
use crate::error::{Error, Result};

/// Whether a GPU may be a program on the CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Software {
    /// If there is nothing else.
    #[default]
    Allowed,
    /// Only a program: for tests that must run everywhere alike.
    Required,
    /// Never.
    Refused,
}

/// What [`Gpu::open`] is to look for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GpuOptions {
    /// About software adapters.
    pub software: Software,
    /// Natively: only adapters whose name contains this, in any case.
    pub name: Option<String>,
    /// Only what WebGPU promises of every adapter: its default limits, and no features.
    pub baseline: bool,
}

impl Gpu {
    /// Opens an adapter.
    ///
    /// # Errors
    /// [`Error::Gpu`] if there is none that fits, with what to install where that is known; or if the
    /// driver refuses.
    pub async fn open(options: GpuOptions) -> Result<Self> {
        let instance = instance();
        let adapter = choose(&instance, &options).await?;
        let info = GpuInfo::new(&adapter);
        if info.is_software && options.software == Software::Refused {
            return Err(Error::Gpu(format!("the only adapter is {info}")));
        }
        let offered = adapter.limits();
        let promised = wgpu::Limits::defaults().or_worse_values_from(&offered);
        let (features, limits) = if options.baseline {
            (wgpu::Features::empty(), promised)
        } else {
            let limits = wgpu::Limits {
                max_buffer_size: offered.max_buffer_size,
                max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
                max_storage_buffers_per_shader_stage: offered.max_storage_buffers_per_shader_stage,
                max_compute_workgroup_storage_size: offered.max_compute_workgroup_storage_size,
                max_compute_invocations_per_workgroup: offered.max_compute_invocations_per_workgroup,
                max_compute_workgroup_size_x: offered.max_compute_workgroup_size_x,
                min_uniform_buffer_offset_alignment: offered.min_uniform_buffer_offset_alignment,
                ..promised
            };
            (wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::SHADER_F16, limits)
        };
        let request = async |features: wgpu::Features| {
            let descriptor = wgpu::DeviceDescriptor {
                label: Some("napkin"),
                required_features: features,
                required_limits: limits.clone(),
                // SAFETY: what is experimental is used by shaders/matmul_units.wgsl alone, and by that only where its
                // products have been compared.
                experimental_features: unsafe { wgpu::ExperimentalFeatures::enabled() },
                ..Default::default()
            };
            adapter.request_device(&descriptor).await
        };
        let offered = adapter.features();
        let units = if options.baseline || info.matrix_units.is_empty() || !offered.contains(MATRIX_UNITS) {
            wgpu::Features::empty()
        } else {
            MATRIX_UNITS
        };
        let mut opened = request(offered & features | units).await;
        if opened.is_err() && !units.is_empty() {
            // A driver that promises matrix units and does not give them is used without.
            opened = request(offered & features).await;
        }
        let (device, queue) = opened.map_err(|e| Error::Gpu(format!("{info} does not open: {e}")))?;
        let info = describe(info.opened(&device), &device);
        Ok(Self::new(Core::new(device, queue, info)))
    }

    /// Every adapter of this machine.
    #[cfg(not(target_arch = "wasm32"))]
    pub async fn adapters() -> Vec<GpuInfo> {
        let adapters = instance().enumerate_adapters(wgpu::Backends::PRIMARY).await;
        adapters.iter().map(GpuInfo::new).collect()
    }
}

fn instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::PRIMARY,
        memory_budget_thresholds: wgpu::MemoryBudgetThresholds {
            // An error value well before the driver gives up.
            for_resource_creation: Some(95),
            for_device_loss: None,
        },
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    })
}

#[cfg(not(target_arch = "wasm32"))]
async fn choose(instance: &wgpu::Instance, options: &GpuOptions) -> Result<wgpu::Adapter> {
    let named = |info: &GpuInfo| {
        options.name.as_ref().is_none_or(|part| info.name.to_lowercase().contains(&part.to_lowercase()))
    };
    let rank = |info: &GpuInfo| {
        let class = match info.device_type {
            "discrete" => 0,
            "integrated" => 1,
            "virtual" => 2,
            _ => 3,
        };
        (info.is_software, class)
    };
    let adapters = instance.enumerate_adapters(wgpu::Backends::PRIMARY).await;
    let fitting =
        adapters.into_iter().map(|a| (GpuInfo::new(&a), a)).filter(|(info, _)| match options.software {
            Software::Allowed => named(info),
            Software::Required => named(info) && info.is_software,
            Software::Refused => named(info) && !info.is_software,
        });
    // The first of equals: drivers list the default adapter first.
    fitting.min_by_key(|(info, _)| rank(info)).map(|(_, adapter)| adapter).ok_or_else(|| {
        let wanted = match (&options.name, options.software) {
            (Some(name), _) => format!("no adapter whose name contains '{name}'"),
            (None, Software::Required) => "no software adapter".to_owned(),
            (None, _) => "no adapter".to_owned(),
        };
        Error::Gpu(format!(
            "{wanted} (on Debian and Ubuntu, the package mesa-vulkan-drivers brings the software adapter llvmpipe)"
        ))
    })
}

#[cfg(target_arch = "wasm32")]
async fn choose(instance: &wgpu::Instance, options: &GpuOptions) -> Result<wgpu::Adapter> {
    let request = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        force_fallback_adapter: options.software == Software::Required,
        ..Default::default()
    };
    instance
        .request_adapter(&request)
        .await
        .map_err(|_| Error::Gpu("this browser offers no WebGPU adapter".to_owned()))
}

#[cfg(not(target_arch = "wasm32"))]
fn describe(info: GpuInfo, _device: &wgpu::Device) -> GpuInfo {
    info
}

/// Browsers name the vendor and the architecture, which wgpu leaves out.
#[cfg(target_arch = "wasm32")]
fn describe(mut info: GpuInfo, device: &wgpu::Device) -> GpuInfo {
    use wasm_bindgen::JsValue;
    let Some(device) = device.as_webgpu() else { return info };
    let get = |object: &JsValue, key: &str| js_sys::Reflect::get(object, &JsValue::from_str(key)).ok();
    let Some(adapter) = get(device.as_ref(), "adapterInfo").filter(JsValue::is_object) else { return info };
    let words: Vec<String> = ["vendor", "architecture", "description"]
        .iter()
        .filter_map(|key| get(&adapter, key)?.as_string())
        .filter(|word| !word.is_empty())
        .collect();
    if !words.is_empty() {
        info = info.named(words.join(" "));
    }
    info.is_software |= info.name.to_lowercase().contains("swiftshader");
    info
}
