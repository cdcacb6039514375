//! Shape, strides and offset over a one-dimensional storage, and the view algebra on them.
//!
//! A view operation only makes a new [`Layout`]; no element moves. Texts of errors are PyTorch's.

mod index;
#[cfg(feature = "cpu")]
mod result;
mod shape;

pub use index::IndexItem;
#[cfg(feature = "cpu")]
pub(crate) use index::{Item, Step, steps};
pub(crate) use shape::join;
pub use shape::{MAX_NUMEL, broadcast_shapes, checked_numel, wrap_dim};
use shape::{contiguous_strides, infer_shape};

use crate::error::{Error, Result};

/// How a tensor lies over its storage: element `(i0, i1, …)` is at `offset + Σ i_d · strides[d]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Layout {
    shape: Vec<usize>,
    strides: Vec<usize>,
    offset: usize,
}

impl Layout {
    /// The row-major layout of `shape`, from element 0 on.
    ///
    /// # Errors
    /// If the shape has more than [`MAX_NUMEL`] elements.
    pub fn contiguous(shape: &[usize]) -> Result<Self> {
        checked_numel(shape)?;
        Ok(Self { shape: shape.to_vec(), strides: contiguous_strides(shape), offset: 0 })
    }

    /// A layout with explicit strides, as `torch.as_strided` makes it.
    ///
    /// # Errors
    /// If the number of strides differs from the number of sizes.
    pub fn strided(shape: &[usize], strides: &[usize], offset: usize) -> Result<Self> {
        if shape.len() != strides.len() {
            return Err(Error::shape("as_strided", "mismatch in length of strides and shape"));
        }
        checked_numel(shape)?;
        Ok(Self { shape: shape.to_vec(), strides: strides.to_vec(), offset })
    }

    /// Size of each dimension.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Elements of storage between neighbours along each dimension.
    #[must_use]
    pub fn strides(&self) -> &[usize] {
        &self.strides
    }

    /// Index in the storage of the first element.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Number of dimensions.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements.
    #[must_use]
    pub fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// One past the largest storage index that the layout reaches; 0 if it has no element.
    #[must_use]
    pub fn storage_end(&self) -> usize {
        if self.numel() == 0 {
            return 0;
        }
        // Strides given by hand may reach beyond any storage.
        let last = self
            .shape
            .iter()
            .zip(&self.strides)
            .fold(self.offset, |at, (n, stride)| at.saturating_add((n - 1).saturating_mul(*stride)));
        last.saturating_add(1)
    }

    /// Storage index of the element at `index`, which has one entry per dimension.
    #[must_use]
    pub fn storage_index(&self, index: &[usize]) -> usize {
        self.offset + index.iter().zip(&self.strides).map(|(i, s)| i * s).sum::<usize>()
    }

    /// Whether the elements lie in row-major order without gaps. Dimensions of size 1 do not count,
    /// and a tensor without elements is contiguous.
    #[must_use]
    pub fn is_contiguous(&self) -> bool {
        if self.numel() == 0 {
            return true;
        }
        let mut expected = 1;
        for (&size, &stride) in self.shape.iter().zip(&self.strides).rev() {
            if size != 1 {
                if stride != expected {
                    return false;
                }
                expected *= size;
            }
        }
        true
    }

    /// Whether two elements may lie at one place: false only if each dimension steps over all that the shorter
    /// strides reach.
    #[must_use]
    pub fn may_overlap(&self) -> bool {
        let mut dims: Vec<(usize, usize)> =
            self.strides.iter().copied().zip(self.shape.iter().copied()).filter(|&(_, n)| n != 1).collect();
        dims.sort_unstable();
        let mut reach = 0usize;
        self.numel() > 0
            && dims.into_iter().any(|(stride, size)| {
                let steps_over = stride > reach;
                reach = reach.saturating_add(stride.saturating_mul(size - 1));
                !steps_over
            })
    }

    /// Whether the elements fill a stretch of storage, each place once, in whatever order.
    #[must_use]
    pub fn is_dense(&self) -> bool {
        self.numel() == 0 || (!self.may_overlap() && self.storage_end() - self.offset == self.numel())
    }

