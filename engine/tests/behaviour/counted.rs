//! A counted step against the closed forms of `accounting`, to the FLOP and to the byte, and against PyTorch's counts.

use std::collections::BTreeMap;

use crate::harness::{block_on, each_device};
use napkin_accounting::calc::count::{Held, Record, Stage, TransformerSizes, architecture, data, spec};
use napkin_accounting::calc::{Body, Cell, Inputs, Naming, Sheet, Table, calculator};
use napkin_accounting::{Number, ParamCount};
use napkin_engine::train::counted::{Counted, LinearStep, OptimizerKind, Spec, Training, TransformerStep};
use napkin_engine::{DType, Device};
use serde_json::Value;

const DTYPES: [(&str, DType, f64); 3] =
    [("fp32", DType::F32, 1e-4), ("bf16", DType::BF16, 0.25), ("fp16", DType::F16, 0.03)];

/// The record as accounting reads it, which has the same fields.
fn record(counted: &Counted) -> Record {
    let json = serde_json::to_value(counted).unwrap();
    let record: Record = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(&record).unwrap(), json);
    record
}

fn total(held: &Held) -> u64 {
    held.by_purpose().iter().map(|(_, bytes)| bytes).sum()
}

fn table<'a>(sheet: &'a Sheet, id: &str) -> &'a Table {
    let part = sheet.parts.iter().find(|part| part.id == id).unwrap();
    let Body::Table(table) = &part.body else { panic!("{id} is no table") };
    table
}

/// How far a count is from the formula, where a row has both.
fn off(cells: &[Cell]) -> Option<&str> {
    match cells {
        [Cell::Figure(_), Cell::Figure(_), Cell::Text(off), ..] => Some(off),
        _ => None,
    }
}

/// Everything that holds for every step.
fn check(what: &str, id: &str, texts: &[(&str, String)], counted: &Counted, tolerance: f64) {
    let record = record(counted);
    let calculator = calculator(id).unwrap();
    for (key, _) in texts {
        assert!(calculator.fields.iter().any(|field| field.key == *key), "{id} has no {key}");
    }
    let texts: BTreeMap<String, String> = texts.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
    let inputs = Inputs::new(Naming::Option, texts);
    let spec = spec(calculator.id, &inputs).unwrap();
    assert!(serde_json::from_str::<Spec>(&spec).unwrap().step().is_ok(), "{what}");
    let inputs = inputs.with_data(calculator.id, data(&spec, &serde_json::to_string(counted).unwrap()));
    let sheet = calculator.answer(&inputs).unwrap_or_else(|error| panic!("{what}: {error}"));
    let mut compared = 0;
    for id in ["products", "memory"] {
        for row in table(&sheet, id).rows.iter().filter(|row| row.label != "together at the peak") {
            if let Some(off) = off(&row.cells) {
                assert_eq!(off, "0", "{what}: {}", row.label);
                compared += 1;
            }
        }
    }
    // Three products of two components, their sum, and four purposes.
    assert!(compared >= 2 * 3 + 1 + 4, "{what}: {compared} rows");
    let parameters = sheet.figures().into_iter().find(|figure| figure.name == "params").unwrap();
    assert_eq!(parameters.value, Number::from(record.parameters), "{what}");

    let (first, last) = (record.timeline.first().unwrap(), record.timeline.last().unwrap());
    assert_eq!((first.held, last.held), (record.before, record.after), "{what}");
    // What a step leaves: gradients, and a loss.
    let left = Held { gradients: 4 * record.parameters, temporary: 4, ..record.before };
    assert_eq!(record.after, left, "{what}");
    assert_eq!(last.at, record.changes);
    assert_eq!(total(&record.at_peak), record.peak_bytes, "{what}");
    let highest = record.timeline.iter().map(|point| total(&point.held)).max();
    assert_eq!(highest, Some(record.peak_bytes), "{what}");
    assert!(record.timeline.windows(2).all(|pair| pair[0].at < pair[1].at));
    let Body::Areas(areas) = &sheet.parts.iter().find(|part| part.id == "timeline").unwrap().body else {
        panic!("no areas")
    };
    let highest = (0..areas.times.len()).map(|at| areas.total(at)).fold(0.0, f64::max);
    assert_eq!(highest, record.peak_bytes as f64, "{what}");
    let labels: Vec<&str> = areas.bands.iter().map(|band| band.label.as_str()).collect();
    assert!(labels.starts_with(&["forward", "backward"]) && labels.ends_with(&["optimizer"]), "{labels:?}");
    assert!(areas.bands.windows(2).all(|pair| pair[0].end == pair[1].start));

    assert!(!record.gradients.is_empty() && record.loss.is_finite(), "{what}");
    assert!(record.worst_error < tolerance, "{what}: {:?}", record.gradients);
    assert!(record.gradients.iter().any(|of| of.difference != 0.0), "{what}");
}

