//! The model that a reader has chosen: a preset, a record of their own, or a bare config.json.

use std::borrow::Cow;

use serde_json::Value;

use crate::catalogue::Figure;
use crate::error::line;
use crate::models::{self, Architecture, Model};
use crate::{Error, Result};

/// A model to compute with.
#[derive(Debug, Clone)]
pub struct ChosenModel {
    /// Its name for people.
    pub name: String,
    /// Its sizes.
    pub architecture: Architecture,
    /// On how many tokens it was trained, if it is known.
    pub training_tokens: Option<Figure>,
    /// Its record, if it has one.
    pub record: Option<Model>,
}

impl ChosenModel {
    /// Reads the id of a preset, or JSON: a record as in the catalogue, or a config.json.
    ///
    /// # Errors
    /// A sentence about an unknown id, a missing key or a value that breaks a rule.
    pub fn read(text: &str) -> Result<Self> {
        if !text.starts_with('{') {
            return Self::of(models::preset(text)?.clone());
        }
        let value: Value = serde_json::from_str(text)
            .map_err(|error| Error::Record { kind: "config.json", problem: line(&error.to_string()) })?;
        if value.get("config").is_some() {
            return Self::of(Model::from_json(text)?);
        }
        let architecture = Architecture::from_config_text(text)?;
        let name = value.get("name").or_else(|| value.get("_name_or_path")).and_then(Value::as_str);
        let name = name.filter(|name| !name.trim().is_empty()).map_or_else(|| "this model".to_owned(), line);
        Ok(Self { name, architecture, training_tokens: None, record: None })
    }

    /// Whether the record that a text names or is says on how many tokens the model was trained.
    pub(super) fn names_tokens(text: &str) -> bool {
        let record = if text.starts_with('{') {
            Model::from_json(text).map(Cow::Owned)
        } else {
            models::preset(text).map(Cow::Borrowed)
        };
        record.is_ok_and(|record| record.training_tokens.is_some())
    }

    fn of(model: Model) -> Result<Self> {
        Ok(Self {
            name: model.name.clone(),
            architecture: Architecture::from_config(&model.config)?,
            training_tokens: model.training_tokens.clone(),
            record: Some(model),
        })
    }
}
