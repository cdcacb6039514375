//! The families of models that a config.json may name, and what they have in common.

use super::architecture::QkNorm;

/// What a family's configuration leaves out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Family {
    /// `model_type`
    pub(super) names: &'static [&'static str],
    pub(super) norms_per_layer: u64,
    pub(super) norm: NormParams,
    /// A normalisation after the embedding, besides the last one.
    pub(super) has_embedding_norm: bool,
    pub(super) is_gated: bool,
    /// `tie_word_embeddings` where the file does not say.
    pub(super) is_tied: bool,
    pub(super) qkv_bias: Bias,
    pub(super) out_bias: Bias,
    pub(super) mlp_bias: Bias,
    pub(super) head_bias: bool,
    pub(super) qk_norm: QkNormRule,
    pub(super) positions: Positions,
    pub(super) experts: ExpertRule,
    /// Which blocks have a window, if the file names one and not the blocks.
    pub(super) windowed: Windowed,
    /// `head_dim` where the file does not say; else heads divide the width.
    pub(super) d_head: Option<u64>,
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
    /// Where this key says so; else the default.
    Key(&'static str, bool),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum QkNormRule {
    Is(QkNorm),
    /// Where this key is true.
    Key(&'static str, QkNorm),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Positions {
    Free,
    /// A learned table with so many rows more than positions.
    Learned(u64),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum ExpertRule {
    Never,
    /// Every block has them, `intermediate_size` wide.
    Mixtral,
    /// `moe_intermediate_size`, every `decoder_sparse_step`-th block but `mlp_only_layers`.
    Qwen,
    /// Blocks from `first_k_dense_replace` on, with shared experts of the same width.
    DeepSeek,
    /// As Mixtral, with biases on experts and router.
    GptOss,
    /// Every `interleave_moe_layer_step`-th block, with a shared expert; others are `intermediate_size_mlp` wide.
    Llama4,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Windowed {
    Never,
    All,
    /// Every second block.
    Alternate,
    /// All but every so-manieth.
    AllBut(u64),
}

/// RMS norms twice a block, a gated MLP, no biases: what most families vary.
const LLAMA: Family = Family {
    names: &["llama", "smollm", "yi", "aquila", "internlm3"],
    norms_per_layer: 2,
    norm: NormParams::Weight,
    has_embedding_norm: false,
    is_gated: true,
    is_tied: false,
    qkv_bias: Bias::Key("attention_bias", false),
    out_bias: Bias::Key("attention_bias", false),
    mlp_bias: Bias::Key("mlp_bias", false),
    head_bias: false,
    qk_norm: QkNormRule::Is(QkNorm::Absent),
    positions: Positions::Free,
    experts: ExpertRule::Never,
    windowed: Windowed::Never,
    d_head: None,
};

const WITHOUT_BIAS: Family =
    Family { qkv_bias: Bias::Never, out_bias: Bias::Never, mlp_bias: Bias::Never, ..LLAMA };

/// Layer norms with biases, two matrices with biases, positions in a table.
const GPT2: Family = Family {
    names: &["gpt2"],
    norm: NormParams::WeightAndBias,
    is_gated: false,
    is_tied: true,
    qkv_bias: Bias::Always,
    out_bias: Bias::Always,
    mlp_bias: Bias::Always,
    positions: Positions::Learned(0),
    ..LLAMA
};

/// All families.
pub(super) const FAMILIES: &[Family] = &[
    LLAMA,
    Family { names: &["granite"], ..LLAMA },
    Family {
        names: &["llama4_text"],
        d_head: Some(128),
        mlp_bias: Bias::Never,
        experts: ExpertRule::Llama4,
        windowed: Windowed::AllBut(4),
        ..LLAMA
    },
    Family { names: &["mistral", "ministral"], windowed: Windowed::All, ..WITHOUT_BIAS },
    Family { names: &["phi3"], windowed: Windowed::All, ..WITHOUT_BIAS },
    Family { names: &["smollm3"], is_tied: true, ..LLAMA },
    Family { names: &["mixtral"], experts: ExpertRule::Mixtral, windowed: Windowed::All, ..WITHOUT_BIAS },
    Family { names: &["granitemoe"], experts: ExpertRule::Mixtral, ..LLAMA },
    Family { names: &["qwen2"], qkv_bias: Bias::Always, ..WITHOUT_BIAS },
    Family {
        names: &["qwen2_moe"],
        qkv_bias: Bias::Key("qkv_bias", true),
        experts: ExpertRule::Qwen,
        ..WITHOUT_BIAS
    },
    Family {
        names: &["qwen3"],
        d_head: Some(128),
        mlp_bias: Bias::Never,
        qk_norm: QkNormRule::Is(QkNorm::Shared),
        ..LLAMA
    },
    Family {
        names: &["qwen3_moe"],
        mlp_bias: Bias::Never,
        qk_norm: QkNormRule::Is(QkNorm::Shared),
        experts: ExpertRule::Qwen,
        ..LLAMA
    },
    Family { names: &["gemma"], is_tied: true, d_head: Some(256), mlp_bias: Bias::Never, ..LLAMA },
    Family {
        names: &["gemma2"],
        is_tied: true,
        d_head: Some(256),
        mlp_bias: Bias::Never,
        norms_per_layer: 4,
        windowed: Windowed::Alternate,
        ..LLAMA
    },
    Family {
        names: &["gemma3_text", "gemma3"],
        is_tied: true,
        d_head: Some(256),
        mlp_bias: Bias::Never,
        norms_per_layer: 4,
        qk_norm: QkNormRule::Is(QkNorm::Shared),
        windowed: Windowed::AllBut(6),
        ..LLAMA
    },
    Family { names: &["olmo"], norm: NormParams::Nothing, mlp_bias: Bias::Never, ..LLAMA },
    Family { names: &["olmo2"], mlp_bias: Bias::Never, qk_norm: QkNormRule::Is(QkNorm::PerHead), ..LLAMA },
    Family { names: &["olmo3"], mlp_bias: Bias::Never, qk_norm: QkNormRule::Is(QkNorm::PerHead), ..LLAMA },
    Family {
        names: &["olmoe"],
        mlp_bias: Bias::Never,
        qk_norm: QkNormRule::Is(QkNorm::PerHead),
        experts: ExpertRule::Mixtral,
        ..LLAMA
    },
    Family {
        names: &["deepseek_v2", "deepseek_v3", "kimi_k2"],
        mlp_bias: Bias::Never,
        experts: ExpertRule::DeepSeek,
        ..LLAMA
    },
    Family {
        names: &["glm4_moe"],
        out_bias: Bias::Never,
        mlp_bias: Bias::Never,
        qk_norm: QkNormRule::Key("use_qk_norm", QkNorm::Shared),
        experts: ExpertRule::DeepSeek,
        ..LLAMA
    },
    Family { names: &["glm"], d_head: Some(128), out_bias: Bias::Never, mlp_bias: Bias::Never, ..LLAMA },
    Family {
        names: &["glm4"],
        d_head: Some(128),
        out_bias: Bias::Never,
        mlp_bias: Bias::Never,
        norms_per_layer: 4,
        ..LLAMA
    },
    Family {
        names: &["gpt_oss"],
        d_head: Some(64),
        qkv_bias: Bias::Key("attention_bias", true),
        out_bias: Bias::Key("attention_bias", true),
        experts: ExpertRule::GptOss,
        windowed: Windowed::Alternate,
        ..LLAMA
    },
    Family {
        names: &["cohere"],
        norms_per_layer: 1,
        is_tied: true,
        mlp_bias: Bias::Never,
        qk_norm: QkNormRule::Key("use_qk_norm", QkNorm::PerHead),
        ..LLAMA
    },
    Family {
        names: &["stablelm"],
        norm: NormParams::WeightAndBias,
        qkv_bias: Bias::Key("use_qkv_bias", false),
        out_bias: Bias::Never,
        mlp_bias: Bias::Never,
        ..LLAMA
    },
    GPT2,
    Family { names: &["gpt_bigcode"], ..GPT2 },
    Family { names: &["opt"], positions: Positions::Learned(2), ..GPT2 },
    Family { names: &["bloom"], has_embedding_norm: true, positions: Positions::Free, ..GPT2 },
    Family {
        names: &["gpt_neox"],
        is_tied: false,
        positions: Positions::Free,
        qkv_bias: Bias::Key("attention_bias", true),
        out_bias: Bias::Key("attention_bias", true),
        ..GPT2
    },
    Family {
        names: &["gptj"],
        is_tied: false,
        norms_per_layer: 1,
        positions: Positions::Free,
        qkv_bias: Bias::Never,
        out_bias: Bias::Never,
        head_bias: true,
        ..GPT2
    },
    Family {
        names: &["phi"],
        is_tied: false,
        norms_per_layer: 1,
        positions: Positions::Free,
        head_bias: true,
        ..GPT2
    },
    Family {
        names: &["starcoder2"],
        positions: Positions::Free,
        qkv_bias: Bias::Key("use_bias", true),
        out_bias: Bias::Key("use_bias", true),
        mlp_bias: Bias::Key("use_bias", true),
        windowed: Windowed::All,
        ..GPT2
    },
    Family {
        names: &["falcon"],
        norms_per_layer: 1,
        positions: Positions::Free,
        qkv_bias: Bias::Key("bias", false),
        out_bias: Bias::Key("bias", false),
        mlp_bias: Bias::Key("bias", false),
        ..GPT2
    },
];

/// The family of that `model_type`.
pub(super) fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.names.contains(&name))
}

/// All names, for sentences.
pub(super) fn known() -> String {
    let mut names: Vec<&str> = FAMILIES.iter().flat_map(|family| family.names).copied().collect();
    names.sort_unstable();
    names.join(", ")
}
