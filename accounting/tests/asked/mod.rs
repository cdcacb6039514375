//! Questions to calculators: a name and `field=text` pairs.
#![allow(dead_code, reason = "every test uses its part of this")]

use std::collections::BTreeMap;

use napkin_accounting::calc::{CALCULATORS, Calculator, Inputs, Naming, Sheet, calculator};
use napkin_accounting::{Error, Result};

/// Every calculator, with round and with awkward numbers.
pub const QUESTIONS: &[&str] = &[
    "time params=70B tokens=15T gpu=h100-sxm gpus=1024 mfu=0.5",
    "time params=70_553_706_496 tokens=0.7B gpus=7 mfu=0.1 sparse=on gpu=a100-sxm price=1.23 pue=1.07",
    "time model=llama-3.1-70b dtype=fp8",
    "time model=deepseek-v3 gpu=b200-sxm gpus=2048 mfu=33%",
    "time model=qwen3-0.6b gpu=tpu-v5p gpus=3",
    "size",
    "size node-gpus=3 convention=mixed gib=on gpu=h200-sxm",
    "size bytes-per-param=6.5 memory=24GiB node-gpus=1",
    "mfu",
    "mfu architecture=llama-3.1-8b tokens-per-sec=68k gpus=8 sequence=8192 causal=on recompute=full sparse=on",
    "mfu architecture=deepseek-v3 gpu=b200-sxm dtype=fp8 tokens-per-sec=2.5M gpus=2048 batch=3",
    "mfu counted=6nd macs=on",
    "reality",
    "reality mfu=0.37",
    "optimal",
    "optimal flop=3.14e23 tokens-per-param=19.7",
    "tensor",
    "tensor shape=49152x12288",
    "tensor shape=17x3x65 tensor-dtype=nvfp4",
    "tensor shape=0x4 tensor-dtype=mxfp8",
    "tensor shape=() tensor-dtype=fp4",
    "matmul",
    "matmul b=16384 d=32768 k=8192 secs=0.0322",
    "matmul b=94906267 d=94906265 k=3 dtype=fp8 gpu=b200-sxm secs=1e-9",
    "roofline",
    "roofline n=63 decoded=llama-3.1-8b batch=17 sequence=1000 dtype=fp32",
    "roofline decoded=deepseek-v3 dtype=fp8 gpu=h200-sxm sequence=100000",
    "backward",
    "backward b=3 d=17 k=65",
    "params",
    "params architecture=gpt-2",
    "params architecture=deepseek-v3",
    "params architecture=qwen3-235b-a22b",
    "params architecture={\"model_type\":\"opt\",\"vocab_size\":50272,\"hidden_size\":1024,\"num_hidden_layers\":24,\"ffn_dim\":4096,\"num_attention_heads\":16,\"max_position_embeddings\":2048,\"word_embed_proj_dim\":512,\"do_layer_norm_before\":false}",
    "flops",
    "flops architecture=gpt-3-175b batch=3 sequence=2048 causal=on recompute=full",
    "flops architecture=deepseek-v3 sequence=8191 recompute=selective",
    "flops architecture={\"model_type\":\"gemma2\",\"vocab_size\":1000,\"hidden_size\":64,\"num_hidden_layers\":5,\"intermediate_size\":96,\"num_attention_heads\":4,\"num_key_value_heads\":2,\"head_dim\":24,\"sliding_window\":16} sequence=65 causal=on",
    "memory",
    "memory architecture=llama-3.2-1b batch=3 sequence=1023 recompute=full flash=on optimizer=adamw-8bit",
    "memory architecture=qwen3-30b-a3b optimizer=muon recompute=selective dropout=on master-dtype=none state-dtype=bf16",
    "memory architecture=gpt-2 optimizer=sgd weight-dtype=fp32 grad-dtype=fp32 activation-dtype=fp32 gib=on",
    "kv",
    "kv architecture=deepseek-v3 sequence=131072 batch=7 cache-dtype=fp8",
    "kv architecture=qwen3-0.6b sequence=40960 gpu=rtx-4090",
    "kv architecture=llama-3.1-70b batch=3 tp=16 weight-dtype=fp8",
    "kv architecture=deepseek-v3 batch=7 tp=16 gpu=h200-sxm cache-dtype=fp8",
    "parallel",
    "parallel architecture=gpt-2 dp=1 pp=5 optimizer=muon microbatches=9 dropout=on",
    "parallel architecture=llama-3.1-70b dp=16 tp=8 pp=4 zero=3 recompute=full microbatches=8",
    "parallel architecture=llama-3.1-8b dp=3 tp=16 zero=3 recompute=full",
    "parallel architecture=qwen3-30b-a3b dp=8 tp=8 zero=3 sp=on recompute=full",
    "parallel architecture=deepseek-v3 dp=64 tp=8 zero=3 microbatches=2",
    "parallel architecture=deepseek-v3 dp=64 ep=64 pp=3 zero=1 microbatches=5 sp=on tp=2 network=123GB/s link=9e11",
    "linear",
    "count-linear",
    "count-linear linear-batch=7 dim=65 layers=3 accumulate=5 count-optimizer=muon count-dtype=bf16 bias=on",
    "count-transformer",
    "count-transformer count-layers=3 count-heads=3 count-dim=24 count-vocab=33 count-context=17 count-batch=5 accumulate=2 count-checkpointing=on count-optimizer=muon count-dtype=fp16",
    "count-transformer count-vocab=4096 count-context=1 count-checkpointing=on",
    "formulas",
    "formulas architecture=deepseek-v3 batch=3 sequence=1000 flash=on convention=mixed gpu=b200-sxm dtype=fp8 gpus=7",
    "linear linear-batch=7 dim=65 layers=3 linear-optimizer=adam linear-dtype=bf16 bias=on",
];

