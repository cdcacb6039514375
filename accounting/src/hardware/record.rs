//! What the data file holds. The build reads the file with these types and packs it; the program
//! unpacks it with the same ones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A format in which a device multiplies. Hardware has one rate for both fp8 variants and one for
/// all fp4 variants, so there is one of each here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DType {
    /// IEEE binary32, on the vector units.
    Fp32,
    /// Stored as fp32, multiplied with 10 fraction bits by tensor cores.
    Tf32,
    /// IEEE binary16.
    Fp16,
    /// The upper half of binary32.
    Bf16,
    /// E4M3 or E5M2.
    Fp8,
    /// E2M1.
    Fp4,
    /// Integers; rates are in OP/s, not FLOP/s.
    Int8,
}

/// How far a figure can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// Two or more independent sources agree.
    Verified,
    /// One source only.
    Single,
    /// Computed from clock and units.
    Derived,
    /// Sources disagree; the others' values are in [`Figure::alternatives`].
    Conflict,
    /// Nobody whose word counts has published it.
    Unverified,
}

/// A number of the catalogue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// In base units.
    pub value: f64,
    /// How far to trust it.
    pub mark: Mark,
    /// Keys of [`Catalogue::sources`].
    pub sources: Vec<String>,
    /// Other values in circulation.
    #[serde(default)]
    pub alternatives: Vec<Alternative>,
    /// What to know about it.
    #[serde(default)]
    pub note: String,
}

/// A value that another source gives, or that holds under another condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// In base units.
    pub value: f64,
    /// Key of [`Catalogue::sources`].
    pub source: String,
    /// Under which condition.
    #[serde(default)]
    pub note: String,
}

/// The dense rate for one dtype.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DensePeak {
    /// The format multiplied.
    pub dtype: DType,
    /// Operations per second.
    pub figure: Figure,
}

/// Where and by how much 2:4 sparsity raises the rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SparseFactor {
    /// The formats that gain.
    pub dtypes: Vec<DType>,
    /// The factor.
    pub figure: Figure,
}

/// An accelerator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Device {
    /// Short name for commands and links: `h100-sxm`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Dtypes that its matrix units do not multiply.
    pub lacks: Vec<DType>,
    /// Dense rates; a dtype that is neither here nor in `lacks` has none published.
    pub peaks: Vec<DensePeak>,
    /// The gain of 2:4 sparsity, if it has any.
    pub sparse: Option<SparseFactor>,
    /// Size of its memory, in bytes.
    pub memory_bytes: Option<Figure>,
    /// Bandwidth of its memory, in bytes per second.
    pub bandwidth_bytes_per_sec: Option<Figure>,
}

/// All devices, and the sources that their figures cite.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Catalogue {
    /// Sources by key.
    pub sources: BTreeMap<String, Publication>,
    /// In the order in which to offer them.
    pub devices: Vec<Device>,
}

/// A source of the catalogue.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Publication {
    /// What to cite.
    pub title: String,
    /// Where it is, if on the web.
    pub url: String,
    /// When it was published or read.
    pub date: String,
}
