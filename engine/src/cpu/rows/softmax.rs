//! Softmax and its logarithm, with a scale and a mask.

use crate::rows::{Frame, Softmax};
use crate::{DType, Result};

use super::super::vector_math::vectorized;
use super::{Real, Tables, largest, sum};

/// Columns of that row that count.
fn seen(how: Softmax, frame: &Frame, row: usize) -> usize {
    if how.is_causal { frame.columns.min(row % frame.height() + 1) } else { frame.columns }
}

pub(super) fn forward<T: Real>(how: Softmax, tables: &Tables<'_>) -> Result<()> {
    let words = tables.all_words::<2>()?;
    let (x, mask) = (tables.input(0, &words)?, tables.optional(1, &words)?);
    let scale = T::from_f64(how.scale);
    tables.each_row::<T>(Some(0), &[], &|row, out, [of_x, of_mask, ..]| {
        let seen = seen(how, tables.frame, row);
        let x = &x.row(row, of_x)[..seen];
        let mask = mask.as_ref().map(|mask| (mask.dtype == DType::Bool, &mask.row(row, of_mask)[..seen]));
        let (out, unseen) = out.split_at_mut(seen);
        unseen.fill(if how.is_log { T::LOWEST } else { T::zeroed() });
        vectorized(
            #[inline(always)]
            || softmax(how, scale, x, mask, out),
        );
        Ok([T::zeroed(); 4])
    })
}

#[inline(always)]
fn softmax<T: Real>(how: Softmax, scale: T, x: &[T], mask: Option<(bool, &[T])>, out: &mut [T]) {
    for (out, &x) in out.iter_mut().zip(x) {
        *out = x * scale;
    }
    match mask {
        Some((true, mask)) => {
            for (out, &mask) in out.iter_mut().zip(mask) {
                *out = if mask == T::zeroed() { T::LOWEST } else { *out };
            }
        }
        Some((false, mask)) => out.iter_mut().zip(mask).for_each(|(out, &mask)| *out += mask),
        None => {}
    }
    let top = largest(out);
    // NaN is passed over above, but shows in the sum.
    if how.is_safe && top == T::LOWEST && out.iter().all(|x| *x == T::LOWEST) {
        out.fill(T::zeroed());
        return;
    }
    if how.is_log {
        // Exponentials by blocks: the row itself is still needed.
        let mut powers = [T::zeroed(); 256];
        let mut total = 0.0;
        for block in out.chunks(powers.len()) {
            let powers = &mut powers[..block.len()];
            powers.iter_mut().zip(block).for_each(|(power, &x)| *power = (x - top).exp());
            total += sum(powers);
        }
        let log = T::from_f64(total.ln());
        out.iter_mut().for_each(|x| *x = (*x - top) - log);
    } else {
        out.iter_mut().for_each(|x| *x = (*x - top).exp());
        let total = T::from_f64(sum(out));
        out.iter_mut().for_each(|x| *x = *x / total);
    }
}

pub(super) fn backward<T: Real>(how: Softmax, tables: &Tables<'_>) -> Result<()> {
    let words = tables.all_words::<2>()?;
    let (g, y) = (tables.input(0, &words)?, tables.input(1, &words)?);
    let scale = T::from_f64(how.scale);
    tables.each_row::<T>(Some(0), &[], &|row, out, [of_g, of_y, ..]| {
        let seen = seen(how, tables.frame, row);
        let (g, y) = (&g.row(row, of_g)[..seen], &y.row(row, of_y)[..seen]);
        let (out, unseen) = out.split_at_mut(seen);
        unseen.fill(T::zeroed());
        vectorized(
            #[inline(always)]
            || derivative(how.is_log, scale, g, y, out),
        );
        Ok([T::zeroed(); 4])
    })
}

#[inline(always)]
fn derivative<T: Real>(is_log: bool, scale: T, g: &[T], y: &[T], out: &mut [T]) {
    if is_log {
        let total = T::from_f64(sum(g));
        for ((out, &g), &y) in out.iter_mut().zip(g).zip(y) {
            *out = (g - y.exp() * total) * scale;
        }
    } else {
        for ((out, &g), &y) in out.iter_mut().zip(g).zip(y) {
            *out = g * y;
        }
        let total = T::from_f64(sum(out));
        for ((out, &g), &y) in out.iter_mut().zip(g).zip(y) {
            *out = (g - total) * y * scale;
        }
    }
}
