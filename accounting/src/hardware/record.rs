//! What `data/hardware.json` holds, and what a reader writes to add a device.

use serde::{Deserialize, Serialize};

use crate::DType;
use crate::catalogue::{self, Figure};

/// An accelerator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// Short name for commands and links: `h100-sxm`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Other names under which it is found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Dtypes that its matrix units do not multiply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<DType>,
    /// Dense rates; a dtype that is neither here nor in `lacks` has none published.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub peaks: Vec<DensePeak>,
    /// The gain of 2:4 sparsity, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sparse: Option<SparseFactor>,
    /// Dense rates with another accumulator than the one of `peaks`: consumer cards are slower in fp32.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accumulate: Vec<DensePeak>,
    /// What products of large matrices have been measured to reach.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matmul: Vec<DensePeak>,
    /// Size of its memory, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<Figure>,
    /// Bandwidth of its memory, in bytes per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth_bytes_per_sec: Option<Figure>,
    /// What joins it to others and to its host.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// The power that it is cooled for, in watts, of card or module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_watts: Option<Figure>,
    /// Price on demand in a cloud, in US dollars per GPU and hour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_per_gpu_hour: Option<Figure>,
}

/// The dense rate for one dtype.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DensePeak {
    /// The format multiplied.
    pub dtype: DType,
    /// The format in which products are summed, in [`Device::accumulate`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accumulator: Option<DType>,
    /// Operations per second.
    pub figure: Figure,
    /// How it comes about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivation: Option<PeakDerivation>,
}

/// Clock × fused multiply-adds per cycle and unit × units × 2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeakDerivation {
    /// Cycles per second.
    pub clock_hz: f64,
    /// Multiplications with an addition, each of them two FLOPs.
    pub fma_per_cycle_and_unit: f64,
    /// How many units work at once.
    pub units: f64,
    /// What they are called: "tensor cores".
    #[serde(deserialize_with = "catalogue::text")]
    pub unit_name: String,
}

/// Where and by how much 2:4 sparsity raises the rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SparseFactor {
    /// The formats that gain.
    pub dtypes: Vec<DType>,
    /// The factor.
    pub figure: Figure,
}

/// One way for bytes to leave a device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Its name: "NVLink 4".
    #[serde(deserialize_with = "catalogue::text")]
    pub name: String,
    /// Where it leads.
    pub to: LinkEnd,
    /// Bytes per second in one direction, all links of a device together.
    pub bytes_per_sec: Figure,
}

/// Where a link leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkEnd {
    /// To the other devices of the node or pod.
    Devices,
    /// To the processor that drives the device.
    Host,
}

/// What joins nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Short name: `infiniband-ndr`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Other names under which it is found.
    pub aliases: Vec<String>,
    /// Bytes per second in one direction and network adapter.
    pub bytes_per_sec: Figure,
}

/// The whole file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// In the order in which to offer them.
    pub devices: Vec<Device>,
    /// In the order in which to offer them.
    pub networks: Vec<Network>,
}
