//! In-place operations: `x.add_(y)` is `x.add(y)` written over x, with the history that goes with it.

use super::Tensor;
use super::elementwise::Arg;
use crate::autograd::Node;
use crate::error::{Error, Result};
use crate::layout::broadcast_shapes;
use crate::program::Program;
use crate::scalar::Scalar;

impl Arg<'_> {
    fn tensors(&self) -> Vec<&Tensor> {
        match self {
            Self::Tensor(tensor) => vec![tensor],
            Self::Scalar(_) => Vec::new(),
        }
    }
}

macro_rules! of_one {
    ($($(#[$doc:meta])+ $name:ident $function:ident;)+) => {
        /// Functions of one argument, in place.
        impl Tensor {
            $(
                $(#[$doc])+
                ///
                /// # Errors
                /// As [`Tensor::add_`].
                pub fn $name(&self) -> Result<()> {
                    self.in_place(stringify!($name), &[], Self::$function)
                }
            )+
        }
    };
}

of_one! {
    /// `x.neg_()`
    neg_ neg;
    /// `x.abs_()`
    abs_ abs;
    /// `x.exp_()`
    exp_ exp;
    /// `x.log_()`
    log_ log;
    /// `x.sqrt_()`
    sqrt_ sqrt;
    /// `x.rsqrt_()`
    rsqrt_ rsqrt;
    /// `x.reciprocal_()`
    reciprocal_ reciprocal;
    /// `x.sin_()`
    sin_ sin;
    /// `x.cos_()`
    cos_ cos;
    /// `x.tanh_()`
    tanh_ tanh;
    /// `x.sigmoid_()`
    sigmoid_ sigmoid;
    /// `x.relu_()`
    relu_ relu;
    /// `x.floor_()`
    floor_ floor;
    /// `x.ceil_()`
    ceil_ ceil;
    /// `x.trunc_()`
    trunc_ trunc;
}

macro_rules! of_two {
    ($($(#[$doc:meta])+ $name:ident $function:ident;)+) => {
        /// Arithmetic in place.
        impl Tensor {
            $(
                $(#[$doc])+
                ///
                /// # Errors
                /// With PyTorch's messages: if autograd cannot follow the write (to a leaf that requires a gradient,
                /// or a view of one), if the result has another shape or a dtype that this tensor cannot hold, if
                /// elements share a place in memory, and as the operation itself.
                pub fn $name<'a>(&self, other: impl Into<Arg<'a>>) -> Result<()> {
                    let other = other.into();
                    self.in_place(stringify!($name), &other.tensors(), |x| x.$function(other))
                }
            )+
        }
    };
}

of_two! {
    /// `x += other`
    add_ add;
    /// `x -= other`
    sub_ sub;
    /// `x *= other`
    mul_ mul;
    /// `x /= other`
    div_ div;
    /// `x //= other`
    floor_divide_ floor_divide;
    /// `x %= other`
    remainder_ remainder;
    /// `x **= exponent`
    pow_ pow;
}

/// Other operations in place.
impl Tensor {
    /// `x.clamp_(min, max)`
    ///
    /// # Errors
    /// As [`Tensor::add_`].
    pub fn clamp_(&self, min: Option<Scalar>, max: Option<Scalar>) -> Result<()> {
        self.in_place("clamp_", &[], |x| x.clamp(min, max))
    }

    /// `x.masked_fill_(mask, value)`
    ///
    /// # Errors
    /// As [`Tensor::add_`] and [`Tensor::masked_fill`].
    pub fn masked_fill_<'a>(&self, mask: &Self, value: impl Into<Arg<'a>>) -> Result<()> {
        let value = value.into();
        self.in_place("masked_fill_", &value.tensors(), |x| x.masked_fill(mask, value))
    }

    /// `x.scatter_add_(dim, index, source)`
    ///
    /// # Errors
    /// As [`Tensor::add_`] and [`Tensor::scatter_add`].
    pub fn scatter_add_(&self, dim: isize, index: &Self, source: &Self) -> Result<()> {
        self.in_place("scatter_add_", &[source], |x| x.scatter_add(dim, index, source))
    }

    /// `x.scatter_(dim, index, source)`
    ///
    /// # Errors
    /// As [`Tensor::add_`] and [`Tensor::scatter`].
    pub fn scatter_<'a>(&self, dim: isize, index: &Self, source: impl Into<Arg<'a>>) -> Result<()> {
        let source = source.into();
        self.in_place("scatter_", &source.tensors(), |x| x.scatter(dim, index, source))
    }

    /// `x.index_add_(dim, index, source, alpha=alpha)`
    ///
    /// # Errors
    /// As [`Tensor::add_`] and [`Tensor::index_add`].
    pub fn index_add_(&self, dim: isize, index: &Self, source: &Self, alpha: f64) -> Result<()> {
        self.in_place("index_add_", &[source], |x| x.index_add(dim, index, source, alpha))
    }

    /// `x.copy_(source)`: broadcast and converted.
    ///
    /// # Errors
    /// As [`Tensor::add_`].
    pub fn copy_(&self, source: &Self) -> Result<()> {
        self.same_device("copy_", source)?;
        let both = broadcast_shapes(self.shape(), source.shape())?;
        if both != self.shape() {
            return Err(self.other_shape("copy_", &both));
        }
        let taken = source.broadcast_to(&both)?;
        let own = self.shape().to_vec();
        self.check_in_place(&[source])?;
        self.check_overlap("copy_", &[source])?;
        let (dtype, given) = (self.dtype(), source.dtype());
        // Nothing is left of what was there. Whole numbers have no derivative.
        let inputs: &[&Self] = if dtype.is_floating_point() { &[self, &taken] } else { &[] };
        let node = Node::record_flat("CopyBackwards", inputs, &[], move |g, _| {
            Ok(vec![Some(Self::zeros(&own, dtype, g.device())?), Some(g.to_dtype(given)?)])
        });
        if self.operand().is(&source.operand()) && node.is_none() {
            return Ok(());
        }
        // A kernel's output is its input or shares nothing with it.
        let overlaps = self.shares_storage_with(&taken) && !self.operand().is(&taken.operand());
        let taken = if overlaps { taken.duplicate()? } else { taken };
        self.run(&Program::copy(given), &[&taken])?;
        self.mark_written();
        self.rebase(&taken.detach().made_by(node));
        Ok(())
    }

    /// `found`, which was computed from this tensor, takes its place.
    ///
    /// # Errors
    /// As [`Tensor::add_`].
    pub fn become_(&self, found: &Self) -> Result<()> {
        if found.requires_grad() {
            return self.in_place("become_", &[], |_| Ok(found.clone()));
        }
        self.copy_(found)
    }

    /// `x.fill_(value)`
    ///
    /// # Errors
    /// As [`Tensor::add_`].
    pub fn fill_(&self, value: impl Into<Scalar>) -> Result<()> {
        self.overwritten("fill_", "FillBackward2", |x| x.run(&Program::fill(value.into(), x.dtype()), &[]))
    }

    /// `x.zero_()`
    ///
    /// # Errors
    /// As [`Tensor::add_`].
    pub fn zero_(&self) -> Result<()> {
        self.overwritten("zero_", "ZeroBackward0", |x| x.run(&Program::fill(0.into(), x.dtype()), &[]))
    }

    /// Everything is replaced by what depends on nothing.
    fn overwritten(
        &self,
        op: &'static str,
        name: &'static str,
        write: impl FnOnce(&Self) -> Result<()>,
    ) -> Result<()> {
        self.check_in_place(&[])?;
        self.check_overlap(op, &[])?;
        let node = Node::record_flat(name, &[self], &[], |g, _| Ok(vec![Some(g.zeros_like()?)]));
        write(self)?;
        self.mark_written();
        self.rebase(&self.detach().made_by(node));
        Ok(())
    }

    /// Writes what `compute` makes of this tensor and the sources over it: at once where that is one kernel whose
    /// derivative does not need what was there, else by way of a temporary.
    pub(super) fn in_place(
        &self,
        op: &'static str,
        sources: &[&Self],
        compute: impl FnOnce(&Self) -> Result<Self>,
    ) -> Result<()> {
        self.check_in_place(sources)?;
        self.check_overlap(op, sources)?;
        let result = compute(&self.given_up())?;
        if result.shape() != self.shape() {
            return Err(self.other_shape(op, result.shape()));
        }
        if result.dtype().category() > self.dtype().category() {
            let (from, to) = (result.dtype().scalar_type(), self.dtype().scalar_type());
            let message = format!("result type {from} can't be cast to the desired output type {to}");
            return Err(Error::DType { op, message });
        }
        let is_written = result.operand().is(&self.operand());
        let result = if is_written {
            result
        } else {
            result.spare(self)?;
            let result = result.to_dtype(self.dtype())?;
            self.run(&Program::copy(result.dtype()), &[&result])?;
            result
        };
        self.mark_written();
        self.rebase(&result);
        Ok(())
    }

    pub(super) fn other_shape(&self, op: &'static str, shape: &[usize]) -> Error {
        let join = |shape: &[usize]| crate::layout::join(shape.iter());
        let (own, other) = (join(self.shape()), join(shape));
        Error::shape(op, format!("output with shape [{own}] doesn't match the broadcast shape [{other}]"))
    }

    /// Refuses to write where the order of writing would show.
    pub(super) fn check_overlap(&self, op: &'static str, sources: &[&Self]) -> Result<()> {
        let fault = |what: &str| {
            Err(Error::shape(
                op,
                format!(
                    "unsupported operation: {what} to a single memory location. Please clone() the tensor before \
                     performing the operation."
                ),
            ))
        };
        if self.overlaps_itself() {
            return fault("more than one element of the written-to tensor refers");
        }
        let overlaps = |source: &&&Self| {
            let (own, other) = (self.layout(), source.layout());
            let is_same = own.offset() == other.offset() && own.numel() == other.numel();
            self.shares_storage_with(source)
                && (own.is_dense() && other.is_dense())
                && if is_same {
                    own.strides() != other.strides()
                } else {
                    own.offset() < other.storage_end() && other.offset() < own.storage_end()
                }
        };
        if sources.iter().any(|source| overlaps(&source)) {
            return fault("some elements of the input tensor and the written-to tensor refer");
        }
        Ok(())
    }
}
