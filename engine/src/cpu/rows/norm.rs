//! Layer and RMS normalisation.

use crate::Result;

use super::super::storage;
use super::super::vector_math::vectorized;
use super::{BLOCK, Real, Tables, WORK, buffers, parallel, sum};

pub(super) fn forward<T: Real>(centred: bool, eps: f64, tables: &Tables<'_>) -> Result<()> {
    let words = tables.all_words::<3>()?;
    let x = tables.input(0, &words)?;
    let (weight, bias) = (tables.optional(1, &words)?, tables.optional(2, &words)?);
    let count = tables.frame.columns as f64;
    let per_row = &[1, 2][..if centred { 2 } else { 1 }];
    tables.each_row::<T>(Some(0), per_row, &|row, out, [of_x, of_w, of_b, ..]| {
        let x = x.row(row, of_x);
        let weight = weight.as_ref().map(|weight| weight.row(row, of_w));
        let bias = bias.as_ref().map(|bias| bias.row(row, of_b));
        Ok(vectorized(
            #[inline(always)]
            || {
                let mean = T::from_f64(if centred { sum(x) / count } else { 0.0 });
                for (square, &x) in out.iter_mut().zip(x) {
                    *square = (x - mean) * (x - mean);
                }
                let rstd = T::from_f64(1.0 / (sum(out) / count + eps).sqrt());
                scaled(x, mean, rstd, weight, bias, out);
                [rstd, mean, T::zeroed(), T::zeroed()]
            },
        ))
    })
}

#[inline(always)]
fn scaled<T: Real>(x: &[T], mean: T, rstd: T, weight: Option<&[T]>, bias: Option<&[T]>, out: &mut [T]) {
    for (out, &x) in out.iter_mut().zip(x) {
        *out = (x - mean) * rstd;
    }
    if let Some(weight) = weight {
        out.iter_mut().zip(weight).for_each(|(out, &weight)| *out = *out * weight);
    }
    if let Some(bias) = bias {
        out.iter_mut().zip(bias).for_each(|(out, &bias)| *out += bias);
    }
}

pub(super) fn backward<T: Real>(tables: &Tables<'_>) -> Result<()> {
    let words = tables.all_words::<5>()?;
    let (g, x, rstds) = (tables.input(0, &words)?, tables.input(1, &words)?, tables.input(2, &words)?);
    let (means, weight) = (tables.optional(3, &words)?, tables.optional(4, &words)?);
    let count = tables.frame.columns as f64;
    tables.each_row::<T>(Some(0), &[], &|row, out, [of_g, of_x, of_w, u, products]| {
        let (g, x) = (g.row(row, of_g), x.row(row, of_x));
        let weight = weight.as_ref().map(|weight| weight.row(row, of_w));
        let (rstd, mean) = (rstds.one::<T>(row), means.as_ref().map(|means| means.one::<T>(row)));
        vectorized(
            #[inline(always)]
            || {
                u.copy_from_slice(g);
                if let Some(weight) = weight {
                    u.iter_mut().zip(weight).for_each(|(u, &weight)| *u = *u * weight);
                }
                scaled(x, mean.unwrap_or(T::zeroed()), rstd, None, None, out);
                for ((product, &u), &h) in products.iter_mut().zip(&*u).zip(&*out) {
                    *product = u * h;
                }
                let along = T::from_f64(sum(products) / count);
                let level = T::from_f64(if mean.is_some() { sum(u) / count } else { 0.0 });
                for (out, &u) in out.iter_mut().zip(&*u) {
                    *out = rstd * ((u - level) - *out * along);
                }
            },
        );
        Ok([T::zeroed(); 4])
    })
}

/// The sums of columns over some rows: short ones in the precision of the elements, the rest in f64.
struct Sums<T> {
    first: usize,
    short: [Vec<T>; 2],
    long: [Vec<f64>; 2],
}

impl<T: Real> Sums<T> {
    fn settle(&mut self) {
        for (long, short) in self.long.iter_mut().zip(&mut self.short) {
            for (long, short) in long.iter_mut().zip(short) {
                *long += short.to_f64();
                *short = T::zeroed();
            }
        }
    }
}

/// Rows that a core sums up at a time.
const ROWS: usize = 4 * BLOCK;

pub(super) fn parameters<T: Real>(tables: &Tables<'_>) -> Result<()> {
    let words = tables.all_words::<4>()?;
    let (g, x, rstds) = (tables.input(0, &words)?, tables.input(1, &words)?, tables.input(2, &words)?);
    let means = tables.optional(3, &words)?;
    let (rows, columns) = (tables.frame.rows(), tables.frame.columns);
    let sums =
        |first| Ok(Sums { first, short: buffers::<T, 2>(columns)?, long: buffers::<f64, 2>(columns)? });
    let mut parts = (0..rows).step_by(ROWS).map(sums).collect::<Result<Vec<Sums<T>>>>()?;
    parallel::each_part(&mut parts, 1, WORK * rows * columns, |_, parts| {
        let [mut of_g, mut of_x] = buffers(columns)?;
        for part in parts {
            for row in part.first..rows.min(part.first + ROWS) {
                let (g, x) = (g.row(row, &mut of_g), x.row(row, &mut of_x));
                let mean = means.as_ref().map_or(T::zeroed(), |means| means.one(row));
                let rstd = rstds.one::<T>(row);
                vectorized(
                    #[inline(always)]
                    || {
                        let [weight, bias] = &mut part.short;
                        for ((weight, bias), (&g, &x)) in weight.iter_mut().zip(bias).zip(g.iter().zip(x)) {
                            *weight += g * ((x - mean) * rstd);
                            *bias += g;
                        }
                    },
                );
                if row % BLOCK == BLOCK - 1 {
                    part.settle();
                }
            }
            part.settle();
        }
        Ok(())
    })?;
    for at in 0..2 {
        let Ok(mut out) = tables.output(at) else { break };
        let mut total = storage::try_zeroed::<T>(columns)?;
        for (c, total) in total.iter_mut().enumerate() {
            *total = T::from_f64(parts.iter().map(|part| part.long[at][c]).sum());
        }
        out.write(0, &total);
    }
    Ok(())
}
