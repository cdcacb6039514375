//! Published models: the architecture of each as its `config.json` has it, with sources. The data is
//! `data/models.json`.

use std::sync::OnceLock;

pub mod architecture;
mod blocks;
mod config;
mod families;
mod family;
mod keys;
mod record;

pub use self::architecture::Architecture;
pub use self::record::{Backing, Model, Published};
use crate::catalogue::{self, Bounds, Figure, Named};
use crate::{Error, Result};

/// All models in the order in which to offer them, read on first use.
#[must_use]
pub fn catalogue() -> &'static [Model] {
    static CATALOGUE: OnceLock<Vec<Model>> = OnceLock::new();
    CATALOGUE.get_or_init(|| catalogue::shipped(include_str!("../../data/models.json")))
}

/// The model of that id, name or alias, whatever its case, spaces, hyphens and underscores.
///
/// # Errors
/// [`Error::Unknown`] with the ids that are most like it, [`Error::Ambiguous`] with those that it may mean.
pub fn preset(name: &str) -> Result<&'static Model> {
    catalogue::find(catalogue(), name)
}

const COUNT: Bounds = Bounds { least: 1.0, most: 1e18, unit: "parameters" };
const TOKENS: Bounds = Bounds { least: 1.0, most: 1e21, unit: "tokens" };

impl Model {
    /// Reads a model that a reader adds: the same JSON as in `data/models.json`, of which `id`, `name` and `config`
    /// are required.
    ///
    /// # Errors
    /// [`Error::Record`] for text that is no such record, [`Error::Input`] for a value out of bounds, [`Error::Named`]
    /// for a configuration that makes no architecture: a sentence that names the field and the rule.
    pub fn from_json(text: &str) -> Result<Self> {
        let model: Self = catalogue::read("model", text)?;
        model.check()?;
        Ok(model)
    }

    /// The sizes that the configuration describes.
    ///
    /// # Errors
    /// As [`Architecture::from_config`].
    pub fn architecture(&self) -> Result<Architecture> {
        Architecture::from_config(&self.config)
    }

    /// What a value of the configuration rests on; of what nobody has marked, nothing.
    #[must_use]
    pub fn backing(&self, key: &str) -> Backing {
        self.marks.get(key).or_else(|| self.marks.get("*")).cloned().unwrap_or_default()
    }

    /// Every figure that is not in the configuration, with its field.
    pub fn figures(&self) -> impl Iterator<Item = (&'static str, &Figure)> {
        self.bounded().map(|(field, figure, _)| (field, figure))
    }

    fn bounded(&self) -> impl Iterator<Item = (&'static str, &Figure, &'static Bounds)> {
        let parameters = self.parameters.as_ref();
        [
            ("parameters.published", parameters.map(|p| &p.published), &COUNT),
            ("parameters.published_active", parameters.and_then(|p| p.published_active.as_ref()), &COUNT),
            ("training_tokens", self.training_tokens.as_ref(), &TOKENS),
        ]
        .into_iter()
        .filter_map(|(field, figure, bounds)| figure.map(|figure| (field, figure, bounds)))
    }

    fn check(&self) -> Result<()> {
        catalogue::check_names(self)?;
        for (field, figure, bounds) in self.bounded() {
            figure.check(field, bounds)?;
        }
        self.architecture()
            .map_err(|error| Error::Named { field: "config".to_owned(), error: Box::new(error) })?;
        match self.marks.keys().find(|key| *key != "*" && !self.config.contains_key(*key)) {
            Some(key) => Err(Error::input("marks", "for keys of config, or for * as all others", key)),
            None => Ok(()),
        }
    }
}

impl Named for Model {
    const KIND: &'static str = "model";

    fn names(&self) -> (&str, &str, &[String]) {
        (&self.id, &self.name, &self.aliases)
    }
}
