//! The calculators reach the lecture's figures, keep clear of known traps, and refuse bad input in a sentence.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod asked;

use asked::{QUESTIONS, all, ask, close, refusal, try_ask, value};
use napkin_accounting::calc::{Body, Cell, Kind, Remark, RemarkKind, Sheet};
use proptest::prelude::*;

/// The cell of a table's row, as people read it.
fn cell(sheet: &Sheet, part: &str, row: &str, column: usize) -> String {
    let part = sheet.parts.iter().find(|of| of.id == part).unwrap_or_else(|| panic!("no part {part}"));
    let Body::Table(table) = &part.body else { panic!("{} is no table", part.id) };
    let row = table.rows.iter().find(|of| of.label == row).unwrap_or_else(|| panic!("no row {row}"));
    match &row.cells[column] {
        Cell::Figure(figure) => figure.short(),
        Cell::Formula(figure) => format!("{}: {:?}", figure.equation(), figure.symbols()),
        Cell::Text(text) => text.clone(),
    }
}

#[test]
fn the_lecture_to_the_digit() {
    let time = "time params=70B tokens=15T gpu=h100-sxm gpus=1024 mfu=0.5";
    for (question, name, expected) in [
        (time, "total_flop", 6.3e24),
        (time, "flop_per_day", 4.377_231_36e22),
        (time, "days", 143.926_593_818_426_82),
        (time, "gpu_hours", 3_537_139.969_681_658),
        (
            "time params=70B tokens=15T gpu=h100-sxm gpus=1024 mfu=0.5 sparse=on",
            "days",
            71.963_296_909_213_41,
        ),
        ("size", "largest_params", 40e9),
        ("size convention=bf16", "largest_params", 160e9 / 3.0),
        ("size convention=mixed", "largest_params", 640e9 / 18.0),
        ("size gib=on", "largest_params", 42_949_672_960.0),
        ("size gib=on memory=80GiB", "largest_params", 42_949_672_960.0),
        ("size node-gpus=1", "largest_params", 5e9),
        ("tensor shape=4x8", "tensor_bytes", 128.0),
        ("tensor shape=4x8", "numel", 32.0),
        ("tensor shape=49152x12288", "tensor_mebibytes", 2304.0),
        ("tensor shape=49152x12288 tensor-dtype=fp16", "tensor_mebibytes", 1152.0),
        ("matmul b=1024 d=256 k=64", "matmul_flop", 33_554_432.0),
        ("matmul b=16384 d=32768 k=8192", "matmul_flop", 8_796_093_022_208.0),
        ("roofline", "ridge_flop_per_byte", 989.5e12 / 3.35e12),
        ("backward b=1024 d=256 k=64", "forward_flop", 167_772_160.0),
        ("backward b=1024 d=256 k=64", "dw2_flop", 33_554_432.0),
        ("backward b=1024 d=256 k=64", "second_layer_flop", 67_108_864.0),
        ("backward b=1024 d=256 k=64", "backward_flop", 335_544_320.0),
        ("linear", "params", 36.0),
        ("linear", "activations", 16.0),
        ("linear", "step_bytes", 496.0),
        ("linear", "six_nb_flop", 432.0),
        ("linear dim=64 linear-batch=4", "params", 8256.0),
        ("linear dim=64 linear-batch=4 bias=on", "params", 8256.0 + 129.0),
        ("params architecture=gpt-3-175b", "params", 174_604_259_328.0),
    ] {
        close(question, name, expected);
    }
}

#[test]
fn landmarks_of_the_lecture() {
    let (_, sheet) = ask("reality");
    assert_eq!(cell(&sheet, "landmarks", "8 H100 for a week, at their peak", 0), "4.788e21 FLOP");
    assert_eq!(cell(&sheet, "landmarks", "8 H100 for two weeks, at their peak", 0), "9.575e21 FLOP");
    close("reality", "week_flop", 4.787_596_8e21);
    close("reality", "two_weeks_flop", 9.575_193_6e21);
    let ratio: f64 = cell(&sheet, "runs", "Llama 3.1 70B", 2).parse().unwrap();
    assert!((1.9..2.1).contains(&ratio), "reported is twice the napkin's: {ratio}");
}

