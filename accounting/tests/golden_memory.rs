//! Memory against what PyTorch's tensors, optimizers and autograd hold.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use napkin_accounting::forms::activations::{Activations, Keeping};
use napkin_accounting::forms::static_memory::{Formats, Optimizer, StaticMemory};
use napkin_accounting::models::Architecture;
use napkin_accounting::{Params, Recompute, Value, Workload};
use serde::Deserialize;
use serde_json::{Map, json};

#[derive(Deserialize)]
struct Golden {
    optimizers: Vec<OptimizerCase>,
    activations: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct OptimizerCase {
    dtype: String,
    optimizer: String,
    settings: Map<String, serde_json::Value>,
    elements: u64,
    parameters: f64,
    gradients: f64,
    state: BTreeMap<String, f64>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("golden/memory.json")).unwrap()
}

#[test]
fn weights_gradients_and_state_are_what_optimizers_hold() {
    let mut checked = 0;
    for case in golden().optimizers {
        let has = |key: &str| case.settings.contains_key(key);
        let optimizer = match case.optimizer.as_str() {
            "SGD" if has("momentum") => Optimizer::Momentum,
            "SGD" => Optimizer::Sgd,
            "Adagrad" => Optimizer::AdaGrad,
            "RMSprop" if has("momentum") => continue,
            "RMSprop" => Optimizer::RmsProp,
            "Adam" | "AdamW" if !has("amsgrad") => Optimizer::AdamW,
            // These cases hold matrices alone.
            "Muon" => Optimizer::Muon,
            _ => continue,
        };
        let element = if case.dtype == "bfloat16" { 2.0 } else { 4.0 };
        let formats = Formats {
            weight_bytes: element,
            gradient_bytes: element,
            master_bytes: 0.0,
            state_bytes: element,
        };
        let params = Value::given("params", "N", "parameters", Params::new(case.elements as f64)).unwrap();
        let memory = StaticMemory::new(&params, None, formats, optimizer).unwrap();
        assert_eq!(memory.weights.value, case.parameters, "{}", case.optimizer);
        assert_eq!(memory.gradients.value, case.gradients, "{}", case.optimizer);
        assert_eq!(memory.state.value, case.state.values().sum::<f64>(), "{}", case.optimizer);
        checked += 1;
    }
    assert!(checked > 150, "{checked}");
}

/// A block's activations by the closed form, its scores in memory or not.
fn block(config: &serde_json::Value, batch: u64, tokens: u64, element_bytes: f64, is_flash: bool) -> f64 {
    let architecture = Architecture::from_config(config.as_object().unwrap()).unwrap();
    let work = Workload { batch, tokens, counts_masked: true, recompute: Recompute::None };
    let keeping = Keeping { element_bytes, is_flash, has_dropout: false };
    Activations::new(&architecture, &work, keeping).unwrap().block.value.to_f64()
}

fn sizes(case: &serde_json::Value) -> (u64, u64, f64, f64) {
    let element = if case["dtype"] == "bfloat16" { 2.0 } else { 4.0 };
    let get = |key: &str| case[key].as_u64().unwrap();
    (get("batch"), get("tokens"), element, case["saved"].as_f64().unwrap())
}

#[test]
fn a_block_of_gpt_keeps_what_autograd_saves() {
    let mut checked = 0;
    for case in golden().activations.iter().filter(|case| case["model"] == "gpt_block") {
        let (batch, tokens, element, saved) = sizes(case);
        let config = json!({"model_type": "gpt2", "n_embd": case["d"], "n_layer": 1, "n_head": case["heads"],
            "vocab_size": 10, "n_positions": 64});
        let is_flash = case["attention"] == "sdpa_flash";
        let ours = block(&config, batch, tokens, element, is_flash);
        // Written out, attention also keeps its causal mask, once for all heads.
        let mask = if is_flash { 0.0 } else { (tokens * tokens) as f64 };
        assert_eq!(ours + mask, saved, "{case}");
        checked += 1;
    }
    assert_eq!(checked, 24);
}

#[test]
fn a_block_of_llama_keeps_what_autograd_saves_but_for_its_written_out_norms() {
    let mut checked = 0;
    for case in golden().activations.iter().filter(|case| case["model"] == "llama_block") {
        let (batch, tokens, element, saved) = sizes(case);
        // In float32 only: in 16 bits the library makes its norms in float32 and converts.
        if element != 4.0 || case["attn_implementation"] != "sdpa" {
            continue;
        }
        let config = &case["config"];
        let ours = block(config, batch, tokens, element, true);
        let positions = (batch * tokens) as f64;
        let width = config["hidden_size"].as_f64().unwrap();
        let (heads, kv) = (&config["num_attention_heads"], &config["num_key_value_heads"]);
        let d_head = config["head_dim"].as_f64().unwrap();
        // Its norms are two operations, of which the second keeps its factor; the rotation keeps sine and cosine.
        let norms = 2.0 * positions * width * element;
        let rotations = 2.0 * tokens as f64 * d_head * element;
        assert_eq!(ours + norms + rotations, saved, "{heads} {kv} {case}");
        checked += 1;
    }
    assert_eq!(checked, 3);
}

