//! Writing to places along one dimension: scattering, and the same with slices.

use super::Tensor;
use super::advanced_indexing::Places;
use super::elementwise::Arg;
use crate::DType;
use crate::autograd::Node;
use crate::error::{Error, Result};
use crate::layout::{join, wrap_dim};

/// What becomes of an element that is written to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Replace,
    Add,
}

/// By index, out of place.
impl Tensor {
    /// `self.scatter(dim, index, source)`: a copy with `self[index[i][j]][j] = source[i][j]` for dim 0; `source` may
    /// be a number. Where an index comes several times, one of the elements is taken.
    ///
    /// # Errors
    /// With PyTorch's message if the index is no tensor of whole numbers, the shapes or dtypes do not fit, or an
    /// index is out of bounds.
    pub fn scatter<'a>(&self, dim: isize, index: &Self, source: impl Into<Arg<'a>>) -> Result<Self> {
        match source.into() {
            Arg::Tensor(source) => {
                self.scattered("scatter", "ScatterBackward0", dim, index, source, Mode::Replace)
            }
            Arg::Scalar(scalar) => {
                let index = index.as_index("scatter")?;
                self.check_index_shape("scatter", dim, &index, None)?;
                let source =
                    Self::full(&[], scalar, self.dtype(), self.device())?.broadcast_to(index.shape())?;
                self.scattered("scatter", "ScatterBackward1", dim, &index, &source, Mode::Replace)
            }
        }
    }

    /// `self.scatter_add(dim, index, source)`: a copy with `self[index[i][j]][j] += source[i][j]` for dim 0.
    ///
    /// # Errors
    /// As [`Tensor::scatter`].
    pub fn scatter_add(&self, dim: isize, index: &Self, source: &Self) -> Result<Self> {
        self.scattered("scatter_add", "ScatterAddBackward0", dim, index, source, Mode::Add)
    }

    fn scattered(
        &self,
        op: &'static str,
        name: &'static str,
        dim: isize,
        index: &Self,
        source: &Self,
        mode: Mode,
    ) -> Result<Self> {
        self.same_device(op, index)?;
        self.same_device(op, source)?;
        let index = index.as_index(op)?;
        let d = wrap_dim(op, dim, self.shape().len())?;
        if source.dtype() != self.dtype() {
            let message = "scatter(): Expected self.dtype to be equal to src.dtype".into();
            return Err(Error::DType { op, message });
        }
        self.check_index_shape(op, dim, &index, Some(source))?;
        let (x, index) = (self.with_dimension()?, index.with_dimension()?);
        let source = source.with_dimension()?;
        let is_own = x.may_become(x.dtype()) && ![&index, &source].iter().any(|t| t.shares_storage_with(&x));
        let ordered = if is_own { x.detach() } else { x.duplicate()? };
        let (mut target, mut used) = (ordered.clone(), source);
        for (i, &size) in index.shape().iter().enumerate() {
            used = used.narrow(i.cast_signed(), 0, size.cast_signed())?;
            if i != d {
                target = target.narrow(i.cast_signed(), 0, size.cast_signed())?;
            }
        }
        let (needs_x, needs_used) = (x.requires_grad(), used.requires_grad());
        // What was replaced receives nothing, what replaced it what the place receives.
        let node = Node::record(name, &[&x, &used], &[&index], move |g, saved| {
            let (along, index) = (d.cast_signed(), &saved[0]);
            let of_x = match mode {
                Mode::Add => g.clone(),
                Mode::Replace => g.scatter(along, index, 0)?,
            };
            let of_used = || g.gather(along, index);
            Ok(vec![needs_x.then_some(of_x), needs_used.then(of_used).transpose()?])
        });
        let backend = self.device().backend();
        match mode {
            Mode::Add => backend.scatter_add(target.operand(), index.operand(), used.operand(), d)?,
            Mode::Replace => backend.scatter(target.operand(), index.operand(), used.operand(), d)?,
        }
        self.device().ledger().ran(op, 0, used.bytes() + index.bytes(), used.bytes());
        let out = ordered.detach().made_by(node);
        if self.shape().is_empty() { out.reshape(&[]) } else { Ok(out) }
    }

    fn check_index_shape(
        &self,
        op: &'static str,
        dim: isize,
        index: &Self,
        source: Option<&Self>,
    ) -> Result<()> {
        let rank = |t: &Self| t.shape().len().max(1);
        let size = |t: &Self, d: usize| t.shape().get(d).copied().unwrap_or(1);
        let d = wrap_dim(op, dim, self.shape().len())?;
        for (name, other) in [("self", Some(self)), ("src", source)] {
            if other.is_some_and(|other| index.numel() > 0 && rank(other) != rank(index)) {
                let message =
                    format!("Index tensor must have the same number of dimensions as {name} tensor");
                return Err(Error::shape(op, message));
            }
        }
        let fits = (0..rank(index)).all(|i| {
            (i == d || size(index, i) <= size(self, i))
                && source.is_none_or(|source| size(index, i) <= size(source, i))
        });
        if fits || index.numel() == 0 {
            return Ok(());
        }
        let mut message = format!(
            "Expected index [{}] to be no larger than self [{}] apart from dimension {d}",
            join(index.shape().iter()),
            join(self.shape().iter())
        );
        if let Some(source) = source {
            message += &format!(" and to be no larger size than src [{}]", join(source.shape().iter()));
        }
        Err(Error::shape(op, message))
    }
}