#[test]
fn intensities_of_the_lecture() {
    let (_, sheet) = ask("roofline n=3000");
    for (row, expected) in
        [("relu of n elements", "0.25 FLOP/byte"), ("matrix times matrix, n×n", "1000 FLOP/byte")]
    {
        assert_eq!(cell(&sheet, "operations", row, 2), expected, "{row}");
    }
    for (row, expected) in [("dot product of n elements", 0.5), ("matrix times vector, n×n", 1.0)] {
        let text = cell(&sheet, "operations", row, 2);
        let intensity: f64 = text.split(' ').next().unwrap().parse().unwrap();
        assert!((intensity - expected).abs() < 0.001, "{row}: {text}");
    }
    let (_, sheet) = ask("roofline n=3000 dtype=fp32");
    assert_eq!(cell(&sheet, "operations", "relu of n elements", 2), "0.125 FLOP/byte");
}

#[test]
fn the_cache_goes_by_heads_of_keys_and_values_and_not_by_the_width() {
    // 2 · layers · kv heads · head width · bytes; the last column is what 2·L·d would say.
    for (model, per_token, by_width) in [
        ("qwen3-32b", 2.0 * 64.0 * 8.0 * 128.0 * 2.0, 2.0 * 64.0 * 5120.0 * 2.0),
        ("qwen3-4b", 2.0 * 36.0 * 8.0 * 128.0 * 2.0, 2.0 * 36.0 * 2560.0 * 2.0),
        ("llama-3.1-70b", 2.0 * 80.0 * 8.0 * 128.0 * 2.0, 2.0 * 80.0 * 8192.0 * 2.0),
        ("deepseek-v3", 61.0 * (512.0 + 64.0) * 2.0, 2.0 * 61.0 * 7168.0 * 2.0),
    ] {
        let question = format!("kv architecture={model}");
        close(&question, "kv_bytes_per_token", per_token);
        assert_ne!(value(&question, "kv_bytes_per_token"), by_width, "{model}");
    }
}

#[test]
fn a_run_has_as_many_utilisations_as_there_are_ways_to_count() {
    let run = "mfu architecture=llama-3.1-8b tokens-per-sec=68k gpus=8 gpu=h100-sxm sequence=8192";
    // By hand: 7,504,658,432 of 8,030,261,248 parameters are multiplied with; 32 blocks of width 4096 weigh 8192 tokens,
    // or 4096.5 of them on average where the mask keeps them; the head has 128,256 × 4096 elements.
    let (weights, scores, masked, head) = (
        2.0 * 7_504_658_432.0,
        4.0 * 4096.0 * 32.0 * 8192.0,
        4.0 * 4096.0 * 32.0 * 4096.5,
        2.0 * 128_256.0 * 4096.0,
    );
    let of_peak = |flop: f64| flop * 68e3 / (8.0 * 989.5e12);
    let (_, sheet) = ask(run);
    for (row, flop) in [
        ("6·N·D", 6.0 * 8_030_261_248.0),
        ("products, masked scores too", 3.0 * (weights + scores)),
        ("products, without masked scores", 3.0 * (weights + masked)),
        ("HFU: blocks computed again, too", 4.0 * (weights + scores) - head),
    ] {
        for (column, share) in [(1, of_peak(flop)), (2, of_peak(flop) / 2.0)] {
            let shown: f64 = cell(&sheet, "conventions", row, column).parse().unwrap();
            assert!((shown / share - 1.0).abs() < 5e-4, "{row}: {shown}, not {share}");
        }
    }
    for (switches, flop) in [
        ("", 3.0 * (weights + scores)),
        (" causal=on", 3.0 * (weights + masked)),
        (" recompute=full sparse=on", (4.0 * (weights + scores) - head) / 2.0),
    ] {
        let mfu = value(&format!("{run}{switches}"), "mfu");
        assert!((mfu / of_peak(flop) - 1.0).abs() < 1e-12, "{switches}: {mfu}");
    }
    assert_eq!(cell(&ask(&format!("{run} dtype=fp32")).1, "conventions", "6·N·D", 2), "–");
}

#[test]
fn conventions_of_mfu_are_switched() {
    let run = "mfu architecture=llama-3.1-8b tokens-per-sec=68k gpus=8 gpu=h100-sxm sequence=8192";
    let of = |switches: &str| value(&format!("{run}{switches}"), "mfu");
    let six_nd = 6.0 * 8_030_261_248.0 * 68e3 / (8.0 * 989.5e12);
    assert!((of(" counted=6nd") / six_nd - 1.0).abs() < 1e-12);
    // 6·N·D knows no scores, so no mask either.
    assert_eq!(of(" counted=6nd"), of(" counted=6nd causal=on"));
    assert_eq!(of(""), 2.0 * of(" macs=on"));
    assert_eq!(value(&format!("{run} macs=on"), "step_macs") * 2.0, value(run, "step_flop"));
    // What products of matrices alone have reached: 794.5 of 989.5 TFLOP/s.
    let reached = |question: &str| {
        ask(question).1.remarks.iter().any(|remark| remark.text.contains("to reach 0.8029 of the dense bf16"))
    };
    assert!(reached(run) && !reached("mfu gpu=a10"));
}

