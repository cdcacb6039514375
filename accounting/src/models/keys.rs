//! The keys of a config.json, and what a family's class fills in where they are not there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde_json::{Map, Value};

use crate::{Error, Result, catalogue};

/// No size of an architecture comes near.
const LARGEST_SIZE: u64 = 1_000_000_000;

/// Names that families have for the same size; the first is the one in the classes' defaults.
const SPELLINGS: &[&[&str]] = &[
    &["hidden_size", "n_embd", "n_embed", "d_model"],
    &["num_hidden_layers", "n_layer", "n_layers", "num_layers"],
    &["num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads"],
    &["num_key_value_heads", "num_kv_heads"],
    &["intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"],
    &["max_position_embeddings", "n_positions", "n_ctx", "seq_length", "max_seq_len"],
    &["head_dim", "kv_channels"],
    &["num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"],
    &["num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_k", "moe_topk"],
    &["n_shared_experts", "num_shared_experts", "moe_num_shared_experts"],
];

/// What a whole model's file always says; a class's own sizes are another model's.
const CORE: &[&str] =
    &["vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"];

/// A file may say 0 for "none of these".
const MAY_BE_ZERO: &[&str] = &[
    "first_k_dense_replace",
    "n_shared_experts",
    "num_experts",
    "sliding_window",
    "max_window_layers",
    "shared_intermediate_size",
    "moe_layer_start_index",
    "moe_layer_end_index",
];

/// What transformers' classes fill in, by model type: `data/defaults.json`.
pub(super) fn defaults(model_type: &str) -> Option<&'static Map<String, Value>> {
    static DEFAULTS: OnceLock<BTreeMap<String, Map<String, Value>>> = OnceLock::new();
    DEFAULTS.get_or_init(|| catalogue::shipped(include_str!("../../data/defaults.json"))).get(model_type)
}

/// What a file says of a model or of its text, over what its class fills in.
pub(super) struct Keys<'a> {
    pub(super) said: &'a Map<String, Value>,
    pub(super) filled: Option<&'static Map<String, Value>>,
    /// Whether the text is a part of a model; then the file leaves out what is as in the class.
    pub(super) is_part: bool,
}

impl Keys<'_> {
    /// The name in the file and the value; null stands for what other sizes decide.
    fn find(&self, key: &'static str) -> Option<(&'static str, &Value)> {
        let alone = [key];
        let names = SPELLINGS.iter().find(|names| names[0] == key).map_or(&alone[..], |names| *names);
        let said = |name: &&'static str| self.said.get(*name).map(|value| (*name, value));
        let all = || names.iter().filter_map(said);
        if let Some(found) = all().find(|(_, value)| !value.is_null()).or_else(|| all().next()) {
            return Some(found);
        }
        if CORE.contains(&key) && !self.is_part {
            return None;
        }
        self.filled?.get(key).map(|value| (key, value))
    }

    pub(super) fn size(&self, key: &'static str) -> Result<u64> {
        self.maybe(key)?.ok_or_else(|| missing(self.name(key)))
    }

    /// What the file calls a size.
    pub(super) fn name(&self, key: &'static str) -> &'static str {
        self.find(key).map_or(key, |(name, _)| name)
    }

    pub(super) fn maybe(&self, key: &'static str) -> Result<Option<u64>> {
        let Some((name, value)) = self.find(key) else { return Ok(None) };
        if value.is_null() {
            return Ok(None);
        }
        let whole = value.as_u64().or_else(|| {
            let double = value.as_f64()?;
            (double.fract() == 0.0 && double >= 0.0).then_some(double as u64)
        });
        let least = u64::from(!MAY_BE_ZERO.contains(&key));
        match whole {
            Some(size) if (least..=LARGEST_SIZE).contains(&size) => Ok(Some(size)),
            _ => Err(Error::input(name, format!("a whole number from {least} to 10^9"), &value.to_string())),
        }
    }

    /// The block after the one that a key names as the last; -1 is the last of all.
    pub(super) fn end(&self, key: &'static str, layers: u64) -> Result<u64> {
        let said = self.said.get(key).filter(|said| said.as_i64() != Some(-1));
        Ok(said
            .map_or(Ok(None), |_| self.maybe(key))?
            .map_or(layers, |last| last.saturating_add(1))
            .min(layers))
    }

    /// Whether a key is true; false where neither the file nor the class says so.
    pub(super) fn flag(&self, key: &'static str) -> Result<bool> {
        Ok(self.maybe_flag(key)?.unwrap_or(false))
    }

    pub(super) fn maybe_flag(&self, key: &'static str) -> Result<Option<bool>> {
        match self.find(key) {
            None => Ok(None),
            Some((_, Value::Null)) => Ok(Some(false)),
            Some((_, Value::Bool(flag))) => Ok(Some(*flag)),
            Some((_, other)) => Err(Error::input(key, "true or false", &other.to_string())),
        }
    }

    /// The numbers of blocks that a key lists, if it is there.
    pub(super) fn blocks(&self, key: &'static str) -> Result<Option<BTreeSet<u64>>> {
        Ok(self.list(key, "a list of blocks", Value::as_u64)?.map(BTreeSet::from_iter))
    }

    /// What a key says of every block, one by one.
    pub(super) fn of_blocks<T>(
        &self,
        key: &'static str,
        layers: u64,
        what: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<Vec<T>>> {
        let rule = format!("a list with one of {what} for each of {layers} blocks");
        let list = self.list(key, &rule, read)?;
        match &list {
            Some(of) if of.len() as u64 != layers => {
                Err(Error::input(key, rule, &format!("a list of {}", of.len())))
            }
            _ => Ok(list),
        }
    }

    fn list<T>(
        &self,
        key: &'static str,
        rule: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<Vec<T>>> {
        let Some((_, value)) = self.find(key).filter(|(_, value)| !value.is_null()) else { return Ok(None) };
        let list = value.as_array().and_then(|items| items.iter().map(read).collect());
        list.map(Some).ok_or_else(|| Error::input(key, rule, &value.to_string()))
    }
}

pub(super) fn missing(key: &'static str) -> Error {
    Error::Missing { field: key.to_owned(), what: "a size that this family's config.json has".into() }
}