/// By index, whole slices, out of place.
impl Tensor {
    /// `self.index_add(dim, index, source, alpha=alpha)`: a copy with `alpha` times the slices of `source` added to
    /// those that the vector names.
    ///
    /// # Errors
    /// With PyTorch's message if the index is no vector of whole numbers, shapes or dtypes do not fit, or an index is
    /// out of bounds.
    pub fn index_add(&self, dim: isize, index: &Self, source: &Self, alpha: f64) -> Result<Self> {
        let d = wrap_dim("index_add", dim, self.shape().len())?;
        if !matches!(index.dtype(), DType::I64 | DType::I32) {
            let have = index.dtype().scalar_type();
            let message = format!("index_add_(): Expected dtype int32/int64 for index but got: {have}");
            return Err(Error::DType { op: "index_add", message });
        }
        if source.dtype() != self.dtype() {
            let message = format!(
                "index_add_(): self ({}) and source ({}) must have the same scalar type",
                self.dtype().scalar_type(),
                source.dtype().scalar_type()
            );
            return Err(Error::DType { op: "index_add", message });
        }
        if index.shape().len() > 1 {
            let message = format!(
                "index_add_(): Index is supposed to be a vector, but got dim: {} with type: {} and size: [{}]",
                index.shape().len(),
                index.dtype().scalar_type(),
                join(index.shape().iter())
            );
            return Err(Error::shape("index_add", message));
        }
        let have = source.shape().get(d).copied().unwrap_or(1);
        if index.numel() != have {
            let message = format!(
                "index_add_(): Number of indices ({}) should be equal to source.size(dim): ({have}), for dim: {d}",
                index.numel()
            );
            return Err(Error::shape("index_add", message));
        }
        if !self.fits_beside(d, source) {
            let message = format!(
                "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape \
                 = [{}] source.shape = [{}]",
                join(self.shape().iter()),
                join(source.shape().iter())
            );
            return Err(Error::shape("index_add", message));
        }
        let source = if alpha == 1.0 { source.clone() } else { source.mul(alpha)?.to_dtype(self.dtype())? };
        let index = index.along(dim, &source)?;
        self.scattered("index_add", "IndexAddBackward0", dim, &index, &source, Mode::Add)
    }

    /// `torch.take(self, index)`: the elements at these places of the flat tensor, in the shape of the index.
    ///
    /// # Errors
    /// If the index is no int64 tensor or leads out of bounds.
    pub fn take(&self, index: &Self) -> Result<Self> {
        if index.dtype() != DType::I64 {
            let have = index.dtype().scalar_type();
            let message = format!("take(): Expected a long tensor for index, but got {have}");
            return Err(Error::DType { op: "take", message });
        }
        let count = self.numel();
        if count == 0 && index.numel() > 0 {
            return Err(Error::shape("take", "take(): tried to take from an empty tensor"));
        }
        index.check_bounds(-(count as i64)..count as i64, |at| {
            format!("out of range: tried to access index {at} on a tensor of {count} elements.")
        })?;
        let places = Places::new(&[count], vec![Some(index.clone())], false)?;
        places.take("TakeBackward0", &self.reshape(&[-1])?)
    }

    /// Whether another tensor has the same sizes in all dimensions but that one.
    fn fits_beside(&self, d: usize, other: &Self) -> bool {
        self.shape().len() == other.shape().len()
            && (0..self.shape().len()).all(|i| i == d || self.shape()[i] == other.shape()[i])
    }

    /// A vector of indices as an index tensor for whole slices of a tensor.
    fn along(&self, dim: isize, slices: &Self) -> Result<Self> {
        let rank = slices.shape().len();
        let mut place = vec![1; rank];
        if let Some(n) = place.get_mut(wrap_dim("index", dim, rank)?) {
            *n = -1;
        }
        self.to_dtype(DType::I64)?.reshape(&place)?.broadcast_to(slices.shape())
    }
}
