//! FLOPs against PyTorch's FlopCounterMode.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_accounting::forms::linear::{DeepLinear, TwoLayers};
use napkin_accounting::forms::static_memory::Optimizer;
use napkin_accounting::models::Architecture;
use napkin_accounting::{Count, DType, Expr, FlopCount, Matmul, Number, Recompute, Workload};
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
struct Golden {
    products: Vec<Product>,
    two_layers: Vec<TwoLayerCase>,
    cruncher: Vec<Cruncher>,
    gpt: Vec<Gpt>,
    transformers: Vec<Transformer>,
}

#[derive(Deserialize)]
struct Counted {
    total: u128,
    ops: Map<String, Value>,
}

#[derive(Deserialize)]
#[allow(non_snake_case, reason = "the lecture's letters")]
struct Product {
    B: u64,
    D: u64,
    K: u64,
    forward: Counted,
    backward: Counted,
    x_grad: bool,
}

#[derive(Deserialize)]
#[allow(non_snake_case, reason = "the lecture's letters")]
struct TwoLayerCase {
    B: u64,
    D: u64,
    K: u64,
    forward: Counted,
    backward: Vec<Gradients>,
}

#[derive(Deserialize)]
struct Gradients {
    gradients: Vec<String>,
    total: u128,
}

#[derive(Deserialize)]
#[allow(non_snake_case, reason = "the lecture's letters")]
struct Cruncher {
    B: u64,
    D: u64,
    L: u64,
    bias: bool,
    x_grad: bool,
    parameters: u128,
    forward: Counted,
    backward: Counted,
}

#[derive(Deserialize)]
struct Gpt {
    layers: u64,
    d: u64,
    heads: u64,
    vocab: u64,
    context: u64,
    batch: u64,
    tokens: u64,
    tied: bool,
    attention: String,
    checkpointing: Option<String>,
    forward: Counted,
    backward: Counted,
}

#[derive(Deserialize)]
struct Transformer {
    config: Map<String, Value>,
    attn_implementation: String,
    experts_implementation: Option<String>,
    batch: u64,
    tokens: u64,
    forward: Counted,
    backward: Counted,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("golden/flops.json")).unwrap()
}

fn whole(number: Number) -> u128 {
    number.to_whole().unwrap()
}

fn size(name: &'static str, value: u64) -> Expr {
    Expr::size(name, "n", "a size", value)
}

#[test]
fn products() {
    for case in golden().products {
        let count = |n: u64| Count::new(n as f64);
        let product = Matmul { b: count(case.B), d: count(case.D), k: count(case.K), dtype: DType::Fp32 };
        let flop = whole(product.flop().unwrap().value);
        assert_eq!(flop, case.forward.total);
        let gradients = if case.x_grad { 2 } else { 1 };
        assert_eq!(flop * gradients, case.backward.total);
    }
}

#[test]
fn two_layers_gradient_by_gradient() {
    for case in golden().two_layers {
        let pass = TwoLayers::new(&size("b", case.B), &size("d", case.D), &size("k", case.K)).unwrap();
        assert_eq!(whole(pass.forward.value), case.forward.total);
        let mut seen = 0;
        for stage in case.backward {
            let names: Vec<&str> = stage.gradients.iter().map(String::as_str).collect();
            let expected = match names[..] {
                ["w2"] => &pass.dw2,
                ["h1"] => &pass.dh1,
                ["h1", "w2"] => &pass.second,
                ["h1", "w1", "w2"] => &pass.without_dx,
                ["h1", "w1", "w2", "x"] => &pass.backward,
                _ => continue,
            };
            assert_eq!(whole(expected.value), stage.total, "{names:?}");
            seen += 1;
        }
        assert_eq!(seen, 5);
    }
}

