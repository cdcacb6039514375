//! Twin of shaders/update.wgsl.

use crate::backend::Update;

/// One optimizer step in place; `state` is empty where the optimizer has none.
pub fn update(op: Update, param: &mut [f64], grad: &[f64], state: &mut [f64]) {
    match op {
        Update::Sgd { lr } => param.iter_mut().zip(grad).for_each(|(p, g)| *p -= f64::from(lr) * g),
        Update::Adagrad { lr, eps, eps_inside_root } => {
            let (lr, eps) = (f64::from(lr), f64::from(eps));
            for ((p, g), s) in param.iter_mut().zip(grad).zip(state) {
                *s += g * g;
                *p -= lr * g / if eps_inside_root { (*s + eps).sqrt() } else { s.sqrt() + eps };
            }
        }
    }
}
