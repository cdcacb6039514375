//! Every family that a config.json may name, against the models that transformers builds.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use napkin_accounting::forms::kv::KvCache;
use napkin_accounting::models::Architecture;
use napkin_accounting::models::architecture::{Attention, Grouped};
use napkin_accounting::{FlopCount, Number, ParamCount, Recompute, Workload};
use serde::Deserialize;
use serde_json::{Map, Value, json};

mod spoil;

type Config = Map<String, Value>;

#[derive(Deserialize)]
struct Golden {
    small: Vec<Small>,
    dropped: Vec<Dropped>,
    body: Config,
    windows: Vec<Windows>,
    nested: Vec<Nested>,
}

#[derive(Deserialize)]
struct Small {
    config: Config,
    parameters: u128,
    active: u128,
    multiplied: u128,
    windowed: u64,
    cached: Option<f64>,
    flops: Option<u128>,
}

#[derive(Deserialize)]
struct Dropped {
    config: Config,
    without: BTreeMap<String, Option<(u128, u64)>>,
}

#[derive(Deserialize)]
struct Windows {
    config: Config,
    windowed: u64,
}

#[derive(Deserialize)]
struct Nested {
    config: Config,
    parameters: u128,
    windowed: u64,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("golden/families.json")).unwrap()
}

fn whole(number: Number) -> u128 {
    number.to_whole().unwrap()
}

/// All that differs, so that one run shows every family that is wrong.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn check<T: Copy + PartialEq + std::fmt::Debug>(
        &mut self,
        what: &str,
        config: &Config,
        ours: T,
        theirs: T,
    ) {
        if ours != theirs {
            self.0.push(format!("{what}: {ours:?}, not {theirs:?}: {}", json!(config)));
        }
    }

    fn none(self) {
        assert!(self.0.is_empty(), "{} differ\n{}", self.0.len(), self.0.join("\n"));
    }
}

fn parameters(of: &Architecture) -> u128 {
    whole(ParamCount::new(of).unwrap().total.value)
}

fn windowed(of: &Architecture) -> u64 {
    of.window.as_ref().map_or(0, |window| window.layers)
}

fn work(tokens: u64, counts_masked: bool) -> Workload {
    Workload { batch: 2, tokens, counts_masked, recompute: Recompute::None }
}

#[test]
fn small_models_of_every_family() {
    let mut differences = Differences::default();
    for case in golden().small {
        let config = &case.config;
        let of = match Architecture::from_config(config) {
            Ok(of) => of,
            Err(error) => {
                differences.0.push(format!("{error}: {}", json!(config)));
                continue;
            }
        };
        let count = ParamCount::new(&of).unwrap();
        differences.check("parameters", config, whole(count.total.value), case.parameters);
        differences.check("active", config, whole(count.active.value), case.active);
        differences.check("multiplied", config, whole(count.multiplied.value), case.multiplied);
        differences.check("windowed", config, windowed(&of), case.windowed);
        if let Some(expected) = case.flops {
            let flops = FlopCount::new(&of, &work(8, true)).unwrap();
            differences.check("flops", config, whole(flops.forward.value), expected);
        }
        if let Some(cached) = case.cached {
            let cache = KvCache::new(&of, 1, 8, 1.0).unwrap();
            differences.check("cached", config, cache.per_token.value.to_f64(), cached);
        }
    }
    differences.none();
}