#[test]
fn formulas_have_their_number_for_a_model_and_for_the_lectures_small_gpt() {
    let (_, sheet) = ask("formulas sequence=8192 flash=on gpus=1 mfu=0.4");
    // By hand, as the lecture counts them.
    for (part, row, of_llama, of_gpt) in [
        ("bytes", "parameters", "8.03 B params", "3.209 M params"),
        ("bytes", "weights", "32.12 GB", "12.84 MB"),
        ("bytes", "optimizer state", "64.24 GB", "25.67 MB"),
        ("bytes", "activations at the peak", "96.76 GB", "173.2 MB"),
        ("bytes", "cache per token", "262.1 kB", "8.192 kB"),
        ("work", "FLOPs of the product", "962.1 GFLOP", "1.074 GFLOP"),
        ("work", "training step", "474.4 TFLOP", "42.08 GFLOP"),
        ("time", "FLOPs of the whole training", "7.227e23 FLOP", "1.232 PFLOP"),
    ] {
        assert_eq!([1, 2].map(|column| cell(&sheet, part, row, column)), [of_llama, of_gpt], "{row}");
    }
    let row = "FLOPs of the whole training";
    assert_eq!(cell(&sheet, "time", row, 0), r#"C = 6·N·D: [("N", "parameters"), ("D", "training tokens")]"#);
    // The other field's model is another column, and the small GPT is the same in it.
    let (_, of_gpt_2) = ask("formulas architecture=gpt-2");
    assert_eq!(cell(&of_gpt_2, "bytes", "parameters", 1), "124.4 M params");
    assert_eq!(cell(&of_gpt_2, "bytes", "parameters", 2), "3.209 M params");
}

#[test]
fn what_a_model_brings_gives_way_to_what_is_typed() {
    close("time model=llama-3.1-70b", "total_flop", 6.0 * 70_553_706_496.0 * 15e12);
    close("time model=llama-3.1-70b params=70B", "total_flop", 6.3e24);
    close("time model=llama-3.1-70b tokens=1T", "total_flop", 6.0 * 70_553_706_496.0 * 1e12);
    // Experts that a token does not meet cost it nothing.
    close("time model=deepseek-v3 tokens=1T", "total_flop", 6.0 * 37_552_297_472.0 * 1e12);
    // Nobody has published the tokens of some: they are assumed as without a model.
    let bare = r#"{"model_type":"gpt2","n_embd":64,"n_layer":1,"n_head":4,"vocab_size":9,"n_positions":64}"#;
    for model in ["gpt-2", bare] {
        let question = format!("time model={model}");
        assert_eq!(value(&question, "total_flop"), value(&format!("{question} tokens=15T"), "total_flop"));
    }
    assert_eq!(refusal("time tokens="), "--tokens is missing: it takes a number such as 15T");
}

#[test]
fn recomputation_adds_flops_and_takes_memory() {
    let flop = |again: &str| value(&format!("flops recompute={again}"), "step_flop");
    let bytes = |again: &str| value(&format!("memory recompute={again}"), "activation_bytes");
    assert!(flop("none") < flop("selective") && flop("selective") < flop("full"));
    assert!(bytes("none") > bytes("selective") && bytes("selective") > bytes("full"));
    assert!(value("memory flash=on", "activation_bytes") < bytes("none"));
    // Of one block nothing but its input is kept, which is there already: little is known, so that the peak is in the block.
    let one = r#"{"model_type":"gpt2","n_embd":64,"n_layer":1,"n_head":4,"vocab_size":9,"n_positions":64}"#;
    let peak = |again: &str| {
        value(&format!("memory architecture={one} sequence=64 recompute={again}"), "activation_peak_bytes")
    };
    assert!(peak("full") <= peak("none"));
}

#[test]
fn doubtful_numbers_are_marked_wherever_they_are_used() {
    for question in [
        "time gpu=mi325x",
        "size gpu=apple-m1-pro",
        "memory gpu=apple-m1-pro",
        "roofline gpu=apple-m1-pro dtype=fp32",
        "kv gpu=apple-m1-pro architecture=qwen3-0.6b",
    ] {
        let (_, sheet) = ask(question);
        let warned = sheet.remarks.iter().any(|remark| {
            remark.kind == RemarkKind::Warning
                && (remark.text.contains("unverified") || remark.text.contains("sources disagree"))
        });
        let doubtful = sheet.figures().iter().any(|figure| {
            figure
                .all_inputs()
                .iter()
                .any(|input| input.mark.is_some_and(|mark| mark.describe() == "unverified"))
        });
        assert_eq!(warned, doubtful, "{question}: {:?}", sheet.remarks);
    }
    let (_, sheet) = ask("size gpu=apple-m1-pro");
    assert!(sheet.remarks.iter().any(|remark| remark.text.contains("unverified")), "{:?}", sheet.remarks);
    let (_, sheet) = ask("time mfu=1.2");
    assert!(sheet.remarks.iter().any(|remark| remark.text.starts_with("An MFU above 1")));
}

#[test]
fn bad_input_is_a_sentence_with_field_and_rule() {
    for (question, words) in [
        ("time gpus=1e30", &["--gpus", "whole number"][..]),
        ("time gpus=2e9", &["--gpus", "from 1"]),
        ("time gpus=0", &["--gpus", "whole number"]),
        ("time mfu=-1", &["--mfu", "greater than 0"]),
        ("time mfu=nan", &["--mfu", "number"]),
        ("time mfu=inf", &["--mfu", "number"]),
        ("time gpu=h100-sxm dtype=fp4", &["--dtype", "no fp4 peak"]),
        ("time gpu=apple-m1 dtype=bf16", &["--dtype", "M1"]),
        ("time gpu=h1000", &["--gpu", "h1000", "h100-sxm"]),
        ("time gpu={\"id\":\"x\"}", &["--gpu", "name"]),
        ("time model=llama-9", &["--model", "llama-9", "llama-2-7b"]),
        ("time sparse=maybe", &["--sparse", "on or off"]),
        ("size convention=fp64", &["--convention", "fp32, bf16, mixed"]),
        ("size memory=-1", &["--memory", "greater than 0"]),
        ("size bytes-per-param=0", &["--bytes-per-param", "greater than 0"]),
        ("tensor shape=4x-8", &["--shape", "whole numbers"]),
        ("tensor shape=1x1x1x1x1x1x1x1x1", &["--shape", "8 dimensions"]),
        ("tensor shape=1e3", &["--shape", "whole numbers"]),
        ("tensor shape=99999999999999999999", &["--shape"]),
        ("params architecture=", &["--model", "missing"]),
        ("params architecture={}", &["--model", "model_type"]),
        ("params architecture={\"model_type\":\"llama\"}", &["--model", "hidden_size"]),
        ("params architecture={\"model_type\":\"mamba\"}", &["--model", "mamba", "one of"]),
        ("params architecture={", &["--model", "cannot be read"]),
        ("flops batch=0", &["--batch", "whole number"]),
        ("flops sequence=1.5", &["--sequence", "whole number"]),
        ("flops recompute=some", &["--recompute", "none, selective, full"]),
        ("parallel tp=3", &["--tp", "divisor of the query heads"]),
        ("parallel pp=99", &["--pp", "at most the blocks"]),
        ("parallel ep=2", &["--ep", "no experts"]),
        ("parallel architecture=deepseek-v3 ep=3", &["--ep", "divisor of the experts"]),
        ("parallel network=carrier-pigeon", &["--network", "carrier-pigeon"]),
        ("parallel network=-5", &["--network", "greater than 0"]),
        ("optimal flop=1e40", &["--flop"]),
        ("matmul secs=0", &["--secs", "greater than 0"]),
        ("tensor shape=1__0", &["--shape", "whole numbers"]),
        ("tensor shape=4_x8", &["--shape", "whole numbers"]),
        ("tensor shape=4294967296x4294967296x4294967296x4294967296", &["--shape", "no finite value"]),
        // What is not needed is read all the same.
        ("roofline batch=💥", &["--batch", "a number"]),
        ("roofline sequence=-5", &["--sequence", "whole number"]),
        ("size memory=80GB gpu=nonsense", &["--gpu", "nonsense"]),
        ("memory memory=80GB gpu=nonsense", &["--gpu", "nonsense"]),
        ("kv memory=80GB gpu=nonsense", &["--gpu", "nonsense"]),
        ("parallel gpu=a10 network=nonsense", &["--network", "nonsense"]),
        ("parallel network=0.5", &["--network", "from 1 B/s to 1 EB/s"]),
        ("parallel network=1e19", &["--network", "from 1 B/s to 1 EB/s"]),
    ] {
        let message = refusal(question);
        assert!(!message.contains('\n'), "{question}: {message}");
        for word in words {
            assert!(message.contains(word), "{question}: {word:?} is missing in {message}");
        }
    }
}

#[test]
fn fields_are_well_told() {
    for calculator in all() {
        let command = match calculator.id.strip_prefix("count-") {
            Some(of) => format!("napkin count {of}"),
            None => format!("napkin calc {}", calculator.id),
        };
        assert!(calculator.example.starts_with(&command), "{}", calculator.id);
        let (mut keys, mut names) = (Vec::new(), Vec::new());
        for field in calculator.fields {
            assert!(!field.label.is_empty() && !field.help.is_empty() && !field.key.is_empty());
            assert!(!field.help.ends_with('.'), "{}", field.help);
            assert!(
                !keys.contains(&field.key) && !names.contains(&field.name),
                "{}: {}",
                calculator.id,
                field.key
            );
            keys.push(field.key);
            names.push(field.name);
            if let Kind::Choice(choices) = field.kind {
                assert!(choices.iter().any(|choice| choice.id == field.default), "{}", field.key);
            }
            if let Kind::Number(range) = field.kind
                && let Some(slider) = range.slider
            {
                assert!(range.min <= slider.min && slider.max <= range.max, "{}", field.key);
                assert_eq!(slider.value_at(0), slider.min, "{}", field.key);
                assert_eq!(slider.tick_of(slider.value_at(slider.last())), slider.last(), "{}", field.key);
                assert_eq!([-1.0, f64::NAN].map(|value| slider.tick_of(value)), [0, 0], "{}", field.key);
            }
        }
        // With its defaults every calculator answers.
        try_ask(calculator.id).1.unwrap_or_else(|error| panic!("{}: {error}", calculator.id));
    }
}

#[test]
fn every_calculator_is_asked_about() {
    for calculator in all() {
        assert!(QUESTIONS.iter().any(|question| question.split(' ').next() == Some(calculator.id)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is typed into one field: an answer of finite numbers, or a short sentence.
    #[test]
    fn nothing_that_is_typed_panics(
        which in 0..all().len(),
        field in 0_usize..32,
        text in prop_oneof![
            "[-+0-9.eE_,kKMGTPB%ix/s(){}:\" ]{0,12}",
            "\\PC{0,20}",
            any::<f64>().prop_map(|number| number.to_string()),
            any::<u64>().prop_map(|number| number.to_string()),
        ],
    ) {
        let calculator = all()[which];
        let field = calculator.fields[field % calculator.fields.len()];
        let inputs = napkin_accounting::calc::Inputs::new(
            napkin_accounting::calc::Naming::Label,
            [(field.key.to_owned(), text.clone())].into(),
        );
        match calculator.answer(&inputs) {
            Ok(sheet) => for figure in sheet.figures() {
                prop_assert!(figure.value.is_finite(), "{} {}={text}: {}", calculator.id, field.key, figure.name);
            },
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.len() < 1200 && !message.contains('\n'), "{message}");
            }
        }
    }
}

#[test]
fn a_model_that_does_not_fit_is_told_so() {
    for question in [
        "memory architecture=llama-3.1-70b gib=on",
        "memory architecture=llama-3.1-70b optimizer=adamw-8bit",
        "kv architecture=llama-3.1-70b memory=80.0000000005GB",
    ] {
        let sheet = try_ask(question).1.unwrap_or_else(|error| panic!("{question}: {error}"));
        assert!(sheet.parts.iter().all(|part| part.id != "fits"), "{question}");
    }
    for (question, field) in [
        ("kv gpu=bananas", "--gpu"),
        ("kv memory=-5", "--memory"),
        ("parallel memory=abc", "--memory"),
        ("memory memory=abc", "--memory"),
    ] {
        let message = refusal(question);
        assert!(message.contains(field), "{question}: {message}");
    }
}

#[test]
fn a_step_of_decoding_meets_what_is_cached() {
    let windowed = r#"{"model_type":"mistral","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"intermediate_size":14336,"vocab_size":32000,"max_position_embeddings":32768,"sliding_window":4096}"#;
    let windowed: String = windowed.split_whitespace().collect();
    close(&format!("roofline sequence=131072 decoded={windowed}"), "decode_flop", 16_368_803_840.0);
    // Every head meets the latent, of 512 and 64.
    close("roofline decoded=deepseek-v3 sequence=131072", "decode_flop", 2_300_191_779_840.0);
    // 256 tokens choose 8 of 256 experts each: they meet all.
    close("roofline decoded=deepseek-v3 sequence=4096 batch=256", "decode_bytes", 1_413_885_012_992.0);
}

#[test]
fn a_text_that_is_too_long_for_a_model_is_told() {
    for question in ["flops", "memory", "kv", "mfu", "parallel", "formulas", "roofline decoded=gpt-2"] {
        let model = if question.contains("gpt-2") { "" } else { " architecture=gpt-2" };
        let (_, sheet) = ask(&format!("{question}{model} sequence=1025"));
        let told = |remark: &Remark| {
            remark.text.ends_with("made for sequences of up to 1024 tokens; 1025 are more.")
        };
        assert!(sheet.remarks.iter().any(told), "{question}: {:?}", sheet.remarks);
    }
}

#[test]
fn sparse_is_as_much_faster_as_the_device_says() {
    let card = r#"{"id":"x","name":"X","peaks":[{"dtype":"bf16","figure":{"value":1e14}}],"sparse":{"dtypes":["bf16"],"figure":{"value":4}}}"#;
    for (gpu, times) in [("h100-sxm", "2 times"), (card, "4 times")] {
        let (_, sheet) = ask(&format!("time gpu={gpu} sparse=on"));
        assert!(sheet.remarks.iter().any(|remark| remark.text.contains(times)), "{:?}", sheet.remarks);
    }
}

#[test]
fn hours_are_compared_with_those_of_the_same_run() {
    let has = |question: &str| ask(question).1.parts.iter().any(|part| part.id == "reality");
    assert!(has("time model=llama-2-70b gpu=a100-sxm"));
    for other in ["", "gpu=a100-sxm tokens=1T", "gpu=a100-sxm sparse=on"] {
        assert!(!has(&format!("time model=llama-2-70b {other}")), "{other}");
    }
}

#[test]
fn an_expert_meets_its_share_of_the_tokens() {
    let (tokens, wide, narrow) = (256.0, 2048.0, 768.0);
    let elements = tokens * wide + wide * narrow + tokens * narrow;
    let intensity = value("formulas architecture=qwen3-30b-a3b", "intensity_flop_per_byte");
    assert!((intensity - tokens * wide * narrow / elements).abs() < 1e-9, "{intensity}");
}

#[test]
fn formats_go_by_the_names_of_pytorch_too() {
    for (question, short, long) in [
        ("kv architecture=deepseek-v3 cache-dtype", "fp8", "float8_e4m3fn"),
        ("kv architecture=deepseek-v3 cache-dtype", "bf16", "torch.bfloat16"),
        ("memory weight-dtype", "fp32", "float32"),
        ("time dtype", "fp8", "float8_e5m2"),
        ("matmul gpu=b200-sxm dtype", "fp4", "float4_e2m1fn"),
        ("tensor tensor-dtype", "e5m2", "float8_e5m2"),
        ("tensor tensor-dtype", "e4m3", "FLOAT8_E4M3FN"),
        ("linear linear-dtype", "bf16", "bfloat16"),
    ] {
        let headline = |name: &str| ask(&format!("{question}={name}")).1.headline().map(|it| it.value);
        assert_eq!(headline(short), headline(long), "{question}");
    }
    assert!(refusal("kv cache-dtype=float9").contains("one of fp32, bf16, fp16, fp8"));
}

#[test]
fn block_scales_are_of_rows() {
    // 51 rows of 65 elements: five blocks of 16 in each, the last of one element.
    close("tensor shape=17x3x65 tensor-dtype=nvfp4", "tensor_bytes", 1658.0 + 51.0 * 5.0 + 4.0);
    close("tensor shape=17x3x65 tensor-dtype=mxfp8", "tensor_bytes", 3315.0 + 51.0 * 3.0);
    close("tensor shape=17x3x64 tensor-dtype=mxfp4", "tensor_bytes", 1632.0 + 51.0 * 2.0);
    close("tensor shape=33 tensor-dtype=mxfp8", "tensor_bytes", 33.0 + 2.0);
    close("tensor shape=() tensor-dtype=mxfp8", "tensor_bytes", 2.0);
}
