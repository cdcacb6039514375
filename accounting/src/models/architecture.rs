//! What of a decoder-only Transformer the closed forms need.

use serde::Serialize;

/// The sizes of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Architecture {
    /// The family, as `model_type` in a config.json has it.
    pub family: String,
    /// Rows of the token embedding.
    pub vocab_size: u64,
    /// Width of the residual stream.
    pub d_model: u64,
    /// Width of the token embedding; where it is another, a matrix leads to the stream and one back.
    pub d_embedding: u64,
    /// Blocks.
    pub layers: u64,
    /// Longest sequence that it was made for, where it says so.
    pub context: Option<u64>,
    /// Whether the head shares the matrix of the token embedding.
    pub is_tied: bool,
    /// Whether the head adds a bias.
    pub has_head_bias: bool,
    /// Rows of a learned position embedding; 0 where positions cost no parameters.
    pub position_rows: u64,
    /// Attention of every block.
    pub attention: Attention,
    /// Feed-forward part of the blocks without experts.
    pub mlp: Mlp,
    /// Experts, in the blocks that have them.
    pub experts: Option<Experts>,
    /// Normalisations.
    pub norm: Norm,
    /// Blocks that see only the last tokens.
    pub window: Option<Window>,
}

/// How a block looks at other tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Attention {
    /// Heads with keys and values of their own or shared by groups.
    Grouped(Grouped),
    /// Keys and values from a narrow latent.
    Latent(Latent),
}

/// Multi-head, grouped-query and multi-query attention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Grouped {
    /// Query heads.
    pub heads: u64,
    /// Heads of keys and values.
    pub kv_heads: u64,
    /// Width of a head; heads × width need not be the width of the model.
    pub d_head: u64,
    /// Whether the projections of queries, keys and values add biases.
    pub has_qkv_bias: bool,
    /// Whether the output projection does.
    pub has_out_bias: bool,
    /// Normalisation of queries and keys.
    pub qk_norm: QkNorm,
    /// Whether every head has a learned sink.
    pub has_sinks: bool,
}

/// Parameters of the normalisation of queries and keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QkNorm {
    /// None.
    Absent,
    /// One weight per element of a head, shared by all heads.
    Shared,
    /// The same, with as many biases.
    SharedWithBias,
    /// One weight per element of all heads, each of which is normalised by itself.
    PerHead,
    /// One weight per element of all heads, which are normalised as one vector.
    Whole,
}

/// Multi-head latent attention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Latent {
    /// Heads.
    pub heads: u64,
    /// Width of the latent of queries; none where they are projected directly.
    pub q_rank: Option<u64>,
    /// Width of the latent of keys and values.
    pub kv_rank: u64,
    /// Width of a head's part without positions.
    pub d_nope: u64,
    /// Width of the part with rotary positions, which all heads' keys share.
    pub d_rope: u64,
    /// Width of a head's values.
    pub d_v: u64,
    /// Whether the projections to latents and the output add biases.
    pub has_bias: bool,
}

/// A feed-forward part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mlp {
    /// Hidden width.
    pub d_ff: u64,
    /// Whether a gate multiplies the hidden values: three matrices instead of two.
    pub is_gated: bool,
    /// Whether the matrices have biases.
    pub has_bias: bool,
    /// Learned numbers of the activation function.
    pub activation_params: u64,
}

/// A mixture of experts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Experts {
    /// Blocks that have them.
    pub layers: u64,
    /// Experts among which a router chooses.
    pub count: u64,
    /// How many it chooses for a token.
    pub per_token: u64,
    /// One expert.
    pub mlp: Mlp,
    /// Hidden width of what every token passes besides; 0 for nothing.
    pub shared_d_ff: u64,
    /// Whether a gate scales the shared part.
    pub has_shared_gate: bool,
    /// Whether the matrices of the shared part have biases.
    pub has_shared_bias: bool,
    /// Whether the router adds a bias.
    pub has_router_bias: bool,
}

/// The normalisations of a model, all over its width.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Norm {
    /// In a block.
    pub per_layer: u64,
    /// Outside the blocks: the last one, and one after the embedding where there is one.
    pub outside: u64,
    /// Parameters per element: 2 with weight and bias, 1 with a weight, 0 without.
    pub params_per_element: u64,
}

/// Attention to the last tokens only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Window {
    /// How many tokens.
    pub tokens: u64,
    /// In how many blocks.
    pub layers: u64,
    /// Whether the sequence is cut into chunks of so many tokens, which see nothing of the chunks before.
    pub is_chunked: bool,
}

impl Architecture {
    /// Blocks without experts.
    #[must_use]
    pub fn dense_layers(&self) -> u64 {
        self.layers - self.experts.as_ref().map_or(0, |experts| experts.layers)
    }

    /// Query heads.
    #[must_use]
    pub fn heads(&self) -> u64 {
        match &self.attention {
            Attention::Grouped(grouped) => grouped.heads,
            Attention::Latent(latent) => latent.heads,
        }
    }

    /// Heads of keys and values.
    #[must_use]
    pub fn kv_heads(&self) -> u64 {
        match &self.attention {
            Attention::Grouped(grouped) => grouped.kv_heads,
            Attention::Latent(latent) => latent.heads,
        }
    }
}
