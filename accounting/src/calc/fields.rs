//! All assumptions, each once. Calculators that share one share what a reader makes of it.

use super::field::{Choice, Field, Kind, Range, Slider};
use crate::{
    Bytes, BytesPerParam, BytesPerSec, Count, DollarsPerGpuHour, Flop, Gpus, Mfu, Params, Quantity, Ratio,
    Scale, Seconds, Tokens, TokensPerSec,
};

/// A number of a quantity.
const fn number<Q: Quantity>(min: f64, max: f64) -> Range {
    Range { unit: Q::UNIT, rule: Q::RULE, min, max, slider: None }
}

/// A size, by doubling.
const fn size(max: f64, slider_min: f64, slider_max: f64) -> Kind {
    Kind::Number(number::<Count>(1.0, max).slider(slider_min, slider_max, Scale::Doubling(1)))
}

impl Range {
    const fn slider(mut self, min: f64, max: f64, scale: Scale) -> Self {
        self.slider = Some(Slider { min, max, scale });
        self
    }
}

const fn choice(id: &'static str, label: &'static str) -> Choice {
    Choice { id, label }
}

/// The field that others vary.
const BASE: Field = Field {
    name: "",
    key: "",
    label: "",
    help: "",
    python: "",
    symbol: "",
    kind: Kind::Text,
    default: "",
    aliases: &[],
};

