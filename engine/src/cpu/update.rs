//! Optimizer steps in one pass over parameter, gradient and state.

use std::cell::{Ref, RefMut};

use crate::backend::{Operand, Update};
use crate::{DType, Error, Result};

use super::{elements, storage};

pub(super) fn update(op: Update, param: Operand<'_>, grad: Operand<'_>, state: &[Operand<'_>]) -> Result<()> {
    let numel = param.layout.numel();
    let flat =
        |x: &Operand<'_>| x.dtype == DType::F32 && x.layout.is_contiguous() && x.layout.numel() == numel;
    let fault = |message: &str| Err(Error::Value { op: "update", message: message.into() });
    if ![&param, &grad].into_iter().chain(state).all(flat) {
        return fault("parameter, gradient and state must be contiguous float32 of one length");
    }
    if numel == 0 {
        return Ok(());
    }
    let mut p = storage::write("update", param)?;
    let g = storage::read("update", grad)?;
    let (p, g) = (slice_mut(&mut p, param), slice(&g, grad));
    match (op, state) {
        (Update::Sgd { lr }, []) => {
            for (p, g) in p.iter_mut().zip(g) {
                *p -= lr * g;
            }
        }
        (Update::Adagrad { lr, eps, eps_inside_root }, &[sum]) => {
            let mut s = storage::write("update", sum)?;
            let elements = p.iter_mut().zip(g).zip(slice_mut(&mut s, sum));
            if eps_inside_root {
                for ((p, g), s) in elements {
                    *s += g * g;
                    *p -= lr * g / (*s + eps).sqrt();
                }
            } else {
                for ((p, g), s) in elements {
                    *s += g * g;
                    *p -= lr * g / (s.sqrt() + eps);
                }
            }
        }
        (Update::Sgd { .. }, _) => return fault("SGD keeps no state"),
        (Update::Adagrad { .. }, _) => return fault("Adagrad keeps one state tensor"),
    }
    Ok(())
}

fn slice<'a>(words: &'a Ref<'_, [u64]>, operand: Operand<'_>) -> &'a [f32] {
    &elements::elements(words)[operand.layout.offset()..][..operand.layout.numel()]
}

fn slice_mut<'a>(words: &'a mut RefMut<'_, [u64]>, operand: Operand<'_>) -> &'a mut [f32] {
    &mut elements::elements_mut(words)[operand.layout.offset()..][..operand.layout.numel()]
}
