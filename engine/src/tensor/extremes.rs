//! The larger, the smaller and the middle of elements, and where they are.

use super::Tensor;
use super::elementwise::{Arg, Pair, second};
use super::views::signed;
use crate::autograd::Node;
use crate::error::{Error, Result};
use crate::layout::wrap_dim;
use crate::program::{Binary, Compute, Instr, Program, Unary};

impl Tensor {
    /// `self.max()`: NaN if one is NaN. Equal largest ones share the gradient.
    ///
    /// # Errors
    /// If there is nothing to choose from.
    pub fn max(&self) -> Result<Self> {
        self.extreme_of_all("max", "MaxBackward1", true)
    }

    /// `self.min()`: NaN if one is NaN. Equal smallest ones share the gradient.
    ///
    /// # Errors
    /// If there is nothing to choose from.
    pub fn min(&self) -> Result<Self> {
        self.extreme_of_all("min", "MinBackward1", false)
    }

    /// `torch.max(self, dim, keepdim)`: the largest along a dimension and where it is, the first of equal ones, which
    /// alone receives the gradient.
    ///
    /// # Errors
    /// If the dimension is out of range or empty.
    pub fn max_dim(&self, dim: isize, keepdim: bool) -> Result<(Self, Self)> {
        self.chosen("max", "MaxBackward0", dim, keepdim, |x| x.argmax(Some(dim), true))
    }

    /// `torch.min(self, dim, keepdim)`: the smallest along a dimension and where it is.
    ///
    /// # Errors
    /// As [`Tensor::max_dim`].
    pub fn min_dim(&self, dim: isize, keepdim: bool) -> Result<(Self, Self)> {
        self.chosen("min", "MinBackward0", dim, keepdim, |x| x.argmin(Some(dim), true))
    }

    /// `torch.median(self, dim, keepdim)`: the lower of the two in the middle and where it is; NaN if one is NaN.
    ///
    /// # Errors
    /// As [`Tensor::max_dim`].
    pub fn median_dim(&self, dim: isize, keepdim: bool) -> Result<(Self, Self)> {
        self.chosen("median", "MedianBackward1", dim, keepdim, |x| {
            let (values, places) = x.sort(dim, false)?;
            if x.shape().is_empty() {
                return Ok(places);
            }
            let last = x.shape()[wrap_dim("median", dim, x.shape().len())?].cast_signed() - 1;
            // NaN comes last among them, and first among the places of the largest.
            let (largest, middle) = (x.argmax(Some(dim), true)?, places.narrow(dim, last / 2, 1)?);
            values.narrow(dim, last, 1)?.isnan()?.where_(&largest, &middle)
        })
    }

    /// `torch.median(self)`: the lower of the two in the middle of all; NaN if one is NaN or there is none.
    ///
    /// # Errors
    /// If the device fails.
    pub fn median(&self) -> Result<Self> {
        let all = self.reshape(&[-1])?;
        if all.numel() == 0 {
            return Self::full(&[], f64::NAN, self.dtype(), self.device());
        }
        // Equal ones share the gradient.
        let value = all.detach().median_dim(0, false)?.0;
        let node = Node::record("MedianBackward0", &[self], &[self, &value], |g, saved| {
            let (x, value) = (&saved[0], &saved[1]);
            let is_it = x.places_of(value)?.to_dtype(g.dtype())?;
            Ok(vec![Some(is_it.mul(&g.div(&is_it.sum()?)?)?)])
        });
        Ok(value.detach().made_by(node))
    }

    /// Where a value is, which may be NaN.
    pub(super) fn places_of(&self, value: &Self) -> Result<Self> {
        value.isnan()?.where_(&self.isnan()?, &self.eq(value)?)
    }

    /// What `places`, with size 1 along the dimension, choose.
    fn chosen(
        &self,
        op: &'static str,
        name: &'static str,
        dim: isize,
        keepdim: bool,
        places: impl FnOnce(&Self) -> Result<Self>,
    ) -> Result<(Self, Self)> {
        let d = wrap_dim(op, dim, self.shape().len())?;
        if self.shape().get(d) == Some(&0) {
            let message = format!("{op}(): Expected reduction dim {dim} to have non-zero size.");
            return Err(Error::index(op, message));
        }
        let x = self.detach();
        let places = places(&x)?;
        let mut shape = self.shape().to_vec();
        if keepdim && !shape.is_empty() {
            shape[d] = 1;
        } else if !shape.is_empty() {
            shape.remove(d);
        }
        let (full, kept) = (self.shape().to_vec(), places.shape().to_vec());
        let node = Node::record(name, &[self], &[&places], move |g, saved| {
            let zeros = Self::zeros(&full, g.dtype(), g.device())?;
            Ok(vec![Some(zeros.scatter_add(dim, &saved[0], &g.view_or_copy(&kept)?)?)])
        });
        let values = x.gather(dim, &places)?.reshape(&signed(&shape))?;
        Ok((values.detach().made_by(node), places.reshape(&signed(&shape))?))
    }

    /// `torch.fmax(self, other)`: the larger; of NaN and a number the number.
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn fmax<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        self.number_of_two("fmax", "FmaxBackward0", Binary::Gt, Binary::Max, other.into())
    }

    /// `torch.fmin(self, other)`: the smaller; of NaN and a number the number.
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn fmin<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        self.number_of_two("fmin", "FminBackward0", Binary::Lt, Binary::Min, other.into())
    }

    fn number_of_two(
        &self,
        op: &'static str,
        name: &'static str,
        wins: Binary,
        binary: Binary,
        other: Arg<'_>,
    ) -> Result<Self> {
        let pair = Pair::new(op, self, other)?;
        let (needs, scalar) = (pair.needs(), other.scalar());
        // The first receives the gradient where it wins, or stands against NaN; equal ones share it.
        let node = Node::record(name, &pair.tensors(), &pair.tensors(), move |g, saved| {
            let b = second(saved, scalar);
            let is_nan = match b {
                Arg::Tensor(b) => b.isnan()?,
                Arg::Scalar(b) => saved[0].full_like(b)?.isnan()?,
            };
            let first = saved[0].compared(op, wins, b)?.logical_or(&is_nan)?;
            let (equal, half) = (saved[0].compared(op, Binary::Eq, b)?, g.mul(0.5)?);
            needs.gradients(
                || equal.where_(&half, &first.where_(g, 0.0)?),
                || equal.where_(&half, &first.where_(0.0, g)?),
            )
        });
        let isnan = Instr::Unary(Unary::IsNan);
        let (a, b) = (Instr::Input(0), pair.second_operand());
        let program = [a, isnan, b, b, isnan, a, a, b, Instr::Binary(binary), Instr::Where, Instr::Where];
        Ok(pair
            .run_program(&Program::new(Compute::of(pair.dtype), program).named(op), pair.dtype)?
            .made_by(node))
    }
}
