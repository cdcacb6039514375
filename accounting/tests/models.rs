//! A lint of the models, a count of their parameters apart from the one of the forms, and models that a reader adds.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_accounting::Error;
use napkin_accounting::catalogue::Mark;
use napkin_accounting::models::{Model, catalogue, preset};
use proptest::prelude::*;
use serde_json::{Value, json};

mod lint;
mod spoil;

/// Parameters, and those that take part in one token where that is fewer. From the project's table of presets.
const COUNTS: [(&str, u64, Option<u64>); 26] = [
    ("gpt-2", 124_439_808, None),
    ("gpt-2-medium", 354_823_168, None),
    ("gpt-2-large", 774_030_080, None),
    ("gpt-2-xl", 1_557_611_200, None),
    ("gpt-3-175b", 174_604_259_328, None),
    ("llama-2-7b", 6_738_415_616, None),
    ("llama-2-13b", 13_015_864_320, None),
    ("llama-2-70b", 68_976_648_192, None),
    ("llama-3.1-8b", 8_030_261_248, None),
    ("llama-3.1-70b", 70_553_706_496, None),
    ("llama-3.1-405b", 405_853_388_800, None),
    ("llama-3.2-1b", 1_235_814_400, None),
    ("llama-3.2-3b", 3_212_749_824, None),
    ("deepseek-v3", 671_026_419_200, Some(37_552_297_472)),
    ("qwen3-0.6b", 596_049_920, None),
    ("qwen3-1.7b", 1_720_574_976, None),
    ("qwen3-4b", 4_022_468_096, None),
    ("qwen3-8b", 8_190_735_360, None),
    ("qwen3-14b", 14_768_307_200, None),
    ("qwen3-32b", 32_762_123_264, None),
    ("qwen3-30b-a3b", 30_532_122_624, Some(3_353_032_704)),
    ("qwen3-235b-a22b", 235_093_634_560, Some(22_190_763_520)),
    ("olmo-2-1b", 1_484_916_736, None),
    ("olmo-2-7b", 7_298_617_344, None),
    ("olmo-2-13b", 13_716_198_400, None),
    ("olmo-2-32b", 32_234_279_936, None),
];

fn size(model: &Model, key: &str) -> u64 {
    model.config[key].as_u64().unwrap_or_else(|| panic!("{}: {key}", model.id))
}

/// Parameters if every layer with experts had `experts` of them.
fn count(model: &Model, experts: Option<&str>) -> u64 {
    let of = |key| size(model, key);
    let family = model.config["model_type"].as_str().unwrap();
    if family == "gpt2" {
        let d = of("n_embd");
        return (of("vocab_size") + of("n_positions")) * d + of("n_layer") * (12 * d * d + 13 * d) + 2 * d;
    }
    let (d, layers, heads) = (of("hidden_size"), of("num_hidden_layers"), of("num_attention_heads"));
    let tied = model.config["tie_word_embeddings"].as_bool().unwrap();
    let outer = of("vocab_size") * d * if tied { 1 } else { 2 } + d;
    let dense = 3 * d * of("intermediate_size");
    if family == "deepseek_v3" {
        let (q, kv, rope) = (of("q_lora_rank"), of("kv_lora_rank"), of("qk_rope_head_dim"));
        let (nope, v) = (of("qk_nope_head_dim"), of("v_head_dim"));
        let queries = d * q + q + q * heads * (nope + rope);
        let rest = d * (kv + rope) + kv + kv * heads * (nope + v) + heads * v * d;
        let routed = of("n_routed_experts");
        let chosen = experts.map_or(routed, of) + of("n_shared_experts");
        // A router's row and one correction bias for each expert, whether it is chosen or not.
        let sparse = 3 * d * of("moe_intermediate_size") * chosen + (d + 1) * routed;
        let first = of("first_k_dense_replace");
        return outer + layers * (queries + rest + 2 * d) + first * dense + (layers - first) * sparse;
    }
    let (kv_heads, head) =
        (of("num_key_value_heads"), model.config.get("head_dim").map_or(d / heads, |_| of("head_dim")));
    let attention = 2 * d * head * (heads + kv_heads);
    let norms = 2 * d
        + match family {
            "qwen3" | "qwen3_moe" => 2 * head,
            "olmo2" => head * (heads + kv_heads),
            _ => 0,
        };
    let forward = if family == "qwen3_moe" {
        let all = of("num_experts");
        3 * d * of("moe_intermediate_size") * experts.map_or(all, of) + d * all
    } else {
        dense
    };
    outer + layers * (attention + norms + forward)
}

#[test]
fn the_file_parses_as_a_whole() {
    let read: Vec<Model> = serde_json::from_str(include_str!("../data/models.json")).unwrap();
    assert_eq!(read, catalogue());
    let ids: Vec<&str> = read.iter().map(|model| model.id.as_str()).collect();
    assert_eq!(ids, COUNTS.map(|(id, ..)| id));
}