#[test]
fn deep_linear_model() {
    for case in golden().cruncher.into_iter().filter(|case| case.L > 0) {
        let (b, d, l) = (size("b", case.B), size("d", case.D), size("l", case.L));
        let step = DeepLinear::new(&b, &d, &l, case.bias, 4.0, Optimizer::Sgd).unwrap();
        assert_eq!(whole(step.params.value), case.parameters);
        let (counted, dx) = (whole(step.counted.value), u128::from(2 * case.B * case.D * case.D));
        let expected = if case.x_grad { counted + dx } else { counted };
        assert_eq!(
            case.forward.total + case.backward.total,
            expected,
            "B={} D={} L={}",
            case.B,
            case.D,
            case.L
        );
        if !case.bias {
            assert_eq!(whole(step.flop.value), counted + dx);
        }
    }
}

#[test]
fn small_gpt() {
    let mut checked = 0;
    for case in golden().gpt.into_iter().filter(|case| case.layers > 0) {
        let config = json!({"model_type": "gpt2", "n_embd": case.d, "n_layer": case.layers, "n_head": case.heads,
            "vocab_size": case.vocab, "n_positions": case.context, "tie_word_embeddings": case.tied});
        let architecture = Architecture::from_config(config.as_object().unwrap()).unwrap();
        let recompute = match case.checkpointing.as_deref() {
            None => Recompute::None,
            Some("whole") => Recompute::Full,
            // PyTorch's own stops before the last product of a block, whose result nobody needs.
            Some(_) => continue,
        };
        let work = Workload { batch: case.batch, tokens: case.tokens, counts_masked: true, recompute };
        let count = FlopCount::new(&architecture, &work).unwrap();
        let label = format!("{} layers, d {}, {}", case.layers, case.d, case.attention);
        assert_eq!(whole(count.forward.value), case.forward.total, "{label}");
        let again = count.recomputed.as_ref().map_or(0, |again| whole(again.value));
        let backward = whole(count.backward.value) + again + computed_again_by_flash(&case.backward, &count);
        assert_eq!(backward, case.backward.total, "{label}");
        assert_eq!(whole(count.step.value), whole(count.forward.value) + whole(count.backward.value) + again);
        reconciles(&count);
        checked += 1;
    }
    assert!(checked > 40, "{checked}");
}

/// 6·N·D, less what it has too much, more what it leaves out, is the step.
fn reconciles(count: &FlopCount) {
    let between = &count.differences;
    let again = count.recomputed.as_ref().map_or(0, |again| whole(again.value));
    let from_six = whole(count.six_nd.value) - whole(between.lookups.value) - whole(between.vectors.value);
    assert_eq!(from_six + whole(between.scores.value) + again, whole(count.step.value));
}

/// Flash attention never keeps the scores: its backward pass computes them again, one of the forward pass's two
/// products.
fn computed_again_by_flash(backward: &Counted, count: &FlopCount) -> u128 {
    if !backward.ops.keys().any(|op| op.contains("flash_attention")) {
        return 0;
    }
    let scores = count.parts.iter().find(|part| part.title == "scores and values").unwrap();
    whole(scores.forward.value) / 2
}

#[test]
fn transformers_own_models() {
    let mut checked = 0;
    for case in golden().transformers {
        // This implementation's product is not counted by PyTorch.
        if case.experts_implementation.as_deref() == Some("grouped_mm") {
            continue;
        }
        let architecture = Architecture::from_config(&case.config).unwrap();
        let work = Workload {
            batch: case.batch,
            tokens: case.tokens,
            counts_masked: true,
            recompute: Recompute::None,
        };
        let count = FlopCount::new(&architecture, &work).unwrap();
        let label = format!("{} {}", case.config["model_type"], case.attn_implementation);
        assert_eq!(whole(count.forward.value), case.forward.total, "{label}");
        let again = computed_again_by_flash(&case.backward, &count);
        assert_eq!(whole(count.backward.value) + again, case.backward.total, "{label}");
        reconciles(&count);
        checked += 1;
    }
    assert!(checked > 30, "{checked}");
}