    /// Storage indices of all elements, in row-major order of the view.
    pub fn storage_indices(&self) -> impl Iterator<Item = usize> + '_ {
        let mut index = vec![0usize; self.rank()];
        let mut at = self.offset;
        let mut left = self.numel();
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let here = at;
            // A step that does not stay inside is not taken: it may lead beyond all numbers.
            for d in (0..index.len()).rev() {
                if index[d] + 1 < self.shape[d] {
                    index[d] += 1;
                    at += self.strides[d];
                    break;
                }
                at -= self.strides[d] * index[d];
                index[d] = 0;
            }
            Some(here)
        })
    }

    /// `x.view(shape)`; one size may be −1 and is then inferred.
    ///
    /// # Errors
    /// If the numbers of elements differ, or the strides do not allow a view.
    pub fn view(&self, shape: &[isize]) -> Result<Self> {
        let shape = infer_shape("view", shape, self.numel())?;
        self.try_view(&shape).ok_or_else(|| {
            Error::shape(
                "view",
                "view size is not compatible with input tensor's size and stride (at least one dimension \
                 spans across two contiguous subspaces). Use .reshape(...) instead.",
            )
        })
    }

    /// `x.reshape(shape)`: the view if there is one, else `None`: the elements must be copied into
    /// the contiguous layout of the inferred shape, which comes second.
    ///
    /// # Errors
    /// If the numbers of elements differ.
    pub fn reshape(&self, shape: &[isize]) -> Result<(Option<Self>, Vec<usize>)> {
        let shape = infer_shape("reshape", shape, self.numel())?;
        Ok((self.try_view(&shape), shape))
    }

    /// The strides that show the same elements in the same order under `shape`, if such exist:
    /// groups of old dimensions that are contiguous among themselves are split anew.
    fn try_view(&self, shape: &[usize]) -> Option<Self> {
        if self.numel() == 0 {
            return Some(Self {
                shape: shape.to_vec(),
                strides: contiguous_strides(shape),
                offset: self.offset,
            });
        }
        let mut strides = vec![1; shape.len()];
        let mut new = shape.len();
        // Walk old dimensions from the last; `run` elements of step `base` form one contiguous group.
        let mut base = self.strides.last().copied().unwrap_or(1);
        let mut run = 1;
        for old in (0..self.rank()).rev() {
            run *= self.shape[old];
            let group_ends = old == 0 || (self.shape[old - 1] != 1 && self.strides[old - 1] != run * base);
            if !group_ends {
                continue;
            }
            let mut filled = 1;
            while new > 0 && (filled < run || shape[new - 1] == 1) {
                strides[new - 1] = filled * base;
                filled *= shape[new - 1];
                new -= 1;
            }
            if filled != run {
                return None;
            }
            if old > 0 {
                base = self.strides[old - 1];
                run = 1;
            }
        }
        // A scalar has no group: only sizes of 1 remain, whose strides are 1 in PyTorch too.
        (new == 0 || shape[..new].iter().all(|&n| n == 1)).then(|| Self {
            shape: shape.to_vec(),
            strides,
            offset: self.offset,
        })
    }

    /// `x.transpose(dim0, dim1)`.
    ///
    /// # Errors
    /// If a dimension is out of range.
    pub fn transpose(&self, dim0: isize, dim1: isize) -> Result<Self> {
        let (a, b) = (self.dim("transpose", dim0)?, self.dim("transpose", dim1)?);
        let mut out = self.clone();
        if self.rank() > 0 {
            out.shape.swap(a, b);
            out.strides.swap(a, b);
        }
        Ok(out)
    }

    /// `x.permute(dims)`: dimension `dims[d]` of the old tensor becomes dimension `d` of the new one.
    ///
    /// # Errors
    /// If `dims` is not a permutation of the dimensions.
    pub fn permute(&self, dims: &[isize]) -> Result<Self> {
        if dims.len() != self.rank() {
            return Err(Error::shape(
                "permute",
                format!(
                    "permute(sparse_coo): number of dimensions in the tensor input does not match the length \
                     of the desired ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}",
                    self.rank(),
                    dims.len()
                ),
            ));
        }
        let mut seen = vec![false; self.rank()];
        let mut out = Self { shape: Vec::new(), strides: Vec::new(), offset: self.offset };
        for &dim in dims {
            let d = self.dim("permute", dim)?;
            if std::mem::replace(&mut seen[d], true) {
                return Err(Error::shape("permute", "permute(): duplicate dims are not allowed."));
            }
            out.shape.push(self.shape[d]);
            out.strides.push(self.strides[d]);
        }
        Ok(out)
    }

    /// `x[…, start:end:step, …]` along `dim`, with Python's rules: negative bounds count from the end,
    /// bounds beyond the ends are clamped, a missing bound is the end of the dimension.
    ///
    /// # Errors
    /// If the dimension is out of range or the step is not positive.
    pub fn slice(&self, dim: isize, start: Option<isize>, end: Option<isize>, step: isize) -> Result<Self> {
        if self.rank() == 0 {
            return Err(Error::shape("slice", "slice() cannot be applied to a 0-dim tensor."));
        }
        let d = self.dim("slice", dim)?;
        if step == 0 {
            return Err(Error::shape("slice", "slice step cannot be zero"));
        }
        let Ok(step) = usize::try_from(step) else {
            return Err(Error::shape("slice", "step must be greater than zero"));
        };
        let size = self.shape[d];
        let clamp = |bound: isize| {
            let from_start = if bound < 0 { bound.saturating_add_unsigned(size) } else { bound };
            usize::try_from(from_start).unwrap_or(0).min(size)
        };
        let start = start.map_or(0, clamp);
        let end = end.map_or(size, clamp).max(start);
        let mut out = self.clone();
        out.shape[d] = (end - start).div_ceil(step);
        out.offset = self.moved(d, start);
        out.strides[d] = self.strides[d].saturating_mul(step);
        Ok(out)
    }

    /// `x.select(dim, index)`: drops the dimension.
    ///
    /// # Errors
    /// If the dimension or the index is out of range.
    pub fn select(&self, dim: isize, index: isize) -> Result<Self> {
        if self.rank() == 0 {
            return Err(Error::index("select", "select() cannot be applied to a 0-dim tensor."));
        }
        let d = self.dim("select", dim)?;
        let size = self.shape[d];
        let from_start = if index < 0 { index.saturating_add_unsigned(size) } else { index };
        let index = usize::try_from(from_start).ok().filter(|&i| i < size).ok_or_else(|| {
            let shape = join(self.shape.iter());
            let message =
                format!("select(): index {index} out of range for tensor of size [{shape}] at dimension {d}");
            Error::index("select", message)
        })?;
        let mut out = self.clone();
        out.offset = self.moved(d, index);
        out.shape.remove(d);
        out.strides.remove(d);
        Ok(out)
    }

    /// `x.narrow(dim, start, length)`.
    ///
    /// # Errors
    /// If the dimension is out of range or the range does not lie within it.
    pub fn narrow(&self, dim: isize, start: isize, length: isize) -> Result<Self> {
        if self.rank() == 0 {
            return Err(Error::shape("narrow", "narrow() cannot be applied to a 0-dim tensor."));
        }
        if length < 0 {
            return Err(Error::shape("narrow", "narrow(): length must be non-negative."));
        }
        let d = self.dim("narrow", dim)?;
        let size = self.shape[d];
        let wrapped = if start < 0 { start.saturating_add_unsigned(size) } else { start };
        let start = usize::try_from(wrapped).ok().filter(|&s| s <= size).ok_or_else(|| {
            Error::index(
                "narrow",
                format!("start out of range (expected to be in range of [-{size}, {size}], but got {start})"),
            )
        })?;
        let length = length.cast_unsigned();
        if start + length > size {
            return Err(Error::shape(
                "narrow",
                format!("start ({start}) + length ({length}) exceeds dimension size ({size})."),
            ));
        }
        let mut out = self.clone();
        out.offset = self.moved(d, start);
        out.shape[d] = length;
        Ok(out)
    }

    /// `x.expand(sizes)`: sizes of 1 become larger with stride 0, new dimensions come in front,
    /// −1 keeps a size.
    ///
    /// # Errors
    /// If a size that is not 1 would change, or there are fewer sizes than dimensions.
    pub fn expand(&self, sizes: &[isize]) -> Result<Self> {
        self.expand_of(sizes, "Float")
    }

    /// The same, of elements whose dtype errors call that.
    pub(crate) fn expand_of(&self, sizes: &[isize], scalar_type: &str) -> Result<Self> {
        let list = |sizes: &[isize]| join(sizes.iter());
        let (have, want) = (self.rank(), sizes.len());
        if want < have {
            return Err(Error::shape(
                "expand",
                format!(
                    "expand(torch.{scalar_type}Tensor{{[{}]}}, size=[{}]): the number of sizes provided ({want}) must \
                     be greater or equal to the number of dimensions in the tensor ({have})",
                    join(self.shape.iter()),
                    list(sizes),
                ),
            ));
        }
        let new = want - have;
        let mut out = Self { shape: Vec::new(), strides: Vec::new(), offset: self.offset };
        for (d, &size) in sizes.iter().enumerate().rev() {
            if d < new {
                let Ok(size) = usize::try_from(size) else {
                    return Err(Error::shape(
                        "expand",
                        format!(
                            "The expanded size of the tensor ({size}) isn't allowed in a leading, non-existing \
                             dimension {d}"
                        ),
                    ));
                };
                out.shape.push(size);
                out.strides.push(0);
                continue;
            }
            let (old, stride) = (self.shape[d - new], self.strides[d - new]);
            let grown = if size == -1 { Some(old) } else { usize::try_from(size).ok() };
            match grown {
                Some(n) if n == old => {
                    out.shape.push(old);
                    out.strides.push(stride);
                }
                Some(n) if old == 1 => {
                    out.shape.push(n);
                    out.strides.push(0);
                }
                _ => {
                    return Err(Error::shape(
                        "expand",
                        format!(
                            "The expanded size of the tensor ({size}) must match the existing size ({old}) at \
                             non-singleton dimension {d}.  Target sizes: [{}].  Tensor sizes: [{}]",
                            list(sizes),
                            join(self.shape.iter()),
                        ),
                    ));
                }
            }
        }
        out.shape.reverse();
        out.strides.reverse();
        checked_numel(&out.shape)?;
        Ok(out)
    }

    /// [`Layout::expand`] to a shape that broadcasting has already found to fit.
    ///
    /// # Errors
    /// As `expand`.
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Self> {
        self.expand(&shape.iter().map(|n| n.cast_signed()).collect::<Vec<_>>())
    }

    /// `x.squeeze(dim)`, or `x.squeeze()` for all dimensions of size 1.
    ///
    /// # Errors
    /// If the dimension is out of range.
    pub fn squeeze(&self, dim: Option<isize>) -> Result<Self> {
        let only = dim.map(|d| self.dim("squeeze", d)).transpose()?;
        let keep = |d: &usize| self.shape[*d] != 1 || only.is_some_and(|o| o != *d);
        let dims = (0..self.rank()).filter(keep);
        let (shape, strides) = dims.map(|d| (self.shape[d], self.strides[d])).unzip();
        Ok(Self { shape, strides, offset: self.offset })
    }

    /// `x.unsqueeze(dim)`: a new dimension of size 1; `dim` may be the rank itself.
    ///
    /// # Errors
    /// If the dimension is out of range.
    pub fn unsqueeze(&self, dim: isize) -> Result<Self> {
        let d = wrap_dim("unsqueeze", dim, self.rank() + 1)?;
        let mut out = self.clone();
        let stride = if d < self.rank() { self.shape[d].saturating_mul(self.strides[d]) } else { 1 };
        out.shape.insert(d, 1);
        out.strides.insert(d, stride);
        Ok(out)
    }

    /// The offset after so many steps along a dimension; in a layout without elements it may be any number.
    fn moved(&self, d: usize, steps: usize) -> usize {
        self.offset.saturating_add(steps.saturating_mul(self.strides[d]))
    }

    fn dim(&self, op: &'static str, dim: isize) -> Result<usize> {
        wrap_dim(op, dim, self.rank())
    }
}
