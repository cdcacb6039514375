//! The training loop on a text: what it refuses, what survives a loss beyond all numbers, what a checkpoint goes on from.

use std::cell::RefCell;

use crate::harness::{block_on, each_device};
use napkin_engine::checkpoint::Checkpoint;
use napkin_engine::random::Generator;
use napkin_engine::train::{TextConfig, TextTask, check_loss};
use napkin_engine::{DType, Device, Error, Tensor};

const SMALL: TextConfig = TextConfig {
    layers: 1,
    heads: 2,
    dim: 16,
    context: 16,
    batch: 2,
    accumulate: 2,
    lr: 1e-2,
    warmup: 2,
    steps: 12,
    weight_decay: 0.1,
    max_norm: 1.0,
    dropout: 0.1,
    dtype: DType::F32,
    seed: 1,
};

fn text() -> String {
    (0..60).map(|i| format!("{i} and {i} make {}. ", 2 * i)).collect()
}

fn step(task: &mut TextTask) -> f64 {
    block_on(async { task.step().await?.await }).unwrap().as_f64()
}

fn bytes(task: &mut TextTask) -> Vec<u8> {
    block_on(task.contents().to_bytes()).unwrap()
}

/// The bits of parameters and optimizer state.
fn values(task: &mut TextTask) -> Vec<Vec<u32>> {
    let bits = |t: &Tensor| block_on(t.to_vec()).unwrap().iter().map(|x| x.to_bits()).collect();
    task.contents().tensors.iter().map(|(_, t)| bits(t)).collect()
}

#[test]
fn a_checkpoint_goes_on_bit_by_bit() {
    each_device(|device| {
        for dtype in [DType::F32, DType::F16] {
            let config = TextConfig { dtype, ..SMALL };
            let mut whole = TextTask::new(config, &text(), device).unwrap();
            for _ in 0..5 {
                step(&mut whole);
            }
            let saved = bytes(&mut whole);
            let mut resumed = TextTask::new(config, &text(), device).unwrap();
            block_on(resumed.resume(&Checkpoint::from_bytes("saved", saved.clone()).unwrap())).unwrap();
            assert_eq!(resumed.steps(), 5);
            assert_eq!(bytes(&mut resumed), saved, "{dtype} on {device}");
            for _ in 0..4 {
                assert_eq!(step(&mut whole).to_bits(), step(&mut resumed).to_bits(), "{dtype} on {device}");
            }
            assert_eq!(bytes(&mut resumed), bytes(&mut whole), "{dtype} on {device}");
        }
    });
}

/// A checkpoint of one device goes on on the other.
#[test]
fn a_checkpoint_belongs_to_no_device() {
    let all = RefCell::new(Vec::new());
    each_device(|device| all.borrow_mut().push(device.clone()));
    let all = all.into_inner();
    let (Some(cpu), Some(gpu)) = (all.first(), all.last()) else { panic!("{all:?}") };
    let mut first = TextTask::new(SMALL, &text(), cpu).unwrap();
    for _ in 0..3 {
        step(&mut first);
    }
    let mut second = TextTask::new(SMALL, &text(), gpu).unwrap();
    let file = Checkpoint::from_bytes("saved", bytes(&mut first)).unwrap();
    block_on(second.resume(&file)).unwrap();
    let (a, b) = (step(&mut first), step(&mut second));
    assert!((a - b).abs() < 1e-4 * a, "{a} on the CPU, {b} on the GPU");
}

#[test]
fn a_loss_beyond_all_numbers_changes_nothing() {
    each_device(|device| {
        let config = TextConfig { lr: 1e30, warmup: 0, ..SMALL };
        let mut task = TextTask::new(config, &text(), device).unwrap();
        let mut before = values(&mut task);
        while step(&mut task).is_finite() {
            assert!(task.steps() < 12, "the loss stayed finite");
            before = values(&mut task);
        }
        assert!(values(&mut task) == before, "{device}");
        assert!(before.iter().flatten().all(|&bits| f32::from_bits(bits).is_finite()), "{device}");
    });
    assert!(check_loss(1, f64::NAN).is_err() && check_loss(1, 0.5).is_ok());
}

#[test]
fn bad_configurations_name_the_field() {
    let cases = [
        ("layers", TextConfig { layers: 0, ..SMALL }),
        ("heads", TextConfig { heads: 0, ..SMALL }),
        ("dim is 16; it must be a multiple of heads, which is 3", TextConfig { heads: 3, ..SMALL }),
        ("context", TextConfig { context: 0, ..SMALL }),
        ("context is 200", TextConfig { context: 200, ..SMALL }),
        ("batch", TextConfig { batch: 0, ..SMALL }),
        ("accumulate", TextConfig { accumulate: 0, ..SMALL }),
        ("lr", TextConfig { lr: f32::NAN, ..SMALL }),
        ("max_norm", TextConfig { max_norm: 0.0, ..SMALL }),
        ("weight_decay", TextConfig { weight_decay: -1.0, ..SMALL }),
        ("dropout", TextConfig { dropout: 1.0, ..SMALL }),
        ("dtype", TextConfig { dtype: DType::I32, ..SMALL }),
    ];
    for (field, config) in cases {
        let Err(Error::Value { message, .. }) = TextTask::new(config, &text(), &Device::cpu()).map(drop)
        else {
            panic!("{field} was accepted");
        };
        assert!(message.starts_with(field), "{message}");
    }
}

#[test]
fn a_model_writes_what_it_is_asked_to() {
    let task = TextTask::new(SMALL, &text(), &Device::cpu()).unwrap();
    let write = |prompt: &str, seed| block_on(task.sample(prompt, 30, 0.8, &mut Generator::new(seed)));
    let written = write("12 and ", 1).unwrap();
    assert!(written.starts_with("12 and ") && written.chars().count() == 37, "{written}");
    assert_eq!(written, write("12 and ", 1).unwrap());
    assert_ne!(written, write("12 and ", 2).unwrap());
    assert_eq!(write("", 1).unwrap().chars().count(), 30);
    assert!(write("ß", 1).unwrap_err().to_string().contains('ß'));
}
