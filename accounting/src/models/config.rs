//! Architectures from a Hugging Face config.json.

use serde_json::{Map, Value};

use super::architecture::{Architecture, Attention, Experts, Grouped, Latent, Mlp, Norm, QkNorm, Window};
use super::family::{Bias, ExpertRule, Family, NormParams, Positions, QkNormRule, Windowed, family, known};
use crate::{Error, Result};

/// No size of an architecture comes near.
const LARGEST_SIZE: u64 = 1_000_000_000;
/// No model has so many blocks.
const MOST_LAYERS: u64 = 100_000;

impl Architecture {
    /// Reads the text of a config.json.
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
        // Models with pictures keep their language model's sizes in a part of their own.
        if let Some(Value::Object(text)) = config.get("text_config") {
            return Self::from_config(text);
        }
        let model_type = config.get("model_type").and_then(Value::as_str).ok_or_else(|| Error::Missing {
            field: "model_type".to_owned(),
            what: "the family of the model, such as \"llama\"",
        })?;
        let family = family(model_type)
            .ok_or_else(|| Error::input("model_type", format!("one of {}", known()), model_type))?;
        Reader { config, family, model_type }.architecture()
    }
}

struct Reader<'a> {
    config: &'a Map<String, Value>,
    family: &'static Family,
    model_type: &'a str,
}

