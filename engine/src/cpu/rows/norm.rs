//! Layer and RMS normalisation.

use crate::Result;

use super::super::vector_math::vectorized;
use super::{BLOCK, Real, Sink, Tables, sum};

pub(super) fn forward<T: Real>(centred: bool, eps: f64, tables: &Tables<'_>) -> Result<()> {
    let (x, weight, bias) = (tables.input(0)?, tables.optional(1)?, tables.optional(2)?);
    let (mut out, mut rstds) = (tables.output(0)?, tables.output(1)?);
    let mut means = if centred { Some(tables.output(2)?) } else { None };
    let (mut of_x, mut of_w, mut of_b) = (tables.row::<T>()?, tables.row::<T>()?, tables.row::<T>()?);
    let (mut of_out, mut squares) = (tables.row::<T>()?, tables.row::<T>()?);
    let count = tables.frame.columns as f64;
    for row in 0..tables.frame.rows() {
        let x = x.row(row, &mut of_x);
        let weight = weight.as_ref().map(|weight| weight.row(row, &mut of_w));
        let bias = bias.as_ref().map(|bias| bias.row(row, &mut of_b));
        let (mean, rstd) = vectorized(
            #[inline(always)]
            || {
                let mean = T::from_f64(if centred { sum(x) / count } else { 0.0 });
                for (square, &x) in squares.iter_mut().zip(x) {
                    *square = (x - mean) * (x - mean);
                }
                (mean, T::from_f64(1.0 / (sum(&squares) / count + eps).sqrt()))
            },
        );
        out.write(row, &mut of_out, |out| {
            vectorized(
                #[inline(always)]
                || scaled(x, mean, rstd, weight, bias, out),
            );
        });
        rstds.put(row, rstd);
        if let Some(means) = &mut means {
            means.put(row, mean);
        }
    }
    Ok(())
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
    let (g, x, rstds) = (tables.input(0)?, tables.input(1)?, tables.input(2)?);
    let (means, weight) = (tables.optional(3)?, tables.optional(4)?);
    let mut out = tables.output(0)?;
    let (mut of_g, mut of_x, mut of_w) = (tables.row::<T>()?, tables.row::<T>()?, tables.row::<T>()?);
    let (mut of_out, mut u, mut products) = (tables.row::<T>()?, tables.row::<T>()?, tables.row::<T>()?);
    let count = tables.frame.columns as f64;
    for row in 0..tables.frame.rows() {
        let (g, x) = (g.row(row, &mut of_g), x.row(row, &mut of_x));
        let weight = weight.as_ref().map(|weight| weight.row(row, &mut of_w));
        let (rstd, mean) = (rstds.one::<T>(row), means.as_ref().map(|means| means.one::<T>(row)));
        out.write(row, &mut of_out, |out| {
            vectorized(
                #[inline(always)]
                || {
                    u.copy_from_slice(g);
                    if let Some(weight) = weight {
                        u.iter_mut().zip(weight).for_each(|(u, &weight)| *u = *u * weight);
                    }
                    scaled(x, mean.unwrap_or(T::zeroed()), rstd, None, None, out);
                    for ((product, &u), &h) in products.iter_mut().zip(&u).zip(&*out) {
                        *product = u * h;
                    }
                    let along = T::from_f64(sum(&products) / count);
                    let level = T::from_f64(if mean.is_some() { sum(&u) / count } else { 0.0 });
                    for (out, &u) in out.iter_mut().zip(&u) {
                        *out = rstd * ((u - level) - *out * along);
                    }
                },
            );
        });
    }
    Ok(())
}

/// The sums of a column over rows: short ones in the precision of the elements, the rest in f64.
struct Columns<T> {
    short: Vec<T>,
    long: Vec<f64>,
}

impl<T: Real> Columns<T> {
    fn new(tables: &Tables<'_>) -> Result<Self> {
        Ok(Self { short: tables.row()?, long: super::storage::try_zeroed(tables.frame.columns)? })
    }

    fn settle(&mut self) {
        for (long, short) in self.long.iter_mut().zip(&mut self.short) {
            *long += short.to_f64();
            *short = T::zeroed();
        }
    }

    fn finish(mut self, out: &mut Sink<'_>) {
        self.settle();
        for (sum, &total) in self.short.iter_mut().zip(&self.long) {
            *sum = T::from_f64(total);
        }
        let mut buffer = self.short.clone();
        out.write(0, &mut buffer, |out| out.copy_from_slice(&self.short));
    }
}

pub(super) fn parameters<T: Real>(tables: &Tables<'_>) -> Result<()> {
    let (g, x, rstds) = (tables.input(0)?, tables.input(1)?, tables.input(2)?);
    let means = tables.optional(3)?;
    let (mut of_g, mut of_x) = (tables.row::<T>()?, tables.row::<T>()?);
    let (mut weight, mut bias) = (Columns::<T>::new(tables)?, Columns::<T>::new(tables)?);
    for row in 0..tables.frame.rows() {
        let (g, x) = (g.row(row, &mut of_g), x.row(row, &mut of_x));
        let (rstd, mean) = (rstds.one::<T>(row), means.as_ref().map_or(T::zeroed(), |m| m.one::<T>(row)));
        vectorized(
            #[inline(always)]
            || {
                let sums = weight.short.iter_mut().zip(&mut bias.short);
                for ((weight, bias), (&g, &x)) in sums.zip(g.iter().zip(x)) {
                    *weight += g * ((x - mean) * rstd);
                    *bias += g;
                }
            },
        );
        if row % BLOCK == BLOCK - 1 {
            weight.settle();
            bias.settle();
        }
    }
    weight.finish(&mut tables.output(0)?);
    if tables.operands.output(1).is_ok() {
        bias.finish(&mut tables.output(1)?);
    }
    Ok(())
}