/// All calculators that answer without a record.
pub fn all() -> Vec<&'static Calculator> {
    let counted = ["count-linear", "count-transformer"].into_iter().filter_map(calculator);
    CALCULATORS.iter().chain(counted).collect()
}

/// The answer to a question.
pub fn ask(question: &str) -> (Inputs, Sheet) {
    let (inputs, answer) = try_ask(question);
    (inputs, answer.unwrap_or_else(|error| panic!("{question}: {error}")))
}

/// The answer or the refusal.
pub fn try_ask(question: &str) -> (Inputs, Result<Sheet>) {
    let mut words = question.split(' ');
    let calculator = words.next().and_then(calculator).unwrap_or_else(|| panic!("{question}"));
    let texts: BTreeMap<String, String> = words
        .filter(|word| !word.is_empty())
        .map(|word| {
            let (key, text) = word.split_once('=').unwrap_or_else(|| panic!("{question}"));
            assert!(calculator.fields.iter().any(|field| field.key == key), "{question}: {key}");
            (key.to_owned(), text.to_owned())
        })
        .collect();
    let inputs = Inputs::new(Naming::Option, texts);
    let answer = calculator.answer(&inputs);
    (inputs, answer)
}

/// The sentence that refuses a question.
pub fn refusal(question: &str) -> String {
    let (_, answer) = try_ask(question);
    let error: Error = answer.err().unwrap_or_else(|| panic!("{question} is answered"));
    error.to_string()
}

/// A result by its name.
pub fn value(question: &str, name: &str) -> f64 {
    let (_, sheet) = ask(question);
    let figures = sheet.figures();
    let found = figures.iter().find(|figure| figure.name == name);
    found.unwrap_or_else(|| panic!("{question} has no {name}")).value.to_f64()
}

/// That a result is that value, but for rounding.
pub fn close(question: &str, name: &str, expected: f64) {
    let value = value(question, name);
    assert!(
        (value - expected).abs() <= expected.abs() * 1e-15,
        "{question}: {name} is {value}, not {expected}"
    );
}
