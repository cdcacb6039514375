//! Real devices: dense peaks per dtype, memory, bandwidth, links, power and prices, each with its sources and how
//! far to trust it. The data is `data/hardware.json`; rates are per device and in FLOP/s (int8: OP/s).

use std::sync::OnceLock;

mod check;
mod record;

pub use self::record::{Catalogue, DensePeak, Device, Link, LinkEnd, Network, PeakDerivation, SparseFactor};
use crate::catalogue::{self, Figure, Named, list};
use crate::dtype::DType;
use crate::{Bytes, BytesPerSec, Error, Peak, Quantity, Result, Sourced, Sparsity, WattsPerGpu};

/// The catalogue, read on first use.
#[must_use]
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| catalogue::shipped(include_str!("../../data/hardware.json")))
}

/// The device of that id, name or alias, whatever its case, spaces, hyphens and underscores.
///
/// # Errors
/// [`Error::Unknown`] with the ids that are most like it, or all, [`Error::Ambiguous`] with those that it may mean.
pub fn device(name: &str) -> Result<&'static Device> {
    catalogue::find(&catalogue().devices, name)
}

/// The network of that id, name or alias, as in [`device`].
///
/// # Errors
/// As for [`device`].
pub fn network(name: &str) -> Result<&'static Network> {
    catalogue::find(&catalogue().networks, name)
}

/// What the catalogue lacks may be published all the same.
const NO_FIGURE: &str = "the catalogue has no sourced figure";

impl Device {
    /// The promised rate for a dtype, in FLOP/s; sparse ones are twice the dense.
    ///
    /// # Errors
    /// [`Error::NoPeak`] where the hardware has none or the catalogue, and for int8, which is no FLOP/s.
    pub fn peak(&self, dtype: DType, sparsity: Sparsity) -> Result<Peak> {
        let none = |sparsity, why| {
            let floats = self.peaks.iter().map(|peak| peak.dtype).filter(|&dtype| dtype != DType::Int8);
            let known = list(floats.map(DType::name));
            Error::NoPeak { device: self.name.clone(), sparsity, dtype, why, known }
        };
        if dtype == DType::Int8 {
            return Err(none("", "integer rates are in OP/s and not in FLOP/s"));
        }
        if self.lacks.contains(&dtype) {
            return Err(none("", "the hardware does not multiply in it"));
        }
        let dense = self.peaks.iter().find(|peak| peak.dtype == dtype);
        let dense = dense.ok_or_else(|| none("", NO_FIGURE))?;
        let title = format!("dense {dtype} peak of one {}", self.name);
        let peak = Peak::new(Sourced::figure(&dense.figure, title));
        match (sparsity, &self.sparse) {
            (Sparsity::Dense, _) => Ok(peak),
            (Sparsity::Sparse, Some(sparse)) if sparse.dtypes.contains(&dtype) => {
                Ok(peak.with_sparse_factor(sparse.figure.value))
            }
            (Sparsity::Sparse, _) => Err(none("sparse ", NO_FIGURE)),
        }
    }

    /// The bandwidth of its memory.
    ///
    /// # Errors
    /// [`Error::Unpublished`] if there is no figure.
    pub fn bandwidth(&self) -> Result<Sourced<BytesPerSec>> {
        self.sourced(self.bandwidth_bytes_per_sec.as_ref(), "memory bandwidth")
    }

    /// The bandwidth to other devices or to the host, in one direction.
    ///
    /// # Errors
    /// [`Error::Unpublished`] if there is no figure.
    pub fn link(&self, to: LinkEnd) -> Result<Sourced<BytesPerSec>> {
        let link = self.links.iter().find(|link| link.to == to).ok_or_else(|| {
            let end = if to == LinkEnd::Host { "its host" } else { "other devices" };
            self.unpublished(format!("link to {end}"))
        })?;
        let title = format!("{} of one {}, in one direction", link.name, self.name);
        Ok(Sourced::figure(&link.bytes_per_sec, title))
    }

    /// The size of its memory.
    ///
    /// # Errors
    /// [`Error::Unpublished`] if there is no figure.
    pub fn memory(&self) -> Result<Sourced<Bytes>> {
        self.sourced(self.memory_bytes.as_ref(), "memory")
    }

    /// The power that it is cooled for.
    ///
    /// # Errors
    /// [`Error::Unpublished`] if there is no figure.
    pub fn power(&self) -> Result<Sourced<WattsPerGpu>> {
        self.sourced(self.power_watts.as_ref(), "power")
    }

    fn sourced<Q: Quantity>(&self, figure: Option<&Figure>, what: &str) -> Result<Sourced<Q>> {
        let figure = figure.ok_or_else(|| self.unpublished(what.to_owned()))?;
        Ok(Sourced::figure(figure, format!("{what} of one {}", self.name)))
    }

    fn unpublished(&self, what: String) -> Error {
        Error::Unpublished { what, device: self.name.clone() }
    }
}

impl Network {
    /// The bandwidth of one adapter, in one direction.
    #[must_use]
    pub fn bandwidth(&self) -> Sourced<BytesPerSec> {
        Sourced::figure(&self.bytes_per_sec, format!("{}, one adapter in one direction", self.name))
    }
}

impl Named for Device {
    const KIND: &'static str = "GPU";

    fn names(&self) -> (&str, &str, &[String]) {
        (&self.id, &self.name, &self.aliases)
    }
}

impl Named for Network {
    const KIND: &'static str = "network";

    fn names(&self) -> (&str, &str, &[String]) {
        (&self.id, &self.name, &self.aliases)
    }
}
