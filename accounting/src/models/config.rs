//! Architectures from a Hugging Face config.json.

use serde_json::{Map, Value};

use super::architecture::{Architecture, Attention, Grouped, Latent, Mlp, Norm, QkNorm};
use super::families::{family, known};
use super::family::{Bias, Family, KvHeads, NormParams, Norms, Positions, QkNormRule};
use super::keys::{Keys, defaults, missing};
use crate::{Error, Result};

/// No model has so many blocks.
const MOST_LAYERS: u64 = 100_000;

impl Architecture {
    /// Reads the text of a config.json. Of a model with pictures, the language model is what counts.
    ///
    /// Keys that the file leaves out have the values that transformers' class of that `model_type` fills in, but a
    /// whole model's five sizes (vocabulary, width, blocks, heads, feed-forward width) must be there.
    ///
    /// # Errors
    /// A sentence that names the key and the rule: what is no JSON object, an unknown `model_type`, a missing, wrong
    /// or contradictory value.
    pub fn from_config_text(text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| Error::Record { kind: "config.json", problem: error.to_string() })?;
        match value {
            Value::Object(config) => Self::from_config(&config),
            other => Err(Error::Record {
                kind: "config.json",
                problem: format!(
                    "it must be an object, and begins with {}",
                    crate::error::quoted(&other.to_string())
                ),
            }),
        }
    }

    /// Reads the keys of a config.json.
    ///
    /// # Errors
    /// As [`Architecture::from_config_text`].
    pub fn from_config(config: &Map<String, Value>) -> Result<Self> {
        let named = |config: &Map<String, Value>| match config.get("model_type") {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(name)) => Ok(Some(name.clone())),
            Some(other) => Err(Error::input("model_type", "a name in quotes", &other.to_string())),
        };
        let whole = named(config)?;
        // What the model type of a model with pictures says of its text.
        let part = whole.as_deref().and_then(defaults);
        let of_text = part.and_then(|part| part.get("text")?.as_str());
        let text = match config.get("text_config") {
            None | Some(Value::Null) => None,
            Some(Value::Object(text)) => Some(text),
            Some(other) => return Err(Error::input("text_config", "an object", &other.to_string())),
        };
        let said = text.unwrap_or(config);
        let model_type = match (text.map(named).transpose()?.flatten(), of_text) {
            (Some(inner), _) => inner,
            (None, Some(of_text)) => of_text.to_owned(),
            (None, None) => whole.clone().ok_or_else(|| Error::Missing {
                field: "model_type".to_owned(),
                what: "the family of the model, such as \"llama\"".into(),
            })?,
        };
        let family = family(&model_type)
            .ok_or_else(|| Error::input("model_type", format!("one of {}", known()), &model_type))?;
        let keys = Keys { said, filled: defaults(&model_type), is_part: text.is_some() };
        let is_tied = match text {
            None if of_text.is_none() => keys.flag("tie_word_embeddings")?,
            _ => {
                let outer = Keys { said: config, filled: part.filter(|_| of_text.is_some()), is_part: false };
                is_tied_in_whole(whole.as_deref(), &outer, &keys)?
            }
        };
        Reader { keys, family, model_type }.architecture(is_tied)
    }
}

/// Whether the head of a model with pictures is tied: what the file says of the whole counts, for most.
fn is_tied_in_whole(whole: Option<&str>, outer: &Keys<'_>, text: &Keys<'_>) -> Result<bool> {
    let inner = text.maybe_flag("tie_word_embeddings")?;
    let said = outer.maybe_flag("tie_word_embeddings")?;
    Ok(match whole {
        Some("llama4") => inner.unwrap_or(false),
        Some("llava" | "qwen2_vl" | "qwen2_5_vl" | "glm4v") => {
            said.unwrap_or(false) || inner.unwrap_or(false)
        }
        _ => said.or(inner).unwrap_or(false),
    })
}

/// What reads a model's keys by its family's rules.
pub(super) struct Reader<'a> {
    pub(super) keys: Keys<'a>,
    pub(super) family: &'static Family,
    model_type: String,
}

