//! Real devices: dense peaks per dtype, memory and bandwidth, each with its sources and how far to
//! trust it. The data is `data/hardware.json`; rates are per device and in FLOP/s (int8: OP/s).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::error::quoted;
use crate::{Bandwidth, Bytes, BytesPerSec, DType, Error, FlopPerSec, Peak, Result, Source, Sparsity};

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

impl Mark {
    /// The meaning, for people.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Verified => "two or more sources agree",
            Self::Single => "one source only",
            Self::Derived => "derived",
            Self::Conflict => "sources disagree",
            Self::Unverified => "unverified",
        }
    }
}

/// A number of the catalogue.
#[derive(Debug, Clone, PartialEq, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct DensePeak {
    /// The format multiplied.
    pub dtype: DType,
    /// Operations per second.
    pub figure: Figure,
}

/// Where and by how much 2:4 sparsity raises the rate.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SparseFactor {
    /// The formats that gain.
    pub dtypes: Vec<DType>,
    /// The factor.
    pub figure: Figure,
}

/// An accelerator.
#[derive(Debug, Clone, PartialEq, Deserialize)]
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
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Catalogue {
    /// Sources by key.
    pub sources: BTreeMap<String, Publication>,
    /// In the order in which to offer them.
    pub devices: Vec<Device>,
}

/// A source of the catalogue.
#[derive(Debug, Clone, Deserialize)]
pub struct Publication {
    /// What to cite.
    pub title: String,
    /// Where it is, if on the web.
    pub url: String,
    /// When it was published or read.
    pub date: String,
}

/// The catalogue, read on first use.
#[must_use]
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    // That the file parses is a test's business.
    CATALOGUE.get_or_init(|| serde_json::from_str(include_str!("../data/hardware.json")).unwrap_or_default())
}

/// The device of that id, in any case.
///
/// # Errors
/// [`Error::UnknownDevice`] with the ids that there are.
pub fn device(id: &str) -> Result<&'static Device> {
    let devices = &catalogue().devices;
    devices.iter().find(|device| device.id.eq_ignore_ascii_case(id.trim())).ok_or_else(|| {
        Error::UnknownDevice {
            got: quoted(id.trim()),
            known: list(devices.iter().map(|device| device.id.as_str())),
        }
    })
}

impl Device {
    /// The promised rate for a dtype, in FLOP/s; sparse ones are twice the dense.
    ///
    /// # Errors
    /// [`Error::NoPeak`] where hardware or publications give none, and for int8, which is no FLOP/s.
    pub fn peak(&'static self, dtype: DType, sparsity: Sparsity) -> Result<Peak> {
        let none = |sparsity, why| {
            let floats = self.peaks.iter().map(|peak| peak.dtype).filter(|&dtype| dtype != DType::Int8);
            Error::NoPeak { device: &self.name, sparsity, dtype, why, known: list(floats.map(DType::name)) }
        };
        if dtype == DType::Int8 {
            return Err(none("", "integer rates are in OP/s and not in FLOP/s"));
        }
        if self.lacks.contains(&dtype) {
            return Err(none("", "the hardware does not multiply in it"));
        }
        let dense = self.peaks.iter().find(|peak| peak.dtype == dtype);
        let dense = dense.ok_or_else(|| none("", "nobody has published one"))?;
        let title = format!("dense {dtype} peak of one {}", self.name);
        let peak = Peak::new(FlopPerSec::new(dense.figure.value), &title).with_sources(dense.figure.cite());
        match (sparsity, &self.sparse) {
            (Sparsity::Dense, _) => Ok(peak),
            (Sparsity::Sparse, Some(sparse)) if sparse.dtypes.contains(&dtype) => {
                Ok(peak.with_sparse_factor(sparse.figure.value))
            }
            (Sparsity::Sparse, _) => Err(none("sparse ", "2:4 sparsity does not double this rate")),
        }
    }

    /// The bandwidth of its memory.
    ///
    /// # Errors
    /// [`Error::Unpublished`] if there is no figure.
    pub fn bandwidth(&'static self) -> Result<Bandwidth> {
        let missing = Error::Unpublished { what: "memory bandwidth", device: &self.name };
        let figure = self.bandwidth_bytes_per_sec.as_ref().ok_or(missing)?;
        let title = format!("memory bandwidth of one {}", self.name);
        Ok(Bandwidth::new(BytesPerSec::new(figure.value), &title).with_sources(figure.cite()))
    }

    /// The size of its memory.
    ///
    /// # Errors
    /// [`Error::Unpublished`] if there is no figure.
    pub fn memory(&'static self) -> Result<Bytes> {
        let missing = Error::Unpublished { what: "memory size", device: &self.name };
        Ok(Bytes::new(self.memory_bytes.as_ref().ok_or(missing)?.value))
    }
}

impl Figure {
    /// Its sources, resolved; the first carries mark, note and what others say.
    #[must_use]
    pub fn cite(&self) -> Vec<Source> {
        let mut remark = self.mark.describe().to_owned();
        for alternative in &self.alternatives {
            let condition = if alternative.note.is_empty() { "elsewhere" } else { &alternative.note };
            let value = crate::format::python(alternative.value);
            remark += &format!("; {condition} {value}: {}", title(&alternative.source));
        }
        if !self.note.is_empty() {
            remark += "; ";
            remark += &self.note;
        }
        let publications = self.sources.iter().filter_map(|key| catalogue().sources.get(key));
        let mut sources: Vec<Source> = publications
            .map(|p| Source {
                title: p.title.clone(),
                url: p.url.clone(),
                date: p.date.clone(),
                note: String::new(),
            })
            .collect();
        if let Some(first) = sources.first_mut() {
            first.note = remark;
        }
        sources
    }
}

fn title(key: &str) -> &'static str {
    catalogue().sources.get(key).map_or("", |publication| &publication.title)
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
