//! The families of models that a config.json may name.

use super::architecture::QkNorm;
use super::family::{
    Bias, ExpertRule, Family, KvHeads, NormParams, Norms, Positions, QkNormRule, Shared, Sparse, Windowed,
};

/// RMS norms twice a block, a gated MLP, biases where the usual keys say: what most families vary.
const LLAMA: Family = Family {
    names: &["llama", "internlm3", "iquestcoder", "granite"],
    norms: Norms::Are(2),
    norm: NormParams::Weight,
    has_embedding_norm: false,
    is_gated: true,
    qkv_bias: Bias::Key("attention_bias"),
    out_bias: Bias::Key("attention_bias"),
    mlp_bias: Bias::Key("mlp_bias"),
    head_bias: Bias::Never,
    qk_norm: QkNormRule::Is(QkNorm::Absent),
    is_latent: false,
    has_sinks: false,
    kv_heads: KvHeads::AsSaid,
    positions: Positions::Free,
    is_four_times: false,
    activation_params: 0,
    experts: None,
    windowed: Windowed::Never,
};

/// Biases at most in attention.
const PLAIN_MLP: Family = Family { mlp_bias: Bias::Never, ..LLAMA };

const WITHOUT_BIAS: Family = Family { qkv_bias: Bias::Never, out_bias: Bias::Never, ..PLAIN_MLP };

const ERNIE: Family = Family {
    names: &["ernie4_5"],
    qkv_bias: Bias::Key("use_bias"),
    out_bias: Bias::Key("use_bias"),
    mlp_bias: Bias::Key("use_bias"),
    ..LLAMA
};

const SHARED_QK_NORM: QkNormRule = QkNormRule::Is(QkNorm::Shared);
const WHOLE_QK_NORM: QkNormRule = QkNormRule::Is(QkNorm::Whole);

/// Layer norms with biases, two matrices with biases, positions in a table.
const GPT2: Family = Family {
    names: &["gpt2", "gpt-sw3"],
    norm: NormParams::WeightAndBias,
    is_gated: false,
    qkv_bias: Bias::Always,
    out_bias: Bias::Always,
    mlp_bias: Bias::Always,
    positions: Positions::Learned(0),
    is_four_times: true,
    ..LLAMA
};

const GPT_WITHOUT_POSITIONS: Family = Family { positions: Positions::Free, ..GPT2 };

/// Experts in every block, as wide as `intermediate_size`.
const MIXTRAL: ExpertRule = ExpertRule {
    blocks: Sparse::All,
    width: "intermediate_size",
    dense_width: "intermediate_size",
    shared: Shared::Nothing,
    has_bias: false,
    has_router_bias: false,
};

/// Narrower experts in some blocks.
const QWEN: ExpertRule = ExpertRule { blocks: Sparse::Steps, width: "moe_intermediate_size", ..MIXTRAL };

/// The same in blocks from some on, with shared experts and balanced loads.
const DEEPSEEK: ExpertRule =
    ExpertRule { blocks: Sparse::From, shared: Shared::Count, has_router_bias: true, ..QWEN };

