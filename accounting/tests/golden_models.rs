//! Parameter counts against models that transformers builds, and against the published exact counts.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use napkin_accounting::models::{self, Architecture};
use napkin_accounting::{Number, ParamCount};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
struct Golden {
    models: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    config: Map<String, Value>,
    parameters: u64,
    buffers: u64,
    components: BTreeMap<String, u64>,
    active: u64,
    active_without_embedding: u64,
    preset: Option<u64>,
}

fn cases() -> Vec<Case> {
    let golden: Golden = serde_json::from_str(include_str!("golden/models.json")).unwrap();
    assert!(golden.models.len() > 80);
    golden.models
}

fn whole(number: Number) -> u128 {
    number.to_whole().unwrap()
}

#[test]
fn counts_are_those_of_the_built_models() {
    for case in cases() {
        let name = &case.name;
        let architecture = Architecture::from_config(&case.config).unwrap_or_else(|e| panic!("{name}: {e}"));
        let count = ParamCount::new(&architecture).unwrap();
        // A checkpoint holds these buffers too, and published counts have them in.
        let more = u128::from(case.buffers);
        assert_eq!(whole(count.total.value), u128::from(case.parameters) + more, "{name}");
        assert_eq!(whole(count.active.value), u128::from(case.active) + more, "{name}, active");
        let multiplied = u128::from(case.active_without_embedding) + more;
        assert_eq!(whole(count.multiplied.value), multiplied, "{name}, multiplied");
        if let Some(preset) = case.preset {
            assert_eq!(whole(count.total.value), u128::from(preset), "{name}, published");
        }
    }
}

#[test]
fn components_are_those_of_the_built_models() {
    // What both tell apart in the same way.
    let same = [
        ("token embedding", "token_embedding"),
        ("position embedding", "position_embedding"),
        ("feed-forward", "mlp"),
        ("experts", "experts"),
        ("normalisations", "norm"),
        ("projections", "projection"),
    ];
    for case in cases() {
        let count = ParamCount::new(&Architecture::from_config(&case.config).unwrap()).unwrap();
        for (ours, theirs) in same {
            let part = count.components.iter().find(|part| part.title == ours);
            let part = part.map_or(0, |part| whole(part.total.value));
            let expected = case.components.get(theirs).copied().unwrap_or(0);
            assert_eq!(part, expected.into(), "{}, {ours}", case.name);
        }
        let attention =
            ["attention", "attention_norm"].map(|key| case.components.get(key).copied().unwrap_or(0));
        let part = count.components.iter().find(|part| part.title == "attention").unwrap();
        assert_eq!(whole(part.total.value), attention.iter().sum::<u64>().into(), "{}", case.name);
    }
}

