//! Tensors from tensors: joined, stacked, taken apart; and views of what lies along a diagonal or in a window.

use super::Tensor;
use super::views::signed;
use crate::autograd::Node;
use crate::dtype::{DType, promote_types};
use crate::error::{Error, Result};
use crate::layout::{Layout, wrap_dim};
use crate::room::{collect, filled, room};

impl Tensor {
    /// `torch.cat(tensors, dim)`
    ///
    /// # Errors
    /// With PyTorch's message if there are none, or they differ beside the dimension.
    pub fn cat(tensors: &[&Self], dim: isize) -> Result<Self> {
        let fault = |message: String| Err(Error::Shape { op: "cat", message });
        let Some(&first) = tensors.first() else {
            return fault("expected a non-empty list of Tensors".into());
        };
        if let Some(at) = tensors.iter().position(|t| t.shape().is_empty()) {
            return fault(format!("zero-dimensional tensor (at position {at}) cannot be concatenated"));
        }
        // An empty vector joins anything: lists begin with one.
        let counts: Vec<&&Self> = tensors.iter().filter(|t| t.shape() != [0]).collect();
        let model = counts.first().map_or(first, |t| **t);
        let d = wrap_dim("cat", dim, model.shape().len())?;
        let mut shape = model.shape().to_vec();
        shape[d] = 0;
        let mut dtype = first.dtype();
        for (at, tensor) in tensors.iter().enumerate() {
            first.same_device("cat", tensor)?;
            dtype = promote_types(dtype, tensor.dtype())?;
            if tensor.shape() == [0] {
                continue;
            }
            if tensor.shape().len() != shape.len() {
                let (want, have) = (shape.len(), tensor.shape().len());
                return fault(format!("Tensors must have same number of dimensions: got {want} and {have}"));
            }
            let differs = (0..shape.len()).find(|&i| i != d && tensor.shape()[i] != model.shape()[i]);
            if let Some(i) = differs {
                return fault(format!(
                    "Sizes of tensors must match except in dimension {d}. Expected size {} but got size {} for \
                     tensor number {at} in the list.",
                    model.shape()[i],
                    tensor.shape()[i]
                ));
            }
            shape[d] += tensor.shape()[d];
        }
        let out = Self::empty(&shape, dtype, first.device())?;
        let (mut start, mut parts) = (0usize, Vec::new());
        for tensor in counts.iter().copied().copied() {
            let size = tensor.shape()[d];
            let window = out.with_layout(out.layout().narrow(
                d.cast_signed(),
                start.cast_signed(),
                size.cast_signed(),
            )?);
            window.run(&crate::program::Program::copy(tensor.dtype()), &[tensor])?;
            parts.push((start, size, tensor.requires_grad(), tensor.dtype()));
            start += size;
        }
        // Each receives its own part of the gradient.
        let inputs: Vec<&Self> = counts.into_iter().copied().collect();
        let node = Node::record("CatBackward0", &inputs, &[], move |g, _| {
            let one = |&(start, size, needed, dtype): &(usize, usize, bool, DType)| {
                let part =
                    || g.narrow(d.cast_signed(), start.cast_signed(), size.cast_signed())?.to_dtype(dtype);
                needed.then(part).transpose()
            };
            parts.iter().map(one).collect()
        });
        Ok(out.made_by(node))
    }

    /// `torch.stack(tensors, dim)`: along a new dimension.
    ///
    /// # Errors
    /// With PyTorch's message if there are none or the shapes differ.
    pub fn stack(tensors: &[&Self], dim: isize) -> Result<Self> {
        let Some(first) = tensors.first() else {
            let message = "stack expects a non-empty TensorList".into();
            return Err(Error::Shape { op: "stack", message });
        };
        if let Some((at, other)) = tensors.iter().enumerate().find(|(_, t)| t.shape() != first.shape()) {
            let message = format!(
                "stack expects each tensor to be equal size, but got [{}] at entry 0 and [{}] at entry {at}",
                crate::layout::join(first.shape().iter()),
                crate::layout::join(other.shape().iter())
            );
            return Err(Error::Shape { op: "stack", message });
        }
        let rows = tensors.iter().map(|t| t.unsqueeze(dim)).collect::<Result<Vec<_>>>()?;
        Ok(Self::cat(&rows.iter().collect::<Vec<_>>(), dim)?.called("StackBackward0"))
    }

