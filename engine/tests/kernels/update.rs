//! Optimizer steps in place.

use napkin_engine::backend::Update;
use napkin_engine::twin::update::update;
use napkin_engine::{DType, Layout};

use crate::common::{Tensor, assert_within, gpu, on_every_backend};

#[test]
fn steps_follow_their_twin() {
    let updates = [
        Update::Sgd { lr: 0.1 },
        Update::Adagrad { lr: 0.1, eps: 1e-5, eps_inside_root: false },
        Update::Adagrad { lr: 0.1, eps: 1e-5, eps_inside_root: true },
    ];
    on_every_backend(|device| {
        for count in [0, 1, 3, 17, 64, 65, 1000] {
            for offset in if count == 0 { [0; 3] } else { [0, 4, 5] } {
                for op in updates {
                    let what = format!("{} {op:?} {count} from {offset}", device.name());
                    let layout = Layout::strided(&[count], &[1], offset).unwrap();
                    let param = Tensor::random(device, layout.clone(), DType::F32, 1);
                    let grad = Tensor::random(device, layout.clone(), DType::F32, 2);
                    let state: Vec<f64> = vec![0.5; layout.storage_end()];
                    let state = Tensor::new(device, &state, layout, DType::F32);
                    let (mut want, mut want_state) = (param.dense(), state.dense());
                    let states = [state.operand()];
                    let states = if matches!(op, Update::Sgd { .. }) { &[][..] } else { &states };
                    for _ in 0..3 {
                        device.update(op, param.operand(), grad.operand(), states).unwrap();
                        update(op, &mut want, &grad.dense(), &mut want_state);
                    }
                    let after = param.read_storage(device);
                    let at = offset.min(after.len());
                    assert_within(&after[at..], &want, |i| 1e-6 * (1.0 + want[i].abs()), &what);
                    assert_eq!(after[..at], param.values[..at], "before the offset: {what}");
                    if !states.is_empty() {
                        assert_within(&state.read(device), &want_state, |_| 1e-6, &what);
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
    let sgd = Update::Sgd { lr: 0.1 };
    assert!(gpu.update(sgd, param.operand(), short.operand(), &[]).is_err());
    assert!(gpu.update(sgd, param.operand(), half.operand(), &[]).is_err());
    let adagrad = Update::Adagrad { lr: 0.1, eps: 0.0, eps_inside_root: false };
    let grad = tensor(8, DType::F32);
    assert!(gpu.update(adagrad, param.operand(), grad.operand(), &[]).is_err(), "no state");
}