impl Reader<'_> {
    fn architecture(self, is_tied: bool) -> Result<Architecture> {
        let keys = &self.keys;
        let d_model = keys.size("hidden_size")?;
        let layers = keys.size("num_hidden_layers")?;
        if layers > MOST_LAYERS {
            return Err(Error::input(keys.name("num_hidden_layers"), "at most 100000", &layers.to_string()));
        }
        let context = keys.maybe("max_position_embeddings")?;
        let position_rows = match self.family.positions {
            Positions::Free => 0,
            Positions::Learned(more) => {
                more + context.ok_or_else(|| missing(keys.name("max_position_embeddings")))?
            }
        };
        let experts = self.experts(layers)?;
        let all_experts = experts.as_ref().is_some_and(|experts| experts.layers == layers);
        let mlp = match (self.d_ff(d_model), &experts) {
            // The width of blocks that do not exist may be left out.
            (Err(_), Some(experts)) if all_experts => experts.mlp.clone(),
            (d_ff, _) => Mlp {
                d_ff: d_ff?,
                is_gated: self.family.is_gated,
                has_bias: self.bias(self.family.mlp_bias)?,
                activation_params: self.family.activation_params,
            },
        };
        Ok(Architecture {
            vocab_size: keys.size("vocab_size")?,
            d_model,
            d_embedding: keys.maybe("word_embed_proj_dim")?.unwrap_or(d_model),
            layers,
            context,
            is_tied,
            has_head_bias: self.bias(self.family.head_bias)?,
            position_rows,
            attention: self.attention(d_model)?,
            mlp,
            experts,
            norm: self.norm()?,
            window: self.window(layers)?,
            family: self.model_type,
        })
    }

    fn norm(&self) -> Result<Norm> {
        let keys = &self.keys;
        let per_layer = match self.family.norms {
            Norms::Are(count) => count,
            Norms::Key(key, with, without) => {
                if keys.flag(key)? {
                    with
                } else {
                    without
                }
            }
            Norms::Falcon => {
                let side_by_side = keys.maybe_flag("parallel_attn")?.unwrap_or(true);
                let count = keys.maybe("num_ln_in_parallel_attn")?;
                match (keys.flag("new_decoder_architecture")?, side_by_side) {
                    (true, _) => count.unwrap_or(2),
                    (false, true) => 1,
                    (false, false) => 2,
                }
            }
        };
        Ok(Norm {
            per_layer,
            outside: u64::from(keys.maybe_flag("do_layer_norm_before")?.unwrap_or(true))
                + u64::from(self.family.has_embedding_norm),
            params_per_element: match self.family.norm {
                NormParams::Nothing => 0,
                NormParams::Weight => 1,
                NormParams::WeightAndBias => 2,
            },
        })
    }

    fn attention(&self, d_model: u64) -> Result<Attention> {
        let keys = &self.keys;
        let heads = keys.size("num_attention_heads")?;
        let divided = |key: &str| match d_model.is_multiple_of(heads) {
            true => Ok(d_model / heads),
            false => Err(Error::input(
                keys.name("num_attention_heads"),
                format!("a divisor of {} {d_model} where {key} is not given", keys.name("hidden_size")),
                &heads.to_string(),
            )),
        };
        if self.family.is_latent {
            return Ok(Attention::Latent(Latent {
                heads,
                q_rank: keys.maybe("q_lora_rank")?,
                kv_rank: keys.size("kv_lora_rank")?,
                d_nope: keys.size("qk_nope_head_dim")?,
                d_rope: keys.size("qk_rope_head_dim")?,
                d_v: keys.maybe("v_head_dim")?.map_or_else(|| divided("v_head_dim"), Ok)?,
                has_bias: keys.flag("attention_bias")?,
            }));
        }
        let d_head = keys.maybe("head_dim")?.map_or_else(|| divided("head_dim"), Ok)?;
        let kv_heads = self.kv_heads(heads)?;
        if !heads.is_multiple_of(kv_heads) {
            return Err(Error::input(
                keys.name("num_key_value_heads"),
                format!("a divisor of {} {heads}", keys.name("num_attention_heads")),
                &kv_heads.to_string(),
            ));
        }
        Ok(Attention::Grouped(Grouped {
            heads,
            kv_heads,
            d_head,
            has_qkv_bias: self.bias(self.family.qkv_bias)?,
            has_out_bias: self.bias(self.family.out_bias)?,
            qk_norm: match self.family.qk_norm {
                QkNormRule::Key(key, _) if !keys.flag(key)? => QkNorm::Absent,
                QkNormRule::Is(norm) | QkNormRule::Key(_, norm) => norm,
            },
            has_sinks: self.family.has_sinks,
        }))
    }

    fn kv_heads(&self, heads: u64) -> Result<u64> {
        let said = || Ok(self.keys.maybe("num_key_value_heads")?.unwrap_or(heads));
        let multi_query = || Ok(if self.keys.flag("multi_query")? { 1 } else { heads });
        match self.family.kv_heads {
            KvHeads::AsSaid => said(),
            KvHeads::Falcon if self.keys.flag("new_decoder_architecture")? => said(),
            KvHeads::Falcon | KvHeads::MultiQuery => multi_query(),
        }
    }

    fn d_ff(&self, d_model: u64) -> Result<u64> {
        let key = self.family.experts.map_or("intermediate_size", |rule| rule.dense_width);
        match self.keys.maybe(key)? {
            Some(d_ff) => Ok(d_ff),
            None if self.family.is_four_times => Ok(4 * d_model),
            None => Err(missing(self.keys.name(key))),
        }
    }

    pub(super) fn bias(&self, bias: Bias) -> Result<bool> {
        match bias {
            Bias::Never => Ok(false),
            Bias::Always => Ok(true),
            Bias::Key(key) => self.keys.flag(key),
        }
    }
}
