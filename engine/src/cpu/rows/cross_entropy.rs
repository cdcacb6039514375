//! Cross-entropy of logits and classes.

use crate::rows::CrossEntropy;
use crate::{Error, Result};

use super::super::vector_math::vectorized;
use super::{Real, Tables, largest, sum};

/// The class of a row, `None` if it is ignored.
fn class(how: CrossEntropy, classes: usize, class: i64) -> Result<Option<usize>> {
    if class == how.ignore_index {
        return Ok(None);
    }
    match usize::try_from(class) {
        Ok(at) if at < classes => Ok(Some(at)),
        _ => Err(Error::index("cross_entropy", format!("Target {class} is out of bounds."))),
    }
}

pub(super) fn forward<T: Real>(how: CrossEntropy, tables: &Tables<'_>) -> Result<()> {
    let words = tables.all_words::<3>()?;
    let (logits, classes) = (tables.input(0, &words)?, tables.input(1, &words)?);
    let weight = tables.optional(2, &words)?;
    let spread = how.label_smoothing / tables.frame.columns as f64;
    tables.each_row::<T>(None, &[0, 1, 2, 3], &|row, _, [of_x, of_w, scratch, ..]| {
        let class = class(how, tables.frame.columns, classes.one(row))?;
        let x = logits.row(row, of_x);
        let weight = weight.as_ref().map(|weight| weight.row(row, of_w));
        let (top, log, rest) = vectorized(
            #[inline(always)]
            || {
                let top = largest(x);
                scratch.iter_mut().zip(x).for_each(|(power, &x)| *power = (x - top).exp());
                let log = T::from_f64(sum(scratch).ln());
                (top, log, if spread == 0.0 { 0.0 } else { surprise(x, top, log, weight, scratch) })
            },
        );
        let share = class.map_or(0.0, |class| weight.map_or(1.0, |weight| weight[class].to_f64()));
        let loss = class.map_or(0.0, |class| {
            let own = share * ((top - x[class]) + log).to_f64();
            if spread == 0.0 { own } else { (1.0 - how.label_smoothing) * own + spread * rest }
        });
        Ok([T::from_f64(loss), T::from_f64(share), top, log])
    })
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
    let words = tables.all_words::<6>()?;
    let (logits, classes) = (tables.input(0, &words)?, tables.input(1, &words)?);
    let (tops, logs, g) = (tables.input(2, &words)?, tables.input(3, &words)?, tables.input(4, &words)?);
    let weight = tables.optional(5, &words)?;
    let count = tables.frame.columns as f64;
    let (keep, spread) = (1.0 - how.label_smoothing, how.label_smoothing / count);
    tables.each_row::<T>(Some(0), &[], &|row, out, [of_x, of_w, ..]| {
        let Some(class) = class(how, tables.frame.columns, classes.one(row))? else {
            out.fill(T::zeroed());
            return Ok([T::zeroed(); 4]);
        };
        let x = logits.row(row, of_x);
        let weight = weight.as_ref().map(|weight| weight.row(row, of_w));
        let (top, log, g) = (tops.one::<T>(row), logs.one::<T>(row), g.one::<T>(row));
        let own = keep * weight.map_or(1.0, |weight| weight[class].to_f64());
        vectorized(
            #[inline(always)]
            || {
                let all = if spread == 0.0 { 0.0 } else { spread * weight.map_or(count, sum) };
                let (slope, pull) = (g * T::from_f64(own + all), g * T::from_f64(spread));
                for (out, &x) in out.iter_mut().zip(x) {
                    *out = slope * ((x - top) - log).exp();
                }
                match weight {
                    _ if spread == 0.0 => {}
                    Some(weight) => {
                        out.iter_mut().zip(weight).for_each(|(out, &weight)| *out = *out - pull * weight);
                    }
                    None => out.iter_mut().for_each(|out| *out = *out - pull),
                }
                out[class] = out[class] - g * T::from_f64(own);
            },
        );
        Ok([T::zeroed(); 4])
    })
}
