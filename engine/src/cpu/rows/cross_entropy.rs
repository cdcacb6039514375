//! Cross-entropy of logits and classes.

use crate::rows::CrossEntropy;
use crate::{Error, Result};

use super::super::vector_math::vectorized;
use super::{Real, Tables, largest, sum};

/// The class of a row, `None` if it is ignored.
fn class(how: CrossEntropy, tables: &Tables<'_>, class: i64) -> Result<Option<usize>> {
    if class == how.ignore_index {
        return Ok(None);
    }
    match usize::try_from(class) {
        Ok(at) if at < tables.frame.columns => Ok(Some(at)),
        _ => Err(Error::Shape { op: "cross_entropy", message: format!("Target {class} is out of bounds.") }),
    }
}

pub(super) fn forward<T: Real>(how: CrossEntropy, tables: &Tables<'_>) -> Result<()> {
    let (logits, classes, weight) = (tables.input(0)?, tables.input(1)?, tables.optional(2)?);
    let (mut losses, mut shares) = (tables.output(0)?, tables.output(1)?);
    let (mut tops, mut logs) = (tables.output(2)?, tables.output(3)?);
    let (mut of_x, mut of_w, mut scratch) = (tables.row::<T>()?, tables.row::<T>()?, tables.row::<T>()?);
    let spread = how.label_smoothing / tables.frame.columns as f64;
    for row in 0..tables.frame.rows() {
        let class = class(how, tables, classes.whole(row))?;
        let x = logits.row(row, &mut of_x);
        let weight = weight.as_ref().map(|weight| weight.row(row, &mut of_w));
        let (top, log, rest) = vectorized(
            #[inline(always)]
            || {
                let top = largest(x);
                scratch.iter_mut().zip(x).for_each(|(power, &x)| *power = (x - top).exp());
                let log = T::from_f64(sum(&scratch).ln());
                (top, log, if spread == 0.0 { 0.0 } else { surprise(x, top, log, weight, &mut scratch) })
            },
        );
        let share = class.map_or(0.0, |class| weight.map_or(1.0, |weight| weight[class].to_f64()));
        let loss = class.map_or(0.0, |class| {
            let own = share * ((top - x[class]) + log).to_f64();
            if spread == 0.0 { own } else { (1.0 - how.label_smoothing) * own + spread * rest }
        });
        losses.put(row, T::from_f64(loss));
        shares.put(row, T::from_f64(share));
        tops.put(row, top);
        logs.put(row, log);
    }
    Ok(())
}

/// `Σ w (lse − x)`
#[inline(always)]
fn surprise<T: Real>(x: &[T], top: T, log: T, weight: Option<&[T]>, scratch: &mut [T]) -> f64 {
    scratch.iter_mut().zip(x).for_each(|(to, &x)| *to = (top - x) + log);
    if let Some(weight) = weight {
        scratch.iter_mut().zip(weight).for_each(|(to, &weight)| *to = *to * weight);
    }
    sum(scratch)
}

pub(super) fn backward<T: Real>(how: CrossEntropy, tables: &Tables<'_>) -> Result<()> {
    let (logits, classes, weight) = (tables.input(0)?, tables.input(1)?, tables.optional(5)?);
    let (tops, logs, g) = (tables.input(2)?, tables.input(3)?, tables.input(4)?);
    let mut out = tables.output(0)?;
    let (mut of_x, mut of_w, mut of_out) = (tables.row::<T>()?, tables.row::<T>()?, tables.row::<T>()?);
    let (keep, count) = (1.0 - how.label_smoothing, tables.frame.columns as f64);
    let spread = how.label_smoothing / count;
    for row in 0..tables.frame.rows() {
        let class = class(how, tables, classes.whole(row))?;
        let x = logits.row(row, &mut of_x);
        let weight = weight.as_ref().map(|weight| weight.row(row, &mut of_w));
        let (top, log, g) = (tops.one::<T>(row), logs.one::<T>(row), g.one::<T>(row));
        out.write(row, &mut of_out, |out| {
            let Some(class) = class else { return out.fill(T::zeroed()) };
            let own = keep * weight.map_or(1.0, |weight| weight[class].to_f64());
            vectorized(
                #[inline(always)]
                || {
                    let all = if spread == 0.0 { 0.0 } else { spread * weight.map_or(count, sum) };
                    let slope = g * T::from_f64(own + all);
                    let pull = g * T::from_f64(spread);
                    match weight {
                        Some(weight) => {
                            for ((out, &x), &weight) in out.iter_mut().zip(x).zip(weight) {
                                *out = slope * ((x - top) - log).exp() - pull * weight;
                            }
                        }
                        None => {
                            for (out, &x) in out.iter_mut().zip(x) {
                                *out = slope * ((x - top) - log).exp() - pull;
                            }
                        }
                    }
                    out[class] = out[class] - g * T::from_f64(own);
                },
            );
        });
    }
    Ok(())
}
