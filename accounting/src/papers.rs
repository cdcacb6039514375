//! Where the formulas are from.

use crate::Source;

/// A publication, or a sentence that says why a formula needs none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paper {
    /// What to cite.
    pub title: &'static str,
    /// When it was published.
    pub date: &'static str,
    /// Where it is.
    pub url: &'static str,
}

impl From<Paper> for Source {
    fn from(paper: Paper) -> Self {
        Self {
            title: paper.title.to_owned(),
            url: paper.url.to_owned(),
            date: paper.date.to_owned(),
            note: String::new(),
        }
    }
}

/// What follows from a definition.
#[must_use]
pub const fn reason(title: &'static str) -> Paper {
    Paper { title, date: "", url: "" }
}

const fn paper(title: &'static str, date: &'static str, url: &'static str) -> Paper {
    Paper { title, date, url }
}

/// 6·N·D
pub const KAPLAN: Paper = paper(
    "Kaplan et al., Scaling Laws for Neural Language Models, section 2.1",
    "2020",
    "https://arxiv.org/abs/2001.08361",
);
/// Compute-optimal training.
pub const HOFFMANN: Paper = paper(
    "Hoffmann et al., Training Compute-Optimal Large Language Models, section 3",
    "2022",
    "https://arxiv.org/abs/2203.15556",
);
/// A second look at its third approach.
pub const BESIROGLU: Paper = paper(
    "Besiroglu et al., Chinchilla Scaling: A replication attempt, table 1",
    "2024",
    "https://arxiv.org/abs/2404.10102",
);
/// MFU, and attention's FLOPs beside 6·N.
pub const PALM: Paper = paper(
    "Chowdhery et al., PaLM: Scaling Language Modeling with Pathways, appendix B",
    "2022",
    "https://arxiv.org/abs/2204.02311",
);
/// Arithmetic against memory.
pub const ROOFLINE: Paper = paper(
    "Williams, Waterman and Patterson, Roofline: an insightful visual performance model",
    "2009",
    "https://doi.org/10.1145/1498765.1498785",
);
/// Activation memory, selective recomputation, sequence parallelism.
pub const KORTHIKANTI: Paper = paper(
    "Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models, section 4",
    "2022",
    "https://arxiv.org/abs/2205.05198",
);
/// Tensor parallelism.
pub const SHOEYBI: Paper =
    paper("Shoeybi et al., Megatron-LM, section 3", "2019", "https://arxiv.org/abs/1909.08053");
/// Pipelines, their bubble, and the parallel dimensions together.
pub const NARAYANAN: Paper = paper(
    "Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters, section 2",
    "2021",
    "https://arxiv.org/abs/2104.04473",
);
/// ZeRO and its communication.
pub const ZERO: Paper = paper(
    "Rajbhandari et al., ZeRO: Memory Optimizations Toward Training Trillion Parameter Models, sections 5 and 7",
    "2019",
    "https://arxiv.org/abs/1910.02054",
);
/// What fully sharded data parallelism has whole at a time.
pub const FSDP: Paper = paper(
    "Zhao et al., PyTorch FSDP: Experiences on Scaling Fully Sharded Data Parallel, sections 3 and 4; \
     torch.distributed.fsdp.BackwardPrefetch.BACKWARD_PRE",
    "2023",
    "https://arxiv.org/abs/2304.11277",
);
/// How frameworks split heads of keys and values of which there are fewer than devices.
pub const VLLM: Paper = paper(
    "vLLM, ModelConfig.get_num_kv_heads: each GPU has at least one KV head; latents are on each",
    "read 2026-11",
    "https://github.com/vllm-project/vllm/blob/main/vllm/config/model.py",
);
/// The same in training.
pub const MEGATRON: Paper = paper(
    "Megatron-LM, megatron/core/transformer/attention.py: with fewer query groups than devices each has one group's keys \
     and values, gathered; multi_latent_attention.py: the projections to latents are duplicated",
    "read 2026-11",
    "https://github.com/NVIDIA/Megatron-LM",
);
/// Ring all-reduce.
pub const PATARASUK: Paper = paper(
    "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations",
    "2009",
    "https://doi.org/10.1016/j.jpdc.2008.09.002",
);
/// Experts across devices.
pub const GSHARD: Paper =
    paper("Lepikhin et al., GShard, section 3", "2020", "https://arxiv.org/abs/2006.16668");
/// Attention without its matrix in memory.
pub const FLASH: Paper =
    paper("Dao et al., FlashAttention, section 3", "2022", "https://arxiv.org/abs/2205.14135");
/// Half-precision training with single-precision weights.
pub const MICIKEVICIUS: Paper = paper(
    "Micikevicius et al., Mixed Precision Training, section 3",
    "2017",
    "https://arxiv.org/abs/1710.03740",
);
/// Optimizer state in 8 bits.
pub const DETTMERS: Paper = paper(
    "Dettmers et al., 8-bit Optimizers via Block-wise Quantization, section 2",
    "2021",
    "https://arxiv.org/abs/2110.02861",
);
/// Two moments.
pub const ADAM: Paper = paper("Kingma and Ba, Adam, algorithm 1", "2014", "https://arxiv.org/abs/1412.6980");
/// One matrix of momentum.
pub const MUON: Paper = paper(
    "Jordan et al., Muon: an optimizer for hidden layers in neural networks",
    "2024",
    "https://kellerjordan.github.io/posts/muon/",
);
/// Shared keys and values.
pub const GQA: Paper = paper(
    "Ainslie et al., GQA: Training Generalized Multi-Query Transformer Models",
    "2023",
    "https://arxiv.org/abs/2305.13245",
);
/// Latent attention.
pub const DEEPSEEK_V2: Paper =
    paper("DeepSeek-AI, DeepSeek-V2, section 2.1", "2024", "https://arxiv.org/abs/2405.04434");
/// Gated feed-forward layers.
pub const SWIGLU: Paper =
    paper("Shazeer, GLU Variants Improve Transformer", "2020", "https://arxiv.org/abs/2002.05202");
/// Attention and its parts.
pub const VASWANI: Paper =
    paper("Vaswani et al., Attention Is All You Need, section 3", "2017", "https://arxiv.org/abs/1706.03762");
/// Memory against recomputation.
pub const CHEN: Paper = paper(
    "Chen et al., Training Deep Nets with Sublinear Memory Cost",
    "2016",
    "https://arxiv.org/abs/1604.06174",
);
/// Block scales for narrow formats.
pub const MX: Paper = paper(
    "Open Compute Project, OCP Microscaling Formats (MX) Specification v1.0",
    "2023",
    "https://www.opencompute.org/documents/ocp-microscaling-formats-mx-v1-0-spec-final-pdf",
);
/// What reading a text one token at a time costs.
pub const POPE: Paper = paper(
    "Pope et al., Efficiently Scaling Transformer Inference, section 2",
    "2022",
    "https://arxiv.org/abs/2211.05102",
);