    /// `torch.split(self, sizes, dim)`: views of these lengths.
    ///
    /// # Errors
    /// With PyTorch's message if the lengths do not add up.
    pub fn split(&self, sizes: &[usize], dim: isize) -> Result<Vec<Self>> {
        let d = wrap_dim("split", dim, self.shape().len())?;
        let have = self.shape().get(d).copied().unwrap_or(0);
        if sizes.iter().try_fold(0usize, |sum, &size| sum.checked_add(size)) != Some(have) {
            let message = format!(
                "split_with_sizes expects split_sizes to sum exactly to {have} (input tensor's size at dimension \
                 {d}), but got split_sizes=[{}]",
                crate::layout::join(sizes.iter())
            );
            return Err(Error::Shape { op: "split", message });
        }
        self.parts(["SplitWithSizes", "SplitWithSizesBackward0"], sizes, dim)
    }

    /// Views of lengths that add up, by a function of that name with that derivative.
    fn parts(&self, [function, node]: [&'static str; 2], sizes: &[usize], dim: isize) -> Result<Vec<Self>> {
        let views = self.cut_at(node, sizes, dim)?;
        Ok(views.into_iter().enumerate().map(|(number, view)| view.one_of_many(function, number)).collect())
    }

    /// `torch.split(self, size, dim)`: views of this length, the last one of what is left.
    ///
    /// # Errors
    /// If the size is 0 and the dimension's is not.
    pub fn split_size(&self, size: usize, dim: isize) -> Result<Vec<Self>> {
        let d = wrap_dim("split", dim, self.shape().len())?;
        let have = self.shape().get(d).copied().unwrap_or(0);
        if size == 0 && have != 0 {
            let message =
                format!("split_size can only be 0 if dimension size is 0, but got dimension size of {have}");
            return Err(Error::Shape { op: "split", message });
        }
        let mut sizes = filled(have.checked_div(size).unwrap_or(0), size)?;
        let rest = have - sizes.len() * size;
        if rest > 0 || sizes.is_empty() {
            sizes.push(rest);
        }
        self.parts(["Split", "SplitBackward0"], &sizes, dim)
    }

    /// `torch.chunk(self, chunks, dim)`: at most so many views of equal length.
    ///
    /// # Errors
    /// If there are to be none.
    pub fn chunk(&self, chunks: usize, dim: isize) -> Result<Vec<Self>> {
        if chunks == 0 {
            let message = "chunk expects `chunks` to be greater than 0, got: 0".into();
            return Err(Error::Value { op: "chunk", message });
        }
        let d = wrap_dim("chunk", dim, self.shape().len())?;
        let have = self.shape().get(d).copied().unwrap_or(0);
        if have == 0 {
            return self.parts(["Split", "SplitBackward0"], &filled(chunks, 0)?, dim);
        }
        self.split_size(have.div_ceil(chunks), dim)
    }

    /// `torch.tensor_split(self, sections, dim)`: that many views whose lengths differ by one at most.
    ///
    /// # Errors
    /// If there are to be none, or the tensor has no dimensions.
    pub fn tensor_split(&self, sections: usize, dim: isize) -> Result<Vec<Self>> {
        let rank = self.shape().len();
        let fault = |message: String| Err(Error::Shape { op: "tensor_split", message });
        if rank == 0 {
            return fault(
                "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims".into(),
            );
        }
        if sections == 0 {
            return fault("number of sections must be larger than 0, got 0".into());
        }
        let have = self.shape()[wrap_dim("tensor_split", dim, rank)?];
        let size = |i: usize| have / sections + usize::from(i < have % sections);
        // PyTorch makes them one by one, so that each may be written to.
        self.cut_at("SliceBackward0", &collect(sections, (0..sections).map(size))?, dim)
    }

    /// `torch.tensor_split(self, indices, dim)`: views that end and begin there.
    ///
    /// # Errors
    /// If the tensor has no dimensions.
    pub fn tensor_split_at(&self, indices: &[isize], dim: isize) -> Result<Vec<Self>> {
        let bounds = [None].into_iter().chain(indices.iter().map(|&i| Some(i)));
        let ends = indices.iter().map(|&i| Some(i)).chain([None]);
        bounds.zip(ends).map(|(start, end)| self.slice(dim, start, end, 1)).collect()
    }

    fn cut_at(&self, node: &'static str, sizes: &[usize], dim: isize) -> Result<Vec<Self>> {
        let (mut start, mut parts) = (0usize, room(sizes.len())?);
        for size in sizes {
            let (from, length) = (start.cast_signed(), size.cast_signed());
            parts.push(self.selected(node, move |layout| layout.narrow(dim, from, length))?);
            start += size;
        }
        Ok(parts)
    }

    /// `torch.unbind(self, dim)`: a view for each index.
    ///
    /// # Errors
    /// If the tensor has no dimensions.
    pub fn unbind(&self, dim: isize) -> Result<Vec<Self>> {
        let rank = self.shape().len();
        if rank == 0 {
            let message = format!("Dimension specified as {dim} but tensor has no dimensions");
            return Err(Error::index("unbind", message));
        }
        let count = self.shape()[wrap_dim("unbind", dim, rank)?];
        let select = |i: isize| self.selected("UnbindBackward0", move |layout| layout.select(dim, i));
        let mut views = room(count)?;
        for i in 0..count {
            views.push(select(i.cast_signed())?.one_of_many("Unbind", i));
        }
        Ok(views)
    }

    /// `self.flatten(start, end)`: these dimensions and those between them as one; a view where there is one.
    ///
    /// # Errors
    /// If a dimension is out of range or they are in the wrong order.
    pub fn flatten(&self, start: isize, end: isize) -> Result<Self> {
        let rank = self.shape().len();
        let (first, last) = (wrap_dim("flatten", start, rank)?, wrap_dim("flatten", end, rank)?);
        if first > last {
            let message = "flatten() has invalid args: start_dim cannot come after end_dim".into();
            return Err(Error::Shape { op: "flatten", message });
        }
        if rank == 0 {
            return self.reshape(&[1]);
        }
        if first == last {
            return Ok(self.clone());
        }
        let middle: usize = self.shape()[first..=last].iter().product();
        self.reshape(&signed(&[&self.shape()[..first], &[middle], &self.shape()[last + 1..]].concat()))
    }

    /// `self.T` of a matrix; of a vector or a number the tensor itself.
    ///
    /// # Errors
    /// For more than two dimensions.
    pub fn t(&self) -> Result<Self> {
        match self.shape().len() {
            0 | 1 => Ok(self.clone()),
            2 => {
                let layout = self.layout().transpose(0, 1)?;
                Ok(self.viewed("TBackward0", layout, |g| g.transpose(0, 1)))
            }
            rank => Err(Error::Shape {
                op: "t",
                message: format!("t() expects a tensor with <= 2 dimensions, but self is {rank}D"),
            }),
        }
    }

    /// `torch.diagonal(self, offset, dim1, dim2)`: a view whose last dimension goes along the diagonal.
    ///
    /// # Errors
    /// If the dimensions are out of range or the same.
    pub fn diagonal(&self, offset: isize, dim1: isize, dim2: isize) -> Result<Self> {
        self.selected("DiagonalBackward0", move |layout| diagonal(layout, offset, dim1, dim2))
    }

    /// `self.unfold(dim, size, step)`: a view of all windows of that size, their elements in a new last dimension.
    /// Elements of several windows receive the sum of their gradients.
    ///
    /// # Errors
    /// If a window does not fit or the step is not positive.
    pub fn unfold(&self, dim: isize, size: usize, step: usize) -> Result<Self> {
        let d = wrap_dim("unfold", dim, self.shape().len())?;
        let have = self.shape().get(d).copied().unwrap_or(1);
        if size > have {
            let message = format!("maximum size for tensor at dimension {d} is {have} but size is {size}");
            return Err(Error::Shape { op: "unfold", message });
        }
        if step == 0 {
            return Err(Error::Value { op: "unfold", message: "step is 0 but must be > 0".into() });
        }
        let (mut shape, mut strides) = (self.shape().to_vec(), self.layout().strides().to_vec());
        let stride = strides.get(d).copied().unwrap_or(1);
        if let (Some(n), Some(s)) = (shape.get_mut(d), strides.get_mut(d)) {
            (*n, *s) = ((have - size) / step + 1, stride * step);
        }
        shape.push(size);
        strides.push(stride);
        self.as_strided(&shape, &strides, self.layout().offset())
    }
}

fn diagonal(layout: &Layout, offset: isize, dim1: isize, dim2: isize) -> Result<Layout> {
    let rank = layout.rank();
    let (a, b) = (wrap_dim("diagonal", dim1, rank)?, wrap_dim("diagonal", dim2, rank)?);
    if a == b {
        let message = format!("diagonal dimensions cannot be identical {dim1}, {dim2}");
        return Err(Error::Shape { op: "diagonal", message });
    }
    let (down, right) = (offset.min(0).unsigned_abs(), offset.max(0).unsigned_abs());
    let length = layout.shape()[a].saturating_sub(down).min(layout.shape()[b].saturating_sub(right));
    let begin = if length == 0 { 0 } else { down * layout.strides()[a] + right * layout.strides()[b] };
    let others = |of: &[usize]| (0..rank).filter(|&d| d != a && d != b).map(|d| of[d]).collect::<Vec<_>>();
    let (mut shape, mut strides) = (others(layout.shape()), others(layout.strides()));
    shape.push(length);
    strides.push(layout.strides()[a] + layout.strides()[b]);
    Layout::strided(&shape, &strides, layout.offset() + begin)
}