#[test]
fn every_family_is_tried() {
    let message = Architecture::from_config_text(r#"{"model_type": "mamba2"}"#).unwrap_err().to_string();
    let known = message.strip_prefix("model_type must be one of ").unwrap();
    let known: BTreeSet<&str> = known.split(';').next().unwrap().split(", ").collect();
    let golden = golden();
    let nested =
        golden.nested.iter().filter_map(|case| case.config.get("text_config")?.get("model_type")?.as_str());
    let small = golden.small.iter().filter_map(|case| case.config["model_type"].as_str());
    let tried: BTreeSet<&str> = small.chain(nested).collect();
    let untried: Vec<_> = known.difference(&tried).collect();
    assert!(untried.is_empty(), "{untried:?}");
    assert!(known.len() > 75, "{}", known.len());
}

#[test]
fn a_key_that_is_left_out_is_as_the_class_has_it() {
    let mut differences = Differences::default();
    for case in golden().dropped {
        for (key, expected) in case.without {
            let mut config = case.config.clone();
            config.remove(&key);
            match (Architecture::from_config(&config), expected) {
                (Ok(of), Some(expected)) => {
                    differences.check(&key, &config, (parameters(&of), windowed(&of)), expected);
                }
                (_, None) => {}
                // What is refused is what the file leaves out.
                (Err(error), _) if !config.contains_key(error.to_string().split(' ').next().unwrap()) => {}
                (Err(error), Some(_)) => differences.0.push(format!("{key}: {error}: {}", json!(config))),
            }
        }
    }
    differences.none();
}

#[test]
fn windows_are_in_the_blocks_that_the_class_says() {
    let mut differences = Differences::default();
    let golden = golden();
    for case in golden.windows {
        let config = golden.body.clone().into_iter().chain(case.config).collect();
        let of = Architecture::from_config(&config).unwrap_or_else(|e| panic!("{e}: {config:?}"));
        differences.check("windowed", &config, windowed(&of), case.windowed);
    }
    differences.none();
}

#[test]
fn the_text_of_models_with_pictures() {
    let mut differences = Differences::default();
    for case in golden().nested {
        match Architecture::from_config(&case.config) {
            Ok(of) => {
                differences.check(
                    "nested",
                    &case.config,
                    (parameters(&of), windowed(&of)),
                    (case.parameters, case.windowed),
                );
            }
            Err(error) => differences.0.push(format!("{error}: {}", json!(case.config))),
        }
    }
    differences.none();
}

/// Pairs of a token and one that it sees, counted one by one.
fn pairs(of: &Architecture, tokens: u64) -> u64 {
    let seen = |token: u64, window: Option<(u64, bool)>| match window {
        None => token + 1,
        Some((window, true)) => token % window + 1,
        Some((window, false)) => (token + 1).min(window),
    };
    let (few, window) =
        of.window.as_ref().map_or((0, None), |of| (of.layers, Some((of.tokens, of.is_chunked))));
    (0..tokens).map(|token| few * seen(token, window) + (of.layers - few) * seen(token, None)).sum()
}

#[test]
fn causal_scores_pair_by_pair() {
    let mut narrowed = 0;
    for case in golden().small {
        let Ok(of) = Architecture::from_config(&case.config) else { continue };
        let width = match &of.attention {
            Attention::Grouped(grouped) => 2 * grouped.heads * grouped.d_head,
            Attention::Latent(latent) => latent.heads * (latent.d_nope + latent.d_rope + latent.d_v),
            other => panic!("{other:?}"),
        };
        for tokens in [1, 8, 17, 30, 31, 63, 65] {
            let count = FlopCount::new(&of, &work(tokens, false)).unwrap();
            let scores = count.parts.iter().find(|part| part.title == "scores and values").unwrap();
            let expected = 2 * 2 * pairs(&of, tokens) * width;
            assert_eq!(whole(scores.forward.value), expected.into(), "{tokens} tokens of {:?}", case.config);
            // Those that a mask throws away are made first, behind a window, too.
            let count = FlopCount::new(&of, &work(tokens, true)).unwrap();
            let scores = count.parts.iter().find(|part| part.title == "scores and values").unwrap();
            assert_eq!(whole(scores.forward.value), (4 * of.layers * tokens * tokens * width).into());
            narrowed += u32::from(of.window.as_ref().is_some_and(|window| window.tokens < tokens));
        }
    }
    assert!(narrowed > 100, "{narrowed}");
}

/// What must hold of every architecture that a file can make.
fn is_consistent(of: &Architecture, label: &str) {
    let sizes =
        [of.vocab_size, of.d_model, of.d_embedding, of.layers, of.mlp.d_ff, of.heads(), of.kv_heads()];
    assert!(sizes.iter().all(|size| *size > 0), "{label}: {of:?}");
    if let Attention::Grouped(Grouped { heads, kv_heads, d_head, .. }) = &of.attention {
        assert!(heads.is_multiple_of(*kv_heads) && *d_head > 0, "{label}: {of:?}");
    }
    if let Some(experts) = &of.experts {
        assert!((1..=of.layers).contains(&experts.layers), "{label}: {of:?}");
        assert!((1..=experts.count).contains(&experts.per_token) && experts.mlp.d_ff > 0, "{label}: {of:?}");
    }
    if let Some(window) = &of.window {
        assert!((1..=of.layers).contains(&window.layers) && window.tokens > 0, "{label}: {of:?}");
    }
    let count = ParamCount::new(of).unwrap();
    let (total, active) = (whole(count.total.value), whole(count.active.value));
    assert!(active <= total && active > 0, "{label}: {active} of {total}");
    assert!(whole(count.multiplied.value) <= active, "{label}");
    assert!(KvCache::new(of, 1, 4096, 2.0).is_ok(), "{label}");
}

/// Every key of a model of every family, with everything that does not belong there.
#[test]
fn a_spoilt_key_is_refused_by_name_or_harmless() {
    let more = [json!(1), json!(2), json!(1e9), json!("64"), json!([0]), json!(["full_attention"])];
    let spoilt: Vec<Value> = spoil::spoilt().into_iter().chain(more).collect();
    let (mut kept, mut refused) = (0, 0);
    for case in golden().dropped {
        let mut whole = case.config.clone();
        for key in ["layer_types", "mlp_layer_types", "no_rope_layers", "mlp_only_layers", "text_config"] {
            whole.entry(key).or_insert(Value::Null);
        }
        let whole = Value::Object(whole);
        for place in spoil::places(&whole) {
            for value in &spoilt {
                let mut changed = whole.clone();
                *changed.pointer_mut(&place).unwrap() = value.clone();
                let config = changed.as_object().unwrap();
                let label = format!("{} {place}", config["model_type"]);
                match Architecture::from_config(config) {
                    Ok(of) => {
                        is_consistent(&of, &label);
                        kept += 1;
                    }
                    Err(error) => {
                        spoil::sentence(&error);
                        let text = error.to_string();
                        // The key, or one that contradicts it now.
                        assert!(text.split(' ').any(|word| config.contains_key(word)), "{label}: {text}");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(kept > 5000 && refused > 5000, "{kept} {refused}");
}

#[test]
fn the_longest_lists_are_soon_read() {
    let layers = 100_000;
    let list: Vec<u64> = (0..layers).collect();
    for kind in ["qwen2_moe", "qwen3_moe", "llama4_text"] {
        let mut config =
            golden().dropped.into_iter().find(|case| case.config["model_type"] == kind).unwrap().config;
        config.extend([
            ("num_hidden_layers".to_owned(), json!(layers)),
            ("mlp_only_layers".to_owned(), json!(list)),
            ("moe_layers".to_owned(), json!(list)),
        ]);
        config.retain(|key, _| key != "layer_types" && key != "no_rope_layers");
        let began = std::time::Instant::now();
        is_consistent(&Architecture::from_config(&config).unwrap(), kind);
        assert!(began.elapsed().as_secs() < 2, "{kind}");
    }
}
