//! The training loop: it learns, it repeats itself bit for bit, it counts what it ran.

use crate::harness::{block_on, each_device};
use napkin_engine::optim::Rule;
use napkin_engine::train::{LinearConfig, LinearTask};
use napkin_engine::{Device, Error};

fn config() -> LinearConfig {
    LinearConfig { dim: 16, layers: 2, batch: 4, lr: 0.001, rule: Rule::SGD, seed: 0 }
}

fn losses(config: LinearConfig, steps: usize, device: &Device) -> Vec<f32> {
    let mut task = LinearTask::new(config, device).unwrap();
    (0..steps)
        .map(|_| {
            task.step().unwrap();
            block_on(task.loss()).unwrap().unwrap()
        })
        .collect()
}

#[test]
fn the_weights_are_learned() {
    // One layer learns to the last digit; deeper ones must at least come close.
    let cases = [
        ("one layer, SGD", LinearConfig { layers: 0, lr: 0.02, ..config() }, 3000, 0.01),
        (
            "two layers, AdaGrad",
            LinearConfig {
                batch: 32,
                lr: 0.3,
                rule: Rule::Adagrad { eps: 1e-10, weight_decay: 0.0 },
                ..config()
            },
            2500,
            0.1,
        ),
    ];
    each_device(|device| {
        for (name, config, steps, tolerance) in &cases {
            let mut task = LinearTask::new(*config, device).unwrap();
            for _ in 0..*steps {
                task.step().unwrap();
            }
            let learned = block_on(task.weights()).unwrap();
            for (got, want) in learned.iter().zip(task.true_weights()) {
                assert!((got - want).abs() < *tolerance, "{name} on {device}: {learned:?}");
            }
        }
    });
}

#[test]
fn the_same_seed_gives_the_same_run() {
    each_device(|device| {
        let first = losses(config(), 50, device);
        assert_eq!(first, losses(config(), 50, device), "{device}");
        assert_ne!(first, losses(LinearConfig { seed: 1, ..config() }, 50, device));
    });
}

#[test]
fn devices_agree() {
    let reference = losses(config(), 20, &Device::cpu());
    each_device(|device| {
        for (step, (a, b)) in reference.iter().zip(losses(config(), 20, device)).enumerate() {
            assert!((a - b).abs() <= 1e-4 * a.abs(), "step {step} on {device}: {b}, {a} on the CPU");
        }
    });
}

/// The lecture's B=2, D=4, L=2: 36 parameters, and 6·B·36 FLOPs less the input's gradient.
#[test]
fn the_ledger_counts_the_step() {
    each_device(|device| {
        let config = LinearConfig { dim: 4, layers: 2, batch: 2, ..config() };
        let mut task = LinearTask::new(config, device).unwrap();
        assert_eq!(task.num_params(), 36);
        device.ledger().reset();
        task.step().unwrap();
        // Forward 2·B·36; backward twice that, but the first layer needs no gradient of the data.
        let (b, d) = (2, 4);
        assert_eq!(device.ledger().totals().matmul_flops, 6 * b * 36 - 2 * b * d * d);
    });
}

#[test]
fn memory_is_given_back() {
    each_device(|device| {
        let before = device.ledger().totals().allocated_bytes;
        drop(losses(config(), 3, device));
        assert_eq!(device.ledger().totals().allocated_bytes, before);
    });
}

#[test]
fn bad_configurations_name_the_field() {
    let device = Device::cpu();
    let cases = [
        ("dim", LinearConfig { dim: 0, ..config() }),
        ("dim", LinearConfig { dim: 1 << 40, ..config() }),
        ("layers", LinearConfig { layers: 1000, ..config() }),
        ("batch", LinearConfig { batch: 0, ..config() }),
        ("lr", LinearConfig { lr: f32::NAN, ..config() }),
        ("lr", LinearConfig { lr: -1.0, ..config() }),
    ];
    for (field, config) in cases {
        let Err(Error::Value { message, .. }) = LinearTask::new(config, &device).map(|_| ()) else {
            panic!("{field} was accepted");
        };
        assert!(message.starts_with(field), "{message}");
    }
}

/// A learning rate far too large diverges to infinity or NaN: a number, never a panic.
#[test]
fn divergence_is_a_value() {
    let last = losses(LinearConfig { lr: 100.0, ..config() }, 60, &Device::cpu()).pop().unwrap();
    assert!(!last.is_finite());
}
