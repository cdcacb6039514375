//! Views: new layouts over the same storage, and their derivatives.

use super::Tensor;
use crate::autograd::Node;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::program::Program;
use crate::{DType, Scalar};

impl Tensor {
    /// A view whose derivative is another view (or reduction) of the gradient.
    pub(super) fn viewed(
        &self,
        name: &'static str,
        layout: Layout,
        derivative: impl Fn(&Tensor) -> Result<Tensor> + 'static,
    ) -> Self {
        let node = Node::record(name, &[self], &[], move |g, _| Ok(vec![Some(derivative(g)?)]));
        self.viewing(layout, node)
    }

    /// A view of some of the elements: the gradient of the others is zero.
    pub(super) fn selected(
        &self,
        name: &'static str,
        select: impl Fn(&Layout) -> Result<Layout> + 'static,
    ) -> Result<Self> {
        let layout = select(self.layout())?;
        let whole = Layout::contiguous(self.shape())?;
        Ok(self.viewed(name, layout, move |g| laid(g, &select(&whole)?, &whole)))
    }

    /// The result of a product in the shape that it is to have.
    pub(super) fn seen_as(&self, shape: &[isize]) -> Result<Self> {
        let layout = self.layout().view(shape)?;
        let old = signed(self.shape());
        Ok(self.viewed("UnsafeViewBackward0", layout, move |g| g.reshape(&old)))
    }

    /// `x.view(shape)`; one size may be −1.
    ///
    /// # Errors
    /// With PyTorch's message if there is no such view.
    pub fn view(&self, shape: &[isize]) -> Result<Self> {
        let layout = self.layout().view(shape)?;
        let old = signed(self.shape());
        Ok(self.viewed("ViewBackward0", layout, move |g| g.reshape(&old)))
    }

    /// `x.reshape(shape)`: a view where there is one, else a copy.
    ///
    /// # Errors
    /// If the numbers of elements differ.
    pub fn reshape(&self, shape: &[isize]) -> Result<Self> {
        match self.layout().reshape(shape)? {
            (Some(_), _) => self.view(shape),
            (None, shape) => {
                let copy = self.contiguous()?;
                let back: Vec<isize> = signed(self.shape());
                let layout = copy.layout().view(&signed(&shape))?;
                let derivative = move |g: &Self, _: &[Self]| Ok(vec![Some(g.reshape(&back)?)]);
                let node = Node::record("UnsafeViewBackward0", &[&copy], &[], derivative);
                Ok(copy.with_layout(layout).made_by(node))
            }
        }
    }

    /// `x.as_strided(size, stride, storage_offset)`: any view of its storage.
    ///
    /// # Errors
    /// If the view leaves the storage.
    pub fn as_strided(&self, size: &[usize], stride: &[usize], storage_offset: usize) -> Result<Self> {
        let layout = Layout::strided(size, stride, storage_offset)?;
        let size_bytes = self.dtype().size_bytes();
        let (needed, have) = (layout.storage_end() as u128 * size_bytes as u128, self.storage_bytes());
        if needed > have.into() {
            let (sizes, strides) = (crate::layout::join(size.iter()), crate::layout::join(stride.iter()));
            let message = if needed > i64::MAX as u128 {
                format!("Storage size calculation overflowed with sizes=[{sizes}] and strides=[{strides}]")
            } else {
                format!(
                    "setStorage: sizes [{sizes}], strides [{strides}], storage offset {storage_offset}, and itemsize \
                     {size_bytes} requiring a storage size of {needed} are out of bounds for storage of size {have}"
                )
            };
            return Err(Error::shape("as_strided", message));
        }
        let (shown, whole) = (layout.clone(), self.layout().clone());
        Ok(self.viewed("AsStridedBackward0", layout, move |g| spread(g, &shown, &whole)))
    }

    /// A view of everything, as `x[...]`.
    pub(super) fn alias(&self) -> Self {
        self.viewed("AliasBackward0", self.layout().clone(), |g| Ok(g.clone()))
    }

    /// `x.transpose(dim0, dim1)`.
    ///
    /// # Errors
    /// If a dimension is out of range.
    pub fn transpose(&self, dim0: isize, dim1: isize) -> Result<Self> {
        let layout = self.layout().transpose(dim0, dim1)?;
        Ok(self.viewed("TransposeBackward0", layout, move |g| g.transpose(dim0, dim1)))
    }

    /// `x.permute(dims)`.
    ///
    /// # Errors
    /// If `dims` is not a permutation of the dimensions.
    pub fn permute(&self, dims: &[isize]) -> Result<Self> {
        let layout = self.layout().permute(dims)?;
        let rank = self.shape().len();
        let mut inverse = vec![0; rank];
        for (new, &old) in dims.iter().enumerate() {
            inverse[crate::layout::wrap_dim("permute", old, rank)?] = new.cast_signed();
        }
        Ok(self.viewed("PermuteBackward0", layout, move |g| g.permute(&inverse)))
    }

    /// `x[…, start:end:step, …]` along `dim`.
    ///
    /// # Errors
    /// If the dimension is out of range or the step is not positive.
    pub fn slice(&self, dim: isize, start: Option<isize>, end: Option<isize>, step: isize) -> Result<Self> {
        self.selected("SliceBackward0", move |l| l.slice(dim, start, end, step))
    }