impl Reader<'_> {
    fn architecture(&self) -> Result<Architecture> {
        let d_model = self.size(&["hidden_size", "n_embd", "n_embed", "d_model"])?;
        let layers = self.size(&["num_hidden_layers", "n_layer", "n_layers"])?;
        if layers > MOST_LAYERS {
            return Err(Error::input("num_hidden_layers", "at most 100000", &layers.to_string()));
        }
        let context = self.maybe(&["max_position_embeddings", "n_positions", "n_ctx", "seq_length"])?;
        let position_rows = match self.family.positions {
            Positions::Free => 0,
            Positions::Learned(more) => more + context.ok_or_else(|| missing("max_position_embeddings"))?,
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
            },
        };
        Ok(Architecture {
            family: self.model_type.to_owned(),
            vocab_size: self.size(&["vocab_size"])?,
            d_model,
            d_embedding: self.maybe(&["word_embed_proj_dim"])?.unwrap_or(d_model),
            layers,
            context,
            is_tied: self.flag("tie_word_embeddings", self.family.is_tied)?,
            has_head_bias: self.family.head_bias,
            position_rows,
            attention: self.attention(d_model)?,
            mlp,
            experts,
            norm: self.norm()?,
            window: self.window(layers)?,
        })
    }

    fn norm(&self) -> Result<Norm> {
        let mut per_layer = self.family.norms_per_layer;
        // One normalisation serves both halves of a block that computes them side by side.
        let side_by_side = self.flag("use_parallel_residual", false)? && self.model_type == "stablelm";
        if side_by_side {
            per_layer = 1;
        }
        if self.model_type == "falcon" {
            let is_new = self.flag("new_decoder_architecture", false)?;
            let is_parallel = self.flag("parallel_attn", true)?;
            let count = self.maybe(&["num_ln_in_parallel_attn"])?;
            per_layer = if is_new {
                count.unwrap_or(2)
            } else if is_parallel {
                1
            } else {
                2
            };
        }
        Ok(Norm {
            per_layer,
            outside: u64::from(self.flag("do_layer_norm_before", true)?)
                + u64::from(self.family.has_embedding_norm),
            params_per_element: match self.family.norm {
                NormParams::Nothing => 0,
                NormParams::Weight => 1,
                NormParams::WeightAndBias => 2,
            },
        })
    }

    fn attention(&self, d_model: u64) -> Result<Attention> {
        let heads = self.size(&["num_attention_heads", "n_head", "n_heads"])?;
        if self.config.contains_key("kv_lora_rank") {
            return Ok(Attention::Latent(Latent {
                heads,
                q_rank: self.maybe(&["q_lora_rank"])?,
                kv_rank: self.size(&["kv_lora_rank"])?,
                d_nope: self.size(&["qk_nope_head_dim"])?,
                d_rope: self.size(&["qk_rope_head_dim"])?,
                d_v: self.size(&["v_head_dim"])?,
                has_bias: self.flag("attention_bias", false)?,
            }));
        }
        let d_head = match self.maybe(&["head_dim", "kv_channels"])?.or(self.family.d_head) {
            Some(d_head) => d_head,
            None if d_model.is_multiple_of(heads) => d_model / heads,
            None => {
                return Err(Error::input(
                    "num_attention_heads",
                    format!("a divisor of hidden_size {d_model} where head_dim is not given"),
                    &heads.to_string(),
                ));
            }
        };
        let kv_heads = self.kv_heads(heads)?;
        if !heads.is_multiple_of(kv_heads) {
            return Err(Error::input(
                "num_key_value_heads",
                format!("a divisor of num_attention_heads {heads}"),
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
                QkNormRule::Is(norm) => norm,
                QkNormRule::Key(key, norm) => {
                    if self.flag(key, false)? {
                        norm
                    } else {
                        QkNorm::Absent
                    }
                }
            },
            has_sinks: self.model_type == "gpt_oss",
        }))
    }

    fn kv_heads(&self, heads: u64) -> Result<u64> {
        let multi_query = self.flag("multi_query", matches!(self.model_type, "falcon" | "gpt_bigcode"))?;
        let is_new = self.flag("new_decoder_architecture", false)?;
        let named = self.maybe(&["num_key_value_heads", "num_kv_heads"])?;
        Ok(match self.model_type {
            "falcon" if !is_new => {
                if multi_query {
                    1
                } else {
                    heads
                }
            }
            "gpt_bigcode" => {
                if multi_query {
                    1
                } else {
                    heads
                }
            }
            _ => named.unwrap_or(heads),
        })
    }

    fn d_ff(&self, d_model: u64) -> Result<u64> {
        let named = match self.family.experts {
            ExpertRule::Llama4 => self.maybe(&["intermediate_size_mlp"])?,
            _ => self.maybe(&["intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"])?,
        };
        // These families choose four times the width where the file says nothing.
        let four_times = matches!(self.model_type, "gpt2" | "gptj" | "bloom" | "falcon" | "gpt_bigcode");
        match named {
            Some(d_ff) => Ok(d_ff),
            None if four_times => Ok(4 * d_model),
            None => Err(missing("intermediate_size")),
        }
    }

    fn experts(&self, layers: u64) -> Result<Option<Experts>> {
        let gated = |d_ff, has_bias| Mlp { d_ff, is_gated: true, has_bias };
        let per_token = || self.size(&["num_experts_per_tok", "num_experts_per_token", "experts_per_token"]);
        let experts = match self.family.experts {
            ExpertRule::Never => return Ok(None),
            rule @ (ExpertRule::Mixtral | ExpertRule::GptOss) => {
                let has_bias = matches!(rule, ExpertRule::GptOss);
                Experts {
                    layers,
                    count: self.size(&["num_local_experts", "num_experts"])?,
                    per_token: per_token()?,
                    mlp: gated(self.size(&["intermediate_size"])?, has_bias),
                    shared_d_ff: 0,
                    has_shared_gate: false,
                    has_router_bias: has_bias,
                }
            }
            ExpertRule::Llama4 => {
                let step = self.maybe(&["interleave_moe_layer_step"])?.unwrap_or(1).max(1);
                let d_ff = self.size(&["intermediate_size"])?;
                Experts {
                    layers: layers / step,
                    count: self.size(&["num_local_experts"])?,
                    per_token: per_token()?,
                    mlp: gated(d_ff, false),
                    shared_d_ff: d_ff,
                    has_shared_gate: false,
                    has_router_bias: false,
                }
            }
            ExpertRule::Qwen => {
                let step = self.maybe(&["decoder_sparse_step"])?.unwrap_or(1).max(1);
                let dense = self.list("mlp_only_layers")?;
                let is_sparse = |layer: &u64| (layer + 1).is_multiple_of(step) && !dense.contains(layer);
                let shared = self.model_type == "qwen2_moe";
                Experts {
                    layers: (0..layers).filter(is_sparse).count() as u64,
                    count: self.size(&["num_experts", "num_local_experts"])?,
                    per_token: per_token()?,
                    mlp: gated(self.size(&["moe_intermediate_size"])?, false),
                    shared_d_ff: if shared { self.size(&["shared_expert_intermediate_size"])? } else { 0 },
                    has_shared_gate: shared,
                    has_router_bias: false,
                }
            }
            ExpertRule::DeepSeek => {
                let Some(count) = self.maybe(&["n_routed_experts"])? else { return Ok(None) };
                let dense = self.maybe(&["first_k_dense_replace"])?.unwrap_or(0);
                let step = self.maybe(&["moe_layer_freq"])?.unwrap_or(1).max(1);
                let d_ff = self.size(&["moe_intermediate_size"])?;
                let is_sparse = |layer: &u64| *layer >= dense && layer.is_multiple_of(step);
                Experts {
                    layers: (0..layers).filter(is_sparse).count() as u64,
                    count,
                    per_token: per_token()?,
                    mlp: gated(d_ff, false),
                    shared_d_ff: d_ff * self.maybe(&["n_shared_experts"])?.unwrap_or(0),
                    has_shared_gate: false,
                    // A bias that balances the experts' loads; a checkpoint has it, gradients do not move it.
                    has_router_bias: self.model_type != "deepseek_v2",
                }
            }
        };
        if experts.per_token > experts.count {
            let rule = format!("at most the number of experts, {}", experts.count);
            return Err(Error::input("num_experts_per_tok", rule, &experts.per_token.to_string()));
        }
        Ok(Some(experts))
    }

    fn window(&self, layers: u64) -> Result<Option<Window>> {
        let Some(tokens) = self.maybe(&["sliding_window", "attention_chunk_size"])? else { return Ok(None) };
        if tokens == 0 || !self.flag("use_sliding_window", true)? {
            return Ok(None);
        }
        let layers = match (self.config.get("layer_types"), self.family.windowed) {
            (Some(Value::Array(types)), _) => {
                types.iter().filter(|of| of.as_str().is_some_and(|of| of != "full_attention")).count() as u64
            }
            (_, Windowed::Never) => 0,
            (_, Windowed::All) => layers,
            (_, Windowed::Alternate) => layers.div_ceil(2),
            (_, Windowed::AllBut(default)) => {
                layers - layers / self.maybe(&["sliding_window_pattern"])?.unwrap_or(default).max(1)
            }
        };
        Ok((layers > 0).then_some(Window { tokens, layers }))
    }

    fn bias(&self, bias: Bias) -> Result<bool> {
        match bias {
            Bias::Never => Ok(false),
            Bias::Always => Ok(true),
            Bias::Key(key, default) => self.flag(key, default),
        }
    }

    fn flag(&self, key: &str, default: bool) -> Result<bool> {
        match self.config.get(key) {
            None | Some(Value::Null) => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(Error::input(key, "true or false", &other.to_string())),
        }
    }

    fn list(&self, key: &str) -> Result<Vec<u64>> {
        match self.config.get(key) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(value) => serde_json::from_value(value.clone())
                .map_err(|_| Error::input(key, "a list of blocks", &value.to_string())),
        }
    }

    /// A size under the first of these names that the file has.
    fn size(&self, keys: &[&'static str]) -> Result<u64> {
        self.maybe(keys)?.ok_or_else(|| missing(keys[0]))
    }

    fn maybe(&self, keys: &[&'static str]) -> Result<Option<u64>> {
        let found = keys.iter().find_map(|&key| {
            let value = self.config.get(key).filter(|value| !value.is_null())?;
            Some((key, value))
        });
        let Some((key, value)) = found else { return Ok(None) };
        let whole = value.as_u64().or_else(|| {
            let double = value.as_f64()?;
            (double.fract() == 0.0 && double >= 0.0).then_some(double as u64)
        });
        // A file may say 0 for "none of these".
        let least =
            u64::from(!["first_k_dense_replace", "n_shared_experts", "sliding_window"].contains(&key));
        match whole {
            Some(size) if (least..=LARGEST_SIZE).contains(&size) => Ok(Some(size)),
            _ => Err(Error::input(key, format!("a whole number from {least} to 10^9"), &value.to_string())),
        }
    }
}

fn missing(key: &'static str) -> Error {
    Error::Missing { field: key.to_owned(), what: "a size that this family's config.json has" }
}
