//! Elements by place: gathering, scattering, sorting, running sums, masks.

use super::Tensor;
use super::elementwise::Arg;
use super::views::signed;
use crate::autograd::{Node, creates_graph};
use crate::backend::Scan;
use crate::dtype::{Category, DType};
use crate::error::{Error, Result};
use crate::layout::wrap_dim;

/// By index.
impl Tensor {
    fn dimension(&self, op: &'static str, dim: isize) -> Result<usize> {
        wrap_dim(op, dim, self.shape().len())
    }

    /// A number as a vector of one element: what goes along a dimension needs one.
    pub(super) fn with_dimension(&self) -> Result<Self> {
        if self.shape().is_empty() { self.unsqueeze(0) } else { Ok(self.clone()) }
    }

    /// Indices as int64; int32 is taken as well.
    pub(super) fn as_index(&self, op: &'static str) -> Result<Self> {
        match self.dtype() {
            DType::I64 => Ok(self.clone()),
            DType::I32 => self.to_dtype(DType::I64),
            _ => {
                let between = if op == "index_select" { " or " } else { "/" };
                let message = format!("{op}(): Expected dtype int32{between}int64 for index");
                Err(Error::DType { op, message })
            }
        }
    }

    /// `torch.gather(self, dim, index)`: `out[i][j] = self[index[i][j]][j]` for dim 0.
    ///
    /// # Errors
    /// With PyTorch's message if the index is no int64 tensor, is larger than this tensor beside `dim`, or leads
    /// out of bounds.
    pub fn gather(&self, dim: isize, index: &Self) -> Result<Self> {
        self.gathered(["gather", "scatter_add"], dim, index)
    }

