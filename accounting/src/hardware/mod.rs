//! Real devices: dense peaks per dtype, memory and bandwidth, each with its sources and how far to
//! trust it. The data is `data/hardware.json`; rates are per device and in FLOP/s (int8: OP/s).

use std::sync::OnceLock;

pub(crate) mod record;

pub use self::record::{Alternative, Catalogue, DensePeak, Device, Figure, Mark, Publication, SparseFactor};
use crate::dtype::DType;
use crate::error::quoted;
use crate::{Bandwidth, Bytes, BytesPerSec, Error, FlopPerSec, Peak, Result, Source, Sparsity};

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

/// The catalogue, read on first use.
#[must_use]
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    // The build has packed the file; that it unpacks to the same is a test's business.
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/hardware.postcard"));
    CATALOGUE.get_or_init(|| postcard::from_bytes(packed).unwrap_or_default())
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