/// All families.
const FAMILIES: &[Family] = &[
    LLAMA,
    Family { names: &["seed_oss"], out_bias: Bias::Key("attention_out_bias"), ..LLAMA },
    Family { names: &["helium"], out_bias: Bias::Never, ..LLAMA },
    Family { names: &["hyperclovax"], norms: Norms::Key("use_post_norm", 4, 2), ..LLAMA },
    Family {
        names: &["cwm"],
        windowed: Windowed::AllButFirstOf(4),
        mlp_bias: Bias::Key("mlp_bias"),
        ..WITHOUT_BIAS
    },
    Family { names: &["granite_swa"], has_sinks: true, windowed: Windowed::AllButFirstOf(4), ..LLAMA },
    Family { names: &["smollm3"], windowed: Windowed::WithoutRope, ..LLAMA },
    Family { names: &["arcee"], is_gated: false, ..LLAMA },
    Family { names: &["nemotron", "jais2"], is_gated: false, norm: NormParams::WeightAndBias, ..LLAMA },
    Family { names: &["nanochat"], is_gated: false, norm: NormParams::Nothing, ..PLAIN_MLP },
    Family {
        names: &["apertus"],
        is_gated: false,
        qk_norm: SHARED_QK_NORM,
        activation_params: 2,
        ..PLAIN_MLP
    },
    ERNIE,
    Family {
        names: &["ernie4_5_moe"],
        head_bias: Bias::Key("use_bias"),
        experts: Some(ExpertRule { blocks: Sparse::Between, ..DEEPSEEK }),
        ..ERNIE
    },
    Family {
        names: &["mistral", "ministral", "ministral3", "phi3"],
        windowed: Windowed::All,
        ..WITHOUT_BIAS
    },
    Family { names: &["mixtral"], experts: Some(MIXTRAL), windowed: Windowed::All, ..WITHOUT_BIAS },
    Family {
        names: &["phimoe"],
        norm: NormParams::WeightAndBias,
        head_bias: Bias::Key("lm_head_bias"),
        experts: Some(MIXTRAL),
        windowed: Windowed::All,
        ..PLAIN_MLP
    },
    Family {
        names: &["minimax_m2"],
        qk_norm: WHOLE_QK_NORM,
        experts: Some(ExpertRule { has_router_bias: true, ..MIXTRAL }),
        ..WITHOUT_BIAS
    },
    Family { names: &["granitemoe"], experts: Some(MIXTRAL), ..PLAIN_MLP },
    Family {
        names: &["granitemoeshared"],
        experts: Some(ExpertRule { shared: Shared::Width("shared_intermediate_size"), ..MIXTRAL }),
        ..PLAIN_MLP
    },
    Family {
        names: &["granitemoe_swa"],
        has_sinks: true,
        experts: Some(ExpertRule { shared: Shared::Width("shared_intermediate_size"), ..MIXTRAL }),
        windowed: Windowed::AllButFirstOf(4),
        ..PLAIN_MLP
    },
    Family {
        names: &["llama4_text"],
        experts: Some(ExpertRule {
            blocks: Sparse::Interleaved,
            dense_width: "intermediate_size_mlp",
            shared: Shared::One,
            ..MIXTRAL
        }),
        windowed: Windowed::Chunked,
        ..PLAIN_MLP
    },
    Family {
        names: &["qwen2", "qwen2_vl_text", "qwen2_5_vl_text"],
        qkv_bias: Bias::Always,
        windowed: Windowed::From,
        ..WITHOUT_BIAS
    },
    Family {
        names: &["qwen2_moe"],
        qkv_bias: Bias::Key("qkv_bias"),
        experts: Some(ExpertRule { shared: Shared::Gated("shared_expert_intermediate_size"), ..QWEN }),
        windowed: Windowed::EvenBelow,
        ..WITHOUT_BIAS
    },
    Family { names: &["qwen3"], qk_norm: SHARED_QK_NORM, windowed: Windowed::From, ..PLAIN_MLP },
    Family { names: &["qwen3_vl_text", "hunyuan_v1_dense"], qk_norm: SHARED_QK_NORM, ..PLAIN_MLP },
    Family {
        names: &["qwen3_moe"],
        qk_norm: SHARED_QK_NORM,
        experts: Some(QWEN),
        windowed: Windowed::All,
        ..PLAIN_MLP
    },
    Family { names: &["qwen3_vl_moe_text"], qk_norm: SHARED_QK_NORM, experts: Some(QWEN), ..PLAIN_MLP },
    Family {
        names: &["mellum"],
        qk_norm: SHARED_QK_NORM,
        experts: Some(ExpertRule { blocks: Sparse::All, ..QWEN }),
        windowed: Windowed::Listed,
        ..PLAIN_MLP
    },
    Family {
        names: &["hunyuan_v1_moe"],
        qk_norm: SHARED_QK_NORM,
        experts: Some(ExpertRule { shared: Shared::One, ..MIXTRAL }),
        ..PLAIN_MLP
    },
    Family { names: &["gemma"], ..PLAIN_MLP },
    Family { names: &["vaultgemma"], windowed: Windowed::AllButEvery(2), ..PLAIN_MLP },
    Family { names: &["gemma2"], norms: Norms::Are(4), windowed: Windowed::AllButEvery(2), ..PLAIN_MLP },
    Family {
        names: &["gemma3_text"],
        norms: Norms::Are(4),
        qk_norm: SHARED_QK_NORM,
        windowed: Windowed::Pattern(6),
        ..PLAIN_MLP
    },
    Family { names: &["olmo"], norm: NormParams::Nothing, ..PLAIN_MLP },
    Family { names: &["olmo2"], qk_norm: WHOLE_QK_NORM, ..PLAIN_MLP },
    Family { names: &["olmo3"], qk_norm: WHOLE_QK_NORM, windowed: Windowed::AllButEvery(4), ..PLAIN_MLP },
    Family { names: &["olmoe", "flex_olmo"], qk_norm: WHOLE_QK_NORM, experts: Some(MIXTRAL), ..PLAIN_MLP },
    Family {
        names: &["deepseek_v2"],
        is_latent: true,
        experts: Some(ExpertRule { has_router_bias: false, ..DEEPSEEK }),
        ..LLAMA
    },
    Family { names: &["deepseek_v3", "kimi_k2"], is_latent: true, experts: Some(DEEPSEEK), ..PLAIN_MLP },
    Family {
        names: &["glm4_moe_lite"],
        is_latent: true,
        experts: Some(ExpertRule { blocks: Sparse::AllButFirst, ..DEEPSEEK }),
        ..PLAIN_MLP
    },
    Family { names: &["minicpm3"], is_latent: true, ..LLAMA },
    Family { names: &["youtu"], is_latent: true, ..PLAIN_MLP },
    Family {
        names: &["glm4_moe"],
        out_bias: Bias::Never,
        qk_norm: QkNormRule::Key("use_qk_norm", QkNorm::Shared),
        experts: Some(DEEPSEEK),
        ..PLAIN_MLP
    },
    Family {
        names: &["dots1"],
        qk_norm: SHARED_QK_NORM,
        experts: Some(DEEPSEEK),
        windowed: Windowed::From,
        ..PLAIN_MLP
    },
    Family {
        names: &["solar_open"],
        out_bias: Bias::Never,
        experts: Some(ExpertRule { blocks: Sparse::All, ..DEEPSEEK }),
        ..PLAIN_MLP
    },
    Family {
        names: &["hy_v3"],
        qk_norm: SHARED_QK_NORM,
        experts: Some(ExpertRule { blocks: Sparse::AllButFirst, ..DEEPSEEK }),
        ..LLAMA
    },
    Family { names: &["exaone4"], qk_norm: SHARED_QK_NORM, windowed: Windowed::Pattern(4), ..WITHOUT_BIAS },
    Family {
        names: &["exaone_moe"],
        qk_norm: SHARED_QK_NORM,
        experts: Some(DEEPSEEK),
        windowed: Windowed::Pattern(4),
        ..WITHOUT_BIAS
    },
    Family { names: &["glm"], out_bias: Bias::Never, ..PLAIN_MLP },
    Family { names: &["glm4"], out_bias: Bias::Never, norms: Norms::Are(4), ..PLAIN_MLP },
    Family { names: &["glm4v_text"], qkv_bias: Bias::Always, norms: Norms::Are(4), ..WITHOUT_BIAS },
    Family {
        names: &["gpt_oss"],
        has_sinks: true,
        experts: Some(ExpertRule { has_bias: true, has_router_bias: true, ..MIXTRAL }),
        windowed: Windowed::AllButEvery(2),
        ..PLAIN_MLP
    },
    Family {
        names: &["cohere"],
        norms: Norms::Are(1),
        qk_norm: QkNormRule::Key("use_qk_norm", QkNorm::PerHead),
        ..PLAIN_MLP
    },
    Family { names: &["cohere2"], norms: Norms::Are(1), windowed: Windowed::Pattern(4), ..PLAIN_MLP },
    Family {
        names: &["stablelm"],
        // One normalisation serves both halves of a block that computes them side by side.
        norms: Norms::Key("use_parallel_residual", 1, 2),
        norm: NormParams::WeightAndBias,
        qkv_bias: Bias::Key("use_qkv_bias"),
        out_bias: Bias::Never,
        qk_norm: QkNormRule::Key("qk_layernorm", QkNorm::PerHead),
        ..PLAIN_MLP
    },
    GPT2,
    Family { names: &["gpt_bigcode"], kv_heads: KvHeads::MultiQuery, ..GPT2 },
    Family { names: &["gpt_neo"], qkv_bias: Bias::Never, windowed: Windowed::Local, ..GPT2 },
    Family { names: &["opt", "biogpt"], positions: Positions::Learned(2), is_four_times: false, ..GPT2 },
    Family { names: &["xglm"], is_four_times: false, ..GPT_WITHOUT_POSITIONS },
    Family { names: &["bloom"], has_embedding_norm: true, ..GPT_WITHOUT_POSITIONS },
    Family {
        names: &["gpt_neox"],
        qkv_bias: Bias::Key("attention_bias"),
        out_bias: Bias::Key("attention_bias"),
        is_four_times: false,
        ..GPT_WITHOUT_POSITIONS
    },
    Family {
        names: &["gptj", "codegen"],
        norms: Norms::Are(1),
        qkv_bias: Bias::Never,
        out_bias: Bias::Never,
        head_bias: Bias::Always,
        ..GPT_WITHOUT_POSITIONS
    },
    Family {
        names: &["phi"],
        norms: Norms::Are(1),
        head_bias: Bias::Always,
        qk_norm: QkNormRule::Key("qk_layernorm", QkNorm::SharedWithBias),
        is_four_times: false,
        ..GPT_WITHOUT_POSITIONS
    },
    Family {
        names: &["persimmon"],
        qk_norm: QkNormRule::Key("qk_layernorm", QkNorm::SharedWithBias),
        is_four_times: false,
        ..GPT_WITHOUT_POSITIONS
    },
    Family {
        names: &["starcoder2"],
        qkv_bias: Bias::Key("use_bias"),
        out_bias: Bias::Key("use_bias"),
        mlp_bias: Bias::Key("use_bias"),
        is_four_times: false,
        windowed: Windowed::All,
        ..GPT_WITHOUT_POSITIONS
    },
    Family {
        names: &["falcon"],
        norms: Norms::Falcon,
        qkv_bias: Bias::Key("bias"),
        out_bias: Bias::Key("bias"),
        mlp_bias: Bias::Key("bias"),
        kv_heads: KvHeads::Falcon,
        ..GPT_WITHOUT_POSITIONS
    },
    Family { names: &["mpt"], is_gated: false, is_four_times: true, ..WITHOUT_BIAS },
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
