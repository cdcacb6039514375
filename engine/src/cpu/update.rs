//! Optimizer steps in one pass over parameter, gradient and state.

use std::cell::{Ref, RefMut};

use crate::backend::{Coefficients, Operand, Update, UpdateKind};
use crate::{DType, Error, Result};

use super::{elements, parallel, storage};

pub(super) fn update(
    op: Update,
    param: Operand<'_>,
    grad: Operand<'_>,
    state: &[Operand<'_>],
    factor: Option<Operand<'_>>,
) -> Result<()> {
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
    let factor = match factor {
        None => 1.0,
        Some(factor) if factor.layout.numel() == 1 && factor.dtype == DType::F32 => {
            slice(&storage::read("update", factor)?, factor)[0]
        }
        Some(_) => return fault("the factor must be one float32 number"),
    };
    if !factor.is_finite() {
        return Ok(());
    }
    let mut p = storage::write("update", param)?;
    let g = storage::read("update", grad)?;
    let (p, g) = (slice_mut(&mut p, param), slice(&g, grad));
    let (kind, coefficients) = op.plan();
    if state.len() != op.states() {
        return fault("the optimizer keeps another number of state tensors");
    }
    let mut words = state.iter().map(|&s| storage::write("update", s)).collect::<Result<Vec<_>>>()?;
    let mut states = words.iter_mut().zip(state).map(|(words, &operand)| slice_mut(words, operand));
    let (s, t) = (states.next().unwrap_or_default(), states.next().unwrap_or_default());
    let (mut s, mut t) = (s.chunks_mut(PART), t.chunks_mut(PART));
    let mut jobs: Vec<_> = (p.chunks_mut(PART).zip(g.chunks(PART)))
        .map(|(p, g)| Job { p, g, factor, s: s.next().unwrap_or_default(), t: t.next().unwrap_or_default() })
        .collect();
    parallel::each_part(&mut jobs, 1, 8 * numel, |_, jobs| {
        jobs.iter_mut().for_each(|job| job.run(kind, coefficients));
        Ok(())
    })
}

/// Elements that a core takes at a time.
const PART: usize = 1 << 14;

/// A part of the parameter with the same part of everything else.
struct Job<'a> {
    p: &'a mut [f32],
    g: &'a [f32],
    factor: f32,
    s: &'a mut [f32],
    t: &'a mut [f32],
}

impl Job<'_> {
    fn run(&mut self, kind: UpdateKind, coefficients: Coefficients) {
        let Coefficients { lr, eps, a, b, c, n, m, decay, shrink } = coefficients;
        let elements = self.p.iter_mut().zip(self.g).map(|(p, &g)| {
            let g = self.factor * g + decay * *p;
            (p, g)
        });
        let (s, t) = (self.s.iter_mut(), self.t.iter_mut());
        let apply = |p: &mut f32, step: f32| *p = shrink * *p - lr * step;
        match kind {
            UpdateKind::Plain => elements.for_each(|(p, g)| apply(p, g)),
            UpdateKind::Momentum => {
                for ((p, g), s) in elements.zip(s) {
                    *s = a * *s + b * g;
                    apply(p, n * g + m * *s);
                }
            }
            UpdateKind::Root => {
                for ((p, g), s) in elements.zip(s) {
                    *s = a * *s + b * g * g;
                    apply(p, g / (s.sqrt() + eps));
                }
            }
            UpdateKind::RootInside => {
                for ((p, g), s) in elements.zip(s) {
                    *s = a * *s + b * g * g;
                    apply(p, g / (*s + eps).sqrt());
                }
            }
            UpdateKind::Adam => {
                for (((p, g), s), t) in elements.zip(s).zip(t) {
                    *s += a * (g - *s);
                    *t = b * *t + c * g * g;
                    apply(p, n * *s / (m * t.sqrt() + eps));
                }
            }
        }
    }
}

fn slice<'a>(words: &'a Ref<'_, [u64]>, operand: Operand<'_>) -> &'a [f32] {
    &elements::elements(words)[operand.layout.offset()..][..operand.layout.numel()]
}

fn slice_mut<'a>(words: &'a mut RefMut<'_, [u64]>, operand: Operand<'_>) -> &'a mut [f32] {
    &mut elements::elements_mut(words)[operand.layout.offset()..][..operand.layout.numel()]
}
