//! What an adapter is and what it offers, in words that reach the reader.

use std::fmt;

/// Who makes a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vendor {
    /// NVIDIA.
    Nvidia,
    /// AMD.
    Amd,
    /// Intel.
    Intel,
    /// Apple.
    Apple,
    /// Anyone else.
    Other,
}

impl Vendor {
    /// By the number that PCI has for it, or by its name, which is all that browsers say.
    fn new(number: u32, name: &str) -> Self {
        let name = name.to_lowercase();
        let is = |known: u32, words: &[&str]| {
            number == known
                || words.iter().any(|word| name.split(|c: char| !c.is_alphanumeric()).any(|w| w == *word))
        };
        match () {
            () if is(0x10de, &["nvidia", "geforce"]) => Self::Nvidia,
            () if is(0x1002, &["amd", "radeon"]) => Self::Amd,
            () if is(0x8086, &["intel"]) => Self::Intel,
            () if is(0x106b, &["apple"]) => Self::Apple,
            () => Self::Other,
        }
    }
}

/// What `napkin info` and the page say about an adapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GpuInfo {
    /// The adapter's name; browsers may give only a description, or none.
    pub name: String,
    /// The API it is reached through: `vulkan`, `metal`, `dx12`, `webgpu`.
    pub backend: String,
    /// Who makes it, where that is known.
    pub vendor: Vendor,
    /// Driver and its version, where known.
    pub driver: String,
    /// `discrete`, `integrated`, `virtual`, `cpu` or `other`.
    pub device_type: &'static str,
    /// Whether the adapter is a program on the CPU (llvmpipe, SwiftShader, WARP).
    pub is_software: bool,
    /// Whether kernels can be timed on the device itself.
    pub has_timestamps: bool,
    /// Whether shaders have an f16 type (`shader-f16`).
    pub has_shader_f16: bool,
    /// Largest buffer, in bytes.
    pub max_buffer_bytes: u64,
    /// Largest part of a buffer that one binding can show to a kernel, in bytes.
    pub max_binding_bytes: u64,
    /// Memory that a workgroup shares, in bytes.
    pub max_workgroup_bytes: u32,
    /// Invocations per workgroup.
    pub max_workgroup_invocations: u32,
    /// Sizes of the matrices of float16 that matrix units multiply with sums in float32; none in browsers.
    pub matrix_units: Vec<u32>,
    /// Subgroup (warp) sizes that the adapter may choose, smallest and largest.
    pub subgroup_sizes: (u32, u32),
}

impl GpuInfo {
    pub(crate) fn new(adapter: &wgpu::Adapter) -> Self {
        let (info, limits, features) = (adapter.get_info(), adapter.limits(), adapter.features());
        let lower = info.name.to_lowercase();
        let is_software = info.device_type == wgpu::DeviceType::Cpu
            || ["swiftshader", "llvmpipe", "lavapipe", "basic render"].iter().any(|s| lower.contains(s));
        let driver = [info.driver.as_str(), info.driver_info.as_str()];
        Self {
            name: if info.name.is_empty() { "unnamed adapter".to_owned() } else { info.name.clone() },
            backend: match info.backend {
                wgpu::Backend::BrowserWebGpu => "webgpu".to_owned(),
                other => other.to_string(),
            },
            vendor: Vendor::new(info.vendor, &info.name),
            driver: driver.iter().filter(|s| !s.is_empty()).copied().collect::<Vec<_>>().join(" "),
            device_type: match info.device_type {
                wgpu::DeviceType::DiscreteGpu => "discrete",
                wgpu::DeviceType::IntegratedGpu => "integrated",
                wgpu::DeviceType::VirtualGpu => "virtual",
                wgpu::DeviceType::Cpu => "cpu",
                wgpu::DeviceType::Other => "other",
            },
            is_software,
            has_timestamps: false,
            has_shader_f16: false,
            max_buffer_bytes: 0,
            max_binding_bytes: 0,
            max_workgroup_bytes: 0,
            max_workgroup_invocations: 0,
            matrix_units: matrix_units(adapter),
            subgroup_sizes: (info.subgroup_min_size, info.subgroup_max_size),
        }
        .with(features, &limits)
    }

    /// With what the opened device has of it.
    pub(crate) fn opened(self, device: &wgpu::Device) -> Self {
        self.with(device.features(), &device.limits())
    }

    fn with(self, features: wgpu::Features, limits: &wgpu::Limits) -> Self {
        Self {
            has_timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
            has_shader_f16: features.contains(wgpu::Features::SHADER_F16),
            max_buffer_bytes: limits.max_buffer_size,
            max_binding_bytes: limits.max_storage_buffer_binding_size,
            max_workgroup_bytes: limits.max_compute_workgroup_storage_size,
            max_workgroup_invocations: limits.max_compute_invocations_per_workgroup,
            matrix_units: if features.contains(MATRIX_UNITS) {
                self.matrix_units.clone()
            } else {
                Vec::new()
            },
            ..self
        }
    }

    /// With a name that says more.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn named(self, name: String) -> Self {
        Self { vendor: Vendor::new(0, &name), name, ..self }
    }

    /// What tuning results are remembered under: the adapter and its driver, which in a browser is the browser.
    #[must_use]
    pub fn tuning_key(&self) -> String {
        #[cfg(target_arch = "wasm32")]
        let driver = browser();
        #[cfg(not(target_arch = "wasm32"))]
        let driver = &self.driver;
        format!("{} / {} / {driver}", self.name, self.backend).replace(['\n', '\r'], " ")
    }
}

/// The browser's name and version, as it tells them.
#[cfg(target_arch = "wasm32")]
fn browser() -> String {
    let get = |object: &wasm_bindgen::JsValue, key: &str| js_sys::Reflect::get(object, &key.into()).ok();
    let agent = get(&js_sys::global(), "navigator").and_then(|navigator| get(&navigator, "userAgent"));
    agent.and_then(|agent| agent.as_string()).unwrap_or_default()
}

/// What shaders/matmul_units.wgsl takes.
pub(crate) const MATRIX_UNITS: wgpu::Features = wgpu::Features::EXPERIMENTAL_COOPERATIVE_MATRIX
    .union(wgpu::Features::SUBGROUP)
    .union(wgpu::Features::SHADER_F16);

fn matrix_units(adapter: &wgpu::Adapter) -> Vec<u32> {
    let all = adapter.cooperative_matrix_properties().into_iter().filter(|unit| {
        let types = (unit.ab_type, unit.cr_type);
        let is_square = unit.m_size == unit.n_size && unit.n_size == unit.k_size;
        is_square && types == (wgpu::CooperativeScalarType::F16, wgpu::CooperativeScalarType::F32)
    });
    all.map(|unit| unit.m_size).collect()
}

impl fmt::Display for GpuInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}", self.name, self.backend)?;
        if self.is_software {
            write!(f, ", software")?;
        }
        write!(f, ")")
    }
}