macro_rules! fields {
    ($($(#[$doc:meta])+ $constant:ident = $name:literal $label:literal $help:literal, {
        $($set:ident: $value:expr),* $(,)?
    };)+) => {$(
        $(#[$doc])+
        pub static $constant: Field =
            Field { label: $label, help: $help, $($set: $value,)* ..Field { name: $name, key: $name, ..BASE } };
    )+};
}

/// Of a link.
pub(super) const BANDWIDTH: Range = number::<BytesPerSec>(1.0, 1e18);

/// Formats of tensors in memory; float8 is either of float8_e4m3fn and float8_e5m2.
const STORED: &[Choice] = &[
    choice("fp32", "float32"),
    choice("bf16", "bfloat16"),
    choice("fp16", "float16"),
    choice("fp8", "float8"),
];

fields! {
    /// Architecture and training tokens.
    MODEL = "model" "Model" "model from the catalogue, such as llama-3.1-70b, or a config.json", {
        kind: Kind::Model,
    };
    /// The model of calculators that cannot do without one.
    ARCHITECTURE = "model" "Model" "model from the catalogue, such as llama-3.1-8b, or a config.json", {
        key: "architecture", kind: Kind::Model, default: "llama-3.1-8b",
    };
    /// N
    PARAMS = "params" "Parameters" "parameters", {
        python: "params", symbol: "N", default: "70B",
        kind: Kind::Number(number::<Params>(1.0, 1e18).slider(1e6, 1e13, Scale::Decades)),
    };
    /// D
    TOKENS = "tokens" "Training tokens" "training tokens", {
        python: "tokens", symbol: "D", default: "15T",
        kind: Kind::Number(number::<Tokens>(1.0, 1e21).slider(1e9, 1e15, Scale::Decades)),
    };
    /// The device.
    GPU = "gpu" "GPU" "device from the catalogue, such as h100-sxm, or the record of one in JSON", {
        kind: Kind::Device, default: "h100-sxm",
    };
    /// How many devices.
    GPUS = "gpus" "GPUs" "devices", {
        python: "gpus", symbol: "G", default: "1024",
        kind: Kind::Number(number::<Gpus>(1.0, 1e9).slider(1.0, 1_048_576.0, Scale::Doubling(1))),
    };
    /// How many devices share a model.
    NODE_GPUS = "gpus" "GPUs that share the model" "devices that share the model", {
        key: "node-gpus", python: "gpus", symbol: "G", default: "8",
        kind: size(1e9, 1.0, 65536.0),
    };
    /// Format of the products.
    DTYPE = "dtype" "Format of the products" "format of the products", {
        default: "bf16",
        kind: Kind::Choice(&[
            choice("bf16", "bfloat16"),
            choice("fp16", "float16"),
            choice("fp8", "float8"),
            choice("fp4", "float4"),
            choice("tf32", "TensorFloat-32"),
            choice("fp32", "float32"),
        ]),
    };
    /// 2:4 sparsity.
    SPARSE = "sparse" "Sparse peak" "take the peak with 2:4 sparsity, twice the dense one; training is dense", {
        kind: Kind::Switch,
    };
    /// MFU
    MFU = "mfu" "MFU" "MFU, the share of the peak that is reached", {
        python: "mfu", symbol: "u", default: "0.5",
        kind: Kind::Number(number::<Mfu>(1e-6, 10.0).slider(0.05, 1.0, Scale::Linear(0.05))),
    };
    /// How fast a run reads its tokens.
    SPEED = "tokens-per-sec" "Tokens per second" "tokens that all devices together train on in a second", {
        default: "8M", aliases: &["throughput"], python: "tokens_per_sec", symbol: "v",
        kind: Kind::Number(number::<TokensPerSec>(1e-6, 1e15).slider(1.0, 1e9, Scale::Decades)),
    };
    /// Money.
    PRICE = "price" "Price of a GPU-hour in $" "price of one GPU-hour in US dollars", {
        python: "price_per_gpu_hour", symbol: "p", default: "3",
        kind: Kind::Number(number::<DollarsPerGpuHour>(1e-6, 1e6).slider(0.5, 20.0, Scale::Linear(0.25))),
    };
    /// What the building needs.
    PUE = "pue" "PUE" "power usage effectiveness, the building's power over the machines'", {
        python: "pue", symbol: "η", default: "1.2",
        kind: Kind::Number(number::<Ratio>(1.0, 10.0).slider(1.0, 2.0, Scale::Linear(0.05))),
    };
    /// Bytes per parameter by name.
    CONVENTION = "convention" "What training keeps" "what training keeps for every parameter", {
        default: "fp32",
        kind: Kind::Choice(&[
            choice("fp32", "float32: 4 + 4 + 8 bytes"),
            choice("bf16", "bfloat16: 2 + 2 + 8 bytes"),
            choice("mixed", "mixed, with a float32 copy: 2 + 4 + 4 + 8 bytes"),
        ]),
    };
    /// Bytes per parameter by number.
    BYTES_PER_PARAM = "bytes-per-param" "Bytes per parameter" "bytes per parameter, instead of a convention", {
        python: "bytes_per_param", symbol: "β",
        kind: Kind::Number(number::<BytesPerParam>(1e-3, 1e6)),
    };
    /// GiB for GB.
    GIB = "gib" "Gigabytes are GiB" "take the gigabytes of the device's memory in the catalogue as GiB, 2^30 bytes", {
        kind: Kind::Switch,
    };
    /// Sequences at once.
    BATCH = "batch" "Sequences" "sequences at once", {
        default: "1", aliases: &["batch-size"], python: "batch", symbol: "b",
        kind: size(1e9, 1.0, 1024.0),
    };
    /// Tokens of a sequence.
    SEQUENCE = "sequence" "Tokens of a sequence" "tokens of a sequence", {
        default: "4096", aliases: &["seq", "seq-len", "context", "context-length"],
        python: "sequence", symbol: "s",
        kind: size(1e9, 128.0, 1_048_576.0),
    };
    /// What of a step counts as its FLOPs.
    COUNTED = "counted" "What is counted" "FLOPs of a step: its products, with attention's scores, or 6·N·D, which leaves scores out", {
        default: "products",
        kind: Kind::Choice(&[
            choice("products", "products, with attention's scores"),
            choice("6nd", "6·N·D, without attention's scores"),
        ]),
    };
    /// Multiply-adds instead of FLOPs.
    MACS = "macs" "Count in MACs" "count a multiplication and its addition as one, as some tools do", {
        kind: Kind::Switch,
    };
    /// Scores that a mask throws away.
    CAUSAL = "causal" "Count only what the mask keeps" "count only the scores that a causal mask keeps, not all as frameworks do", {
        kind: Kind::Switch,
    };
    /// What the backward pass computes again.
    RECOMPUTE = "recompute" "Computed again" "what the backward pass computes again", {
        default: "none", aliases: &["checkpointing"],
        kind: Kind::Choice(&[
            choice("none", "nothing"),
            choice("selective", "scores of attention"),
            choice("full", "every block"),
        ]),
    };
    /// Attention without its matrix.
    FLASH = "flash" "Flash attention" "attention that never has its matrix in memory", {
        kind: Kind::Switch,
    };
    /// Masks of dropout.
    DROPOUT = "dropout" "Dropout" "dropout, whose masks are kept", {
        kind: Kind::Switch,
    };
    /// What moves the weights.
    OPTIMIZER = "optimizer" "Optimizer" "optimizer", {
        default: "adamw",
        kind: Kind::Choice(&[
            choice("adamw", "Adam or AdamW: 2 numbers per parameter"),
            choice("adam", "Adam"),
            choice("adamw-8bit", "AdamW in 8 bits"),
            choice("muon", "Muon: 1 for the blocks' matrices, AdamW for the rest"),
            choice("rmsprop", "RMSProp: 1"),
            choice("adagrad", "AdaGrad: 1"),
            choice("momentum", "SGD with momentum: 1"),
            choice("sgd", "SGD: none"),
        ]),
    };
    /// Format of the weights that products read.
    WEIGHT_DTYPE = "weight-dtype" "Weights" "format of the weights", {
        default: "bf16", aliases: &["param-dtype"], kind: Kind::Choice(STORED),
    };
    /// Format of the gradients.
    GRADIENT_DTYPE = "grad-dtype" "Gradients" "format of the gradients", {
        default: "bf16", kind: Kind::Choice(STORED),
    };
    /// A copy of the weights.
    MASTER_DTYPE = "master-dtype" "Copy for the optimizer" "format of the copy that the optimizer moves", {
        default: "auto",
        kind: Kind::Choice(&[
            choice("auto", "float32, unless the weights are"),
            choice("fp32", "float32"),
            choice("none", "none"),
        ]),
    };
    /// Format of the optimizer's state.
    STATE_DTYPE = "state-dtype" "Optimizer state" "format of the optimizer's state", {
        default: "fp32", kind: Kind::Choice(STORED),
    };
    /// Format of the activations.
    ACTIVATION_DTYPE = "activation-dtype" "Activations" "format of the activations", {
        default: "bf16", kind: Kind::Choice(STORED),
    };
    /// Format of the cache.
    CACHE_DTYPE = "dtype" "Cache" "format of the cache's elements", {
        key: "cache-dtype", default: "bf16", aliases: &["kv-dtype"], kind: Kind::Choice(STORED),
    };
    /// Shape of a tensor.
    SHAPE = "shape" "Shape" "sizes of the dimensions, such as 4x8 or 49152x12288", {
        default: "4x8",
    };
    /// Format of a tensor's elements.
    TENSOR_DTYPE = "dtype" "Format" "format of the elements", {
        key: "tensor-dtype", default: "fp32",
        kind: Kind::Choice(&[
            choice("fp64", "float64"),
            choice("fp32", "float32"),
            choice("fp16", "float16"),
            choice("bf16", "bfloat16"),
            choice("e4m3", "float8_e4m3fn"),
            choice("e5m2", "float8_e5m2"),
            choice("mxfp8", "MXFP8: float8_e4m3fn with a scale per 32"),
            choice("fp4", "float4_e2m1fn, without scales"),
            choice("mxfp4", "MXFP4: float4_e2m1fn with a scale per 32"),
            choice("nvfp4", "NVFP4: float4_e2m1fn with a scale per 16"),
            choice("int64", "int64"),
            choice("int32", "int32"),
            choice("int8", "int8"),
            choice("bool", "bool"),
        ]),
    };
    /// Rows of data.
    B = "b" "B" "points of data, rows of x", {
        default: "1024", aliases: &["m"], python: "b", symbol: "B", kind: size(1e12, 1.0, 65536.0),
    };
    /// What is summed over.
    D = "d" "D" "columns of x, rows of w", {
        default: "256", python: "d", symbol: "D", kind: size(1e12, 1.0, 65536.0),
    };
    /// Columns of the result.
    K = "k" "K" "columns of w", {
        default: "64", aliases: &["n"], python: "k", symbol: "K", kind: size(1e12, 1.0, 65536.0),
    };
    /// Size of the roofline's operations.
    N = "n" "Size n" "size of the vectors and square matrices", {
        default: "1024", python: "n", symbol: "n", kind: size(1e9, 16.0, 65536.0),
    };
    /// A model that decodes.
    DECODED = "model" "Model that decodes" "model whose step of decoding is shown too", {
        key: "decoded", kind: Kind::Model,
    };
    /// Promised roofs below measured ones.
    UNDER = "under" "Roofs to compare with" "devices of the catalogue whose promised roofs are laid under the measured ones, with commas between them", {
        kind: Kind::Devices, aliases: &["gpus-under"],
    };
    /// Measured time of a product.
    SECS = "secs" "Measured time" "seconds that the product took, for its MFU", {
        python: "measured_secs", symbol: "t_m", kind: Kind::Number(number::<Seconds>(1e-12, 1e12)),
    };
    /// Points of a step of the deep linear model.
    LINEAR_BATCH = "batch" "Points" "points of a batch", {
        key: "linear-batch", default: "2", python: "b", symbol: "B", kind: size(1e9, 1.0, 4096.0),
    };
    /// Width of the deep linear model.
    LINEAR_DIM = "dim" "Width" "width of the layers", {
        default: "4", python: "d", symbol: "D", kind: size(1e9, 1.0, 4096.0),
    };
    /// Layers of the deep linear model.
    LINEAR_LAYERS = "layers" "Layers" "layers before the head", {
        default: "2", python: "layers", symbol: "L", kind: size(1e6, 1.0, 64.0),
    };
    /// Biases of the deep linear model.
    LINEAR_BIAS = "bias" "Biases" "add biases, which the lecture's model does not have", {
        kind: Kind::Switch,
    };
    /// Optimizer of the deep linear model.
    LINEAR_OPTIMIZER = "optimizer" "Optimizer" "optimizer", {
        key: "linear-optimizer", default: "adagrad",
        kind: Kind::Choice(&[
            choice("sgd", "SGD: nothing per parameter"),
            choice("momentum", "SGD with momentum: 1"),
            choice("adagrad", "AdaGrad: 1"),
            choice("rmsprop", "RMSProp: 1"),
            choice("adam", "Adam: 2"),
        ]),
    };
    /// Format of the deep linear model.
    LINEAR_DTYPE = "dtype" "Format" "format of all numbers", {
        key: "linear-dtype", default: "fp32",
        kind: Kind::Choice(&[choice("fp32", "float32"), choice("bf16", "bfloat16"), choice("fp16", "float16")]),
    };
    /// Compute to split.
    BUDGET = "flop" "Budget" "FLOPs to spend, such as 1e24", {
        default: "6.3e24", aliases: &["budget"], python: "budget_flop", symbol: "C",
        kind: Kind::Number(number::<Flop>(1e6, 1e38).slider(1e18, 1e28, Scale::Decades)),
    };
    /// Tokens for every parameter.
    TOKENS_PER_PARAM = "tokens-per-param" "Tokens per parameter" "training tokens for every parameter", {
        default: "20", python: "tokens_per_param", symbol: "r",
        kind: Kind::Number(number::<Ratio>(1e-3, 1e9).slider(1.0, 2000.0, Scale::Decades)),
    };
    /// Copies of the model.
    DATA_PARALLEL = "dp" "Data parallel" "copies of the model", {
        default: "8", aliases: &["data-parallel"], python: "dp", symbol: "n_d", kind: size(1e6, 1.0, 65536.0),
    };
    /// Devices that share every matrix.
    TENSOR_PARALLEL = "tp" "Tensor parallel" "devices that share every matrix", {
        default: "1", aliases: &["tensor-parallel"], python: "tp", symbol: "n_t", kind: size(1e6, 1.0, 64.0),
    };
    /// Stages.
    PIPELINE_PARALLEL = "pp" "Pipeline stages" "stages of the pipeline", {
        default: "1", aliases: &["pipeline-parallel"], python: "pp", symbol: "n_p", kind: size(1e6, 1.0, 64.0),
    };
    /// Devices over which experts are spread.
    EXPERT_PARALLEL = "ep" "Expert parallel" "devices over which experts are spread, out of the copies", {
        default: "1", aliases: &["expert-parallel"], python: "ep", symbol: "n_e", kind: size(1e6, 1.0, 256.0),
    };
    /// Sequence parallelism.
    SEQUENCE_PARALLEL = "sp" "Split the sequence too" "split the sequence between the products of a tensor-parallel group", {
        aliases: &["sequence-parallel"], kind: Kind::Switch,
    };
    /// Microbatches of a step.
    MICROBATCHES = "microbatches" "Microbatches" "microbatches of a step on each copy, each of the given sequences", {
        default: "1", python: "microbatches", symbol: "m", kind: size(1e6, 1.0, 1024.0),
    };
    /// What the copies do not keep for themselves.
    ZERO = "zero" "ZeRO stage" "ZeRO stage", {
        default: "0",
        kind: Kind::Choice(&[
            choice("0", "0: every copy keeps all"),
            choice("1", "1: optimizer state is split"),
            choice("2", "2: gradients too"),
            choice("3", "3: weights too"),
        ]),
    };
    /// Bandwidth within a node.
    WITHIN = "link" "Link within a node" "bytes per second in one direction within a node, such as 450 GB/s; the device's own unless given", {
        python: "link_bytes_per_sec", symbol: "w_1", kind: Kind::Number(BANDWIDTH),
    };
    /// Bandwidth between nodes.
    BETWEEN = "network" "Network between nodes" "network of the catalogue, such as infiniband-ndr, or bytes per second in one direction", {
        default: "infiniband-ndr", kind: Kind::Link,
    };
    /// Memory of a device, instead of the catalogue's.
    MEMORY = "memory" "Memory of a device" "memory of a device, instead of the catalogue's", {
        python: "memory_bytes", symbol: "M_gpu", kind: Kind::Number(number::<Bytes>(1.0, 1e18)),
    };
    /// Blocks of the counted Transformer.
    COUNT_LAYERS = "layers" "Blocks" "blocks", {
        key: "count-layers", default: "2", python: "layers", symbol: "L", kind: size(32.0, 1.0, 32.0),
    };
    /// Heads of the counted Transformer.
    COUNT_HEADS = "heads" "Heads" "heads of attention; they divide the width", {
        key: "count-heads", default: "4", python: "heads", symbol: "h", kind: size(256.0, 1.0, 16.0),
    };
    /// Width of the counted Transformer.
    COUNT_DIM = "dim" "Width of the stream" "width of the residual stream", {
        key: "count-dim", default: "64", aliases: &["d-model"], python: "d_model", symbol: "d",
        kind: size(4096.0, 8.0, 512.0),
    };
    /// Tokens that the counted Transformer knows.
    COUNT_VOCAB = "vocab" "Vocabulary" "tokens that there are", {
        key: "count-vocab", default: "65", python: "vocab_size", symbol: "V", kind: size(65536.0, 16.0, 4096.0),
    };
    /// Tokens of a sequence of the counted Transformer.
    COUNT_CONTEXT = "context" "Tokens of a sequence" "tokens of a sequence", {
        key: "count-context", default: "32", aliases: &["sequence"], python: "sequence", symbol: "s",
        kind: size(8192.0, 8.0, 512.0),
    };
    /// Sequences of a micro-batch of the counted Transformer.
    COUNT_BATCH = "batch" "Sequences of a micro-batch" "sequences of a micro-batch", {
        key: "count-batch", default: "4", python: "micro_batch", symbol: "b_m", kind: size(4096.0, 1.0, 64.0),
    };
    /// Backward passes of a counted step.
    ACCUMULATE = "accumulate" "Micro-batches of a step" "micro-batches of a step, whose gradients are averaged", {
        default: "1", python: "micro_batches", symbol: "m", kind: size(32.0, 1.0, 32.0),
    };
    /// What the counted Transformer computes again.
    COUNT_CHECKPOINTING = "checkpointing" "Checkpoint each block" "keep only the input of each block and compute it again in the backward pass", {
        key: "count-checkpointing", kind: Kind::Switch,
    };
    /// Optimizer of a counted step.
    COUNT_OPTIMIZER = "optimizer" "Optimizer" "optimizer", {
        key: "count-optimizer", default: "adamw",
        kind: Kind::Choice(&[
            choice("sgd", "SGD: nothing per parameter"),
            choice("momentum", "SGD with momentum: 1"),
            choice("adagrad", "AdaGrad: 1"),
            choice("rmsprop", "RMSProp: 1"),
            choice("adamw", "AdamW: 2"),
            choice("muon", "Muon: 1 for matrices within the model, AdamW for the rest"),
        ]),
    };
    /// Format in which a counted step computes.
    COUNT_DTYPE = "dtype" "Format" "format that forward and backward compute in; parameters stay float32", {
        key: "count-dtype", default: "fp32",
        kind: Kind::Choice(&[choice("fp32", "float32"), choice("bf16", "bfloat16"), choice("fp16", "float16")]),
    };
}
