//! `x[…]` and `x[…] = value` with everything that PyTorch takes between the brackets.

use std::ops::{Range, RangeFrom, RangeFull, RangeTo};

use super::Tensor;
use super::advanced_indexing::Places;
use super::elementwise::Arg;
use crate::DType;
use crate::error::{Error, Result};
use crate::layout::{IndexItem, Item, Step, steps};

/// One item between the brackets of `x[…]`.
#[derive(Clone, Copy)]
pub enum Index<'a> {
    /// A number, a slice, `None` or `...`: makes a view.
    View(IndexItem),
    /// `True` or `False`: a new dimension of one element, or of none.
    Bool(bool),
    /// Whole numbers: indices along one dimension, negative ones from its end; tensors of them are broadcast
    /// together. Truth values (or uint8): the elements where they are true, of as many dimensions as the mask has.
    Tensor(&'a Tensor),
}

impl Index<'_> {
    /// `...`
    pub const ELLIPSIS: Self = Self::View(IndexItem::Ellipsis);
    /// `None`
    pub const NEW_AXIS: Self = Self::View(IndexItem::NewAxis);

    /// `start:end:step`
    #[must_use]
    pub const fn slice(start: Option<isize>, end: Option<isize>, step: isize) -> Self {
        Self::View(IndexItem::Slice { start, end, step })
    }
}

macro_rules! from {
    ($($type:ty: |$value:ident| $index:expr;)+) => {$(
        impl From<$type> for Index<'_> {
            fn from($value: $type) -> Self {
                $index
            }
        }
    )+};
}

from! {
    isize: |at| Self::View(IndexItem::At(at));
    bool: |value| Self::Bool(value);
    IndexItem: |item| Self::View(item);
    RangeFull: |_all| Self::slice(None, None, 1);
    RangeFrom<isize>: |range| Self::slice(Some(range.start), None, 1);
    RangeTo<isize>: |range| Self::slice(None, Some(range.end), 1);
    Range<isize>: |range| Self::slice(Some(range.start), Some(range.end), 1);
}

impl<'a> From<&'a Tensor> for Index<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Self::Tensor(tensor)
    }
}