    /// `x.select(dim, index)`.
    ///
    /// # Errors
    /// If the dimension or the index is out of range.
    pub fn select(&self, dim: isize, index: isize) -> Result<Self> {
        self.selected("SelectBackward0", move |l| l.select(dim, index))
    }

    /// `x.narrow(dim, start, length)`.
    ///
    /// # Errors
    /// If the range does not lie within the dimension.
    pub fn narrow(&self, dim: isize, start: isize, length: isize) -> Result<Self> {
        self.selected("SliceBackward0", move |l| l.narrow(dim, start, length))
    }

    /// `x.expand(sizes)`.
    ///
    /// # Errors
    /// If a size that is not 1 would change.
    pub fn expand(&self, sizes: &[isize]) -> Result<Self> {
        let layout = self.layout().expand_of(sizes, self.dtype().scalar_type())?;
        let old = self.shape().to_vec();
        Ok(self.viewed("ExpandBackward0", layout, move |g| g.sum_to(&old)))
    }

    pub(crate) fn broadcast_to(&self, shape: &[usize]) -> Result<Self> {
        if self.shape() == shape {
            return Ok(self.clone());
        }
        self.expand(&signed(shape))
    }

    /// `x.squeeze(dim)`, or of all dimensions of size 1.
    ///
    /// # Errors
    /// If the dimension is out of range.
    pub fn squeeze(&self, dim: Option<isize>) -> Result<Self> {
        let layout = self.layout().squeeze(dim)?;
        let old = signed(self.shape());
        let name = if dim.is_some() { "SqueezeBackward1" } else { "SqueezeBackward0" };
        Ok(self.viewed(name, layout, move |g| g.reshape(&old)))
    }

    /// `x.unsqueeze(dim)`.
    ///
    /// # Errors
    /// If the dimension is out of range.
    pub fn unsqueeze(&self, dim: isize) -> Result<Self> {
        let layout = self.layout().unsqueeze(dim)?;
        let old = signed(self.shape());
        Ok(self.viewed("UnsqueezeBackward0", layout, move |g| g.reshape(&old)))
    }
}

/// The gradient of a tensor that lies as `whole`, from the gradient of the elements that `shown` shows of the same
/// storage: where elements are shown several times, the sum; where the tensor itself holds elements several times,
/// each has an equal share.
pub(super) fn spread(g: &Tensor, shown: &Layout, whole: &Layout) -> Result<Tensor> {
    let out = laid(g, shown, whole)?;
    if !whole.may_overlap() {
        return Ok(out);
    }
    out.div(&laid(&out.detach().ones_like()?, whole, whole)?)
}

/// Elements that lie as `from`, as `to` shows them of the same storage: 0 where there is none, the sum where there are
/// several. Its derivative is the same in the other direction.
pub(super) fn laid(g: &Tensor, from: &Layout, to: &Layout) -> Result<Tensor> {
    let (there, back) = (from.clone(), to.clone());
    let node =
        Node::record("AsStridedBackward0", &[g], &[], move |g, _| Ok(vec![Some(laid(g, &back, &there)?)]));
    let ([window, out], room) = Tensor::zeros_under([from, to], g)?;
    room.add_at(window.layout(), &g.detach())?;
    Ok(out.made_by(node))
}

impl Tensor {
    /// Zeros where the layouts of one storage lie, as tensors of these layouts and as they lie in memory.
    pub(super) fn zeros_under(layouts: [&Layout; 2], like: &Self) -> Result<([Self; 2], Self)> {
        let start = layouts[0].offset().min(layouts[1].offset());
        let end = layouts[0].storage_end().max(layouts[1].storage_end()).max(start);
        let room = Self::zeros(&[end - start], like.dtype(), like.device())?;
        let within =
            |layout: &Layout| Layout::strided(layout.shape(), layout.strides(), layout.offset() - start);
        let [a, b] = layouts.map(within);
        Ok(([room.with_layout(a?), room.with_layout(b?)], room))
    }

    /// Adds `g` to the elements of this vector that the layout shows.
    fn add_at(&self, layout: &Layout, g: &Self) -> Result<()> {
        // Along dimensions of stride 0 every element is the same one.
        let repeated: Vec<isize> = (0..layout.rank())
            .filter(|&d| layout.strides()[d] == 0 && layout.shape()[d] > 1)
            .map(usize::cast_signed)
            .collect();
        let (g, layout) = if repeated.is_empty() {
            (g.clone(), layout.clone())
        } else {
            let sum = g.sum_dims(&repeated, true)?;
            let strided = Layout::strided(sum.shape(), layout.strides(), layout.offset())?;
            (sum, strided)
        };
        if !layout.may_overlap() {
            return self.with_layout(layout).run(&Program::copy(g.dtype()), &[&g]);
        }
        let places = layout.storage_indices().map(|i| Scalar::Int(i as i64));
        let places = Self::from_values(places, &[layout.numel()], DType::I64, self.device())?;
        let g = g.reshape(&[-1])?;
        self.device().backend().scatter_add(self.operand(), places.operand(), g.operand(), 0)?;
        self.device().ledger().ran("as_strided_backward", 0, g.bytes() + places.bytes(), g.bytes());
        Ok(())
    }
}

pub(crate) fn signed(shape: &[usize]) -> Vec<isize> {
    shape.iter().map(|n| n.cast_signed()).collect()
}
