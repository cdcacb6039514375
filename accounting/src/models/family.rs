//! What a family of models leaves out of its config.json, as fields of a table.

use super::architecture::QkNorm;

/// What a family's configuration leaves out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Family {
    /// `model_type`
    pub(super) names: &'static [&'static str],
    pub(super) norms: Norms,
    pub(super) norm: NormParams,
    /// A normalisation after the embedding, besides the last one.
    pub(super) has_embedding_norm: bool,
    pub(super) is_gated: bool,
    pub(super) qkv_bias: Bias,
    pub(super) out_bias: Bias,
    pub(super) mlp_bias: Bias,
    pub(super) head_bias: Bias,
    pub(super) qk_norm: QkNormRule,
    /// Keys and values from a latent.
    pub(super) is_latent: bool,
    pub(super) has_sinks: bool,
    pub(super) kv_heads: KvHeads,
    pub(super) positions: Positions,
    /// Whether the feed-forward part is four times as wide as the model where the file does not say.
    pub(super) is_four_times: bool,
    /// Learned numbers of a block's activation function.
    pub(super) activation_params: u64,
    pub(super) experts: Option<ExpertRule>,
    pub(super) windowed: Windowed,
}

/// Normalisations of a block.
#[derive(Debug, Clone, Copy)]
pub(super) enum Norms {
    Are(u64),
    /// So many where this key is true, and else so many.
    Key(&'static str, u64, u64),
    Falcon,
}

/// Parameters of a normalisation per element.
#[derive(Debug, Clone, Copy)]
pub(super) enum NormParams {
    Nothing,
    Weight,
    WeightAndBias,
}

/// Where biases are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bias {
    Never,
    Always,
    Key(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum QkNormRule {
    Is(QkNorm),
    /// Where this key is true.
    Key(&'static str, QkNorm),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum KvHeads {
    /// As many as the file says; else as query heads.
    AsSaid,
    /// One, where `multi_query` is true.
    MultiQuery,
    /// As the file says for `new_decoder_architecture`; else as [`KvHeads::MultiQuery`].
    Falcon,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Positions {
    Free,
    /// A learned table with so many rows more than positions.
    Learned(u64),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ExpertRule {
    pub(super) blocks: Sparse,
    /// The key of an expert's hidden width.
    pub(super) width: &'static str,
    /// The key of the hidden width of blocks without experts.
    pub(super) dense_width: &'static str,
    pub(super) shared: Shared,
    pub(super) has_bias: bool,
    /// Whether the router has a bias: of its own, or one that balances the experts' loads, which a checkpoint has and
    /// gradients do not move.
    pub(super) has_router_bias: bool,
}

/// Which blocks have experts, where `mlp_layer_types` does not say.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sparse {
    All,
    AllButFirst,
    /// Every `decoder_sparse_step`-th block but `mlp_only_layers`.
    Steps,
    /// From `first_k_dense_replace` on, every `moe_layer_freq`-th.
    From,
    /// `moe_layers`, or every `interleave_moe_layer_step`-th.
    Interleaved,
    /// Every `moe_layer_interval`-th from `moe_layer_start_index` to `moe_layer_end_index`.
    Between,
}

/// What every token passes besides.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shared {
    Nothing,
    /// One expert more.
    One,
    /// `n_shared_experts` more.
    Count,
    /// As wide as this key says.
    Width(&'static str),
    /// The same, scaled by a gate.
    Gated(&'static str),
}

/// Which blocks have a window, where `layer_types` does not say; counted from 0.
#[derive(Debug, Clone, Copy)]
pub(super) enum Windowed {
    /// None, whatever the file says.
    Never,
    /// None else.
    Listed,
    All,
    /// All but every so-manieth.
    AllButEvery(u64),
    /// The same; `sliding_window_pattern` says how-manieth.
    Pattern(u64),
    /// All but the first of so many.
    AllButFirstOf(u64),
    /// From `max_window_layers` on.
    From,
    /// Even ones below `max_window_layers`.
    EvenBelow,
    /// Those without rotary positions: every `no_rope_layer_interval`-th, or 0 in `no_rope_layers`.
    WithoutRope,
    /// All others, which see a chunk of `attention_chunk_size` tokens.
    Chunked,
    /// What `attention_types` calls local.
    Local,
}
