//! What training has taken, as published, to lay beside a napkin's estimate. The data is `data/runs.json`.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::catalogue::{self, Figure, Named};
use crate::{DType, GpuHours, Result, Sourced};

/// The training of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Short name for commands and links.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Id of the model in [`crate::models`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Id of the device in [`crate::hardware`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu: Option<String>,
    /// In which format most of its products are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dtype: Option<DType>,
    /// How many devices at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpus: Option<Figure>,
    /// Reported hours times devices. More than the final run may be in them, so they give no MFU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu_hours: Option<Figure>,
    /// Reported FLOPs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flop: Option<Figure>,
    /// Reported FLOP/s of each device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flop_per_sec_and_gpu: Option<Figure>,
    /// On how many tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Figure>,
    /// What to know about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// An amount of compute that people refer to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Landmark {
    /// Short name.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// FLOPs.
    pub flop: Figure,
}

/// The whole file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// In the order in which to show them.
    pub runs: Vec<Run>,
    /// From the least to the most.
    pub landmarks: Vec<Landmark>,
}

/// The catalogue, read on first use.
#[must_use]
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| catalogue::shipped(include_str!("../data/runs.json")))
}

/// The run of that id or name, whatever its case, spaces, hyphens and underscores.
///
/// # Errors
/// [`crate::Error::Unknown`] with the ids that there are, [`crate::Error::Ambiguous`] with those that it may mean.
pub fn run(name: &str) -> Result<&'static Run> {
    catalogue::find(&catalogue().runs, name)
}

/// The GPU-hours that the makers of a model report on that device, with the run's name.
#[must_use]
pub fn reported(model: &str, device: &str) -> Option<(&'static str, Sourced<GpuHours>)> {
    let is_of = |run: &&Run| run.model.as_deref() == Some(model) && run.gpu.as_deref() == Some(device);
    let of_model = catalogue().runs.iter().filter(is_of);
    of_model.filter_map(Run::reported).next()
}

impl Run {
    /// Its reported GPU-hours, with its name.
    #[must_use]
    pub fn reported(&self) -> Option<(&str, Sourced<GpuHours>)> {
        let hours = self.gpu_hours.as_ref()?;
        Some((&self.name, Sourced::figure(hours, format!("reported GPU-hours of {}", self.name))))
    }

    /// Every figure with its field.
    pub fn figures(&self) -> impl Iterator<Item = (&'static str, &Figure)> {
        [
            ("gpus", &self.gpus),
            ("gpu_hours", &self.gpu_hours),
            ("flop", &self.flop),
            ("flop_per_sec_and_gpu", &self.flop_per_sec_and_gpu),
            ("tokens", &self.tokens),
        ]
        .into_iter()
        .filter_map(|(field, figure)| figure.as_ref().map(|figure| (field, figure)))
    }
}

impl Named for Run {
    const KIND: &'static str = "run";

    fn names(&self) -> (&str, &str, &[String]) {
        (&self.id, &self.name, &[])
    }
}