    /// The ledger counts it and its derivative by these names.
    fn gathered(&self, names: [&'static str; 2], dim: isize, index: &Self) -> Result<Self> {
        let [forward, backward] = names;
        self.same_device("gather", index)?;
        let index = &index.as_index("gather")?;
        let d = self.dimension("gather", dim)?;
        if self.shape().is_empty() || index.shape().is_empty() {
            let (x, at) = (self.with_dimension()?, index.with_dimension()?);
            return x.gathered(names, 0, &at)?.reshape(&signed(index.shape()));
        }
        if index.shape().len() != self.shape().len() {
            let message = "Index tensor must have the same number of dimensions as input tensor".into();
            return Err(Error::Shape { op: "gather", message });
        }
        let mut window = self.clone();
        for (other, (&have, &need)) in
            self.shape().iter().zip(index.shape()).enumerate().filter(|(o, _)| *o != d)
        {
            if need > have {
                let message = format!(
                    "Size does not match at dimension {other} expected index [{}] to be no larger than self [{}] \
                     apart from dimension {d}",
                    crate::layout::join(index.shape().iter()),
                    crate::layout::join(self.shape().iter())
                );
                return Err(Error::Shape { op: "gather", message });
            }
            window = window.narrow(other.cast_signed(), 0, need.cast_signed())?;
        }
        let (shape, dtype, device) = (window.shape().to_vec(), self.dtype(), self.device().clone());
        // An element that was taken several times receives the sum of their gradients.
        let node = Node::record("GatherBackward0", &[&window], &[index], move |g, saved| {
            let sum = Self::zeros(&shape, dtype, &device)?;
            if creates_graph() {
                return Ok(vec![Some(sum.scatter_add(d.cast_signed(), &saved[0], g)?)]);
            }
            let g = g.contiguous()?;
            device.backend().scatter_add(sum.operand(), saved[0].operand(), g.operand(), d)?;
            device.ledger().ran(backward, 0, g.bytes() + saved[0].bytes(), g.bytes());
            Ok(vec![Some(sum)])
        });
        let out = Self::empty(index.shape(), self.dtype(), self.device())?;
        self.device().backend().gather(window.operand(), index.operand(), d, out.operand())?;
        self.device().ledger().ran(forward, 0, out.bytes() + index.bytes(), out.bytes());
        Ok(out.made_by(node))
    }

    /// `torch.index_select(self, dim, index)`: the slices that a vector of indices names.
    ///
    /// # Errors
    /// With PyTorch's message if the index is no int64 vector or leads out of bounds.
    pub fn index_select(&self, dim: isize, index: &Self) -> Result<Self> {
        Ok(self.slices_at(["index_select", "index_add"], dim, index)?.called("IndexSelectBackward0"))
    }

    fn slices_at(&self, names: [&'static str; 2], dim: isize, index: &Self) -> Result<Self> {
        let index = &index.as_index("index_select")?;
        if index.shape().len() > 1 {
            let message = "index_select(): Index is supposed to be a vector".into();
            return Err(Error::Shape { op: "index_select", message });
        }
        let d = self.dimension("index_select", dim)?;
        if self.shape().is_empty() {
            return self.unsqueeze(0)?.slices_at(names, 0, index)?.reshape(&[]);
        }
        let mut shape = self.shape().to_vec();
        shape[d] = index.numel();
        let mut place = vec![1; shape.len()];
        place[d] = index.numel().cast_signed();
        self.gathered(names, dim, &index.reshape(&place)?.broadcast_to(&shape)?)
    }

    /// `torch.nn.functional.embedding(index, self)`: the rows that an index tensor of any shape names.
    ///
    /// # Errors
    /// If this is no matrix, the index is no int64 tensor or leads out of bounds.
    pub fn embedding(&self, index: &Self) -> Result<Self> {
        let &[_, width] = self.shape() else {
            return Err(Error::Shape { op: "embedding", message: "'weight' must be 2-D".into() });
        };
        let names = ["embedding", "embedding_dense_backward"];
        let rows = self.slices_at(names, 0, &index.reshape(&[-1])?)?;
        let all = rows.reshape(&signed(&[index.shape(), &[width]].concat()))?;
        Ok(all.called("EmbeddingBackward0"))
    }

    /// `torch.flip(self, dims)`: a copy with those dimensions backwards.
    ///
    /// # Errors
    /// If a dimension is out of range or named twice.
    pub fn flip(&self, dims: &[isize]) -> Result<Self> {
        let mut done = vec![false; self.shape().len()];
        let mut out = self.clone();
        for &dim in dims {
            let d = self.dimension("flip", dim)?;
            if done.get_mut(d).is_some_and(|done| std::mem::replace(done, true)) {
                let message = format!("dim {d} appears multiple times in the list of dims");
                return Err(Error::Shape { op: "flip", message });
            }
            let last = self.shape().get(d).copied().unwrap_or(1) as i64 - 1;
            out = out.index_select(dim, &Self::arange(last, -1, -1, None, self.device())?)?;
        }
        Ok(out.laid_like(self)?.called("FlipBackward0"))
    }

    /// `torch.roll(self, shift, dim)`: what leaves at the end comes in at the beginning.
    ///
    /// # Errors
    /// If the dimension is out of range.
    pub fn roll(&self, shift: isize, dim: isize) -> Result<Self> {
        let d = self.dimension("roll", dim)?;
        let size = self.shape().get(d).copied().unwrap_or(1).cast_signed();
        if size == 0 || self.shape().is_empty() {
            return Ok(self.clone());
        }
        let cut = size - shift.rem_euclid(size);
        let parts = [&self.narrow(dim, cut % size, size - cut % size)?, &self.narrow(dim, 0, cut % size)?];
        Ok(Self::cat(&parts, dim)?.called("RollBackward0"))
    }
}

/// In order.
impl Tensor {
    /// `torch.sort(self, dim, descending, stable=True)`: values and where they were.
    ///
    /// # Errors
    /// If the dimension is out of range.
    pub fn sort(&self, dim: isize, descending: bool) -> Result<(Self, Self)> {
        let d = self.dimension("sort", dim)?;
        let x = self.with_dimension()?;
        let values = Self::empty(x.shape(), self.dtype(), self.device())?;
        let indices = Self::empty(x.shape(), DType::I64, self.device())?;
        let backend = self.device().backend();
        backend.sort(x.operand(), d, descending, values.operand(), indices.operand())?;
        self.device().ledger().ran("sort", 0, self.bytes(), values.bytes() + indices.bytes());
        let shape = signed(self.shape());
        // Each value's gradient goes back to where the value was.
        let (full, dtype, device) = (x.shape().to_vec(), self.dtype(), self.device().clone());
        let node = Node::record("SortBackward0", &[&x], &[&indices], move |g, saved| {
            let zero = Self::zeros(&full, dtype, &device)?;
            Ok(vec![Some(zero.scatter_add(d.cast_signed(), &saved[0], g)?)])
        });
        Ok((values.made_by(node).reshape(&shape)?.called("SortBackward0"), indices.reshape(&shape)?))
    }

    /// `torch.topk(self, k, dim, largest)`: the k largest (or smallest), in order, and where they were.
    ///
    /// # Errors
    /// If k exceeds the size of the dimension.
    pub fn topk(&self, k: usize, dim: isize, largest: bool) -> Result<(Self, Self)> {
        let d = self.dimension("topk", dim)?;
        if k > self.shape().get(d).copied().unwrap_or(1) {
            return Err(Error::Shape { op: "topk", message: "selected index k out of range".into() });
        }
        let (values, indices) = self.sort(dim, largest)?;
        if self.shape().is_empty() {
            return Ok((values, indices));
        }
        let k = k.cast_signed();
        let first = |all: Self| all.narrow(dim, 0, k)?.copy();
        Ok((first(values)?.called("TopkBackward0"), first(indices)?))
    }

    /// `torch.argmax(self, dim, keepdim)`; without a dim of all elements in row-major order.
    ///
    /// # Errors
    /// If the dimension is out of range or there is nothing to choose from.
    pub fn argmax(&self, dim: Option<isize>, keepdim: bool) -> Result<Self> {
        self.arg_extreme("argmax", true, dim, keepdim)
    }

    /// `torch.argmin(self, dim, keepdim)`; without a dim of all elements in row-major order.
    ///
    /// # Errors
    /// As [`Tensor::argmax`].
    pub fn argmin(&self, dim: Option<isize>, keepdim: bool) -> Result<Self> {
        self.arg_extreme("argmin", false, dim, keepdim)
    }

    fn arg_extreme(
        &self,
        op: &'static str,
        is_largest: bool,
        dim: Option<isize>,
        keepdim: bool,
    ) -> Result<Self> {
        let Some(dim) = dim else {
            if self.numel() == 0 {
                let message =
                    format!("{op}(): Expected reduction dim to be specified for input.numel() == 0.");
                return Err(Error::index(op, message));
            }
            let all = self.detach().reshape(&[-1])?.arg_extreme(op, is_largest, Some(0), false)?;
            return if keepdim { all.reshape(&vec![1; self.shape().len()]) } else { Ok(all) };
        };
        let d = self.dimension(op, dim)?;
        let x = self.with_dimension()?;
        let mut shape = x.shape().to_vec();
        if std::mem::replace(&mut shape[d], 1) == 0 {
            let message = format!("{op}(): Expected reduction dim {dim} to have non-zero size.");
            return Err(Error::index(op, message));
        }
        let out = Self::empty(&shape, DType::I64, self.device())?;
        self.device().backend().arg_extreme(is_largest, x.operand(), d, out.operand())?;
        self.device().ledger().ran(op, 0, self.bytes(), out.bytes());
        if self.shape().is_empty() {
            return out.reshape(&[]);
        }
        if keepdim { Ok(out) } else { out.squeeze(Some(dim)) }
    }

    /// `torch.cumsum(self, dim)`; of whole numbers and truth values an int64.
    ///
    /// # Errors
    /// If the dimension is out of range.
    pub fn cumsum(&self, dim: isize) -> Result<Self> {
        // Each element is in all sums from its own on.
        let node = Node::record("CumsumBackward0", &[self], &[], move |g, _| {
            Ok(vec![Some(g.flip(&[dim])?.cumsum(dim)?.flip(&[dim])?)])
        });
        Ok(self.scanned(Scan::Sum, "cumsum", dim)?.made_by(node))
    }

    /// `torch.cumprod(self, dim)`; of whole numbers and truth values an int64.
    ///
    /// # Errors
    /// If the dimension is out of range.
    pub fn cumprod(&self, dim: isize) -> Result<Self> {
        let out = self.scanned(Scan::Prod, "cumprod", dim)?;
        // d Πx = Πx Σ dx / x, summed over all products from the element's own on. Behind the first 0 all products
        // are 0 for good; at it, the products are those without it.
        let node = Node::record("CumprodBackward0", &[self], &[self, &out], move |g, saved| {
            let (x, out) = (&saved[0], &saved[1]);
            if creates_graph() {
                // Whatever is 0: each product without the element, by itself.
                let without = x.each_as_one(dim)?.cumprod(-1)?.triu(0)?;
                let shares = without.mul(&g.ending_with(dim)?.unsqueeze(-2)?)?.sum_dims(&[-1], false)?;
                return Ok(vec![Some(shares.ending_with(dim)?.view_or_copy(x.shape())?)]);
            }
            let later = |g: &Self| g.flip(&[dim])?.cumsum(dim)?.flip(&[dim]);
            let is_zero = x.eq(0)?;
            let zeros = is_zero.to_dtype(x.dtype())?.cumsum(dim)?;
            let is_first = is_zero.logical_and(&zeros.eq(1)?)?;
            let without = is_first.where_(1.0, x)?.cumprod(dim)?;
            let before = zeros.gt(0)?.where_(0.0, &later(&g.mul(out)?)?.div(x)?)?;
            Ok(vec![Some(is_first.where_(&later(&g.mul(&without)?)?, &before)?)])
        });
        Ok(out.made_by(node))
    }

    fn scanned(&self, op: Scan, name: &'static str, dim: isize) -> Result<Self> {
        let d = self.dimension(name, dim)?;
        let x = self.with_dimension()?;
        let dtype = if self.dtype().category() == Category::Floating { self.dtype() } else { DType::I64 };
        let out = Self::empty(x.shape(), dtype, self.device())?;
        self.device().backend().scan(op, x.operand(), d, out.operand())?;
        self.device().ledger().ran(name, 0, self.bytes(), out.bytes());
        let out = if self.shape().is_empty() { out.reshape(&[])? } else { out };
        Ok(out.detach())
    }
}

/// Masks.
impl Tensor {
    /// `self.masked_fill(mask, value)`: the value, a number or a tensor without dimensions, where the mask is true.
    ///
    /// # Errors
    /// With PyTorch's message if the mask holds no truth values or does not broadcast, or the value has dimensions.
    pub fn masked_fill<'a>(&self, mask: &Self, value: impl Into<Arg<'a>>) -> Result<Self> {
        if mask.dtype() != DType::Bool {
            let message = "masked_fill_ only supports boolean masks, but got mask with dtype ".to_owned()
                + mask.dtype().cpp_name();
            return Err(Error::DType { op: "masked_fill", message });
        }
        let fill = match value.into() {
            Arg::Scalar(scalar) => Self::full(&[], scalar, self.dtype(), self.device())?,
            Arg::Tensor(tensor) if tensor.shape().is_empty() => tensor.to_dtype(self.dtype())?,
            Arg::Tensor(tensor) => {
                let message = format!(
                    "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
                    tensor.shape().len()
                );
                return Err(Error::Shape { op: "masked_fill", message });
            }
        };
        mask.choice("MaskedFillBackward0", (&fill).into(), self.into())
    }

    /// `torch.triu(self, diagonal)`: 0 below that diagonal of the last two dimensions.
    ///
    /// # Errors
    /// If there are less than two dimensions.
    pub fn triu(&self, diagonal: i64) -> Result<Self> {
        self.triangle(["triu", "TriuBackward0"], |row, column| row.add(diagonal)?.le(column))
    }

    /// `torch.tril(self, diagonal)`: 0 above that diagonal of the last two dimensions.
    ///
    /// # Errors
    /// If there are less than two dimensions.
    pub fn tril(&self, diagonal: i64) -> Result<Self> {
        self.triangle(["tril", "TrilBackward0"], |row, column| row.add(diagonal)?.ge(column))
    }

    fn triangle(
        &self,
        [op, node]: [&'static str; 2],
        keeps: impl Fn(&Self, &Self) -> Result<Self>,
    ) -> Result<Self> {
        let [.., rows, columns] = *self.shape() else {
            let message = format!("{op}: input tensor must have at least 2 dimensions");
            return Err(Error::Shape { op, message });
        };
        // In float32, which every device computes with, and which has all numbers up to 2²⁴.
        let count = |n: usize| Self::arange(0, n as i64, 1, Some(DType::F32), self.device());
        let zero = Self::zeros(&[], self.dtype(), self.device())?;
        let kept = keeps(&count(rows)?.unsqueeze(1)?, &count(columns)?)?.where_(self, &zero)?;
        Ok(kept.called(node))
    }

    /// `torch.nn.functional.one_hot(self, classes)`: int64, 1 at each index.
    ///
    /// # Errors
    /// If this is no int64 tensor.
    pub fn one_hot(&self, classes: usize) -> Result<Self> {
        if self.dtype() != DType::I64 {
            let message = "one_hot is only applicable to index tensor of type LongTensor.".to_owned();
            return Err(Error::DType { op: "one_hot", message });
        }
        self.unsqueeze(-1)?
            .eq(&Self::arange(0, classes as i64, 1, None, self.device())?)?
            .to_dtype(DType::I64)
    }
}