#[test]
fn configurations_give_the_known_counts_to_the_unit() {
    for (id, all, active) in COUNTS {
        let model = preset(id).unwrap();
        assert_eq!(count(model, None), all, "{id}");
        if let Some(active) = active {
            assert_eq!(count(model, Some("num_experts_per_tok")), active, "{id}");
        }
    }
}

#[test]
fn published_counts_are_roundings_of_those() {
    for (id, all, active) in COUNTS {
        let published = preset(id).unwrap().parameters.as_ref().unwrap();
        assert_eq!(published.published_active.is_some(), active.is_some(), "{id}");
        let active = published.published_active.as_ref().map(|figure| (figure.value, active.unwrap()));
        for (value, counted) in active.into_iter().chain([(published.published.value, all)]) {
            // Names are generous; OLMo 2 1B leaves half of itself out.
            let most = if id == "olmo-2-1b" { 0.5 } else { 0.08 };
            let ratio = counted as f64 / value;
            assert!((ratio - 1.0).abs() < most, "{id}: {counted} called {value}");
        }
    }
}

#[test]
fn every_value_is_backed() {
    let mut notes = 0;
    for model in catalogue() {
        for (field, figure) in model.figures() {
            lint::figure(&format!("{} {field}", model.id), figure);
        }
        for (key, backing) in &model.marks {
            lint::backing(&format!("{} {key}", model.id), backing.mark, &backing.sources);
            notes += usize::from(!backing.note.is_empty());
        }
        for key in model.config.keys() {
            assert!(!model.backing(key).sources.is_empty(), "{} {key} is not covered", model.id);
        }
        let tokens = model.training_tokens.as_ref().map_or(1e12, |figure| figure.value);
        assert!((1e11..1e14).contains(&tokens), "{}", model.id);
        assert!(
            model.training_tokens.is_some() || model.remarks.iter().any(|remark| remark.contains("WebText"))
        );
        assert_eq!(&Model::from_json(&serde_json::to_string(model).unwrap()).unwrap(), model);
    }
    assert!(notes > 10);
    let context = preset("qwen3-8b").unwrap().backing("max_position_embeddings");
    assert!(context.note.contains("128K"));
}

#[test]
fn every_name_finds_its_model() {
    lint::names(
        catalogue().iter().map(|m| (m.id.as_str(), m.name.as_str(), m.aliases.as_slice())),
        preset,
        |model| &model.id,
    );
    for (spelt, id) in [
        ("GPT2", "gpt-2"),
        ("Llama 3.1 70B", "llama-3.1-70b"),
        ("meta-llama/Llama-3.1-8B", "llama-3.1-8b"),
        ("qwen3_0.6b", "qwen3-0.6b"),
    ] {
        assert_eq!(preset(spelt).unwrap().id, id);
    }
    let ambiguous = preset("llama-3.2").unwrap_err().to_string();
    assert_eq!(
        ambiguous,
        "no model is called just \"llama-3.2\"; it may be one of llama-3.2-1b, llama-3.2-3b"
    );
    let unknown = preset("gpt-5").unwrap_err();
    assert!(matches!(unknown, Error::Unknown { .. }));
    assert_eq!(unknown.to_string(), "no model is called \"gpt-5\"; near it: gpt-2, gpt-3-175b, gpt-2-xl");
}

#[test]
fn trap_heads_times_head_dim_is_not_the_width() {
    // Heads, size of each, width of the model.
    let apart = [
        ("qwen3-0.6b", 16, 128, 1024),
        ("qwen3-4b", 32, 128, 2560),
        ("qwen3-32b", 64, 128, 5120),
        ("qwen3-30b-a3b", 32, 128, 2048),
        ("qwen3-235b-a22b", 64, 128, 4096),
    ];
    for (id, heads, head, width) in apart {
        let model = preset(id).unwrap();
        assert_eq!(
            ["num_attention_heads", "head_dim", "hidden_size"].map(|key| size(model, key)),
            [heads, head, width]
        );
        assert_ne!(heads * head, width);
        assert!(
            model.remarks.iter().any(|remark| remark.contains(&(heads * head).to_string())),
            "{id} does not say so"
        );
    }
    // Everywhere else the product is the width, so that a wrong head_dim would show.
    for model in catalogue().iter().filter(|model| model.config.contains_key("head_dim")) {
        let same = size(model, "num_attention_heads") * size(model, "head_dim") == size(model, "hidden_size");
        assert_eq!(!same, apart.iter().any(|(id, ..)| *id == model.id), "{}", model.id);
    }
}

#[test]
fn trap_the_feed_forward_width_is_chosen_already() {
    for (id, d_ff) in
        [("llama-2-7b", 11008), ("llama-3.1-8b", 14336), ("olmo-2-7b", 11008), ("qwen3-0.6b", 3072)]
    {
        assert_eq!(size(preset(id).unwrap(), "intermediate_size"), d_ff, "{id}");
    }
    assert!(preset("olmo-2-7b").unwrap().remarks.iter().any(|remark| remark.contains("22016")));
}