fn linear(step: LinearStep, dtype: (&str, DType, f64), optimizer: &str, device: &Device) {
    let what = format!("{device}: {step:?}");
    let counted = block_on(step.count(device)).unwrap_or_else(|error| panic!("{what}: {error}"));
    let texts = [
        ("linear-batch", step.batch.to_string()),
        ("dim", step.dim.to_string()),
        ("layers", step.layers.to_string()),
        ("bias", step.bias.to_string()),
        ("accumulate", step.training.accumulate.to_string()),
        ("count-optimizer", optimizer.to_owned()),
        ("count-dtype", dtype.0.to_owned()),
    ];
    check(&what, "count-linear", &texts, &counted, dtype.2);
}

fn transformer(step: TransformerStep, dtype: (&str, DType, f64), optimizer: &str, device: &Device) {
    let what = format!("{device}: {step:?}");
    let counted = block_on(step.count(device)).unwrap_or_else(|error| panic!("{what}: {error}"));
    let texts = [
        ("count-layers", step.layers.to_string()),
        ("count-heads", step.heads.to_string()),
        ("count-dim", step.dim.to_string()),
        ("count-vocab", step.vocab.to_string()),
        ("count-context", step.context.to_string()),
        ("count-batch", step.batch.to_string()),
        ("accumulate", step.training.accumulate.to_string()),
        ("count-checkpointing", step.checkpointing.to_string()),
        ("count-optimizer", optimizer.to_owned()),
        ("count-dtype", dtype.0.to_owned()),
    ];
    check(&what, "count-transformer", &texts, &counted, dtype.2);
    let again = record(&counted).operations.iter().any(|o| o.stage == Stage::Again && o.flops > 0);
    assert_eq!(again, step.checkpointing, "{what}");
}

#[test]
fn the_deep_linear_model_to_the_flop_and_the_byte() {
    each_device(|device| {
        for dtype in DTYPES {
            for (i, (name, optimizer)) in OptimizerKind::ALL.into_iter().enumerate() {
                let accumulate = [1, 3][i % 2];
                let training = Training { dtype: dtype.1, optimizer, accumulate, ..Training::default() };
                let step = LinearStep { dim: 17, layers: 2, batch: 3, bias: i % 3 == 0, training };
                linear(step, dtype, name, device);
            }
            for (dim, layers, batch, bias) in
                [(1, 1, 1, false), (3, 5, 65, true), (65, 3, 17, false), (64, 1, 63, true)]
            {
                let training = Training { dtype: dtype.1, accumulate: 2, ..Training::default() };
                linear(LinearStep { dim, layers, batch, bias, training }, dtype, "adamw", device);
            }
        }
    });
}

#[test]
fn the_small_transformer_to_the_flop_and_the_byte() {
    each_device(|device| {
        for dtype in DTYPES {
            for (i, (name, optimizer)) in OptimizerKind::ALL.into_iter().enumerate() {
                let accumulate = [3, 1][i % 2];
                let training = Training { dtype: dtype.1, optimizer, accumulate, ..Training::default() };
                let (heads, checkpointing) = (2, i % 3 == 1);
                let step = TransformerStep {
                    layers: 1,
                    heads,
                    dim: 8,
                    vocab: 17,
                    context: 5,
                    batch: 3,
                    checkpointing,
                    training,
                };
                transformer(step, dtype, name, device);
            }
            let training = Training { dtype: dtype.1, ..Training::default() };
            for (layers, heads, dim, vocab, context, batch) in
                [(2, 4, 16, 65, 17, 2), (3, 3, 24, 33, 1, 1), (1, 5, 15, 3, 3, 17), (2, 1, 8, 1000, 3, 5)]
            {
                for checkpointing in [false, true] {
                    let step = TransformerStep {
                        layers,
                        heads,
                        dim,
                        vocab,
                        context,
                        batch,
                        checkpointing,
                        training,
                    };
                    transformer(step, dtype, "adamw", device);
                }
            }
        }
    });
}

/// FLOPs of the products by stage.
fn flops(record: &Record, stages: &[Stage]) -> u64 {
    record.operations.iter().filter(|o| stages.contains(&o.stage)).map(|o| o.flops).sum()
}