#[test]
fn presets_to_the_unit() {
    let expected: [(&str, u128, u128); 26] = [
        ("gpt-2", 124_439_808, 124_439_808),
        ("gpt-2-medium", 354_823_168, 354_823_168),
        ("gpt-2-large", 774_030_080, 774_030_080),
        ("gpt-2-xl", 1_557_611_200, 1_557_611_200),
        ("gpt-3-175b", 174_604_259_328, 174_604_259_328),
        ("llama-2-7b", 6_738_415_616, 6_738_415_616),
        ("llama-2-13b", 13_015_864_320, 13_015_864_320),
        ("llama-2-70b", 68_976_648_192, 68_976_648_192),
        ("llama-3.1-8b", 8_030_261_248, 8_030_261_248),
        ("llama-3.1-70b", 70_553_706_496, 70_553_706_496),
        ("llama-3.1-405b", 405_853_388_800, 405_853_388_800),
        ("llama-3.2-1b", 1_235_814_400, 1_235_814_400),
        ("llama-3.2-3b", 3_212_749_824, 3_212_749_824),
        ("deepseek-v3", 671_026_419_200, 37_552_297_472),
        ("qwen3-0.6b", 596_049_920, 596_049_920),
        ("qwen3-1.7b", 1_720_574_976, 1_720_574_976),
        ("qwen3-4b", 4_022_468_096, 4_022_468_096),
        ("qwen3-8b", 8_190_735_360, 8_190_735_360),
        ("qwen3-14b", 14_768_307_200, 14_768_307_200),
        ("qwen3-32b", 32_762_123_264, 32_762_123_264),
        ("qwen3-30b-a3b", 30_532_122_624, 3_353_032_704),
        ("qwen3-235b-a22b", 235_093_634_560, 22_190_763_520),
        ("olmo-2-1b", 1_484_916_736, 1_484_916_736),
        ("olmo-2-7b", 7_298_617_344, 7_298_617_344),
        ("olmo-2-13b", 13_716_198_400, 13_716_198_400),
        ("olmo-2-32b", 32_234_279_936, 32_234_279_936),
    ];
    assert_eq!(models::catalogue().len(), expected.len());
    for (id, total, active) in expected {
        let model = models::preset(id).unwrap();
        let count = ParamCount::new(&Architecture::from_config(&model.config).unwrap()).unwrap();
        assert_eq!((whole(count.total.value), whole(count.active.value)), (total, active), "{id}");
    }
}

#[test]
fn bad_configurations_are_refused_by_key_and_rule() {
    let good = r#"{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 100}"#;
    assert!(Architecture::from_config_text(good).is_ok());
    let with = |key: &str, value: &str| {
        let mut config: Map<String, Value> = serde_json::from_str(good).unwrap();
        config.insert(key.to_owned(), serde_json::from_str(value).unwrap());
        Architecture::from_config(&config).unwrap_err().to_string()
    };
    let without = |key: &str| {
        let mut config: Map<String, Value> = serde_json::from_str(good).unwrap();
        config.remove(key);
        Architecture::from_config(&config).unwrap_err().to_string()
    };
    for key in ["hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size"]
    {
        assert!(without(key).starts_with(&format!("{key} is missing")), "{}", without(key));
        for bad in ["0", "-1", "1.5", "\"64\"", "1e30", "null", "[64]"] {
            assert!(with(key, bad).starts_with(key), "{key} {bad}: {}", with(key, bad));
        }
    }
    for (key, value, words) in [
        ("num_attention_heads", "5", "divisor of hidden_size 64"),
        ("num_key_value_heads", "3", "divisor of num_attention_heads 4"),
        ("model_type", "\"mamba\"", "one of"),
        ("tie_word_embeddings", "\"yes\"", "true or false"),
        ("num_hidden_layers", "1000000", "at most"),
        ("head_dim", "0", "whole number"),
    ] {
        let message = with(key, value);
        assert!(message.contains(key) && message.contains(words), "{message}");
    }
    assert!(without("model_type").contains("model_type is missing"));
    for text in ["", "[]", "{", "null", "\"llama\"", "{\"model_type\": 3}", "{\"hidden_size\": 1}"] {
        let message = Architecture::from_config_text(text).unwrap_err().to_string();
        assert!(!message.contains('\n') && message.len() < 300, "{text}: {message}");
    }
}

#[test]
fn experts_must_be_enough_and_latents_whole() {
    let mixtral = r#"{"model_type": "mixtral", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "intermediate_size": 128, "vocab_size": 100, "num_local_experts": 2, "num_experts_per_tok": 3}"#;
    let message = Architecture::from_config_text(mixtral).unwrap_err().to_string();
    assert!(message.contains("num_experts_per_tok") && message.contains("at most the number of experts, 2"));
    let latent = r#"{"model_type": "deepseek_v3", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "intermediate_size": 128, "vocab_size": 100, "kv_lora_rank": 16,
        "qk_nope_head_dim": null}"#;
    let message = Architecture::from_config_text(latent).unwrap_err().to_string();
    assert!(message.contains("qk_nope_head_dim is missing"), "{message}");
}