impl Tensor {
    /// `self[items]`: a view where there are only numbers, slices, `None` and `...`, else a copy.
    ///
    /// Waits for the device only to learn how many elements a mask takes, or what number a tensor without dimensions
    /// holds. Whether an index in a tensor is out of bounds is said at once on the CPU; on a GPU, as in PyTorch, not
    /// before somebody waits.
    ///
    /// # Errors
    /// With PyTorch's messages: too many items, an index out of bounds, a step that is not positive, a mask of
    /// another shape, index tensors that do not broadcast or are real numbers.
    pub async fn index(&self, items: &[Index<'_>]) -> Result<Self> {
        let (view, places) = self.resolved(items, false).await?;
        match places {
            None => Ok(view),
            Some(places) => places.take("IndexBackward0", &view),
        }
    }

    /// `self[items] = value`: a number, or a tensor that is broadcast and, where only views are involved, converted.
    /// Waits as [`Tensor::index`] does. Where an index comes several times, one of the values is taken.
    ///
    /// # Errors
    /// As [`Tensor::index`] and [`Tensor::add_`], and if the value does not broadcast or has another dtype.
    pub async fn set_index<'a>(&self, items: &[Index<'_>], value: impl Into<Arg<'a>>) -> Result<()> {
        let value = value.into();
        let (view, places) = self.resolved(items, true).await?;
        match (places, value) {
            (None, Arg::Scalar(scalar)) => view.fill_(scalar),
            (None, Arg::Tensor(tensor)) => {
                let tensor = tensor.without_ones(view.shape().len())?;
                view.copy_(&tensor.expand(&super::views::signed(view.shape()))?)
            }
            (Some(places), Arg::Scalar(scalar)) => {
                let value = Self::full(&[], scalar, self.dtype(), self.device())?;
                view.in_place("index_put_", &[], |x| places.put(x, &value, false))
            }
            (Some(places), Arg::Tensor(tensor)) => {
                let tensor = tensor.without_ones(places.shape().len())?;
                view.in_place("index_put_", &[&tensor], |x| places.put(x, &tensor, false))
            }
        }
    }

    /// `self.index_put(indices, values, accumulate)`: a copy with these values at these places; `None` stands for a
    /// full slice. With `accumulate` the values are added, each as often as its index comes.
    ///
    /// # Errors
    /// As [`Tensor::set_index`].
    pub async fn index_put(
        &self,
        indices: &[Option<&Self>],
        values: &Self,
        accumulate: bool,
    ) -> Result<Self> {
        match self.resolved(&of_tensors(indices), true).await? {
            (_, Some(places)) => places.put(self, values, accumulate),
            (_, None) => Err(Error::shape("index_put", "index_put requires at least one index tensor")),
        }
    }

    /// `self.index_put_(indices, values, accumulate)`: [`Tensor::index_put`] in place.
    ///
    /// # Errors
    /// As [`Tensor::set_index`].
    pub async fn index_put_(&self, indices: &[Option<&Self>], values: &Self, accumulate: bool) -> Result<()> {
        match self.resolved(&of_tensors(indices), true).await? {
            (_, Some(places)) => {
                self.in_place("index_put_", &[values], |x| places.put(x, values, accumulate))
            }
            (_, None) => Err(Error::shape("index_put_", "index_put requires at least one index tensor")),
        }
    }

    /// `torch.masked_select(self, mask)`: a vector of the elements where the mask is true; both are broadcast. Waits
    /// for the device, which alone knows how many there are.
    ///
    /// # Errors
    /// If the mask holds no truth values, or the shapes do not broadcast.
    pub async fn masked_select(&self, mask: &Self) -> Result<Self> {
        if mask.dtype() != DType::Bool {
            let message = "masked_select: expected BoolTensor for mask".into();
            return Err(Error::DType { op: "masked_select", message });
        }
        let shape = crate::layout::broadcast_shapes(mask.shape(), self.shape())?;
        let (x, mask) = (self.broadcast_to(&shape)?, mask.broadcast_to(&shape)?);
        match x.resolved(&[Index::Tensor(&mask)], false).await? {
            (view, Some(places)) => places.take("MaskedSelectBackward0", &view),
            (view, None) => Ok(view),
        }
    }

    /// The view that items make, and what tensors between the brackets take of it, or write there.
    async fn resolved(&self, items: &[Index<'_>], writes: bool) -> Result<(Self, Option<Places>)> {
        let (mut plan, mut tensors) = (Vec::new(), Vec::new());
        for item in items {
            match *item {
                Index::View(item) => plan.push(Item::View(item)),
                Index::Bool(value) => {
                    tensors.push(self.zeros_of(usize::from(value))?);
                    plan.push(Item::Places(0));
                }
                Index::Tensor(tensor) => {
                    self.same_device("index", tensor)?;
                    match tensor.dtype() {
                        DType::Bool | DType::U8 if tensor.shape().is_empty() => {
                            tensors.push(self.zeros_of(usize::from(tensor.item().await?.as_f64() != 0.0))?);
                            plan.push(Item::Places(0));
                        }
                        DType::Bool | DType::U8 => {
                            plan.push(Item::Places(tensor.shape().len()));
                            tensors.push(tensor.clone());
                        }
                        DType::I64 | DType::I32 if tensor.shape().is_empty() && !self.shape().is_empty() => {
                            let at = tensor.item().await?.as_i64();
                            plan.push(Item::View(IndexItem::At(isize::try_from(at).unwrap_or(isize::MAX))));
                        }
                        DType::I64 | DType::I32 => {
                            plan.push(Item::Places(1));
                            tensors.push(tensor.to_dtype(DType::I64)?);
                        }
                        _ => {
                            let message = "tensors used as indices must be long, int, byte or bool tensors";
                            return Err(Error::index("index", message));
                        }
                    }
                }
            }
        }
        let (steps, starts) = steps(self.shape(), &plan)?;
        let view = steps.into_iter().try_fold(self.clone(), |x, step| match step {
            Step::Select { dim, index } => x.select(dim, index),
            Step::Slice { dim, start, end, step } => {
                let size = x.size(dim)?.cast_signed();
                // Beside other items, a slice of everything is left out.
                let is_all = items.len() > 1
                    && step == 1
                    && start.unwrap_or(0) == 0
                    && end.is_none_or(|end| end >= size);
                if is_all { Ok(x) } else { x.slice(dim, start, end, step) }
            }
            Step::NewAxis { dim } => x.unsqueeze(dim),
        })?;
        if tensors.is_empty() {
            return Ok((if view.is(self) { self.alias() } else { view }, None));
        }
        let mut along: Vec<Option<Self>> = vec![None; view.shape().len()];
        for (tensor, start) in tensors.into_iter().zip(starts) {
            if tensor.dtype() == DType::I64 {
                along[start] = Some(tensor);
                continue;
            }
            for (d, &size) in tensor.shape().iter().enumerate() {
                if view.shape().get(start + d) != Some(&size) {
                    return Err(Error::index(
                        "index",
                        format!(
                            "The shape of the mask [{}] at index {d} does not match the shape of the indexed tensor \
                             [{}] at index {}",
                            crate::layout::join(tensor.shape().iter()),
                            crate::layout::join(view.shape().iter()),
                            start + d
                        ),
                    ));
                }
            }
            for (d, places) in tensor.true_places().await?.into_iter().enumerate() {
                along[start + d] = Some(places);
            }
        }
        let places = Places::new(view.shape(), along, writes)?;
        Ok((view, Some(places)))
    }

    fn zeros_of(&self, count: usize) -> Result<Self> {
        Self::zeros(&[count], DType::I64, self.device())
    }

    /// Without leading dimensions of size 1 beyond a rank: what is assigned may have more of them than its target.
    fn without_ones(&self, rank: usize) -> Result<Self> {
        let spare = self.shape().len().saturating_sub(rank);
        let ones = self.shape().iter().take(spare).take_while(|&&n| n == 1).count();
        if ones == 0 {
            return Ok(self.clone());
        }
        self.view_or_copy(&self.shape()[ones..])
    }
}

fn of_tensors<'a>(indices: &[Option<&'a Tensor>]) -> Vec<Index<'a>> {
    indices.iter().map(|index| index.map_or(Index::slice(None, None, 1), Index::Tensor)).collect()
}