#[test]
fn norms_of_queries_and_keys_keep_what_autograd_saves() {
    let golden: serde_json::Value = serde_json::from_str(include_str!("golden/qk_norm.json")).unwrap();
    for case in golden["blocks"].as_array().unwrap() {
        let get = |key: &str| case[key].as_u64().unwrap();
        let (batch, tokens) = (get("batch"), get("tokens"));
        let kind = if case["norm"] == "whole" { "olmo2" } else { "stablelm" };
        let config = json!({"model_type": kind, "hidden_size": get("dim"), "num_hidden_layers": 1,
            "num_attention_heads": get("heads"), "num_key_value_heads": get("kv_heads"), "head_dim": get("width"),
            "intermediate_size": get("hidden"), "vocab_size": 10, "qk_layernorm": case["norm"] == "head",
            "use_parallel_residual": false});
        let ours = block(&config, batch, tokens, 4.0, true);
        // The script's four norms have means, which those of OLMo 2 have not.
        let means = if kind == "olmo2" { (4 * batch * tokens * 4) as f64 } else { 0.0 };
        assert_eq!(ours + means, case["saved"].as_f64().unwrap(), "{case}");
    }
}

#[test]
fn korthikanti() {
    // s·b·h·(34 + 5·a·s/h) bytes per block in 16 bits with dropout, and the variants of their table 2.
    for (a, h, s, b) in [(96.0, 12288.0, 2048.0, 1.0), (8.0, 512.0, 1024.0, 4.0)] {
        let config = json!({"model_type": "gpt2", "n_embd": h as u64, "n_layer": 2, "n_head": a as u64,
            "vocab_size": 51200, "n_positions": 2048});
        let architecture = Architecture::from_config(config.as_object().unwrap()).unwrap();
        let kept = |recompute| {
            let work = Workload { batch: b as u64, tokens: s as u64, counts_masked: true, recompute };
            let keeping = Keeping { element_bytes: 2.0, is_flash: false, has_dropout: true };
            let all = Activations::new(&architecture, &work, keeping).unwrap();
            // The paper leaves out the few numbers per token that norms keep.
            let statistics = all.parts.iter().find(|part| part.name == "norm_statistics_bytes");
            all.block.value.to_f64() - statistics.map_or(0.0, |part| part.value.to_f64())
        };
        assert_eq!(kept(Recompute::None), s * b * h * 34.0 + 5.0 * a * s * s * b);
        assert_eq!(kept(Recompute::Selective), s * b * h * 34.0);
        assert_eq!(kept(Recompute::Full), 2.0 * s * b * h);
    }
}

#[test]
fn activations_and_temporary_buffers_are_what_pytorch_allocates() {
    let golden: serde_json::Value = serde_json::from_str(include_str!("golden/temporary.json")).unwrap();
    for case in golden["steps"].as_array().unwrap() {
        let get = |key: &str| case[key].as_u64().unwrap();
        let kind = if case["gated"] == true { "silu" } else { "gelu" };
        let config = if case["gated"] == true {
            json!({"model_type": "llama", "hidden_size": get("dim"), "num_hidden_layers": get("layers"),
                "num_attention_heads": get("heads"), "intermediate_size": get("hidden"), "vocab_size": get("vocab"),
                "hidden_act": kind})
        } else {
            json!({"model_type": "gpt2", "n_embd": get("dim"), "n_layer": get("layers"), "n_head": get("heads"),
                "n_inner": get("hidden"), "vocab_size": get("vocab"), "n_positions": get("tokens")})
        };
        let architecture = Architecture::from_config(config.as_object().unwrap()).unwrap();
        let (batch, tokens) = (get("batch"), get("tokens"));
        let work = Workload { batch, tokens, counts_masked: true, recompute: Recompute::None };
        let keeping = Keeping { element_bytes: 4.0, is_flash: false, has_dropout: false };
        let ours = Activations::new(&architecture, &work, keeping).unwrap();
        // There are many more positions than a weight has rows: gradients of weights are small beside the rest.
        let held = case["held"].as_f64().unwrap();
        let off = ours.peak.value.to_f64() / held - 1.0;
        assert!(off.abs() < 0.01, "{off} {case}");
    }
}
