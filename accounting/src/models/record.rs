//! What `data/models.json` holds, and what a reader writes to add a model.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::catalogue::{self, Figure, Mark};

/// A model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Short name for commands and links: `llama-3.1-8b`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Other names under which it is found, its repository on Hugging Face among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The architecture, in the keys of a Hugging Face `config.json` of the family.
    pub config: Map<String, Value>,
    /// How far to trust the values of `config`, by key; `*` is for those that are not named.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, Backing>,
    /// What its makers say that it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Published>,
    /// On how many tokens it was trained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training_tokens: Option<Figure>,
    /// What is easily got wrong about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "catalogue::texts")]
    pub remarks: Vec<String>,
}

/// What a value rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backing {
    /// How far to trust it.
    pub mark: Mark,
    /// Keys of [`crate::catalogue::sources`].
    #[serde(deserialize_with = "catalogue::texts")]
    pub sources: Vec<String>,
    /// What to know about it.
    #[serde(default, skip_serializing_if = "String::is_empty", deserialize_with = "catalogue::text")]
    pub note: String,
}

/// Parameter counts as published, mostly rounded. Exact ones follow from the configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// All parameters.
    pub published: Figure,
    /// Those that take part in one token, where experts are chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_active: Option<Figure>,
}