#[test]
fn traps_of_single_presets() {
    let remark = |id: &str, text: &str| {
        let model = preset(id).unwrap();
        assert!(model.remarks.iter().any(|remark| remark.contains(text)), "{id}: {text}");
        model
    };
    assert_eq!(size(remark("llama-2-7b", "16384"), "max_position_embeddings"), 4096);
    assert_eq!(size(remark("olmo-2-13b", "42 heads"), "num_attention_heads"), 40);
    // Only the padded vocabulary gives the counts.
    for model in catalogue().iter().filter(|model| model.id.starts_with("olmo-2")) {
        assert_eq!(size(model, "vocab_size"), 100_352);
        let vocab = model.backing("vocab_size");
        assert!(vocab.mark == Mark::Derived && vocab.note.contains("100278"), "{}", model.id);
    }
}

#[test]
fn a_wrong_model_is_a_sentence_with_field_and_rule() {
    let whole = json!({
        "id": "m", "name": "M",
        "config": {
            "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
            "intermediate_size": 128, "vocab_size": 100, "head_dim": null, "eos_token_id": -1
        }
    });
    let added = Model::from_json(&whole.to_string()).unwrap();
    assert_eq!((added.backing("head_dim").mark, added.architecture().unwrap().layers), (Mark::Unverified, 2));
    let cases = [
        ("/config", json!([]), "this model cannot be read: config: invalid type: sequence"),
        ("/config", json!({}), "config: model_type is missing"),
        ("/config/model_type", json!("abacus"), "config: model_type must be one of"),
        (
            "/config/hidden_size",
            json!(-4),
            "config: hidden_size must be a whole number from 1 to 10^9; got \"-4\"",
        ),
        ("/config/num_hidden_layers", json!(2.5), "config: num_hidden_layers must be a whole number"),
        ("/config/vocab_size", json!(1e30), "config: vocab_size must be a whole number from 1 to 10^9"),
        ("/config/vocab_size", json!("32k"), "config: vocab_size must be a whole number"),
        ("/config/vocab_size", Value::Null, "config: vocab_size is missing"),
        ("/config/num_attention_heads", json!(5), "a divisor of hidden_size 64"),
        ("/marks", json!({"d": {"mark": "single", "sources": []}}), "marks must be for keys of config"),
        (
            "/training_tokens",
            json!({"value": -1}),
            "training_tokens must be from 1e0 to 1e21 tokens; got \"-1\"",
        ),
        ("/tokens", json!(1), "tokens: unknown field `tokens`"),
        ("/name", json!(""), "name must be 1 to 80 printable characters"),
    ];
    for (place, value, expected) in cases {
        let mut record = whole.clone();
        let (parent, key) = place.rsplit_once('/').unwrap();
        record.pointer_mut(parent).unwrap()[key] = value;
        let error = Model::from_json(&record.to_string()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}\nand not {expected}");
        spoil::sentence(&error);
    }
}

/// Every place of a model, with everything that does not belong there.
#[test]
fn a_spoilt_model_is_noticed_or_harmless() {
    let spoilt = spoil::spoilt();
    for model in ["gpt-2", "deepseek-v3", "qwen3-30b-a3b", "olmo-2-1b"].map(|id| preset(id).unwrap()) {
        let whole = serde_json::to_value(model).unwrap();
        for place in spoil::places(&whole) {
            for value in &spoilt {
                let mut changed = whole.clone();
                *changed.pointer_mut(&place).unwrap() = value.clone();
                match Model::from_json(&changed.to_string()) {
                    Err(error) => spoil::sentence(&error),
                    Ok(model) => assert!(model.figures().all(|(_, figure)| figure.value >= 1.0), "{place}"),
                }
                // What the family does not read: the second token's block, the heads that a latent replaces, the
                // width of dense blocks where there are none. And what is no size.
                let unread = [
                    "tie_word",
                    "mlp_only",
                    "nextn",
                    "deepseek-v3/config/num_key_value_heads",
                    "qwen3-30b-a3b/config/intermediate_size",
                ];
                let place = format!("{}{place}", model.id);
                let is_size =
                    place.contains("/config/") && unread.iter().all(|unread| !place.contains(unread));
                if is_size && value.as_f64().is_some_and(|value| !(0.0..=1e10).contains(&value)) {
                    assert!(Model::from_json(&changed.to_string()).is_err(), "{place}: {value}");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn any_configuration_is_kept_or_refused(
        width in prop_oneof![any::<f64>(), (0..5000).prop_map(f64::from)],
        key in "[a-z_]{1,12}",
        text in ".{0,200}",
    ) {
        let mut record = serde_json::to_value(preset("gpt-2").unwrap()).unwrap();
        record["config"][key] = json!(1);
        record["config"]["n_embd"] = json!(width);
        match Model::from_json(&record.to_string()) {
            // A width that twelve heads share.
            Ok(_) => prop_assert!(width >= 12.0 && width % 12.0 == 0.0, "{width}"),
            Err(error) => spoil::sentence(&error),
        }
        prop_assert!(Model::from_json(&text).is_err());
        if let Err(error) = preset(&text) {
            prop_assert!(error.to_string().contains("model"));
        }
    }
}
