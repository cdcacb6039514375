//! Which blocks of a model have experts, which have a window.

use serde_json::Value;

use super::architecture::{Experts, Mlp, Window};
use super::config::Reader;
use super::family::{Shared, Sparse, Windowed};
use crate::{Error, Result};

impl Reader<'_> {
    pub(super) fn experts(&self, layers: u64) -> Result<Option<Experts>> {
        let (keys, Some(rule)) = (&self.keys, self.family.experts) else { return Ok(None) };
        let count = match (keys.maybe("num_experts")?, rule.blocks) {
            // These families may be without.
            (None, Sparse::From) | (Some(0), Sparse::Steps) => return Ok(None),
            (Some(0), _) => return Err(Error::input(keys.name("num_experts"), "at least 1", "0")),
            (Some(count), _) => count,
            (None, _) => keys.size("num_experts")?,
        };
        let per_token = keys.size("num_experts_per_tok")?;
        if per_token > count {
            let rule = format!("at most the number of experts, {count}");
            return Err(Error::input(keys.name("num_experts_per_tok"), rule, &per_token.to_string()));
        }
        let d_ff = keys.size(rule.width)?;
        let (shared_d_ff, has_shared_gate) = match rule.shared {
            Shared::Nothing => (0, false),
            Shared::One => (d_ff, false),
            Shared::Count => (d_ff * keys.maybe("n_shared_experts")?.unwrap_or(0), false),
            Shared::Width(key) => (keys.maybe(key)?.unwrap_or(0), false),
            Shared::Gated(key) => (keys.size(key)?, true),
        };
        let layers = self.sparse(layers, rule.blocks)?;
        if layers == 0 {
            return Ok(None);
        }
        Ok(Some(Experts {
            layers,
            count,
            per_token,
            mlp: Mlp { d_ff, is_gated: true, has_bias: rule.has_bias, activation_params: 0 },
            shared_d_ff,
            has_shared_gate,
            has_shared_bias: shared_d_ff > 0 && self.bias(self.family.mlp_bias)?,
            has_router_bias: rule.has_router_bias,
        }))
    }

    fn sparse(&self, layers: u64, rule: Sparse) -> Result<u64> {
        let keys = &self.keys;
        let what = "\"dense\" and \"sparse\"";
        let types = keys.of_blocks("mlp_layer_types", layers, what, |of| match of.as_str()? {
            "sparse" => Some(true),
            "dense" => Some(false),
            _ => None,
        })?;
        if let Some(types) = types {
            return Ok(count(types));
        }
        let step = |key| Ok::<_, Error>(keys.maybe(key)?.unwrap_or(1));
        Ok(match rule {
            Sparse::All => layers,
            Sparse::AllButFirst => layers - 1,
            Sparse::Steps => {
                let step = step("decoder_sparse_step")?;
                let dense = keys.blocks("mlp_only_layers")?.unwrap_or_default();
                count((0..layers).map(|block| (block + 1).is_multiple_of(step) && !dense.contains(&block)))
            }
            Sparse::From => {
                let (from, step) =
                    (keys.maybe("first_k_dense_replace")?.unwrap_or(0), step("moe_layer_freq")?);
                count((from..layers).map(|block| block.is_multiple_of(step)))
            }
            Sparse::Interleaved => match keys.blocks("moe_layers")? {
                Some(sparse) => count((0..layers).map(|block| sparse.contains(&block))),
                None => layers / step("interleave_moe_layer_step")?,
            },
            Sparse::Between => {
                let from = keys.maybe("moe_layer_start_index")?.unwrap_or(0);
                let to = keys.end("moe_layer_end_index", layers)?;
                let step = step("moe_layer_interval")?;
                count((from..to).map(|block| (block + 1).is_multiple_of(step)))
            }
        })
    }

    pub(super) fn window(&self, layers: u64) -> Result<Option<Window>> {
        let keys = &self.keys;
        let key = match self.family.windowed {
            Windowed::Never => return self.types(layers).map(|_| None),
            Windowed::Local => "window_size",
            Windowed::Chunked => "attention_chunk_size",
            _ => "sliding_window",
        };
        let is_used = keys.maybe_flag("use_sliding_window")?.unwrap_or(true);
        let types = self.types(layers)?;
        let Some(tokens) = keys.maybe(key)?.filter(|tokens| *tokens > 0 && is_used) else { return Ok(None) };
        let layers = match types {
            Some(types) => count(types),
            None => self.windowed(layers)?,
        };
        let is_chunked = matches!(self.family.windowed, Windowed::Chunked);
        Ok((layers > 0).then_some(Window { tokens, layers, is_chunked }))
    }

    /// Whether `layer_types` gives each block a window. Blocks that do not attend at all are of no family here.
    fn types(&self, layers: u64) -> Result<Option<Vec<bool>>> {
        let what = "\"full_attention\", \"sliding_attention\" and \"chunked_attention\"";
        self.keys.of_blocks("layer_types", layers, what, |of| match of.as_str()? {
            "full_attention" => Some(false),
            "sliding_attention" | "chunked_attention" => Some(true),
            _ => None,
        })
    }

    fn windowed(&self, layers: u64) -> Result<u64> {
        let keys = &self.keys;
        let from = || Ok::<_, Error>(keys.maybe("max_window_layers")?.unwrap_or(0).min(layers));
        Ok(match self.family.windowed {
            Windowed::Never | Windowed::Listed => 0,
            Windowed::All => layers,
            Windowed::AllButEvery(step) => layers - layers / step,
            Windowed::Pattern(step) => {
                layers - layers / keys.maybe("sliding_window_pattern")?.unwrap_or(step)
            }
            Windowed::AllButFirstOf(step) => layers - layers.div_ceil(step),
            Windowed::From => layers - from()?,
            Windowed::EvenBelow => from()?.div_ceil(2),
            Windowed::WithoutRope => layers - self.with_rope(layers)?,
            Windowed::Chunked => self.with_rope(layers)?,
            Windowed::Local => self.local(layers)?,
        })
    }

    /// Blocks with rotary positions, of a family in which not all have them.
    fn with_rope(&self, layers: u64) -> Result<u64> {
        let keys = &self.keys;
        let is_said = keys
            .said
            .get("no_rope_layers")
            .and_then(|list| list.as_array())
            .is_some_and(|list| !list.is_empty());
        let said = match is_said {
            true => keys.of_blocks("no_rope_layers", layers, "0 and 1", Value::as_u64)?,
            false => None,
        };
        Ok(match said {
            Some(said) => count(said.into_iter().map(|has| has != 0)),
            None => layers - layers / keys.maybe("no_rope_layer_interval")?.unwrap_or(4),
        })
    }

    /// `[[["global", "local"], 12]]` is twelve times two blocks.
    fn local(&self, layers: u64) -> Result<u64> {
        let Some(said) = self.keys.said.get("attention_types").filter(|said| !said.is_null()) else {
            return Ok(layers / 2);
        };
        let rule = format!("a list such as [[[\"global\", \"local\"], 12]] that makes {layers} blocks");
        let wrong = || Error::input("attention_types", rule, &said.to_string());
        let Ok(groups) = serde_json::from_value::<Vec<(Vec<String>, u64)>>(said.clone()) else {
            return Err(wrong());
        };
        let times = |of: fn(&[String]) -> usize| {
            groups.iter().try_fold(0_u64, |sum, (types, times)| {
                (of(types) as u64).checked_mul(*times)?.checked_add(sum)
            })
        };
        if times(<[String]>::len) != Some(layers) {
            return Err(wrong());
        }
        let local = times(|types| types.iter().filter(|of| *of == "local").count());
        local.ok_or_else(wrong)
    }
}

fn count(blocks: impl IntoIterator<Item = bool>) -> u64 {
    blocks.into_iter().filter(|is| *is).count() as u64
}
