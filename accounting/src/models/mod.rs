//! Published models: the architecture of each as its `config.json` has it, with sources. The data is
//! `data/models.json`.

use std::sync::OnceLock;

use serde_json::Value;

pub mod architecture;
mod config;
mod family;
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
/// [`Error::Unknown`] with the ids that there are, [`Error::Ambiguous`] with those that it may mean.
pub fn preset(name: &str) -> Result<&'static Model> {
    catalogue::find(catalogue(), name)
}

const COUNT: Bounds = Bounds { least: 1.0, most: 1e18, unit: "parameters" };
const TOKENS: Bounds = Bounds { least: 1.0, most: 1e21, unit: "tokens" };
/// No size of an architecture comes near.
const LARGEST_SIZE: f64 = 1e9;

impl Model {
    /// Reads a model that a reader adds: the same JSON as in `data/models.json`, of which `id`, `name` and `config`
    /// are required. Whether the configuration makes a whole architecture is for its importer to say.
    ///
    /// # Errors
    /// [`Error::Record`] for text that is no such record, [`Error::Input`] for a value out of bounds: a sentence that
    /// names the field and the rule.
    pub fn from_json(text: &str) -> Result<Self> {
        let model: Self = catalogue::read("model", text)?;
        model.check()?;
        Ok(model)
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
        if !self.config.get("model_type").is_some_and(Value::is_string) {
            let got = self.config.get("model_type").unwrap_or(&Value::Null);
            return Err(Error::input(
                "config.model_type",
                "the name of a family, such as llama",
                &got.to_string(),
            ));
        }
        for (key, value) in &self.config {
            // Token ids, probabilities and angles have other rules, and no bearing on sizes; null is as good as absent.
            let Some(least) = least_size(key).filter(|_| !value.is_null()) else { continue };
            let size = value.as_f64().unwrap_or(f64::NAN);
            if size.fract() != 0.0 || !(least..=LARGEST_SIZE).contains(&size) {
                let rule = format!("a whole number from {least} to {LARGEST_SIZE:e}");
                return Err(Error::input(&format!("config.{key}"), rule, &value.to_string()));
            }
        }
        match self.marks.keys().find(|key| *key != "*" && !self.config.contains_key(*key)) {
            Some(key) => Err(Error::input("marks", "for keys of config, or for * as all others", key)),
            None => Ok(()),
        }
    }
}

/// The least that a size in a configuration can be; nothing for keys that are no sizes.
fn least_size(key: &str) -> Option<f64> {
    Some(match key {
        "vocab_size"
        | "max_position_embeddings"
        | "hidden_size"
        | "num_hidden_layers"
        | "num_attention_heads"
        | "num_key_value_heads"
        | "head_dim"
        | "intermediate_size"
        | "n_positions"
        | "n_embd"
        | "n_layer"
        | "n_head"
        | "num_experts"
        | "num_experts_per_tok"
        | "moe_intermediate_size"
        | "n_routed_experts"
        | "kv_lora_rank"
        | "qk_nope_head_dim"
        | "qk_rope_head_dim"
        | "v_head_dim"
        | "moe_layer_freq"
        | "decoder_sparse_step" => 1.0,
        "n_shared_experts" | "first_k_dense_replace" | "num_nextn_predict_layers" => 0.0,
        _ => return None,
    })
}

impl Named for Model {
    const KIND: &'static str = "model";

    fn names(&self) -> (&str, &str, &[String]) {
        (&self.id, &self.name, &self.aliases)
    }
}