#[test]
fn pytorchs_counts_of_the_same_models() {
    let golden: Value =
        serde_json::from_str(include_str!("../../../accounting/tests/golden/flops.json")).unwrap();
    let training = Training { checks: 1, ..Training::default() };
    let checked = std::cell::Cell::new(0);
    each_device(|device| {
        let compare = |case: &Value, counted: &Counted| {
            let record = record(counted);
            let backward = flops(&record, &[Stage::Backward, Stage::Again]);
            assert_eq!(flops(&record, &[Stage::Forward]), case["forward"]["total"], "{device}: {case}");
            assert_eq!(backward, case["backward"]["total"], "{device}: {case}");
            checked.set(checked.get() + 1);
        };
        let size = |case: &Value, name: &str| case[name].as_u64().unwrap() as usize;
        for case in golden["gpt"].as_array().unwrap() {
            let checkpointing = case["checkpointing"] == "whole";
            let is_ours = case["attention"] == "matmul" && case["tied"] == true && case["bias"] == true;
            let skipped = case["checkpointing"] == "early_stop" || case["device"] != "cpu";
            if !is_ours || skipped || case["layers"] == 0 {
                continue;
            }
            let [layers, heads, dim, vocab] = ["layers", "heads", "d", "vocab"].map(|name| size(case, name));
            let (context, batch) = (size(case, "tokens"), size(case, "batch"));
            let step = TransformerStep { layers, heads, dim, vocab, context, batch, checkpointing, training };
            compare(case, &block_on(step.count(device)).unwrap());
        }
        for case in golden["cruncher"].as_array().unwrap() {
            if case["x_grad"] == true || case["device"] != "cpu" || case["L"] == 0 {
                continue;
            }
            let (dim, layers, batch) = (size(case, "D"), size(case, "L"), size(case, "B"));
            let step = LinearStep { dim, layers, batch, bias: case["bias"] == true, training };
            let counted = block_on(step.count(device)).unwrap();
            assert_eq!(counted.parameters, case["parameters"]);
            compare(case, &counted);
        }
    });
    assert!(checked.get() > 20, "{checked:?}");
}

#[test]
fn a_gpt_is_the_architecture_that_it_is_said_to_be() {
    for (layers, heads, dim, vocab, context) in [(1, 1, 1, 1, 1), (3, 2, 8, 65, 17), (2, 4, 64, 1000, 3)] {
        let config = napkin_engine::nn::GptConfig::new(vocab, context, layers, heads, dim);
        let mut generator = napkin_engine::random::Generator::new(0);
        let mut gpt = napkin_engine::nn::Gpt::new(config, &mut generator, &Device::cpu()).unwrap();
        let [layers, heads, dim, vocab, context] = [layers, heads, dim, vocab, context].map(|n| n as u64);
        let training =
            napkin_accounting::calc::count::Training { dtype: "fp32", optimizer: "sgd", accumulate: 1 };
        let sizes =
            TransformerSizes { layers, heads, dim, vocab, context, batch: 1, checkpointing: false, training };
        let count = ParamCount::new(&architecture(&sizes).unwrap()).unwrap();
        assert_eq!(count.total.value, Number::from(napkin_engine::nn::Module::num_params(&mut gpt) as u64));
    }
}

#[test]
fn what_is_too_large_is_refused_with_field_and_rule() {
    let training = Training::default();
    let linear = LinearStep { dim: 16, layers: 2, batch: 4, bias: false, training };
    let small = TransformerStep {
        layers: 1,
        heads: 2,
        dim: 8,
        vocab: 17,
        context: 5,
        batch: 3,
        checkpointing: false,
        training,
    };
    let refusal = |result: napkin_engine::Result<Counted>| result.err().unwrap().to_string();
    let of_linear = |step: LinearStep| refusal(block_on(step.count(&Device::cpu())));
    let of_small = |step: TransformerStep| refusal(block_on(step.count(&Device::cpu())));
    let with = |accumulate, dtype| Training { accumulate, dtype, ..training };
    for (got, want) in [
        (of_linear(LinearStep { dim: 0, ..linear }), "dim is 0; it must be from 1 to 4096"),
        (of_linear(LinearStep { layers: 65, ..linear }), "layers is 65; it must be from 1 to 64"),
        (
            of_linear(LinearStep { training: with(0, DType::F32), ..linear }),
            "accumulate is 0; it must be from 1 to 64",
        ),
        (of_linear(LinearStep { training: with(1, DType::F64), ..linear }), "dtype is"),
        (of_linear(LinearStep { dim: 4096, layers: 64, ..linear }), "dim is 4096; it must be smaller"),
        (
            of_linear(LinearStep { dim: 4096, layers: 1, batch: 60000, ..linear }),
            "batch is 60000; it must be at most 255 ",
        ),
        (
            of_small(TransformerStep { heads: 3, ..small }),
            "dim is 8; it must be a multiple of heads, which is 3",
        ),
        (of_small(TransformerStep { vocab: 0, ..small }), "vocab is 0; it must be from 1 to 65536"),
        (of_small(TransformerStep { context: 8192, ..small }), "context is 8192; it must be smaller"),
        (of_small(TransformerStep { batch: 4096, dim: 1024, ..small }), "batch is 4096; it must be at most "),
    ] {
        assert!(got.contains(want), "{got} is not about {want}");
    }
}
