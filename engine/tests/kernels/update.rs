//! Optimizer steps in place.

use napkin_engine::backend::Update;
use napkin_engine::twin::update::update;
use napkin_engine::{DType, Layout};

use crate::common::{Tensor, assert_within, gpu, on_every_backend};

#[test]
fn steps_follow_their_twin() {
    let momentum = |nesterov, is_first| Update::Sgd {
        lr: 0.1,
        momentum: 0.9,
        dampening: if nesterov { 0.0 } else { 0.25 },
        nesterov,
        weight_decay: 0.1,
        is_first,
    };
    let adam = |is_decoupled, step| Update::Adam {
        lr: 0.1,
        betas: [0.9, 0.99],
        eps: 1e-3,
        weight_decay: 0.1,
        is_decoupled,
        step,
    };
    let updates = [
        sgd(0.1),
        momentum(false, true),
        momentum(false, false),
        momentum(true, false),
        Update::Adagrad { lr: 0.1, eps: 1e-5, eps_inside_root: false, weight_decay: 0.1 },
        Update::Adagrad { lr: 0.1, eps: 1e-5, eps_inside_root: true, weight_decay: 0.0 },
        Update::Rmsprop { lr: 0.01, alpha: 0.9, eps: 1e-3, weight_decay: 0.1 },
        adam(false, 1),
        adam(true, 7),
    ];
    on_every_backend(|device| {
        for count in [0, 1, 3, 17, 64, 65, 1000] {
            for offset in if count == 0 { [0; 3] } else { [0, 4, 5] } {
                for op in updates {
                    let what = format!("{} {op:?} {count} from {offset}", device.name());
                    let layout = Layout::strided(&[count], &[1], offset).unwrap();
                    let param = Tensor::random(device, layout.clone(), DType::F32, 1);
                    let grad = Tensor::random(device, layout.clone(), DType::F32, 2);
                    let start: Vec<f64> = vec![0.5; layout.storage_end()];
                    let states: Vec<Tensor> = (0..op.states())
                        .map(|_| Tensor::new(device, &start, layout.clone(), DType::F32))
                        .collect();
                    let mut want = param.dense();
                    let mut want_states: Vec<Vec<f64>> = states.iter().map(Tensor::dense).collect();
                    let operands: Vec<_> = states.iter().map(Tensor::operand).collect();
                    // Where the factor is not finite nothing changes.
                    for factor in [None, Some(0.25), Some(f64::NAN), Some(f64::NEG_INFINITY), Some(2.0)] {
                        let one = Layout::strided(&[], &[], 3).unwrap();
                        let scalar = factor.map(|f| Tensor::new(device, &[f; 4], one, DType::F32));
                        let operand = scalar.as_ref().map(Tensor::operand);
                        device.update(op, param.operand(), grad.operand(), &operands, operand).unwrap();
                        update(op, &mut want, &grad.dense(), &mut want_states, factor.unwrap_or(1.0));
                    }
                    let after = param.read_storage(device);
                    let at = offset.min(after.len());
                    assert_within(&after[at..], &want, |i| 4e-6 * (1.0 + want[i].abs()), &what);
                    assert_eq!(after[..at], param.values[..at], "before the offset: {what}");
                    for (state, want) in states.iter().zip(&want_states) {
                        assert_within(&state.read(device), want, |_| 2e-6, &what);
                    }
                }
            }
        }
    });
}

#[test]
fn wrong_dtypes_and_lengths_are_errors() {
    use napkin_engine::backend::Backend;
    let gpu = gpu();
    let tensor = |n: usize, dtype| Tensor::random(&gpu, Layout::contiguous(&[n]).unwrap(), dtype, 1);
    let (param, short, half) = (tensor(8, DType::F32), tensor(7, DType::F32), tensor(8, DType::F16));
    let plain = sgd(0.1);
    assert!(gpu.update(plain, param.operand(), short.operand(), &[], None).is_err());
    assert!(gpu.update(plain, param.operand(), half.operand(), &[], None).is_err());
    let adagrad = Update::Adagrad { lr: 0.1, eps: 0.0, eps_inside_root: false, weight_decay: 0.0 };
    let grad = tensor(8, DType::F32);
    assert!(gpu.update(adagrad, param.operand(), grad.operand(), &[], None).is_err(), "no state");
}

fn sgd(lr: f32) -> Update {
    Update::Sgd { lr, momentum: 0.0, dampening: 0.0, nesterov: false, weight_decay: 0.0, is_first: false }
}
