//! Twin of shaders/update.wgsl.

use crate::backend::Update;

/// One optimizer step in place; `states` has as many as the optimizer keeps. Gradients are multiplied by `factor`;
/// where that is not finite nothing changes.
pub fn update(op: Update, param: &mut [f64], grad: &[f64], states: &mut [Vec<f64>], factor: f64) {
    if !factor.is_finite() {
        return;
    }
    for (i, (p, &g)) in param.iter_mut().zip(grad).enumerate() {
        let mut state: Vec<&mut f64> = states.iter_mut().filter_map(|state| state.get_mut(i)).collect();
        element(op, p, factor * g, &mut state);
    }
}

fn element(op: Update, p: &mut f64, g: f64, state: &mut [&mut f64]) {
    match (op, state) {
        (Update::Sgd { lr, weight_decay, .. }, []) => {
            *p -= f64::from(lr) * (g + weight_decay * *p);
        }
        (Update::Sgd { lr, momentum, dampening, nesterov, weight_decay, is_first }, [s]) => {
            let g = g + weight_decay * *p;
            **s = if is_first { g } else { momentum * **s + (1.0 - dampening) * g };
            *p -= f64::from(lr) * if nesterov { g + momentum * **s } else { **s };
        }
        (Update::Adagrad { lr, eps, eps_inside_root, weight_decay }, [s]) => {
            let g = g + weight_decay * *p;
            **s += g * g;
            *p -= f64::from(lr) * g / if eps_inside_root { (**s + eps).sqrt() } else { s.sqrt() + eps };
        }
        (Update::Rmsprop { lr, alpha, eps, weight_decay }, [s]) => {
            let g = g + weight_decay * *p;
            **s = alpha * **s + (1.0 - alpha) * g * g;
            *p -= f64::from(lr) * g / (s.sqrt() + eps);
        }
        (Update::Adam { lr, betas, eps, weight_decay, is_decoupled, step }, [m, v]) => {
            let (lr, decay) = (f64::from(lr), weight_decay);
            let g = if is_decoupled { g } else { g + decay * *p };
            if is_decoupled {
                *p -= lr * decay * *p;
            }
            let [first, second] = betas;
            **m = first * **m + (1.0 - first) * g;
            **v = second * **v + (1.0 - second) * g * g;
            let corrected = |x: f64, beta: f64| x / (1.0 - beta.powi(step.cast_signed()));
            *p -= lr * corrected(**m, first) / (corrected(**v, second).sqrt() + eps);
        }
        // With another number of states than it keeps nothing happens.
        (Update::Sgd { .. } | Update::Adagrad { .. } | Update::Rmsprop { .. } | Update::Adam { .. }, _) => {}
    }
}
